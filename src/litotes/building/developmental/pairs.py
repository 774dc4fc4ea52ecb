"""Deduplication, splitting, sampling and leakage of NLI pairs, without regard to case, whitespace and punctuation."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from litotes.core.errors import UsageError
from litotes.core.sqlite import sqlite_errors, temporary_database
from litotes.corpora.nli import LABELS, NliPair, read_nli
from litotes.corpora.sources import resolve_sources
from litotes.languages.negation_categories import CATEGORIES

_DIGEST = 12
"""Bytes of a digest; a collision among a million texts is expected once in 10^16 builds."""


def normalised(text: str) -> str:
    """Return the letters and digits of a text in lower case; a text without any is returned unchanged.

    >>> normalised("It is n't  late."), normalised("It isn’t late"), normalised("?!")
    ('itisntlate', 'itisntlate', '?!')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign for sign in folded if sign.isalnum()) or " ".join(folded.split())


def text_key(text: str) -> bytes:
    """Return a digest that is equal for texts that differ only in case, whitespace and punctuation."""
    return hashlib.blake2b(normalised(text).encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()


def pair_key(premise: str, hypothesis: str) -> bytes:
    """Return a digest of a pair of texts."""
    both = f"{normalised(premise)}\0{normalised(hypothesis)}"
    return hashlib.blake2b(both.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()


def random_key(seed: int, key: str | bytes) -> bytes:
    """Return a pseudorandom sort key that depends on seed and key alone."""
    raw = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
    return hashlib.blake2b(f"{seed}\0".encode() + raw, digest_size=_DIGEST).digest()


@dataclass(frozen=True)
class DeduplicatedPairs:
    """Pairs without repetitions."""

    pairs: list[NliPair]
    repeated: int
    """Pairs removed because the same pair with the same label occurred earlier."""
    conflicting: int
    """Pairs removed because the same pair occurs with another label."""


def deduplicate(pairs: Iterable[NliPair]) -> DeduplicatedPairs:
    """Return each pair once, in the order of first occurrence; pairs with several labels are removed entirely.

    >>> same = NliPair("a:1", "It rains.", "It is dry.", "contradiction", ("labeling",))
    >>> repeated, other = replace(same, id="a:2", premise="it rains"), replace(same, id="a:3", hypothesis="No.")
    >>> result = deduplicate([same, repeated, other])
    >>> [pair.id for pair in result.pairs], result.repeated, result.conflicting
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
        first[key] = replace(known, categories=in_category_order(known.categories, pair.categories))
    return DeduplicatedPairs(
        pairs=[pair for key, pair in first.items() if key not in conflicting],
        repeated=sum(times - 1 for key, times in count.items() if key not in conflicting),
        conflicting=sum(count[key] for key in conflicting),
    )


def in_category_order(*lists: Sequence[str] | None) -> tuple[str, ...]:
    """Return the categories that are in any of the lists, in the paper's order.

    >>> in_category_order(("rejection",), None, ("labeling", "rejection"))
    ('labeling', 'rejection')
    """
    union = {category for categories in lists for category in categories or ()}
    return tuple(category for category in CATEGORIES if category in union)


Cell = tuple[str, str]
"""A category and a label; "" for all labels."""


def cells_of(pair: NliPair) -> list[Cell]:
    """Return the cells in which a pair is counted: each of its categories, in total and with its label."""
    return [(category, label) for category in pair.categories or () for label in ("", pair.label)]


def draw_test_groups(groups: Mapping[bytes, Counter[Cell]], share: float, seed: int) -> set[bytes]:
    """Return the groups (premises with all their pairs) of the test sets.

    The groups are visited in an order that depends on the seed, and each is assigned to the side that keeps the share
    of test pairs of every category and label closest to `share`.
    """
    test: set[bytes] = set()
    excess: defaultdict[Cell, float] = defaultdict(float)
    """Test pairs assigned so far in excess of the share."""
    for group in sorted(groups, key=lambda key: (random_key(seed, key), key)):
        cells = groups[group]
        in_test = sum((excess[cell] + (1 - share) * count) ** 2 for cell, count in cells.items())
        in_train = sum((excess[cell] - share * count) ** 2 for cell, count in cells.items())
        is_test = in_test < in_train
        for cell, count in cells.items():
            excess[cell] += (1 - share) * count if is_test else -share * count
        if is_test:
            test.add(group)
    return test


def even_shares(available: Mapping[str, int], total: int) -> dict[str, int]:
    """Divide a total among labels as evenly as the available numbers permit.

    >>> even_shares({"entailment": 5, "neutral": 100, "contradiction": 100}, 60)
    {'entailment': 5, 'neutral': 28, 'contradiction': 27}
    """
    shares = dict.fromkeys(available, 0)
    remaining = min(total, sum(available.values()))
    while remaining:
        unfilled = [label for label in available if shares[label] < available[label]]
        step = max(1, remaining // len(unfilled))
        for label in unfilled:
            added = min(step, available[label] - shares[label], remaining)
            shares[label] += added
            remaining -= added
    return shares


def undersample(pairs: Sequence[NliPair], size: int, seed: int) -> list[NliPair]:
    """Draw pairs evenly from the labels; the order is preserved."""
    by_label: dict[str, list[int]] = {label: [] for label in LABELS}
    for index, pair in enumerate(pairs):
        by_label[pair.label].append(index)
    shares = even_shares({label: len(indexes) for label, indexes in by_label.items()}, size)
    chosen: list[int] = []
    for label, indexes in by_label.items():
        indexes.sort(key=lambda index: (random_key(seed, pairs[index].id), index))
        chosen += indexes[: shares[label]]
    return [pairs[index] for index in sorted(chosen)]


def smallest_size(sets: Mapping[str, Sequence[NliPair]]) -> int:
    """Return the size of the smallest non-empty set."""
    return min((len(pairs) for pairs in sets.values() if pairs), default=0)


def group_counts(keyed: Iterable[tuple[bytes, Iterable[Cell]]]) -> dict[bytes, Counter[Cell]]:
    """Count the cells of each group, given the group and the cells of each pair."""
    groups: dict[bytes, Counter[Cell]] = {}
    for key, cells in keyed:
        groups.setdefault(key, Counter()).update(cells)
    return groups


DIAGNOSTIC, NEGATED, PLAIN = 0, 1, 2
"""Kinds of pairs: with a category; with a negation marker but no category; without a marker."""

_PAIRS = """
CREATE TABLE pairs (
    n INTEGER PRIMARY KEY, pair BLOB NOT NULL, premise BLOB NOT NULL, label INTEGER NOT NULL, kind INTEGER NOT NULL
)
"""
_DEDUPLICATE = """
CREATE TABLE unique_pairs AS
SELECT n, premise, label, kind, times - 1 AS repeated, lo <> hi AS conflicting FROM (
    SELECT n, premise, label, kind, row_number() OVER same AS turn, count(*) OVER every AS times,
    min(label) OVER every AS lo, max(label) OVER every AS hi
    FROM pairs WINDOW every AS (PARTITION BY pair), same AS (PARTITION BY pair ORDER BY kind, n)
) WHERE turn = 1 ORDER BY n
"""


@dataclass(frozen=True)
class DuplicateCounts:
    """Pairs removed from a table."""

    repeated: int
    conflicting: int
    """All occurrences of pairs with several labels."""


class PairTable:
    """The pairs of a corpus by line number, in a temporary database."""

    def __init__(self) -> None:
        with sqlite_errors():
            self._db = temporary_database(_PAIRS)
            self._db.execute("BEGIN")

    def add(self, number: int, premise: str, hypothesis: str, *, label: str, kind: int) -> None:
        """Add a pair."""
        row = number, pair_key(premise, hypothesis), text_key(premise), LABELS.index(label), kind
        with sqlite_errors():
            self._db.execute("INSERT INTO pairs VALUES (?, ?, ?, ?, ?)", row)

    def deduplicate(self) -> DuplicateCounts:
        """Remove repeated pairs; of equal pairs the first with a category remains, or else the first."""
        with sqlite_errors():
            self._db.execute(_DEDUPLICATE)
            repeated, conflicting = self._db.execute(
                "SELECT sum(repeated * (1 - conflicting)), sum((repeated + 1) * conflicting) FROM unique_pairs"
            ).fetchone()
            self._db.execute("DELETE FROM unique_pairs WHERE conflicting")
            self._db.execute("DROP TABLE pairs")
        return DuplicateCounts(repeated or 0, conflicting or 0)

    def count(self, kind: int) -> Counter[str]:
        """Return the number of pairs of a kind by label."""
        with sqlite_errors():
            rows = self._db.execute("SELECT label, count(*) FROM unique_pairs WHERE kind = ? GROUP BY label", (kind,))
            return Counter({LABELS[label]: number for label, number in rows})

    def of_kind(self, kind: int) -> Iterator[tuple[int, bytes]]:
        """Yield line number and premise of the pairs of a kind, in the order of the lines."""
        with sqlite_errors():
            yield from self._db.execute("SELECT n, premise FROM unique_pairs WHERE kind = ? ORDER BY n", (kind,))

    def draw_dev(self, size: int, seed: int) -> tuple[set[int], set[bytes]]:
        """Draw NLI_dev with equal numbers of each label; return its lines and premises."""
        available = {label: self.count(PLAIN)[label] for label in LABELS}
        missing = even_shares(dict.fromkeys(LABELS, size), size)
        short = [label for label in LABELS if available[label] < missing[label]]
        if short:
            raise UsageError(
                "L102",
                f"dev_size={size}: {missing[short[0]]:,} pairs of {short[0]} without negation are needed, "
                f"there are {available[short[0]]:,}",
                hint=f"--option dev_size={min(available.values()) // 2 * 3} takes half of the rarest label",
            )
        lines: set[int] = set()
        premises: set[bytes] = set()
        with sqlite_errors():
            self._db.create_function("random_key", 1, lambda premise: random_key(seed, premise), deterministic=True)
            rows = self._db.execute(
                "SELECT n, premise, label FROM unique_pairs WHERE kind = ? ORDER BY random_key(premise), premise, n",
                (PLAIN,),
            )
            for number, premise, label in rows:
                if not any(missing.values()):
                    break
                if missing[LABELS[label]]:
                    missing[LABELS[label]] -= 1
                    lines.add(number)
                    premises.add(premise)
        return lines, premises


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
