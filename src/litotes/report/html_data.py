"""The data that the report's item browser reads: columns of small integers, every sentence once."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

from litotes.bench.result import ItemResult, RunResult
from litotes.report.html_words import clean
from litotes.report.label_figures import gold_label, item_categories
from litotes.report.suite_runs import TIE, SuiteRuns

SCALE = 10_000
"""Similarities and margins are kept as integers, in units of 1/10,000: half the size of decimals."""


class _Places:
    """Texts under numbers, in the order in which they first come."""

    def __init__(self) -> None:
        self._place: dict[str, int] = {}

    def of(self, text: str) -> int:
        return self._place.setdefault(clean(text), len(self._place))

    def texts(self) -> list[str]:
        return list(self._place)


def embedded_json(suites: Iterable[SuiteRuns]) -> str:
    """The data of the item browser as JSON that is safe inside a script element."""
    data = {"scale": SCALE, "suites": [_suite_data(suite) for suite in suites]}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # All five stand only inside JSON strings; escaped, no sentence can end the element or start a comment.
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _suite_data(suite: SuiteRuns) -> dict[str, Any]:
    info, layout = suite.info, suite.layout()
    texts, groups, categories = _Places(), _Places(), _Places()
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
        "models": [_model_data(name, run, layout.pairs) for name, run in zip(suite.names, suite.runs, strict=True)],
    }


def _place(options: Sequence[str], item: ItemResult) -> int | None:
    label = gold_label(item)
    return options.index(label) if label in options else None


def _groups_have_names(suite: SuiteRuns) -> bool:
    """Whether a group's name is not just the text of its premise, which is shown and searched anyway."""
    return not (suite.labelled and all(item.group in item.sentences.values() for item in suite.items))


def _model_data(name: str, run: RunResult, pairs: Sequence[str]) -> dict[str, Any]:
    place = {option: number for number, option in enumerate(run.suite.options)}
    return {
        "name": clean(name),
        "choice": [TIE if item.choice is None else place[item.choice] for item in run.items],
        "margin": [_scaled(item.margin) for item in run.items],
        "similarities": [[_scaled(item.similarities.get(pair, math.nan)) for item in run.items] for pair in pairs],
        "credit": {
            number: round(item.credit, 4)
            for number, item in enumerate(run.items)
            if item.choice is None and math.isfinite(item.credit)
        },
    }


def _scaled(value: float) -> int | None:
    return round(value * SCALE) if math.isfinite(value) else None
