"""Spelling errors: common misspellings of words, and random typing errors."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from itertools import islice
from random import Random
from typing import NamedTuple

from litotes.core.errors import LitotesError, missing_package
from litotes.languages.en.function_words import FUNCTION_WORDS
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.inflection import has_lemma

MIN_LETTERS = 4
"""Minimum number of letters; shorter words would become unrecognisable."""

_ONE_VOWEL = str.maketrans("eiouy", "aaaaa")
_DOUBLED = re.compile(r"(.)(?=\1)")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


class Misspelling(NamedTuple):
    """A misspelling and its kind."""

    text: str
    kind: str
    """`known`, `deletion`, `replacement` or `swap`."""


def known_misspellings(word: str, max_results: int | None = None) -> tuple[str, ...]:
    """Return the common misspellings of a word in its case, the most recognisable first.

    Misspellings that no other word has come first, then those with the most similar sound and spelling. Misspellings
    that are words themselves are omitted.

    >>> known_misspellings("Tomorrow")
    ('Tommorrow', 'Tomorrrow', 'Tommorow')
    >>> "definately" in known_misspellings("definitely"), known_misspellings("happy")
    (True, ())
    """
    misspellings = _known(word.lower(), max_results)
    return misspellings if word.islower() else tuple(cased_like(word, text) for text in misspellings)


def random_misspelling(word: str, random: Random) -> Misspelling | None:
    """Return a word with a random typing error: a letter omitted or replaced, or two letters swapped.

    The result is not a word, and it has the same first letter if the word has more than three letters. Return None if
    no error gives such a result.

    >>> random_misspelling("illegal", Random(3))
    Misspelling(text='ilegal', kind='deletion')
    """
    lower = word.lower()
    if len(lower) < 2 or not lower.isalpha() or not lower.isascii():
        return None
    tried: set[str] = set()
    for kind in random.sample(("deletion", "replacement", "swap"), 3):
        for text in _typing_errors(lower, kind, random):
            if text != lower and text not in tried and not _is_colloquial(lower, text) and not is_word(text):
                return Misspelling(text if word == lower else cased_like(word, text), kind)
            tried.add(text)
    return None


@lru_cache(maxsize=16_384)
def is_word(text: str) -> bool:
    """Return whether a text is a word or a form of one in the lexicon or the dictionary of inflections.

    >>> [is_word(text) for text in ("houses", "because", "went", "becuase", "Paris")]
    [True, True, True, False, True]
    """
    lower = text.lower()
    return lower in FUNCTION_WORDS or has_lemma(lower) or lower in default_lexicon()


def _typing_errors(word: str, kind: str, random: Random) -> Iterator[str]:
    first = 1 if len(word) > 3 else 0
    indices = list(range(first, len(word) - (kind == "swap")))
    random.shuffle(indices)
    for index in indices:
        before, letter, after = word[:index], word[index], word[index + 1 :]
        if kind == "deletion":
            yield before + after
        elif kind == "swap":
            yield before + after[0] + letter + after[1:]
        else:
            yield before + random.choice(_NEIGHBOURS[letter]) + after


def _neighbours() -> dict[str, str]:
    positions = {
        letter: (row, column + row / 2) for row, letters in enumerate(_ROWS) for column, letter in enumerate(letters)
    }
    return {
        letter: "".join(
            neighbour
            for neighbour, (y, x) in positions.items()
            if neighbour != letter and abs(y - row) <= 1 and abs(x - column) <= 1
        )
        for letter, (row, column) in positions.items()
    }


_NEIGHBOURS = _neighbours()


@lru_cache(maxsize=16_384)
def _known(word: str, max_results: int | None) -> tuple[str, ...]:
    by_correction = _by_correction()
    ranked: list[tuple[bool, bool, int, str]] = []
    sound = _sound(word)
    for text, is_unambiguous in (*by_correction.get(word, ()), *by_correction.get(word.capitalize(), ())):
        if text[0] != word[0] or not text.isalpha() or _is_colloquial(word, text):
            continue
        n_different = _distance(word, text)
        if n_different <= len(word) // 2:
            ranked.append((not is_unambiguous, _sound(text) != sound, n_different, text))
    ranked.sort()
    different = dict.fromkeys(text for *_, text in ranked)
    # Checking for words is slow, so it is done last.
    return tuple(islice((text for text in different if not is_word(text)), max_results))


def _distance(word: str, text: str) -> int:
    """Return the number of letters between the common prefix and the common suffix.

    >>> _distance("definitely", "definately"), _distance("believe", "beleive"), _distance("all", "al")
    (1, 2, 1)
    """
    shorter = min(len(word), len(text))
    start = end = 0
    while start < shorter and word[start] == text[start]:
        start += 1
    while end < shorter - start and word[-1 - end] == text[-1 - end]:
        end += 1
    return max(len(word), len(text)) - start - end


def _is_colloquial(word: str, text: str) -> bool:
    """Return whether a spelling is colloquial rather than wrong: "playin" for "playing"."""
    return text == word[:-1] and word.endswith("ing")


def _sound(word: str) -> str:
    """Return the approximate sound of a word: all vowels are equal, and double letters are single.

    >>> _sound("definately") == _sound("definitely"), _sound("tommorow") == _sound("tomorrow")
    (True, True)
    """
    return _DOUBLED.sub("", word.translate(_ONE_VOWEL))


@lru_cache(maxsize=1)
def _by_correction() -> dict[str, list[tuple[str, bool]]]:
    """Return the misspellings of each word in codespell's list, and whether they are of this word only."""
    misspellings: dict[str, list[tuple[str, bool]]] = {}
    for line in _codespell_list().split("\n"):
        misspelling, _, corrections = line.partition("->")
        # Only the likeliest of several corrections would be recognised.
        word, comma, _ = corrections.partition(",")
        if word:
            misspellings.setdefault(word, []).append((misspelling, not comma))
    return misspellings


def _codespell_list() -> str:
    if importlib.util.find_spec("codespell_lib") is None:
        raise missing_package("codespell", "english")
    try:
        return (files("codespell_lib") / "data" / "dictionary.txt").read_text(encoding="utf-8")
    except OSError as error:
        raise LitotesError("L201", "codespell's list of misspellings cannot be read") from error
