"""Packed columns preserve four decimals."""

from __future__ import annotations

import base64
import math
import struct

import pytest

from litotes.report.page_data import pack_columns, pack_indexes, pack_rows


def numbers(packed: dict[str, object]) -> list[int]:
    kind = "<i" if packed["wide"] else "<h"
    return [value for (value,) in struct.iter_unpack(kind, base64.b64decode(str(packed["numbers"])))]


def test_similarities_take_two_bytes() -> None:
    packed = pack_columns([[0.12344, -1.0, 1.0], [2.0, -2.0, 0.0]])
    assert packed["wide"] is False
    assert numbers(packed) == [1234, -10000, 10000, 20000, -20000, 0]


def test_large_numbers_take_four_bytes() -> None:
    packed = pack_columns([[-87.5, 0.0001]])
    assert packed["wide"] is True
    assert numbers(packed) == [-875000, 1]


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
def test_missing_numbers_become_the_lowest_integer(odd: float) -> None:
    assert numbers(pack_columns([[odd, 0.5]])) == [-(2**15), 5000]
    assert numbers(pack_columns([[odd, 50.0]])) == [-(2**31), 500_000]


def test_huge_numbers_are_clipped() -> None:
    assert numbers(pack_columns([[1e9, -1e9]])) == [2**31 - 1, -(2**31) + 1]


def test_indexes_are_packed_as_bytes() -> None:
    assert list(base64.b64decode(pack_indexes([-1, 0, 254]))) == [0, 1, 255]
    assert pack_indexes([]) == "" and pack_columns([[]])["numbers"] == "" and pack_rows([]) == ""
    with pytest.raises(ValueError, match="too large"):
        pack_indexes([255])
