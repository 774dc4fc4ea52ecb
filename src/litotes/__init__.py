"""Finds out whether a language model knows that “not bad” means “good”.

The names below are imported when they are first used, so that `import litotes` loads neither torch nor numpy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from litotes._version import __version__

if TYPE_CHECKING:
    from litotes.audit.api import audit_model
    from litotes.audit.result import Audit
    from litotes.building.api import BuildResult, build_suite
    from litotes.building.base import list_builders
    from litotes.building.pipeline.settings import BuildSettings
    from litotes.core.errors import LitotesError
    from litotes.corpora.nli import NliPair, read_nli
    from litotes.evaluation.comparison import Comparison, compare_models
    from litotes.evaluation.engine import evaluate
    from litotes.evaluation.result import RunResult
    from litotes.integrations.dataset_folder import write_dataset
    from litotes.integrations.evaluator import LitotesEvaluator
    from litotes.integrations.floor import assert_at_least
    from litotes.integrations.mteb_tasks import mteb_task, write_mteb_results
    from litotes.languages.en.developmental.classify import classify_negation
    from litotes.models.adapter import adapt
    from litotes.models.base import Chooser, Encoder, Fingerprint, Model, PairClassifier, Question
    from litotes.models.loading import list_models, load_model
    from litotes.repair.api import repair_model
    from litotes.repair.result import RepairResult
    from litotes.repair.settings import AdapterSettings, RepairSettings
    from litotes.report.data_frame import runs_frame
    from litotes.rewrites.apply import rewrite, rewrite_all
    from litotes.rewrites.base import Edit, Edits, Skip
    from litotes.rewrites.en.quadruple import Quadruple, quadruples
    from litotes.rewrites.registry import list_rewrites
    from litotes.suites.base import Item, Suite
    from litotes.suites.loading import list_suites, load_suite
    from litotes.suites.published_results import PublishedTable, published_results
    from litotes.training.experiments import load_plan, run_experiment
    from litotes.training.nli.settings import TrainSettings
    from litotes.training.nli.train import Trained, train_nli

_PLACES = {
    "AdapterSettings": "litotes.repair.settings",
    "Audit": "litotes.audit.result",
    "BuildResult": "litotes.building.api",
    "BuildSettings": "litotes.building.pipeline.settings",
    "Chooser": "litotes.models.base",
    "Comparison": "litotes.evaluation.comparison",
    "Edit": "litotes.rewrites.base",
    "Edits": "litotes.rewrites.base",
    "Encoder": "litotes.models.base",
    "Fingerprint": "litotes.models.base",
    "Item": "litotes.suites.base",
    "LitotesError": "litotes.core.errors",
    "LitotesEvaluator": "litotes.integrations.evaluator",
    "NliPair": "litotes.corpora.nli",
    "RepairResult": "litotes.repair.result",
    "PairClassifier": "litotes.models.base",
    "PublishedTable": "litotes.suites.published_results",
    "Quadruple": "litotes.rewrites.en.quadruple",
    "Question": "litotes.models.base",
    "RepairSettings": "litotes.repair.settings",
    "RunResult": "litotes.evaluation.result",
    "Model": "litotes.models.base",
    "Skip": "litotes.rewrites.base",
    "Suite": "litotes.suites.base",
    "TrainSettings": "litotes.training.nli.settings",
    "Trained": "litotes.training.nli.train",
    "adapt": "litotes.models.adapter",
    "assert_at_least": "litotes.integrations.floor",
    "audit_model": "litotes.audit.api",
    "build_suite": "litotes.building.api",
    "classify_negation": "litotes.languages.en.developmental.classify",
    "compare_models": "litotes.evaluation.comparison",
    "evaluate": "litotes.evaluation.engine",
    "list_builders": "litotes.building.base",
    "list_rewrites": "litotes.rewrites.registry",
    "list_models": "litotes.models.loading",
    "list_suites": "litotes.suites.loading",
    "load_plan": "litotes.training.experiments",
    "load_model": "litotes.models.loading",
    "load_suite": "litotes.suites.loading",
    "mteb_task": "litotes.integrations.mteb_tasks",
    "published_results": "litotes.suites.published_results",
    "quadruples": "litotes.rewrites.en.quadruple",
    "read_nli": "litotes.corpora.nli",
    "repair_model": "litotes.repair.api",
    "rewrite": "litotes.rewrites.apply",
    "rewrite_all": "litotes.rewrites.apply",
    "run_experiment": "litotes.training.experiments",
    "runs_frame": "litotes.report.data_frame",
    "train_nli": "litotes.training.nli.train",
    "write_dataset": "litotes.integrations.dataset_folder",
    "write_mteb_results": "litotes.integrations.mteb_tasks",
}

__all__ = [
    "AdapterSettings",
    "Audit",
    "BuildResult",
    "BuildSettings",
    "Chooser",
    "Comparison",
    "Edit",
    "Edits",
    "Encoder",
    "Fingerprint",
    "Item",
    "LitotesError",
    "LitotesEvaluator",
    "Model",
    "NliPair",
    "PairClassifier",
    "PublishedTable",
    "Quadruple",
    "Question",
    "RepairResult",
    "RepairSettings",
    "RunResult",
    "Skip",
    "Suite",
    "TrainSettings",
    "Trained",
    "__version__",
    "adapt",
    "assert_at_least",
    "audit_model",
    "build_suite",
    "classify_negation",
    "compare_models",
    "evaluate",
    "list_builders",
    "list_models",
    "list_rewrites",
    "list_suites",
    "load_model",
    "load_plan",
    "load_suite",
    "mteb_task",
    "published_results",
    "quadruples",
    "read_nli",
    "repair_model",
    "rewrite",
    "rewrite_all",
    "run_experiment",
    "runs_frame",
    "train_nli",
    "write_dataset",
    "write_mteb_results",
]


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(importlib.import_module(_PLACES[name]), name)
    raise AttributeError(f"module 'litotes' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
