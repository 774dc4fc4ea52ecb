"""What forbids the passive: meaning, binding, scope, idioms, measures, weight."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from litotes.rewrites.noun_phrases import (
    OBJECT_FORMS,
    Agreement,
    NounPhrase,
    agreement,
    conjuncts,
    is_reflexive_or_reciprocal,
    may_be_bound,
    word_set,
)
from litotes.rewrites.voice import Chain, Refusal, midfield
from litotes.rewrites.voice_forms import verb_lemma
from litotes.rewrites.voice_nouns import (
    ANIMAL,
    ARTIFACT,
    BODY,
    GROUP,
    PERSON,
    PLANT,
    is_adverb,
    is_verb,
    noun_file,
    noun_files,
)
from litotes.rewrites.voice_objects import Promotion
from litotes.rewrites.voice_verbs import (
    AMOUNTS,
    BARE_IDIOMS,
    FORCED,
    LIGHT_OBJECTS,
    MEASURES,
    NEED_THING,
    NO_PASSIVE,
    STATES,
    WITHOUT_OBJECT,
    WITH_PREPOSITION,
)

if TYPE_CHECKING:
    from litotes.language.tree import Token

_ANY = word_set("any anyone anything anybody anywhere anymore either ever much neither nor")
_QUANTIFIERS = word_set("all every each both many some several few most everything everyone everybody")
_OF_SUBJECT = word_set("only both all each together alone either neither nor rather better merely")
_ASKED = word_set("you i we someone somebody anyone anybody")
_NEGATIVE = word_set("no nobody none nothing neither few hardly never noone no-one")
_BARE = word_set("let make see hear watch help have notice feel")
_BREAKS = frozenset({",", ";", ":", "(", "—", "–", "--", "..."})
_QUESTION_WORDS = frozenset({"WP", "WDT", "WRB", "WP$"})
_LONGEST = 14
_ONES = ("one", "body", "thing")
_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "DT", "WP"})
_NOISES = word_set("lol lmao omg haha hahaha yeah yes no wow ugh hmm oh lmfao rofl btw tbh imo damn u")
_OWNED = {"mine": "i", "ours": "we", "yours": "you", "hers": "she", "theirs": "they"}
_OWNERS = {"i": {"i"}, "we": {"we", "i"}, "you": {"you"}, "she": {"she"}, "they": {"they"}}
_SPEAKERS = frozenset({"i", "you", "we", "they"})


class _Case(NamedTuple):
    """A clause and what would become its subject."""

    chain: Chain
    promotion: Promotion
    subject: NounPhrase
    lemma: str

    @property
    def phrase(self) -> NounPhrase:
        return self.promotion.phrase

    @property
    def head(self) -> Token:
        return self.promotion.phrase.head


# --- the clause ---------------------------------------------------------------------------------------------------


def check_clause(chain: Chain) -> None:
    """Refuse clauses that cannot be put into the passive whatever their object."""
    for code, forbids in _CLAUSE_TESTS:
        if forbids(chain):
            raise Refusal(code)


def _is_passive(chain: Chain) -> bool:
    return chain.subject.dep_ == "nsubjpass" or any(word.dep_ == "auxpass" for word in chain.words)


def _has_no_passive(chain: Chain) -> bool:
    lemma = verb_lemma(chain.verb)
    return (lemma in NO_PASSIVE and lemma not in WITH_PREPOSITION) or not is_verb(lemma)


def _doubles_be(chain: Chain) -> bool:
    """ "has been eating" would be "has been being eaten"."""
    return chain.verb.tag_ == "VBG" and len(chain.words) > 2 and chain.words[-2].lower_ in {"be", "been"}


def _is_misread_verb(chain: Chain) -> bool:
    verb, words = chain.verb, chain.words
    if verb.tag_ == "VBZ" and chain.subject.tag_ == "PRP" and chain.subject.lower_ in _SPEAKERS:
        return True
    if verb.tag_ == "VBG" and (len(words) == 1 or words[-2].lemma_ != "be"):
        return True
    if chain.is_inverted:
        return not any(token.text == "?" for token in chain.top.doc[chain.top.i : chain.top.right_edge.i + 1])
    first = chain.subject.left_edge
    return bool(first.i) and first.nbor(-1).lower_ == "how"  # "How I miss you!"


def _is_bare_infinitive(chain: Chain) -> bool:
    top = chain.top
    return top.dep_ == "ccomp" and len(chain.words) == 1 and chain.verb.tag_ == "VBP" and verb_lemma(top.head) in _BARE


def _asks(chain: Chain) -> bool:
    return chain.is_inverted and chain.first.tag_ == "MD" and chain.subject.lower_ in _ASKED


def _is_misread_subject(chain: Chain) -> bool:
    subject = chain.subject
    if subject.i > chain.verb.i or subject.pos_ in {"VERB", "AUX"} or subject.text[0] in "'’":
        return True
    if (subject.tag_ == "WP" and not _is_asked(chain)) or subject.tag_ == "WRB" or any(child.tag_ in {"WDT", "WP$"} for child in subject.lefts):
        return True
    for child in chain.top.lefts:
        if child.dep_ in {"dep", "nmod", "compound", "appos", "attr"}:
            return True
        if child.dep_ == "npadvmod" and child.i < subject.i and child.lemma_.lower() not in MEASURES:
            return True
    return False


def _is_asked(chain: Chain) -> bool:
    """Whether the subject is the "who" of a question."""
    subject = chain.subject
    if subject.lower_ not in {"who", "what"} or chain.top.dep_ != "ROOT" or subject.right_edge.i != subject.i:
        return False
    return chain.first.tag_ != "MD" and chain.negation is None and chain.top.right_edge.text == "?"


def _has_broken_midfield(chain: Chain) -> bool:
    """Whether something else than adverbs stands before the verb, or a comma that has no mate."""
    tokens = list(midfield(chain))
    if not tokens:
        return False
    marks = [token.text for token in tokens if token.is_punct]
    if len(marks) % 2 or any(mark != "," for mark in marks):
        return True
    own = {word.i for word in chain.words}
    return any(not _is_adverbial(token, own) for token in tokens)


def _is_adverbial(token: Token, verbs: set[int]) -> bool:
    if token.is_punct or token.pos_ == "ADV" or token.dep_ in {"advmod", "neg", "npadvmod", "prep", "pobj", "intj"}:
        return True
    while token.head.i != token.i and token.head.i not in verbs:
        token = token.head
    return token.dep_ in {"advmod", "prep", "npadvmod"}


def _has_adverb_of_subject(chain: Chain) -> bool:
    return any(token.lower_ in _OF_SUBJECT for token in midfield(chain))


def _denies_and_may(chain: Chain) -> bool:
    """ "No women ever …" would leave "ever" without its negation."""
    if not {chain.subject.lower_, chain.subject.left_edge.lower_} & _NEGATIVE:
        return False
    return any(token.lower_ in _ANY for token in midfield(chain))


def _is_part_quantified(chain: Chain) -> bool:
    first = chain.subject.left_edge.lower_
    return first in {"not", "both", "either", "neither"} and first != chain.subject.lower_


_CLAUSE_TESTS: tuple[tuple[str, Callable[[Chain], bool]], ...] = (
    ("is-passive", _is_passive),
    ("no-passive", _has_no_passive),
    ("tense", _doubles_be),
    ("request", _asks),
    ("not-finite", _is_bare_infinitive),
    ("unclear", _is_misread_verb),
    ("no-subject", lambda chain: chain.subject.tag_ in {"WDT", "EX"}),
    ("unclear", _is_misread_subject),
    ("adverb", _has_adverb_of_subject),
    ("polarity", _denies_and_may),
    ("unclear", _has_broken_midfield),
    ("scope", _is_part_quantified),
)


# --- the object ---------------------------------------------------------------------------------------------------


def check_promotion(chain: Chain, promotion: Promotion, subject: NounPhrase) -> None:
    """Refuse objects that cannot become the subject."""
    case = _Case(chain, promotion, subject, verb_lemma(chain.verb))
    for code, forbids in _OBJECT_TESTS:
        if forbids(case):
            raise Refusal(code)


def _is_never_object(case: _Case) -> bool:
    return (case.lemma in NO_PASSIVE or case.lemma in WITHOUT_OBJECT) and case.head.dep_ != "pobj"


def _is_bound(case: _Case) -> bool:
    if is_reflexive_or_reciprocal(case.phrase) or may_be_bound(case.phrase, case.subject):
        return True
    if _OWNED.get(case.head.lower_, "") in _OWNERS.get(case.subject.head.lower_, {"other"}):
        return True
    own = OBJECT_FORMS.get(case.subject.head.lower_)
    return own is not None and len(case.phrase) > 1 and any(token.lower_ == own for token in case.phrase.tokens)


def _is_no_noun(case: _Case) -> bool:
    head = case.head
    if head.tag_ not in _NOUN_TAGS:
        return True
    if head.tag_ not in {"NN", "NNS"} or noun_files(head.lower_) or head.lower_.endswith(_ONES):
        return False
    if is_adverb(head.lower_):  # "running indoors"
        return True
    return len(case.phrase) == 1 and head.tag_ == "NN" and head.text.islower() and not noun_files(head.lemma_.lower())


def _joins_verbs(case: _Case) -> bool:
    return any(noun.tag_.startswith("VB") for one in (case.head, case.subject.head) for noun in conjuncts(one)[1:])


def _measures(case: _Case) -> bool:
    head = case.head
    if case.phrase.first.lower_ == "every" and "time" in {token.lower_ for token in head.doc[head.i : head.i + 3]}:
        return True
    if head.tag_ == "CD" or head.lower_ in MEASURES or head.lemma_.lower() in MEASURES:
        return True
    return head.lower_ in AMOUNTS and head.i > case.chain.verb.i


def _is_idiom(case: _Case) -> bool:
    light = LIGHT_OBJECTS.get(case.lemma, frozenset())
    second = case.promotion.anchor
    if case.head.lemma_.lower() in light or (second.dep_ == "dobj" and second.lemma_.lower() in light):
        return True
    if case.lemma == "take" and case.subject.text.lower() in {"it", "this", "that"}:
        return True
    if case.lemma in BARE_IDIOMS and len(case.phrase) == 1 and case.head.tag_ == "NN":
        return True
    return (
        case.lemma in NEED_THING
        and case.head.tag_ == "PRP"
        and case.head.lower_ != "it"
        and case.promotion.anchor.i == case.chain.verb.i
    )


def _is_misread_object(case: _Case) -> bool:
    head, chain = case.head, case.chain
    if chain.verb.tag_ == "VBP" and len(chain.words) == 1 and agreement(case.subject) == Agreement(3, False):
        return True
    if head.tag_ == "PRP" and len(case.phrase) > 1 and len(conjuncts(head)) == 1:
        return True
    if head.i < chain.first.i and not any(token.tag_ in _QUESTION_WORDS for token in case.phrase.tokens):
        return True
    last = case.subject.last
    if last.tag_ in {"RBR", "JJR", "MD"} and last.head.i == case.subject.head.i:
        return True
    if last.lower_ in {"which", "whom", "whose"}:
        return True
    return any(
        token.lower_ in _NOISES or token.tag_ == "UH" or token.dep_ == "intj" for one in (case.phrase, case.subject) for token in one.tokens
    )


def _is_made_of(case: _Case) -> bool:
    """ "Trays make good tables": they are, they do not make them."""
    head = case.subject.head
    if case.lemma != "make" or case.promotion.anchor.i != case.chain.verb.i or head.tag_ not in {"NN", "NNS"}:
        return False
    return noun_file(head) not in {None, PERSON, ANIMAL, GROUP}


def _may_be_name(case: _Case) -> bool:
    """Whether a capital at the start of a sentence may be that of a name which the parser takes for a noun: "Rose"."""
    head = case.subject.head
    if len(case.subject) > 1 or head.tag_ != "NN" or not head.text[:1].isupper() or head.lower_.endswith(_ONES):
        return False
    return noun_file(head) in {None, ANIMAL, ARTIFACT, BODY, PERSON, PLANT}


def _is_heavy(case: _Case) -> bool:
    if '""' in case.phrase.text:
        return True
    return any(
        len(one) > _LONGEST or any(token.text in _BREAKS for token in one.tokens) for one in (case.phrase, case.subject)
    )


def _asks_clause(case: _Case) -> bool:
    return case.phrase.first.tag_ in {"WRB", "WP", "WDT"} and case.phrase.first.i > case.subject.first.i


def _needs_negation(case: _Case) -> bool:
    if case.chain.is_inverted and case.chain.negation is None:
        return False
    return any(token.lower_ in _ANY for token in case.phrase.tokens)


def _changes_scope(case: _Case) -> bool:
    if case.chain.negation is None:
        return False
    return any(token.lower_ in _QUANTIFIERS or token.tag_ == "CD" for token in case.phrase.tokens)


def _has_other_by(case: _Case) -> bool:
    return any(token.lower_ == "by" for token in case.subject.tokens)


def _is_odd(case: _Case) -> bool:
    """Whether the passive of a verb of the mind would sound forced: "It is needed by me"."""
    chain, head = case.chain, case.head
    if case.lemma not in STATES or case.subject.text.lower() not in {"i", "you", "we", "u"}:
        return False
    is_now = chain.first.tag_ in {"VBP", "VB"} and len(chain.words) < 3
    if case.lemma in FORCED or (case.lemma in {"see", "hear"} and is_now):
        return True
    if head.tag_ == "PRP":
        return head.lower_ == "it"
    return head.tag_ != "NNP" and noun_file(head) != PERSON


_OBJECT_TESTS: tuple[tuple[str, Callable[[_Case], bool]], ...] = (
    ("no-passive", _is_never_object),
    ("measure", _measures),
    ("idiom", _is_idiom),
    ("unclear", _is_no_noun),
    ("bound", _is_bound),
    ("coordination", _joins_verbs),
    ("unclear", _is_misread_object),
    ("no-passive", _is_made_of),
    ("unclear", _may_be_name),
    ("heavy", _is_heavy),
    ("clause-object", _asks_clause),
    ("polarity", _needs_negation),
    ("scope", _changes_scope),
    ("attachment", _has_other_by),
    ("odd", _is_odd),
)
