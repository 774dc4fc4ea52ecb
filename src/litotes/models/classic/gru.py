"""A gated recurrent unit in numpy: the last state of every sentence of a batch.

Reset gate r, update gate u, new content n, with σ the logistic function and ∘ number by number:

    r = σ(W_r x + b_r + U_r h)      u = σ(W_u x + b_u + U_u h)
    n = tanh(W_n x + b_n + r ∘ U_n h)      h ← u ∘ h + (1 − u) ∘ n

This is how skip-thought's authors computed it. Their paper writes U_n (r ∘ h); the published weights are the code's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.models.base import Vectors


@dataclass(frozen=True)
class Gru:
    """The weights; their columns are those of the reset gate, of the update gate and of the new content, in turn."""

    inputs: Vectors
    """(numbers of a word, 3 × dim)"""
    bias: Vectors
    recurrent: Vectors
    """(dim, 3 × dim)"""

    @property
    def width(self) -> int:
        """How many numbers a word has."""
        return int(self.inputs.shape[0])

    @property
    def dim(self) -> int:
        """How many numbers the state has."""
        return int(self.recurrent.shape[0])


def last_states(
    gru: Gru, words: Vectors, places: NDArray[np.intp], lengths: NDArray[np.intp], *, backwards: bool = False
) -> Vectors:
    """The state after the last word of each sentence, or after the first if it is read backwards.

    `places` (sentences × longest length) says which row of `words` stands where; behind a sentence's length it says
    nothing. A sentence without words stays at zeros.

    >>> gru = Gru(np.ones((1, 3), np.float32), np.zeros(3, np.float32), np.zeros((1, 3), np.float32))
    >>> last_states(gru, np.zeros((1, 1), np.float32), np.array([[0]]), np.array([1]))
    array([[0.]], dtype=float32)
    """
    # A word that stands in a batch ten times is multiplied with the weights once.
    projected = words @ gru.inputs + gru.bias
    # The longest first: those that still have words are always the first rows, and nothing is computed for padding.
    order = np.argsort(-lengths, kind="stable")
    sorted_lengths, sorted_places = lengths[order], places[order]
    state = np.zeros((len(lengths), gru.dim), dtype=np.float32)
    for step in range(int(lengths.max(initial=0))):
        going = int(np.searchsorted(-sorted_lengths, -step, side="left"))
        at = sorted_lengths[:going] - 1 - step if backwards else np.full(going, step)
        state[:going] = _step(gru, projected[sorted_places[np.arange(going), at]], state[:going])
    found = np.empty_like(state)
    found[order] = state
    return found


def _step(gru: Gru, given: Vectors, state: Vectors) -> Vectors:
    dim = gru.dim
    kept = state @ gru.recurrent
    gates = _logistic(given[:, : 2 * dim] + kept[:, : 2 * dim])
    reset, update = gates[:, :dim], gates[:, dim:]
    new = np.tanh(given[:, 2 * dim :] + reset * kept[:, 2 * dim :])
    following: Vectors = new + update * (state - new)
    return following


def _logistic(numbers: Vectors) -> Vectors:
    # By tanh, which cannot overflow.
    half = np.float32(0.5)
    found: Vectors = half * np.tanh(half * numbers) + half
    return found
