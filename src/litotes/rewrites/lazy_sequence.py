"""What a generator gives, kept as it comes: rules share it, and none makes more of it than it reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Things that are made one by one when somebody gets that far, and only once.

    >>> made = Kept(print(number) or number for number in (1, 2, 3))
    >>> next(iter(made)), next(iter(made))
    1
    (1, 1)
    >>> list(made)
    2
    3
    [1, 2, 3]
    """

    __slots__ = ("_is_whole", "_made", "_source")

    def __init__(self, source: Iterator[T]) -> None:
        self._source = source
        self._made: list[T] = []
        self._is_whole = False

    def __iter__(self) -> Iterator[T]:
        return iter(self._made) if self._is_whole else self._making()

    def _making(self) -> Iterator[T]:
        made, place = self._made, 0
        while True:
            if place == len(made):
                try:
                    made.append(next(self._source))
                except StopIteration:
                    self._is_whole = True
                    return
            yield made[place]
            place += 1
