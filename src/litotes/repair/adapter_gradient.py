"""The arithmetic of learning an adapter: what a batch costs, which way is down, and a step of Adam.

In numpy, since torch would be a large thing to ask of those whose model is behind a server.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from litotes.models.adapter import AdapterKind, mapped
from litotes.models.base import Vectors

Places = NDArray[np.intp]
Arrays = dict[str, Vectors]

QUESTIONS = ((0, 1, 2, 3), (1, 0, 2, 3), (2, 3, 0, 1), (3, 2, 0, 1))
"""Of a lesson's four sentences (anchor, same, opposite, other): who is asked, who is right, who are wrong. The last two
questions can be asked only where opposite and other say the same."""
_UNIT = 0.1
"""A change of an ordinary similarity that costs as much as `keep` says."""


def first_arrays(kind: AdapterKind, width: int, rank: int, seed: int) -> Arrays:
    """An adapter that changes nothing yet."""
    rng = np.random.default_rng(seed)
    if kind == "weights":
        return {"weights": np.ones(width, np.float32)}
    if kind == "linear":
        return {"up": np.zeros((width, width), np.float32)}
    arrays = {
        # The more units, the less each brings: a step then changes a vector about as much whatever the rank.
        "down": (rng.standard_normal((width, rank)) / np.sqrt(rank)).astype(np.float32),
        "up": np.zeros((rank, width), np.float32),
    }
    if kind == "hidden":
        arrays["down"] *= np.float32(np.sqrt(rank))  # tanh bends nothing that is small
        arrays["bias"] = rng.standard_normal(rank).astype(np.float32)
    return arrays


def lesson_loss(
    unit: Vectors, full: NDArray[np.bool_], mates: NDArray[np.bool_], sharpness: float
) -> tuple[float, Vectors]:
    """What the lessons of a batch cost, and the gradient by their vectors: (lessons, 4, width), all of length 1.

    Each question is a choice between the right sentence and the wrong ones, by softmax over cosines. `full` says which
    lessons have a fourth sentence, `mates` in which the last two say the same.
    """
    cosines = unit @ unit.transpose(0, 2, 1)
    by_cosine = np.zeros_like(cosines)
    total, asked = 0.0, 2 * len(unit) + 2 * int(mates.sum())
    for place, (query, right, *wrong) in enumerate(QUESTIONS):
        there = np.ones(len(unit), dtype=bool) if place < 2 else mates
        logits = cosines[there][:, query, [right, *wrong]] * sharpness
        if place < 2:
            logits[~full, 2] = -np.inf
        logits -= logits.max(axis=1, keepdims=True)
        shares = np.exp(logits)
        shares /= shares.sum(axis=1, keepdims=True)
        total -= float(np.log(np.maximum(shares[:, 0], 1e-30)).sum())
        shares[:, 0] -= 1.0
        rows = np.flatnonzero(there)
        for column, option in enumerate((right, *wrong)):
            by_cosine[rows, query, option] += shares[:, column] * sharpness / asked
    return total / asked, (by_cosine + by_cosine.transpose(0, 2, 1)) @ unit


def keeping_loss(left: Vectors, right: Vectors, before: Vectors) -> tuple[float, Vectors, Vectors]:
    """What it costs that ordinary pairs have other cosines than before, and the gradients by both sides."""
    change = np.einsum("ij,ij->i", left, right) - before
    slope = (2.0 / (len(change) * _UNIT**2) * change)[:, None].astype(np.float32)
    return float(np.mean(change**2)) / _UNIT**2, slope * right, slope * left


def forward(kind: AdapterKind, arrays: Mapping[str, Vectors], rows: Vectors) -> tuple[Vectors, Vectors]:
    """The adapted rows scaled to length 1, and their lengths before that."""
    out = mapped(kind, arrays, rows)
    lengths = np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)
    return out / lengths, lengths


def backward(  # noqa: PLR0917  (what forward was given and gave)
    kind: AdapterKind, arrays: Mapping[str, Vectors], rows: Vectors, unit: Vectors, lengths: Vectors, by_unit: Vectors
) -> Arrays:
    """The gradient by the adapter's arrays, from that by its output."""
    by_out = (by_unit - np.einsum("ij,ij->i", by_unit, unit)[:, None] * unit) / lengths
    if kind == "weights":
        return {"weights": (rows * by_out).sum(axis=0)}
    if kind == "linear":
        return {"up": rows.T @ by_out}
    inner = rows @ arrays["down"]
    by_inner = by_out @ arrays["up"].T
    if kind == "low-rank":
        return {"down": rows.T @ by_inner, "up": inner.T @ by_out}
    bent = np.tanh(inner + arrays["bias"])
    by_inner *= 1.0 - bent**2
    return {"down": rows.T @ by_inner, "bias": by_inner.sum(axis=0), "up": bent.T @ by_out}


@dataclass
class Adam:
    """The optimiser of that name, over arrays by their names."""

    rate: float
    step: int = 0
    means: Arrays = field(default_factory=dict)
    squares: Arrays = field(default_factory=dict)

    def descend(self, arrays: Arrays, gradient: Mapping[str, Vectors], share: float) -> None:
        """One step down, in place; `share` of the learning rate is used."""
        self.step += 1
        for name, slope in gradient.items():
            mean = self.means.setdefault(name, np.zeros_like(slope))
            square = self.squares.setdefault(name, np.zeros_like(slope))
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            size = np.sqrt(square / (1 - 0.999**self.step)) + 1e-8
            arrays[name] -= (self.rate * share * mean / ((1 - 0.9**self.step) * size)).astype(np.float32)
