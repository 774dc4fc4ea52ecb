"""Which pairs a model may learn from: none with a negation, none whose premise it will be tested on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from litotes.building.developmental_pairs import text_key
from litotes.corpora.nli import NliPair
from litotes.language.developmental.markers import has_marker


def without_negation(pairs: Iterable[NliPair], rules: str = "litotes") -> Iterator[NliPair]:
    """The pairs with no negation marker on either side, by text alone.

    >>> sings = NliPair("a:1", "Ann sings.", "Ann is loud.", "neutral")
    >>> silent = NliPair("a:2", "Ann sings.", "Ann doesn't sing.", "contradiction")
    >>> [pair.id for pair in without_negation([sings, silent])]
    ['a:1']
    """
    return (pair for pair in pairs if not has_marker(pair.premise, rules) and not has_marker(pair.hypothesis, rules))


def without_premises(pairs: Iterable[NliPair], others: Iterable[NliPair]) -> Iterator[NliPair]:
    """The pairs whose premise, but for case, blanks and punctuation, is not one of the others'."""
    held = {text_key(pair.premise) for pair in others}
    return (pair for pair in pairs if text_key(pair.premise) not in held)
