"""Quadruples of the lexicon's own antonyms in plain frames: words that a text does not have, or has too seldom.

Beside direct antonyms there are indirect ones: a word that is similar to one of a pair, against the other (“gigantic”
and “little”). They are looser than those of the text, but there are many, and a model that has seen many pairs finds
the opposite of a word that it has not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from litotes.language.lexicon import Lexicon, Sense, default_lexicon
from litotes.language.word_frequency import frequency
from litotes.training.repair.held_out import pair_key
from litotes.training.repair.lessons import Lesson

LEXICON = "lexicon quadruple"
_FRAMES = (
    ("It is {}.", "It is not {}."),
    ("That was {}.", "That was not {}."),
    ("They are {}.", "They aren't {}."),
    ("He seems {}.", "He doesn't seem {}."),
    ("She was {} then.", "She wasn't {} then."),
    ("You look {} today.", "You don't look {} today."),
    ("The whole thing is {}.", "The whole thing is not {}."),
    ("The answer was {}.", "The answer wasn't {}."),
    ("The place was {}.", "The place was not {}."),
    ("This one is {}.", "This one isn't {}."),
)
_SENSES = 2
"""Of a word, so many of its most frequent senses."""


def lexicon_lessons() -> Iterator[Lesson]:
    """One quadruple a pair of adjectives, the same ones every time."""
    lexicon = default_lexicon()
    seen: set[str] = set()
    for word in lexicon.words("a"):
        if not _is_plain(word):
            continue
        for sense in lexicon.senses(word, "a")[:_SENSES]:
            for opposite in () if sense.marker else _opposites(lexicon, sense):
                pair = pair_key(word, opposite)
                if _is_plain(opposite) and opposite != word and pair not in seen:
                    seen.add(pair)
                    yield _lesson(word, opposite, pair)


def _lesson(word: str, opposite: str, pair: str) -> Lesson:
    plain, denied = _FRAMES[hashlib.sha256(pair.encode()).digest()[0] % len(_FRAMES)]
    return Lesson(
        LEXICON,
        anchor=plain.format(word),
        same=denied.format(opposite),
        opposite=plain.format(opposite),
        other=denied.format(word),
        pair=pair,
        mates=True,
    )


def _opposites(lexicon: Lexicon, sense: Sense) -> Iterator[str]:
    """Direct antonyms, those of synonyms, and those of the word that this one is similar to."""
    synset = sense.synset
    yield from (other.word for other in lexicon.antonyms(sense))
    heads = lexicon.similar(synset) if synset.satellite else []
    for one in (synset, *heads):
        yield from (lexicon.name(target, place) for _, target, place in one.antonyms)


def _is_plain(word: str) -> bool:
    """Whether a word is in use: the tagged texts have it, and it is written in small letters."""
    return len(word) > 2 and word.isalpha() and word.islower() and frequency(word, "a") > 0
