"""A plugin package for tests of sweeps: its models log each loading and fail in configurable ways."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from litotes.core.errors import LitotesError, missing_package
from litotes.models.access import Access
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.names import ModelName

LOADS = "DRILL_LOADS"
"""The environment variable for the log file, which has one line per loading: model and process."""
HOLDS = "DRILL_HOLDS"
"""The environment variable for a folder: a model waits while a file with its name exists there."""


class Panic(BaseException):
    """An error that is not an Exception, as libraries written in Rust raise."""


class Drill(Encoder):
    """An encoder with random vectors by spelling; its size and its errors are options."""

    batch_tokens = 64
    parallel = False

    def __init__(self, name: str, model: str, options: Mapping[str, Any]) -> None:
        super().__init__(name, Fingerprint(backend="drill", config=repr((model, sorted(options.items())))))
        self._hold = Path(os.environ.get(HOLDS, "nowhere")) / model
        self._seed = str(options.get("seed", model))
        self._wrong = options.get("wrong", "")
        self._pause = float(options.get("pause", 0))
        self._ballast = np.ones(int(options.get("megabytes", 0)) << 17)
        self._itself = self  # freed only by the garbage collector, like models of real libraries

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        while self._hold.exists():
            time.sleep(0.01)
        time.sleep(self._pause)
        if self._wrong.startswith("killed by ") and any(self._wrong[10:] in text for text in texts):
            os.kill(os.getpid(), signal.SIGKILL)  # like the system when memory runs out
        if self._wrong == "memory":
            raise MemoryError
        if self._wrong == "panic":
            raise Panic("index out of bounds")
        if self._wrong == "interrupt":
            raise KeyboardInterrupt
        rows = np.stack([_drawn(self._seed + text) for text in texts])
        return rows * np.nan if self._wrong == "nan" else rows


def _drawn(text: str) -> Vectors:
    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
    return np.random.default_rng(seed).standard_normal(16, dtype=np.float32)


def load(name: ModelName, access: Access, options: Mapping[str, Any]) -> Drill:
    """Load `drill:ANYTHING` with options for memory, seed, a pause before each batch, and a failure."""
    if LOADS in os.environ:
        with Path(os.environ[LOADS]).open("a") as file:
            file.write(f"{name.text} {os.getpid()}\n")
    wrong = options.get("wrong", "")
    if wrong == "package":
        raise missing_package("drill", "drill")
    if wrong == "server" and not (Path(os.environ.get(HOLDS, "nowhere")) / "up").exists():
        raise LitotesError("L501", "the server is down", is_retryable=True)
    if wrong == "network" and access.offline:
        raise LitotesError("L309", "is not here")
    if wrong == "key":
        raise RuntimeError(f"refused: key {os.environ['DRILL_API_KEY']} at http://me:word@host/v1\nsecond line")
    return Drill("called otherwise" if wrong == "name" else name.text, name.rest, options)


def install(folder: Path) -> Path:
    """Install this package into a folder."""
    shutil.copy(__file__, folder / "litotes_drill.py")
    installed = folder / "litotes_drill-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: litotes-drill\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[litotes.models]\ndrill = litotes_drill:load\n")
    return folder
