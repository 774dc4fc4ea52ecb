"""Reproduction of the experiments of Laverghetta and Licato (2022) on developmental negation, with a fourth one."""

from litotes.training.experiments.plan import ExperimentModel, ExperimentPlan, load_plan
from litotes.training.experiments.results import ExperimentResults
from litotes.training.experiments.run import run_experiment

__all__ = ["ExperimentModel", "ExperimentPlan", "ExperimentResults", "load_plan", "run_experiment"]
