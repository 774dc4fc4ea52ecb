"""Measure a job on samples: it is really run, with one worker process, in a process of its own."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from litotes.core.parallel.engine import ParallelEngine, map_completed
from litotes.core.progress import Progress

SampleJob = Callable[[Path, Sequence[str], Progress], int]
"""Runs the job on files, writes only into the folder, reports progress, and returns the number of records."""

_POLL_SECONDS = 0.1
WORKER = ParallelEngine("processes", 1)
"""How the job runs while it is measured: the driver and its worker are separate processes, as on a cluster."""


class SampleMeasurement(NamedTuple):
    """What a job took."""

    records: int
    seconds: float
    """Wall-clock time."""
    driver_seconds: float
    """Processor time of the process that reads, stores and selects."""
    worker_seconds: float
    """Processor time of the worker."""
    driver_memory: int
    worker_memory: int
    """Highest resident memory in bytes."""
    peak_disk: int
    """The most bytes that were on disk at a time."""
    output: int
    """Bytes that were written and remain."""
    phases: Mapping[str, float] = {}
    """Wall-clock time of each phase that reports progress."""


def measure_samples(job: SampleJob, samples: Sequence[Sequence[str]], folder: Path) -> list[SampleMeasurement]:
    """Measure the job on each sample, each in a new process, so that every measurement contains the start."""
    measurements: list[SampleMeasurement] = []
    for number, files in enumerate(samples):
        (folder / f"run-{number}").mkdir()
        task = (folder / f"run-{number}", files)
        for _, reply in map_completed(partial(_measure_each, job), [task], engine=WORKER):
            measurements.extend(reply.results())
    return measurements


def _measure_each(job: SampleJob, tasks: Sequence[tuple[Path, Sequence[str]]]) -> list[SampleMeasurement]:
    return [_measure(job, folder, files) for folder, files in tasks]


def _measure(job: SampleJob, folder: Path, files: Sequence[str]) -> SampleMeasurement:
    temporary = folder / "tmp"
    temporary.mkdir()
    tempfile.tempdir = str(temporary)
    disk, phases = _DiskWatch(folder), _PhaseTimes()
    before = _processor_times()
    start = time.perf_counter()
    with disk:
        n_records = job(folder, files, phases)
    seconds = time.perf_counter() - start
    driver, worker = (after - earlier for after, earlier in zip(_processor_times(), before, strict=True))
    return SampleMeasurement(
        records=n_records,
        seconds=seconds,
        driver_seconds=driver,
        worker_seconds=worker,
        driver_memory=_own_peak_memory(),
        worker_memory=_peak_memory(of_children=True),
        peak_disk=disk.peak,
        output=_folder_bytes(folder),
        phases=dict(phases.seconds),
    )


class _PhaseTimes(Progress):
    """Measures each phase that reports progress."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._label = ""
        self._start = 0.0

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        self._label, self._start = label, time.perf_counter()

    def end(self) -> None:
        self.seconds[self._label] += time.perf_counter() - self._start


def _processor_times() -> tuple[float, float]:
    times = os.times()
    return times.user + times.system, times.children_user + times.children_system


def _own_peak_memory() -> int:
    """Return the highest resident memory of this process, on Linux without that of its parent before it was started."""
    try:
        status = Path("/proc/self/status").read_text("ascii")
    except OSError:
        status = ""
    line = next((line for line in status.splitlines() if line.startswith("VmHWM:")), None)
    return _peak_memory(of_children=False) if line is None else int(line.split()[1]) * 1024


def _peak_memory(*, of_children: bool) -> int:
    import resource  # not on Windows

    usage = resource.getrusage(resource.RUSAGE_CHILDREN if of_children else resource.RUSAGE_SELF)
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class _DiskWatch:
    """Observes the size of a folder while work runs."""

    def __init__(self, folder: Path) -> None:
        self.peak = 0
        self._folder = folder
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> _DiskWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._look()

    def _watch(self) -> None:
        while not self._stop.wait(_POLL_SECONDS):
            self._look()

    def _look(self) -> None:
        self.peak = max(self.peak, _folder_bytes(self._folder))


def _folder_bytes(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:  # it was removed in the meantime
            continue
    return total
