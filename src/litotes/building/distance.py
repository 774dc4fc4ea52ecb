"""How far two sentences are apart, in words, and whether one says more than the other."""

from __future__ import annotations

import re
from functools import lru_cache

from litotes.building.collocations import tokens
from litotes.building.negations import negations
from litotes.language.inflection import lemmas
from litotes.language.lexicon import default_lexicon

_EMPTY = frozenset(
    """a an the this that these those is are was were be been being am has have had do does did of to in on at by for
    with from and or as it its his her their there which who whom some any several own one n't not no s
    . , ; : ! ?""".split()
)
"""What may come or go in a paraphrase."""
_GENERAL = frozenset(
    """person persons people someone somebody something animal animals vehicle vehicles object objects thing things food
    toy vegetable vegetables instrument item items creature device water outdoors outside kid child girl girls boy
    boys going""".split()
)
"""Words that say less than what they stand for: a dog is an animal, but not every animal is a dog."""
_NAME = re.compile(r"(?<=[\w,)] )[A-Z][\w'’.-]*")
_LEAST_RATIO = 0.75
"""Of the shorter sentence's words to the longer one's."""


def token_distance(one: str, other: str) -> float:
    """Levenshtein's distance over words, as a share of the longer sentence: 0 the same, 1 nothing in common.

    >>> token_distance("He fed the dog.", "He fed the cat.")
    0.2
    """
    left, right = tokens(one), tokens(other)
    row = list(range(len(right) + 1))
    for number, word in enumerate(left, 1):
        diagonal, row[0] = row[0], number
        for place, against in enumerate(right, 1):
            diagonal, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, diagonal + (word != against))
    return row[-1] / max(len(left), len(right), 1)


def is_mutual(one: str, other: str, *, sure: bool = False) -> bool:
    """Whether neither of two sentences seems to say more: alike in length, names, numbers, negation and words.

    `sure`: people have said that the two mean the same, so that words need not be synonyms that a lexicon knows.

    >>> is_mutual("The cook closed the door.", "The door was shut by the cook.")
    True
    >>> is_mutual("The cook cut the bread.", "The cook cut the stale bread.")
    False
    """
    left, right = tokens(one), tokens(other)
    if min(len(left), len(right)) < _LEAST_RATIO * max(len(left), len(right)):
        return False
    if _numbers(left) != _numbers(right) or negations(one) != negations(other):
        return False
    if not (_names(one) <= set(right) and _names(other) <= set(left)):
        return False
    gone, come = _content(left) - _content(right), _content(right) - _content(left)
    if all(_has_like(word, come) for word in gone) and all(_has_like(word, gone) for word in come):
        return True
    return sure and _GENERAL.isdisjoint(gone | come)


def _numbers(words: list[str]) -> list[str]:
    return sorted(word for word in words if word[0].isdigit())


def _names(text: str) -> set[str]:
    """The parts of the words with a capital that do not begin the sentence."""
    return {word for name in _NAME.findall(text) for word in tokens(name)} - _EMPTY


def _content(words: list[str]) -> set[str]:
    return set(words) - _EMPTY


def _has_like(word: str, others: set[str]) -> bool:
    return any(not _meanings(word).isdisjoint(_meanings(other)) for other in others)


@lru_cache(maxsize=16_384)
def _meanings(word: str) -> frozenset[str | int]:
    """The words of which it may be a form, and the synsets of WordNet that these are in or, as adjectives, near to."""
    lexicon = default_lexicon()
    found: set[str | int] = {word}
    for pos in "nvar":
        for lemma in lemmas(word, pos):
            found.add(lemma)
            for sense in lexicon.senses(lemma, pos):
                found.add(sense.number)
                found.update(synset.id for synset in lexicon.similar(sense.synset) if pos == "a")
    return frozenset(found)
