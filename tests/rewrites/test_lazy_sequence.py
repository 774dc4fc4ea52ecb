"""What a generator gives, kept as it comes."""

from __future__ import annotations

from collections.abc import Iterator

from litotes.rewrites.lazy_sequence import LazySequence


def test_nothing_is_made_that_nobody_reads_and_nothing_twice() -> None:
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


def test_two_may_read_it_at_a_time() -> None:
    kept = LazySequence(iter("abc"))
    assert [(one, other) for one in kept for other in kept] == [(one, other) for one in "abc" for other in "abc"]
