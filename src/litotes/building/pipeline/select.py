"""Selection of the candidates that become items: natural, without repetitions, within the limits.

The candidates are in a table on disk, so that memory does not grow with the corpus.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple, TypeAlias

from litotes.building.base import Candidate
from litotes.building.pipeline.settings import BuildSettings
from litotes.core.files import to_json
from litotes.core.sqlite import SeenTexts, sqlite_errors, temporary_database

SentencePairs: TypeAlias = list[tuple[str, str]]
ScoreFunction: TypeAlias = Callable[[SentencePairs], list[float]]
"""(original, rewritten) pairs → naturalness of the rewritten sentences relative to the originals; 0: equal."""

_RANK_COST = 1.0
"""Naturalness subtracted per rank in the builder's order, which is more reliable than word counts."""
_BATCH_SIZE = 64
"""Records whose candidates are scored together, for language models."""
_NO_LIMIT = 1 << 62

_SCHEMA = """
CREATE TABLE selected (
    n INTEGER PRIMARY KEY, set_ TEXT NOT NULL, group_ TEXT NOT NULL, key BLOB NOT NULL, row TEXT NOT NULL,
    naturalness REAL NOT NULL
)
"""


class SelectedCandidate(NamedTuple):
    """A candidate with its source and naturalness."""

    source: str
    candidate: Candidate
    naturalness: float


class Selection:
    """The candidates that become items, and the reasons why others do not."""

    def __init__(self, settings: BuildSettings, score: ScoreFunction) -> None:
        self._settings = settings
        self._score = score
        self._seen = SeenTexts()
        with sqlite_errors():
            self._db = temporary_database(_SCHEMA)

    def add(self, records: Iterable[tuple[str, list[Candidate]]]) -> Iterator[list[tuple[str, str, str]]]:
        """Select the best of each record's alternatives; yield batches of (source, set, skip code) of the others."""
        stream = iter(records)
        n_selected = 0
        while batch := list(islice(stream, _BATCH_SIZE)):
            left_out = []
            for source, set_, best in self._best(batch):
                if best is None:
                    left_out.append((source, set_, "unnatural"))
                elif not self._seen.add(set_, *sorted(best.candidate.sentences.values())):
                    left_out.append((source, set_, "same-items"))
                else:
                    self._insert(n_selected, best)
                    n_selected += 1
            yield left_out

    def _best(self, batch: list[tuple[str, list[Candidate]]]) -> Iterator[tuple[str, str, SelectedCandidate | None]]:
        """Yield the best of each record's alternatives in each set, or None if all of them are too unnatural."""
        pairs = [pair for _, candidates in batch for candidate in candidates for pair in _compared_pairs(candidate)]
        scores = iter(self._score(pairs))
        minimum = self._settings.min_naturalness
        for source, candidates in batch:
            best: dict[tuple[str, str], tuple[float, SelectedCandidate] | None] = {}
            rank: Counter[tuple[str, str]] = Counter()
            for candidate in candidates:
                key = candidate.set, candidate.alternatives
                own_scores = [next(scores) for _ in _compared_pairs(candidate)]
                naturalness = round(sum(own_scores) / len(own_scores), 3) if own_scores else 0.0
                value = naturalness - _RANK_COST * rank[key]
                rank[key] += 1
                previous = best.setdefault(key, None)
                if (minimum is None or naturalness >= minimum) and (previous is None or value > previous[0]):
                    best[key] = value, SelectedCandidate(source, candidate, naturalness)
            for (set_, _), entry in best.items():
                yield source, set_, entry[1] if entry is not None else None

    def _insert(self, number: int, selected: SelectedCandidate) -> None:
        candidate = selected.candidate
        text = f"{self._settings.seed}\0{selected.source}\0{candidate.set}"
        key = hashlib.blake2b(text.encode(), digest_size=8).digest()
        row = to_json([selected.source, candidate.to_list()])
        # A candidate without a group is a group of its own.
        group = candidate.group or f"\0{number}"
        with sqlite_errors():
            self._db.execute(
                "INSERT INTO selected VALUES (?, ?, ?, ?, ?, ?)",
                (number, candidate.set, group, key, row, selected.naturalness),
            )

    def selected(self, set_: str) -> Iterator[SelectedCandidate]:
        """Yield the candidates of a set that are within the limits, in the order of the corpus."""
        return (selected for selected, code in self._with_skip_codes(set_) if code is None)

    def over_limits(self, set_: str) -> Iterator[tuple[str, str]]:
        """Yield source and skip code of the candidates of a set that exceed a limit, in the order of the corpus."""
        return ((selected.source, code) for selected, code in self._with_skip_codes(set_) if code is not None)

    def _with_skip_codes(self, set_: str) -> Iterator[tuple[SelectedCandidate, str | None]]:
        """Yield each candidate of a set, and the code of the limit that it exceeds.

        Which candidates are drawn depends on the seed and on their sources alone.
        """
        settings = self._settings
        order = "turn, key, n" if settings.balance else "key, n"
        sql = f"""
            WITH turns AS (
                SELECT n, key, row, naturalness, row_number() OVER (PARTITION BY group_ ORDER BY key, n) AS turn
                FROM selected WHERE set_ = :set
            ), positions AS (
                SELECT n, row, naturalness, turn > :per_group AS is_frequent,
                row_number() OVER (ORDER BY turn > :per_group, {order}) AS position
                FROM turns
            )
            SELECT row, naturalness,
            CASE WHEN is_frequent THEN 'frequent' WHEN position > :limit THEN 'over-limit' END
            FROM positions ORDER BY n
        """  # noqa: S608  (`order` is one of two constants)
        limits = {"per_group": settings.per_group or _NO_LIMIT, "limit": settings.limit or _NO_LIMIT}
        with sqlite_errors():
            for row, naturalness, code in self._db.execute(sql, {"set": set_, **limits}):
                source, fields = json.loads(row)
                yield SelectedCandidate(source, Candidate.from_list(fields), naturalness), code


def _compared_pairs(candidate: Candidate) -> SentencePairs:
    original, *_ = candidate.sentences.values()
    roles = candidate.changed or tuple(candidate.sentences)[1:]
    return [(original, candidate.sentences[role]) for role in roles]
