"""The one string that names a scorer: `scheme:rest@revision?option=value`."""

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

from litotes.core.errors import UsageError
from litotes.core.files import expand_user
from litotes.core.registry import unknown_name
from litotes.core.secrets import refuse_secret_option, refuse_secrets

DEFAULT_SCHEME = "st"
BARE = {"glove": "6b-50d", "sif": "6b-50d", "pmeans": "6b-50d", "wordllama": "l2_supercat_256"}
"""What a scheme means that stands alone."""
_SCHEME = re.compile(r"([a-z][a-z0-9_]+):(.*)", re.DOTALL)
_MOST_DIGITS = 9

OptionsType = TypeVar("OptionsType")


@dataclass(frozen=True)
class ScorerName:
    """A scorer's name in its parts."""

    text: str
    """As it was given, a bare scheme with what it means; tables show it."""
    scheme: str
    rest: str
    revision: str | None
    options: Mapping[str, str]
    is_bare: bool = False
    """Whether it was given without a scheme."""


def parse_name(text: str) -> ScorerName:
    """The parts of a scorer's name.

    >>> name = parse_name("hf:bert-base-uncased@main?pooling=cls")
    >>> name.scheme, name.rest, name.revision, name.options
    ('hf', 'bert-base-uncased', 'main', {'pooling': 'cls'})
    >>> parse_name("all-MiniLM-L6-v2").scheme
    'st'
    >>> parse_name("glove:").text
    'glove:6b-50d'
    """
    if not text.strip():
        raise UsageError("L102", "a model's name is empty", hint="litotes models lists what can be named")
    refuse_secrets(text, "a model's name", is_name=True)
    scheme, rest, is_bare = DEFAULT_SCHEME, text, True
    if (match := _SCHEME.fullmatch(text)) and not _exists(text):
        scheme, rest, is_bare = match.group(1), match.group(2), False
    if scheme in BARE and rest.partition("?")[0] == "":
        text, rest = f"{scheme}:{BARE[scheme]}{rest}", BARE[scheme] + rest
    rest, options = _split_options(rest)
    revision = None
    if "@" in rest and not _exists(rest):
        rest, _, revision = rest.rpartition("@")
    if not rest.strip() or revision == "":
        what = "no model" if not rest.strip() else "no revision after the @"
        raise UsageError("L102", f'"{shorten(text)}": names {what}', hint="write NAME or NAME@REVISION")
    return ScorerName(text, scheme, rest, revision, options, is_bare)


def _split_options(rest: str) -> tuple[str, dict[str, str]]:
    """What stands before the options, and the options; a path that is there may hold a `?` itself."""
    if "?" not in rest or _exists(rest):
        return rest, {}
    marks = [place for place, sign in enumerate(rest) if sign == "?"]
    cut = next((place for place in reversed(marks) if _exists(rest[:place])), marks[0])
    query = rest[cut + 1 :]
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
    except ValueError:
        hint = "options are written as ?name=value&name=value"
        # Not shown, nor is the reader's own error: somebody may have put a key there.
        raise UsageError("L102", f'"{shorten(rest[:cut])}": what follows the ? is no option', hint=hint) from None
    options = dict(pairs)
    if len(options) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise UsageError("L102", f'option "{shorten(twice)}" stands there twice', hint="leave one out")
    for key, value in options.items():
        refuse_secret_option(key, value)
    return rest[:cut], options


def _exists(text: str) -> bool:
    try:
        return bool(text) and expand_user(text).exists()
    except (OSError, ValueError):  # too long for a path, or with a NUL: then it is no path
        return False


def shorten(text: str, most: int = 80) -> str:
    """The text, cut if it is too long for a line that people read.

    >>> shorten("abcdef", most=4)
    'abc…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def parse_options(kind: type[OptionsType], given: Mapping[str, Any], *, scheme: str) -> OptionsType:
    """A scorer's options as the data class that declares them, texts turned into the declared types."""
    hints = typing.get_type_hints(kind)
    known = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for key, value in given.items():
        if key not in known:
            raise unknown_name(f'option of "{scheme}:"', shorten(key), known)
        values[key] = _typed(value, hints[key], key)
    return kind(**values)


def _typed(value: Any, hint: Any, key: str) -> Any:
    """The value as the declared type; both ways to write “or None” are unions, of two kinds."""
    is_union = typing.get_origin(hint) in (types.UnionType, typing.Union)
    kinds = typing.get_args(hint) if is_union else (hint,)
    if value is None and types.NoneType in kinds:
        return None
    choices = [one for part in kinds if typing.get_origin(part) is typing.Literal for one in typing.get_args(part)]
    if choices:
        if value not in choices:
            raise _wrong(key, value, f"must be one of {', '.join(choices)}")
        return value
    if int in kinds:
        return _whole_number(value, key)
    if float in kinds:
        return _number(value, key)
    if tuple[float, ...] in kinds:
        return _numbers(value, key)
    # A Path, or a number such as output=461, is as good as its text.
    if isinstance(value, (str, int, os.PathLike)) and not isinstance(value, bool):
        return os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    raise _wrong(key, value, "a text is needed")


def _whole_number(value: Any, key: str) -> int:
    if isinstance(value, str) and value.isdecimal() and len(value) <= _MOST_DIGITS:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 10**_MOST_DIGITS:
        raise _wrong(key, value, "a whole number above 0 is needed")
    return value


def _number(value: Any, key: str) -> float:
    """Infinite ones too: whoever declares the option knows what it can be."""
    try:
        found = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if math.isnan(found):
        raise _wrong(key, value, "a number is needed")
    return found


def _numbers(value: Any, key: str) -> tuple[float, ...]:
    """Several, as a list or in a text with commas between them; one alone is a list of one."""
    several = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
    return tuple(_number(one, key) for one in several)


def _wrong(key: str, value: Any, needed: str) -> UsageError:
    return UsageError("L102", f"{key}={shorten(str(value))}: {needed}")
