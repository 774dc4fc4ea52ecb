"""Pronouns and determiners; "no" is in `negation`, and words with "some", "any" and "every" are in `quantifiers`."""

from __future__ import annotations

from litotes.languages.en.quantifiers import ANY_PERSON, SOME_PERSON, UNIVERSAL_PERSONS

# Determiners

INDEFINITE_ARTICLES = frozenset({"a", "an"})
ARTICLES = INDEFINITE_ARTICLES | {"the"}
DEMONSTRATIVES = frozenset({"this", "that", "these", "those"})
DEFINITE_DETERMINERS = DEMONSTRATIVES | {"the"}
POSSESSIVE_DETERMINERS = frozenset({"my", "your", "his", "her", "its", "our", "their"})

# Pronouns

PLAIN_FORM_PRONOUNS = frozenset({"i", "they", "we", "you"})
"""Subjects that take the plain form of a verb."""
SINGULAR_PERSONS = frozenset({"he", "she"})
THIRD_SINGULAR_PRONOUNS = SINGULAR_PERSONS | {"it"}
PERSONAL_SUBJECTS = PLAIN_FORM_PRONOUNS | SINGULAR_PERSONS
"""Subjects that are persons."""
SUBJECT_PRONOUNS = PERSONAL_SUBJECTS | {"it"}
NOUN_PHRASE_OPENERS = ARTICLES | DEMONSTRATIVES | POSSESSIVE_DETERMINERS | SUBJECT_PRONOUNS
"""Words that usually begin the subject of a sentence."""
PERSONAL_OBJECTS = frozenset({"her", "him", "me", "them", "us"})
PERSONAL_PRONOUNS = PERSONAL_SUBJECTS | PERSONAL_OBJECTS
"""Without "it"."""
FIRST_PERSON_PRONOUNS = frozenset({"i", "me", "us", "we"})
SPEAKERS = frozenset({"i", "we"})
REFLEXIVE_PRONOUNS = frozenset(
    {"myself", "yourself", "himself", "herself", "itself", "ourselves", "yourselves", "themselves"}
)
POSSESSIVE_PRONOUNS = frozenset({"mine", "yours", "his", "hers", "ours", "theirs"})
INDEFINITE_PERSONS = SOME_PERSON | ANY_PERSON | UNIVERSAL_PERSONS
RELATIVE_PERSONS = frozenset({"who", "whom"})
RELATIVE_PRONOUNS = RELATIVE_PERSONS | {"that", "which"}
INTERROGATIVE_ADVERBS = frozenset({"how", "when", "where", "why"})
IMPERSONAL_PRONOUNS = DEMONSTRATIVES | {"it"}
"""Pronouns that are rarely a person."""
REFLEXIVE_PERSONS = REFLEXIVE_PRONOUNS - {"itself", "yourselves"}
"""The reflexives that rules treat as persons."""
PERSON_PRONOUNS = PERSONAL_PRONOUNS | RELATIVE_PERSONS | INDEFINITE_PERSONS | {"nobody"}
"""Pronouns for persons, without reflexives."""
THING_PRONOUNS = IMPERSONAL_PRONOUNS | {"something", "anything", "everything", "nothing", "which", "what"}
"""Pronouns that mostly refer to things or facts."""
