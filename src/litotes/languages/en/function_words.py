"""Prepositions and conjunctions, and all function words together."""

from __future__ import annotations

from litotes.languages.en import pronouns
from litotes.languages.en.modals import MODALS
from litotes.languages.en.negation import NEGATIVE_SUBJECTS
from litotes.languages.en.quantifiers import LARGE_AMOUNTS, UNIVERSAL_DETERMINERS
from litotes.languages.en.verbs import FORMS_OF_HAVE, FULL_FINITE_BE
from litotes.languages.en.word_lists import word_list

# Prepositions and particles

CORE_DIRECTIONS = frozenset({"down", "in", "out", "up"})
"""Opposite directions that are also prepositions."""
DIRECTION_PARTICLES = frozenset({"away", "back", "down", "off", "out", "over", "up"})
"""Particles of phrasal verbs that say where something moves."""
PATH_PREPOSITIONS = frozenset({"across", "into", "onto", "through", "toward", "towards"})
"""Prepositions of movement along or to something."""
PLACE_PREPOSITIONS = frozenset({"at", "in", "near", "on", "outside"})
"""Prepositions of a place where something happens."""
COMMON_PREPOSITIONS = word_list("common prepositions")
PREPOSITIONS = (
    COMMON_PREPOSITIONS | CORE_DIRECTIONS | PATH_PREPOSITIONS | PLACE_PREPOSITIONS | word_list("prepositions")
)

# Conjunctions

COORDINATORS = frozenset({"and", "but", "or"})
CONTRAST_WORDS = frozenset({"but", "so", "yet"})
"""They begin a clause that answers or corrects the one before."""
CONDITIONAL_CONJUNCTIONS = frozenset({"if", "unless", "whether"})
CONCESSIVE_CONJUNCTIONS = frozenset({"although", "though"})
CAUSAL_CONJUNCTIONS = frozenset({"because", "since"})
UNTIL_CONJUNCTIONS = frozenset({"till", "until"})
WHILE_CONJUNCTIONS = frozenset({"when", "while"})
SUBORDINATORS = (
    CONDITIONAL_CONJUNCTIONS | CONCESSIVE_CONJUNCTIONS | CAUSAL_CONJUNCTIONS | UNTIL_CONJUNCTIONS | WHILE_CONJUNCTIONS
)
"""Conjunctions of clauses that are not asserted, or not on their own."""

# Function words

CONTRACTIONS_WITHOUT_APOSTROPHE = word_list("contractions without apostrophe")
_OTHER_FUNCTION_WORDS = word_list("other function words")

FUNCTION_WORDS = (
    (pronouns.NOUN_PHRASE_OPENERS - {"i"})
    | pronouns.PERSONAL_OBJECTS
    | pronouns.POSSESSIVE_PRONOUNS
    | pronouns.REFLEXIVE_PRONOUNS
    | pronouns.RELATIVE_PRONOUNS
    | pronouns.INDEFINITE_PERSONS
    | pronouns.THING_PRONOUNS
    | pronouns.INTERROGATIVE_ADVERBS
    | UNIVERSAL_DETERMINERS
    | LARGE_AMOUNTS
    | NEGATIVE_SUBJECTS
    | MODALS
    | FULL_FINITE_BE
    | FORMS_OF_HAVE
    | PREPOSITIONS
    | COORDINATORS
    | CONTRAST_WORDS
    | SUBORDINATORS
    | CONTRACTIONS_WITHOUT_APOSTROPHE
    | _OTHER_FUNCTION_WORDS
)
"""Words that the lexicon and the dictionary of inflections do not contain; “I” and “do” are also nouns."""
