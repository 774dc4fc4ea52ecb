"""When two NLI pairs are the same: texts compared without case, blanks and punctuation, kept as short digests."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from litotes.corpora.nli import NliPair
from litotes.language.developmental.categories import CATEGORIES

_DIGEST = 12
"""Bytes: among a million texts two different ones share a digest once in 10^16 builds."""


def normalised(text: str) -> str:
    """The letters and figures of a text, and nothing else; a text that has none stays as it is.

    >>> normalised("It is n't  late."), normalised("It isn’t late"), normalised("?!")
    ('itisntlate', 'itisntlate', '?!')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign for sign in folded if sign.isalnum()) or " ".join(folded.split())


def text_key(text: str) -> bytes:
    """What stands for a text: equal for texts that are the same but for case, blanks and punctuation."""
    return hashlib.blake2b(normalised(text).encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()


def pair_key(premise: str, hypothesis: str) -> bytes:
    """What stands for a pair of texts."""
    both = f"{normalised(premise)}\0{normalised(hypothesis)}"
    return hashlib.blake2b(both.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()


def by_chance(seed: int, key: str | bytes) -> bytes:
    """A number drawn for a key: the same for the same seed, wherever and whenever it is drawn."""
    raw = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
    return hashlib.blake2b(f"{seed}\0".encode() + raw, digest_size=_DIGEST).digest()


@dataclass(frozen=True)
class Singled:
    """Pairs of which none stands twice."""

    pairs: list[NliPair]
    doubles: int
    """Pairs left out because the same pair with the same label came before."""
    conflicting: int
    """Pairs left out because the same pair has another label elsewhere."""


def single(pairs: Iterable[NliPair]) -> Singled:
    """Each pair once, in the order of the first; of pairs that contradict each other in the label none is kept.

    >>> same = NliPair("a:1", "It rains.", "It is dry.", "contradiction", ("labeling",))
    >>> found = single([same, replace(same, id="a:2", premise="it rains"), replace(same, id="a:3", hypothesis="No.")])
    >>> [pair.id for pair in found.pairs], found.doubles, found.conflicting
    (['a:1', 'a:3'], 1, 0)
    """
    first: dict[bytes, NliPair] = {}
    count: dict[bytes, int] = {}
    conflicting: set[bytes] = set()
    for pair in pairs:
        key = pair_key(pair.premise, pair.hypothesis)
        count[key] = count.get(key, 0) + 1
        known = first.setdefault(key, pair)
        if known.label != pair.label:
            conflicting.add(key)
        first[key] = replace(known, categories=in_paper_order(known.categories, pair.categories))
    return Singled(
        pairs=[pair for key, pair in first.items() if key not in conflicting],
        doubles=sum(times - 1 for key, times in count.items() if key not in conflicting),
        conflicting=sum(count[key] for key in conflicting),
    )


def in_paper_order(*several: Sequence[str] | None) -> tuple[str, ...]:
    """The categories that any of several lists has.

    >>> in_paper_order(("rejection",), None, ("labeling", "rejection"))
    ('labeling', 'rejection')
    """
    named = {category for one in several for category in one or ()}
    return tuple(category for category in CATEGORIES if category in named)
