"""The published files of skip-thought vectors, read without pickle; the same files are what training writes.

`uni_skip.npz` and `bi_skip.npz` hold the encoders, `utable.npy` and `btable.npy` the vectors of the words that
`dictionary.txt` lists line by line. The option files beside them (`*.npz.pkl`) are pickles and are not needed: the
arrays say how large everything is.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file, is_file
from litotes.models.base import Vectors
from litotes.models.classic.gru import Gru

Part = Literal["uni", "bi"]
DICTIONARY = "dictionary.txt"
EOS, UNK = "<eos>", "UNK"
"""The end of a sentence, and any word that is not known; the first two rows of every table."""
PREFIXES: Mapping[Part, tuple[str, ...]] = {"uni": ("encoder",), "bi": ("encoder", "encoder_r")}
"""The encoders of each part: forwards, and backwards too."""
_HINT = "fetch or train the model again"


def weights_file(part: Part) -> str:
    """The name of the file with the encoders."""
    return f"{part}_skip.npz"


def table_file(part: Part) -> str:
    """The name of the file with the vectors of the words."""
    return f"{part[0]}table.npy"


@dataclass(frozen=True)
class SkipPart:
    """One of the two models: its encoders, and the vectors of the words as they lie on disk."""

    part: Part
    encoders: tuple[Gru, ...]
    table: NDArray[np.floating]

    @property
    def width(self) -> int:
        """How many numbers a word has."""
        return int(self.table.shape[1])

    @property
    def dim(self) -> int:
        """How many numbers a sentence has."""
        return sum(encoder.dim for encoder in self.encoders)


def parts_in(folder: Path) -> list[Part]:
    """Which of the two models a folder holds."""
    every: tuple[Part, ...] = ("uni", "bi")
    return [part for part in every if is_file(folder / weights_file(part))]


def read_part(folder: Path, part: Part, words: int) -> SkipPart:
    """One of the models of a folder whose dictionary has so many lines."""
    path = folder / table_file(part)
    table = _read_table(path)
    if len(table) != words:
        raise LitotesError(
            "L303",
            f"{path}: has {len(table):,} rows, {DICTIONARY} has {words:,} words",
            hint="a line is needed for each row; is one of them cut short?",
        )
    weights = folder / weights_file(part)
    arrays = _read_arrays(weights, [f"{one}_{name}" for one in PREFIXES[part] for name in _SHAPES])
    encoders = tuple(_gru(arrays, prefix, weights) for prefix in PREFIXES[part])
    for encoder in encoders:
        if encoder.width != table.shape[1]:
            raise LitotesError(
                "L303",
                f"{path}: its words have {table.shape[1]} numbers, those of {weights.name} have {encoder.width}",
                hint="do they belong together?",
            )
    return SkipPart(part, encoders, table)


def read_dictionary(folder: Path) -> tuple[dict[str, int], int]:
    """The row of each word, and how many rows there are; of a word that stands twice it is the last, as published."""
    path = folder / DICTIONARY
    _check_there(path)
    try:
        # Only the line feed ends a line: words of the published list hold other breaks, and some are blank.
        lines = path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise LitotesError("L207", f"{path}:{line}: is not UTF-8 text ({error.reason})", hint=_HINT) from error
    rows = {line.strip(): number for number, line in enumerate(lines)}
    if UNK not in rows:
        raise LitotesError("L303", f"{path}: has no {UNK}, the word for all that are not known", hint=_HINT)
    return rows, len(lines)


def _read_table(path: Path) -> NDArray[np.floating]:
    """The table, mapped and not read: the published ones have 2.3 GB each."""
    _check_there(path)
    try:
        table: NDArray[np.floating] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError, EOFError, TypeError) as error:
        raise _damaged(path, error) from error
    if not isinstance(table, np.ndarray) or table.ndim != 2 or not np.issubdtype(table.dtype, np.floating):
        raise LitotesError("L303", f"{path}: is no table with a row of numbers for each word", hint=_HINT)
    return table


def _read_arrays(path: Path, names: list[str]) -> dict[str, Vectors]:
    """Those arrays of an .npz file, all of them finite."""
    _check_there(path)
    found: dict[str, Vectors] = {}
    try:
        with np.load(path, allow_pickle=False) as file:
            if not isinstance(file, np.lib.npyio.NpzFile):
                raise ValueError("is one array, not several")
            there = set(file.files)
            for name in names:
                if name not in there:
                    raise LitotesError("L303", f"{path}: has no array {name}", hint=_HINT)
                found[name] = np.asarray(file[name], dtype=np.float32)
    except (ValueError, TypeError, OSError, EOFError, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        raise _damaged(path, error) from error
    for name, array in found.items():
        if not np.isfinite(array).all():
            raise LitotesError("L303", f"{path}: {name} holds NaN or infinite numbers", hint=_HINT)
    return found


_SHAPES = {
    "W": ("width", "2 dim"),
    "b": ("2 dim",),
    "U": ("dim", "2 dim"),
    "Wx": ("width", "dim"),
    "bx": ("dim",),
    "Ux": ("dim", "dim"),
}
"""The arrays of an encoder: W, b and U are those of the gates, reset first; the others those of the new content."""


def _gru(arrays: Mapping[str, Vectors], prefix: str, path: Path) -> Gru:
    own = {name: arrays[f"{prefix}_{name}"] for name in _SHAPES}
    if own["Wx"].ndim != 2:
        raise LitotesError("L303", f"{path}: {prefix}_Wx has shape {own['Wx'].shape}, two sizes are needed", hint=_HINT)
    width, dim = own["Wx"].shape
    sizes = {"width": width, "dim": dim, "2 dim": 2 * dim}
    for name, kinds in _SHAPES.items():
        needed = tuple(sizes[kind] for kind in kinds)
        if own[name].shape != needed or 0 in needed:
            raise LitotesError(
                "L303", f"{path}: {prefix}_{name} has shape {own[name].shape}, {needed} is needed", hint=_HINT
            )
    return Gru(
        inputs=np.concatenate([own["W"], own["Wx"]], axis=1),
        bias=np.concatenate([own["b"], own["bx"]]),
        recurrent=np.concatenate([own["U"], own["Ux"]], axis=1),
    )


def gru_arrays(gru: Gru, prefix: str) -> dict[str, Vectors]:
    """The weights under their published names.

    >>> gru = Gru(np.ones((4, 6), np.float32), np.zeros(6, np.float32), np.ones((2, 6), np.float32))
    >>> {name: array.shape for name, array in gru_arrays(gru, "encoder").items() if "W" in name}
    {'encoder_W': (4, 4), 'encoder_Wx': (4, 2)}
    """
    cut = 2 * gru.dim
    return {
        f"{prefix}_W": gru.inputs[:, :cut],
        f"{prefix}_b": gru.bias[:cut],
        f"{prefix}_U": gru.recurrent[:, :cut],
        f"{prefix}_Wx": gru.inputs[:, cut:],
        f"{prefix}_bx": gru.bias[cut:],
        f"{prefix}_Ux": gru.recurrent[:, cut:],
    }


def _check_there(path: Path) -> None:
    try:
        check_is_file(path)
    except LitotesError as error:
        hint = "a model is uni_skip.npz and utable.npy, or bi_skip.npz and btable.npy, with dictionary.txt"
        raise LitotesError("L302" if error.code == "L201" else error.code, error.message, hint=hint) from error


def _damaged(path: Path, error: Exception) -> LitotesError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    if "allow_pickle" in reason or "pickled" in reason:
        reason = "not such a file, or one of pickled objects, which are never read"
    return LitotesError("L303", f"{path}: is damaged or cut short ({reason})", hint=_HINT)
