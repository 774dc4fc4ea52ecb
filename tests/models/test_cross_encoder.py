"""Tests of `cross:`, whose ratings equal those of sentence-transformers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from local_hub import put_in_cache
from tiny_models import SENTENCES, change_json, change_weights, copy, save_cross_encoder, save_nli, save_roberta_nli

from litotes.core.progress import Progress
from litotes.evaluation.encoding import score_pairs
from litotes.models.base import Encoder, Model, PairClassifier
from litotes.models.loading import load_model
from litotes.models.transformers.pair_model import CrossEncoder

PAIRS = [(one, other) for one in SENTENCES[:5] for other in SENTENCES[5:9]]
TURNED = [(other, one) for one, other in PAIRS]


def load(folder: Path | str, options: str = "", **access: Any) -> CrossEncoder:
    scorer = load_model(f"cross:{folder}{options}", offline=True, **{"device": "cpu", **access})
    assert isinstance(scorer, CrossEncoder)
    return scorer


@pytest.fixture(scope="module")
def rater(tmp_path_factory: pytest.TempPathFactory, single_thread: None) -> Path:
    return save_nli(tmp_path_factory.mktemp("rater"), labels=("similarity",))


@pytest.fixture
def model(rater: Path, tmp_path: Path) -> Path:
    """Return a copy that the tests change."""
    return copy(rater, tmp_path / "copy")


def theirs(folder: Path, pairs: list[tuple[str, str]]) -> np.ndarray:
    from sentence_transformers import CrossEncoder as Library

    result = Library(str(folder), device="cpu", local_files_only=True).predict(pairs, batch_size=1)
    return np.asarray(result, dtype=np.float64)


class TestRatings:
    def test_ratings_equal_those_of_sentence_transformers(self, rater: Path) -> None:
        scorer = load(rater)
        assert isinstance(scorer, Model) and not isinstance(scorer, (Encoder, PairClassifier))
        there, back = theirs(rater, PAIRS), theirs(rater, TURNED)
        assert np.abs(there - back).max() > 0.01
        assert scorer.score(PAIRS) == pytest.approx((there + back) / 2, abs=1e-6)
        assert load(rater, "?both=first").score(PAIRS) == pytest.approx(there, abs=1e-6)

    def test_order_of_the_pair_does_not_matter(self, rater: Path) -> None:
        assert load(rater).score(PAIRS) == pytest.approx(load(rater).score(TURNED), abs=1e-6)

    def test_accepts_a_model_without_token_types(self, tmp_path: Path) -> None:
        folder = save_roberta_nli(tmp_path / "roberta", labels=("similarity",))
        assert load(folder, "?both=first").score(PAIRS[:6]) == pytest.approx(theirs(folder, PAIRS[:6]), abs=1e-6)

    def test_loads_a_folder_saved_by_the_library(self, rater: Path, tmp_path: Path) -> None:
        folder = save_cross_encoder(tmp_path / "saved", rater)
        assert load(folder, "?both=first").score(PAIRS) == pytest.approx(theirs(folder, PAIRS), abs=1e-6)

    @pytest.mark.parametrize("file", ["config_sentence_transformers.json", "config.json", "older config.json"])
    @pytest.mark.parametrize(
        ("activation", "low"),
        [("torch.nn.modules.linear.Identity", -1e9), ("torch.nn.modules.activation.Tanh", -1), ("mine.Own", 0)],
    )
    def test_uses_the_published_activation(
        self, file: str, activation: str, low: float, rater: Path, tmp_path: Path
    ) -> None:
        folder = save_cross_encoder(tmp_path / "saved", rater)
        own = folder / "config_sentence_transformers.json"
        change_json(own, activation_fn=activation if file == own.name else None)
        if file != own.name:
            key, value = ("sentence_transformers", {"activation_fn": activation})
            if file == "older config.json":
                key, value = ("sbert_ce_default_activation_function", activation)  # type: ignore[assignment]
            change_json(folder / "config.json", **{key: value})
        scores = load(folder, "?both=first").score(PAIRS)
        assert scores == pytest.approx(theirs(folder, PAIRS), abs=1e-5)
        assert scores.min() >= low and (low == 0) == (scores.min() >= 0)

    def test_batches_make_no_difference(self, rater: Path) -> None:
        assert load(rater, "?batch=1").score(PAIRS) == pytest.approx(load(rater).score(PAIRS), abs=1e-6)

    def test_rates_unusual_pairs(self, rater: Path) -> None:
        scorer = load(rater)
        odd = [("", ""), ("🙂", "soup"), ("the soup " * 10_000, "no"), ("same", "same")]
        assert np.isfinite(scorer.score(odd)).all()
        assert scorer.score([]).tolist() == []
        assert max(scorer.lengths(odd)) == 48

    def test_engine_scores_pairs(self, rater: Path) -> None:
        scorer = load(rater)
        result, effort = score_pairs(scorer, PAIRS, cache=None, workers=2, progress=Progress())
        assert result == pytest.approx(scorer.score(PAIRS), abs=1e-6)
        assert effort.computed == len(PAIRS)


class TestRefused:
    def test_rejects_several_outputs(self, tmp_path: Path, refused: Any) -> None:
        folder = save_nli(tmp_path / "nli")
        with refused("L310", folder, "3 outputs per pair", "nli:"):
            load(folder)

    def test_rejects_an_encoder(self, tiny_bert: Path, refused: Any) -> None:
        with refused("L310", "BertModel", "name an encoder without cross:"):
            load(tiny_bert)

    def test_rejects_a_randomly_initialised_layer(self, model: Path, refused: Any) -> None:
        change_weights(model, lambda weights: weights.pop("classifier.weight"))
        with refused("L311", model, "classifier.weight"):
            load(model)

    def test_rejects_an_unknown_activation(self, model: Path, refused: Any) -> None:
        change_json(model / "config.json", sbert_ce_default_activation_function="torch.nn.modules.activation.Softplus")
        with refused("L311", "Softplus", "Sigmoid, Identity, Tanh"):
            load(model)

    def test_rejects_an_unknown_option(self, rater: Path, refused: Any) -> None:
        with refused("L102", "both=product", "mean, first", exit_code=2):
            load(rater, "?both=product")

    def test_reports_a_lone_surrogate(self, rater: Path, refused: Any) -> None:
        with refused("L311", "failed on a batch"):
            load(rater).score([("half \ud83d", "a soup")])


def test_fingerprint_contains_what_ratings_depend_on(rater: Path, model: Path) -> None:
    usual = load(rater).fingerprint
    change_json(model / "config.json", sbert_ce_default_activation_function="torch.nn.modules.linear.Identity")
    fingerprints = [load(rater, f"?{one}").fingerprint for one in ("both=first", "max_length=20", "dtype=bfloat16")]
    assert len({one.key() for one in (usual, *fingerprints, load(model).fingerprint)}) == 5
    assert load(rater, "?batch=99").fingerprint == usual


def test_short_name_refers_to_the_organisation_cross_encoder(rater: Path, hub_cache: Path) -> None:
    put_in_cache(hub_cache, "cross-encoder/stsb-tiny", rater)
    assert load("stsb-tiny").fingerprint == load(rater).fingerprint
