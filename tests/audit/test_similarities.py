"""Cosines of sentences and their variants: correct, cached, independent of the block size."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from litotes import LitotesError, load_model
from litotes.audit import similarities as module
from litotes.audit.similarities import Similarities, measure_similarities, normalise
from litotes.building.audit_variants import RELATIONS
from litotes.core.progress import Progress
from litotes.evaluation.encoding import CacheUsage
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.base import Encoder, Vectors
from tests.audit.fixed_variants import FixedVariants, TableEncoder, random_case

QUIET = {"cache": None, "workers": 1, "progress": None}


def same(first: Similarities, second: Similarities) -> bool:
    return (
        first.vectors.tobytes() == second.vectors.tobytes()
        and list(first.values) == list(second.values)
        and all(first.values[rule].tobytes() == second.values[rule].tobytes() for rule in first.values)
        and all(first.indices[rule].tobytes() == second.indices[rule].tobytes() for rule in first.values)
    )


def test_each_variant_has_a_cosine() -> None:
    variants = FixedVariants(["a", "b"], {"negation": {0: "not a", 1: "not b"}, "synonym": {1: "bee"}})
    encoder = TableEncoder({"a": [3, 4], "b": [0, 2], "not a": [4, 3], "not b": [0, -1], "bee": [1, 1]})
    result = measure_similarities(encoder, variants, **QUIET)
    assert result.values["negation"] == pytest.approx([0.96, -1])
    assert result.values["synonym"] == pytest.approx([0.5**0.5])
    assert result.indices["synonym"].tolist() == [1]
    assert result.vectors == pytest.approx(np.array([[0.6, 0.8], [0, 1]]))
    assert (result.vectors.dtype, result.values["negation"].dtype) == (np.float32, np.float32)
    assert result.rules("opposite", "same", "noise") == ["negation", "synonym"]
    assert result.pooled("opposite") == pytest.approx([-1, 0.96])
    assert len(result.pooled("noise")) == 0


def test_similarities_match_numpy_for_any_block_size(monkeypatch: pytest.MonkeyPatch) -> None:
    variants, encoder = random_case(60, 24)
    usual = measure_similarities(encoder, variants, **QUIET)
    for rule, those in variants.by_rule.items():
        indices = sorted(those)
        left = encoder.encode([variants.sentences[index] for index in indices]).astype(np.float64)
        right = encoder.encode([those[index] for index in indices]).astype(np.float64)
        expected = (left * right).sum(1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)
        assert usual.indices[rule].tolist() == indices
        assert np.abs(usual.values[rule] - expected).max() < 2e-7
    monkeypatch.setattr(module, "BLOCK_SIZE", 7)
    assert same(usual, measure_similarities(encoder, variants, **QUIET))
    assert same(usual, measure_similarities(encoder, variants, cache=None, workers=3, progress=None))


def test_a_second_run_computes_nothing(tmp_path: Path) -> None:
    variants, encoder = random_case(40, 16)
    total = len(variants.sentences) + sum(map(len, variants.by_rule.values()))
    with VectorCache(tmp_path, encoder.name, encoder.fingerprint, pytest.fail) as cache:
        first = measure_similarities(encoder, variants, cache=cache, workers=2, progress=None)
        assert first.cache_usage == CacheUsage(computed=total, cached=0)
        again = measure_similarities(encoder, variants, cache=cache, workers=2, progress=None)
    assert again.cache_usage == CacheUsage(computed=0, cached=total)
    assert same(first, again)


def test_repeated_text_is_encoded_once_per_block() -> None:
    variants = FixedVariants(["a", "b"], {"negation": {0: "no", 1: "no"}})
    encoder = TableEncoder({"a": [1, 0], "b": [0, 1], "no": [1, 1]})
    assert measure_similarities(encoder, variants, **QUIET).values["negation"] == pytest.approx([0.5**0.5] * 2)
    assert encoder.encoded.count("no") == 1


def test_memory_does_not_hold_all_variant_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    count, width = 500, 2_048

    class Constant(TableEncoder):
        def encode(self, texts: Sequence[str]) -> Vectors:
            return np.ones((len(texts), width), dtype=np.float32)

    by_rule = {rule: {index: f"{rule} {index}" for index in range(count)} for rule in RELATIONS}
    monkeypatch.setattr(module, "BLOCK_SIZE", 50)
    tracemalloc.start()
    measure_similarities(Constant({}), FixedVariants(list(map(str, range(count))), by_rule), **QUIET)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    sentences = count * width * 4
    assert sentences < peak < 3 * sentences  # all variants would take eight times as much


def test_progress_covers_all_variants(tmp_path: Path) -> None:
    variants, encoder = random_case(40, 16)
    reports: list[tuple[int | None, int]] = []

    class Watched(Progress):
        def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
            reports.append((total, done))

        def advance(self, count: int) -> None:
            reports[-1] = (reports[-1][0], reports[-1][1] + count)

    made = sum(map(len, variants.by_rule.values()))
    with VectorCache(tmp_path, encoder.name, encoder.fingerprint, pytest.fail) as cache:
        for _ in range(2):
            measure_similarities(encoder, variants, cache=cache, workers=1, progress=Watched())
    assert reports == [(40, 40), (made, made)] * 2


@pytest.mark.parametrize("row", [[np.nan, 1], [np.inf, 1], [0, 0]])
def test_nan_similarities_are_refused(row: list[float]) -> None:
    variants = FixedVariants(["a"], {"negation": {0: "not a"}})
    with pytest.raises(LitotesError, match=r"\[L308\].*not a"):
        measure_similarities(TableEncoder({"a": [1, 0], "not a": row}), variants, **QUIET)


def test_unknown_texts_have_similarity_zero() -> None:
    variants = FixedVariants(["a", "b"], {"negation": {0: "not a", 1: "not b"}})
    encoder = TableEncoder({"a": [0, 0], "b": [1, 0], "not a": [1, 0], "not b": [0, 0]}, allows_zero_vectors=True)
    result = measure_similarities(encoder, variants, **QUIET)
    assert result.values["negation"].tolist() == [0, 0]
    assert result.vectors.tolist() == [[0, 0], [1, 0]]


def test_no_variants_give_no_similarities() -> None:
    result = measure_similarities(TableEncoder({"a": [1, 0]}), FixedVariants(["a"]), **QUIET)
    assert (dict(result.indices), len(result.vectors)) == ({}, 1)


def test_rows_are_normalised() -> None:
    rows = np.array([[3, 4], [0, 0], [1e-20, 0]], dtype=np.float32)
    normalise(rows)
    assert rows == pytest.approx(np.array([[0.6, 0.8], [0, 0], [1, 0]]))


def test_default_model_gives_plausible_similarities() -> None:
    """MiniLM is blind to a negation and an antonym, but not to a passive."""
    from litotes.audit.blindness import measure_blindness
    from litotes.audit.thresholds import advise_threshold

    minilm = load_model("all-MiniLM-L6-v2", offline=True)
    assert isinstance(minilm, Encoder)
    variants = FixedVariants(
        ["The cellar is always cold.", "The gardener watered the roses.", "My uncle arrived early."],
        {
            "negation": {
                0: "The cellar is not always cold.",
                1: "The gardener didn't water the roses.",
                2: "My uncle didn't arrive early.",
            },
            "antonym": {0: "The cellar is always hot.", 2: "My uncle arrived late."},
            "synonym": {0: "The basement is always chilly."},
            "passive": {1: "The roses were watered by the gardener."},
        },
    )
    result = measure_similarities(minilm, variants, **QUIET)
    for rule, those in variants.by_rule.items():
        pairs = [(variants.sentences[index], text) for index, text in sorted(those.items())]
        assert result.values[rule] == pytest.approx(minilm.score(pairs), abs=1e-5)
    rows, worst = measure_blindness(result, variants)
    assert rows[0].sentences == 2
    assert rows[0].rate >= 0.5
    assert worst[0].text == "The cellar is always cold."
    assert not advise_threshold(result, budget=0.0, max_lost=0.0).holds
