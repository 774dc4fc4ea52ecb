"""`adapter:FOLDER` — a model with an adapter over its vectors; and the adapter over vectors that are stored."""

from __future__ import annotations

import importlib.util
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from litotes.core.errors import LitotesError, UsageError, missing_package
from litotes.core.files import check_is_file, expand_user, is_file, read_json, sha256_file, to_json, write_together
from litotes.models.access import Access
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.model_folder import check_safetensors
from litotes.models.names import ScorerName, parse_options, shorten

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


_VERSION = "adapter-1"
"""Of how the map is applied."""


@dataclass(frozen=True)
class Options:
    """What can stand behind the `?`."""

    base: str | None = None


def adapt(vectors: ArrayLike, adapter: str | Path | Adapter) -> Vectors:
    """Stored vectors, a row each, as the adapter has them: as many numbers, of length 1, to be compared by cosine.

    A single vector gives a single vector; rows of zeros, of which the model knew nothing, stay so.

    >>> turned = Adapter("weights", {"weights": np.array([0.75, 1], np.float32)}, "a model", {}, {}, {})
    >>> adapt([[4, 4], [0, 5]], turned).round(4).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 1.0]]
    """
    loaded = adapter if isinstance(adapter, Adapter) else _loaded(expand_user(adapter))
    try:
        rows = np.asarray(vectors)
        if rows.dtype.kind not in "fiu":
            raise ValueError(f"numbers are needed, these are of the type {rows.dtype}")
    except ValueError as error:
        raise UsageError("L102", f"vectors: {error}", hint="give an array of numbers, a row a vector") from error
    if rows.ndim not in (1, 2) or rows.shape[-1] != loaded.width:
        shape = "×".join(map(str, rows.shape)) or "one number"
        raise UsageError(
            "L102",
            f"vectors: {shape}, the adapter was learned for vectors of {loaded.width} numbers",
            hint=f"it belongs to {loaded.base}",
        )
    wrong = np.flatnonzero(~np.isfinite(np.atleast_2d(rows)).all(axis=1))
    if len(wrong):
        raise LitotesError("L308", f"vectors: NaN or infinite numbers in {len(wrong):,} rows, row {wrong[0]} the first")
    return loaded.apply(np.atleast_2d(rows)).reshape(rows.shape)


def _loaded(folder: Path) -> Adapter:
    """Read again only if its files have changed: whoever goes through an index calls many times."""
    files = [folder / name for name in (ABOUT_FILE, WEIGHTS_FILE)]
    stamps = tuple((one.stat().st_mtime_ns, one.stat().st_size) for one in files if is_file(one))
    return _kept(folder.absolute(), stamps)


@lru_cache(maxsize=4)
def _kept(folder: Path, stamps: tuple[tuple[int, int], ...]) -> Adapter:
    return load_adapter(folder)


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> AdaptedEncoder:
    """The adapter in a folder on the model that it names, or on the one that is given as `base`."""
    from litotes.models.loading import load_model

    options = parse_options(Options, given, scheme=name.scheme)
    adapter = load_adapter(expand_user(name.rest))
    wanted = options.base or adapter.base
    try:
        base = load_model(wanted, **access.to_dict())
    except LitotesError as error:
        raise LitotesError(
            error.code,
            f"{name.rest}: its model “{wanted}”: {error.message}",
            hint=f"{error.hint + ', or ' if error.hint else ''}name the model by adapter:FOLDER?base=NAME",
        ) from error
    if not isinstance(base, Encoder):
        raise UsageError("L102", f"{name.rest}: {base.name} gives no vectors, an encoder is needed")
    return AdaptedEncoder(name.text, base, adapter)


class AdaptedEncoder(Encoder):
    """An encoder and an adapter over its vectors."""

    def __init__(self, name: str, base: Encoder, adapter: Adapter) -> None:
        own, known = base.fingerprint, Fingerprint(**_fields(adapter.base_fingerprint))
        self._base, self._adapter = base, adapter
        # The same weights computed by other means give the same vectors but for the last digits.
        self._is_other = (own.weights, own.pooling, own.prompt) != (known.weights, known.pooling, known.prompt)
        fingerprint = Fingerprint(
            backend=f"{_VERSION}+{own.backend}",
            weights=adapter.sha256,
            config=own.key(),
            pooling=own.pooling,
            dtype=own.dtype,
            max_length=own.max_length,
            prompt=own.prompt,
        )
        super().__init__(name, fingerprint)

    @property
    def batch_tokens(self) -> int:
        """Those of the model."""
        return self._base.batch_tokens

    @property
    def parallel(self) -> bool:
        """As the model has it."""
        return self._base.parallel

    @property
    def may_know_nothing(self) -> bool:
        """As the model has it."""
        return self._base.may_know_nothing

    def limit_threads(self, count: int) -> int:
        """The model's."""
        return self._base.limit_threads(count)

    def stop(self) -> None:
        """Stop the model."""
        self._base.stop()

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """As the model counts."""
        return self._base.lengths(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The model's vectors through the map."""
        vectors = self._base.encode(texts)
        if vectors.ndim != 2 or vectors.shape[1] != self._adapter.width:
            raise LitotesError(
                "L308",
                f"{self._base.name}: gives vectors of {vectors.shape[-1]} numbers, "
                f"the adapter was learned for {self._adapter.width}",
                hint=f"it belongs to {self._adapter.base}",
            )
        return self._adapter.apply(vectors)

    def notes(self, texts: Sequence[str]) -> list[str]:
        """The model's, and whether it is another than the one that the adapter was learned on."""
        other = f"the adapter was learned on {self._adapter.base}, and {self._base.name} is another model or version"
        return [*([other] if self._is_other else []), *self._base.notes(texts)]


def _fields(found: Mapping[str, Any]) -> dict[str, Any]:
    """Of what a file says those that a fingerprint has; another version of Litotes may know more."""
    known = {"backend": "", **found}
    return {name: known[name] for name in Fingerprint.__dataclass_fields__ if name in known}
