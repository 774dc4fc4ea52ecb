"""Sentences in which “not” and an opposite can be exchanged: the rest of the sentence must suit both.

“The soup is not cold” and “The soup is hot” say about the same. “Although the soup is not cold, …”, “not really cold”,
“not cold enough”, “is no longer cold”, “cannot be cold”, “nobody is cold” and “Don't be cold” do not take part in that:
what stands around the word suits one polarity only, or comes between the negation and the word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from litotes.languages.en.morphology.articles import article
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.syntax.question_tags import tag_of
from litotes.languages.en.syntax.tags import SUBJECT_DEPS
from litotes.rewrites.base import WordChange
from litotes.rewrites.en.gates.text import text_fault
from litotes.rewrites.en.grammar.clauses import predicate_of
from litotes.rewrites.en.quadruple import Quadruple
from litotes.rewrites.patches import Patch, delete, patched, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Token
    from litotes.rewrites.base import Sentence
    from litotes.rewrites.en.antonym import Candidate
    from litotes.rewrites.en.antonym import Candidate as Antonym


_HARDLY = frozenset({"hardly", "scarcely", "barely"})


def other_quadruples(sentence: Sentence, antonym: Antonym) -> Iterator[Quadruple]:
    """The quadruple of an opposite whose word is negated by one of these; none if it is not."""
    cue, text = _cue(antonym.content.token), sentence.text
    if cue is None or "at all" in text:
        return
    opposite = patched(text, antonym.patches)
    polarity = patched(text, [_turned(cue, antonym.content.token.text)])
    both = patched(text, [_turned(cue, antonym.opposite.word), *antonym.patches])
    texts = (opposite, polarity, both)
    if len({text, *texts}) == 4 and not any(text_fault(text, one) for one in texts):
        yield Quadruple(text, *texts, WordChange(antonym.content.token.text, antonym.opposite.word))


def _cue(token: Token) -> Token | None:
    """The word that negates: beside the verb, before the word, before its noun, or before the noun that it is."""
    verb = token.head
    for child in (*verb.children, *token.children):
        if child.lower_ == "never" or (child.lower_ in _HARDLY and child.i < token.i):
            return child
    if token.dep_ == "amod" and verb.dep_ == "attr":
        return next((child for child in verb.lefts if child.lower_ == "no"), None)
    return verb if is_after_without(token) else None


def is_after_without(token: Token) -> bool:
    """Whether a noun is what something goes without."""
    return token.dep_ == "pobj" and token.head.lower_ == "without"


def _turned(cue: Token, word: str) -> Patch:
    """What takes the place of a negation, before the given word."""
    lower = cue.lower_
    if lower in _HARDLY:
        return delete(cue)
    plural = cue.head.tag_ == "NNS"
    if lower == "no" and plural:
        return delete(cue)
    new = {"never": "always", "without": "with"}.get(lower) or article(word)
    return replace(cue, cased_like(cue.text, new))


_STATES = frozenset("be seem look feel sound taste smell appear".split())
"""Verbs of states; what does not become cold has perhaps never been hot."""
_REPORTS = frozenset(
    """think believe know say hear guess find tell suppose notice remember see mean hope assume declare claim realize
    realise agree imagine understand learn admit feel suspect show""".split()
)
"""Verbs whose clause may be turned round: they do not say what they hold of it."""
_SMALL_WORDS = frozenset(
    """really quite just enough yet already anymore still again even only also too always necessarily exactly entirely
    completely fully wholly totally particularly especially exclusively longer sometimes often usually as
    less more most least rather pretty fairly somewhat almost nearly simply merely solely mostly mainly
    largely partly both sadly luckily fortunately unfortunately surprisingly remarkably overly twice altogether
    easily way far half""".split()
)
"""Words of degree, focus and time: “not” bears on them, not on the word."""
_AMOUNTS = frozenset(
    """any anyone anybody anything anywhere some someone somebody something somewhere every everyone everybody
    everything everywhere all each both many much few several most none nobody nothing nowhere neither no half part
    parts""".split()
)
_MODALS = frozenset("can could must may might should shall ought need dare ca".split())
"""“Cannot be true” is more than “can be false”."""
_ASIDE = re.compile(r"^(?:no|yes|oh|well|yeah|nope)\b| [-–—] |[—;:()]", re.IGNORECASE)
"""What answers somebody, or breaks off: the other polarity would not."""
_VERY = frozenset("very so really extremely terribly awfully".split())
_NOT_VERY = frozenset("free right wrong".split())
_VERY_UN = frozenset(
    """unhappy unpopular unpleasant unusual unfair unlikely unhealthy unlucky unkind unfriendly impolite impatient
    uncomfortable unreliable inconvenient inexpensive inexperienced unattractive unreasonable unrealistic dishonest
    dissatisfied inefficient ineffective unsafe unhelpful unwise""".split()
)
"""Of words with un-, in- and dis-, those that are said with “very”."""
_OF_PERSONS = frozenset({"ready"})
_ASKING = frozenset("sure unsure certain uncertain clear unclear aware unaware".split())
_WHEN = frozenset("when while after before".split())
"""What they bring says when, and suits both polarities."""
_FRAMING = frozenset("but yet so nor though although because unless if despite without unlike except instead".split())


def fits_frame(sentence: Sentence, antonym: Candidate) -> bool:
    """Whether the clause of a word, and what stands around it, suits the word and its opposite, negated or not."""
    token = antonym.content.token
    verb = predicate_of(token)
    if _ASIDE.search(sentence.text) or _degree_is_odd(antonym):
        return False
    if is_after_without(token):
        others = [one for one in _before_tag(sentence) if one.i != token.head.i]
        return not is_loose(antonym.content.lemma, antonym.opposite.word) and not any(_frames(one) for one in others)
    if verb is None or token.tag_ in {"JJR", "JJS", "RBR", "RBS"}:
        return False
    return (
        not is_loose(antonym.content.lemma, antonym.opposite.word)
        and _is_plain_clause(verb, sentence)
        and _is_plain_predicate(token, verb, antonym.content.pos)
        and not any(_comes_between(one) for one in _around(verb) if one.i != token.i)
        and not any(_frames(one) for one in _before_tag(sentence))
    )


def _before_tag(sentence: Sentence) -> list[Token]:
    tag = tag_of(sentence.doc)
    return [one for one in sentence.doc if tag is None or one.idx < tag.start]


def _comes_between(token: Token) -> bool:
    """Whether “not” would bear on it; “not so bad” is “rather bad”, “not that bad” too, “not so bad that …” is less."""
    if token.lower_ in {"so", "that", "this"}:
        return token.dep_ == "advmod" and not _is_just_not_so(token)
    return token.lower_ in _SMALL_WORDS


def _is_just_not_so(token: Token) -> bool:
    """Whether it is the “so” of “is not so bad”, with nothing after it that it looks forward to."""
    verb = token.head.head
    is_denied = any(child.dep_ == "neg" for child in verb.children) and verb.lemma_ == "be" and verb.dep_ == "ROOT"
    return is_denied and not any(child.dep_ in {"ccomp", "advcl", "xcomp", "prep"} for child in token.head.rights)


def _frames(token: Token) -> bool:
    """Whether it ties the clause to something that suits one polarity, or counts what the clause speaks of."""
    lower = token.lower_
    if lower in _AMOUNTS:
        at_all = lower == "all" and token.i > 0 and token.doc[token.i - 1].lower_ == "at"
        no_easy_task = lower == "no" and token.head.dep_ == "attr"
        return not (at_all or no_easy_task)
    if lower in _FRAMING and token.i:
        return lower != "so" or token.dep_ != "advmod" or token.head.pos_ not in {"ADJ", "ADV"}
    if token.dep_ == "advcl":
        return not any(child.lower_ in _WHEN for child in token.lefts) or _is_asked(token)
    return token.dep_ == "parataxis" or (token.dep_ == "conj" and token.pos_ in {"VERB", "AUX"})


def _is_plain_clause(verb: Token, sentence: Sentence) -> bool:
    """The main clause, or what somebody thinks or says; with a subject and no modal verb."""
    tag = tag_of(sentence.doc)
    has_subject = any(child.dep_ in SUBJECT_DEPS for child in verb.children)
    if verb.dep_ == "xcomp" and verb.head.lemma_ in {"seem", "appear", "go"}:  # “is not going to be easy”
        return _is_plain_clause(verb.head, sentence)
    if not has_subject or any(child.lower_ in _MODALS for child in verb.lefts):
        return False
    if verb.dep_ == "ROOT" or (tag is not None and verb.head.idx >= tag.start):  # the tag may pass for the main clause
        return True
    return verb.dep_ == "ccomp" and verb.head.lemma_ in _REPORTS and verb.head.dep_ == "ROOT"


def _is_plain_predicate(token: Token, verb: Token, pos: str) -> bool:
    if pos != "a":
        return token.i == verb.i or (pos == "r" and token.head.i == verb.i and token.i > verb.i)
    if token.lower_ in {"enough", "sufficient", "insufficient"} and token.dep_ == "amod":
        return token.head.head.i == verb.i and verb.lemma_ == "have" and token.head.dep_ == "dobj"
    if token.lower_ in _ASKING and any(child.dep_ in {"ccomp", "advcl", "xcomp", "pcomp"} for child in token.rights):
        return False
    if token.lower_ in _OF_PERSONS and not _is_said_of_person(verb):
        return False
    if verb.lemma_ not in _STATES or (token.lower_ in {"able", "unable"} and verb.tag_ in {"VB", "VBN"}):
        return False
    if token.dep_ == "amod":
        noun = token.head
        if noun.dep_ == "pobj":  # “in a good mood”
            return noun.head.head.i == verb.i
        return noun.dep_ == "attr" and noun.head.i == verb.i
    return token.head.i == verb.i and token.dep_ in {"acomp", "attr", "oprd"}


def _is_asked(clause: Token) -> bool:
    """Whether a clause of time is rather a question: “sure when he left”."""
    first = clause.subtree[0].i
    return first > 0 and clause.doc[first - 1].lower_ in _ASKING


def _is_said_of_person(verb: Token) -> bool:
    subjects = [child for child in verb.children if child.dep_ in SUBJECT_DEPS]
    return bool(subjects) and all(one.pos_ == "PROPN" or (one.tag_ == "PRP" and one.lower_ != "it") for one in subjects)


def _degree_is_odd(antonym: Candidate) -> bool:
    """Whether “very” stands before a word that is not said with it: “very unsurprised”, “very free”."""
    words = {antonym.content.lemma, antonym.opposite.word}
    if not any(child.lower_ in _VERY for child in antonym.content.token.lefts):
        return False
    return bool(words & _NOT_VERY) or (antonym.opposite.affixal and not words & _VERY_UN)


def _around(verb: Token) -> list[Token]:
    """The words of a clause without those of the clauses in it."""
    found: list[Token] = []
    for child in verb.children:
        if child.dep_ not in {"ccomp", "advcl", "xcomp", "conj"}:
            found += [one for one in child.subtree if one.dep_ not in {"det", "nsubj", "mark"}]
    return found


def is_loose(word: str, opposite: str) -> bool:
    """Whether a pair is listed as one with much between its ends, or as one that holds of few things.

    >>> is_loose("huge", "tiny"), is_loose("open", "closed")
    (True, False)
    """
    return frozenset((word, opposite)) in _loose_pairs() or bool({word, opposite} & _loose_words())


@lru_cache(maxsize=1)
def _lines() -> tuple[str, ...]:
    listed = (files("litotes.building") / "data" / "loose_pairs.txt").read_text("utf-8").splitlines()
    return tuple(line.strip() for line in listed if line.strip() and not line.startswith("#"))


@lru_cache(maxsize=1)
def _loose_pairs() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(line.split("/")) for line in _lines() if "/" in line)


@lru_cache(maxsize=1)
def _loose_words() -> frozenset[str]:
    return frozenset(line for line in _lines() if "/" not in line)
