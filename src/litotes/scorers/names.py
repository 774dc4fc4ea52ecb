"""The one string that names a scorer: `scheme:rest@revision?option=value`."""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from litotes.core.errors import UsageError
from litotes.core.registry import unknown_name

DEFAULT_SCHEME = "st"
_SCHEME = re.compile(r"([a-z][a-z0-9_]+):(.*)", re.DOTALL)

OptionsType = TypeVar("OptionsType")


@dataclass(frozen=True)
class ScorerName:
    """A scorer's name in its parts."""

    text: str
    """As it was given; tables show it."""
    scheme: str
    rest: str
    revision: str | None
    options: Mapping[str, str]


def parse_name(text: str) -> ScorerName:
    """The parts of a scorer's name.

    >>> name = parse_name("hf:bert-base-uncased@main?pooling=cls")
    >>> name.scheme, name.rest, name.revision, name.options
    ('hf', 'bert-base-uncased', 'main', {'pooling': 'cls'})
    >>> parse_name("all-MiniLM-L6-v2").scheme
    'st'
    """
    if not text.strip():
        raise UsageError("L102", "a model's name is empty")
    scheme, rest = DEFAULT_SCHEME, text
    if (match := _SCHEME.fullmatch(text)) and not Path(text).exists():
        scheme, rest = match.group(1), match.group(2)
    options: dict[str, str] = {}
    if "?" in rest and not _exists(rest):
        rest, _, query = rest.partition("?")
        try:
            options = dict(parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query)))
        except ValueError as error:
            raise UsageError("L102", f'"{text}": options are written as ?name=value&name=value') from error
    revision = None
    if "@" in rest and not _exists(rest):
        rest, _, revision = rest.rpartition("@")
    return ScorerName(text, scheme, rest, revision, options)


def _exists(text: str) -> bool:
    try:
        return Path(text).expanduser().exists()
    except OSError:  # too long for a path, or with a NUL: then it is no path
        return False
    except ValueError:
        return False


def parse_options(kind: type[OptionsType], given: Mapping[str, Any], *, scheme: str) -> OptionsType:
    """A scorer's options as the data class that declares them, texts turned into the declared types."""
    hints = typing.get_type_hints(kind)
    known = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for key, value in given.items():
        if key not in known:
            raise unknown_name(f'option of "{scheme}:"', key, known)
        values[key] = _typed(value, hints[key], key)
    return kind(**values)


def _typed(value: Any, hint: Any, key: str) -> Any:
    if not isinstance(value, str):
        return value
    kinds = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if typing.get_origin(hint) is typing.Literal:
        if value not in typing.get_args(hint):
            raise UsageError("L102", f"{key}={value}: must be one of {', '.join(typing.get_args(hint))}")
        return value
    if int in kinds:
        if not value.isdecimal() or int(value) == 0:
            raise UsageError("L102", f"{key}={value}: a whole number above 0 is needed")
        return int(value)
    return value
