"""Kinds of things that nouns name: people, animals, things; by pronouns, names and WordNet's files."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import default_lexicon

if TYPE_CHECKING:
    from litotes.languages.tree import Token


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
    mate witness teen youth cop folk man soldier worker painter relative adult killer survivor boxer orphan racer diver
    nanny emperor weaver chum fisher sniper goalie snowboarder skateboarder motorcyclist biker rider hiker skier surfer
    """
)
_PERSONAL = word_set("i me he him she her we us you who whom myself himself herself ourselves yourself")
_LISTED: dict[str, Kind] = {
    **dict.fromkeys(
        # Whose first sense is somebody, and whose common use is something; parts of animals; paper.
        """
        pitcher fan star heater cooker tanker conductor computer printer speaker washer dryer cutter counter comic ruler
        jumper sleeper bomber freighter tender toaster blender mixer screen hunk ham hand siren plant object
        tail paw wing fur feather claw beak hoof snout horn shell trunk mane cookie pop coaster
        book letter newspaper magazine picture photo photograph sign ticket card map note painting poster
        """.split(),
        "thing",
    ),
    **dict.fromkeys("dog cat horse bird puppy kitten cow duck monkey animal pet bear seal mouse".split(), "animal"),
    # Which are rather eaten than met.
    **dict.fromkeys(
        "egg shrimp fish chicken turkey crab lobster oyster clam mussel squid prawn lamb food".split(), "stuff"
    ),
    **dict.fromkeys("soul body figure character self flier flyer punk grind drone hire".split(), "other"),
    **dict.fromkeys("village town city gallery school hospital".split(), "place"),
    "group": "group",
    "location": "place",
}


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
    listed = "person" if word in PEOPLE or lemma in PEOPLE else _LISTED.get(lemma)
    if listed is not None:
        return listed
    # Names are left out: “peel” is no statesman.
    senses = [sense for sense in default_lexicon().senses(lemma, "n") if sense.word[:1].islower()]
    if not senses:
        last = lemma.rpartition("-")[2]
        return kind_of_word(last, last) if last != lemma else None
    file = senses[0].synset.lexfile
    if file == 18 and 5 in [sense.synset.lexfile for sense in senses[1:4]]:
        return "animal"  # “tiger”, “skunk”: people are called so after the animal
    return _BY_FILE.get(file, "other")


MASS_NOUNS = frozenset(
    "accommodation advice air applause baggage beef behavior behaviour blood bread bullshit butter cash cheese"
    " chemistry clothing coffee content courage crap cutlery darkness dirt dust economics education electricity"
    " energy entertainment equipment evidence feedback fiction flour food footage fuel fun furniture gameplay"
    " garbage gas gear gold gossip grammar grass gravity grief growth guidance hair happiness hardware harm health"
    " heat help homework honesty housework housing humor humour hygiene ice information intelligence irony"
    " jewellery jewelry journalism juice justice karma knowledge laughter laundry leather leisure lemonade"
    " lighting literature logic luck luggage machinery mail math maths meat milk money mud music news nonsense"
    " nutrition oil oxygen patience pay peace permission photography poetry politeness politics pollution postage"
    " poverty praise pride progress proof propaganda publicity punctuation rain research respect rice rubbish"
    " safety salt sand sarcasm satire scenery seafood sex shampoo shit sleep snow soap software sportsmanship"
    " stuff sugar sunshine support sushi tea teamwork traffic transport transportation trash trouble understanding"
    " underwear vandalism vinegar violence water wealth weather wildlife wine wisdom wood work workmanship".split()
)
"""A small list of common ones, of our own."""
ALSO_MASS = frozenset(
    "acting art business comedy company cooking dancing driving exercise fish language marketing packaging"
    " parenting parking quality reasoning seating service shopping singing spelling storytelling taste teaching"
    " technology thinking timing training tv writing".split()
)
"""Counted at times, or rather a verb; in praise and blame (“Great service.”, “Nice driving.”) they are not counted."""
