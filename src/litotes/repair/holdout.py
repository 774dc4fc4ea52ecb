"""Hold out evaluation data: no training example may contain its sentences or its antonym pairs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations

from litotes.languages.base import PartOfSpeech, get_language
from litotes.suites.base import Suite

_PARTS_OF_SPEECH: tuple[PartOfSpeech, ...] = ("a", "v", "r", "n")
_WORD = re.compile(r"[\w’']+")
_ANTONYM_ROLES = (("input", "antonym"), ("original", "antonym"), ("polarity", "both"))
"""Roles of which the second sentence contains the antonym of a word in the first."""


@dataclass(frozen=True)
class Holdout:
    """Sentences and antonym pairs that training may not use, by the suite or file that they belong to."""

    sentences: Mapping[str, frozenset[str]]
    """Suite or file → its sentences, as returned by `sentence_key`."""
    pairs: Mapping[str, frozenset[str]]
    """Suite → its antonym pairs, as returned by `pair_key`."""
    ambiguous_pairs: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Suite → the same pairs with all base forms that their words may have, as returned by `pair_keys`."""

    def reasons(self, texts: Iterable[str], pair: str) -> Iterator[tuple[str, str]]:
        """Yield ("pair" or "sentence", suite or file) for each reason why an example may not be used, pairs first.

        An antonym pair is found by name, and in any two sentences that differ in nothing else.
        """
        keys = {sentence_key(text) for text in texts if text}
        if self.pairs:
            contrasts = _contrasts(keys, pair)
            for source, pairs in self.pairs.items():
                ambiguous = self.ambiguous_pairs.get(source, frozenset())
                if not (contrasts.isdisjoint(pairs) and contrasts.isdisjoint(ambiguous)):
                    yield "pair", source
        for source, sentences in self.sentences.items():
            if not keys.isdisjoint(sentences):
                yield "sentence", source

    def reason(self, texts: Iterable[str], pair: str) -> tuple[str, str] | None:
        """Return the first reason, or None if the example may be used."""
        return next(self.reasons(texts, pair), None)

    def with_sentences(self, source: str, texts: Iterable[str]) -> Holdout:
        """Return a holdout with additional sentences."""
        return replace(self, sentences={**self.sentences, source: frozenset(map(sentence_key, texts))})

    def to_dict(self) -> dict[str, dict[str, list[str]]]:
        """Return sentences and pairs as JSON-compatible values, for a cache key."""
        return {
            "sentences": {source: sorted(keys) for source, keys in self.sentences.items()},
            "pairs": {source: sorted(keys) for source, keys in self.pairs.items()},
        }


@dataclass(frozen=True)
class Leakage:
    """The overlap of a suite or file with the training examples, before and after the holdout."""

    source: str
    n_sentences: int
    n_pairs: int
    dropped_for_sentences: int
    """Examples that were dropped because they contain one of its sentences."""
    dropped_for_pairs: int
    """Examples that were dropped because they contain one of its antonym pairs."""
    shared_sentences: int
    """Its sentences that the training examples contain nevertheless."""
    shared_pairs: int


def build_holdout(suites: Sequence[Suite], files: Mapping[str, Iterable[str]] | None = None) -> Holdout:
    """Hold out all sentences and antonym pairs of suites, and the sentences of other evaluation files."""
    sentences = {
        suite.name: frozenset(sentence_key(text) for item in suite.items for text in item.sentences.values())
        for suite in suites
    }
    for name, texts in (files or {}).items():
        sentences[name] = frozenset(map(sentence_key, texts))
    words = {suite.name: pairs for suite in suites if (pairs := set(_antonym_pairs(suite)))}
    return Holdout(
        sentences,
        {name: frozenset(pair_key(*pair) for pair in pairs) for name, pairs in words.items()},
        {name: frozenset(key for pair in pairs for key in pair_keys(*pair)) for name, pairs in words.items()},
    )


def measure_leakage(
    holdout: Holdout, dropped: Counter[tuple[str, str]], examples: Iterable[tuple[Sequence[str], str]]
) -> list[Leakage]:
    """Return the overlap of each suite and file with the examples, given as texts and antonym pair."""
    used_sentences: set[str] = set()
    used_pairs: set[str] = set()
    for texts, pair in examples:
        keys = {sentence_key(text) for text in texts if text}
        used_sentences |= keys
        used_pairs |= _contrasts(keys, pair)
    return [
        Leakage(
            source=source,
            n_sentences=len(sentences),
            n_pairs=len(holdout.pairs.get(source, ())),
            dropped_for_sentences=dropped["sentence", source],
            dropped_for_pairs=dropped["pair", source],
            shared_sentences=len(sentences & used_sentences),
            shared_pairs=len(holdout.pairs.get(source, frozenset()) & used_pairs),
        )
        for source, sentences in holdout.sentences.items()
    ]


def sentence_key(text: str) -> str:
    """Return a sentence without case, punctuation and extra spaces.

    >>> sentence_key("It isn’t  late!") == sentence_key("it isn't late.")
    True
    """
    return " ".join(_WORD.findall(text.lower().replace("’", "'")))


def pair_key(word: str, antonym: str) -> str:
    """Return an antonym pair in its base forms, in alphabetical order.

    >>> pair_key("worse", "better"), pair_key("Hot", "cold"), pair_key("cold", "hot")
    ('bad/good', 'cold/hot', 'cold/hot')
    """
    return "/".join(sorted((_base_form(word.lower()), _base_form(antonym.lower()))))


def pair_keys(word: str, antonym: str) -> frozenset[str]:
    """Return the keys of a pair for all base forms that its words may have: "best" may be "good" or "well".

    >>> sorted(pair_keys("wetter", "drier"))
    ['drier/wet', 'drier/wetter', 'dry/wet', 'dry/wetter']
    """
    lefts, rights = _base_forms(word.lower()), _base_forms(antonym.lower())
    return frozenset("/".join(sorted((left, right))) for left in lefts for right in rights)


@lru_cache(maxsize=32_768)
def _base_forms(word: str) -> frozenset[str]:
    """Return the possible base forms of a word, including itself."""
    if " " in word:
        return frozenset((word,))
    language = get_language()
    return frozenset(lemma for pos in _PARTS_OF_SPEECH for lemma in language.lemmas(word, pos)) | {word}


@lru_cache(maxsize=32_768)
def _base_form(word: str) -> str:
    """Return the shortest base form, the first in alphabetical order among equals."""
    return min(_base_forms(word), key=lambda form: (len(form), form))


def _contrasts(keys: Iterable[str], pair: str) -> set[str]:
    """Return the antonym pair of an example, and every pair of words in which two of its sentences differ."""
    contrasts = {pair} - {""}
    for left, right in combinations([key.split() for key in sorted(keys)], 2):
        words = _difference(left, right)
        if words is not None:
            contrasts |= pair_keys(*words)
    return contrasts


def differing_words(left: str, right: str) -> tuple[str, str] | None:
    """Return the one sequence of up to three words in which two sentences differ, or None.

    >>> differing_words("The tea is hot today.", "The tea is cold today.")
    ('hot', 'cold')
    """
    return _difference(sentence_key(left).split(), sentence_key(right).split())


def _difference(left: list[str], right: list[str]) -> tuple[str, str] | None:
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


def _antonym_pairs(suite: Suite) -> Iterable[tuple[str, str]]:
    for item in suite.items:
        if item.tags.get("word") and item.tags.get("antonym"):
            yield item.tags["word"], item.tags["antonym"]
        if item.group.count("/") == 1 and suite.kind.name == "semantoneg":
            word, _, antonym = item.group.partition("/")
            yield word, antonym
        for left, right in _ANTONYM_ROLES:
            if left in item.sentences and right in item.sentences:
                words = differing_words(item.sentences[left], item.sentences[right])
                if words is not None:
                    yield words
