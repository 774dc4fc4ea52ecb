"""Verdicts of annotators on units, and their validation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from litotes.core.files import is_encodable
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
"""Reasons for a rejection, in the order of the keys 1 to 8."""

MAX_SENTENCE = 2000
MAX_NOTE = 1000
MAX_NAME = 40

_NAME = re.compile(r"\w[\w .@'’+-]*")


class InvalidVerdictError(ValueError):
    """A verdict that is not valid; the message is shown to the annotator."""


@dataclass(frozen=True)
class Verdict:
    """The verdict of one annotator on one unit."""

    unit: str
    annotator: str
    verdict: str
    reason: str = ""
    edited: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    note: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether the unit was accepted unchanged: the category used for agreement."""
        return self.verdict == "accept"

    @property
    def outcome(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """The verdict with the edited sentences; two edits are equal if they give the same sentences."""
        return self.verdict, tuple(sorted(self.edited.items()))


def check_annotator(value: object) -> str:
    """Return an annotator's name with normalised spaces; raise InvalidVerdictError if it is not a name.

    >>> check_annotator("  Ana  María ")
    'Ana María'
    """
    if not isinstance(value, str) or not is_encodable(value):
        raise InvalidVerdictError("the annotator must be a name")
    name = " ".join(unicodedata.normalize("NFC", value).split())
    if not name:
        raise InvalidVerdictError("the name of the annotator is empty")
    if len(name) > MAX_NAME or not _NAME.fullmatch(name):
        raise InvalidVerdictError(f"a name has at most {MAX_NAME} letters, digits, spaces and . _ - + @ '")
    return name


def check_verdict(unit: Unit, annotator: object, record: Mapping[str, Any]) -> Verdict:
    """Return the verdict in `record` (verdict, reason, edited, note); raise InvalidVerdictError if it is not valid."""
    name, verdict = check_annotator(annotator), record.get("verdict")
    if verdict not in VERDICTS:
        raise InvalidVerdictError(f"a verdict is {', '.join(VERDICTS[:-1])} or {VERDICTS[-1]}")
    note = _check_line(record.get("note") or "", "the note", MAX_NOTE)
    reason, edited = record.get("reason") or "", record.get("edited") or {}
    if verdict != "reject" and reason:
        raise InvalidVerdictError("only a rejection can have a reason")
    if verdict != "edit" and edited:
        raise InvalidVerdictError("only an edit can have new sentences")
    if verdict == "reject" and (not isinstance(reason, str) or reason not in REASONS):
        raise InvalidVerdictError(f"a rejection needs a reason: {', '.join(REASONS)}")
    return Verdict(
        unit=unit.key,
        annotator=name,
        verdict=verdict,
        reason=reason,
        edited=_check_edit(unit, edited) if verdict == "edit" else MappingProxyType({}),
        note=note,
    )


def _check_edit(unit: Unit, edited: object) -> dict[str, str]:
    if not isinstance(edited, Mapping):
        raise InvalidVerdictError("the edited sentences must be an object with roles as keys")
    if unknown := [str(role) for role in edited if role not in unit.sentences]:
        raise InvalidVerdictError(f"unknown role {unknown[0]}; the roles are {', '.join(unit.sentences)}")
    new = {
        role: _check_line(edited[role], f'the sentence "{role}"', MAX_SENTENCE)
        for role in unit.sentences
        if role in edited
    }
    if empty := [role for role, text in new.items() if not text]:
        raise InvalidVerdictError(f'the sentence "{empty[0]}" is empty')
    changed = {role: text for role, text in new.items() if text != unit.sentences[role]}
    if not changed:
        raise InvalidVerdictError("no sentence was changed; accept the unit instead")
    result = {**unit.sentences, **changed}
    for role, text in changed.items():
        # Two negations of HEROS may be the same sentence; sentences that were equal before may stay equal.
        before = unit.sentences[role]
        if duplicates := [
            other_role
            for other_role, other_text in result.items()
            if other_role != role and other_text == text and unit.sentences[other_role] != before
        ]:
            raise InvalidVerdictError(f'the sentences "{role}" and "{duplicates[0]}" would be the same')
    if is_ambiguous(unit, changed):
        raise InvalidVerdictError("a sentence that occurs twice must be changed in the same way in both roles")
    return changed


def _check_line(value: object, what: str, max_length: int) -> str:
    if not isinstance(value, str) or not is_encodable(value):
        raise InvalidVerdictError(f"{what} must be a text")
    line = value.strip()
    if len(line) > max_length:
        raise InvalidVerdictError(f"{what} is longer than {max_length:,} characters")
    if any(unicodedata.category(char) in ("Cc", "Zl", "Zp") for char in line):
        raise InvalidVerdictError(f"{what} must be one line without control characters")
    return line
