"""A suite and its review, opened together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import is_folder, read_json_lines
from litotes.review.store import FILE_NAME, Store
from litotes.review.units import Unit, units_of
from litotes.review.verdicts import VERDICTS, Verdict
from litotes.suites.base import Suite
from litotes.suites.folder import load_folder


@dataclass(frozen=True)
class Review:
    """A suite, its units and what was said about them."""

    folder: Path
    suite: Suite
    units: Mapping[str, Unit]
    store: Store

    def in_order(self) -> list[Verdict]:
        """The verdicts that hold, by the order of the units and then by the annotators' names."""
        current = self.store.current()
        return [current[key][name] for key in self.units for name in sorted(current.get(key, ()))]


@contextmanager
def open_review(folder: Path, *, create: bool = True) -> Iterator[Review]:
    """The review of the suite in a folder; `create` begins one if there is none."""
    if not is_folder(folder):
        raise LitotesError("L201", f"{folder}: no such folder", hint="a suite is a folder with suite.json")
    suite = load_folder(folder)
    units = units_of(suite.items)
    with Store(folder / FILE_NAME, suite.sha256, create=create) as store:
        yield Review(folder, suite, units, store)


def read_gold(path: Path, units: Mapping[str, Unit]) -> dict[str, str]:
    """A gold set: JSON lines with a unit and the verdict that is right."""
    gold: dict[str, str] = {}
    for line, record in read_json_lines(path):
        unit, verdict = record.get("unit"), record.get("verdict")
        if not isinstance(unit, str) or unit not in units:
            raise LitotesError("L203", f'{path}:{line}: there is no unit "{unit}" in this suite')
        if verdict not in VERDICTS:
            raise LitotesError("L203", f'{path}:{line}: "verdict" must be {", ".join(VERDICTS[:-1])} or {VERDICTS[-1]}')
        if unit in gold:
            raise LitotesError("L205", f'{path}:{line}: unit "{unit}" stands already in this file')
        gold[unit] = verdict
    if not gold:
        raise LitotesError("L204", f"{path}: has no gold verdicts")
    return gold
