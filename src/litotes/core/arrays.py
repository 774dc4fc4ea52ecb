"""NumPy files from others: no pickles, no more memory than a file of that size justifies, one type of error."""

from __future__ import annotations

import contextlib
import math
import zipfile
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAX_EXPANSION = 16
"""Vectors that are not zero are hardly compressible; a small file that expands to gigabytes is an attack."""
_MIN_EXPANDED_BYTES = 1 << 24
_HEADER_READERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def map_npy(path: Path) -> NDArray[Any]:
    """Return the memory-mapped array of an .npy file; raise a ValueError if it is damaged."""
    with _as_value_error():
        array = np.load(path, mmap_mode="r", allow_pickle=False)
        if not isinstance(array, np.ndarray):
            raise ValueError("holds several arrays, not one")
        return array


def read_npz(path: Path, names: Container[str] | None = None) -> dict[str, NDArray[Any]]:
    """Return the arrays of an .npz file, or those with some of these names; raise a ValueError if it is damaged."""
    with _as_value_error(), zipfile.ZipFile(path) as archive:
        members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
        selected = {name: info for name, info in members.items() if names is None or name in names}
        size = sum(info.file_size for info in selected.values())
        if size > max(_MIN_EXPANDED_BYTES, _MAX_EXPANSION * path.stat().st_size):
            raise ValueError(f"expands to {size:,} bytes, more than {_MAX_EXPANSION} times its size")
        return {name: _read_member(archive, info) for name, info in selected.items()}


def _read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> NDArray[Any]:
    # NumPy allocates what the header claims before it reads.
    with archive.open(info) as file:
        version = np.lib.format.read_magic(file)
        if version not in _HEADER_READERS:
            raise ValueError(f"version {version} of the format is not supported")
        shape, _, dtype = _HEADER_READERS[version](file)
    if math.prod(shape) * dtype.itemsize > info.file_size:
        raise ValueError(f"{info.filename} claims to be larger than it is")
    with archive.open(info) as file:
        array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
        return array


@contextlib.contextmanager
def _as_value_error() -> Iterator[None]:
    """Raise every error as a ValueError of one line: headers are parsed as Python, members are unpacked."""
    try:
        yield
    except Exception as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise ValueError(reason) from error
