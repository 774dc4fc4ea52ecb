"""An adapter: a small map over the vectors of a model that stays as it is, its file, and what it gives.

Every kind of adapter is a case of one formula, for a vector x of length 1: x·weights + f(x·down + bias)·up, scaled to
length 1 again, where f is nothing but for the kind “hidden”, which bends: there it is tanh.
"""

from __future__ import annotations

import importlib.util
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, missing_package
from litotes.core.files import check_is_file, is_file, read_json, sha256_file, to_json, write_together
from litotes.scorers.base import Vectors
from litotes.scorers.model_folder import check_safetensors
from litotes.scorers.names import shorten

AdapterKind = Literal["weights", "low-rank", "linear", "hidden"]
KINDS: tuple[AdapterKind, ...] = get_args(AdapterKind)
ARRAYS: Mapping[AdapterKind, tuple[str, ...]] = {
    "weights": ("weights",),
    "low-rank": ("down", "up"),
    "linear": ("up",),
    "hidden": ("down", "bias", "up"),
}
"""What each kind has learned. A linear one has all of the map in `up`, as what is added to x."""
WEIGHTS_FILE = "adapter.safetensors"
ABOUT_FILE = "adapter.json"
_FORMAT = 1
_ROWS_AT_ONCE = 8192


@dataclass(frozen=True)
class Adapter:
    """A map over vectors, and of which model's vectors it is the map."""

    kind: AdapterKind
    arrays: Mapping[str, Vectors]
    base: str
    """The name of the model whose vectors it was learned on."""
    base_fingerprint: Mapping[str, Any]
    settings: Mapping[str, Any]
    learned: Mapping[str, Any]
    """What it was learned from and what it gave on what was watched."""

    @property
    def width(self) -> int:
        """How many numbers a vector has, before and after."""
        return int(self.arrays["weights" if self.kind == "weights" else "up"].shape[-1])

    def apply(self, vectors: Vectors) -> Vectors:
        """The vectors as the adapter has them, of length 1; rows of zeros stay so."""
        out = np.empty_like(vectors, dtype=np.float32)
        for start in range(0, len(vectors), _ROWS_AT_ONCE):
            rows = unit_rows(vectors[start : start + _ROWS_AT_ONCE].astype(np.float64, copy=False))
            out[start : start + _ROWS_AT_ONCE] = unit_rows(mapped(self.kind, self.arrays, rows.astype(np.float32)))
        return out

    @property
    def steps(self) -> int:
        """After how many steps of learning it was taken."""
        return int(self.learned.get("steps", 0))

    @property
    def sha256(self) -> str:
        """Of its arrays, as the file has them."""
        return sha256(self._file()).hexdigest()

    def _file(self) -> bytes:
        _need_safetensors()
        from safetensors.numpy import save

        data: bytes = save({name: np.ascontiguousarray(self.arrays[name]) for name in ARRAYS[self.kind]})
        return data

    def save(self, folder: Path) -> None:
        """Write it into a folder: both files or none."""
        weights = self._file()
        about = {
            "format": _FORMAT,
            "kind": self.kind,
            "width": self.width,
            "base": self.base,
            "base_fingerprint": dict(self.base_fingerprint),
            "settings": dict(self.settings),
            "learned": dict(self.learned),
            "sha256": sha256(weights).hexdigest(),
        }
        write_together({folder / WEIGHTS_FILE: weights, folder / ABOUT_FILE: to_json(about, indent=2) + "\n"})


def mapped(kind: AdapterKind, arrays: Mapping[str, Vectors], rows: Vectors) -> Vectors:
    """Rows of length 1 through the map, not yet scaled again.

    >>> mapped("weights", {"weights": np.array([2, 1], np.float32)}, np.array([[3, 4]], np.float32)).tolist()
    [[6.0, 4.0]]
    """
    if kind == "weights":
        return rows * arrays["weights"]
    if kind == "linear":
        return rows + rows @ arrays["up"]
    inner = rows @ arrays["down"]
    if kind == "hidden":
        inner = np.tanh(inner + arrays["bias"])
    return rows + np.asarray(inner @ arrays["up"], dtype=rows.dtype)


def unit_rows(rows: NDArray[Any]) -> NDArray[Any]:
    """Each row scaled to length 1; rows of zeros stay so.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    # By the largest number first: the square of 1e200, or of 1e-200, cannot be written.
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    scaled: NDArray[Any] = np.divide(rows, largest, out=np.zeros_like(rows), where=largest > 0)
    lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
    np.divide(scaled, lengths, out=scaled, where=lengths > 0)
    return scaled


def load_adapter(folder: Path) -> Adapter:
    """The adapter in a folder, checked: both files there and whole, the arrays those that were written."""
    about_file, weights_file = folder / ABOUT_FILE, folder / WEIGHTS_FILE
    if not is_file(about_file):
        raise LitotesError(
            "L301",
            f"{folder}: has no {ABOUT_FILE}, so it is no adapter",
            hint="name the folder that litotes repair --method adapter has written",
        )
    about = read_json(about_file)
    kind, width = _checked_head(about, about_file)
    if not is_file(weights_file):
        raise LitotesError("L302", f"{folder}: has no {WEIGHTS_FILE}", hint="copy the whole folder")
    check_is_file(weights_file)
    check_safetensors(weights_file)
    if sha256_file(weights_file) != about["sha256"]:
        raise LitotesError(
            "L307",
            f"{weights_file}: its sha256 is not the one in {ABOUT_FILE}",
            hint="copy both files of the adapter again",
        )
    return Adapter(
        kind,
        _checked_arrays(weights_file, kind, width),
        base=about["base"],
        base_fingerprint=about["base_fingerprint"],
        settings=about["settings"],
        learned=about["learned"],
    )


def _need_safetensors() -> None:
    if importlib.util.find_spec("safetensors") is None:
        raise missing_package("safetensors", "static")


def _checked_head(about: Mapping[str, Any], path: Path) -> tuple[AdapterKind, int]:
    """The kind and the width, after everything that is read later was looked at."""
    if about.get("format") != _FORMAT:
        found = shorten(json.dumps(about.get("format")), 20)
        raise LitotesError(
            "L203", f"{path}: has format {found}, this version of Litotes reads {_FORMAT}", hint="learn it again"
        )
    needed: dict[str, type] = {
        "kind": str,
        "width": int,
        "base": str,
        "base_fingerprint": dict,
        "settings": dict,
        "learned": dict,
        "sha256": str,
    }
    for name, kind in needed.items():
        if not isinstance(about.get(name), kind) or isinstance(about[name], bool):
            raise LitotesError("L203", f'{path}: "{name}" is missing or of the wrong kind', hint="copy it again")
    for kind_name in KINDS:
        if about["kind"] == kind_name and about["width"] > 0:
            return kind_name, about["width"]
    raise LitotesError(
        "L203",
        f"{path}: “{shorten(about['kind'], 20)}” of width {about['width']} is no adapter",
        hint=f"a kind is one of {', '.join(KINDS)}",
    )


def _checked_arrays(path: Path, kind: AdapterKind, width: int) -> dict[str, Vectors]:
    _need_safetensors()
    from safetensors.numpy import load_file

    try:
        found = load_file(path)
    except Exception as error:  # safetensors has no public kind for what numpy cannot hold
        reason = shorten(str(error), 120)
        raise LitotesError("L303", f"{path}: cannot be read ({reason})", hint="copy it again") from error
    rank = found["down"].shape[-1] if "down" in found and found["down"].ndim == 2 else 0
    shapes = {"weights": (width,), "down": (width, rank), "bias": (rank,), "up": (rank, width)}
    if kind == "linear":
        shapes["up"] = (width, width)
    for name in ARRAYS[kind]:
        if name not in found or found[name].shape != shapes[name] or math.prod(shapes[name]) == 0:
            raise LitotesError("L303", f"{path}: has no array “{name}” for vectors of {width} numbers")
        if found[name].dtype != np.float32 or not np.isfinite(found[name]).all():
            raise LitotesError("L303", f"{path}: its array “{name}” has other numbers than finite ones of 32 bits")
    return {name: found[name] for name in ARRAYS[kind]}
