"""Evaluation of repairs: two models with known faults on the same data."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import litotes
from litotes.audit.retrieval import answer_queries, measure_retrieval
from litotes.audit.similarities import measure_similarities
from litotes.audit.variants import make_variants
from litotes.core.errors import LitotesError
from litotes.core.parallel.engine import SERIAL
from litotes.corpora.base import Record
from litotes.evaluation.engine import Engine
from litotes.evaluation.settings import EvaluationSettings
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.repair.evaluation import EvaluationData, measure_changes
from litotes.repair.result import MetricChange
from litotes.suites.base import Suite

WIDTH = 64
NEGATION = re.compile(r"\b(not|never|no|cannot)\b|n['’]t\b", re.IGNORECASE)
TEXT = [
    "The kettle is hot.",
    "The old gate is open.",
    "My aunt's cellar is not dark.",
    "The road to the harbour was wide.",
    "The soup is not cold.",
    "It is a large house.",
    "The answer_queries was not wrong.",
    "A tall man opened the door.",
    "The bread isn't fresh.",
    "She was happy about the news.",
]


class WordEncoder(Encoder):
    """An encoder that adds random vectors of words; negation optionally adds a component."""

    def __init__(self, name: str, *, sensitivity: float = 0.0) -> None:
        super().__init__(name, Fingerprint(backend="test/words", weights=f"{sensitivity}"))
        self._minds = sensitivity
        self.encoded = 0

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.encoded += len(texts)
        return np.stack([self._vector(text) for text in texts]).astype(np.float32)

    def _vector(self, text: str) -> np.ndarray:
        result = np.zeros(WIDTH)
        for word in re.findall(r"\w+", NEGATION.sub(" ", text).lower()):
            result += np.random.default_rng(zlib.crc32(word.encode())).normal(size=WIDTH)
        result /= np.linalg.norm(result) or 1.0
        side = np.zeros(WIDTH)
        side[0] = self._minds * (1 - 2 * (len(NEGATION.findall(text)) % 2))
        return result + side


def first_items(name: str, count: int) -> Suite:
    suite = litotes.load_suite(name)
    return replace(suite, items=suite.items[:count])


@pytest.fixture(scope="module")
def models() -> tuple[WordEncoder, WordEncoder]:
    return WordEncoder("blind"), WordEncoder("seeing", sensitivity=1.0)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def changes(models: tuple[WordEncoder, WordEncoder], cache: Path) -> dict[str, MetricChange]:
    folder = cache / "pairs"
    folder.mkdir()
    rows = [f"Ann has {n} red hens.,Ann has {n + n % 6} hens and a dog.,{5 - n % 6}" for n in range(2, 40)]
    (folder / "sts.csv").write_text("\n".join(rows) + "\n")
    result = measure_changes(
        *models,
        EvaluationData(
            suites=[first_items("negation-detection-mini", 30), first_items("heros-mini", 25)],
            sts=folder / "sts.csv",
            paraphrases=folder / "sts.csv",
            own_text=TEXT,
        ),
        cache=cache,
        workers=1,
    )
    assert len({change.metric for change in result}) == len(result)
    return {change.metric: change for change in result}


def test_metrics_are_in_a_fixed_order(changes: dict[str, MetricChange]) -> None:
    assert list(changes) == [
        "negation-detection-mini: accuracy",
        "heros-mini: accuracy",
        "heros-mini: similarity of synonym",
        "heros-mini: similarity of antonym",
        "heros-mini: similarity of negation main",
        "heros-mini: similarity of negation antonym",
        "STS: Spearman",
        "paraphrases: accuracy@1",
        "paraphrases: MRR",
        "your text: blindness",
        "your text: blindness to negation",
        "your text: blindness to antonym",
        "your text: original before its opposite",
        "your text: MRR",
        "your text: MRR without opposites",
    ]


def test_detects_improved_negation(changes: dict[str, MetricChange]) -> None:
    for what, better in {"negation-detection-mini: accuracy": 1, "heros-mini: similarity of negation main": -1}.items():
        change = changes[what]
        assert better * (change.after - change.before) > 0.3, what
        assert change.ci is not None and min(better * end for end in change.ci) > 0, what
        assert change.p is not None and change.p < 0.05, what
        assert change.better == ("higher" if better > 0 else "")
    # It has not learned that “not cold” means “hot”, so it remains partly blind.
    blindness = changes["your text: blindness to negation"]
    assert blindness.before > 0.8 and blindness.after < 0.6 and blindness.better == "lower"


def test_suite_metrics_equal_those_of_a_run(
    models: tuple[WordEncoder, WordEncoder], changes: dict[str, MetricChange]
) -> None:
    suite = first_items("heros-mini", 25)
    before_run, after_run = (
        next(iter(Engine(EvaluationSettings(workers=1), cache=None).run(model, [suite]))) for model in models
    )
    change = changes["heros-mini: accuracy"]
    assert (change.before, change.after) == (before_run.metrics.accuracy, after_run.metrics.accuracy)
    for role in ("synonym", "antonym", "negation_main", "negation_antonym"):
        change = changes[f"heros-mini: similarity of {role.replace('_', ' ')}"]
        means = [run.metrics.similarities[f"original~{role}"] for run in (before_run, after_run)]
        assert [change.before, change.after] == pytest.approx(means, abs=1e-6)
        assert change.n_items == 25


def test_own_text_metrics_equal_those_of_an_audit(
    models: tuple[WordEncoder, WordEncoder], changes: dict[str, MetricChange], cache: Path
) -> None:
    audits = [litotes.audit_model(model, TEXT, mining=False, cache=cache, workers=1, limit=None) for model in models]
    for what, rule in (
        ("blindness", "all"),
        ("blindness to negation", "negation"),
        ("blindness to antonym", "antonym"),
    ):
        rows = [next(row for row in audit.blindness if (row.opposite, row.same) == (rule, "all")) for audit in audits]
        change = changes[f"your text: {what}"]
        assert [change.before, change.after] == pytest.approx([row.rate for row in rows])
        assert change.n_items == rows[0].sentences
    search = [audit.retrieval[0] for audit in audits]
    for what, field in (
        ("original before its opposite", "paired"),
        ("MRR", "mrr"),
        ("MRR without opposites", "mrr_without_opposites"),
    ):
        change = changes[f"your text: {what}"]
        assert [change.before, change.after] == pytest.approx([getattr(row, field) for row in search])
        assert change.n_items == search[0].queries


def test_retrieval_queries_do_not_depend_on_the_model(models: tuple[WordEncoder, WordEncoder], cache: Path) -> None:
    records = [Record(f"texts:{n}", text) for n, text in enumerate(TEXT)]
    options = {"cache": None, "workers": 1, "progress": None}
    with make_variants(records, store=cache, key={}, limit=None, seed=0, engine=SERIAL, progress=None) as variants:
        result = []
        for model in models:
            similar = measure_similarities(model, variants, **options)
            answers = answer_queries(model, variants, similar, queries=6, seed=1, **options)
            figures = measure_retrieval(answers, similar)[0]
            assert figures.mrr == pytest.approx((1 / answers.rank).mean())
            assert figures.paired == pytest.approx(answers.paired.mean())
            result.append((answers.rules, answers.originals.tolist()))
    assert result[0] == result[1]


def test_second_evaluation_uses_the_cache_only(changes: dict[str, MetricChange], cache: Path) -> None:
    again = WordEncoder("blind"), WordEncoder("seeing", sensitivity=1.0)
    suites = [first_items("negation-detection-mini", 30), first_items("heros-mini", 25)]
    result = measure_changes(*again, EvaluationData(suites=suites, own_text=TEXT), cache=cache, workers=1)
    assert [model.encoded for model in again] == [0, 0]
    assert result == tuple(change for what, change in changes.items() if not what.startswith(("STS", "paraphrases")))


def test_identical_models_show_no_change(models: tuple[WordEncoder, WordEncoder]) -> None:
    for change in measure_changes(
        models[0], models[0], EvaluationData(suites=[first_items("heros-mini", 6)]), workers=1
    ):
        assert change.before == change.after and change.ci == (0, 0) and change.p == 1


def test_text_without_variants_gives_no_metric(models: tuple[WordEncoder, WordEncoder]) -> None:
    assert measure_changes(*models, EvaluationData(own_text=["Oh!", "Well, well."]), workers=1) == ()
    assert measure_changes(*models, EvaluationData(), workers=1) == ()


def test_files_are_read_before_encoding(tmp_path: Path) -> None:
    model = WordEncoder("blind")
    with pytest.raises(LitotesError, match="no such file"):
        data = EvaluationData(suites=[first_items("heros-mini", 3)], sts=tmp_path / "none.csv")
        measure_changes(model, model, data, workers=1)
    assert model.encoded == 0
