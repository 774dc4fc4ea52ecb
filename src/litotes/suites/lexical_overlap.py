"""Lexical overlap of two sentences: ROUGE and the Levenshtein distance of tokens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_ROUGE_WORD = re.compile(r"[a-z0-9]+")
_TOKEN = re.compile(r"\w+|[^\w\s]")


def rouge_words(text: str) -> list[str]:
    """Return the lower-case words that ROUGE counts, which consist of a to z and digits.

    >>> rouge_words("Isn't it café No. 5?")
    ['isn', 't', 'it', 'caf', 'no', '5']
    """
    return _ROUGE_WORD.findall(text.lower())


def tokens(text: str) -> list[str]:
    """Return the words and punctuation marks in lower case.

    >>> tokens("It isn't, is it?")
    ['it', 'isn', "'", 't', ',', 'is', 'it', '?']
    """
    return _TOKEN.findall(text.lower())


def rouge_n(left: Sequence[str], right: Sequence[str], n: int) -> float:
    """Return the F1 score of common n-grams.

    >>> round(rouge_n("the cat sat down".split(), "the cat lay down".split(), 2), 3)
    0.333
    """
    left_ngrams, right_ngrams = _ngrams(left, n), _ngrams(right, n)
    return _f1((left_ngrams & right_ngrams).total(), left_ngrams.total(), right_ngrams.total())


def rouge_l(left: Sequence[str], right: Sequence[str]) -> float:
    """Return the F1 score of the longest common subsequence.

    >>> rouge_l("the cat sat down".split(), "the cat lay down".split())
    0.75
    """
    return _f1(_longest_common_subsequence(left, right), len(left), len(right))


def _ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[start : start + n]) for start in range(len(words) - n + 1))


def _f1(n_common: int, n_left: int, n_right: int) -> float:
    return 2 * n_common / (n_left + n_right) if n_common else 0.0


def _longest_common_subsequence(left: Sequence[str], right: Sequence[str]) -> int:
    row = [0] * (len(right) + 1)
    for left_word in left:
        diagonal = 0
        for column, right_word in enumerate(right, 1):
            above = row[column]
            row[column] = diagonal + 1 if left_word == right_word else max(above, row[column - 1])
            diagonal = above
    return row[-1]


def common_prefix(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the number of equal words at the beginning.

    >>> common_prefix("it is good".split(), "it is not bad".split())
    2
    """
    shorter = min(len(left), len(right))
    return next((index for index in range(shorter) if left[index] != right[index]), shorter)


def changed_words(left: Sequence[str], right: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return both sequences without the common words at the beginning and at the end.

    >>> changed_words("it is good now".split(), "it is not bad now".split())
    (['good'], ['not', 'bad'])
    """
    start = common_prefix(left, right)
    end = common_prefix(left[start:][::-1], right[start:][::-1])
    return left[start : len(left) - end], right[start : len(right) - end]


def levenshtein(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the minimum number of insertions, deletions and replacements that turn one sequence into the other.

    >>> levenshtein("it is good".split(), "it is not bad".split())
    2
    """
    left, right = changed_words(left, right)
    row = list(range(len(right) + 1))
    for number, left_word in enumerate(left, 1):
        diagonal, row[0] = row[0], number
        for column, right_word in enumerate(right, 1):
            above = row[column]
            row[column] = diagonal if left_word == right_word else 1 + min(diagonal, above, row[column - 1])
            diagonal = above
    return row[-1]


def normalised_levenshtein(left: Sequence[str], right: Sequence[str]) -> float:
    """Return the Levenshtein distance divided by the length of the longer sequence: 0 for equal ones, at most 1.

    >>> normalised_levenshtein("it is good".split(), "it is not bad".split())
    0.5
    """
    longer = max(len(left), len(right))
    return levenshtein(left, right) / longer if longer else 0.0
