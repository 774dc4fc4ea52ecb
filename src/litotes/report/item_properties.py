"""What is known of each item without asking a model: properties that may make it hard, and where words overlap most."""

from __future__ import annotations

from dataclasses import dataclass

from litotes.evaluation.analysis.difficulty import PROPERTIES
from litotes.evaluation.analysis.overlap import word_overlap
from litotes.report.suite_runs import SuiteRuns

NO_OPTION = -1
_SAME = 1e-9


@dataclass(frozen=True)
class ItemBins:
    """A property, its values, and which of them each item has; -1 where it is not known."""

    name: str
    values: tuple[str, ...]
    of: tuple[int, ...]


def item_bins(suite: SuiteRuns) -> list[ItemBins]:
    """The properties in which the items of a suite differ."""
    found = []
    for name, (values, read) in PROPERTIES.items():
        place: dict[str | None, int] = {value: number for number, value in enumerate(values)}
        of = tuple(place.get(read(item), -1) for item in suite.items)
        if len(set(of) - {-1}) > 1:
            found.append(ItemBins(name, values, of))
    return found


def has_overlap(suite: SuiteRuns) -> bool:
    """Whether options are pairs of sentences, of which words can overlap."""
    return (
        not suite.labelled
        and bool(suite.items)
        and all(
            place is not None and suite.layout().pairs[place].count("~") == 1 for place in suite.layout().pair_of_option
        )
    )


def overlaps(suite: SuiteRuns) -> list[list[float]]:
    """The share of words that the two sentences of each option have in common: a row an item."""
    if not has_overlap(suite):
        return []
    layout = suite.layout()
    pairs = [layout.pairs[place].split("~") for place in layout.pair_of_option if place is not None]
    return [[word_overlap(*(item.sentences.get(role, "") for role in pair)) for pair in pairs] for item in suite.items]


def highest_overlap(suite: SuiteRuns) -> list[int]:
    """In each item the option that has more words in common than all others; -1 where none is alone."""
    found = []
    for shares in overlaps(suite):
        top = max(shares)
        first = [place for place, share in enumerate(shares) if share >= top - _SAME]
        found.append(first[0] if len(first) == 1 else NO_OPTION)
    return found
