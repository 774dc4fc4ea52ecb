"""Tests of the table of published models and their settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from local_hub import put_in_cache
from tiny_models import SENTENCES, copy, save_bert, save_sentence_transformer

from litotes.models import hub
from litotes.models.base import Encoder
from litotes.models.known_models import known_model, list_families, list_known_models
from litotes.models.loading import SCHEMES, check_name, load_model
from litotes.models.names import parse_name, parse_options
from litotes.models.transformers.transformers_encoder import TransformersOptions, check_options

WITH_SETTINGS = [model for model in list_known_models() if model.options]


def load(name: str, **options: Any) -> Encoder:
    scorer = load_model(name, offline=True, device="cpu", **options)
    assert isinstance(scorer, Encoder)
    return scorer


class TestTable:
    def test_names_are_unique(self) -> None:
        names = [model.name for model in list_known_models()]
        assert len(set(names)) == len(names)
        repositories = [model.repository for model in list_known_models() if model.repository is not None]
        assert len(set(repositories)) == len(repositories)
        assert len({family.name for family in list_families()}) == len(list_families())

    def test_finds_models_with_and_without_their_owner(self) -> None:
        for model in list_known_models():
            assert known_model(model.name) is model
            assert model.repository is None or known_model(model.repository) is model
            assert model.source and model.family and model.scheme in SCHEMES

    def test_options_are_valid_for_their_scheme(self) -> None:
        for model in WITH_SETTINGS:
            assert model.scheme == "hf"
            options = parse_options(TransformersOptions, model.options, scheme="hf")
            check_options(options)
            assert "pooling" in model.options

    def test_table_contains_the_models_of_the_papers(self) -> None:
        own = [model for model in list_known_models() if model.scheme == "st"]
        # SemAntoNeg's appendix has 114 models with results; word averages and the two largest T5 have none.
        without = [model for model in own if model.name.endswith("-xxl") or model.name.startswith("average_word")]
        assert (len(own), len(without)) == (120, 6)
        assert sum("simcse" in model.name for model in list_known_models()) == 8

    def test_unlisted_names_are_unknown(self) -> None:
        for name in (
            "bert-base-uncased",
            "",
            "princeton-nlp/",
            "unsup-simcse",
            "Princeton-NLP/sup-simcse-roberta-base",
        ):
            assert known_model(name) is None


class TestNames:
    @pytest.mark.parametrize("model", WITH_SETTINGS, ids=lambda model: model.name)
    def test_bare_name_has_the_published_settings(self, model: Any) -> None:
        for text in filter(None, (model.name, model.repository)):
            name = check_name(text)
            assert (name.scheme, name.rest, name.text) == (model.scheme, text, text)
            assert dict(name.options) == dict(model.options)

    def test_sentence_transformers_need_no_settings(self) -> None:
        name = check_name("sentence-t5-base")
        assert (name.scheme, dict(name.options)) == ("st", {})

    def test_scheme_and_options_take_precedence_over_the_table(self) -> None:
        assert check_name("st:princeton-nlp/sup-simcse-roberta-base").scheme == "st"
        assert dict(check_name("hf:sup-simcse-roberta-base").options) == {}
        name = check_name("sup-simcse-roberta-base@main?pooling=mean&max_length=32")
        assert (name.scheme, name.revision) == ("hf", "main")
        assert dict(name.options) == {"pooling": "mean", "max_length": "32"}
        assert dict(check_name("unsup-PromptBERT?stop=").options)["stop"] == ""


class TestLoading:
    @pytest.mark.parametrize(
        ("repository", "pooling"),
        [
            ("princeton-nlp/unsup-simcse-bert-base-uncased", "cls"),
            ("princeton-nlp/sup-simcse-bert-base-uncased", "cls_mlp"),
        ],
    )
    def test_known_model_is_loaded_from_the_hub_cache(
        self, repository: str, pooling: str, tiny_bert: Path, hub_cache: Path
    ) -> None:
        put_in_cache(hub_cache, repository, tiny_bert)
        expected = load(f"hf:{tiny_bert}?pooling={pooling}")
        for name in (repository, repository.partition("/")[2]):
            result = load(name)
            assert (result.name, result.fingerprint) == (name, expected.fingerprint)
            np.testing.assert_array_equal(result.encode(SENTENCES[:3]), expected.encode(SENTENCES[:3]))
        assert load(name, pooling="mean").fingerprint.pooling == "mean"
        assert load(f"hf:{name}?pooling=max").fingerprint.pooling == "max"

    def test_promptbert_is_loaded_with_its_template(self, hub_cache: Path, tmp_path: Path) -> None:
        put_in_cache(hub_cache, "royokong/unsup-PromptBERT", save_bert(tmp_path / "bert", mask="[MASK]"))
        result = load("unsup-PromptBERT")
        assert result.fingerprint.pooling.startswith(r'mask, template "This sentence of \"{text}\" means{mask}."')
        same = load(f"hf:{tmp_path / 'bert'}", pooling="mask", template='This sentence of "{text}." means {mask}.')
        np.testing.assert_allclose(result.encode(["The soup", "The soup."]), same.encode(["The soup"] * 2), atol=1e-6)

    def test_a_cross_encoder_of_the_same_short_name_is_another_model(self) -> None:
        assert hub._candidates(parse_name("cross:stsb-roberta-base"))[0] == "cross-encoder/stsb-roberta-base"
        assert hub._candidates(parse_name("stsb-roberta-base"))[0] == "sentence-transformers/stsb-roberta-base"

    def test_folder_with_a_known_name_has_the_published_settings(self, tiny_bert: Path, tmp_path: Path) -> None:
        folder = copy(tiny_bert, tmp_path / "sup-simcse-bert-base-uncased")
        assert load(str(folder)).fingerprint.pooling == "cls_mlp"
        assert load(f"st:{folder}").fingerprint.pooling != "cls_mlp"

    def test_modules_file_takes_precedence_over_the_table(self, tiny_bert: Path, tmp_path: Path) -> None:
        folder = save_sentence_transformer(tmp_path / "sup-simcse-bert-base-uncased", tiny_bert, pooling="max")
        assert "max" in load(str(folder)).fingerprint.pooling

    def test_reports_weights_that_are_not_on_the_hub(self, tmp_path: Path, hub_cache: Path, refused: Any) -> None:
        with refused("L301", "SNCSE-bert-base-uncased", "not on the hub", "github.com/Sense-GVT/SNCSE"):
            load("SNCSE-bert-base-uncased")
        folder = save_bert(tmp_path / "SNCSE-bert-base-uncased", mask="[MASK]")
        assert load(str(folder)).fingerprint.pooling.startswith(r'mask, template "This sentence : \" ')

    def test_reports_a_missing_model(self, hub_cache: Path, refused: Any) -> None:
        with refused("L309", "unsup-simcse-roberta-large"):
            load("unsup-simcse-roberta-large")
