"""Developmental negation (Laverghetta and Licato, 2022): NLI pairs with the kinds of negation that children learn.

The published files are read as they are: JSON lines with sentence1, sentence2, gold_label and a column of 0 and 1 for
each category; the sets of the categories, the undersampled ones and the set without negation.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import is_folder, sha256_file
from litotes.corpora.nli import NliPair, read_nli
from litotes.languages.negation_categories import CATEGORIES
from litotes.suites.base import Item, Suite
from litotes.suites.nli import KIND
from litotes.suites.official_files import SOURCES

_PUBLISHED = re.compile(r".+\.jsonl?(_undersampled)?(\.gz|\.bz2|\.zst)?", re.IGNORECASE)
_DIGITS = 12


def load_official(path: Path, *, name: str = "developmental") -> Suite:
    """The published files, one or a folder of them: a text pair that stands in several is one item.

    Its categories are those of all its lines. A pair that stands there under two labels is two items, as published.
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
        licence=SOURCES["developmental"].licence,
    )


def _files(path: Path) -> list[Path]:
    if not is_folder(path):
        return [path]
    found = sorted(file for file in path.iterdir() if file.is_file() and _PUBLISHED.fullmatch(file.name))
    if not found:
        raise LitotesError(
            "L204",
            f"{path}: holds none of the published files",
            hint="their names are like existence_test_innoculation_v5.jsonl",
        )
    return found


def _items(pairs: Iterable[NliPair]) -> list[Item]:
    """An item a text pair and label, in the order in which they first come."""
    merged: dict[tuple[str, str, str], set[str]] = {}
    for pair in pairs:
        merged.setdefault((pair.premise, pair.hypothesis, pair.label), set()).update(pair.categories or ())
    return [_item(*texts, found) for texts, found in merged.items()]


def _item(premise: str, hypothesis: str, label: str, found: set[str]) -> Item:
    return Item(
        id=_id(premise, hypothesis, label),
        group=premise,
        sentences={"premise": premise, "hypothesis": hypothesis},
        tags={"label": label, "categories": " ".join(name for name in CATEGORIES if name in found)},
    )


def _id(*parts: str) -> str:
    """The same item has the same id in whichever files it is found: they overlap, and have no ids of their own."""
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return f"devneg-{hashlib.sha256(text).hexdigest()[:_DIGITS]}"


def _sha256(files: Sequence[Path]) -> str:
    """Of a single file its own; of several one for all, with their names."""
    if len(files) == 1:
        return sha256_file(files[0])
    lines = "".join(f"{file.name}\0{sha256_file(file)}\n" for file in files)
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()
