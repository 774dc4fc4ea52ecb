"""Numbers of few decimals as text, thousands at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_DECIMALS = 7
_ZERO, _POINT, _MINUS = (ord(sign) for sign in "0.-")


def written(numbers: Sequence[float]) -> list[str]:
    """Each number as `repr` writes it; sooner than by `repr` where they have at most seven decimals.

    >>> written([0.25, -1.0, 0.9345612, 3e-07, 1 / 3])
    ['0.25', '-1.0', '0.9345612', '3e-07', '0.3333333333333333']
    """
    values = np.array(numbers, dtype=np.float64)
    size = np.abs(values)
    in_range = (size >= 1e-4) & (size < 10)
    whole = np.rint(np.where(in_range, size, 0.0) * 10**_DECIMALS)
    fits = in_range & (whole / 10**_DECIMALS == size)
    # A sign, a digit, the point, and the decimals; what is left 0 is no character.
    signs = np.zeros((len(values), 3 + _DECIMALS), dtype=np.uint32)
    left = np.where(fits, whole, 0).astype(np.int32)
    needed = np.zeros(len(values), dtype=bool)
    for place in range(2 + _DECIMALS, 2, -1):
        tens = left // 10
        digit = left - 10 * tens
        needed |= (digit > 0) | (place == 3)  # zeros at the end are not written, but for one behind the point
        signs[:, place] = np.where(needed, digit + _ZERO, 0)
        left = tens
    signs[:, 2], signs[:, 1], signs[:, 0] = _POINT, left + _ZERO, _MINUS
    without_sign = np.ascontiguousarray(signs[:, 1:])
    texts = np.where(values < 0, _as_texts(signs), _as_texts(without_sign)).tolist()
    for place in np.flatnonzero(~fits).tolist():
        texts[place] = repr(numbers[place])
    found: list[str] = texts
    return found


def _as_texts(signs: np.ndarray[tuple[int, int], np.dtype[np.uint32]]) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
    return signs.view(f"<U{signs.shape[1]}").ravel()
