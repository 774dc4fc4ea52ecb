"""The data that the scripts of the report read: packed columns per model, every sentence once per suite."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.evaluation.result import ItemResult, RunResult
from litotes.report.errors import highest_overlap, item_properties
from litotes.report.formats import display_name
from litotes.report.label_tables import ALL_ITEMS, gold_label, item_categories, metrics_by_category, shared_categories
from litotes.report.leaderboard import model_kinds, ranked_names
from litotes.report.suite_runs import SuiteRuns

SCALE = 10_000
"""Similarities and margins are stored as integers in units of 1/10,000."""
TIE = -1
"""The choice of a model on an item in which no single option is the most similar."""
_NARROW, _WIDE = np.dtype("<i2"), np.dtype("<i4")

Estimate = tuple[float, float, float]
"""A share and the ends of its interval."""
_MISSING: Estimate = (math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class ProfileRow:
    """A phenomenon for which every model of a suite has an accuracy."""

    name: str
    chance: float
    by_run: tuple[Estimate, ...]


class _IndexedTexts:
    """Distinct texts with indexes in the order of their first occurrence."""

    def __init__(self) -> None:
        self._index: dict[str, int] = {}

    def index(self, text: str) -> int:
        return self._index.setdefault(text, len(self._index))

    def texts(self) -> list[str]:
        return list(self._index)


def report_data(suites: Sequence[SuiteRuns]) -> dict[str, Any]:
    """Return the data of all suites and models."""
    kinds = model_kinds(suites)
    return {
        "scale": SCALE,
        "kinds": kinds,
        "models": ranked_names(suites),
        "suites": [_suite_data(suite, kinds) for suite in suites],
    }


def _suite_data(suite: SuiteRuns, kinds: Sequence[str]) -> dict[str, Any]:
    info, layout = suite.info, suite.layout
    texts, groups, categories = _IndexedTexts(), _IndexedTexts(), _IndexedTexts()
    rows = profile_rows(suite)
    return {
        "name": suite.label,
        "groupWord": info.group_word,
        "roles": info.roles,
        "options": info.options,
        # One option for all items, or one for each item.
        "right": info.options.index(info.right)
        if info.right
        else [_gold_index(info.options, item) for item in suite.items],
        "pairs": layout.pairs,
        "anchor": layout.anchor,
        "pairOfRole": layout.pair_of_role,
        "pairOfOption": layout.pair_of_option,
        "ids": [item.id for item in suite.items],
        "group": [groups.index(item.group) for item in suite.items] if _have_groups_names(suite) else [],
        "sentences": [[texts.index(item.sentences.get(role, "")) for item in suite.items] for role in info.roles],
        "groups": groups.texts(),
        "category": [[categories.index(name) for name in item_categories(item)] for item in suite.items]
        if suite.is_labelled
        else [],
        "categories": categories.texts(),
        "texts": texts.texts(),
        "chance": _rounded(suite.chance),
        "phenomena": [[row.name, _rounded(row.chance)] for row in rows],
        "bins": [
            {"name": bins.name, "values": bins.values, "of": pack_indexes(bins.value_of_item)}
            for bins in item_properties(suite)
        ],
        "overlap": pack_indexes(highest_overlap(suite)),
        "comparisons": _comparisons(suite),
        "models": [
            _model_data(suite, index, rows, kinds.index(run.group) if run.group else -1)
            for index, run in enumerate(suite.runs)
        ],
    }


def _gold_index(options: Sequence[str], item: ItemResult) -> int | None:
    label = gold_label(item)
    return options.index(label) if label in options else None


def _have_groups_names(suite: SuiteRuns) -> bool:
    """Return whether the names of groups are more than the text of a sentence, which is shown anyway."""
    return not (suite.is_labelled and all(item.group in item.sentences.values() for item in suite.items))


def _model_data(suite: SuiteRuns, index: int, rows: Sequence[ProfileRow], kind: int) -> dict[str, Any]:
    run = suite.runs[index]
    option_index: dict[str | None, int] = {option: number for number, option in enumerate(run.suite.options)}
    columns = [[item.margin for item in run.items]]
    columns += [[item.similarities.get(pair, math.nan) for item in run.items] for pair in suite.layout.pairs]
    return {
        "name": suite.names[index],
        "kind": kind,
        "choice": pack_indexes(TIE if item.choice is None else option_index[item.choice] for item in run.items),
        **pack_columns(columns),
        "credit": _tie_credits(run.items),
        "figures": [list(map(_rounded, row.by_run[index])) for row in rows],
    }


def _tie_credits(items: Iterable[ItemResult]) -> dict[int, float]:
    """Return the credits of ties, which do not follow from the choice."""
    return {
        index: round(item.credit, 4)
        for index, item in enumerate(items)
        if item.choice is None and math.isfinite(item.credit)
    }


def _comparisons(suite: SuiteRuns) -> dict[str, Any]:
    """Return the indexes of the compared models, and difference, interval and corrected p of each comparison."""
    run_index = {run.model: index for index, run in reversed(list(enumerate(suite.runs)))}
    return {
        "of": [run_index[name] for comparison in suite.comparisons for name in (comparison.a, comparison.b)],
        "numbers": pack_rows(
            [(comparison.difference, *comparison.ci, comparison.p_adjusted) for comparison in suite.comparisons]
        ),
    }


def _rounded(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None


def profile_rows(suite: SuiteRuns) -> list[ProfileRow]:
    """Return the accuracy on all items, by every additional criterion and in every category."""
    overall = tuple((run.metrics.accuracy, *run.metrics.accuracy_ci) for run in suite.runs)
    rows = [ProfileRow(ALL_ITEMS, suite.chance, overall)]
    for criterion in suite.criteria:
        chances = [run.metrics.also[criterion].chance for run in suite.runs if criterion in run.metrics.also]
        estimates = tuple(_criterion_estimate(run, criterion) for run in suite.runs)
        rows.append(ProfileRow(display_name(criterion), chances[0], estimates))
    if suite.is_labelled:
        by_run = [metrics_by_category(suite, run) for run in suite.runs]
        for category in shared_categories(suite):
            metrics = [categories[category] for categories in by_run]
            estimates = tuple((m.accuracy, *m.accuracy_ci) for m in metrics)
            rows.append(ProfileRow(display_name(category), suite.chance, estimates))
    return rows


def _criterion_estimate(run: RunResult, criterion: str) -> Estimate:
    accuracy = run.metrics.also.get(criterion)
    return _MISSING if accuracy is None else (accuracy.accuracy, *accuracy.accuracy_ci)


def pack_indexes(indexes: Iterable[int]) -> str:
    """Return small indexes as base64 with one byte each; -1 is stored as 0.

    >>> pack_indexes([-1, 0, 2])
    'AAED'
    """
    values = np.fromiter(indexes, dtype=np.int64) + 1
    if values.size and values.max() > 255:
        raise ValueError("an index is too large for a byte")
    return _base64(values.astype(np.uint8))


def pack_columns(columns: Sequence[Sequence[float]]) -> dict[str, object]:
    """Return columns of equal length as one base64 text: two bytes per number, four if some numbers are large.

    >>> pack_columns([[0.5, float("nan")]])
    {'wide': False, 'numbers': 'iBMAgA=='}
    """
    scaled = np.round(np.array(columns, dtype=np.float64) * SCALE)
    is_known = np.isfinite(scaled)
    largest = float(np.abs(scaled[is_known]).max(initial=0.0))
    dtype = _NARROW if largest <= np.iinfo(_NARROW).max else _WIDE
    limits = np.iinfo(dtype)
    # The lowest integer represents a missing number.
    integers = np.where(is_known, np.clip(scaled, limits.min + 1, limits.max), limits.min).astype(dtype)
    return {"wide": dtype == _WIDE, "numbers": _base64(integers)}


def pack_rows(rows: Sequence[Sequence[float]]) -> str:
    """Return rows of numbers in single precision as base64."""
    return _base64(np.array(rows, dtype=np.dtype("<f4")))


def _base64(values: NDArray[np.generic]) -> str:
    return base64.b64encode(values.tobytes()).decode("ascii")
