"""Generate quadruples from the antonyms of the lexicon, for words that are rare or absent in the text.

The pairs come from three sources: our own table of common opposites ("cloudy" and "sunny"), direct antonyms of the
lexicon, and indirect ones, which relate a word to the antonym of a similar word ("gigantic" and "little"). Indirect
pairs are less precise, but there are many, and a model that has seen many pairs also handles words that it has not
seen. Synonyms give quadruples too: "not huge" and "not enormous" are paraphrases, and neither means "huge".
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from litotes.languages.base import AdjectiveFrame, get_language
from litotes.repair.examples.base import TrainingExample
from litotes.repair.holdout import pair_key

if TYPE_CHECKING:
    from litotes.languages.en.lexicon.wordnet import Lexicon, Synset

LEXICON = "lexicon quadruple"
_MAX_SENSES = 2
"""Number of most frequent senses per word."""
_MAX_INDIRECT_FRAMES = 2
_COMMON = 5
"""Corpus frequency from which a word is used in several frames."""


def lexicon_examples(text_words: Collection[str] = frozenset()) -> Iterator[TrainingExample]:
    """Yield quadruples of adjective pairs; common pairs occur in several frames.

    Only words in use are taken: those that occur in WordNet's tagged corpora or in `text_words`.
    """
    lexicon = get_language().lexicon()
    senses = [
        (word, sense.synset)
        for word in lexicon.words("a")
        if _is_in_use(word, text_words)
        for sense in lexicon.senses(word, "a")[:_MAX_SENSES]
        if not sense.marker
    ]
    seen: set[str] = set()
    for word, antonym in get_language().antonym_pairs("a"):
        if _is_new_pair(word, antonym, {word, antonym}, seen):
            yield from (_antonym_quadruple(word, antonym, frame) for frame in _frames(word, antonym))
    for word, synset in senses:
        for antonym in _antonyms(lexicon, synset):
            if _is_new_pair(word, antonym, text_words, seen):
                yield from (_antonym_quadruple(word, antonym, frame) for frame in _frames(word, antonym))
        for synonym in synset.members:
            if _is_new_pair(word, synonym, text_words, seen):
                yield _synonym_quadruple(word, synonym, _frames(word, synonym)[0])
    # Last, so that a pair that is both direct and indirect counts as direct.
    for word, synset in senses:
        for similar in lexicon.similar(synset) if synset.satellite else ():
            for antonym in _antonyms(lexicon, similar):
                if _is_new_pair(word, antonym, text_words, seen):
                    frames = _frames(word, antonym)[:_MAX_INDIRECT_FRAMES]
                    yield from (_antonym_quadruple(word, antonym, frame) for frame in frames)


def _is_new_pair(word: str, partner: str, text_words: Collection[str], seen: set[str]) -> bool:
    """Return whether the pair has not occurred before and its second word is in use; remember it if so."""
    pair = pair_key(word, partner)
    if word == partner or pair in seen or not _is_in_use(partner, text_words):
        return False
    seen.add(pair)
    return True


def _antonym_quadruple(word: str, antonym: str, frame: AdjectiveFrame) -> TrainingExample:
    affirmative, negated = frame
    predicative = get_language().predicative_adjective
    return TrainingExample(
        LEXICON,
        anchor=affirmative.format(predicative(word)),
        positive=negated.format(predicative(antonym)),
        negative=affirmative.format(predicative(antonym)),
        second_negative=negated.format(predicative(word)),
        antonym_pair=pair_key(word, antonym),
        is_quadruple=True,
    )


def _synonym_quadruple(word: str, synonym: str, frame: AdjectiveFrame) -> TrainingExample:
    """Return the same four sentences with other paraphrases: affirmative with affirmative, negated with negated."""
    example = _antonym_quadruple(word, synonym, frame)
    return replace(
        example, positive=example.negative, negative=example.second_negative, second_negative=example.positive
    )


def _frames(word: str, partner: str) -> list[AdjectiveFrame]:
    """Return one to four frames, depending on the frequency of the words, selected by the hash of the pair."""
    count = max(get_language().word_frequency(form, "a") for form in (word, partner))
    first = hashlib.sha256(pair_key(word, partner).encode()).digest()[0]
    n_frames = 1 if count < _COMMON else 2 if count < 4 * _COMMON else 4
    frames = get_language().adjective_frames
    return [frames[(first + 7 * index) % len(frames)] for index in range(n_frames)]


def _antonyms(lexicon: Lexicon, synset: Synset) -> Iterator[str]:
    """Yield the antonyms of a synset's words, each followed by its synonyms."""
    for _, target, member in synset.antonyms:
        yield lexicon.name(target, member)
        yield from lexicon.synset(target).members


def _is_in_use(word: str, text_words: Collection[str]) -> bool:
    """Return whether a word is a lower-case word that people use."""
    is_plain = len(word) > 2 and word.isalpha() and word.islower()
    return is_plain and (get_language().word_frequency(word, "a") > 0 or word in text_words)
