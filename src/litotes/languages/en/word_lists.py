"""The data files of English, and the word lists among them that are too long for the code."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def data_rows(name: str) -> list[str]:
    """Return the lines of a data file without its comments and empty lines."""
    text = (files("litotes.languages.en") / "data" / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def _sections() -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    for row in data_rows("word_lists.txt"):
        if row.startswith("["):
            rows = sections[row.strip("[]")] = []
        else:
            rows.append(row)
    return sections


def word_list(name: str) -> frozenset[str]:
    """Return the words of a list.

    >>> "train" in word_list("infinitive after object")
    True
    """
    return frozenset(" ".join(_sections()[name]).split())


def word_table(name: str) -> dict[str, frozenset[str]]:
    """Return the rows of a table: word → words.

    >>> sorted(word_table("prepositional verbs")["rely"])
    ['on', 'upon']
    """
    rows = (row.split(": ") for row in _sections()[name])
    return {word: frozenset(words.split()) for word, words in rows}
