"""What went wrong with one model of many, on disk: `<out>/<model>/failed.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from litotes.bench.model_list import ModelEntry
from litotes.bench.store import model_folder
from litotes.core.errors import LitotesError, one_line
from litotes.core.files import is_file, read_json, to_json, write_atomic
from litotes.core.secrets import without_secrets
from litotes.core.versions import current_versions
from litotes.scorers.access import Access
from litotes.scorers.names import shorten

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
        return same == (entry.key, asdict(access), current_versions())

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
        message=shorten(without_secrets(message), _MOST_CHARACTERS),
        access=asdict(access),
        versions=current_versions(),
        time=datetime.now(timezone.utc).isoformat(),
        passing=isinstance(error, LitotesError) and error.passing,
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
