"""What a repair minimises: sentences that say the same together, opposites apart, all else where it was."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional

from litotes.repair.examples.base import Lesson

COLUMNS = ("anchor", "same", "opposite", "other", "ordinary")
_MATE = (1, 0, 3, 2)
"""Of each of the four sentences of a lesson, the one that says the same."""
_MATES, _HAS_OTHER = 1, 2
_SIMILARITIES = 4.0
"""Weight of the similarities among ordinary sentences against that of their places."""


def code(lesson: Lesson) -> int:
    """What the loss must know of a lesson beside its sentences."""
    return _MATES * lesson.mates + _HAS_OTHER * bool(lesson.other)


class RepairLoss(torch.nn.Module):  # type: ignore[misc]
    """For sentence-transformers' trainer: features of the five columns and the lessons' codes in, two terms out.

    The first is a cross-entropy: that which says the same must be the closest, of the sentences of its lesson, which
    have nearly the same words, and with a smaller weight of all others of the batch. Without those, paraphrases are
    found less well; with their full weight, less is learned (docs/reference/repair.md). The second holds ordinary
    sentences where the frozen original has them, and their similarities with each other as they were.
    """

    def __init__(self, model: Any, original: Any, *, temperature: float, keep: float, strangers: float) -> None:
        super().__init__()
        self.model = model
        # In a list, so that torch does not take it for a part of this module, to be trained and saved.
        self._original = [original.eval()]
        self.temperature = temperature
        self.strangers = strangers
        self._keep = keep

    def forward(self, features: Sequence[dict[str, torch.Tensor]], labels: torch.Tensor) -> dict[str, torch.Tensor]:
        """The two terms, each with its weight."""
        *lesson, ordinary = features
        vectors = _vectors(self.model, _together(lesson))
        found = {"lessons": self.of_lessons(vectors.view(4, len(labels), -1), labels)}
        if self._keep:
            with torch.no_grad():
                before = _vectors(self._original[0], dict(ordinary))
            found["keep"] = self._keep * keep_loss(_vectors(self.model, ordinary), before)
        return found

    def of_lessons(self, vectors: torch.Tensor, codes: torch.Tensor) -> torch.Tensor:
        """The first term, of four vectors a lesson."""
        return lesson_loss(vectors, codes, self.temperature, self.strangers)


def lesson_loss(vectors: torch.Tensor, codes: torch.Tensor, temperature: float, strangers: float = 0.0) -> torch.Tensor:
    """Of four vectors a lesson (4, lessons, width): how far each is from finding the one that says the same.

    Sentences of other lessons weigh `strangers` each. The mean over lessons of the mean over those that are asked.
    """
    count, device = len(codes), vectors.device
    flat = vectors.reshape(4 * count, -1)
    role = torch.arange(4, device=device).repeat_interleave(count)
    lesson = torch.arange(count, device=device).repeat(4)
    there = (role < 3) | (codes & _HAS_OTHER).bool()[lesson]
    # Where the last two do not say the same as each other they are asked for nothing, they only stand in the way.
    asked = there & ((role < 2) | (codes & _MATES).bool()[lesson])
    alike = flat @ flat.T / temperature
    weight = math.log(strangers) if strangers else -math.inf
    alike = torch.where(lesson[:, None] == lesson, alike, alike + weight)
    hidden = torch.eye(4 * count, dtype=torch.bool, device=device) | ~there
    mate = torch.tensor(_MATE, device=device)[role] * count + lesson
    each = functional.cross_entropy(alike.masked_fill(hidden, -math.inf)[asked], mate[asked], reduction="none")
    asking = lesson[asked]
    return (each / asking.bincount(minlength=count)[asking]).sum() / count


def keep_loss(after: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
    """How far ordinary sentences have moved, and how far their similarities have changed."""
    moved = (1 - (after * before).sum(dim=1)).mean()
    changed = (after @ after.T - before @ before.T).square().sum(dim=1).mean() / 8
    return moved + _SIMILARITIES / 2 * changed


def _vectors(model: Any, features: dict[str, torch.Tensor]) -> torch.Tensor:
    return functional.normalize(model(features)["sentence_embedding"], dim=-1)


def _together(columns: Sequence[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """Columns of sentences as one batch: one pass through the model takes less time than four."""
    width = max(column["input_ids"].shape[1] for column in columns)
    joined = {}
    for name, first in columns[0].items():
        if not isinstance(first, torch.Tensor):
            joined[name] = first
        elif first.dim() == 2 and first.shape == columns[0]["input_ids"].shape:
            # What is padded is masked, so any number does.
            parts = [functional.pad(column[name], (0, width - column[name].shape[1])) for column in columns]
            joined[name] = torch.cat(parts)
        else:
            joined[name] = torch.cat([column[name] for column in columns])
    return joined
