"""Search in people's own corpus: does a query of the same meaning bring back the original before its opposite?"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.audit.blindness import ALL, texts_at
from litotes.audit.result import RetrievalFigures
from litotes.audit.similarities import Places, Similarities, VariantTexts, normalise
from litotes.core.progress import Progress
from litotes.evaluation.encoding import choose_workers, encode_sentences
from litotes.evaluation.statistics import GroupBootstrap, sum_by_group
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.base import Encoder, Scores, Vectors, cosines

_QUERIES_AT_ONCE = 256
_ENTRIES_AT_ONCE = 16_384
"""A product of so many queries and entries is in memory at a time: 16 MB."""
_FAR = -4.0
"""Below every cosine: an entry that does not count."""


def retrieve(
    encoder: Encoder,
    variants: VariantTexts,
    similarities: Similarities,
    *,
    queries: int,
    seed: int,
    cache: VectorCache | None,
    workers: int | None,
    progress: Progress | None,
) -> tuple[RetrievalFigures, ...]:
    """What queries of the same meaning find, over all rewrites and by them; nothing if there is no query.

    The index is the whole corpus, and in it the opposites of all sentences that are asked for, as in a corpus that
    holds both. Queries are variants of the same meaning of sentences that have an opposite, `queries` of them at most,
    drawn evenly. Paired accuracy looks at an original and its own opposites alone; of two opposites each counts half.
    A rank is one more than the entries that are at least as similar to the query; those with the query's own text do
    not count. Without the opposites means the corpus as it is: an opposite that stands in it anyway stays. Intervals
    are by drawing originals with replacement.
    """
    found = answer(
        encoder, variants, similarities, queries=queries, seed=seed, cache=cache, workers=workers, progress=progress
    )
    return tuple(
        _figures(
            rule,
            found.places[those],
            found.paired[those],
            found.rank_without_opposites[those],
            found.rank[those],
        )
        for rule in (ALL, *similarities.rules("same"))
        if (those := np.array([rule in (ALL, other) for other in found.rules], dtype=bool)).any()
    )


@dataclass(frozen=True)
class Answers:
    """What each query found; the same queries in the same order, whatever the encoder."""

    rules: Sequence[str]
    """The rewrites that made the queries."""
    places: Places
    """Of the originals."""
    paired: Scores
    """The share of the original's own opposites that come after it."""
    rank: Scores
    """Of the original, the opposites being in the index."""
    rank_without_opposites: Scores


def answer(
    encoder: Encoder,
    variants: VariantTexts,
    similarities: Similarities,
    *,
    queries: int,
    seed: int,
    cache: VectorCache | None,
    workers: int | None,
    progress: Progress | None,
) -> Answers:
    """What each of the queries of `retrieve` finds, query by query."""
    progress = progress or Progress()
    asked = _draw(similarities, variants, queries, np.random.default_rng(seed))
    if not asked.texts:
        return Answers((), asked.places, np.empty(0), np.empty(0), np.empty(0))
    texts = list(dict.fromkeys([*asked.texts, *asked.all_opposites]))
    workers = choose_workers(encoder, workers)
    vectors, _ = encode_sentences(encoder, texts, cache=cache, workers=workers, progress=progress)
    normalise(vectors)
    new = _Texts(texts, vectors)
    paired = _paired(asked, new, similarities.vectors)
    progress.begin(f"{encoder.name}: retrieval", total=len(asked.texts))
    plain, among_opposites = _ranks(asked, new, variants.sentences, similarities.vectors, progress)
    progress.end()
    return Answers(asked.rules, asked.places, paired, among_opposites, plain)


@dataclass(frozen=True)
class _Asked:
    """The queries, the places of their originals, and the opposites of these."""

    texts: Sequence[str]
    rules: Sequence[str]
    places: Places
    opposites: Mapping[int, Sequence[str]]

    @property
    def all_opposites(self) -> list[str]:
        return list(dict.fromkeys(text for place in sorted(self.opposites) for text in self.opposites[place]))


def _draw(similarities: Similarities, variants: VariantTexts, most: int, generator: np.random.Generator) -> _Asked:
    with_opposite = np.zeros(len(similarities.vectors), dtype=bool)
    for rule in similarities.rules("opposite"):
        with_opposite[similarities.places[rule]] = True
    rules = similarities.rules("same")
    there = {rule: np.flatnonzero(with_opposite[similarities.places[rule]]) for rule in rules}
    total = sum(map(len, there.values()))
    drawn = np.sort(generator.permutation(total)[:most])
    chosen: list[tuple[int, str, str]] = []
    start = 0
    for rule, numbers in there.items():
        mine = numbers[drawn[(drawn >= start) & (drawn < start + len(numbers))] - start]
        start += len(numbers)
        texts = texts_at(variants, rule, set(similarities.places[rule][mine].tolist()))
        chosen += [(place, rule, text) for place, text in texts.items()]
    originals = {place for place, _, _ in chosen}
    opposites: dict[int, list[str]] = {}
    for rule in similarities.rules("opposite"):
        for place, text in texts_at(variants, rule, originals).items():
            if text not in opposites.setdefault(place, []):
                opposites[place].append(text)
    # A text that one rewrite makes as the same and another as the opposite asks for nothing.
    chosen = [one for one in chosen if one[2] not in opposites[one[0]]]
    return _Asked(
        [text for _, _, text in chosen],
        [rule for _, rule, _ in chosen],
        np.array([place for place, _, _ in chosen], dtype=np.intp),
        opposites,
    )


class _Texts:
    """Texts and their vectors, of length 1."""

    def __init__(self, texts: Sequence[str], vectors: Vectors) -> None:
        self._numbers = {text: number for number, text in enumerate(texts)}
        self._vectors = vectors

    def __contains__(self, text: str) -> bool:
        return text in self._numbers

    def of(self, texts: Sequence[str]) -> Vectors:
        """A vector a text."""
        rows: Vectors = self._vectors[_look_up(self._numbers, texts)]
        return rows


def _look_up(numbers: Mapping[str, int], texts: Sequence[str]) -> Places:
    """The number of each text, -1 for one that has none."""
    return np.array([numbers.get(text, -1) for text in texts], dtype=np.intp)


def _paired(asked: _Asked, new: _Texts, corpus: Vectors) -> Scores:
    """Of each query the share of its original's opposites that are less similar to it than the original is."""
    out = np.empty(len(asked.texts), dtype=np.float64)
    for start in range(0, len(out), _QUERIES_AT_ONCE):
        some = slice(start, start + _QUERIES_AT_ONCE)
        places = asked.places[some]
        own = row_cosines(new.of(asked.texts[some]), corpus[places])
        opposites = [asked.opposites[place] for place in places.tolist()]
        query = np.repeat(np.arange(len(places)), [len(texts) for texts in opposites])
        flat = list(itertools.chain.from_iterable(opposites))
        before = own[query] > row_cosines(new.of([asked.texts[start + number] for number in query]), new.of(flat))
        out[some] = np.bincount(query, weights=before, minlength=len(places)) / np.bincount(query)
    return out


def _ranks(
    asked: _Asked, new: _Texts, sentences: Sequence[str], corpus: Vectors, progress: Progress
) -> tuple[Scores, Scores]:
    """The rank of each query's original in the corpus, and in the corpus with the opposites."""
    in_corpus = {text: place for place, text in enumerate(sentences) if text in new}
    inserted = [text for text in asked.all_opposites if text not in in_corpus]
    in_inserted = {text: number for number, text in enumerate(inserted)}
    opposites = new.of(inserted)
    plain, among_opposites = np.empty(len(asked.texts)), np.empty(len(asked.texts))
    for start in range(0, len(plain), _QUERIES_AT_ONCE):
        some = slice(start, start + _QUERIES_AT_ONCE)
        texts, places = asked.texts[some], asked.places[some]
        rows = new.of(texts)
        own = row_cosines(rows, corpus[places])
        plain[some] = 1 + count_at_least(rows, own, corpus, places, _look_up(in_corpus, texts))
        among_opposites[some] = plain[some] + count_at_least(rows, own, opposites, _look_up(in_inserted, texts))
        progress.advance(len(texts))
    return plain, among_opposites


def row_cosines(rows: Vectors, others: Vectors) -> NDArray[np.float32]:
    """The cosine of each row and its counterpart, in double precision and then rounded."""
    every = np.arange(len(rows))
    return cosines(np.concatenate([rows, others]), every, every + len(rows)).astype(np.float32)


def count_at_least(rows: Vectors, own: NDArray[np.float32], entries: Vectors, *left_out: Places) -> NDArray[np.intp]:
    """How many entries are at least as similar to each row as its own number says, some entries of it left out.

    Products of matrices in single precision say it of nearly all entries; those that lie so near that rounding may
    have decided are compared in double precision. So the count is exact, whatever library multiplies.
    """
    count = np.zeros(len(rows), dtype=np.intp)
    # What rounding can do to a sum of so many products of vectors of length 1, and to that length itself.
    margin = np.float32((rows.shape[1] + 8) * 2.0**-23)
    above, below = (own + margin)[:, None], (own - margin)[:, None]
    for start in range(0, len(entries), _ENTRIES_AT_ONCE):
        products = rows @ entries[start : start + _ENTRIES_AT_ONCE].T
        for places in left_out:
            mine = np.flatnonzero((places >= start) & (places < start + products.shape[1]))
            products[mine, places[mine] - start] = _FAR
        surely = np.count_nonzero(products > above, axis=1)
        unsure = np.flatnonzero(np.count_nonzero(products >= below, axis=1) > surely)
        count += surely
        for row in unsure:
            near = np.flatnonzero((products[row] >= below[row]) & (products[row] <= above[row]))
            exact = row_cosines(np.repeat(rows[row : row + 1], len(near), axis=0), entries[start + near])
            count[row] += np.count_nonzero(exact >= own[row])
    return count


def _figures(rule: str, places: Places, paired: Scores, plain: Scores, among_opposites: Scores) -> RetrievalFigures:
    by_original = [sum_by_group(column, places.tolist()) for column in (paired, 1 / among_opposites)]
    bootstrap = GroupBootstrap(len(by_original[0].items))
    (paired_ci, _), (mrr_ci, _) = map(bootstrap.share_intervals, by_original)
    return RetrievalFigures(
        rule,
        len(places),
        float(paired.mean()),
        paired_ci,
        float((1 / among_opposites).mean()),
        mrr_ci,
        float((1 / plain).mean()),
        first=float((among_opposites == 1).mean()),
    )
