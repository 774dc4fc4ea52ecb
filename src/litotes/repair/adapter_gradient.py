"""Loss, gradient and optimiser of adapters, in NumPy, so that users of embedding servers do not need torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from litotes.models.adapter import AdapterKind, apply_map
from litotes.models.base import Vectors

Indices = NDArray[np.intp]
Arrays = dict[str, Vectors]

QUESTIONS = ((0, 1, 2, 3), (1, 0, 2, 3), (2, 3, 0, 1), (3, 2, 0, 1))
"""Questions on the four sentences of an example: query, correct sentence, wrong sentences. The last two apply only if
the two negatives are paraphrases."""
_UNIT = 0.1
"""Change of a similarity at which the retention loss is 1."""


def initial_arrays(kind: AdapterKind, width: int, rank: int, seed: int) -> Arrays:
    """Return the arrays of an adapter that maps every vector to itself."""
    rng = np.random.default_rng(seed)
    if kind == "weights":
        return {"weights": np.ones(width, np.float32)}
    if kind == "linear":
        return {"up": np.zeros((width, width), np.float32)}
    arrays = {
        # Scaled so that a step changes a vector by about the same amount whatever the rank.
        "down": (rng.standard_normal((width, rank)) / np.sqrt(rank)).astype(np.float32),
        "up": np.zeros((rank, width), np.float32),
    }
    if kind == "hidden":
        arrays["down"] *= np.float32(np.sqrt(rank))  # tanh is nearly linear for small values
        arrays["bias"] = rng.standard_normal(rank).astype(np.float32)
    return arrays


def contrastive_loss(
    unit: Vectors, has_second: NDArray[np.bool_], is_quadruple: NDArray[np.bool_], sharpness: float
) -> tuple[float, Vectors]:
    """Return the loss of a batch and its gradient with respect to the unit vectors of shape (examples, 4, width).

    Each question is a softmax over the cosines with the correct and the wrong sentences.
    """
    cosines = unit @ unit.transpose(0, 2, 1)
    by_cosine = np.zeros_like(cosines)
    total, n_questions = 0.0, 2 * len(unit) + 2 * int(is_quadruple.sum())
    for number, (query, correct, *wrong) in enumerate(QUESTIONS):
        applies = np.ones(len(unit), dtype=bool) if number < 2 else is_quadruple
        logits = cosines[applies][:, query, [correct, *wrong]] * sharpness
        if number < 2:
            logits[~has_second, 2] = -np.inf
        logits -= logits.max(axis=1, keepdims=True)
        probabilities = np.exp(logits)
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        total -= float(np.log(np.maximum(probabilities[:, 0], 1e-30)).sum())
        probabilities[:, 0] -= 1.0
        rows = np.flatnonzero(applies)
        for column, option in enumerate((correct, *wrong)):
            by_cosine[rows, query, option] += probabilities[:, column] * sharpness / n_questions
    return total / n_questions, (by_cosine + by_cosine.transpose(0, 2, 1)) @ unit


def retention_loss(left: Vectors, right: Vectors, before: Vectors) -> tuple[float, Vectors, Vectors]:
    """Return the loss for changed cosines of general pairs, and its gradients with respect to both sides."""
    change = np.einsum("ij,ij->i", left, right) - before
    slope = (2.0 / (len(change) * _UNIT**2) * change)[:, None].astype(np.float32)
    return float(np.mean(change**2)) / _UNIT**2, slope * right, slope * left


def forward(kind: AdapterKind, arrays: Mapping[str, Vectors], rows: Vectors) -> tuple[Vectors, Vectors]:
    """Return the adapted rows scaled to length 1, and their lengths before scaling."""
    output = apply_map(kind, arrays, rows)
    lengths = np.maximum(np.linalg.norm(output, axis=1, keepdims=True), 1e-12)
    return output / lengths, lengths


def backward(  # noqa: PLR0917  (inputs and outputs of forward)
    kind: AdapterKind, arrays: Mapping[str, Vectors], rows: Vectors, unit: Vectors, lengths: Vectors, by_unit: Vectors
) -> Arrays:
    """Return the gradient with respect to the adapter's arrays, given the gradient with respect to its output."""
    by_output = (by_unit - np.einsum("ij,ij->i", by_unit, unit)[:, None] * unit) / lengths
    if kind == "weights":
        return {"weights": (rows * by_output).sum(axis=0)}
    if kind == "linear":
        return {"up": rows.T @ by_output}
    inner = rows @ arrays["down"]
    by_inner = by_output @ arrays["up"].T
    if kind == "low-rank":
        return {"down": rows.T @ by_inner, "up": inner.T @ by_output}
    activation = np.tanh(inner + arrays["bias"])
    by_inner *= 1.0 - activation**2
    return {"down": rows.T @ by_inner, "bias": by_inner.sum(axis=0), "up": activation.T @ by_output}


@dataclass
class Adam:
    """The Adam optimiser over named arrays."""

    learning_rate: float
    step: int = 0
    means: Arrays = field(default_factory=dict)
    squares: Arrays = field(default_factory=dict)

    def update(self, arrays: Arrays, gradient: Mapping[str, Vectors], schedule: float) -> None:
        """Take one step in place; `schedule` scales the learning rate."""
        self.step += 1
        for name, slope in gradient.items():
            mean = self.means.setdefault(name, np.zeros_like(slope))
            square = self.squares.setdefault(name, np.zeros_like(slope))
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            scale = np.sqrt(square / (1 - 0.999**self.step)) + 1e-8
            step = self.learning_rate * schedule * mean / ((1 - 0.9**self.step) * scale)
            arrays[name] -= step.astype(np.float32)
