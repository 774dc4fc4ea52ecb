"""The GRU of `litotes.scorers.gru` for training: all steps of a batch, and the way back through them.

Torch's own multiplies the gradient of the recurrent weights step by step on a CPU, and would multiply the sentence's
vector, which is the same at every step of a decoder, at every step. Here both are done once.
"""

from __future__ import annotations

from typing import Any

import torch


class GruStates(torch.autograd.Function):  # type: ignore[misc]
    """(what the inputs give the gates: steps × sentences × 3 dim; recurrent weights: dim × 3 dim) → all states."""

    @staticmethod
    def forward(context: Any, given: torch.Tensor, recurrent: torch.Tensor) -> torch.Tensor:
        """The states: steps × sentences × dim; the first is made from zeros."""
        steps, count, _ = given.shape
        dim = recurrent.shape[0]
        states = given.new_zeros(steps + 1, count, dim)
        gates = given.new_empty(steps, count, 2 * dim)
        news, kept = given.new_empty(steps, count, dim), given.new_empty(steps, count, dim)
        for step in range(steps):
            told = states[step] @ recurrent
            gates[step] = torch.sigmoid(given[step, :, : 2 * dim] + told[:, : 2 * dim])
            kept[step] = told[:, 2 * dim :]
            news[step] = torch.tanh(given[step, :, 2 * dim :] + gates[step, :, :dim] * kept[step])
            states[step + 1] = torch.lerp(news[step], states[step], gates[step, :, dim:])
        context.save_for_backward(recurrent, states, gates, news, kept)
        return states[1:].clone()

    @staticmethod
    def backward(context: Any, *grown: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The gradients of what was given and of the recurrent weights."""
        recurrent, states, gates, news, kept = context.saved_tensors
        steps, count, dim = news.shape
        of_given = news.new_empty(steps, count, 3 * dim)
        of_told = news.new_empty(steps, count, 3 * dim)
        going = news.new_zeros(count, dim)
        for step in reversed(range(steps)):
            going = going + grown[0][step]
            reset, update, new = gates[step, :, :dim], gates[step, :, dim:], news[step]
            of_new = going * (1 - update) * (1 - new * new)
            of_given[step, :, :dim] = of_new * kept[step] * reset * (1 - reset)
            of_given[step, :, dim : 2 * dim] = going * (states[step] - new) * update * (1 - update)
            of_given[step, :, 2 * dim :] = of_new
            of_told[step, :, : 2 * dim] = of_given[step, :, : 2 * dim]
            of_told[step, :, 2 * dim :] = of_new * reset
            going = going * update + of_told[step] @ recurrent.T
        return of_given, states[:-1].reshape(-1, dim).T @ of_told.reshape(-1, 3 * dim)


def gru_states(given: torch.Tensor, recurrent: torch.Tensor) -> torch.Tensor:
    """The states after every step."""
    found: torch.Tensor = GruStates.apply(given, recurrent)
    return found
