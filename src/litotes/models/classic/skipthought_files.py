"""The GRU of skip-thought vectors, and the published files, which `litotes train skipthought` writes, too.

`uni_skip.npz` and `bi_skip.npz` contain the encoders, `utable.npy` and `btable.npy` the vectors of the words, which
`dictionary.txt` lists line by line. The published option files (`*.npz.pkl`) are pickles and are not needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from litotes.core.arrays import map_npy, read_npz
from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file, is_file
from litotes.models.base import Vectors

Part = Literal["uni", "bi"]
DICTIONARY = "dictionary.txt"
EOS, UNK = "<eos>", "UNK"
"""The end of a sentence and any unknown word, the first two rows of each table."""
PREFIXES: Mapping[Part, tuple[str, ...]] = {"uni": ("encoder",), "bi": ("encoder", "encoder_r")}
"""The encoders of each part: forward, or forward and backward."""
_HINT = "download or train the model again"


def weights_file(part: Part) -> str:
    """Return the name of the file with the encoders."""
    return f"{part}_skip.npz"


def table_file(part: Part) -> str:
    """Return the name of the file with the word vectors."""
    return f"{part[0]}table.npy"


@dataclass(frozen=True)
class SkipPart:
    """One of the two models: its encoders and its memory-mapped word vectors."""

    part: Part
    encoders: tuple[Gru, ...]
    table: NDArray[np.floating]

    @property
    def width(self) -> int:
        """The number of dimensions of word vectors."""
        return int(self.table.shape[1])

    @property
    def dim(self) -> int:
        """The number of dimensions of sentence vectors."""
        return sum(encoder.dim for encoder in self.encoders)


def parts_in(folder: Path) -> list[Part]:
    """Return which of the two models a folder contains."""
    return [part for part in PREFIXES if is_file(folder / weights_file(part))]


def read_part(folder: Path, part: Part, n_words: int) -> SkipPart:
    """Read one of the models in a folder whose dictionary has `n_words` lines."""
    path = folder / table_file(part)
    table = _read_table(path)
    if len(table) != n_words:
        hint = "is one of them truncated?"
        raise LitotesError("L303", f"{path}: has {len(table):,} rows, {DICTIONARY} has {n_words:,} words", hint=hint)
    weights = folder / weights_file(part)
    arrays = _read_arrays(weights, [f"{prefix}_{name}" for prefix in PREFIXES[part] for name in _SHAPES])
    encoders = tuple(_gru(arrays, prefix, weights) for prefix in PREFIXES[part])
    for encoder in encoders:
        if encoder.width != table.shape[1]:
            message = f"{path}: has {table.shape[1]} dimensions, {weights.name} has {encoder.width}"
            raise LitotesError("L303", message, hint="do they belong together?")
    return SkipPart(part, encoders, table)


def read_dictionary(folder: Path) -> tuple[dict[str, int], int]:
    """Return the row of each word (the last one if it occurs twice, as published) and the number of rows."""
    path = folder / DICTIONARY
    _require_file(path)
    try:
        # Only line feeds end lines: words of the published list contain other line breaks, and some are blank.
        lines = path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise LitotesError("L207", f"{path}:{line}: is not UTF-8 text ({error.reason})", hint=_HINT) from error
    rows = {line.strip(): number for number, line in enumerate(lines)}
    if UNK not in rows:
        raise LitotesError("L303", f"{path}: has no {UNK}, the entry for unknown words", hint=_HINT)
    return rows, len(lines)


def _read_table(path: Path) -> NDArray[np.floating]:
    """Memory-map a table; the published ones have 2.3 GB each."""
    _require_file(path)
    try:
        table = map_npy(path)
    except ValueError as error:
        raise _damaged(path, error) from error
    if table.ndim != 2 or not np.issubdtype(table.dtype, np.floating):
        raise LitotesError("L303", f"{path}: is not a table with one row of numbers per word", hint=_HINT)
    return table


def _read_arrays(path: Path, names: list[str]) -> dict[str, Vectors]:
    """Return arrays of an .npz file; raise if one is missing or not finite."""
    _require_file(path)
    try:
        read = read_npz(path, names)
        if missing := next((name for name in names if name not in read), None):
            raise LitotesError("L303", f"{path}: has no array {missing}", hint=_HINT)
        arrays: dict[str, Vectors] = {name: np.asarray(read[name], dtype=np.float32) for name in names}
    except (ValueError, TypeError) as error:
        raise _damaged(path, error) from error
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise LitotesError("L303", f"{path}: {name} has NaN or infinite numbers", hint=_HINT)
    return arrays


_SHAPES = {
    "W": ("width", "2 dim"),
    "b": ("2 dim",),
    "U": ("dim", "2 dim"),
    "Wx": ("width", "dim"),
    "bx": ("dim",),
    "Ux": ("dim", "dim"),
}
"""The arrays of an encoder: W, b and U are those of the gates, reset first; the others of the candidate state."""


def _gru(arrays: Mapping[str, Vectors], prefix: str, path: Path) -> Gru:
    own = {name: arrays[f"{prefix}_{name}"] for name in _SHAPES}
    if own["Wx"].ndim != 2:
        message = f"{path}: {prefix}_Wx has shape {own['Wx'].shape}, must have two dimensions"
        raise LitotesError("L303", message, hint=_HINT)
    width, dim = own["Wx"].shape
    sizes = {"width": width, "dim": dim, "2 dim": 2 * dim}
    for name, dimensions in _SHAPES.items():
        expected = tuple(sizes[dimension] for dimension in dimensions)
        if own[name].shape != expected or 0 in expected:
            message = f"{path}: {prefix}_{name} has shape {own[name].shape}, expected {expected}"
            raise LitotesError("L303", message, hint=_HINT)
    return Gru(
        inputs=np.concatenate([own["W"], own["Wx"]], axis=1),
        bias=np.concatenate([own["b"], own["bx"]]),
        recurrent=np.concatenate([own["U"], own["Ux"]], axis=1),
    )


def gru_arrays(gru: Gru, prefix: str) -> dict[str, Vectors]:
    """Return the weights under their published names.

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


def _require_file(path: Path) -> None:
    try:
        check_is_file(path)
    except LitotesError as error:
        hint = "a model has dictionary.txt and uni_skip.npz with utable.npy, or bi_skip.npz with btable.npy"
        raise LitotesError("L302" if error.code == "L201" else error.code, error.message, hint=hint) from error


def _damaged(path: Path, error: Exception) -> LitotesError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    if "allow_pickle" in reason or "pickled" in reason:
        reason = "not such a file, or a file of pickled objects, which are never read"
    return LitotesError("L303", f"{path}: is damaged or truncated ({reason})", hint=_HINT)


@dataclass(frozen=True)
class Gru:
    """The weights of a gated recurrent unit, with columns for the reset gate, the update gate and the candidate state.

    With reset gate r, update gate u, candidate state n, the logistic function σ and the elementwise product ∘:

        r = σ(W_r x + b_r + U_r h)      u = σ(W_u x + b_u + U_u h)
        n = tanh(W_n x + b_n + r ∘ U_n h)      h ← u ∘ h + (1 − u) ∘ n

    This is what the code of skip-thought computes, with which the weights were published; the paper has U_n (r ∘ h).

    Args:
        inputs: The input weights, width × 3 dim.
        bias: The bias, 3 dim.
        recurrent: The recurrent weights, dim × 3 dim.
    """

    inputs: Vectors
    bias: Vectors
    recurrent: Vectors

    @property
    def width(self) -> int:
        """The number of dimensions of word vectors."""
        return int(self.inputs.shape[0])

    @property
    def dim(self) -> int:
        """The number of dimensions of the state."""
        return int(self.recurrent.shape[0])


def last_states(
    gru: Gru, words: Vectors, indexes: NDArray[np.intp], lengths: NDArray[np.intp], *, backwards: bool = False
) -> Vectors:
    """Return the state after the last word of each sentence, or after the first if it is read backwards.

    Args:
        gru: The weights.
        words: One vector per distinct word.
        indexes: The rows of the words of each sentence (sentences × longest length); padding is ignored.
        lengths: The number of words of each sentence; the state of a sentence without words is zero.
        backwards: Whether to read from the last word to the first.

    >>> gru = Gru(np.ones((1, 3), np.float32), np.zeros(3, np.float32), np.zeros((1, 3), np.float32))
    >>> last_states(gru, np.zeros((1, 1), np.float32), np.array([[0]]), np.array([1]))
    array([[0.]], dtype=float32)
    """
    # Each distinct word is multiplied with the weights once.
    projected = words @ gru.inputs + gru.bias
    # Longest first: the sentences that still have words are always the first rows, so padding costs nothing.
    order = np.argsort(-lengths, kind="stable")
    sorted_lengths, sorted_indexes = lengths[order], indexes[order]
    state = np.zeros((len(lengths), gru.dim), dtype=np.float32)
    for step in range(int(lengths.max(initial=0))):
        n_active = int(np.searchsorted(-sorted_lengths, -step, side="left"))
        at = sorted_lengths[:n_active] - 1 - step if backwards else np.full(n_active, step)
        state[:n_active] = _step(gru, projected[sorted_indexes[np.arange(n_active), at]], state[:n_active])
    states = np.empty_like(state)
    states[order] = state
    return states


def _step(gru: Gru, inputs: Vectors, state: Vectors) -> Vectors:
    dim = gru.dim
    recurrent = state @ gru.recurrent
    gates = _logistic(inputs[:, : 2 * dim] + recurrent[:, : 2 * dim])
    reset, update = gates[:, :dim], gates[:, dim:]
    candidate = np.tanh(inputs[:, 2 * dim :] + reset * recurrent[:, 2 * dim :])
    next_state: Vectors = candidate + update * (state - candidate)
    return next_state


def _logistic(numbers: Vectors) -> Vectors:
    # With tanh, which cannot overflow.
    half = np.float32(0.5)
    result: Vectors = half * np.tanh(half * numbers) + half
    return result
