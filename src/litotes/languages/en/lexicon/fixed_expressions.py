"""Fixed expressions, whose words may not be replaced individually."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.word_lists import data_rows
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
    tokens, index = token.doc.tokens, token.i
    table = _by_word()
    lower, lemma = token.lower_, token.lemma_
    for word in (lower,) if lemma == lower else (lower, lemma):
        expressions = table.get(word)
        if expressions is None:
            continue
        for step in (-1, 1):
            if not 0 <= index + step < len(tokens):
                continue
            neighbour = tokens[index + step]
            for key in ((step, neighbour.lower_), (step, neighbour.lemma_), (step, _ANY)):
                for position, words in expressions.get(key, ()):
                    if _is_at(tokens, index - position, words):
                        return True
    return token.tag_[:2] in {"JJ", "NN"} and _is_part_of_noun(token)


def _is_at(tokens: list[Token], start: int, words: tuple[str, ...]) -> bool:
    if start < 0 or start + len(words) > len(tokens):
        return False
    return all(
        word in (token.lower_, token.lemma_, _ANY)
        for word, token in zip(words, tokens[start : start + len(words)], strict=True)
    )


def _is_part_of_noun(token: Token) -> bool:
    """Return whether a word and its neighbour are a noun of the lexicon: “hot spring”, “prime minister”."""
    tokens, index = token.doc.tokens, token.i
    if index + 1 < len(tokens):
        following = tokens[index + 1]
        if following.tag_[:2] == "NN" and following.lemma_ not in _PEOPLE and token.lower_ not in _ALWAYS_PLAIN:
            return _known_noun(f"{token.lower_} {following.lemma_.lower()}")
    if index and token.tag_[:2] == "NN" and tokens[index - 1].dep_ == "compound":
        return _known_noun(f"{tokens[index - 1].lower_} {token.lemma_.lower()}")
    return False


@lru_cache(maxsize=16_384)
def _known_noun(words: str) -> bool:
    return default_lexicon().knows(words, "n")


_Expressions: TypeAlias = "dict[tuple[int, str], tuple[tuple[int, tuple[str, ...]], ...]]"


@lru_cache(maxsize=1)
def _by_word() -> dict[str, _Expressions]:
    """Return by word and neighbour (-1: before, 1: after) the expressions, with the index of the word in each."""
    by_word: dict[str, dict[tuple[int, str], list[tuple[int, tuple[str, ...]]]]] = {}
    # One expression per line; a star matches any word.
    for line in data_rows("fixed_expressions.tsv"):
        words = tuple(line.split())
        for index, word in enumerate(words):
            if word != _ANY:
                step = 1 if index + 1 < len(words) else -1
                by_word.setdefault(word, {}).setdefault((step, words[index + step]), []).append((index, words))
    return {word: {key: tuple(matches) for key, matches in neighbours.items()} for word, neighbours in by_word.items()}
