"""Developmental negation (Laverghetta and Licato, 2022): NLI pairs with the kinds of negation that children learn.

Reads the published JSON lines with sentence1, sentence2, gold_label and a column of 0 and 1 for each category: the sets
of the categories, the undersampled sets and the set without negation.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import is_folder, sha256_file
from litotes.corpora.nli import NliPair, read_nli
from litotes.corpora.streams import uncompressed_name
from litotes.languages.negation_categories import CATEGORIES
from litotes.suites.base import Item, Suite
from litotes.suites.nli import KIND
from litotes.suites.official_files import OFFICIAL_FILES

_PUBLISHED_NAME = re.compile(r".+\.jsonl?(_undersampled)?", re.IGNORECASE)
_ID_DIGITS = 12


def load_official(path: Path, *, name: str = "developmental") -> Suite:
    """Load a published file or a folder of them.

    Equal pairs with the same label become one item with the categories of all of them; a pair with two labels, which
    occurs in the files, becomes two items.
    """
    files = _files(path)
    pairs = read_nli([str(file) for file in files], format="snli", strict=True)
    items = _items(pairs)
    if not items:
        raise LitotesError("L204", f"{path}: has no items")
    return Suite(
        name=name,
        kind=KIND,
        items=items,
        sha256=_sha256(files),
        source="Laverghetta and Licato (2022), Developmental Negation Processing in Transformer Language Models",
        licence=OFFICIAL_FILES["developmental"].licence,
    )


def _files(path: Path) -> list[Path]:
    if not is_folder(path):
        return [path]
    files = sorted(
        file for file in path.iterdir() if file.is_file() and _PUBLISHED_NAME.fullmatch(uncompressed_name(file.name))
    )
    if not files:
        raise LitotesError(
            "L204",
            f"{path}: does not contain any of the published files",
            hint="their names look like existence_test_innoculation_v5.jsonl",
        )
    return files


def _items(pairs: Iterable[NliPair]) -> list[Item]:
    """Return one item per pair and label, in the order of their first occurrence."""
    categories: dict[tuple[str, str, str], set[str]] = {}
    for pair in pairs:
        categories.setdefault((pair.premise, pair.hypothesis, pair.label), set()).update(pair.categories or ())
    return [_item(*key, names) for key, names in categories.items()]


def _item(premise: str, hypothesis: str, label: str, categories: set[str]) -> Item:
    return Item(
        id=_id(premise, hypothesis, label),
        group=premise,
        sentences={"premise": premise, "hypothesis": hypothesis},
        tags={"label": label, "categories": " ".join(name for name in CATEGORIES if name in categories)},
    )


def _id(*parts: str) -> str:
    """Return an id that depends only on the texts, because the files overlap and have no ids."""
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return f"devneg-{hashlib.sha256(text).hexdigest()[:_ID_DIGITS]}"


def _sha256(files: Sequence[Path]) -> str:
    """Return the sha256 of a single file, or a joint sha256 of several files and their names."""
    if len(files) == 1:
        return sha256_file(files[0])
    lines = "".join(f"{file.name}\0{sha256_file(file)}\n" for file in files)
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()
