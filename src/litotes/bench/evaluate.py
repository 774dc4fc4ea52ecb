"""Running suites: plan, encode, compare, judge, count."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.bench import statistics
from litotes.bench.baseline import crossed_pairs, halves, mean_cosine, normalised
from litotes.bench.cache import VectorCache
from litotes.bench.encode import Effort, choose_workers, encode_sentences, score_pairs
from litotes.bench.judge import TIE_TOLERANCE, Judgement, judge
from litotes.bench.result import Interval, ItemResult, Metrics, Reading, RunResult, SuiteInfo
from litotes.core.collector import without_collector
from litotes.core.paths import cache_folder
from litotes.core.progress import Progress
from litotes.core.versions import current_versions
from litotes.scorers.base import Encoder, Scorer, Scores, cosines, norms
from litotes.scorers.loading import load_scorer
from litotes.suites.base import Highest, Pair, Suite, pair_name
from litotes.suites.loading import load_suite


def _ignore(_: str) -> None:
    """What happens to a message that nobody wants."""


@dataclass(frozen=True)
class Compared:
    """What one scorer finds on one suite, before anything is judged."""

    similarities: Mapping[Pair, Scores]
    baseline: float | None
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Engine:
    """How suites are run; the defaults are what `litotes run` does."""

    workers: int | None = None
    """None: one a core."""
    fresh: bool = False
    """Compute everything again, and keep it."""
    cache: Path | None = field(default_factory=cache_folder)
    """None: keep no vectors."""
    progress: Progress = field(default_factory=Progress)
    warn: Callable[[str], None] = _ignore
    told: Callable[[str, Effort], None] = lambda name, effort: None
    """Is told of every model how much was computed."""

    def run(self, scorer: Scorer, suites: Sequence[Suite]) -> Iterator[RunResult]:
        """One result a suite; a sentence that several suites share is encoded once."""
        started, clock = datetime.now(timezone.utc), time.perf_counter()
        workers = choose_workers(scorer, self.workers)
        compared, effort = self._compare(scorer, suites, workers)
        self.told(scorer.name, effort)
        settings = _settings(scorer, workers)
        for suite, found in zip(suites, compared, strict=True):
            times = {
                "started": started.isoformat(timespec="seconds"),
                "seconds": round(time.perf_counter() - clock, 3),
                "computed": effort.computed,
                "cached": effort.cached,
            }
            with without_collector():
                result = _result(scorer, suite, found, settings, times)
            yield result

    def _compare(self, scorer: Scorer, suites: Sequence[Suite], workers: int) -> tuple[list[Compared], Effort]:
        """The similarity of every planned role pair of every item, suite by suite."""
        cache = None
        if self.cache is not None:
            cache = VectorCache(self.cache, scorer.name, scorer.fingerprint, self.warn, fresh=self.fresh)
        try:
            how: dict[str, Any] = {"cache": cache, "workers": workers, "progress": self.progress}
            if isinstance(scorer, Encoder):
                texts = _Numbered(itertools.chain.from_iterable(map(_columns, suites)))
                vectors, effort = encode_sentences(scorer, texts.values, **how)
                return [_by_cosine(scorer, suite, texts, vectors) for suite in suites], effort
            pairs = _Numbered(itertools.chain.from_iterable(map(_pair_columns, suites)))
            scores, effort = score_pairs(scorer, pairs.values, **how)
            return [_by_score(suite, pairs, scores) for suite in suites], effort
        finally:
            if cache is not None:
                cache.close()


class _Numbered:
    """Unique things and their numbers, in order of appearance."""

    def __init__(self, columns: Iterable[Sequence[Any]]) -> None:
        self.values = list(dict.fromkeys(itertools.chain.from_iterable(columns)))
        self._numbers = {thing: number for number, thing in enumerate(self.values)}

    def places(self, things: Sequence[Any]) -> NDArray[np.intp]:
        return np.fromiter(map(self._numbers.__getitem__, things), dtype=np.intp, count=len(things))


def _columns(suite: Suite) -> list[list[str]]:
    """The sentences that are encoded, role by role."""
    return [[item.sentences[role] for item in suite.items] for role in suite.kind.compared_roles()]


def _pair_columns(suite: Suite) -> list[list[tuple[str, str]]]:
    """The pairs that are scored, role pair by role pair, and those of the baseline."""
    compared = [
        [(item.sentences[one], item.sentences[other]) for item in suite.items] for one, other in suite.kind.compare
    ]
    return [*compared, crossed_pairs(*halves(suite))]


def _by_cosine(encoder: Encoder, suite: Suite, texts: _Numbered, vectors: NDArray[np.float32]) -> Compared:
    columns = _columns(suite)
    place = {role: texts.places(column) for role, column in zip(suite.kind.compared_roles(), columns, strict=True)}
    lengths = norms(vectors)
    left, right = map(texts.places, halves(suite))
    return Compared(
        {(one, other): cosines(vectors, place[one], place[other], lengths) for one, other in suite.kind.compare},
        mean_cosine(vectors, left, right, lengths) if len(left) else None,
        encoder.notes(list(dict.fromkeys(itertools.chain.from_iterable(columns)))),
    )


def _by_score(suite: Suite, pairs: _Numbered, scores: Scores) -> Compared:
    *compared, crossed = (scores[pairs.places(column)] for column in _pair_columns(suite))
    return Compared(
        dict(zip(suite.kind.compare, compared, strict=True)), float(crossed.mean()) if len(crossed) else None
    )


def _settings(scorer: Scorer, workers: int) -> dict[str, Any]:
    return {
        "workers": workers,
        "threads_per_worker": 1 if isinstance(scorer, Encoder) and scorer.parallel else None,
        "batch_tokens": scorer.batch_tokens if isinstance(scorer, Encoder) else None,
        "tie_tolerance": TIE_TOLERANCE,
        "interval": {
            "method": "bootstrap over groups",
            "confidence": statistics.CONFIDENCE,
            "resamples": statistics.RESAMPLES,
            "seed": statistics.SEED,
        },
    }


def _result(
    scorer: Scorer,
    suite: Suite,
    compared: Compared,
    settings: Mapping[str, Any],
    times: Mapping[str, Any],
) -> RunResult:
    criterion = suite.kind.passed
    options = tuple(criterion.options)
    found = judge(criterion, compared.similarities)
    return RunResult(
        model=scorer.name,
        suite=SuiteInfo(
            name=suite.name,
            kind=suite.kind.name,
            version=suite.version,
            sha256=suite.sha256,
            source=suite.source,
            licence=suite.licence,
            roles=suite.kind.roles,
            options=options,
            right=criterion.right,
            group_word=suite.kind.group_word,
        ),
        metrics=_metrics(suite, found, compared),
        choices={name: int((found.choice == place).sum()) for place, name in enumerate(options)},
        fingerprint=scorer.fingerprint.to_dict(),
        settings=settings,
        versions=current_versions(),
        items=_items(suite, found, compared.similarities, options),
        notes=tuple(compared.notes),
        times=times,
    )


def _metrics(suite: Suite, found: Judgement, compared: Compared) -> Metrics:
    groups = [item.group for item in suite.items]
    sums = statistics.sum_by_group(found.credit, groups)
    bootstrap = statistics.GroupBootstrap(len(sums.items))
    accuracy_ci, group_accuracy_ci = bootstrap.shares(sums)
    means = {pair_name(pair): float(values.mean()) for pair, values in compared.similarities.items()}
    above = normalised(means, compared.baseline)
    return Metrics(
        items=len(suite.items),
        groups=len(sums.items),
        accuracy=sums.mean,
        accuracy_ci=accuracy_ci,
        group_accuracy=sums.group_mean,
        group_accuracy_ci=group_accuracy_ci,
        chance=suite.kind.passed.chance,
        ties=_ties(found),
        similarities=means,
        also={
            name: _reading(criterion, judge(criterion, compared.similarities), groups, bootstrap)
            for name, criterion in suite.kind.also.items()
        },
        baseline=compared.baseline,
        normalised=above,
        normalised_ci=_normalised_intervals(compared, groups, bootstrap) if above else {},
    )


def _ties(found: Judgement) -> int:
    return int((found.choice < 0).sum())


def _reading(
    criterion: Highest, found: Judgement, groups: Sequence[str], bootstrap: statistics.GroupBootstrap
) -> Reading:
    sums = statistics.sum_by_group(found.credit, groups)
    return Reading(sums.mean, bootstrap.shares(sums)[0], criterion.chance, _ties(found))


def _normalised_intervals(
    compared: Compared, groups: Sequence[str], bootstrap: statistics.GroupBootstrap
) -> dict[str, Interval]:
    ends = {
        pair_name(pair): bootstrap.mean(statistics.sum_by_group(values, groups))
        for pair, values in compared.similarities.items()
    }
    low, high = (normalised({pair: end[side] for pair, end in ends.items()}, compared.baseline) for side in (0, 1))
    return {pair: (low[pair], high[pair]) for pair in ends}


def _items(
    suite: Suite, found: Judgement, similarities: Mapping[Pair, Scores], options: Sequence[str]
) -> list[ItemResult]:
    columns = {pair_name(pair): values.round(7).tolist() for pair, values in similarities.items()}
    margins = found.margin.round(7).tolist()
    rows = zip(suite.items, found.choice.tolist(), found.credit.tolist(), margins, strict=True)
    return [
        ItemResult(
            id=item.id,
            group=item.group,
            sentences=item.sentences,
            similarities={pair: values[place] for pair, values in columns.items()},
            choice=options[choice] if choice >= 0 else None,
            credit=credit,
            margin=margin,
            tags=item.tags,
        )
        for place, (item, choice, credit, margin) in enumerate(rows)
    ]


def evaluate(model: Scorer | str, suite: Suite | str, **settings: Any) -> RunResult:
    """One model on one suite; the settings are those of `Engine` (workers, fresh, cache, progress).

    >>> result = evaluate("overlap:words", "semantoneg-mini", cache=None)
    >>> result.choices["both"] < result.choices["polarity"]
    True
    """
    scorer = load_scorer(model) if isinstance(model, str) else model
    chosen = load_suite(suite) if isinstance(suite, str) else suite
    return next(iter(Engine(**settings).run(scorer, [chosen])))
