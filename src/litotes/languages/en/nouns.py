"""Classes of nouns: people, animals, things and places, by lists and by WordNet's supersenses; mass nouns; names."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.pronouns import PERSONAL_PRONOUNS, REFLEXIVE_PERSONS, RELATIVE_PERSONS
from litotes.languages.en.syntax.tags import PROPER_NOUN_TAGS
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

PEOPLE = word_set(
    """
    people men women children boys girls person somebody someone everybody everyone nobody anyone anybody folks guys
    kid kids guy mr mrs ms miss dr mom mum dad grandma grandpa police crew staff parent host suspect patient partner
    mate witness teen youth cop folk man soldier worker painter relative adult killer survivor boxer orphan racer diver
    nanny emperor weaver chum fisher sniper goalie snowboarder skateboarder motorcyclist biker rider hiker skier surfer
    """
)
"""Words for people that the lexicon does not know, or knows as something else first."""
_PERSON_PRONOUNS = (PERSONAL_PRONOUNS - {"they", "them"}) | (REFLEXIVE_PERSONS - {"themselves"}) | RELATIVE_PERSONS

_MISLEADING_PERSONS = word_set(
    """
    pitcher fan star heater cooker tanker conductor computer printer speaker washer dryer cutter counter comic ruler
    jumper sleeper bomber freighter tender toaster blender mixer screen hunk ham hand siren
    """
)
"""Things whose first sense in the lexicon is a person."""
_BODY_PARTS_OF_ANIMALS = word_set("tail paw wing fur feather claw beak hoof snout horn shell trunk mane")
_PRINTED_THINGS = word_set(
    "book letter newspaper magazine picture photo photograph sign ticket card map note painting poster"
)
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
"""Common nouns without a plural."""
MASS_IN_PRAISE = frozenset(
    "acting art business comedy company cooking dancing driving exercise fish language marketing packaging"
    " parenting parking quality reasoning seating service shopping singing spelling storytelling taste teaching"
    " technology thinking timing training tv writing".split()
)
"""Nouns that are mass nouns in short judgements ("Great service.", "Nice driving.") and often not elsewhere."""
MEASURE_NOUNS = word_set(
    """
    mile hour minute day week month year second meter metre kilometer kilometre foot inch pound kilo kilogram gram
    ton dollar cent yen euro buck percent % time times way moment while morning night evening afternoon weekend
    today yesterday tomorrow tonight monday tuesday wednesday thursday friday saturday sunday summer winter spring
    autumn century decade distance degree lap step yard o'clock january february march april june july august
    september october november december season lifetime point points
    """
)
"""Nouns that measure an action: times, distances, weights, prices."""
AMOUNT_NOUNS = word_set(
    "lot lots bit much little more less most enough so well what plenty tad ton tons deal bunch whatever"
)
"""Words that say how much when they are objects: "eats a lot"."""
SCENE_NOUNS = word_set(
    """
    street park room kitchen stage beach field house yard pool garden court road grass snow water forest floor
    ground lawn stadium gym ring ocean sea lake river bar restaurant store shop city town backyard playground
    sidewalk track rink arena sand mud rain sun dark woods desert countryside ramp slope hill mountain rock
    competition race game zoo
    """
)
"""Nouns of places where things happen."""
CLOTHES = word_set(
    """
    hat shirt helmet dress coat sweater jacket suit uniform shorts pants jeans skirt bikini costume cap vest hoodie
    robe t-shirt tuxedo wetsuit apron gown outfit jersey scarf glasses sunglasses boots gear
    """
)
"""What people wear, or are "in"."""
MASS_SUPERSENSES = frozenset(
    "act attribute cognition communication feeling food phenomenon process state substance".split()
)
"""Supersenses of nouns that often have no article."""

# Names of people

GIVEN_NAMES = word_set(
    """
    aaron abigail adam adele agnes alan albert alex alexander alfred alice alison allison amanda amy andrea andrew
    andy angela ann anna anne annie anthony arthur ashley barbara barry beatrice becky ben benjamin bernard bert
    beth betty bill billy bob bobby brad brandon brenda brian bruce carl carla carlos carol caroline catherine cathy
    cecil charles charlie charlotte chloe chris christina christine christopher cindy claire clara claude colin
    connie craig cynthia dan daniel danny dave david dawn dean deborah debra dennis derek diana diane dick don
    donald donna doris dorothy doug douglas duncan dylan ed eddie edgar edith edward edwin eileen elaine eleanor
    elena eli elizabeth ellen elmer elsie emily emma eric erica erik ernest esther ethan eugene eva evan eve evelyn
    felix fiona florence frances francis frank fred freda freddie frederick gabriel gary george gerald gina glen
    glenn gloria gordon grace graham greg gregory gwen hannah harold harriet harry hazel heather hector helen henry
    herbert hilda holly howard hugh ian ida imogen ingrid irene iris isaac isabel isabella ivan jack jackie jacob
    jake james jamie jan jane janet janice jason jay jean jeff jeffrey jenna jennifer jenny jeremy jerry jesse
    jessica jill jim jimmy joan joanna joe joel john johnny jon jonathan jordan joseph josh joshua joyce juan judith
    judy julia julian julie karen karl kate katherine kathleen kathy katie keith kelly ken kenneth kevin kim kumiko
    kyle lance larry laura lauren laurie lawrence layla leah lee leo leon leonard leroy leslie lester lewis liam
    lillian lilly lily linda lisa liz lloyd lois lola lorraine louis louise lucas lucy luis luke lydia lynn mabel
    maggie marcus margaret maria marian marie marilyn marion marjorie mark marlene martha martin marvin mary mateo
    matilda matt matthew maurice max megan melissa mia michael michelle miguel mike mildred molly monica morgan
    muriel nancy naomi natalie nathan ned neil nicholas nick nicole nigel nina noah noel nora norma norman oliver
    olivia omar oscar owen pam pamela patricia patrick paul paula pauline pedro peggy penelope percy peter phil
    philip phillip phoebe phyllis rachel ralph ray raymond rebecca ricardo richard rick ricky rita robert roberta
    robin rodney roger roland ron ronald rosa rosemary roy ruby rupert russell ruth ryan sally sam samantha sami
    samuel sandra sara sarah scott sean sergio seth shane sharon sheila shirley sid sidney simon skura sonia sophia
    sophie stan stanley stella stephanie stephen steve steven stuart sue susan suzanne sylvia taro ted teresa terry
    thelma theodore theresa thomas tim timothy tina todd tom tommy tony tracy trevor ursula vanessa vera vernon
    veronica vicky victor victoria vincent viola violet virginia vivian walter wanda warren wayne wendy wesley
    wilfred william willie winston yoko yuri ziri zoe
    """
)
"""Common given names in lower case."""

NOUN_NAMES = word_set(
    """
    jack mike ray art gene jean frank stew basil ginger olive miles will bill bob dick rob mark rick van chip chase
    mason carter cooper porter tanner hunter ruby pearl jade amber crystal sandy max pat penny sterling brook bud
    heath cliff lance pierce reed rose may june april dawn joy hope faith grace iris lily ivy violet holly buck drew
    josh sue peg chuck guy dean earl duke christian page piper harper coral opal gates banks brooks woods waters
    fields rivers parks bridges ickes hicks burns stone
    """
)
"""Given names and surnames that are also common nouns, verbs or adjectives."""

HONORIFICS = word_set(
    "mr mr. mrs mrs. ms ms. miss dr dr. sir lady lord professor prof. captain uncle aunt president king queen"
)
"""Words that precede a name."""

FAMILY_NAMES = word_set("mom mum dad mother father grandma grandpa")
"""Words for relatives that are used like names: “Mom called.”"""
