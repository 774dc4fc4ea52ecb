"""`pmeans:FILE,FILE` — concatenated power means (Rücklé et al., 2018): for each file of vectors and each power p the
p-th root of the mean of the p-th powers, all of them side by side.

-inf is the least number, 1 the mean, inf the greatest. A power of a negative number may be complex, and so may the
root: as in the authors' program, the real part counts.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import UsageError
from litotes.core.files import expand_user, is_file
from litotes.models.access import Access
from litotes.models.base import Fingerprint, Scores, Vectors
from litotes.models.names import ScorerName, parse_options, shorten
from litotes.models.word_vectors.bag import Bag, grid, on_grid
from litotes.models.word_vectors.encoder import WordEncoder
from litotes.models.word_vectors.lookup import WordLookup, open_word_vectors
from litotes.models.word_vectors.pieces import Cut
from litotes.models.word_vectors.reading import PLAIN_READING, Reading
from litotes.models.word_vectors.tokens import Case, Split

_MOST_POWERS = 16
_FINE = 2.0**36
"""What is left of a power when it is on the grid goes on a second one, so much finer: roots make small errors large."""


@dataclass(frozen=True)
class Options:
    """What can stand behind the `?`."""

    powers: tuple[float, ...] = (-math.inf, 1.0, math.inf)
    case: Case = "lower"
    tokens: Split = "treebank"


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> PowerMeans:
    """The power means of the word vectors of those names or in those files."""
    options = parse_options(Options, given, scheme="pmeans")
    _check_powers(options.powers)
    files = [name.rest] if is_file(expand_user(name.rest)) else name.rest.split(",")
    if not all(files) or len(set(files)) < len(files):
        raise UsageError("L102", f'"{shorten(name.rest)}": files with commas between them are needed, each once')
    vectors = {one: open_word_vectors(one, access) for one in files}
    return PowerMeans(name.text, vectors, options.powers, Reading(options.case, options.tokens))


def _check_powers(powers: tuple[float, ...]) -> None:
    fine = all(power > 0 or power == -math.inf for power in powers)
    if not powers or not fine or len(set(powers)) < len(powers):
        told = ",".join(f"{power:g}" for power in powers)
        raise UsageError("L102", f"powers={shorten(told)}: numbers above 0, inf or -inf are needed, each once")
    if len(powers) > _MOST_POWERS:
        raise UsageError("L102", f"powers: {len(powers)} are too many, {_MOST_POWERS} can be taken")


class PowerMeans(WordEncoder):
    """The power means of the vectors of a text's words, for one file of vectors after the other."""

    def __init__(
        self,
        name: str,
        vectors: Mapping[str, WordLookup],
        powers: Sequence[float],
        reading: Reading = PLAIN_READING,
    ) -> None:
        self._vectors = {_short(where, vectors): one for where, one in vectors.items()}
        self._powers = tuple(powers)
        every = [one.sha256 for one in vectors.values()]
        weights = every[0] if len(every) == 1 else hashlib.sha256("".join(every).encode()).hexdigest()
        readings = [reading.of_file(one) for one in vectors.values()]
        fingerprint = Fingerprint(
            backend="numpy/word-vectors",
            weights=weights,
            config="; ".join(dict.fromkeys(one.version for one in readings)),
            # All digits: 3 and 3.0000001 are two powers.
            pooling=f"power means {', '.join(f'{power:.17g}' for power in self._powers)}",
        )
        super().__init__(name, fingerprint, reading)

    def _new_bags(self) -> Mapping[str, Bag]:
        return {where: self._new_bag(vectors) for where, vectors in self._vectors.items()}

    def _new_bag(self, vectors: WordLookup) -> Bag:
        finite = [power for power in self._powers if math.isfinite(power)]

        def measure(_: object, rows: Scores) -> Scores:
            parts = [_summands(rows, power, vectors.largest) for power in finite]
            return np.concatenate(parts, axis=1)

        columns = sum(_columns(power) for power in finite) * vectors.width
        extremes = len(finite) < len(self._powers)
        reading = self._reading.of_file(vectors)
        return Bag(vectors, measure=measure if finite else None, columns=columns, extremes=extremes, reading=reading)

    @property
    def _width(self) -> int:
        return len(self._powers) * sum(vectors.width for vectors in self._vectors.values())

    def _pool(self, bags: Mapping[str, Bag], cut: Cut, out: Vectors) -> None:
        found = [part for where, bag in bags.items() for part in self._parts(bag, self._vectors[where], cut)]
        np.concatenate(found, axis=1, out=out)

    def _parts(self, bag: Bag, vectors: WordLookup, cut: Cut) -> list[Vectors]:
        counts = bag.counts(cut)
        sums = bag.sums(cut) if any(map(math.isfinite, self._powers)) else np.empty((len(counts), 0))
        found: list[Vectors] = []
        start = 0
        for power in self._powers:
            part: NDArray[np.floating[Any]]
            if math.isinf(power):
                part = bag.ends(np.minimum if power < 0 else np.maximum, cut)
            else:
                end = start + _columns(power) * vectors.width
                part = _root(sums[:, start:end], np.maximum(counts, 1), power, vectors.largest)
                start = end
            found.append(np.where(counts[:, None] > 0, part, 0.0).astype(np.float32))
        return found


def _short(where: str, among: Mapping[str, WordLookup]) -> str:
    """A file's name without its folder, if that tells it from the others."""
    name = os.path.basename(where)  # noqa: PTH119  a name such as 6b-50d is no path
    return where if sum(os.path.basename(other) == name for other in among) > 1 else name  # noqa: PTH119


def _columns(power: float) -> int:
    """How many sums a number of a vector needs: two grids for a power, and two parts if it may be complex."""
    return 1 if power == 1 else 2 if power.is_integer() else 4


def _summands(rows: Scores, power: float, largest: float) -> Scores:
    """What is summed of each vector, in whole numbers."""
    if power == 1:
        return on_grid(rows, grid(largest))
    small = rows / (largest or 1.0)
    raised: list[NDArray[np.float64]]
    if power.is_integer():
        raised = [small**power]
    else:
        root = small.astype(np.complex128) ** power
        raised = [root.real, root.imag]
    scale = grid(1.0)
    coarse = [on_grid(part, scale) for part in raised]
    fine = [np.rint((part * scale - whole) * _FINE) for part, whole in zip(raised, coarse, strict=True)]
    return np.concatenate([*coarse, *fine], axis=1)


def _root(sums: Scores, counts: NDArray[np.int64], power: float, largest: float) -> Scores:
    """The root of the mean, its real part."""
    if power == 1:
        mean: Scores = sums / (grid(largest) * counts)[:, None]
        return mean
    coarse, fine = np.split(sums, 2, axis=1)
    means = (coarse + fine / _FINE) / (grid(1.0) * counts)[:, None]
    if power.is_integer():
        root = means.astype(np.complex128) ** (1.0 / power)
    else:
        real, imaginary = np.split(means, 2, axis=1)
        root = (real + 1j * imaginary) ** (1.0 / power)
    found: Scores = root.real * (largest or 1.0)
    return found
