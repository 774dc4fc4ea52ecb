"""Running a loaded model on suites: score the sentences, apply the pass criterion, compute metrics."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from litotes.core.paths import cache_folder
from litotes.core.progress import Progress
from litotes.core.versions import current_versions
from litotes.evaluation.encoding import CacheUsage, choose_workers
from litotes.evaluation.metrics import compute_metrics, sts_metrics
from litotes.evaluation.result import ItemResult, RunResult, SuiteInfo
from litotes.evaluation.scoring import (
    TIE_TOLERANCE,
    ItemOutcomes,
    SuiteScores,
    apply_criterion,
    check_fits,
    choose_highest,
    score_suites,
)
from litotes.evaluation.settings import EvaluationSettings
from litotes.evaluation.statistics import CONFIDENCE
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.base import BatchedModel, Chooser, Model, PairClassifier, Scores
from litotes.suites.base import Suite, pair_name


def _ignore(*_: object) -> None:
    """Do nothing: the default callback."""


@dataclass(frozen=True)
class Engine:
    """Runs models on suites."""

    settings: EvaluationSettings = field(default_factory=EvaluationSettings)
    cache: Path | None = field(default_factory=cache_folder)
    """The folder of the vector cache; None: no cache."""
    progress: Progress = field(default_factory=Progress)
    warn: Callable[[str], None] = _ignore
    sts: Sequence[Suite] = ()
    """Pairs with human scores, on which each model is measured too."""
    on_encoded: Callable[[str, CacheUsage], None] = _ignore
    """Called with the name of each model once its sentences are encoded."""
    on_saved: Callable[[], None] = _ignore
    """Called whenever a batch has been saved in the cache."""

    def run(self, model: Model, suites: Sequence[Suite]) -> Iterator[RunResult]:
        """Yield one result per suite; a sentence that several suites share is encoded once."""
        check_fits(model, suites)
        started, clock = datetime.now(timezone.utc), time.perf_counter()
        workers = choose_workers(model, self.settings.workers)
        sts = [] if isinstance(model, Chooser) else self.sts  # a prompted model gives no similarity
        scores, usage = self._score(model, [*suites, *sts], workers)
        correlations = {
            suite.name: sts_metrics(suite, scores_of_suite, self.settings)
            for suite, scores_of_suite in zip(sts, scores[len(suites) :], strict=True)
        }
        self.on_encoded(model.name, usage)
        settings = self._result_settings(model, workers)
        for suite, scores_of_suite in zip(suites, scores, strict=False):
            times = {
                "started": started.isoformat(timespec="seconds"),
                "seconds": round(time.perf_counter() - clock, 3),
                "computed": usage.computed,
                "cached": usage.cached,
            }
            yield replace(self._result(model, suite, scores_of_suite, settings, times), sts=correlations)

    def _score(self, model: Model, suites: Sequence[Suite], workers: int) -> tuple[list[SuiteScores], CacheUsage]:
        if self.cache is None:
            return score_suites(model, suites, cache=None, workers=workers, progress=self.progress)
        with VectorCache(
            self.cache, model.name, model.fingerprint, self.warn, fresh=self.settings.fresh, on_saved=self.on_saved
        ) as cache:
            return score_suites(model, suites, cache=cache, workers=workers, progress=self.progress)

    def _result_settings(self, model: Model, workers: int) -> dict[str, Any]:
        return {
            "workers": workers,
            "threads_per_worker": 1 if isinstance(model, BatchedModel) and model.parallel else None,
            "batch_tokens": model.batch_tokens if isinstance(model, BatchedModel) else None,
            **({"both_ways": model.both} if isinstance(model, PairClassifier) else {}),
            "sts": sts_key(self.sts),
            "tie_tolerance": TIE_TOLERANCE,
            "interval": {
                "method": "bootstrap over groups",
                "confidence": CONFIDENCE,
                "resamples": self.settings.resamples,
                "seed": self.settings.seed,
            },
        }

    def _result(
        self, model: Model, suite: Suite, scores: SuiteScores, settings: Mapping[str, Any], times: Mapping[str, Any]
    ) -> RunResult:
        criterion = suite.kind.criterion
        options = tuple(criterion.options)
        if scores.labels is not None:
            outcomes = choose_highest(scores.labels.probabilities, scores.labels.gold)
            columns = dict(zip(options, scores.labels.probabilities.T, strict=True))
        else:
            outcomes = apply_criterion(criterion, scores.similarities)
            columns = {pair_name(pair): values for pair, values in scores.similarities.items()}
        return RunResult(
            model=model.name,
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
            metrics=compute_metrics(suite, outcomes, scores, columns, self.settings),
            choices={name: int((outcomes.choice == index).sum()) for index, name in enumerate(options)},
            fingerprint=model.fingerprint.to_dict(),
            settings=settings,
            versions=current_versions(),
            items=_item_results(suite, outcomes, columns, options),
            notes=tuple(scores.notes),
            times=times,
        )


def sts_key(suites: Sequence[Suite]) -> dict[str, str]:
    """Return the sha256 of each file of scored pairs, whether or not a model can be measured on them."""
    return {suite.name: suite.sha256 for suite in suites}


def _item_results(
    suite: Suite, outcomes: ItemOutcomes, columns: Mapping[str, Scores], options: Sequence[str]
) -> list[ItemResult]:
    rounded = {name: values.round(7).tolist() for name, values in columns.items()}
    choices = (*options, None)  # the index of a tie is -1
    return [
        ItemResult(
            id=item.id,
            group=item.group,
            sentences=item.sentences,
            similarities=dict(zip(rounded, row, strict=True)),
            choice=choices[choice],
            credit=credit,
            margin=margin,
            tags=item.tags,
        )
        for item, row, choice, credit, margin in zip(
            suite.items,
            zip(*rounded.values(), strict=True),
            outcomes.choice.tolist(),
            outcomes.credit.tolist(),
            outcomes.margin.round(7).tolist(),
            strict=True,
        )
    ]
