"""What a repair should leave alone: how well similarities agree with people's, and the search for ordinary paraphrases.

Both are asked before and after on the same pairs, so that what differs is the model and nothing else.
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
from litotes.core.files import check_is_file, expand_user
from litotes.corpora.base import Problems, Record
from litotes.corpora.read import describe_sources, read_corpus
from litotes.evaluation.statistics import (
    RESAMPLES,
    SEED,
    average_ranks,
    paired_difference,
    percentile_interval,
    spearman,
)
from litotes.models.base import Scores, Vectors, cosines
from litotes.repair.result import Change, Interval

VectorsOf = Callable[[Sequence[str]], Vectors]
"""Gives a vector to each of some different texts."""

SAME_FROM = 4.0
"""Pairs that people scored so, of 5, say the same."""
FEWEST = 10
"""Pairs, or queries: of fewer nothing is told."""

_SCORED = ("stsb", "sick", "opusparcus")
_QUERIES_AT_ONCE = 256


@dataclass(frozen=True)
class ScoredPair:
    """Two sentences and how alike people find them."""

    one: str
    other: str
    score: float


@dataclass(frozen=True)
class Paraphrases:
    """Queries, the texts that are searched, and which of these are right."""

    queries: tuple[str, ...]
    answers: tuple[str, ...]
    right: tuple[tuple[int, ...], ...]
    """Of each query the numbers of its right answers."""


def _ignore(_: str) -> None:
    """What happens to a message that nobody wants."""


def read_scored(path: str | Path, warn: Callable[[str], None] = _ignore) -> list[ScoredPair]:
    """The pairs of a file with scores, as the STS benchmark's: with commas or tabs, with a header or without."""
    file = expand_user(path)
    records = _read(file, warn)
    if any(record.other is None or record.score is None for record in records):
        raise _no_scores(file)
    pairs = [ScoredPair(one.text, one.other or "", one.score or 0.0) for one in records]
    if len(pairs) < FEWEST:
        raise LitotesError("L204", f"{file.name}: has {len(pairs)} scored pairs, at least {FEWEST} are needed")
    if len({pair.score for pair in pairs}) == 1:
        raise LitotesError("L203", f"{file.name}: all pairs have the same score, {pairs[0].score:g}")
    return pairs


def read_paraphrases(path: str | Path, warn: Callable[[str], None] = _ignore) -> Paraphrases:
    """The pairs of a file that say the same, as queries and answers; the second sentences of all pairs are searched.

    Pairs say the same whose label is 1 (MRPC), whose score is at least 4 (the STS benchmark), or, in a file without
    labels and scores, all.
    """
    file = expand_user(path)
    records = _read(file, warn)
    answers = tuple(dict.fromkeys(record.other for record in records if record.other is not None))
    numbers = {text: number for number, text in enumerate(answers)}
    right: dict[str, dict[int, None]] = {}
    for record in records:
        if record.other is None:
            raise LitotesError("L203", f"{record.id}: has one sentence, a pair is needed")
        if _says_the_same(record) and record.text != record.other:
            right.setdefault(record.text, {})[numbers[record.other]] = None
    if len(right) < FEWEST:
        raise LitotesError(
            "L204",
            f"{file.name}: {len(right)} of {len(records):,} pairs are paraphrases, at least {FEWEST} are needed",
            hint=f"pairs say the same with label 1, or with a score of at least {SAME_FROM:g}",
        )
    return Paraphrases(tuple(right), answers, tuple(tuple(those) for those in right.values()))


def sentences_of(path: str | Path) -> list[str]:
    """The different sentences of a file of pairs, in order."""
    records = _read(expand_user(path), _ignore)
    return list(dict.fromkeys(text for record in records for text in (record.text, record.other) if text is not None))


def reported_sentences(sts: str | Path | None, paraphrases: str | Path | None) -> dict[str, list[str]]:
    """The sentences of the files that are reported on, by name; a file that cannot be is refused before any work."""
    if sts is not None:
        read_scored(sts)
    if paraphrases is not None:
        read_paraphrases(paraphrases)
    found: dict[str, list[str]] = {}
    for one in dict.fromkeys(expand_user(path) for path in (sts, paraphrases) if path is not None):
        found.setdefault(one.name, []).extend(sentences_of(one))  # files of two folders may be called the same
    return found


def sts_change(pairs: Sequence[ScoredPair], before: VectorsOf, after: VectorsOf, *, what: str = "STS") -> Change:
    """Spearman's correlation of cosines with people's scores; pairs are drawn again for the interval.

    A model that finds all pairs equally alike has 0. The p-value is by flipping the signs of what each pair adds to the
    difference.
    """
    gold = np.array([pair.score for pair in pairs])
    old, new = (_cosines_of(pairs, vectors_of) for vectors_of in (before, after))
    scores, olds, news = (_standardised(average_ranks(column)) for column in (gold, old, new))
    # A mean of products of standardised ranks is Spearman's correlation: so its difference is one of means.
    test = paired_difference(scores * news, scores * olds, [str(number) for number in range(len(pairs))])
    return Change(
        f"{what}: Spearman",
        len(pairs),
        spearman(gold, old) or 0.0,
        spearman(gold, new) or 0.0,
        _spearman_interval(gold, old, new),
        test.p,
        "higher",
    )


def paraphrase_changes(
    asked: Paraphrases, before: VectorsOf, after: VectorsOf, *, what: str = "paraphrases"
) -> tuple[Change, Change]:
    """How often a right answer comes first, and its mean reciprocal rank."""
    old, new = (ranks(asked, vectors_of) for vectors_of in (before, after))
    return (
        paired_change(f"{what}: accuracy@1", (old == 1).astype(np.float64), (new == 1).astype(np.float64)),
        paired_change(f"{what}: MRR", 1 / old, 1 / new),
    )


def paired_change(
    what: str, before: Scores, after: Scores, groups: Sequence[str] | None = None, *, better: str = "higher"
) -> Change:
    """The change of a mean over things that both models were asked; without groups each is one of its own.

    >>> change = paired_change("right", np.array([0.0, 0.0, 1.0, 0.0]), np.array([1.0, 1.0, 1.0, 0.0]))
    >>> change.before, change.after, change.p > 0.05
    (0.25, 0.75, True)
    """
    seen = paired_difference(after, before, [str(n) for n in range(len(after))] if groups is None else groups)
    return Change(what, len(after), float(before.mean()), float(after.mean()), seen.ci, seen.p, better)


def ranks(asked: Paraphrases, vectors_of: VectorsOf) -> Scores:
    """Of each query one more than the answers that are at least as similar to it as its best right one.

    An answer that is the query itself, word for word, does not count.
    """
    texts = list(dict.fromkeys([*asked.queries, *asked.answers]))
    number = {text: place for place, text in enumerate(texts)}
    vectors = np.array(vectors_of(texts), dtype=np.float32)
    normalise(vectors)
    entries = vectors[[number[text] for text in asked.answers]]
    rows = vectors[[number[text] for text in asked.queries]]
    right = _padded(asked.right)
    answers = {text: place for place, text in enumerate(asked.answers)}
    itself = np.array([answers.get(text, -1) for text in asked.queries], dtype=np.intp)
    out = np.empty(len(rows))
    for start in range(0, len(rows), _QUERIES_AT_ONCE):
        some = slice(start, start + _QUERIES_AT_ONCE)
        best = _best(rows[some], entries, right[some])
        out[some] = 1 + count_at_least(rows[some], best, entries, itself[some], *right[some].T)
    return out


def _best(rows: Vectors, entries: Vectors, right: NDArray[np.intp]) -> NDArray[np.float32]:
    """How similar the most similar of each row's right entries is."""
    found = [
        np.where(column >= 0, row_cosines(rows, entries[np.maximum(column, 0)]), np.float32(-2)) for column in right.T
    ]
    best: NDArray[np.float32] = np.max(found, axis=0)
    return best


def _padded(right: Sequence[Sequence[int]]) -> NDArray[np.intp]:
    """A row a query, filled up with -1."""
    out = np.full((len(right), max(map(len, right))), -1, dtype=np.intp)
    for place, those in enumerate(right):
        out[place, : len(those)] = those
    return out


def _cosines_of(pairs: Sequence[ScoredPair], vectors_of: VectorsOf) -> Scores:
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.one, pair.other)))
    number = {text: place for place, text in enumerate(texts)}
    left, right = (np.array([number[text] for text in side], dtype=np.intp) for side in _sides(pairs))
    return cosines(vectors_of(texts), left, right)


def _sides(pairs: Sequence[ScoredPair]) -> tuple[list[str], list[str]]:
    return [pair.one for pair in pairs], [pair.other for pair in pairs]


def _standardised(values: Scores) -> Scores:
    centred: Scores = values - values.mean()
    return centred / (float(values.std()) or 1.0)


def _spearman_interval(gold: Scores, old: Scores, new: Scores) -> Interval:
    """Of the difference, new less old: pairs are drawn with replacement, and ranked anew each time."""
    generator = np.random.default_rng(SEED)
    columns = [_Ranked(column) for column in (gold, old, new)]
    found = np.empty(RESAMPLES)
    for place in range(RESAMPLES):
        drawn = np.bincount(generator.integers(0, len(gold), size=len(gold)), minlength=len(gold))
        scores, olds, news = (column.standardised(drawn) for column in columns)
        found[place] = ((news - olds) * scores * drawn).sum() / len(gold)
    return percentile_interval(found)


class _Ranked:
    """A column whose ranks are wanted for many drawings of it: it is sorted once."""

    def __init__(self, values: Scores) -> None:
        _, self._number = np.unique(values, return_inverse=True)
        self._different = int(self._number.max()) + 1

    def standardised(self, drawn: NDArray[np.intp]) -> Scores:
        """The ranks of the values, each drawn so often, with mean 0 and spread 1 over what was drawn."""
        counts = np.bincount(self._number, weights=drawn, minlength=self._different)
        rank = (np.cumsum(counts) - (counts - 1) / 2)[self._number]
        total = drawn.sum()
        centred: Scores = rank - (rank * drawn).sum() / total
        spread = float(np.sqrt((centred**2 * drawn).sum() / total))
        return centred / (spread or 1.0)


def _read(file: Path, warn: Callable[[str], None]) -> list[Record]:
    check_is_file(file)
    found = str(describe_sources([str(file)])[0]["format"])
    problems = Problems()
    # Three columns without a header could be anything: here they are two sentences and a score.
    known = found if found in (*_SCORED, "mrpc", "snli", "mnli") or _is_plain_pairs(file, found) else "stsb"
    try:
        records = list(read_corpus([str(file)], format=known, problems=problems))
    except LitotesError as error:
        if error.code in {"L102", "L203"}:
            raise _no_scores(file) from error
        raise
    if problems.count:
        warn(f"{file.name}: {problems.summary()}")
    return records


def _is_plain_pairs(file: Path, format: str) -> bool:
    """Whether the first record is a pair without a score as it stands."""
    if format not in {"csv", "tsv", "jsonl"}:
        return False
    try:
        first = next(iter(read_corpus([str(file)], format=format)))
    except LitotesError:
        return False
    return first.other is not None and first.score is None


def _says_the_same(record: Record) -> bool:
    if record.score is not None:
        return record.score >= SAME_FROM
    if record.label in {"", "0", "1"}:
        return record.label != "0"
    raise LitotesError(
        "L203",
        f'{record.id}: the label "{record.label}" does not say whether the two are paraphrases',
        hint="1 and 0 are needed, or scores from 0 to 5",
    )


def _no_scores(file: Path) -> LitotesError:
    return LitotesError(
        "L203",
        f"{file.name}: is no table of two sentences and a score",
        hint="sentence1, sentence2 and score are needed, separated by commas or tabs, as in the STS benchmark",
    )
