"""Valency: the objects, complements and prepositions that verbs take, and the idioms that they form."""

from __future__ import annotations

from litotes.languages.base import word_set
from litotes.languages.en.word_lists import word_list, word_table

NO_PASSIVE_VERBS = word_list("no passive verbs")
"""Verbs whose passive is wrong, odd or means something else."""

FORCED_PASSIVE_VERBS = word_list("forced passive verbs")
"""Verbs of states that sound forced with "by me", "by you" or "by us", whatever their object."""

EXPERIENCE_VERBS = FORCED_PASSIVE_VERBS | word_list("experience verbs")
"""Verbs of mental states: "You are loved by me" is possible, "It is needed by me" is not."""

INFINITIVE_AFTER_OBJECT = word_list("infinitive after object")
"""Verbs with an object and an infinitive: "They asked her to sing", "She was asked to sing"."""

INFINITIVE_VERBS = word_set("allow expect force enable cause require permit order encourage compel urge oblige")
"""Verbs that usually have an object and an infinitive."""

BARE_INFINITIVE_AFTER_OBJECT = word_set("make see hear notice observe")
"""Verbs with a bare infinitive, which requires "to" in the passive: "They made him go", "He was made to go"."""

PARTICIPLE_AFTER_OBJECT = word_set("see hear watch notice observe catch find spot keep photograph film show leave")
"""Verbs with an object and a participle: "They saw her singing", "She was seen singing"."""

ADJECTIVE_AFTER_OBJECT = word_list("adjective after object")
"""Verbs with an object and an adjective: "They painted it red", "It was painted red"."""

NOUN_AFTER_OBJECT = word_list("noun after object")
"""Verbs with an object and a noun: "They call him Tom", "He is called Tom"."""

GIVING_VERBS = word_list("giving verbs")
"""Verbs with two objects, or one and "to": "gave him a book", "gave a book to him"."""
MAKING_VERBS = word_set("buy make cook find build order bake knit draw sing prepare fetch pour choose play sew book")
"""Verbs with two objects, or one and "for": "bought him a book", "bought a book for him"."""
DOUBLE_OBJECT_VERBS = word_set("ask deny refuse forgive fine charge allow tip bet spare")
"""Verbs with two objects of which only the first becomes a subject: "I was asked a question"."""

PREPOSITIONAL_VERBS = word_table("prepositional verbs")
"""Verb → prepositions that stay behind in the passive: "laughed at him", "he was laughed at"."""

PREPOSITIONAL_ONLY_VERBS = word_list("prepositional only verbs")
"""Prepositional verbs without a direct object; phrases that the parser labels as objects are adverbials."""

PREPOSITIONAL_IDIOMS: dict[tuple[str, str], frozenset[str]] = {
    ("take", "care"): frozenset({"of"}),
    ("make", "fun"): frozenset({"of"}),
    ("take", "advantage"): frozenset({"of"}),
    ("make", "use"): frozenset({"of"}),
    ("pay", "attention"): frozenset({"to"}),
    ("lose", "sight"): frozenset({"of"}),
    ("take", "notice"): frozenset({"of"}),
    ("take", "note"): frozenset({"of"}),
}
"""(verb, noun) → prepositions of idioms that are passivised as one verb: "is taken care of"."""

LIGHT_OBJECTS = word_table("light objects")
"""Verb → objects with which it forms an idiom, in which the verb does not act on the object."""

IDIOMATIC_GIFTS = word_set("birth way rise damn shit fuck hell crap try go f crack shot time finger bird break")
"""Objects of "give" that nobody receives: "gave it a try"."""
BARE_NOUN_IDIOM_VERBS = word_set("make take give do pay lose catch keep gain show lead set hold cast wage draw attract")
"""Verbs that usually form an idiom with a bare noun: "take shape", "cast doubt"."""

PLACING_VERBS = word_list("placing verbs")
"""Verbs that require a phrase that says where something goes."""

PUTTING_VERBS = PLACING_VERBS | word_list("putting verbs")
"""Verbs of bringing something somewhere; the phrase that says where is close to them."""

TOOL_VERBS = word_list("tool verbs")
"""Verbs whose "with" names a tool or a material, whatever word the parser attaches it to."""

REMOVAL_VERBS = word_list("removal verbs")
"""Verbs of taking something from somewhere."""

TO_COMPLEMENT_VERBS = word_list("to complement verbs")
"""Verbs with an object and "to"."""
AS_COMPLEMENT_VERBS = word_list("as complement verbs")
"""Verbs with an object and "as"."""

EFFECT_VERBS = word_list("effect verbs")
"""Verbs of effects of things and feelings on people."""

MOTION_VERBS = word_list("motion verbs")
"""Verbs of motion: "off", "down" or "up" after them is a direction, not the particle of a phrasal verb."""

TELLING_VERBS = word_list("telling verbs")
"""Verbs with a person as object and "about" or "of" something."""

TELLING_OF_VERBS = word_set("inform remind notify assure convince accuse suspect rob deprive relieve cure warn")
"""Verbs with a person as object and "of" something."""

TWO_OBJECT_IDIOM_VERBS = word_set("give show promise offer lend hand award grant send write")
"""Verbs that are idiomatic or elliptical with only a person as object: "That will show them"."""

SEPARABLE_ON_VERBS = word_set("turn put try switch take keep leave carry bring pass spur egg cheer lead pull have")
"""Verbs whose "on" may follow a pronoun: "turned it on", but "hit on her"."""
