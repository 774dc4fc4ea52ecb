"""Open a suite together with its review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import is_folder, read_json_lines
from litotes.review.store import FILE_NAME, ReviewStore
from litotes.review.units import Unit, group_units
from litotes.review.verdicts import VERDICTS, Verdict
from litotes.suites.base import Suite
from litotes.suites.folder import load_folder


@dataclass(frozen=True)
class ReviewSession:
    """A suite, its units and the store with the verdicts on them."""

    folder: Path
    suite: Suite
    units: Mapping[str, Unit]
    store: ReviewStore

    def ordered_verdicts(self) -> list[Verdict]:
        """Return the current verdicts, ordered by unit and then by annotator."""
        current = self.store.current()
        return [current[key][name] for key in self.units for name in sorted(current.get(key, ()))]


@contextmanager
def open_review(folder: Path, *, create: bool = True) -> Iterator[ReviewSession]:
    """Open the review of the suite in a folder; `create` starts one if there is none."""
    if not is_folder(folder):
        raise LitotesError("L201", f"{folder}: no such folder", hint="a suite is a folder with suite.json")
    suite = load_folder(folder)
    units = group_units(suite.items)
    with ReviewStore(folder / FILE_NAME, suite.sha256, create=create) as store:
        yield ReviewSession(folder, suite, units, store)


def read_gold(path: Path, units: Mapping[str, Unit]) -> dict[str, str]:
    """Read a gold set: JSON lines with a unit and the correct verdict."""
    gold: dict[str, str] = {}
    for line, record in read_json_lines(path):
        unit, verdict = record.get("unit"), record.get("verdict")
        if not isinstance(unit, str) or unit not in units:
            raise LitotesError("L203", f'{path}:{line}: unknown unit "{unit}"')
        if verdict not in VERDICTS:
            raise LitotesError("L203", f'{path}:{line}: "verdict" must be {", ".join(VERDICTS[:-1])} or {VERDICTS[-1]}')
        if unit in gold:
            raise LitotesError("L205", f'{path}:{line}: duplicate unit "{unit}"')
        gold[unit] = verdict
    if not gold:
        raise LitotesError("L204", f"{path}: contains no gold verdicts")
    return gold
