"""Suites as tasks of MTEB, and results of runs in the format in which MTEB keeps its own.

    import mteb, litotes
    mteb.evaluate(mteb.get_model("sentence-transformers/all-MiniLM-L6-v2"), [litotes.mteb_task("semantoneg-mini")])

A task's scores are counted by the same engine as those of `litotes run`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.bench.evaluate import Engine
from litotes.core.errors import UsageError, missing_package
from litotes.core.files import to_json, write_atomic
from litotes.scorers.base import Encoder, Fingerprint, Vectors
from litotes.suites.base import Suite
from litotes.suites.loading import load_suite
from litotes.suites.nli import asks_for_labels

if TYPE_CHECKING:
    from litotes.bench.result import RunResult

_MAIN = "accuracy"
_SPLIT = "test"
_SUBSET = "default"
_LANGUAGES = ["eng-Latn"]


def mteb_task(suite: Suite | str) -> Any:
    """The suite as a task that `mteb.evaluate` runs."""
    try:
        from litotes.integrations.mteb_task_class import task_class
    except ImportError as error:
        raise missing_package("mteb", "mteb") from error
    chosen = load_suite(suite) if isinstance(suite, str) else suite
    if asks_for_labels(chosen):
        raise UsageError("L102", f'suite "{chosen.name}" asks for labels, which MTEB\'s encoders do not give')
    return task_class(chosen, task_name(chosen.name))()


def task_name(suite: str) -> str:
    """What a suite is called among MTEB's tasks.

    >>> task_name("semantoneg-mini")
    'LitotesSemantonegMini'
    """
    return "Litotes" + "".join(part.capitalize() for part in re.split(r"[^A-Za-z0-9]+", suite))


def scores_of(result: RunResult) -> dict[str, float]:
    """The figures of a run under the names that MTEB's results have."""
    found = result.metrics
    return {
        _MAIN: found.accuracy,
        "accuracy_low": found.accuracy_ci[0],
        "accuracy_high": found.accuracy_ci[1],
        "group_accuracy": found.group_accuracy,
        "ties": found.ties / found.items,
        **{f"chosen_{option}": count / found.items for option, count in result.choices.items()},
    }


class KnownVectors(Encoder):
    """An encoder whose vectors were computed elsewhere."""

    def __init__(self, texts: Sequence[str], vectors: Vectors) -> None:
        super().__init__("mteb model", Fingerprint("mteb", weights="computed there"))
        self._place = {text: number for number, text in enumerate(texts)}
        self._vectors = np.asarray(vectors, dtype=np.float32)

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """All the same: nothing is left to compute."""
        return [1] * len(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The rows of these texts."""
        rows: Vectors = self._vectors[[self._place[text] for text in texts]]
        return rows


def scores_from_vectors(suite: Suite, texts: Sequence[str], vectors: Vectors) -> dict[str, float]:
    """What the engine counts on a suite whose sentences have these vectors."""
    (result,) = Engine(cache=None).run(KnownVectors(texts, vectors), [suite])
    return scores_of(result)


def write_mteb_results(results: Sequence[RunResult], folder: Path) -> list[Path]:
    """Write runs as MTEB keeps results, `<folder>/<model>/<revision>/<task>.json`; gives the files."""
    return [_written(result, folder) for result in results]


def _written(result: RunResult, folder: Path) -> Path:
    model = re.sub(r"[^A-Za-z0-9._-]+", "__", result.model).strip("_") or "model"
    revision = str(result.fingerprint.get("weights") or "no_revision_available")[:40]
    path = folder / model / revision / f"{task_name(result.suite.name)}.json"
    write_atomic(path, to_json(_document(result), indent=2) + "\n")
    return path


def _document(result: RunResult) -> Mapping[str, Any]:
    scores = scores_of(result)
    return {
        "dataset_revision": result.suite.sha256,
        "task_name": task_name(result.suite.name),
        "mteb_version": "2.0.0",  # the version of the format, by which MTEB decides how to read it
        "scores": {
            _SPLIT: [{**scores, "main_score": scores[_MAIN], "hf_subset": _SUBSET, "languages": _LANGUAGES}],
        },
        "evaluation_time": float(result.times.get("seconds", 0.0)),
        "kg_co2_emissions": None,
    }
