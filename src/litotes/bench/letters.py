"""Letters behind models: two that share one do not differ (Piepho, 2004: insert and absorb)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def shared_letters(names: Sequence[str], differing: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The letters of each name, the first names having the first ones; two names share one unless they differ.

    >>> shared_letters(["best", "middle", "worst"], [("best", "worst")])
    {'best': 'a', 'middle': 'ab', 'worst': 'b'}
    """
    columns = [frozenset(names)]
    for one, other in differing:
        split: list[frozenset[str]] = []
        for column in columns:
            split += [column - {one}, column - {other}] if one in column and other in column else [column]
        columns = _absorbed(split)
    rank = {name: place for place, name in enumerate(names)}
    ordered = sorted(columns, key=lambda column: sorted(rank[name] for name in column))
    return {name: "".join(letter(place) for place, column in enumerate(ordered) if name in column) for name in names}


def _absorbed(columns: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Without columns that are part of another: they say nothing that the other does not say."""
    unique = sorted(set(columns), key=lambda column: (-len(column), sorted(column)))
    kept: list[frozenset[str]] = []
    for column in unique:
        if column and not any(column <= other for other in kept):
            kept.append(column)
    return kept


def letter(place: int) -> str:
    """a to z, then with a stroke for each time round.

    >>> letter(0), letter(25), letter(26)
    ('a', 'z', 'a′')
    """
    rounds, place = divmod(place, 26)
    return chr(ord("a") + place) + "′" * rounds
