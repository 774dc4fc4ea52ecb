"""Typed, validated settings of jobs, and reading them from TOML.

A job has one frozen settings type. Its fields carry type, default, limits and description, and everything else derives
from them: the options of the command line, the keys of `--config` files, cache keys and what result files store.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import math
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import msgspec
from msgspec import Meta

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import read_small_file
from litotes.core.registry import unknown_name

_TOML_PACKAGE = "tomllib" if sys.version_info >= (3, 11) else "tomli"
_MAX_TOML_BYTES = 1 << 20
_TOML_KEY = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_LONG_TOML_KEY = re.compile(rf"(?<![A-Za-z0-9_-])(?:{_TOML_KEY}[ \t]*\.[ \t]*){{16}}")
"""Keys of more parts: the parser needs memory proportional to the square of their number."""

PositiveInt = Annotated[int, Meta(ge=1)]
PositiveFloat = Annotated[float, Meta(gt=0)]
NonNegativeFloat = Annotated[float, Meta(ge=0)]
Fraction = Annotated[float, Meta(ge=0, le=1)]
ENGINE_HELP = "Where work runs: serial, processes, ray or ray:ADDRESS. Default: LITOTES_ENGINE, or this machine."
EngineSetting = Annotated[str | None, Meta(description=ENGINE_HELP, extra={"metavar": "ENGINE"})]
Seed = Annotated[int, Meta(ge=0, le=2**32 - 1, description="Random seed.")]

Value = TypeVar("Value")
AnySettings = TypeVar("AnySettings", bound="Settings")


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base class of settings; values are validated whenever an instance is created.

    >>> class CookSettings(Settings, frozen=True, kw_only=True):
    ...     minutes: Annotated[PositiveInt, Meta(description="Cooking time.")] = 5
    >>> CookSettings(minutes=0)
    Traceback (most recent call last):
    ...
    litotes.core.errors.UsageError: [L102] minutes=0: must be an integer >= 1
    """

    def __post_init__(self) -> None:
        values = self.to_dict()
        convert(values, _plain_type(type(self)))
        for name, value in values.items():
            if isinstance(value, float) and not math.isfinite(value):
                raise UsageError("L102", f"{name}={value}: must be a finite number")

    def to_dict(self) -> dict[str, Any]:
        """Return the values by name, in the order of the fields."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

    def replace(self: AnySettings, **changes: Any) -> AnySettings:
        """Return a copy with some values changed.

        >>> Settings().replace(colour="red")
        Traceback (most recent call last):
        ...
        litotes.core.errors.UsageError: [L101] unknown setting "colour"; known: none
        """
        for name in changes:
            if name not in self.__struct_fields__:
                raise unknown_name("setting", name, self.__struct_fields__ or ["none"])
        return type(self)(**{**self.to_dict(), **changes})

    def digest(self) -> str:
        """Return a hash of the values that is the same in every process and on every machine."""
        text = json.dumps(self.to_dict(), sort_keys=True, ensure_ascii=True, default=str)
        return hashlib.sha256(text.encode("ascii")).hexdigest()


@cache
def _plain_type(settings: type[Settings]) -> type[msgspec.Struct]:
    """Return a type with the same fields that does not validate itself, to validate with."""
    hints = get_type_hints(settings, include_extras=True)
    return msgspec.defstruct(settings.__name__, [(name, hints[name]) for name in settings.__struct_fields__])


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file."""
    try:
        text = read_small_file(path, _MAX_TOML_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError("L207", f"{path}: is not UTF-8 text ({error.reason})", hint="save it as UTF-8") from error
    if long_key := _LONG_TOML_KEY.search(text):
        line = text.count("\n", 0, long_key.start()) + 1
        raise UsageError("L203", f"{path}:{line}: has a key of more than 16 parts", hint="settings have at most three")
    try:
        tables: dict[str, Any] = importlib.import_module(_TOML_PACKAGE).loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError("L203", f"{path}: is not TOML ({error})") from error
    return tables


def convert(table: Mapping[str, Any], kind: type[Value], *, where: str = "", code: str = "L102") -> Value:
    """Return a table, from TOML for example, as an instance of a struct; raise one line on the first wrong value.

    >>> class TeaSettings(Settings, frozen=True, kw_only=True):
    ...     sugar: bool = False
    >>> convert({"suger": True}, TeaSettings, where="tea.toml")
    Traceback (most recent call last):
    ...
    litotes.core.errors.UsageError: [L101] tea.toml: unknown key "suger"; did you mean sugar?
    """
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        raise _usage_error(str(error), table, kind, where, code) from None
    except LitotesError as error:
        raise (error if not where else UsageError(error.code, f"{where}: {error.message}", hint=error.hint)) from None


_TYPE_NAMES = {
    "int": "an integer",
    "float": "a number",
    "str": "a string",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "empty",
}
_PATH_SUFFIX = re.compile(r" - at `(?:key` in `)?\$\.?(.*)`$")
_UNKNOWN_FIELD = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)


def _usage_error(message: str, table: Mapping[str, Any], kind: type, where: str, code: str) -> UsageError:
    """Return a message of msgspec as an error that names the key and its value."""
    suffix = _PATH_SUFFIX.search(message)
    path = suffix.group(1) if suffix else ""
    text = message[: suffix.start()] if suffix else message
    steps = re.findall(r"[^.\[\]]+", path)
    prefix = f"{where}: " if where else ""
    if unknown := _UNKNOWN_FIELD.match(text):
        error = unknown_name(f"key in {path}" if path else "key", unknown.group(1), _known_keys(kind, steps))
        return UsageError(error.code, prefix + error.message, hint=error.hint)
    value = _value_at(table, steps)
    if text.startswith("Invalid enum value"):
        error = unknown_name(path, str(value), map(str, _choices(kind, steps)))
        return UsageError(error.code, prefix + error.message, hint=error.hint)
    shown = f"{path}={value}" if isinstance(value, (str, int, float)) else path
    return UsageError(code, prefix + (f"{shown}: " if shown else "") + _translate(text))


def _translate(text: str) -> str:
    """Return a message of msgspec without the names of JSON types.

    >>> _translate("Expected `int | null`, got `str`"), _translate("Object missing required field `base`")
    ('must be an integer, not a string', 'the key base is missing')
    """
    text = text.replace("Expected ", "must be ").replace(", got ", ", not ").replace(" | null`", "`")
    text = re.sub(r"Object missing required field `(.*)`", r"the key \1 is missing", text)
    text = re.sub(r"`([a-z |]+)`", _translate_types, text)
    return re.sub(r"(\d)\.0\b", r"\1", text)


def _translate_types(match: re.Match[str]) -> str:
    return " or ".join(_TYPE_NAMES.get(name, name) for name in match[1].split(" | "))


def _value_at(table: Any, steps: list[str]) -> Any:
    for step in steps:
        try:
            table = table[int(step)] if isinstance(table, (list, tuple)) else table[step]
        except (LookupError, TypeError, ValueError):
            return None
    return table


def _types_at(kind: Any, steps: list[str]) -> list[Any]:
    """Return the alternatives of the type that is expected at a path."""
    from msgspec import inspect

    infos: list[Any] = [inspect.type_info(kind)]
    for step in [*steps, None]:
        alternatives: list[Any] = []
        for info in infos:
            bare = info.type if isinstance(info, inspect.Metadata) else info
            members = bare.types if isinstance(bare, inspect.UnionType) else (bare,)
            alternatives += [member.type if isinstance(member, inspect.Metadata) else member for member in members]
        if step is None:
            return alternatives
        infos = [field.type for info in alternatives for field in getattr(info, "fields", ()) if field.name == step]
        infos += [info.item_type for info in alternatives if hasattr(info, "item_type")]
        infos += [info.value_type for info in alternatives if hasattr(info, "value_type")]
    return []


def _known_keys(kind: Any, steps: list[str]) -> list[str]:
    return [field.encode_name for info in _types_at(kind, steps) for field in getattr(info, "fields", ())]


def _choices(kind: Any, steps: list[str]) -> list[Any]:
    return [value for info in _types_at(kind, steps) for value in getattr(info, "values", ())]
