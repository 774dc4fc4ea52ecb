"""How far a long piece of work is; shown only to people who look at a terminal."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import Task, TaskID
    from rich.text import Text


class Progress:
    """Says nothing; what functions get when nobody looks."""

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        """A piece of work starts, part of it perhaps done already; of a stream nobody knows how much there is."""

    def advance(self, count: int) -> None:
        """So much more is done."""

    def end(self) -> None:
        """The piece is finished."""

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is left to do."""


class TerminalProgress(Progress):
    """A bar on standard error with the speed and the time left."""

    def __init__(self, unit: str = "sentences") -> None:
        self._unit = unit
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        """A piece of work starts, part of it perhaps done already; of a stream nobody knows how much there is."""
        self._start()
        assert self._bar is not None  # noqa: S101  (just started)
        self._task = self._bar.add_task(label, total=total, completed=done)

    def advance(self, count: int) -> None:
        """So much more is done."""
        if self._bar is not None and self._task is not None:
            self._bar.advance(self._task, count)

    def end(self) -> None:
        """The piece is finished; its bar goes away, what remains on screen is the result."""
        if self._bar is not None and self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = self._task = None  # the next piece of work has a bar again

    def _start(self) -> None:
        if self._bar is not None:
            return
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            ProgressColumn,
            TextColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as RichProgress
        from rich.text import Text

        unit = self._unit

        class Speed(ProgressColumn):
            def render(self, task: Task) -> Text:
                speed = task.finished_speed or task.speed
                return Text(f"{speed:,.0f} {unit}/s" if speed else "", style="dim")

        self._bar = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            Speed(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.start()


def progress_for_people(unit: str = "sentences") -> Progress:
    """A bar if standard error is a terminal, else silence."""
    return TerminalProgress(unit) if sys.stderr.isatty() else Progress()
