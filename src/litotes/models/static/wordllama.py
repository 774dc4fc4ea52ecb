"""`wordllama:MODEL`: WordLlama's static vectors, from its installed package or from a folder; its code is not run.

The steps are those of wordllama 0.4: the mean of the vectors of all tokens, without special tokens and truncation.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, UsageError, require_packages, shorten
from litotes.core.files import expand_user, is_file, is_folder, sha256_file
from litotes.models.access import Access
from litotes.models.base import Fingerprint
from litotes.models.names import ModelName, parse_options
from litotes.models.static.token_average import (
    StaticEncoder,
    TokenTable,
    check_rows,
    load_arrays,
    load_static_tokenizer,
)

_PACKAGE = "wordllama"
_ROWS = "embedding.weight"
_MODEL = re.compile(r"([A-Za-z0-9_]+)_(\d+)")
"""The name of a file of weights, model and number of dimensions: l2_supercat_256."""


@dataclass(frozen=True)
class WordLlamaOptions:
    """Options in a name such as `wordllama:?dim=64`.

    Args:
        dim: Use only the first dimensions, which these models are trained for; default: all.
    """

    dim: int | None = None


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> StaticEncoder:
    """Load `wordllama:MODEL` or `wordllama:FOLDER`."""
    options = parse_options(WordLlamaOptions, values, scheme=name.scheme)
    require_packages("static", "tokenizers", "safetensors")
    if name.revision is not None:
        raise UsageError("L102", f"{shorten(name.text)}: a WordLlama model has no revisions", hint="leave out the @")
    weights, tokenizer_file = _files(name.rest)
    rows = load_arrays(weights, (_ROWS,)).get(_ROWS)
    if rows is None:
        raise LitotesError("L311", f'{weights}: has no array called "{_ROWS}"', hint="is it a WordLlama model?")
    check_rows(weights, rows)
    if options.dim is not None and options.dim > rows.shape[1]:
        raise UsageError("L102", f"dim={options.dim}: its vectors have {rows.shape[1]} dimensions")
    rows = rows[:, : options.dim]
    fingerprint = Fingerprint(
        backend="numpy/token-table",
        weights=sha256_file(weights),
        config=sha256_file(tokenizer_file),
        pooling="mean" + (f" of the first {options.dim} numbers" if options.dim is not None else ""),
        dtype=str(rows.dtype),
    )
    tokenizer = load_static_tokenizer(tokenizer_file, None)
    return StaticEncoder(name.text, fingerprint, tokenizer=tokenizer, table=TokenTable(rows), normalize=False)


def _files(rest: str) -> tuple[Path, Path]:
    """Return the files of the weights and of the tokenizer."""
    folder = expand_user(rest)
    if is_folder(folder):
        weights = _only_weights(folder)
        return weights, _tokenizer([folder / "tokenizers", folder], weights.stem, folder)
    if "/" in rest or "\\" in rest or rest.startswith("~"):
        raise LitotesError("L301", f"{shorten(rest)}: no such folder", hint="check the path")
    folders = _package_folders()
    for parent in folders:
        weights = parent / "weights" / f"{rest}.safetensors"
        if is_file(weights):
            return weights, _tokenizer([folder / "tokenizers" for folder in folders], rest, parent)
    present = sorted(path.stem for parent in folders for path in (parent / "weights").glob("*.safetensors"))
    hint = f"available: {', '.join(present)}" if present else "name a folder with its weights: wordllama:FOLDER"
    raise LitotesError("L301", f'"wordllama:{shorten(rest)}": no such model on this machine', hint=hint)


def _package_folders() -> list[Path]:
    """Return the folder of the package, which is not imported, and the folder that it downloads to."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        hint = "run: pip install wordllama; wordllama:FOLDER does not need it"
        raise LitotesError("L103", "wordllama, the package of its weights, is not installed", hint=hint)
    return [Path(next(iter(spec.submodule_search_locations))), Path.home() / ".cache" / "wordllama"]


def _only_weights(folder: Path) -> Path:
    paths = sorted((*(folder / "weights").glob("*.safetensors"), *folder.glob("*.safetensors")))
    if len(paths) == 1:
        return paths[0]
    if not paths:
        raise LitotesError("L302", f"{folder}: has no weights (l2_supercat_256.safetensors)", hint="check the path")
    names = ", ".join(path.name for path in paths)
    raise LitotesError("L310", f"{folder}: has several models ({names})", hint="put each into a folder of its own")


def _tokenizer(folders: list[Path], model: str, parent: Path) -> Path:
    match = _MODEL.fullmatch(model)
    names = [f"{match.group(1)}_tokenizer_config.json"] if match else []
    names.append("tokenizer.json")
    for path in (folder / name for folder in folders for name in names):
        if is_file(path):
            return path
    raise LitotesError("L304", f"{parent}: has no tokenizer ({' or '.join(names)})", hint="fetch the model again")
