"""Negation as a text shows it, before anything is parsed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from litotes.languages.tree import Token


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


_APOSTROPHES = "'’ʼ′`´"
_APART = re.compile(r"n 't\b", re.IGNORECASE)
"""As some corpora cut it: "don 't"."""
_STRAIGHT = str.maketrans(dict.fromkeys(_APOSTROPHES, "'"))

NOT = frozenset({"not", "n't", "n’t"})
"""What negates a verb, as tokens, in the paper."""

PAPER = NOT | {"no"}

NEGATIVE_WORDS = frozenset({"nothing", "nobody", "none", "neither", "noone"})
"""Pronouns that deny; "no one" is two words and begins with "no"."""

VERB_NEGATORS = NOT | {"nt", "never"}
"""What negates a verb for the ruleset litotes; "nt" is how the parser cuts off "dont" and "cant"."""

_UNSPELT = "do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should|must|might|ai"
_PATTERNS = {
    "paper": re.compile(rf"\b(?:no|not|cannot)\b|n ?[{_APOSTROPHES}]t\b", re.IGNORECASE),
    "litotes": re.compile(
        rf"\b(?:no|not|cannot|never|nor|(?:{_UNSPELT})nt|{'|'.join(sorted(NEGATIVE_WORDS))})\b|n ?[{_APOSTROPHES}]t\b",
        re.IGNORECASE,
    ),
}


def has_marker(text: str, rules: str = "litotes") -> bool:
    """Whether a text has a negation marker of that ruleset; one without can have no category.

    >>> has_marker("She is NOT here."), has_marker("A notable note, nonetheless."), has_marker("I never knew.", "paper")
    (True, False, False)
    """
    return _PATTERNS[rules].search(text) is not None


def straight(text: str) -> str:
    """The text as the parser reads it best and as long: straight apostrophes, "do n't" for "don 't", no capitals only.

    >>> straight("I don’t, she can´t, we don 't")
    "I don't, she can't, we do n't"
    """
    plain = text.translate(_STRAIGHT)
    if plain.isupper() and len(plain.lower()) == len(plain):
        plain = plain.lower()
    return _APART.sub(lambda match: f" {match[0][0]}'{match[0][-1]}", plain) if " '" in plain else plain


def is_paper_marker(token: Token) -> bool:
    """Whether a word is one of the paper's three: no, not, n't."""
    return token.lower_ in PAPER
