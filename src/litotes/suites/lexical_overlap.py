"""How much two sentences have in common word by word: ROUGE and the Levenshtein distance of tokens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_ROUGE_WORD = re.compile(r"[a-z0-9]+")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_MANY = 40_000
"""So many cells of a table take longer in Python than the rows do in numpy."""


def rouge_words(text: str) -> list[str]:
    """The words that ROUGE counts: runs of a to z and digits, in lower case, not stemmed.

    >>> rouge_words("Isn't it café No. 5?")
    ['isn', 't', 'it', 'caf', 'no', '5']
    """
    return _ROUGE_WORD.findall(text.lower())


def tokens(text: str) -> list[str]:
    """Words and marks of punctuation, in lower case.

    >>> tokens("It isn't, is it?")
    ['it', 'isn', "'", 't', ',', 'is', 'it', '?']
    """
    return _TOKEN.findall(text.lower())


def rouge_n(one: Sequence[str], other: Sequence[str], n: int) -> float:
    """The F1 of common runs of n words.

    >>> round(rouge_n("the cat sat down".split(), "the cat lay down".split(), 2), 3)
    0.333
    """
    left, right = _runs(one, n), _runs(other, n)
    return _f1((left & right).total(), left.total(), right.total())


def rouge_l(one: Sequence[str], other: Sequence[str]) -> float:
    """The F1 of the longest common subsequence.

    >>> rouge_l("the cat sat down".split(), "the cat lay down".split())
    0.75
    """
    return _f1(longest_common(one, other), len(one), len(other))


def _runs(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[place : place + n]) for place in range(len(words) - n + 1))


def _f1(common: int, left: int, right: int) -> float:
    return 2 * common / (left + right) if common else 0.0


def longest_common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for left in one:
        before = 0
        for place, right in enumerate(other, 1):
            above = row[place]
            row[place] = before + 1 if left == right else max(above, row[place - 1])
            before = above
    return row[-1]


def levenshtein(one: Sequence[str], other: Sequence[str]) -> int:
    """How many tokens must be put in, taken out or exchanged to turn one into the other.

    >>> levenshtein("it is good".split(), "it is not bad".split())
    2
    """
    start, end = _same_around(one, other)
    one, other = one[start : len(one) - end], other[start : len(other) - end]
    if len(one) * len(other) > _MANY:
        return _levenshtein_by_rows(one, other)
    row = list(range(len(other) + 1))
    for number, left in enumerate(one, 1):
        before, row[0] = row[0], number
        for place, right in enumerate(other, 1):
            above = row[place]
            row[place] = before if left == right else 1 + min(before, above, row[place - 1])
            before = above
    return row[-1]


def _same_around(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """How many tokens at the start and at the end are the same: they cost nothing."""
    most = min(len(one), len(other))
    start = end = 0
    while start < most and one[start] == other[start]:
        start += 1
    while end < most - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return start, end


def _levenshtein_by_rows(one: Sequence[str], other: Sequence[str]) -> int:
    """The same for long texts, a whole row of the table at a time."""
    import numpy as np

    numbers = {token: number for number, token in enumerate(dict.fromkeys([*one, *other]))}
    right = np.array([numbers[token] for token in other])
    places = np.arange(len(other) + 1)
    row = places
    for number, token in enumerate(one, 1):
        changed = np.concatenate(([number], np.minimum(row[:-1] + (right != numbers[token]), row[1:] + 1)))
        # What is put in costs 1 a place: the least of all places before, and the way from there.
        row = np.minimum.accumulate(changed - places) + places
    return int(row[-1])


def normalised_levenshtein(one: Sequence[str], other: Sequence[str]) -> float:
    """The Levenshtein distance divided by the length of the longer one: 0 alike, 1 nothing in common.

    >>> normalised_levenshtein("it is good".split(), "it is not bad".split())
    0.5
    """
    longer = max(len(one), len(other))
    return levenshtein(one, other) / longer if longer else 0.0
