"""`adapter:FOLDER`: a model with an adapter that maps its vectors; `adapt` maps stored vectors."""

from __future__ import annotations

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

from litotes.core.errors import LitotesError, UsageError, require_packages, shorten
from litotes.core.files import check_is_file, expand_user, is_file, read_json, sha256_file, to_json, write_together
from litotes.core.model_folders.files import check_safetensors
from litotes.models.access import Access
from litotes.models.base import DerivedEncoder, Encoder, Fingerprint, Vectors
from litotes.models.names import ModelName, parse_options

AdapterKind = Literal["weights", "low-rank", "linear", "hidden"]
ADAPTER_KINDS: tuple[AdapterKind, ...] = get_args(AdapterKind)
ARRAYS: Mapping[AdapterKind, tuple[str, ...]] = {
    "weights": ("weights",),
    "low-rank": ("down", "up"),
    "linear": ("up",),
    "hidden": ("down", "bias", "up"),
}
"""The arrays of each kind. In a linear adapter, `up` is the matrix whose product with x is added to x."""
WEIGHTS_FILE = "adapter.safetensors"
CONFIG_FILE = "adapter.json"
_FORMAT = 1
_ROWS_PER_STEP = 8192


@dataclass(frozen=True)
class Adapter:
    """A map from vectors to vectors, trained for one model.

    Args:
        kind: The form of the map.
        arrays: The arrays that ARRAYS lists for the kind.
        base: The name of the model whose vectors it was trained on.
        base_fingerprint: The fingerprint of that model.
        settings: The settings of the training.
        learned: The training data and the results on the validation data.
    """

    kind: AdapterKind
    arrays: Mapping[str, Vectors]
    base: str
    base_fingerprint: Mapping[str, Any]
    settings: Mapping[str, Any]
    learned: Mapping[str, Any]

    @property
    def width(self) -> int:
        """The number of dimensions of the vectors, which does not change."""
        return int(self.arrays["weights" if self.kind == "weights" else "up"].shape[-1])

    def apply(self, vectors: Vectors) -> Vectors:
        """Return the mapped vectors, scaled to length 1; rows of zeros remain zeros."""
        out = np.empty_like(vectors, dtype=np.float32)
        for start in range(0, len(vectors), _ROWS_PER_STEP):
            rows = unit_rows(vectors[start : start + _ROWS_PER_STEP].astype(np.float64, copy=False))
            out[start : start + _ROWS_PER_STEP] = unit_rows(apply_map(self.kind, self.arrays, rows.astype(np.float32)))
        return out

    @property
    def steps(self) -> int:
        """The number of training steps."""
        return int(self.learned.get("steps", 0))

    @property
    def sha256(self) -> str:
        """The hash of its file of weights."""
        return sha256(self._weights()).hexdigest()

    def _weights(self) -> bytes:
        require_packages("static", "safetensors")
        from safetensors.numpy import save

        data: bytes = save({name: np.ascontiguousarray(self.arrays[name]) for name in ARRAYS[self.kind]})
        return data

    def save(self, folder: Path) -> None:
        """Write it into a folder: both files or none."""
        weights = self._weights()
        config = {
            "format": _FORMAT,
            "kind": self.kind,
            "width": self.width,
            "base": self.base,
            "base_fingerprint": dict(self.base_fingerprint),
            "settings": dict(self.settings),
            "learned": dict(self.learned),
            "sha256": sha256(weights).hexdigest(),
        }
        write_together({folder / WEIGHTS_FILE: weights, folder / CONFIG_FILE: to_json(config, indent=2) + "\n"})


def apply_map(kind: AdapterKind, arrays: Mapping[str, Vectors], rows: Vectors) -> Vectors:
    """Return the mapped rows, which must have length 1, without scaling them again.

    >>> apply_map("weights", {"weights": np.array([2, 1], np.float32)}, np.array([[3, 4]], np.float32)).tolist()
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
    """Return the rows scaled to length 1; rows of zeros remain zeros.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    # Divide by the largest number first: the squares of 1e200 and 1e-200 are not representable.
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    scaled: NDArray[Any] = np.divide(rows, largest, out=np.zeros_like(rows), where=largest > 0)
    lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
    np.divide(scaled, lengths, out=scaled, where=lengths > 0)
    return scaled


def load_adapter(folder: Path) -> Adapter:
    """Load the adapter in a folder and check that both files are complete and belong together."""
    config_file, weights_file = folder / CONFIG_FILE, folder / WEIGHTS_FILE
    if not is_file(config_file):
        hint = "name a folder that litotes repair --method adapter has written"
        raise LitotesError("L301", f"{folder}: is not an adapter: it has no {CONFIG_FILE}", hint=hint)
    config = read_json(config_file, unique_keys=True)
    kind, width = _check_config(config, config_file)
    if not is_file(weights_file):
        raise LitotesError("L302", f"{folder}: has no {WEIGHTS_FILE}", hint="copy the whole folder")
    check_is_file(weights_file)
    check_safetensors(weights_file)
    if sha256_file(weights_file) != config["sha256"]:
        hint = "copy both files of the adapter again"
        raise LitotesError("L307", f"{weights_file}: its sha256 is not the one in {CONFIG_FILE}", hint=hint)
    return Adapter(
        kind,
        _load_arrays(weights_file, kind, width),
        base=config["base"],
        base_fingerprint=config["base_fingerprint"],
        settings=config["settings"],
        learned=config["learned"],
    )


def _check_config(config: Mapping[str, Any], path: Path) -> tuple[AdapterKind, int]:
    """Return kind and width; raise if any value is missing or wrong."""
    if config.get("format") != _FORMAT:
        version = shorten(json.dumps(config.get("format")), 20)
        hint = "train it again"
        raise LitotesError("L203", f"{path}: has format {version}, this version of Litotes reads {_FORMAT}", hint=hint)
    required: dict[str, type] = {
        "kind": str,
        "width": int,
        "base": str,
        "base_fingerprint": dict,
        "settings": dict,
        "learned": dict,
        "sha256": str,
    }
    for name, kind in required.items():
        if not isinstance(config.get(name), kind) or isinstance(config[name], bool):
            raise LitotesError("L203", f'{path}: "{name}" is missing or has the wrong type', hint="copy it again")
    if not config["base"].isprintable():
        raise LitotesError("L203", f'{path}: "base" contains control characters', hint="copy it again")
    for adapter_kind in ADAPTER_KINDS:
        if config["kind"] == adapter_kind and config["width"] > 0:
            return adapter_kind, config["width"]
    message = f"{path}: unknown kind “{shorten(config['kind'], 20)}”, or width {config['width']} is not positive"
    raise LitotesError("L203", message, hint=f"kinds are {', '.join(ADAPTER_KINDS)}")


def _load_arrays(path: Path, kind: AdapterKind, width: int) -> dict[str, Vectors]:
    require_packages("static", "safetensors")
    from safetensors.numpy import load_file

    try:
        arrays = load_file(path)
    except Exception as error:  # safetensors has no public exception for types that numpy does not have
        reason = shorten(str(error), 120)
        raise LitotesError("L303", f"{path}: cannot be read ({reason})", hint="copy it again") from error
    rank = arrays["down"].shape[-1] if "down" in arrays and arrays["down"].ndim == 2 else 0
    shapes = {"weights": (width,), "down": (width, rank), "bias": (rank,), "up": (rank, width)}
    if kind == "linear":
        shapes["up"] = (width, width)
    for name in ARRAYS[kind]:
        if name not in arrays or arrays[name].shape != shapes[name] or math.prod(shapes[name]) == 0:
            raise LitotesError("L303", f"{path}: has no array “{name}” for vectors of {width} dimensions")
        if arrays[name].dtype != np.float32 or not np.isfinite(arrays[name]).all():
            raise LitotesError("L303", f"{path}: its array “{name}” has numbers that are not finite 32-bit floats")
    return {name: arrays[name] for name in ARRAYS[kind]}


_VERSION = "adapter-1"
"""Changes with every change that changes vectors; part of fingerprints."""


@dataclass(frozen=True)
class AdapterOptions:
    """Options after the `?`.

    Args:
        base: The name of the model; default: the one that the adapter was trained on.
    """

    base: str | None = None


def adapt(vectors: ArrayLike, adapter: str | Path | Adapter) -> Vectors:
    """Map stored vectors with an adapter, for example those in a search index.

    Args:
        vectors: One vector per row, or a single vector.
        adapter: The adapter or its folder; a folder is read again only if its files change.

    Returns:
        Vectors of the same shape and of length 1, to be compared by cosine. Rows of zeros remain zeros.

    >>> turned = Adapter("weights", {"weights": np.array([0.75, 1], np.float32)}, "a model", {}, {}, {})
    >>> adapt([[4, 4], [0, 5]], turned).round(4).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 1.0]]
    """
    loaded = adapter if isinstance(adapter, Adapter) else _load_cached(expand_user(adapter))
    try:
        rows = np.asarray(vectors)
        if rows.dtype.kind not in "fiu":
            raise ValueError(f"must be numbers, not {rows.dtype}")
    except ValueError as error:
        hint = "pass an array of numbers with one vector per row"
        raise UsageError("L102", f"vectors: {error}", hint=hint) from error
    if rows.ndim not in (1, 2) or rows.shape[-1] != loaded.width:
        shape = "×".join(map(str, rows.shape)) or "()"
        message = f"vectors: shape {shape}, the adapter was trained for vectors of {loaded.width} dimensions"
        raise UsageError("L102", message, hint=f"it belongs to {loaded.base}")
    wrong = np.flatnonzero(~np.isfinite(np.atleast_2d(rows)).all(axis=1))
    if len(wrong):
        raise LitotesError("L308", f"vectors: NaN or infinite numbers in {len(wrong):,} rows, first in row {wrong[0]}")
    return loaded.apply(np.atleast_2d(rows)).reshape(rows.shape)


def _load_cached(folder: Path) -> Adapter:
    files = [folder / name for name in (CONFIG_FILE, WEIGHTS_FILE)]
    versions = tuple((file.stat().st_mtime_ns, file.stat().st_size) for file in files if is_file(file))
    return _load_version(folder.absolute(), versions)


@lru_cache(maxsize=4)
def _load_version(folder: Path, versions: tuple[tuple[int, int], ...]) -> Adapter:
    return load_adapter(folder)


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> AdaptedEncoder:
    """Load `adapter:FOLDER` with the model that it was trained on, or with the option `base`."""
    from litotes.models.loading import load_model, load_received_model

    options = parse_options(AdapterOptions, values, scheme=name.scheme)
    adapter = load_adapter(expand_user(name.rest))
    base_name = options.base or adapter.base
    if options.base is None and base_name.startswith(f"{name.scheme}:"):
        message = f"{name.rest}: its model “{base_name}” is an adapter, too"
        raise LitotesError("L311", message, hint="name the model by adapter:FOLDER?base=NAME")
    try:
        if options.base is not None and not name.is_received:
            base = load_model(base_name, **access.to_dict())
        else:
            base = load_received_model(base_name, access, {})
    except LitotesError as error:
        hint = f"{error.hint + ', or ' if error.hint else ''}name the model by adapter:FOLDER?base=NAME"
        raise LitotesError(error.code, f"{name.rest}: its model “{base_name}”: {error.message}", hint=hint) from error
    if not isinstance(base, Encoder):
        raise UsageError("L102", f"{name.rest}: {base.name} is not an encoder")
    return AdaptedEncoder(name.text, base, adapter)


class AdaptedEncoder(DerivedEncoder):
    """An encoder whose vectors are mapped by an adapter."""

    def __init__(self, name: str, base: Encoder, adapter: Adapter) -> None:
        own, trained_on = base.fingerprint, Fingerprint(**_known_fields(adapter.base_fingerprint))
        self._adapter = adapter
        # Other backends give the same vectors up to rounding.
        self._is_different_base = (own.weights, own.pooling, own.prompt) != (
            trained_on.weights,
            trained_on.pooling,
            trained_on.prompt,
        )
        fingerprint = Fingerprint(
            backend=f"{_VERSION}+{own.backend}",
            weights=adapter.sha256,
            config=own.key(),
            pooling=own.pooling,
            dtype=own.dtype,
            max_length=own.max_length,
            prompt=own.prompt,
        )
        super().__init__(name, fingerprint, base)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the mapped vectors of the base model."""
        vectors = self._base.encode(texts)
        if vectors.ndim != 2 or vectors.shape[1] != self._adapter.width:
            raise LitotesError(
                "L308",
                f"{self._base.name}: its vectors have {vectors.shape[-1]} dimensions, "
                f"the adapter was trained for {self._adapter.width}",
                hint=f"it belongs to {self._adapter.base}",
            )
        return self._adapter.apply(vectors)

    def notes(self, texts: Sequence[str]) -> list[str]:
        """Return the notes of the base model, and one if the adapter was trained on another model."""
        note = f"the adapter was trained on {self._adapter.base}; {self._base.name} is another model or version"
        return [*([note] if self._is_different_base else []), *super().notes(texts)]


def _known_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that a fingerprint has; other versions of Litotes may write more."""
    values = {"backend": "", **values}
    return {name: values[name] for name in Fingerprint.__dataclass_fields__ if name in values}
