"""The word lists in the data file."""

from __future__ import annotations

import re
from pathlib import Path

import litotes.languages.en.word_lists
from litotes.languages.en.word_lists import data_rows, word_list, word_table

SOURCE = Path(litotes.languages.en.word_lists.__file__).parents[2]


def names_in_file() -> list[str]:
    return [row.strip("[]") for row in data_rows("word_lists.txt") if row.startswith("[")]


def test_each_list_has_a_name_of_its_own() -> None:
    names = names_in_file()
    assert len(names) > 100
    assert len(set(names)) == len(names)


def test_each_list_is_used_once() -> None:
    modules = [*(SOURCE / "languages").rglob("*.py"), *(SOURCE / "rewrites").rglob("*.py")]
    code = "\n".join(path.read_text("utf-8") for path in modules if path.name != "word_lists.py")
    used = re.findall(r'(?:word_list|word_table| = _pairs)\("([^"]+)"\)', code)
    assert sorted(used) == sorted(names_in_file())


def test_lists_and_tables_are_read() -> None:
    assert {"give", "send"} <= word_list("giving verbs") and "" not in word_list("giving verbs")
    table = word_table("prepositional verbs")
    assert table["rely"] == {"on", "upon"}
