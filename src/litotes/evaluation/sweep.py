"""Sweeps: run many models one after another, record failures, and skip what is done.

All state of a sweep is in its folder: it can be killed at any time, called again, and run by several processes at once,
also on several machines that share the folder.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from litotes.core.errors import LitotesError, shorten, single_line
from litotes.core.files import is_file, read_json, to_json, write_atomic
from litotes.core.parallel.engine import ParallelEngine, choose_engine, map_completed
from litotes.core.parallel.tasks import TaskReply
from litotes.core.secrets import mask_secrets
from litotes.core.versions import current_versions
from litotes.evaluation.engine import Engine, sts_key
from litotes.evaluation.file_lease import FileLease, LeaseOwner, acquire
from litotes.evaluation.model_list import ModelEntry
from litotes.evaluation.result import RunResult
from litotes.evaluation.result_store import model_folder, read_run, run_folder, write_run
from litotes.evaluation.scoring import needs_labels
from litotes.evaluation.settings import EvaluationSettings
from litotes.models.access import Access
from litotes.models.base import Model, PairClassifier
from litotes.suites.base import Suite
from litotes.suites.nli import requires_labels

LEASE_FILE = "lease.json"
_FAILURE_FILE = "failed.json"
_MAX_MESSAGE_LENGTH = 500
_MAX_CRASHES = 2
"""A model during which this number of processes ended in a row, without progress, is not tried again."""


@dataclass(frozen=True)
class ModelFailure:
    """Why a model has no results."""

    model: str
    group: str
    entry: Mapping[str, Any]
    code: str
    message: str
    access: Mapping[str, bool]
    """The permissions under which the model was loaded."""
    versions: Mapping[str, str]
    time: str
    passing: bool = False
    """Whether the cause is temporary, such as a server that is down: the next call tries again."""

    @property
    def line(self) -> str:
        """Code and message in one line."""
        return single_line(f"[{self.code}] {self.message}")

    def applies_to(self, entry: ModelEntry, access: Access) -> bool:
        """Return whether another attempt would run under the same conditions."""
        conditions = (dict(self.entry), dict(self.access), dict(self.versions))
        return conditions == (entry.key, access.to_dict(), current_versions())

    @property
    def when(self) -> datetime:
        """The time of the failure."""
        return datetime.fromisoformat(self.time)


def record_failure(entry: ModelEntry, error: BaseException, access: Access) -> ModelFailure:
    """Return the failure to store for an error, without a traceback and without secrets of the environment."""
    if isinstance(error, LitotesError):
        code, message = error.code, f"{error.message}; {error.hint}" if error.hint else error.message
    elif isinstance(error, MemoryError):
        code, message = "L311", "not enough memory; use a larger machine or smaller settings"
    else:
        code, message = "L311", f"{type(error).__name__}: {single_line(str(error))}"
    return ModelFailure(
        model=entry.label,
        group=entry.group,
        entry=entry.key,
        code=code,
        message=shorten(mask_secrets(message), _MAX_MESSAGE_LENGTH),
        access=access.to_dict(),
        versions=current_versions(),
        time=datetime.now(timezone.utc).isoformat(),
        passing=isinstance(error, LitotesError) and error.is_retryable,
    )


def _write_failure(out: Path, failure: ModelFailure) -> None:
    write_atomic(model_folder(out, failure.model) / _FAILURE_FILE, to_json(asdict(failure), indent=2) + "\n")


def _read_failure(out: Path, model: str) -> ModelFailure | None:
    """Return the stored failure of a model; a file that cannot be read counts as none."""
    path = model_folder(out, model) / _FAILURE_FILE
    if not is_file(path):
        return None
    try:
        failure = msgspec.convert(read_json(path), ModelFailure)
        return failure if failure.when.tzinfo else None
    except (LitotesError, ValueError):  # msgspec.ValidationError is a ValueError
        return None


State = Literal["ran", "done", "failed", "left out", "elsewhere"]


@dataclass(frozen=True)
class ModelOutcome:
    """What happened to one model of a sweep."""

    entry: ModelEntry
    state: State
    """Run now; done before or by another process; failed now; failed before and not tried again; running elsewhere."""
    runs: Sequence[RunResult] = ()
    """The results, in the order of the suites."""
    paths: Sequence[Path] = ()
    """The result files of the runs; empty if results are not stored."""
    failure: ModelFailure | None = None
    owner: LeaseOwner | None = None
    """The process that is running the model elsewhere."""
    seconds: float = 0.0


@dataclass(frozen=True)
class Sweep:
    """Runs models on suites and stores results and failures in a folder."""

    out: Path
    suites: Sequence[Suite]
    engine: Engine
    access: Access = field(default_factory=Access)
    on_outcome: Callable[[ModelOutcome], None] = lambda _: None
    """Called after each model."""
    started: datetime = field(default_factory=lambda: datetime.now(timezone.utc))

    def run(self, entries: Sequence[ModelEntry]) -> list[ModelOutcome]:
        """Return the outcome of each model, once only models that run elsewhere are left."""
        outcomes: dict[str, ModelOutcome] = {}
        where = choose_engine(self.engine.settings.engine, None)
        if where.is_remote:
            # A model that is loaded already stays in this process.
            unfinished = [entry for entry in entries if entry.model is None and self._stored_outcome(entry) is None]
            for outcome in self._run_remotely(unfinished, where) if unfinished else ():
                outcomes[outcome.entry.label] = outcome
                self.on_outcome(outcome)
        remaining = [entry for entry in entries if entry.label not in outcomes]
        while remaining:
            elsewhere = []
            for entry in remaining:
                outcome = outcomes[entry.label] = self._run_or_skip(entry)
                if outcome.state == "elsewhere":
                    elsewhere.append(entry)
                else:
                    self.on_outcome(outcome)
            if len(elsewhere) == len(remaining):
                break
            remaining = elsewhere  # meanwhile, the other processes may have finished or ended
        return [outcomes[entry.label] for entry in entries]

    def _run_or_skip(self, entry: ModelEntry) -> ModelOutcome:
        if (stored := self._stored_outcome(entry)) is not None:
            return stored
        lease = acquire(model_folder(self.out, entry.label) / LEASE_FILE)
        if isinstance(lease, LeaseOwner):
            return ModelOutcome(entry, "elsewhere", owner=lease)
        with lease:
            # Another process may have finished the model just before the lease was acquired.
            return self._stored_outcome(entry) or self._run(entry, lease)

    def _run_remotely(self, entries: Iterable[ModelEntry], where: ParallelEngine) -> Iterator[ModelOutcome]:
        """Yield the outcomes of the models that no other process runs, as they finish."""
        sent: list[tuple[ModelEntry, FileLease]] = []

        def leased() -> Iterator[ModelEntry]:
            for entry in entries:
                lease = acquire(model_folder(self.out, entry.label) / LEASE_FILE)
                if isinstance(lease, LeaseOwner):
                    continue
                if lease.owner.crashes < _MAX_CRASHES and self._stored_outcome(entry) is None:
                    sent.append((entry, lease))
                    yield entry
                else:
                    lease.release()

        task = RemoteEvaluation(tuple(self.suites), self.engine.settings, self.engine.cache, self.access)
        released: set[int] = set()
        try:
            for index, reply in map_completed(partial(evaluate_remotely, task), leased(), engine=where):
                entry, lease = sent[index]
                yield self._store_reply(entry, reply)
                lease.release()
                released.add(index)
        finally:
            for index, (_, lease) in enumerate(sent):
                if index not in released:
                    lease.release()

    def _store_reply(self, entry: ModelEntry, reply: TaskReply) -> ModelOutcome:
        """Store the results or the failure of a model that ran in another process."""
        if reply.error is not None:
            remote = RemoteResult((), record_failure(entry, reply.error, self.access), (), 0.0)
        else:
            [remote] = reply.values
        for message in remote.warnings:
            self.engine.warn(message)
        if remote.failure is not None:
            _write_failure(self.out, remote.failure)
            return ModelOutcome(entry, "failed", failure=remote.failure, seconds=remote.seconds)
        return self._store(entry, remote.results, remote.seconds)

    def _stored_outcome(self, entry: ModelEntry) -> ModelOutcome | None:
        """Return the outcome of a model that need not be run."""
        stored = self._stored_runs(entry)
        if stored is not None:
            return ModelOutcome(entry, "done", list(stored.values()), list(stored))
        failure = _read_failure(self.out, entry.label)
        if failure is None or not failure.applies_to(entry, self.access) or changed_after(entry, failure.when):
            return None
        settings = self.engine.settings
        try_again = settings.retry or settings.fresh or failure.passing
        if try_again and failure.when < self.started:  # not if another process has tried since this sweep started
            return None
        return ModelOutcome(entry, "left out", failure=failure)

    def _stored_runs(self, entry: ModelEntry) -> dict[Path, RunResult] | None:
        """Return the stored results by path, or None if a required one is missing."""
        runs: dict[Path, RunResult] = {}
        for suite, is_required in expected_suites(entry, self.suites):
            path = run_folder(self.out, entry.label, suite.name) / "result.json"
            run = self._read_valid(path, entry, suite)
            if run is not None:
                runs[path] = run
            elif is_required:
                return None
        return runs or None

    def _read_valid(self, path: Path, entry: ModelEntry, suite: Suite) -> RunResult | None:
        """Return a stored result if it is what running the model now would give."""
        if not is_file(path):
            return None
        try:
            result = read_run(path)
            if result_key(result) != expected_key(entry, suite, self.engine):
                return None
            if not sts_key(self.engine.sts).items() <= result.settings.get("sts", {}).items():
                return None
            started = datetime.fromisoformat(str(result.times["started"]))
            if self.engine.settings.fresh and started <= self.started.replace(microsecond=0):
                return None
            if changed_after(entry, started + timedelta(seconds=1)):  # `started` is stored in whole seconds
                return None
            if result.group != entry.group:
                result = replace(result, group=entry.group)
                write_run(self.out, result)
        except (LitotesError, LookupError, ValueError, TypeError, OverflowError):  # damaged, or of another version
            return None
        return result

    def _run(self, entry: ModelEntry, lease: FileLease) -> ModelOutcome:
        clock = time.perf_counter()
        try:
            if lease.owner.crashes >= _MAX_CRASHES:
                hint = "out of memory? If you ended it yourself, --retry resumes it"
                raise LitotesError("L311", "two processes ended while they ran this model", hint=hint)
            results = list(self._evaluate(entry, lease))
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:  # noqa: BLE001  (a panic in a Rust library is not an Exception)
            failure = record_failure(entry, error, self.access)
            free_memory()
            _write_failure(self.out, failure)
            return ModelOutcome(entry, "failed", failure=failure, seconds=time.perf_counter() - clock)
        free_memory()
        return self._store(entry, results, time.perf_counter() - clock)

    def _store(self, entry: ModelEntry, results: Sequence[RunResult], seconds: float) -> ModelOutcome:
        # An error while writing is not the model's fault and ends the sweep. Optional results are written first: once
        # all required ones exist, so do these.
        optional = {suite.name for suite, is_required in expected_suites(entry, self.suites) if not is_required}
        paths = {
            result.suite.name: self._write(entry, result)
            for result in sorted(results, key=lambda result: result.suite.name not in optional)
        }
        (model_folder(self.out, entry.label) / _FAILURE_FILE).unlink(missing_ok=True)
        return ModelOutcome(entry, "ran", results, [paths[result.suite.name] for result in results], seconds=seconds)

    def _evaluate(self, entry: ModelEntry, lease: FileLease) -> Iterator[RunResult]:
        engine = replace(self.engine, on_saved=lease.record_progress)
        return _evaluate_labelled(entry, self.suites, engine, self.access)

    def _write(self, entry: ModelEntry, result: RunResult) -> Path:
        """Write a result unless a valid one is stored, which is equal."""
        path = run_folder(self.out, result.model, result.suite.name) / "result.json"
        suite = next(suite for suite in self.suites if suite.name == result.suite.name)
        return path if self._read_valid(path, entry, suite) is not None else write_run(self.out, result)


def _evaluate_labelled(
    entry: ModelEntry, suites: Sequence[Suite], engine: Engine, access: Access
) -> Iterator[RunResult]:
    """Yield the results on the suites that the model can probably run on, with the label and group of the list."""
    for result in evaluate_entry(entry, [suite for suite, _ in expected_suites(entry, suites)], engine, access):
        # A model from another package can have any name; here it has the label of the list.
        settings = {**result.settings, "entry": entry.key}
        yield replace(result, model=entry.label, group=entry.group, settings=settings)


class RemoteEvaluation(NamedTuple):
    """What another process needs to evaluate models; the cache has the same path there."""

    suites: tuple[Suite, ...]
    settings: EvaluationSettings
    cache: Path | None
    access: Access


class RemoteResult(NamedTuple):
    """The results of a model from another process, or its failure."""

    results: Sequence[RunResult]
    failure: ModelFailure | None
    warnings: Sequence[str]
    seconds: float


def evaluate_remotely(task: RemoteEvaluation, entries: Sequence[ModelEntry]) -> list[RemoteResult]:
    """Evaluate models in a worker process, with one thread each."""
    replies = []
    for entry in entries:
        clock, warnings = time.perf_counter(), list[str]()
        engine = Engine(task.settings.replace(workers=1, engine="serial"), task.cache, warn=warnings.append)
        results: list[RunResult] = []
        failure = None
        try:
            results = list(_evaluate_labelled(entry, task.suites, engine, task.access))
        except Exception as error:  # noqa: BLE001  (any error of a model is its failure)
            failure = record_failure(entry, error, task.access)
        free_memory()
        replies.append(RemoteResult(results, failure, warnings, time.perf_counter() - clock))
    return replies


def evaluate_entry(
    entry: ModelEntry, suites: Sequence[Suite], engine: Engine, access: Access, *, skip_unsuitable: bool = True
) -> Iterator[RunResult]:
    """Load a model and run it on the suites; by default, skip suites whose labels it cannot predict."""
    model = entry.load(access)
    yield from engine.run(model, suitable_suites(model, suites) if skip_unsuitable else suites)


def suitable_suites(model: Model, suites: Sequence[Suite]) -> list[Suite]:
    """Return the suites that a model can run on; raise an error if there are none."""
    suitable = [suite for suite in suites if isinstance(model, PairClassifier) or not requires_labels(suite)]
    if not suitable and suites:
        raise needs_labels(suites[0].name, model.name)
    return suitable


def expected_suites(entry: ModelEntry, suites: Sequence[Suite]) -> list[tuple[Suite, bool]]:
    """Return the suites that a model can probably run on, and whether a result is required for the model to be done.

    Whether a model of another package predicts labels is unknown until it is loaded.
    """
    labels = entry.predicts_labels()
    possible = [suite for suite in suites if labels is not False or not requires_labels(suite)]
    certain = [suite for suite in possible if labels is True or not requires_labels(suite)]
    # If nothing is certain, everything is required: otherwise a model that was never run would count as done.
    return [(suite, suite in certain or not certain) for suite in possible]


def result_key(result: RunResult) -> dict[str, Any]:
    """Return everything that a stored result depends on."""
    info = result.suite
    return {
        "entry": result.settings.get("entry"),
        "suite": (info.name, info.kind, info.version, info.sha256, info.roles, info.options, info.right),
        "interval": _interval_key(result.settings),
        "litotes": result.versions.get("litotes"),
    }


def expected_key(entry: ModelEntry, suite: Suite, engine: Engine) -> dict[str, Any]:
    """Return the key of the result that running the model on the suite would have."""
    kind, passed = suite.kind, suite.kind.criterion
    return {
        "entry": entry.key,
        "suite": (
            suite.name, kind.name, suite.version, suite.sha256, kind.roles, tuple(passed.options), passed.right,
        ),
        "interval": (engine.settings.resamples, engine.settings.seed),
        "litotes": current_versions()["litotes"],
    }  # fmt: skip


def _interval_key(settings: Mapping[str, Any]) -> tuple[Any, Any]:
    interval = settings["interval"]
    return interval["resamples"], interval["seed"]


def changed_after(entry: ModelEntry, moment: datetime) -> bool:
    """Return whether a local file of the model was written after a moment."""
    return any(_last_change(path) > moment.timestamp() for path in entry.paths())


def _last_change(path: Path) -> float:
    """Return the latest time of change or creation of a file, or of the files up to two levels below a folder."""
    files = [path] if path.is_file() else [file for pattern in ("*", "*/*") for file in path.glob(pattern)]
    latest = 0.0
    for file in files:
        try:
            status = file.stat()
        except OSError:  # removed just now, or a broken link
            continue
        latest = max(latest, status.st_mtime, status.st_ctime)
    return latest


def free_memory() -> None:
    """Release the memory of the last model, also on the graphics card."""
    gc.collect()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.empty_cache()
