"""Language identification by letters and function words, without parsing.

A sentence is classified as another language only if its function words show it. The language of sentences that are
short, misspelt or full of names and numbers is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from litotes.core.errors import LitotesError
from litotes.languages.base import word_set
from litotes.languages.en import pronouns
from litotes.languages.en.function_words import COMMON_PREPOSITIONS, COORDINATORS, CORE_DIRECTIONS
from litotes.languages.en.lexicon.misspellings import is_word
from litotes.languages.en.modals import POSSIBILITY_MODALS
from litotes.languages.en.modifiers import DEGREE_ADVERBS
from litotes.languages.en.quantifiers import LARGE_AMOUNTS
from litotes.languages.en.verbs import INVERTIBLE_VERBS
from litotes.languages.en.word_lists import word_list, word_table

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SAMPLE_SIZE = 2_000
"""Maximum number of sentences to check, spread over the corpus."""
_MIN_WORDS = 3
"""Minimum number of words of a sentence that counts if its language is unknown."""
_MIN_ENGLISH_SHARE = 0.1
_MIN_KNOWN_SHARE = 0.5
_MIN_FOREIGN_SHARE = 0.2

_CONTRACTIONS = word_list("contractions")
_CHAT_WORDS = word_set("lol ok okay please pls thank thanks thx u ur yes")
_COMMON_WORDS = word_list("common words")
_ENGLISH = (
    pronouns.NOUN_PHRASE_OPENERS
    | pronouns.PERSONAL_OBJECTS
    | pronouns.INTERROGATIVE_ADVERBS
    | INVERTIBLE_VERBS
    | POSSIBILITY_MODALS
    | CORE_DIRECTIONS
    | COMMON_PREPOSITIONS
    | COORDINATORS
    | DEGREE_ADVERBS
    | LARGE_AMOUNTS
    | _CONTRACTIONS
    | _CHAT_WORDS
    | _COMMON_WORDS
)
_FUNCTION_WORDS = word_table("function words of other languages")
_FOREIGN_WORDS = {
    language: frozenset(word for word in words if len(word) > 1) for language, words in _FUNCTION_WORDS.items()
}
"""Function words of other languages, without single letters."""
_NOT_ENGLISH = frozenset[str]().union(*_FOREIGN_WORDS.values()) - _ENGLISH
_SURELY_ENGLISH = frozenset(word for word in _ENGLISH.difference(*_FOREIGN_WORDS.values()) if len(word) > 1)
"""English words that are not words of other languages, unlike “to”, “on”, “me” and “no”."""


def identify(text: str) -> Literal["english", "other", "unknown"]:
    """Return the language of a sentence as far as its words show it.

    >>> identify("idk why it crashes 😅"), identify("Wir wissen nicht, warum es regnet."), identify("Xqz 900")
    ('english', 'other', 'unknown')
    """
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    if not words:
        return "unknown"
    if not text.isascii() and _is_foreign_script("".join(words)):
        return "other"
    n_english = sum(word in _ENGLISH for word in words)
    n_odd = 0 if text.isascii() else sum(not word.isascii() for word in words)
    if not n_odd and not any(word in _NOT_ENGLISH for word in words):
        is_certain = any(word in _SURELY_ENGLISH for word in words)
        return "english" if is_certain or _knows_most(words) else "unknown"
    language = max(_FOREIGN_WORDS.values(), key=lambda known: sum(word in known for word in words))
    n_foreign = n_odd + sum(word in language for word in words)
    n_certain = len(language.intersection(words) - _ENGLISH)
    if n_english > n_foreign:
        return "english"
    if n_certain and n_certain + n_odd >= 2 and n_foreign > n_english and n_foreign >= _MIN_FOREIGN_SHARE * len(words):
        return "other"
    return "english" if not n_certain and _knows_most(words) else "unknown"


def _knows_most(words: list[str]) -> bool:
    return sum(_is_known(word) for word in words) >= _MIN_KNOWN_SHARE * len(words)


def is_other_language(text: str) -> bool:
    """Return whether a sentence is clearly not English."""
    return identify(text) == "other"


def check_english(sentences: Sequence[str], name: str = "the text") -> None:
    """Raise an error if hardly any sentence of a corpus looks English."""
    n_checked = n_english = 0
    step = max(1, len(sentences) // _SAMPLE_SIZE)
    for text in sentences[::step]:
        kind = identify(text)
        n_english += kind == "english"
        n_checked += kind != "unknown" or len(_WORD.findall(text)) >= _MIN_WORDS
    if n_checked and n_english < _MIN_ENGLISH_SHARE * n_checked:
        share = f"{n_english:,} of {n_checked:,} sentences do" if n_english else f"none of {n_checked:,} sentences does"
        raise LitotesError("L203", f"{name} does not look English ({share}): the rewrites support English only")


def _is_foreign_script(text: str) -> bool:
    return 2 * sum(not _is_latin(character) for character in text) > len(text)


def _is_latin(character: str) -> bool:
    return (
        character < "\u0250"
        or "\u1e00" <= character <= "\u1eff"
        or "\uff21" <= character <= "\uff5a"
        or character == "’"
    )


@lru_cache(maxsize=65_536)
def _is_known(word: str) -> bool:
    return len(word) > 1 and word.isascii() and is_word(word.partition("'")[0])
