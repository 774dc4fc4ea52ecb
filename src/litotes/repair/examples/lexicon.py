"""Quadruples of the lexicon's own antonyms in plain frames: words that a text does not have, or has too seldom.

The opposites of our own table come first, those that people use (“cloudy” and “sunny”). Of the lexicon there are direct
antonyms and indirect ones: a word that is similar to one of a pair, against the other (“gigantic” and “little”). They
are looser than those of the text, but there are many, and a model that has seen many pairs finds the opposite of a word
that it has not. Synonyms make quadruples too: “not huge” says what “not enormous” says, and neither is “huge”.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import replace

from litotes.languages.en.lexicon.antonyms import usual_pairs
from litotes.languages.en.lexicon.wordnet import Lexicon, Synset, default_lexicon, frequency
from litotes.repair.examples.base import Lesson
from litotes.repair.holdout import pair_key

LEXICON = "lexicon quadruple"
Frame = tuple[str, str]
"""Where a word is said and where it is denied."""
_FRAMES = (
    ("It is {}.", "It is not {}."),
    ("It's {}.", "It's not {}."),
    ("That was {}.", "That was not {}."),
    ("That's {}.", "That's not {}."),
    ("They are {}.", "They aren't {}."),
    ("They're {}.", "They're not {}."),
    ("He seems {}.", "He doesn't seem {}."),
    ("She was {} then.", "She wasn't {} then."),
    ("She's {}.", "She's not {}."),
    ("You look {} today.", "You don't look {} today."),
    ("You're {}, aren't you?", "You're not {}, are you?"),
    ("I'm {}.", "I'm not {}."),
    ("I was {}.", "I wasn't {}."),
    ("The whole thing is {}.", "The whole thing is not {}."),
    ("The answer was {}.", "The answer wasn't {}."),
    ("The place was {}.", "The place was not {}."),
    ("This one is {}.", "This one isn't {}."),
    ("No, it's {}.", "No, it's not {}."),
    ("Yes, that is {}.", "Yes, that is not {}."),
    ("Well, this is {}.", "Well, this is not {}."),
    ("I think it's {}.", "I think it's not {}."),
    ("I know you're {}.", "I know you're not {}."),
    ("Because he's {}.", "Because he's not {}."),
    ("We're {} now.", "We're not {} now."),
    ("Is it {}?", "Is it not {}?"),
    ("Really {}.", "Not really {}."),
)
_WITH_ARTICLE = frozenset(("same", "other", "only", "opposite", "main", "former", "latter", "sole"))
"""Words that a frame must have “the” before."""
_SENSES = 2
"""Of a word, so many of its most frequent senses."""
_OF_INDIRECT = 2
"""Frames of an indirect pair at most."""
_COMMON = 5
"""A word that stands so often in the tagged texts is met in more than one frame."""


def lexicon_lessons(known: Collection[str] = frozenset()) -> Iterator[Lesson]:
    """Quadruples of pairs of adjectives, common pairs in several frames.

    The lexicon's words are in use: in the texts that WordNet's makers counted, or among the `known` ones.
    """
    lexicon = default_lexicon()
    senses = [
        (word, sense.synset)
        for word in lexicon.words("a")
        if _is_used(word, known)
        for sense in lexicon.senses(word, "a")[:_SENSES]
        if not sense.marker
    ]
    seen: set[str] = set()
    for word, opposite in usual_pairs("a"):
        if _fit(word, opposite, {word, opposite}, seen):
            yield from (_against(word, opposite, frame) for frame in _frames(word, opposite))
    for word, synset in senses:
        for opposite in _opposites(lexicon, synset):
            if _fit(word, opposite, known, seen):
                yield from (_against(word, opposite, frame) for frame in _frames(word, opposite))
        for synonym in synset.members:
            if _fit(word, synonym, known, seen):
                yield _alike(word, synonym, _frames(word, synonym)[0])
    # Afterwards, so that a pair which is both direct and indirect counts as direct.
    for word, synset in senses:
        for head in lexicon.similar(synset) if synset.satellite else ():
            for opposite in _opposites(lexicon, head):
                if _fit(word, opposite, known, seen):
                    frames = _frames(word, opposite)[:_OF_INDIRECT]
                    yield from (_against(word, opposite, frame) for frame in frames)


def _fit(word: str, other: str, known: Collection[str], seen: set[str]) -> bool:
    """Whether two words make a pair that was not there before."""
    pair = pair_key(word, other)
    if word == other or pair in seen or not _is_used(other, known):
        return False
    seen.add(pair)
    return True


def _against(word: str, opposite: str, frame: Frame) -> Lesson:
    plain, denied = frame
    return Lesson(
        LEXICON,
        anchor=plain.format(_written(word)),
        same=denied.format(_written(opposite)),
        opposite=plain.format(_written(opposite)),
        other=denied.format(_written(word)),
        pair=pair_key(word, opposite),
        mates=True,
    )


def _alike(word: str, synonym: str, frame: Frame) -> Lesson:
    """The same four sentences; other two of them belong together."""
    four = _against(word, synonym, frame)
    return replace(four, same=four.opposite, opposite=four.other, other=four.same)


def _written(word: str) -> str:
    return f"the {word}" if word in _WITH_ARTICLE else word


def _frames(word: str, other: str) -> list[Frame]:
    """The frames of a pair, drawn by its letters: one, or more of words that are met often."""
    often = max(frequency(word, "a"), frequency(other, "a"))
    drawn = hashlib.sha256(pair_key(word, other).encode()).digest()[0]
    count = 1 if often < _COMMON else 2 if often < 4 * _COMMON else 4
    return [_FRAMES[(drawn + 7 * place) % len(_FRAMES)] for place in range(count)]


def _opposites(lexicon: Lexicon, synset: Synset) -> Iterator[str]:
    """The antonyms of a synset's words, each with its synonyms."""
    for _, target, place in synset.antonyms:
        yield lexicon.name(target, place)
        yield from lexicon.synset(target).members


def _is_used(word: str, known: Collection[str]) -> bool:
    """Whether a word is one that people write, in small letters."""
    plain = len(word) > 2 and word.isalpha() and word.islower()
    return plain and (frequency(word, "a") > 0 or word in known)
