"""`typo`: one word misspelt; the sentence still means what it meant."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Literal

from litotes.languages.en.lexicon.misspellings import (
    SHORTEST,
    Misspelling,
    is_word,
    known_misspellings,
    random_misspelling,
)
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, WordChange, rule
from litotes.rewrites.en.words.content_words import stands_alone, telling_words
from litotes.rewrites.patches import patched, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_MOST = 3
"""Drafts a word: the first is what is asked for, the others are for choosing."""
_LONG = 5
"""Letters from which on a slip leaves the word easy to recognise."""

_HOW = {
    "known": "a known misspelling of “{}”",
    "deletion": "“{}” with a letter left out",
    "replacement": "“{}” with a wrong letter",
    "swap": "“{}” with two letters swapped",
}


@rule(
    "typo",
    effect="same",
    needs=("parse", "lexicon", "inflection", "spelling"),
    skips={
        "no-word": "no word of it is long enough, known, and neither a name nor a number",
        "word-not-found": "the chosen word is not in it",
        "not-to-be-misspelt": "the chosen word is too short, a name, a number, an address, in capitals or unknown",
        "no-known-misspelling": "no misspelling of the word is known",
    },
)
def typo(
    sentence: Sentence,
    *,
    word: str | None = None,
    seed: int = 0,
    known: Literal["prefer", "only", "never"] = "prefer",
) -> Iterator[Outcome]:
    """Misspell the most telling word, or a chosen one, as people are known to; else by a slip of the finger."""
    token = _most_telling(sentence, known) if word is None else _chosen(sentence, word)
    if isinstance(token, Skip):
        yield token
        return
    # Seeded by the sentence too: neither the order of a stream nor the number of workers makes a difference.
    for wrong, how in _misspellings(token.text, known, f"{seed}\0{sentence.text}"):
        text = patched(sentence.text, [replace(token, wrong)])
        yield Draft(text, (WordChange(token.text, wrong),), _HOW[how].format(token.text))


def _most_telling(sentence: Sentence, known: str) -> Token | Skip:
    short = None
    unknown = False
    for token in telling_words(sentence):
        length = len(token.text)
        if length < SHORTEST or not is_word(token.lower_):
            continue
        if known == "only" and not known_misspellings(token.lower_):
            unknown = True
        elif length >= _LONG:
            return token
        elif short is None:
            short = token
    return short if short is not None else Skip("no-known-misspelling" if unknown else "no-word")


def _chosen(sentence: Sentence, word: str) -> Token | Skip:
    wanted = word.strip().lower()
    found = [token for token in sentence.doc if token.lower_ == wanted]
    if not found:
        return Skip("word-not-found", f"“{word}” is not in it")
    fitting = (token for token in found if len(token) >= SHORTEST and stands_alone(token) and is_word(token.lower_))
    return next(fitting, None) or Skip("not-to-be-misspelt")


def _misspellings(word: str, known: str, seed: str) -> Iterator[Misspelling]:
    if known != "never":
        listed = list(known_misspellings(word, _MOST))
        if len(listed) > 1:
            Random(seed).shuffle(listed)  # noqa: S311
        for text in listed:
            yield Misspelling(text, "known")
        if listed or known == "only":
            return
    random = Random(seed)  # noqa: S311
    seen: set[str] = set()
    for _ in range(2 * _MOST):
        slip = random_misspelling(word, random)
        if slip is None:
            return
        if slip.text not in seen:
            seen.add(slip.text)
            yield slip
            if len(seen) == _MOST:
                return
