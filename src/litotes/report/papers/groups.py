"""Which group a model belongs to: by its run, or by the ready lists of the papers' models."""

from __future__ import annotations

from functools import cache

from litotes.evaluation.model_list import load_model_list
from litotes.evaluation.result import RunResult

UNGROUPED = "no group"
"""Of a model that was given none and is in no list."""


def bare_name(model: str) -> str:
    """The name as the papers print it.

    >>> bare_name("st:sentence-transformers/all-MiniLM-L6-v2")
    'all-MiniLM-L6-v2'
    """
    return model.removeprefix("st:").removeprefix("sentence-transformers/")


def group_of(run: RunResult, paper: str) -> str:
    """The group that the run was given, else that of the model in the paper's list."""
    return run.group or listed_groups(paper).get(bare_name(run.model), UNGROUPED)


@cache
def listed_groups(paper: str) -> dict[str, str]:
    """The group of each model of a ready list.

    >>> listed_groups("semantoneg")["all-MiniLM-L6-v2"]
    'generic'
    """
    return {bare_name(entry.name): entry.group for entry in load_model_list(paper).entries}
