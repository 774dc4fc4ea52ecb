"""Tests of `model2vec:`, compared with plain sums and with figures of a published model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from local_hub import put_in_cache
from tiny_models import SENTENCES, change_json, copy, write_json

from litotes.models.base import Encoder
from litotes.models.loading import load_model
from litotes.models.static.token_average import StaticEncoder

WORDS = ["the", "soup", "is", "not", "hot", "cold", "nobody", "came", "."]
TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS]
TEXTS = ["The soup is hot.", "the soup is not hot", "Nobody came", "xyzzy soup", "soup " * 5]
WIDTH = 6


def load(folder: Path | str, options: str = "", **access: Any) -> StaticEncoder:
    scorer = load_model(f"model2vec:{folder}{options}", offline=True, **access)
    assert isinstance(scorer, StaticEncoder) and isinstance(scorer, Encoder)
    return scorer


def rows(dtype: str = "float32", count: int = len(TOKENS)) -> np.ndarray:
    table = np.random.default_rng(3).normal(size=(count, WIDTH)) * (40 if dtype == "int8" else 1)
    return table.astype(dtype)


def save(folder: Path, arrays: dict[str, np.ndarray] | None = None, *, kind: str = "word", **config: Any) -> Path:
    """Write a model in the format of model2vec."""
    from safetensors.numpy import save_file
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    folder.mkdir(parents=True, exist_ok=True)
    if kind == "unigram":
        model = models.Unigram([(token, -float(index)) for index, token in enumerate(TOKENS)], unk_id=1)
    else:
        model = models.WordLevel({token: index for index, token in enumerate(TOKENS)}, unk_token="[UNK]")
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.enable_padding(pad_id=0, pad_token="[PAD]", length=20)
    tokenizer.save(str(folder / "tokenizer.json"))
    save_file(arrays or {"embeddings": rows()}, folder / "model.safetensors")
    write_json(
        folder / "config.json", {"model_type": "model2vec", "normalize": True, "seq_length": 1_000_000, **config}
    )
    return folder


def by_hand(text: str, row: Callable[[int], np.ndarray], *, normalize: bool = True) -> np.ndarray:
    """Return the mean over known words, computed by a plain loop."""
    words = text.lower().replace(".", " .").split()
    results = [row(TOKENS.index(word)).astype(np.float64) for word in words if word in WORDS]
    mean = sum(results) / len(results)
    return mean / np.sqrt((mean**2).sum()) if normalize else mean


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tmp_path_factory.mktemp("static"))


class TestVectors:
    @pytest.mark.parametrize("normalize", [True, False])
    @pytest.mark.parametrize("dtype", ["float32", "float16", "int8"])
    def test_vector_is_the_mean_of_known_tokens(self, dtype: str, normalize: bool, tmp_path: Path) -> None:
        table = rows(dtype)
        encoder = load(save(tmp_path / "model", {"embeddings": table}, normalize=normalize))
        vectors = encoder.encode(TEXTS)
        assert vectors.dtype == np.float32 and vectors.shape == (len(TEXTS), WIDTH)
        expected = [by_hand(text, table.__getitem__, normalize=normalize) for text in TEXTS]
        np.testing.assert_allclose(vectors, expected, rtol=1e-5, atol=1e-6)
        assert encoder.fingerprint.dtype == dtype

    def test_supports_shared_rows_and_token_weights(self, tmp_path: Path) -> None:
        table, weights = rows(count=4), np.linspace(0.1, 2, len(TOKENS)).astype(np.float32)
        mapping = np.array([index % 4 for index in range(len(TOKENS))], dtype=np.int64)
        encoder = load(save(tmp_path / "model", {"embeddings": table, "weights": weights, "mapping": mapping}))
        expected = [by_hand(text, lambda token: table[token % 4] * weights[token]) for text in TEXTS]
        np.testing.assert_allclose(encoder.encode(TEXTS), expected, atol=1e-6)

    def test_reads_the_layout_of_sentence_transformers(self, tiny: Path, tmp_path: Path) -> None:
        from safetensors.numpy import save_file

        folder = copy(tiny, tmp_path / "st", without=["config.json"])
        save_file({"embedding.weight": rows()}, folder / "model.safetensors")
        write_json(folder / "config_sentence_transformers.json", {"normalize": True})
        np.testing.assert_array_equal(load(folder).encode(TEXTS), load(tiny).encode(TEXTS))
        nested = folder / "0_StaticEmbedding"
        nested.mkdir()
        for name in ("model.safetensors", "tokenizer.json"):
            (folder / name).rename(nested / name)
        np.testing.assert_array_equal(load(folder).encode(TEXTS), load(tiny).encode(TEXTS))

    def test_recognises_the_unknown_token_of_each_tokenizer(self, tmp_path: Path) -> None:
        encoder = load(save(tmp_path / "model", kind="unigram"))
        np.testing.assert_allclose(encoder.encode(["ж soup"]), encoder.encode(["soup"]), atol=1e-6)

    def test_vectors_do_not_depend_on_the_batch(self, tiny: Path) -> None:
        encoder = load(tiny)
        many = [text for text in [*TEXTS, "", *SENTENCES] for _ in range(200)]
        np.testing.assert_array_equal(encoder.encode(many)[::200], encoder.encode([*TEXTS, "", *SENTENCES]))

    def test_word_order_does_not_change_a_bit(self, tiny: Path) -> None:
        first, second = load(tiny).encode(["the soup is not hot . nobody came", "nobody came . hot not is soup the"])
        assert first.tobytes() == second.tobytes()

    def test_unknown_text_has_a_zero_vector_and_a_note(self, tiny: Path) -> None:
        encoder = load(tiny)
        assert encoder.allows_zero_vectors
        odd = ["", "🙂", "xyzzy", " \n", "soup"]
        assert encoder.encode(odd).any(axis=1).tolist() == [False] * 4 + [True]
        assert encoder.lengths(odd) == [1] * 5
        assert encoder.notes(odd)[0].startswith("4 sentences have no known token")
        assert encoder.notes(["soup"]) == []


class TestLength:
    def test_maximum_length_is_from_the_config(self, tmp_path: Path, tiny: Path) -> None:
        # The median token has four characters, so 3 tokens correspond to 12 characters.
        encoder = load(save(tmp_path / "model", max_length=3))
        assert encoder.lengths(["is is is is is is", "nobody came soup"]) == [3, 2]
        np.testing.assert_allclose(encoder.encode(["nobody came soup"]), encoder.encode(["nobody came"]), atol=1e-6)
        assert encoder.fingerprint.max_length == 3
        np.testing.assert_array_equal(load(tiny, "?max_length=3").encode(TEXTS), encoder.encode(TEXTS))

    def test_maximum_length_is_512_by_default_and_may_be_unlimited(self, tiny: Path, tmp_path: Path) -> None:
        long = "hot. " * 10_000
        assert load(tiny).lengths([long]) == [512]
        assert load(save(tmp_path / "model", max_length=None)).lengths([long]) == [20_000]


class TestRefused:
    @pytest.fixture
    def model(self, tiny: Path, tmp_path: Path) -> Path:
        return copy(tiny, tmp_path / "copy")

    @pytest.mark.parametrize(
        ("lost", "code"), [("model.safetensors", "L302"), ("tokenizer.json", "L304"), ("config.json", "L302")]
    )
    def test_reports_a_missing_file(self, lost: str, code: str, model: Path, refused: Any) -> None:
        (model / lost).unlink()
        with refused(code, model, lost):
            load(model)

    def test_reports_truncated_weights(self, model: Path, refused: Any) -> None:
        weights = model / "model.safetensors"
        weights.write_bytes(weights.read_bytes()[:-9])
        with refused("L303", weights):
            load(model)

    @pytest.mark.parametrize(
        ("arrays", "words"),
        [
            ({"other": rows()}, 'no array called "embeddings"'),
            ({"embeddings": rows(count=5)}, "5 vectors for the 13 tokens"),
            ({"embeddings": rows()[0]}, "not a table of token vectors"),
            ({"embeddings": rows()[:0]}, "not a table of token vectors"),
            ({"embeddings": rows(), "mapping": np.arange(4)}, "a mapping of 4 for the 13 tokens"),
            ({"embeddings": rows(count=4), "mapping": np.arange(13)}, "a mapping to row 12 of 4"),
            ({"embeddings": rows(), "weights": np.ones(2, np.float32)}, "2 weights for the 13 tokens"),
        ],
    )
    def test_reports_an_invalid_table(
        self, arrays: dict[str, np.ndarray], words: str, tmp_path: Path, refused: Any
    ) -> None:
        with refused("L311", words):
            load(save(tmp_path / "model", arrays))

    @pytest.mark.parametrize("content", ["", "{}", "not json"])
    def test_reports_a_file_without_a_tokenizer(self, content: str, model: Path, refused: Any) -> None:
        (model / "tokenizer.json").write_text(content)
        with refused("L304", "tokenizer.json", "is not a tokenizer"):
            load(model)

    def test_reports_an_empty_vocabulary(self, model: Path, refused: Any) -> None:
        tokenizer = json.loads((model / "tokenizer.json").read_text())
        tokenizer["model"]["vocab"] = {}
        tokenizer["added_tokens"] = []
        (model / "tokenizer.json").write_text(json.dumps(tokenizer))
        with refused("L304", "vocabulary is empty"):
            load(model)

    @pytest.mark.parametrize("length", [0, -1, "many", True])
    def test_rejects_an_invalid_length(self, length: Any, model: Path, refused: Any) -> None:
        change_json(model / "config.json", max_length=length)
        with refused("L311", "max_length"):
            load(model)

    def test_reports_a_lone_surrogate(self, tiny: Path, refused: Any) -> None:
        with refused("L311", "tokenizer failed"):
            load(tiny).encode(["half \ud83d"])


def test_loads_by_name_from_the_hub_cache(tiny: Path, hub_cache: Path) -> None:
    put_in_cache(hub_cache, "minishlab/potion-tiny", tiny)
    for name in ("minishlab/potion-tiny", "potion-tiny"):
        assert load(name).fingerprint == load(tiny).fingerprint


def test_neither_torch_nor_transformers_is_loaded(tiny: Path, run_python: Callable[..., Any]) -> None:
    script = (
        "import json, sys\n"
        "from litotes.models.loading import load_model\n"
        "load_model('model2vec:' + sys.argv[1]).encode(['soup'])\n"
        "print(json.dumps([name for name in ('torch', 'transformers', 'model2vec') if name in sys.modules]))\n"
    )
    assert run_python(script, tiny).value == []


class TestPotion:
    """The expected values were computed by model2vec 0.10 with the published model."""

    def test_similarities_have_the_documented_values(self, potion: Path) -> None:
        pairs = [(SENTENCES[0], SENTENCES[1]), (SENTENCES[0], SENTENCES[2]), (SENTENCES[5], SENTENCES[11])]
        assert load(potion).score(pairs) == pytest.approx([0.98328, 0.743878, 0.097889], abs=2e-6)

    def test_vectors_match_sentence_transformers(self, potion: Path) -> None:
        from sentence_transformers import SentenceTransformer

        library = SentenceTransformer(str(potion), device="cpu", local_files_only=True)
        ours = load(potion).encode(SENTENCES)
        assert ours.shape == (20, 256)
        # The library includes unknown tokens; these sentences have none.
        np.testing.assert_allclose(ours, library.encode(SENTENCES, normalize_embeddings=True), atol=1e-5)
