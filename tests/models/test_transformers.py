"""Tests of `hf:` and `st:`: poolings, lengths, prompts and number types, compared with plain transformers."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import SENTENCES, change_json, change_weights, copy, save_bert, save_sentence_transformer, write_json

from litotes.core.errors import LitotesError
from litotes.evaluation.api import evaluate_models
from litotes.models.base import Encoder
from litotes.models.loading import load_model
from litotes.report.suite_runs import by_suite
from litotes.report.suite_tables import variant_tables
from litotes.suites.loading import load_suite


def load(name: str | Path, **options: Any) -> Encoder:
    scorer = load_model(str(name), offline=True, device="cpu", **options)
    assert isinstance(scorer, Encoder)
    return scorer


@lru_cache(maxsize=8)
def own_model(folder: Path) -> tuple[Any, Any]:
    from transformers import AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(folder).eval()
    model = model.get_encoder() if model.config.is_encoder_decoder else model
    return model, AutoTokenizer.from_pretrained(folder)


def own_vector(folder: Path, text: str, pooling: str, *, max_length: int = 32) -> np.ndarray:
    """Return the vector of a single sentence without padding, pooled in NumPy."""
    import torch

    model, tokenizer = own_model(folder)
    tokens = tokenizer(text, truncation=True, max_length=max_length, return_tensors="pt")
    with torch.no_grad():
        result = model(input_ids=tokens["input_ids"], attention_mask=tokens["attention_mask"])
    hidden = result.last_hidden_state[0].numpy().astype(np.float64)
    return {"mean": hidden.mean(axis=0), "cls": hidden[0], "max": hidden.max(axis=0)}[pooling]


@pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
@pytest.mark.parametrize("model", ["tiny_bert", "tiny_roberta", "tiny_t5"])
def test_padding_does_not_change_the_vectors(model: str, pooling: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(model)
    encoder = load(f"hf:{folder}?pooling={pooling}")
    texts = SENTENCES[:6]
    assert len(set(encoder.lengths(texts))) > 2  # different lengths cause padding
    together = encoder.encode(texts)
    assert together.dtype == np.float32 and together.shape == (6, 16)
    for text, vector in zip(texts, together, strict=True):
        np.testing.assert_allclose(vector, encoder.encode([text])[0], atol=1e-5)
        np.testing.assert_allclose(vector, own_vector(folder, text, pooling, max_length=16), atol=1e-5)
    assert np.abs(together[0] - together[1]).max() > 1e-3


def test_left_padding_does_not_change_the_vectors(tmp_path: Path) -> None:
    folder = save_bert(tmp_path / "left", side="left")
    for pooling in ("mean", "cls", "max"):
        encoder = load(f"hf:{folder}?pooling={pooling}")
        for text, vector in zip(SENTENCES[:4], encoder.encode(SENTENCES[:4]), strict=True):
            np.testing.assert_allclose(vector, own_vector(folder, text, pooling), atol=1e-5)


def test_uses_the_encoder_of_an_encoder_decoder_model(tiny_t5: Path) -> None:
    encoder = load(f"hf:{tiny_t5}")
    assert "Encoder" in type(encoder._model).__name__ or "Stack" in type(encoder._model).__name__  # type: ignore[attr-defined]


def test_minilm_is_the_same_through_both_loaders(minilm: Encoder, minilm_folder: Path) -> None:
    plain = load(f"hf:{minilm_folder}?pooling=mean")
    raw = plain.encode(SENTENCES)
    unit = raw / np.linalg.norm(raw, axis=1, keepdims=True)
    np.testing.assert_allclose(unit, minilm.encode(SENTENCES), atol=1e-6)
    pairs = list(pairwise(SENTENCES))
    np.testing.assert_allclose(plain.score(pairs), minilm.score(pairs), atol=1e-6)
    assert plain.fingerprint.weights == minilm.fingerprint.weights
    assert plain.fingerprint.key() != minilm.fingerprint.key()


def test_every_option_is_in_the_fingerprint(tiny_bert: Path) -> None:
    names = [
        "",
        "?pooling=cls",
        "?pooling=max",
        "?pooling=cls_mlp",
        "?pooling=first_last",
        "?normalize=yes",
        "?dtype=float16",
        "?dtype=bfloat16",
        "?max_length=8",
        "?prompt=x",
    ]
    prints = [load(f"hf:{tiny_bert}{options}").fingerprint for options in names]
    assert len({one.key() for one in prints}) == len(names)
    assert len({one.weights for one in prints}) == len({one.config for one in prints}) == 1
    assert [one.dtype for one in prints[5:8]] == ["float32", "float16", "bfloat16"]


@pytest.mark.parametrize("scheme", ["hf", "st"])
@pytest.mark.parametrize(("dtype", "tolerance"), [("float16", 0.02), ("bfloat16", 0.1)])
def test_half_precision_gives_nearly_the_same(scheme: str, dtype: str, tolerance: float, tiny_st: Path) -> None:
    half, full = load(f"{scheme}:{tiny_st}?dtype={dtype}"), load(f"{scheme}:{tiny_st}")
    pairs = [("The soup is hot.", text) for text in SENTENCES[1:6]]
    scores = half.score(pairs)
    np.testing.assert_allclose(scores, full.score(pairs), atol=tolerance)
    assert half.encode(SENTENCES[:2]).dtype == np.float32
    assert half.fingerprint.key() != full.fingerprint.key()


@pytest.mark.parametrize("scheme", ["hf", "st"])
def test_changed_file_changes_the_fingerprint(scheme: str, tiny_st: Path, tmp_path: Path) -> None:
    before = load(f"{scheme}:{tiny_st}").fingerprint
    other = copy(tiny_st, tmp_path / "other")
    assert load(f"{scheme}:{other}").fingerprint == before
    change_json(other / "1_Pooling" / "config.json", pooling_mode_mean_tokens=False, pooling_mode_cls_token=True)
    changed = load(f"{scheme}:{other}").fingerprint
    assert changed.weights == before.weights and changed.config != before.config


@pytest.mark.parametrize("scheme", ["hf", "st"])
def test_a_long_sentence_is_cut_at_max_length(scheme: str, tiny_st: Path) -> None:
    long = "the soup is not hot . " * 30
    encoder = load(f"{scheme}:{tiny_st}?max_length=8")
    assert encoder.lengths(["The soup.", long]) == [5, 8]
    np.testing.assert_allclose(encoder.encode([long])[0], encoder.encode(["the soup is not hot ."])[0], atol=1e-6)
    assert encoder.fingerprint.max_length == 8
    assert load(f"{scheme}:{tiny_st}").lengths([long]) == [24 if scheme == "st" else 32]


def test_positions_limit_the_length_if_the_tokenizer_does_not(tiny_roberta: Path, tiny_bert: Path) -> None:
    # RoBERTa leaves two of 18 positions unused; BERT's tokenizer allows 512 tokens, but it has 32 positions.
    for folder, length in ((tiny_roberta, 16), (tiny_bert, 32)):
        encoder = load(f"hf:{folder}")
        assert encoder.fingerprint.max_length == length
        assert np.isfinite(encoder.encode(["the soup " * 100])).all()


@pytest.mark.parametrize("scheme", ["hf", "st"])
@pytest.mark.parametrize(
    ("length", "words"), [(33, "at most 32 tokens"), (2, "no tokens for words"), (1, "no tokens for words")]
)
def test_rejects_an_impossible_length(scheme: str, length: int, words: str, tiny_st: Path, refused: Any) -> None:
    with refused("L102", f"max_length={length}", words, exit_code=2):
        load(f"{scheme}:{tiny_st}?max_length={length}")


@pytest.mark.parametrize("scheme", ["hf", "st"])
def test_a_prompt_goes_before_every_text(scheme: str, tiny_st: Path) -> None:
    prompted, plain = load(f"{scheme}:{tiny_st}?prompt=the train "), load(f"{scheme}:{tiny_st}")
    np.testing.assert_allclose(
        prompted.encode(["is late", "was late again"]),
        plain.encode(["the train is late", "the train was late again"]),
        atol=1e-6,
    )
    assert prompted.fingerprint.prompt == "the train "
    assert prompted.lengths(["is late"]) == [6]


class TestSentenceTransformers:
    @pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
    def test_uses_the_published_pooling(self, pooling: str, tiny_bert: Path, tmp_path: Path) -> None:
        encoder = load(save_sentence_transformer(tmp_path / "st", tiny_bert, pooling=pooling))
        for text, vector in zip(SENTENCES[:4], encoder.encode(SENTENCES[:4]), strict=True):
            expected = own_vector(tiny_bert, text, pooling, max_length=24)
            np.testing.assert_allclose(vector, expected / np.linalg.norm(expected), atol=1e-5)
        assert pooling in encoder.fingerprint.pooling

    def test_option_prompt_replaces_the_default_prompt(self, tiny_bert: Path, tmp_path: Path) -> None:
        config = {"prompts": {"query": "the train "}, "default_prompt_name": "query"}
        folder = save_sentence_transformer(tmp_path / "st", tiny_bert, **config)
        own, none = load(folder), load(folder, prompt="")
        assert (own.fingerprint.prompt, none.fingerprint.prompt) == ("the train ", "")
        np.testing.assert_allclose(own.encode(["is late"]), none.encode(["the train is late"]), atol=1e-6)

    def test_truncates_dimensions_as_published(self, tiny_bert: Path, tmp_path: Path) -> None:
        complete = load(save_sentence_transformer(tmp_path / "whole", tiny_bert)).encode(SENTENCES[:3])
        cut = load(save_sentence_transformer(tmp_path / "cut", tiny_bert, truncate_dim=4)).encode(SENTENCES[:3])
        np.testing.assert_allclose(cut, complete[:, :4], atol=1e-6)

    def test_a_plain_model_gets_mean_pooling(self, tiny_bert: Path) -> None:
        vectors = load(tiny_bert).encode(SENTENCES[:3])
        np.testing.assert_allclose(vectors, load(f"hf:{tiny_bert}?pooling=mean").encode(SENTENCES[:3]), atol=1e-5)

    def test_loads_models_of_word_embeddings(self, tiny_bert: Path, tmp_path: Path) -> None:
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.models import StaticEmbedding
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(tiny_bert / "tokenizer.json"))
        table = np.random.default_rng(0).normal(size=(tokenizer.get_vocab_size(), 8)).astype(np.float32)
        model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=table)], device="cpu")
        model.save_pretrained(str(tmp_path / "static"))
        encoder = load(tmp_path / "static")
        np.testing.assert_allclose(encoder.encode(SENTENCES), model.encode(SENTENCES), atol=1e-6)
        assert encoder.fingerprint.max_length is None
        assert len(encoder.lengths(SENTENCES)) == 20

    def test_modules_without_a_sentence_vector_are_refused(self, tiny_st: Path, tmp_path: Path, refused: Any) -> None:
        folder = copy(tiny_st, tmp_path / "tokens")
        transformer = {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"}
        write_json(folder / "modules.json", [transformer])
        with refused("L310", "hf:…?pooling="):
            load(folder).encode(["The soup."])


def test_failure_during_encoding_is_a_single_line(tiny_bert: Path, tmp_path: Path, refused: Any) -> None:
    # The tokenizer has more words than the model has rows.
    folder = copy(tiny_bert, tmp_path / "extended")
    text = (folder / "tokenizer.json").read_text()
    (folder / "tokenizer.json").write_text(text.replace('"the":', '"xyzzy": 999, "the":'))
    encoder = load(f"hf:{folder}")
    assert np.isfinite(encoder.encode(["The soup."])).all()
    with refused("L311", str(folder), "a batch of 1", "xyzzy", "IndexError"):
        encoder.encode(["xyzzy"])
    with refused("L311", "half a character"):
        encoder.encode(["half a character \ud800"])


class TestMorePoolings:
    """Poolings of published models, compared with single sentences in plain transformers."""

    @staticmethod
    def states(folder: Path, text: str) -> Any:
        import torch

        model, tokenizer = own_model(folder)
        tokens = tokenizer(text, truncation=True, max_length=16, return_tensors="pt")
        with torch.no_grad():
            return model(
                input_ids=tokens["input_ids"], attention_mask=tokens["attention_mask"], output_hidden_states=True
            )

    @pytest.mark.parametrize("model", ["tiny_bert", "tiny_roberta"])
    def test_applies_the_pooler_to_the_first_token(self, model: str, request: pytest.FixtureRequest) -> None:
        folder = request.getfixturevalue(model)
        encoder = load(f"hf:{folder}?pooling=cls_mlp")
        for text, vector in zip(SENTENCES[:4], encoder.encode(SENTENCES[:4]), strict=True):
            np.testing.assert_allclose(vector, self.states(folder, text).pooler_output[0], atol=1e-5)

    @pytest.mark.parametrize(("pooling", "layers"), [("first_last", (1, 2)), ("last_two", (1, 2))])
    @pytest.mark.parametrize("model", ["tiny_bert", "tiny_roberta", "tiny_t5"])
    def test_averages_two_layers(
        self, model: str, pooling: str, layers: tuple[int, int], request: pytest.FixtureRequest
    ) -> None:
        folder = request.getfixturevalue(model)
        encoder = load(f"hf:{folder}?pooling={pooling}")
        for text, vector in zip(SENTENCES[:4], encoder.encode(SENTENCES[:4]), strict=True):
            states = self.states(folder, text).hidden_states
            expected = (states[layers[0]][0] + states[layers[1]][0]).mean(dim=0) / 2
            np.testing.assert_allclose(vector, expected, atol=1e-5)

    def test_averages_the_named_layers(self, tmp_path: Path) -> None:
        import torch
        from transformers import BertModel

        folder = save_bert(tmp_path / "three")
        config = BertModel.from_pretrained(folder).config
        config.num_hidden_layers = 3
        torch.manual_seed(1)
        BertModel(config).save_pretrained(folder)
        for pooling, (first, second) in {"first_last": (1, 3), "last_two": (2, 3)}.items():
            vector = load(f"hf:{folder}?pooling={pooling}").encode(SENTENCES[:1])[0]
            states = self.states(folder, SENTENCES[0]).hidden_states
            np.testing.assert_allclose(vector, (states[first][0] + states[second][0]).mean(dim=0) / 2, atol=1e-5)

    def test_normalises_vectors(self, tiny_bert: Path) -> None:
        raw = load(f"hf:{tiny_bert}").encode(SENTENCES[:4])
        vectors = load(f"hf:{tiny_bert}?normalize=yes").encode(SENTENCES[:4])
        np.testing.assert_allclose(vectors, raw / np.linalg.norm(raw, axis=1, keepdims=True), atol=1e-6)

    def test_rejects_a_missing_pooler(self, tiny_bert: Path, tmp_path: Path, refused: Any) -> None:
        folder = copy(tiny_bert, tmp_path / "bare")
        change_weights(folder, lambda weights: [weights.pop(key) for key in list(weights) if "pooler" in key])
        assert np.isfinite(load(f"hf:{folder}?pooling=cls").encode(["The soup."])).all()
        with refused("L311", "pooler.dense"):
            load(f"hf:{folder}?pooling=cls_mlp")

    def test_reports_a_model_without_a_pooler(self, tiny_t5: Path, refused: Any) -> None:
        with refused("L310", "has no pooler", "pooling=cls"):
            load(f"hf:{tiny_t5}?pooling=cls_mlp")

    def test_reports_an_unknown_pooling_with_the_known_ones(self, tiny_bert: Path, refused: Any) -> None:
        with refused("L102", "pooling=median", "mean, cls, max, cls_mlp, first_last", exit_code=2):
            load(f"hf:{tiny_bert}?pooling=median")

    @pytest.mark.parametrize("pooling", ["cls_mlp", "first_last", "last_two"])
    def test_half_precision_is_accurate_for_every_pooling(self, pooling: str, tiny_bert: Path) -> None:
        half = load(f"hf:{tiny_bert}?pooling={pooling}&dtype=bfloat16").encode(SENTENCES[:4])
        assert np.abs(half - load(f"hf:{tiny_bert}?pooling={pooling}").encode(SENTENCES[:4])).max() < 0.15


class TestLayers:
    """`layer=N` pools the vectors of any layer."""

    @pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
    @pytest.mark.parametrize("model", ["tiny_bert", "tiny_roberta", "tiny_t5"])
    def test_pools_the_vectors_of_a_layer(self, model: str, pooling: str, request: pytest.FixtureRequest) -> None:
        folder = request.getfixturevalue(model)
        encoder = load(f"hf:{folder}?pooling={pooling}&layer=1")
        for text, vector in zip(SENTENCES[:4], encoder.encode(SENTENCES[:4]), strict=True):
            hidden = TestMorePoolings.states(folder, text).hidden_states[1][0].numpy()
            expected = {"mean": hidden.mean(axis=0), "cls": hidden[0], "max": hidden.max(axis=0)}[pooling]
            np.testing.assert_allclose(vector, expected, atol=1e-5)

    def test_the_last_layer_is_the_output(self, tiny_bert: Path) -> None:
        last, default = load(f"hf:{tiny_bert}?layer=2"), load(f"hf:{tiny_bert}")
        np.testing.assert_array_equal(last.encode(SENTENCES[:4]), default.encode(SENTENCES[:4]))

    def test_a_sentence_transformer_pools_a_layer_in_its_own_way(self, tiny_st: Path) -> None:
        first, last, default = (load(f"{tiny_st}{text}") for text in ("?layer=1", "?layer=2", ""))
        vectors = [encoder.encode(SENTENCES[:4]) for encoder in (first, last, default)]
        np.testing.assert_array_equal(vectors[1], vectors[2])
        assert np.abs(vectors[0] - vectors[2]).max() > 1e-3
        assert len({encoder.fingerprint.key() for encoder in (first, last, default)}) == 3

    def test_the_layer_is_part_of_the_fingerprint(self, tiny_bert: Path) -> None:
        names = [f"hf:{tiny_bert}", f"hf:{tiny_bert}?layer=1", f"hf:{tiny_bert}?layer=2"]
        assert len({load(name).fingerprint.key() for name in names}) == 3

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ("layer=3", r"\[L102\] layer=3: this model has 2 layers"),
            ("layer=-1", r"\[L102\] layer=-1: must be a whole number above 0"),
            ("layer=first", r"\[L102\] layer=first: must be a whole number above 0"),
            ("layer=1&pooling=cls_mlp", r"\[L310\] layer= requires pooling=mean, cls or max, not cls_mlp"),
        ],
    )
    def test_wrong_layers_are_errors(self, options: str, message: str, tiny_bert: Path) -> None:
        with pytest.raises(LitotesError, match=message):
            load(f"hf:{tiny_bert}?{options}")

    def test_a_sentence_transformer_with_other_settings_has_no_layer(self, tiny_st: Path, tmp_path: Path) -> None:
        folder = copy(tiny_st, tmp_path / "model")
        change_json(folder / "sentence_bert_config.json", do_lower_case=True)
        with pytest.raises(LitotesError, match="layer= requires a transformer with a pooling alone"):
            load(f"{folder}?layer=1")

    def test_all_layers_of_minilm_are_one_curve(self, minilm_folder: Path) -> None:
        suite = load_suite("semantoneg-mini")
        few = replace(suite, items=suite.items[:200])
        result = evaluate_models([f"hf:{minilm_folder}?layer=all"], [few], cache=None)
        (table,) = variant_tables(by_suite(result.runs, ())[0])
        assert list(table.columns[0].values) == ["1", "2", "3", "4", "5", "6"]
        assert [cell.value for cell in table.columns[1].values] == [run.metrics.accuracy for run in result.runs]
        assert len({run.metrics.similarities["input~both"] for run in result.runs}) == 6


def test_run_of_all_layers_draws_a_curve(tiny_bert: Path, run_here: Any, tmp_path: Path) -> None:
    done = run_here("run", f"hf:{tiny_bert}?layer=all", "--suite", "semantoneg-mini", "--offline")
    assert done.code == 0, done.err
    page = (tmp_path / "runs" / "report.html").read_text("utf-8")
    assert "How right is each layer?" in page and "by layer" in page
    assert re.search(r"^layer +right %.*\n1 .*\n2 ", done.out, re.MULTILINE)
    assert run_here("report", "runs", "--paper", "semantoneg", "--formats", "svg,csv", "--out", "paper").code == 0
    (curve,) = (tmp_path / "paper" / "semantoneg-mini").glob("layers-*.svg")
    (table,) = (tmp_path / "paper" / "semantoneg-mini").glob("layers-*.csv")
    assert curve.stat().st_size > 1000
    assert [row.split(",")[1] for row in table.read_text("utf-8").splitlines()] == ["layer", "1", "2"]
