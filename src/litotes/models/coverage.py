"""Notes for readers of results about words and sentences that a model does not know."""

from __future__ import annotations

from collections.abc import Mapping

from litotes.models.names import shorten

_MAX_EXAMPLES = 8


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
