"""Difficulty of items by word frequency, kind of antonym, sentence length and position of the negation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from litotes.evaluation.analysis.agreement import credit_matrix
from litotes.evaluation.result import Interval, ItemResult, RunResult
from litotes.evaluation.statistics import Floats, GroupBootstrap, sum_by_group
from litotes.languages.base import get_language

_NEGATED_ROLES = ("negated", "negation_main", "polarity")
"""Roles whose sentence is the first one with a negation added or removed."""
_RARE, _FREQUENT = 5, 50
_SHORT, _LONG = 5, 10


@dataclass(frozen=True)
class DifficultyBin:
    """Items with the same value of a property, and the accuracy of the models on them."""

    property: str
    value: str
    items: int
    groups: int
    accuracy: float
    """The mean over items and models."""
    ci: Interval


def difficulty_bins(runs: Sequence[RunResult]) -> list[DifficultyBin]:
    """Return the joint accuracy of all runs by property; items with an unknown value are skipped."""
    credit = credit_matrix(runs).mean(axis=0)
    items = runs[0].items
    bins: list[DifficultyBin] = []
    for name, (values, value_of) in PROPERTIES.items():
        item_values = [value_of(item) for item in items]
        for value in values:
            indices = [index for index, item_value in enumerate(item_values) if item_value == value]
            if indices:
                bins.append(_bin(name, value, credit[indices], [items[index].group for index in indices]))
    return bins


def _bin(name: str, value: str, credit: Floats, groups: Sequence[str]) -> DifficultyBin:
    sums = sum_by_group(credit, groups)
    interval = GroupBootstrap(len(sums.items)).share_intervals(sums)[0]
    return DifficultyBin(name, value, len(credit), len(sums.items), float(credit.mean()), interval)


def _frequency(item: ItemResult) -> str | None:
    """Return the frequency class of the rarer one of the two antonyms, by the counts of WordNet."""
    words = [item.tags[tag] for tag in ("word", "antonym") if item.tags.get(tag)]
    if not words:
        return None
    language = get_language()
    count = min(max(language.word_frequency(word.lower(), pos) for pos in ("a", "v", "r", "n")) for word in words)
    return "rare" if count < _RARE else "frequent" if count >= _FREQUENT else "between"


def _opposites(item: ItemResult) -> str | None:
    word, antonym = item.tags.get("word"), item.tags.get("antonym")
    if not word or not antonym:
        return None
    return "affixal" if get_language().is_affixal_antonym(word.lower(), antonym.lower()) else "lexical"


def _first_sentence(item: ItemResult) -> str:
    return next(iter(item.sentences.values()))


def _length(item: ItemResult) -> str:
    words = len(_first_sentence(item).split())
    return "short" if words <= _SHORT else "long" if words > _LONG else "middling"


def _negation_in_first(item: ItemResult) -> str:
    return "with" if get_language().negation_spans(_first_sentence(item)) else "without"


def _negation_position(item: ItemResult) -> str | None:
    """Return where in its sentence the negation is that the item tests, or else the first negation of the item."""
    negation = _tested_negation(item) or _first_negation(item)
    if negation is None:
        return None
    text, start = negation
    share = start / max(1, len(text))
    return "first third" if share < 1 / 3 else "last third" if share >= 2 / 3 else "middle third"


def _tested_negation(item: ItemResult) -> tuple[str, int] | None:
    """Return a sentence, and the start of its negation that the counterpart of the sentence does not have."""
    role = next((role for role in _NEGATED_ROLES if role in item.sentences), None)
    if role is None:
        return None
    # The counterpart of a negated sentence has no negation, so either of the two can have more.
    spans_of = get_language().negation_spans
    fewer, more = sorted((_first_sentence(item), item.sentences[role]), key=lambda text: len(spans_of(text)))
    common = takewhile(lambda pair: pair[0] == pair[1], zip(fewer.lower(), more.lower(), strict=False))
    n_common = sum(1 for _ in common)
    # The two may have an earlier negation in common.
    return next(((more, start) for start, end in spans_of(more) if end > n_common), None)


def _first_negation(item: ItemResult) -> tuple[str, int] | None:
    candidates = ((text, get_language().negation_spans(text)) for text in item.sentences.values())
    return next(((text, spans[0][0]) for text, spans in candidates if spans), None)


PROPERTIES: dict[str, tuple[tuple[str, ...], Callable[[ItemResult], str | None]]] = {
    "frequency of the rarer word": (("rare", "between", "frequent"), _frequency),
    "opposites": (("affixal", "lexical"), _opposites),
    "length of the sentence": (("short", "middling", "long"), _length),
    "negation in the first sentence": (("without", "with"), _negation_in_first),
    "place of the negation": (("first third", "middle third", "last third"), _negation_position),
}
"""By name: the values in display order, and the function that returns an item's value."""
