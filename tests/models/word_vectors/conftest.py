"""Fixtures: small files of word vectors in the published formats."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from litotes.models.access import Access
from litotes.models.word_vectors.lookup import WordVectors, open_word_vectors

Open = Callable[..., WordVectors]
Write = Callable[..., Path]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def opened() -> Open:
    """Return a function that opens the vectors of a file, with `allow_pickle=True` if requested."""
    return lambda path, **access: open_word_vectors(str(path), Access(**access))


@pytest.fixture
def write_word2vec(tmp_path: Path) -> Write:
    """Write a binary file with a line break after each vector, as word2vec does, or without, as gensim does."""

    def write(words: Mapping[str, Sequence[float]], name: str = "model.bin", line_breaks: bool = True) -> Path:
        width = len(next(iter(words.values())))
        parts = [f"{len(words)} {width}\n".encode()]
        for word, numbers in words.items():
            parts += [f"{word} ".encode(), np.array(numbers, dtype="<f4").tobytes(), b"\n" if line_breaks else b""]
        path = tmp_path / name
        path.write_bytes(b"".join(parts))
        return path

    return write


@pytest.fixture
def write_fasttext(tmp_path: Path) -> Write:
    """Write a model in the layout of fastText: settings, words, input matrix, output matrix."""

    def write(
        words: Sequence[str],
        *,
        name: str = "model.bin",
        width: int = 5,
        buckets: int = 50,
        ngram_lengths: tuple[int, int] = (3, 6),
        version: int = 12,
        labels: Sequence[str] = (),
        quantised: bool = False,
        model: int | None = None,
        matrix: np.ndarray | None = None,
    ) -> Path:
        model = model or (3 if labels else 2)
        if matrix is None:
            matrix = np.random.default_rng(3).normal(size=(len(words) + buckets, width)).astype("<f4")
        parts = [struct.pack("<2i", 793712314, version)]
        # dim ws epoch minCount neg wordNgrams loss model bucket minn maxn lrUpdateRate t
        parts.append(struct.pack("<12id", width, 5, 5, 1, 5, 1, 2, model, buckets, *ngram_lengths, 100, 1e-4))
        parts.append(struct.pack("<3i2q", len(words) + len(labels), len(words), len(labels), 1000, -1))
        for index, word in enumerate([*words, *labels]):
            parts += [word.encode(), b"\0", struct.pack("<qb", 900 - index, int(index >= len(words)))]
        parts += [struct.pack("<?2q", quantised, *matrix.shape), matrix.astype("<f4").tobytes()]
        rows = len(labels) or len(words)
        parts += [struct.pack("<?2q", False, rows, width), np.zeros((rows, width), dtype="<f4").tobytes()]
        path = tmp_path / name
        path.write_bytes(b"".join(parts))
        return path

    return write
