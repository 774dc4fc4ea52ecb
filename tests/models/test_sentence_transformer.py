"""Tests of loading standard folders without sentence-transformers, with the same vectors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import SENTENCES, copy, save_sentence_transformer

from litotes.models.access import Access
from litotes.models.base import Encoder
from litotes.models.loading import load_model
from litotes.models.transformers import sentence_transformer
from litotes.models.transformers.sentence_transformer import (
    StandardSentenceTransformer,
    read_standard_settings,
)

ODD = ["", "  spaces around  ", "SOUP", "🙂", "a\nb\tc", "The soup " * 40, "[CLS] hot [SEP]", "Straße, ünïcödé"]
TEXTS = [*SENTENCES, *ODD]


def assert_same(name: str, texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Assert that both loaders give the same vectors."""
    plain = load_model(name, device="cpu")
    with monkeypatch.context() as patch:
        patch.setattr(sentence_transformer, "load_standard", lambda *_: None)
        library = load_model(name, device="cpu")
    assert isinstance(plain._model, StandardSentenceTransformer) and not isinstance(
        library._model, StandardSentenceTransformer
    )
    assert plain.fingerprint == library.fingerprint
    assert plain.lengths(texts) == library.lengths(texts)
    for start in range(0, len(texts), 12):
        batch = texts[start : start + 12]
        assert plain.encode(batch).tobytes() == library.encode(batch).tobytes()


@pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
@pytest.mark.parametrize("options", ["", "?max_length=5", "?prompt=The soup is ", "?dtype=bfloat16"])
def test_vectors_equal_those_of_the_library(
    pooling: str, options: str, tiny_bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = {"prompts": {"query": "I have never "}, "default_prompt_name": "query"}
    folder = save_sentence_transformer(tmp_path / "st", tiny_bert, pooling=pooling, **own)
    assert_same(f"{folder}{options}", TEXTS, monkeypatch)


def test_default_model_is_standard(minilm_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_same(str(minilm_folder), [*TEXTS, "word " * 400], monkeypatch)


def test_reads_the_current_format_of_the_library(
    tiny_st: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sentence_transformers import SentenceTransformer

    SentenceTransformer(str(tiny_st), device="cpu").save(str(tmp_path / "saved"), create_model_card=False)
    assert_same(str(tmp_path / "saved"), TEXTS, monkeypatch)


Change = Callable[[Any], Any]


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("sentence_bert_config.json", lambda config: {**config, "do_lower_case": True}),
        ("sentence_bert_config.json", lambda config: {**config, "max_seq_length": None}),
        ("sentence_bert_config.json", lambda config: {**config, "processing_kwargs": {}}),
        ("1_Pooling/config.json", lambda config: {**config, "include_prompt": False}),
        ("1_Pooling/config.json", lambda config: {**config, "pooling_mode_cls_token": True}),
        ("1_Pooling/config.json", lambda config: {**config, "pooling_mode_mean_tokens": False}),
        ("1_Pooling/config.json", lambda config: {"embedding_dimension": 16, "pooling_mode": "lasttoken"}),
        ("config_sentence_transformers.json", lambda config: {"truncate_dim": 8}),
        ("config_sentence_transformers.json", lambda config: {"model_type": "SparseEncoder"}),
        ("config_sentence_transformers.json", lambda config: {"default_prompt_name": "query"}),
        ("config.json", lambda config: {**config, "model_type": "t5"}),
        ("config.json", lambda config: {**config, "is_decoder": True}),
        ("config.json", lambda config: {**config, "auto_map": {"AutoModel": "own.Model"}}),
        ("modules.json", lambda config: [*config, {**config[1], "idx": 3, "path": "3_Dense", "type": "x.Dense"}]),
        ("modules.json", lambda config: config[:1]),
        ("modules.json", lambda config: [config[0], {**config[1], "path": "elsewhere"}, config[2]]),
        ("modules.json", lambda config: [config[0], {**config[1], "kwargs": ["task"]}, config[2]]),
        ("modules.json", lambda config: {"0": config[0]}),
        ("2_Normalize/config.json", lambda config: {"module_input_name": "token_embeddings"}),
        ("adapter_config.json", lambda config: {}),
    ],
)
def test_leaves_unusual_folders_to_the_library(file: str, change: Change, tiny_st: Path, tmp_path: Path) -> None:
    folder = copy(tiny_st, tmp_path / "st")
    assert read_standard_settings(folder, Access()) is not None
    path = folder / file
    path.parent.mkdir(exist_ok=True)
    config = json.loads(path.read_text("utf-8")) if path.exists() else None
    path.write_text(json.dumps(change(config)), "utf-8")
    assert read_standard_settings(folder, Access()) is None


@pytest.mark.parametrize("content", ["", "{", "[]", "3", "null", "[" * 100_000])
@pytest.mark.parametrize("file", ["modules.json", "sentence_bert_config.json", "1_Pooling/config.json", "config.json"])
def test_unreadable_folder_is_not_standard(file: str, content: str, tiny_st: Path, tmp_path: Path) -> None:
    folder = copy(tiny_st, tmp_path / "st")
    (folder / file).write_text(content, "utf-8")
    assert read_standard_settings(folder, Access()) is None


def test_remote_code_and_pickles_are_not_standard(tiny_st: Path, tmp_path: Path) -> None:
    assert read_standard_settings(tiny_st, Access(trust_remote_code=True)) is None
    folder = copy(tiny_st, tmp_path / "st")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    assert read_standard_settings(folder, Access()) is None


def test_sentence_t5_matches_the_library(tiny_t5: Path, tmp_path: Path) -> None:
    """The architecture of sentence-T5 and GTR: T5 encoder, mean, dense layer without bias, normalisation."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Dense, Normalize, Pooling, Transformer
    from transformers import AutoTokenizer, T5EncoderModel

    folder = tmp_path / "tiny-sentence-t5"
    torch.manual_seed(5)
    dense = Dense(16, 12, bias=False, activation_function=torch.nn.Identity())
    modules = [Transformer(str(tiny_t5), max_seq_length=24), Pooling(16, "mean"), dense, Normalize()]
    SentenceTransformer(modules=modules, device="cpu").save(str(folder), create_model_card=False)

    scorer = load_model(f"st:{folder}")
    assert isinstance(scorer, Encoder)
    vectors = scorer.encode(SENTENCES)
    library = SentenceTransformer(str(folder), device="cpu").encode(SENTENCES)
    np.testing.assert_allclose(vectors, library, atol=1e-5)

    # An independent computation, in case both are wrong.
    tokens = AutoTokenizer.from_pretrained(tiny_t5)(SENTENCES, padding=True, truncation=True, max_length=24)
    fed = {name: torch.tensor(tokens[name]) for name in ("input_ids", "attention_mask")}
    with torch.no_grad():
        states = T5EncoderModel.from_pretrained(tiny_t5).eval()(**fed).last_hidden_state
        mask = fed["attention_mask"][:, :, None]
        own = ((states * mask).sum(dim=1) / mask.sum(dim=1)) @ dense.linear.weight.T
    np.testing.assert_allclose(vectors, torch.nn.functional.normalize(own, dim=1).numpy(), atol=1e-5)
