"""NumPy files from others: damaged headers, claims of size, archives that expand."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from litotes.core.arrays import map_npy, read_npz

ROWS = np.arange(6, dtype=np.float32).reshape(2, 3)


def member(shape: tuple[int, ...] = (2, 3), data: bytes = ROWS.tobytes(), version: int = 1) -> bytes:
    """Return an .npy file with a shape and data that may not match."""
    file = io.BytesIO()
    write = {1: np.lib.format.write_array_header_1_0, 2: np.lib.format.write_array_header_2_0}[version]
    write(file, {"descr": "<f4", "fortran_order": False, "shape": shape})
    return file.getvalue() + data


DAMAGED = {
    "claims terabytes": (member((10**9, 300)), "claims to be larger"),
    "claims one row more": (member((40, 3)), "claims to be larger"),
    "expands": (member((1 << 23, 1), bytes(1 << 25)), "expands to 33,554,560 bytes"),
    "nested header": (member().replace(b"(2, 3)", b"(" * 6), "EOF|never closed"),
    "negative size": (member((-2, 3)), "negative dimensions"),
    "later version": (member().replace(b"NUMPY\x01", b"NUMPY\x07"), "version"),
    "not an array": (b"soup", "magic string"),
}


def archive(path: Path, content: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("rows.npy", content)
    return path


def test_reads_what_numpy_writes(tmp_path: Path) -> None:
    np.savez(tmp_path / "plain.npz", rows=ROWS, words=np.array(["soup", "hot"]))
    np.savez_compressed(tmp_path / "small.npz", rows=np.zeros((1 << 20, 1), np.float32))
    assert np.array_equal(read_npz(tmp_path / "plain.npz")["rows"], ROWS)
    assert list(read_npz(tmp_path / "plain.npz", ["words", "other"])) == ["words"]
    assert read_npz(tmp_path / "small.npz")["rows"].nbytes == 1 << 22
    assert np.array_equal(read_npz(archive(tmp_path / "second.npz", member(version=2)))["rows"], ROWS)


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_archives_are_refused(damage: str, tmp_path: Path) -> None:
    content, message = DAMAGED[damage]
    with pytest.raises(ValueError, match=message):
        read_npz(archive(tmp_path / "a.npz", content))


def test_pickles_are_refused(tmp_path: Path) -> None:
    rows = np.array([{}, []], dtype=object)
    np.savez(tmp_path / "a.npz", rows=rows)
    np.save(tmp_path / "a.npy", rows)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        read_npz(tmp_path / "a.npz")
    with pytest.raises(ValueError, match=r"Python objects|allow_pickle"):
        map_npy(tmp_path / "a.npy")


@pytest.mark.parametrize("content", [member((10**12, 300)), member().replace(b"(2, 3)", b"(" * 6), b"", b"PK\x05\x06"])
def test_damaged_arrays_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_bytes(content)
    with pytest.raises(ValueError, match=r".+"):
        map_npy(tmp_path / "a.npy")
