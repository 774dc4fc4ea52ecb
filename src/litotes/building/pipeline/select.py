"""Which candidates become items: the most natural of each sentence, none twice, no group too often.

The choice is made in a table on disk, so that memory does not grow with the corpus.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple, TypeAlias

from litotes.building.base import Candidate
from litotes.building.pipeline.settings import Plan
from litotes.core.files import to_json
from litotes.core.sqlite import SeenTexts, sqlite_errors, temporary_database

Pairs: TypeAlias = list[tuple[str, str]]
Score: TypeAlias = Callable[[Pairs], list[float]]
"""(original, rewritten) pairs → how natural the rewritten ones are against the originals; 0: as natural."""

_RANK_COST = 1.0
"""What a place further down the rule's own order costs: the rules know more than counts do."""
_AT_ONCE = 64
"""Records whose candidates are scored together: language models like batches."""
_ANY = 1 << 62
"""More than there can be."""

_SCHEMA = """
CREATE TABLE chosen (
    n INTEGER PRIMARY KEY, set_ TEXT NOT NULL, group_ TEXT NOT NULL, key BLOB NOT NULL, row TEXT NOT NULL,
    naturalness REAL NOT NULL
)
"""


class Chosen(NamedTuple):
    """A candidate that becomes items."""

    source: str
    candidate: Candidate
    naturalness: float


class Choice:
    """The candidates that become items, and why the others do not."""

    def __init__(self, plan: Plan, score: Score) -> None:
        self._plan = plan
        self._score = score
        self._seen = SeenTexts()
        with sqlite_errors():
            self._db = temporary_database(_SCHEMA)

    def add(self, records: Iterable[tuple[str, list[Candidate]]]) -> Iterator[list[tuple[str, str, str]]]:
        """Take the best of each record and set; gives, some records at a time, source, set and why there is none."""
        stream = iter(records)
        number = 0
        while some := list(islice(stream, _AT_ONCE)):
            left_out = []
            for source, set_, best in self._best(some):
                if best is None:
                    left_out.append((source, set_, "unnatural"))
                elif not self._seen.add(set_, *sorted(best.candidate.sentences.values())):
                    left_out.append((source, set_, "same-items"))
                else:
                    self._keep(number, best)
                    number += 1
            yield left_out

    def _best(self, some: list[tuple[str, list[Candidate]]]) -> Iterator[tuple[str, str, Chosen | None]]:
        """Of each record and set the most natural candidate, if one is natural enough."""
        pairs = [pair for _, candidates in some for candidate in candidates for pair in _pairs(candidate)]
        scores = iter(self._score(pairs))
        least = self._plan.min_naturalness
        for source, candidates in some:
            best: dict[str, tuple[float, Chosen] | None] = {}
            rank: Counter[str] = Counter()
            for candidate in candidates:
                set_ = candidate.set
                found = [next(scores) for _ in _pairs(candidate)]
                natural = round(sum(found) / len(found), 3) if found else 0.0
                worth = natural - _RANK_COST * rank[set_]
                rank[set_] += 1
                before = best.setdefault(set_, None)
                if (least is None or natural >= least) and (before is None or worth > before[0]):
                    best[set_] = worth, Chosen(source, candidate, natural)
            for set_, one in best.items():
                yield source, set_, one[1] if one is not None else None

    def _keep(self, number: int, chosen: Chosen) -> None:
        candidate = chosen.candidate
        key = hashlib.blake2b(f"{self._plan.seed}\0{chosen.source}\0{candidate.set}".encode(), digest_size=8).digest()
        row = to_json([chosen.source, candidate.to_list()])
        # What has no group stands for itself.
        group = candidate.group or f"\0{number}"
        with sqlite_errors():
            self._db.execute(
                "INSERT INTO chosen VALUES (?, ?, ?, ?, ?, ?)",
                (number, candidate.set, group, key, row, chosen.naturalness),
            )

    def of(self, set_: str) -> Iterator[Chosen]:
        """Those of one set that are kept, in the corpus's order."""
        return (chosen for chosen, why in self._drawn(set_) if why is None)

    def left_out(self, set_: str) -> Iterator[tuple[str, str]]:
        """Those of one set that are one too many: source and why, in the corpus's order."""
        return ((chosen.source, why) for chosen, why in self._drawn(set_) if why is not None)

    def _drawn(self, set_: str) -> Iterator[tuple[Chosen, str | None]]:
        """Each of a set, and why it is not kept; which are drawn depends on the seed and on where each stands."""
        plan = self._plan
        order = "turn, key, n" if plan.balance else "key, n"
        sql = f"""
            WITH turns AS (
                SELECT n, key, row, naturalness, row_number() OVER (PARTITION BY group_ ORDER BY key, n) AS turn
                FROM chosen WHERE set_ = :set
            ), places AS (
                SELECT n, row, naturalness, turn > :most AS is_frequent,
                row_number() OVER (ORDER BY turn > :most, {order}) AS place
                FROM turns
            )
            SELECT row, naturalness, CASE WHEN is_frequent THEN 'frequent' WHEN place > :limit THEN 'over-limit' END
            FROM places ORDER BY n
        """  # noqa: S608  (the order is one of two of ours)
        with sqlite_errors():
            rows = self._db.execute(sql, {"set": set_, "most": plan.per_group or _ANY, "limit": plan.limit or _ANY})
            for row, naturalness, why in rows:
                source, kept = json.loads(row)
                yield Chosen(source, Candidate.from_list(kept), naturalness), why


def _pairs(candidate: Candidate) -> Pairs:
    original, *_ = candidate.sentences.values()
    roles = candidate.changed or tuple(candidate.sentences)[1:]
    return [(original, candidate.sentences[role]) for role in roles]
