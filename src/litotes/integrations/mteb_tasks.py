"""Suites as MTEB tasks, and results in the format of MTEB.

    import mteb, litotes
    mteb.evaluate(mteb.get_model("sentence-transformers/all-MiniLM-L6-v2"), [litotes.mteb_task("semantoneg-mini")])

The scores of a task are computed by the same engine as those of `litotes run`.
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
    """Return a suite as a task for `mteb.evaluate`."""
    try:
        from litotes.integrations.mteb_task_class import task_class
    except ImportError as error:
        raise missing_package("mteb", "mteb") from error
    chosen = load_suite(suite) if isinstance(suite, str) else suite
    if requires_labels(chosen):
        raise UsageError("L102", f'suite "{chosen.name}" needs labels, which the encoders of MTEB do not predict')
    return task_class(chosen, task_name(chosen.name))()


def task_name(suite: str) -> str:
    """Return the name of the MTEB task of a suite.

    >>> task_name("semantoneg-mini")
    'LitotesSemantonegMini'
    """
    return "Litotes" + "".join(part.capitalize() for part in re.split(r"[^A-Za-z0-9]+", suite))


def scores_of(result: RunResult) -> dict[str, float]:
    """Return the metrics of a run under the names of MTEB results."""
    metrics = result.metrics
    return {
        _MAIN: metrics.accuracy,
        "accuracy_low": metrics.accuracy_ci[0],
        "accuracy_high": metrics.accuracy_ci[1],
        "group_accuracy": metrics.group_accuracy,
        "ties": metrics.ties / metrics.items,
        **{f"chosen_{option}": count / metrics.items for option, count in result.choices.items()},
    }


class KnownVectors(Encoder):
    """An encoder with vectors that were computed elsewhere."""

    def __init__(self, texts: Sequence[str], vectors: Vectors) -> None:
        super().__init__("mteb model", Fingerprint("mteb", weights="computed there"))
        self._indices = {text: index for index, text in enumerate(texts)}
        self._vectors = np.asarray(vectors, dtype=np.float32)

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return equal lengths, as there is nothing to compute."""
        return [1] * len(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of the texts."""
        rows: Vectors = self._vectors[[self._indices[text] for text in texts]]
        return rows


def scores_from_vectors(suite: Suite, texts: Sequence[str], vectors: Vectors) -> dict[str, float]:
    """Return the scores on a suite whose sentences have these vectors."""
    (result,) = Engine(cache=None).run(KnownVectors(texts, vectors), [suite])
    return scores_of(result)


def write_mteb_results(results: Sequence[RunResult], folder: Path) -> list[Path]:
    """Write runs in the layout of MTEB's result cache and return the paths of the results.

    The files are `<folder>/results/<model>/<revision>/<task>.json` and `model_meta.json` next to them, which
    `mteb.ResultCache(folder).load_results()` needs. A model whose name has no owner is called `litotes/<name>`.
    """
    return [_write_result(result, folder) for result in results]


def _write_result(result: RunResult, folder: Path) -> Path:
    name = _model_name(result.model)
    revision = str(result.fingerprint.get("weights") or "no_revision_available")[:40]
    revision_folder = folder / "results" / name.replace("/", "__") / revision
    path = revision_folder / f"{task_name(result.suite.name)}.json"
    write_together(
        {
            revision_folder / "model_meta.json": to_json(_model_meta(name, revision), indent=2) + "\n",
            path: to_json(_document(result), indent=2) + "\n",
        }
    )
    return path


def _model_name(model: str) -> str:
    """Return a name in the form that MTEB needs: owner/name.

    >>> _model_name("sentence-transformers/all-MiniLM-L6-v2"), _model_name("onnx:./my models/int8.onnx?dim=2")
    ('sentence-transformers/all-MiniLM-L6-v2', 'litotes/onnx_._my_models_int8.onnx_dim_2')
    """
    if re.fullmatch(r"[A-Za-z0-9][\w.-]*/[\w.-]+", model, re.ASCII):
        return model
    return f"litotes/{re.sub(r'[^A-Za-z0-9.-]+', '_', model).strip('_') or 'model'}"


def _model_meta(name: str, revision: str) -> Mapping[str, Any]:
    """Return MTEB's description of a model, in which everything except name and revision is unknown."""
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
        "mteb_version": "2.0.0",  # version of the file format
        "scores": {_SPLIT: [{**scores, "main_score": scores[_MAIN], "hf_subset": _SUBSET, "languages": _LANGUAGES}]},
        "evaluation_time": float(result.times.get("seconds", 0.0)),
        "kg_co2_emissions": None,
    }
