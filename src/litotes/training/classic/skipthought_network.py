"""The network that skip-thought is trained with: an encoder, and two decoders that tell the sentences around.

As Kiros et al. (2015): GRUs, one embedding for all, and the sentence's vector as a bias of every gate of the decoders
at every step. Their published training code gives it to the decoders as the first state instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from litotes.models.base import Vectors
from litotes.models.classic.gru import Gru
from litotes.training.classic.skipthought_text import END, Neighbours


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


_EVENLY, _AUTHORS_WIDTH = 0.1, 620
"""Weights that are not square begin evenly spread up to here, as the authors' do, where so many numbers are added up.

Where fewer are, they must be larger: else so little of a sentence comes through to the decoders that these learn to do
without it.
"""


class _Recurrent(nn.Module):  # type: ignore[misc]
    """The weights of a GRU, laid out as in `models.classic.gru`; a decoder also has those of the sentence vector."""

    def __init__(self, width: int, dim: int, *, around: int = 0) -> None:
        super().__init__()
        self.inputs = nn.Parameter(torch.zeros(width, 3 * dim))
        self.bias = nn.Parameter(torch.zeros(3 * dim))
        self.recurrent = nn.Parameter(torch.zeros(dim, 3 * dim))
        self.around = nn.Parameter(torch.zeros(around, 3 * dim)) if around else None

    def forward(self, words: torch.Tensor, vectors: torch.Tensor | None = None) -> torch.Tensor:
        """The states after each word: steps × sentences × dim."""
        given = words @ self.inputs + self.bias
        if self.around is not None and vectors is not None:
            given = given + vectors @ self.around
        return gru_states(given, self.recurrent)


class SkipThoughtNetwork(nn.Module):  # type: ignore[misc]
    """Encoder and decoders; `counts` says how often each word comes, which is how noise words are drawn."""

    def __init__(
        self, counts: Sequence[int], *, words: int, dim: int, bidirectional: bool, samples: int, seed: int
    ) -> None:
        super().__init__()
        self.samples = samples if samples < len(counts) else 0
        self.embedding = nn.Parameter(torch.zeros(len(counts), words))
        each = dim // 2 if bidirectional else dim
        self.encoders = nn.ModuleList(_Recurrent(words, each) for _ in range(1 + bidirectional))
        self.decoders = nn.ModuleList(_Recurrent(words, dim, around=dim) for _ in range(2))
        self.out = nn.Linear(dim, len(counts))
        # Smoothed, so that no word is out of reach.
        frequent = np.asarray(counts, dtype=np.float64) + 1.0
        chances = frequent / frequent.sum()
        self._cumulative = np.cumsum(chances)
        self._expected = torch.from_numpy(np.log(chances * max(1, self.samples))).float()
        self._begin(np.random.default_rng(seed))

    def _begin(self, draw: np.random.Generator) -> None:
        """Square recurrent weights orthogonal, the others even, biases at zero."""
        with torch.no_grad():
            for name, parameter in sorted(self.named_parameters()):
                if name.endswith("bias"):
                    parameter.zero_()
                elif name.endswith("recurrent"):
                    size = parameter.shape[0]
                    blocks = [np.linalg.qr(draw.standard_normal((size, size)))[0] for _ in range(3)]
                    parameter.copy_(torch.from_numpy(np.concatenate(blocks, axis=1)))
                else:
                    added = parameter.shape[1 if name in ("embedding", "out.weight") else 0]
                    most = _EVENLY * (_AUTHORS_WIDTH / added) ** 0.5
                    parameter.copy_(torch.from_numpy(draw.uniform(-most, most, tuple(parameter.shape))))

    def loss(self, batch: Sequence[Neighbours], draw: np.random.Generator) -> tuple[torch.Tensor, int]:
        """The mean loss of a word that is to be told, and how many such words there are."""
        vectors = self.encode([one.sentence for one in batch])
        states, targets = [], []
        for decoder, wanted in zip(
            self.decoders, ([one.before for one in batch], [one.behind for one in batch]), strict=True
        ):
            rows = [row for row, sentence in enumerate(wanted) if len(sentence)]
            if rows:
                found, told = self._decode(decoder, vectors[rows], [wanted[row] for row in rows])
                states.append(found)
                targets.append(told)
        state, target = torch.cat(states), torch.cat(targets)
        return self._cross_entropy(state, target, draw), len(target)

    def encode(self, sentences: Sequence[Sequence[int]]) -> torch.Tensor:
        """The vectors of some sentences, which the encoders read to their end."""
        parts = []
        for encoder, is_reversed in zip(self.encoders, (False, True), strict=False):
            # Backwards the end of the sentence is what is read first.
            ids, lengths = _padded([[*sentence, END][:: -1 if is_reversed else 1] for sentence in sentences])
            states = encoder(self._embedded(ids))
            parts.append(states[lengths - 1, torch.arange(len(sentences))])
        return torch.cat(parts, dim=1)

    def _decode(
        self, decoder: nn.Module, vectors: torch.Tensor, wanted: Sequence[Sequence[int]]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The states from which the words are to be told, and these words, without padding."""
        ids, lengths = _padded([[*sentence, END] for sentence in wanted])
        told = self._embedded(ids[:-1])
        # Each word is told from those before it; before the first there is nothing.
        before = torch.cat([told.new_zeros(1, *told.shape[1:]), told])
        is_word = torch.arange(len(ids))[:, None] < lengths[None, :]
        return decoder(before, vectors)[is_word], ids[is_word]

    def _embedded(self, ids: torch.Tensor) -> torch.Tensor:
        return nn.functional.embedding(ids, self.embedding)

    def _cross_entropy(self, state: torch.Tensor, target: torch.Tensor, draw: np.random.Generator) -> torch.Tensor:
        """Over the whole vocabulary, or against noise words that are drawn by their frequency once a batch.

        The logit of a word that is drawn often is lowered accordingly (Jean et al. 2015), so that what is learnt is the
        softmax over all words.
        """
        if not self.samples:
            return nn.functional.cross_entropy(self.out(state), target)
        drawn = np.searchsorted(self._cumulative, draw.random(self.samples), side="right")
        noise = torch.from_numpy(np.minimum(drawn, len(self._cumulative) - 1).astype(np.int64))
        others = nn.functional.linear(state, self.out.weight[noise], self.out.bias[noise] - self._expected[noise])
        others = others.masked_fill(noise[None, :] == target[:, None], -torch.inf)
        right = (state * self.out.weight[target]).sum(1) + self.out.bias[target] - self._expected[target]
        return (torch.logaddexp(torch.logsumexp(others, dim=1), right) - right).mean()

    def restore(self, arrays: Mapping[str, NDArray[np.float32]]) -> None:
        """Be as the arrays say."""
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                parameter.copy_(torch.from_numpy(arrays[name]))

    def words(self) -> Vectors:
        """The vectors of the words."""
        return _array(self.embedding)

    def grus(self) -> list[Gru]:
        """The encoders, forwards and perhaps backwards."""
        return [Gru(*map(_array, (one.inputs, one.bias, one.recurrent))) for one in self.encoders]


def _array(parameter: torch.Tensor) -> Vectors:
    found: Vectors = parameter.detach().numpy().copy()
    return found


def _padded(sentences: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """The words, steps × sentences, and how many each sentence has."""
    lengths = np.array([len(sentence) for sentence in sentences])
    ids = np.full((int(lengths.max()), len(sentences)), END, dtype=np.int64)
    for column, sentence in enumerate(sentences):
        ids[: len(sentence), column] = sentence
    return torch.from_numpy(ids), torch.from_numpy(lengths)
