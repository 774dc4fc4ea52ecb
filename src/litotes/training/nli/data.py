"""NLI pairs as a model is trained on them: checked, drawn, tokenised once, kept as flat arrays."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.building.developmental.pairs import text_key
from litotes.core.errors import LitotesError
from litotes.core.files import to_json
from litotes.corpora.nli import LABELS, NliPair
from litotes.languages.en.negation import has_marker

_AT_ONCE = 1024


def check_pairs(pairs: Sequence[NliPair], name: str, *, to_learn: bool = True) -> None:
    """Raise, before anything is loaded, if there is nothing to learn from these pairs."""
    if not pairs:
        raise LitotesError("L204", f"{name}: has no labelled pairs")
    counts = Counter(pair.label for pair in pairs)
    unknown = next((pair for pair in pairs if pair.label not in LABELS), None)
    if unknown is not None:
        raise LitotesError(
            "L203", f'{name}: {unknown.id}: unknown label "{unknown.label}"', hint=f"known: {', '.join(LABELS)}"
        )
    if to_learn and len(counts) < 2:
        label = next(iter(counts))
        raise LitotesError(
            "L203",
            f'{name}: all {len(pairs):,} pairs have the label "{label}"',
            hint="there is nothing to tell apart; add pairs with other labels",
        )


def draw(pairs: Sequence[NliPair], count: int | None, seed: int) -> list[NliPair]:
    """So many of the pairs, drawn by the seed, in the order of the data; all if there are no more.

    >>> pairs = [NliPair(str(n), "Ann sings.", "Ann is loud.", "neutral") for n in range(9)]
    >>> len(draw(pairs, 4, seed=0)), len(draw(pairs, None, seed=0))
    (4, 9)
    """
    if count is None or count >= len(pairs):
        return list(pairs)
    chosen = sorted(random.Random(seed).sample(range(len(pairs)), count))  # noqa: S311
    return [pairs[place] for place in chosen]


def digest(pairs: Sequence[NliPair]) -> str:
    """One sha256 for the texts and labels of all pairs, in their order."""
    found = hashlib.sha256()
    for pair in pairs:
        found.update(to_json([pair.premise, pair.hypothesis, pair.label]).encode() + b"\n")
    return found.hexdigest()


class TokenisedPairs:
    """A data set for torch: the tokens of all pairs in one array, so that a million pairs take megabytes.

    `label_ids` says which number the model gives each label.
    """

    def __init__(self, pairs: Sequence[NliPair], tokenizer: Any, *, max_length: int, label_ids: dict[str, int]) -> None:
        self._labels = [label_ids[pair.label] for pair in pairs]
        self._columns: dict[str, NDArray[np.int32]] = {}
        parts: dict[str, list[NDArray[np.int32]]] = {}
        lengths: list[int] = []
        for start in range(0, len(pairs), _AT_ONCE):
            some = pairs[start : start + _AT_ONCE]
            found = tokenizer(
                [pair.premise for pair in some],
                [pair.hypothesis for pair in some],
                truncation="longest_first",
                max_length=max_length,
                return_attention_mask=False,
            )
            lengths += map(len, found["input_ids"])
            for name, rows in found.items():
                flat = [number for row in rows for number in row]
                parts.setdefault(name, []).append(np.asarray(flat, dtype=np.int32))
        self._columns = {name: np.concatenate(arrays) for name, arrays in parts.items()}
        self.lengths = lengths
        self._ends = np.cumsum([0, *lengths])

    def __len__(self) -> int:
        return len(self._labels)

    def __getitem__(self, place: int) -> dict[str, Any]:
        start, end = self._ends[place], self._ends[place + 1]
        row: dict[str, Any] = {name: column[start:end].tolist() for name, column in self._columns.items()}
        return {**row, "labels": self._labels[place]}


def without_negation(pairs: Iterable[NliPair], rules: str = "litotes") -> Iterator[NliPair]:
    """The pairs with no negation marker on either side, by text alone.

    >>> sings = NliPair("a:1", "Ann sings.", "Ann is loud.", "neutral")
    >>> silent = NliPair("a:2", "Ann sings.", "Ann doesn't sing.", "contradiction")
    >>> [pair.id for pair in without_negation([sings, silent])]
    ['a:1']
    """
    return (pair for pair in pairs if not has_marker(pair.premise, rules) and not has_marker(pair.hypothesis, rules))


def without_premises(pairs: Iterable[NliPair], others: Iterable[NliPair]) -> Iterator[NliPair]:
    """The pairs whose premise, but for case, blanks and punctuation, is not one of the others'."""
    held = {text_key(pair.premise) for pair in others}
    return (pair for pair in pairs if text_key(pair.premise) not in held)
