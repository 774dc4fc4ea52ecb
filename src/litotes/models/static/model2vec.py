"""`model2vec:MODEL`: static models in model2vec's format, such as potion, without torch.

The steps are those of model2vec 0.10: a text is truncated to the maximum number of tokens times their median length in
characters, tokenized without special tokens, and truncated to the maximum number of tokens. Unknown tokens are left
out, the rows of the others are averaged, and the mean is scaled to length 1 if the model's config says so.
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

from litotes.core.errors import LitotesError, require_packages
from litotes.core.files import is_file, read_json, sha256_file
from litotes.models.access import Access
from litotes.models.base import Fingerprint
from litotes.models.hub import find_model
from litotes.models.names import ModelName, parse_options
from litotes.models.static.token_average import (
    StaticEncoder,
    TokenTable,
    check_rows,
    load_arrays,
    load_static_tokenizer,
)

_DEFAULT_LENGTH = 512
_ROWS = ("embeddings", "embedding.weight")
"""The names of the table in files of model2vec and of sentence-transformers."""


@dataclass(frozen=True)
class Model2VecOptions:
    """Options in a name such as `model2vec:FOLDER?max_length=128`."""

    max_length: int | None = None


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> StaticEncoder:
    """Load `model2vec:MODEL`."""
    options = parse_options(Model2VecOptions, values, scheme=name.scheme)
    require_packages("static", "tokenizers", "safetensors")
    weights_file, config_file, tokenizer_file = _files(find_model(name, access))
    config = read_json(config_file)
    max_length = options.max_length or _max_length(config, config_file)
    tokenizer = load_static_tokenizer(tokenizer_file, max_length)
    tokens = tokenizer.get_vocab()
    table = _table(weights_file, len(tokens), _unknown_id(tokenizer))
    characters = int(median(map(len, tokens)))
    normalize = bool(config.get("normalize", False))
    fingerprint = Fingerprint(
        backend="numpy/token-table",
        weights=sha256_file(weights_file),
        config=f"{sha256_file(config_file)} {sha256_file(tokenizer_file)}",
        pooling="mean of known tokens" + (", normalised" if normalize else ""),
        dtype=str(table.rows.dtype),
        max_length=max_length,
    )
    return StaticEncoder(
        name.text,
        fingerprint,
        tokenizer=tokenizer,
        table=table,
        normalize=normalize,
        max_characters=max_length * characters if max_length is not None else None,
    )


def _files(folder: Path) -> tuple[Path, Path, Path]:
    """Return weights, configuration and tokenizer of a model in one of the three published layouts."""
    module, library_config = folder / "0_StaticEmbedding", folder / "config_sentence_transformers.json"
    for parent, config in ((folder, folder / "config.json"), (folder, library_config), (module, library_config)):
        paths = (parent / "model.safetensors", config, parent / "tokenizer.json")
        if all(map(is_file, paths)):
            return paths
    files = ("model.safetensors", "tokenizer.json", "config.json")
    missing = [file for file in files if not is_file(folder / file)]
    code = "L304" if missing == ["tokenizer.json"] else "L302"
    hint = "check the path"
    raise LitotesError(code, f"{folder}: has no {' and no '.join(missing)}, so it is not a static model", hint=hint)


def _max_length(config: Mapping[str, Any], path: Path) -> int | None:
    length = config.get("max_length", _DEFAULT_LENGTH)
    if length is None or (isinstance(length, int) and not isinstance(length, bool) and length > 0):
        return length
    raise LitotesError("L311", f"{path}: max_length is {length!r}, must be a whole number above 0")


def _unknown_id(tokenizer: Any) -> int | None:
    """Return the id of the token for unknown text, which some kinds of tokenizers only have in their file."""
    token = getattr(tokenizer.model, "unk_token", None)
    if token is not None:
        token_id: int | None = tokenizer.token_to_id(token)
        return token_id
    unk_id = json.loads(tokenizer.to_str())["model"].get("unk_id")
    return unk_id if isinstance(unk_id, int) else None


def _table(path: Path, tokens: int, unknown: int | None) -> TokenTable:
    arrays = load_arrays(path, (*_ROWS, "weights", "mapping"))
    rows = next((arrays[name] for name in _ROWS if name in arrays), None)
    if rows is None:
        raise LitotesError("L311", f'{path}: has no array called "embeddings"', hint="is it a static model?")
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


def _misfit(path: Path, content: str) -> LitotesError:
    return LitotesError("L311", f"{path}: has {content}", hint="fetch the model again")
