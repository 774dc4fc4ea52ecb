"""Common words by the frames that they fit, from which the infill rule draws, and the semantic classes of nouns."""

from __future__ import annotations

from functools import cache, lru_cache

from litotes.languages.base import by_word
from litotes.languages.en.lexicon.wordnet import frequency
from litotes.languages.en.nouns import noun_supersenses
from litotes.languages.en.pronouns import PERSON_PRONOUNS, THING_PRONOUNS
from litotes.languages.en.word_lists import data_rows, word_list
from litotes.languages.tree import Token

NOT_COMPARED = word_list("not compared")
"""Adjectives whose comparatives are rare: "yellower", "emptier"."""

_PERSONS = PERSON_PRONOUNS | {"people", "one", "mine", "yours", "guys"}
_CLASS_OF_SUPERSENSE = by_word(thing="artifact plant substance", place="location object", text="communication") | {
    name: name for name in ("animal", "body", "food", "group", "person", "time")
}
_CLASS_OF_WORD = by_word(
    person="person man human guy",
    group="group couple",
    food="food egg fish chicken turkey lamb salmon shrimp crab duck",
    animal="animal",
    thing="plant",
)
"""Nouns whose most frequent sense in the lexicon is misleading."""
_THING_FRAMES = ("clothes", "vehicle", "instrument", "furniture", "tool")
_PERSON_AND_ANIMAL_FRAMES = frozenset({"person", "someone's", "animal"})


@cache
def words_by_frame() -> dict[tuple[str, str], list[str]]:
    """Return (part of speech, frame) → the words that fit the frame."""
    rows = (row.split("\t") for row in data_rows("infill_words.tsv"))
    return {(pos, frame): words.split() for pos, frame, words in rows}


@cache
def weighted_words(pos: str, frame: str) -> tuple[tuple[str, float], ...]:
    """Return the words that fit a frame and their weights: the square roots of their frequencies in WordNet's texts.

    Without the root, the few most frequent words would be drawn nearly every time.

    >>> weights = dict(weighted_words("n", "vehicle"))
    >>> weights["car"] > weights["motorcycle"] > 0
    True
    """
    return tuple((word, (1 + frequency(word, pos)) ** 0.5) for word in words_by_frame()[pos, frame])


@cache
def frame_words(pos: str, frame: str) -> frozenset[str]:
    """Return the words that fit a frame.

    >>> sorted(frame_words("n", "part of a building"))
    ['door', 'roof', 'wall', 'window']
    """
    return frozenset(words_by_frame()[pos, frame])


@cache
def frame_of_noun() -> dict[str, str]:
    """Return noun → frame. People and animals are left out, because the lexicon knows more of them."""
    return {
        noun: frame
        for (pos, frame), nouns in words_by_frame().items()
        if pos == "n" and frame not in _PERSON_AND_ANIMAL_FRAMES
        for noun in nouns
    }


def similar_words(word: str) -> frozenset[str]:
    """Return the words of nearly the same meaning that the lexicon does not relate to a word."""
    return _similar_words().get(word, frozenset())


@cache
def _similar_words() -> dict[str, frozenset[str]]:
    similar: dict[str, frozenset[str]] = {}
    for line in data_rows("infill_similar.txt"):
        group = frozenset(line.split())
        for word in group:
            similar[word] = similar.get(word, group) | group
    return similar


def semantic_class(token: Token) -> str:
    """Return the class of a noun or pronoun: person, animal, thing, food, text, place, body, group, time, idea or any.

    >>> from litotes.languages.en.parser import parse
    >>> [semantic_class(token) for token in parse("she it dogs car bread idea London Monday")][:6]
    ['person', 'any', 'animal', 'thing', 'food', 'idea']
    """
    lower = token.lower_
    if lower in _PERSONS:
        return "person"
    if lower in THING_PRONOUNS or token.pos_ in {"PRON", "DET", "NUM"} or token.is_upper:
        return "any"
    return _class_of_noun(token.lemma_.lower(), is_name=token.pos_ == "PROPN")


@lru_cache(maxsize=16_384)
def _class_of_noun(lemma: str, *, is_name: bool) -> str:
    if lemma in frame_words("n", "place") or lemma in frame_words("n", "building"):
        return "place"
    if not is_name:
        # The most frequent sense of "table" is a group of figures.
        if any(lemma in frame_words("n", frame) for frame in _THING_FRAMES):
            return "thing"
        if lemma in _CLASS_OF_WORD:
            return _CLASS_OF_WORD[lemma]
    supersenses = noun_supersenses(lemma)
    if not supersenses:
        return "person" if is_name else "any"
    noun_class = _CLASS_OF_SUPERSENSE.get(supersenses[0], "idea")
    # A name may also be a noun: Tom is a cat, Mark a currency. Names of places and groups are not used for people.
    return "person" if is_name and noun_class not in {"place", "group"} else noun_class
