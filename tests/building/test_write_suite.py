"""Built suites in the file formats of the papers."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import litotes
from litotes.building.pipeline.write_suite import write_official
from litotes.suites import heros
from litotes.suites.base import Item, Suite
from litotes.suites.folder import save_folder


def test_official_semantoneg_file_is_reproduced(corpus: Any, tmp_path: Path) -> None:
    built = litotes.build_suite("semantoneg", corpus(90), tmp_path / "suite", official=True)
    [path] = built.official
    assert path == tmp_path / "suite" / "SemAntoNeg.json"
    ours, theirs = litotes.load_suite(str(tmp_path / "suite")), litotes.load_suite("semantoneg", path=path)
    assert [dict(item.sentences) for item in theirs.items] == [dict(item.sentences) for item in ours.items]
    labels = Counter(json.loads(line)["label"] for line in path.read_text("utf-8").splitlines())
    assert set(labels) == {0, 1, 2}
    assert min(labels.values()) > len(ours.items) / 6


def test_position_of_the_correct_option_depends_on_seed_and_item(corpus: Any, tmp_path: Path) -> None:
    litotes.build_suite("semantoneg", corpus(30), tmp_path / "suite", official=True)
    path = tmp_path / "suite" / "SemAntoNeg.json"
    before = path.read_bytes()
    write_official(tmp_path / "suite")
    assert path.read_bytes() == before
    write_official(tmp_path / "suite", seed=1)
    assert path.read_bytes() != before
    suite = litotes.load_suite(str(tmp_path / "suite"))
    save_folder(Suite("fewer", suite.kind, suite.items[5:], ""), tmp_path / "fewer")
    [fewer] = write_official(tmp_path / "fewer")

    def labels(data: bytes) -> list[int]:
        return [json.loads(line)["label"] for line in data.splitlines()]

    assert labels(fewer.read_bytes()) == labels(before)[5:]


def test_the_official_heros_file_can_be_read_again(tmp_path: Path) -> None:
    sentences = {role: f"The lamp in the\u00a0hall was {role}." for role in heros.ROLES}
    quoted = {role: f'"Well," she said, "the lamp was {role}."' for role in heros.ROLES}
    items = [Item("her-00000", "lamp", sentences, {}), Item("her-00001", "lamp", quoted, {})]
    save_folder(Suite("lamps", heros.KIND, items, ""), tmp_path / "suite")
    [path] = write_official(tmp_path / "suite")
    result = litotes.load_suite("heros", path=path)
    assert [list(item.sentences.values()) for item in result.items] == [
        [text.replace("\u00a0", " ") for text in item.sentences.values()] for item in items
    ]


def test_triplets_have_no_official_format(corpus: Any, tmp_path: Path) -> None:
    built = litotes.build_suite("triplets", corpus(["The guard warned the driver."]), tmp_path / "sets", official=True)
    assert built.official == ()
