"""Verdicts: what an annotator may say about a unit, and the checks that every one goes through."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from litotes.core.files import is_whole_text
from litotes.review.units import Unit, is_ambiguous

VERDICTS = ("accept", "reject", "edit")

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "ungrammatical": "ungrammatical",
        "unnatural": "unnatural",
        "wrong-meaning": "wrong meaning (not the intended effect)",
        "not-opposite-not-same": "not opposite, or not the same",
        "unclear": "unclear or ambiguous",
        "offensive": "offensive",
        "duplicate": "duplicate",
        "other": "other",
    }
)
"""Why a unit is rejected, in the order of the keys 1 to 8."""

MAX_SENTENCE = 2000
MAX_NOTE = 1000
MAX_NAME = 40

_NAME = re.compile(r"\w[\w .@'’+-]*")


class WrongVerdict(ValueError):
    """A verdict that cannot be kept; the text says why, for people."""


@dataclass(frozen=True)
class Verdict:
    """What one annotator said about one unit."""

    unit: str
    annotator: str
    verdict: str
    reason: str = ""
    edited: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    note: str = ""

    @property
    def as_it_is(self) -> bool:
        """Whether the unit was found good as it is: the category that agreement is counted on."""
        return self.verdict == "accept"

    @property
    def outcome(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """What the verdict comes to: two edits are the same if they give the same sentences."""
        return self.verdict, tuple(sorted(self.edited.items()))


def checked_annotator(name: object) -> str:
    """An annotator's name, tidied.

    >>> checked_annotator("  Ana  María ")
    'Ana María'
    """
    if not isinstance(name, str) or not is_whole_text(name):
        raise WrongVerdict("the annotator must be a name")
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not tidy:
        raise WrongVerdict("the annotator has no name")
    if len(tidy) > MAX_NAME or not _NAME.fullmatch(tidy):
        raise WrongVerdict(f"a name is letters, digits, spaces and . _ - + @ ' and at most {MAX_NAME} signs long")
    return tidy


def checked_verdict(unit: Unit, annotator: object, given: Mapping[str, Any]) -> Verdict:
    """The verdict in `given` (verdict, reason, edited, note), or WrongVerdict."""
    name, verdict = checked_annotator(annotator), given.get("verdict")
    if verdict not in VERDICTS:
        raise WrongVerdict(f"a verdict is {', '.join(VERDICTS[:-1])} or {VERDICTS[-1]}")
    note = _text(given.get("note") or "", "the note", MAX_NOTE)
    reason, edited = given.get("reason") or "", given.get("edited") or {}
    if verdict != "reject" and reason:
        raise WrongVerdict("only a rejection has a reason")
    if verdict != "edit" and edited:
        raise WrongVerdict("only an edit has new sentences")
    if verdict == "reject" and (not isinstance(reason, str) or reason not in REASONS):
        raise WrongVerdict(f"a rejection needs a reason: {', '.join(REASONS)}")
    return Verdict(
        unit=unit.key,
        annotator=name,
        verdict=verdict,
        reason=reason,
        edited=_checked_edit(unit, edited) if verdict == "edit" else MappingProxyType({}),
        note=note,
    )


def _checked_edit(unit: Unit, edited: object) -> dict[str, str]:
    if not isinstance(edited, Mapping):
        raise WrongVerdict("the edited sentences must stand under their roles")
    if unknown := [str(role) for role in edited if role not in unit.sentences]:
        raise WrongVerdict(f"there is no role {unknown[0]}; there is {', '.join(unit.sentences)}")
    new = {
        role: _text(edited[role], f'the sentence under "{role}"', MAX_SENTENCE)
        for role in unit.sentences
        if role in edited
    }
    if empty := [role for role, text in new.items() if not text]:
        raise WrongVerdict(f'the sentence under "{empty[0]}" is empty')
    changed = {role: text for role, text in new.items() if text != unit.sentences[role]}
    if not changed:
        raise WrongVerdict("nothing was changed; accept it instead")
    result = {**unit.sentences, **changed}
    for role, text in changed.items():
        # Two negations of HEROS may be one sentence; what was the same before may stay so.
        before = unit.sentences[role]
        if twin := [
            other
            for other, same in result.items()
            if other != role and same == text and unit.sentences[other] != before
        ]:
            raise WrongVerdict(f'the sentences under "{role}" and "{twin[0]}" would be the same')
    if is_ambiguous(unit, changed):
        raise WrongVerdict("a sentence that stands twice must be changed alike in both places")
    return changed


def _text(value: object, what: str, longest: int) -> str:
    if not isinstance(value, str) or not is_whole_text(value):
        raise WrongVerdict(f"{what} must be a text")
    tidy = value.strip()
    if len(tidy) > longest:
        raise WrongVerdict(f"{what} is longer than {longest:,} signs")
    if any(unicodedata.category(sign) in ("Cc", "Zl", "Zp") for sign in tidy):
        raise WrongVerdict(f"{what} must be one line without control characters")
    return tidy
