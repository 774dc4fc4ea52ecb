"""Lazy sequences: each value is computed once, on demand."""

from __future__ import annotations

from collections.abc import Iterator

from litotes.rewrites.lazy_sequence import LazySequence


def test_computes_each_value_once_on_demand() -> None:
    computed: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(3):
            computed.append(number)
            yield number

    sequence = LazySequence(numbers())
    assert computed == []
    assert next(iter(sequence)) == 0
    assert computed == [0]
    assert list(sequence) == [0, 1, 2] == list(sequence)
    assert computed == [0, 1, 2]


def test_allows_interleaved_readers() -> None:
    sequence = LazySequence(iter("abc"))
    assert [(first, second) for first in sequence for second in sequence] == [
        (first, second) for first in "abc" for second in "abc"
    ]
