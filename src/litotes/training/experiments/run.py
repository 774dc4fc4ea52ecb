"""The four experiments, and running one from its plan to tables, figures and a summary."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from litotes.core.errors import LitotesError, UsageError, require_packages
from litotes.core.files import ensure_utf8, ensure_writable, expand_user, write_atomic
from litotes.core.locks import lock_folder
from litotes.core.model_folders.files import model_files
from litotes.core.progress import Progress
from litotes.corpora.nli import NliPair
from litotes.models.access import Access
from litotes.training.checkpoints import checkpoints
from litotes.training.experiments.data import load_data, load_published_split
from litotes.training.experiments.metrics import BEFORE, ResultRow, aggregate
from litotes.training.experiments.plan import NUMBERS, STAGES, ExperimentModel, ExperimentPlan
from litotes.training.experiments.results import (
    ExperimentResults,
    csv_table,
    markdown_tables,
    split_tables,
    write_results,
)
from litotes.training.experiments.summary import compare_rankings, write_summary
from litotes.training.experiments.tasks import Measurement, RunnerOptions, TaskRunner, Training
from litotes.training.nli.data import sample_pairs


def run_experiment(
    number: int,
    plan: ExperimentPlan,
    out: str | Path,
    *,
    progress: Callable[[], Progress] = Progress,
    on_task: Callable[[str], None] = lambda message: None,
    access: Access | None = None,
    workers: int | None = None,
    keep_models: bool = False,
) -> ExperimentResults:
    """Run one of the four experiments into a folder; finished parts of it are reused.

    Experiments 2 to 4 start from the training of experiment 1, which is run if necessary.

    Args:
        number: The experiment, 1 to 4.
        plan: Models, data and settings.
        out: Folder for models, runs and results.
        progress: Creates a progress bar for each training and evaluation.
        on_task: Called with a message when a training or evaluation starts.
        access: Permissions for loading the models.
        workers: Cores for evaluation. Default: all.
        keep_models: Keep the models of fine-tunings after they have been evaluated.
    """
    if number not in NUMBERS:
        raise UsageError("L101", f"unknown experiment {number}", hint="the experiments are 1, 2, 3 and 4")
    require_packages("train", "matplotlib")  # needed only at the end, after hours of training
    folder = expand_user(out)
    ensure_utf8(folder)
    ensure_writable(folder)
    _check_finished_trainings(number, plan)
    options = RunnerOptions(access or Access(), workers, keep_models, progress, on_task)
    data = load_data(plan)
    splits = [data]
    if plan.split == "published":
        if number == 4:
            raise UsageError("L102", "--split published is for experiments 1 to 3; the paper has no mixtures")
        splits.append(load_published_split(plan, data))
    runners = [TaskRunner(plan, split, folder, options) for split in splits]
    mixtures = mixture_counts(runners[0]) if number == 4 else {}
    check_disk_space(folder, _required_bytes(runners[0], number))
    with lock_folder(folder):
        results, *published = [_run(number, runner, mixtures) for runner in runners]
        results = replace(results, published_split=published[0] if published else None)
        _write(folder, results)
    return results


def _run(number: int, runner: TaskRunner, mixtures: Mapping[str, Mapping[str, int]]) -> ExperimentResults:
    rows = _EXPERIMENTS[number](runner)
    return ExperimentResults(
        number, runner.plan, runner.data.describe(), rows, aggregate(rows, runner.runs), mixtures, runner.data.label
    )


def _check_finished_trainings(number: int, plan: ExperimentPlan) -> None:
    """Raise if finished trainings cannot be compared over seeds or epochs."""
    trained = [model for model in plan.models if model.trained]
    if number == 1 and trained and len(plan.seeds) > 1:
        hint = "leave out --seeds here; in experiments 2 to 4 they apply to what is trained from it"
        raise UsageError("L102", f"{trained[0].name}: a finished training has one seed", hint=hint)
    epochs = {model.name: len(checkpoints(expand_user(model.base))) for model in trained}
    if any(not model.trained for model in plan.models):
        epochs["--base"] = plan.stages["first"].epochs
    if number == 1 and len(set(epochs.values())) > 1:
        counts = ", ".join(f"{name} {count}" for name, count in epochs.items())
        raise UsageError("L102", f"the models have different numbers of epochs ({counts})", hint="run them separately")


def _write(out: Path, results: ExperimentResults) -> None:
    """Write tables and figures, and last results.json and summary.md."""
    from litotes.training.experiments.figures import draw_figures

    for split in (results, results.published_split):
        if split is not None:
            write_atomic(out / "tables" / f"{split.name}.md", markdown_tables(split))
            write_atomic(out / "tables" / f"{split.name}.csv", csv_table(split))
            draw_figures(split, out / "figures")
    if results.published_split is not None:
        write_atomic(out / "tables" / f"{results.name}-splits.md", split_tables(results))
    agreements = compare_rankings(results)
    write_results(out, results, write_summary(results, agreements), {"agreements": agreements})


# The experiments


def epochs_experiment(runner: TaskRunner) -> list[ResultRow]:
    """Run experiment 1: one row per epoch of the training without negation."""
    return [
        _row(model, seed, f"epoch {epoch}", measurement)
        for model in runner.plan.models
        for seed in runner.plan.seeds
        for epoch, measurement in enumerate(runner.measure_epochs(runner.first_training(model, seed)), 1)
    ]


def transfer_experiment(runner: TaskRunner) -> list[ResultRow]:
    """Run experiment 2: one row per category, trained on this category alone."""

    def fine_tune(model: ExperimentModel, seed: int, start: Training) -> list[ResultRow]:
        rows = []
        settings = runner.plan.settings_for("transfer", seed, model)
        for category, pairs in runner.data.train.items():
            training = runner.fine_tuning(start, f"on-{category}", pairs, settings)
            rows.append(_row(model, seed, category, runner.measure(training)))
            runner.delete_model(training)
        return rows

    return _with_first_training(runner, fine_tune)


def sequence_experiment(runner: TaskRunner) -> list[ResultRow]:
    """Run experiment 3: one row per step through the categories, with equally many pairs of each."""

    def fine_tune(model: ExperimentModel, seed: int, start: Training) -> list[ResultRow]:
        rows = []
        settings = runner.plan.settings_for("sequence", seed, model)
        trainings = [start]
        for step, category in enumerate(runner.plan.order, 1):
            pairs = runner.data.undersampled[category]
            training = runner.fine_tuning(trainings[-1], f"sequence-{step}-{category}", pairs, settings)
            rows.append(_row(model, seed, f"{step} {category}", runner.measure(training)))
            # Delete all earlier steps, since a longer sequence may have repeated them; never the first training.
            for earlier in trainings[1:]:
                runner.delete_model(earlier)
            trainings.append(training)
        runner.delete_model(trainings[-1])
        return rows

    return _with_first_training(runner, fine_tune)


def mixture_experiment(runner: TaskRunner) -> list[ResultRow]:
    """Run experiment 4: one row per mixture of all categories."""
    mixtures = mixture_counts(runner)

    def fine_tune(model: ExperimentModel, seed: int, start: Training) -> list[ResultRow]:
        rows = []
        settings = runner.plan.settings_for("mixture", seed, model)
        for name, counts in mixtures.items():
            training = runner.fine_tuning(start, f"mixed-{name}", _mixture(runner, counts, seed), settings)
            rows.append(_row(model, seed, name, runner.measure(training)))
            runner.delete_model(training)
        return rows

    return _with_first_training(runner, fine_tune)


_EXPERIMENTS: dict[int, Callable[[TaskRunner], list[ResultRow]]] = {
    1: epochs_experiment,
    2: transfer_experiment,
    3: sequence_experiment,
    4: mixture_experiment,
}


def mixture_counts(runner: TaskRunner) -> dict[str, dict[str, int]]:
    """Return the number of pairs of each category by mixture; all mixtures have the same total."""
    available = {category: len(pairs) for category, pairs in runner.data.train.items()}
    total = runner.plan.total or sum(map(len, runner.data.undersampled.values()))
    return {proportions.name: proportions.counts(available, total) for proportions in runner.plan.proportions}


def _mixture(runner: TaskRunner, counts: dict[str, int], seed: int) -> list[NliPair]:
    """Return the pairs of a mixture; a pair with two categories may occur twice."""
    return [
        pair
        for category, count in counts.items()
        if count
        for pair in sample_pairs(runner.data.train[category], count, seed)
    ]


def _with_first_training(
    runner: TaskRunner, fine_tune: Callable[[ExperimentModel, int, Training], list[ResultRow]]
) -> list[ResultRow]:
    """Return for each model and seed the row of the first training and the rows of the fine-tunings from it."""
    rows = []
    for model in runner.plan.models:
        for seed in runner.plan.seeds:
            start = runner.first_training(model, seed)
            rows.append(_row(model, seed, BEFORE, runner.measure_epochs(start)[-1]))
            rows += fine_tune(model, seed, start)
    return rows


def _row(model: ExperimentModel, seed: int, step: str, measurement: Measurement) -> ResultRow:
    return ResultRow(model.name, seed, step, measurement.run, measurement.figures)


# Disk space

_WEIGHT_FILES = (".safetensors", ".bin")
_OPTIMIZER_SIZE = 2
"""Size of an optimizer's state relative to the weights; only the last checkpoint has it."""


def training_bytes(base: Path, epochs: int) -> int:
    """Estimate how many bytes a training writes: one model per epoch, the final model and the optimizer's state."""
    weights = sum(path.stat().st_size for path in model_files(base) if path.suffix in _WEIGHT_FILES)
    return weights * (epochs + 1 + _OPTIMIZER_SIZE)


def check_disk_space(out: Path, required: int) -> None:
    """Raise if the disk of a folder has too little free space."""
    existing = next(path for path in (out, *out.resolve().parents) if path.exists())
    free = shutil.disk_usage(existing).free
    if required > free:
        raise LitotesError(
            "L402",
            f"{out}: the experiment needs about {_readable_size(required)}, the disk has {_readable_size(free)} left",
            hint="free some space, train fewer epochs, or use another --out",
        )


def _readable_size(size: float) -> str:
    """Return a number of bytes with a unit.

    >>> _readable_size(3_500_000)
    '3.5 MB'
    """
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def _required_bytes(runner: TaskRunner, number: int) -> int:
    """Estimate the bytes that will be written by all first trainings and by simultaneous fine-tunings."""
    required = 0
    fine_tuning: list[int] = []
    for model in runner.plan.models:
        base = runner.base_encoder(model).folder
        for seed in runner.plan.seeds:
            training = runner.first_training(model, seed)
            if not runner.is_finished(training):
                written = sum(path.stat().st_size for path in runner.folder(training).rglob("*") if path.is_file())
                required += max(0, training_bytes(base, training.settings.epochs) - written)
        if number > 1:
            fine_tuning.append(training_bytes(base, runner.plan.stages[STAGES[number - 1]].epochs))
    n_simultaneous = 2 if number == 3 else 1  # a step of a sequence starts from the model of the previous one
    return required + n_simultaneous * max(fine_tuning, default=0)
