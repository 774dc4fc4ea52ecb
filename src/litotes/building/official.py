"""A built suite in the paper's own file format, for tools that read that."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from litotes.core.files import to_json, writing_atomic
from litotes.suites.base import Suite
from litotes.suites.folder import load_folder

_HEROS = {
    "original": "Original",
    "synonym": "Synonym",
    "antonym": "Antonym",
    "random": "Random",
    "typo": "Typo",
    "negation_main": "Negation (Main)",
    "negation_antonym": "Negation (Antonym)",
}
_FILES = {"semantoneg": "SemAntoNeg.json", "heros": "heros.tsv"}
"""Kind of suite → file; the triplets were never published."""

OFFICIAL_FILES = tuple(_FILES.values())


def write_official(folder: Path, seed: int = 0) -> list[Path]:
    """Write the suite of a folder as SemAntoNeg's JSON lines or as HEROS's table, where its kind has such a file."""
    suite = load_folder(folder)
    if suite.kind.name not in _FILES:
        return []
    path = folder / _FILES[suite.kind.name]
    with writing_atomic(path) as write:
        if suite.kind.name == "semantoneg":
            _semantoneg(suite, seed, write)
        else:
            _heros(suite, write)
    return [path]


def _semantoneg(suite: Suite, seed: int, write: Callable[[str], None]) -> None:
    """In the published file the right option is always the third; here its place is drawn anew for each item."""
    for number, item in enumerate(suite.items):
        options = [item.sentences["antonym"], item.sentences["polarity"]]
        # By the item, not by its number: leaving one out does not change the others.
        drawn = hashlib.sha256(f"{seed}\0{item.id}".encode()).digest()
        label = int.from_bytes(drawn[:8], "big") % (len(options) + 1)
        options.insert(label, item.sentences["both"])
        line = {"idx": number, "label": label, "input": item.sentences["input"], "sentences": options}
        write(f"{to_json(line)}\n")


def _heros(suite: Suite, write: Callable[[str], None]) -> None:
    write("\t".join(_HEROS.values()) + "\n")
    for item in suite.items:
        write("\t".join(" ".join(item.sentences[role].split()) for role in _HEROS) + "\n")
