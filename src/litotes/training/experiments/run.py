"""Running an experiment from its plan to tables, figures and a summary."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from litotes.core.errors import LitotesError, UsageError, missing_package
from litotes.core.files import ensure_writable, expand_user, write_atomic
from litotes.core.locks import lock_folder
from litotes.core.progress import Progress
from litotes.core.versions import installed_version
from litotes.models.access import Access
from litotes.models.model_folder import model_files
from litotes.training.checkpoints import checkpoints
from litotes.training.experiments.aggregation import put_together
from litotes.training.experiments.data import load_material
from litotes.training.experiments.experiments_1_to_4 import first, mixture, mixture_counts, sequence, transfer
from litotes.training.experiments.plan import NUMBERS, STAGES, Plan
from litotes.training.experiments.results import Results, keep_results
from litotes.training.experiments.rows import Row
from litotes.training.experiments.summary import compare_rankings, write_summary
from litotes.training.experiments.tables import csv_table, markdown_tables
from litotes.training.experiments.tasks import How, Runner

_WEIGHTS = (".safetensors", ".bin")
_OPTIMIZER = 2
"""A model's optimizer keeps two numbers for each of its own; only the last checkpoint has it."""


def training_bytes(base: Path, epochs: int) -> int:
    """About how much a training writes: a model an epoch, the final one, the optimizer."""
    weights = sum(path.stat().st_size for path in model_files(base) if path.suffix in _WEIGHTS)
    return weights * (epochs + 1 + _OPTIMIZER)


def bytes_there(folder: Path) -> int:
    """What is written below a folder already."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def check_room(out: Path, needed: int) -> None:
    """Raise if so much cannot be written there."""
    place = next(path for path in (out, *out.resolve().parents) if path.exists())
    free = shutil.disk_usage(place).free
    if needed > free:
        raise LitotesError(
            "L402",
            f"{out}: the experiment needs about {_size(needed)}, the disk has {_size(free)} left",
            hint="make room, train fewer epochs, or take another --out",
        )


def _size(count: float) -> str:
    """A number of bytes for people.

    >>> _size(3_500_000)
    '3.5 MB'
    """
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


_EXPERIMENTS: dict[int, Callable[[Runner], list[Row]]] = {1: first, 2: transfer, 3: sequence, 4: mixture}


def run_experiment(
    number: int,
    plan: Plan,
    out: str | Path,
    *,
    progress: Callable[[], Progress] = Progress,
    tell: Callable[[str], None] = lambda message: None,
    access: Access | None = None,
    workers: int | None = None,
    keep_models: bool = False,
) -> Results:
    """Run one of the four experiments into a folder; whatever of it is done already is not done again.

    Experiments 2 to 4 begin with experiment 1's training and do it themselves where it is not done.
    """
    if number not in NUMBERS:
        raise UsageError("L101", f"there is no experiment {number}", hint="they are 1, 2, 3 and 4")
    if installed_version("matplotlib") is None:  # told now, not after the hours that come before the figures
        raise missing_package("matplotlib", "train")
    folder = expand_user(out)
    ensure_writable(folder)
    how = How(access or Access(), workers, keep_models, progress, tell)
    check_trained(number, plan)
    run = Runner(plan, load_material(plan), folder, how)
    mixtures = mixture_counts(run) if number == 4 else {}
    check_room(folder, _needed(run, number))
    with lock_folder(folder):
        rows = _EXPERIMENTS[number](run)
        results = Results(number, plan, run.material.to_dict(), rows, put_together(rows, run.runs), mixtures)
        _write(folder, results)
    return results


def check_trained(number: int, plan: Plan) -> None:
    """Raise if trainings that were made before cannot be compared over seeds or epochs."""
    made = [model for model in plan.models if model.trained]
    if number == 1 and made and len(plan.seeds) > 1:
        hint = "leave --seeds out here; in experiments 2 to 4 they are of what is trained from it"
        raise UsageError("L102", f"{made[0].name}: a finished training is of one seed", hint=hint)
    epochs = {model.name: len(checkpoints(expand_user(model.base))) for model in made}
    if any(not model.trained for model in plan.models):
        epochs["--base"] = plan.stages["first"].epochs
    if number == 1 and len(set(epochs.values())) > 1:
        told = ", ".join(f"{name} {count}" for name, count in epochs.items())
        raise UsageError("L102", f"the models have different numbers of epochs ({told})", hint="run them apart")


def _needed(run: Runner, number: int) -> int:
    """About how many bytes the trainings will write: all first ones, and of the others as many as are kept at once."""
    needed = 0
    further: list[int] = []
    for model in run.plan.models:
        base = run.weights_of(model).folder
        for seed in run.plan.seeds:
            training = run.first(model, seed)
            if not run.is_there(training):
                needed += max(0, training_bytes(base, training.settings.epochs) - bytes_there(run.folder(training)))
        if number > 1:
            further.append(training_bytes(base, run.plan.stages[STAGES[number - 1]].epochs))
    at_once = 2 if number == 3 else 1  # a step of a sequence begins with the model of the one before
    return needed + at_once * max(further, default=0)


def _write(out: Path, results: Results) -> None:
    """Tables, figures, and last results.json and summary.md."""
    from litotes.training.experiments.figures import draw_figures

    name = f"experiment-{results.number}"
    write_atomic(out / "tables" / f"{name}.md", markdown_tables(results))
    write_atomic(out / "tables" / f"{name}.csv", csv_table(results))
    draw_figures(results, out / "figures")
    agreements = compare_rankings(results)
    keep_results(out, results, write_summary(results, agreements), {"agreements": agreements})
