"""SemAntoNeg (Vahtola, Creutz and Tiedemann, 2022): which of three options means the same as the input?

The three options are the input with an antonym, with its polarity swapped, and with both, which alone
means the same. The official file is read as published.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError
from litotes.core.files import is_encodable, read_json_lines, sha256_file
from litotes.suites.base import Item, Suite, SuiteKind, closest
from litotes.suites.official_files import SOURCES

ROLES = ("input", "antonym", "polarity", "both")
OPTIONS = ROLES[1:]

KIND = SuiteKind(
    name="semantoneg",
    roles=ROLES,
    compare=tuple(("input", option) for option in OPTIONS),
    passed=closest("input", options=OPTIONS, right="both"),
    group_word="antonym pair",
)

_TOKEN = re.compile(r"[\w’'-]+|[^\w\s]")
_ARTICLES = frozenset({"a", "an", "the"})
_LINKING = frozenset({"if", "that"})
_NEGATION = re.compile(r"not|never|no|cannot|.*n[’']t", re.IGNORECASE)


def permuted(quadruple: Sequence[str]) -> list[dict[str, str]]:
    """The four questions of a quadruple (input, antonym, polarity, both): each member is once the input.

    >>> [item["both"] for item in permuted(["It is on.", "It is off.", "It is not on.", "It is not off."])]
    ['It is not off.', 'It is not on.', 'It is off.', 'It is on.']
    """
    one, antonym, polarity, both = quadruple
    orders = (
        (one, antonym, polarity, both),
        (antonym, one, both, polarity),
        (polarity, both, one, antonym),
        (both, polarity, antonym, one),
    )
    return [dict(zip(ROLES, order, strict=True)) for order in orders]


def load_official(path: Path, *, name: str = "semantoneg") -> Suite:
    """The official JSON-lines file: idx, label, input, sentences."""
    items = list(_read_items(path))
    if not items:
        raise LitotesError("L204", f"{path}: has no items")
    sha256 = sha256_file(path)
    return Suite(
        name=name,
        kind=KIND,
        items=items,
        sha256=sha256,
        version="1.0" if sha256 == SOURCES["semantoneg"].sha256 else "not as published",
        source="Vahtola, Creutz and Tiedemann (2022), SemAntoNeg",
        licence="CC BY 4.0",
    )


def _read_items(path: Path) -> Iterator[Item]:
    seen: dict[str, int] = {}
    groups: dict[frozenset[str], str] = {}
    for line, record in read_json_lines(path):
        where = f"{path}:{line}"
        number, label, sentence, options = _checked(record, where)
        id_ = f"san-{number.zfill(4)}"
        if id_ in seen:
            raise LitotesError("L205", f"{where}: idx {number} stands already in line {seen[id_]}")
        seen[id_] = line
        sentences = {"input": sentence, **_under_roles(sentence, options, label)}
        words = differing_words(sentence, sentences["antonym"])
        # The four items of a quadruple share a group even where a verb is inflected in only some of them.
        group = groups.setdefault(frozenset(sentences.values()), "/".join(sorted(words)))
        yield Item(
            id=id_,
            group=group,
            sentences=sentences,
            tags={"word": words[0], "antonym": words[1]},
        )


_NEEDED: dict[str, tuple[tuple[type, ...], str]] = {
    "idx": ((int, str), "a number or a text"),
    "label": ((int,), "a number"),
    "input": ((str,), "a text"),
    "sentences": ((list,), "a list of three texts"),
}


def _checked(record: dict[str, Any], where: str) -> tuple[str, int, str, list[str]]:
    for key, (kinds, wanted) in _NEEDED.items():
        if key not in record:
            raise LitotesError("L203", f'{where}: "{key}" is missing', hint=f"SemAntoNeg needs {', '.join(_NEEDED)}")
        if not isinstance(record[key], kinds) or isinstance(record[key], bool):
            raise LitotesError("L203", f'{where}: "{key}" must be {wanted}')
    number, label = str(record["idx"]), record["label"]
    sentence, options = record["input"], record["sentences"]
    if not number.strip():
        raise LitotesError("L203", f'{where}: "idx" is empty')
    if len(options) != len(OPTIONS) or not all(isinstance(option, str) for option in options):
        raise LitotesError("L203", f'{where}: "sentences" must be {_NEEDED["sentences"][1]}')
    if not 0 <= label < len(options):
        raise LitotesError(
            "L203", f"{where}: label {label} is out of range", hint="it is the place, 0 to 2, in sentences"
        )
    _check_texts((number, sentence, *options), where)
    if len({sentence, *options}) < len(ROLES):
        raise LitotesError("L203", f"{where}: two of the four sentences are equal, so the item asks nothing")
    return number, label, sentence, options


def _check_texts(texts: Iterable[str], where: str) -> None:
    for text in texts:
        if not text.strip():
            raise LitotesError("L203", f"{where}: a sentence is empty")
        if not is_encodable(text):
            raise LitotesError("L203", f"{where}: a text holds half a character (a lone surrogate)")


def _under_roles(sentence: str, options: Sequence[str], label: int) -> dict[str, str]:
    """The options under their roles: the right one by the label, the wrong ones by whether negation changed.

    Where that does not tell the two apart, they are taken in the order of the published file.
    """
    first, second = (option for place, option in enumerate(options) if place != label)
    if _changes_negation(sentence, first) and not _changes_negation(sentence, second):
        first, second = second, first
    return {"antonym": first, "polarity": second, "both": options[label]}


def _changes_negation(one: str, other: str) -> bool:
    return any(_NEGATION.fullmatch(word) for words in _difference(one, other) for word in words)


def differing_words(one: str, other: str) -> tuple[str, str]:
    """The words in which two sentences differ, without the articles and conjunctions that change along.

    >>> differing_words("It's not a good idea.", "It's not an evil idea.")
    ('good', 'evil')
    >>> differing_words("We're the same, aren't we?", "We're different, aren't we?")
    ('same', 'different')
    """
    left, right = _difference(one, other)
    return _bare(left), _bare(right)


def _difference(one: str, other: str) -> tuple[list[str], list[str]]:
    """The stretch of tokens, from the first change to the last, in which two sentences differ."""
    left, right = _TOKEN.findall(one.lower()), _TOKEN.findall(other.lower())
    start = _common(left, right)
    end = _common(left[start:][::-1], right[start:][::-1])
    return left[start : len(left) - end], right[start : len(right) - end]


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    """How many tokens are the same from the beginning on."""
    pairs = enumerate(zip(left, right))  # noqa: B905  (the shorter one ends it)
    return next((place for place, (one, other) in pairs if one != other), min(len(left), len(right)))


def _bare(tokens: Sequence[str]) -> str:
    words = [token for token in tokens if token[0].isalnum()]
    if len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    if len(words) > 1 and words[-1] in _LINKING:
        words = words[:-1]
    return " ".join(words)
