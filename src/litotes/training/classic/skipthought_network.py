"""The skip-thought network, an encoder with two decoders that predict the neighbouring sentences, and its training.

As in Kiros et al. (2015), encoder and decoders are GRUs with shared embeddings, and the sentence vector is added to
every gate of the decoders at every step. Their published training code uses it as the first state instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from litotes.core.files import write_together
from litotes.core.progress import Progress
from litotes.models.base import Vectors
from litotes.models.classic.skipthought_files import (
    DICTIONARY,
    PREFIXES,
    Gru,
    Part,
    gru_arrays,
    table_file,
    weights_file,
)
from litotes.training.classic.epochs import Arrays, EpochResult, check_finite
from litotes.training.classic.settings import SkipThoughtSettings
from litotes.training.classic.skipthought_text import END, OrderedText, SkipThoughtExample


class GruStates(torch.autograd.Function):  # type: ignore[misc]
    """A GRU layer: (inputs to the gates: steps × sentences × 3 dim, recurrent weights: dim × 3 dim) → all states."""

    @staticmethod
    def forward(context: Any, gate_inputs: torch.Tensor, recurrent: torch.Tensor) -> torch.Tensor:
        """Return the states (steps × sentences × dim); the initial state is zero."""
        steps, count, _ = gate_inputs.shape
        dim = recurrent.shape[0]
        states = gate_inputs.new_zeros(steps + 1, count, dim)
        gates = gate_inputs.new_empty(steps, count, 2 * dim)
        candidates, recurrent_inputs = (
            gate_inputs.new_empty(steps, count, dim),
            gate_inputs.new_empty(steps, count, dim),
        )
        for step in range(steps):
            projected = states[step] @ recurrent
            gates[step] = torch.sigmoid(gate_inputs[step, :, : 2 * dim] + projected[:, : 2 * dim])
            recurrent_inputs[step] = projected[:, 2 * dim :]
            candidates[step] = torch.tanh(
                gate_inputs[step, :, 2 * dim :] + gates[step, :, :dim] * recurrent_inputs[step]
            )
            states[step + 1] = torch.lerp(candidates[step], states[step], gates[step, :, dim:])
        context.save_for_backward(recurrent, states, gates, candidates, recurrent_inputs)
        return states[1:].clone()

    @staticmethod
    def backward(context: Any, *state_gradients: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the gradients of the gate inputs and of the recurrent weights."""
        recurrent, states, gates, candidates, recurrent_inputs = context.saved_tensors
        steps, count, dim = candidates.shape
        input_gradients = candidates.new_empty(steps, count, 3 * dim)
        projected_gradients = candidates.new_empty(steps, count, 3 * dim)
        gradient = candidates.new_zeros(count, dim)
        for step in reversed(range(steps)):
            gradient = gradient + state_gradients[0][step]
            reset, update, new = gates[step, :, :dim], gates[step, :, dim:], candidates[step]
            new_gradient = gradient * (1 - update) * (1 - new * new)
            input_gradients[step, :, :dim] = new_gradient * recurrent_inputs[step] * reset * (1 - reset)
            input_gradients[step, :, dim : 2 * dim] = gradient * (states[step] - new) * update * (1 - update)
            input_gradients[step, :, 2 * dim :] = new_gradient
            projected_gradients[step, :, : 2 * dim] = input_gradients[step, :, : 2 * dim]
            projected_gradients[step, :, 2 * dim :] = new_gradient * reset
            gradient = gradient * update + projected_gradients[step] @ recurrent.T
        return input_gradients, states[:-1].reshape(-1, dim).T @ projected_gradients.reshape(-1, 3 * dim)


def gru_states(gate_inputs: torch.Tensor, recurrent: torch.Tensor) -> torch.Tensor:
    """Return the states after every step."""
    states: torch.Tensor = GruStates.apply(gate_inputs, recurrent)
    return states


_INIT_RANGE, _AUTHORS_WIDTH = 0.1, 620
"""The authors' range of uniform initial weights, for inputs of this width.

Narrower inputs need a larger range; otherwise the decoders learn to ignore the sentence vector.
"""


class _GruLayer(nn.Module):  # type: ignore[misc]
    """A GRU with the layout of `Gru`; a decoder also has weights for the sentence vector."""

    def __init__(self, width: int, dim: int, *, context_dim: int = 0) -> None:
        super().__init__()
        self.inputs = nn.Parameter(torch.zeros(width, 3 * dim))
        self.bias = nn.Parameter(torch.zeros(3 * dim))
        self.recurrent = nn.Parameter(torch.zeros(dim, 3 * dim))
        self.around = nn.Parameter(torch.zeros(context_dim, 3 * dim)) if context_dim else None

    def forward(self, words: torch.Tensor, vectors: torch.Tensor | None = None) -> torch.Tensor:
        """Return the states after each word: steps × sentences × dim."""
        gate_inputs = words @ self.inputs + self.bias
        if self.around is not None and vectors is not None:
            gate_inputs = gate_inputs + vectors @ self.around
        return gru_states(gate_inputs, self.recurrent)


class SkipThoughtNetwork(nn.Module):  # type: ignore[misc]
    """Encoder and decoders; `counts` are the word frequencies by which negative samples are drawn."""

    def __init__(
        self, counts: Sequence[int], *, words: int, dim: int, bidirectional: bool, samples: int, seed: int
    ) -> None:
        super().__init__()
        self.samples = samples if samples < len(counts) else 0
        self.embedding = nn.Parameter(torch.zeros(len(counts), words))
        encoder_dim = dim // 2 if bidirectional else dim
        self.encoders = nn.ModuleList(_GruLayer(words, encoder_dim) for _ in range(1 + bidirectional))
        self.decoders = nn.ModuleList(_GruLayer(words, dim, context_dim=dim) for _ in range(2))
        self.out = nn.Linear(dim, len(counts))
        # Smoothed, so that every word can be drawn.
        smoothed = np.asarray(counts, dtype=np.float64) + 1.0
        probabilities = smoothed / smoothed.sum()
        self._cumulative = np.cumsum(probabilities)
        self._expected = torch.from_numpy(np.log(probabilities * max(1, self.samples))).float()
        self._initialise(np.random.default_rng(seed))

    def _initialise(self, generator: np.random.Generator) -> None:
        """Initialise recurrent weights as orthogonal, other weights as uniform, and biases as zero."""
        with torch.no_grad():
            for name, parameter in sorted(self.named_parameters()):
                if name.endswith("bias"):
                    parameter.zero_()
                elif name.endswith("recurrent"):
                    size = parameter.shape[0]
                    blocks = [np.linalg.qr(generator.standard_normal((size, size)))[0] for _ in range(3)]
                    parameter.copy_(torch.from_numpy(np.concatenate(blocks, axis=1)))
                else:
                    width = parameter.shape[1 if name in ("embedding", "out.weight") else 0]
                    limit = _INIT_RANGE * (_AUTHORS_WIDTH / width) ** 0.5
                    parameter.copy_(torch.from_numpy(generator.uniform(-limit, limit, tuple(parameter.shape))))

    def loss(self, batch: Sequence[SkipThoughtExample], generator: np.random.Generator) -> tuple[torch.Tensor, int]:
        """Return the mean loss of a predicted word, and the number of predicted words."""
        vectors = self.encode([example.sentence for example in batch])
        states, targets = [], []
        neighbours = ([example.previous for example in batch], [example.next for example in batch])
        for decoder, sentences in zip(self.decoders, neighbours, strict=True):
            rows = [row for row, sentence in enumerate(sentences) if len(sentence)]
            if rows:
                decoder_states, words = self._decode(decoder, vectors[rows], [sentences[row] for row in rows])
                states.append(decoder_states)
                targets.append(words)
        state, target = torch.cat(states), torch.cat(targets)
        return self._cross_entropy(state, target, generator), len(target)

    def encode(self, sentences: Sequence[Sequence[int]]) -> torch.Tensor:
        """Return the vectors of sentences: the last states of the encoders."""
        parts = []
        for encoder, is_reversed in zip(self.encoders, (False, True), strict=False):
            # The backward encoder reads the sentence end first.
            ids, lengths = _padded([[*sentence, END][:: -1 if is_reversed else 1] for sentence in sentences])
            states = encoder(self._embedded(ids))
            parts.append(states[lengths - 1, torch.arange(len(sentences))])
        return torch.cat(parts, dim=1)

    def _decode(
        self, decoder: nn.Module, vectors: torch.Tensor, sentences: Sequence[Sequence[int]]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the states from which the words are predicted, and the words, without padding."""
        ids, lengths = _padded([[*sentence, END] for sentence in sentences])
        embedded = self._embedded(ids[:-1])
        # Each word is predicted from the previous words; the first from a zero vector.
        previous = torch.cat([embedded.new_zeros(1, *embedded.shape[1:]), embedded])
        is_word = torch.arange(len(ids))[:, None] < lengths[None, :]
        return decoder(previous, vectors)[is_word], ids[is_word]

    def _embedded(self, ids: torch.Tensor) -> torch.Tensor:
        return nn.functional.embedding(ids, self.embedding)

    def _cross_entropy(self, state: torch.Tensor, target: torch.Tensor, generator: np.random.Generator) -> torch.Tensor:
        """Return the loss over the whole vocabulary, or with negative samples drawn by frequency for each batch.

        Logits are corrected by the sampling frequency (Jean et al. 2015), so that the loss approximates the full
        softmax.
        """
        if not self.samples:
            return nn.functional.cross_entropy(self.out(state), target)
        drawn = np.searchsorted(self._cumulative, generator.random(self.samples), side="right")
        noise = torch.from_numpy(np.minimum(drawn, len(self._cumulative) - 1).astype(np.int64))
        noise_logits = nn.functional.linear(state, self.out.weight[noise], self.out.bias[noise] - self._expected[noise])
        noise_logits = noise_logits.masked_fill(noise[None, :] == target[:, None], -torch.inf)
        target_logits = (state * self.out.weight[target]).sum(1) + self.out.bias[target] - self._expected[target]
        return (torch.logaddexp(torch.logsumexp(noise_logits, dim=1), target_logits) - target_logits).mean()

    def restore(self, arrays: Mapping[str, NDArray[np.float32]]) -> None:
        """Set the weights."""
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                parameter.copy_(torch.from_numpy(arrays[name]))

    def words(self) -> Vectors:
        """Return the word vectors."""
        return _array(self.embedding)

    def grus(self) -> list[Gru]:
        """Return the forward encoder and, if bidirectional, the backward encoder."""
        return [Gru(*map(_array, (layer.inputs, layer.bias, layer.recurrent))) for layer in self.encoders]


def _array(parameter: torch.Tensor) -> Vectors:
    values: Vectors = parameter.detach().numpy().copy()
    return values


def _padded(sentences: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the words (steps × sentences) and the lengths of the sentences."""
    lengths = np.array([len(sentence) for sentence in sentences])
    ids = np.full((int(lengths.max()), len(sentences)), END, dtype=np.int64)
    for column, sentence in enumerate(sentences):
        ids[: len(sentence), column] = sentence
    return torch.from_numpy(ids), torch.from_numpy(lengths)


# Training

_MAX_GRADIENT_NORM = 10.0
"""Maximum norm of the gradient, as in the paper."""
_BATCHES_PER_POOL = 50
"""Batches whose sentences are sorted by length to reduce padding."""
_MOMENTS = ("exp_avg", "exp_avg_sq")


class SkipThoughtLearner:
    """Trains the network with Adam; everything random depends on seed and epoch."""

    def __init__(
        self,
        text: OrderedText,
        examples: Sequence[SkipThoughtExample],
        settings: SkipThoughtSettings,
        card: str,
        progress: Progress,
    ) -> None:
        self._text = text
        self._examples = examples
        self._settings = settings
        self._card = card
        self._progress = progress
        self._network = SkipThoughtNetwork(
            text.counts,
            words=settings.words,
            dim=settings.dim,
            bidirectional=settings.bidirectional,
            samples=settings.samples,
            seed=settings.seed,
        )
        self._weights = dict(self._network.named_parameters())
        self._optimizer = torch.optim.Adam(self._weights.values(), lr=settings.learning_rate)
        self._steps = 0
        for weight in self._weights.values():
            # A batch may have no sentence with a previous one. Its decoder makes the step nevertheless, so that the
            # number of steps is the same for all weights.
            weight.grad = torch.zeros_like(weight)

    def train_epoch(self, number: int) -> EpochResult:
        """Train on all sentences once."""
        generator = np.random.default_rng([self._settings.seed, number])
        total, n_words = 0.0, 0
        self._progress.begin(f"epoch {number} of {self._settings.epochs}", total=len(self._examples))
        for batch in self._batches(generator):
            loss, words = self._network.loss(batch, generator)
            value = float(loss.detach())
            check_finite(value, number)
            self._optimizer.zero_grad(set_to_none=False)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(list(self._weights.values()), _MAX_GRADIENT_NORM)
            self._optimizer.step()
            self._steps += 1
            total, n_words = total + value * words, n_words + words
            self._progress.advance(len(batch))
        self._progress.end()
        return EpochResult({"loss": total / n_words, "words": n_words, "steps": self._steps})

    def _batches(self, generator: np.random.Generator) -> list[list[SkipThoughtExample]]:
        size = self._settings.batch_size
        order = generator.permutation(len(self._examples))
        batches: list[list[SkipThoughtExample]] = []
        for start in range(0, len(order), size * _BATCHES_PER_POOL):
            pool = [self._examples[index] for index in order[start : start + size * _BATCHES_PER_POOL]]
            pool.sort(key=lambda example: (len(example.next) + len(example.previous), len(example.sentence)))
            batches += [pool[first : first + size] for first in range(0, len(pool), size)]
        return [batches[index] for index in generator.permutation(len(batches))]

    def arrays(self) -> Arrays:
        """Return the weights and the state of the optimizer."""
        arrays: Arrays = {}
        for name, weight in self._weights.items():
            arrays[name] = weight.detach().numpy()
            for moment in _MOMENTS:
                arrays[f"{moment}:{name}"] = self._optimizer.state[weight][moment].numpy()
        return arrays

    def numbers(self) -> dict[str, Any]:
        """Return the number of steps."""
        return {"steps": self._steps}

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Restore the state of a checkpoint."""
        self._network.restore(arrays)
        self._steps = int(numbers["steps"])
        for name, weight in self._weights.items():
            state = {moment: torch.from_numpy(arrays[f"{moment}:{name}"].copy()) for moment in _MOMENTS}
            self._optimizer.state[weight] = {"step": torch.tensor(float(self._steps)), **state}

    def save(self, out: Path) -> None:
        """Write the files in the published layout."""
        part: Part = "bi" if self._settings.bidirectional else "uni"
        contents = model_files(part, self._text.words, self._network.words(), self._network.grus())
        write_together({**{out / name: content for name, content in contents.items()}, out / "README.md": self._card})


def model_files(
    part: Part, words: Sequence[str], vectors: NDArray[np.float32], encoders: Sequence[Gru]
) -> dict[str, bytes]:
    """Return the files of a model by name: encoders, table and dictionary."""
    arrays: Arrays = {"Wemb": vectors}
    for prefix, gru in zip(PREFIXES[part], encoders, strict=True):
        arrays |= gru_arrays(gru, prefix)
    weights, table = BytesIO(), BytesIO()
    np.savez(weights, **{name: np.ascontiguousarray(array) for name, array in arrays.items()})  # type: ignore[arg-type]
    np.save(table, vectors)
    return {
        weights_file(part): weights.getvalue(),
        table_file(part): table.getvalue(),
        DICTIONARY: "".join(f"{word}\n" for word in words).encode("utf-8"),
    }
