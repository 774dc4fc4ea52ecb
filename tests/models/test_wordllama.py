"""Tests of `wordllama:`, compared with the vectors of the package."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import SENTENCES

from litotes.models.loading import load_model
from litotes.models.static.token_average import StaticEncoder

ODD = ["", " ", "🙂 soup", "naïve café", "x" * 5000, "the soup is not hot " * 2000, "日本語"]


def load(options: str = "", **access: Any) -> StaticEncoder:
    scorer = load_model(f"wordllama:{options}", offline=True, **access)
    assert isinstance(scorer, StaticEncoder)
    return scorer


@pytest.fixture(scope="module")
def package() -> Path:
    result = importlib.util.find_spec("wordllama")
    if result is None or not result.submodule_search_locations:
        pytest.skip("wordllama is not installed: the package of its weights")
    return Path(next(iter(result.submodule_search_locations)))


@pytest.fixture(scope="module")
def encoder(package: Path) -> StaticEncoder:
    return load()


@pytest.fixture
def folder(package: Path, tmp_path: Path) -> Path:
    """Return a separate folder with the files of the model."""
    target = tmp_path / "model"
    target.mkdir()
    shutil.copy(package / "weights" / "l2_supercat_256.safetensors", target)
    shutil.copy(package / "tokenizers" / "l2_supercat_tokenizer_config.json", target)
    return target


@pytest.mark.parametrize("width", [256, 64])
def test_vectors_match_the_package(width: int, package: Path) -> None:
    from wordllama import WordLlama

    theirs = WordLlama.load(cache_dir=package, disable_download=True, trunc_dim=width)
    vectors = load("" if width == 256 else f"?dim={width}").encode([*SENTENCES, *ODD])
    assert vectors.shape == (len(SENTENCES) + len(ODD), width)
    expected = theirs.embed([*SENTENCES, *ODD], norm=False)
    np.testing.assert_allclose(vectors[:-2], expected[:-2], atol=2e-6)
    np.testing.assert_allclose(vectors, expected, atol=1e-4)  # the package sums 12,000 tokens in single precision


def test_similarities_match_the_package(encoder: StaticEncoder, package: Path) -> None:
    from wordllama import WordLlama

    theirs = WordLlama.load(cache_dir=package, disable_download=True)
    pairs = [(SENTENCES[0], sentence) for sentence in SENTENCES[1:8]]
    assert encoder.score(pairs) == pytest.approx([theirs.similarity(*pair) for pair in pairs], abs=1e-5)


def test_sentence_without_tokens_has_a_zero_vector_and_a_note(encoder: StaticEncoder) -> None:
    assert not encoder.encode([""]).any()
    assert encoder.notes(["", "soup"]) == ["1 sentence has no known token: the similarity to every other is 0"]


def test_a_folder_needs_no_package(folder: Path, encoder: StaticEncoder) -> None:
    result = load(str(folder))
    assert result.fingerprint == encoder.fingerprint
    np.testing.assert_array_equal(result.encode(SENTENCES[:3]), encoder.encode(SENTENCES[:3]))


def test_folder_may_have_the_layout_of_the_package(package: Path, encoder: StaticEncoder) -> None:
    assert load(str(package)).fingerprint == encoder.fingerprint


def test_model_has_fingerprint_and_name(encoder: StaticEncoder) -> None:
    assert encoder.name == "wordllama:l2_supercat_256"
    assert (encoder.fingerprint.dtype, encoder.fingerprint.max_length) == ("float16", None)
    assert load("?dim=64").fingerprint.key() != encoder.fingerprint.key()


class TestRefused:
    def test_reports_a_model_that_is_not_installed(self, package: Path, refused: Any) -> None:
        with refused("L301", "l9_cat_512", "l2_supercat_256"):
            load("l9_cat_512")

    def test_reports_a_missing_folder(self, tmp_path: Path, refused: Any) -> None:
        with refused("L301", "no such folder"):
            load(str(tmp_path / "none"))

    def test_reports_missing_weights(self, tmp_path: Path, refused: Any) -> None:
        with refused("L302", tmp_path, "no weights"):
            load(str(tmp_path))

    def test_reports_several_weight_files(self, folder: Path, refused: Any) -> None:
        (folder / "l2_supercat_64.safetensors").write_bytes(b"")
        with refused("L310", "several models", "l2_supercat_64.safetensors"):
            load(str(folder))

    def test_reports_a_missing_tokenizer(self, folder: Path, refused: Any) -> None:
        (folder / "l2_supercat_tokenizer_config.json").unlink()
        with refused("L304", "l2_supercat_tokenizer_config.json"):
            load(str(folder))

    def test_reports_truncated_weights(self, folder: Path, refused: Any) -> None:
        weights = folder / "l2_supercat_256.safetensors"
        weights.write_bytes(weights.read_bytes()[:1000])
        with refused("L303", weights):
            load(str(folder))

    def test_reports_an_invalid_array(self, folder: Path, refused: Any) -> None:
        from safetensors.numpy import save_file

        save_file({"embeddings": np.ones((3, 2), np.float32)}, folder / "l2_supercat_256.safetensors")
        with refused("L311", "embedding.weight"):
            load(str(folder))

    def test_rejects_more_dimensions_than_there_are(self, package: Path, refused: Any) -> None:
        with refused("L102", "dim=512", "256", exit_code=2):
            load("?dim=512")

    def test_rejects_a_revision(self, package: Path, refused: Any) -> None:
        with refused("L102", "no revisions", exit_code=2):
            load("l2_supercat_256@main")

    def test_reports_the_missing_package(self, tmp_path: Path, refused: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        real = importlib.util.find_spec
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "wordllama" else real(name))
        with refused("L103", "wordllama", "pip install wordllama"):
            load()


def test_neither_torch_nor_the_package_is_loaded(package: Path, run_python: Callable[..., Any]) -> None:
    script = (
        "import json, sys\n"
        "from litotes.models.loading import load_model\n"
        "load_model('wordllama:').encode(['soup'])\n"
        "print(json.dumps([name for name in ('torch', 'transformers', 'wordllama') if name in sys.modules]))\n"
    )
    assert run_python(script).value == []
