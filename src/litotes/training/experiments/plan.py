"""The plan of an experiment: models, data, seeds, and the settings of each stage, from options or a TOML file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import UNSET, Meta, UnsetType

from litotes.core.errors import UsageError
from litotes.core.files import expand_user
from litotes.core.registry import unknown_name
from litotes.core.settings import PositiveInt, convert, read_toml
from litotes.languages.negation_categories import CATEGORIES
from litotes.training.experiments.proportions import (
    Proportions,
    from_shares,
    parse_categories,
    parse_category,
    parse_proportions,
)
from litotes.training.nli.settings import TrainSettings, preset

NUMBERS = (1, 2, 3, 4)
STAGES = ("first", "transfer", "sequence", "mixture")
"""Names of the experiments' trainings in a plan, in the order of their numbers."""

_FINE_TUNING_EPOCHS = {
    "paper": {"transfer": 25, "sequence": 10, "mixture": 10},
    "small": {"transfer": 3, "sequence": 3, "mixture": 3},
    "smoke": {"transfer": 1, "sequence": 1, "mixture": 1},
}
"""Preset → epochs by stage; experiment 4 is not in the paper and has those of experiment 3."""

DEV_PAIRS = {"paper": None, "small": 2_000, "smoke": 200}
"""Preset → number of pairs without negation on which every model is tested; None for all."""

SEQUENCE = ("epistemic", "existence", "rejection", "possession", "labeling", "prohibition", "inability")
"""The sequence of experiment 3 in the authors' script and in the published results; the text does not state it."""

Split = Literal["premise", "published"]
"""How published files are split: by premise without leakage, or by premise and as the authors split them."""

Order = tuple[tuple[str, ...], ...]
"""Groups of categories, the earliest first; the categories of a group are tied."""

ORDERS: Mapping[str, Order] = MappingProxyType(
    {
        # “one of the first … is rejection … later followed by existence … and later still denial”, which denies the
        # truth of a claim: among the seven categories this is labeling (“it is not a dog”).
        "Nordmeyer and Frank (2018)": (("rejection",), ("existence",), ("labeling",)),
        # Rejection and labeling best, existence and prohibition worst “aligns quite well to the order observed”.
        "Liu and Jasbi (2021)": (("rejection", "labeling"), ("existence", "prohibition")),
    }
)
"""Orders of acquisition as reported by Laverghetta and Licato (2022); the two disagree on labeling and existence."""

_MODEL_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class ExperimentModel:
    """A model to train, with its name in tables and folders."""

    name: str
    base: str
    max_length: int | None = None
    """Maximum number of tokens of a pair, if smaller than in the settings."""
    trained: bool = False
    """Whether `base` is the folder of a finished `litotes train nli`, which replaces the first training."""


@dataclass(frozen=True)
class ExperimentPlan:
    """Everything that the results of an experiment depend on."""

    models: tuple[ExperimentModel, ...]
    data: Path
    """A corpus of `litotes build developmental`, or a folder with the published files."""
    train: tuple[str, ...] = ()
    """NLI files for the first training. Default: those of the corpus."""
    dev: tuple[str, ...] = ()
    """NLI files without negation for testing. Default: those of the corpus."""
    seeds: tuple[int, ...] = (0,)
    preset: str = "small"
    stages: Mapping[str, TrainSettings] = field(default_factory=lambda: stage_settings("small"))
    """Stage → its settings; the seed is that of the run."""
    categories: tuple[str, ...] = CATEGORIES
    order: tuple[str, ...] = SEQUENCE
    """Order of categories in experiment 3."""
    proportions: tuple[Proportions, ...] = (Proportions("equal"),)
    """The mixtures of experiment 4."""
    total: int | None = None
    """Pairs of a mixture. Default: as many as experiment 3 trains on."""
    acquisition: Mapping[str, Order] = field(default_factory=lambda: ORDERS)
    """Source → order of acquisition with which rankings are compared."""
    split: Split = "premise"
    """`published`: also run on the authors' split of the published files, and report the difference."""
    split_seed: int = 0
    """Seed of the split by premise of published files."""

    def __post_init__(self) -> None:
        if not self.models:
            hint = "name one with --base or --trained, or in the plan"
            raise UsageError("L102", "no model to train was named", hint=hint)
        _check_unique("model", [model.name for model in self.models], hint="rename one with NAME=MODEL")
        if not self.seeds:
            raise UsageError("L102", "the list of seeds is empty", hint="for example --seeds 0,1,2")
        _check_unique("seed", [str(seed) for seed in self.seeds], hint="name each seed once")
        _check_unique("category", self.categories, hint="name each category once")
        for category in self.order:
            if category not in self.categories:
                raise UsageError("L102", f"order: {category} is not among the categories of the plan")
        if not self.order:
            raise UsageError("L102", "the order of categories is empty", hint=f"known: {', '.join(CATEGORIES)}")
        if self.split not in get_args(Split):
            raise unknown_name("split", self.split, get_args(Split))
        if not self.proportions:
            raise UsageError("L102", "the list of proportions is empty", hint="equal, natural or name=share,name=share")
        _check_unique("mixture", [proportions.name for proportions in self.proportions], hint="remove one")

    def settings_for(self, stage: str, seed: int, model: ExperimentModel) -> TrainSettings:
        """Return the settings of a stage for a model and a seed."""
        settings = self.stages[stage]
        length = settings.max_length if model.max_length is None else min(settings.max_length, model.max_length)
        return settings.replace(seed=seed, max_length=length)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan for results.json, without paths of this machine."""
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
            "proportions": [proportions.name for proportions in self.proportions],
            "total": self.total,
            "acquisition": {name: [list(group) for group in order] for name, order in self.acquisition.items()},
            "split": self.split,
            "split_seed": self.split_seed,
        }


def _without_folder(name: str) -> str:
    path = expand_user(name)
    return path.name if path.is_absolute() or path.exists() else name


def _check_unique(kind: str, names: Sequence[str], *, hint: str) -> None:
    repeated = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if repeated is not None:
        raise UsageError("L102", f"the {kind} {repeated} is given twice", hint=hint)


def stage_settings(
    name: str, changes: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
) -> Mapping[str, TrainSettings]:
    """Return the settings of each stage: those of a preset with changes by stage; changes under "" apply to all.

    `examples` under "" applies to the first training only, because diagnostic sets are small.

    >>> stage_settings("paper")["transfer"].epochs, stage_settings("paper", {"": {"epochs": 2}})["transfer"].epochs
    (25, 2)
    """
    first = preset(name)
    common = dict(changes.get("", {}))
    stages: dict[str, TrainSettings] = {}
    for stage in STAGES:
        settings, stage_changes = first, {**common, **changes.get(stage, {})}
        if stage != "first":
            settings = first.replace(epochs=_FINE_TUNING_EPOCHS[name][stage], examples=None)
            if "examples" not in changes.get(stage, {}):
                stage_changes.pop("examples", None)
        stages[stage] = settings.replace(**stage_changes)
    return MappingProxyType(stages)


# Options of the command line


def parse_model(text: str) -> ExperimentModel:
    """Parse a model on the command line: MODEL or NAME=MODEL.

    >>> parse_model("little=models/all-little-1"), parse_model("org/all-little-1").name
    (ExperimentModel(name='little', base='models/all-little-1', max_length=None, trained=False), 'all-little-1')
    """
    name, separator, base = text.partition("=")
    if separator and _MODEL_NAME.fullmatch(name) and base and not expand_user(text).exists():
        return ExperimentModel(name, base)
    return ExperimentModel(default_name(text), text)


def default_name(base: str) -> str:
    """Return the default name of a model: the last part of its id or path.

    >>> default_name("hf:google/bert_tiny@main"), default_name("/models/ä b/")
    ('bert_tiny', 'b')
    """
    last = re.split(r"[/\\:]", base.rstrip("/\\"))[-1].partition("?")[0].partition("@")[0]
    return "-".join(re.findall(r"[A-Za-z0-9._]+", last)).strip(".") or "model"


def parse_seeds(text: str) -> tuple[int, ...]:
    """Parse a list of seeds.

    >>> parse_seeds("0, 2")
    (0, 2)
    """
    entries = [entry.strip() for entry in text.split(",")]
    for entry in entries:
        if not (entry.isascii() and entry.isdecimal() and len(entry) <= 9):
            raise UsageError("L102", f'--seeds {text}: "{entry}" is not a seed', hint="use integers from 0: 0,1,2")
    return tuple(map(int, entries))


_OPTION_PARSERS: Mapping[str, Callable[[Any], Any]] = {
    "models": lambda texts: tuple(map(parse_model, texts)),
    "trained": lambda texts: tuple(replace_fields(parse_model(text), trained=True) for text in texts),
    "data": expand_user,
    "train": tuple,
    "dev": tuple,
    "seeds": parse_seeds,
    "preset": str,
    "categories": lambda text: parse_categories(text.split(",")),
    "order": lambda text: parse_categories(text.split(",")),
    "proportions": lambda texts: tuple(map(parse_proportions, texts)),
    "total": int,
    "split": str,
}


# Plan files


class _ModelTable(msgspec.Struct, forbid_unknown_fields=True):
    base: str
    name: str | None = None
    max_length: PositiveInt | None = None
    trained: bool = False


def _stage_table(name: str, *more: tuple[str, Any, Any]) -> type[msgspec.Struct]:
    """Return the type of a table with any of the training settings, and more keys."""
    hints = get_type_hints(TrainSettings, include_extras=True)
    fields = [(key, hints[key] | UnsetType, UNSET) for key in TrainSettings.__struct_fields__ if key != "seed"]
    return msgspec.defstruct(name, [*fields, *more], forbid_unknown_fields=True)


_StageTable: Any = _stage_table("StageTable")
_SequenceTable: Any = _stage_table("SequenceTable", ("order", list[str] | UnsetType, UNSET))
_Share = Annotated[float, Meta(ge=0)]
_MixtureTable: Any = _stage_table(
    "MixtureTable",
    ("proportions", list[str | dict[str, _Share]] | UnsetType, UNSET),
    ("total", PositiveInt | UnsetType, UNSET),
)
_PlanFile: Any = msgspec.defstruct(
    "PlanFile",
    [
        ("models", list[str | _ModelTable] | UnsetType, UNSET),
        ("data", str | UnsetType, UNSET),
        ("train", str | list[str] | UnsetType, UNSET),
        ("dev", str | list[str] | UnsetType, UNSET),
        ("seeds", list[Annotated[int, Meta(ge=0)]] | UnsetType, UNSET),
        ("preset", str | UnsetType, UNSET),
        ("categories", list[str] | UnsetType, UNSET),
        ("split", str | UnsetType, UNSET),
        ("split_seed", int | UnsetType, UNSET),
        ("acquisition", dict[str, list[str | list[str]]] | UnsetType, UNSET),
        ("settings", _StageTable | UnsetType, UNSET),
        ("first", _StageTable | UnsetType, UNSET),
        ("transfer", _StageTable | UnsetType, UNSET),
        ("sequence", _SequenceTable | UnsetType, UNSET),
        ("mixture", _MixtureTable | UnsetType, UNSET),
    ],
    forbid_unknown_fields=True,
)


def load_plan(path: Path | None = None, **options: Any) -> ExperimentPlan:
    """Return the plan of a TOML file, of options, or of both; options take precedence.

    The plan named "paper" has the models and settings of the paper.

    >>> plan = load_plan(models=["org/little"], data="corpus", seeds="0,1", preset="smoke")
    >>> plan.models[0].name, plan.seeds, plan.stages["first"].epochs
    ('little', (0, 1), 2)
    """
    fields: dict[str, Any] = {}
    changes: dict[str, dict[str, Any]] = {}
    if path is not None:
        fields, changes = _read_plan_file(_plan_path(path), str(path))
    fields |= {name: _OPTION_PARSERS[name](value) for name, value in options.items() if value}
    if "categories" in fields and "order" not in fields:
        fields["order"] = tuple(category for category in SEQUENCE if category in fields["categories"])
    if "data" not in fields:
        raise UsageError("L102", "the data is missing", hint="name a corpus or the published files with --data DIR")
    fields["models"] = (*fields.get("models", ()), *fields.pop("trained", ()))
    fields["stages"] = stage_settings(fields.get("preset", "small"), changes)
    return ExperimentPlan(**fields)


def _plan_path(path: Path) -> Path:
    file = expand_user(path)
    built_in = Path(__file__).with_name("paper.toml")
    return built_in if str(path) == built_in.stem and not file.exists() else file


def _read_plan_file(path: Path, where: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the fields of the plan, and the changed training settings by stage."""
    table = convert(read_toml(path), _PlanFile, where=where)
    values = {name: value for name in table.__struct_fields__ if (value := getattr(table, name)) is not UNSET}
    changes = {
        "" if name == "settings" else name: {
            key: value for key in values[name].__struct_fields__ if (value := getattr(values[name], key)) is not UNSET
        }
        for name in ("settings", *STAGES)
        if name in values
    }
    fields = {name: value for name, value in values.items() if name not in ("settings", *STAGES)}
    for stage, names in (("sequence", ["order"]), ("mixture", ["proportions", "total"])):
        fields |= {name: changes[stage].pop(name) for name in names if name in changes.get(stage, {})}
    parsers: Mapping[str, Callable[[Any], Any]] = {
        "models": lambda entries: tuple(_model(entry, path.parent) for entry in entries),
        "data": lambda text: expand_user(_resolve(text, path.parent)),
        "train": lambda texts: _resolve_all(texts, path.parent),
        "dev": lambda texts: _resolve_all(texts, path.parent),
        "seeds": tuple,
        "categories": parse_categories,
        "order": parse_categories,
        "proportions": lambda entries: tuple(map(_proportions, entries)),
        "acquisition": lambda orders: MappingProxyType(
            {name: _order(groups, f"{where}: acquisition.{name}") for name, groups in orders.items()}
        ),
    }
    return {name: parsers.get(name, lambda same: same)(value) for name, value in fields.items()}, changes


def _model(entry: str | _ModelTable, folder: Path) -> ExperimentModel:
    if isinstance(entry, str):
        return ExperimentModel(default_name(entry), _resolve(entry, folder))
    name = default_name(entry.base) if entry.name is None else entry.name
    if not _MODEL_NAME.fullmatch(name):
        hint = "use letters, digits, dots, hyphens and underscores"
        raise UsageError("L102", f'"{name}" is not a valid name of a model', hint=hint)
    return ExperimentModel(name, _resolve(entry.base, folder), entry.max_length, entry.trained)


def _resolve(text: str, folder: Path) -> str:
    """Resolve a path relative to the plan's folder if it exists there; otherwise it may be an id on the hub."""
    if expand_user(text).is_absolute():
        return text
    path = folder / text
    try:
        return str(path) if path.exists() or "*" in text else text
    except (OSError, ValueError):
        return text


def _resolve_all(texts: str | Sequence[str], folder: Path) -> tuple[str, ...]:
    return tuple(_resolve(text, folder) for text in ([texts] if isinstance(texts, str) else texts))


def _proportions(entry: str | Mapping[str, float]) -> Proportions:
    if isinstance(entry, str):
        return parse_proportions(entry)
    return from_shares({parse_category(name): share for name, share in entry.items()})


def _order(groups: Sequence[str | Sequence[str]], where: str) -> Order:
    order = tuple(parse_categories([group] if isinstance(group, str) else group) for group in groups)
    names = [category for group in order for category in group]
    if len(set(names)) < len(names):
        raise UsageError("L102", f"{where}: a category is given twice")
    return order
