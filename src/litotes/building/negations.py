"""Negation as a text shows it, before anything is parsed."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Negations: TypeAlias = Literal["not", "more", "any"]
"""“not” and “n't”; also never, no, hardly, without and their like; or any sentence, negated or not."""

_NOT = re.compile(r"\b(?:not|cannot)\b|n['’]t\b", re.IGNORECASE)
_MORE = re.compile(
    r"\b(?:not|cannot|never|no|none|nobody|nothing|nowhere|neither|nor|hardly|barely|scarcely|rarely|seldom|without)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)


def is_negated(text: str, kind: Negations = "not") -> bool:
    """Whether a text holds a negation of the kind.

    >>> is_negated("It isn't bad."), is_negated("It is never bad."), is_negated("It is never bad.", "more")
    (True, False, True)
    """
    return (_NOT if kind == "not" else _MORE).search(text) is not None


def negations(text: str) -> int:
    """How many negations a text holds.

    >>> negations("No, I don't know why.")
    2
    """
    return len(_MORE.findall(text))
