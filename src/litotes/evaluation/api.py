"""Evaluation of models on suites: one model on one suite, or several models with comparisons."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import ensure_writable
from litotes.core.paths import cache_folder
from litotes.core.progress import Progress
from litotes.evaluation.engine import Engine
from litotes.evaluation.model_list import ModelEntry, expand_entries, model_entry
from litotes.evaluation.result import RunResult
from litotes.evaluation.result_store import find_runs, model_folder, read_run, write_run
from litotes.evaluation.scoring import needs_labels
from litotes.evaluation.settings import EvaluationSettings
from litotes.evaluation.statistics import Comparison, compare_models, group_by_suite
from litotes.evaluation.sweep import ModelFailure, ModelOutcome, Sweep, evaluate_entry, free_memory, record_failure
from litotes.models.access import Access
from litotes.models.base import Model
from litotes.models.loading import load_model
from litotes.suites.base import Suite
from litotes.suites.loading import BUILT_IN, FAMILIES, load_suite, load_suites
from litotes.suites.nli import requires_labels
from litotes.suites.sts import load_sts


def _ignore(_: object) -> None:
    """Do nothing: the default callback."""


@dataclass(frozen=True)
class EvaluationResult:
    """Runs of several models on several suites, the failures among them, and comparisons of the models."""

    runs: Sequence[RunResult]
    outcomes: Sequence[ModelOutcome] = ()
    """What happened to each model, in the given order."""
    paths: Mapping[Path, RunResult] = field(default_factory=dict)
    """The result files of the runs, if they were stored."""
    _compared: dict[tuple[str, ...], list[Comparison]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def failures(self) -> list[ModelFailure]:
        """The models that failed now or before."""
        return [outcome.failure for outcome in self.outcomes if outcome.failure is not None]

    @property
    def comparisons(self) -> list[Comparison]:
        """Every two models compared on each suite; computed when first used."""
        comparisons: list[Comparison] = []
        for (suite, sha256), runs in group_by_suite(self.runs).items():
            key = (suite, sha256, *sorted(run.model for run in runs))
            if key not in self._compared:
                self._compared[key] = compare_models(runs)
            comparisons += self._compared[key]
        return comparisons

    def with_stored_runs(self, out: Path, warn: Callable[[str], None] = _ignore) -> EvaluationResult:
        """Return these runs together with all others stored in a folder; computed comparisons are shared.

        A stored run that is damaged is skipped with a warning.
        """
        paths: dict[Path, RunResult] = {}
        for path in find_runs(out):
            try:
                paths[path] = self.paths[path] if path in self.paths else read_run(path)
            except LitotesError as error:
                warn(f"{error}; skipped")
        return replace(self, runs=list(paths.values()), paths=paths)


def evaluate(
    model: Model | str,
    suite: Suite | str,
    settings: EvaluationSettings | None = None,
    *,
    access: Access | None = None,
    cache: Path | Literal["default"] | None = "default",
    progress: Progress | None = None,
) -> RunResult:
    """Evaluate one model on one suite.

    `cache` is the folder of the vector cache; None disables it.

    >>> result = evaluate("overlap:words", "semantoneg-mini", cache=None)
    >>> result.choices["both"] < result.choices["polarity"]
    True
    """
    engine = _engine(settings, cache, progress, _ignore)  # reads files of settings before a model is loaded
    loaded = load_model(model, **(access or Access()).to_dict()) if isinstance(model, str) else model
    return next(engine.run(loaded, [load_suite(suite) if isinstance(suite, str) else suite]))


def evaluate_models(
    models: Iterable[Model | ModelEntry | str],
    suites: Iterable[Suite | str] | None = None,
    *,
    settings: EvaluationSettings | None = None,
    access: Access | None = None,
    out: Path | None = None,
    cache: Path | Literal["default"] | None = "default",
    progress: Progress | None = None,
    warn: Callable[[str], None] = _ignore,
    on_outcome: Callable[[ModelOutcome], None] = _ignore,
) -> EvaluationResult:
    """Evaluate several models on several suites and compare them; models are loaded one after another.

    A model that fails is recorded in the result and the others still run, unless `settings.keep_going` is false. With
    a folder `out`, results and failures are stored there, and models that are done are skipped. So the same call
    resumes an interrupted one, and several processes or machines that share the folder can divide the work.

    A model with `layer=all` in its name is evaluated once per layer, a prompted model once per prompt of the settings.
    By default, each model runs on the built-in suites that fit it: only NLI models can run on suites with labels.

    >>> result = evaluate_models(["overlap:words"], ["semantoneg-mini", "heros-mini"], cache=None)
    >>> [run.suite.name for run in result.runs], result.failures, result.comparisons
    (['semantoneg-mini', 'heros-mini'], [], [])
    """
    access = access or Access()
    engine = _engine(settings, cache, progress, warn)
    keep_going = engine.settings.keep_going
    entries = list(map(_entry, models))
    for entry in entries:
        entry.check_permitted(access)
    entries = expand_entries(entries, engine.settings.prompt, access)
    chosen = resolve_suites(BUILT_IN if suites is None else suites)
    if out is not None:
        ensure_writable(out)
    must_fit = suites is not None and not keep_going
    _check_suitable(entries, chosen, must_fit=must_fit)
    if out is not None and keep_going:
        _check_results_are_not_models(entries, out)
        outcomes = Sweep(out, chosen, engine, access, on_outcome).run(entries)
    else:
        outcomes = []
        for entry in entries:
            outcomes.append(_run(entry, chosen, engine, access, out, skip_unsuitable=not must_fit))
            on_outcome(outcomes[-1])
    runs = [run for outcome in outcomes for run in outcome.runs]
    paths = [path for outcome in outcomes for path in outcome.paths]
    return EvaluationResult(runs, outcomes, dict(zip(paths, runs, strict=True)) if out is not None else {})


def resolve_suites(suites: Iterable[Suite | str], data: Mapping[str, Path] | None = None) -> list[Suite]:
    """Load suites by name; a family of suites and a folder of suites are expanded, duplicates removed.

    `data` has the official files of published suites by name.

    >>> len(resolve_suites(["triplets-mini", "negation-detection-mini"]))
    5
    """
    loaded: list[Suite] = []
    names: set[str] = set()
    for suite in suites:
        if isinstance(suite, Suite):
            loaded.append(suite)
            continue
        for name in FAMILIES.get(suite, (suite,)):
            if name not in names:
                names.add(name)
                loaded += load_suites(name, path=(data or {}).get(name))
    for index, suite in enumerate(loaded):
        if suite.name in {other.name for other in loaded[:index]}:
            # Results are stored by the name of the suite: the second would overwrite the first.
            raise UsageError("L102", f'there are two suites called "{suite.name}"', hint="rename one of them")
    return loaded


def _engine(
    settings: EvaluationSettings | None,
    cache: Path | Literal["default"] | None,
    progress: Progress | None,
    warn: Callable[[str], None],
) -> Engine:
    folder = cache_folder() if cache == "default" else cache
    settings = settings or EvaluationSettings()
    return Engine(settings, folder, progress or Progress(), warn, load_sts(settings.sts, warn))


def _entry(model: Model | ModelEntry | str) -> ModelEntry:
    if isinstance(model, ModelEntry):
        return model
    return model_entry(model) if isinstance(model, str) else ModelEntry(model.name, model.name, model=model)


def _check_suitable(entries: Sequence[ModelEntry], suites: Sequence[Suite], *, must_fit: bool) -> None:
    """Raise an error, before any model is loaded, if the name of a model shows that it cannot run on a suite."""
    with_labels = [suite for suite in suites if requires_labels(suite)]
    if with_labels and (must_fit or len(with_labels) == len(suites)):
        for entry in entries:
            if entry.predicts_labels() is False:
                raise needs_labels(with_labels[0].name, entry.name)


def _check_results_are_not_models(entries: Sequence[ModelEntry], out: Path) -> None:
    """Raise an error if the folder for a model's results is also the path under which the model is looked up."""
    for entry in entries:
        if Path(entry.resolved_name).absolute() == model_folder(out, entry.label).absolute():
            message = f"--out {out}: the results would be mistaken for the model {entry.name}"
            raise UsageError("L102", message, hint="choose another --out")


def _run(
    entry: ModelEntry,
    suites: Sequence[Suite],
    engine: Engine,
    access: Access,
    out: Path | None,
    *,
    skip_unsuitable: bool,
) -> ModelOutcome:
    clock = time.perf_counter()
    try:
        results = list(evaluate_entry(entry, suites, engine, access, skip_unsuitable=skip_unsuitable))
    except Exception as error:
        if not engine.settings.keep_going:
            raise
        return ModelOutcome(entry, "failed", failure=record_failure(entry, error, access))
    finally:
        free_memory()
    paths = [] if out is None else [write_run(out, result) for result in results]
    return ModelOutcome(entry, "ran", results, paths, seconds=time.perf_counter() - clock)
