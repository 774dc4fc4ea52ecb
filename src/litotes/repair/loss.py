"""The training loss of a repair: paraphrases closer than opposites, general sentences unchanged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional

from litotes.repair.examples.base import TrainingExample
from litotes.repair.settings import RepairSettings

COLUMNS = ("anchor", "positive", "negative", "second_negative", "general")
_PARTNER = (1, 0, 3, 2)
"""For each of the four sentences of an example, the index of its paraphrase."""
_IS_QUADRUPLE, _HAS_SECOND_NEGATIVE = 1, 2
_SIMILARITY_WEIGHT = 4.0
"""Weight of the similarities between general sentences, relative to the weight of their positions."""


def example_flags(example: TrainingExample) -> int:
    """Return what the loss needs to know about an example besides its sentences, as the label of its row."""
    return _IS_QUADRUPLE * example.is_quadruple + _HAS_SECOND_NEGATIVE * bool(example.second_negative)


class RepairLoss(torch.nn.Module):  # type: ignore[misc]
    """Loss with two terms, in the interface of sentence-transformers' trainer.

    The contrastive term is a cross-entropy: a sentence's paraphrase must be closer than the other sentences of its
    example, which have nearly the same words, and, with a smaller weight, than all other sentences of the batch.
    Without these the search for paraphrases suffers; with full weight the model learns less (docs/reference/repair.md).
    The retention term holds the vectors of general sentences, and their similarities, where the original model has
    them.
    """

    def __init__(self, model: Any, original: Any, settings: RepairSettings) -> None:
        super().__init__()
        self.model = model
        # In a list, so that torch does not register it as a submodule to train and save.
        self._original = [original.eval()]
        self.temperature = settings.temperature
        self.in_batch_negative_weight = settings.in_batch_negative_weight
        self._retention = settings.retention

    def forward(self, features: Sequence[dict[str, torch.Tensor]], labels: torch.Tensor) -> dict[str, torch.Tensor]:
        """Return the weighted terms for the features of the five columns and the flags of the examples."""
        *sentences, general = features
        vectors = _embed(self.model, _concatenate(sentences))
        terms = {"contrastive": self.contrastive(vectors.view(4, len(labels), -1), labels)}
        if self._retention:
            with torch.no_grad():
                before = _embed(self._original[0], dict(general))
            terms["retention"] = self._retention * retention_loss(_embed(self.model, general), before)
        return terms

    def contrastive(self, vectors: torch.Tensor, flags: torch.Tensor) -> torch.Tensor:
        """Return the contrastive term for vectors of shape (4, examples, width)."""
        return contrastive_loss(vectors, flags, self.temperature, self.in_batch_negative_weight)


def contrastive_loss(
    vectors: torch.Tensor, flags: torch.Tensor, temperature: float, in_batch_negative_weight: float = 0.0
) -> torch.Tensor:
    """Return the mean cross-entropy of retrieving each sentence's paraphrase.

    `vectors` has the shape (4, examples, width). Every example has the same weight, however many of its sentences are
    queries.
    """
    n_examples, device = len(flags), vectors.device
    flat = vectors.reshape(4 * n_examples, -1)
    role = torch.arange(4, device=device).repeat_interleave(n_examples)
    example = torch.arange(n_examples, device=device).repeat(4)
    is_present = (role < 3) | (flags & _HAS_SECOND_NEGATIVE).bool()[example]
    # Negatives that are not paraphrases of each other are candidates only, not queries.
    is_query = is_present & ((role < 2) | (flags & _IS_QUADRUPLE).bool()[example])
    similarities = flat @ flat.T / temperature
    log_weight = math.log(in_batch_negative_weight) if in_batch_negative_weight else -math.inf
    similarities = torch.where(example[:, None] == example, similarities, similarities + log_weight)
    masked = torch.eye(4 * n_examples, dtype=torch.bool, device=device) | ~is_present
    partner = torch.tensor(_PARTNER, device=device)[role] * n_examples + example
    logits = similarities.masked_fill(masked, -math.inf)[is_query]
    losses = functional.cross_entropy(logits, partner[is_query], reduction="none")
    owner = example[is_query]
    return (losses / owner.bincount(minlength=n_examples)[owner]).sum() / n_examples


def retention_loss(after: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
    """Return how far vectors have moved, plus how far the similarities between them have changed."""
    movement = (1 - (after * before).sum(dim=1)).mean()
    change = (after @ after.T - before @ before.T).square().sum(dim=1).mean() / 8
    return movement + _SIMILARITY_WEIGHT / 2 * change


def _embed(model: Any, features: dict[str, torch.Tensor]) -> torch.Tensor:
    return functional.normalize(model(features)["sentence_embedding"], dim=-1)


def _concatenate(columns: Sequence[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """Join the features of several columns into one batch, which is faster than one forward pass per column."""
    width = max(column["input_ids"].shape[1] for column in columns)
    joined = {}
    for name, first in columns[0].items():
        if not isinstance(first, torch.Tensor):
            joined[name] = first
        elif first.dim() == 2 and first.shape == columns[0]["input_ids"].shape:
            # The value of the padding does not matter, it is masked.
            padded = [functional.pad(column[name], (0, width - column[name].shape[1])) for column in columns]
            joined[name] = torch.cat(padded)
        else:
            joined[name] = torch.cat([column[name] for column in columns])
    return joined
