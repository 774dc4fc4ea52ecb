"""Adverbs of focus, frequency, degree and time. Those that negate are in `negation`."""

from __future__ import annotations

from litotes.languages.en.negation import RARELY

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
