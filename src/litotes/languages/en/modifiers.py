"""Classes of adjectives, and adverbs of focus, frequency, degree and time. Adverbs that negate are in `negation`."""

from __future__ import annotations

from litotes.languages.base import word_set
from litotes.languages.en.negation import RARELY
from litotes.languages.en.word_lists import word_list

# Adjectives

CERTAINTY_ADJECTIVES = word_list("certainty adjectives")
"""Adjectives whose clause is presented as true: “I am sure that …”, “It is clear that …”."""

UNCERTAINTY_ADJECTIVES = word_list("uncertainty adjectives")
"""Adjectives whose clause is not presented as true: “It is likely that …”."""

SYMMETRIC_ADJECTIVES = word_list("symmetric adjectives")
"""Adjectives that hold in both directions: if A is similar to B, B is similar to A."""

# Adverbs

LIMITING_ADVERBS = frozenset({"just", "merely", "only", "simply"})
"""They exclude everything else: "not just" denies the limit, not the sentence."""
COMMON_FREQUENCY_ADVERBS = frozenset({"always", "often", "usually"})
FREQUENCY_ADVERBS = COMMON_FREQUENCY_ADVERBS | RARELY | {"never"}
ALMOST = frozenset({"almost", "nearly"})
DEGREE_ADVERBS = frozenset({"so", "too", "very"})
MODERATE_DEGREE_ADVERBS = frozenset({"fairly", "pretty", "rather", "somewhat"})
POLARITY_TIME_ADVERBS = frozenset({"already", "anymore", "ever", "still", "yet"})
"""They come and go with negation: "already" and "not yet", "still" and "not anymore"."""
POSSIBILITY_ADVERBS = frozenset({"maybe", "perhaps", "possibly"})
"""With them a sentence and its negation may both be true."""
OCCASIONAL_ADVERBS = frozenset({"occasionally", "sometimes"})
ATTRIBUTIVE_DEGREES_AFTER_NOT = frozenset({"very", "particularly", "especially", "entirely", "overly", "terribly"})
"""Adverbs of degree that can be negated before a noun: “a not very clear answer”."""
DEGREES_AFTER_NOT = (
    ATTRIBUTIVE_DEGREES_AFTER_NOT | DEGREE_ADVERBS | word_set("as that really completely fully totally wholly more")
)
"""Adverbs of degree that follow “not”: “not very good”, and not “very not good”."""
ADVERBS_BEFORE_NOT = (COMMON_FREQUENCY_ADVERBS - {"always"}) | word_list("sentence adverbs before not")
"""Adverbs that precede “not”: “is probably not good”, and not “is already not good”."""
