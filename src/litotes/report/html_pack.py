"""Columns of numbers as short texts: what the page unpacks when it first needs them."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

SCALE = 10_000
"""Similarities and margins are kept as whole numbers, in units of 1/10,000."""

_NARROW, _WIDE = np.dtype("<i2"), np.dtype("<i4")


def packed_places(places: Iterable[int]) -> str:
    """Small places in lists, a byte each; -1, for none, is 0.

    >>> packed_places([-1, 0, 2])
    'AAED'
    """
    values = np.fromiter(places, dtype=np.int64) + 1
    if values.size and values.max() > 255:
        raise ValueError("a place is too large for a byte")
    return _text(values.astype(np.uint8))


def packed_numbers(columns: Sequence[Sequence[float]]) -> dict[str, object]:
    """Columns of one length, one after the other: two bytes a number, or four where numbers are large.

    >>> packed_numbers([[0.5, float("nan")]])
    {'wide': False, 'numbers': 'iBMAgA=='}
    """
    scaled = np.round(np.array(columns, dtype=np.float64) * SCALE)
    known = np.isfinite(scaled)
    largest = float(np.abs(scaled[known]).max(initial=0.0))
    kind = _NARROW if largest <= np.iinfo(_NARROW).max else _WIDE
    ends = np.iinfo(kind)
    # The lowest number stands for none.
    whole = np.where(known, np.clip(scaled, ends.min + 1, ends.max), ends.min).astype(kind)
    return {"wide": kind == _WIDE, "numbers": _text(whole)}


def packed_floats(rows: Sequence[Sequence[float]]) -> str:
    """Rows of numbers in single precision."""
    return _text(np.array(rows, dtype=np.dtype("<f4")))


def _text(values: NDArray[np.generic]) -> str:
    return base64.b64encode(values.tobytes()).decode("ascii")
