"""What training may not see: the sentences and antonym pairs of everything that is reported."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations

from litotes.languages.en.morphology.inflection import lemmas
from litotes.suites.base import Suite

_WORD = re.compile(r"[\w’']+")
_ANTONYM_ROLES = (("input", "antonym"), ("original", "antonym"), ("polarity", "both"))
"""Roles of which the second has the opposite of a word of the first."""


@dataclass(frozen=True)
class HeldOut:
    """Sentences and antonym pairs that are kept out of training, by what they are reported in."""

    sentences: Mapping[str, frozenset[str]]
    """Suite or file → its sentences, as `sentence_key` writes them."""
    pairs: Mapping[str, frozenset[str]]
    """Suite → its antonym pairs, as `pair_key` writes them."""
    readings: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Suite → the same pairs by all words of which theirs may be forms, as `pair_keys` writes them."""

    def reasons(self, texts: Iterable[str], pair: str) -> Iterator[tuple[str, str]]:
        """(“sentence” or “pair”, where it is reported) for what may not be learned, pairs first; none for what may.

        A pair is found by its name, and in two sentences that differ in nothing else.
        """
        keys = {sentence_key(text) for text in texts if text}
        if self.pairs:
            found = _contrasts(keys, pair)
            for where, pairs in self.pairs.items():
                if not (found.isdisjoint(pairs) and found.isdisjoint(self.readings.get(where, ()))):
                    yield "pair", where
        for where, sentences in self.sentences.items():
            if not keys.isdisjoint(sentences):
                yield "sentence", where

    def reason(self, texts: Iterable[str], pair: str) -> tuple[str, str] | None:
        """The first of the reasons."""
        return next(self.reasons(texts, pair), None)

    def with_sentences(self, where: str, texts: Iterable[str]) -> HeldOut:
        """The same, and some more sentences."""
        return replace(self, sentences={**self.sentences, where: frozenset(map(sentence_key, texts))})


@dataclass(frozen=True)
class Leakage:
    """What a reported suite shares with the lessons: what was kept out, and what is left (nothing, by default)."""

    where: str
    sentences: int
    pairs: int
    kept_out_for_sentences: int
    """Lessons that were left out because a sentence of theirs is reported."""
    kept_out_for_pairs: int
    shared_sentences: int
    """Reported sentences that are in the lessons all the same."""
    shared_pairs: int


def hold_out(suites: Sequence[Suite], files: Mapping[str, Iterable[str]] | None = None) -> HeldOut:
    """All sentences and antonym pairs of some suites, and the sentences of other files that are reported on."""
    sentences = {
        suite.name: frozenset(sentence_key(text) for item in suite.items for text in item.sentences.values())
        for suite in suites
    }
    for name, texts in (files or {}).items():
        sentences[name] = frozenset(map(sentence_key, texts))
    words = {suite.name: found for suite in suites if (found := set(_pairs(suite)))}
    return HeldOut(
        sentences,
        {name: frozenset(pair_key(*one) for one in found) for name, found in words.items()},
        {name: frozenset(key for one in found for key in pair_keys(*one)) for name, found in words.items()},
    )


def leakage(
    held: HeldOut, kept_out: Counter[tuple[str, str]], lessons: Iterable[tuple[Sequence[str], str]]
) -> list[Leakage]:
    """What each reported suite shares with the lessons: (texts, antonym pair) each."""
    used: set[str] = set()
    used_pairs: set[str] = set()
    for texts, pair in lessons:
        keys = {sentence_key(text) for text in texts if text}
        used |= keys
        used_pairs |= _contrasts(keys, pair)
    return [
        Leakage(
            where=where,
            sentences=len(sentences),
            pairs=len(held.pairs.get(where, ())),
            kept_out_for_sentences=kept_out["sentence", where],
            kept_out_for_pairs=kept_out["pair", where],
            shared_sentences=len(sentences & used),
            shared_pairs=len(held.pairs.get(where, frozenset()) & used_pairs),
        )
        for where, sentences in held.sentences.items()
    ]


def sentence_key(text: str) -> str:
    """A sentence without what does not make it another: case, blanks and signs.

    >>> sentence_key("It isn’t  late!") == sentence_key("it isn't late.")
    True
    """
    return " ".join(_WORD.findall(text.lower().replace("’", "'")))


def pair_key(word: str, opposite: str) -> str:
    """An antonym pair in either order, as base forms.

    >>> pair_key("worse", "better"), pair_key("Hot", "cold"), pair_key("cold", "hot")
    ('bad/good', 'cold/hot', 'cold/hot')
    """
    return "/".join(sorted((_base(word.lower()), _base(opposite.lower()))))


def pair_keys(word: str, opposite: str) -> frozenset[str]:
    """An antonym pair in either order, by all words of which these may be forms: “best” is one of “good”, too.

    >>> sorted(pair_keys("wetter", "drier"))
    ['drier/wet', 'drier/wetter', 'dry/wet', 'dry/wetter']
    """
    some, others = _bases(word.lower()), _bases(opposite.lower())
    return frozenset("/".join(sorted((one, other))) for one in some for other in others)


@lru_cache(maxsize=32_768)
def _bases(word: str) -> frozenset[str]:
    """The words that a form may belong to, itself among them."""
    if " " in word:
        return frozenset((word,))
    return frozenset(one for letter in "avrn" for one in lemmas(word, letter)) | {word}


@lru_cache(maxsize=32_768)
def _base(word: str) -> str:
    """The shortest of the words that a form may belong to, the first of the alphabet among equals."""
    return min(_bases(word), key=lambda one: (len(one), one))


def _contrasts(keys: Iterable[str], pair: str) -> set[str]:
    """The antonym pair of a lesson, and whatever else two of its sentences differ by alone."""
    found = {pair} - {""}
    for one, other in combinations([key.split() for key in sorted(keys)], 2):
        words = _differing(one, other)
        if words is not None:
            found |= pair_keys(*words)
    return found


def differing_words(one: str, other: str) -> tuple[str, str] | None:
    """The one stretch of words in which two sentences differ; None if they differ in more or in none.

    >>> differing_words("The tea is hot today.", "The tea is cold today.")
    ('hot', 'cold')
    """
    return _differing(sentence_key(one).split(), sentence_key(other).split())


def _differing(left: list[str], right: list[str]) -> tuple[str, str] | None:
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    end = 0
    while end < min(len(left), len(right)) - start and left[-1 - end] == right[-1 - end]:
        end += 1
    a, b = left[start : len(left) - end], right[start : len(right) - end]
    if a and b and a[0] in {"a", "an"} and b[0] in {"a", "an"}:
        a, b = a[1:], b[1:]
    return (" ".join(a), " ".join(b)) if a and b and len(a) <= 3 and len(b) <= 3 else None


def _pairs(suite: Suite) -> Iterable[tuple[str, str]]:
    for item in suite.items:
        if item.tags.get("word") and item.tags.get("antonym"):
            yield item.tags["word"], item.tags["antonym"]
        if item.group.count("/") == 1 and suite.kind.name == "semantoneg":
            word, _, opposite = item.group.partition("/")
            yield word, opposite
        for one, other in _ANTONYM_ROLES:
            if one in item.sentences and other in item.sentences:
                found = differing_words(item.sentences[one], item.sentences[other])
                if found is not None:
                    yield found
