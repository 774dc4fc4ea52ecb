"""SemAntoNeg (Vahtola, Creutz and Tiedemann, 2022): which of three options means the same as the input?

The options are the input with an antonym, with the opposite polarity, and with both changes; only the last one means
the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError
from litotes.core.files import is_encodable, read_json_lines, sha256_file
from litotes.languages.en.negation import NEGATIVE_PRONOUNS, NEGATORS, UNSPELT_NOT
from litotes.languages.en.pronouns import ARTICLES
from litotes.suites.base import Item, Suite, SuiteKind, closest
from litotes.suites.lexical_overlap import changed_words
from litotes.suites.official_files import OFFICIAL_FILES

ROLES = ("input", "antonym", "polarity", "both")
OPTIONS = ROLES[1:]

KIND = SuiteKind(
    name="semantoneg",
    roles=ROLES,
    pairs=tuple(("input", option) for option in OPTIONS),
    criterion=closest("input", options=OPTIONS, right="both"),
    group_word="antonym pair",
)

_TOKEN = re.compile(r"[\w’'-]+|[^\w\s]")
_CONJUNCTIONS = frozenset({"if", "that"})
_NEGATORS = NEGATORS - NEGATIVE_PRONOUNS - UNSPELT_NOT


def permute_quadruple(quadruple: Sequence[str]) -> list[dict[str, str]]:
    """Return the four items of a quadruple (input, antonym, polarity, both), in which each sentence is the input once.

    >>> [item["both"] for item in permute_quadruple(["It is on.", "It is off.", "It is not on.", "It is not off."])]
    ['It is not off.', 'It is not on.', 'It is off.', 'It is on.']
    """
    sentence, antonym, polarity, both = quadruple
    orders = (
        (sentence, antonym, polarity, both),
        (antonym, sentence, both, polarity),
        (polarity, both, sentence, antonym),
        (both, polarity, antonym, sentence),
    )
    return [dict(zip(ROLES, order, strict=True)) for order in orders]


def load_official(path: Path, *, name: str = "semantoneg") -> Suite:
    """Load the official JSON lines with idx, label, input and sentences."""
    items = list(_read_items(path))
    if not items:
        raise LitotesError("L204", f"{path}: has no items")
    sha256 = sha256_file(path)
    return Suite(
        name=name,
        kind=KIND,
        items=items,
        sha256=sha256,
        version="1.0" if sha256 == OFFICIAL_FILES["semantoneg"].sha256 else "not as published",
        source="Vahtola, Creutz and Tiedemann (2022), SemAntoNeg",
        licence="CC BY 4.0",
    )


def _read_items(path: Path) -> Iterator[Item]:
    seen: dict[str, int] = {}
    groups: dict[frozenset[str], str] = {}
    for line, record in read_json_lines(path):
        where = f"{path}:{line}"
        idx, label, sentence, options = _validate(record, where)
        item_id = f"san-{idx.zfill(4)}"
        if item_id in seen:
            raise LitotesError("L205", f"{where}: idx {idx} is already used in line {seen[item_id]}")
        seen[item_id] = line
        sentences = {"input": sentence, **_assign_roles(sentence, options, label)}
        words = differing_words(sentence, sentences["antonym"])
        # The four items of a quadruple share a group even if a verb is inflected in only some of them.
        group = groups.setdefault(frozenset(sentences.values()), "/".join(sorted(words)))
        yield Item(
            id=item_id,
            group=group,
            sentences=sentences,
            tags={"word": words[0], "antonym": words[1]},
        )


_FIELDS: dict[str, tuple[tuple[type, ...], str]] = {
    "idx": ((int, str), "a number or a string"),
    "label": ((int,), "a number"),
    "input": ((str,), "a string"),
    "sentences": ((list,), "a list of three strings"),
}


def _validate(record: dict[str, Any], where: str) -> tuple[str, int, str, list[str]]:
    for key, (types, description) in _FIELDS.items():
        if key not in record:
            raise LitotesError(
                "L203", f'{where}: "{key}" is missing', hint=f"the fields of SemAntoNeg are {', '.join(_FIELDS)}"
            )
        if not isinstance(record[key], types) or isinstance(record[key], bool):
            raise LitotesError("L203", f'{where}: "{key}" must be {description}')
    idx, label = str(record["idx"]), record["label"]
    sentence, options = record["input"], record["sentences"]
    if not idx.strip():
        raise LitotesError("L203", f'{where}: "idx" is empty')
    if len(options) != len(OPTIONS) or not all(isinstance(option, str) for option in options):
        raise LitotesError("L203", f'{where}: "sentences" must be {_FIELDS["sentences"][1]}')
    if not 0 <= label < len(options):
        raise LitotesError(
            "L203", f"{where}: label {label} is out of range", hint="it is the index of the right sentence, 0 to 2"
        )
    _check_texts((idx, sentence, *options), where)
    if len({sentence, *options}) < len(ROLES):
        raise LitotesError("L203", f"{where}: two of the four sentences are equal")
    return idx, label, sentence, options


def _check_texts(texts: Iterable[str], where: str) -> None:
    for text in texts:
        if not text.strip():
            raise LitotesError("L203", f"{where}: a sentence is empty")
        if not is_encodable(text):
            raise LitotesError("L203", f"{where}: contains a lone surrogate, which is not valid Unicode")


def _assign_roles(sentence: str, options: Sequence[str], label: int) -> dict[str, str]:
    """Return the options under their roles: the right one is known, the wrong ones differ in whether negation changed.

    If that is true of both or neither, they are in the order of the published file.
    """
    first, second = (option for index, option in enumerate(options) if index != label)
    if _changes_negation(sentence, first) and not _changes_negation(sentence, second):
        first, second = second, first
    return {"antonym": first, "polarity": second, "both": options[label]}


def _changes_negation(left: str, right: str) -> bool:
    tokens = chain(*_changed_tokens(left, right))
    return any(token in _NEGATORS or token.endswith(("n't", "n’t")) for token in tokens)


def differing_words(left: str, right: str) -> tuple[str, str]:
    """Return the words in which two sentences differ, without articles and conjunctions that change with them.

    >>> differing_words("It's not a good idea.", "It's not an evil idea.")
    ('good', 'evil')
    >>> differing_words("We're the same, aren't we?", "We're different, aren't we?")
    ('same', 'different')
    """
    left_tokens, right_tokens = _changed_tokens(left, right)
    return _strip_function_words(left_tokens), _strip_function_words(right_tokens)


def _changed_tokens(left: str, right: str) -> tuple[Sequence[str], Sequence[str]]:
    return changed_words(_TOKEN.findall(left.lower()), _TOKEN.findall(right.lower()))


def _strip_function_words(tokens: Sequence[str]) -> str:
    words = [token for token in tokens if token[0].isalnum()]
    if len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    if len(words) > 1 and words[-1] in _CONJUNCTIONS:
        words = words[:-1]
    return " ".join(words)
