"""Lazy sequences: each value is computed once, on demand."""

from __future__ import annotations

from collections.abc import Iterator

from litotes.rewrites.lazy_sequence import LazySequence


def test_computes_each_value_once_on_demand() -> None:
    made: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(3):
            made.append(number)
            yield number

    kept = LazySequence(numbers())
    assert made == []
    assert next(iter(kept)) == 0
    assert made == [0]
    assert list(kept) == [0, 1, 2] == list(kept)
    assert made == [0, 1, 2]


def test_allows_interleaved_readers() -> None:
    kept = LazySequence(iter("abc"))
    assert [(first, second) for first in kept for second in kept] == [
        (first, second) for first in "abc" for second in "abc"
    ]
