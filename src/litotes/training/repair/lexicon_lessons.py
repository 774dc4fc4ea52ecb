"""Quadruples of the lexicon's own antonyms in plain frames: words that a text does not have, or has too seldom.

Beside direct antonyms there are indirect ones: a word that is similar to one of a pair, against the other (“gigantic”
and “little”). They are looser than those of the text, but there are many, and a model that has seen many pairs finds
the opposite of a word that it has not. Synonyms make quadruples too: “not huge” says what “not enormous” says, and
neither is “huge”.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from litotes.language.lexicon import Lexicon, Synset, default_lexicon
from litotes.language.word_frequency import frequency
from litotes.training.repair.held_out import pair_key
from litotes.training.repair.lessons import Lesson

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
"""Frames of an indirect pair at most, unless a common word has few pairs."""
_COMMON = 5
"""A word that stands so often in the tagged texts is met in more than one frame."""
_WANTED = 24
"""Quadruples that a common word should be met in: one that has few pairs left is met in more frames."""
_MOST = 8
"""Frames of a pair at most."""

Refused = Callable[[Sequence[str], str], object]
"""(sentences, pair) → whatever is true of what may not be learned."""


class _Pair(NamedTuple):
    word: str
    other: str
    alike: bool = False
    indirect: bool = False


def lexicon_lessons(
    known: Collection[str] = frozenset(), refused: Refused = lambda texts, pair: None
) -> Iterator[Lesson]:
    """Quadruples of pairs of adjectives, common pairs in several frames.

    Their words are in use: in the texts that WordNet's makers counted, or among the `known` ones. What is `refused` is
    left out, and other frames are taken in its place.
    """
    pairs = [pair for pair in _pairs(known) if not refused((), pair_key(pair.word, pair.other))]
    met = Counter(word for pair in pairs for word in pair[:2])
    for pair in pairs:
        most = _frame_count(pair, met)
        allowed = (lesson for lesson in _lessons(pair) if not refused(lesson.texts, lesson.pair))
        yield from islice(allowed, most)


def _pairs(known: Collection[str]) -> Iterator[_Pair]:
    """Words that are opposites or synonyms, each pair once."""
    lexicon = default_lexicon()
    senses = [
        (word, sense.synset)
        for word in lexicon.words("a")
        if _is_used(word, known)
        for sense in lexicon.senses(word, "a")[:_SENSES]
        if not sense.marker
    ]
    seen: set[str] = set()
    for word, synset in senses:
        for opposite in _opposites(lexicon, synset):
            if _fit(word, opposite, known, seen):
                yield _Pair(word, opposite)
        for synonym in synset.members:
            if _fit(word, synonym, known, seen):
                yield _Pair(word, synonym, alike=True)
    # Afterwards, so that a pair which is both direct and indirect counts as direct.
    for word, synset in senses:
        for head in lexicon.similar(synset) if synset.satellite else ():
            for opposite in _opposites(lexicon, head):
                if _fit(word, opposite, known, seen):
                    yield _Pair(word, opposite, indirect=True)


def _fit(word: str, other: str, known: Collection[str], seen: set[str]) -> bool:
    """Whether two words make a pair that was not there before."""
    pair = pair_key(word, other)
    if word == other or pair in seen or not _is_used(other, known):
        return False
    seen.add(pair)
    return True


def _frame_count(pair: _Pair, met: Mapping[str, int]) -> int:
    """In how many frames a pair is met: one, more of words that are met often, more still if those have few pairs."""
    often = max(frequency(pair.word, "a"), frequency(pair.other, "a"))
    usual = 1 if often < _COMMON or pair.alike else 2 if often < 4 * _COMMON else 4
    if pair.indirect:
        usual = min(usual, _OF_INDIRECT)
    wanted = max((_WANTED // met[one] for one in pair[:2] if frequency(one, "a") >= 4 * _COMMON), default=0)
    return max(usual, min(wanted, _MOST))


def _lessons(pair: _Pair) -> Iterator[Lesson]:
    """A pair in every frame, in an order drawn by its letters."""
    drawn = hashlib.sha256(pair_key(pair.word, pair.other).encode()).digest()[0]
    for place in range(len(_FRAMES)):
        frame = _FRAMES[(drawn + 7 * place) % len(_FRAMES)]
        yield (_alike if pair.alike else _against)(pair.word, pair.other, frame)


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


def _opposites(lexicon: Lexicon, synset: Synset) -> Iterator[str]:
    """The antonyms of a synset's words, each with its synonyms."""
    for _, target, place in synset.antonyms:
        yield lexicon.name(target, place)
        yield from lexicon.synset(target).members


def _is_used(word: str, known: Collection[str]) -> bool:
    """Whether a word is one that people write, in small letters."""
    plain = len(word) > 2 and word.isalpha() and word.islower()
    return plain and (frequency(word, "a") > 0 or word in known)
