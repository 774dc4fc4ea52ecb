"""Runs as a pandas data frame with one row per run."""

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
    """Return the metrics of runs as a data frame with one row per run.

    `runs` is a folder that `litotes run` wrote, results, or a single result. Shares are between 0 and 1; metrics that
    a suite does not have are NaN. `RunResult.to_frame()` returns the items of a run.
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
    results = [read_run(path) for path in find_runs(folder)]
    if not results:
        raise LitotesError("L204", f"{folder}: contains no runs", hint="litotes run writes them")
    return results


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
