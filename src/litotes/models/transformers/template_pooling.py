"""A sentence inside a template, read off at the mask: “This sentence of "…" means [MASK].”

PromptBERT and SNCSE take the vector of the mask as the sentence's. A sentence that is too long is cut inside the
template: cut at the end, as tokenizers do it, the mask itself would be lost.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import to_json
from litotes.models.access import Access
from litotes.models.model_folder import model_files, pickled_weights, weight_files
from litotes.models.names import shorten

if TYPE_CHECKING:
    import torch

TEXT, MASK = "{text}", "{mask}"
PLAIN = TEXT
"""The template that is none."""


@dataclass(frozen=True)
class Template:
    """What stands around a sentence, and what ends it if it has no end of its own."""

    text: str = PLAIN
    stop: str = ""
    """Put behind a sentence that ends in none of `stops`."""
    stops: str = string.punctuation

    def check(self, *, needs_mask: bool) -> None:
        """Raise if it has not one place for the sentence, and one for the mask where that is read."""
        if self.text.count(TEXT) != 1 or self.text.count(MASK) > 1:
            raise _wrong_template(self.text, f"one {TEXT} is needed, and at most one {MASK}")
        if needs_mask and MASK not in self.text:
            raise _wrong_template(self.text, f"mask poolings read {MASK}, which is not in it")

    @property
    def reads_last_mask(self) -> bool:
        """Whether the mask is behind the sentence, which may hold masks itself."""
        return self.text.find(MASK) > self.text.find(TEXT)

    def fill(self, sentence: str, mask: str) -> str:
        """The template around a sentence.

        >>> Template("This means {mask}: {text}", stop=".", stops=".!?").fill("It rains", "[MASK]")
        'This means [MASK]: It rains.'
        """
        before, after = self.around(mask)
        return before + self.ended(sentence) + after

    def ended(self, sentence: str) -> str:
        """The sentence with an end; an empty one stays empty."""
        stripped = sentence.rstrip()
        return sentence + self.stop if self.stop and stripped and stripped[-1] not in self.stops else sentence

    def empty(self, mask: str) -> tuple[str, str]:
        """What stands before the sentence, and the whole template without one, as PromptBERT writes them."""
        before, after = self.around(mask)
        return before.strip(), f"{before} {after}".replace("   ", " ").strip()

    def describe(self) -> str:
        """All of it in one text, "" for none; equal texts mean equal inputs."""
        if self == Template():
            return ""
        # Quoted: a template may hold any words, those of this very description too.
        end = f", {to_json(self.stop)} unless it ends in {to_json(self.stops)}" if self.stop else ""
        return f"template {to_json(self.text)}{end}"

    def around(self, mask: str) -> tuple[str, str]:
        """What stands before and behind the sentence."""
        before, _, after = self.text.partition(TEXT)
        return before.replace(MASK, mask), after.replace(MASK, mask)


class Filler:
    """Puts sentences into a template such that nothing of the template is cut off."""

    def __init__(self, template: Template, tokenizer: Any, max_length: int) -> None:
        self.template = template
        self._tokenizer = tokenizer
        self._max_length = max_length
        self._mask = str(tokenizer.mask_token or "")
        if MASK in template.text and not self._mask:
            raise LitotesError(
                "L310", "this model's tokenizer has no mask, which the template needs", hint="leave out {mask}"
            )
        if template.text != PLAIN and not tokenizer.is_fast:
            raise LitotesError("L304", "a template needs a fast tokenizer (tokenizer.json), which this model lacks")
        size = len(self._ids([self.fill("")])[0])
        if template.text != PLAIN and size >= max_length:
            raise UsageError("L102", f"max_length={max_length}: the template's {size} tokens leave no room for words")

    def fill(self, sentence: str) -> str:
        """The template around a sentence, however long."""
        return self.template.fill(sentence, self._mask)

    def filled(self, sentences: Sequence[str]) -> list[str]:
        """The template around each sentence, of no more than the tokens that the model reads."""
        if self.template.text == PLAIN:
            return [self.fill(sentence) for sentence in sentences]
        found = [self.fill(sentence) for sentence in sentences]
        for place, ids in enumerate(self._ids(found)):
            if len(ids) > self._max_length:
                found[place] = self._cut(sentences[place], len(ids) - self._max_length)
        return found

    def _cut(self, sentence: str, over: int) -> str:
        """The template around as much of the sentence as there is room for."""
        kept = self.template.ended(sentence)
        before, after = self.template.around(self._mask)
        while over > 0 and kept:
            ends = [end for _, end in self._offsets(kept)]
            left = max(0, len(ends) - over)
            # At least a character each time: an emoji may be several tokens. No new end: what is cut off has had one.
            kept = kept[: min(ends[left - 1] if left else 0, len(kept) - 1)]
            over = len(self._ids([before + kept + after])[0]) - self._max_length
        return before + kept + after

    def _ids(self, texts: list[str]) -> list[list[int]]:
        ids: list[list[int]] = self._tokenizer(texts, truncation=False, verbose=False)["input_ids"]
        return ids

    def _offsets(self, text: str) -> list[tuple[int, int]]:
        made = self._tokenizer(
            text, add_special_tokens=False, truncation=False, return_offsets_mapping=True, verbose=False
        )
        offsets: list[tuple[int, int]] = made["offset_mapping"]
        return offsets


def _wrong_template(text: str, needed: str) -> UsageError:
    return UsageError(
        "L102",
        f"template={shorten(text)}: {needed}",
        hint='for example template=This sentence of "{text}" means {mask}.',
    )


def mask_places(ids: torch.Tensor, mask: int, *, last: bool) -> torch.Tensor:
    """Where the template's mask is, in each row; a sentence may hold masks of its own."""
    import torch

    places = torch.arange(ids.shape[1], device=ids.device)
    if last:
        return torch.where(ids == mask, places, -1).amax(dim=1)
    return torch.where(ids == mask, places, ids.shape[1]).amin(dim=1)


class TemplateBias:
    """What the mask's vector is when the template holds no sentence, for sentences of any length.

    PromptBERT's “delta”: the template alone, its part behind the sentence at the positions that it has when a sentence
    of so many tokens stands there. Positions are counted from 0 in every model, as the published code does it.
    """

    def __init__(self, filler: Filler, tokenizer: Any) -> None:
        mask = str(tokenizer.mask_token)
        before, whole = filler.template.empty(mask)
        self._ids: list[int] = tokenizer(whole, verbose=False)["input_ids"]
        self._before = len(tokenizer(before, verbose=False)["input_ids"]) - 1  # with its begin, without its end
        self._mask = self._ids.index(tokenizer.mask_token_id)

    def vectors(self, model: Any, mask: torch.Tensor) -> torch.Tensor:
        """The bias for each row of a batch, by its attention mask."""
        import torch

        tokens = (mask.sum(dim=1) - len(self._ids)).clamp(min=0)
        lengths, places = torch.unique(tokens, return_inverse=True)
        positions = torch.arange(len(self._ids), device=mask.device).repeat(len(lengths), 1)
        positions[:, self._before :] += lengths.unsqueeze(1)
        ids = torch.tensor(self._ids, device=mask.device).repeat(len(lengths), 1)
        hidden = model(input_ids=ids, position_ids=positions, attention_mask=torch.ones_like(ids)).last_hidden_state
        found: torch.Tensor = hidden[:, self._mask].float()[places]
        return found


_TRANSFORMS = ("cls.predictions.transform.", "pooler.", "bert.pooler.", "mlp.")
_PARTS = ("dense.weight", "dense.bias", "LayerNorm.weight", "LayerNorm.bias")


def load_mlm_transform(folder: Path, config: Any, access: Access) -> Any:
    """The layer between a BERT and its guess of words (dense, GELU, norm), which PromptBERT keeps as its pooler."""
    from transformers.models.bert.modeling_bert import BertPredictionHeadTransform

    weights = _read_weights(folder, access)
    for start in _TRANSFORMS:
        if all(start + part in weights for part in _PARTS):
            layer = BertPredictionHeadTransform(config)
            layer.load_state_dict({part: weights[start + part] for part in _PARTS})
            return layer
    raise LitotesError(
        "L310",
        f"{folder}: its weights have no layer for guessing words (dense and LayerNorm), which pooling=mask_mlm reads",
        hint="pooling=mask reads the mask without it",
    )


def _read_weights(folder: Path, access: Access) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path in weight_files(folder):
        from safetensors.torch import load_file

        found.update(load_file(path))
    if not found and access.allow_pickle:
        import torch

        for path in pickled_weights(model_files(folder)):
            found.update(torch.load(path, map_location="cpu", weights_only=True))
    return found
