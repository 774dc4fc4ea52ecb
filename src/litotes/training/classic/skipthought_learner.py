"""A skip-thought network that learns epoch by epoch, and the folder that is left of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import write_together
from litotes.core.progress import Progress
from litotes.models.classic.gru import Gru
from litotes.models.classic.skipthought_files import DICTIONARY, PREFIXES, Part, gru_arrays, table_file, weights_file
from litotes.training.classic.epochs import Arrays, EpochEnd
from litotes.training.classic.skipthought import SkipThoughtSettings
from litotes.training.classic.skipthought_network import SkipThoughtNetwork
from litotes.training.classic.skipthought_text import Neighbours, Ordered

_LARGEST_GRADIENT = 10.0
"""The paper's: a gradient that is longer is made as long as this."""
_SORTED_AT_ONCE = 50
"""Batches whose sentences are sorted by length, so that little is padding, before the batches are mixed again."""
_MOMENTS = ("exp_avg", "exp_avg_sq")


class SkipThoughtLearner:
    """Adam over all sentences that have neighbours; whatever is drawn depends on seed and epoch."""

    def __init__(
        self,
        text: Ordered,
        examples: Sequence[Neighbours],
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
            # A batch may have no sentence with one before it: that decoder's weights take the step all the same, so
            # that one number of steps is true for all.
            weight.grad = torch.zeros_like(weight)

    def epoch(self, number: int) -> EpochEnd:
        """Learn from every sentence once."""
        draw = np.random.default_rng([self._settings.seed, number])
        total, told = 0.0, 0
        self._progress.begin(f"epoch {number} of {self._settings.epochs}", total=len(self._examples))
        for batch in self._batches(draw):
            loss, words = self._network.loss(batch, draw)
            value = float(loss.detach())
            if not np.isfinite(value):
                hint = "a smaller --learning-rate may help"
                raise LitotesError("L311", f"the loss is {value} in epoch {number}, the training has failed", hint=hint)
            self._optimizer.zero_grad(set_to_none=False)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(list(self._weights.values()), _LARGEST_GRADIENT)
            self._optimizer.step()
            self._steps += 1
            total, told = total + value * words, told + words
            self._progress.advance(len(batch))
        self._progress.end()
        return EpochEnd({"loss": total / told, "words": told, "steps": self._steps})

    def _batches(self, draw: np.random.Generator) -> list[list[Neighbours]]:
        size = self._settings.batch_size
        order = draw.permutation(len(self._examples))
        batches: list[list[Neighbours]] = []
        for start in range(0, len(order), size * _SORTED_AT_ONCE):
            some = [self._examples[place] for place in order[start : start + size * _SORTED_AT_ONCE]]
            some.sort(key=lambda one: (len(one.behind) + len(one.before), len(one.sentence)))
            batches += [some[first : first + size] for first in range(0, len(some), size)]
        return [batches[place] for place in draw.permutation(len(batches))]

    def arrays(self) -> Arrays:
        """The weights, and what the optimiser keeps of them."""
        found: Arrays = {}
        for name, weight in self._weights.items():
            found[name] = weight.detach().numpy()
            for moment in _MOMENTS:
                found[f"{moment}:{name}"] = self._optimizer.state[weight][moment].numpy()
        return found

    def numbers(self) -> dict[str, Any]:
        """How many steps were made."""
        return {"steps": self._steps}

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Be as after the epoch that left these."""
        self._network.restore(arrays)
        self._steps = int(numbers["steps"])
        for name, weight in self._weights.items():
            state = {moment: torch.from_numpy(arrays[f"{moment}:{name}"].copy()) for moment in _MOMENTS}
            self._optimizer.state[weight] = {"step": torch.tensor(float(self._steps)), **state}

    def save(self, out: Path) -> None:
        """Write the files in the published layout, all or none."""
        part: Part = "bi" if self._settings.bidirectional else "uni"
        contents = model_files(part, self._text.words, self._network.words(), self._network.grus())
        write_together({**{out / name: content for name, content in contents.items()}, out / "README.md": self._card})


def model_files(
    part: Part, words: Sequence[str], vectors: NDArray[np.float32], encoders: Sequence[Gru]
) -> dict[str, bytes]:
    """The files of a model by name: encoders, table and dictionary."""
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
