"""Saving and loading of suite folders."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import litotes
from litotes import Item, LitotesError, Suite, load_suite
from litotes.suites.folder import load_folder, save_folder
from litotes.suites.semantoneg import KIND

BUILT_IN = Path(litotes.__file__).parent / "suites" / "builtin" / "semantoneg-mini"
TEXTS = {
    "input": "It is on. 😀",
    "antonym": "It’s “off”.",
    "polarity": "\u2028 not\ton \\",
    "both": "<b>not off</b>",
}


def suite_of(*items: Item) -> Suite:
    return Suite("mine", KIND, items, sha256="", version="3", source="me", licence="CC0-1.0")


def test_saved_suite_is_loaded_unchanged(tmp_path: Path) -> None:
    suite = suite_of(Item("1", "off/on", TEXTS, {"pos": "adj"}), Item("2", "off/on", TEXTS))
    save_folder(suite, tmp_path / "suite", builder={"seed": 7})
    again = load_folder(tmp_path / "suite")
    assert again == replace(suite, items=list(suite.items), sha256=again.sha256)
    meta = json.loads((tmp_path / "suite" / "suite.json").read_text("utf-8"))
    assert (meta["items"], meta["groups"], meta["builder"], meta["roles"]) == (
        2,
        1,
        {"seed": 7},
        [*KIND.roles],
    )
    assert sorted(path.name for path in (tmp_path / "suite").iterdir()) == ["items.jsonl", "suite.json"]


def test_saving_twice_writes_the_same_bytes(tmp_path: Path) -> None:
    about = json.loads((BUILT_IN / "suite.json").read_text("utf-8"))
    more = {key: about[key] for key in ("builder", "corpus", "review")}
    save_folder(load_suite("semantoneg-mini"), tmp_path, **more)
    for name in ("items.jsonl", "suite.json"):
        assert (tmp_path / name).read_bytes() == (BUILT_IN / name).read_bytes()


def test_item_without_a_group_is_its_own_group(tmp_path: Path) -> None:
    save_folder(suite_of(Item("1", "", TEXTS), Item("2", "", TEXTS)), tmp_path)
    assert [item.group for item in load_folder(tmp_path).items] == ["1", "2"]


def test_additional_roles_and_tags_are_ignored(tmp_path: Path) -> None:
    save_folder(suite_of(Item("1", "g", {**TEXTS, "note": "more"}, {"n": 7})), tmp_path)  # type: ignore[dict-item]
    [item] = load_folder(tmp_path).items
    assert dict(item.sentences) == TEXTS
    assert item.tags == {"n": "7"}


def test_bom_and_crlf_change_the_sha256(tmp_path: Path) -> None:
    save_folder(suite_of(Item("1", "g", TEXTS)), tmp_path)
    items = tmp_path / "items.jsonl"
    items.write_bytes(b"\xef\xbb\xbf" + items.read_bytes().replace(b"\n", b"\r\n"))
    with pytest.raises(LitotesError, match=r"L206.*items\.jsonl: sha256 is"):
        load_folder(tmp_path)


def test_unwritable_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LitotesError, match="L401"):
        save_folder(suite_of(Item("1", "g", TEXTS)), tmp_path / "file")
