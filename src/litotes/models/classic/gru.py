"""A gated recurrent unit in NumPy: the last state of each sentence of a batch.

With reset gate r, update gate u, candidate state n, the logistic function σ and the elementwise product ∘:

    r = σ(W_r x + b_r + U_r h)      u = σ(W_u x + b_u + U_u h)
    n = tanh(W_n x + b_n + r ∘ U_n h)      h ← u ∘ h + (1 − u) ∘ n

This is what the code of skip-thought computes, with which the weights were published; the paper has U_n (r ∘ h).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.models.base import Vectors


@dataclass(frozen=True)
class Gru:
    """The weights, each with the columns of the reset gate, the update gate and the candidate state.

    Args:
        inputs: The input weights, width × 3 dim.
        bias: The bias, 3 dim.
        recurrent: The recurrent weights, dim × 3 dim.
    """

    inputs: Vectors
    bias: Vectors
    recurrent: Vectors

    @property
    def width(self) -> int:
        """The number of dimensions of word vectors."""
        return int(self.inputs.shape[0])

    @property
    def dim(self) -> int:
        """The number of dimensions of the state."""
        return int(self.recurrent.shape[0])


def last_states(
    gru: Gru, words: Vectors, indexes: NDArray[np.intp], lengths: NDArray[np.intp], *, backwards: bool = False
) -> Vectors:
    """Return the state after the last word of each sentence, or after the first if it is read backwards.

    Args:
        gru: The weights.
        words: One vector per distinct word.
        indexes: The rows of the words of each sentence (sentences × longest length); padding is ignored.
        lengths: The number of words of each sentence; the state of a sentence without words is zero.
        backwards: Whether to read from the last word to the first.

    >>> gru = Gru(np.ones((1, 3), np.float32), np.zeros(3, np.float32), np.zeros((1, 3), np.float32))
    >>> last_states(gru, np.zeros((1, 1), np.float32), np.array([[0]]), np.array([1]))
    array([[0.]], dtype=float32)
    """
    # Each distinct word is multiplied with the weights once.
    projected = words @ gru.inputs + gru.bias
    # Longest first: the sentences that still have words are always the first rows, so padding costs nothing.
    order = np.argsort(-lengths, kind="stable")
    sorted_lengths, sorted_indexes = lengths[order], indexes[order]
    state = np.zeros((len(lengths), gru.dim), dtype=np.float32)
    for step in range(int(lengths.max(initial=0))):
        n_active = int(np.searchsorted(-sorted_lengths, -step, side="left"))
        at = sorted_lengths[:n_active] - 1 - step if backwards else np.full(n_active, step)
        state[:n_active] = _step(gru, projected[sorted_indexes[np.arange(n_active), at]], state[:n_active])
    states = np.empty_like(state)
    states[order] = state
    return states


def _step(gru: Gru, inputs: Vectors, state: Vectors) -> Vectors:
    dim = gru.dim
    recurrent = state @ gru.recurrent
    gates = _logistic(inputs[:, : 2 * dim] + recurrent[:, : 2 * dim])
    reset, update = gates[:, :dim], gates[:, dim:]
    candidate = np.tanh(inputs[:, 2 * dim :] + reset * recurrent[:, 2 * dim :])
    next_state: Vectors = candidate + update * (state - candidate)
    return next_state


def _logistic(numbers: Vectors) -> Vectors:
    # With tanh, which cannot overflow.
    half = np.float32(0.5)
    result: Vectors = half * np.tanh(half * numbers) + half
    return result
