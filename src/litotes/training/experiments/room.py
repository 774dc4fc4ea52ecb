"""Whether the disk has room for what an experiment will write."""

from __future__ import annotations

import shutil
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.scorers.model_folder import model_files

_WEIGHTS = (".safetensors", ".bin")
_OPTIMIZER = 2
"""A model's optimizer keeps two numbers for each of its own; only the last checkpoint has it."""


def training_bytes(base: Path, epochs: int) -> int:
    """About how much a training writes: a model an epoch, the final one, the optimizer."""
    weights = sum(path.stat().st_size for path in model_files(base) if path.suffix in _WEIGHTS)
    return weights * (epochs + 1 + _OPTIMIZER)


def bytes_there(folder: Path) -> int:
    """What is written below a folder already."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def check_room(out: Path, needed: int) -> None:
    """Raise if so much cannot be written there."""
    place = next(path for path in (out, *out.resolve().parents) if path.exists())
    free = shutil.disk_usage(place).free
    if needed > free:
        raise LitotesError(
            "L402",
            f"{out}: the experiment needs about {_size(needed)}, the disk has {_size(free)} left",
            hint="make room, train fewer epochs, or take another --out",
        )


def _size(count: float) -> str:
    """A number of bytes for people.

    >>> _size(3_500_000)
    '3.5 MB'
    """
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
