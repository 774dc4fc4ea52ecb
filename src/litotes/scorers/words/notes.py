"""What readers of the figures are told of words that an encoder does not know."""

from __future__ import annotations

from collections.abc import Mapping

from litotes.scorers.names import shorten

_SHOWN = 8


def note_of_words(counts: Mapping[str, int], total: int, what: str = "have no vector and are left out") -> list[str]:
    """How many of all words it is true of, and which most often, by how often each of them stands there; or nothing.

    >>> note_of_words({"gnu": 1, "yak": 2}, 9)
    ['3 of 9 words have no vector and are left out: yak, gnu']
    >>> note_of_words({}, 9)
    []
    """
    if not counts:
        return []
    often = sorted(counts, key=lambda word: (-counts[word], word))
    shown = ", ".join(map(shorten, often[:_SHOWN])) + (", …" if len(often) > _SHOWN else "")
    return [f"{sum(counts.values()):,} of {total:,} words {what}: {shown}"]


def note_of_sentences(
    count: int, lacking: str = "word with a vector", means: str = "the similarity to every other is 0"
) -> list[str]:
    """How many sentences have nothing that is known, and what that means; or nothing.

    >>> note_of_sentences(1)
    ['1 sentence has no word with a vector: the similarity to every other is 0']
    """
    if not count:
        return []
    what = "sentence has" if count == 1 else "sentences have"
    return [f"{count:,} {what} no {lacking}: {means}"]
