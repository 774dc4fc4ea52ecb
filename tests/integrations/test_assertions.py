"""Assertions about a minimum accuracy."""

from __future__ import annotations

import pytest

from litotes.evaluation.api import evaluate
from litotes.integrations.assertions import assert_at_least

MODEL, SUITE = "overlap:words", "negation-detection-mini"


def test_an_accuracy_above_the_minimum_returns_the_result() -> None:
    assert assert_at_least(MODEL, SUITE, 0.0).suite.name == SUITE


def test_an_accuracy_below_the_minimum_lists_the_worst_items() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_at_least(MODEL, SUITE, 0.99, max_items=3)
    lines = str(caught.value).splitlines()
    failed = [item for item in evaluate(MODEL, SUITE, cache=None).items if item.credit < 1]
    worst = min(failed, key=lambda item: (item.margin, item.id))
    assert f"{len(failed):,} of" in lines[0]
    assert worst.id in lines[1] and worst.sentences["negated"] in lines[1]
    assert len(lines) == 5 and f"{len(failed) - 3:,} more" in lines[-1]


def test_an_interval_that_reaches_the_minimum_passes() -> None:
    result = evaluate(MODEL, SUITE, cache=None).metrics
    between = (result.accuracy + result.accuracy_ci[1]) / 2
    with pytest.raises(AssertionError):
        assert_at_least(MODEL, SUITE, between)
    assert_at_least(MODEL, SUITE, between, significantly=True)


def test_failed_assertion_fails_a_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        f"""
        from litotes.integrations.assertions import assert_at_least

        def test_model():
            assert_at_least("{MODEL}", "{SUITE}", 0.99)
        """
    )
    pytester.runpytest_inprocess("-p", "no:cacheprovider").stdout.fnmatch_lines(["*AssertionError: overlap:words on *"])
