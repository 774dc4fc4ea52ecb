"""Encoders that look up the vector of each token in a table and average, without a network and without torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, shorten
from litotes.core.model_folders.files import check_safetensors, open_tokenizer_file
from litotes.models.base import Fingerprint, Vectors
from litotes.models.lookup_encoder import LookupEncoder, unknown_sentences_note

_TEXTS_PER_CALL = 1024
_TOKENS_PER_STEP = 1 << 14
"""Limits the rows of the table that are copied at once; a single sentence may have more."""


@dataclass(frozen=True)
class TokenTable:
    """The vectors of tokens.

    Args:
        rows: One row per token, of floats or small integers.
        mapping: The row of each token id; default: the id itself.
        weights: The weight of each token; default: 1.
        unknown: The id of the token for unknown text, which is left out.
    """

    rows: NDArray[Any]
    mapping: NDArray[np.int64] | None = None
    weights: NDArray[np.float32] | None = None
    unknown: int | None = None

    @property
    def width(self) -> int:
        """The number of dimensions."""
        return int(self.rows.shape[1])

    def lookup(self, tokens: NDArray[np.int64]) -> Vectors:
        """Return one row per token as 32-bit floats; tokens beyond the end of the table have its last row."""
        indexes = tokens if self.mapping is None else self.mapping[tokens]
        vectors: Vectors = self.rows[np.minimum(indexes, len(self.rows) - 1)].astype(np.float32, copy=False)
        return vectors if self.weights is None else vectors * self.weights[tokens][:, None]


class StaticEncoder(LookupEncoder):
    """The mean of the vectors of tokens."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        *,
        tokenizer: Any,
        table: TokenTable,
        normalize: bool,
        max_characters: int | None = None,
    ) -> None:
        super().__init__(name, fingerprint)
        self._tokenizer = tokenizer
        self._table = table
        self._normalize = normalize
        self._max_characters = max_characters

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the number of known tokens of each text, at least 1."""
        return [max(1, len(tokens)) for tokens in self._tokens(texts)]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the means; zeros for a text without a known token."""
        out = np.zeros((len(texts), self._table.width), dtype=np.float32)
        for indexes, tokens in _group(self._tokens(texts)):
            counts = np.array(list(map(len, tokens)), dtype=np.int64)
            rows = self._table.lookup(np.concatenate(tokens))
            starts = np.concatenate(([0], np.cumsum(counts[:-1])))
            out[indexes] = np.add.reduceat(rows, starts, axis=0, dtype=np.float64) / counts[:, None]
        if self._normalize:
            out /= np.linalg.norm(out, axis=1, keepdims=True) + np.float32(1e-32)
        return out

    def notes(self, texts: Sequence[str]) -> list[str]:
        """Return a note about sentences without a known token."""
        return unknown_sentences_note(sum(len(tokens) == 0 for tokens in self._tokens(texts)), "known token")

    def _tokens(self, texts: Sequence[str]) -> Iterator[NDArray[np.int64]]:
        """Yield the ids of the known tokens of each text, sorted, so that their order does not change a bit."""
        for start in range(0, len(texts), _TEXTS_PER_CALL):
            chunk = [text[: self._max_characters] for text in texts[start : start + _TEXTS_PER_CALL]]
            try:
                encodings = self._tokenizer.encode_batch_fast(chunk, add_special_tokens=False)
            except Exception as error:  # for example, lone surrogates
                raise LitotesError(
                    "L311",
                    f"{self.name}: its tokenizer failed on {len(chunk)} texts starting with “{shorten(chunk[0], 60)}”",
                ) from error
            for encoding in encodings:
                ids = np.sort(np.array(encoding.ids, dtype=np.int64))
                yield ids if self._table.unknown is None else ids[ids != self._table.unknown]


def _group(texts: Iterator[NDArray[np.int64]]) -> Iterator[tuple[list[int], list[NDArray[np.int64]]]]:
    """Yield the indexes and tokens of texts that have tokens, in groups of limited size."""
    indexes: list[int] = []
    group: list[NDArray[np.int64]] = []
    total = 0
    for index, tokens in enumerate(texts):
        if group and total + len(tokens) > _TOKENS_PER_STEP:
            yield indexes, group
            indexes, group, total = [], [], 0
        if len(tokens):
            indexes.append(index)
            group.append(tokens)
            total += len(tokens)
    if group:
        yield indexes, group


def load_static_tokenizer(path: Path, max_length: int | None) -> Any:
    """Load a tokenizer without padding that truncates at `max_length` tokens."""
    tokenizer = open_tokenizer_file(path)
    if tokenizer.get_vocab_size() == 0:
        raise LitotesError("L304", f"{path}: its vocabulary is empty", hint="fetch the model again")
    if max_length is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(max_length)
    return tokenizer


def load_arrays(path: Path, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return the arrays with these names in a safetensors file, as far as it has them."""
    from safetensors import safe_open

    check_safetensors(path)
    try:
        with safe_open(path, framework="np") as file:
            return {name: file.get_tensor(name) for name in file.keys() if name in names}  # noqa: SIM118
    except Exception as error:  # safetensors has no public exception for types that numpy does not have
        reason = shorten(str(error), 120)
        raise LitotesError("L303", f"{path}: cannot be read ({reason})", hint="fetch the model again") from error


def check_rows(path: Path, rows: NDArray[Any]) -> None:
    """Raise if an array cannot be a table of token vectors."""
    if rows.ndim != 2 or 0 in rows.shape or rows.dtype.kind not in "fi":
        shape = "×".join(map(str, rows.shape))
        message = f"{path}: an array of shape {shape} and type {rows.dtype} is not a table of token vectors"
        raise LitotesError("L311", message)
