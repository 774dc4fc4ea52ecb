"""Fixtures of the tests of building: sentences, and a builder that logs its records."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PLUGIN = Path(__file__).with_name("logged_builder.py")

THINGS = "kettle gate attic bridge oven barrel lantern cellar tent bucket drawer cabin".split()
PLACES = "harbour orchard station mill".split()
WORDS = "open hot clean wet heavy dark safe quiet cheap wide deep".split()


def sentences(count: int) -> list[str]:
    """Return up to 528 different sentences; two thirds are negated and become quadruples."""
    sentences_ = []
    for number in range(count):
        noun, word = THINGS[number % len(THINGS)], WORDS[number % len(WORDS)]
        place = PLACES[number // len(THINGS) % len(PLACES)]
        not_ = "" if number % 3 == 0 else "not "
        sentences_.append(f"The {noun} at the {place} is {not_}{word} today.")
    return sentences_


@pytest.fixture(scope="session")
def make_sentences() -> Callable[[int], list[str]]:
    return sentences


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes lines to a file."""

    def write(lines: int | list[str] = 60, name: str = "notes.txt") -> Path:
        path = tmp_path / name
        texts = sentences(lines) if isinstance(lines, int) else lines
        path.write_text("".join(f"{line}\n" for line in texts), "utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def logged_builder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an installed package with the builder `logged`, which logs its records."""
    folder = tmp_path_factory.mktemp("builders")
    shutil.copy(PLUGIN, folder / "litotes_logged.py")
    installed = folder / "litotes_logged-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: litotes-logged\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(
        "[litotes.builders]\nlogged = litotes_logged:logged\nbroken = litotes_logged:LOG\n"
    )
    return folder


def items_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "items.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="session")
def read_items() -> Callable[[Path], list[dict[str, Any]]]:
    return items_of
