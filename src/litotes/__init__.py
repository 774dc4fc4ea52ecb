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
    from litotes.bench.compare_models import Comparison, compare_models
    from litotes.bench.evaluate import evaluate
    from litotes.bench.result import RunResult
    from litotes.building.api import build_suite
    from litotes.building.builders import list_builders
    from litotes.building.engine import Built
    from litotes.core.errors import LitotesError
    from litotes.corpora.nli import NliPair, read_nli
    from litotes.integrations.dataset_folder import write_dataset
    from litotes.integrations.evaluator import LitotesEvaluator
    from litotes.integrations.floor import assert_at_least
    from litotes.integrations.mteb_tasks import mteb_task, write_mteb_results
    from litotes.language.developmental.classify import classify_negation
    from litotes.report.frames import runs_frame
    from litotes.rewrites.apply import rewrite, rewrite_all
    from litotes.rewrites.base import Edit, Edits, Skip
    from litotes.rewrites.quadruple import Quadruple, quadruples
    from litotes.rewrites.rules import list_rewrites
    from litotes.scorers.adapter import adapt
    from litotes.scorers.base import Chooser, Encoder, Fingerprint, PairClassifier, Question, Scorer
    from litotes.scorers.loading import list_scorers, load_scorer
    from litotes.suites.base import Item, Suite
    from litotes.suites.loading import list_suites, load_suite
    from litotes.suites.published.tables import PublishedTable, published_results
    from litotes.training.experiments import load_plan, run_experiment
    from litotes.training.nli import Trained, train_nli
    from litotes.training.repair.api import repair_model
    from litotes.training.repair.outcome import Outcome
    from litotes.training.repair.settings import RepairSettings
    from litotes.training.settings import TrainSettings

_PLACES = {
    "Audit": "litotes.audit.result",
    "Built": "litotes.building.engine",
    "Chooser": "litotes.scorers.base",
    "Comparison": "litotes.bench.compare_models",
    "Edit": "litotes.rewrites.base",
    "Edits": "litotes.rewrites.base",
    "Encoder": "litotes.scorers.base",
    "Fingerprint": "litotes.scorers.base",
    "Item": "litotes.suites.base",
    "LitotesError": "litotes.core.errors",
    "LitotesEvaluator": "litotes.integrations.evaluator",
    "NliPair": "litotes.corpora.nli",
    "Outcome": "litotes.training.repair.outcome",
    "PairClassifier": "litotes.scorers.base",
    "PublishedTable": "litotes.suites.published.tables",
    "Quadruple": "litotes.rewrites.quadruple",
    "Question": "litotes.scorers.base",
    "RepairSettings": "litotes.training.repair.settings",
    "RunResult": "litotes.bench.result",
    "Scorer": "litotes.scorers.base",
    "Skip": "litotes.rewrites.base",
    "Suite": "litotes.suites.base",
    "TrainSettings": "litotes.training.settings",
    "Trained": "litotes.training.nli",
    "adapt": "litotes.scorers.adapter",
    "assert_at_least": "litotes.integrations.floor",
    "audit_model": "litotes.audit.api",
    "build_suite": "litotes.building.api",
    "classify_negation": "litotes.language.developmental.classify",
    "compare_models": "litotes.bench.compare_models",
    "evaluate": "litotes.bench.evaluate",
    "list_builders": "litotes.building.builders",
    "list_rewrites": "litotes.rewrites.rules",
    "list_scorers": "litotes.scorers.loading",
    "list_suites": "litotes.suites.loading",
    "load_plan": "litotes.training.experiments",
    "load_scorer": "litotes.scorers.loading",
    "load_suite": "litotes.suites.loading",
    "mteb_task": "litotes.integrations.mteb_tasks",
    "published_results": "litotes.suites.published.tables",
    "quadruples": "litotes.rewrites.quadruple",
    "read_nli": "litotes.corpora.nli",
    "repair_model": "litotes.training.repair.api",
    "rewrite": "litotes.rewrites.apply",
    "rewrite_all": "litotes.rewrites.apply",
    "run_experiment": "litotes.training.experiments",
    "runs_frame": "litotes.report.frames",
    "train_nli": "litotes.training.nli",
    "write_dataset": "litotes.integrations.dataset_folder",
    "write_mteb_results": "litotes.integrations.mteb_tasks",
}

__all__ = [
    "Audit",
    "Built",
    "Chooser",
    "Comparison",
    "Edit",
    "Edits",
    "Encoder",
    "Fingerprint",
    "Item",
    "LitotesError",
    "LitotesEvaluator",
    "NliPair",
    "Outcome",
    "PairClassifier",
    "PublishedTable",
    "Quadruple",
    "Question",
    "RepairSettings",
    "RunResult",
    "Scorer",
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
    "list_rewrites",
    "list_scorers",
    "list_suites",
    "load_plan",
    "load_scorer",
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
