"""An assertion for test suites: the accuracy of a model is at least a minimum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.evaluation.api import evaluate

if TYPE_CHECKING:
    from litotes.evaluation.result import ItemResult, RunResult
    from litotes.models.base import Model
    from litotes.suites.base import Suite


def assert_at_least(
    model: Model | str, suite: Suite | str, minimum: float, *, significantly: bool = False, max_items: int = 10
) -> RunResult:
    """Return the result if the model's accuracy is at least `minimum` (0 to 1); otherwise raise an AssertionError.

    The error lists up to `max_items` failed items. With `significantly`, it is only raised if the whole 95 % confidence
    interval is below the minimum, so that a few items more or less do not break a build.

    >>> assert_at_least("overlap:words", "negation-detection-mini", 0.3).metrics.items
    178
    """
    result = evaluate(model, suite)
    accuracy = result.metrics.accuracy_ci[1] if significantly else result.metrics.accuracy
    if accuracy < minimum:
        raise AssertionError(_message(result, minimum, max_items))
    return result


def _message(result: RunResult, minimum: float, max_items: int) -> str:
    failed = sorted((item for item in result.items if item.credit < 1), key=lambda item: (item.margin, item.id))
    low, high = result.metrics.accuracy_ci
    lines = [
        f"{result.model} on {result.suite.name}: {result.metrics.accuracy:.1%} right ({low:.1%} to {high:.1%}), "
        f"at least {minimum:.1%} is required; {len(failed):,} of {len(result.items):,} failed:".replace("%", " %"),
        *(_line(item) for item in failed[:max_items]),
    ]
    if len(failed) > max_items:
        lines.append(f"  … and {len(failed) - max_items:,} more, in result.items")
    return "\n".join(lines)


def _line(item: ItemResult) -> str:
    sentences = "; ".join(f"{role}: {text}" for role, text in item.sentences.items())
    return f"  {item.id} (margin {item.margin:+.3f}) {sentences}"
