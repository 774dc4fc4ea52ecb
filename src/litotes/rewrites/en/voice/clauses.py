"""Which clauses can be put into the passive, whatever their object."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import is_known
from litotes.languages.en.nouns import MEASURE_NOUNS
from litotes.languages.en.valency import NO_PASSIVE_VERBS, PREPOSITIONAL_VERBS
from litotes.rewrites.en.grammar.noun_phrases import OBJECT_FORMS
from litotes.rewrites.en.voice.chain import Chain, Refusal
from litotes.rewrites.en.voice.verb_forms import FORMS_OF_BE, MODALS, participle, verb_lemma

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_ANY = word_set("any anyone anything anybody anywhere anymore either ever much neither nor")
_OF_SUBJECT = word_set("so only both all each together alone either neither nor rather better merely")
_STUTTERS = frozenset({"uh", "um", "uh-huh", "huh", "hm", "hmm"})
_OBJECTS = frozenset({"dobj", "dative", "ccomp", "xcomp", "prep"})
_INVERTING = frozenset({"n't", "n’t", "do", "does", "did", "didn’t", "don’t"})
_ASKED = word_set("you i we someone somebody anyone anybody")
_NEGATIVE = word_set("no nobody none nothing neither few hardly never noone no-one")
_BARE = word_set("let make see hear watch help have notice feel")
_DONE = word_set(
    "hobby job goal dream aim task plan problem thing duty favorite way purpose idea key part point mistake"
)
_NO_SUBJECTS = frozenset(OBJECT_FORMS.values()) - {"her"}
_SPEAKERS = frozenset({"i", "you", "we", "they"})


def check_clause(chain: Chain) -> None:
    """Refuse clauses that cannot be put into the passive whatever their object."""
    for code, forbids in _CLAUSE_TESTS:
        if forbids(chain):
            raise Refusal(code)


def _is_passive(chain: Chain) -> bool:
    return chain.subject.dep_ == "nsubjpass" or "auxpass" in [word.dep_ for word in chain.words]


def _has_no_passive(chain: Chain) -> bool:
    lemma = verb_lemma(chain.verb)
    if lemma in NO_PASSIVE_VERBS:
        return lemma not in PREPOSITIONAL_VERBS and lemma not in {"leave", "lose"}
    return not is_known(lemma, "v")


def _has_no_object(chain: Chain) -> bool:
    """Whether nothing hangs on the verb that could become the subject: most clauses end here."""
    return _OBJECTS.isdisjoint([child.dep_ for child in chain.verb.children])


def _doubles_be(chain: Chain) -> bool:
    """ "has been eating" would be "has been being eaten"."""
    return chain.verb.tag_ == "VBG" and len(chain.words) > 2 and chain.words[-2].lower_ in {"be", "been"}


def _is_misread_verb(chain: Chain) -> bool:
    verb, words = chain.verb, chain.words
    if verb.text.isupper() or verb.lower_ in MODALS or not _is_well_formed(words):
        return True
    if verb.tag_ == "VBZ" and chain.subject.tag_ == "PRP" and chain.subject.lower_ in _SPEAKERS:
        return True
    if verb.tag_ == "VBG" and (len(words) == 1 or words[-2].lower_ not in FORMS_OF_BE):
        return True
    if chain.is_inverted:
        return not any(token.text == "?" for token in chain.top.doc[chain.top.i : chain.top.right_edge.i + 1])
    first = chain.subject.left_edge
    return bool(first.i) and first.nbor(-1).lower_ in {"how", "dare"}  # "How I miss you!", "How dare they …"


def _is_well_formed(words: tuple[Token, ...]) -> bool:
    """Whether each verb of a chain has the form that the one before it asks for: "is" + "make" is none."""
    for one, following in pairwise(words):
        tag = following.tag_
        if one.lower_ in {"'d", "’d"}:
            if tag not in {"VB", "VBN", "VBD"}:
                return False
        elif one.tag_ == "MD" or one.lower_ in {"to", "na", "do", "does", "did"}:
            if tag not in {"VB", "VBP"} and following.lower_ not in {"have", "be"}:
                return False
        elif one.lemma_ == "be" or one.lower_ in {"’s", "'s", "'re", "’re", "'m", "’m"}:
            if tag not in {"VBG", "VBN", "VBD"}:
                return False
        elif one.lemma_ == "have" and one.dep_ == "aux" and tag not in {"VBN", "VBD"}:
            return following.lower_ == participle(verb_lemma(following))  # "has … read"
    return True


def _is_bare_infinitive(chain: Chain) -> bool:
    top = chain.top
    return top.dep_ == "ccomp" and len(chain.words) == 1 and chain.verb.tag_ == "VBP" and verb_lemma(top.head) in _BARE


def _asks(chain: Chain) -> bool:
    return chain.is_inverted and chain.first.tag_ == "MD" and chain.subject.lower_ in _ASKED


def _is_misread_subject(chain: Chain) -> bool:
    subject = chain.subject
    if subject.i > chain.verb.i or _is_no_subject(subject) or _follows_verb(chain):
        return True
    if chain.verb.tag_ == "VBG" and subject.lemma_.lower() in _DONE:  # "His hobby is playing the guitar"
        return True
    if subject.tag_ in {"WP", "WRB"} and not _is_asked(chain):
        return True
    for child in subject.lefts:
        if child.tag_ in {"WDT", "WP$"}:
            return True
    for child in chain.top.lefts:  # noqa: SIM110  (the quickest way)
        if _is_misread_before(child, subject):
            return True
    return False


def _is_no_subject(subject: Token) -> bool:
    """Whether a word cannot be a subject: "me", "nice", "’ve", "10/10"."""
    if subject.pos_ in {"VERB", "AUX"} or subject.text[0] in "'’":
        return True
    if subject.tag_.startswith(("JJ", "RB", "UH")) and subject.left_edge.i == subject.i:
        return True
    if "/" in subject.text and subject.text[0].isdigit():
        return True
    return subject.lower_ in _NO_SUBJECTS


def _follows_verb(chain: Chain) -> bool:
    """Whether a verb stands right before the subject, so that this is its object: "Seeing this makes me happy"."""
    first = chain.subject.left_edge
    if first.i == 0 or chain.is_inverted or chain.top.dep_ == "ccomp":
        return False
    before = first.nbor(-1)
    return before.tag_ in {"VBG", "VB", "MD"} or before.lower_ in _INVERTING


def _is_misread_before(child: Token, subject: Token) -> bool:
    """Whether a word before the verb hangs on it in a way that a clause does not know."""
    if child.dep_ in {"dep", "nmod", "compound", "appos", "attr"}:
        return True
    if child.dep_ == "intj" and child.lower_ in {"boy", "man", "girl", "god"}:
        return True  # "Boy scouts know the place"
    return child.dep_ == "npadvmod" and child.i < subject.i and child.lemma_.lower() not in MEASURE_NOUNS


def _is_asked(chain: Chain) -> bool:
    """Whether the subject is the "who" of a question."""
    subject = chain.subject
    if subject.lower_ not in {"who", "what"} or chain.top.dep_ != "ROOT" or subject.right_edge.i != subject.i:
        return False
    return chain.first.tag_ != "MD" and chain.negation is None and chain.top.right_edge.text == "?"


def _has_broken_midfield(chain: Chain) -> bool:
    """Whether something else than adverbs stands before the verb, or a comma that has no mate."""
    tokens = chain.midfield
    if not tokens:
        return False
    marks = [token.text for token in tokens if token.is_punct]
    if len(marks) % 2 or any(mark != "," for mark in marks):
        return True
    own = {word.i for word in chain.words}
    return any(not _is_adverbial(token, own) for token in tokens)


def _stutters(chain: Chain) -> bool:
    """Whether the speaker hesitates in the clause: "down to the uh"."""
    doc = chain.top.doc
    if doc.lowers.isdisjoint(_STUTTERS):
        return False
    clause = doc.tokens[chain.subject.left_edge.i : chain.top.right_edge.i + 1]
    return any(token.lower_ in _STUTTERS for token in clause)


def _is_adverbial(token: Token, verbs: set[int]) -> bool:
    if token.is_punct or token.pos_ == "ADV" or token.dep_ in {"advmod", "neg", "npadvmod", "prep", "pobj", "intj"}:
        return True
    while token.head.i != token.i and token.head.i not in verbs:
        token = token.head
    return token.dep_ in {"advmod", "prep", "npadvmod"}


def _has_adverb_of_subject(chain: Chain) -> bool:
    return not _OF_SUBJECT.isdisjoint([token.lower_ for token in chain.midfield])


def _denies_and_may(chain: Chain) -> bool:
    """ "No women ever …" would leave "ever" without its negation."""
    if not {chain.subject.lower_, chain.subject.left_edge.lower_} & _NEGATIVE:
        return False
    return any(token.lower_ in _ANY for token in chain.midfield)


def _is_part_quantified(chain: Chain) -> bool:
    first = chain.subject.left_edge
    if first.i and first.nbor(-1).lower_ in {"only", "not"}:
        return True
    return first.lower_ in {"not", "both", "either", "neither"} and first.lower_ != chain.subject.lower_


_CLAUSE_TESTS: tuple[tuple[str, Callable[[Chain], bool]], ...] = (
    ("is-passive", _is_passive),
    ("no-passive", _has_no_passive),
    ("no-object", _has_no_object),
    ("tense", _doubles_be),
    ("request", _asks),
    ("not-finite", _is_bare_infinitive),
    ("unclear", _is_misread_verb),
    ("no-subject", lambda chain: chain.subject.tag_ in {"WDT", "EX"}),
    ("unclear", _is_misread_subject),
    ("adverb", _has_adverb_of_subject),
    ("polarity", _denies_and_may),
    ("unclear", _has_broken_midfield),
    ("unclear", _stutters),
    ("scope", _is_part_quantified),
)
