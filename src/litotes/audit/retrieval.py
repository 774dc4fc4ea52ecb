"""Search in the user's corpus: does a paraphrase as query find the original before its opposite?"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.audit.blindness import ALL, texts_at
from litotes.audit.result import RetrievalMetrics
from litotes.audit.similarities import Indices, Similarities, VariantTexts, normalise
from litotes.core.progress import Progress
from litotes.evaluation.encoding import choose_workers, encode_sentences
from litotes.evaluation.statistics import GroupBootstrap, sum_by_group
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.base import Encoder, Scores, Vectors, cosines

_QUERY_BATCH = 256
_ENTRY_BATCH = 16_384
"""Queries and entries that are multiplied at a time: 16 MB of products."""
_EXCLUDED = -4.0
"""Below every cosine: the product of an entry that does not count."""


def measure_retrieval(results: QueryResults, similarities: Similarities) -> tuple[RetrievalMetrics, ...]:
    """Return the metrics of the results over all rewrites and by rewrite; nothing without queries.

    - Paired accuracy compares an original with its own opposites only; with two opposites each counts half.
    - The rank of an original is one plus the number of entries that are at least as similar to the query, without
      entries that have the same text as the query.
    - "Without opposites" is the corpus as it is, including opposites that it already contains.
    - Confidence intervals come from a bootstrap over originals.
    """
    rows = []
    for rule in (ALL, *similarities.rules("same")):
        selected = np.array([rule in (ALL, query_rule) for query_rule in results.rules], dtype=bool)
        if selected.any():
            rows.append(
                _metrics(
                    rule,
                    results.originals[selected],
                    results.paired[selected],
                    results.rank_without_opposites[selected],
                    results.rank[selected],
                )
            )
    return tuple(rows)


@dataclass(frozen=True)
class QueryResults:
    """The result of each query; the queries do not depend on the encoder."""

    rules: Sequence[str]
    """The rewrite that made each query."""
    originals: Indices
    """The index of the sentence that each query paraphrases."""
    paired: Scores
    """The share of the original's opposites that are ranked below it."""
    rank: Scores
    """The rank of the original, with the opposites in the index."""
    rank_without_opposites: Scores


def answer_queries(
    encoder: Encoder,
    variants: VariantTexts,
    similarities: Similarities,
    *,
    queries: int,
    seed: int,
    cache: VectorCache | None,
    workers: int | None,
    progress: Progress | None,
) -> QueryResults:
    """Return the result of each query.

    Queries are paraphrases of sentences that have an opposite, at most `queries` of them, drawn at random. The index
    is the corpus, to which the opposites of all originals are added.
    """
    progress = progress or Progress()
    drawn = _draw_queries(similarities, variants, queries, np.random.default_rng(seed))
    if not drawn.texts:
        return QueryResults((), drawn.originals, np.empty(0), np.empty(0), np.empty(0))
    texts = list(dict.fromkeys([*drawn.texts, *drawn.all_opposites]))
    workers = choose_workers(encoder, workers)
    vectors, _ = encode_sentences(encoder, texts, cache=cache, workers=workers, progress=progress)
    normalise(vectors)
    encoded = _EncodedTexts(texts, vectors)
    paired = _paired_accuracy(drawn, encoded, similarities.vectors)
    progress.begin(f"{encoder.name}: retrieval", total=len(drawn.texts))
    rank_without_opposites, rank = _ranks(drawn, encoded, variants.sentences, similarities.vectors, progress)
    progress.end()
    return QueryResults(drawn.rules, drawn.originals, paired, rank, rank_without_opposites)


@dataclass(frozen=True)
class _Queries:
    """Queries, their originals and the opposites of these."""

    texts: Sequence[str]
    rules: Sequence[str]
    originals: Indices
    opposites: Mapping[int, Sequence[str]]

    @property
    def all_opposites(self) -> list[str]:
        return list(dict.fromkeys(text for original in sorted(self.opposites) for text in self.opposites[original]))


def _draw_queries(
    similarities: Similarities, variants: VariantTexts, max_queries: int, generator: np.random.Generator
) -> _Queries:
    has_opposite = np.zeros(len(similarities.vectors), dtype=bool)
    for rule in similarities.rules("opposite"):
        has_opposite[similarities.indices[rule]] = True
    candidates = {rule: np.flatnonzero(has_opposite[similarities.indices[rule]]) for rule in similarities.rules("same")}
    total = sum(map(len, candidates.values()))
    drawn = np.sort(generator.permutation(total)[:max_queries])
    queries: list[tuple[int, str, str]] = []
    start = 0
    for rule, positions in candidates.items():
        drawn_positions = positions[drawn[(drawn >= start) & (drawn < start + len(positions))] - start]
        start += len(positions)
        texts = texts_at(variants, rule, set(similarities.indices[rule][drawn_positions].tolist()))
        queries += [(index, rule, text) for index, text in texts.items()]
    originals = {index for index, _, _ in queries}
    opposites: dict[int, list[str]] = {}
    for rule in similarities.rules("opposite"):
        for index, text in texts_at(variants, rule, originals).items():
            if text not in opposites.setdefault(index, []):
                opposites[index].append(text)
    # A text that is both a paraphrase and an opposite, by different rewrites, is not a query.
    queries = [(index, rule, text) for index, rule, text in queries if text not in opposites[index]]
    return _Queries(
        [text for _, _, text in queries],
        [rule for _, rule, _ in queries],
        np.array([index for index, _, _ in queries], dtype=np.intp),
        opposites,
    )


class _EncodedTexts:
    """Texts and their normalised vectors."""

    def __init__(self, texts: Sequence[str], vectors: Vectors) -> None:
        self._row_of = {text: row for row, text in enumerate(texts)}
        self._vectors = vectors

    def __contains__(self, text: str) -> bool:
        return text in self._row_of

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text."""
        rows: Vectors = self._vectors[_look_up(self._row_of, texts)]
        return rows


def _look_up(index_of: Mapping[str, int], texts: Sequence[str]) -> Indices:
    """Return the index of each text, or -1."""
    return np.array([index_of.get(text, -1) for text in texts], dtype=np.intp)


def _paired_accuracy(queries: _Queries, encoded: _EncodedTexts, corpus: Vectors) -> Scores:
    """Return for each query the share of opposites that are less similar to it than the original."""
    shares = np.empty(len(queries.texts), dtype=np.float64)
    for start in range(0, len(shares), _QUERY_BATCH):
        batch = slice(start, start + _QUERY_BATCH)
        originals = queries.originals[batch]
        own = row_cosines(encoded.vectors(queries.texts[batch]), corpus[originals])
        opposites = [queries.opposites[index] for index in originals.tolist()]
        query = np.repeat(np.arange(len(originals)), [len(texts) for texts in opposites])
        repeated = encoded.vectors([queries.texts[start + position] for position in query])
        flat = encoded.vectors(list(itertools.chain.from_iterable(opposites)))
        is_below = own[query] > row_cosines(repeated, flat)
        shares[batch] = np.bincount(query, weights=is_below, minlength=len(originals)) / np.bincount(query)
    return shares


def _ranks(
    queries: _Queries, encoded: _EncodedTexts, sentences: Sequence[str], corpus: Vectors, progress: Progress
) -> tuple[Scores, Scores]:
    """Return the rank of each query's original in the corpus, and in the corpus with the opposites."""
    in_corpus = {text: index for index, text in enumerate(sentences) if text in encoded}
    added = [text for text in queries.all_opposites if text not in in_corpus]
    in_added = {text: index for index, text in enumerate(added)}
    added_vectors = encoded.vectors(added)
    without_opposites, with_opposites = np.empty(len(queries.texts)), np.empty(len(queries.texts))
    for start in range(0, len(without_opposites), _QUERY_BATCH):
        batch = slice(start, start + _QUERY_BATCH)
        texts, originals = queries.texts[batch], queries.originals[batch]
        rows = encoded.vectors(texts)
        own = row_cosines(rows, corpus[originals])
        above = count_at_least(rows, own, corpus, originals, _look_up(in_corpus, texts))
        without_opposites[batch] = 1 + above
        with_opposites[batch] = 1 + above + count_at_least(rows, own, added_vectors, _look_up(in_added, texts))
        progress.advance(len(texts))
    return without_opposites, with_opposites


def row_cosines(rows: Vectors, others: Vectors) -> NDArray[np.float32]:
    """Return the cosine of each row and its counterpart, computed in double precision and rounded."""
    positions = np.arange(len(rows))
    return cosines(np.concatenate([rows, others]), positions, positions + len(rows)).astype(np.float32)


def count_at_least(rows: Vectors, own: NDArray[np.float32], entries: Vectors, *excluded: Indices) -> NDArray[np.intp]:
    """Return how many entries are at least as similar to each row as its value in `own`.

    `excluded` are arrays with the index of an entry, or -1, that does not count for the row. Matrix products in single
    precision decide for nearly all entries; those within the rounding error are compared in double precision, so that
    the result does not depend on the library that multiplies.
    """
    count = np.zeros(len(rows), dtype=np.intp)
    # The largest rounding error of a sum of that many products of normalised vectors, and of their lengths.
    margin = np.float32((rows.shape[1] + 8) * 2.0**-23)
    above, below = (own + margin)[:, None], (own - margin)[:, None]
    for start in range(0, len(entries), _ENTRY_BATCH):
        products = rows @ entries[start : start + _ENTRY_BATCH].T
        for indices in excluded:
            affected = np.flatnonzero((indices >= start) & (indices < start + products.shape[1]))
            products[affected, indices[affected] - start] = _EXCLUDED
        n_above = np.count_nonzero(products > above, axis=1)
        uncertain = np.flatnonzero(np.count_nonzero(products >= below, axis=1) > n_above)
        count += n_above
        for row in uncertain:
            near = np.flatnonzero((products[row] >= below[row]) & (products[row] <= above[row]))
            exact = row_cosines(np.repeat(rows[row : row + 1], len(near), axis=0), entries[start + near])
            count[row] += np.count_nonzero(exact >= own[row])
    return count


def _metrics(
    rule: str, originals: Indices, paired: Scores, rank_without_opposites: Scores, rank: Scores
) -> RetrievalMetrics:
    by_original = [sum_by_group(column, originals.tolist()) for column in (paired, 1 / rank)]
    bootstrap = GroupBootstrap(len(by_original[0].items))
    (paired_ci, _), (mrr_ci, _) = map(bootstrap.share_intervals, by_original)
    return RetrievalMetrics(
        rule,
        len(originals),
        float(paired.mean()),
        paired_ci,
        float((1 / rank).mean()),
        mrr_ci,
        float((1 / rank_without_opposites).mean()),
        top_1=float((rank == 1).mean()),
    )
