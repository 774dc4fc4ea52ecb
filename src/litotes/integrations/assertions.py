"""A floor under a model's score, for tests: below it a build fails, and is told which items did it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.evaluation.api import evaluate

if TYPE_CHECKING:
    from litotes.evaluation.result import ItemResult, RunResult
    from litotes.models.base import Model
    from litotes.suites.base import Suite

_SHOWN = 10


def assert_at_least(
    model: Model | str, suite: Suite | str, floor: float, *, significantly: bool = False, shown: int = _SHOWN
) -> RunResult:
    """The result if the model's accuracy is at least `floor`, a share from 0 to 1; else an AssertionError.

    With `significantly` it fails only where the whole 95 % interval lies below the floor, so that a handful of items
    more or less does not break a build.

    >>> assert_at_least("overlap:words", "negation-detection-mini", 0.3).metrics.items
    178
    """
    result = evaluate(model, suite)
    found = result.metrics.accuracy_ci[1] if significantly else result.metrics.accuracy
    if found < floor:
        raise AssertionError(_told(result, floor, shown))
    return result


def _told(result: RunResult, floor: float, shown: int) -> str:
    failed = sorted((item for item in result.items if item.credit < 1), key=lambda item: (item.margin, item.id))
    low, high = result.metrics.accuracy_ci
    lines = [
        f"{result.model} on {result.suite.name}: {result.metrics.accuracy:.1%} right ({low:.1%} to {high:.1%}), "
        f"at least {floor:.1%} is needed; {len(failed):,} of {len(result.items):,} items failed:".replace("%", " %"),
        *(_line(item) for item in failed[:shown]),
    ]
    if len(failed) > shown:
        lines.append(f"  … and {len(failed) - shown:,} more, in result.items")
    return "\n".join(lines)


def _line(item: ItemResult) -> str:
    sentences = "; ".join(f"{role}: {text}" for role, text in item.sentences.items())
    return f"  {item.id} (margin {item.margin:+.3f}) {sentences}"
