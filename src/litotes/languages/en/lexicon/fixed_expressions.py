"""Fixed expressions, whose words may not be replaced individually."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, TypeAlias

from litotes.languages.en.lexicon.wordnet import default_lexicon

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_ANY = "*"
# "young man" is in the lexicon, although its meaning is not fixed.
_PEOPLE = frozenset({"man", "woman", "boy", "girl", "lady", "people", "person", "kid", "child"})

# Fixed expressions with these adjectives are in the table.
_ALWAYS_PLAIN = frozenset({"good", "bad", "happy", "sad", "nice"})


def in_fixed_expression(token: Token) -> bool:
    """Return whether a word is part of a fixed expression: "high school", "right now", "at least".

    >>> from litotes.languages.en.parser import parse
    >>> doc = parse("The high school is right behind a high wall.")
    >>> [in_fixed_expression(doc[index]) for index in (1, 4, 7)]
    [True, True, False]
    """
    tokens, place = token.doc.tokens, token.i
    table = _by_word()
    lower, lemma = token.lower_, token.lemma_
    for word in (lower,) if lemma == lower else (lower, lemma):
        beside = table.get(word)
        if beside is None:
            continue
        for step in (-1, 1):
            near = place + step
            if not 0 <= near < len(tokens):
                continue
            other = tokens[near]
            for key in ((step, other.lower_), (step, other.lemma_), (step, _ANY)):
                if key not in beside:
                    continue
                for own, words in beside[key]:
                    if _is_at(tokens, place - own, words):
                        return True
    return token.tag_[:2] in {"JJ", "NN"} and _is_part_of_noun(token)


def _is_at(tokens: list[Token], start: int, words: tuple[str, ...]) -> bool:
    if start < 0 or start + len(words) > len(tokens):
        return False
    for step, word in enumerate(words):
        token = tokens[start + step]
        if word not in (token.lower_, token.lemma_, _ANY):
            return False
    return True


def _is_part_of_noun(token: Token) -> bool:
    """Return whether a word and its neighbour are a noun of the lexicon: “hot spring”, “prime minister”."""
    doc, place = token.doc.tokens, token.i
    if place + 1 < len(doc):
        following = doc[place + 1]
        if following.tag_[:2] == "NN" and following.lemma_ not in _PEOPLE and token.lower_ not in _ALWAYS_PLAIN:
            return _known_noun(f"{token.lower_} {following.lemma_.lower()}")
    if place and token.tag_[:2] == "NN" and doc[place - 1].dep_ == "compound":
        return _known_noun(f"{doc[place - 1].lower_} {token.lemma_.lower()}")
    return False


@lru_cache(maxsize=16_384)
def _known_noun(words: str) -> bool:
    return default_lexicon().knows(words, "n")


_Places: TypeAlias = "dict[tuple[int, str], tuple[tuple[int, tuple[str, ...]], ...]]"


@lru_cache(maxsize=1)
def _by_word() -> dict[str, _Places]:
    """Return by word and neighbour (-1: before, 1: after) the expressions, with the index of the word in each."""
    found: dict[str, dict[tuple[int, str], list[tuple[int, tuple[str, ...]]]]] = {}
    # One expression per line; a star matches any word.
    table = files("litotes.languages.en") / "data" / "opposites_fixed.tsv"
    for line in table.read_text(encoding="utf-8").splitlines():
        words = tuple(line.split())
        for place, word in enumerate(words):
            if word != _ANY:
                step = 1 if place + 1 < len(words) else -1
                found.setdefault(word, {}).setdefault((step, words[place + step]), []).append((place, words))
    return {word: {key: tuple(places) for key, places in beside.items()} for word, beside in found.items()}
