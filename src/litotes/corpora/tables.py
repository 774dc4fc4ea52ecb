"""Records from rows: which columns hold the text, the pair, the label, the score and the id."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import is_encodable
from litotes.corpora.base import Account, Record
from litotes.corpora.formats import LAYOUTS, PAIR_NAMES, TEXT_NAMES, Layout, format_by_names
from litotes.corpora.id_deduplication import Seen
from litotes.corpora.lines import Line

_LABEL_NAMES = ("gold_label", "label")
_SCORE_NAMES = ("score",)
_YES = frozenset({"1", "1.0", "True", "true"})
_OTHER_NAMES = frozenset(
    "id idx index nr pairid labels source target content body comment review title date author lang language".split()
)
"""With the names of texts, labels and scores: a row that has one of them is a header."""


@dataclass(frozen=True)
class Columns:
    """The names of the columns that are read; an empty name is a column that is not there."""

    text: str
    other: str = ""
    label: str = ""
    score: str = ""
    own: str = ""


def records_from_objects(
    rows: Iterator[tuple[int, dict[str, Any]]], format: str, wanted: Sequence[str], account: Account
) -> Iterator[Record]:
    """Records from objects (JSON lines, datasets); the first one says which fields there are."""
    shape: _Shape | None = None
    names: tuple[str, ...] = ()
    flags: dict[str, str] = {}
    for number, row in rows:
        if shape is None:
            format = format or format_by_names(list(row), account.name)
            columns = _columns(list(row), format, wanted, account.name)
            names = _parts(columns)
            layout = None if wanted else LAYOUTS.get(format)
            shape = _Shape(columns, layout, account)
            flags = {name: layout.flags[name] for name in row if name in layout.flags} if layout is not None else {}
        get = row.get
        record = shape.record(number, [get(name) if name else None for name in names])
        if record is not None:
            yield _flagged(record, {flags[name]: get(name) for name in flags}) if flags else record


def _flagged(record: Record, told: Mapping[str, Any]) -> Record:
    """The record with the categories that its row says it has."""
    return replace(record, flags=tuple(category for category, value in told.items() if str(value).strip() in _YES))


def records_from_cells(
    rows: Iterator[tuple[int, list[str]]], format: str, wanted: Sequence[str], account: Account
) -> Iterator[Record]:
    """Records from rows of cells; the first row is the header if it looks like one."""
    first = next(rows, None)
    if first is None:
        return
    header = _header(first[1], format, wanted)
    names = header or _without_header(first[1], format, wanted, account.name)
    columns = _columns(names, format, wanted, account.name, first_row=None if header else first[1])
    shape = _Shape(columns, None if wanted else LAYOUTS.get(format), account)
    places = [names.index(name) if name else None for name in _parts(columns)]
    width = len(names)
    may_be_wider = not header and format in LAYOUTS
    known = {} if wanted or format not in LAYOUTS else LAYOUTS[format].flags
    flags = [(place, known[name]) for place, name in enumerate(names) if name in known]
    for number, row in rows if header else _with(first, rows):
        if len(row) != width and not (may_be_wider and len(row) > width):
            account.report(number, "columns", f"{len(row)} and not {width}")
            continue
        record = shape.record(number, [None if place is None else row[place] for place in places])
        if record is not None:
            yield _flagged(record, {category: row[place] for place, category in flags}) if flags else record


def _with(first: tuple[int, list[str]], rows: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    yield first
    yield from rows


def _parts(columns: Columns) -> tuple[str, str, str, str, str]:
    return columns.text, columns.other, columns.label, columns.score, columns.own


def _header(row: list[str], format: str, wanted: Sequence[str]) -> list[str]:
    """The names of the columns if the first row is a header, else nothing."""
    names = [cell.strip() for cell in row]
    layout = LAYOUTS.get(format)
    if layout is not None:
        known = {name.lower() for part in (layout.text, layout.other) for name in part}
    else:
        known = {name.lower() for names in (TEXT_NAMES, _LABEL_NAMES, _SCORE_NAMES, *PAIR_NAMES) for name in names}
        known |= {name.lower() for name in wanted if not name.isdecimal()} | _OTHER_NAMES
    return names if known & {name.lower() for name in names} else []


def _without_header(row: list[str], format: str, wanted: Sequence[str], file: str) -> list[str]:
    layout = LAYOUTS.get(format)
    if layout is not None:
        fitting = next((header for header in layout.headers if len(header) <= len(row)), None)
        if fitting is None:
            needed = " and ".join(part[0] for part in (layout.text, layout.other) if part)
            raise _wrong_shape(file, format, needed, row)
        return list(fitting)
    named = [name for name in wanted if not name.isdecimal()]
    if named:
        raise _no_column(named[0], file, row)
    return [str(number) for number in range(1, len(row) + 1)]


def _columns(
    names: list[str], format: str, wanted: Sequence[str], file: str, *, first_row: list[str] | None = None
) -> Columns:
    layout = LAYOUTS.get(format)
    if layout is not None and not wanted:
        text, other = _first(layout.text, names), _first(layout.other, names)
        if not text or (layout.other and not other):
            needed = " and ".join(part[0] for part in (layout.text, layout.other) if part)
            raise _wrong_shape(file, format, needed, names)
        label, score, own = (_first(part, names) for part in (layout.label, layout.score, layout.own))
        return Columns(text, other, label, score, own)
    text, other = _chosen(names, wanted, file, first_row) if wanted else _guessed(names, file, first_row)
    rest = [name for name in names if name not in (text, other)]
    return Columns(text, other, _first(_LABEL_NAMES, rest), _first(_SCORE_NAMES, rest))


def _chosen(names: list[str], wanted: Sequence[str], file: str, first_row: list[str] | None) -> tuple[str, str]:
    if len(wanted) > 2:
        raise UsageError("L102", f"{len(wanted)} columns are named", hint="name one (a text) or two (a pair)")
    found = []
    for name in wanted:
        if name in names:
            found.append(name)
        elif name.isdecimal() and 1 <= int(name) <= len(names):
            found.append(names[int(name) - 1])
        else:
            raise _no_column(name, file, first_row or names)
    return found[0], found[1] if len(found) == 2 else ""


def _guessed(names: list[str], file: str, first_row: list[str] | None) -> tuple[str, str]:
    for pair in PAIR_NAMES:
        text, other = (_first((name,), names) for name in pair)
        if text and other:
            return text, other
    if text := _first(TEXT_NAMES, names):
        return text, ""
    if first_row and len(names) <= 2:  # a column of texts, or two columns of a pair
        return names[0], names[1] if len(names) == 2 else ""
    raise UsageError(
        "L102", f"{file}: which column holds the text?", hint=f"name one or two of: {_list(first_row or names)}"
    )


def _first(candidates: Sequence[str], names: Sequence[str]) -> str:
    """The first candidate that is there, as it is written there."""
    there = {name.lower(): name for name in reversed(names)}
    return next((there[name.lower()] for name in candidates if name.lower() in there), "")


def _no_column(name: str, file: str, names: Sequence[str]) -> UsageError:
    return UsageError("L102", f'{file}: no column "{name}"', hint=f"there are: {_list(names)}")


def _wrong_shape(file: str, format: str, needed: str, names: Sequence[str]) -> LitotesError:
    return LitotesError(
        "L203", f"{file}: is not {format}, which has {needed}", hint=f"its columns: {_list(names)}; name another format"
    )


def _list(names: Sequence[str]) -> str:
    shown = [name if len(name) <= 40 else f"{name[:40]}…" for name in names[:20]]
    return ", ".join(shown) + (", …" if len(names) > 20 else "")


class _Shape:
    """Makes records of the parts of a row, or reports what is wrong with them."""

    def __init__(self, columns: Columns, layout: Layout | None, account: Account) -> None:
        self._is_pair = bool(columns.other)
        self._has_ids = bool(columns.own)
        self._has_scores = bool(columns.score)
        self._known: Mapping[str, str] = layout.labels if layout is not None else {}
        self._label_like = layout.label_like if layout is not None else None
        self._scores_count = layout is not None
        self._account = account
        self._seen = Seen()

    def record(self, number: int, parts: Sequence[Any]) -> Record | None:
        """The record of text, other text, label, score and own id; nothing if the row was reported."""
        text, other, label, score, own = parts
        report = self._account.report
        wrong = _not_a_text(text) or (_not_a_text(other) if self._is_pair else "")
        if wrong:
            report(number, wrong)
            return None
        told = self._label(label)
        if told is None:
            report(number, "label", str(label)[:40])
            return None
        value = None
        if self._has_scores:
            value = _number(score)
            if value is None and self._scores_count:
                report(number, "score", str(score)[:40])
                return None
        place: int | str = number
        if self._has_ids:
            place = self._seen.place("" if own is None else str(own).strip(), number)
        whole = f"{self._account.name}:{place}"
        if self._is_pair:
            return Record(whole, _flat(text), _flat(other), told, value, f"{whole}#2")
        return Record(whole, _flat(text), None, told, value)

    def _label(self, label: Any) -> str | None:
        """The label as our records have it, or None if the format knows no such label."""
        text = "" if label is None else str(label).strip()
        if self._known:
            return self._known.get(text.lower())
        fits = is_encodable(text) if self._label_like is None else self._label_like.fullmatch(text)
        return text if fits else None


def _not_a_text(value: Any) -> str:
    if not isinstance(value, str):
        return "columns" if value is None else "not-text"
    if not value or value.isspace():
        return "empty"
    return "" if value.isascii() or is_encodable(value) else "encoding"


def _flat(text: str) -> str:
    """The text on one line, without blanks around it."""
    return " ".join(text.split()) if "\n" in text or "\r" in text else text.strip()


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


_MOST_LINES = 200
"""A record over more lines than this is a quote that was never closed."""


def json_rows(lines: Iterable[tuple[int, Line]], account: Account) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of JSON lines."""
    first = True
    for number, line in lines:
        if not line or not (text := line.strip()):
            continue
        if first and text.startswith("["):
            raise LitotesError(
                "L203",
                f"{account.name}:{number}: is a JSON array, a JSON object a line is needed",
                hint="jq -c '.[]' makes JSON lines of it",
            )
        first = False
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            account.report(number, "json", str(error).partition(":")[0])
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            account.report(number, "json")


def tab_rows(lines: Iterable[tuple[int, Line]]) -> Iterator[tuple[int, list[str]]]:
    """The cells of tab-separated lines; a quote is a sign like any other, as in the corpora that are kept so."""
    for number, line in lines:
        if line and not line.isspace():
            yield number, line.split("\t")


def csv_rows(
    lines: Iterable[tuple[int, Line]], account: Account, *, delimiter: str = ","
) -> Iterator[tuple[int, list[str]]]:
    """The cells of comma-separated lines; a cell in quotes may go over several lines."""
    feed = _Feed(lines)
    # Strict: a stray quote is a line to report, not half a page in one cell.
    reader = csv.reader(feed, delimiter=delimiter, strict=True)
    while True:
        feed.next_record()
        try:
            row = next(reader)
        except StopIteration:
            return
        except (csv.Error, _RunsOn) as error:
            kind = "too-long" if "field larger" in str(error) and feed.taken == 1 else "quotes"
            account.report(feed.number, kind)
            feed.give_back()
            continue
        if row and not feed.has_gap and (len(row) > 1 or row[0].strip()):
            yield feed.number, row


class _RunsOn(Exception):
    """A record does not come to its end."""


class _Feed:
    """Gives lines to the CSV reader and remembers those of the present record."""

    def __init__(self, lines: Iterable[tuple[int, Line]]) -> None:
        self._lines = iter(lines)
        self._again: list[tuple[int, Line]] = []
        self._record: list[tuple[int, Line]] = []

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> str:
        if len(self._record) >= _MOST_LINES:
            raise _RunsOn
        entry = self._again.pop() if self._again else next(self._lines)
        self._record.append(entry)
        return (entry[1] or "") + "\n"

    def next_record(self) -> None:
        self._record = []

    @property
    def number(self) -> int:
        """The line on which the record begins."""
        return self._record[0][0]

    @property
    def taken(self) -> int:
        """How many lines the record has."""
        return len(self._record)

    @property
    def has_gap(self) -> bool:
        """Whether a line in the record could not be read; that has been reported."""
        return any(line is None for _, line in self._record)

    def give_back(self) -> None:
        """All but the first line of the record is read again, as the beginning of other records."""
        self._again += reversed(self._record[1:])
