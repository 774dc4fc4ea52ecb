"""Encoders that look up the vectors of words or tokens, and notes about those that have none."""

from __future__ import annotations

from collections.abc import Mapping

from litotes.core.errors import shorten
from litotes.models.base import Encoder

_MAX_EXAMPLES = 8


class LookupEncoder(Encoder):
    """Base class of encoders that look up vectors and average them, without a network."""

    @property
    def batch_tokens(self) -> int:
        """A limit for memory; nothing is padded."""
        return 1 << 15

    @property
    def parallel(self) -> bool:
        """False: most of the work is in Python, in shared caches or in tokenizers with threads of their own."""
        return False

    @property
    def allows_zero_vectors(self) -> bool:
        """True: nothing of a sentence may be known."""
        return True


def unknown_words_note(
    counts: Mapping[str, int], n_words: int, what: str = "have no vector and are left out"
) -> list[str]:
    """Return a note about unknown words, the most frequent first, or nothing if there are none.

    >>> unknown_words_note({"gnu": 1, "yak": 2}, 9)
    ['3 of 9 words have no vector and are left out: yak, gnu']
    >>> unknown_words_note({}, 9)
    []
    """
    if not counts:
        return []
    words = sorted(counts, key=lambda word: (-counts[word], word))
    examples = ", ".join(map(shorten, words[:_MAX_EXAMPLES])) + (", …" if len(words) > _MAX_EXAMPLES else "")
    return [f"{sum(counts.values()):,} of {n_words:,} words {what}: {examples}"]


def unknown_sentences_note(
    count: int, lacking: str = "word with a vector", effect: str = "the similarity to every other is 0"
) -> list[str]:
    """Return a note about sentences of which nothing is known, or nothing if there are none.

    >>> unknown_sentences_note(1)
    ['1 sentence has no word with a vector: the similarity to every other is 0']
    """
    if not count:
        return []
    subject = "sentence has" if count == 1 else "sentences have"
    return [f"{count:,} {subject} no {lacking}: {effect}"]
