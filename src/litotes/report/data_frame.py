"""Runs as a pandas frame: a row a run."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.core.errors import LitotesError, missing_package
from litotes.evaluation.result import RunResult
from litotes.evaluation.result_store import find_runs, read_run

if TYPE_CHECKING:
    import pandas


def runs_frame(runs: str | Path | RunResult | Iterable[RunResult]) -> pandas.DataFrame:
    """The figures of runs, a row a run; of a folder that `litotes run` wrote, of results, or of a single one.

    Shares are between 0 and 1; what a suite does not have is not a number. The items of a run: `RunResult.to_frame()`.
    """
    try:
        import pandas
    except ImportError as error:
        raise missing_package("pandas", "report") from error
    return pandas.DataFrame([_row(run) for run in _results(runs)])


def _results(runs: str | Path | RunResult | Iterable[RunResult]) -> list[RunResult]:
    if isinstance(runs, RunResult):
        return [runs]
    if not isinstance(runs, (str, Path)):
        return list(runs)
    folder = Path(runs).expanduser()
    found = [read_run(path, with_items=False) for path in find_runs(folder)]
    if not found:
        raise LitotesError("L204", f"{folder}: holds no runs", hint="litotes run makes some")
    return found


def _row(run: RunResult) -> dict[str, Any]:
    metrics = run.metrics
    row: dict[str, Any] = {
        "model": run.model,
        "group": run.group,
        "suite": run.suite.name,
        "kind": run.suite.kind,
        "items": metrics.items,
        "groups": metrics.groups,
        "accuracy": metrics.accuracy,
        "accuracy_low": metrics.accuracy_ci[0],
        "accuracy_high": metrics.accuracy_ci[1],
        "group_accuracy": metrics.group_accuracy,
        "group_accuracy_low": metrics.group_accuracy_ci[0],
        "group_accuracy_high": metrics.group_accuracy_ci[1],
        "chance": metrics.chance,
        "ties": metrics.ties,
        "baseline": math.nan if metrics.baseline is None else metrics.baseline,
        "mcc": math.nan if metrics.nli is None else metrics.nli.mcc,
    }
    row |= {f"chosen_{option}": count / metrics.items for option, count in run.choices.items() if metrics.items}
    row |= {f"similarity_{pair}": value for pair, value in metrics.similarities.items()}
    row |= {f"normalised_{pair}": value for pair, value in metrics.normalised.items()}
    return row
