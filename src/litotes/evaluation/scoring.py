"""Similarities of role pairs (or label probabilities) that a model assigns to suites, and the options they choose."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import UsageError
from litotes.core.progress import Progress
from litotes.evaluation.encoding import CacheUsage, choose_options, classify_pairs, encode_sentences, score_pairs
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.base import (
    Chooser,
    Encoder,
    Model,
    PairClassifier,
    Scores,
    Vectors,
    cosines,
    mutual_entailment,
    norms,
)
from litotes.models.prompts import Question, paraphrase_pair_question, paraphrase_question
from litotes.suites.base import HighestSimilarity, Item, Pair, Suite
from litotes.suites.nli import count_ambiguous_pairs, gold_labels, requires_labels

TIE_TOLERANCE = 1e-6
"""Similarities that differ by less are ties: single precision cannot distinguish them."""
MAX_BASELINE_PAIRS = 10_000
"""Limit for models that read pairs; the mean over all pairs of vectors costs nothing."""
MAX_CLASSIFIED_BASELINE_PAIRS = 1_000
"""Limit for classifiers, which are slow and read each pair in both directions."""

TextPair = tuple[str, str]
Indices = NDArray[np.intp]


@dataclass(frozen=True)
class LabelProbabilities:
    """The probability of each label (column) for each item (row) of a suite with labels."""

    probabilities: Scores
    gold: Indices
    """The column of each item's own label."""


@dataclass(frozen=True)
class SuiteScores:
    """The numbers that a model assigns to one suite."""

    similarities: Mapping[Pair, Scores] = field(default_factory=dict)
    labels: LabelProbabilities | None = None
    """Set for suites with labels, which have no similarities."""
    baseline: float | None = None
    """The mean similarity of unrelated sentences."""
    notes: Sequence[str] = ()


def check_fits(model: Model, suites: Iterable[Suite]) -> None:
    """Raise an error if a suite needs labels and the model predicts none, or if one of its items has none."""
    for suite in suites:
        if requires_labels(suite):
            if not isinstance(model, PairClassifier):
                raise needs_labels(suite.name, model.name)
            gold_indices(suite)


def needs_labels(suite: str, model: str) -> UsageError:
    """Return the error for a model that does not predict labels."""
    return UsageError(
        "L102",
        f'suite "{suite}" needs entailment, neutral or contradiction, but {model} only scores similarity',
        hint="use an NLI model, nli:FOLDER; litotes train nli trains one",
    )


def gold_indices(suite: Suite) -> Indices:
    """Return the index of each item's own label among the options."""
    indices = {name: index for index, name in enumerate(suite.kind.criterion.options)}
    return np.array([indices[label] for label in gold_labels(suite)], dtype=np.intp)


def score_suites(
    model: Model, suites: Sequence[Suite], *, cache: VectorCache | None, workers: int, progress: Progress
) -> tuple[list[SuiteScores], CacheUsage]:
    """Return the scores of each suite; what several suites share is computed once."""
    how: dict[str, Any] = {"cache": cache, "workers": workers, "progress": progress}
    if isinstance(model, Encoder):
        texts = _Unique(itertools.chain.from_iterable(suite.columns for suite in suites))
        vectors, usage = encode_sentences(model, texts.values, **how)
        return [_scores_of_vectors(model, suite, texts, vectors) for suite in suites], usage
    if isinstance(model, PairClassifier):
        pairs = _Unique(itertools.chain.from_iterable(map(_classified_columns, suites)))
        rows, usage = classify_pairs(model, pairs.values, **how)
        return [_scores_of_labels(model, suite, pairs, rows) for suite in suites], usage
    if isinstance(model, Chooser):
        return _scores_of_choices(model, suites, how)
    pairs = _Unique(itertools.chain.from_iterable(map(_pair_columns, suites)))
    scores, usage = score_pairs(model, pairs.values, **how)
    return [
        _with_baseline(suite, [scores[pairs.indices(column)] for column in _pair_columns(suite)]) for suite in suites
    ], usage


class _Unique:
    """Unique values of several columns, in order of appearance, and their indices."""

    def __init__(self, columns: Iterable[Sequence[Any]]) -> None:
        self.values = list(dict.fromkeys(itertools.chain.from_iterable(columns)))
        self._indices = {value: index for index, value in enumerate(self.values)}

    def indices(self, values: Sequence[Any]) -> Indices:
        return np.fromiter(map(self._indices.__getitem__, values), dtype=np.intp, count=len(values))


# Encoders


def _scores_of_vectors(encoder: Encoder, suite: Suite, texts: _Unique, vectors: Vectors) -> SuiteScores:
    columns = suite.columns
    indices = {role: texts.indices(column) for role, column in zip(suite.kind.compared_roles(), columns, strict=True)}
    lengths = norms(vectors)
    left, right = map(texts.indices, baseline_halves(suite))
    return SuiteScores(
        _pair_cosines(suite.kind.pairs, indices, vectors, lengths),
        baseline=mean_cosine(vectors, left, right, lengths) if len(left) else None,
        # Building the list of unique texts is not worth it for the encoders without notes, which are most.
        notes=() if type(encoder).notes is Encoder.notes else encoder.notes(_Unique(columns).values),
    )


def _pair_cosines(
    pairs: Sequence[Pair], indices: Mapping[str, Indices], vectors: Vectors, lengths: Scores
) -> dict[Pair, Scores]:
    """Return the cosines of each role pair; sentences that are compared in several items are multiplied once."""
    first, second = (np.stack([indices[pair[side]] for pair in pairs]) for side in (0, 1))
    keys = np.minimum(first, second) * len(vectors) + np.maximum(first, second)
    unique, inverse = np.unique(keys, return_inverse=True)
    values = cosines(vectors, *np.divmod(unique, len(vectors)), lengths)
    return dict(zip(pairs, values[inverse].reshape(keys.shape), strict=True))


# Models that read pairs


def _pair_columns(suite: Suite, max_baseline_pairs: int = MAX_BASELINE_PAIRS) -> list[list[TextPair]]:
    """Return the text pairs of each role pair, and those of the baseline."""
    compared = [
        [(item.sentences[first], item.sentences[second]) for item in suite.items] for first, second in suite.kind.pairs
    ]
    return [*compared, crossed_pairs(*baseline_halves(suite), max_baseline_pairs)]


def _classified_columns(suite: Suite) -> list[list[TextPair]]:
    """Return the ordered pairs to classify: premise and hypothesis, or both directions of each pair."""
    columns = _pair_columns(suite, MAX_CLASSIFIED_BASELINE_PAIRS)
    if requires_labels(suite):
        return columns
    return [ordered for column in columns for ordered in (column, [(second, first) for first, second in column])]


def _scores_of_labels(classifier: PairClassifier, suite: Suite, pairs: _Unique, rows: Vectors) -> SuiteScores:
    columns = [rows[pairs.indices(column)] for column in _classified_columns(suite)]
    if requires_labels(suite):
        labels = LabelProbabilities(columns[0].astype(np.float64), gold_indices(suite))
        return SuiteScores(labels=labels, notes=_label_notes(suite))
    directions = zip(columns[::2], columns[1::2], strict=True)
    scores = [mutual_entailment(forward, backward, classifier.both) for forward, backward in directions]
    return _with_baseline(suite, scores)


def _with_baseline(suite: Suite, columns: Sequence[Scores]) -> SuiteScores:
    *compared, unrelated = columns
    similarities = dict(zip(suite.kind.pairs, compared, strict=True))
    return SuiteScores(similarities, baseline=float(unrelated.mean()) if len(unrelated) else None)


def _label_notes(suite: Suite) -> list[str]:
    count = count_ambiguous_pairs(suite)
    pairs = "text pair has" if count == 1 else "text pairs have"
    return [f"{count:,} {pairs} more than one label, so no model can be right on all of them"] if count else []


# Prompted language models


def _scores_of_choices(
    chooser: Chooser, suites: Sequence[Suite], how: Mapping[str, Any]
) -> tuple[list[SuiteScores], CacheUsage]:
    """Score one suite at a time, since questions of different suites may differ in their number of options."""
    scores, usages = [], []
    for suite in suites:
        questions = [_question(suite.kind.criterion, item) for item in suite.items]
        unique = _Unique([questions])
        rows, usage = choose_options(chooser, unique.values, **how)
        columns = rows[unique.indices(questions)].astype(np.float64).T
        # Role pairs that are not options are not asked about and have no similarity.
        pairs = suite.kind.criterion.options.values()
        scores.append(SuiteScores(dict(zip(pairs, columns, strict=True)), notes=chooser.notes(rows)))
        usages.append(usage)
    return scores, CacheUsage(sum(usage.computed for usage in usages), sum(usage.cached for usage in usages))


def _question(criterion: HighestSimilarity, item: Item) -> Question:
    """Ask which sentence means the same as the one that all options share, or which pair means the same."""
    pairs = list(criterion.options.values())
    shared = [role for role in pairs[0] if all(role in pair for pair in pairs)]
    if not shared:
        return paraphrase_pair_question([(item.sentences[first], item.sentences[second]) for first, second in pairs])
    roles = [second if first == shared[0] else first for first, second in pairs]
    return paraphrase_question(item.sentences[shared[0]], [item.sentences[role] for role in roles])


# Baseline: the vectors of many encoders are in a narrow cone, so any two sentences have a high cosine. HEROS (appendix
# D) therefore takes the mean cosine between the first and the second half of its originals as 0.


def baseline_halves(suite: Suite) -> tuple[list[str], list[str]]:
    """Return both halves of the sentences of the baseline role; if their number is odd, skip the middle one.

    Both are empty if the suite kind has no baseline role or the suite has a single item.
    """
    role = suite.kind.baseline_role
    texts = [item.sentences[role] for item in suite.items] if role is not None else []
    half = len(texts) // 2
    return texts[:half], texts[len(texts) - half :]


def mean_cosine(vectors: Vectors, left: Indices, right: Indices, lengths: Scores) -> float:
    """Return the mean cosine of all left rows with all right rows: the product of their mean directions.

    >>> rows = np.array([[2, 0], [0, 1], [1, 0]], dtype=np.float32)
    >>> float(mean_cosine(rows, np.array([0, 1]), np.array([2, 2]), np.array([2.0, 1.0, 1.0])))
    0.5
    """
    return float(_mean_direction(vectors, left, lengths) @ _mean_direction(vectors, right, lengths))


def _mean_direction(vectors: Vectors, indices: Indices, lengths: Scores) -> Scores:
    selected = lengths[indices]
    weights = np.divide(1.0, selected, out=np.zeros_like(selected), where=selected != 0)
    total: Scores = weights @ vectors[indices].astype(np.float64)
    return total / len(indices)


def crossed_pairs(left: Sequence[str], right: Sequence[str], max_pairs: int = MAX_BASELINE_PAIRS) -> list[TextPair]:
    """Return pairs of a left and a right sentence in which each sentence is equally frequent; all pairs if few.

    >>> crossed_pairs(["a", "b"], ["c", "d"])
    [('a', 'c'), ('b', 'd'), ('a', 'd'), ('b', 'c')]
    """
    half = len(left)
    shifts = min(half, max(1, max_pairs // half)) if half else 0
    return [(left[index], right[(index + shift) % half]) for shift in range(shifts) for index in range(half)]


# Pass criteria


@dataclass(frozen=True)
class ItemOutcomes:
    """The outcome of each item."""

    choice: Indices
    """The index of the chosen option; -1 if several are tied."""
    credit: NDArray[np.float64]
    margin: NDArray[np.float64]
    shares: NDArray[np.float64]
    """The share of each item (row) that each option (column) gets: 1 for the chosen one, equal parts in a tie."""


def apply_criterion(criterion: HighestSimilarity, similarities: Mapping[Pair, Scores]) -> ItemOutcomes:
    """Return which option is chosen by the similarities of each item.

    >>> options = HighestSimilarity({"same": ("a", "b"), "opposite": ("a", "c")}, right="same")
    >>> outcomes = apply_criterion(options, {("a", "b"): np.array([0.9, 0.5]), ("a", "c"): np.array([0.8, 0.5])})
    >>> outcomes.choice.tolist(), outcomes.credit.tolist()
    ([0, -1], [1.0, 0.5])
    """
    names = list(criterion.options)
    table = np.stack([similarities[criterion.options[name]] for name in names], axis=1)
    return choose_highest(table, np.full(len(table), names.index(criterion.right), dtype=np.intp))


def choose_highest(table: Scores, right: Indices) -> ItemOutcomes:
    """Return which option (column) each item (row) chooses; `right` is the index of each item's right option.

    >>> outcomes = choose_highest(np.array([[0.7, 0.2, 0.1], [0.4, 0.2, 0.4]]), np.array([1, 2]))
    >>> outcomes.choice.tolist(), outcomes.credit.tolist()
    ([0, -1], [0.0, 0.5])
    """
    rows = np.arange(len(table))
    is_highest = table >= table.max(axis=1, keepdims=True) - TIE_TOLERANCE
    n_highest = is_highest.sum(axis=1)
    choice = np.where(n_highest == 1, table.argmax(axis=1), -1)
    credit = np.where(is_highest[rows, right], 1.0 / n_highest, 0.0)
    wrong_options = table.copy()
    wrong_options[rows, right] = -np.inf
    margin = table[rows, right] - wrong_options.max(axis=1)
    return ItemOutcomes(choice, credit, margin, np.where(is_highest, 1.0 / n_highest[:, None], 0.0))
