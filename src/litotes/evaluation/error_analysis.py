"""What models get wrong: common errors and agreement, lexical overlap, and difficulty by properties of items."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import UsageError
from litotes.evaluation.result import Interval, ItemResult, RunResult
from litotes.evaluation.statistics import Floats, GroupBootstrap, spearman, sum_by_group
from litotes.languages.base import get_language
from litotes.suites.base import pair_name
from litotes.suites.lexical_overlap import normalised_levenshtein, tokens


@dataclass(frozen=True)
class MissedGroup:
    """The number of items of a group that are missed together, and its size."""

    group: str
    missed: int
    items: int


@dataclass(frozen=True)
class MissedItems:
    """The items that at least `at_least` of the models miss."""

    models: tuple[str, ...]
    at_least: int
    items: tuple[str, ...]
    """Item ids in the order of the suite."""
    groups: tuple[MissedGroup, ...]
    """Groups with missed items, the most frequent first."""


def credit_matrix(runs: Sequence[RunResult]) -> NDArray[np.float64]:
    """Return the credits with one row per run and one column per item; all runs must have the same items."""
    first = [item.id for item in runs[0].items]
    for run in runs:
        if run.suite.sha256 != runs[0].suite.sha256 or [item.id for item in run.items] != first:
            raise UsageError("L102", f"{run.model} and {runs[0].model}: did not run the same items")
    return np.array([[item.credit for item in run.items] for run in runs], dtype=np.float64)


def best_runs(runs: Sequence[RunResult], count: int) -> list[RunResult]:
    """Return the runs with the highest accuracy, the best first."""
    return sorted(runs, key=lambda run: (-run.metrics.accuracy, run.model))[:count]


def missed_items(runs: Sequence[RunResult], at_least: int | None = None) -> MissedItems:
    """Return the items that a number of models miss, by default all models; a tie counts as a miss."""
    if not runs:
        raise UsageError("L102", "at least one run is needed")
    needed = len(runs) if at_least is None else at_least
    if not 1 <= needed <= len(runs):
        raise UsageError("L102", f"at_least={needed}: there are {len(runs)} models")
    wrong = (credit_matrix(runs) < 1).sum(axis=0) >= needed
    items = [item for item, is_missed in zip(runs[0].items, wrong, strict=True) if is_missed]
    sizes = Counter(item.group for item in runs[0].items)
    counts = Counter(item.group for item in items)
    groups = [MissedGroup(group, count, sizes[group]) for group, count in counts.items()]
    return MissedItems(
        models=tuple(run.model for run in runs),
        at_least=needed,
        items=tuple(item.id for item in items),
        groups=tuple(sorted(groups, key=lambda group: (-group.missed, group.group))),
    )


@dataclass(frozen=True)
class ModelAgreement:
    """The agreement between two models: the share of equal choices, and Cohen's kappa."""

    a: str
    b: str
    same: float
    kappa: float
    """1 for perfect agreement, 0 for the agreement expected by accident."""


def cohen_kappa(a: Sequence[object], b: Sequence[object]) -> float:
    """Return Cohen's kappa of two lists of choices; 1 if all choices are the same.

    >>> cohen_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    observed = sum(x == y for x, y in zip(a, b, strict=True)) / len(a)
    counts_a, counts_b = Counter(a), Counter(b)
    expected = sum(counts_a[choice] * counts_b[choice] for choice in counts_a) / len(a) ** 2
    return 1.0 if expected == 1 else (observed - expected) / (1 - expected)


def model_agreements(runs: Sequence[RunResult]) -> list[ModelAgreement]:
    """Return the agreement of every two runs, in their order; a tie counts as a choice of its own."""
    if len(runs) > 1:
        credit_matrix(runs)  # raises an error if the items differ
    choices = [[item.choice for item in run.items] for run in runs]
    return [
        ModelAgreement(
            runs[a].model,
            runs[b].model,
            float(np.mean([x == y for x, y in zip(choices[a], choices[b], strict=True)])),
            cohen_kappa(choices[a], choices[b]),
        )
        for a in range(len(runs))
        for b in range(a + 1, len(runs))
    ]


_TOLERANCE = 1e-9


@dataclass(frozen=True)
class OverlapPreference:
    """How closely the choices and similarities of a run follow lexical overlap."""

    model: str
    items: int
    """Items in which a single option has the highest overlap."""
    chosen: float
    """The share of these items in which the model chooses that option."""
    right: float
    """The share in which that option is right: the accuracy of a model that uses overlap alone."""
    correlation: float | None
    """Spearman's correlation of similarity and overlap over all options; None if one of them is constant."""


def overlap_preference(run: RunResult) -> OverlapPreference:
    """Measure how closely a run follows word overlap: 1 minus the normalised word edit distance."""
    pairs = option_pairs(run)
    overlap = np.array([[_pair_overlap(item, pair) for pair in pairs] for item in run.items])
    similarities = np.array(
        [[item.similarities.get(pair_name(pair), math.nan) for pair in pairs] for item in run.items]
    )
    is_unique = (overlap >= overlap.max(axis=1, keepdims=True) - _TOLERANCE).sum(axis=1) == 1
    indices = {name: index for index, name in enumerate(run.suite.options)}
    choice = np.array([indices.get(item.choice or "", -1) for item in run.items])
    highest = overlap.argmax(axis=1)
    count = int(is_unique.sum())
    return OverlapPreference(
        model=run.model,
        items=count,
        chosen=float((choice == highest)[is_unique].mean()) if count else math.nan,
        right=float((highest[is_unique] == indices[run.suite.right]).mean()) if count else math.nan,
        correlation=spearman(overlap.ravel(), similarities.ravel()),
    )


def option_pairs(run: RunResult) -> list[tuple[str, str]]:
    """Return the two roles of each option, in the order of the options."""
    # The similarities of a single item may be incomplete, so the names are collected from all items.
    names = [name for name in dict.fromkeys(key for item in run.items for key in item.similarities) if "~" in name]
    return [_roles(option, names) for option in run.suite.options]


def _roles(option: str, names: Sequence[str]) -> tuple[str, str]:
    """Return the roles of an option, which is named after its pair or after the second role of its pair."""
    pair = option if option in names else next(name for name in names if name.split("~")[1] == option)
    first, _, second = pair.partition("~")
    return first, second


def _pair_overlap(item: ItemResult, pair: tuple[str, str]) -> float:
    return word_overlap(item.sentences[pair[0]], item.sentences[pair[1]])


@lru_cache(maxsize=1 << 16)
def word_overlap(first: str, second: str) -> float:
    """Return the word overlap of two sentences; cached, since all runs of a suite have the same sentences."""
    return 1 - normalised_levenshtein(tokens(first), tokens(second))


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
