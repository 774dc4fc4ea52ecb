"""HEROS (Chiang, Chuang, Glass and Lee, 2023): a sentence and six that differ from it in about one word.

The official file is read as published: a tab-separated table, a row an original sentence, a column a subset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import read_lines, sha256_file
from litotes.suites.base import Item, Suite, SuiteKind, closest, each_alone
from litotes.suites.semantoneg import differing_words

ROLES = ("original", "synonym", "antonym", "random", "typo", "negation_main", "negation_antonym")
"""In the order of the paper's Table 2; a file without headings is read so."""

SUBSETS = ("synonym", "antonym", "negation_main", "negation_antonym", "random", "typo")
"""In the order of the paper's figures."""

_PASSED = closest("original", options=SUBSETS[:4], right="synonym")

KIND = SuiteKind(
    name="heros",
    roles=ROLES,
    compare=tuple(("original", subset) for subset in SUBSETS),
    passed=_PASSED,
    group_word="antonym pair",
    also=each_alone(_PASSED),
    baseline="original",
)

Row = tuple[int, Sequence[str]]
"""The number of a line, and its cells."""


def load_official(path: Path, *, name: str = "heros") -> Suite:
    """The official table: Original, Synonym, Antonym, Random, Typo and two Negations, in any order."""
    rows = list(_rows(path))
    if not rows:
        raise LitotesError("L204", f"{path}: has no items")
    columns, rows = _columns(rows, path)
    items = [_item(number, cells, columns, f"{path}:{number}") for number, cells in rows]
    if not items:
        raise LitotesError("L204", f"{path}: has a heading and no items")
    return Suite(
        name=name,
        kind=KIND,
        items=items,
        sha256=sha256_file(path),
        source="Chiang, Chuang, Glass and Lee (2023), HEROS",
        licence="Apache-2.0",
    )


def _item(number: int, cells: Sequence[str], columns: Mapping[str, int], where: str) -> Item:
    needed = max(columns.values()) + 1
    if len(cells) < needed:
        raise LitotesError("L203", f"{where}: has {len(cells)} columns, {needed} are needed")
    sentences = {role: cells[columns[role]].strip() for role in ROLES}
    for role, text in sentences.items():
        if not text:
            raise LitotesError("L203", f'{where}: the sentence under "{role}" is empty')
    words = differing_words(sentences["original"], sentences["antonym"])
    return Item(
        id=f"heros-{number:04d}",
        group="/".join(sorted(words)),
        sentences=sentences,
        tags={"word": words[0], "antonym": words[1]},
    )


# The table.

_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def _rows(path: Path) -> Iterator[Row]:
    rows = [(number, line.split("\t")) for number, line in read_lines(path)]
    # Programs quote either every cell or those that hold quotes, which they double; else quotes are the sentence's.
    every = all(_QUOTED.fullmatch(cell.strip()) for _, cells in rows for cell in cells)
    return ((number, [_unquoted(cell.strip(), every=every) for cell in cells]) for number, cells in rows)


def _unquoted(cell: str, *, every: bool) -> str:
    if _QUOTED.fullmatch(cell) and (every or '""' in cell[1:-1]):
        return cell[1:-1].replace('""', '"')
    return cell


def _columns(rows: Sequence[Row], path: Path) -> tuple[dict[str, int], list[Row]]:
    """Which column holds which role, and the rows without the headings."""
    first = rows[0][1]
    named = [_role_of(cell) for cell in first]
    body = list(rows[1:])
    if not {"original", "synonym", "antonym"} <= set(named):
        return _by_order(first, f"{path}:{rows[0][0]}"), list(rows)
    columns = {role: place for place, role in reversed(list(enumerate(named))) if role in ROLES}
    bare = [place for place, role in enumerate(named) if role == "negation"]
    missing = [role for role in ROLES if role not in columns]
    negations = [role for role in missing if role.startswith("negation")]
    if len(bare) == len(negations) == 2:
        columns.update(zip(negations, _main_first(bare, columns, body), strict=True))
    elif len(bare) == len(negations):
        columns.update(zip(negations, bare, strict=True))
    missing = [role for role in ROLES if role not in columns]
    if missing:
        raise LitotesError(
            "L203",
            f'{path}:{rows[0][0]}: no column is headed "{missing[0]}"',
            hint=f"HEROS needs {', '.join(ROLES)}; found {', '.join(first)}",
        )
    return columns, body


def _by_order(first: Sequence[str], where: str) -> dict[str, int]:
    """The roles in the paper's order, behind a column of numbers if there is one."""
    skipped = len(first) - len(ROLES)
    if skipped not in (0, 1) or (skipped and not first[0].strip().isdecimal()):
        raise LitotesError(
            "L203",
            f"{where}: has {len(first)} columns and no headings",
            hint=f"HEROS needs {', '.join(ROLES)}, separated by tabs",
        )
    return {role: place + skipped for place, role in enumerate(ROLES)}


def _role_of(heading: str) -> str:
    """The role that a heading names, however it is worded; "negation" where it leaves open which.

    >>> [_role_of(heading) for heading in ("Original", "Negation (Main)", "negation_antonym", "Random MLM", "Typos")]
    ['original', 'negation_main', 'negation_antonym', 'random', 'typo']
    """
    words = re.sub(r"[^a-z]+", " ", heading.lower()).split()
    if len(words) > 3:
        return ""  # a sentence
    text = " ".join(words)
    if "neg" in text:
        if "ant" in text or "a" in words:
            return "negation_antonym"
        return "negation_main" if "main" in text or "verb" in text or "m" in words else "negation"
    for role, marks in _MARKS.items():
        if any(word.startswith(mark) for word in words for mark in marks):
            return role
    return ""


_MARKS = {
    "original": ("orig", "sentence", "source"),
    "synonym": ("syn",),
    "antonym": ("ant",),
    "random": ("random", "mlm", "mask"),
    "typo": ("typo", "missp"),
}


def _main_first(bare: Sequence[int], columns: Mapping[str, int], body: Sequence[Row]) -> list[int]:
    """Two columns headed alike, that of the main verb first.

    The other negates the very word that has an antonym, so in most rows its change lies nearer to that word.
    """
    nearer = 0
    for _, cells in body:
        if len(cells) <= max(*bare, *columns.values()):
            continue
        original, antonym = cells[columns["original"]], cells[columns["antonym"]]
        word = _place_of_change(original, antonym)
        one, other = (abs(_place_of_change(original, cells[place]) - word) for place in bare)
        nearer += (one > other) - (one < other)
    return list(bare) if nearer >= 0 else list(reversed(bare))


def _place_of_change(one: str, other: str) -> int:
    """How many words two sentences have in common from the beginning on."""
    pairs = enumerate(zip(one.split(), other.split()))  # noqa: B905  (the shorter one ends it)
    return next((place for place, (left, right) in pairs if left != right), min(len(one.split()), len(other.split())))
