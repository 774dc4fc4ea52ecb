"""Progress bars, which are shown only on terminals."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from litotes.core.errors import single_line

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import Task, TaskID
    from rich.text import Text

_LOGGER = logging.getLogger(__name__)


@contextmanager
def reporting_wait(message: str, *, seconds: float = 2.0) -> Iterator[None]:
    """Log a message if the body takes longer than some seconds, so that nobody waits without knowing for what."""
    timer = threading.Timer(seconds, _LOGGER.warning, ["litotes: %s", message])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class Progress:
    """Interface of progress reports; this base class shows nothing."""

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        """Start a task of `total` steps, or of an unknown number, of which some may be done already."""

    def advance(self, count: int) -> None:
        """Report that `count` more steps are done."""

    def end(self) -> None:
        """Finish the task."""

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove what is shown."""


class TerminalProgress(Progress):
    """A progress bar on standard error with speed and remaining time."""

    def __init__(self, unit: str = "sentences") -> None:
        self._unit = unit
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        """Show a bar for a task."""
        if self._bar is None:
            self._bar = _progress_bar(self._unit)
            self._bar.start()
        self._task = self._bar.add_task(single_line(label), total=total, completed=done)

    def advance(self, count: int) -> None:
        """Move the bar."""
        if self._bar is not None and self._task is not None:
            self._bar.advance(self._task, count)

    def end(self) -> None:
        """Remove the bar of the task."""
        if self._bar is not None and self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = self._task = None


def _progress_bar(unit: str) -> RichProgress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Speed(ProgressColumn):
        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f} {unit}/s" if speed else "", style="dim")

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        Speed(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


def terminal_progress(unit: str = "sentences") -> Progress:
    """Return a progress bar if standard error is a terminal, otherwise a silent one."""
    return TerminalProgress(unit) if sys.stderr.isatty() else Progress()
