"""Numbers as `repr` writes them, many at once."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from litotes.speedups.decimals import written

_FEW = st.integers(-(10**8), 10**8).map(lambda whole: whole / 10**7)
_ANY = st.floats(allow_nan=True, allow_infinity=True) | st.sampled_from([0.0, -0.0, 1e-4, 9.9999999, 10.0, math.nan])


@given(st.lists(_FEW | _ANY))
def test_as_repr_has_it(numbers: list[float]) -> None:
    assert written(numbers) == list(map(repr, numbers))


def test_none() -> None:
    assert written([]) == []
