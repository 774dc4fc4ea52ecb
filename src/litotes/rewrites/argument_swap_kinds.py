"""Kinds of things that nouns name: people, animals, things; by pronouns, names and WordNet's files."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from litotes.language.lexicon import default_lexicon
from litotes.rewrites.noun_phrases import word_set

if TYPE_CHECKING:
    from litotes.language.tree import Token

Kind: TypeAlias = Literal["person", "animal", "group", "thing", "stuff", "place", "other"]

_BY_FILE: dict[int, Kind] = {
    5: "animal",
    6: "thing",  # artifact
    8: "thing",  # body
    13: "stuff",  # food
    14: "group",
    15: "place",
    17: "thing",  # object
    18: "person",
    20: "thing",  # plant
    27: "stuff",  # substance
}
"""WordNet's lexicographer files of nouns that name what can be seen; the others are ideas, acts, states, times."""

PEOPLE = word_set(
    """
    people men women children boys girls person somebody someone everybody everyone nobody anyone anybody folks guys
    kid kids guy mr mrs ms miss dr mom mum dad grandma grandpa police crew staff parent host suspect patient partner
    mate witness teen youth cop folk sniper goalie snowboarder skateboarder motorcyclist biker rider hiker skier surfer
    """
)
_NO_PEOPLE = word_set(
    """
    pitcher fan star heater cooker tanker conductor computer printer speaker washer dryer cutter counter comic ruler
    jumper sleeper bomber freighter tender runner toaster blender mixer screen hunk ham hand
    """
)
"""Whose first sense is somebody, and whose common use is something."""
_PERSONAL = word_set("i me he him she her we us you who whom myself himself herself ourselves yourself")
_ANIMALS = word_set("dog cat horse bird puppy kitten cow duck monkey animal pet bear seal mouse tiger")
"""Whose first sense is not always the animal."""
FOOD_ANIMALS = word_set("egg shrimp fish chicken turkey crab lobster oyster clam mussel squid prawn lamb")
"""Which are rather eaten than met."""
_TOPS: dict[str, Kind] = {"group": "group", "plant": "thing", "food": "stuff", "location": "place", "object": "thing"}
"""The words at the top of WordNet's tree have a file of their own."""


def kind_of(noun: Token) -> Kind | None:
    """What a noun, name or pronoun stands for; None where it cannot be told ("they", "it")."""
    lower = noun.lower_
    if lower in _PERSONAL:
        return "person"
    if noun.pos_ == "PRON":
        return "person" if lower in PEOPLE else None
    if noun.tag_ in {"NNP", "NNPS"}:
        return None
    return kind_of_word(lower, str(noun.lemma_).lower())


@lru_cache(maxsize=16_384)
def kind_of_word(word: str, lemma: str) -> Kind | None:
    """By the first sense of a noun, and lists where that leads astray.

    >>> kind_of_word("dogs", "dog"), kind_of_word("teachers", "teacher"), kind_of_word("idea", "idea")
    ('animal', 'person', 'other')
    """
    if word in PEOPLE or lemma in PEOPLE:
        return "person"
    if lemma in _NO_PEOPLE:
        return "thing"
    if lemma in _ANIMALS:
        return "animal"
    if lemma in FOOD_ANIMALS:
        return "stuff"
    if lemma in _TOPS:
        return _TOPS[lemma]
    senses = default_lexicon().senses(lemma, "n")
    if not senses and "-" in lemma:
        return kind_of_word(lemma.rpartition("-")[2], lemma.rpartition("-")[2])
    if not senses:
        return None
    files = [sense.synset.lexfile for sense in senses[:2]]
    if files == [18, 5]:  # "tiger", "pig": people are called so after the animal
        return "animal"
    return _BY_FILE.get(files[0], "other")
