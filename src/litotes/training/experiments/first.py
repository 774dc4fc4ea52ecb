"""Experiment 1: trained on NLI without negation, tested on every category after every epoch."""

from __future__ import annotations

from litotes.training.experiments.rows import Row
from litotes.training.experiments.running import Runner


def first(run: Runner) -> list[Row]:
    """A row an epoch."""
    return [
        Row(model.name, seed, f"epoch {epoch}", measured.run, measured.figures)
        for model in run.plan.models
        for seed in run.plan.seeds
        for epoch, measured in enumerate(run.measure_epochs(run.first(model, seed)), 1)
    ]
