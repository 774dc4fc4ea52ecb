"""What a verb agrees with: person and number of a noun, with what counts it, joins it and stands before it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.inflection import lemmas

if TYPE_CHECKING:
    from litotes.languages.tree import Token


_PARTS = word_set(
    """
    lot lots plenty number majority minority couple handful dozens bunch rest half quarter third percent % all
    some most any more none loads tons heaps hundreds thousands millions variety range
    """
)
"""What counts its "of": the verb agrees with what is counted ("a lot of people are", "half of it is")."""
_SINGLE = word_set(
    """
    each every either neither one anyone someone everyone nobody no-one somebody anybody everybody something
    nothing anything everything another much little this that it he she him her
    """
)
_MANY = word_set("these those both few fewer several many two three they them we us ones others 'em ’em")
_PLURAL_NOUNS = word_set("people police cattle men women children folks folk feet teeth mice geese oxen")
_SINGULAR_IN_S = word_set(
    """
    news physics mathematics economics politics gymnastics athletics linguistics measles billiards tennis series
    species means
    """
)
_SAME_IN_BOTH = word_set(
    """
    sheep deer fish series species aircraft means salmon offspring trout bison moose elk spacecraft shrimp
    headquarters
    """
)
_EITHER = word_set("data media none who which what same any all some most more enough")
_FOOD = word_set("fish salmon trout shrimp")
_GROUPS = word_set("poor rich young old elderly blind dead homeless injured unemployed")


class VerbAgreement(NamedTuple):
    """What a verb agrees with."""

    person: int
    plural: bool


def conjuncts(head: Token) -> list[Token]:
    """The heads of a coordination, the first one first; the noun alone if it is not coordinated."""
    found = [head]
    for noun in found:  # which grows on the way
        for child in noun.children:
            if child.dep_ == "conj":
                found.append(child)
                break
    return found


def conjunction(head: Token) -> str | None:
    """The word that joins a coordination: "and", "or", "nor"…"""
    found = [child.lower_ for noun in conjuncts(head) for child in noun.children if child.dep_ == "cc"]
    return found[-1] if found else None


def agreement_of(head: Token, last: int) -> VerbAgreement | None:
    """Person and number of a noun whose phrase ends at a place; None where it cannot be told."""
    joined = [noun for noun in conjuncts(head) if noun.i <= last]
    if len(joined) > 1:
        return _joined_agreement(joined, last)
    lower = head.lower_
    if head.tag_ in {"PRP", "WP"} or lower in {"i", "u", "ya"}:
        return _pronoun_agreement(lower)
    if lower in _PARTS:
        counted = _counted(head, last)
        if lower in {"number", "variety", "range"} and not _has_determiner(head, {"a", "an"}):
            counted = None
        if counted is not None:
            found = agreement_of(counted, last)
            return found if found is None else VerbAgreement(3, found.plural)
    if lower in _SINGLE:
        return VerbAgreement(3, False)
    return VerbAgreement(3, True) if lower in _MANY or lower in _PLURAL_NOUNS else _noun_agreement(head)


def _noun_agreement(head: Token) -> VerbAgreement | None:
    plural = _number_of_determiner(head)
    if plural is False and head.tag_ == "NNS" and head.lower_.endswith("s"):
        return None  # "a savings"
    if plural is None:
        plural = _number_of_form(head)
    return None if plural is None else VerbAgreement(3, plural)


def _number_of_form(head: Token) -> bool | None:
    """True for plural, False for singular, None where the form does not say."""
    lower, tag = head.lower_, head.tag_
    if lower in _SAME_IN_BOTH or lower in _EITHER:
        # Bare, the animal is food or stuff: "Fish is good for you."
        return False if lower in _FOOD and not any(True for _ in head.lefts) else None
    if lower in _SINGULAR_IN_S:
        return False
    if tag in {"NN", "NNP", "VBG"}:
        return tag == "NN" and _is_plural_form(lower)
    if tag == "NNPS":
        # "The Smiths are", but "The United States is", "General Motors is"
        return True if _has_determiner(head, {"the"}) and not _has_compound(head) else None
    if tag == "CD":
        return lower not in {"one", "1"}
    if tag.startswith("JJ"):
        return True if lower in _GROUPS and _has_determiner(head, {"the"}) else None
    return not _is_singular_form(lower) if tag == "NNS" else None


def _joined_agreement(joined: list[Token], last: int) -> VerbAgreement | None:
    word = conjunction(joined[0])
    parts = [_agreement_alone(noun, last) for noun in joined]
    if word in {"or", "nor"}:
        return parts[-1] if parts[-1] is not None and parts[-1].person == 3 else None
    if word not in {"and", "&"}:
        return None
    if _number_of_determiner(joined[0]) is False and _has_determiner(joined[0], {"each", "every"}):
        return VerbAgreement(3, False)
    people = [part.person for part in parts if part is not None]
    return VerbAgreement(min(people, default=3), True)


def _agreement_alone(noun: Token, last: int) -> VerbAgreement | None:
    """Of one member of a coordination."""
    if noun.tag_ == "PRP":
        return _pronoun_agreement(noun.lower_)
    return VerbAgreement(3, True) if noun.lower_ in _MANY or noun.lower_ in _PLURAL_NOUNS else _noun_agreement(noun)


def _pronoun_agreement(lower: str) -> VerbAgreement | None:
    if lower in {"i", "me", "myself"}:
        return VerbAgreement(1, False)
    if lower in {"we", "us", "ourselves"}:
        return VerbAgreement(1, True)
    if lower in {"you", "u", "ya", "yourself", "yourselves", "thee", "thou"}:
        return VerbAgreement(2, lower == "yourselves")
    if lower in {"they", "them", "'em", "’em", "em", "themselves"}:
        return VerbAgreement(3, True)
    return (
        VerbAgreement(3, False) if lower in {"he", "him", "she", "her", "it", "himself", "herself", "itself"} else None
    )


_PLURAL_DETERMINERS = word_set(
    """
    these those both few several many two three four five six seven eight nine ten eleven twelve hundred thousand
    fewer various numerous dozen
    """
)
_SINGULAR_DETERMINERS = word_set("a an this that each every another one either neither much")


def _number_of_determiner(head: Token) -> bool | None:
    """True for plural, False for singular, None where no word before the noun says."""
    found = None
    for child in head.children:
        if child.i >= head.i:
            break
        lower = child.lower_
        if lower in _PLURAL_DETERMINERS or (
            child.tag_ == "CD" and child.dep_ == "nummod" and lower not in {"one", "1"}
        ):
            return True
        if lower in _SINGULAR_DETERMINERS and child.dep_ in {"det", "nummod"}:
            found = False
    return found


def _counted(head: Token, last: int) -> Token | None:
    for child in head.children:
        if child.dep_ == "prep" and child.lower_ == "of" and head.i < child.i <= last:
            return next((noun for noun in child.children if noun.dep_ == "pobj"), None)
    return None


def _has_determiner(head: Token, words: set[str]) -> bool:
    return any(child.lower_ in words and child.i < head.i for child in head.children)


def _has_compound(head: Token) -> bool:
    return any(child.dep_ == "compound" for child in head.children)


@lru_cache(maxsize=8_192)
def _is_singular_form(word: str) -> bool:
    """Whether a noun that was taken for a plural is none: "broccoli"."""
    return not word.endswith("s") and lemmas(word, "n")[0] == word and default_lexicon().knows(word, "n")


@lru_cache(maxsize=8_192)
def _is_plural_form(word: str) -> bool:
    """Whether a noun that was taken for a singular is none: "audits"."""
    return word.endswith("s") and lemmas(word, "n")[0] != word and not default_lexicon().knows(word, "n")
