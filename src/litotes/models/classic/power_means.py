"""`pmeans:FILE,FILE`: concatenated power means (Rücklé et al., 2018).

For each file of vectors and each power p, the p-th root of the mean of the p-th powers; -inf is the minimum, 1 the
mean, inf the maximum. Powers and roots of negative numbers may be complex; as in the authors' program, the real part is
used.
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

from litotes.core.errors import UsageError, shorten
from litotes.core.files import expand_user, is_file
from litotes.models.access import Access
from litotes.models.base import Fingerprint, Scores, Vectors
from litotes.models.names import ModelName, parse_options
from litotes.models.word_vectors.encoder import WordEncoder
from litotes.models.word_vectors.lookup import WordVectors, open_word_vectors
from litotes.models.word_vectors.pooling import TextPieces, WordBag, grid_scale, to_grid
from litotes.models.word_vectors.tokenization import WordOptions, WordRules

_MAX_POWERS = 16
_FINE = 2.0**36
"""The remainder of a power is rounded to a second grid, finer by this factor: roots amplify small errors."""


@dataclass(frozen=True)
class PowerMeansOptions(WordOptions):
    """Options after the `?` of `pmeans:`."""

    powers: tuple[float, ...] = (-math.inf, 1.0, math.inf)


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> PowerMeans:
    """Load the power means of the word vectors with those names or in those files."""
    options = parse_options(PowerMeansOptions, values, scheme="pmeans")
    _check_powers(options.powers)
    sources = [name.rest] if is_file(expand_user(name.rest)) else name.rest.split(",")
    if not all(sources) or len(set(sources)) < len(sources):
        raise UsageError("L102", f'"{shorten(name.rest)}": must be different files with commas between them')
    vectors = {source: open_word_vectors(source, access) for source in sources}
    return PowerMeans(name.text, vectors, options.powers, options.rules)


def _check_powers(powers: tuple[float, ...]) -> None:
    are_valid = all(power > 0 or power == -math.inf for power in powers)
    if not powers or not are_valid or len(set(powers)) < len(powers):
        text = ",".join(f"{power:g}" for power in powers)
        raise UsageError("L102", f"powers={shorten(text)}: must be different numbers above 0, inf or -inf")
    if len(powers) > _MAX_POWERS:
        raise UsageError("L102", f"powers: at most {_MAX_POWERS} are possible, not {len(powers)}")


class PowerMeans(WordEncoder):
    """The power means of the vectors of the words of a text, for one file of vectors after the other."""

    def __init__(
        self, name: str, vectors: Mapping[str, WordVectors], powers: Sequence[float], rules: WordRules | None = None
    ) -> None:
        rules = rules or WordRules()
        self._vectors = {_short_name(source, vectors): lookup for source, lookup in vectors.items()}
        self._powers = tuple(powers)
        self._finite_powers = [power for power in self._powers if math.isfinite(power)]
        digests = [lookup.sha256 for lookup in vectors.values()]
        fingerprint = Fingerprint(
            backend="numpy/word-vectors",
            weights=digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest(),
            config="; ".join(dict.fromkeys(rules.adapted_to(lookup).version for lookup in vectors.values())),
            # With all digits: 3 and 3.0000001 are different powers.
            pooling=f"power means {', '.join(f'{power:.17g}' for power in self._powers)}",
        )
        super().__init__(name, fingerprint, rules, len(self._powers) * sum(v.width for v in self._vectors.values()))

    def _new_bags(self) -> Mapping[str, WordBag]:
        return {source: self._new_bag(vectors) for source, vectors in self._vectors.items()}

    def _new_bag(self, vectors: WordVectors) -> WordBag:
        def features(_: Sequence[str], rows: Scores) -> Scores:
            return np.concatenate([_summands(rows, power, vectors.largest) for power in self._finite_powers], axis=1)

        return WordBag(
            vectors,
            self._rules.adapted_to(vectors),
            features=features if self._finite_powers else None,
            n_features=sum(_n_summands(power) for power in self._finite_powers) * vectors.width,
            extremes=len(self._finite_powers) < len(self._powers),
        )

    def _pool(self, bags: Mapping[str, WordBag], texts: TextPieces) -> Vectors:
        return np.concatenate([part for bag in bags.values() for part in self._parts(bag, texts)], axis=1)

    def _parts(self, bag: WordBag, texts: TextPieces) -> list[Vectors]:
        counts = bag.counts(texts)
        sums = bag.sums(texts)
        parts: list[Vectors] = []
        start = 0
        for power in self._powers:
            part: NDArray[np.floating[Any]]
            if math.isinf(power):
                part = bag.extremes(np.minimum if power < 0 else np.maximum, texts)
            else:
                end = start + _n_summands(power) * bag.vectors.width
                part = _root(sums[:, start:end], np.maximum(counts, 1), power, bag.vectors.largest)
                start = end
            parts.append(np.where(counts[:, None] > 0, part, 0.0).astype(np.float32))
        return parts


def _short_name(source: str, sources: Mapping[str, object]) -> str:
    """Return the name of a file without its folder, if no other source has the same."""
    name = os.path.basename(source)  # noqa: PTH119  a name such as 6b-50d is not a path
    return source if sum(os.path.basename(other) == name for other in sources) > 1 else name  # noqa: PTH119


def _n_summands(power: float) -> int:
    """Return the number of sums per dimension: two grids for a power, and two parts if it may be complex."""
    return 1 if power == 1 else 2 if power.is_integer() else 4


def _summands(rows: Scores, power: float, largest: float) -> Scores:
    """Return the integers to sum for each vector."""
    if power == 1:
        return to_grid(rows, grid_scale(largest))
    scaled = rows / (largest or 1.0)
    raised: list[NDArray[np.float64]]
    if power.is_integer():
        raised = [scaled**power]
    else:
        complex_power = scaled.astype(np.complex128) ** power
        raised = [complex_power.real, complex_power.imag]
    scale = grid_scale(1.0)
    coarse = [to_grid(part, scale) for part in raised]
    fine = [np.rint((part * scale - integers) * _FINE) for part, integers in zip(raised, coarse, strict=True)]
    return np.concatenate([*coarse, *fine], axis=1)


def _root(sums: Scores, counts: NDArray[np.int64], power: float, largest: float) -> Scores:
    """Return the real part of the root of the mean."""
    if power == 1:
        mean: Scores = sums / (grid_scale(largest) * counts)[:, None]
        return mean
    coarse, fine = np.split(sums, 2, axis=1)
    means = (coarse + fine / _FINE) / (grid_scale(1.0) * counts)[:, None]
    if power.is_integer():
        root = means.astype(np.complex128) ** (1.0 / power)
    else:
        real, imaginary = np.split(means, 2, axis=1)
        root = (real + 1j * imaginary) ** (1.0 / power)
    result: Scores = root.real * (largest or 1.0)
    return result
