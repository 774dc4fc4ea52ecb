"""Small ONNX models, written without the onnx package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FLOAT, INT64 = 1, 7


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


@dataclass(frozen=True)
class Value:
    """Return an input or an output; texts name dynamic dimensions, numbers are fixed ones."""

    name: str
    shape: Sequence[str | int]
    kind: int = FLOAT

    def write(self) -> bytes:
        dimensions = b"".join(
            _bytes(1, _number(1, size) if isinstance(size, int) else _bytes(2, size)) for size in self.shape
        )
        tensor = _number(1, self.kind) + _bytes(2, dimensions)
        return _bytes(1, self.name) + _bytes(2, _bytes(1, tensor))


def _node(kind: str, inputs: Sequence[str], output: str, **attributes: Sequence[int] | int) -> bytes:
    written = b"".join(_bytes(1, name) for name in inputs) + _bytes(2, output) + _bytes(4, kind)
    return written + b"".join(_bytes(5, _attribute(name, value)) for name, value in attributes.items())


def _attribute(name: str, value: Sequence[int] | int) -> bytes:
    if isinstance(value, int):
        return _bytes(1, name) + _number(3, value) + _number(20, 2)
    return _bytes(1, name) + b"".join(_number(8, one) for one in value) + _number(20, 7)


def _highest(output: str, axes: Sequence[int]) -> bytes:
    return _node("ReduceMax", ["last_hidden_state"], output, axes=axes, keepdims=0)


def _tensor(name: str, numbers: np.ndarray, outside: str | None) -> bytes:
    head = b"".join(_number(1, size) for size in numbers.shape) + _number(2, FLOAT) + _bytes(8, name)
    if outside is None:
        return head + _bytes(9, numbers.astype("<f4").tobytes())
    location = _bytes(13, _bytes(1, "location") + _bytes(2, outside))
    return head + location + _number(14, 1)


def save_graph(
    path: Path,
    *,
    table: np.ndarray,
    outputs: Sequence[str] = ("last_hidden_state",),
    inputs: Sequence[Value] = (Value("input_ids", ("batch", "length"), INT64),),
    outside: str | None = None,
) -> Path:
    """Return a model that looks up each token in a table.

    Its outputs may be `last_hidden_state` (one vector per token), `more` (the same), `sentence_embedding` (the
    highest of each dimension), `ids` (whole numbers) and `flat` (one number per sentence).
    """
    if outside is not None:
        (path.parent / outside).write_bytes(table.astype("<f4").tobytes())
    wide = table.shape[1]
    known = {
        "last_hidden_state": (
            _node("Gather", ["table", "input_ids"], "last_hidden_state"),
            ("batch", "length", wide),
        ),
        "more": (_node("Identity", ["last_hidden_state"], "more"), ("batch", "length", wide)),
        "ids": (_node("Identity", ["input_ids"], "ids"), ("batch", "length")),
        "flat": (_highest("flat", (1, 2)), ("batch",)),
        "sentence_embedding": (_highest("sentence_embedding", (1,)), ("batch", wide)),
    }
    outputs_ = dict.fromkeys(["last_hidden_state", *outputs])
    graph = b"".join(_bytes(1, known[name][0]) for name in outputs_)
    graph += _bytes(2, "tiny") + _bytes(5, _tensor("table", table, outside))
    graph += b"".join(_bytes(11, value.write()) for value in inputs)
    graph += b"".join(
        _bytes(12, Value(name, known[name][1], INT64 if name == "ids" else FLOAT).write()) for name in outputs
    )
    path.write_bytes(_number(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, "") + _number(2, 13)))
    return path
