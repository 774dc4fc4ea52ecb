"""Find out whether a language model knows that “not bad” means “good”.

The public names are imported when they are first used, so that `import litotes` loads neither torch nor numpy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from litotes._version import __version__

if TYPE_CHECKING:
    from litotes.audit.api import audit_model as audit_model
    from litotes.audit.result import Audit as Audit
    from litotes.building.api import BuildResult as BuildResult
    from litotes.building.api import build_suite as build_suite
    from litotes.building.base import list_builders as list_builders
    from litotes.building.pipeline.settings import BuildSettings as BuildSettings
    from litotes.core.errors import LitotesError as LitotesError
    from litotes.corpora.nli import NliPair as NliPair
    from litotes.corpora.nli import read_nli as read_nli
    from litotes.evaluation.api import EvaluationResult as EvaluationResult
    from litotes.evaluation.api import evaluate as evaluate
    from litotes.evaluation.api import evaluate_models as evaluate_models
    from litotes.evaluation.model_list import load_model_list as load_model_list
    from litotes.evaluation.result import RunResult as RunResult
    from litotes.evaluation.settings import EncodeSettings as EncodeSettings
    from litotes.evaluation.settings import EvaluationSettings as EvaluationSettings
    from litotes.evaluation.statistics import Comparison as Comparison
    from litotes.evaluation.statistics import compare_models as compare_models
    from litotes.evaluation.vectors.encode import encode as encode
    from litotes.evaluation.vectors.folder import VectorFolder as VectorFolder
    from litotes.evaluation.vectors.folder import open_vectors as open_vectors
    from litotes.integrations.assertions import assert_at_least as assert_at_least
    from litotes.integrations.dataset_folder import write_dataset as write_dataset
    from litotes.integrations.evaluator import LitotesEvaluator as LitotesEvaluator
    from litotes.integrations.mteb_tasks import mteb_task as mteb_task
    from litotes.integrations.mteb_tasks import write_mteb_results as write_mteb_results
    from litotes.languages.en.developmental.classify import classify_negation as classify_negation
    from litotes.models.access import Access as Access
    from litotes.models.adapter import adapt as adapt
    from litotes.models.base import Chooser as Chooser
    from litotes.models.base import Encoder as Encoder
    from litotes.models.base import Fingerprint as Fingerprint
    from litotes.models.base import Model as Model
    from litotes.models.base import PairClassifier as PairClassifier
    from litotes.models.loading import list_models as list_models
    from litotes.models.loading import load_model as load_model
    from litotes.models.prompts import Question as Question
    from litotes.planning.api import plan_audit as plan_audit
    from litotes.planning.api import plan_build as plan_build
    from litotes.planning.plan import JobPlan as JobPlan
    from litotes.planning.plan import PlanSettings as PlanSettings
    from litotes.repair.api import repair_model as repair_model
    from litotes.repair.result import RepairResult as RepairResult
    from litotes.repair.settings import AdapterSettings as AdapterSettings
    from litotes.repair.settings import RepairSettings as RepairSettings
    from litotes.report.export import runs_frame as runs_frame
    from litotes.rewrites.apply import rewrite as rewrite
    from litotes.rewrites.apply import rewrite_all as rewrite_all
    from litotes.rewrites.base import Edit as Edit
    from litotes.rewrites.base import Edits as Edits
    from litotes.rewrites.base import Skip as Skip
    from litotes.rewrites.en.quadruple import Quadruple as Quadruple
    from litotes.rewrites.en.quadruple import quadruples as quadruples
    from litotes.rewrites.registry import list_rewrites as list_rewrites
    from litotes.suites.base import Item as Item
    from litotes.suites.base import Suite as Suite
    from litotes.suites.loading import list_suites as list_suites
    from litotes.suites.loading import load_suite as load_suite
    from litotes.suites.published_results import PublishedTable as PublishedTable
    from litotes.suites.published_results import published_results as published_results
    from litotes.training.experiments import load_plan as load_plan
    from litotes.training.experiments import run_experiment as run_experiment
    from litotes.training.nli.settings import TrainSettings as TrainSettings
    from litotes.training.nli.train import TrainingResult as TrainingResult
    from litotes.training.nli.train import train_nli as train_nli

_EXPORTS = {
    "litotes.audit.api": ["audit_model"],
    "litotes.audit.result": ["Audit"],
    "litotes.building.api": ["BuildResult", "build_suite"],
    "litotes.building.base": ["list_builders"],
    "litotes.building.pipeline.settings": ["BuildSettings"],
    "litotes.core.errors": ["LitotesError"],
    "litotes.corpora.nli": ["NliPair", "read_nli"],
    "litotes.evaluation.api": ["EvaluationResult", "evaluate", "evaluate_models"],
    "litotes.evaluation.statistics": ["Comparison", "compare_models"],
    "litotes.evaluation.vectors.encode": ["encode"],
    "litotes.evaluation.vectors.folder": ["VectorFolder", "open_vectors"],
    "litotes.evaluation.model_list": ["load_model_list"],
    "litotes.evaluation.result": ["RunResult"],
    "litotes.evaluation.settings": ["EncodeSettings", "EvaluationSettings"],
    "litotes.integrations.assertions": ["assert_at_least"],
    "litotes.integrations.dataset_folder": ["write_dataset"],
    "litotes.integrations.evaluator": ["LitotesEvaluator"],
    "litotes.integrations.mteb_tasks": ["mteb_task", "write_mteb_results"],
    "litotes.languages.en.developmental.classify": ["classify_negation"],
    "litotes.models.access": ["Access"],
    "litotes.models.adapter": ["adapt"],
    "litotes.models.base": ["Chooser", "Encoder", "Fingerprint", "Model", "PairClassifier"],
    "litotes.models.prompts": ["Question"],
    "litotes.models.loading": ["list_models", "load_model"],
    "litotes.planning.api": ["plan_audit", "plan_build"],
    "litotes.planning.plan": ["JobPlan", "PlanSettings"],
    "litotes.repair.api": ["repair_model"],
    "litotes.repair.result": ["RepairResult"],
    "litotes.repair.settings": ["AdapterSettings", "RepairSettings"],
    "litotes.report.export": ["runs_frame"],
    "litotes.rewrites.apply": ["rewrite", "rewrite_all"],
    "litotes.rewrites.base": ["Edit", "Edits", "Skip"],
    "litotes.rewrites.en.quadruple": ["Quadruple", "quadruples"],
    "litotes.rewrites.registry": ["list_rewrites"],
    "litotes.suites.base": ["Item", "Suite"],
    "litotes.suites.loading": ["list_suites", "load_suite"],
    "litotes.suites.published_results": ["PublishedTable", "published_results"],
    "litotes.training.experiments": ["load_plan", "run_experiment"],
    "litotes.training.nli.settings": ["TrainSettings"],
    "litotes.training.nli.train": ["TrainingResult", "train_nli"],
}
"""The public names by module."""

_MODULES = {name: module for module, names in _EXPORTS.items() for name in names}

__all__ = ["__version__", *sorted(_MODULES)]  # noqa: PLE0604  (they are strings)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(importlib.import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'litotes' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
