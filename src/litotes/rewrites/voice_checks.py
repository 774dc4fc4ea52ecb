"""What forbids that an object becomes the subject: meaning, binding, scope, idioms, measures, weight."""

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
from litotes.rewrites.voice import Chain, Refusal
from litotes.rewrites.voice_forms import verb_lemma
from litotes.rewrites.voice_nouns import ANIMAL, GROUP, PERSON, is_adverb, noun_file, noun_files
from litotes.rewrites.voice_objects import Promotion
from litotes.rewrites.voice_verbs import (
    AMOUNTS,
    BARE_IDIOMS,
    CAUSING,
    FORCED,
    LIGHT_OBJECTS,
    MEASURES,
    NEED_THING,
    NO_PASSIVE,
    STATES,
    WITHOUT_OBJECT,
)

if TYPE_CHECKING:
    from litotes.language.tree import Token

_ANY = word_set("any anyone anything anybody anywhere anymore either ever much neither nor")
_QUANTIFIERS = word_set("all every each both many some several few most everything everyone everybody")
_OF_SUBJECT = word_set("only both all each together alone either neither nor rather better merely")
_BREAKS = frozenset({"?", "!", ",", ";", ":", "(", "—", "–", "--", "..."})
_QUESTION_WORDS = frozenset({"WP", "WDT", "WRB", "WP$"})
_LONGEST = 14
_ONES = ("one", "body", "thing")
_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "DT", "WP"})
_NOISES = word_set(
    """
    lol lmao omg haha hahaha yeah yes no wow ugh hmm oh lmfao rofl btw tbh imo damn u dude bro bruh
    """
)
_OWNED = {"mine": "i", "ours": "we", "yours": "you", "hers": "she", "theirs": "they"}
_OWNERS = {"i": {"i"}, "we": {"we", "i"}, "you": {"you"}, "she": {"she"}, "they": {"they"}}
_ABSTRACT = frozenset({4, 7, 9, 10, 11, 12, 13, 19, 21, 22, 24, 26, 27})
"""Lexicographer files of nouns that stand without an article: acts, feelings, food, stuff…"""


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
    if case.phrase.text.lower() == case.subject.text.lower():
        return True  # "You do you"
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
    if noun_files(head.lemma_.lower()) or not head.text.islower():
        return False
    return not any(child.dep_ in {"det", "poss", "nummod", "amod", "compound"} for child in head.lefts)


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
    if case.lemma == "do" and case.head.lower_ == "it" and case.subject.text.lower() in {"this", "that"}:
        return True
    if case.lemma == "take" and case.subject.text.lower() in {"it", "this", "that"}:
        return True
    if case.lemma == "work" and case.promotion.anchor.i == case.chain.verb.i:
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
    if _is_broken_phrase(case):
        return True
    last = case.subject.last
    if last.tag_ in {"RBR", "JJR", "MD"} and last.head.i == case.subject.head.i:
        return True
    if last.lower_ in {"which", "whom", "whose"}:
        return True
    both = (*case.phrase.tokens, *case.subject.tokens)
    return any(token.tag_ == "UH" or token.dep_ == "intj" or token.lower_ in _NOISES for token in both)


def _is_broken_phrase(case: _Case) -> bool:
    phrase, last = case.phrase, case.phrase.last
    is_thing = phrase.head.lower_.endswith(_ONES)
    if last.tag_ in {"RB", "RBR", "JJ", "JJR", "POS"} and last.head.i == phrase.head.i and last.i > phrase.head.i:
        return last.tag_ != "JJ" or not is_thing
    if last.dep_ == "cc":
        return True
    if last.tag_ in {"IN", "TO"} and not any(child.dep_ == "relcl" for child in phrase.head.rights):
        return True
    if case.subject.last.lower_ in {"all", "both", "each"} and case.subject.head.tag_ not in {"PRP", "DT"}:
        return True
    following = last.nbor() if last.i + 1 < len(last.doc) else last
    if phrase.head.tag_ == "PRP" and following.lower_ in {"both", "all", "each"}:
        return True
    if phrase.text.lower() == "her" and following.tag_ in {"JJS", "NN", "NNS", "JJ"} and following.dep_ != "oprd":
        return True  # "tries her best"
    if any(_is_clause_of_its_own(child) for child in phrase.head.rights):
        return True
    return any(token.lower_ == "its" and token.nbor().tag_ == "DT" for token in phrase.tokens if token.i < last.i)


def _is_clause_of_its_own(child: Token) -> bool:
    """ "When they don't understand things they invent gods": two clauses, not one in the other."""
    first = child.left_edge
    if child.dep_ != "relcl" or first.tag_ in _QUESTION_WORDS or first.lower_ == "that":
        return False
    return any(one.dep_ == "dobj" for one in child.rights)


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
    return case.lemma not in CAUSING or noun_file(head) not in _ABSTRACT


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
    if case.lemma == "need" and any(child.dep_ in {"acl", "relcl"} and child.tag_ == "VB" for child in head.rights):
        return True
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
