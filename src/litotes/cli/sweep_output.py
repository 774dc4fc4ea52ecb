"""What a sweep says: a line a model as it ends, and how all of it went."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from litotes.cli.guard import say

if TYPE_CHECKING:
    from litotes.bench.result import RunResult
    from litotes.bench.sweep import Outcome

FEW_MODELS = 5
"""The tables of a report have so many models side by side; more are shown one below the other."""
_SUITES_IN_A_LINE = 3
_WIDEST = 32


class SweepLines:
    """One line a model on standard error; those that were done before are only counted."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._ended = 0

    def told(self, outcome: Outcome) -> None:
        """A model has ended."""
        self._ended += 1
        if outcome.state not in ("ran", "failed"):
            return
        if outcome.failure is not None:
            what = f"failed: {outcome.failure.line}"
        else:
            shown = [f"{suite} {100 * share:.1f} %" for suite, share in outcome.accuracies[:_SUITES_IN_A_LINE]]
            more = len(outcome.accuracies) - len(shown)
            what = ", ".join(shown) + (f", … {more} more" if more > 0 else "")
        say(f"[{self._ended}/{self._total}] {outcome.entry.label}: {what} ({outcome.seconds:.0f} s)")


def say_how_it_went(outcomes: Sequence[Outcome]) -> None:
    """How many models were run, are done, failed or are being run elsewhere; the latter two by name."""
    by_state: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_state.setdefault(outcome.state, []).append(outcome)
    words = {
        "ran": "run now",
        "done": "done already",
        "failed": "failed",
        "left out": "failed before and left out",
        "elsewhere": "being run elsewhere",
    }
    counts = [f"{len(by_state[state])} {told}" for state, told in words.items() if state in by_state]
    say(f"\n{len(outcomes)} {'model' if len(outcomes) == 1 else 'models'}: {', '.join(counts)}")
    for outcome in by_state.get("elsewhere", ()):
        if (holder := outcome.holder) is not None:
            say(f"  {outcome.entry.label}: by process {holder.pid} on {holder.host}, since {holder.started}")
    _say_failures([outcome for outcome in outcomes if outcome.failure is not None])
    if "left out" in by_state:
        say("--retry tries again what failed before")


def _say_failures(failed: Sequence[Outcome]) -> None:
    """A table: model, group, what was wrong; on a terminal cut to its width, the whole was told before and is kept."""
    from litotes.scorers.names import shorten

    rows = [(one.entry.label, one.entry.group, one.failure.line) for one in failed if one.failure is not None]
    if not rows:
        return
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else 0
    label_width, group_width = (min(max(len(row[place]) for row in rows), _WIDEST) for place in (0, 1))
    say("\nfailed:")
    for label, group, line in rows:
        start = f"  {shorten(label, label_width).ljust(label_width)}  "
        start += f"{shorten(group, group_width).ljust(group_width)}  " if group_width else ""
        say(start + (shorten(line, max(width - len(start), _WIDEST)) if width else line))


def models_table(results: Sequence[RunResult], *, width: int) -> str:
    """The accuracy of many models: a line a model, in the order of the list, a column a suite."""
    from litotes.report.tables import Column, Table, as_text, percent

    models = list(dict.fromkeys(result.model for result in results))
    accuracy = {(result.model, result.suite.name): result.metrics.accuracy for result in results}
    columns = [Column("model", "model", models)]
    for suite in dict.fromkeys(result.suite.name for result in results):
        # Headings are broken at blanks, and a name with hyphens would be too wide.
        shares = [accuracy.get((model, suite), math.nan) for model in models]
        columns.append(Column(suite.replace("-", " "), suite, shares, percent))
    return as_text(Table("right %", columns), width=width)


def sweep_document(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """What a sweep adds to the document for programs."""
    return {
        "failures": [asdict(one.failure) for one in outcomes if one.failure is not None],
        "elsewhere": [
            {"model": one.entry.label, "host": one.holder.host, "pid": one.holder.pid, "started": one.holder.started}
            for one in outcomes
            if one.holder is not None
        ],
    }
