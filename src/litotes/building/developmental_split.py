"""Drawing by chance: train and test by premise, dev sets and undersampled sets balanced over labels."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from litotes.building.developmental_pairs import by_chance
from litotes.corpora.nli import LABELS, NliPair

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
