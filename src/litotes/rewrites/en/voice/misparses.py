"""Signs that the parser has misread a clause, so that its object or its subject is something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import is_known
from litotes.languages.en.morphology.inflection import lemmas
from litotes.languages.en.nouns import noun_supersense, noun_supersenses
from litotes.languages.en.quantifiers import FLOATING_QUANTIFIERS
from litotes.languages.en.syntax.tags import NOMINAL_TAGS, NOUN_MODIFIER_DEPS, WH_TAGS
from litotes.rewrites.en.grammar.agreement import VerbAgreement, conjuncts
from litotes.rewrites.en.grammar.noun_phrases import OBJECT_FORMS, NounPhrase, agreement
from litotes.rewrites.en.voice.verb_chain import VerbChain

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_PRONOUN_ENDINGS = ("one", "body", "thing")
_FORMS_OF_ADDRESS = word_set("mom mum dad daddy mommy mama papa grandma grandpa mother father god teacher")
"""Nouns that are used as names."""
_OF_CLAUSES = frozenset({"nsubj", "mark", "aux"})
_NOISE = word_set(
    """
    lol lmao omg haha hahaha yeah wow ugh hmm oh lmfao rofl btw tbh imo damn u dude bro bruh kinda sorta ah ahh aww
    aw meh idk dunno prolly thanks whoops yikes ewgh ew hey hell
    """
)


def is_misread(chain: VerbChain, phrase: NounPhrase, subject: NounPhrase) -> bool:
    """Whether anything in a clause and its object shows that the parse is wrong."""
    for is_sign in _SIGNS:  # noqa: SIM110  (faster than any())
        if is_sign(chain, phrase, subject):
            return True
    return False


def _object_is_not_noun(_chain: VerbChain, phrase: NounPhrase, _subject: NounPhrase) -> bool:
    head = phrase.head
    if head.tag_ not in NOMINAL_TAGS:
        return True
    if head.tag_ not in {"NN", "NNS"} or noun_supersenses(head.lower_) or head.lower_.endswith(_PRONOUN_ENDINGS):
        return False
    if is_known(head.lower_, "r"):  # "running indoors"
        return True
    if noun_supersenses(head.lemma_.lower()) or not head.text.islower():
        return False
    return not any(child.dep_ in NOUN_MODIFIER_DEPS for child in head.lefts)


def _verb_does_not_agree(chain: VerbChain, _phrase: NounPhrase, subject: NounPhrase) -> bool:
    is_plain = chain.verb.tag_ == "VBP" and len(chain.words) == 1
    return is_plain and agreement(subject) == VerbAgreement(3, plural=False)


def _object_has_loose_ends(_chain: VerbChain, phrase: NounPhrase, _subject: NounPhrase) -> bool:
    head, last = phrase.head, phrase.last
    if head.tag_ == "PRP" and len(phrase) > 1 and len(conjuncts(head)) == 1:
        return True
    if last.dep_ == "cc" or any(child.tag_ == "PRP" or child.dep_ in _OF_CLAUSES for child in head.lefts):
        return True
    if head.tag_ == "PRP" and head.lower_ in OBJECT_FORMS:
        return True  # "they really do I think": a subject form
    if last.tag_ in {"IN", "TO"}:
        return not any(child.dep_ == "relcl" for child in head.rights)
    if last.i == head.i or last.head.i != head.i:
        return False
    return last.tag_ in {"RB", "RBR", "JJR", "POS"} or (
        last.tag_ == "JJ" and not head.lower_.endswith(_PRONOUN_ENDINGS)
    )


def _subject_has_loose_ends(_chain: VerbChain, _phrase: NounPhrase, subject: NounPhrase) -> bool:
    head, last = subject.head, subject.last
    if len(subject) == 1 and head.tag_ == "NN" and head.text.islower() and head.lower_ not in _FORMS_OF_ADDRESS:
        # "I think that game aged me": "that" is taken for a conjunction.
        return noun_supersense(head) in {"person", "animal", "artifact"} and not head.lower_.endswith(_PRONOUN_ENDINGS)
    if last.tag_ == "POS" or last.dep_ == "cc":
        return True
    if last.tag_ in {"RBR", "JJR", "MD"} and last.head.i == head.i:
        return True
    if last.lower_ in FLOATING_QUANTIFIERS and head.tag_ not in {"PRP", "DT"}:
        return True
    return last.lower_ in {"which", "whom", "whose"}


def _object_stands_first(chain: VerbChain, phrase: NounPhrase, _subject: NounPhrase) -> bool:
    if phrase.head.i > chain.first.i:
        return False
    if chain.top.dep_ == "ROOT" and not chain.is_inverted:
        return True  # "What this guy said."
    if chain.first.lower_ in {"do", "does", "did"} and not chain.has_do:
        return True  # "What does that have to do with it?"
    return not any(token.tag_ in WH_TAGS for token in phrase.tokens)


def _object_continues(_chain: VerbChain, phrase: NounPhrase, _subject: NounPhrase) -> bool:
    """ "loves them both", "tries her best"."""
    if phrase.head.tag_ != "PRP" or phrase.last.i + 1 == len(phrase.last.doc):
        return False
    following = phrase.last.nbor()
    if following.lower_ in FLOATING_QUANTIFIERS:
        return True
    is_noun = following.tag_ in {"JJS", "NN", "NNS", "JJ"} and following.dep_ != "oprd"
    return is_noun and phrase.text.lower() == "her"


def _object_contains_clause(_chain: VerbChain, phrase: NounPhrase, subject: NounPhrase) -> bool:
    """ "When they don't understand things they invent gods": two clauses, not one inside the other."""
    for child in phrase.head.rights:
        first: Token = child.left_edge
        if child.dep_ == "relcl" and first.tag_ not in WH_TAGS and first.lower_ != "that":
            if any(token.dep_ in {"dobj", "ccomp", "oprd", "attr"} for token in child.rights):
                return True
            return bool(child.rights) and any(token.lower_ == subject.text.lower() for token in child.lefts)
    return False


def _participle_is_adjective(chain: VerbChain, phrase: NounPhrase, _subject: NounPhrase) -> bool:
    """ "A girl has colored patches"."""
    is_perfect = len(chain.words) == 2 and chain.first.lemma_ == "have" and phrase.head.tag_ in {"NN", "NNS"}
    return is_perfect and phrase.first.i == phrase.head.i and is_known(chain.verb.lower_, "a")


def _object_contains_verb(chain: VerbChain, phrase: NounPhrase, _subject: NounPhrase) -> bool:
    """ "She sings a song and dances", read as "a song and some dances"."""
    first, *conjoined = conjuncts(phrase.head)
    if not conjoined:
        return False
    last = conjoined[-1]
    is_bare = last.i <= phrase.last.i and not last.lefts
    if is_bare and chain.verb.tag_ == "VBG" and last.lower_.endswith("ing"):
        return True  # "is holding food and pointing at me"
    if phrase.first.i == first.i:
        return False
    return is_bare and last.tag_ in {"NN", "NNS"} and any(is_known(lemma, "v") for lemma in lemmas(last.lower_, "v"))


def _is_noise(_chain: VerbChain, phrase: NounPhrase, subject: NounPhrase) -> bool:
    for phrase_or_subject in (phrase, subject):
        for token in phrase_or_subject.tokens:
            if token.tag_ == "UH" or token.dep_ == "intj" or token.lower_ in _NOISE:
                return True
            if (
                token.tag_ in _CHECKED_TAGS
                and token.dep_ != "compound"
                and token.text.islower()
                and token.text.isalpha()
                and not _is_in_lexicon(token)
            ):
                return True
            if token.lower_ == "its" and token.i < phrase_or_subject.last.i and token.nbor().tag_ in {"DT", "IN"}:
                return True
    return False


def _is_in_lexicon(token: Token) -> bool:
    """Whether the lexicon knows a word in any form; an unknown word is often a typing error."""
    lower, lemma = token.lower_, token.lemma_.lower()
    return bool(
        noun_supersenses(lemma)
        or noun_supersenses(lower)
        or is_known(lower, "a")
        or lower.endswith(_PRONOUN_ENDINGS)
        or any(is_known(base, "v") for base in lemmas(lower, "v"))
        or any(noun_supersenses(base) for base in lemmas(lower, "n"))
        or is_known(lower, "r")
    )


_CHECKED_TAGS = frozenset({"NN", "NNS", "JJ"})
_SIGNS: tuple[Callable[[VerbChain, NounPhrase, NounPhrase], bool], ...] = (
    _object_is_not_noun,
    _verb_does_not_agree,
    _object_has_loose_ends,
    _subject_has_loose_ends,
    _object_stands_first,
    _object_continues,
    _object_contains_clause,
    _participle_is_adjective,
    _object_contains_verb,
    _is_noise,
)
