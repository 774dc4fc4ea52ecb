"""Tests of adapters: their folders, `litotes.adapt` and `adapter:`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import litotes
from litotes import LitotesError
from litotes.models.adapter import ADAPTER_KINDS, ARRAYS, AdaptedEncoder, Adapter, AdapterKind, load_adapter, unit_rows
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.loading import load_model

WIDTH, RANK = 6, 2


def adapter_of(kind: AdapterKind, *, width: int = WIDTH, base: str = "a model", seed: int = 0) -> Adapter:
    rng = np.random.default_rng(seed)
    shapes = {"weights": (width,), "down": (width, RANK), "bias": (RANK,), "up": (RANK, width)}
    if kind == "linear":
        shapes["up"] = (width, width)
    arrays = {name: rng.standard_normal(shapes[name]).astype(np.float32) for name in ARRAYS[kind]}
    return Adapter(kind, arrays, base, Fingerprint("numpy", weights="abc").to_dict(), {"rank": RANK}, {"steps": 7})


def rows_of(count: int, width: int = WIDTH) -> Vectors:
    return np.random.default_rng(1).standard_normal((count, width)).astype(np.float32)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    adapter_of("low-rank").save(tmp_path / "learned")
    return tmp_path / "learned"


@pytest.mark.parametrize("kind", ADAPTER_KINDS)
def test_loads_what_was_saved(tmp_path: Path, kind: AdapterKind) -> None:
    adapter = adapter_of(kind)
    adapter.save(tmp_path)
    result = load_adapter(tmp_path)
    assert (result.kind, result.width, result.base, result.steps) == (kind, WIDTH, "a model", 7)
    assert result.sha256 == adapter.sha256 == json.loads((tmp_path / "adapter.json").read_text())["sha256"]
    vectors = rows_of(20_000)  # more than a batch
    assert np.array_equal(litotes.adapt(vectors, tmp_path), adapter.apply(vectors))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["adapter.json", "adapter.safetensors"]


def test_a_low_rank_map_is_added_to_the_identity(folder: Path) -> None:
    arrays, vectors = load_adapter(folder).arrays, rows_of(5)
    expected = unit_rows(vectors @ (np.eye(WIDTH) + arrays["down"] @ arrays["up"]))
    assert np.allclose(litotes.adapt(vectors, folder), expected, atol=1e-6)


def test_only_the_direction_of_a_vector_counts(folder: Path) -> None:
    vectors = rows_of(4).astype(np.float64)
    assert np.allclose(litotes.adapt(vectors * 1e200, folder), litotes.adapt(vectors * 1e-200, folder), atol=1e-6)
    result = litotes.adapt(vectors, str(folder))
    assert result.dtype == np.float32 and np.allclose(np.linalg.norm(result, axis=1), 1, atol=1e-6)


def test_rows_of_zeros_and_single_vectors_keep_their_shape(folder: Path) -> None:
    assert not litotes.adapt(np.zeros((2, WIDTH)), folder).any()
    assert litotes.adapt(np.zeros((0, WIDTH)), folder).shape == (0, WIDTH)
    one = rows_of(1)
    assert np.array_equal(litotes.adapt(one[0], folder), litotes.adapt(one, folder)[0])


def test_input_vectors_are_not_modified(folder: Path) -> None:
    vectors = rows_of(3)
    before = vectors.copy()
    litotes.adapt(vectors, folder)
    assert np.array_equal(vectors, before)


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (np.zeros((3, 5)), "3×5, the adapter was trained for vectors of 6 dimensions; it belongs to a model"),
        (np.zeros((2, 3, WIDTH)), "2×3×6"),
        (1.5, "shape ()"),
        ([["a"] * WIDTH], "must be numbers"),
        ([[1.0], [1.0, 2.0]], "pass an array of numbers"),
        ([[1.0] * WIDTH, [float("nan")] * WIDTH], "NaN or infinite numbers in 1 rows, first in row 1"),
        ([[float("inf")] * WIDTH], "first in row 0"),
    ],
)
def test_rejects_input_that_is_not_vectors(folder: Path, vectors: Any, message: str) -> None:
    with pytest.raises(LitotesError, match=r"^\[L\d+\] vectors: ") as error:
        litotes.adapt(vectors, folder)
    assert message in str(error.value) and "\n" not in str(error.value)


def test_a_folder_that_is_changed_is_read_again(folder: Path) -> None:
    vectors = rows_of(3)
    before = litotes.adapt(vectors, folder)
    adapter_of("hidden", seed=5).save(folder)
    assert not np.allclose(litotes.adapt(vectors, folder), before)


def cut_short(folder: Path) -> None:
    path = folder / "adapter.safetensors"
    path.write_bytes(path.read_bytes()[:-9])


def change_weights_file(folder: Path) -> None:
    path = folder / "adapter.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def rewritten(**changes: Any) -> Any:
    def change(folder: Path) -> None:
        path = folder / "adapter.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))

    return change


def not_a_number(folder: Path) -> None:
    adapter = adapter_of("low-rank")
    adapter.arrays["up"][0, 0] = np.nan
    adapter.save(folder)


BROKEN = {
    "L301 no adapter.json": lambda folder: (folder / "adapter.json").unlink(),
    "L302 no adapter.safetensors": lambda folder: (folder / "adapter.safetensors").unlink(),
    "L303 header": cut_short,
    "L307 sha256": change_weights_file,
    "L203 is not JSON": lambda folder: (folder / "adapter.json").write_text("{"),
    "L203 format 2": rewritten(format=2),
    "L203 “round”": rewritten(kind="round"),
    'L203 "width"': rewritten(width="6"),
    "L203 width 0": rewritten(width=0),
    'L203 "base"': rewritten(base=None),
    "L303 “down” for vectors of 7": rewritten(width=7),
    "L303 “weights”": rewritten(kind="weights"),
    "L303 finite": not_a_number,
}


@pytest.mark.parametrize("what", BROKEN)
def test_rejects_an_incomplete_folder(folder: Path, what: str) -> None:
    BROKEN[what](folder)
    code, _, words = what.partition(" ")
    with pytest.raises(LitotesError) as error:
        litotes.adapt(rows_of(2), folder)
    assert error.value.code == code and words in str(error.value) and "\n" not in str(error.value)


def test_rejects_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match="is not an adapter"):
        litotes.adapt(rows_of(1), tmp_path / "nowhere")
    with pytest.raises(LitotesError, match="is not an adapter"):
        load_model(f"adapter:{tmp_path / 'nowhere'}")


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "words.txt"
    names = ["the", "cat", "dog", "sees", "not", "does", "see"]
    table = np.random.default_rng(2).standard_normal((len(names), WIDTH))
    path.write_text("".join(f"{name} {' '.join(map(str, row))}\n" for name, row in zip(names, table, strict=True)))
    return path


def saved_for(words: Path, folder: Path, *, width: int = WIDTH) -> Encoder:
    """Save an adapter on averaged word vectors in the folder; return the base encoder."""
    base = load_model(f"glove:{words}")
    assert isinstance(base, Encoder)
    adapter = adapter_of("low-rank", width=width, base=base.name)
    Adapter(adapter.kind, adapter.arrays, base.name, base.fingerprint.to_dict(), {}, {}).save(folder)
    return base


def test_encoder_applies_the_map_to_the_base_model(words: Path, tmp_path: Path) -> None:
    base = saved_for(words, tmp_path / "learned")
    result = load_model(f"adapter:{tmp_path / 'learned'}")
    texts = ["the cat sees the dog", "the cat does not see the dog", "ox"]
    assert isinstance(result, AdaptedEncoder)
    assert np.array_equal(result.encode(texts), litotes.adapt(base.encode(texts), tmp_path / "learned"))
    assert not result.encode(texts)[2].any() and result.allows_zero_vectors
    assert result.lengths(texts) == base.lengths(texts)
    assert result.notes(texts) == base.notes(texts) != []
    assert result.fingerprint.key() != base.fingerprint.key()


def test_fingerprint_depends_on_map_and_model(words: Path, tmp_path: Path) -> None:
    saved_for(words, tmp_path / "one")
    keys = {load_model(f"adapter:{tmp_path / 'one'}").fingerprint.key()}
    keys.add(load_model(f"adapter:{tmp_path / 'one'}?base=glove:{words}%3Fcase=keep").fingerprint.key())
    adapter_of("low-rank", base=f"glove:{words}", seed=3).save(tmp_path / "one")
    keys.add(load_model(f"adapter:{tmp_path / 'one'}").fingerprint.key())
    assert len(keys) == 3


def test_notes_a_base_model_that_it_was_not_trained_on(words: Path, tmp_path: Path) -> None:
    saved_for(words, tmp_path / "learned")
    other = tmp_path / "other.txt"
    other.write_text(words.read_text().replace("cat", "cow"))
    result = load_model(f"adapter:{tmp_path / 'learned'}?base=glove:{other}")
    assert isinstance(result, Encoder)
    assert any("is another model or version" in note for note in result.notes(["the dog"]))


def test_a_model_of_another_width_is_refused(words: Path, tmp_path: Path) -> None:
    saved_for(words, tmp_path / "learned", width=9)
    result = load_model(f"adapter:{tmp_path / 'learned'}")
    assert isinstance(result, Encoder)
    with pytest.raises(LitotesError, match="vectors have 6 dimensions, the adapter was trained for 9"):
        result.encode(["the dog"])


@pytest.mark.parametrize(
    ("base", "message"),
    [("overlap:words", "is not an encoder"), ("nosuch:thing", "nosuch"), ("glove:/nowhere/words.txt", "base=NAME")],
)
def test_reports_an_unsuitable_base_model(folder: Path, base: str, message: str) -> None:
    with pytest.raises(LitotesError, match=message):
        load_model(f"adapter:{folder}?base={base}")


class Changing(Encoder):
    """An encoder that counts its calls."""

    def __init__(self) -> None:
        super().__init__("changing", Fingerprint("numpy", weights="abc"))
        self.stopped = 0

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [1] * len(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        return rows_of(len(texts))

    def limit_threads(self, count: int) -> int:
        return 17

    def stop(self) -> None:
        self.stopped += 1


def test_delegates_to_the_base_model() -> None:
    base = Changing()
    result = AdaptedEncoder("adapted", base, adapter_of("weights"))
    result.stop()
    assert (result.limit_threads(1), base.stopped, result.parallel, result.batch_tokens) == (17, 1, True, 1024)
    assert result.notes(["x"]) == []
