"""What makes items hard: by how frequent the word is, affixal or lexical opposites, length, place of the negation."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from litotes.evaluation.analysis.agreement import credit_matrix
from litotes.evaluation.result import Interval, ItemResult, RunResult
from litotes.evaluation.statistics import Floats, GroupBootstrap, sum_by_group
from litotes.languages.en.lexicon.antonyms import is_affixal
from litotes.languages.en.lexicon.wordnet import frequency

_NEGATION = re.compile(r"\b(?:not|no|never|cannot|nobody|nothing|none|neither|nor)\b|n['’]t\b", re.IGNORECASE)
_NEGATED_ROLES = ("negated", "negation_main", "polarity")
"""The roles under which a suite's first sentence stands with negation put in or taken out."""
_RARE, _FREQUENT = 5, 50
_SHORT, _LONG = 5, 10


@dataclass(frozen=True)
class DifficultyBin:
    """Items that have something in common, and how the models do on them."""

    property: str
    value: str
    items: int
    groups: int
    accuracy: float
    """The mean over items and models."""
    ci: Interval


def difficulty_bins(runs: Sequence[RunResult]) -> list[DifficultyBin]:
    """The accuracy of all runs together in bins of each property; items of which it is not known are left out."""
    credit = credit_matrix(runs).mean(axis=0)
    items = runs[0].items
    found: list[DifficultyBin] = []
    for name, (values, read) in PROPERTIES.items():
        read_values = [read(item) for item in items]
        for value in values:
            places = [place for place, one in enumerate(read_values) if one == value]
            if places:
                found.append(_bin(name, value, credit[places], [items[place].group for place in places]))
    return found


def _bin(name: str, value: str, credit: Floats, groups: Sequence[str]) -> DifficultyBin:
    sums = sum_by_group(credit, groups)
    interval = GroupBootstrap(len(sums.items)).share_intervals(sums)[0]
    return DifficultyBin(name, value, len(credit), len(sums.items), float(credit.mean()), interval)


def _frequency(item: ItemResult) -> str | None:
    """By the rarer of the two opposites, in WordNet's counts."""
    words = [item.tags[tag] for tag in ("word", "antonym") if item.tags.get(tag)]
    if not words:
        return None
    count = min(max(frequency(word.lower(), pos) for pos in "avrn") for word in words)
    return "rare" if count < _RARE else "frequent" if count >= _FREQUENT else "between"


def _opposites(item: ItemResult) -> str | None:
    word, antonym = item.tags.get("word"), item.tags.get("antonym")
    if not word or not antonym:
        return None
    return "affixal" if is_affixal(word.lower(), antonym.lower()) else "lexical"


def _first(item: ItemResult) -> str:
    return next(iter(item.sentences.values()))


def _length(item: ItemResult) -> str:
    words = len(_first(item).split())
    return "short" if words <= _SHORT else "long" if words > _LONG else "middling"


def _first_negated(item: ItemResult) -> str:
    return "without" if _NEGATION.search(_first(item)) is None else "with"


def _place_of_negation(item: ItemResult) -> str | None:
    """Where the negation stands that the item is about, or else the first one in any of its sentences."""
    found = _changed_negation(item) or _any_negation(item)
    if found is None:
        return None
    text, start = found
    share = start / max(1, len(text))
    return "first third" if share < 1 / 3 else "last third" if share >= 2 / 3 else "middle third"


def _changed_negation(item: ItemResult) -> tuple[str, int] | None:
    """A sentence and where in it the negation stands that its counterpart lacks."""
    role = next((role for role in _NEGATED_ROLES if role in item.sentences), None)
    if role is None:
        return None
    both = _first(item), item.sentences[role]
    # What was negated before loses its negation, so either of the two may be the one that has more.
    less, more = sorted(both, key=lambda text: len(_NEGATION.findall(text)))
    alike = takewhile(lambda two: two[0] == two[1], zip(less.lower(), more.lower(), strict=False))
    shared = sum(1 for _ in alike)
    # The two may share an earlier negation, which is not the one that makes the difference.
    return next(((more, match.start()) for match in _NEGATION.finditer(more) if match.end() > shared), None)


def _any_negation(item: ItemResult) -> tuple[str, int] | None:
    found = ((text, _NEGATION.search(text)) for text in item.sentences.values())
    return next(((text, match.start()) for text, match in found if match is not None), None)


PROPERTIES: dict[str, tuple[tuple[str, ...], Callable[[ItemResult], str | None]]] = {
    "frequency of the rarer word": (("rare", "between", "frequent"), _frequency),
    "opposites": (("affixal", "lexical"), _opposites),
    "length of the sentence": (("short", "middling", "long"), _length),
    "negation in the first sentence": (("without", "with"), _first_negated),
    "place of the negation": (("first third", "middle third", "last third"), _place_of_negation),
}
"""Each property with its values, in the order in which they are shown, and how it is read from an item."""
