"""Antonym: one word is replaced by an antonym that fits its context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple

from litotes.languages.en.lexicon.antonyms import (
    Opposite,
    antonym_distance,
    has_opposites,
    is_affixal,
    is_main_pair,
    is_rare,
    lexicon_opposites,
    sure_opposites,
    usual_opposites,
)
from litotes.languages.en.modifiers import FREQUENCY_ADVERBS
from litotes.languages.en.quantifiers import AMOUNTS, COMPARATIVE_AMOUNTS, IDENTITY_WORDS
from litotes.languages.en.syntax import tags
from litotes.languages.tree import Token, cached_on_doc
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.en.words.antonym_context import AntonymContext, describes_noun, has_clear_sense, has_that_clause
from litotes.rewrites.en.words.content_words import (
    POS_LETTERS,
    ContentWord,
    WordClass,
    content_words,
    forms_and_lemmas,
    is_attributive,
)
from litotes.rewrites.en.words.replacement import fits_marker, substitution
from litotes.rewrites.lazy_sequence import LazySequence
from litotes.rewrites.patches import Patch, patched

_CLAUSE_DEPS = (
    (tags.LINKED_CLAUSE_DEPS - {"conj"}) | tags.CLAUSAL_COMPLEMENT_DEPS | tags.RELATIVE_CLAUSE_DEPS | {"pcomp", "csubj"}
)
_VALID_DEPS = {
    "a": tags.PREDICATIVE_DEPS
    | tags.CLAUSAL_COMPLEMENT_DEPS
    | tags.RELATIVE_CLAUSE_DEPS
    | {"amod", "ROOT", "conj", "advcl", "compound"},
    "n": (tags.PLAIN_SUBJECT_DEPS - {"expl"}) | {"attr", "dobj", "pobj"},
}
"""The labels of replaceable adjectives and nouns; others are names, calls or parts of other words."""
_INVALID_VERB_DEPS = tags.ATTRIBUTE_DEPS | (_VALID_DEPS["n"] - {"nsubjpass"}) | {"npadvmod", "appos"}
_CLAUSE_ADVERBS = FREQUENCY_ADVERBS | {"still"}
_VAGUE_ADJECTIVES = AMOUNTS | COMPARATIVE_AMOUNTS | {"first", "last", "white", "black"}
_SALIENCE_OF_NOUN = {"attr": 1.0, "dobj": 1.1, "ROOT": 1.1, "pobj": 3.0}
_MAX_DOUBTFUL = 12
"""The number of doubtful antonyms of one word."""
_NEARBY = 8
"""The number of tokens on either side that may not contain the antonym already."""

ANTONYM_SKIPS = {
    "no-antonym": "no word of the sentence has an antonym",
    "unsure": "the words have antonyms, but it is doubtful whether one fits here",
    "no-such-word": "the chosen word is not in the sentence, or cannot be replaced",
}


class AntonymCandidate(NamedTuple):
    """An antonym for a word of a sentence."""

    target: ContentWord
    opposite: Opposite
    patches: tuple[Patch, ...]
    is_sure: bool
    """Whether the antonym is certain to fit the context."""

    @property
    def reason(self) -> str:
        """The replaced word and the source of the antonym."""
        return f"“{self.target.lemma}”: {self.opposite.reason}"


@rule("antonym", effect="opposite", needs=("parse", "lexicon", "inflection"), skips=ANTONYM_SKIPS)
def antonym(sentence: Sentence, *, pos: WordClass = "all", word: str | None = None) -> Iterator[Outcome]:
    """Replace a word by an antonym: “That is good.” → “That is bad.”"""
    has_drafts = False
    for candidate in find_antonyms(sentence, pos=pos, word=word):
        if isinstance(candidate, Skip):
            yield candidate
            continue
        has_drafts = True
        yield Draft(patched(sentence.text, candidate.patches), reason=candidate.reason)
    if not has_drafts and word is not None:
        yield Skip("no-such-word")


@cached_on_doc
def find_antonyms(
    sentence: Sentence, *, pos: WordClass = "all", word: str | None = None
) -> Iterable[AntonymCandidate | Skip]:
    """Return the antonyms of a sentence's words, best first.

    Sure antonyms come first, ordered by the salience of their words. Doubtful ones follow only if there is a sure one,
    or if the user chose the word or its part of speech.
    """
    return LazySequence(_find_antonyms(sentence, pos, word))


def _find_antonyms(sentence: Sentence, pos: WordClass, word: str | None) -> Iterator[AntonymCandidate | Skip]:
    letter = POS_LETTERS.get(pos)
    is_chosen = letter is not None or word is not None
    sure: list[tuple[float, list[AntonymCandidate]]] = []
    known: list[_WordAntonyms] = []
    for target in content_words(sentence, has_opposites if is_chosen else _has_antonyms):
        if letter is not None and target.pos != letter:
            continue
        if word is not None and word.lower() not in {target.token.lower_, target.lemma}:
            continue
        antonyms = _read_antonyms(target, is_chosen=is_chosen)
        if antonyms is None:
            continue
        known.append(antonyms)
        candidates = _sure_candidates(antonyms)
        if candidates:
            sure.append((salience_rank(target) + (candidates[0].opposite.kind != "usual"), candidates))
    if not sure and not is_chosen:
        yield Skip("unsure" if known else "no-antonym")
        return
    is_empty = True
    for _, candidates in sorted(sure, key=itemgetter(0)):
        yield from candidates
        is_empty = False
    # Computed only if the caller reads on: near antonyms of all words before far-fetched ones.
    known.sort(key=lambda antonyms: salience_rank(antonyms.target))
    doubtful = [(antonyms, _doubtful_antonyms(antonyms, is_chosen=is_chosen)) for antonyms in known]
    for is_far in (False, True):
        for antonyms, ranked in doubtful:
            opposites = [opposite for distance, opposite in ranked if (distance > 1) == is_far]
            for candidate in _fitting(antonyms.target, opposites, is_sure=False):
                yield candidate
                is_empty = False
    if is_empty:
        yield Skip("no-antonym")


def _has_antonyms(lemma: str, pos: str) -> bool:
    """Return whether a word has an antonym; for nouns only the curated table counts."""
    return bool(usual_opposites(lemma, pos)) if pos == "n" else has_opposites(lemma, pos)


class _WordAntonyms(NamedTuple):
    """The antonyms of a word in its context."""

    target: ContentWord
    usual: tuple[str, ...]
    """The antonyms in the curated table whose conditions hold here."""
    lexical: tuple[Opposite, ...]
    """The antonyms in the lexicon."""
    trusts_lexicon: bool
    """Whether sure antonyms of the lexicon fit: the table does not list the word, and the context permits others."""


def _read_antonyms(target: ContentWord, *, is_chosen: bool) -> _WordAntonyms | None:
    _, lemma, pos = target
    if not _is_replaceable_here(target):
        return None
    rows = usual_opposites(lemma, pos)
    if not rows and not sure_opposites(lemma, pos):
        # Without sure antonyms the context does not matter, and doubtful antonyms of verbs are not used.
        return _WordAntonyms(target, (), lexicon_opposites(lemma, pos) if is_chosen or pos != "v" else (), False)
    lexical = lexicon_opposites(lemma, pos) if is_chosen or pos != "n" else ()
    context = AntonymContext(target, is_chosen=is_chosen)
    row = context.first_match(rows)
    permits = context.permits(row.conditions if row else ())
    usual = row.words if row and permits else ()
    if usual and _is_nearby(usual[0], target):
        usual = ()
    if pos == "n" and not (usual or is_chosen):
        return None
    return _WordAntonyms(target, usual, lexical, permits and not rows)


def _sure_candidates(antonyms: _WordAntonyms) -> list[AntonymCandidate]:
    target = antonyms.target
    opposites = [_usual_opposite(target, word, antonyms.lexical) for word in antonyms.usual]
    if antonyms.trusts_lexicon:
        opposites += [
            opposite for opposite in sure_opposites(target.lemma, target.pos) if _is_in_typical_use(target, opposite)
        ]
    return list(_fitting(target, opposites, is_sure=True)) if opposites else []


def _usual_opposite(target: ContentWord, word: str, lexical: tuple[Opposite, ...]) -> Opposite:
    for opposite in lexical:
        if opposite.word == word:
            return Opposite(word, target.pos, "usual", opposite.sense, opposite.affixal, True)
    return Opposite(word, target.pos, "usual", -1, is_affixal(target.lemma, word), True)


def _doubtful_antonyms(antonyms: _WordAntonyms, *, is_chosen: bool) -> list[tuple[int, Opposite]]:
    """Return the doubtful antonyms of the lexicon and their distance from the usual sense, nearest first."""
    target, usual = antonyms.target, antonyms.usual
    if not (antonyms.lexical and (is_chosen or usual or target.pos != "v")):
        return []
    # The usual antonym shows which sense is meant: “wrong” selects a sense of “right”, and so “incorrect” is near.
    senses = {opposite.sense for opposite in antonyms.lexical if opposite.word in usual} if usual else ()
    ranked = []
    for opposite in antonyms.lexical:
        is_sure = antonyms.trusts_lexicon and opposite.sure and _is_in_typical_use(target, opposite)
        if opposite.word in usual or is_sure:
            continue
        distance = antonym_distance(target.lemma, opposite, is_same=opposite.sense in senses)
        if is_chosen or _is_plausible(antonyms, opposite, distance):
            ranked.append((distance, opposite))
    ranked.sort(key=itemgetter(0))
    return ranked[:_MAX_DOUBTFUL]


def _is_plausible(antonyms: _WordAntonyms, opposite: Opposite, distance: int) -> bool:
    target = antonyms.target
    if target.pos == "v":
        return bool(antonyms.usual) and is_main_pair(target.lemma, opposite)
    if target.pos == "r":
        return opposite.kind == "direct" and opposite.affixal and distance < 3
    return target.pos == "n" or _is_plausible_adjective(target, opposite, distance, has_usual=bool(antonyms.usual))


def _is_plausible_adjective(target: ContentWord, opposite: Opposite, distance: int, *, has_usual: bool) -> bool:
    is_clear, rare = has_clear_sense(target), is_rare(opposite)
    if opposite.kind == "indirect" and (rare or is_clear):
        return False
    if not has_usual or not distance:
        return True
    # A usual antonym blocks rare words: “shut” blocks “unopen”.
    is_blocked = rare and ((opposite.affixal and opposite.kind != "direct") or describes_noun(target))
    if is_blocked or (distance > 1 and is_clear):
        return False
    # “my much house”, “it is actual that …”
    if is_attributive(target.token):
        return opposite.word not in _VAGUE_ADJECTIVES
    return not has_that_clause(target.token)


def _fitting(target: ContentWord, opposites: Iterable[Opposite], *, is_sure: bool) -> Iterator[AntonymCandidate]:
    for opposite in opposites:
        if _is_nearby(opposite.word, target) or not fits_marker(opposite.marker, target.token):
            continue
        patches = substitution(target.token, opposite.word, target.pos)
        if patches is not None:
            yield AntonymCandidate(target, opposite, patches, is_sure)


def _is_replaceable_here(target: ContentWord) -> bool:
    token, pos = target.token, target.pos
    dep = token.dep_
    if pos == "v":
        return dep not in _INVALID_VERB_DEPS
    if pos in _VALID_DEPS and dep not in _VALID_DEPS[pos]:
        return False
    if pos != "a" or token.lower_ in IDENTITY_WORDS:
        return True
    if dep == "amod":
        # “something good”, but not “those responsible”, “the best possible”
        return token.i < token.head.i or token.head.lower_.endswith(("thing", "one", "body"))
    return not token.has_child("det")


def salience_rank(target: ContentWord) -> float:
    """Return how much the meaning of the sentence depends on a word; a lower rank means more."""
    token = target.token
    if target.pos == "a":
        rank = _SALIENCE_OF_NOUN.get(token.head.dep_, 3.2) if is_attributive(token) else 0.0
    elif target.pos == "v":
        rank = 1.5 if token.dep_ == "ROOT" else 2.0
    elif target.pos == "r":
        rank = 1.2 if target.lemma in _CLAUSE_ADVERBS else 2.0
    else:
        rank = 1.8 if token.dep_ == "attr" else 4.0
    if target.lemma in _VAGUE_ADJECTIVES:
        rank += 1.5
    return rank + 0.4 * _clause_depth(token)


def _clause_depth(token: Token) -> int:
    depth = 0
    head = token.head
    while head is not token:
        if token.dep_ in _CLAUSE_DEPS:
            depth += 1
        token, head = head, head.head
    return depth


def _is_in_typical_use(target: ContentWord, opposite: Opposite) -> bool:
    """Return whether the word is used as its part of speech suggests: a predicative participle may be an event."""
    token = target.token
    if target.pos == "r":
        return token.dep_ == "advmod" and token.head.pos_ == "VERB"
    if target.pos != "a":
        return True
    if is_attributive(token):
        return opposite.affixal
    return token.tag_ not in {"VBN", "VBG"}


def _is_nearby(antonym: str, target: ContentWord) -> bool:
    """Return whether an antonym is near the word already: “good or bad”.

    An antonym that begins with the word itself (“turn on” for “turn off”) does not count.
    """
    token = target.token
    first = antonym.partition(" ")[0]
    # Most antonyms do not occur in the sentence at all.
    if first not in forms_and_lemmas(token.doc) or first == target.lemma.partition(" ")[0]:
        return False
    context = token.doc.tokens[max(0, token.i - _NEARBY) : token.i + _NEARBY + 1]
    return any(first in (other.lower_, other.lemma_) for other in context)
