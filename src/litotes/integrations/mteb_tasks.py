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

from litotes.core.errors import UsageError, missing_package
from litotes.core.files import to_json, write_together
from litotes.evaluation.engine import Engine
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.suites.base import Suite
from litotes.suites.loading import load_suite
from litotes.suites.nli import requires_labels

if TYPE_CHECKING:
    from litotes.evaluation.result import RunResult

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
    if requires_labels(chosen):
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
    """Write runs as MTEB's cache keeps results; gives the files of the results.

    They are `<folder>/results/<model>/<revision>/<task>.json`, and beside them `model_meta.json`, without which MTEB
    reads none: `mteb.ResultCache(folder).load_results()`. A model whose name has no owner is called `litotes/<name>`.
    """
    return [_written(result, folder) for result in results]


def _written(result: RunResult, folder: Path) -> Path:
    name = _model_name(result.model)
    revision = str(result.fingerprint.get("weights") or "no_revision_available")[:40]
    place = folder / "results" / name.replace("/", "__") / revision
    path = place / f"{task_name(result.suite.name)}.json"
    write_together(
        {
            place / "model_meta.json": to_json(_model_meta(name, revision), indent=2) + "\n",
            path: to_json(_document(result), indent=2) + "\n",
        }
    )
    return path


def _model_name(model: str) -> str:
    """A name as MTEB wants it: an owner, a slash, a name.

    >>> _model_name("sentence-transformers/all-MiniLM-L6-v2"), _model_name("onnx:./my models/int8.onnx?dim=2")
    ('sentence-transformers/all-MiniLM-L6-v2', 'litotes/onnx_._my_models_int8.onnx_dim_2')
    """
    if re.fullmatch(r"[A-Za-z0-9][\w.-]*/[\w.-]+", model, re.ASCII):
        return model
    return f"litotes/{re.sub(r'[^A-Za-z0-9.-]+', '_', model).strip('_') or 'model'}"


def _model_meta(name: str, revision: str) -> Mapping[str, Any]:
    """What MTEB keeps of a model; of all but its name and revision it says that nothing is known."""
    return {
        "name": name,
        "revision": revision,
        **dict.fromkeys(_UNKNOWN),
        "loader_kwargs": {},
        "framework": [],
        "modalities": ["text"],
        "model_type": ["dense"],
        "is_cross_encoder": False,
    }


_UNKNOWN = (
    "loader",
    "release_date",
    "languages",
    "n_parameters",
    "n_active_parameters_override",
    "n_embedding_parameters",
    "memory_usage_mb",
    "max_tokens",
    "embed_dim",
    "license",
    "open_weights",
    "public_training_code",
    "public_training_data",
    "reference",
    "similarity_fn_name",
    "use_instructions",
    "training_datasets",
    "adapted_from",
    "superseded_by",
    "citation",
    "contacts",
    "experiment_kwargs",
    "output_dtypes",
    "extra_requirements_groups",
)


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
