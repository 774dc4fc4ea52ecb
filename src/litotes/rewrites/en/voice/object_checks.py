"""Reasons why an object cannot become the subject: a misread clause, meaning, binding, scope, idioms, weight."""

from __future__ import annotations

from typing import NamedTuple

from litotes.languages.base import word_set
from litotes.languages.en import quantifiers, valency
from litotes.languages.en.lexicon.wordnet import is_known
from litotes.languages.en.morphology.inflection import lemmas
from litotes.languages.en.negation import NEGATIVE_ADVERBS, NEGATIVE_PRONOUNS
from litotes.languages.en.nouns import AMOUNT_NOUNS, MASS_SUPERSENSES, MEASURE_NOUNS, noun_supersense, noun_supersenses
from litotes.languages.en.pronouns import SPEAKERS
from litotes.languages.en.syntax.tags import NOMINAL_TAGS, NOUN_MODIFIER_DEPS, WH_TAGS
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token, has_word
from litotes.rewrites.base import refuse_if
from litotes.rewrites.en.grammar.agreement import VerbAgreement, conjuncts
from litotes.rewrites.en.grammar.noun_phrases import (
    OBJECT_FORMS,
    NounPhrase,
    agreement,
    is_reflexive_or_reciprocal,
    may_be_bound,
)
from litotes.rewrites.en.voice.clause_checks import POLARITY_ITEMS
from litotes.rewrites.en.voice.objects import Promotion
from litotes.rewrites.en.voice.verbs import VerbChain, verb_lemma

_FORMS_OF_ADDRESS = word_set("mom mum dad daddy mommy mama papa grandma grandpa mother father god teacher")
"""Nouns that are used as names."""
_OF_CLAUSES = frozenset({"nsubj", "mark", "aux"})
_NOISE = word_list("noise")


def _is_misread(chain: VerbChain, phrase: NounPhrase, subject: NounPhrase) -> bool:
    """Whether anything in a clause and its object shows that the parse is wrong."""
    is_plain = chain.verb.tag_ == "VBP" and len(chain.words) == 1
    return (
        _is_no_noun(phrase.head)
        or (is_plain and agreement(subject) == VerbAgreement(3, plural=False))
        or _object_has_loose_ends(phrase)
        or _subject_has_loose_ends(subject)
        or _object_stands_first(chain, phrase)
        or _object_continues(phrase)
        or _object_contains_clause(phrase, subject)
        or _participle_is_adjective(chain, phrase)
        or _object_contains_verb(chain, phrase)
        or _is_noise(phrase)
        or _is_noise(subject)
    )


def _is_no_noun(head: Token) -> bool:
    if head.tag_ not in NOMINAL_TAGS:
        return True
    if head.tag_ not in {"NN", "NNS"} or noun_supersenses(head.lower_) or head.lower_.endswith(_PRONOUN_ENDINGS):
        return False
    if is_known(head.lower_, "r"):  # "running indoors"
        return True
    if noun_supersenses(head.lemma_.lower()) or not head.text.islower():
        return False
    return not any(child.dep_ in NOUN_MODIFIER_DEPS for child in head.lefts)


def _object_has_loose_ends(phrase: NounPhrase) -> bool:
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


def _subject_has_loose_ends(subject: NounPhrase) -> bool:
    head, last = subject.head, subject.last
    if len(subject) == 1 and head.tag_ == "NN" and head.text.islower() and head.lower_ not in _FORMS_OF_ADDRESS:
        # "I think that game aged me": "that" is taken for a conjunction.
        return noun_supersense(head) in {"person", "animal", "artifact"} and not head.lower_.endswith(_PRONOUN_ENDINGS)
    if last.tag_ == "POS" or last.dep_ == "cc" or (last.tag_ in {"RBR", "JJR", "MD"} and last.head.i == head.i):
        return True
    if last.lower_ in quantifiers.FLOATING_QUANTIFIERS and head.tag_ not in {"PRP", "DT"}:
        return True
    return last.lower_ in {"which", "whom", "whose"}


def _object_stands_first(chain: VerbChain, phrase: NounPhrase) -> bool:
    if phrase.head.i > chain.first.i:
        return False
    if chain.top.dep_ == "ROOT" and not chain.is_inverted:
        return True  # "What this guy said."
    if chain.first.lower_ in {"do", "does", "did"} and not chain.has_do:
        return True  # "What does that have to do with it?"
    return not any(token.tag_ in WH_TAGS for token in phrase.tokens)


def _object_continues(phrase: NounPhrase) -> bool:
    """ "loves them both", "tries her best"."""
    if phrase.head.tag_ != "PRP" or phrase.last.next is None:
        return False
    following = phrase.last.nbor()
    if following.lower_ in quantifiers.FLOATING_QUANTIFIERS:
        return True
    is_noun = following.tag_ in {"JJS", "NN", "NNS", "JJ"} and following.dep_ != "oprd"
    return is_noun and phrase.text.lower() == "her"


def _object_contains_clause(phrase: NounPhrase, subject: NounPhrase) -> bool:
    """ "When they don't understand things they invent gods": two clauses, not one inside the other."""
    for child in phrase.head.rights:
        first: Token = child.left_edge
        if child.dep_ == "relcl" and first.tag_ not in WH_TAGS and first.lower_ != "that":
            if any(token.dep_ in {"dobj", "ccomp", "oprd", "attr"} for token in child.rights):
                return True
            return bool(child.rights) and any(token.lower_ == subject.text.lower() for token in child.lefts)
    return False


def _participle_is_adjective(chain: VerbChain, phrase: NounPhrase) -> bool:
    """ "A girl has colored patches"."""
    is_perfect = len(chain.words) == 2 and chain.first.lemma_ == "have" and phrase.head.tag_ in {"NN", "NNS"}
    return is_perfect and phrase.first.i == phrase.head.i and is_known(chain.verb.lower_, "a")


def _object_contains_verb(chain: VerbChain, phrase: NounPhrase) -> bool:
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


def _is_noise(phrase: NounPhrase) -> bool:
    for token in phrase.tokens:
        if token.tag_ == "UH" or token.dep_ == "intj" or token.lower_ in _NOISE:
            return True
        is_checked = token.tag_ in {"NN", "NNS", "JJ"} and token.dep_ != "compound"
        if is_checked and token.text.islower() and token.text.isalpha() and not _is_in_lexicon(token):
            return True
        if token.lower_ == "its" and token.i < phrase.last.i and token.nbor().tag_ in {"DT", "IN"}:
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


_QUANTIFIERS = (
    quantifiers.UNIVERSAL_DETERMINERS | quantifiers.UNIVERSAL_PRONOUNS | word_set("many some several few most")
)
_SCOPE_WORDS = _QUANTIFIERS | quantifiers.SOME_PRONOUNS
_NEGATIVE_ADVERBS = NEGATIVE_ADVERBS - {"scarcely"}
_BREAKS = frozenset({"?", "!", ",", ";", ":", "(", "—", "–", "--", "..."})
_NOUNS_WITH_TO = word_list("nouns with to")
"""Nouns that take "to"."""
_COVERING_VERBS = word_set("line fill cover decorate surround")
_CONTESTS = word_set("game match battle war election race fight bet case contest")
_MAX_TOKENS = 14
_PRONOUN_ENDINGS = ("one", "body", "thing")
_BARE_SUPERSENSES = MASS_SUPERSENSES | {"event", "possession", "relation"}
"""Supersenses of nouns that need no article: acts, feelings, food…"""
_OWNERS_BY_PRONOUN = {"mine": "i", "ours": "we", "yours": "you", "hers": "she", "theirs": "they"}
_OWNERS_BY_SUBJECT = {"i": {"i"}, "we": {"we", "i"}, "you": {"you"}, "she": {"she"}, "they": {"they"}}


class _Case(NamedTuple):
    """A clause and the phrase that would become its subject."""

    chain: VerbChain
    promotion: Promotion
    subject: NounPhrase
    lemma: str

    @property
    def phrase(self) -> NounPhrase:
        return self.promotion.phrase

    @property
    def head(self) -> Token:
        return self.promotion.phrase.head


def check_promotion(chain: VerbChain, promotion: Promotion, subject: NounPhrase) -> None:
    """Refuse objects that cannot become the subject."""
    case = _Case(chain, promotion, subject, verb_lemma(chain.verb))
    refuse_if(_has_no_passive_object(case), "no-passive")
    refuse_if(_is_measure(case), "measure")
    refuse_if(_is_idiom(case), "idiom")
    refuse_if(_is_bound(case), "bound")
    nouns = [*conjuncts(case.head)[1:], *conjuncts(subject.head)[1:]]
    refuse_if(any(noun.tag_.startswith("VB") for noun in nouns), "coordination")
    refuse_if(_is_misread(chain, case.phrase, subject), "unclear")
    refuse_if(_is_identity(case), "no-passive")
    refuse_if(_may_be_name(case), "unclear")
    refuse_if('""' in case.phrase.text or _is_heavy(case.phrase) or _is_heavy(subject), "heavy")
    first = case.phrase.first
    refuse_if(first.tag_ in {"WRB", "WP", "WDT"} and first.i > subject.first.i, "clause-object")
    refuse_if(_needs_negation(case), "polarity")
    refuse_if(_changes_scope(case), "scope")
    refuse_if(_is_attached_elsewhere(case), "attachment")
    refuse_if(_is_odd(case), "odd")


def _is_heavy(phrase: NounPhrase) -> bool:
    return len(phrase) > _MAX_TOKENS or any(token.text in _BREAKS for token in phrase.tokens)


def _has_no_passive_object(case: _Case) -> bool:
    if case.lemma == "leave" and _leaves_in_state(case):
        return False
    if case.lemma == "lose" and case.head.lemma_.lower() in _CONTESTS:
        return False
    return (
        case.lemma in valency.NO_PASSIVE_VERBS or case.lemma in valency.PREPOSITIONAL_ONLY_VERBS
    ) and case.head.dep_ != "pobj"


def _leaves_in_state(case: _Case) -> bool:
    return case.promotion.anchor.i > case.phrase.last.i or any(
        child.dep_ == "prep" and child.lower_ in {"on", "in", "at", "with", "behind", "to"}
        for child in case.chain.verb.rights
        if child.i > case.phrase.last.i
    )


def _is_bound(case: _Case) -> bool:
    if is_reflexive_or_reciprocal(case.phrase) or may_be_bound(case.phrase, case.subject):
        return True
    if _OWNERS_BY_PRONOUN.get(case.head.lower_, "") in _OWNERS_BY_SUBJECT.get(case.subject.head.lower_, {"other"}):
        return True
    if case.phrase.text.lower() == case.subject.text.lower():
        return True  # "You do you"
    own = OBJECT_FORMS.get(case.subject.head.lower_)
    return own is not None and len(case.phrase) > 1 and any(token.lower_ == own for token in case.phrase.tokens)


def _is_measure(case: _Case) -> bool:
    head = case.head
    if case.phrase.first.lower_ == "every" and "time" in {token.lower_ for token in head.doc[head.i : head.i + 3]}:
        return True
    if head.tag_ == "CD" or head.lower_ in MEASURE_NOUNS or head.lemma_.lower() in MEASURE_NOUNS:
        return True
    if head.lower_ not in AMOUNT_NOUNS or head.i < case.chain.verb.i:
        return False
    return not has_word(head.rights, {"of"})  # "eats a lot", but "a lot of people"


def _is_idiom(case: _Case) -> bool:
    light = valency.LIGHT_OBJECTS.get(case.lemma, frozenset())
    second = case.promotion.anchor
    if {second.dep_, case.head.dep_} >= {"dobj", "dative"}:
        noun = second if second.dep_ == "dobj" else case.head
        return noun.lemma_.lower() in valency.IDIOMATIC_GIFTS
    if case.head.lemma_.lower() in light or (case.lemma == "ring" and case.phrase.text.lower() == "a bell"):
        return True
    if case.lemma == "do" and case.head.lower_ == "it" and case.subject.text.lower() in {"this", "that"}:
        return True
    if case.lemma == "take" and case.subject.text.lower() in {"it", "this", "that"}:
        return True
    if case.lemma == "work" and case.promotion.anchor.i == case.chain.verb.i:
        return True
    if case.lemma in valency.BARE_NOUN_IDIOM_VERBS and len(case.phrase) == 1 and case.head.tag_ == "NN":
        return True
    return (
        case.lemma in valency.TWO_OBJECT_IDIOM_VERBS
        and case.head.tag_ == "PRP"
        and case.head.lower_ != "it"
        and case.promotion.anchor.i == case.chain.verb.i
    )


def _is_identity(case: _Case) -> bool:
    """ "Trays make good tables": they are tables, they do not make them."""
    head = case.subject.head
    if case.lemma != "make" or case.promotion.anchor.i != case.chain.verb.i or head.tag_ not in {"NN", "NNS"}:
        return False
    return noun_supersense(head) not in {None, "person", "animal", "group"}


def _may_be_name(case: _Case) -> bool:
    """Whether a capital at the start may be that of a name that the parser takes for a noun: "Rose"."""
    head = case.subject.head
    if (
        len(case.subject) > 1
        or head.tag_ != "NN"
        or not head.text[:1].isupper()
        or head.lower_.endswith(_PRONOUN_ENDINGS)
    ):
        return False
    return case.lemma not in valency.EFFECT_VERBS or noun_supersense(head) not in _BARE_SUPERSENSES


def _needs_negation(case: _Case) -> bool:
    if case.chain.is_inverted and case.chain.negation is None:
        return False
    if case.chain.negation is not None and case.phrase.text.lower() == "a thing":
        return True
    return not POLARITY_ITEMS.isdisjoint([token.lower_ for token in case.phrase.tokens])


def _changes_scope(case: _Case) -> bool:
    """Whether an indefinite phrase would leave the scope of a negation, or enter it."""
    if case.subject.head.lower_ in NEGATIVE_PRONOUNS or case.subject.first.lower_ in {"no", "neither", "few"}:
        return True
    if case.chain.negation is None and _NEGATIVE_ADVERBS.isdisjoint(
        [child.lower_ for child in case.chain.verb.children]
    ):
        return False
    if case.subject.first.lower_ in {"a", "an"} or case.phrase.first.lower_ in {"a", "an"}:
        return True
    return any(token.lower_ in _SCOPE_WORDS or token.tag_ == "CD" for token in case.phrase.tokens)


def _is_attached_elsewhere(case: _Case) -> bool:
    """Whether a phrase or infinitive that the parser attaches to the object may belong to the verb."""
    if "by" in [token.lower_ for token in case.subject.tokens]:
        return True
    words = [token.lower_ for token in case.phrase.tokens]
    if case.lemma in valency.PUTTING_VERBS and ("into" in words or "onto" in words):
        return True
    following = case.phrase.last.next or case.head
    if following.lower_ == "to" and following.dep_ == "prep" and case.head.lemma_.lower() in _NOUNS_WITH_TO:
        return True
    if following.lower_ in {"outside", "inside", "fine"} or (
        following.lower_ == "with" and case.lemma in _COVERING_VERBS
    ):
        return True
    if any(child.dep_ == "relcl" for child in case.promotion.anchor.rights if case.promotion.anchor.dep_ == "dobj"):
        return True  # the by-phrase would join the relative clause
    is_controlled = case.lemma in valency.INFINITIVE_VERBS and any(child.dep_ == "relcl" for child in case.head.rights)
    return is_controlled and "to" in words


def _is_odd(case: _Case) -> bool:
    """Whether the passive of a verb of a mental state would sound forced: "It is needed by me"."""
    chain, head = case.chain, case.head
    if case.lemma == "need" and any(child.dep_ in {"acl", "relcl"} and child.tag_ == "VB" for child in head.rights):
        return True
    if "need" in {case.lemma, chain.first.lemma_} and (head.tag_ == "PRP" or not _is_person(case.subject.head)):
        return True
    if case.lemma == "keep" and head.tag_ == "PRP" and head.lower_ != "it":
        return True  # "I should not keep you"
    if case.lemma not in valency.EXPERIENCE_VERBS or case.subject.text.lower() not in SPEAKERS | {"you", "u"}:
        return False
    is_now = chain.first.tag_ in {"VBP", "VB"} and len(chain.words) < 3
    if case.lemma in valency.FORCED_PASSIVE_VERBS or (case.lemma in {"see", "hear"} and is_now):
        return True
    if head.tag_ == "PRP":
        return head.lower_ == "it"
    return head.tag_ != "NNP" and noun_supersense(head) != "person"


def _is_person(noun: Token) -> bool:
    return noun.tag_ in {"PRP", "NNP", "NNPS"} or noun_supersense(noun) in {None, "person", "animal", "group"}
