"""The string that names a model, `scheme:rest@revision?option=value`, and the options in it."""

from __future__ import annotations

import dataclasses
import math
import os
import re
import types
import typing
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from litotes.core.errors import UsageError, shorten
from litotes.core.files import expand_user
from litotes.core.registry import unknown_name
from litotes.core.secrets import refuse_secret_option, refuse_secrets

DEFAULT_SCHEME = "st"
SERVER_SCHEMES = ("openai", "chat")
"""The schemes of models behind a server."""
_DEFAULT_REST = {"glove": "6b-50d", "sif": "6b-50d", "pmeans": "6b-50d", "wordllama": "l2_supercat_256"}
"""The model that a scheme without a rest refers to."""
_SCHEME = re.compile(r"([a-z][a-z0-9_]+):(.*)", re.DOTALL)
_MAX_DIGITS = 9

OptionsType = TypeVar("OptionsType")


@dataclass(frozen=True)
class ModelName:
    """The parts of a model's name.

    Args:
        text: The name as written; tables show it.
        scheme: The part before the colon.
        rest: A path, a hub id or another name that the scheme understands.
        revision: The part after the `@`.
        options: The part after the `?`.
        is_bare: Whether the name was written without a scheme.
        is_received: Whether a file names the model, not the user.
    """

    text: str
    scheme: str
    rest: str
    revision: str | None
    options: Mapping[str, str]
    is_bare: bool = False
    is_received: bool = False


def parse_name(text: str) -> ModelName:
    """Return the parts of a model's name.

    >>> name = parse_name("hf:bert-base-uncased@main?pooling=cls")
    >>> name.scheme, name.rest, name.revision, name.options
    ('hf', 'bert-base-uncased', 'main', {'pooling': 'cls'})
    >>> parse_name("all-MiniLM-L6-v2").scheme
    'st'
    >>> parse_name("glove:").text
    'glove:6b-50d'
    """
    if not text.strip():
        raise UsageError("L102", "a model's name is empty", hint="litotes models lists the known names")
    refuse_secrets(text, "a model's name", is_name=True)
    scheme, rest, is_bare = DEFAULT_SCHEME, text, True
    if (match := _SCHEME.fullmatch(text)) and not _exists(text):
        scheme, rest, is_bare = match.group(1), match.group(2), False
    if scheme in _DEFAULT_REST and rest.partition("?")[0] == "":
        rest = _DEFAULT_REST[scheme] + rest
        text = f"{scheme}:{rest}"
    rest, options = _split_options(rest)
    revision = None
    if "@" in rest and not _exists(rest):
        rest, _, revision = rest.rpartition("@")
    if not rest.strip() or revision == "":
        missing = "model" if not rest.strip() else "revision after the @"
        raise UsageError("L102", f'"{shorten(text)}": has no {missing}', hint="write NAME or NAME@REVISION")
    return ModelName(text, scheme, rest, revision, options, is_bare)


def _split_options(rest: str) -> tuple[str, dict[str, str]]:
    """Return what is before the options, and the options; a path that exists may contain a `?` itself."""
    if "?" not in rest or _exists(rest):
        return rest, {}
    marks = [index for index, character in enumerate(rest) if character == "?"]
    cut = next((index for index in reversed(marks) if _exists(rest[:index])), marks[0])
    query = rest[cut + 1 :]
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
    except ValueError:
        hint = "options are written as ?name=value&name=value"
        # Neither the text nor the original error is shown: the text may be a key.
        raise UsageError("L102", f'"{shorten(rest[:cut])}": the text after the ? is not an option', hint=hint) from None
    options = dict(pairs)
    if len(options) < len(pairs):
        repeated = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise UsageError("L102", f'option "{shorten(repeated)}" occurs twice', hint="write it once")
    for key, value in options.items():
        refuse_secret_option(key, value)
    return rest[:cut], options


def _exists(text: str) -> bool:
    try:
        return bool(text) and expand_user(text).exists()
    except (OSError, ValueError):  # too long for a path, or with a NUL
        return False


def parse_options(kind: type[OptionsType], values: Mapping[str, Any], *, scheme: str) -> OptionsType:
    """Return the options of a scheme as the dataclass that declares them; strings are converted to the field types.

    >>> @dataclass
    ... class TeaOptions:
    ...     cups: int = 1
    >>> parse_options(TeaOptions, {"cups": "2"}, scheme="tea")
    TeaOptions(cups=2)
    """
    hints = typing.get_type_hints(kind)
    known = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    converted: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known:
            raise unknown_name(f'option of "{scheme}:"', shorten(key), known)
        converted[key] = _convert(value, hints[key], key)
    return kind(**converted)


def _convert(value: Any, hint: Any, key: str) -> Any:
    is_union = typing.get_origin(hint) in (types.UnionType, typing.Union)
    kinds = typing.get_args(hint) if is_union else (hint,)
    if value is None and types.NoneType in kinds:
        return None
    choices = [
        choice for part in kinds if typing.get_origin(part) is typing.Literal for choice in typing.get_args(part)
    ]
    if choices:
        if value not in choices:
            raise _wrong_value(key, value, f"must be one of {', '.join(choices)}")
        return value
    if int in kinds:
        return _positive_integer(value, key)
    if float in kinds:
        return _number(value, key)
    if tuple[float, ...] in kinds:
        values = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
        return tuple(_number(item, key) for item in values)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (str, int)) and not isinstance(value, bool):  # output=461 is a name
        return str(value)
    raise _wrong_value(key, value, "must be a string")


def _positive_integer(value: Any, key: str) -> int:
    if isinstance(value, str) and value.isdecimal() and len(value) <= _MAX_DIGITS:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 10**_MAX_DIGITS:
        raise _wrong_value(key, value, "must be a whole number above 0")
    return value


def _number(value: Any, key: str) -> float:
    """Return a number, which may be infinite."""
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if math.isnan(number):
        raise _wrong_value(key, value, "must be a number")
    return number


def _wrong_value(key: str, value: Any, expected: str) -> UsageError:
    return UsageError("L102", f"{key}={shorten(str(value))}: {expected}")
