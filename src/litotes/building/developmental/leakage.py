"""Leakage: pairs and premises of a test set that are also in a train set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from litotes.building.developmental.pairs import pair_key, text_key
from litotes.corpora.nli import NliPair, read_nli
from litotes.corpora.sources import resolve_sources


@dataclass(frozen=True)
class LeakageCounts:
    """Pairs and premises of a test set that are also in a train set, ignoring case, whitespace and punctuation."""

    train: int
    test: int
    pairs: int
    """Test pairs that are also train pairs."""
    relabelled: int
    """Shared pairs that have another label in train."""
    premises: int
    """Distinct premises of the test set."""
    premises_in_train: int
    """Distinct test premises that are also train premises."""
    pairs_of_premises: int
    """Test pairs whose premise is also a train premise."""

    def to_dict(self) -> dict[str, int]:
        """Return the counts for statistics.json."""
        return asdict(self)


def leakage(train: Iterable[NliPair], test: Iterable[NliPair]) -> LeakageCounts:
    """Return how many pairs and premises of a test set are in a train set; only digests are stored.

    >>> seen = NliPair("a:1", "It rains.", "It is dry.", "contradiction")
    >>> other = NliPair("a:2", "it rains", "No sun today.", "neutral")
    >>> counts = leakage([seen], [seen, other])
    >>> counts.pairs, counts.premises_in_train, counts.pairs_of_premises
    (1, 1, 2)
    """
    return _TrainDigests(map(_digests, train)).compare(map(_digests, test))


class _PairDigests(NamedTuple):
    pair: bytes
    premise: bytes
    label: str


def _digests(pair: NliPair) -> _PairDigests:
    return _PairDigests(pair_key(pair.premise, pair.hypothesis), text_key(pair.premise), pair.label)


class _TrainDigests:
    """The digests of a train set."""

    def __init__(self, train: Iterable[_PairDigests]) -> None:
        self._labels: dict[bytes, set[str]] = {}
        self._premises: set[bytes] = set()
        self._count = 0
        for digests in train:
            self._count += 1
            self._labels.setdefault(digests.pair, set()).add(digests.label)
            self._premises.add(digests.premise)

    def compare(self, test: Iterable[_PairDigests]) -> LeakageCounts:
        premises: set[bytes] = set()
        n_tested = shared = relabelled = of_premises = 0
        for digests in test:
            n_tested += 1
            known = self._labels.get(digests.pair)
            shared += known is not None
            relabelled += known is not None and digests.label not in known
            of_premises += digests.premise in self._premises
            premises.add(digests.premise)
        common = len(premises & self._premises)
        return LeakageCounts(self._count, n_tested, shared, relabelled, len(premises), common, of_premises)


def leakage_of_files(train: str | Path | Sequence[str], test: str | Path | Sequence[str]) -> LeakageCounts:
    """Return the leakage between the labelled pairs of NLI files."""
    return leakage(read_nli(_names(train)), read_nli(_names(test)))


def leakage_between(sources: Sequence[str], *, format: str | None = None) -> list[dict[str, Any]]:
    """Return the leakage between every ordered pair of files that share a premise."""
    files = {
        source.name: [_digests(pair) for pair in read_nli([str(source.path)], format=format)]
        for source in resolve_sources(sources)
        if source.is_regular
    }
    rows = []
    for train, train_pairs in files.items():
        digests = _TrainDigests(train_pairs)
        for test, test_pairs in files.items():
            counts = digests.compare(test_pairs)
            if test != train and counts.premises_in_train:
                rows.append({"train_file": train, "test_file": test, **counts.to_dict()})
    return rows


def _names(files: str | Path | Sequence[str]) -> list[str]:
    return [str(files)] if isinstance(files, (str, Path)) else list(files)
