"""Trainings and evaluations of an experiment as tasks: finished ones are read from disk, the others are run."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, is_file, read_json, to_json, write_atomic
from litotes.core.progress import Progress
from litotes.core.versions import current_versions, installed_version
from litotes.corpora.nli import NliPair
from litotes.evaluation.engine import Engine
from litotes.evaluation.result_store import run_folder, write_run
from litotes.evaluation.settings import EvaluationSettings
from litotes.models.access import Access
from litotes.models.loading import load_model
from litotes.training.checkpoints import checkpoints, read_training_file
from litotes.training.experiments.data import TEST_SUITE, ExperimentData
from litotes.training.experiments.metrics import RunMetrics, metrics_by_category
from litotes.training.experiments.plan import ExperimentModel, ExperimentPlan
from litotes.training.nli.base_model import BaseEncoder, find_base
from litotes.training.nli.data import digest_pairs
from litotes.training.nli.settings import TrainSettings
from litotes.training.nli.train import train_nli

_KEY_LENGTH = 12


@dataclass(frozen=True)
class ExperimentTask:
    """A training or an evaluation."""

    kind: Literal["training", "evaluation"]
    name: str
    """Path of the task within the experiment, such as `minilm/seed-0/epoch-2`."""
    depends_on: Mapping[str, Any]

    @property
    def key(self) -> str:
        """A sha256 of everything that the task depends on.

        >>> first = ExperimentTask("training", "a", {"seed": 0, "data": "x"})
        >>> first.key == ExperimentTask("training", "b", {"data": "x", "seed": 0}).key
        True
        """
        ordered = [self.kind, {name: self.depends_on[name] for name in sorted(self.depends_on)}]
        return hashlib.sha256(to_json(ordered).encode()).hexdigest()

    @property
    def unique_name(self) -> str:
        """The name with the beginning of the key."""
        return f"{self.name}-{self.key[:_KEY_LENGTH]}"


class TaskStore:
    """The results of finished tasks in a folder, one file per task."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def result(self, task: ExperimentTask) -> dict[str, Any] | None:
        """Return the result of a task; None if it is not finished or its file is damaged."""
        path = self._path(task)
        if not is_file(path):
            return None
        try:
            content = read_json(path)
        except LitotesError:
            return None
        result = content.get("outcome")
        return result if content.get("key") == task.key and isinstance(result, dict) else None

    def add(self, task: ExperimentTask, result: Mapping[str, Any]) -> None:
        """Store the result of a finished task."""
        content = {
            "part": task.name,
            "what": task.kind,
            "key": task.key,
            "depends_on": dict(task.depends_on),
            "outcome": dict(result),
        }
        write_atomic(self._path(task), to_json(content, indent=2) + "\n")

    def _path(self, task: ExperimentTask) -> Path:
        return self._folder / f"{task.unique_name}.{task.kind}.json"


@dataclass(frozen=True)
class RunnerOptions:
    """How tasks are run; nothing of it affects their results."""

    access: Access = field(default_factory=Access)
    workers: int | None = None
    """Cores for evaluations. Default: all."""
    keep_models: bool = False
    """Keep the models of fine-tunings after they have been evaluated."""
    progress: Callable[[], Progress] = Progress
    """Creates the progress bar of a task."""
    on_task: Callable[[str], None] = lambda message: None
    """Called with a message when a task starts."""


@dataclass(frozen=True)
class Training:
    """A training task with its data and settings."""

    task: ExperimentTask
    pairs: Sequence[NliPair]
    settings: TrainSettings
    base: str = ""
    """Name of the base model of a first training."""
    start: Training | None = None
    """The training with whose model a fine-tuning starts."""
    finished_folder: Path | None = None
    """Folder of a finished `litotes train nli`."""


@dataclass(frozen=True)
class Measurement:
    """The metrics of an evaluated model by category, and its name in the run store."""

    run: str
    figures: Mapping[str, RunMetrics]


class TaskRunner:
    """Runs the tasks of a plan in a folder."""

    def __init__(self, plan: ExperimentPlan, data: ExperimentData, out: Path, options: RunnerOptions) -> None:
        self.plan = plan
        self.data = data
        self.runs = out / "runs"
        self._models = out / "models"
        self._store = TaskStore(out / "parts")
        self._options = options
        self._find_base = lru_cache(maxsize=None)(partial(find_base, access=options.access))

    def first_training(self, model: ExperimentModel, seed: int) -> Training:
        """Return the training on NLI without negation with which every experiment starts."""
        settings = self.plan.settings_for("first", seed, model)
        if model.trained:
            return self._finished_training(model, seed, settings)
        task = ExperimentTask(
            "training",
            f"{model.name}/seed-{seed}/nli",
            {
                "base": self._find_base(model.base).sha256,
                "data": self.data.digests["nli_train"],
                "settings": settings.to_dict(),
                "versions": _versions(),
            },
        )
        return Training(task, self.data.nli_train, settings, base=model.base)

    def _finished_training(self, model: ExperimentModel, seed: int, settings: TrainSettings) -> Training:
        """Return a finished `litotes train nli` as a first training."""
        folder = expand_user(model.base)
        record = read_training_file(folder) or {}
        epochs = len(checkpoints(folder))
        if "sha256" not in record or not epochs:
            hint = "run litotes train nli first"
            raise UsageError("L102", f"{folder}: is not a finished training with checkpoints", hint=hint)
        dependencies = {"trained": record.get("key"), "sha256": record["sha256"]}
        task = ExperimentTask("training", f"{model.name}/seed-{seed}/nli", dependencies)
        return Training(task, (), settings.replace(epochs=epochs), base=model.base, finished_folder=folder)

    def fine_tuning(self, start: Training, name: str, pairs: Sequence[NliPair], settings: TrainSettings) -> Training:
        """Return a training that starts with the model of another one; `name` replaces its last part."""
        task = ExperimentTask(
            "training",
            f"{start.task.name.rpartition('/')[0]}/{self.data.label}{name}",
            {
                "start": start.task.key,
                "data": digest_pairs(pairs),
                "settings": settings.to_dict(),
                "versions": _versions(),
            },
        )
        return Training(task, pairs, settings, start=start)

    def measure_epochs(self, training: Training) -> list[Measurement]:
        """Return the metrics after each epoch."""
        parent = training.task.name.rpartition("/")[0]
        measurements = []
        for epoch in range(1, training.settings.epochs + 1):
            task = self._evaluation_task(f"{parent}/{self.data.label}epoch-{epoch}", training, epoch)
            measurements.append(self._measure(task, partial(self._checkpoint, training, epoch)))
        return measurements

    def measure(self, training: Training) -> Measurement:
        """Return the metrics of the final model."""
        task = self._evaluation_task(training.task.name, training, None)
        return self._measure(task, partial(self._train, training))

    def delete_model(self, training: Training) -> None:
        """Delete the model of a training that is no longer needed, unless `keep_models` is set."""
        if not self._options.keep_models and training.finished_folder is None:
            shutil.rmtree(self.folder(training), ignore_errors=True)

    def folder(self, training: Training) -> Path:
        """Return the folder of a training's model."""
        return training.finished_folder or self._models / training.task.unique_name

    def is_finished(self, training: Training) -> bool:
        """Return whether a training is finished and its model has not been deleted."""
        is_done = training.finished_folder is not None or self._store.result(training.task) is not None
        return is_done and is_file(self.folder(training) / "config.json")

    def base_encoder(self, model: ExperimentModel) -> BaseEncoder:
        """Return the base encoder of a model; raise if it cannot be loaded."""
        return self._find_base(model.base)

    def _train(self, training: Training) -> Path:
        """Return the folder of a training's model; run the training, and those it starts from, if necessary."""
        folder = self.folder(training)
        if self.is_finished(training):
            return folder
        base = training.base if training.start is None else str(self._train(training.start))
        settings = training.settings
        n_pairs = min(len(training.pairs), settings.examples or len(training.pairs))
        epochs = f"{settings.epochs} epoch{'s' if settings.epochs > 1 else ''}"
        self._options.on_task(f"{training.task.name}: training on {n_pairs:,} pairs, {epochs}")
        result = train_nli(
            base,
            training.pairs,
            folder,
            settings=settings,
            progress=self._options.progress(),
            access=self._options.access,
        )
        self._store.add(training.task, {"sha256": result.sha256})
        return folder

    def _checkpoint(self, training: Training, epoch: int) -> Path:
        folder = self._train(training)
        paths = checkpoints(folder)
        if len(paths) != training.settings.epochs:
            message = f"{folder}: has {len(paths)} checkpoints of {training.settings.epochs} epochs"
            raise LitotesError("L203", message, hint="delete the folder to train again")
        return paths[epoch - 1]

    def _evaluation_task(self, name: str, training: Training, epoch: int | None) -> ExperimentTask:
        return ExperimentTask(
            "evaluation",
            name,
            {
                "training": training.task.key,
                "epoch": epoch,
                "suites": {suite.name: suite.sha256 for suite in self.data.suites},
                "versions": current_versions(),
            },
        )

    def _measure(self, task: ExperimentTask, find_model: Callable[[], Path]) -> Measurement:
        """Return the metrics of an evaluation, which is run if it is not finished."""
        stored = self._store.result(task)
        if stored is not None and self._run_owner(str(stored.get("run"))) == task.key:
            figures = {name: RunMetrics.from_dict(fields) for name, fields in stored["figures"].items()}
            return Measurement(str(stored["run"]), figures)
        folder = find_model()
        name = task.name if self._run_owner(task.name) in (None, task.key) else task.unique_name
        metrics = self._evaluate(folder, name, task)
        self._store.add(task, {"run": name, "figures": {key: asdict(value) for key, value in metrics.items()}})
        return Measurement(name, metrics)

    def _run_owner(self, name: str) -> str | None:
        """Return the key of the evaluation with this name in the run store, if there is one."""
        path = run_folder(self.runs, name, TEST_SUITE) / "result.json"
        if not is_file(path):
            return None
        try:
            return str(read_json(path).get("settings", {}).get("part"))
        except (LitotesError, AttributeError):
            return ""

    def _evaluate(self, folder: Path, name: str, task: ExperimentTask) -> dict[str, RunMetrics]:
        self._options.on_task(f"{name}: testing")
        model = load_model(f"nli:{folder}", offline=True, label=name)
        metrics: dict[str, RunMetrics] = {}
        with self._options.progress() as progress:
            engine = Engine(EvaluationSettings(workers=self._options.workers), cache=None, progress=progress)
            for result in engine.run(model, self.data.suites):
                metrics |= metrics_by_category(result)
                # The test suite is last, so its result means that all results are there.
                write_run(self.runs, replace(result, settings={**result.settings, "part": task.key}))
        return metrics


def _versions() -> dict[str, Any]:
    return {**current_versions(), "accelerate": installed_version("accelerate")}
