"""General quality of an encoder: agreement with human similarity scores, and paraphrase search.

Both are measured before and after a repair on the same pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from litotes.audit.retrieval import count_at_least, row_cosines
from litotes.audit.similarities import normalise
from litotes.core.errors import LitotesError
from litotes.core.files import expand_user
from litotes.corpora.base import Record
from litotes.corpora.pairs import MIN_PAIRS, ScoredPair, read_pairs, read_scored_pairs
from litotes.evaluation.settings import RESAMPLES, SEED
from litotes.evaluation.statistics import (
    average_ranks,
    paired_difference,
    percentile_interval,
    spearman,
    spearman_resamples,
)
from litotes.models.base import Scores, Vectors, cosines
from litotes.repair.result import Interval, MetricChange

EncodeTexts = Callable[[Sequence[str]], Vectors]
"""Returns one vector for each of some distinct texts."""

PARAPHRASE_SCORE = 4.0
"""Human similarity score, on the scale from 0 to 5, from which a pair counts as paraphrases."""
_QUERY_BATCH = 256


@dataclass(frozen=True)
class ParaphraseSearch:
    """Queries, the texts to search, and the indices of the correct texts for each query."""

    queries: tuple[str, ...]
    texts: tuple[str, ...]
    correct: tuple[tuple[int, ...], ...]


def read_paraphrase_search(path: str | Path, warn: Callable[[str], None] = lambda message: None) -> ParaphraseSearch:
    """Read the paraphrases of a file as queries; the second sentences of all its pairs are searched.

    A pair counts as paraphrases if its label is 1 (MRPC), if its score is at least 4 (the STS benchmark), or if the
    file has neither labels nor scores.
    """
    file = expand_user(path)
    records = read_pairs(file, warn)
    texts = tuple(dict.fromkeys(record.second_text for record in records if record.second_text is not None))
    index_of = {text: index for index, text in enumerate(texts)}
    correct: dict[str, dict[int, None]] = {}
    for record in records:
        if _is_paraphrase(record) and record.text != record.second_text:
            correct.setdefault(record.text, {})[index_of[record.second_text or ""]] = None
    if len(correct) < MIN_PAIRS:
        raise LitotesError(
            "L204",
            f"{file.name}: {len(correct)} of {len(records):,} pairs are paraphrases, at least {MIN_PAIRS} are needed",
            hint=f"paraphrases have the label 1, or a score of at least {PARAPHRASE_SCORE:g}",
        )
    return ParaphraseSearch(tuple(correct), texts, tuple(tuple(indices) for indices in correct.values()))


def read_sentences(path: str | Path) -> list[str]:
    """Return the distinct sentences of a file of pairs, in order."""
    records = read_pairs(path)
    return list(
        dict.fromkeys(text for record in records for text in (record.text, record.second_text) if text is not None)
    )


def evaluation_sentences(sts: str | Path | None, paraphrases: str | Path | None) -> dict[str, list[str]]:
    """Return the sentences of the evaluation files by file name; raise if a file cannot be used."""
    if sts is not None:
        read_scored_pairs(sts)
    if paraphrases is not None:
        read_paraphrase_search(paraphrases)
    sentences: dict[str, list[str]] = {}
    for file in dict.fromkeys(expand_user(path) for path in (sts, paraphrases) if path is not None):
        sentences.setdefault(file.name, []).extend(read_sentences(file))  # two folders may have files of one name
    return sentences


def sts_change(
    pairs: Sequence[ScoredPair], before: EncodeTexts, after: EncodeTexts, *, name: str = "STS"
) -> MetricChange:
    """Compare two models by the Spearman correlation of their cosines with the human scores.

    The interval is a bootstrap over pairs. The p-value is a sign-flip test over the contributions of the pairs to the
    difference. A model that gives all pairs the same similarity has the correlation 0.
    """
    gold = np.array([pair.score for pair in pairs])
    old, new = (_pair_cosines(pairs, encode) for encode in (before, after))
    gold_ranks, old_ranks, new_ranks = (_standardised(average_ranks(column)) for column in (gold, old, new))
    # Spearman's correlation is a mean of products of standardised ranks, so its difference is a difference of means.
    test = paired_difference(gold_ranks * new_ranks, gold_ranks * old_ranks, [str(n) for n in range(len(pairs))])
    return MetricChange(
        f"{name}: Spearman",
        len(pairs),
        spearman(gold, old) or 0.0,
        spearman(gold, new) or 0.0,
        _spearman_interval(gold, old, new),
        test.p,
        "higher",
    )


def search_changes(
    search: ParaphraseSearch, before: EncodeTexts, after: EncodeTexts, *, name: str = "paraphrases"
) -> tuple[MetricChange, MetricChange]:
    """Compare two models by the accuracy of the first result and the mean reciprocal rank."""
    old, new = (first_ranks(search, encode) for encode in (before, after))
    return (
        paired_change(f"{name}: accuracy@1", (old == 1).astype(np.float64), (new == 1).astype(np.float64)),
        paired_change(f"{name}: MRR", 1 / old, 1 / new),
    )


def paired_change(
    metric: str, before: Scores, after: Scores, groups: Sequence[str] | None = None, *, better: str = "higher"
) -> MetricChange:
    """Compare two models by the mean of a score per item; by default every item is a group of its own.

    >>> change = paired_change("accuracy", np.array([0.0, 0.0, 1.0, 0.0]), np.array([1.0, 1.0, 1.0, 0.0]))
    >>> change.before, change.after, change.p > 0.05
    (0.25, 0.75, True)
    """
    test = paired_difference(after, before, [str(n) for n in range(len(after))] if groups is None else groups)
    return MetricChange(metric, len(after), float(before.mean()), float(after.mean()), test.ci, test.p, better)


def first_ranks(search: ParaphraseSearch, encode: EncodeTexts) -> Scores:
    """Return for each query the rank of its best correct text; ties count against it.

    A text that is identical to the query is ignored.
    """
    texts = list(dict.fromkeys([*search.queries, *search.texts]))
    index_of = {text: index for index, text in enumerate(texts)}
    vectors = np.array(encode(texts), dtype=np.float32)
    normalise(vectors)
    candidates = vectors[[index_of[text] for text in search.texts]]
    queries = vectors[[index_of[text] for text in search.queries]]
    correct = _padded(search.correct)
    candidate_of = {text: index for index, text in enumerate(search.texts)}
    identical = np.array([candidate_of.get(text, -1) for text in search.queries], dtype=np.intp)
    ranks = np.empty(len(queries))
    for start in range(0, len(queries), _QUERY_BATCH):
        batch = slice(start, start + _QUERY_BATCH)
        best = _best_correct(queries[batch], candidates, correct[batch])
        ranks[batch] = 1 + count_at_least(queries[batch], best, candidates, identical[batch], *correct[batch].T)
    return ranks


def _best_correct(queries: Vectors, candidates: Vectors, correct: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return for each query the highest similarity among its correct candidates."""
    similarities = [
        np.where(column >= 0, row_cosines(queries, candidates[np.maximum(column, 0)]), np.float32(-2))
        for column in correct.T
    ]
    best: NDArray[np.float32] = np.max(similarities, axis=0)
    return best


def _padded(rows: Sequence[Sequence[int]]) -> NDArray[np.intp]:
    """Return the rows as a matrix, padded with -1."""
    matrix = np.full((len(rows), max(map(len, rows))), -1, dtype=np.intp)
    for index, row in enumerate(rows):
        matrix[index, : len(row)] = row
    return matrix


def _pair_cosines(pairs: Sequence[ScoredPair], encode: EncodeTexts) -> Scores:
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.left, pair.right)))
    index_of = {text: index for index, text in enumerate(texts)}
    left = np.array([index_of[pair.left] for pair in pairs], dtype=np.intp)
    right = np.array([index_of[pair.right] for pair in pairs], dtype=np.intp)
    return cosines(encode(texts), left, right)


def _standardised(values: Scores) -> Scores:
    centred: Scores = values - values.mean()
    return centred / (float(values.std()) or 1.0)


def _spearman_interval(gold: Scores, old: Scores, new: Scores) -> Interval:
    """Return the bootstrap interval of the difference; every resample of pairs is ranked again."""
    correlations = spearman_resamples(gold, old, new, resamples=RESAMPLES, seed=SEED)
    return percentile_interval(correlations[:, 1] - correlations[:, 0])


def _is_paraphrase(record: Record) -> bool:
    if record.score is not None:
        return record.score >= PARAPHRASE_SCORE
    if record.label in {"", "0", "1"}:
        return record.label != "0"
    message = f'{record.id}: the label "{record.label}" does not say whether the pair is a paraphrase'
    raise LitotesError("L203", message, hint="use the labels 1 and 0, or scores from 0 to 5")
