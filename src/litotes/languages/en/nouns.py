"""Classes of nouns: people, animals, things and places, by lists and by WordNet's supersenses; mass nouns; names."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.pronouns import PERSONAL_PRONOUNS, REFLEXIVE_PERSONS, RELATIVE_PERSONS
from litotes.languages.en.syntax.tags import PROPER_NOUN_TAGS
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token

NounClass: TypeAlias = Literal["person", "animal", "group", "thing", "stuff", "place", "other"]

_BY_SUPERSENSE: dict[str, NounClass] = {
    "animal": "animal",
    "artifact": "thing",
    "body": "thing",
    "food": "stuff",
    "group": "group",
    "location": "place",
    "object": "thing",
    "person": "person",
    "plant": "thing",
    "substance": "stuff",
}
"""Supersenses of nouns for what can be seen; the others are ideas, acts, states and times."""

PEOPLE = word_list("people")
"""Words for people that the lexicon does not know, or knows as something else first."""
_PERSON_PRONOUNS = (PERSONAL_PRONOUNS - {"they", "them"}) | (REFLEXIVE_PERSONS - {"themselves"}) | RELATIVE_PERSONS

_MISLEADING_PERSONS = word_list("misleading persons")
"""Things whose first sense in the lexicon is a person."""
_BODY_PARTS_OF_ANIMALS = word_set("tail paw wing fur feather claw beak hoof snout horn shell trunk mane")
_PRINTED_THINGS = word_list("printed things")
_OTHER_THINGS = word_set("plant object cookie pop coaster")
_ANIMALS = word_set("dog cat horse bird puppy kitten cow duck monkey animal pet bear seal mouse")
_EATEN_ANIMALS = word_set("shrimp fish chicken turkey crab lobster oyster clam mussel squid prawn lamb")
"""Animals that texts mention more often as food."""
_PLACES = word_set("village town city gallery school hospital location")
_ABSTRACT = word_set("soul body figure character self flier flyer punk grind drone hire")

_LISTED: dict[str, NounClass] = {
    **dict.fromkeys(_MISLEADING_PERSONS | _BODY_PARTS_OF_ANIMALS | _PRINTED_THINGS | _OTHER_THINGS, "thing"),
    **dict.fromkeys(_ANIMALS, "animal"),
    **dict.fromkeys(_EATEN_ANIMALS | {"egg", "food"}, "stuff"),
    **dict.fromkeys(_ABSTRACT, "other"),
    **dict.fromkeys(_PLACES, "place"),
    "group": "group",
}
"""Nouns whose first sense in the lexicon is not the usual one, by lemma."""


def classify_noun(noun: Token) -> NounClass | None:
    """Return the class of a noun or pronoun, or None if it is open ("they", "it", a name)."""
    lower = noun.lower_
    if lower in _PERSON_PRONOUNS:
        return "person"
    if noun.pos_ == "PRON":
        return "person" if lower in PEOPLE else None
    if noun.tag_ in PROPER_NOUN_TAGS:
        return None
    return classify_word(lower, str(noun.lemma_).lower())


@lru_cache(maxsize=16_384)
def classify_word(word: str, lemma: str) -> NounClass | None:
    """Return the class of a noun, or None if the lexicon does not know it.

    >>> classify_word("dogs", "dog"), classify_word("teachers", "teacher"), classify_word("idea", "idea")
    ('animal', 'person', 'other')
    """
    listed = "person" if word in PEOPLE or lemma in PEOPLE else _LISTED.get(lemma)
    if listed is not None:
        return listed
    # Senses that are names do not count: "peel" is not a statesman.
    senses = [sense for sense in default_lexicon().senses(lemma, "n") if sense.word[:1].islower()]
    if not senses:
        last = lemma.rpartition("-")[2]
        return classify_word(last, last) if last != lemma else None
    supersense = senses[0].synset.supersense
    if supersense == "person" and "animal" in [sense.synset.supersense for sense in senses[1:4]]:
        return "animal"  # people are called "tiger" or "skunk" after the animal
    return _BY_SUPERSENSE.get(supersense, "other")


@lru_cache(maxsize=16_384)
def noun_supersenses(lemma: str) -> tuple[str, ...]:
    """Return the supersense of each sense of a noun, the most frequent sense first.

    >>> noun_supersenses("kitten")
    ('animal',)
    """
    return tuple(sense.synset.supersense for sense in default_lexicon().senses(lemma, "n"))


def noun_supersense(token: Token) -> str | None:
    """Return the supersense of a noun's most frequent sense, or None if the lexicon does not know the noun."""
    supersenses = noun_supersenses(token.lemma_.lower())
    return supersenses[0] if supersenses else None


MASS_NOUNS = word_list("mass nouns")
"""Common nouns without a plural."""
MASS_IN_PRAISE = word_list("mass in praise")
"""Nouns that are mass nouns in short judgements ("Great service.", "Nice driving.") and often not elsewhere."""
MEASURE_NOUNS = word_list("nouns: measure nouns")
"""Nouns that measure an action: times, distances, weights, prices."""
AMOUNT_NOUNS = word_list("amount nouns")
"""Words that say how much when they are objects: "eats a lot"."""
SCENE_NOUNS = word_list("nouns: scene nouns")
"""Nouns of places where things happen."""
CLOTHES = word_list("clothes")
"""What people wear, or are "in"."""
MASS_SUPERSENSES = word_list("mass supersenses")
"""Supersenses of nouns that often have no article."""

# Names of people

GIVEN_NAMES = word_list("given names")
"""Common given names in lower case."""

NOUN_NAMES = word_list("noun names")
"""Given names and surnames that are also common nouns, verbs or adjectives."""

HONORIFICS = word_list("honorifics")
"""Words that precede a name."""

FAMILY_NAMES = word_set("mom mum dad mother father grandma grandpa")
"""Words for relatives that are used like names: “Mom called.”"""
