"""Words as the makers of word vectors counted them: lower case, in the manner of the Penn Treebank."""

from __future__ import annotations

import re

_SAME = str.maketrans({"’": "'", "‘": "'", "“": "``", "”": "''", "…": "...", "—": "--", "–": "--", "\u00a0": " "})

_ABBREVIATIONS = (
    "mr mrs ms dr st jr sr prof gen col capt lt sgt rev hon gov sen rep vs no inc ltd co corp dept est fig vol "
    "jan feb mar apr jun jul aug sept sep oct nov dec"
).split()

_TOKEN = re.compile(
    rf"""
    (?:[a-z]\.){{2,}}                                     # u.s., e.g.
    | (?:{"|".join(_ABBREVIATIONS)})\.(?=\s+\S)            # mr. and the like, not at the end
    | \.\.\.+ | --+ | `` | ''
    | \d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?                    # 1,000  3.5  10:30  2nd
    | o'clock | ma'am
    | [^\W_]+?(?=n't\b) | n't\b                           # do n't
    | '(?:s|re|ve|ll|d|m)\b                               # it 's
    | [^\W_]+(?:[-.&][^\W_]+)*                             # words, well-known, www.example.org
    | \S
    """,
    re.VERBOSE,
)


def word_tokens(text: str) -> list[str]:
    """The tokens of a text: contractions and punctuation apart, words with hyphens whole.

    >>> word_tokens("It isn’t Mr. Hill’s well-known shop.")
    ['it', 'is', "n't", 'mr.', 'hill', "'s", 'well-known', 'shop', '.']
    >>> word_tokens("We can't pay $1,000.50 at 10:30...")
    ['we', 'ca', "n't", 'pay', '$', '1,000.50', 'at', '10:30', '...']
    """
    return _TOKEN.findall(text.translate(_SAME).lower())
