"""NLI models in the engine: metrics compared with other libraries, reproducibility, caching."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scorers"))  # small models of the model tests

from litotes import Item, LitotesError, RunResult, Suite, load_model, load_suite
from litotes.corpora.nli import LABELS
from litotes.evaluation.encoding import CacheUsage
from litotes.evaluation.engine import Engine
from litotes.evaluation.result_store import read_run, write_run
from litotes.evaluation.scoring import MAX_CLASSIFIED_BASELINE_PAIRS
from litotes.evaluation.settings import EvaluationSettings
from litotes.evaluation.statistics import GroupBootstrap, sum_by_group
from litotes.models.base import Encoder, Fingerprint, PairClassifier
from litotes.suites.nli import KIND
from tests.models import tiny_models

CATEGORIES = ("existence", "rejection", "of its own")


def labelled(size: int = 240, seed: int = 1) -> Suite:
    """Return invented pairs: three per premise, some in two categories, some in none."""
    draw = np.random.default_rng(seed)
    items = []
    for number in range(size):
        premise = f"{tiny_models.SENTENCES[number // 3 % 20]} {number // 60}"
        hypothesis = f"{tiny_models.SENTENCES[int(draw.integers(20))]} {number % 3}"
        names = [name.replace(" ", "-") for name in CATEGORIES if draw.random() < 0.4]
        tags = {"label": LABELS[int(draw.integers(3))], "categories": " ".join(names)}
        items.append(Item(f"i{number}", premise, {"premise": premise, "hypothesis": hypothesis}, tags))
    return Suite("labelled", KIND, items, sha256=f"labelled {size} {seed}")


class Told(PairClassifier):
    """A classifier that returns given probabilities."""

    def __init__(self, suite: Suite, rows: Any, **more: Any) -> None:
        super().__init__("told", Fingerprint(backend="test"), **more)
        pairs = [(item.sentences["premise"], item.sentences["hypothesis"]) for item in suite.items]
        self._rows = dict(zip(pairs, np.asarray(rows, dtype=np.float32), strict=True))

    def lengths(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        return [len(first) + len(second) for first, second in pairs]

    def classify(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        return np.stack([self._rows[pair] for pair in pairs])


def run(
    scorer: Any, suites: Sequence[Suite], cache: Path | None = None, **settings: Any
) -> tuple[list[RunResult], CacheUsage]:
    usages: list[CacheUsage] = []
    engine = Engine(EvaluationSettings(**settings), cache, on_encoded=lambda name, usage: usages.append(usage))
    return list(engine.run(scorer, suites)), usages[0]


@pytest.fixture(scope="module")
def suite() -> Suite:
    unique = {tuple(item.sentences.values()): item for item in labelled().items}
    return Suite("labelled", KIND, list(unique.values()), sha256="labelled")


@pytest.fixture(scope="module")
def answers(suite: Suite) -> np.ndarray:
    """Return rows of probabilities that are mostly right."""
    draw = np.random.default_rng(2)
    rows = draw.dirichlet((1, 1, 1), size=len(suite.items))
    gold = [LABELS.index(item.tags["label"]) for item in suite.items]
    rows[np.arange(len(rows)), gold] += 0.25
    return rows / rows.sum(axis=1, keepdims=True)


@pytest.fixture(scope="module")
def result(suite: Suite, answers: np.ndarray) -> RunResult:
    return run(Told(suite, answers), [suite], cache=None)[0][0]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> PairClassifier:
    folder = tiny_models.save_nli(tmp_path_factory.mktemp("nli"))
    scorer = load_model(f"nli:{folder}", device="cpu", offline=True)
    assert isinstance(scorer, PairClassifier)
    return scorer


def places_of(suite: Suite, category: str) -> list[int]:
    return [index for index, item in enumerate(suite.items) if category in item.tags["categories"].split()]


class TestFigures:
    def test_metrics_equal_those_of_scikit_learn(self, suite: Suite, answers: np.ndarray, result: RunResult) -> None:
        from sklearn.metrics import accuracy_score, confusion_matrix, matthews_corrcoef, precision_recall_fscore_support

        figures = result.metrics.nli
        assert figures is not None
        gold = np.array([item.tags["label"] for item in suite.items])
        chosen = np.array([LABELS[index] for index in answers.argmax(axis=1)])
        assert result.metrics.accuracy == pytest.approx(accuracy_score(gold, chosen))
        assert figures.mcc == pytest.approx(matthews_corrcoef(gold, chosen))
        table = confusion_matrix(gold, chosen, labels=LABELS).tolist()
        assert [[figures.confusion[first][second] for second in LABELS] for first in LABELS] == table
        everything = [(figures.labels, np.arange(len(gold)))]
        for category in ("existence", "rejection", "of-its-own"):
            indices = np.array(places_of(suite, category))
            actual = figures.categories[category]
            assert (actual.items, actual.groups) == (len(indices), len({suite.items[index].group for index in indices}))
            assert actual.accuracy == pytest.approx(accuracy_score(gold[indices], chosen[indices]))
            assert actual.mcc == pytest.approx(matthews_corrcoef(gold[indices], chosen[indices]))
            everything.append((actual.labels, indices))
        for labels, indices in everything:
            theirs = precision_recall_fscore_support(gold[indices], chosen[indices], labels=LABELS, zero_division=0)
            ours = [(first.precision, first.recall, first.f1, first.items) for first in labels.values()]
            assert list(labels) == list(LABELS)
            assert np.array(ours) == pytest.approx(np.array(theirs).T)

    def test_known_categories_come_first_in_the_papers_order(self, result: RunResult) -> None:
        assert result.metrics.nli is not None
        assert list(result.metrics.nli.categories) == ["existence", "rejection", "of-its-own"]

    def test_items_store_the_three_probabilities(self, suite: Suite, answers: np.ndarray, result: RunResult) -> None:
        for item, row, source in zip(result.items, answers, suite.items, strict=True):
            assert list(item.similarities) == list(LABELS)
            assert list(item.similarities.values()) == pytest.approx(row, abs=1e-6)
            right = LABELS.index(source.tags["label"])
            assert item.credit == float(item.choice == source.tags["label"])
            assert item.margin == pytest.approx(row[right] - np.delete(row, right).max(), abs=1e-6)
        assert result.suite.options == LABELS and result.suite.right == ""
        assert sum(result.choices.values()) == len(suite.items)
        assert result.metrics.chance == pytest.approx(1 / 3)

    def test_intervals_match_a_plain_bootstrap_over_premises(
        self, suite: Suite, answers: np.ndarray, result: RunResult
    ) -> None:
        from sklearn.metrics import matthews_corrcoef

        gold = np.array([LABELS.index(item.tags["label"]) for item in suite.items])
        chosen = answers.argmax(axis=1)
        members: dict[str, list[int]] = {}
        for index, item in enumerate(suite.items):
            members.setdefault(item.group, []).append(index)
        groups, draw = list(members.values()), np.random.default_rng(9)
        mccs, shares = [], []
        for _ in range(300):
            resample = np.concatenate([groups[integer] for integer in draw.integers(0, len(groups), size=len(groups))])
            mccs.append(matthews_corrcoef(gold[resample], chosen[resample]))
            shares.append((gold[resample] == chosen[resample]).mean())
        assert result.metrics.nli is not None
        assert result.metrics.nli.mcc_ci == pytest.approx(np.quantile(mccs, [0.025, 0.975]), abs=0.04)
        assert result.metrics.accuracy_ci == pytest.approx(np.quantile(shares, [0.025, 0.975]), abs=0.03)

    def test_ties_count_as_fair_draws(self, suite: Suite) -> None:
        (actual,), _ = run(Told(suite, np.full((len(suite.items), 3), 1 / 3)), [suite], cache=None)
        figures = actual.metrics.nli
        assert figures is not None
        assert actual.metrics.ties == len(suite.items)
        assert actual.metrics.accuracy == pytest.approx(1 / 3)
        assert figures.mcc == pytest.approx(0, abs=1e-9)
        assert sum(sum(row.values()) for row in figures.confusion.values()) == 0
        assert [label.recall for label in figures.labels.values()] == pytest.approx([1 / 3] * 3)

    def test_a_perfect_score_still_has_an_interval(self, suite: Suite) -> None:
        right = np.eye(3)[[LABELS.index(item.tags["label"]) for item in suite.items]]
        (actual,), _ = run(Told(suite, right), [suite], cache=None)
        figures = actual.metrics.nli
        assert figures is not None and (figures.mcc, actual.metrics.accuracy) == (1.0, 1.0)
        assert figures.mcc_ci[1] == 1.0 and 0.8 < figures.mcc_ci[0] < 0.99

    def test_a_single_answer_shows_no_correlation(self, suite: Suite) -> None:
        (actual,), _ = run(Told(suite, [[0.2, 0.1, 0.7]] * len(suite.items)), [suite], cache=None)
        figures = actual.metrics.nli
        assert figures is not None and (figures.mcc, figures.mcc_ci) == (0.0, (0.0, 0.0))
        assert figures.labels["neutral"].f1 == figures.labels["neutral"].precision == 0.0
        assert figures.labels["contradiction"].recall == 1.0

    def test_label_metrics_are_stored(self, result: RunResult, tmp_path: Path) -> None:
        again = read_run(write_run(tmp_path, result))
        assert again.metrics == result.metrics
        assert list(again.items) == list(result.items)

    def test_a_pair_with_two_labels_gets_a_note(self, suite: Suite, answers: np.ndarray) -> None:
        first = suite.items[0]
        other = next(label for label in LABELS if label != first.tags["label"])
        again = Item("again", first.group, first.sentences, {"label": other})
        (actual,), _ = run(
            Told(suite, answers), [Suite("twice", KIND, [*suite.items, again], sha256="twice")], cache=None
        )
        assert (
            [note for note in actual.notes if note.startswith("1 text pair has more than one label")]
            == list(actual.notes)
            != []
        )


class TestEngine:
    def test_results_do_not_depend_on_the_number_of_workers(self, tiny: PairClassifier, suite: Suite) -> None:
        results = [run(tiny, [suite], cache=None, workers=workers)[0][0] for workers in (1, 3)]
        assert results[0].items == results[1].items
        assert results[0].metrics == results[1].metrics
        assert len({item.choice for item in results[0].items}) > 1

    def test_probabilities_match_the_model(self, tiny: PairClassifier, suite: Suite) -> None:
        (actual,), _ = run(tiny, [suite], cache=None)
        pairs = [(item.sentences["premise"], item.sentences["hypothesis"]) for item in suite.items]
        stored = [list(item.similarities.values()) for item in actual.items]
        assert np.array(stored) == pytest.approx(tiny.classify(pairs), abs=1e-5)

    def test_a_pair_is_classified_only_once(self, tiny: PairClassifier, suite: Suite, tmp_path: Path) -> None:
        half = Suite("half", KIND, suite.items[:50], sha256="half")
        (first,), effort = run(tiny, [half], cache=tmp_path)
        assert (effort.computed, effort.cached) == (50, 0)
        results, effort = run(tiny, [suite, half], cache=tmp_path)
        assert (effort.computed, effort.cached) == (len(suite.items) - 50, 50)
        assert results[1].items == first.items
        _, effort = run(tiny, [suite], cache=tmp_path)
        assert effort.computed == 0
        _, effort = run(tiny, [half], cache=tmp_path, fresh=True)
        assert effort.cached == 0

    def test_finished_work_is_cached_after_an_error(
        self, tiny: PairClassifier, suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        complete = run(tiny, [suite], cache=None)[0][0]
        calls: list[int] = []
        classify = type(tiny).classify

        def failing(self: Any, pairs: Sequence[tuple[str, str]]) -> Any:
            calls.append(len(pairs))
            if len(calls) == 3:
                raise RuntimeError("the power went")
            return classify(self, pairs)

        with monkeypatch.context() as patch:
            patch.setattr(type(tiny), "classify", failing)
            with pytest.raises(RuntimeError, match="the power went"):
                run(tiny, [suite], cache=tmp_path, workers=1)
        (again,), effort = run(tiny, [suite], cache=tmp_path)
        assert effort.cached == sum(calls[:2]) > 0
        assert again.items == complete.items

    def test_nan_is_refused_and_not_cached(self, tmp_path: Path, suite: Suite) -> None:
        folder = tiny_models.save_nli(tmp_path / "nli")
        tiny_models.change_weights(folder, lambda weights: weights["classifier.bias"].fill_(float("nan")))
        broken = load_model(f"nli:{folder}", device="cpu")
        with pytest.raises(LitotesError, match="NaN") as caught:
            run(broken, [suite], cache=tmp_path / "cache")
        assert caught.value.code == "L308"
        with pytest.raises(LitotesError):
            run(broken, [suite], cache=tmp_path / "cache")

    def test_an_unsuitable_model_is_refused_before_anything_is_computed(self, suite: Suite) -> None:
        class Never(Encoder):
            def lengths(self, texts: Sequence[str]) -> list[int]:
                raise AssertionError("asked")

            encode = lengths  # type: ignore[assignment]

        other = load_suite("negation-detection-mini")
        for scorer in (Never("never", Fingerprint(backend="test")), load_model("overlap:words")):
            with pytest.raises(LitotesError, match="nli:FOLDER") as caught:
                run(scorer, [other, suite], cache=None)
            assert (caught.value.code, caught.value.exit_code) == ("L102", 2)
            assert scorer.name in str(caught.value) and '"labelled"' in str(caught.value)

    def test_an_item_without_a_label_is_refused_early(self, tiny: PairClassifier, suite: Suite) -> None:
        bare = Item("bare", "g", suite.items[0].sentences)
        with pytest.raises(LitotesError, match="item bare"):
            run(tiny, [Suite("bare", KIND, [*suite.items, bare], sha256="bare")], cache=None)


class TestLikeness:
    """Suites of similarity for encoders."""

    @pytest.fixture(scope="class")
    def heros(self) -> Suite:
        complete = load_suite("heros-mini")
        return Suite("heros", complete.kind, complete.items[:12], sha256="heros")

    def test_similarities_are_entailment_in_both_directions(self, tiny: PairClassifier, heros: Suite) -> None:
        (actual,), _ = run(tiny, [heros], cache=None)
        pairs = [(item.sentences["original"], item.sentences["synonym"]) for item in heros.items]
        there, back = tiny.classify(pairs)[:, 0], tiny.classify([pair[::-1] for pair in pairs])[:, 0]
        stored = [item.similarities["original~synonym"] for item in actual.items]
        assert stored == pytest.approx(there.astype(float) * back, abs=1e-5)
        assert actual.metrics.nli is None
        assert actual.settings["both_ways"] == "product"
        assert actual.metrics.baseline is not None and 0 <= actual.metrics.baseline <= 1
        assert set(actual.metrics.also) == {"over antonym", "over negation_main", "over negation_antonym"}

    def test_another_combination_of_directions_uses_the_cache(
        self, tiny: PairClassifier, heros: Suite, tmp_path: Path
    ) -> None:
        folder = tiny_models.save_nli(tmp_path / "nli")
        stored = {}
        for both in ("product", "mean", "min"):
            scorer = load_model(f"nli:{folder}?both={both}", device="cpu")
            (actual,), effort = run(scorer, [heros], cache=tmp_path / "cache")
            stored[both] = np.array([item.similarities["original~antonym"] for item in actual.items])
            assert (effort.computed == 0) is (both != "product")
        assert (stored["product"] <= stored["min"] + 1e-6).all() and (stored["min"] <= stored["mean"] + 1e-6).all()
        assert not np.allclose(stored["product"], stored["mean"])

    @pytest.mark.parametrize("name", ["semantoneg-mini", "negation-variants-mini", "argument-sensitivity-mini"])
    def test_nli_models_run_on_every_other_suite(self, name: str, tiny: PairClassifier) -> None:
        complete = load_suite(name)
        part = Suite(name, complete.kind, complete.items[:10], sha256=name)
        (actual,), effort = run(tiny, [part], cache=None)
        pairs = {(item.sentences[one], item.sentences[two]) for item in part.items for one, two in part.kind.pairs}
        assert effort.computed == len(pairs | {pair[::-1] for pair in pairs})
        assert actual.metrics.items == 10
        assert [len(item.similarities) for item in actual.items] == [len(part.kind.pairs)] * 10

    def test_the_number_of_baseline_pairs_is_limited(self, tiny: PairClassifier) -> None:
        from litotes.evaluation.scoring import _classified_columns

        *_, there, back = _classified_columns(load_suite("heros-mini"))
        assert len(there) == len(back) <= MAX_CLASSIFIED_BASELINE_PAIRS
        assert back == [(second, first) for first, second in there]


def test_memory_does_not_grow_with_the_groups() -> None:
    """All 2,000 draws of 12,000 groups would need 192 MB, and twice as much during the computation."""
    groups = 12_000
    sums = sum_by_group(np.random.default_rng(0).random(groups), [str(number) for number in range(groups)])
    tracemalloc.start()
    low, high = GroupBootstrap(groups).share_intervals(sums)[0]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 150e6
    assert low < sums.mean < high and high - low < 0.02


def test_chunked_resampling_gives_the_same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    from litotes.evaluation import statistics

    credit = np.random.default_rng(3).random(300)
    sums = sum_by_group(credit, [str(number // 3) for number in range(300)])
    complete = GroupBootstrap(100).share_intervals(sums)
    difference = statistics.paired_difference(credit, credit[::-1], [str(number // 3) for number in range(300)])
    monkeypatch.setattr(statistics, "_CHUNK", 1_700)  # chunks of seventeen resamples, the last one smaller
    assert np.array(GroupBootstrap(100).share_intervals(sums)) == pytest.approx(np.array(complete), abs=1e-12)
    again = statistics.paired_difference(credit, credit[::-1], [str(number // 3) for number in range(300)])
    assert (again.p, again.ci) == (difference.p, pytest.approx(difference.ci, abs=1e-12))
