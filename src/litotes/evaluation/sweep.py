"""Many models, one after another: what fails is noted, what is done is not done again, others may help.

What stands in the folder is all that a sweep knows: it can be killed at any moment, called again, and called several
times at once, on machines that share the folder.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from litotes.core.errors import LitotesError, one_line
from litotes.core.files import is_file, read_json, to_json, write_atomic
from litotes.core.secrets import mask_secrets
from litotes.core.versions import current_versions
from litotes.evaluation.engine import Engine
from litotes.evaluation.file_lease import Claim, Holder, take
from litotes.evaluation.model_list import ModelEntry
from litotes.evaluation.result import RunResult
from litotes.evaluation.result_store import model_folder, read_run, run_folder, write_run
from litotes.evaluation.scoring import needs_labels
from litotes.models.access import Access
from litotes.models.base import Model, PairClassifier
from litotes.models.loading import load_model, predicts_labels
from litotes.models.names import shorten
from litotes.suites.base import Suite
from litotes.suites.nli import asks_for_labels

_FILE = "failed.json"
_MOST_CHARACTERS = 500


@dataclass(frozen=True)
class Failure:
    """Why a model has no results."""

    model: str
    group: str
    entry: Mapping[str, Any]
    code: str
    message: str
    access: Mapping[str, bool]
    """What the model was allowed."""
    versions: Mapping[str, str]
    time: str
    passing: bool = False
    """Whether it may pass by itself, as a server that is down: the next call tries again."""

    @property
    def line(self) -> str:
        """For people."""
        return f"[{self.code}] {self.message}"

    def is_of(self, entry: ModelEntry, access: Access) -> bool:
        """Whether the same would be tried again under the same conditions."""
        same = (dict(self.entry), dict(self.access), dict(self.versions))
        return same == (entry.key, access.to_dict(), current_versions())

    @property
    def when(self) -> datetime:
        """When it was."""
        return datetime.fromisoformat(self.time)


def failure_of(entry: ModelEntry, error: BaseException, access: Access) -> Failure:
    """What there is to keep of an error; no traceback, and nothing that the environment holds as a secret."""
    if isinstance(error, LitotesError):
        code, message = error.code, f"{error.message}; {error.hint}" if error.hint else error.message
    elif isinstance(error, MemoryError):
        code, message = "L311", "the memory does not suffice; run it on a larger machine, or with smaller settings"
    else:
        code, message = "L311", f"{type(error).__name__}: {one_line(str(error))}"
    return Failure(
        model=entry.label,
        group=entry.group,
        entry=entry.key,
        code=code,
        message=shorten(mask_secrets(message), _MOST_CHARACTERS),
        access=access.to_dict(),
        versions=current_versions(),
        time=datetime.now(timezone.utc).isoformat(),
        passing=isinstance(error, LitotesError) and error.is_retryable,
    )


def ended_twice() -> LitotesError:
    """Why a model is not tried a third time that has taken two processes with it."""
    return LitotesError(
        "L311",
        "its process was ended twice while it ran; out of memory? If it was you who ended it, --retry goes on with it",
    )


def write_failure(out: Path, failure: Failure) -> Path:
    """Keep it; gives the path of its file."""
    path = model_folder(out, failure.model) / _FILE
    write_atomic(path, to_json(asdict(failure), indent=2) + "\n")
    return path


def read_failure(out: Path, model: str) -> Failure | None:
    """The failure that is kept of a model; one that cannot be read is none, and the model is tried again."""
    path = model_folder(out, model) / _FILE
    if not is_file(path):
        return None
    try:
        failure = Failure(**read_json(path))
        return failure if failure.when.tzinfo else None
    except (LitotesError, TypeError, ValueError):
        return None


def forget_failure(out: Path, model: str) -> None:
    """The model has results now."""
    (model_folder(out, model) / _FILE).unlink(missing_ok=True)


State = Literal["ran", "done", "failed", "left out", "elsewhere"]
_CLAIM = "claim.json"
_MOST_ENDS = 2
"""A model that took so many processes with it in a row, none further than the last, would take the next one too."""


@dataclass(frozen=True)
class Outcome:
    """How it stands with one model."""

    entry: ModelEntry
    state: State
    """Run now; done before or by another; failed now; failed before and not tried again; being run elsewhere."""
    paths: Sequence[Path] = ()
    """The results, in the order of the suites."""
    failure: Failure | None = None
    holder: Holder | None = None
    accuracies: Sequence[tuple[str, float]] = ()
    """By suite, of a model that ran."""
    seconds: float = 0.0


def _tell_nobody(_: Outcome) -> None:
    """What happens to an outcome for which nobody waits."""


@dataclass(frozen=True)
class Sweep:
    """A folder, the suites that every model is put through, and how."""

    out: Path
    suites: Sequence[Suite]
    engine: Engine
    access: Access = field(default_factory=Access)
    retry: bool = False
    """Try again what failed before."""
    told: Callable[[Outcome], None] = _tell_nobody
    """Is told of every model as it ends."""
    begun: datetime = field(default_factory=lambda: datetime.now(timezone.utc))

    def run(self, entries: Sequence[ModelEntry]) -> list[Outcome]:
        """How it stands with each of the models when there is nothing left that nobody works on."""
        outcomes: dict[str, Outcome] = {}
        left = list(entries)
        while left:
            elsewhere = []
            for entry in left:
                outcome = outcomes[entry.label] = self._one(entry)
                if outcome.state == "elsewhere":
                    elsewhere.append(entry)
                else:
                    self.told(outcome)
            if len(elsewhere) == len(left):
                break
            left = elsewhere  # others may have ended these by now, or may be gone
        return [outcomes[entry.label] for entry in entries]

    def _one(self, entry: ModelEntry) -> Outcome:
        if (kept := self._kept(entry)) is not None:
            return kept
        claim = take(model_folder(self.out, entry.label) / _CLAIM)
        if isinstance(claim, Holder):
            return Outcome(entry, "elsewhere", holder=claim)
        with claim:
            # Another process may have ended it between our look and our claim.
            return self._kept(entry) or self._ask(entry, claim)

    def _kept(self, entry: ModelEntry) -> Outcome | None:
        """What is known of the model already; None if it is to be run."""
        paths = self._results(entry)
        if paths is not None:
            return Outcome(entry, "done", paths)
        failure = read_failure(self.out, entry.label)
        if failure is None or not failure.is_of(entry, self.access) or changed_after(entry, failure.when):
            return None
        again = self.retry or self.engine.fresh or failure.passing
        if again and failure.when < self.begun:  # what another has tried since is not tried once more
            return None
        return Outcome(entry, "left out", failure=failure)

    def _results(self, entry: ModelEntry) -> list[Path] | None:
        """The kept results, if none that there must be is missing."""
        paths = []
        for suite, certain in expected(entry, self.suites):
            path = run_folder(self.out, entry.label, suite.name) / "result.json"
            if self._is_done(path, entry, suite):
                paths.append(path)
            elif certain:
                return None
        return paths or None

    def _is_done(self, path: Path, entry: ModelEntry, suite: Suite) -> bool:
        if not is_file(path):
            return False
        try:
            result = read_run(path, with_items=False)
            if run_key(result) != wanted_key(entry, suite):
                return False
            started = datetime.fromisoformat(str(result.times["started"]))
            if self.engine.fresh and started <= self.begun.replace(microsecond=0):
                return False
            if changed_after(entry, started + timedelta(seconds=1)):  # it is kept in whole seconds
                return False
            if result.group != entry.group:
                write_run(self.out, replace(read_run(path), group=entry.group))
        except (LitotesError, LookupError, ValueError, TypeError):  # damaged, or of another version
            return False
        return True

    def _ask(self, entry: ModelEntry, claim: Claim) -> Outcome:
        clock = time.perf_counter()
        results: list[RunResult] = []
        failure = None
        try:
            if claim.holder.ends >= _MOST_ENDS:
                raise ended_twice()
            results = list(self._asked(entry, claim))
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:  # noqa: BLE001  (a panic in a library's Rust is no Exception)
            failure = failure_of(entry, error, self.access)
        free_memory()
        seconds = time.perf_counter() - clock
        if failure is not None:
            write_failure(self.out, failure)
            return Outcome(entry, "failed", failure=failure, seconds=seconds)
        # Results that cannot be written are nothing that the model is to blame for: that ends the sweep. Those that
        # need not be there come first, so that where all the others are, these are too.
        uncertain = [suite.name for suite, certain in expected(entry, self.suites) if not certain]
        written = {
            result.suite.name: self._write(entry, result)
            for result in sorted(results, key=lambda result: result.suite.name not in uncertain)
        }
        forget_failure(self.out, entry.label)
        return Outcome(
            entry,
            "ran",
            [written[result.suite.name] for result in results],
            accuracies=[(result.suite.name, result.metrics.accuracy) for result in results],
            seconds=seconds,
        )

    def _asked(self, entry: ModelEntry, claim: Claim) -> Iterator[RunResult]:
        suites = [suite for suite, _ in expected(entry, self.suites)]
        engine = replace(self.engine, on_saved=claim.step)
        for result in ask_model(entry, suites, engine, self.access, all_must_fit=False):
            # A scorer of another package may call itself as it likes; here it is called as in the list.
            settings = {**result.settings, "entry": entry.key}
            yield replace(result, model=entry.label, group=entry.group, settings=settings)

    def _write(self, entry: ModelEntry, result: RunResult) -> Path:
        """Keep a result; one that is there already stays as it is, it is the same."""
        path = run_folder(self.out, result.model, result.suite.name) / "result.json"
        suite = next(suite for suite in self.suites if suite.name == result.suite.name)
        return path if self._is_done(path, entry, suite) else write_run(self.out, result)


def ask_model(
    entry: ModelEntry, suites: Sequence[Suite], engine: Engine, access: Access, *, all_must_fit: bool
) -> Iterator[RunResult]:
    """Load one model and put it through the suites, or through those that it can be asked."""
    given: dict[str, Any] = {**access.to_dict(), **entry.options_here, "label": entry.label}
    scorer = load_model(entry.name_here, **given)
    yield from engine.run(scorer, suites if all_must_fit else fitting(scorer, suites))


def fitting(scorer: Model, suites: Sequence[Suite]) -> list[Suite]:
    """Of the suites those that the model can be asked; raises if there are none."""
    found = [suite for suite in suites if isinstance(scorer, PairClassifier) or not asks_for_labels(suite)]
    if not found and suites:
        raise needs_labels(suites[0].name, scorer.name)
    return found


def expected(entry: ModelEntry, suites: Sequence[Suite]) -> list[tuple[Suite, bool]]:
    """The suites that the model may be asked, and whether that is certain before it is loaded."""
    labels = _gives_labels(entry.name_here)
    may = [suite for suite in suites if labels is not False or not asks_for_labels(suite)]
    sure = [suite for suite in may if labels is True or not asks_for_labels(suite)]
    # Where nothing is certain everything must be there, or a model that was never run would count as done.
    return [(suite, suite in sure or not sure) for suite in may]


@lru_cache(maxsize=1024)
def _gives_labels(name: str) -> bool | None:
    """Asked once a model: it looks through all installed packages."""
    return predicts_labels(name)


def run_key(result: RunResult) -> dict[str, Any]:
    """What a kept result was made of."""
    info = result.suite
    return {
        "entry": result.settings.get("entry"),
        "suite": (info.name, info.kind, info.version, info.sha256, info.roles, info.options, info.right),
        "litotes": result.versions.get("litotes"),
    }


def wanted_key(entry: ModelEntry, suite: Suite) -> dict[str, Any]:
    """What a result must have been made of to be that of the entry on the suite."""
    kind, passed = suite.kind, suite.kind.passed
    return {
        "entry": entry.key,
        "suite": (
            suite.name, kind.name, suite.version, suite.sha256, kind.roles, tuple(passed.options), passed.right,
        ),
        "litotes": current_versions()["litotes"],
    }  # fmt: skip


def changed_after(entry: ModelEntry, moment: datetime) -> bool:
    """Whether a file of the model on this machine was written later than that."""
    return any(_newest(path) > moment.timestamp() for path in entry.paths())


def _newest(path: Path) -> float:
    """When the file was last changed or put there; of a folder the newest in it and in the folders in it."""
    files = [path] if path.is_file() else [file for pattern in ("*", "*/*") for file in path.glob(pattern)]
    newest = 0.0
    for file in files:
        try:
            found = file.stat()
        except OSError:  # gone in this moment, or a link to nowhere
            continue
        newest = max(newest, found.st_mtime, found.st_ctime)
    return newest


def free_memory() -> None:
    """Give back what the last model left: to Python, to the graphics card, to the machine."""
    gc.collect()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.empty_cache()
    trim = _malloc_trim()
    if trim is not None:
        trim(0)


@lru_cache(maxsize=1)
def _malloc_trim() -> Callable[[int], int] | None:
    """The C library's own way to give memory back, where it has one."""
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):
        return None
