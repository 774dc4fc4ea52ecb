"""Preference of models for options with high lexical overlap (SemAntoNeg, section 6)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from litotes.evaluation.result import ItemResult, RunResult
from litotes.evaluation.statistics import spearman
from litotes.suites.base import pair_name
from litotes.suites.lexical_overlap import normalised_levenshtein, tokens

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
