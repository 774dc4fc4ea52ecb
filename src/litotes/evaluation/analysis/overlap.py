"""Does a model go by the words that sentences have in common? (SemAntoNeg, section 6)"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from litotes.evaluation.result import ItemResult, RunResult
from litotes.evaluation.statistics import Floats, spearman
from litotes.suites.lexical_overlap import normalised_levenshtein, tokens

_SAME = 1e-9


@dataclass(frozen=True)
class OverlapPreference:
    """How far the choices and similarities of a run follow lexical overlap."""

    model: str
    items: int
    """Those in which one option has more overlap than all others."""
    chosen: float
    """In which share of them it is that option that the model takes."""
    right: float
    """In which share it is the right one: what going by overlap alone would score."""
    correlation: float | None
    """Spearman's, of similarity and overlap over all options of all items; None where one of them never varies."""


def overlap_preference(run: RunResult) -> OverlapPreference:
    """How far a run follows the overlap of words, 1 less the edit distance over words as a share of the longer."""
    table, similarities = _tables(run)
    top = table.max(axis=1, keepdims=True)
    alone = (table >= top - _SAME).sum(axis=1) == 1
    options = list(run.suite.options)
    place = {name: number for number, name in enumerate(options)}
    choice = np.array([place.get(item.choice or "", -1) for item in run.items])
    highest = table.argmax(axis=1)
    count = int(alone.sum())
    return OverlapPreference(
        model=run.model,
        items=count,
        chosen=float((choice == highest)[alone].mean()) if count else float("nan"),
        right=float((highest[alone] == place[run.suite.right]).mean()) if count else float("nan"),
        correlation=spearman(table.ravel(), similarities.ravel()),
    )


def option_pairs(run: RunResult) -> list[tuple[str, str]]:
    """The two roles of each option, in the order of the options."""
    # An item whose similarities were lost lacks some of the names, so all items are asked.
    names = [name for name in dict.fromkeys(key for item in run.items for key in item.similarities) if "~" in name]
    return [_roles(option, names) for option in run.suite.options]


def _roles(option: str, names: Sequence[str]) -> tuple[str, str]:
    """An option is called like its pair, or like the role that is compared with the one all others have."""
    pair = option if option in names else next(name for name in names if name.split("~")[1] == option)
    one, _, other = pair.partition("~")
    return one, other


def _tables(run: RunResult) -> tuple[Floats, Floats]:
    pairs = option_pairs(run)
    overlap = np.array([[_overlap(item, pair) for pair in pairs] for item in run.items])
    alike = np.array([[item.similarities.get("~".join(pair), math.nan) for pair in pairs] for item in run.items])
    return overlap, alike


def _overlap(item: ItemResult, pair: tuple[str, str]) -> float:
    return word_overlap(item.sentences[pair[0]], item.sentences[pair[1]])


@lru_cache(maxsize=1 << 16)
def word_overlap(one: str, other: str) -> float:
    """The overlap of two sentences, kept: all runs of a suite have the same ones."""
    return 1 - normalised_levenshtein(tokens(one), tokens(other))
