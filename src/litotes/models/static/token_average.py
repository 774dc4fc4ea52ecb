"""An encoder that looks every token up in a table and averages: no network of layers, and no torch."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, missing_package
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.model_folder import check_safetensors
from litotes.models.names import shorten
from litotes.models.word_vectors.encoder import note_of_sentences

_AT_ONCE = 1024
"""How many texts are tokenized at once."""
_TOKENS_AT_ONCE = 1 << 14
"""How many rows of the table are copied at once, so that memory stays flat; one sentence may have more."""


@dataclass(frozen=True)
class TokenTable:
    """The rows of the tokens, and how they are looked up."""

    rows: NDArray[Any]
    """A row a token, of floats or of small whole numbers."""
    mapping: NDArray[np.int64] | None = None
    """Which row a token has; None: that of its own number."""
    weights: NDArray[np.float32] | None = None
    """What a token counts; None: 1."""
    unknown: int | None = None
    """The number of the token for what is not known, which is left out."""

    @property
    def width(self) -> int:
        """How many numbers a row has."""
        return int(self.rows.shape[1])

    def look_up(self, tokens: NDArray[np.int64]) -> Vectors:
        """A row a token, as 32-bit numbers; a token beyond the end of the table has its last row."""
        where = tokens if self.mapping is None else self.mapping[tokens]
        found: Vectors = self.rows[np.minimum(where, len(self.rows) - 1)].astype(np.float32, copy=False)
        return found if self.weights is None else found * self.weights[tokens][:, None]


class StaticTokens(Encoder):
    """A tokenizer, a table and the mean."""

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

    @property
    def batch_tokens(self) -> int:
        """Nothing is padded: a batch is what is kept at once."""
        return 1 << 15

    @property
    def parallel(self) -> bool:
        """The tokenizer uses the cores by itself."""
        return False

    @property
    def may_know_nothing(self) -> bool:
        """A sentence may be empty, or have only tokens that are not known."""
        return True

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """In tokens that are known."""
        return [max(1, len(tokens)) for tokens in self._tokens(texts)]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The mean of the tokens' rows; zeros for a text without one."""
        out = np.zeros((len(texts), self._table.width), dtype=np.float32)
        for places, tokens in _portions(self._tokens(texts)):
            counts = np.array([len(one) for one in tokens], dtype=np.int64)
            rows = self._table.look_up(np.concatenate(tokens))
            starts = np.concatenate(([0], np.cumsum(counts[:-1])))
            out[places] = np.add.reduceat(rows, starts, axis=0, dtype=np.float64) / counts[:, None]
        if self._normalize:
            # What is all zeros stays so.
            out /= np.linalg.norm(out, axis=1, keepdims=True) + np.float32(1e-32)
        return out

    def notes(self, texts: Sequence[str]) -> list[str]:
        """Which sentences have no token that is known."""
        return note_of_sentences(sum(len(tokens) == 0 for tokens in self._tokens(texts)), "token that is known")

    def _tokens(self, texts: Sequence[str]) -> Iterator[NDArray[np.int64]]:
        """The known tokens of each text."""
        for start in range(0, len(texts), _AT_ONCE):
            chunk = [text[: self._max_characters] for text in texts[start : start + _AT_ONCE]]
            try:
                encodings = self._tokenizer.encode_batch_fast(chunk, add_special_tokens=False)
            except Exception as error:  # half a character, for one, cannot be handed over
                raise LitotesError(
                    "L311",
                    f"{self.name}: its tokenizer fails on {len(chunk)} texts, “{shorten(chunk[0], 60)}” the first",
                ) from error
            for encoding in encodings:
                # Sorted, for the same tokens in another order are to give the same bits.
                found = np.sort(np.array(encoding.ids, dtype=np.int64))
                yield found if self._table.unknown is None else found[found != self._table.unknown]


def _portions(
    tokens: Iterator[NDArray[np.int64]],
) -> Iterator[tuple[list[int], list[NDArray[np.int64]]]]:
    """Texts that have tokens, their places and their tokens, as many as go together."""
    places: list[int] = []
    held: list[NDArray[np.int64]] = []
    total = 0
    for place, one in enumerate(tokens):
        if held and total + len(one) > _TOKENS_AT_ONCE:
            yield places, held
            places, held, total = [], [], 0
        if len(one):
            places.append(place)
            held.append(one)
            total += len(one)
    if held:
        yield places, held


def need_static() -> None:
    """Raise, with the command that brings them, if a package for static models is not installed."""
    for package in ("tokenizers", "safetensors"):
        if importlib.util.find_spec(package) is None:
            raise missing_package(package, "static")


def load_static_tokenizer(path: Path, max_length: int | None) -> Any:
    """The tokenizer in a file, without padding, cutting at so many tokens."""
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # its own kind of error is not public
        reason = shorten(str(error), 120)
        raise LitotesError("L304", f"{path}: is no tokenizer ({reason})", hint="fetch the model again") from error
    if tokenizer.get_vocab_size() == 0:
        raise LitotesError("L304", f"{path}: its vocabulary is empty", hint="fetch the model again")
    tokenizer.no_padding()
    if max_length is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(max_length)
    return tokenizer


def load_arrays(path: Path, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Of the arrays in a safetensors file those that have one of the names."""
    from safetensors import safe_open

    check_safetensors(path)
    try:
        with safe_open(path, framework="np") as file:
            return {name: file.get_tensor(name) for name in file.keys() if name in names}  # noqa: SIM118
    except Exception as error:  # safetensors has no public kind for what numpy cannot hold
        reason = shorten(str(error), 120)
        raise LitotesError("L303", f"{path}: cannot be read ({reason})", hint="fetch the model again") from error


def check_rows(path: Path, rows: NDArray[Any]) -> None:
    """Raise if an array is no table of token vectors."""
    if rows.ndim != 2 or 0 in rows.shape or rows.dtype.kind not in "fi":
        shape = "×".join(map(str, rows.shape))
        raise LitotesError("L311", f"{path}: {shape} numbers of {rows.dtype} are no table of token vectors")
