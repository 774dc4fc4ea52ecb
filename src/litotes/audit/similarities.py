"""How alike a model finds sentences and their variants: one cosine a variant, without holding the variants' vectors."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from litotes.building.audit_variants import RELATIONS, Relation
from litotes.core.errors import LitotesError
from litotes.core.progress import Progress
from litotes.evaluation.encoding import CacheUsage, choose_workers, encode_sentences
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.base import Encoder, Vectors, cosines, norms

if TYPE_CHECKING:
    from litotes.audit.result import Usage

BLOCK = 16_384
"""So many variants have their vectors in memory at once: 24 MB of MiniLM's."""

Places = NDArray[np.intp]
Cosines = NDArray[np.float32]
_T = TypeVar("_T")


class VariantTexts(Protocol):
    """What the figures need of `audit.variants.Variants`."""

    @property
    def sentences(self) -> Sequence[str]:
        """The different sentences, in order."""

    @property
    def usage(self) -> Usage:
        """What of the text could be used."""

    def of_rule(self, rule: str) -> Iterator[tuple[int, str]]:
        """The variants of one rewrite: place of the sentence, text; in order of places."""


@dataclass(frozen=True)
class Similarities:
    """The cosine of each variant and its sentence, and the sentences' vectors."""

    vectors: Vectors
    """A row a sentence, of length 1; of zeros where the encoder knows nothing of the sentence."""
    places: Mapping[str, Places]
    """Of each rewrite that made a variant the places of its sentences, rising."""
    values: Mapping[str, Cosines]
    """Beside them, the cosines: computed in double precision, then rounded, so that equal vectors are exactly equal."""
    effort: CacheUsage
    """How many vectors were computed, and how many came from the cache."""

    def rules(self, *relations: Relation) -> list[str]:
        """The rewrites of these relations that made a variant, in the order in which they are shown."""
        return [rule for rule, relation in RELATIONS.items() if relation in relations and rule in self.places]

    def pooled(self, relation: Relation) -> NDArray[np.float64]:
        """The cosines of all variants of a relation, whatever the rewrite; rising."""
        found = [self.values[rule] for rule in self.rules(relation)]
        return np.sort(np.concatenate(found).astype(np.float64)) if found else np.empty(0)


def measure(
    encoder: Encoder,
    variants: VariantTexts,
    *,
    cache: VectorCache | None,
    workers: int | None,
    progress: Progress | None,
) -> Similarities:
    """The cosine of every variant and its sentence.

    The variants go through the model block by block, rewrite by rewrite. Blocks depend on the variants alone, so a
    measurement that was killed and started again on the same cache gives the same bits.
    """
    progress = progress or Progress()
    workers = choose_workers(encoder, workers)
    vectors, effort = encode_sentences(encoder, variants.sentences, cache=cache, workers=workers, progress=progress)
    normalise(vectors)
    whole = _Whole(progress)
    progress.begin(f"{encoder.name}: variants", total=sum(use.made for use in variants.usage.rules))
    places, values, efforts = {}, {}, [effort]
    for rule in RELATIONS:
        blocks = []
        for block in _blocks(variants.of_rule(rule), BLOCK):
            texts = list(dict.fromkeys(text for _, text in block))
            found, effort = encode_sentences(encoder, texts, cache=cache, workers=workers, progress=whole)
            efforts.append(effort)
            blocks.append(_compare(vectors, found, block, texts))
        if blocks:
            places[rule], values[rule] = (np.concatenate(column) for column in zip(*blocks, strict=True))
    progress.end()
    computed, cached = sum(one.computed for one in efforts), sum(one.cached for one in efforts)
    return Similarities(vectors, places, values, CacheUsage(computed, cached))


def normalise(vectors: Vectors) -> None:
    """Make every row of length 1, where it stands; rows of zeros stay."""
    for start in range(0, len(vectors), BLOCK):
        part = vectors[start : start + BLOCK]
        lengths = norms(part)
        lengths[lengths == 0] = 1.0
        part /= lengths[:, None]


def none_usable() -> LitotesError:
    """The error for texts of which nothing can be counted."""
    return LitotesError(
        "L204",
        "no sentence has both an opposite and a variant of the same meaning",
        hint="give more text: whole English sentences, one a line",
    )


def _compare(
    vectors: Vectors, found: Vectors, block: Sequence[tuple[int, str]], texts: Sequence[str]
) -> tuple[Places, Cosines]:
    if found.shape[1] != vectors.shape[1]:
        raise LitotesError("L308", f"the model gave vectors of {vectors.shape[1]} and of {found.shape[1]} numbers")
    number = {text: place for place, text in enumerate(texts)}
    places = np.fromiter((place for place, _ in block), dtype=np.intp, count=len(block))
    right = np.fromiter((number[text] for _, text in block), dtype=np.intp, count=len(block))
    # One array of both, since that is how cosines are asked for.
    rows = np.concatenate([vectors[places], found])
    return places, cosines(rows, np.arange(len(block)), len(block) + right).astype(np.float32)


def _blocks(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    items = iter(items)
    while block := list(itertools.islice(items, size)):
        yield block


class _Whole(Progress):
    """Shows many short pieces of work as one long one."""

    def __init__(self, shown: Progress) -> None:
        self._shown = shown

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        """What a piece has from the cache is done."""
        self._shown.advance(done)

    def advance(self, count: int) -> None:
        """So much more is done."""
        self._shown.advance(count)
