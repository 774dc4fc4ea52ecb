"""Evaluate a repair: the original and the repaired model on the same data, with paired tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from litotes.audit.blindness import ALL, blind_shares
from litotes.audit.corpus import open_corpus
from litotes.audit.retrieval import QueryResults, answer_queries
from litotes.audit.settings import AuditSettings
from litotes.audit.similarities import measure_similarities
from litotes.audit.variants import Variants, make_variants
from litotes.building.audit_variants import RELATIONS
from litotes.core.errors import LitotesError
from litotes.core.parallel.engine import ParallelEngine, usable_cores
from litotes.core.progress import Progress
from litotes.corpora.base import Problems
from litotes.corpora.pairs import read_scored_pairs
from litotes.evaluation.encoding import choose_workers, encode_sentences
from litotes.evaluation.engine import Engine
from litotes.evaluation.result import RunResult
from litotes.evaluation.settings import EvaluationSettings
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.base import Encoder, Scores, Vectors
from litotes.repair.general_quality import (
    paired_change,
    read_paraphrase_search,
    search_changes,
    sts_change,
)
from litotes.repair.result import OWN_TEXT, MetricChange
from litotes.suites.base import Suite

_SIMILARITY_ROLES = {"heros": ("synonym", "antonym", "negation_main", "negation_antonym")}
"""Suite kind → roles whose mean similarity is reported too: opposites should be below synonyms."""


@dataclass(frozen=True)
class EvaluationData:
    """What the original and the repaired model are evaluated on."""

    suites: Sequence[Suite] = ()
    sts: Path | None = None
    """Sentence pairs with human scores."""
    paraphrases: Path | None = None
    own_text: Sequence[str] = ()
    """Sentences of the user's text that no training example contains."""


def measure_changes(
    before: Encoder,
    after: Encoder,
    data: EvaluationData,
    *,
    cache: Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    warn: Callable[[str], None] = lambda message: None,
    seed: int = 0,
) -> tuple[MetricChange, ...]:
    """Return every metric of both models, with the interval of the difference and the p-value of a paired test.

    Suites are tested over groups, STS and paraphrases over pairs, blindness on the user's text over sentences and
    retrieval over the sentences that are searched for. Text that the rewrites cannot turn into comparable variants
    gives no metric.
    """
    bar = progress or Progress()
    pairs = None if data.sts is None else read_scored_pairs(data.sts, warn)
    search = None if data.paraphrases is None else read_paraphrase_search(data.paraphrases, warn)
    changes: list[MetricChange] = []
    engine = Engine(EvaluationSettings(workers=workers), cache=cache, progress=bar, warn=warn)
    for old, new in zip(engine.run(before, data.suites), engine.run(after, data.suites), strict=True):
        changes += _suite_changes(old, new)
    with ExitStack() as stack:
        sides = [_Side(encoder, _open_cache(encoder, cache, warn, stack), workers, bar) for encoder in (before, after)]
        if pairs is not None:
            changes.append(sts_change(pairs, *(side.encode for side in sides)))
        if search is not None:
            changes += search_changes(search, *(side.encode for side in sides))
        if data.own_text:
            changes += _own_text_changes(sides, data.own_text, None if cache is None else cache / "audit", seed)
    return tuple(changes)


@dataclass(frozen=True)
class _Side:
    """One of the two models, with its vector cache."""

    encoder: Encoder
    cache: VectorCache | None
    workers: int | None
    progress: Progress

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one vector for each of some distinct texts."""
        workers = choose_workers(self.encoder, self.workers)
        vectors, _ = encode_sentences(self.encoder, texts, cache=self.cache, workers=workers, progress=self.progress)
        return vectors


def _open_cache(
    encoder: Encoder, folder: Path | None, warn: Callable[[str], None], stack: ExitStack
) -> VectorCache | None:
    if folder is None:
        return None
    return stack.enter_context(closing(VectorCache(folder, encoder.name, encoder.fingerprint, warn)))


def _suite_changes(old: RunResult, new: RunResult) -> Iterator[MetricChange]:
    """Yield the accuracy and, for some kinds, the mean similarity of each role to the original sentence."""
    name, groups = old.suite.name, [item.group for item in old.items]
    before, after = (np.array([item.credit for item in run.items], dtype=np.float64) for run in (old, new))
    yield paired_change(f"{name}: accuracy", before, after, groups)
    for role in _SIMILARITY_ROLES.get(old.suite.kind, ()):
        pair = f"original~{role}"
        before, after = (np.array([item.similarities[pair] for item in run.items]) for run in (old, new))
        yield paired_change(f"{name}: similarity of {role.replace('_', ' ')}", before, after, groups, better="")


def _own_text_changes(
    sides: Sequence[_Side], texts: Sequence[str], store: Path | None, seed: int
) -> list[MetricChange]:
    """Return the changes of blindness and retrieval on the user's sentences, as an audit measures them."""
    corpus = open_corpus(texts, None)
    try:
        variants = make_variants(
            corpus.records(Problems()),
            store=store,
            key=corpus.key(),
            limit=None,
            seed=seed,
            engine=ParallelEngine.local(sides[0].workers or usable_cores()),
            progress=sides[0].progress,
        )
    except LitotesError as error:
        if error.code not in {"L203", "L204"}:
            raise
        return []  # the few held-out sentences are not English, or cannot be rewritten
    with closing(variants):
        old, new = (_measure_own_text(side, variants, seed) for side in sides)
        return [*_blindness_changes(old, new), *_retrieval_changes(old.answers, new.answers)]


@dataclass(frozen=True)
class _OwnTextMeasurement:
    """The audit of one model on the user's sentences."""

    blindness: dict[str, tuple[list[str], Scores]]
    """Rewrite that gives opposites, or "all" → the sentences, and for each the share of blind comparisons."""
    answers: QueryResults


def _measure_own_text(side: _Side, variants: Variants, seed: int) -> _OwnTextMeasurement:
    similarities = measure_similarities(
        side.encoder, variants, cache=side.cache, workers=side.workers, progress=side.progress
    )
    opposites = [rule for rule, relation in RELATIONS.items() if relation == "opposite"]
    shares = {rule: blind_shares(similarities, rule) for rule in (ALL, *opposites)}
    answers = answer_queries(
        side.encoder,
        variants,
        similarities,
        queries=AuditSettings().queries,
        seed=seed,
        cache=side.cache,
        workers=side.workers,
        progress=side.progress,
    )
    blindness = {rule: (list(map(str, indices)), share) for rule, (indices, share) in shares.items()}
    return _OwnTextMeasurement(blindness, answers)


def _blindness_changes(old: _OwnTextMeasurement, new: _OwnTextMeasurement) -> Iterator[MetricChange]:
    for rule, (sentences, before) in old.blindness.items():
        if sentences:
            metric = f"{OWN_TEXT}: blindness" + ("" if rule == ALL else f" to {rule}")
            yield paired_change(metric, before, new.blindness[rule][1], sentences, better="lower")


def _retrieval_changes(old: QueryResults, new: QueryResults) -> Iterator[MetricChange]:
    if not len(old.originals):
        return
    # Queries for the same original sentence are not independent.
    originals = list(map(str, old.originals))
    yield paired_change(f"{OWN_TEXT}: original before its opposite", old.paired, new.paired, originals)
    yield paired_change(f"{OWN_TEXT}: MRR", 1 / old.rank, 1 / new.rank, originals)
    yield paired_change(
        f"{OWN_TEXT}: MRR without opposites", 1 / old.rank_without_opposites, 1 / new.rank_without_opposites, originals
    )
