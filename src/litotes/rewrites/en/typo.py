"""Typo: one word is misspelt; the meaning does not change."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal

from litotes.languages.en.lexicon.misspellings import (
    MIN_LETTERS,
    Misspelling,
    is_word,
    known_misspellings,
    random_misspelling,
)
from litotes.languages.tree import Token
from litotes.rewrites.base import Draft, Outcome, Refusal, Sentence, WordChange, rule
from litotes.rewrites.en.words.content_words import chosen_tokens, is_plain_word, salient_words
from litotes.rewrites.patches import patched, replace

_MAX_DRAFTS = 3
_PREFERRED_LENGTH = 5
"""Words of this length are easy to recognise despite a typo."""

_REASONS = {
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
        "no-word": "no word of the sentence is long enough, in the dictionary, and neither a name nor a number",
        "word-not-found": "the chosen word is not in the sentence",
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
    """Misspell the most salient word, or a chosen one, with a known misspelling or otherwise a random typo."""
    token = _most_salient(sentence, known) if word is None else _chosen(sentence, word)
    # The seed includes the sentence, so that the result does not depend on the order of sentences or on workers.
    for misspelling, kind in _misspellings(token.text, known, f"{seed}\0{sentence.text}"):
        text = patched(sentence.text, [replace(token, misspelling)])
        yield Draft(text, (WordChange(token.text, misspelling),), _REASONS[kind].format(token.text))


def _most_salient(sentence: Sentence, known: str) -> Token:
    short = None
    has_unknown = False
    for token in salient_words(sentence):
        length = len(token.text)
        if length < MIN_LETTERS or not is_word(token.lower_):
            continue
        if known == "only" and not known_misspellings(token.lower_):
            has_unknown = True
        elif length >= _PREFERRED_LENGTH:
            return token
        elif short is None:
            short = token
    if short is None:
        raise Refusal("no-known-misspelling" if has_unknown else "no-word")
    return short


def _chosen(sentence: Sentence, word: str) -> Token:
    for token in chosen_tokens(sentence, word):
        if len(token) >= MIN_LETTERS and is_plain_word(token) and is_word(token.lower_):
            return token
    raise Refusal("not-to-be-misspelt")


def _misspellings(word: str, known: str, seed: str) -> Iterator[Misspelling]:
    if known != "never":
        listed = list(known_misspellings(word, _MAX_DRAFTS))
        if len(listed) > 1:
            Random(seed).shuffle(listed)  # noqa: S311
        for text in listed:
            yield Misspelling(text, "known")
        if listed or known == "only":
            return
    random = Random(seed)  # noqa: S311
    seen: set[str] = set()
    for _ in range(2 * _MAX_DRAFTS):
        misspelling = random_misspelling(word, random)
        if misspelling is None:
            return
        if misspelling.text not in seen:
            seen.add(misspelling.text)
            yield misspelling
            if len(seen) == _MAX_DRAFTS:
                return
