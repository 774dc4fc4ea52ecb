"""`model2vec:` — static models in model2vec's format, potion and others, without torch.

The steps are those of model2vec 0.10: a text is cut at so many characters as the longest input has tokens of the
median length, tokenized without special tokens, cut at the longest input; unknown tokens are left out, the rows of the
rest averaged, and the mean scaled to length 1 where the model's config says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import is_file, read_json, sha256_file
from litotes.models.access import Access
from litotes.models.base import Fingerprint
from litotes.models.hub import find_model
from litotes.models.names import ScorerName, parse_options
from litotes.models.static.token_average import (
    StaticTokens,
    TokenTable,
    check_rows,
    load_arrays,
    load_static_tokenizer,
    need_static,
)

_USUAL_LENGTH = 512
_ROWS = ("embeddings", "embedding.weight")
"""What the table is called, by model2vec itself and by sentence-transformers."""


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `model2vec:FOLDER?max_length=128`."""

    max_length: int | None = None


@dataclass(frozen=True)
class _Layout:
    """Where the files of a model are, in one of the three ways that are published."""

    weights: Path
    config: Path
    tokenizer: Path


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> StaticTokens:
    """The static model of that name or in that folder."""
    options = parse_options(Options, given, scheme=name.scheme)
    need_static()
    layout = _layout(find_model(name, access))
    config = read_json(layout.config)
    max_length = options.max_length or _max_length(config, layout.config)
    tokenizer = load_static_tokenizer(layout.tokenizer, max_length)
    tokens = tokenizer.get_vocab()
    table = _table(layout.weights, len(tokens), _unknown(tokenizer))
    characters = int(median(map(len, tokens)))
    normalize = bool(config.get("normalize", False))
    fingerprint = Fingerprint(
        backend="numpy/token-table",
        weights=sha256_file(layout.weights),
        config=f"{sha256_file(layout.config)} {sha256_file(layout.tokenizer)}",
        pooling="mean of known tokens" + (", normalised" if normalize else ""),
        dtype=str(table.rows.dtype),
        max_length=max_length,
    )
    return StaticTokens(
        name.text,
        fingerprint,
        tokenizer=tokenizer,
        table=table,
        normalize=normalize,
        max_characters=max_length * characters if max_length is not None else None,
    )


def _layout(folder: Path) -> _Layout:
    below = folder / "0_StaticEmbedding"
    for place, config in ((folder, "config.json"), (folder, "config_sentence_transformers.json"), (below, "")):
        layout = _Layout(
            place / "model.safetensors",
            folder / (config or "config_sentence_transformers.json"),
            place / "tokenizer.json",
        )
        if all(map(is_file, (layout.weights, layout.config, layout.tokenizer))):
            return layout
    needed = ("model.safetensors", "tokenizer.json", "config.json")
    missing = [file for file in needed if not is_file(folder / file)]
    code = "L304" if missing == ["tokenizer.json"] else "L302"
    raise LitotesError(
        code, f"{folder}: has no {' and no '.join(missing)}, so it is no static model", hint="check the path"
    )


def _max_length(config: Mapping[str, Any], where: Path) -> int | None:
    length = config.get("max_length", _USUAL_LENGTH)
    if length is None or (isinstance(length, int) and not isinstance(length, bool) and length > 0):
        return length
    raise LitotesError("L311", f"{where}: max_length is {length!r}, a whole number above 0 is needed")


def _unknown(tokenizer: Any) -> int | None:
    """The number of the token for what is not known; models of one kind keep it in their file alone."""
    token = getattr(tokenizer.model, "unk_token", None)
    if token is not None:
        number: int | None = tokenizer.token_to_id(token)
        return number
    found = json.loads(tokenizer.to_str())["model"].get("unk_id")
    return found if isinstance(found, int) else None


def _table(path: Path, tokens: int, unknown: int | None) -> TokenTable:
    arrays = load_arrays(path, (*_ROWS, "weights", "mapping"))
    rows = next((arrays[name] for name in _ROWS if name in arrays), None)
    if rows is None:
        raise LitotesError(
            "L311", f'{path}: has no array called "embeddings"', hint="model2vec: needs a static model; is it another?"
        )
    check_rows(path, rows)
    mapping = arrays.get("mapping")
    if mapping is None and len(rows) != tokens:
        raise _misfit(path, f"{len(rows):,} vectors for the {tokens:,} tokens of its tokenizer")
    return TokenTable(rows, _checked_mapping(path, mapping, len(rows), tokens), _weights(path, arrays, tokens), unknown)


def _checked_mapping(path: Path, mapping: NDArray[Any] | None, rows: int, tokens: int) -> NDArray[np.int64] | None:
    if mapping is None:
        return None
    if mapping.ndim != 1 or len(mapping) < tokens or mapping.dtype.kind not in "iu":
        raise _misfit(path, f"a mapping of {len(mapping):,} for the {tokens:,} tokens of its tokenizer")
    if mapping.min() < 0 or mapping.max() >= rows:
        raise _misfit(path, f"a mapping to row {int(mapping.max()):,} of {rows:,}")
    return mapping.astype(np.int64)


def _weights(path: Path, arrays: Mapping[str, NDArray[Any]], tokens: int) -> NDArray[np.float32] | None:
    weights = arrays.get("weights")
    if weights is None:
        return None
    if weights.ndim != 1 or len(weights) < tokens:
        raise _misfit(path, f"{len(weights):,} weights for the {tokens:,} tokens of its tokenizer")
    return weights.astype(np.float32)


def _misfit(path: Path, what: str) -> LitotesError:
    return LitotesError("L311", f"{path}: has {what}", hint="fetch the model again")
