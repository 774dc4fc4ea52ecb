"""Agreement: the person and number that a noun phrase demands of its verb."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.inflection import lemmas
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token, has_word

_QUANTITY_NOUNS = word_list("quantity nouns")
"""Words after which the verb agrees with the noun behind “of”: “a lot of people are”, “half of it is”."""
_SINGULAR_PRONOUNS = word_list("singular pronouns")
_PLURAL_PRONOUNS = word_set("these those both few fewer several many two three they them we us ones others 'em ’em")
_PLURAL_NOUNS = word_set("people police cattle men women children folks folk feet teeth mice geese oxen")
_SINGULAR_NOUNS_IN_S = word_list("singular nouns in s")
_INVARIABLE_NOUNS = word_list("invariable nouns")
_AMBIGUOUS_WORDS = word_set("data media none who which what same any all some most more enough")
_SEAFOOD = word_set("fish salmon trout shrimp")
_GROUP_ADJECTIVES = word_set("poor rich young old elderly blind dead homeless injured unemployed")
"""Adjectives that name people after “the”: “the rich are”."""
_PLURAL_DETERMINERS = word_list("plural determiners")
_SINGULAR_DETERMINERS = word_set("a an this that each every another one either neither much")


class VerbAgreement(NamedTuple):
    """Person (1 to 3) and number."""

    person: int
    plural: bool


_SINGULAR, _PLURAL = VerbAgreement(3, False), VerbAgreement(3, True)
_PRONOUNS = {
    **dict.fromkeys(("i", "me", "myself"), VerbAgreement(1, False)),
    **dict.fromkeys(("we", "us", "ourselves"), VerbAgreement(1, True)),
    **dict.fromkeys(("you", "u", "ya", "yourself", "thee", "thou"), VerbAgreement(2, False)),
    "yourselves": VerbAgreement(2, True),
    **dict.fromkeys(("they", "them", "'em", "’em", "em", "themselves"), _PLURAL),
    **dict.fromkeys(("he", "him", "she", "her", "it", "himself", "herself", "itself"), _SINGULAR),
}


def conjuncts(head: Token) -> list[Token]:
    """Return the heads of a coordination, or the noun alone if it is not coordinated."""
    heads = [head]
    for noun in heads:  # grows during the iteration
        for child in noun.children:
            if child.dep_ == "conj":
                heads.append(child)
                break
    return heads


def conjunction(head: Token) -> str | None:
    """Return the conjunction of a coordination: "and", "or", "nor"."""
    words = [child.lower_ for noun in conjuncts(head) for child in noun.children if child.dep_ == "cc"]
    return words[-1] if words else None


def agreement_of(head: Token, last: int) -> VerbAgreement | None:
    """Return the agreement of the phrase of a noun that ends at a token index, or None if it is ambiguous."""
    nouns = [noun for noun in conjuncts(head) if noun.i <= last]
    if len(nouns) > 1:
        return _coordinated_agreement(nouns)
    lower = head.lower_
    if head.tag_ in {"PRP", "WP"} or lower in {"i", "u", "ya"}:
        return _PRONOUNS.get(lower)
    if lower in _QUANTITY_NOUNS:
        counted = _counted_noun(head, last)
        if lower in {"number", "variety", "range"} and not _has_determiner(head, {"a", "an"}):
            counted = None
        if counted is not None:
            agreement = agreement_of(counted, last)
            return None if agreement is None else VerbAgreement(3, agreement.plural)
    if lower in _SINGULAR_PRONOUNS:
        return _SINGULAR
    return _PLURAL if lower in _PLURAL_PRONOUNS or lower in _PLURAL_NOUNS else _noun_agreement(head)


def _coordinated_agreement(nouns: list[Token]) -> VerbAgreement | None:
    word = conjunction(nouns[0])
    parts = [_conjunct_agreement(noun) for noun in nouns]
    if word in {"or", "nor"}:
        return parts[-1] if parts[-1] is not None and parts[-1].person == 3 else None
    if word not in {"and", "&"}:
        return None
    if _number_of_determiner(nouns[0]) is False and _has_determiner(nouns[0], {"each", "every"}):
        return _SINGULAR
    return VerbAgreement(min((part.person for part in parts if part is not None), default=3), True)


def _conjunct_agreement(noun: Token) -> VerbAgreement | None:
    if noun.tag_ == "PRP":
        return _PRONOUNS.get(noun.lower_)
    return _PLURAL if noun.lower_ in _PLURAL_PRONOUNS or noun.lower_ in _PLURAL_NOUNS else _noun_agreement(noun)


def _noun_agreement(head: Token) -> VerbAgreement | None:
    plural = _number_of_determiner(head)
    if plural is False and head.tag_ == "NNS" and head.lower_.endswith("s"):
        return None  # "a savings"
    if plural is None:
        plural = _number_of_form(head)
    return None if plural is None else VerbAgreement(3, plural)


def _number_of_form(head: Token) -> bool | None:
    lower, tag = head.lower_, head.tag_
    if lower in _INVARIABLE_NOUNS or lower in _AMBIGUOUS_WORDS:
        # Without modifiers the animal is food: "Fish is good for you."
        return False if lower in _SEAFOOD and not head.lefts else None
    if lower in _SINGULAR_NOUNS_IN_S:
        return False
    if tag in {"NN", "NNP", "VBG"}:
        return tag == "NN" and _is_mistagged_plural(lower)
    if tag == "NNPS":
        # "The Smiths are", but "The United States is", "General Motors is"
        has_compound = head.has_child("compound")
        return True if _has_determiner(head, {"the"}) and not has_compound else None
    if tag == "CD":
        return lower not in {"one", "1"}
    if tag.startswith("JJ"):
        return True if lower in _GROUP_ADJECTIVES and _has_determiner(head, {"the"}) else None
    return not _is_mistagged_singular(lower) if tag == "NNS" else None


def _number_of_determiner(head: Token) -> bool | None:
    """Return True for a plural determiner, False for a singular one, or None if none of them shows the number."""
    number = None
    for child in head.lefts:
        lower = child.lower_
        is_numeral = child.tag_ == "CD" and child.dep_ == "nummod" and lower not in {"one", "1"}
        if is_numeral or lower in _PLURAL_DETERMINERS:
            return True
        if lower in _SINGULAR_DETERMINERS and child.dep_ in {"det", "nummod"}:
            number = False
    return number


def _counted_noun(head: Token, last: int) -> Token | None:
    """Return the noun after “of”."""
    for child in head.children:
        if child.dep_ == "prep" and child.lower_ == "of" and head.i < child.i <= last:
            return child.child("pobj")
    return None


def _has_determiner(head: Token, words: AbstractSet[str]) -> bool:
    return has_word(head.lefts, words)


@lru_cache(maxsize=8_192)
def _is_mistagged_singular(word: str) -> bool:
    """Return whether a noun that is tagged as plural is singular: "broccoli"."""
    return not word.endswith("s") and lemmas(word, "n")[0] == word and default_lexicon().knows(word, "n")


@lru_cache(maxsize=8_192)
def _is_mistagged_plural(word: str) -> bool:
    """Return whether a noun that is tagged as singular is plural: "audits"."""
    return word.endswith("s") and lemmas(word, "n")[0] != word and not default_lexicon().knows(word, "n")
