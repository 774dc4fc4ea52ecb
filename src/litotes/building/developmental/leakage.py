"""Leakage: how much of a test set a model has seen when it was trained."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from litotes.building.developmental.pairs import pair_key, text_key
from litotes.corpora.nli import NliPair, read_nli
from litotes.corpora.sources import resolve_sources


@dataclass(frozen=True)
class Leakage:
    """What of a test set stands in a train set too; texts are compared without case, blanks and punctuation."""

    train: int
    test: int
    pairs: int
    """Test pairs whose both texts are a train pair."""
    relabelled: int
    """Those of them that have another label there."""
    premises: int
    """Different premises of the test set."""
    premises_in_train: int
    """Those of them that are a premise in train too."""
    pairs_of_premises: int
    """Test pairs whose premise is a premise in train, whatever the hypothesis."""

    def to_dict(self) -> dict[str, int]:
        """As statistics.json has it."""
        return asdict(self)


def leakage(train: Iterable[NliPair], test: Iterable[NliPair]) -> Leakage:
    """How many pairs and premises of a test set are in a train set; of both only digests are kept.

    >>> seen = NliPair("a:1", "It rains.", "It is dry.", "contradiction")
    >>> other = NliPair("a:2", "it rains", "No sun today.", "neutral")
    >>> found = leakage([seen], [seen, other])
    >>> found.pairs, found.premises_in_train, found.pairs_of_premises
    (1, 1, 2)
    """
    return _Trained(map(_digested, train)).tested(map(_digested, test))


class _Digested(NamedTuple):
    pair: bytes
    premise: bytes
    label: str


def _digested(pair: NliPair) -> _Digested:
    return _Digested(pair_key(pair.premise, pair.hypothesis), text_key(pair.premise), pair.label)


class _Trained:
    """The digests of a train set."""

    def __init__(self, train: Iterable[_Digested]) -> None:
        self._labels: dict[bytes, set[str]] = {}
        self._premises: set[bytes] = set()
        self._count = 0
        for one in train:
            self._count += 1
            self._labels.setdefault(one.pair, set()).add(one.label)
            self._premises.add(one.premise)

    def tested(self, test: Iterable[_Digested]) -> Leakage:
        there: set[bytes] = set()
        tested = shared = relabelled = of_premises = 0
        for one in test:
            tested += 1
            known = self._labels.get(one.pair)
            shared += known is not None
            relabelled += known is not None and one.label not in known
            of_premises += one.premise in self._premises
            there.add(one.premise)
        common = len(there & self._premises)
        return Leakage(self._count, tested, shared, relabelled, len(there), common, of_premises)


def leakage_of_files(train: str | Path | Sequence[str], test: str | Path | Sequence[str]) -> Leakage:
    """The leakage between NLI files; labelled pairs alone count."""
    return leakage(read_nli(_named(train)), read_nli(_named(test)))


def leakage_between(sources: Sequence[str], *, format: str | None = None) -> list[dict[str, Any]]:
    """The leakage between any two files of a corpus that share a premise, each once taken as train and once as test."""
    files = {
        source.name: [_digested(pair) for pair in read_nli([str(source.path)], format=format)]
        for source in resolve_sources(sources)
        if source.is_regular
    }
    found = []
    for train, known in files.items():
        trained = _Trained(known)
        for test, asked in files.items():
            told = trained.tested(asked)
            if test != train and told.premises_in_train:
                found.append({"train_file": train, "test_file": test, **told.to_dict()})
    return found


def _named(files: str | Path | Sequence[str]) -> list[str]:
    return [str(files)] if isinstance(files, (str, Path)) else list(files)
