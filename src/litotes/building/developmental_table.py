"""All pairs of a corpus in a table on disk, by digests: doubles found, NLI_dev drawn, in flat memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from litotes.building.developmental_pairs import by_chance, pair_key, text_key
from litotes.building.developmental_split import even_shares
from litotes.building.scratch import scratch_tables, sqlite_errors
from litotes.core.errors import UsageError
from litotes.corpora.nli import LABELS

DIAGNOSTIC, NEGATED, PLAIN = 0, 1, 2
"""Kinds of pairs: with a category; with a marker of negation and no category; without any marker."""

_PAIRS = """
CREATE TABLE pairs (
    n INTEGER PRIMARY KEY, pair BLOB NOT NULL, premise BLOB NOT NULL, label INTEGER NOT NULL, kind INTEGER NOT NULL
)
"""
_KEPT = """
CREATE TABLE kept AS
SELECT n, premise, label, kind, times - 1 AS doubles, lo <> hi AS conflicting FROM (
    SELECT n, premise, label, kind, row_number() OVER same AS turn, count(*) OVER every AS times,
    min(label) OVER every AS lo, max(label) OVER every AS hi
    FROM pairs WINDOW every AS (PARTITION BY pair), same AS (PARTITION BY pair ORDER BY kind, n)
) WHERE turn = 1 ORDER BY n
"""


@dataclass(frozen=True)
class Doubles:
    """Pairs that were left out because they stand twice."""

    doubles: int
    conflicting: int
    """Also the first, where two have different labels."""


class PairTable:
    """The pairs of a corpus under the numbers of their lines."""

    def __init__(self) -> None:
        with sqlite_errors():
            self._db = scratch_tables(_PAIRS)
            self._db.execute("BEGIN")

    def add(self, number: int, premise: str, hypothesis: str, *, label: str, kind: int) -> None:
        """One more pair."""
        row = number, pair_key(premise, hypothesis), text_key(premise), LABELS.index(label), kind
        with sqlite_errors():
            self._db.execute("INSERT INTO pairs VALUES (?, ?, ?, ?, ?)", row)

    def settle(self) -> Doubles:
        """All pairs are there: of the same pair the first is kept, one with a category before one without."""
        with sqlite_errors():
            self._db.execute(_KEPT)
            doubles, conflicting = self._db.execute(
                "SELECT sum(doubles * (1 - conflicting)), sum((doubles + 1) * conflicting) FROM kept"
            ).fetchone()
            self._db.execute("DELETE FROM kept WHERE conflicting")
            self._db.execute("DROP TABLE pairs")
        return Doubles(doubles or 0, conflicting or 0)

    def count(self, kind: int) -> Counter[str]:
        """How many pairs of a kind each label has."""
        with sqlite_errors():
            rows = self._db.execute("SELECT label, count(*) FROM kept WHERE kind = ? GROUP BY label", (kind,))
            return Counter({LABELS[label]: number for label, number in rows})

    def of_kind(self, kind: int) -> Iterator[tuple[int, bytes]]:
        """Line and premise of the pairs of a kind, in the order of the lines."""
        with sqlite_errors():
            yield from self._db.execute("SELECT n, premise FROM kept WHERE kind = ? ORDER BY n", (kind,))

    def draw_dev(self, size: int, seed: int) -> tuple[set[int], set[bytes]]:
        """The lines of NLI_dev, as many of each label, and their premises, which NLI_train may not have."""
        there = {label: self.count(PLAIN)[label] for label in LABELS}
        wanted = even_shares(dict.fromkeys(LABELS, size), size)
        short = [label for label in LABELS if there[label] < wanted[label]]
        if short:
            raise UsageError(
                "L102",
                f"dev_size={size}: {wanted[short[0]]:,} pairs of {short[0]} without negation are needed, "
                f"there are {there[short[0]]:,}",
                hint=f"--option dev_size={min(there.values()) // 2 * 3} would take half of the rarest label",
            )
        lines: set[int] = set()
        premises: set[bytes] = set()
        with sqlite_errors():
            self._db.create_function("by_chance", 1, lambda premise: by_chance(seed, premise), deterministic=True)
            rows = self._db.execute(
                "SELECT n, premise, label FROM kept WHERE kind = ? ORDER BY by_chance(premise), premise, n", (PLAIN,)
            )
            for number, premise, label in rows:
                if not any(wanted.values()):
                    break
                if wanted[LABELS[label]]:
                    wanted[LABELS[label]] -= 1
                    lines.add(number)
                    premises.add(premise)
        return lines, premises
