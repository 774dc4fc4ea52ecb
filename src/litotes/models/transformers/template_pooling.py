"""Sentence vectors from the mask of a template: “This sentence of "…" means [MASK].”

PromptBERT and SNCSE use the vector of the mask as the vector of the sentence. A sentence that is too long is truncated
inside the template: tokenizers truncate at the end, where the mask would be lost.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.core.errors import LitotesError, UsageError, shorten
from litotes.core.files import to_json
from litotes.core.model_folders.files import model_files, pickled_weights, weight_files
from litotes.models.access import Access

if TYPE_CHECKING:
    import torch

TEXT, MASK = "{text}", "{mask}"
NO_TEMPLATE = TEXT
"""The sentence itself."""


@dataclass(frozen=True)
class Template:
    """The text around a sentence.

    Args:
        text: The template, with `{text}` for the sentence and `{mask}` for the mask.
        stop: The text after sentences that end in none of the characters in `stops`.
        stops: See `stop`.
    """

    text: str = NO_TEMPLATE
    stop: str = ""
    stops: str = string.punctuation

    def check(self, *, needs_mask: bool) -> None:
        """Raise unless the template has exactly one sentence, and a mask if the pooling needs it."""
        if self.text.count(TEXT) != 1 or self.text.count(MASK) > 1:
            raise _wrong_template(self.text, f"must have one {TEXT} and at most one {MASK}")
        if needs_mask and MASK not in self.text:
            raise _wrong_template(self.text, f"must have {MASK}, which the pooling reads")

    @property
    def reads_last_mask(self) -> bool:
        """Whether the mask is after the sentence, which may contain masks itself."""
        return self.text.find(MASK) > self.text.find(TEXT)

    def fill(self, sentence: str, mask: str) -> str:
        """Return a sentence in the template.

        >>> Template("This means {mask}: {text}", stop=".", stops=".!?").fill("It rains", "[MASK]")
        'This means [MASK]: It rains.'
        """
        before, after = self.context(mask)
        return before + self.add_stop(sentence) + after

    def add_stop(self, sentence: str) -> str:
        """Return a sentence with the stop, if it needs one; an empty sentence does not."""
        stripped = sentence.rstrip()
        return sentence + self.stop if self.stop and stripped and stripped[-1] not in self.stops else sentence

    def empty(self, mask: str) -> tuple[str, str]:
        """Return the text before the sentence, and the template without a sentence, as PromptBERT formats them."""
        before, after = self.context(mask)
        return before.strip(), f"{before} {after}".replace("   ", " ").strip()

    def describe(self) -> str:
        """Return a description for fingerprints, "" without a template."""
        if self == Template():
            return ""
        # Quoted, because a template may contain the words of this description.
        end = f", {to_json(self.stop)} unless it ends in {to_json(self.stops)}" if self.stop else ""
        return f"template {to_json(self.text)}{end}"

    def context(self, mask: str) -> tuple[str, str]:
        """Return the text before and after the sentence."""
        before, _, after = self.text.partition(TEXT)
        return before.replace(MASK, mask), after.replace(MASK, mask)


class TemplateFiller:
    """Puts sentences into a template and truncates them so that the template is complete."""

    def __init__(self, template: Template, tokenizer: Any, max_length: int) -> None:
        self.template = template
        self._tokenizer = tokenizer
        self._max_length = max_length
        self._mask = str(tokenizer.mask_token or "")
        if MASK in template.text and not self._mask:
            message = "the template needs a mask, which this model's tokenizer does not have"
            raise LitotesError("L310", message, hint="leave out {mask}")
        if template.text != NO_TEMPLATE and not tokenizer.is_fast:
            message = "a template needs a fast tokenizer (tokenizer.json), which this model does not have"
            raise LitotesError("L304", message)
        size = len(self._ids([self.fill("")])[0])
        if template.text != NO_TEMPLATE and size >= max_length:
            raise UsageError("L102", f"max_length={max_length}: the template's {size} tokens leave no tokens for words")

    def fill(self, sentence: str) -> str:
        """Return a sentence in the template, without truncation."""
        return self.template.fill(sentence, self._mask)

    def fill_all(self, sentences: Sequence[str]) -> list[str]:
        """Return each sentence in the template, truncated to the maximum number of tokens."""
        texts = [self.fill(sentence) for sentence in sentences]
        if self.template.text == NO_TEMPLATE:
            return texts
        for index, ids in enumerate(self._ids(texts)):
            if len(ids) > self._max_length:
                texts[index] = self._truncate(sentences[index], len(ids) - self._max_length)
        return texts

    def _truncate(self, sentence: str, excess: int) -> str:
        sentence = self.template.add_stop(sentence)
        before, after = self.template.context(self._mask)
        while excess > 0 and sentence:
            ends = [end for _, end in self._offsets(sentence)]
            remaining = max(0, len(ends) - excess)
            # At least one character per step, because an emoji may be several tokens. The stop is not added again.
            sentence = sentence[: min(ends[remaining - 1] if remaining else 0, len(sentence) - 1)]
            excess = len(self._ids([before + sentence + after])[0]) - self._max_length
        return before + sentence + after

    def _ids(self, texts: list[str]) -> list[list[int]]:
        ids: list[list[int]] = self._tokenizer(texts, truncation=False, verbose=False)["input_ids"]
        return ids

    def _offsets(self, text: str) -> list[tuple[int, int]]:
        encoded = self._tokenizer(
            text, add_special_tokens=False, truncation=False, return_offsets_mapping=True, verbose=False
        )
        offsets: list[tuple[int, int]] = encoded["offset_mapping"]
        return offsets


def _wrong_template(text: str, requirement: str) -> UsageError:
    hint = 'for example template=This sentence of "{text}" means {mask}.'
    return UsageError("L102", f"template={shorten(text)}: {requirement}", hint=hint)


def mask_positions(ids: torch.Tensor, mask: int, *, last: bool) -> torch.Tensor:
    """Return the position of the first or last mask in each row; sentences may contain masks themselves."""
    import torch

    positions = torch.arange(ids.shape[1], device=ids.device)
    if last:
        return torch.where(ids == mask, positions, -1).amax(dim=1)
    return torch.where(ids == mask, positions, ids.shape[1]).amin(dim=1)


class TemplateBias:
    """The vector of the mask in a template without a sentence, by the length of the sentence: PromptBERT's “delta”.

    The part of the template after the sentence has the positions that it would have with a sentence of that length.
    Positions are counted from 0 in every model, as in the published code.
    """

    def __init__(self, filler: TemplateFiller, tokenizer: Any) -> None:
        mask = str(tokenizer.mask_token)
        before, whole = filler.template.empty(mask)
        self._ids: list[int] = tokenizer(whole, verbose=False)["input_ids"]
        self._before = (
            len(tokenizer(before, verbose=False)["input_ids"]) - 1
        )  # with the first special token, without the last
        self._mask = self._ids.index(tokenizer.mask_token_id)

    def vectors(self, model: Any, mask: torch.Tensor) -> torch.Tensor:
        """Return the bias for each row of a batch with this attention mask."""
        import torch

        tokens = (mask.sum(dim=1) - len(self._ids)).clamp(min=0)
        lengths, indexes = torch.unique(tokens, return_inverse=True)
        positions = torch.arange(len(self._ids), device=mask.device).repeat(len(lengths), 1)
        positions[:, self._before :] += lengths.unsqueeze(1)
        ids = torch.tensor(self._ids, device=mask.device).repeat(len(lengths), 1)
        hidden = model(input_ids=ids, position_ids=positions, attention_mask=torch.ones_like(ids)).last_hidden_state
        biases: torch.Tensor = hidden[:, self._mask].float()[indexes]
        return biases


_TRANSFORM_PREFIXES = ("cls.predictions.transform.", "pooler.", "bert.pooler.", "mlp.")
_PARTS = ("dense.weight", "dense.bias", "LayerNorm.weight", "LayerNorm.bias")


def load_mlm_transform(folder: Path, config: Any, access: Access) -> Any:
    """Load the transform of BERT's masked-language-model head (dense, GELU, norm), which PromptBERT saves as pooler."""
    from transformers.models.bert.modeling_bert import BertPredictionHeadTransform

    weights = _read_weights(folder, access)
    for prefix in _TRANSFORM_PREFIXES:
        if all(prefix + part in weights for part in _PARTS):
            layer = BertPredictionHeadTransform(config)
            layer.load_state_dict({part: weights[prefix + part] for part in _PARTS})
            return layer
    message = f"{folder}: has no masked-language-model head (dense and LayerNorm), which pooling=mask_mlm needs"
    raise LitotesError("L310", message, hint="pooling=mask reads the mask without it")


def _read_weights(folder: Path, access: Access) -> dict[str, Any]:
    weights: dict[str, Any] = {}
    for path in weight_files(folder):
        from safetensors.torch import load_file

        weights.update(load_file(path))
    if not weights and access.allow_pickle:
        import torch

        for path in pickled_weights(model_files(folder)):
            weights.update(torch.load(path, map_location="cpu", weights_only=True))
    return weights
