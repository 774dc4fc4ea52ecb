"""Ranks of a run among the published models: ties by rounding, published results, different sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from litotes.evaluation.published_ranking import PublishedRank, published_ranks
from litotes.evaluation.result import Metrics, RunResult, SuiteInfo
from litotes.suites.heros import SUBSETS
from litotes.suites.official_files import OFFICIAL_FILES

OFFICIAL = OFFICIAL_FILES["semantoneg"].sha256


def make_run(
    kind: str,
    model: str = "my-model",
    *,
    accuracy: float = 0.5,
    normalised: Mapping[str, float] | None = None,
    sha256: str = "ab" * 32,
    source: str = "",
    items: int = 1000,
    ties: int = 0,
) -> RunResult:
    ends = (math.nan, math.nan)
    return RunResult(
        model=model,
        suite=SuiteInfo(kind, kind, "", sha256, source, "", (), (), "", "group"),
        metrics=Metrics(items, items, accuracy, ends, accuracy, ends, 1 / 3, ties, {}, normalised=normalised or {}),
        choices={},
        fingerprint={},
        settings={},
        versions={},
        items=(),
    )


def on_semantoneg(accuracy: float, model: str = "my-model") -> PublishedRank:
    (result,) = published_ranks(make_run("semantoneg", model, accuracy=accuracy, sha256=OFFICIAL))
    return result


def test_every_published_model_is_counted_once() -> None:
    result = on_semantoneg(0.5)
    assert result.models == 114 and result.published is None
    assert result.same_sentences and "Table 8" in result.source
    # Equally many results in Table 8 are above and below 50.
    assert (result.lower_than, result.level_with, result.higher_than) == (56, 0, 58)


def test_the_best_and_the_worst_model_are_ranked() -> None:
    assert on_semantoneg(0.95).higher_than == 114
    bottom = on_semantoneg(0.0)
    assert bottom.higher_than == 0 and bottom.level_with == 11


def test_equal_printed_values_share_a_rank() -> None:
    level = on_semantoneg(0.87449)
    assert level.shown == "87.4" and level.level_with == 2  # one model under two names
    assert on_semantoneg(0.8751).level_with == 0


def test_published_values_with_more_decimals_are_preferred() -> None:
    # 0.03 in Table 4, 0.0 in Table 8: one right item of 3,152.
    one_right = on_semantoneg(1 / 3152)
    none_right = on_semantoneg(0.0)
    assert one_right.level_with == none_right.level_with + 1
    own = on_semantoneg(1 / 3152, "paraphrase-MiniLM-L3-v2")
    assert (own.published, own.shown) == ("0.03", "0.03")


@pytest.mark.parametrize("name", ["all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2", "st:all-MiniLM-L6-v2"])
def test_published_model_is_not_compared_with_itself(name: str) -> None:
    result = on_semantoneg(61 / 3152, name)
    assert (result.shown, result.published, result.models) == ("1.9", "1.9", 113)
    assert result.level_with == 0


@pytest.mark.parametrize("name", ["onnx:all-MiniLM-L6-v2", "all-MiniLM-L6-v2?max_length=8", "./all-MiniLM-L6-v2"])
def test_a_similar_name_is_not_mistaken_for_a_published_model(name: str) -> None:
    assert on_semantoneg(0.02, name).published is None


def test_different_file_of_the_same_kind_is_not_official() -> None:
    for run in (
        make_run("semantoneg"),
        make_run("heros", normalised={"original~typo": 0.8}),
        make_run("negation-detection"),
    ):
        assert not published_ranks(run)[0].same_sentences


@pytest.mark.parametrize(
    ("items", "source", "same"), [(1000, "Chiang", True), (900, "Chiang", False), (1000, "", False)]
)
def test_a_complete_heros_table_counts_as_published(items: int, source: str, same: bool) -> None:
    run = make_run("heros", normalised={"original~typo": 0.8}, items=items, source=source)
    assert published_ranks(run)[0].same_sentences is same


def test_heros_has_a_rank_for_each_subset() -> None:
    results = published_ranks(
        make_run("heros", "all-MiniLM-L6-v2", normalised={f"original~{one}": 0.9012 for one in SUBSETS})
    )
    assert [one.figure for one in results] == [f"original~{one}" for one in SUBSETS]
    assert all(one.models == 59 and one.shown == "0.901" for one in results)
    assert [one.published for one in results] == ["0.901", "0.860", "0.955", "0.966", "0.845", "0.825"]


def test_a_model_without_a_repository_is_identified_by_its_label() -> None:
    (result,) = published_ranks(make_run("heros", "SNCSE bert-base (unsup*)", normalised={"original~typo": 0.5}))
    assert (result.published, result.lower_than) == ("0.830", 59)


def test_each_triplet_set_has_its_table() -> None:
    (result,) = published_ranks(make_run("negation-detection", accuracy=0.2))
    assert (result.lower_than, result.higher_than) == (3, 2) and "Table 2" in result.source
    (averages,) = published_ranks(make_run("fixed-point-reorder", accuracy=0.0))
    assert averages.level_with == 3 and "Table 6" in averages.source


def test_labels_and_custom_kinds_have_no_published_ranks() -> None:
    assert published_ranks(make_run("nli")) == published_ranks(make_run("my-own-kind")) == ()


def test_a_metric_that_is_nan_has_no_rank() -> None:
    assert published_ranks(make_run("semantoneg", accuracy=math.nan)) == ()


def test_an_accuracy_that_is_mostly_ties_has_no_rank() -> None:
    assert published_ranks(make_run("argument-sensitivity", items=183, ties=179)) == ()
    assert published_ranks(make_run("argument-sensitivity", items=183, ties=92)) == ()
    assert published_ranks(make_run("argument-sensitivity", items=184, ties=92)) != ()
    # HEROS ranks similarities, for which ties do not matter.
    assert published_ranks(make_run("heros", normalised={"original~typo": 0.8}, items=1000, ties=900)) != ()
