"""Running suites: plan, encode, compare, apply_criterion, count."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from litotes.core.paths import cache_folder
from litotes.core.progress import Progress
from litotes.core.versions import current_versions
from litotes.evaluation import statistics
from litotes.evaluation.baseline import normalised
from litotes.evaluation.encoding import CacheUsage, choose_workers
from litotes.evaluation.label_metrics import nli_metrics
from litotes.evaluation.result import CriterionAccuracy, Interval, ItemResult, Metrics, RunResult, SuiteInfo
from litotes.evaluation.scoring import (
    TIE_TOLERANCE,
    Compared,
    ItemOutcomes,
    apply_criterion,
    check_fits,
    choose_highest,
    compare,
)
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.base import BatchedModel, Model, PairClassifier, Scores
from litotes.models.loading import load_model
from litotes.suites.base import Highest, Suite, pair_name
from litotes.suites.loading import load_suite


def _ignore(_: str) -> None:
    """What happens to a message that nobody wants."""


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
    on_encoded: Callable[[str, CacheUsage], None] = lambda name, effort: None
    """Is told of every model how much was computed."""
    on_saved: Callable[[], None] = lambda: None
    """Is called whenever something was kept that need not be computed again."""

    def run(self, scorer: Model, suites: Sequence[Suite]) -> Iterator[RunResult]:
        """One result a suite; a sentence that several suites share is encoded once."""
        check_fits(scorer, suites)
        started, clock = datetime.now(timezone.utc), time.perf_counter()
        workers = choose_workers(scorer, self.workers)
        compared, effort = self._compare(scorer, suites, workers)
        self.on_encoded(scorer.name, effort)
        settings = _settings(scorer, workers)
        for suite, found in zip(suites, compared, strict=True):
            times = {
                "started": started.isoformat(timespec="seconds"),
                "seconds": round(time.perf_counter() - clock, 3),
                "computed": effort.computed,
                "cached": effort.cached,
            }
            result = _result(scorer, suite, found, settings, times)
            yield result

    def _compare(self, scorer: Model, suites: Sequence[Suite], workers: int) -> tuple[list[Compared], CacheUsage]:
        """The similarity of every planned role pair of every item, suite by suite."""
        cache = None
        if self.cache is not None:
            cache = VectorCache(
                self.cache, scorer.name, scorer.fingerprint, self.warn, fresh=self.fresh, on_saved=self.on_saved
            )
        try:
            return compare(scorer, suites, cache=cache, workers=workers, progress=self.progress)
        finally:
            if cache is not None:
                cache.close()


def _settings(scorer: Model, workers: int) -> dict[str, Any]:
    return {
        "workers": workers,
        "threads_per_worker": 1 if isinstance(scorer, BatchedModel) and scorer.parallel else None,
        "batch_tokens": scorer.batch_tokens if isinstance(scorer, BatchedModel) else None,
        **({"both_ways": scorer.both} if isinstance(scorer, PairClassifier) else {}),
        "tie_tolerance": TIE_TOLERANCE,
        "interval": {
            "method": "bootstrap over groups",
            "confidence": statistics.CONFIDENCE,
            "resamples": statistics.RESAMPLES,
            "seed": statistics.SEED,
        },
    }


def _result(
    scorer: Model,
    suite: Suite,
    compared: Compared,
    settings: Mapping[str, Any],
    times: Mapping[str, Any],
) -> RunResult:
    criterion = suite.kind.passed
    options = tuple(criterion.options)
    columns = _kept_columns(options, compared)
    found = _judged(criterion, compared)
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
        metrics=_metrics(suite, found, compared, columns),
        choices={name: int((found.choice == place).sum()) for place, name in enumerate(options)},
        fingerprint=scorer.fingerprint.to_dict(),
        settings=settings,
        versions=current_versions(),
        items=_items(suite, found, columns, options),
        notes=tuple(compared.notes),
        times=times,
    )


def _judged(criterion: Highest, compared: Compared) -> ItemOutcomes:
    if compared.likely is not None:
        return choose_highest(compared.likely.probabilities, compared.likely.gold)
    return apply_criterion(criterion, compared.similarities)


def _kept_columns(options: Sequence[str], compared: Compared) -> dict[str, Scores]:
    """The numbers that items keep: by role pair, or by label."""
    if compared.likely is not None:
        return dict(zip(options, compared.likely.probabilities.T, strict=True))
    return {pair_name(pair): values for pair, values in compared.similarities.items()}


def _metrics(
    suite: Suite,
    found: ItemOutcomes,
    compared: Compared,
    columns: Mapping[str, Scores],
) -> Metrics:
    groups = [item.group for item in suite.items]
    sums = statistics.sum_by_group(found.credit, groups)
    bootstrap = statistics.GroupBootstrap(len(sums.items))
    accuracy_ci, group_accuracy_ci = bootstrap.share_intervals(sums)
    means = {name: float(values.mean()) for name, values in columns.items()}
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
            name: _reading(criterion, apply_criterion(criterion, compared.similarities), groups, bootstrap)
            for name, criterion in suite.kind.also.items()
            if all(pair in compared.similarities for pair in criterion.options.values())
        },
        baseline=compared.baseline,
        normalised=above,
        normalised_ci=_normalised_intervals(compared, groups, bootstrap) if above else {},
        nli=None if compared.likely is None else nli_metrics(suite, found, compared.likely.gold, bootstrap),
    )


def _ties(found: ItemOutcomes) -> int:
    return int((found.choice < 0).sum())


def _reading(
    criterion: Highest, found: ItemOutcomes, groups: Sequence[str], bootstrap: statistics.GroupBootstrap
) -> CriterionAccuracy:
    sums = statistics.sum_by_group(found.credit, groups)
    return CriterionAccuracy(sums.mean, bootstrap.share_intervals(sums)[0], criterion.chance, _ties(found))


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
    suite: Suite, found: ItemOutcomes, columns: Mapping[str, Scores], options: Sequence[str]
) -> list[ItemResult]:
    kept = {name: values.round(7).tolist() for name, values in columns.items()}
    names, alike = tuple(kept), zip(*kept.values(), strict=True)
    chosen = (*options, None)  # a tie, -1, is no option
    # Put together in order, without the names of the fields: a run has thousands.
    return [
        ItemResult._make(
            (
                item.id,
                item.group,
                item.sentences,
                dict(zip(names, row, strict=True)),
                chosen[choice],
                credit,
                margin,
                item.tags,
            )
        )
        for item, row, choice, credit, margin in zip(
            suite.items,
            alike,
            found.choice.tolist(),
            found.credit.tolist(),
            found.margin.round(7).tolist(),
            strict=True,
        )
    ]


def evaluate(model: Model | str, suite: Suite | str, **settings: Any) -> RunResult:
    """One model on one suite; the settings are those of `Engine` (workers, fresh, cache, progress).

    >>> result = evaluate("overlap:words", "semantoneg-mini", cache=None)
    >>> result.choices["both"] < result.choices["polarity"]
    True
    """
    scorer = load_model(model) if isinstance(model, str) else model
    chosen = load_suite(suite) if isinstance(suite, str) else suite
    return next(iter(Engine(**settings).run(scorer, [chosen])))
