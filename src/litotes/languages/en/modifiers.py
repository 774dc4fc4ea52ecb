"""Classes of adjectives, and adverbs of focus, frequency, degree and time. Adverbs that negate are in `negation`."""

from __future__ import annotations

from litotes.languages.base import word_set
from litotes.languages.en.negation import RARELY

# Adjectives

CERTAINTY_ADJECTIVES = word_set(
    "sure certain positive convinced confident aware afraid clear obvious true evident apparent plain"
)
"""Adjectives whose clause is presented as true: “I am sure that …”, “It is clear that …”."""

UNCERTAINTY_ADJECTIVES = word_set(
    """
    possible likely unlikely impossible improbable probable false untrue doubtful unsure uncertain essential
    important necessary vital imperative crucial unaware
    """
)
"""Adjectives whose clause is not presented as true: “It is likely that …”."""

SYMMETRIC_ADJECTIVES = word_set(
    """
    similar equal related married engaged identical close next near same different friendly alike equivalent parallel
    adjacent unlike comparable familiar connected attached
    """
)
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
ADVERBS_BEFORE_NOT = (COMMON_FREQUENCY_ADVERBS - {"always"}) | word_set(
    """
    probably possibly perhaps maybe clearly obviously apparently evidently presumably certainly definitely surely
    still also actually currently now then again generally normally sometimes honestly frankly simply
    """
)
"""Adverbs that precede “not”: “is probably not good”, and not “is already not good”."""
