"""Tests of `hf:` with a template, compared with single sentences in plain transformers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import SENTENCES, change_weights, copy, save_bert, save_roberta

from litotes.models.base import Encoder
from litotes.models.loading import load_model
from litotes.models.transformers.template_pooling import Template
from litotes.models.transformers.transformers_encoder import TransformersOptions

TEMPLATE = 'It is "{text}" because {mask}.'
TEXTS = SENTENCES[:4]


def load(folder: Path, pooling: str = "mask", **options: Any) -> Encoder:
    scorer = load_model(
        f"hf:{folder}", offline=True, device="cpu", **{"pooling": pooling, "template": TEMPLATE, **options}
    )
    assert isinstance(scorer, Encoder)
    return scorer


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory, single_thread: None) -> Path:
    return save_bert(tmp_path_factory.mktemp("masked"), mask="[MASK]")


@pytest.fixture(scope="module")
def roberta(tmp_path_factory: pytest.TempPathFactory, single_thread: None) -> Path:
    return save_roberta(tmp_path_factory.mktemp("masked-roberta"), mask="<mask>")


class Own:
    """A plain computation by transformers, one text at a time."""

    def __init__(self, folder: Path) -> None:
        from transformers import AutoModel, AutoTokenizer

        self.model = AutoModel.from_pretrained(folder).eval()
        self.tokenizer = AutoTokenizer.from_pretrained(folder)

    def tokens(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text.replace("{mask}", self.tokenizer.mask_token))["input_ids"]
        return ids

    def states(self, text: str, positions: list[int] | None = None) -> Any:
        import torch

        more = {"position_ids": torch.tensor([positions])} if positions is not None else {}
        with torch.no_grad():
            return self.model(input_ids=torch.tensor([self.tokens(text)]), **more).last_hidden_state[0]

    def at_mask(self, text: str, positions: list[int] | None = None) -> Any:
        position = self.tokens(text).index(self.tokenizer.mask_token_id)
        return self.states(text, positions)[position]

    def bias(self, sentence: str) -> Any:
        """Return the template without the sentence, with its end at the same positions as with the sentence."""
        empty = TEMPLATE.replace("{text}", " ")
        before = len(self.tokens('It is "')) - 1
        shift = len(self.tokens(TEMPLATE.replace("{text}", sentence))) - len(self.tokens(empty))
        positions = range(len(self.tokens(empty)))
        return self.at_mask(empty, [index + (shift if index >= before else 0) for index in positions])

    def pooler(self, vector: Any) -> Any:
        import torch

        with torch.no_grad():
            return torch.tanh(self.model.pooler.dense(vector))


@pytest.mark.parametrize("model", ["bert", "roberta"])
def test_vector_is_that_of_the_mask(model: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(model)
    own, encoder = Own(folder), load(folder)
    assert len(set(encoder.lengths(TEXTS[:3]))) > 1  # different lengths cause padding
    for text, vector in zip(TEXTS[:3], encoder.encode(TEXTS[:3]), strict=True):
        np.testing.assert_allclose(vector, own.at_mask(TEMPLATE.replace("{text}", text)), atol=1e-5)


@pytest.mark.parametrize("model", ["bert", "roberta"])
def test_applies_the_pooler_and_subtracts_the_template_bias(model: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(model)
    own = Own(folder)
    plain, through = load(folder, debias="yes"), load(folder, "mask_mlp", debias="yes")
    texts = [SENTENCES[0], SENTENCES[4], "No"]
    for text, first, second in zip(texts, plain.encode(texts), through.encode(texts), strict=True):
        expected = own.at_mask(TEMPLATE.replace("{text}", text)) - own.bias(text)
        np.testing.assert_allclose(first, expected, atol=1e-5)
        np.testing.assert_allclose(second, own.pooler(expected), atol=1e-5)


def test_applies_the_masked_language_model_head(bert: Path, tmp_path: Path, refused: Any) -> None:
    import torch

    with refused("L310", "no masked-language-model head"):
        load(bert, "mask_mlm")
    torch.manual_seed(5)
    dense, norm = torch.nn.Linear(16, 16), torch.nn.LayerNorm(16, eps=1e-12)
    torch.nn.init.normal_(norm.weight)

    def add(weights: dict[str, Any]) -> None:
        parts = {"dense": dense, "LayerNorm": norm}
        weights.update(
            {f"pooler.{name}.{key}": value for name, part in parts.items() for key, value in part.state_dict().items()}
        )

    folder = change_weights(copy(bert, tmp_path / "mlm"), add)
    own = Own(bert)
    for text, vector in zip(TEXTS, load(folder, "mask_mlm", debias="yes").encode(TEXTS), strict=True):
        with torch.no_grad():
            through = [
                norm(torch.nn.functional.gelu(dense(one)))
                for one in (own.at_mask(TEMPLATE.replace("{text}", text)), own.bias(text))
            ]
        np.testing.assert_allclose(vector, through[0] - through[1], atol=1e-5)


def test_template_works_with_other_poolings(bert: Path) -> None:
    own, encoder = Own(bert), load(bert, "mean", template="It is {text}")
    for text, vector in zip(TEXTS, encoder.encode(TEXTS), strict=True):
        np.testing.assert_allclose(vector, own.states(f"It is {text}").mean(dim=0), atol=1e-5)


def test_mask_in_the_sentence_is_not_the_mask_of_the_template(bert: Path) -> None:
    text, own = "The [MASK] is hot", Own(bert)
    states = own.states(TEMPLATE.replace("{text}", text))
    positions = [
        index
        for index, token in enumerate(own.tokens(TEMPLATE.replace("{text}", text)))
        if token == own.tokenizer.mask_token_id
    ]
    assert len(positions) == 2
    np.testing.assert_allclose(load(bert).encode([text])[0], states[positions[1]], atol=1e-5)
    ahead = load(bert, template="{mask} is {text}").encode([text])[0]
    np.testing.assert_allclose(ahead, own.states(f"{{mask}} is {text}")[1], atol=1e-5)


class TestLength:
    LONG = "the soup is not hot . " * 2000

    def test_sentence_is_truncated_but_not_the_template(self, bert: Path) -> None:
        encoder = load(bert)
        assert encoder.lengths([self.LONG, "No"]) == [32, 10]
        truncated = " ".join(self.LONG.split()[: 32 - 9])
        np.testing.assert_allclose(encoder.encode([self.LONG]), encoder.encode([truncated]), atol=1e-6)

    @pytest.mark.parametrize("text", ["", "🙂" * 300, " ", "\n", "x" * 50_000])
    def test_unusual_sentences_have_a_mask(self, text: str, bert: Path) -> None:
        encoder = load(bert)
        assert np.isfinite(encoder.encode([text])).all()
        assert encoder.lengths([text])[0] <= 32

    def test_reports_a_template_that_is_too_long(self, bert: Path, refused: Any) -> None:
        with refused("L102", "max_length=8", "the template's 9 tokens", exit_code=2):
            load(bert, max_length=8)


class TestTemplate:
    @pytest.mark.parametrize(
        ("sentence", "expected"),
        [("It rains", "It rains ."), ("It rains!", "It rains!"), ("So? ", "So? "), ("", ""), ("“Yes”", "“Yes” .")],
    )
    def test_full_stop_is_added_to_the_sentence(self, sentence: str, expected: str) -> None:
        assert Template("{text}", stop=" .").add_stop(sentence) == expected

    def test_full_stop_is_added_before_the_rest_of_the_template(self, bert: Path) -> None:
        ended, plain = load(bert, stop=".", stops=".?"), load(bert)
        np.testing.assert_allclose(
            ended.encode(["the soup", "the soup!", "the soup?"]),
            plain.encode(["the soup.", "the soup!.", "the soup?"]),
            atol=1e-6,
        )

    def test_different_settings_have_different_descriptions(self) -> None:
        every = [
            TransformersOptions(template="Say {text}", normalize="yes"),
            TransformersOptions(template="Say {text}, normalised"),
            TransformersOptions(template="Say {text}", stop=".", stops="?"),
            TransformersOptions(template="Say {text}", stop=".", stops='?"'),
            TransformersOptions(template='Say {text}, "." unless it ends in ?'),
            TransformersOptions(template='Say {text}", "." unless it ends in "?'),
        ]
        assert len({options.describe for options in every}) == len(every)

    @pytest.mark.parametrize("template", ["", "It is {mask}", "{text} {text} {mask}", "{text} {mask} {mask}"])
    def test_rejects_wrong_templates(self, template: str, bert: Path, refused: Any) -> None:
        with refused("L102", f"template={template}", "{text}", exit_code=2):
            load(bert, template=template)

    def test_rejects_a_template_without_a_mask(self, bert: Path, refused: Any) -> None:
        with refused("L102", "must have {mask}", exit_code=2):
            load(bert, template="It is {text}")

    def test_reports_a_tokenizer_without_a_mask(self, tiny_bert: Path, refused: Any) -> None:
        with refused("L310", "the template needs a mask"):
            load(tiny_bert)

    def test_debias_needs_the_mask(self, bert: Path, refused: Any) -> None:
        with refused("L310", "debias=yes", "not cls"):
            load(bert, "cls", debias="yes")

    def test_fingerprint_contains_all_settings(self, bert: Path) -> None:
        settings: list[dict[str, str]] = [
            {},
            {"template": TEMPLATE + "."},
            {"stop": "."},
            {"stop": ".", "stops": "?"},
            {"debias": "yes"},
            {"normalize": "yes"},
        ]
        keys = {load(bert, **options).fingerprint.key() for options in settings}
        assert len(keys) == len(settings)
        assert load(bert, stops="?").fingerprint == load(bert).fingerprint  # has no effect without a stop
