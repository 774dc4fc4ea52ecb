"""The variants of one sentence that an audit counts on: the rules' first edits, behind stricter gates than their own.

A rule is for people who look at what it made. An audit counts: an opposite must be one, and a variant of the same
meaning must say the same, so whatever may be read in another way is left out here and counted under a code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from litotes.audit.result import RELATIONS
from litotes.building.base import Candidate, Subject
from litotes.building.builders import load_builder
from litotes.building.first_edits import first_edits
from litotes.building.heros_targets import target_place
from litotes.building.negations import is_negated
from litotes.corpora.base import Record
from litotes.language.opposites import is_contradictory
from litotes.rewrites.antonym import candidates
from litotes.rewrites.base import Edits, Sentence, Skip
from litotes.rewrites.patches import patched
from litotes.rewrites.rules import load_rewrite

if TYPE_CHECKING:
    from litotes.language.tree import Token

_GATES = {
    "question": "it asks: a negated question asks the same",
    "partial": "it speaks of some, of what may be, or of more than one thing: its negation would not deny it",
    "weak": "what could be changed does not say surely the same, or surely the opposite, here",
    "negated": "it is negated: what is not good need not be bad",
}
"""Codes that the gates give, beside those of the rules."""


class Variant(NamedTuple):
    """What one rule made of a sentence, or why it made nothing."""

    text: str | None
    codes: tuple[str, ...] = ()


_Made: TypeAlias = str | list[str]
"""The variant, or the codes of the reasons why there is none."""


def variants_of(sentence: Sentence, seed: int) -> Iterator[tuple[str, Variant]]:
    """Rule by rule, in the order of an audit."""
    for rule in RELATIONS:
        made = _MAKERS[rule](sentence, seed)
        if isinstance(made, str):
            yield rule, Variant(made)
        else:
            yield rule, Variant(None, tuple(dict.fromkeys(made)) or ("weak",))


def reasons(rule: str) -> Mapping[str, str]:
    """Code → what it means, of a rule and its gates."""
    own = load_builder("semantoneg").skips if rule == "negated_antonym" else load_rewrite(rule).skips
    return {**load_rewrite(rule).skips, **own, **_GATES}


def _first(rule: str, sentence: Sentence, **options: Any) -> _Made:
    found = first_edits(rule, sentence, 1, **options)
    return found[0].text if found else _codes(found)


def _codes(edits: Edits) -> list[str]:
    return [skip.code for skip in edits.skips]


def _negation(sentence: Sentence, _: int) -> _Made:
    if sentence.is_question:
        return ["question"]
    return _first("negation", sentence)


def _antonym(sentence: Sentence, _: int) -> _Made:
    if sentence.is_question:
        return ["question"]
    codes: list[str] = []
    for found in candidates(sentence):
        if isinstance(found, Skip):
            codes.append(found.code)
            continue
        if not found.sure:
            break
        place = target_place(found.content.token, found.content.pos)
        if found.content.pos in "av" and (place is None or place.rank > 1):
            codes.append("weak")
        else:
            return patched(sentence.text, found.patches)
    return codes


def _negated_antonym(sentence: Sentence, _: int) -> _Made:
    codes: list[str] = []
    subject = Subject(Record("", sentence.text), sentence)
    for found in load_builder("semantoneg").apply(subject, pos="all", negation="any"):
        if isinstance(found, Candidate):
            return found.sentences["both"]
        codes.append(found.code)
    return codes


def _synonym(sentence: Sentence, _: int) -> _Made:
    found = first_edits("synonym", sentence, 1)
    if not found:
        return _codes(found)
    return found[0].text if found[0].reason.endswith("says the same wherever it fits") else ["weak"]


def _passive(sentence: Sentence, _: int) -> _Made:
    return _first("passive", sentence)


def _contraction(sentence: Sentence, _: int) -> _Made:
    return _first("contraction", sentence)


def _argument_swap(sentence: Sentence, _: int) -> _Made:
    return _first("argument_swap", sentence)


def _typo(sentence: Sentence, seed: int) -> _Made:
    return _first("typo", sentence, seed=seed)


_MAKERS: Mapping[str, Callable[[Sentence, int], _Made]] = {
    "negation": _negation,
    "antonym": _antonym,
    "synonym": _synonym,
    "negated_antonym": _negated_antonym,
    "passive": _passive,
    "contraction": _contraction,
    "argument_swap": _argument_swap,
    "typo": _typo,
}
