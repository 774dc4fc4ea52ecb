"""Verbs with an embedded clause: whether the sentence presents the clause as true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.adjectives import CERTAINTY_ADJECTIVES, UNCERTAINTY_ADJECTIVES
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.pronouns import PERSONAL_SUBJECTS, SPEAKERS
from litotes.languages.en.syntax.tags import SUBJECT_DEPS, WH_TAGS
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.languages.en.verbs import (
    ASSERTIVE_VERBS,
    DENIAL_VERBS,
    HEARER_VERBS,
    NON_ASSERTIVE_VERBS,
    SUGGESTION_VERBS,
    TENTATIVE_BELIEF_VERBS,
)
from litotes.rewrites.base import Skip

if TYPE_CHECKING:
    from litotes.languages.tree import Span, Token

SEEMING_VERBS = word_set("seem appear turn")
"""“It seems that …”, “it turns out that …”."""
DENYING_ADVERBS = word_set(
    """
    never hardly scarcely barely rarely seldom wrongly falsely mistakenly erroneously incorrectly almost nearly only
    no neither nor once so hopefully supposedly allegedly
    """
)
DENYING_SUBJECTS = word_set("not nobody no-one none nothing neither few little no noone hardly")
NO_CLAUSE = "no-clause"
"""The skip code for a sentence without an embedded clause."""

_OTHER_PEOPLE = word_set("they you youd some many most people lot lots folks everyone everybody anybody ppl dudes")
_DISPUTED_BELIEFS = word_set("think believe assume imagine feel figure suppose")
"""With a subject from _OTHER_PEOPLE, these usually introduce a belief that the speaker rejects."""
_CLAUSE_NOUNS = word_set(
    "point problem fact truth thing reality conclusion feeling guess belief opinion view news issue catch"
)
"""Subjects of “is” and a clause: “The truth is that …”."""
_IMPERATIVES = word_set("note remember notice see")
"""Imperatives with a clause that is true: “Remember that it is late.”"""
_SUBJECTLESS_OPENINGS = word_set(
    "think guess suppose thought guessed bet figured sounds seems looks turns feels looked sounded sure"
)
"""First words of sentences that leave out the subject: “Guess he's late.”"""
_PARTICLES = {"turn": "out", "point": "out", "find": "out", "figure": "out"}
_SEPARABLE = SUBJECT_DEPS | word_set("aux auxpass advmod cc intj prep npadvmod punct prt acomp dobj dative xcomp attr")
"""The dependents of the main verb that are removed together with it."""
_POLITE_SPEECH_VERBS = frozenset({"say", "argue", "guess", "add", "bet", "admit", "tell", "swear"})
"""“I would say”, “I must admit”, “I can tell you”."""
_POLITE_MODALS = frozenset({"would", "'d", "’d", "must", "can", "will", "'ll", "’ll", "should"})


def embedding_skip(verb: Token, holder: Token, clause: Token, span: Span) -> Skip | None:
    """Return a skip if the sentence does not present the clause of a verb as true, otherwise None."""
    lemma = lemma_of(verb)
    if not _is_assertive(verb, holder, clause, lemma):
        if lemma in DENIAL_VERBS:
            return Skip("denied")
        return Skip("not-asserted" if lemma in NON_ASSERTIVE_VERBS or _is_uncertain(verb) else NO_CLAUSE)
    top = verb.head if verb.dep_ == "xcomp" else verb
    if "?" in span.text or _is_question(top):
        return Skip("question")
    if verb_group(top).first.tag_ in {"VBG", "VBN"}:
        return Skip("more")
    skip = _polarity_skip((verb, top, holder))
    if skip is not None:
        return skip
    if not all(_is_separable(child, clause, top) for word in (verb, top) for child in word.children):
        return Skip("more")
    subject = verb_group(top).subject
    if subject is None or subject.i > verb.i:
        subject = None
        skip = None if _can_lack_subject(lemma, span[0]) else Skip("more")
    else:
        skip = _subject_skip(subject, lemma, clause)
    return skip or _mood_skip(verb, top, clause, subject)


def _is_question(verb: Token) -> bool:
    """Return whether a sentence is a question without a question mark: “How do you know he is ill.”"""
    group = verb_group(verb)
    if group.is_inverted and group.auxiliaries:
        return True
    return any(
        child.tag_ in WH_TAGS and child.i < verb.i and child.dep_ in {"advmod", "dobj"} for child in verb.children
    )


def _polarity_skip(words: tuple[Token, ...]) -> Skip | None:
    for child in (child for word in words for child in word.children):
        if child.dep_ == "neg" or child.lower_ in NOT_TOKENS:
            return Skip("negated")
        if child.dep_ == "advmod" and child.lower_ in DENYING_ADVERBS:
            return Skip("denied")
    return None


def _can_lack_subject(lemma: str, first: Token) -> bool:
    following = first.nbor().lower_
    if lemma == "see" and following == "that":
        return False  # “See that the door is shut” is an order
    opening = following if first.lower_ in {"pretty", "just"} else first.lower_
    return lemma in _IMPERATIVES or opening in _SUBJECTLESS_OPENINGS


def _subject_skip(subject: Token, lemma: str, clause: Token) -> Skip | None:
    words = {subject.lower_, *(child.lower_ for child in subject.children)}
    if not words.isdisjoint(DENYING_SUBJECTS):
        return Skip("denied")
    if subject.tag_ in WH_TAGS:
        return Skip("dependent")
    if lemma in _DISPUTED_BELIEFS and (not words.isdisjoint(_OTHER_PEOPLE) or _is_mistaken_belief(subject, clause)):
        return Skip("not-asserted", "the beliefs of other people are often reported in order to contradict them")
    if clause.dep_ == "advcl" and subject.lower_ != "it" and subject.lower_ not in SPEAKERS:
        return Skip("not-asserted", "people are not always what they look like")
    if lemma == "be" and subject.lower_ not in SPEAKERS and clause.head.lower_ == "afraid":
        return Skip("not-asserted")
    return None


def _is_mistaken_belief(subject: Token, clause: Token) -> bool:
    """Return whether a belief is probably wrong: “He thinks that he is a genius”, “They thought I was the doctor”."""
    inner = verb_group(clause).subject
    return subject.lower_ not in SPEAKERS and inner is not None and inner.lower_ in PERSONAL_SUBJECTS - {"you"}


def _is_separable(child: Token, clause: Token, top: Token) -> bool:
    """Return whether a part of the main clause can be removed with it, or remain after the embedded clause."""
    if child.dep_ == "advcl":
        return bool(child.i == clause.i)
    if child.dep_ == "conj":
        # “I think he is ill and she is tired”: a second clause with its own subject belongs to the thought.
        subject = verb_group(top).subject
        is_first_person = subject is not None and subject.lower_ in SPEAKERS
        return is_first_person and child.i > clause.i and verb_group(child).subject is not None
    return child.i >= clause.i or child.dep_ in _SEPARABLE


def _is_assertive(verb: Token, holder: Token, clause: Token, lemma: str) -> bool:
    """Return whether the verb, with its particle and objects, can present its clause as true."""
    if clause.dep_ == "advcl":
        return True
    particle = next((child.lower_ for child in verb.children if child.dep_ == "prt"), None)
    if particle is not None or lemma in {"turn", "point"}:
        return _PARTICLES.get(lemma) == particle
    if lemma == "be":
        return _is_copula_with_clause(verb, holder)
    hearers = [child for child in verb.children if child.dep_ in {"dobj", "dative"} and child.i < clause.i]
    if hearers:
        return lemma in HEARER_VERBS and lemma in ASSERTIVE_VERBS and len(hearers) == 1
    return lemma in ASSERTIVE_VERBS or lemma in SEEMING_VERBS or verb.lower_ in {"sure", "positive", "certain"}


def _is_copula_with_clause(verb: Token, holder: Token) -> bool:
    """Return whether “be” has a clause: “The truth is that …”, “I am sure that …”, “It is clear that …”."""
    subject = verb_group(verb).subject
    if holder.i == verb.i and subject is not None and subject.lemma_ in _CLAUSE_NOUNS:
        return True
    complements = (child for child in verb.children if child.dep_ == "acomp")
    return any(word.lower_ in CERTAINTY_ADJECTIVES for word in (holder, *complements))


def _is_uncertain(verb: Token) -> bool:
    return any(child.dep_ == "acomp" and child.lower_ in UNCERTAINTY_ADJECTIVES for child in verb.children)


def _mood_skip(verb: Token, top: Token, clause: Token, subject: Token | None) -> Skip | None:
    """Return a skip if a modal, an order or a past belief means that the clause need not be true."""
    group, lemma = verb_group(top), lemma_of(verb)
    is_first_person = subject is None or subject.lower_ in SPEAKERS
    modals = [word.lower_ for word in group.auxiliaries if word.tag_ == "MD"]
    if modals:
        is_polite = modals[0] in _POLITE_MODALS and (lemma in _POLITE_SPEECH_VERBS or top.lemma_ == "like")
        if not (is_first_person and is_polite):
            return Skip("not-asserted")
    if any(word.lower_ == "to" for word in group.auxiliaries):
        return Skip("not-asserted")
    finite = next(iter(verb_group(clause).auxiliaries), clause)
    if lemma in SUGGESTION_VERBS and finite.tag_ in {"VB", "VBP"} and finite.lower_ not in {"am", "is", "are"}:
        return Skip("not-asserted")
    if is_first_person and group.first.tag_ == "VBD" and lemma in TENTATIVE_BELIEF_VERBS and not _is_opinion(clause):
        return Skip("contrary")
    return None


def _is_opinion(clause: Token) -> bool:
    """Return whether a clause judges something: “I thought it was great” does not report a mistake."""
    subject = verb_group(clause).subject
    if subject is None or not (subject.lower_ in {"it", "this", "that", "they"} or subject.tag_ in {"NN", "NNS"}):
        return False
    return clause.lower_ in {"was", "were"} and any(child.dep_ == "acomp" for child in clause.children)


def lemma_of(verb: Token) -> str:
    """Return the lemma of a verb, corrected where the parser confuses two verbs."""
    lemma = verb.lemma_.lower()
    return {"found": "find", "felt": "feel", "saw": "see", "thought": "think"}.get(lemma, lemma)
