"""What an experiment is to do: models, data, seeds, and the settings of each of the four."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from litotes.core.errors import UsageError
from litotes.core.files import expand_user
from litotes.languages.negation_categories import CATEGORIES
from litotes.training.experiments.proportions import Proportions
from litotes.training.experiments.rank_correlation import ORDERS, Order
from litotes.training.nli.settings import TrainSettings, preset

NUMBERS = (1, 2, 3, 4)
STAGES = ("first", "transfer", "sequence", "mixture")
"""What each experiment is called in a plan, in the order of their numbers."""

_FINE_TUNING = {
    "paper": {"transfer": 25, "sequence": 10, "mixture": 10},
    "small": {"transfer": 3, "sequence": 3, "mixture": 3},
    "smoke": {"transfer": 1, "sequence": 1, "mixture": 1},
}
"""Preset → epochs of fine-tuning; experiment 4 is not in the paper and has those of experiment 3."""

DEV_PAIRS = {"paper": None, "small": 2_000, "smoke": 200}
"""Preset → how many pairs without negation every model is tested on, drawn by the split's seed; None for all."""

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class BaseModel:
    """A model that is trained, and what it is called in tables and folders."""

    name: str
    base: str
    max_length: int | None = None
    """The tokens of a pair, where it takes fewer than the plan says."""
    trained: bool = False
    """Whether `base` is the folder of a finished `litotes train nli`: then that is the first training."""


@dataclass(frozen=True)
class Plan:
    """Everything that decides what comes of an experiment."""

    models: tuple[BaseModel, ...]
    data: Path
    """A corpus of `litotes build developmental`, or a folder with the published files."""
    train: tuple[str, ...] = ()
    """NLI files for the first training; none: those of the corpus."""
    dev: tuple[str, ...] = ()
    """NLI files without negation to test on as well; none: those of the corpus."""
    seeds: tuple[int, ...] = (0,)
    preset: str = "small"
    stages: Mapping[str, TrainSettings] = field(default_factory=lambda: settings_of("small"))
    """Stage → how it trains; the seed is that of the run."""
    categories: tuple[str, ...] = CATEGORIES
    order: tuple[str, ...] = CATEGORIES
    """Of experiment 3; the paper gives its own only in a figure."""
    proportions: tuple[Proportions, ...] = (Proportions("equal"),)
    """Of experiment 4, a mixture each."""
    total: int | None = None
    """The pairs of a mixture; None: as many as experiment 3 trains on."""
    acquisition: Mapping[str, Order] = field(default_factory=lambda: ORDERS)
    """By name, orders of acquisition with which rankings are compared."""
    split_seed: int = 0
    """Decides how published files are split into train and test."""

    def __post_init__(self) -> None:
        if not self.models:
            raise UsageError(
                "L102", "there is no model to train", hint="name one by --base or --trained, or in the plan"
            )
        _check_unique("model", [model.name for model in self.models], hint="call one NAME=MODEL")
        if not self.seeds:
            raise UsageError("L102", "there are no seeds", hint="--seeds 0,1,2 for example")
        _check_unique("seed", [str(seed) for seed in self.seeds], hint="each is trained once")
        _check_unique("category", self.categories, hint="name it once")
        for category in self.order:
            if category not in self.categories:
                raise UsageError("L102", f"order: {category} is not among the categories of the plan")
        if not self.order:
            raise UsageError("L102", "the order of categories is empty", hint=f"known: {', '.join(CATEGORIES)}")
        if not self.proportions:
            raise UsageError("L102", "there are no proportions", hint="equal, natural or name=share,name=share")
        _check_unique("mixture", [one.name for one in self.proportions], hint="leave one out")

    def stage(self, stage: str, seed: int, model: BaseModel) -> TrainSettings:
        """How a model is trained in a stage with a seed."""
        settings = self.stages[stage]
        length = settings.max_length if model.max_length is None else min(settings.max_length, model.max_length)
        return replace(settings, seed=seed, max_length=length)

    def to_dict(self) -> dict[str, Any]:
        """The plan as results keep it; where files lie on a machine is left out."""
        return {
            "models": {model.name: _without_folder(model.base) for model in self.models},
            "data": self.data.resolve().name,
            "train": [_without_folder(path) for path in self.train],
            "dev": [_without_folder(path) for path in self.dev],
            "seeds": list(self.seeds),
            "preset": self.preset,
            "settings": {
                stage: {name: value for name, value in settings.to_dict().items() if name != "seed"}
                for stage, settings in self.stages.items()
            },
            "categories": list(self.categories),
            "order": list(self.order),
            "proportions": [one.name for one in self.proportions],
            "total": self.total,
            "acquisition": {name: [list(group) for group in order] for name, order in self.acquisition.items()},
            "split_seed": self.split_seed,
        }


def _without_folder(name: str) -> str:
    path = expand_user(name)
    return path.name if path.is_absolute() or path.exists() else name


def _check_unique(thing: str, names: Sequence[str], *, hint: str) -> None:
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise UsageError("L102", f"the {thing} {twice} stands there twice", hint=hint)


def settings_of(
    name: str, changes: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
) -> Mapping[str, TrainSettings]:
    """The settings of each stage by a preset, with changes by stage; those under "" are for all stages.

    `examples` under "" is about the first training alone: the diagnostic sets are small, and taken whole.

    >>> settings_of("paper")["transfer"].epochs, settings_of("paper", {"": {"epochs": 2}})["transfer"].epochs
    (25, 2)
    """
    first = preset(name)
    of_all = dict(changes.get("", {}))
    found: dict[str, TrainSettings] = {}
    for stage in STAGES:
        settings, change = first, {**of_all, **changes.get(stage, {})}
        if stage != "first":
            settings = replace(first, epochs=_FINE_TUNING[name][stage], examples=None)
            if "examples" not in changes.get(stage, {}):
                change.pop("examples", None)
        found[stage] = replace(settings, **change)
    return MappingProxyType(found)


def parse_model(text: str) -> BaseModel:
    """A model as it is written on the command line: MODEL or NAME=MODEL.

    >>> parse_model("little=models/all-little-1"), parse_model("org/all-little-1").name
    (BaseModel(name='little', base='models/all-little-1', max_length=None, trained=False), 'all-little-1')
    """
    name, separator, base = text.partition("=")
    if separator and _PLAIN_NAME.fullmatch(name) and base and not expand_user(text).exists():
        return BaseModel(name, base)
    return BaseModel(default_name(text), text)


def default_name(base: str) -> str:
    """What a model is called when nobody says: the last part of its name or path.

    >>> default_name("hf:google/bert_tiny@main"), default_name("/models/ä b/")
    ('bert_tiny', 'b')
    """
    last = re.split(r"[/\\:]", base.rstrip("/\\"))[-1].partition("?")[0].partition("@")[0]
    return "-".join(re.findall(r"[A-Za-z0-9._]+", last)).strip(".") or "model"


def check_name(name: str) -> str:
    """The name of a model if it can be one of a folder too."""
    if not _PLAIN_NAME.fullmatch(name):
        hint = "letters, figures, dots, dashes and underscores"
        raise UsageError("L102", f'"{name}" cannot be the name of a model', hint=hint)
    return name


def parse_seeds(text: str) -> tuple[int, ...]:
    """Seeds as they are written: 0,1,2.

    >>> parse_seeds("0, 2")
    (0, 2)
    """
    found = [entry.strip() for entry in text.split(",")]
    for entry in found:
        if not (entry.isascii() and entry.isdecimal() and len(entry) <= 9):
            raise UsageError("L102", f'--seeds {text}: "{entry}" is no seed', hint="whole numbers from 0: 0,1,2")
    return tuple(map(int, found))
