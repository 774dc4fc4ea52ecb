"""Words for amounts: all, some, many, few. "No" and "nobody" are in `negation`."""

from __future__ import annotations

UNIVERSAL_PERSONS = frozenset({"everybody", "everyone"})
UNIVERSAL_PRONOUNS = UNIVERSAL_PERSONS | {"everything"}
UNIVERSAL_DETERMINERS = frozenset({"all", "both", "each", "every"})
FLOATING_QUANTIFIERS = frozenset({"all", "both", "each"})
"""They may follow the subject: "they all left"."""

ANY_PERSON = frozenset({"anybody", "anyone"})
ANY_PRONOUNS = ANY_PERSON | {"anything"}
ANY_WORDS = ANY_PRONOUNS | {"any", "anywhere"}

SOME_PERSON = frozenset({"somebody", "someone"})
SOME_PRONOUNS = SOME_PERSON | {"something"}
SOME_WORDS = SOME_PRONOUNS | {"some", "somewhere"}

SMALL_AMOUNTS = frozenset({"few", "little"})
LARGE_AMOUNTS = frozenset({"many", "much"})
AMOUNTS = SMALL_AMOUNTS | LARGE_AMOUNTS
COMPARATIVE_AMOUNTS = frozenset({"more", "less", "fewer"})
SUPERLATIVE_AMOUNTS = frozenset({"most", "least"})

ORDINALS = frozenset({"first", "last", "next"})
"""Words for a position in a row, with numbers left out."""
IDENTITY_WORDS = frozenset({"same", "other"})
"""Adjectives that compare with something mentioned before."""
