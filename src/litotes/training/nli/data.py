"""NLI pairs for training: checked, sampled, filtered, and tokenised into flat arrays."""

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

_BATCH_SIZE = 1024


def check_pairs(pairs: Sequence[NliPair], name: str, *, for_training: bool = True) -> None:
    """Raise if pairs are missing, have unknown labels, or have only one label to train on."""
    if not pairs:
        raise LitotesError("L204", f"{name}: has no labelled pairs")
    counts = Counter(pair.label for pair in pairs)
    unknown = next((pair for pair in pairs if pair.label not in LABELS), None)
    if unknown is not None:
        hint = f"known: {', '.join(LABELS)}"
        raise LitotesError("L203", f'{name}: {unknown.id}: unknown label "{unknown.label}"', hint=hint)
    if for_training and len(counts) < 2:
        label = next(iter(counts))
        hint = "add pairs with other labels"
        raise LitotesError("L203", f'{name}: all {len(pairs):,} pairs have the label "{label}"', hint=hint)


def sample_pairs(pairs: Sequence[NliPair], count: int | None, seed: int) -> list[NliPair]:
    """Return at most `count` random pairs in the order of the data.

    >>> pairs = [NliPair(str(n), "Ann sings.", "Ann is loud.", "neutral") for n in range(9)]
    >>> len(sample_pairs(pairs, 4, seed=0)), len(sample_pairs(pairs, None, seed=0))
    (4, 9)
    """
    if count is None or count >= len(pairs):
        return list(pairs)
    chosen = sorted(random.Random(seed).sample(range(len(pairs)), count))  # noqa: S311
    return [pairs[index] for index in chosen]


def digest_pairs(pairs: Sequence[NliPair]) -> str:
    """Return the sha256 of the texts and labels of all pairs."""
    digest = hashlib.sha256()
    for pair in pairs:
        digest.update(to_json([pair.premise, pair.hypothesis, pair.label]).encode() + b"\n")
    return digest.hexdigest()


class TokenisedPairs:
    """A torch data set with the tokens of all pairs in one array per column, which saves memory.

    `label_ids` maps labels to the numbers that the model uses.
    """

    def __init__(self, pairs: Sequence[NliPair], tokenizer: Any, *, max_length: int, label_ids: dict[str, int]) -> None:
        self._labels = [label_ids[pair.label] for pair in pairs]
        self._columns: dict[str, NDArray[np.int32]] = {}
        parts: dict[str, list[NDArray[np.int32]]] = {}
        lengths: list[int] = []
        for start in range(0, len(pairs), _BATCH_SIZE):
            batch = pairs[start : start + _BATCH_SIZE]
            encoding = tokenizer(
                [pair.premise for pair in batch],
                [pair.hypothesis for pair in batch],
                truncation="longest_first",
                max_length=max_length,
                return_attention_mask=False,
            )
            lengths += map(len, encoding["input_ids"])
            for name, rows in encoding.items():
                flat = [number for row in rows for number in row]
                parts.setdefault(name, []).append(np.asarray(flat, dtype=np.int32))
        self._columns = {name: np.concatenate(arrays) for name, arrays in parts.items()}
        self.lengths = lengths
        self._ends = np.cumsum([0, *lengths])

    def __len__(self) -> int:
        return len(self._labels)

    def __getitem__(self, index: int) -> dict[str, Any]:
        start, end = self._ends[index], self._ends[index + 1]
        row: dict[str, Any] = {name: column[start:end].tolist() for name, column in self._columns.items()}
        return {**row, "labels": self._labels[index]}


def without_negation(pairs: Iterable[NliPair], rules: str = "litotes") -> Iterator[NliPair]:
    """Yield the pairs without a negation marker in premise and hypothesis.

    >>> sings = NliPair("a:1", "Ann sings.", "Ann is loud.", "neutral")
    >>> silent = NliPair("a:2", "Ann sings.", "Ann doesn't sing.", "contradiction")
    >>> [pair.id for pair in without_negation([sings, silent])]
    ['a:1']
    """
    return (pair for pair in pairs if not has_marker(pair.premise, rules) and not has_marker(pair.hypothesis, rules))


def without_premises(pairs: Iterable[NliPair], excluded: Iterable[NliPair]) -> Iterator[NliPair]:
    """Yield the pairs that share no premise with the excluded ones, ignoring case, whitespace and punctuation."""
    premises = {text_key(pair.premise) for pair in excluded}
    return (pair for pair in pairs if text_key(pair.premise) not in premises)
