"""What kinds of models there are, and the colour of each."""

from __future__ import annotations

from collections.abc import Sequence

from litotes.report.html_words import escape
from litotes.report.suite_runs import SuiteRuns

COLOURS = 8
"""So many colours has the style sheet; more kinds begin again."""


def kinds_of(suites: Sequence[SuiteRuns]) -> list[str]:
    """The groups of models that the runs name, in order of the alphabet."""
    return sorted({run.group for suite in suites for run in suite.runs if run.group}, key=lambda kind: kind.casefold())


def colour_class(kind: str, kinds: Sequence[str]) -> str:
    """The class that gives a row its colour; none for a model of no kind."""
    return f"kind-{kinds.index(kind) % COLOURS}" if kind else ""


def kind_chip(kind: str, kinds: Sequence[str]) -> str:
    """A spot of the kind's colour and its name: colour alone says nothing to many."""
    return f'<span class="chip {colour_class(kind, kinds)}">{escape(kind)}</span>' if kind else ""
