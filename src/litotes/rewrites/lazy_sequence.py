"""A sequence that is computed on demand and can be iterated several times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class LazySequence(Generic[T]):
    """The values of an iterator, each computed when it is first read and stored for later readers.

    >>> numbers = LazySequence(print(number) or number for number in (1, 2, 3))
    >>> next(iter(numbers)), next(iter(numbers))
    1
    (1, 1)
    >>> list(numbers)
    2
    3
    [1, 2, 3]
    """

    __slots__ = ("_is_complete", "_source", "_values")

    def __init__(self, source: Iterator[T]) -> None:
        self._source = source
        self._values: list[T] = []
        self._is_complete = False

    def __iter__(self) -> Iterator[T]:
        return iter(self._values) if self._is_complete else self._read()

    def _read(self) -> Iterator[T]:
        values, index = self._values, 0
        while True:
            if index == len(values):
                try:
                    values.append(next(self._source))
                except StopIteration:
                    self._is_complete = True
                    return
            yield values[index]
            index += 1
