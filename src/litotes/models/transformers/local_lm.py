"""`lm:MODEL`: a causal language model on this machine, prompted with a multiple-choice question.

Its answer is the log-probabilities of the letters of the options as the next token, so nothing is generated or parsed.
A model with a chat template gets the question in its template, any other a prompt that ends in “Answer:”.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from litotes.core.errors import LitotesError, UsageError
from litotes.models.access import Access
from litotes.models.base import Chooser, Fingerprint, Vectors
from litotes.models.names import ModelName, parse_options
from litotes.models.prompts import DEFAULT_PROMPT, LETTERS, PromptTemplate, Question, load_prompt
from litotes.models.transformers.torch_model import (
    AUTO,
    TOKENIZER_BATCH,
    DType,
    TorchModel,
    TorchSource,
    accepted_inputs,
    find_torch_model,
    load_network,
    load_tokenizer,
    loading,
    longest_input,
)

if TYPE_CHECKING:
    import torch

_MAX_BATCH_TOKENS = 4096
"""Each token of a batch needs memory for the scores of the whole vocabulary."""

PromptFormat = Literal["auto", "chat", "plain"]


@dataclass(frozen=True)
class LocalLmOptions:
    """Options in a name such as `lm:FOLDER?template=plain`.

    Args:
        template: Use the model's chat template or a plain prompt; "auto": the chat template if there is one.
        prompt: The wording of questions: the name of a template, or a TOML file. With "all", `litotes run` evaluates
            every named template.
        max_length: The maximum number of tokens; default: the model's.
        dtype: The number type of the weights.
        device: A device of torch; "auto": a GPU if there is one.
    """

    template: PromptFormat = "auto"
    prompt: str = DEFAULT_PROMPT
    max_length: int | None = None
    dtype: DType = "float32"
    device: str = AUTO


class LocalChooser(TorchModel, Chooser):
    """A causal language model that chooses by the probabilities of its next token."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        device: torch.device,
        *,
        model: Any,
        tokenizer: Any,
        prompt: PromptTemplate,
        uses_chat_template: bool,
        max_length: int,
    ) -> None:
        super().__init__(name, fingerprint, device)
        self._model = model
        self._tokenizer = tokenizer
        self._prompt = prompt
        self._uses_chat_template = uses_chat_template
        self._max_length = max_length
        self._letters = letter_tokens(tokenizer)

    @property
    def batch_tokens(self) -> int:
        """What suits the device, limited by the memory for scores."""
        return min(super().batch_tokens, _MAX_BATCH_TOKENS)

    def lengths(self, questions: Sequence[Question]) -> list[int]:
        """Return the number of tokens of the prompt of each question."""
        counts: list[int] = []
        for start in range(0, len(questions), TOKENIZER_BATCH):
            chunk = questions[start : start + TOKENIZER_BATCH]
            with self._reporting_failure([question.text for question in chunk]), self._lock:
                counts += map(len, self._tokenize(chunk)["input_ids"])
        return counts

    def ask(self, questions: Sequence[Question]) -> Vectors:
        """Return the probability of each option's letter as the next token, relative to all letters."""
        import torch

        with self._reporting_failure([question.text for question in questions]):
            with self._lock:
                features = dict(self._tokenize(questions, padding=True, return_tensors="pt"))
            self._check_length(features["input_ids"].shape[1], questions)
            with torch.inference_mode():
                logits = self._model(**self._on_device(accepted_inputs(self._model, features))).logits
            last = features["attention_mask"].sum(dim=1) - 1  # padding is on the right
            scores = logits.to("cpu")[torch.arange(len(questions)), last].double()
            return self._letter_probabilities(scores, len(questions[0].options))

    def _tokenize(self, questions: Sequence[Question], **options: Any) -> Any:
        texts = [self._prompt.text(question) for question in questions]
        if not self._uses_chat_template:
            return self._tokenizer([f"{text}\nAnswer:" for text in texts], **options)
        prompts = [
            self._tokenizer.apply_chat_template(
                [{"role": "user", "content": text}], tokenize=False, add_generation_prompt=True
            )
            for text in texts
        ]
        # The template has added the special tokens.
        return self._tokenizer(prompts, add_special_tokens=False, **options)

    def _check_length(self, length: int, questions: Sequence[Question]) -> None:
        if length > self._max_length:
            text = questions[0].text
            hint = "leave out items with such long sentences"
            message = f"{self.name}: a question has {length:,} tokens, the model reads at most {self._max_length:,}"
            raise LitotesError("L311", f"{message} ({text[:60]}…)", hint=hint)

    def _letter_probabilities(self, scores: torch.Tensor, options: int) -> Vectors:
        import torch

        rows = torch.stack([scores[:, tokens].logsumexp(dim=1) for tokens in self._letters[:options]], dim=1)
        return np.ascontiguousarray(torch.softmax(rows, dim=1).numpy(), dtype=np.float32)


def letter_tokens(tokenizer: Any) -> list[list[int]]:
    """Return for each letter the tokens that consist of it, with or without a blank before it."""
    letter_ids = []
    for letter in LETTERS:
        spelled = [tokenizer.encode(text, add_special_tokens=False) for text in (letter, f" {letter}")]
        # Tokenizers that mark the beginning of words encode “A” and “ A” as the same token, or the latter as two.
        tokens = {ids[-1] for ids in spelled if ids and tokenizer.decode(ids[-1:]).strip() == letter}
        if not tokens:
            hint = "choose another model"
            raise LitotesError("L311", f'its tokenizer has no token for the letter "{letter}"', hint=hint)
        letter_ids.append(sorted(tokens))
    return letter_ids


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> LocalChooser:
    """Load `lm:MODEL`."""
    options = parse_options(LocalLmOptions, values, scheme=name.scheme)
    prompt = load_prompt(options.prompt)
    source = find_torch_model(name, access, options.device)
    with loading(source.folder, access, is_optional=lambda key: False):
        model, tokenizer = _load_parts(source, options)
        source.prepare(model)
    uses_chat_template = _uses_chat_template(tokenizer, options.template, source.folder)
    max_length = options.max_length or longest_input(model, tokenizer)
    fingerprint = source.fingerprint(
        pooling="letters",
        dtype=options.dtype,
        max_length=max_length,
        prompt=f"{prompt.describe()}\n({'chat template' if uses_chat_template else 'plain text'})",
    )
    return LocalChooser(
        name.text,
        fingerprint,
        source.device,
        model=model,
        tokenizer=tokenizer,
        prompt=prompt,
        uses_chat_template=uses_chat_template,
        max_length=max_length,
    )


def _load_parts(source: TorchSource, options: LocalLmOptions) -> tuple[Any, Any]:
    from transformers import AutoModelForCausalLM

    tokenizer = load_tokenizer(source.folder, source.options)
    return load_network(AutoModelForCausalLM, source, options.dtype), tokenizer


def _uses_chat_template(tokenizer: Any, prompt_format: PromptFormat, folder: Path) -> bool:
    has_template = bool(getattr(tokenizer, "chat_template", None))
    if prompt_format == "chat" and not has_template:
        raise UsageError("L102", f"{folder}: its tokenizer has no chat template", hint="leave out ?template=chat")
    return has_template if prompt_format == "auto" else prompt_format == "chat"
