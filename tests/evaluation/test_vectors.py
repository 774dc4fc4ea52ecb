"""Folders of vectors: the same bytes on every engine, resuming, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import litotes
from litotes.core.errors import LitotesError, UsageError
from litotes.core.parallel.engine import ParallelEngine
from litotes.evaluation.vectors.folder import MANIFEST
from litotes.evaluation.vectors.remote import RemoteModel, remote_model
from litotes.models.access import Access
from litotes.models.base import Vectors

pytest.importorskip("pyarrow")

WORDS = "lamp door chair table clock mirror fence bench oven shelf".split()
TEXTS = [f"The {WORDS[n % 10]} " + "in the old house " * (n % 4) + f"is number {n}." for n in range(100)]


class LetterCounts(litotes.Encoder):
    """Counts letters, and the sentences that it has encoded."""

    def __init__(self, weights: str = "1") -> None:
        super().__init__("letters", litotes.Fingerprint("python", weights=weights))
        self.sentences = 0

    def lengths(self, texts: list[str]) -> list[int]:
        return [len(text) for text in texts]

    def encode(self, texts: list[str]) -> Vectors:
        self.sentences += len(texts)
        return np.array([[text.count(letter) + 1 for letter in "aeiou"] for text in texts], np.float32)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_processes_write_the_same_bytes_as_threads(tmp_path: Path, onnx_minilm: str) -> None:
    here = litotes.encode(onnx_minilm, TEXTS, out=tmp_path / "here", part_rows=32)
    litotes.encode(onnx_minilm, TEXTS, out=tmp_path / "processes", part_rows=32, engine="processes", workers=2)
    assert content(tmp_path / "here") == content(tmp_path / "processes")
    assert here.vectors().shape == (100, 384) and len(here) == 100
    model = litotes.load_model(onnx_minilm)
    assert isinstance(model, litotes.Encoder)
    assert np.allclose(here.vectors()[:8], model.encode(TEXTS[:8]), atol=1e-5)
    assert here.fingerprint == model.fingerprint


def test_rows_have_ids_and_texts_and_repeated_texts_have_the_same_vector(tmp_path: Path) -> None:
    texts = [*TEXTS[:10], TEXTS[0]]
    litotes.encode(LetterCounts(), texts, out=tmp_path / "vectors", part_rows=16)
    folder = litotes.open_vectors(tmp_path / "vectors")
    assert list(folder.rows()) == [(f"texts:{n}", text) for n, text in enumerate(texts, 1)]
    [part] = folder.parts()
    assert np.array_equal(part[0], part[10]) and not part.flags.writeable


def test_only_missing_and_damaged_parts_are_encoded(tmp_path: Path) -> None:
    out = tmp_path / "vectors"
    litotes.encode(LetterCounts(), TEXTS, out=out, part_rows=32)
    expected = content(out)
    (out / MANIFEST).unlink()
    (out / "part-00001.arrow").unlink()
    (out / "part-00002.arrow").write_bytes(expected["part-00002.arrow"][:-100])
    encoder = LetterCounts()
    litotes.encode(encoder, TEXTS, out=out, part_rows=32)
    assert encoder.sentences == 64
    assert content(out) == expected


def test_complete_folder_starts_no_worker(tmp_path: Path) -> None:
    litotes.encode("glove:6b-50d", TEXTS, out=tmp_path)
    before = content(tmp_path)
    litotes.encode("glove:6b-50d", TEXTS, out=tmp_path, engine="ray:127.0.0.1:9")  # nothing listens there
    assert content(tmp_path) == before
    with pytest.raises(LitotesError, match=r"L503.*127\.0\.0\.1:9"):
        litotes.encode("glove:6b-50d", [*TEXTS, "One more."], out=tmp_path, engine="ray:127.0.0.1:9")
    assert content(tmp_path) == before


def test_grown_text_encodes_the_last_part_and_new_ones(tmp_path: Path) -> None:
    litotes.encode(LetterCounts(), TEXTS[:80], out=tmp_path / "grown", part_rows=32)
    encoder = LetterCounts()
    litotes.encode(encoder, TEXTS, out=tmp_path / "grown", part_rows=32)
    litotes.encode(LetterCounts(), TEXTS, out=tmp_path / "fresh", part_rows=32)
    assert encoder.sentences == 36
    assert content(tmp_path / "grown") == content(tmp_path / "fresh")


def test_vectors_of_another_model_or_text_are_not_mixed(tmp_path: Path) -> None:
    out = tmp_path / "vectors"
    litotes.encode(LetterCounts(), TEXTS, out=out, part_rows=32)
    before = content(out)
    others = (
        (LetterCounts("2"), TEXTS, 32, "another model"),
        (LetterCounts(), TEXTS[::-1], 32, "another text"),
        (LetterCounts(), TEXTS[:10], 32, "another text"),
        (LetterCounts(), TEXTS, 64, "in parts of 32 rows"),
    )
    for manifest in (True, False):  # also while the folder is incomplete
        if not manifest:
            (out / MANIFEST).unlink()
            before.pop(MANIFEST)
        for encoder, texts, part_rows, reason in others:
            with pytest.raises(UsageError, match=f"L102.*vectors of .*{reason}.*--fresh"):
                litotes.encode(encoder, texts, out=out, part_rows=part_rows)
            assert content(out) == before
    litotes.encode(LetterCounts("2"), TEXTS[:10], out=out, part_rows=8, fresh=True)
    assert sorted(content(out)) == ["part-00000.arrow", "part-00001.arrow", MANIFEST]


def test_damaged_folders_are_refused_when_they_are_opened(tmp_path: Path) -> None:
    out = tmp_path / "vectors"
    litotes.encode(LetterCounts(), TEXTS, out=out, part_rows=64)
    part, manifest = out / "part-00001.arrow", json.loads((out / MANIFEST).read_text())
    data = part.read_bytes()
    for damaged in (data[:-1], data[:200] + b"x" + data[201:]):
        part.write_bytes(damaged)
        with pytest.raises(LitotesError, match=r"L203.*part-00001"):
            litotes.open_vectors(out)
    part.write_bytes(data)
    for wrong in ({"format": "other"}, {"rows": 7}, {"more": 1}, {"parts": [{**manifest["parts"][0], "file": "../x"}]}):
        (out / MANIFEST).write_text(json.dumps({**manifest, **wrong}))
        with pytest.raises(LitotesError, match=r"L203|L101"):
            litotes.open_vectors(out)
    with pytest.raises(LitotesError, match="L201"):
        litotes.open_vectors(tmp_path)


def test_model_that_differs_in_a_worker_is_an_error(tmp_path: Path) -> None:
    model = RemoteModel("glove:6b-50d", Access(), litotes.Fingerprint("python"))
    with pytest.raises(LitotesError, match=r"L311.*glove:6b-50d: is another model on .*\(backend: "):
        _ = model.encoder


def test_workers_load_models_by_absolute_paths_and_gpus_have_their_own_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = LetterCounts()
    encoder.fingerprint = litotes.Fingerprint("torch/cpu")
    (tmp_path / "my-model").mkdir()
    monkeypatch.chdir(tmp_path)
    on_processors, on_gpus = (
        remote_model(encoder, name, None, ParallelEngine("ray", gpus=gpus))
        for name, gpus in (("./my-model", 0), ("st:my-model?pooling=cls", 0.5))
    )
    assert on_processors is not None and on_gpus is not None
    assert Path(on_processors.name).is_absolute() and Path(on_processors.name).samefile("my-model")
    assert on_gpus.name == f"st:{tmp_path / 'my-model'}?pooling=cls"
    assert (on_processors.fingerprint.backend, on_gpus.fingerprint.backend) == ("torch/cpu", "torch/cuda")
    assert remote_model(encoder, "openai:model", None, ParallelEngine("ray")) is None  # the driver has the key


def test_wrong_arguments_are_one_line(tmp_path: Path) -> None:
    for arguments in ({}, {"texts": TEXTS, "sources": "x.txt"}, {"texts": "text"}, {"texts": TEXTS, "part_rows": 0}):
        with pytest.raises(UsageError, match="L102"):
            litotes.encode(LetterCounts(), out=tmp_path, **arguments)
    with pytest.raises(LitotesError, match="L204"):
        litotes.encode(LetterCounts(), [], out=tmp_path)
