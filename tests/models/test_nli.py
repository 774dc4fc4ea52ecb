"""Tests of `nli:`: probabilities, the order of labels, and errors for other models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from local_hub import put_in_cache
from tiny_models import (
    NLI_LABELS,
    SENTENCES,
    change_json,
    change_weights,
    copy,
    pickle_weights,
    save_cross_encoder,
    save_nli,
    save_roberta_nli,
)

from litotes.corpora.nli import LABELS
from litotes.models.base import Model, PairClassifier
from litotes.models.loading import list_models, load_model, predicts_labels

PAIRS = [(one, other) for one in SENTENCES[:5] for other in SENTENCES[5:9]]
LONG = (" ".join(SENTENCES), "The soup is hot.")


def load(folder: Path, options: str = "", **access: Any) -> PairClassifier:
    scorer = load_model(f"nli:{folder}{options}", offline=True, **{"device": "cpu", **access})
    assert isinstance(scorer, PairClassifier)
    return scorer


@pytest.fixture(scope="module")
def tiny_nli(tmp_path_factory: pytest.TempPathFactory, single_thread: None) -> Path:
    return save_nli(tmp_path_factory.mktemp("nli"))


@pytest.fixture
def model(tiny_nli: Path, tmp_path: Path) -> Path:
    """Return a copy of a valid model, which the tests damage."""
    return copy(tiny_nli, tmp_path / "copy")


def published(folder: Path, pairs: list[tuple[str, str]]) -> np.ndarray:
    """Return the probabilities by transformers, one pair at a time, in the model's order of labels."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    rows = []
    for first, second in pairs:
        features = tokenizer(first, second, return_tensors="pt", truncation=True, max_length=40)
        takes = {
            key: value for key, value in features.items() if key != "token_type_ids" or model.config.type_vocab_size > 1
        }
        with torch.no_grad():
            rows.append(torch.softmax(model(**takes).logits, dim=-1)[0].numpy())
    return np.array(rows)


class TestProbabilities:
    def test_probabilities_equal_those_of_transformers(self, tiny_nli: Path) -> None:
        probabilities = load(tiny_nli).classify(PAIRS)
        assert probabilities.dtype == np.float32 and probabilities.shape == (len(PAIRS), len(LABELS))
        assert np.abs(probabilities - published(tiny_nli, PAIRS)).max() < 1e-5
        assert np.abs(probabilities.sum(axis=1) - 1).max() < 1e-6

    def test_the_order_of_the_pair_counts(self, tiny_nli: Path) -> None:
        scorer = load(tiny_nli)
        turned = [(second, first) for first, second in PAIRS]
        assert np.abs(scorer.classify(PAIRS) - scorer.classify(turned)).max() > 0.01

    def test_accepts_a_model_without_token_types_and_pooler(self, tmp_path: Path) -> None:
        folder = save_roberta_nli(tmp_path / "roberta", labels=("CONTRADICTION", "Neutral", "ENTAILMENT"))
        assert np.abs(load(folder).classify(PAIRS) - published(folder, PAIRS)[:, ::-1]).max() < 1e-5

    def test_loads_a_cross_encoder_folder(self, tiny_nli: Path, tmp_path: Path) -> None:
        from sentence_transformers import CrossEncoder

        folder = save_cross_encoder(tmp_path / "cross", tiny_nli)
        theirs = CrossEncoder(str(folder), device="cpu", local_files_only=True).predict(PAIRS, apply_softmax=True)
        assert np.abs(load(folder).classify(PAIRS) - theirs).max() < 1e-5

    def test_reads_tokenizer_and_layers_of_a_real_model(self, minilm_folder: Path, tmp_path: Path) -> None:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        torch.manual_seed(0)
        names = dict(enumerate(NLI_LABELS))
        made = AutoModelForSequenceClassification.from_pretrained(minilm_folder, id2label=names)
        made.save_pretrained(tmp_path)
        AutoTokenizer.from_pretrained(minilm_folder).save_pretrained(tmp_path)
        scorer = load(tmp_path)
        assert np.abs(scorer.classify(PAIRS[:6]) - published(tmp_path, PAIRS[:6])).max() < 1e-5
        tokens = AutoTokenizer.from_pretrained(minilm_folder)(*zip(*PAIRS, strict=True))["input_ids"]
        assert scorer.lengths(PAIRS) == [len(token) for token in tokens]

    @pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
    def test_half_precision_gives_nearly_the_same(self, tiny_nli: Path, dtype: str) -> None:
        half = load(tiny_nli, f"?dtype={dtype}")
        assert np.abs(half.classify(PAIRS) - load(tiny_nli).classify(PAIRS)).max() < 0.05
        assert half.fingerprint.dtype == dtype


class TestLength:
    def test_truncates_the_longer_sentence(self, tiny_nli: Path) -> None:
        scorer = load(tiny_nli, "?max_length=12")
        assert scorer.lengths([LONG, ("Yes.", "No.")]) == [12, 7]
        # The hypothesis is complete, so a different one changes the result.
        rows = scorer.classify([LONG, (LONG[0], "The soup is cold.")])
        assert np.abs(rows[0] - rows[1]).max() > 1e-4
        # The truncated part of the premise has no influence.
        rows = scorer.classify([LONG, (LONG[0] + " " + SENTENCES[3], LONG[1])])
        assert rows[0].tolist() == rows[1].tolist()

    def test_maximum_length_is_limited_by_positions(self, tiny_nli: Path, tmp_path: Path) -> None:
        assert load(tiny_nli).fingerprint.max_length == 48
        assert load(save_roberta_nli(tmp_path / "roberta")).fingerprint.max_length == 40

    @pytest.mark.parametrize(("length", "words"), [(3, "3 special tokens"), (49, "at most 48")])
    def test_rejects_impossible_lengths(self, tiny_nli: Path, length: int, words: str, refused: Any) -> None:
        with refused("L102", f"max_length={length}", words, exit_code=2):
            load(tiny_nli, f"?max_length={length}")

    def test_option_batch_limits_batches(self, tiny_nli: Path) -> None:
        assert load(tiny_nli).batch_tokens == 768
        assert load(tiny_nli, "?batch=2048").batch_tokens == 2048


class TestLabels:
    @pytest.mark.parametrize("order", [(2, 0, 1), (1, 2, 0), (0, 2, 1)])
    def test_another_order_of_outputs_is_the_same_model(
        self, order: tuple[int, ...], tiny_nli: Path, model: Path
    ) -> None:
        def permute(weights: dict[str, Any]) -> None:
            for name in ("classifier.weight", "classifier.bias"):
                weights[name] = weights[name][list(order)].contiguous()

        change_weights(model, permute)
        names = [("ENTAILMENT", "Neutral", "contradictory")[index] for index in order]
        change_json(model / "config.json", id2label=dict(enumerate(names)))
        assert load(model).classify(PAIRS) == pytest.approx(load(tiny_nli).classify(PAIRS), abs=1e-6)

    @pytest.mark.parametrize("names", [("LABEL_0", "LABEL_1", "LABEL_2"), ("yes", "no", "maybe"), ("entailment",) * 3])
    def test_rejects_unclear_labels(self, names: tuple[str, ...], tiny_nli: Path, model: Path, refused: Any) -> None:
        change_json(model / "config.json", id2label=dict(enumerate(names)))
        with refused("L310", model, names[0], "?labels=contradiction,entailment,neutral"):
            load(model)
        probabilities = load(model, "?labels=contradiction,entailment,neutral").classify(PAIRS)
        assert probabilities.tolist() == load(tiny_nli).classify(PAIRS)[:, [1, 2, 0]].tolist()

    @pytest.mark.parametrize("labels", ["a,b,c", "entailment,neutral", "neutral,neutral,entailment", ""])
    def test_rejects_wrong_labels(self, labels: str, tiny_nli: Path, refused: Any) -> None:
        with refused("L102", f"labels={labels}", "each once", exit_code=2):
            load(tiny_nli, labels=labels)

    @pytest.mark.parametrize(
        ("names", "words"),
        [
            (("similarity",), "rates pairs"),
            (("entailment", "not_entailment"), "2 labels (entailment, not_entailment)"),
            (("entailment", "neutral", "contradiction", "other"), "4 labels"),
        ],
    )
    def test_rejects_models_of_other_tasks(
        self, names: tuple[str, ...], words: str, tmp_path: Path, refused: Any
    ) -> None:
        folder = save_nli(tmp_path / "other", labels=names)
        with refused("L310", folder, words, "nli: needs"):
            load(folder)

    def test_rejects_an_encoder(self, tiny_bert: Path, refused: Any) -> None:
        with refused("L310", tiny_bert, "BertModel", "name an encoder without nli:"):
            load(tiny_bert)


class TestBroken:
    """Errors are the same as for encoders."""

    def test_reports_truncated_files(self, model: Path, refused: Any) -> None:
        weights = model / "model.safetensors"
        weights.write_bytes(weights.read_bytes()[:-100])
        with refused("L303", weights, "bytes, its header says"):
            load(model)

    def test_reports_a_missing_tokenizer(self, model: Path, refused: Any) -> None:
        (model / "tokenizer.json").unlink()
        with refused("L304", model, "no tokenizer"):
            load(model)

    def test_reports_pickled_weights(self, model: Path, refused: Any) -> None:
        rows = load(model).classify(PAIRS)
        pickle_weights(model)
        with refused("L305", model, "--allow-pickle"):
            load(model)
        assert load(model, allow_pickle=True).classify(PAIRS).tolist() == rows.tolist()

    def test_reports_custom_code(self, model: Path, refused: Any) -> None:
        change_json(
            model / "config.json",
            model_type="mine",
            auto_map={"AutoConfig": "mine.Config", "AutoModelForSequenceClassification": "mine.Model"},
        )
        (model / "mine.py").write_text("raise SystemExit('this must not run')\n")
        with refused("L306", model, "--trust-remote-code"):
            load(model)

    @pytest.mark.parametrize("lost", ["classifier.weight", "bert.pooler.dense.weight"])
    def test_rejects_a_randomly_initialised_head(self, lost: str, model: Path, refused: Any) -> None:
        change_weights(model, lambda weights: weights.pop(lost))
        with refused("L311", model, lost):
            load(model)

    def test_reports_a_lone_surrogate(self, tiny_nli: Path, refused: Any) -> None:
        with refused("L311", "failed on a batch of 1"):
            load(tiny_nli).classify([("half \ud83d", "a soup")])


class TestNames:
    def test_scheme_is_registered(self) -> None:
        assert "nli" in list_models()
        assert predicts_labels("nli:some/model") is True
        assert predicts_labels("all-MiniLM-L6-v2") is False

    def test_loads_a_hub_id_with_a_revision(self, tiny_nli: Path, hub_cache: Path) -> None:
        put_in_cache(hub_cache, "org/nli", tiny_nli, commit="a" * 40, ref="v1")
        result = load_model("nli:org/nli@v1", offline=True)
        assert result.fingerprint.weights == load(tiny_nli).fingerprint.weights

    def test_does_not_download_when_offline(self, hub_cache: Path, refused: Any) -> None:
        with refused("L309", "org/none"):
            load_model("nli:org/none", offline=True)

    def test_fingerprint_contains_what_probabilities_depend_on(self, tiny_nli: Path, model: Path) -> None:
        usual = load(tiny_nli).fingerprint
        order = "?labels=neutral,entailment,contradiction"
        fingerprints = [load(tiny_nli, options).fingerprint for options in (order, "?max_length=20", "?dtype=bfloat16")]
        assert len({one.key() for one in (usual, *fingerprints)}) == 4
        same = [load(tiny_nli, f"?{option}").fingerprint for option in ("both=min", f"labels={','.join(NLI_LABELS)}")]
        assert [one.key() for one in same] == [usual.key()] * 2
        change_weights(model, lambda weights: weights["classifier.bias"].add_(1))
        assert load(model).fingerprint.weights != usual.weights


@pytest.mark.parametrize(
    ("both", "combine"), [("product", np.multiply), ("mean", lambda a, b: (a + b) / 2), ("min", np.minimum)]
)
def test_similarity_is_mutual_entailment(both: str, combine: Any, tiny_nli: Path) -> None:
    scorer = load(tiny_nli, f"?both={both}")
    assert isinstance(scorer, Model)
    there = scorer.classify(PAIRS)[:, 0].astype(float)
    back = scorer.classify([(second, first) for first, second in PAIRS])[:, 0].astype(float)
    assert scorer.score(PAIRS) == pytest.approx(combine(there, back), abs=1e-6)
    assert scorer.score([]).tolist() == []
