"""When two NLI pairs are the same: texts compared without case, blanks and punctuation, kept as short digests."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from litotes.core.errors import UsageError
from litotes.core.sqlite import sqlite_errors, temporary_database
from litotes.corpora.nli import LABELS, NliPair
from litotes.languages.negation_categories import CATEGORIES

_DIGEST = 12
"""Bytes: among a million texts two different ones share a digest once in 10^16 builds."""


def normalised(text: str) -> str:
    """The letters and figures of a text, and nothing else; a text that has none stays as it is.

    >>> normalised("It is n't  late."), normalised("It isn’t late"), normalised("?!")
    ('itisntlate', 'itisntlate', '?!')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign for sign in folded if sign.isalnum()) or " ".join(folded.split())


def text_key(text: str) -> bytes:
    """What stands for a text: equal for texts that are the same but for case, blanks and punctuation."""
    return hashlib.blake2b(normalised(text).encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()


def pair_key(premise: str, hypothesis: str) -> bytes:
    """What stands for a pair of texts."""
    both = f"{normalised(premise)}\0{normalised(hypothesis)}"
    return hashlib.blake2b(both.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()


def by_chance(seed: int, key: str | bytes) -> bytes:
    """A number drawn for a key: the same for the same seed, wherever and whenever it is drawn."""
    raw = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
    return hashlib.blake2b(f"{seed}\0".encode() + raw, digest_size=_DIGEST).digest()


@dataclass(frozen=True)
class Singled:
    """Pairs of which none stands twice."""

    pairs: list[NliPair]
    doubles: int
    """Pairs left out because the same pair with the same label came before."""
    conflicting: int
    """Pairs left out because the same pair has another label elsewhere."""


def single(pairs: Iterable[NliPair]) -> Singled:
    """Each pair once, in the order of the first; of pairs that contradict each other in the label none is kept.

    >>> same = NliPair("a:1", "It rains.", "It is dry.", "contradiction", ("labeling",))
    >>> found = single([same, replace(same, id="a:2", premise="it rains"), replace(same, id="a:3", hypothesis="No.")])
    >>> [pair.id for pair in found.pairs], found.doubles, found.conflicting
    (['a:1', 'a:3'], 1, 0)
    """
    first: dict[bytes, NliPair] = {}
    count: dict[bytes, int] = {}
    conflicting: set[bytes] = set()
    for pair in pairs:
        key = pair_key(pair.premise, pair.hypothesis)
        count[key] = count.get(key, 0) + 1
        known = first.setdefault(key, pair)
        if known.label != pair.label:
            conflicting.add(key)
        first[key] = replace(known, categories=in_paper_order(known.categories, pair.categories))
    return Singled(
        pairs=[pair for key, pair in first.items() if key not in conflicting],
        doubles=sum(times - 1 for key, times in count.items() if key not in conflicting),
        conflicting=sum(count[key] for key in conflicting),
    )


def in_paper_order(*several: Sequence[str] | None) -> tuple[str, ...]:
    """The categories that any of several lists has.

    >>> in_paper_order(("rejection",), None, ("labeling", "rejection"))
    ('labeling', 'rejection')
    """
    named = {category for one in several for category in one or ()}
    return tuple(category for category in CATEGORIES if category in named)


Cell = tuple[str, str]
"""A category and a label; "" for all its labels together."""


def cells_of(pair: NliPair) -> list[Cell]:
    """Where a pair counts: each of its categories, as a whole and with its label."""
    return [(category, label) for category in pair.categories or () for label in ("", pair.label)]


def drawn_for_test(groups: Mapping[bytes, Counter[Cell]], share: float, seed: int) -> set[bytes]:
    """The groups that make the test sets: of each category and label about that share of the pairs.

    A group (a premise with all its pairs) goes to one side as a whole. They are gone through in an order drawn by the
    seed, and each goes where it keeps the shares nearest to what is asked.
    """
    test: set[bytes] = set()
    over: defaultdict[Cell, float] = defaultdict(float)
    """How many more pairs test has than its share of what was gone through."""
    for group in sorted(groups, key=lambda key: (by_chance(seed, key), key)):
        cells = groups[group]
        in_test = sum((over[cell] + (1 - share) * count) ** 2 for cell, count in cells.items())
        in_train = sum((over[cell] - share * count) ** 2 for cell, count in cells.items())
        goes = in_test < in_train
        for cell, count in cells.items():
            over[cell] += (1 - share) * count if goes else -share * count
        if goes:
            test.add(group)
    return test


def even_shares(there: Mapping[str, int], wanted: int) -> dict[str, int]:
    """How many of each label make so many in all, as evenly as the labels reach.

    >>> even_shares({"entailment": 5, "neutral": 100, "contradiction": 100}, 60)
    {'entailment': 5, 'neutral': 28, 'contradiction': 27}
    """
    shares = dict.fromkeys(there, 0)
    left = min(wanted, sum(there.values()))
    while left:
        open_ = [label for label in there if shares[label] < there[label]]
        each = max(1, left // len(open_))
        for label in open_:
            more = min(each, there[label] - shares[label], left)
            shares[label] += more
            left -= more
    return shares


def undersampled(pairs: Sequence[NliPair], size: int, seed: int) -> list[NliPair]:
    """So many of the pairs, evenly over the labels as far as they reach, in the order in which they stood."""
    by_label: dict[str, list[int]] = {label: [] for label in LABELS}
    for place, pair in enumerate(pairs):
        by_label[pair.label].append(place)
    shares = even_shares({label: len(places) for label, places in by_label.items()}, size)
    chosen: list[int] = []
    for label, places in by_label.items():
        places.sort(key=lambda place: (by_chance(seed, pairs[place].id), place))
        chosen += places[: shares[label]]
    return [pairs[place] for place in sorted(chosen)]


def smallest(sets: Mapping[str, Sequence[NliPair]]) -> int:
    """The size of the smallest set that has pairs at all."""
    return min((len(pairs) for pairs in sets.values() if pairs), default=0)


def groups_of(keyed: Iterable[tuple[bytes, Iterable[Cell]]]) -> dict[bytes, Counter[Cell]]:
    """What each group counts for, from the group and the cells of each pair."""
    groups: dict[bytes, Counter[Cell]] = {}
    for key, cells in keyed:
        groups.setdefault(key, Counter()).update(cells)
    return groups


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
            self._db = temporary_database(_PAIRS)
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
