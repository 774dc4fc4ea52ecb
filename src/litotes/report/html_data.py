"""The data that the report's pages read: packed columns a model, every sentence once a suite."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from litotes.evaluation.result import ItemResult
from litotes.report.html_pack import SCALE, packed_floats, packed_numbers, packed_places
from litotes.report.html_parts import script_json
from litotes.report.html_words import clean
from litotes.report.item_properties import highest_overlap, item_bins
from litotes.report.label_figures import gold_label, item_categories
from litotes.report.leaderboard import ranked_names
from litotes.report.model_kinds import kinds_of
from litotes.report.profile_figures import Phenomenon, phenomena
from litotes.report.suite_runs import TIE, SuiteRuns


class _Places:
    """Texts under numbers, in the order in which they first come."""

    def __init__(self) -> None:
        self._place: dict[str, int] = {}

    def of(self, text: str) -> int:
        return self._place.setdefault(clean(text), len(self._place))

    def texts(self) -> list[str]:
        return list(self._place)


def embedded_json(suites: Sequence[SuiteRuns]) -> str:
    """The data of the pages as JSON that is safe inside a script element."""
    kinds = kinds_of(suites)
    data = {
        "scale": SCALE,
        "kinds": [clean(kind) for kind in kinds],
        "models": [clean(name) for name in ranked_names(suites)],
        "suites": [_suite_data(suite, kinds) for suite in suites],
    }
    return script_json(data)


def _suite_data(suite: SuiteRuns, kinds: Sequence[str]) -> dict[str, Any]:
    info, layout = suite.info, suite.layout()
    texts, groups, categories = _Places(), _Places(), _Places()
    asked = phenomena(suite)
    return {
        "name": clean(suite.label),
        "groupWord": clean(info.group_word),
        "roles": [clean(role) for role in info.roles],
        "options": [clean(option) for option in info.options],
        # The same for all items, or each item's own.
        "right": info.options.index(info.right) if info.right else [_place(info.options, item) for item in suite.items],
        "pairs": [clean(pair) for pair in layout.pairs],
        "anchor": layout.anchor,
        "pairOfRole": layout.pair_of_role,
        "pairOfOption": layout.pair_of_option,
        "ids": [clean(item.id) for item in suite.items],
        "group": [groups.of(item.group) for item in suite.items] if _groups_have_names(suite) else [],
        "sentences": [[texts.of(item.sentences.get(role, "")) for item in suite.items] for role in info.roles],
        "groups": groups.texts(),
        "category": [[categories.of(name) for name in item_categories(item)] for item in suite.items]
        if suite.labelled
        else [],
        "categories": categories.texts(),
        "texts": texts.texts(),
        "chance": _rounded(suite.chance),
        "phenomena": [[clean(one.name), _rounded(one.chance)] for one in asked],
        "bins": [
            {"name": one.name, "values": list(one.values), "of": packed_places(one.of)} for one in item_bins(suite)
        ],
        "overlap": packed_places(highest_overlap(suite)),
        "comparisons": _comparisons(suite),
        "models": [
            _model_data(suite, place, layout.pairs, asked, kinds.index(run.group) if run.group else -1)
            for place, run in enumerate(suite.runs)
        ],
    }


def _place(options: Sequence[str], item: ItemResult) -> int | None:
    label = gold_label(item)
    return options.index(label) if label in options else None


def _groups_have_names(suite: SuiteRuns) -> bool:
    """Whether a group's name is not just the text of its premise, which is shown and searched anyway."""
    return not (suite.labelled and all(item.group in item.sentences.values() for item in suite.items))


def _model_data(
    suite: SuiteRuns, number: int, pairs: Sequence[str], asked: Sequence[Phenomenon], kind: int
) -> dict[str, Any]:
    run = suite.runs[number]
    place: dict[str | None, int] = {option: count for count, option in enumerate(run.suite.options)}
    columns = [[item.margin for item in run.items]]
    columns += [[item.similarities.get(pair, math.nan) for item in run.items] for pair in pairs]
    return {
        "name": clean(suite.names[number]),
        "kind": kind,
        "choice": packed_places(TIE if item.choice is None else place[item.choice] for item in run.items),
        **packed_numbers(columns),
        "credit": _shared_credit(run.items),
        "figures": [list(map(_rounded, one.of_model[number])) for one in asked],
    }


def _shared_credit(items: Iterable[ItemResult]) -> dict[int, float]:
    """The credit of ties, in which the choice does not say it."""
    return {
        number: round(item.credit, 4)
        for number, item in enumerate(items)
        if item.choice is None and math.isfinite(item.credit)
    }


def _comparisons(suite: SuiteRuns) -> dict[str, Any]:
    """Which two models were compared, as places, and difference, interval and corrected p of each."""
    place = {run.model: number for number, run in reversed(list(enumerate(suite.runs)))}
    return {
        "of": [place[name] for one in suite.comparisons for name in (one.a, one.b)],
        "numbers": packed_floats([(one.difference, *one.ci, one.p_adjusted) for one in suite.comparisons]),
    }


def _rounded(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None
