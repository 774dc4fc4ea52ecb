"""A plan in a TOML file: every key known, every value of its type, paths from where the file lies."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from litotes.core.errors import UsageError
from litotes.core.files import expand_user
from litotes.core.registry import unknown_name
from litotes.core.settings import read_toml
from litotes.training.experiments.plan import (
    STAGES,
    BaseModel,
    Plan,
    check_name,
    default_name,
    parse_model,
    parse_seeds,
    settings_of,
)
from litotes.training.experiments.proportions import (
    Proportions,
    from_shares,
    parse_categories,
    parse_category,
    parse_proportions,
)
from litotes.training.experiments.rank_correlation import Order
from litotes.training.nli.settings import TrainSettings

_KEYS = (
    "models",
    "data",
    "train",
    "dev",
    "seeds",
    "preset",
    "categories",
    "split_seed",
    "settings",
    *STAGES,
    "acquisition",
)
_OWN_KEYS: Mapping[str, tuple[str, ...]] = {"sequence": ("order",), "mixture": ("proportions", "total")}
_SETTINGS = [field.name for field in dataclasses.fields(TrainSettings) if field.name != "seed"]
_KINDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    dict: "a table",
    list: "a list",
    bool: "true or false",
}


def make_plan(
    tables: Mapping[str, Any], options: Mapping[str, Any], *, where: str = "the plan", folder: Path | None = None
) -> Plan:
    """The plan of a file's tables and of the command line's options, which come first.

    Options are texts, or lists of texts, under the names of the plan's keys, and `order`, `proportions`.
    """
    reader = _Reader(where, folder)
    reader.known(tables, _KEYS, "")
    kept: dict[str, Any] = {}
    for key, read in reader.readers().items():
        if key in tables:
            kept[key] = read(tables[key])
    changes = {stage: dict(reader.settings(tables.get(key, {}), key)) for stage, key in _tables()}
    for stage, names in _OWN_KEYS.items():
        own = {name: changes[stage].pop(name) for name in names if name in changes[stage]}
        kept |= {name: reader.own(name, value, f"{stage}.{name}") for name, value in own.items()}
    kept |= _from_options(options)
    if "categories" in kept and "order" not in kept:
        kept["order"] = kept["categories"]
    if "data" not in kept:
        raise UsageError("L102", "there is no data", hint="give a corpus or the published files by --data DIR")
    # Trainings that were named stand beside the models that are to be trained.
    kept["models"] = (*kept.get("models", ()), *kept.pop("trained", ()))
    kept["stages"] = settings_of(kept.get("preset", "small"), changes)
    return Plan(**kept)


def _tables() -> list[tuple[str, str]]:
    """The stage that each table of settings is about, "" for all."""
    return [("", "settings"), *((stage, stage) for stage in STAGES)]


def _from_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """What was given on the command line; None was not."""
    readers: dict[str, Callable[[Any], Any]] = {
        "models": lambda texts: tuple(map(parse_model, texts)),
        "trained": lambda texts: tuple(dataclasses.replace(parse_model(text), trained=True) for text in texts),
        "data": expand_user,
        "train": tuple,
        "dev": tuple,
        "seeds": parse_seeds,
        "preset": str,
        "categories": lambda text: parse_categories(text.split(",")),
        "order": lambda text: parse_categories(text.split(",")),
        "proportions": lambda texts: tuple(map(parse_proportions, texts)),
        "total": int,
    }
    return {name: readers[name](value) for name, value in options.items() if value}


class _Reader:
    """Reads values of a plan file; whatever is wrong is told with its place."""

    def __init__(self, where: str, folder: Path | None) -> None:
        self._where = where
        self._folder = folder

    def readers(self) -> dict[str, Callable[[Any], Any]]:
        """How each key that is no table of settings is read."""
        return {
            "models": self._models,
            "data": lambda value: expand_user(self._path(self._typed(value, str, "data"))),
            "train": lambda value: tuple(self._path(text) for text in self._texts(value, "train")),
            "dev": lambda value: tuple(self._path(text) for text in self._texts(value, "dev")),
            "seeds": lambda value: parse_seeds(",".join(str(seed) for seed in self._list(value, int, "seeds"))),
            "preset": lambda value: self._typed(value, str, "preset"),
            "categories": lambda value: parse_categories(self._list(value, str, "categories")),
            "split_seed": lambda value: self._typed(value, int, "split_seed"),
            "acquisition": self._acquisition,
        }

    def known(self, table: Mapping[str, Any], keys: typing.Iterable[str], inside: str) -> None:
        """Raise for a key that means nothing."""
        names = list(keys)
        for key in table:
            if key not in names:
                place = f"key of [{inside}] in {self._where}" if inside else f"key in {self._where}"
                raise unknown_name(place, key, names)

    def settings(self, value: Any, key: str) -> dict[str, Any]:
        """A table of settings; what belongs to the stage alone is left as it is."""
        table = self._typed(value, dict, key)
        own = _OWN_KEYS.get(key, ())
        self.known(table, [*_SETTINGS, *own], key)
        hints = typing.get_type_hints(TrainSettings)
        return {
            name: entry if name in own else self._setting(entry, hints[name], f"{key}.{name}")
            for name, entry in table.items()
        }

    def own(self, name: str, value: Any, key: str) -> Any:
        """What only one stage has."""
        if name == "order":
            return parse_categories(self._list(value, str, key))
        if name == "total":
            total = self._typed(value, int, key)
            if total < 1:
                raise self._wrong(key, "at least 1 is needed")
            return total
        return tuple(self._proportions(one, key) for one in self._typed(value, list, key))

    def _setting(self, value: Any, hint: Any, key: str) -> Any:
        union = typing.get_origin(hint) in (types.UnionType, typing.Union)
        kinds = [kind for kind in (typing.get_args(hint) if union else (hint,)) if kind is not types.NoneType]
        kind = str if typing.get_origin(kinds[0]) is typing.Literal else kinds[0]
        return self._typed(value, kind, key)

    def _proportions(self, value: Any, key: str) -> Proportions:
        if isinstance(value, str):
            return parse_proportions(value)
        table = self._typed(value, dict, key)
        shares = {parse_category(name): self._typed(share, float, f"{key}.{name}") for name, share in table.items()}
        if any(not 0 <= share < float("inf") for share in shares.values()):
            raise self._wrong(key, "a share is a number from 0")
        return from_shares(shares)

    def _models(self, value: Any) -> tuple[BaseModel, ...]:
        found = []
        for entry in self._typed(value, list, "models"):
            if isinstance(entry, str):
                found.append(BaseModel(default_name(entry), self._path(entry)))
                continue
            table = self._typed(entry, dict, "models")
            self.known(table, ("name", "base", "max_length", "trained"), "models")
            if "base" not in table:
                raise self._wrong("models", 'an entry has no "base"')
            base = self._typed(table["base"], str, "models.base")
            name = self._typed(table.get("name", default_name(base)), str, "models.name")
            length = table.get("max_length")
            if length is not None and self._typed(length, int, "models.max_length") < 1:
                raise self._wrong("models.max_length", "at least 1 is needed")
            trained = self._typed(table.get("trained", False), bool, "models.trained")
            found.append(BaseModel(check_name(name), self._path(base), length, trained))
        return tuple(found)

    def _acquisition(self, value: Any) -> Mapping[str, Order]:
        orders: dict[str, Order] = {}
        for name, groups in self._typed(value, dict, "acquisition").items():
            key = f"acquisition.{name}"
            read = [
                parse_categories([group] if isinstance(group, str) else self._list(group, str, key))
                for group in self._typed(groups, list, key)
            ]
            named = [category for group in read for category in group]
            if len(set(named)) < len(named):
                raise self._wrong(key, "a category stands there twice")
            orders[name] = tuple(read)
        return MappingProxyType(orders)

    def _path(self, text: str) -> str:
        """A path as it is seen from the plan's folder, if there is something; else the name of a model on the hub."""
        if self._folder is None or expand_user(text).is_absolute():
            return text
        there = self._folder / text
        try:
            return str(there) if there.exists() or "*" in text else text
        except (OSError, ValueError):
            return text

    def _texts(self, value: Any, key: str) -> list[str]:
        return [value] if isinstance(value, str) else self._list(value, str, key)

    def _list(self, value: Any, kind: type, key: str) -> list[Any]:
        return [self._typed(entry, kind, key) for entry in self._typed(value, list, key)]

    def _typed(self, value: Any, kind: type, key: str) -> Any:
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            found = _KINDS.get(type(value), "something else")
            raise self._wrong(key, f"{_KINDS[kind]} is needed, this is {found}")
        return value

    def _wrong(self, key: str, what: str) -> UsageError:
        return UsageError("L102", f"{self._where}: {key}: {what}")


def load_plan(path: Path | None = None, **options: Any) -> Plan:
    """The plan of a file, of options, or of a file with options that come first.

    >>> plan = load_plan(models=["org/little"], data="corpus", seeds="0,1", preset="smoke")
    >>> plan.models[0].name, plan.seeds, plan.stages["first"].epochs
    ('little', (0, 1), 2)
    """
    if path is None:
        return make_plan({}, options)
    place = expand_user(path)
    return make_plan(read_toml(place), options, where=str(path), folder=place.parent)
