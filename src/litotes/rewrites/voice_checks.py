"""What forbids a change of voice: meaning, binding, scope, idioms, measures, weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.rewrites.noun_phrases import OBJECT_FORMS, Agreement, NounPhrase, agreement, conjuncts, is_reflexive_or_reciprocal, may_be_bound, word_set
from litotes.rewrites.voice import Chain, Refusal, midfield
from litotes.rewrites.voice_forms import is_verb, verb_lemma
from litotes.rewrites.voice_objects import ANIMAL, ARTIFACT, BODY, GROUP, PERSON, PLANT, Promotion, is_adverb, noun_files
from litotes.rewrites.voice_verbs import AMOUNTS, BARE_IDIOMS, FORCED, LIGHT_OBJECTS, MEASURES, NEED_THING, NO_PASSIVE, STATES, WITH_PREPOSITION

if TYPE_CHECKING:
    from spacy.tokens import Token

_ANY = word_set("any anyone anything anybody anywhere anymore either ever much neither nor")
_QUANTIFIERS = word_set("all every each both many some several few most everything everyone everybody")
_OF_SUBJECT = word_set("only both all each together alone either neither nor rather better merely")
_ASKED = word_set("you i we someone somebody anyone anybody")
_NEGATIVE = word_set("no nobody none nothing neither few hardly never noone no-one")
_BARE = word_set("let make see hear watch help have notice feel")
_LONGEST = 14
_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "CD", "DT", "WP"})


def check_clause(chain: Chain) -> None:
    """Refuse clauses that cannot be put into the passive whatever their object."""
    words = chain.words
    verb = chain.verb
    if any(word.dep_ == "auxpass" for word in words) or chain.subject.dep_ == "nsubjpass":
        raise Refusal("is-passive")
    lemma = verb_lemma(verb)
    if (lemma in NO_PASSIVE and lemma not in WITH_PREPOSITION) or not is_verb(lemma):
        raise Refusal("no-passive")
    if verb.tag_ == "VBZ" and chain.subject.tag_ == "PRP" and chain.subject.lower_ in {"i", "you", "we", "they"}:
        raise Refusal("unclear")
    if verb.tag_ == "VBG" and len(words) > 2 and words[-2].lower_ in {"be", "been"}:
        raise Refusal("tense")
    if verb.tag_ == "VBG" and (len(words) == 1 or words[-2].lemma_ != "be"):
        raise Refusal("unclear")
    if chain.is_inverted and not _is_question(chain.top):
        raise Refusal("unclear")
    if chain.is_inverted and words[0].tag_ == "MD" and chain.subject.lower_ in _ASKED:
        raise Refusal("request")
    if not chain.is_inverted and chain.subject.left_edge.i and chain.subject.left_edge.nbor(-1).lower_ == "how":
        raise Refusal("unclear")  # "How I miss you!"
    if chain.subject.right_edge.i + 1 < len(verb.doc) and chain.subject.right_edge.nbor().text == ",":
        if sum(token.text == "," for token in midfield(chain)) != 2:
            raise Refusal("unclear")
    denies = _denies(chain.subject)
    for token in midfield(chain):
        if token.lower_ in _OF_SUBJECT:
            raise Refusal("adverb")
        if denies and token.lower_ in _ANY:
            raise Refusal("polarity")
        if token.dep_ not in {"advmod", "neg", "punct", "npadvmod", "prep", "pobj", "intj"} and token.pos_ != "ADV":
            if not _is_within_adverbial(token, chain):
                raise Refusal("unclear")
    if chain.top.dep_ == "ccomp" and len(words) == 1 and verb_lemma(chain.top.head) in _BARE and verb.tag_ == "VBP":
        raise Refusal("not-finite")
    _check_subject(chain)


def _is_within_adverbial(token: Token, chain: Chain) -> bool:
    head = token
    while head.head.i != head.i and head.head.i not in {word.i for word in chain.words}:
        head = head.head
    return head.dep_ in {"advmod", "prep", "npadvmod"}


def _is_question(top: Token) -> bool:
    return any(token.text == "?" for token in top.doc[top.left_edge.i : top.right_edge.i + 1])


def _denies(subject: Token) -> bool:
    """Whether a subject is negative: "no women", "nobody", "few"."""
    return bool({subject.lower_, subject.left_edge.lower_} & _NEGATIVE)


def _check_subject(chain: Chain) -> None:
    subject = chain.subject
    if subject.tag_ in {"WDT", "EX"} or subject.lower_ in {"which", "that"} and subject.dep_ == "mark":
        raise Refusal("no-subject")
    if subject.tag_ in {"WP", "WRB"} or any(child.tag_ in {"WDT", "WP$"} for child in subject.lefts):
        raise Refusal("unclear")
    if subject.i > chain.verb.i or subject.pos_ in {"VERB", "AUX"} or subject.text[0] in "'’":
        raise Refusal("unclear")
    for child in chain.top.lefts:
        if child.dep_ in {"dep", "nmod", "compound", "appos", "attr"} or (
            child.dep_ == "npadvmod" and child.i < subject.i and child.lemma_.lower() not in MEASURES
        ):
            raise Refusal("unclear")
    first = subject.left_edge.lower_
    if first in {"not", "both", "either", "neither"} and first != subject.lower_:
        raise Refusal("scope")


def check_promotion(chain: Chain, promotion: Promotion, subject: NounPhrase) -> None:
    """Refuse objects that cannot become the subject."""
    phrase, lemma = promotion.phrase, verb_lemma(chain.verb)
    head = phrase.head
    if lemma in NO_PASSIVE and head.dep_ != "pobj":
        raise Refusal("no-passive")
    if is_reflexive_or_reciprocal(phrase) or may_be_bound(phrase, subject):
        raise Refusal("bound")
    if head.tag_ not in _NOUN_TAGS or _is_no_noun(head):
        raise Refusal("unclear")
    for noun in (*conjuncts(head)[1:], *conjuncts(subject.head)[1:]):
        if noun.tag_.startswith("VB"):
            raise Refusal("coordination")
    lower = head.lemma_.lower()
    if lower in MEASURES or head.lower_ in MEASURES or head.tag_ == "CD":
        raise Refusal("measure")
    if head.lower_ in AMOUNTS and head.i > chain.verb.i:
        raise Refusal("measure")
    if lower in LIGHT_OBJECTS.get(lemma, ()):
        raise Refusal("idiom")
    if lemma in BARE_IDIOMS and _is_bare(phrase) and lemma != "play":
        raise Refusal("idiom")
    if lemma in NEED_THING and head.tag_ == "PRP" and head.lower_ != "it" and promotion.anchor.i == chain.verb.i:
        raise Refusal("idiom")
    if chain.verb.tag_ == "VBP" and len(chain.words) == 1 and agreement(subject) == Agreement(3, False):
        raise Refusal("unclear")
    if head.tag_ == "PRP" and len(phrase) > 1 and len(conjuncts(head)) == 1:
        raise Refusal("unclear")
    if head.i < chain.first.i and not any(token.tag_ in {"WP", "WDT", "WRB", "WP$"} for token in phrase.tokens):
        raise Refusal("unclear")
    if lemma == "make" and promotion.anchor.i == chain.verb.i and _is_thing(subject):
        raise Refusal("no-passive")  # "Trays make good tables"
    if _may_be_name(subject):
        raise Refusal("unclear")
    second = promotion.anchor
    if second.dep_ == "dobj" and second.lemma_.lower() in LIGHT_OBJECTS.get(lemma, ()):
        raise Refusal("idiom")
    _check_weight(phrase, subject)
    _check_scope(chain, phrase)
    if any(token.lower_ == "by" for token in subject.tokens):
        raise Refusal("attachment")
    if subject.head.tag_ == "PRP" and OBJECT_FORMS.get(subject.head.lower_) in {one.lower_ for one in phrase.tokens}:
        if len(phrase) > 1:
            raise Refusal("bound")
    if lemma in STATES and _is_odd(chain, phrase):
        raise Refusal("odd")


def _is_no_noun(head: Token) -> bool:
    """Whether the lexicon has the word, but as an adverb only: "running indoors"."""
    if head.tag_ not in {"NN", "NNS"}:
        return False
    if noun_files(head.lower_):
        return False
    if is_adverb(head.lower_):
        return True
    if noun_files(head.lemma_.lower()):
        return False
    return (head.left_edge.i == head.i and head.text.islower() and head.tag_ == "NN")


def _is_thing(subject: NounPhrase) -> bool:
    """Whether a subject is a common noun for neither a person, an animal nor a group."""
    files = noun_files(subject.head.lemma_.lower())
    return subject.head.tag_ in {"NN", "NNS"} and bool(files) and files[0] not in {PERSON, ANIMAL, GROUP}


def _may_be_name(subject: NounPhrase) -> bool:
    """Whether a capital at the start of a sentence may be that of a name which the parser takes for a noun: "Rose"."""
    head = subject.head
    if len(subject) > 1 or head.tag_ != "NN" or not head.text[:1].isupper():
        return False
    return noun_files(head.lower_)[:1] in {(ANIMAL,), (ARTIFACT,), (BODY,), (PERSON,), (PLANT,), ()}


def _is_bare(phrase: NounPhrase) -> bool:
    return len(phrase) == 1 and phrase.head.tag_ == "NN"


def _check_weight(phrase: NounPhrase, subject: NounPhrase) -> None:
    for one in (phrase, subject):
        if len(one) > _LONGEST:
            raise Refusal("heavy")
        if any(token.text in {",", ";", ":", "(", "—", "–", "--", "..."} for token in one.tokens):
            raise Refusal("heavy")
        if any(token.tag_ == "UH" or token.dep_ == "intj" for token in one.tokens):
            raise Refusal("unclear")
    if phrase.first.tag_ in {"WRB", "WP", "WDT"} and phrase.first.i > subject.first.i:
        raise Refusal("clause-object")


def _check_scope(chain: Chain, phrase: NounPhrase) -> None:
    words = {token.lower_ for token in phrase.tokens}
    if words & _ANY and not (chain.is_inverted and chain.negation is None):
        raise Refusal("polarity")
    if chain.negation is not None and (words & _QUANTIFIERS or any(token.tag_ == "CD" for token in phrase.tokens)):
        raise Refusal("scope")


def _is_odd(chain: Chain, phrase: NounPhrase) -> bool:
    """Whether the passive of a verb of the mind would sound forced: "It is needed by me"."""
    if chain.subject.lower_ not in {"i", "you", "we", "u"}:
        return False
    head = phrase.head
    lemma = verb_lemma(chain.verb)
    if lemma in FORCED or (lemma in {"see", "hear"} and chain.first.tag_ in {"VBP", "VB"} and not chain.words[2:]):
        return True
    if head.tag_ == "PRP":
        return head.lower_ == "it"
    return head.tag_ not in {"NNP"} and PERSON not in noun_files(head.lemma_.lower())[:1]
