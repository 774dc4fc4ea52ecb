"""`lm:` — a causal language model on this machine, asked by prompt which option means the same.

It answers by the log-probabilities of the options' letters as its next token, so nothing is generated and nothing has
to be read out of an answer. A model with a chat template is asked as its template says, any other by a prompt that
ends in “Answer:”.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from litotes.core.errors import LitotesError, UsageError
from litotes.models.access import Access
from litotes.models.base import Chooser, Fingerprint, Question, Vectors
from litotes.models.model_folder import hash_configs, hash_weights
from litotes.models.names import ScorerName, parse_options
from litotes.models.prompting.prompt import LETTERS, WORDING, prompt_text
from litotes.models.transformers.torch_model import (
    AUTO,
    TOKENIZE_AT_ONCE,
    DType,
    OnTorch,
    choose_device,
    does_not_fit,
    find_torch_model,
    load_tokenizer,
    loading,
    longest_input,
    need_torch,
)
from litotes.speedups.onednn import use_quick_products

if TYPE_CHECKING:
    import torch

_MOST_TOKENS = 4096
"""The scores of a whole vocabulary are held for every token of a batch."""

Template = Literal["auto", "chat", "plain"]


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `lm:FOLDER?template=plain`."""

    template: Template = "auto"
    """Asked by the model's chat template, or by a plain prompt; auto: by the template if there is one."""
    max_length: int | None = None
    dtype: DType = "float32"
    device: str = AUTO


class LocalChooser(OnTorch, Chooser):
    """A causal model whose next token is looked at."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        device: torch.device,
        *,
        model: Any,
        tokenizer: Any,
        chat: bool,
        max_length: int,
    ) -> None:
        super().__init__(name, fingerprint, device)
        self._model = model
        self._tokenizer = tokenizer
        self._chat = chat
        self._max_length = max_length
        self._letters = letter_tokens(tokenizer)
        self._takes = frozenset(inspect.signature(model.forward).parameters)

    @property
    def batch_tokens(self) -> int:
        """As many as suit the device, and as can be held with their scores."""
        return min(super().batch_tokens, _MOST_TOKENS)

    def lengths(self, questions: Sequence[Question]) -> list[int]:
        """How many tokens the prompt of each question has."""
        counts: list[int] = []
        for start in range(0, len(questions), TOKENIZE_AT_ONCE):
            chunk = questions[start : start + TOKENIZE_AT_ONCE]
            with self._failing_in_one_line([one.text for one in chunk]), self._lock:
                counts += map(len, self._tokens(chunk)["input_ids"])
        return counts

    def ask(self, questions: Sequence[Question]) -> Vectors:
        """How likely each option's letter is as the next token, among the letters."""
        import torch

        with self._failing_in_one_line([one.text for one in questions]):
            with self._lock:
                features = dict(self._tokens(questions, padding=True, return_tensors="pt"))
            self._check_length(features["input_ids"].shape[1], questions)
            taken = {key: value for key, value in features.items() if key in self._takes}
            with torch.inference_mode():
                logits = self._model(**self._on_device(taken)).logits
            last = features["attention_mask"].sum(dim=1) - 1  # padding stands to the right
            scores = logits.to("cpu")[torch.arange(len(questions)), last].double()
            return self._among_letters(scores, len(questions[0].options))

    def _tokens(self, questions: Sequence[Question], **more: Any) -> Any:
        texts = [prompt_text(question) for question in questions]
        if not self._chat:
            return self._tokenizer([f"{text}\nAnswer:" for text in texts], **more)
        asked = [
            self._tokenizer.apply_chat_template(
                [{"role": "user", "content": text}], tokenize=False, add_generation_prompt=True
            )
            for text in texts
        ]
        # The template has written the special tokens already.
        return self._tokenizer(asked, add_special_tokens=False, **more)

    def _check_length(self, length: int, questions: Sequence[Question]) -> None:
        if length > self._max_length:
            text = questions[0].text
            hint = "leave out items with such long sentences"
            told = f"{self.name}: a question of {length:,} tokens is longer than the {self._max_length:,} it reads"
            raise LitotesError("L311", f"{told} ({text[:60]}…)", hint=hint)

    def _among_letters(self, scores: torch.Tensor, options: int) -> Vectors:
        import torch

        rows = torch.stack([scores[:, tokens].logsumexp(dim=1) for tokens in self._letters[:options]], dim=1)
        return np.ascontiguousarray(torch.softmax(rows, dim=1).numpy(), dtype=np.float32)


def letter_tokens(tokenizer: Any) -> list[list[int]]:
    """For each letter the tokens that are that letter and nothing else, with and without a blank before it."""
    found = []
    for letter in LETTERS:
        spelled = [tokenizer.encode(text, add_special_tokens=False) for text in (letter, f" {letter}")]
        # Tokenizers that mark the beginning of a word give “A” and “ A” the same token, or two for the second.
        tokens = {ids[-1] for ids in spelled if ids and tokenizer.decode(ids[-1:]).strip() == letter}
        if not tokens:
            raise LitotesError(
                "L311", f'its tokenizer has no token for the letter "{letter}"', hint="such a model cannot be asked so"
            )
        found.append(sorted(tokens))
    return found


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> LocalChooser:
    """The language model of that name."""
    options = parse_options(Options, given, scheme=name.scheme)
    need_torch("transformers")
    folder = find_torch_model(name, access, options.device)
    device = choose_device(options.device)
    with loading(folder, access, new=_nothing):
        model, tokenizer = _load_parts(folder, access, options)
        use_quick_products(model.to(device).eval())
    chat = _by_template(tokenizer, options.template, folder)
    max_length = options.max_length or longest_input(model, tokenizer)
    fingerprint = Fingerprint(
        backend=f"torch/{device.type}",
        weights=hash_weights(folder),
        config=hash_configs(folder, access),
        pooling="letters",
        dtype=options.dtype,
        max_length=max_length,
        prompt=f"{WORDING}/{'chat' if chat else 'plain'}",
    )
    return LocalChooser(
        name.text, fingerprint, device, model=model, tokenizer=tokenizer, chat=chat, max_length=max_length
    )


def _nothing(_: str) -> bool:
    """Every weight is read here."""
    return False


def _load_parts(folder: Path, access: Access, options: Options) -> tuple[Any, Any]:
    import torch
    from transformers import AutoModelForCausalLM

    common: dict[str, Any] = {"local_files_only": True, "trust_remote_code": access.trust_remote_code}
    tokenizer = load_tokenizer(folder, common)
    model, report = AutoModelForCausalLM.from_pretrained(
        folder, dtype=getattr(torch, options.dtype), output_loading_info=True, weights_only=True, **common
    )
    if missing := sorted(report["missing_keys"]):
        raise does_not_fit(folder, missing)
    return model, tokenizer


def _by_template(tokenizer: Any, wanted: Template, folder: Path) -> bool:
    has = bool(getattr(tokenizer, "chat_template", None))
    if wanted == "chat" and not has:
        raise UsageError("L102", f"{folder}: its tokenizer has no chat template", hint="leave out ?template=chat")
    return has if wanted == "auto" else wanted == "chat"
