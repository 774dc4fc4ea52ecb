"""Extra criteria, baselines, normalised similarities, and the notes of encoders."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from litotes import Item, Suite, evaluate, load_model
from litotes.evaluation.engine import Engine
from litotes.evaluation.result import RunResult
from litotes.evaluation.result_store import read_run, write_run
from litotes.evaluation.scoring import baseline_halves, crossed_pairs
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.suites.base import SuiteKind, closer, closest, pairwise_criteria

PASSED = closest("original", options=("synonym", "antonym", "negated"), right="synonym")
KIND = SuiteKind(
    name="toy",
    roles=("original", "synonym", "antonym", "negated"),
    pairs=tuple(("original", role) for role in ("synonym", "antonym", "negated")),
    criterion=PASSED,
    extra_criteria=pairwise_criteria(PASSED),
    baseline_role="original",
)


class Angles(Encoder):
    """An encoder whose vectors have the angle at the start of the sentence: `12 anything` has 12 degrees."""

    def __init__(self) -> None:
        super().__init__("angles", Fingerprint(backend="angles"))

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [1] * len(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        angles = np.radians([float(text.split()[0]) for text in texts])
        return (3 * np.stack([np.cos(angles), np.sin(angles)], axis=1)).astype(np.float32)

    def notes(self, texts: Sequence[str]) -> list[str]:
        return [f"{len(texts)} texts"]


def suite_of(*rows: tuple[float, ...], kind: SuiteKind = KIND, groups: Sequence[str] | None = None) -> Suite:
    items = [
        Item(
            str(number),
            groups[number] if groups else str(number),
            {role: f"{angle} {role} {number}" for role, angle in zip(kind.roles, row, strict=True)},
        )
        for number, row in enumerate(rows)
    ]
    return Suite("toy", kind, items, sha256="")


ROWS = [(0, 10, 20, 30), (40, 60, 50, 90), (80, 90, 100, 85), (60, 70, 80, 61)]


@pytest.fixture
def result() -> RunResult:
    return evaluate(Angles(), suite_of(*ROWS), cache=None)


def cosine(degrees: float) -> float:
    return float(np.cos(np.radians(degrees)))


def test_extra_criteria_are_computed(result: RunResult) -> None:
    metrics = result.metrics
    assert (metrics.accuracy, metrics.chance) == (0.25, pytest.approx(1 / 3))
    assert {name: one.accuracy for name, one in metrics.also.items()} == {"over antonym": 0.75, "over negated": 0.5}
    for one in metrics.also.values():
        low, high = one.accuracy_ci
        assert 0 <= low <= one.accuracy <= high <= 1
        assert (one.chance, one.ties) == (0.5, 0)


def test_extra_criterion_may_use_pairs_outside_the_main_criterion() -> None:
    kind = replace(KIND, extra_criteria={"other": closer(("original", "negated"), than=("original", "antonym"))})
    actual = evaluate(Angles(), suite_of(*ROWS, kind=kind), cache=None).metrics.also["other"]
    assert actual.accuracy == 0.5


def test_ties_under_extra_criteria_count_as_fair_draws() -> None:
    actual = evaluate(Angles(), suite_of((0, 10, 10, 90), (0, 10, 20, 10)), cache=None).metrics
    assert (actual.also["over antonym"].accuracy, actual.also["over antonym"].ties) == (0.75, 1)


def test_the_baseline_is_the_mean_of_the_first_half_against_the_second(result: RunResult) -> None:
    by_hand = np.mean([cosine(first - second) for first in (0, 40) for second in (80, 60)])
    assert result.metrics.baseline == pytest.approx(by_hand, abs=1e-6)
    mean = np.mean([cosine(row[0] - row[1]) for row in ROWS])
    assert result.metrics.similarities["original~synonym"] == pytest.approx(mean, abs=1e-6)
    assert result.metrics.normalised["original~synonym"] == pytest.approx((mean - by_hand) / (1 - by_hand), abs=1e-6)
    assert list(result.metrics.normalised) == list(result.metrics.similarities)


def test_the_middle_sentence_of_an_odd_number_is_in_neither_half() -> None:
    assert baseline_halves(suite_of(*ROWS[:3])) == (["0 original 0"], ["80 original 2"])
    assert baseline_halves(suite_of(*ROWS, kind=replace(KIND, baseline_role=None))) == ([], [])


def test_normalised_intervals_are_rescaled_similarity_intervals(result: RunResult) -> None:
    for pair, value in result.metrics.normalised.items():
        low, high = result.metrics.normalised_ci[pair]
        assert low <= value <= high
    # The widest spread, 1 to 50 degrees, has the widest interval.
    widths = {pair: high - low for pair, (low, high) in result.metrics.normalised_ci.items()}
    assert max(widths, key=lambda pair: widths[pair]) == "original~negated"


@pytest.mark.parametrize(
    ("rows", "baseline"), [([ROWS[0]], None), ([(0, 10, 20, 30), (0, 10, 20, 30)], 1.0)], ids=["one item", "no room"]
)
def test_an_undefined_metric_has_no_value(rows: list[tuple[float, ...]], baseline: float | None) -> None:
    metrics = evaluate(Angles(), suite_of(*rows), cache=None).metrics
    assert metrics.baseline == (None if baseline is None else pytest.approx(baseline))
    assert metrics.normalised == metrics.normalised_ci == {}


def test_kind_without_extra_criteria_has_no_extra_accuracies() -> None:
    metrics = evaluate("overlap:words", "semantoneg-mini", cache=None).metrics
    assert (metrics.also, metrics.baseline, metrics.normalised) == ({}, None, {})


def test_pair_scorer_has_a_baseline(tmp_path: Path) -> None:
    suite = suite_of(*ROWS)
    by_hand = evaluate("overlap:words", suite, cache=None).metrics
    # "40 original 1" and "80 original 2" share one of five words; "0 original 0" has only two words.
    assert by_hand.baseline == pytest.approx((1 / 4 + 1 / 4 + 1 / 5 + 1 / 5) / 4)
    results = [next(iter(Engine(cache=tmp_path).run(load_model("overlap:words"), [suite]))) for _ in range(2)]
    assert results[0].metrics == results[1].metrics
    assert results[1].times["computed"] == 0


def test_baseline_pairs_are_limited_with_equal_weight_per_sentence() -> None:
    left, right = [f"l{n}" for n in range(300)], [f"r{n}" for n in range(300)]
    pairs = crossed_pairs(left, right, max_pairs=1_000)
    assert len(pairs) == len(set(pairs)) == 900
    for side in (0, 1):
        assert {sum(pair[side] == one for pair in pairs) for one in (left, right)[side]} == {3}
    assert len(crossed_pairs(left, right, max_pairs=10)) == 300


def test_groups_widen_the_intervals_of_extra_criteria() -> None:
    rows = [(0, 10, 20, 30), (0, 20, 10, 30)] * 20
    apart = evaluate(Angles(), suite_of(*rows), cache=None).metrics.also["over antonym"].accuracy_ci
    groups = [f"g{number % 2}" for number in range(40)]
    together = evaluate(Angles(), suite_of(*rows, groups=groups), cache=None).metrics.also["over antonym"].accuracy_ci
    assert together == (0.0, 1.0)
    assert apart[1] - apart[0] < 0.4


def test_results_round_trip(result: RunResult, tmp_path: Path) -> None:
    path = write_run(tmp_path, result)
    again = read_run(path)
    assert again.metrics == result.metrics
    assert list(again.notes) == ["16 texts"] == list(result.notes)
    assert again.to_dict() == result.to_dict()


def test_results_of_earlier_versions_can_be_read(result: RunResult, tmp_path: Path) -> None:
    path = write_run(tmp_path, result)
    document = json.loads(path.read_text("utf-8"))
    for key in ("also", "baseline", "normalised", "normalised_ci"):
        document["metrics"].pop(key)
    document.pop("notes")
    path.write_text(json.dumps(document), "utf-8")
    old = read_run(path)
    assert (old.metrics.also, old.metrics.baseline, old.metrics.normalised, list(old.notes)) == ({}, None, {}, [])
    assert old.metrics.accuracy == result.metrics.accuracy


def test_notes_do_not_depend_on_the_cache(tmp_path: Path) -> None:
    first = evaluate(Angles(), suite_of(*ROWS), cache=tmp_path)
    second = evaluate(Angles(), suite_of(*ROWS), cache=tmp_path)
    assert second.times["computed"] == 0
    assert first.notes == second.notes


class Half(Angles):
    """An encoder without vectors for sentences that begin with -1."""

    allows_zero_vectors = True  # type: ignore[assignment]

    def encode(self, texts: Sequence[str]) -> Vectors:
        vectors = super().encode(texts)
        vectors[[text.startswith("-1 ") for text in texts]] = 0
        return vectors


def test_a_sentence_without_a_vector_has_similarity_zero() -> None:
    actual = evaluate(Half(), suite_of((0, 10, 20, -1), (-1, 10, 20, 30)), cache=None)
    assert actual.items[0].similarities["original~negated"] == 0.0
    assert actual.items[0].choice == "synonym"
    assert set(actual.items[1].similarities.values()) == {0.0}
    assert actual.items[1].choice is None
    assert actual.metrics.baseline == 0.0
