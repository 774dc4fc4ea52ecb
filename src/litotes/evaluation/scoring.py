"""What one scorer finds on suites, before it is judged: similarities of role pairs, or probabilities of labels."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import UsageError
from litotes.core.progress import Progress
from litotes.evaluation.baseline import MOST_CLASSIFIED_PAIRS, MOST_PAIRS, crossed_pairs, halves, mean_cosine
from litotes.evaluation.encoding import CacheUsage, choose_options, classify_pairs, encode_sentences, score_pairs
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.base import (
    Chooser,
    Encoder,
    Model,
    PairClassifier,
    Question,
    Scores,
    Vectors,
    cosines,
    mutual_entailment,
    norms,
)
from litotes.models.prompting.prompt import paraphrase_pair_question, paraphrase_question
from litotes.suites.base import Highest, Item, Pair, Suite
from litotes.suites.nli import asks_for_labels, gold_labels, labelled_twice

TextPair = tuple[str, str]


@dataclass(frozen=True)
class Likely:
    """How likely each option is where an item has a label: a row an item, a column an option."""

    probabilities: Scores
    gold: NDArray[np.intp]
    """The place of each item's own right option."""


@dataclass(frozen=True)
class Compared:
    """What one scorer finds on one suite."""

    similarities: Mapping[Pair, Scores] = field(default_factory=dict)
    likely: Likely | None = None
    """Of a suite that asks for labels, which has no similarities."""
    baseline: float | None = None
    notes: Sequence[str] = ()


def check_fits(scorer: Model, suites: Iterable[Suite]) -> None:
    """Raise if a suite asks for labels and the scorer gives none, or an item has none: before anything is computed."""
    for suite in suites:
        if asks_for_labels(suite):
            if not isinstance(scorer, PairClassifier):
                raise needs_labels(suite.name, scorer.name)
            gold_places(suite)


def needs_labels(suite: str, model: str) -> UsageError:
    """The error for a model that cannot be asked for labels."""
    return UsageError(
        "L102",
        f'suite "{suite}" asks for entailment, neutral or contradiction, and {model} only says how alike sentences are',
        hint="run an NLI model on it, nli:FOLDER; litotes train nli makes one of an encoder",
    )


def gold_places(suite: Suite) -> NDArray[np.intp]:
    """The place of each item's own right option among the options."""
    place = {name: number for number, name in enumerate(suite.kind.passed.options)}
    return np.array([place[label] for label in gold_labels(suite)], dtype=np.intp)


def compare(
    scorer: Model, suites: Sequence[Suite], *, cache: VectorCache | None, workers: int, progress: Progress
) -> tuple[list[Compared], CacheUsage]:
    """Every number that the suites ask for, suite by suite; what several of them share is computed once."""
    how: dict[str, Any] = {"cache": cache, "workers": workers, "progress": progress}
    if isinstance(scorer, Encoder):
        texts = _Numbered(itertools.chain.from_iterable(suite.columns for suite in suites))
        vectors, effort = encode_sentences(scorer, texts.values, **how)
        return [_by_cosine(scorer, suite, texts, vectors) for suite in suites], effort
    if isinstance(scorer, PairClassifier):
        ordered = _Numbered(itertools.chain.from_iterable(map(_ordered_columns, suites)))
        rows, effort = classify_pairs(scorer, ordered.values, **how)
        return [_by_label(scorer, suite, ordered, rows) for suite in suites], effort
    if isinstance(scorer, Chooser):
        return _chosen(scorer, suites, how)
    pairs = _Numbered(itertools.chain.from_iterable(map(_pair_columns, suites)))
    scores, effort = score_pairs(scorer, pairs.values, **how)
    return [_by_score(suite, pairs, scores) for suite in suites], effort


class _Numbered:
    """Unique things and their numbers, in order of appearance."""

    def __init__(self, columns: Iterable[Sequence[Any]]) -> None:
        self.values = list(dict.fromkeys(itertools.chain.from_iterable(columns)))
        self._numbers = {thing: number for number, thing in enumerate(self.values)}

    def places(self, things: Sequence[Any]) -> NDArray[np.intp]:
        return np.fromiter(map(self._numbers.__getitem__, things), dtype=np.intp, count=len(things))


def _pair_columns(suite: Suite, most: int = MOST_PAIRS) -> list[list[TextPair]]:
    """The pairs that are scored, role pair by role pair, and those of the baseline."""
    compared = [
        [(item.sentences[one], item.sentences[other]) for item in suite.items] for one, other in suite.kind.compare
    ]
    return [*compared, crossed_pairs(*halves(suite), most)]


def _ordered_columns(suite: Suite) -> list[list[TextPair]]:
    """The pairs that are classified: premise and hypothesis, or each pair of likeness there and back."""
    columns = _pair_columns(suite, MOST_CLASSIFIED_PAIRS)
    if asks_for_labels(suite):
        return columns
    return [turned for column in columns for turned in (column, [(other, one) for one, other in column])]


def _chosen(chooser: Chooser, suites: Sequence[Suite], how: Mapping[str, Any]) -> tuple[list[Compared], CacheUsage]:
    """Suite by suite, since the questions of two suites need not have as many options."""
    found, efforts = [], []
    for suite in suites:
        asked = [_question(suite.kind.passed, item) for item in suite.items]
        unique = _Numbered([asked])
        rows, effort = choose_options(chooser, unique.values, **how)
        likely = rows[unique.places(asked)].astype(np.float64).T
        # Pairs that are no option are not asked about: there is no number for them.
        pairs = suite.kind.passed.options.values()
        found.append(Compared(dict(zip(pairs, likely, strict=True)), notes=chooser.notes(rows)))
        efforts.append(effort)
    return found, CacheUsage(sum(one.computed for one in efforts), sum(one.cached for one in efforts))


def _question(criterion: Highest, item: Item) -> Question:
    """What means the same as the sentence that all options share; where they share none, which pair does."""
    pairs = list(criterion.options.values())
    shared = [role for role in pairs[0] if all(role in pair for pair in pairs)]
    if not shared:
        return paraphrase_pair_question([(item.sentences[one], item.sentences[other]) for one, other in pairs])
    others = [other if one == shared[0] else one for one, other in pairs]
    return paraphrase_question(item.sentences[shared[0]], [item.sentences[role] for role in others])


def _by_cosine(encoder: Encoder, suite: Suite, texts: _Numbered, vectors: Vectors) -> Compared:
    columns = suite.columns
    place = {role: texts.places(column) for role, column in zip(suite.kind.compared_roles(), columns, strict=True)}
    lengths = norms(vectors)
    left, right = map(texts.places, halves(suite))
    return Compared(
        _cosines_of(suite.kind.compare, place, vectors, lengths),
        baseline=mean_cosine(vectors, left, right, lengths) if len(left) else None,
        # Most encoders have nothing to say of any text.
        notes=() if type(encoder).notes is Encoder.notes else encoder.notes(_Numbered(columns).values),
    )


def _cosines_of(
    pairs: Sequence[Pair], place: Mapping[str, NDArray[np.intp]], vectors: Vectors, lengths: Scores
) -> dict[Pair, Scores]:
    """The cosines of each pair of roles; two sentences that are compared in several items are multiplied once."""
    ones, others = (np.stack([place[pair[side]] for pair in pairs]) for side in (0, 1))
    keys = np.minimum(ones, others) * len(vectors) + np.maximum(ones, others)
    different, where = np.unique(keys, return_inverse=True)
    found = cosines(vectors, *np.divmod(different, len(vectors)), lengths)
    return dict(zip(pairs, found[where].reshape(keys.shape), strict=True))


def _by_score(suite: Suite, pairs: _Numbered, scores: Scores) -> Compared:
    return _of_likeness(suite, [scores[pairs.places(column)] for column in _pair_columns(suite)])


def _by_label(classifier: PairClassifier, suite: Suite, ordered: _Numbered, rows: Vectors) -> Compared:
    found = [rows[ordered.places(column)] for column in _ordered_columns(suite)]
    if asks_for_labels(suite):
        likely = Likely(found[0].astype(np.float64), gold_places(suite))
        return Compared(likely=likely, notes=_label_notes(suite))
    ways = zip(found[::2], found[1::2], strict=True)
    return _of_likeness(suite, [mutual_entailment(there, back, classifier.both) for there, back in ways])


def _of_likeness(suite: Suite, columns: Sequence[Scores]) -> Compared:
    *compared, crossed = columns
    return Compared(
        dict(zip(suite.kind.compare, compared, strict=True)), baseline=float(crossed.mean()) if len(crossed) else None
    )


def _label_notes(suite: Suite) -> list[str]:
    twice = labelled_twice(suite)
    what = "text pair stands" if twice == 1 else "text pairs stand"
    return [f"{twice:,} {what} there with more than one label: no model has all of them right"] if twice else []


TIE_TOLERANCE = 1e-6
"""Similarities closer than this are the same: single precision cannot tell them apart."""


@dataclass(frozen=True)
class ItemOutcomes:
    """For each item: the option chosen (its place, -1 for a tie), the credit and the margin."""

    choice: NDArray[np.intp]
    credit: NDArray[np.float64]
    margin: NDArray[np.float64]
    shares: NDArray[np.float64]
    """How much of the item each option has, a column an option: all of it, or in a tie an equal part."""


def apply_criterion(criterion: Highest, similarities: Mapping[Pair, Scores]) -> ItemOutcomes:
    """Which option each item's similarities choose.

    >>> options = Highest({"same": ("a", "b"), "opposite": ("a", "c")}, right="same")
    >>> found = apply_criterion(options, {("a", "b"): np.array([0.9, 0.5]), ("a", "c"): np.array([0.8, 0.5])})
    >>> found.choice.tolist(), found.credit.tolist()
    ([0, -1], [1.0, 0.5])
    """
    names = list(criterion.options)
    table = np.stack([similarities[criterion.options[name]] for name in names], axis=1)
    return choose_highest(table, np.full(len(table), names.index(criterion.right), dtype=np.intp))


def choose_highest(table: Scores, right: NDArray[np.intp]) -> ItemOutcomes:
    """Which option each row chooses, a column an option; `right` is the place of each row's right one.

    >>> found = choose_highest(np.array([[0.7, 0.2, 0.1], [0.4, 0.2, 0.4]]), np.array([1, 2]))
    >>> found.choice.tolist(), found.credit.tolist()
    ([0, -1], [0.0, 0.5])
    """
    every = np.arange(len(table))
    tied = table >= table.max(axis=1, keepdims=True) - TIE_TOLERANCE
    ties = tied.sum(axis=1)
    choice = np.where(ties == 1, table.argmax(axis=1), -1)
    credit = np.where(tied[every, right], 1.0 / ties, 0.0)
    others = table.copy()
    others[every, right] = -np.inf
    margin = table[every, right] - others.max(axis=1)
    return ItemOutcomes(choice, credit, margin, np.where(tied, 1.0 / ties[:, None], 0.0))
