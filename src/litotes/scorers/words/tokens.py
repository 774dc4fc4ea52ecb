"""Words as the makers of word vectors counted them: in the manner of the Penn Treebank, lower case unless kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Case = Literal["lower", "keep"]
"""Whether words are looked up in lower case, or first as they are written."""
Split = Literal["treebank", "blanks"]
"""Whether contractions and punctuation are words of their own, or words are what stands between two blanks."""

_SAME = str.maketrans({"’": "'", "‘": "'", "“": "``", "”": "''", "…": "...", "—": "--", "–": "--", "\u00a0": " "})

ABBREVIATIONS = (
    "mr mrs ms dr st jr sr prof gen col capt lt sgt rev hon gov sen rep vs no inc ltd co corp dept est fig vol "
    "jan feb mar apr jun jul aug sept sep oct nov dec"
).split()

_PATTERN = rf"""
    (?:[a-z]\.){{2,}}                                     # u.s., e.g.
    | (?:{"|".join(ABBREVIATIONS)})\.(?=\s+\S)            # mr. and the like, not at the end
    | \.\.\.+ | --+ | `` | ''
    | \d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?                    # 1,000  3.5  10:30  2nd
    | o'clock | ma'am
    | [^\W_]+?(?=n't\b) | n't\b                           # do n't
    | '(?:s|re|ve|ll|d|m)\b                               # it 's
    | [^\W_]+(?:[-.&][^\W_]+)*                             # words, well-known, www.example.org
    | \S
    """
_BETWEEN = "\0"
_TOKEN = re.compile(_PATTERN, re.VERBOSE)
_TOKEN_OF_ANY_CASE = re.compile(_PATTERN, re.VERBOSE | re.IGNORECASE)


def word_tokens(text: str, case: Case = "lower") -> list[str]:
    """The tokens of a text: contractions and punctuation apart, words with hyphens whole.

    >>> word_tokens("It isn’t Mr. Hill’s well-known shop.")
    ['it', 'is', "n't", 'mr.', 'hill', "'s", 'well-known', 'shop', '.']
    >>> word_tokens("We can't pay $1,000.50 at 10:30...")
    ['we', 'ca', "n't", 'pay', '$', '1,000.50', 'at', '10:30', '...']
    >>> word_tokens("Mr. Hill CAN’T", case="keep")
    ['Mr.', 'Hill', 'CA', "N'T"]
    """
    same = text.translate(_SAME)
    return _TOKEN.findall(same.lower()) if case == "lower" else _TOKEN_OF_ANY_CASE.findall(same)


def text_tokens(text: str, case: Case = "lower", split: Split = "treebank") -> list[str]:
    """The tokens of a text, however it is split.

    >>> text_tokens("It isn't Mr. Hill’s.", split="blanks")
    ['it', "isn't", 'mr.', 'hill’s.']
    """
    if split == "treebank":
        return word_tokens(text, case)
    return text.lower().split() if case == "lower" else text.split()


def pieces_tokens(pieces: Sequence[str], case: Case = "lower", split: Split = "treebank") -> list[tuple[str, ...]]:
    """The tokens of each of some pieces, which have no blank in them, as they are where more text follows.

    No token reaches over a blank, and only for abbreviations it matters whether more follows.

    >>> pieces_tokens(["No.", "isn't"]), word_tokens("No.")
    ([('no.',), ('is', "n't")], ['no', '.'])
    """
    if split == "blanks":
        return [(piece.lower() if case == "lower" else piece,) for piece in pieces]
    if any(_BETWEEN in piece for piece in pieces):
        return [tuple(word_tokens(f"{piece} .", case)[:-1]) for piece in pieces]
    found: list[tuple[str, ...]] = []
    tokens = word_tokens("".join(f"{piece} {_BETWEEN} " for piece in pieces), case)
    start = 0
    for _ in pieces:
        end = tokens.index(_BETWEEN, start)
        found.append(tuple(tokens[start:end]))
        start = end + 1
    return found
