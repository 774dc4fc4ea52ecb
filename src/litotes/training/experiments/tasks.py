"""Trainings and evaluations as parts: what is done is read, what is not is run, and only then."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from litotes.training.checkpoints import checkpoints, read_account
from litotes.training.experiments.data import TEST_SUITE, Material
from litotes.training.experiments.plan import BaseModel, Plan
from litotes.training.experiments.rows import Figure, figures_of
from litotes.training.nli.base_model import Base, find_base
from litotes.training.nli.data import digest
from litotes.training.nli.settings import TrainSettings
from litotes.training.nli.train import train_nli

_SHORT = 12


@dataclass(frozen=True)
class Part:
    """One training, or one evaluation."""

    what: Literal["training", "evaluation"]
    name: str
    """Where it stands in the experiment, as a path: `minilm/seed-0/epoch-2`."""
    depends_on: Mapping[str, Any]

    @property
    def key(self) -> str:
        """One sha256 for all that the part depends on.

        >>> Part("training", "a", {"seed": 0, "data": "x"}).key == Part("training", "b", {"data": "x", "seed": 0}).key
        True
        """
        ordered = [self.what, {name: self.depends_on[name] for name in sorted(self.depends_on)}]
        return hashlib.sha256(to_json(ordered).encode()).hexdigest()

    @property
    def place(self) -> str:
        """Its name with enough of the key that no other part has the same."""
        return f"{self.name}-{self.key[:_SHORT]}"


class Done:
    """The files of finished parts, below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def outcome(self, part: Part) -> dict[str, Any] | None:
        """What came of a part; None if it is not done, or its file cannot be trusted."""
        path = self._path(part)
        if not is_file(path):
            return None
        try:
            kept = read_json(path)
        except LitotesError:  # half a file of another program, or none of ours
            return None
        outcome = kept.get("outcome")
        return outcome if kept.get("key") == part.key and isinstance(outcome, dict) else None

    def keep(self, part: Part, outcome: Mapping[str, Any]) -> None:
        """Say that a part is done."""
        content = {
            "part": part.name,
            "what": part.what,
            "key": part.key,
            "depends_on": dict(part.depends_on),
            "outcome": dict(outcome),
        }
        write_atomic(self._path(part), to_json(content, indent=2) + "\n")

    def _path(self, part: Part) -> Path:
        return self._folder / f"{part.place}.{part.what}.json"


@dataclass(frozen=True)
class How:
    """How the parts are run; nothing of it changes what comes of them."""

    access: Access = field(default_factory=Access)
    workers: int | None = None
    """For evaluations; None: one a core."""
    keep_models: bool = False
    """Keep the models of fine-tunings after they were evaluated."""
    progress: Callable[[], Progress] = Progress
    """Makes a new one for each part."""
    tell: Callable[[str], None] = lambda message: None
    """Is told what begins."""


@dataclass(frozen=True)
class Training:
    """A training that is done or is to be done."""

    part: Part
    pairs: Sequence[NliPair]
    settings: TrainSettings
    base: str = ""
    """The base model's name, where it starts with one."""
    start: Training | None = None
    """The training with whose model this one starts."""
    there: Path | None = None
    """Where it lies, if it was made by itself."""


@dataclass(frozen=True)
class Measured:
    """An evaluated model: its name in the run store, and its figures by category."""

    run: str
    figures: Mapping[str, Figure]


class Runner:
    """Runs the parts of a plan's experiments in a folder."""

    def __init__(self, plan: Plan, material: Material, out: Path, how: How) -> None:
        self.plan = plan
        self.material = material
        self.runs = out / "runs"
        self._models = out / "models"
        self._done = Done(out / "parts")
        self._how = how
        self._base = lru_cache(maxsize=None)(self._find_base)

    def first(self, model: BaseModel, seed: int) -> Training:
        """The training on NLI without negation with which every experiment begins."""
        settings = self.plan.stage("first", seed, model)
        if model.trained:
            return self._made_before(model, seed, settings)
        part = Part(
            "training",
            f"{model.name}/seed-{seed}/nli",
            {
                "base": self._base(model.base).sha256,
                "data": self.material.digests["nli_train"],
                "settings": settings.to_dict(),
                "versions": _versions(),
            },
        )
        return Training(part, self.material.nli_train, settings, base=model.base)

    def _made_before(self, model: BaseModel, seed: int, settings: TrainSettings) -> Training:
        """A training by `litotes train nli`, as the first of an experiment."""
        folder = expand_user(model.base)
        account = read_account(folder) or {}
        epochs = len(checkpoints(folder))
        if "sha256" not in account or not epochs:
            raise UsageError(
                "L102", f"{folder}: is no finished training with its checkpoints", hint="litotes train nli makes one"
            )
        part = Part(
            "training", f"{model.name}/seed-{seed}/nli", {"trained": account.get("key"), "sha256": account["sha256"]}
        )
        return Training(part, (), replace(settings, epochs=epochs), base=model.base, there=folder)

    def tuned(self, start: Training, name: str, pairs: Sequence[NliPair], settings: TrainSettings) -> Training:
        """A further training of a model; the name is put in the place of the first training's."""
        part = Part(
            "training",
            f"{start.part.name.rpartition('/')[0]}/{name}",
            {
                "start": start.part.key,
                "data": digest(pairs),
                "settings": settings.to_dict(),
                "versions": _versions(),
            },
        )
        return Training(part, pairs, settings, start=start)

    def measure_epochs(self, training: Training) -> list[Measured]:
        """The figures after each epoch."""
        place = training.part.name.rpartition("/")[0]
        found = []
        for epoch in range(1, training.settings.epochs + 1):
            part = self._evaluation(f"{place}/epoch-{epoch}", training, epoch)
            found.append(self._measured(part, partial(self._checkpoint, training, epoch)))
        return found

    def measure(self, training: Training) -> Measured:
        """The figures at the end."""
        part = self._evaluation(training.part.name, training, None)
        return self._measured(part, partial(self._trained, training))

    def forget(self, training: Training) -> None:
        """Delete the model of a training that nothing needs any more, unless all are to be kept."""
        if not self._how.keep_models and training.there is None:
            shutil.rmtree(self.folder(training), ignore_errors=True)

    def folder(self, training: Training) -> Path:
        """Where the model of a training lies, or will."""
        return self._models / training.part.place if training.there is None else training.there

    def is_there(self, training: Training) -> bool:
        """Whether a training is finished and its model has not been deleted."""
        done = training.there is not None or self._done.outcome(training.part) is not None
        return done and is_file(self.folder(training) / "config.json")

    def weights_of(self, model: BaseModel) -> Base:
        """The base model, found; one that cannot be loaded is told before anything is trained."""
        return self._base(model.base)

    def _find_base(self, name: str) -> Base:
        return find_base(name, self._how.access)

    def _trained(self, training: Training) -> Path:
        """The folder of a training's model; it, and those it starts with, are run if their models are not there."""
        folder = self.folder(training)
        if self.is_there(training):
            return folder
        base = training.base if training.start is None else str(self._trained(training.start))
        epochs = f"{training.settings.epochs} epoch{'s' if training.settings.epochs > 1 else ''}"
        self._how.tell(f"{training.part.name}: training on {_drawn(training):,} pairs, {epochs}")
        trained = train_nli(
            base,
            training.pairs,
            folder,
            settings=training.settings,
            progress=self._how.progress(),
            access=self._how.access,
        )
        self._done.keep(training.part, {"sha256": trained.sha256})
        return folder

    def _checkpoint(self, training: Training, epoch: int) -> Path:
        folder = self._trained(training)
        found = checkpoints(folder)
        if len(found) != training.settings.epochs:
            raise LitotesError(
                "L203",
                f"{folder}: has {len(found)} checkpoints of {training.settings.epochs} epochs",
                hint="delete the folder, it is trained anew then",
            )
        return found[epoch - 1]

    def _evaluation(self, name: str, training: Training, epoch: int | None) -> Part:
        return Part(
            "evaluation",
            name,
            {
                "training": training.part.key,
                "epoch": epoch,
                "suites": {suite.name: suite.sha256 for suite in self.material.suites},
                "versions": current_versions(),
            },
        )

    def _measured(self, part: Part, model: Callable[[], Path]) -> Measured:
        """The figures of an evaluation that is done, or that is run now."""
        kept = self._done.outcome(part)
        if kept is not None and self._owner(str(kept.get("run"))) == part.key:
            figures = {name: Figure.from_dict(one) for name, one in kept["figures"].items()}
            return Measured(str(kept["run"]), figures)
        folder = model()
        name = part.name if self._owner(part.name) in (None, part.key) else part.place
        found = self._evaluate(folder, name, part)
        self._done.keep(part, {"run": name, "figures": {key: one.to_dict() for key, one in found.items()}})
        return Measured(name, found)

    def _owner(self, name: str) -> str | None:
        """The key of the evaluation that has a name in the run store; None if nobody has."""
        path = run_folder(self.runs, name, TEST_SUITE) / "result.json"
        if not is_file(path):
            return None
        try:
            return str(read_json(path).get("settings", {}).get("part"))
        except (LitotesError, AttributeError):
            return ""

    def _evaluate(self, folder: Path, name: str, part: Part) -> dict[str, Figure]:
        self._how.tell(f"{name}: testing")
        scorer = load_model(f"nli:{folder}", offline=True, label=name)
        found: dict[str, Figure] = {}
        with self._how.progress() as progress:
            engine = Engine(EvaluationSettings(workers=self._how.workers), cache=None, progress=progress)
            for result in engine.run(scorer, self.material.suites):
                found |= figures_of(result)
                # The test suite comes last: what has its result has all.
                write_run(self.runs, replace(result, settings={**result.settings, "part": part.key}))
        return found


def _drawn(training: Training) -> int:
    most = training.settings.examples
    return len(training.pairs) if most is None else min(most, len(training.pairs))


def _versions() -> dict[str, Any]:
    return {**current_versions(), "accelerate": installed_version("accelerate")}
