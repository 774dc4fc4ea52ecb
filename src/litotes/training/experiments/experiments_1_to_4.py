"""Experiments 2 to 4: the model of experiment 1, trained on categories one by one, in sequence, or mixed."""

from __future__ import annotations

from collections.abc import Callable

from litotes.corpora.nli import NliPair
from litotes.training.experiments.plan import BaseModel
from litotes.training.experiments.rows import BEFORE, Row
from litotes.training.experiments.tasks import Runner, Training
from litotes.training.nli.data import draw


def transfer(run: Runner) -> list[Row]:
    """Experiment 2: a row for each category that was trained on alone."""

    def tune(model: BaseModel, seed: int, start: Training) -> list[Row]:
        rows = []
        for category, pairs in run.material.train.items():
            tuned = run.tuned(start, f"on-{category}", pairs, run.plan.stage("transfer", seed, model))
            measured = run.measure(tuned)
            rows.append(Row(model.name, seed, category, measured.run, measured.figures))
            run.forget(tuned)
        return rows

    return _after_first(run, tune)


def sequence(run: Runner) -> list[Row]:
    """Experiment 3: a row for each step through the categories, which all have as many pairs."""

    def tune(model: BaseModel, seed: int, start: Training) -> list[Row]:
        rows = []
        settings = run.plan.stage("sequence", seed, model)
        chain = [start]
        for step, category in enumerate(run.plan.order, 1):
            pairs = run.material.undersampled[category]
            tuned = run.tuned(chain[-1], f"sequence-{step}-{category}", pairs, settings)
            measured = run.measure(tuned)
            rows.append(Row(model.name, seed, f"{step} {category}", measured.run, measured.figures))
            # All that went before, since a longer sequence may have trained earlier steps anew; never the first.
            for gone in chain[1:]:
                run.forget(gone)
            chain.append(tuned)
        run.forget(chain[-1])
        return rows

    return _after_first(run, tune)


def mixture(run: Runner) -> list[Row]:
    """Experiment 4: a row for each mixture of all categories."""
    mixed = mixture_counts(run)

    def tune(model: BaseModel, seed: int, start: Training) -> list[Row]:
        rows = []
        for name, counts in mixed.items():
            pairs = _drawn(run, counts, seed)
            tuned = run.tuned(start, f"mixed-{name}", pairs, run.plan.stage("mixture", seed, model))
            measured = run.measure(tuned)
            rows.append(Row(model.name, seed, name, measured.run, measured.figures))
            run.forget(tuned)
        return rows

    return _after_first(run, tune)


def mixture_counts(run: Runner) -> dict[str, dict[str, int]]:
    """Mixture → how many pairs of each category; all mixtures have the same number in all."""
    there = {category: len(pairs) for category, pairs in run.material.train.items()}
    total = run.plan.total or sum(map(len, run.material.undersampled.values()))
    return {one.name: one.counts(there, total) for one in run.plan.proportions}


def _drawn(run: Runner, counts: dict[str, int], seed: int) -> list[NliPair]:
    """The pairs of a mixture; one that is in two categories may come twice, as it counts for both."""
    return [
        pair for category, count in counts.items() if count for pair in draw(run.material.train[category], count, seed)
    ]


def _after_first(run: Runner, tune: Callable[[BaseModel, int, Training], list[Row]]) -> list[Row]:
    """For each model and seed the row of experiment 1's model, and those of what is trained from it."""
    rows = []
    for model in run.plan.models:
        for seed in run.plan.seeds:
            start = run.first(model, seed)
            before = run.measure_epochs(start)[-1]
            rows.append(Row(model.name, seed, BEFORE, before.run, before.figures))
            rows += tune(model, seed, start)
    return rows


def first(run: Runner) -> list[Row]:
    """A row an epoch."""
    return [
        Row(model.name, seed, f"epoch {epoch}", measured.run, measured.figures)
        for model in run.plan.models
        for seed in run.plan.seeds
        for epoch, measured in enumerate(run.measure_epochs(run.first(model, seed)), 1)
    ]
