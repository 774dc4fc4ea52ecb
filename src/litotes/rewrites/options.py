"""The options of rules and builders: the keyword arguments of their functions, validated by msgspec."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Protocol, Union, get_args, get_origin, get_type_hints

import msgspec

from litotes.core.errors import UsageError
from litotes.core.registry import unknown_name

_WORDS = {"true": True, "yes": True, "false": False, "no": False, "none": None}
_PLACEHOLDERS = {bool: "yes|no", int: "NUMBER", float: "NUMBER", str: "TEXT", NoneType: "none"}


class HasOptions(Hashable, Protocol):
    """A rule, builder or anything else that is declared as a function with options."""

    @property
    def name(self) -> str:
        """The name shown in messages."""

    @property
    def apply(self) -> Callable[..., Any]:
        """The function; its first argument is not an option."""


class Option(NamedTuple):
    """One option of a rule."""

    name: str
    type: Any
    default: Any

    @property
    def alternatives(self) -> tuple[Any, ...]:
        """The members of the type if it is a union, otherwise the type alone."""
        return get_args(self.type) if get_origin(self.type) in {Union, UnionType} else (self.type,)

    @property
    def values(self) -> str:
        """The allowed values, for help texts: "keep|expand", "NUMBER|none"."""
        return "|".join(
            "|".join(map(str, get_args(kind))) if get_origin(kind) is Literal else _PLACEHOLDERS[kind]
            for kind in self.alternatives
        )

    def parse(self, text: str) -> Any:
        """Return the value that a text from the command line means; msgspec converts numbers later."""
        value = _WORDS.get(text.lower(), text)
        return value if type(value) in self.alternatives else text


@lru_cache(maxsize=256)
def options_of(rule: HasOptions) -> dict[str, Option]:
    """Return the options of a rule by name."""
    hints = get_type_hints(rule.apply)
    parameters = list(inspect.signature(rule.apply).parameters.values())[1:]
    return {option.name: Option(option.name, hints.get(option.name, str), option.default) for option in parameters}


def check_options(rule: HasOptions, values: Mapping[str, Any], *, strict: bool = True) -> dict[str, Any]:
    """Return validated values; an error says which names and values are allowed.

    Unless `strict`, texts are converted to numbers.
    """
    options = options_of(rule)
    checked = {}
    for name, value in values.items():
        if name not in options:
            raise unknown_name(f"option of {rule.name}", name, options)
        try:
            checked[name] = msgspec.convert(value, options[name].type, strict=strict)
        except msgspec.ValidationError:
            expected = options[name].values
            raise UsageError("L102", f"{rule.name}: {name}={value} is not one of {expected}") from None
    return checked


def parse_options(rule: HasOptions, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the validated values of options from the command line, where every value is a text."""
    options = options_of(rule)
    values = {name: options[name].parse(text) if name in options else text for name, text in texts.items()}
    return check_options(rule, values, strict=False)
