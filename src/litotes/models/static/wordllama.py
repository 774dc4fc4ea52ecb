"""`wordllama:` — WordLlama's static vectors, from its installed package or from a folder; its code is not run.

The steps are those of wordllama 0.4: tokens without special ones and without a limit, a row each, their mean.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, is_file, is_folder, sha256_file
from litotes.models.access import Access
from litotes.models.base import Fingerprint
from litotes.models.names import ScorerName, parse_options, shorten
from litotes.models.static.token_average import (
    StaticTokens,
    TokenTable,
    check_rows,
    load_arrays,
    load_static_tokenizer,
    need_static,
)

_PACKAGE = "wordllama"
_ROWS = "embedding.weight"
_MODEL = re.compile(r"([A-Za-z0-9_]+)_(\d+)")
"""What a file of weights is called: the model and how many numbers a vector has, l2_supercat_256."""


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `wordllama:?dim=64`."""

    dim: int | None = None
    """How many numbers of each vector are used; the models are trained such that the first ones do."""


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> StaticTokens:
    """The WordLlama model of that name, in the package or in a folder."""
    options = parse_options(Options, given, scheme=name.scheme)
    need_static()
    if name.revision is not None:
        raise UsageError("L102", f"{shorten(name.text)}: a WordLlama model has no revisions", hint="leave out the @")
    weights, tokenizer_file = _files(name.rest)
    rows = load_arrays(weights, (_ROWS,)).get(_ROWS)
    if rows is None:
        raise LitotesError("L311", f'{weights}: has no array called "{_ROWS}"', hint="is it a WordLlama model?")
    check_rows(weights, rows)
    if options.dim is not None and options.dim > rows.shape[1]:
        raise UsageError("L102", f"dim={options.dim}: its vectors have {rows.shape[1]} numbers")
    rows = rows[:, : options.dim]
    fingerprint = Fingerprint(
        backend="numpy/token-table",
        weights=sha256_file(weights),
        config=sha256_file(tokenizer_file),
        pooling="mean" + (f" of the first {options.dim} numbers" if options.dim is not None else ""),
        dtype=str(rows.dtype),
    )
    tokenizer = load_static_tokenizer(tokenizer_file, None)
    return StaticTokens(name.text, fingerprint, tokenizer=tokenizer, table=TokenTable(rows), normalize=False)


def _files(rest: str) -> tuple[Path, Path]:
    """The weights and the tokenizer that a name means."""
    folder = expand_user(rest)
    if is_folder(folder):
        weights = _only_weights(folder)
        return weights, _tokenizer(_places(folder, "tokenizers"), weights.stem, folder)
    if "/" in rest or "\\" in rest or rest.startswith("~"):
        raise LitotesError("L301", f"{shorten(rest)}: no such folder", hint="check the path")
    homes = _homes()
    for home in homes:
        if is_file(home / "weights" / f"{rest}.safetensors"):
            weights = home / "weights" / f"{rest}.safetensors"
            return weights, _tokenizer([one / "tokenizers" for one in homes], rest, home)
    here = sorted(path.stem for home in homes for path in (home / "weights").glob("*.safetensors"))
    raise LitotesError(
        "L301",
        f'"wordllama:{shorten(rest)}": no such model on this machine',
        hint=f"here are {', '.join(here)}" if here else "wordllama:FOLDER names a folder with its weights",
    )


def _homes() -> list[Path]:
    """The package's folder, of which nothing is imported, and the one to which the package downloads."""
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise LitotesError(
            "L103",
            "wordllama, the package of its weights, is not installed",
            hint="pip install wordllama brings it; wordllama:FOLDER needs no package",
        )
    return [Path(next(iter(found.submodule_search_locations))), Path.home() / ".cache" / "wordllama"]


def _places(folder: Path, below: str) -> list[Path]:
    return [folder / below, folder]


def _only_weights(folder: Path) -> Path:
    found = sorted(path for place in _places(folder, "weights") for path in place.glob("*.safetensors"))
    if len(found) == 1:
        return found[0]
    if not found:
        raise LitotesError("L302", f"{folder}: has no weights (l2_supercat_256.safetensors)", hint="check the path")
    names = ", ".join(path.name for path in found)
    raise LitotesError("L310", f"{folder}: has several models ({names})", hint="put each into a folder of its own")


def _tokenizer(places: list[Path], model: str, where: Path) -> Path:
    match = _MODEL.fullmatch(model)
    names = [f"{match.group(1)}_tokenizer_config.json"] if match else []
    for place in places:
        for name in (*names, "tokenizer.json"):
            if is_file(place / name):
                return place / name
    wanted = " or ".join((*names, "tokenizer.json"))
    raise LitotesError("L304", f"{where}: has no tokenizer ({wanted})", hint="fetch the model again")
