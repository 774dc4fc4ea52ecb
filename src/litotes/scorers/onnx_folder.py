"""An ONNX model's files: the model, weights outside it, its tokenizer, what is published with it."""

from __future__ import annotations

import hashlib
import mmap
import re
from pathlib import Path
from typing import Any, Literal, get_args

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, is_file, read_json, sha256_file
from litotes.scorers.names import ScorerName, shorten

Pooling = Literal["mean", "cls", "max"]

_OLD_POOLINGS: dict[str, Pooling] = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
}
_USUAL_LENGTH = 512
_OUTSIDE = re.compile(rb"\n\x08location\x12([\x01-\x7f])")
"""How a model names a file of weights: the key “location”, then the length of the name and the name."""


def find_files(name: ScorerName, tokenizer: str | None) -> tuple[Path, Path]:
    """The model file and the tokenizer file that a scorer's name means."""
    if name.revision is not None:
        hint = f"leave out @{shorten(name.revision)}"
        raise UsageError("L102", f"{shorten(name.rest)}: a folder has no revisions", hint=hint)
    model = _model_file(expand_user(name.rest))
    places = [expand_user(tokenizer)] if tokenizer else [place / "tokenizer.json" for place in _places(model)]
    found = next((place for place in places if is_file(place)), None)
    if found is None:
        raise LitotesError(
            "L304",
            f"{shorten(str(places[0]), 200)}: no such tokenizer file",
            hint="name one by onnx:…?tokenizer=PATH/tokenizer.json",
        )
    return model, found


def _model_file(path: Path) -> Path:
    if is_file(path):
        return path
    try:
        is_folder = path.is_dir()
    except (OSError, ValueError):
        is_folder = False
    if not is_folder:
        raise LitotesError("L301", f"{shorten(str(path), 200)}: no such file or folder", hint="check the path")
    for place in (path / "model.onnx", path / "onnx" / "model.onnx"):
        if is_file(place):
            return place
    others = sorted(found.relative_to(path).as_posix() for found in (*path.glob("*.onnx"), *path.glob("onnx/*.onnx")))
    hint = f"it has {', '.join(others)}: name the file" if others else "check the path"
    raise LitotesError("L302", f"{path}: has no model.onnx", hint=hint)


def _places(model: Path) -> list[Path]:
    """Where a model's other files are; the hub's models keep ONNX in a folder of its own."""
    return [model.parent, model.parent.parent] if model.parent.name == "onnx" else [model.parent]


def hash_model(model: Path) -> str:
    """The sha256 of the model file; if it keeps weights outside itself, one sha256 for all of it."""
    outside = [model.parent / name for name in _outside_files(model)]
    if not outside:
        return sha256_file(model)
    digest = hashlib.sha256()
    for path in (model, *outside):
        digest.update(f"{path.name}\0{sha256_file(path)}\0".encode())
    return digest.hexdigest()


def _outside_files(model: Path) -> list[str]:
    """The files beside a model that hold its weights; large models do so, for a file may not be over 2 GB."""
    names: set[str] = set()
    with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for match in _OUTSIDE.finditer(content):
            name = content[match.end() : match.end() + match.group(1)[0]].decode("utf-8", "replace")
            if is_file(model.parent / name):
                names.add(name)
    return sorted(names)


def published_pooling(model: Path) -> Pooling | None:
    """What a sentence-transformers folder says of itself, if that is one of the poolings that we have."""
    for folder in _places(model):
        path = folder / "1_Pooling" / "config.json"
        if path.exists():
            # A layer behind the pooling is no part of the ONNX model: without it the vectors are others.
            return None if any(folder.glob("*[0-9]_Dense")) else _pooling_of(read_json(path))
    return None


def _pooling_of(config: dict[str, Any]) -> Pooling | None:
    named = config.get("pooling_mode")
    for pooling in get_args(Pooling):
        if named == pooling:
            found: Pooling = pooling
            return found
    chosen = [key for key, value in config.items() if key.startswith("pooling_mode_") and value is True]
    return _OLD_POOLINGS.get(chosen[0]) if len(chosen) == 1 else None


def published_max_length(model: Path) -> int:
    """How many tokens the model was published to read."""
    for folder in _places(model):
        for name, key in (
            ("sentence_bert_config.json", "max_seq_length"),
            ("tokenizer_config.json", "model_max_length"),
        ):
            path = folder / name
            length = read_json(path).get(key) if path.exists() else None
            if isinstance(length, int) and 0 < length <= _USUAL_LENGTH:
                return length
    return _USUAL_LENGTH
