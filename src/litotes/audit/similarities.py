"""The similarity of each sentence to its variants, without all vectors of the variants in memory."""

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
    from litotes.audit.result import TextUsage

BLOCK_SIZE = 16_384
"""Variants whose vectors are in memory at a time: 24 MB for MiniLM."""

Indices = NDArray[np.intp]
Cosines = NDArray[np.float32]
_T = TypeVar("_T")


class VariantTexts(Protocol):
    """The part of `audit.variants.Variants` that measurements use."""

    @property
    def sentences(self) -> Sequence[str]:
        """The different sentences, in order."""

    @property
    def usage(self) -> TextUsage:
        """How much of the text could be used."""

    def of_rule(self, rule: str) -> Iterator[tuple[int, str]]:
        """Yield the variants by one rewrite as (index of the sentence, text), in the order of the sentences."""


@dataclass(frozen=True)
class Similarities:
    """The cosine of each variant and its sentence, and the vectors of the sentences."""

    vectors: Vectors
    """One normalised row per sentence; zeros if the encoder knows no word of it."""
    indices: Mapping[str, Indices]
    """By rewrite: the indices of the sentences with a variant, ascending."""
    values: Mapping[str, Cosines]
    """By rewrite: the cosines, computed in double precision and rounded, so that equal vectors have equal cosines."""
    cache_usage: CacheUsage

    def rules(self, *relations: Relation) -> list[str]:
        """Return the rewrites of these relations that have variants, in display order."""
        return [rule for rule, relation in RELATIONS.items() if relation in relations and rule in self.indices]

    def pooled(self, relation: Relation) -> NDArray[np.float64]:
        """Return the cosines of all variants with a relation, ascending."""
        values = [self.values[rule] for rule in self.rules(relation)]
        return np.sort(np.concatenate(values).astype(np.float64)) if values else np.empty(0)


def measure_similarities(
    encoder: Encoder,
    variants: VariantTexts,
    *,
    cache: VectorCache | None,
    workers: int | None,
    progress: Progress | None,
) -> Similarities:
    """Return the cosine of every variant and its sentence.

    The variants are encoded in blocks that depend on the variants only, so that a measurement that was killed and
    repeated with the same cache gives the same bits.
    """
    progress = progress or Progress()
    workers = choose_workers(encoder, workers)
    vectors, usage = encode_sentences(encoder, variants.sentences, cache=cache, workers=workers, progress=progress)
    normalise(vectors)
    block_progress = _BlockProgress(progress)
    progress.begin(f"{encoder.name}: variants", total=sum(rule.variants for rule in variants.usage.rules))
    indices, values, usages = {}, {}, [usage]
    for rule in RELATIONS:
        compared = []
        for block in _blocks(variants.of_rule(rule), BLOCK_SIZE):
            texts = list(dict.fromkeys(text for _, text in block))
            rows, usage = encode_sentences(encoder, texts, cache=cache, workers=workers, progress=block_progress)
            usages.append(usage)
            compared.append(_compare_block(vectors, rows, block, texts))
        if compared:
            indices[rule], values[rule] = (np.concatenate(column) for column in zip(*compared, strict=True))
    progress.end()
    total = CacheUsage(sum(usage.computed for usage in usages), sum(usage.cached for usage in usages))
    return Similarities(vectors, indices, values, total)


def normalise(vectors: Vectors) -> None:
    """Scale every row to length 1, in place; rows of zeros stay."""
    for start in range(0, len(vectors), BLOCK_SIZE):
        block = vectors[start : start + BLOCK_SIZE]
        lengths = norms(block)
        lengths[lengths == 0] = 1.0
        block /= lengths[:, None]


def no_usable_sentence() -> LitotesError:
    """Return the error for texts without a sentence that has both an opposite and a paraphrase."""
    return LitotesError(
        "L204",
        "no sentence has both an opposite and a paraphrase",
        hint="add more text, as whole English sentences, one per line",
    )


def _compare_block(
    vectors: Vectors, rows: Vectors, block: Sequence[tuple[int, str]], texts: Sequence[str]
) -> tuple[Indices, Cosines]:
    if rows.shape[1] != vectors.shape[1]:
        raise LitotesError(
            "L308", f"the model returned vectors of {vectors.shape[1]} and of {rows.shape[1]} dimensions"
        )
    row_of = {text: row for row, text in enumerate(texts)}
    indices = np.fromiter((index for index, _ in block), dtype=np.intp, count=len(block))
    variant_rows = np.fromiter((row_of[text] for _, text in block), dtype=np.intp, count=len(block))
    both = np.concatenate([vectors[indices], rows])
    return indices, cosines(both, np.arange(len(block)), len(block) + variant_rows).astype(np.float32)


def _blocks(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    items = iter(items)
    while block := list(itertools.islice(items, size)):
        yield block


class _BlockProgress(Progress):
    """Reports the progress of many blocks to one progress bar."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        """Count what a block has from the cache."""
        self._progress.advance(done)

    def advance(self, count: int) -> None:
        """Count finished items."""
        self._progress.advance(count)
