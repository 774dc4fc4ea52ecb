"""Where the denial of an opposite says the same: not every word that has an opposite can be put so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.lexicon.antonyms import is_contradictory
from litotes.languages.tree import cached_on_doc
from litotes.rewrites.base import Sentence, Skip
from litotes.rewrites.en.antonym import Candidate, PartOfSpeech, candidates
from litotes.rewrites.en.words.replacement import is_attributive
from litotes.rewrites.lazy_sequence import LazySequence

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_HAVE = frozenset({"have", "get"})
_PREDICATES = frozenset({"acomp", "attr", "oprd", "ROOT", "ccomp", "xcomp"})
_AMOUNTS = frozenset({"many", "much", "few", "little", "enough"})
_KINDS = frozenset(
    """senior junior major minor first last new old young former current official internal external public
    private""".split()
)
"""Adjectives of kinds and order: what is not the last need not be the first."""
_JUDGED = frozenset(
    "friend enemy success failure victory defeat winner loser expert beginner genius fool idiot hero disaster".split()
)
_EVENTS = frozenset(
    """appear disappear pack unpack tie untie lock unlock fold unfold prove disprove load unload dress undress cover
    uncover connect disconnect""".split()
)
"""Who did not unlock a door need not have locked it."""
_FEELINGS = frozenset({"love", "hate", "adore"})
"""Who does not hate need not love: there is much between them."""
_ONE_SIDED = _EVENTS | _FEELINGS
_ENDS = frozenset({"first", "last", "favorite", "favourite"})
"""What is not the last is one of many, and not yet the first."""
_MEASURES = frozenset({"most", "least", "twice", "as", "too", "so"})
_ALL = frozenset({"always", "all", "every", "each", "both", "everyone", "everybody", "everything"})


@cached_on_doc
def deniable(sentence: Sentence, *, pos: PartOfSpeech, word: str | None) -> Iterable[Candidate | Skip]:
    """The opposites whose denial says what the sentence said, or all if the user chose the word or its kind.

    Found once for the rules that deny them. Of the doubtful ones those of a word that has a sure one.
    """
    return LazySequence(_deniable(sentence, pos, word))


def _deniable(sentence: Sentence, pos: PartOfSpeech, word: str | None) -> Iterator[Candidate | Skip]:
    asked = pos != "all" or word is not None
    fitting: set[int] = set()
    for candidate in candidates(sentence, pos=pos, word=word):
        if isinstance(candidate, Skip):
            yield candidate
            continue
        place = candidate.content.token.i
        if asked or ((candidate.sure or place in fitting) and keeps_meaning(candidate)):
            fitting.add(place)
            yield candidate


def keeps_meaning(candidate: Candidate) -> bool:
    """Whether denying the opposite says what the sentence said.

    “It is a good idea” is “not a bad idea”, but whoever buys a good car need not be one who does not buy a bad one.
    """
    content = candidate.content
    token = content.token
    if _is_about_all(token):
        return False
    if content.pos == "v":
        return content.lemma not in _ONE_SIDED and is_contradictory(content.lemma, candidate.opposite.word)
    if content.pos == "n":
        return token.dep_ == "attr" and content.lemma in _JUDGED
    # What is not the smallest is not yet the largest; and a “not” would reach what is joined to the word.
    if content.pos != "a" or token.tag_ == "JJS" or content.lemma in _ENDS or _is_measured(token):
        return False
    if stands_alone(token):
        return True
    if token.conjuncts:
        return False
    return _is_of_predicate(token, content.lemma) if is_attributive(token) else token.dep_ in _PREDICATES


def stands_alone(token: Token) -> bool:
    """Whether an adjective is negated by itself: behind its noun (“something right”), or joined to another."""
    if token.dep_ == "amod":
        return token.i > token.head.i
    return token.dep_ == "conj" and token.head.pos_ == "ADJ" and not is_attributive(token.head)


def _is_of_predicate(token: Token, lemma: str) -> bool:
    """Whether an adjective before its noun is what the clause says: “It is a good idea”, “He is in a good mood”."""
    noun = token.head
    if lemma in _AMOUNTS:
        return noun.dep_ in {"attr", "dobj"}
    if lemma in _KINDS and noun.dep_ != "attr":
        return False
    if noun.dep_ == "pobj":
        return noun.head.head.lemma_ == "be"
    if noun.dep_ == "attr":
        # “There are real problems” does not mean that there are no imaginary ones.
        return not any(child.dep_ == "expl" for child in noun.head.children)
    return noun.dep_ == "ROOT" or (noun.dep_ == "dobj" and noun.head.lemma_ in _HAVE)


def _is_measured(token: Token) -> bool:
    """Whether it is said how much: “so cold” is more than “not so hot”, and “a bit taller” has no denial."""
    return any(child.lower_ in _MEASURES or child.dep_ == "npadvmod" for child in token.lefts)


def _is_about_all(token: Token) -> bool:
    """Whether the clause speaks of all: “not all are” is less than “all are not”."""
    if _ALL.isdisjoint(token.doc.lowers):
        return False
    verb = token
    while verb.head is not verb and verb.pos_ not in {"VERB", "AUX"}:
        verb = verb.head
    for child in verb.children:
        if child.lower_ in _ALL and child.i < token.i:
            return True
        if child.dep_ in {"nsubj", "nsubjpass"} and any(one.lower_ in _ALL for one in child.lefts):
            return True
    return False
