"""Which sentences go through a model together: equal lengths, so that almost nothing is padding."""

from __future__ import annotations

from collections.abc import Sequence

_SMALL = 4
"""A batch may hold several lengths only while it is smaller than this part of the budget."""


def plan_batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Places of `lengths` in batches of at most `budget` tokens (padding counted), the largest first.

    The largest first, so that workers finish together.

    The plan depends on nothing but the lengths: whatever the number of workers, and however often a run was
    interrupted, a sentence is computed in the same company and gets the same bits.

    >>> plan_batches([3, 9, 3, 9], budget=24)
    [[1, 3], [0, 2]]
    """
    order = sorted(range(len(lengths)), key=lambda place: (-lengths[place], place))
    batches: list[list[int]] = []
    batch: list[int] = []
    for place in order:
        if batch:
            width = lengths[batch[0]]
            full = (len(batch) + 1) * width > budget
            other_length = lengths[place] != lengths[batch[-1]]
            if full or (other_length and len(batch) * width * _SMALL >= budget):
                batches.append(batch)
                batch = []
        batch.append(place)
    if batch:
        batches.append(batch)
    return sorted(batches, key=lambda one: -len(one) * lengths[one[0]])
