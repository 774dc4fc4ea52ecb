"""The developmental negation corpus as experiments use it: diagnostic sets a category, and NLI without negation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.building.developmental.pairs import by_chance, in_paper_order
from litotes.core.errors import LitotesError
from litotes.core.files import expand_user, is_file, read_json_lines
from litotes.corpora.nli import LABELS, NliPair
from litotes.languages.en.developmental.categories import CATEGORIES
from litotes.suites.folder import load_folder

TEST, TRAIN = "test", "train"
NLI_TRAIN, NLI_DEV = "nli_train.jsonl", "nli_dev.jsonl"
STATISTICS, STATISTICS_PAGE = "statistics.json", "statistics.md"


@dataclass(frozen=True)
class DevelopmentalCorpus:
    """Diagnostic train sets by category, one test set whose pairs say their categories, and NLI without negation."""

    train: Mapping[str, Sequence[NliPair]]
    """Every category; one that has no pairs has an empty list."""
    undersampled: Mapping[str, Sequence[NliPair]]
    """The same, all of one size."""
    test: Sequence[NliPair]
    nli_dev: Sequence[NliPair] = ()
    folder: Path | None = None
    """Where NLI_train lies; None where there is none."""

    def nli_train(self) -> Iterator[NliPair]:
        """The pairs without negation, one after the other: there may be a million of them."""
        return iter(()) if self.folder is None else read_pairs(self.folder / NLI_TRAIN)

    def test_of(self, category: str) -> list[NliPair]:
        """The diagnostic test set of one category."""
        return [pair for pair in self.test if category in (pair.categories or ())]


def train_file(category: str, *, undersampled: bool = False) -> str:
    """The place of a category's train set in a corpus's folder.

    >>> train_file("rejection", undersampled=True)
    'train/rejection_undersampled.jsonl'
    """
    return f"{TRAIN}/{category}{'_undersampled' if undersampled else ''}.jsonl"


def load_developmental(folder: str | Path) -> DevelopmentalCorpus:
    """The corpus that `litotes build developmental` wrote into a folder."""
    place = expand_user(folder)
    if not is_file(place / STATISTICS):
        raise LitotesError(
            "L201", f"{place}: is no developmental corpus", hint="litotes build developmental --out DIR makes one"
        )
    test = [
        NliPair(
            item.id,
            item.sentences["premise"],
            item.sentences["hypothesis"],
            item.tags["label"],
            in_paper_order(item.tags.get("categories", "").split()),
        )
        for item in load_folder(place / TEST).items
    ]
    return DevelopmentalCorpus(
        train={category: list(read_pairs(place / train_file(category))) for category in CATEGORIES},
        undersampled={
            category: list(read_pairs(place / train_file(category, undersampled=True))) for category in CATEGORIES
        },
        test=test,
        nli_dev=list(read_pairs(place / NLI_DEV)),
        folder=place,
    )


def pair_line(pair: NliPair, **more: Any) -> dict[str, Any]:
    """A pair as a line of the corpus: `read_nli` reads it too, with its categories."""
    named = pair.categories or ()
    return {
        "id": pair.id,
        "premise": pair.premise,
        "hypothesis": pair.hypothesis,
        "label": pair.label,
        **more,
        **{category: int(category in named) for category in CATEGORIES},
    }


def read_pairs(path: Path) -> Iterator[NliPair]:
    """The pairs of a file of the corpus, under the ids that they have there."""
    for number, line in read_json_lines(path):
        texts = [line.get(name) for name in ("id", "premise", "hypothesis", "label")]
        if not all(isinstance(text, str) for text in texts) or texts[3] not in LABELS:
            raise LitotesError(
                "L203", f"{path}:{number}: is no line of a developmental corpus", hint="build the corpus again"
            )
        categories = tuple(category for category in CATEGORIES if line.get(category) == 1)
        own, premise, hypothesis, label = map(str, texts)
        yield NliPair(own, premise, hypothesis, label, categories)


def split_published(
    files: str | Path | Sequence[str | Path], seed: int = 0, test_share: float = 1 / 3
) -> DevelopmentalCorpus:
    """The published diagnostic files (or a folder of them) split anew, in memory; see `published`."""
    from litotes.building.developmental import published

    return published.split_published(files, seed, test_share)


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
