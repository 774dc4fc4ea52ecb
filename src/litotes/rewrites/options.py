"""The options of rules and builders: keyword arguments of a function, validated or parsed from the command line."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints

from litotes.core.errors import UsageError
from litotes.core.registry import unknown_name

_WORDS = {"true": True, "yes": True, "false": False, "no": False}


class HasOptions(Hashable, Protocol):
    """A rule, builder or anything else that is declared as a function with options."""

    @property
    def name(self) -> str:
        """The name shown in messages."""

    @property
    def apply(self) -> Callable[..., Any]:
        """The function; its first argument is not an option."""


@dataclass(frozen=True)
class Option:
    """One option of a rule."""

    name: str
    kind: Any
    default: Any

    @property
    def values(self) -> str:
        """The allowed values, for help texts."""
        kinds = _alternatives(self.kind)
        return "|".join(
            "|".join(map(str, get_args(kind))) if get_origin(kind) is Literal else _KIND_NAMES.get(kind, "none")
            for kind in kinds
        )


_KIND_NAMES = {bool: "yes|no", int: "NUMBER", float: "NUMBER", str: "TEXT"}


@lru_cache(maxsize=256)
def options_of(rule: HasOptions) -> dict[str, Option]:
    """Return the options of a rule by name."""
    hints = get_type_hints(rule.apply)
    parameters = list(inspect.signature(rule.apply).parameters.values())[1:]
    return {option.name: Option(option.name, hints.get(option.name, str), option.default) for option in parameters}


def checked(rule: HasOptions, given: Mapping[str, Any]) -> dict[str, Any]:
    """Validate options; the error says which names and values are allowed."""
    known = options_of(rule)
    for name, value in given.items():
        if name not in known:
            raise unknown_name(f"option of {rule.name}", name, known)
        if not any(_fits(value, kind) for kind in _alternatives(known[name].kind)):
            raise _wrong(rule, known[name], value)
    return dict(given)


def from_words(rule: HasOptions, given: Mapping[str, str]) -> dict[str, Any]:
    """Parse options from the command line, where every value is a string."""
    known = options_of(rule)
    found: dict[str, Any] = {}
    for name, word in given.items():
        if name not in known:
            raise unknown_name(f"option of {rule.name}", name, known)
        found[name] = _read(rule, known[name], word)
    return checked(rule, found)


def _read(rule: HasOptions, option: Option, word: str) -> Any:
    kinds = _alternatives(option.kind)
    for kind in kinds:
        if kind is bool and word.lower() in _WORDS:
            return _WORDS[word.lower()]
        if kind is NoneType and word.lower() == "none":
            return None
        if kind in {int, float}:
            try:
                return kind(word)
            except ValueError:
                continue
        if get_origin(kind) is Literal:
            for value in get_args(kind):
                if str(value) == word:
                    return value
    if str in kinds:
        return word
    raise _wrong(rule, option, word)


def _fits(value: Any, kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if kind in {int, float} and isinstance(value, bool):
        return False
    return isinstance(value, kind)


def _alternatives(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in {Union, UnionType} else (kind,)


def _wrong(rule: HasOptions, option: Option, value: Any) -> UsageError:
    return UsageError("L102", f"{rule.name}: {option.name}={value} is not one of {option.values}")
