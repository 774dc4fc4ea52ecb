"""Words that negate, and what a text shows of its negation before it is parsed.

Every inventory of negation markers is derived from the sets at the top of this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, TypeAlias

from litotes.languages.en.verbs import INVERTIBLE_VERBS
from litotes.languages.tree import Token

# Base sets. They do not overlap.

NOT = frozenset({"not", "n't", "n’t"})
"""Forms of "not", as tokens."""
UNSPELT_NOT = frozenset({"nt"})
"""What the parser splits off "dont" and "cant"."""
NEGATIVE_INDEFINITES = frozenset({"nobody", "nothing", "none"})
NO_ONE = frozenset({"noone", "no-one"})
"""Spellings of "no one" as one word."""
HARDLY = frozenset({"hardly", "barely", "scarcely"})
RARELY = frozenset({"rarely", "seldom"})

# Derived sets.

NOT_TOKENS = NOT | UNSPELT_NOT
"""Tokens that negate the verb before them."""
VERB_NEGATORS = NOT_TOKENS | {"never"}
NEGATIVE_PRONOUNS = NEGATIVE_INDEFINITES | {"neither"}
NEGATIVE_SUBJECTS = NEGATIVE_PRONOUNS | {"no"}
"""Words that begin or are a subject or object that is denied."""
NEAR_NEGATIVES = HARDLY | RARELY
"""Adverbs that negate almost completely."""
NEGATIVE_ADVERBS = NEAR_NEGATIVES | {"never"}
NEGATORS = NOT_TOKENS | NEGATIVE_SUBJECTS | {"cannot", "never"}
"""Tokens that negate in standard spelling, without "nowhere" and "nor"."""
ALL_NEGATORS = NEGATORS | NEAR_NEGATIVES | {"nowhere"}

_WRITTEN_NEGATORS = NEGATIVE_SUBJECTS | NEAR_NEGATIVES | {"not", "cannot", "never", "nowhere", "nor", "without"}
"""Negators as they are written; "n't" is a part of a word."""

PAPER_MARKERS = NOT | {"no"}
"""Markers in the rules of Laverghetta and Licato (2022)."""
DENYING_PRONOUNS = NEGATIVE_PRONOUNS | {"noone"}
"""Pronouns that deny in our rules of developmental negation; "no one" is two words and begins with "no"."""


NegationScope: TypeAlias = Literal["not", "more", "any"]
"""Which sentences are wanted: with "not" and "n't"; with any negator; or all, negated or not."""


def _pattern(words: Iterable[str], apostrophes: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(words))})\b|{apostrophes}", re.IGNORECASE)


_NOT_PATTERN = _pattern({"not", "cannot"}, "n['’]t\\b")
_ANSWER = re.compile(r"\bno\b(?=\s*(?:[,.!?;:…]|[-–—]+\s|$))", re.IGNORECASE)
"""“No” as an answer or exclamation: punctuation follows it."""
_NEGATOR_PATTERN = _pattern(_WRITTEN_NEGATORS, "n['’]t\\b")
_FULL_NEGATION_PATTERN = _pattern(_WRITTEN_NEGATORS - NEAR_NEGATIVES - {"nowhere", "without"}, "n['’]t\\b")


def is_negated(text: str, scope: NegationScope = "not") -> bool:
    """Return whether a text contains a negation.

    The answer “No” is not a negation of its sentence.

    >>> is_negated("It isn't bad."), is_negated("It is never bad."), is_negated("It is never bad.", "more")
    (True, False, True)
    >>> is_negated("No, that is false.", "more"), is_negated("There is no bread.", "more")
    (False, True)
    """
    if scope == "not":
        return _NOT_PATTERN.search(text) is not None
    return _NEGATOR_PATTERN.search(_ANSWER.sub("", text)) is not None


def negation_spans(text: str) -> list[tuple[int, int]]:
    """Return start and end of each negation of a sentence, without near negatives such as "hardly".

    >>> negation_spans("It isn't bad.")
    [(5, 8)]
    """
    return [match.span() for match in _FULL_NEGATION_PATTERN.finditer(text)]


def count_negations(text: str) -> int:
    """Return the number of negators in a text.

    >>> count_negations("No, I don't know why.")
    2
    """
    return len(_NEGATOR_PATTERN.findall(text))


_APOSTROPHES = "'’ʼ′`´"
_STRAIGHT = str.maketrans(dict.fromkeys(_APOSTROPHES, "'"))
_SEPARATED_NOT = re.compile(r"n 't\b", re.IGNORECASE)
"""As some corpora tokenise it: "don 't"."""
_UNSPELT_HOSTS = (INVERTIBLE_VERBS - {"am", "can", "will"}) | {"might", "ai", "ca", "wo"}
_ANY_NT = rf"n ?[{_APOSTROPHES}]t\b"
_MARKER_PATTERNS = {
    "paper": _pattern({"no", "not", "cannot"}, _ANY_NT),
    "litotes": _pattern(
        {"no", "not", "cannot", "never", "nor", *(f"{host}nt" for host in _UNSPELT_HOSTS), *DENYING_PRONOUNS}, _ANY_NT
    ),
}


def has_marker(text: str, rules: str = "litotes") -> bool:
    """Return whether a text has a negation marker of a ruleset; a text without one has no category.

    >>> has_marker("She is NOT here."), has_marker("A notable note, nonetheless."), has_marker("I never knew.", "paper")
    (True, False, False)
    """
    return _MARKER_PATTERNS[rules].search(text) is not None


def straighten(text: str) -> str:
    """Return a text of the same length that the parser reads best.

    Apostrophes become straight, "don 't" becomes "do n't", and a text in capitals becomes lower case.

    >>> straighten("I don’t, she can´t, we don 't")
    "I don't, she can't, we do n't"
    """
    plain = text.translate(_STRAIGHT)
    if plain.isupper() and len(plain.lower()) == len(plain):
        plain = plain.lower()
    return _SEPARATED_NOT.sub(lambda match: f" {match[0][0]}'{match[0][-1]}", plain) if " '" in plain else plain


def is_paper_marker(token: Token) -> bool:
    """Return whether a word is a marker of the paper: no, not, n't."""
    return token.lower_ in PAPER_MARKERS
