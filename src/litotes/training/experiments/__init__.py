"""The experiments of Laverghetta and Licato (2022) on developmental negation, and the one that they ask for."""

from litotes.training.experiments.plan import BaseModel, Plan
from litotes.training.experiments.plan_file import load_plan
from litotes.training.experiments.results import Results
from litotes.training.experiments.run import run_experiment

__all__ = ["BaseModel", "Plan", "Results", "load_plan", "run_experiment"]
