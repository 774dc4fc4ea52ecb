"""HEROS (Chiang, Chuang, Glass and Lee, 2023): a sentence and six variants that differ in about one word.

The official file is a tab-separated table with one row per original sentence and one column per subset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import read_lines, sha256_file
from litotes.suites.base import Item, Suite, SuiteKind, closest, pairwise_criteria
from litotes.suites.lexical_overlap import common_prefix
from litotes.suites.semantoneg import differing_words

ROLES = ("original", "synonym", "antonym", "random", "typo", "negation_main", "negation_antonym")
"""The roles in the order of the paper's Table 2, which is also that of a file without a header."""

SUBSETS = ("synonym", "antonym", "negation_main", "negation_antonym", "random", "typo")
"""The subsets in the order of the paper's figures."""

_CRITERION = closest("original", options=SUBSETS[:4], right="synonym")

KIND = SuiteKind(
    name="heros",
    roles=ROLES,
    pairs=tuple(("original", subset) for subset in SUBSETS),
    criterion=_CRITERION,
    group_word="antonym pair",
    extra_criteria=pairwise_criteria(_CRITERION),
    baseline_role="original",
)

Row = tuple[int, Sequence[str]]
"""The line number and the cells."""


def load_official(path: Path, *, name: str = "heros") -> Suite:
    """Load the official table with Original, Synonym, Antonym, Random, Typo and two Negation columns in any order."""
    rows = list(_rows(path))
    if not rows:
        raise LitotesError("L204", f"{path}: has no items")
    columns, rows = _find_columns(rows, path)
    items = [_item(number, cells, columns, f"{path}:{number}") for number, cells in rows]
    if not items:
        raise LitotesError("L204", f"{path}: has a header but no items")
    return Suite(
        name=name,
        kind=KIND,
        items=items,
        sha256=sha256_file(path),
        source="Chiang, Chuang, Glass and Lee (2023), HEROS",
        licence="Apache-2.0",
    )


def _item(number: int, cells: Sequence[str], columns: Mapping[str, int], where: str) -> Item:
    n_required = max(columns.values()) + 1
    if len(cells) < n_required:
        raise LitotesError("L203", f"{where}: has {len(cells)} columns instead of at least {n_required}")
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


_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def _rows(path: Path) -> Iterator[Row]:
    rows = [(number, line.split("\t")) for number, line in read_lines(path)]
    # Programs quote either all cells or only those with quotation marks, which they double; other quotation marks
    # belong to the sentence.
    all_quoted = all(_QUOTED.fullmatch(cell.strip()) for _, cells in rows for cell in cells)
    return ((number, [_unquote(cell.strip(), all_quoted=all_quoted) for cell in cells]) for number, cells in rows)


def _unquote(cell: str, *, all_quoted: bool) -> str:
    if _QUOTED.fullmatch(cell) and (all_quoted or '""' in cell[1:-1]):
        return cell[1:-1].replace('""', '"')
    return cell


def _find_columns(rows: Sequence[Row], path: Path) -> tuple[dict[str, int], list[Row]]:
    """Return the column of each role, and the rows without the header."""
    header = rows[0][1]
    roles = [_role_of(cell) for cell in header]
    body = list(rows[1:])
    if not {"original", "synonym", "antonym"} <= set(roles):
        return _default_columns(header, f"{path}:{rows[0][0]}"), list(rows)
    columns = {role: index for index, role in reversed(list(enumerate(roles))) if role in ROLES}
    ambiguous = [index for index, role in enumerate(roles) if role == "negation"]
    missing = [role for role in ROLES if role not in columns]
    negations = [role for role in missing if role.startswith("negation")]
    if len(ambiguous) == len(negations) == 2:
        columns.update(zip(negations, _main_negation_first(ambiguous, columns, body), strict=True))
    elif len(ambiguous) == len(negations):
        columns.update(zip(negations, ambiguous, strict=True))
    missing = [role for role in ROLES if role not in columns]
    if missing:
        raise LitotesError(
            "L203",
            f'{path}:{rows[0][0]}: the column "{missing[0]}" is missing',
            hint=f"the columns of HEROS are {', '.join(ROLES)}; the file has {', '.join(header)}",
        )
    return columns, body


def _default_columns(cells: Sequence[str], where: str) -> dict[str, int]:
    """Return the columns of a file without a header: the order of the paper, after an optional column of numbers."""
    offset = len(cells) - len(ROLES)
    if offset not in (0, 1) or (offset and not cells[0].strip().isdecimal()):
        raise LitotesError(
            "L203",
            f"{where}: has {len(cells)} columns and no header",
            hint=f"the columns of HEROS are {', '.join(ROLES)}, separated by tabs",
        )
    return {role: index + offset for index, role in enumerate(ROLES)}


def _role_of(heading: str) -> str:
    """Return the role of a column from its heading; "negation" if it could be either negation column.

    >>> [_role_of(heading) for heading in ("Original", "Negation (Main)", "negation_antonym", "Random MLM", "Typos")]
    ['original', 'negation_main', 'negation_antonym', 'random', 'typo']
    """
    words = re.sub(r"[^a-z]+", " ", heading.lower()).split()
    if len(words) > 3:
        return ""  # a sentence instead of a heading
    text = " ".join(words)
    if "neg" in text:
        if "ant" in text or "a" in words:
            return "negation_antonym"
        return "negation_main" if "main" in text or "verb" in text or "m" in words else "negation"
    for role, prefixes in _HEADING_PREFIXES.items():
        if any(word.startswith(prefixes) for word in words):
            return role
    return ""


_HEADING_PREFIXES = {
    "original": ("orig", "sentence", "source"),
    "synonym": ("syn",),
    "antonym": ("ant",),
    "random": ("random", "mlm", "mask"),
    "typo": ("typo", "missp"),
}


def _main_negation_first(negations: Sequence[int], columns: Mapping[str, int], body: Sequence[Row]) -> list[int]:
    """Return two columns with the same heading, that of the negated main verb first.

    The other one negates the word that has an antonym, so in most rows its change is nearer to that word.
    """
    n_nearer = 0
    for _, cells in body:
        if len(cells) <= max(*negations, *columns.values()):
            continue
        original, antonym = cells[columns["original"]].split(), cells[columns["antonym"]].split()
        word = common_prefix(original, antonym)
        first, second = (abs(common_prefix(original, cells[column].split()) - word) for column in negations)
        n_nearer += (first > second) - (first < second)
    return list(negations) if n_nearer >= 0 else list(reversed(negations))
