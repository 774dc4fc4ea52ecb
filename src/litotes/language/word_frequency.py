"""How frequent words are, by WordNet's counts of tagged texts."""

from __future__ import annotations

from functools import lru_cache

from litotes.language.lexicon import default_lexicon


@lru_cache(maxsize=16_384)
def frequency(word: str, pos: str) -> int:
    """How often a word stands in the tagged texts, in all senses of a part of speech (n, v, a or r).

    >>> frequency("house", "n") > frequency("cottage", "n") > frequency("grommet", "n") == 0
    True
    """
    return default_lexicon().uses(word, pos)
