"""The engine with the real default model: each sentence is encoded once, with any number of workers."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes import LitotesError, compare_models, load_model, load_suite
from litotes.evaluation.encoding import CacheUsage
from litotes.evaluation.engine import Engine
from litotes.evaluation.settings import EvaluationSettings
from litotes.models.base import Encoder, Fingerprint
from litotes.suites.base import Item, Suite

MODEL = "all-MiniLM-L6-v2"


@pytest.fixture(scope="module")
def minilm() -> Encoder:
    scorer = load_model(MODEL, offline=True)
    assert isinstance(scorer, Encoder)
    return scorer


@pytest.fixture(scope="module")
def small() -> Suite:
    complete = load_suite("semantoneg-mini")
    return Suite("small", complete.kind, complete.items[:120], sha256="small")


def run(scorer, suites: Sequence[Suite], cache: Path | None = None, **settings: Any):
    usages: list[CacheUsage] = []
    engine = Engine(EvaluationSettings(**settings), cache, on_encoded=lambda name, usage: usages.append(usage))
    return list(engine.run(scorer, suites)), usages[0]


def test_results_do_not_depend_on_the_number_of_workers(minilm: Encoder, small: Suite) -> None:
    results = [run(minilm, [small], cache=None, workers=workers)[0][0] for workers in (1, 2, 5)]
    assert results[0].items == results[1].items == results[2].items
    assert results[0].metrics == results[1].metrics


def test_choices_do_not_depend_on_the_batch_size(minilm: Encoder, small: Suite, monkeypatch) -> None:
    usual = run(minilm, [small], cache=None)[0][0]
    monkeypatch.setattr(type(minilm), "batch_tokens", 50)
    second = run(minilm, [small], cache=None)[0][0]
    assert [item.choice for item in usual.items] == [item.choice for item in second.items]
    for first, two in zip(usual.items, second.items, strict=True):
        assert list(first.similarities.values()) == pytest.approx(list(two.similarities.values()), abs=1e-5)


def test_a_sentence_is_encoded_only_once(minilm: Encoder, small: Suite, tmp_path: Path) -> None:
    half = Suite("half", small.kind, small.items[:60], sha256="half")
    sentences = {text for item in small.items for text in item.sentences.values()}
    (first,), effort = run(minilm, [half], cache=tmp_path)
    assert effort.cached == 0
    results, effort = run(minilm, [small, half], cache=tmp_path)
    assert effort.computed + effort.cached == len(sentences)
    assert effort.cached == len({text for item in half.items for text in item.sentences.values()})
    assert results[1].items == first.items
    _, effort = run(minilm, [small], cache=tmp_path)
    assert effort.computed == 0
    _, effort = run(minilm, [small], cache=tmp_path, fresh=True)
    assert effort.cached == 0


def test_vectors_match_the_library(minilm: Encoder, small: Suite) -> None:
    from sentence_transformers import SentenceTransformer

    from litotes.models.hub import default_wheel

    texts = [item.sentences["input"] for item in small.items]
    published = SentenceTransformer(str(default_wheel()), device="cpu").encode(texts)
    assert np.abs(minilm.encode(texts) - published).max() < 1e-5


def test_pair_scorers_implement_the_protocol(small: Suite, tmp_path: Path) -> None:
    overlap = load_model("overlap:words")
    (first,), effort = run(overlap, [small], cache=tmp_path)
    assert effort.computed == len({(i.sentences[a], i.sentences[b]) for i in small.items for a, b in small.kind.pairs})
    (second,), effort = run(overlap, [small], cache=tmp_path)
    assert effort.computed == 0
    assert first.items == second.items


class Odd(Encoder):
    """An encoder that returns given vectors."""

    def __init__(self, rows) -> None:
        super().__init__("odd", Fingerprint(backend="test"))
        self._rows = rows
        self.threads: set[str] = set()

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def encode(self, texts: Sequence[str]):
        self.threads.add(threading.current_thread().name)
        return self._rows(texts)


def test_zero_vectors_are_refused_and_not_cached(small: Suite, tmp_path: Path) -> None:
    for fill, word in ((np.nan, "NaN"), (np.inf, "infinite"), (0.0, "zeros")):
        odd = Odd(lambda texts, fill=fill: np.full((len(texts), 4), fill, dtype=np.float32))
        with pytest.raises(LitotesError, match=word) as caught:
            run(odd, [small], cache=tmp_path)
        assert caught.value.code == "L308"
    good = Odd(lambda texts: np.ones((len(texts), 4), dtype=np.float32))
    _, effort = run(good, [small], cache=tmp_path)
    assert effort.cached == 0


def test_too_few_rows_are_refused(small: Suite) -> None:
    odd = Odd(lambda texts: np.ones((1, 4), dtype=np.float32))
    with pytest.raises(LitotesError, match="rows for"):
        run(odd, [small], cache=None)


def test_an_error_in_a_worker_is_raised_and_finished_work_is_cached(small: Suite, tmp_path: Path) -> None:
    calls = []

    def rows(texts):
        calls.append(len(texts))
        if len(calls) == 3:
            raise RuntimeError("the model fell over")
        return np.ones((len(texts), 4), dtype=np.float32)

    with pytest.raises(RuntimeError, match="fell over"):
        run(Odd(rows), [small], cache=tmp_path, workers=1)
    _, effort = run(Odd(lambda texts: np.ones((len(texts), 4), dtype=np.float32)), [small], cache=tmp_path)
    assert effort.cached == sum(calls[:2])


def test_ties_give_chance_accuracy(small: Suite) -> None:
    (result,), _ = run(Odd(lambda texts: np.ones((len(texts), 4), dtype=np.float32)), [small], cache=None)
    assert result.metrics.ties == len(small.items)
    assert result.metrics.accuracy == pytest.approx(1 / 3)
    assert sum(result.choices.values()) == 0


def test_models_are_compared_on_the_same_items(minilm: Encoder, small: Suite) -> None:
    def right(texts):
        # A perfect model: the vector represents the role in the suite.
        return np.array([meaning[text] for text in texts], dtype=np.float32)

    meaning: dict[str, list[float]] = {}
    for item in small.items:
        meaning.setdefault(item.sentences["input"], [1.0, len(meaning) + 1.0])
        meaning[item.sentences["both"]] = meaning[item.sentences["input"]]
        for role in ("antonym", "polarity"):
            meaning.setdefault(item.sentences[role], [-1.0, len(meaning) + 1.0])
    knowing = Odd(right)
    results = [run(scorer, [small], cache=None)[0][0] for scorer in (minilm, knowing)]
    (result,) = compare_models(results)
    assert (result.a, result.b) == ("odd", MODEL)
    assert result.differ and result.ci[0] > 0.5
    (same,) = compare_models([results[0], results[0]])
    assert not same.differ and same.p == 1.0


def test_an_item_without_a_group_is_its_own_group() -> None:
    complete = load_suite("semantoneg-mini")
    items = [Item(item.id, item.id, item.sentences) for item in complete.items[:8]]
    (result,), _ = run(load_model("overlap:words"), [Suite("x", complete.kind, items, sha256="x")], cache=None)
    assert result.metrics.groups == 8
