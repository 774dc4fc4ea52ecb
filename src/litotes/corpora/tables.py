"""Records from tables: rows of JSON lines, datasets, and comma- or tab-separated files."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import is_encodable
from litotes.corpora.base import ProblemReporter, Record, UniqueIds
from litotes.corpora.formats import LAYOUTS, PAIR_COLUMNS, TEXT_COLUMNS, TableLayout, format_of_columns
from litotes.corpora.lines import Line

_LABEL_COLUMNS = ("gold_label", "label")
_SCORE_COLUMNS = ("score",)
_TRUE_VALUES = frozenset({"1", "1.0", "True", "true"})
_OTHER_HEADERS = frozenset(
    "id idx index nr pairid labels source target content body comment review title date author lang language".split()
)
"""With the columns of texts, labels and scores: a first row that contains one of these names is a header."""


class Columns(NamedTuple):
    """The names of the columns that are read; empty for columns that do not exist."""

    text: str
    second_text: str = ""
    label: str = ""
    score: str = ""
    id: str = ""


def records_from_objects(
    rows: Iterator[tuple[int, dict[str, Any]]], format: str, columns: Sequence[str], reporter: ProblemReporter
) -> Iterator[Record]:
    """Yield the records of JSON objects or dataset rows; the first row determines the fields."""
    first = next(rows, None)
    if first is not None:
        yield from records_of_table(list(first[1]), lambda _: chain([first], rows), format, columns, reporter)


def records_of_table(
    names: Sequence[str],
    read: Callable[[Sequence[str]], Iterable[tuple[int, dict[str, Any]]]],
    format: str,
    columns: Sequence[str],
    reporter: ProblemReporter,
) -> Iterator[Record]:
    """Yield the records of a table with these columns; `read` returns numbered rows with at least some of them."""
    format = format or format_of_columns(list(names), reporter.name)
    selected = _select_columns(list(names), format, columns, reporter.name)
    layout = None if columns else LAYOUTS.get(format)
    category_columns = layout.category_columns if layout else {}
    required = dict.fromkeys(name for name in (*selected, *filter(names.__contains__, category_columns)) if name)
    builder = _RecordBuilder(selected, {name: name for name in names}, layout, reporter)
    for number, row in read(list(required)):
        if record := builder.build(number, row.get):
            yield record


def records_from_cells(
    rows: Iterator[tuple[int, list[str]]], format: str, columns: Sequence[str], reporter: ProblemReporter
) -> Iterator[Record]:
    """Yield the records of rows of cells; the first row is skipped if it looks like a header."""
    first = next(rows, None)
    if first is None:
        return
    header = _header(first[1], format, columns)
    names = header or _default_header(first[1], format, columns, reporter.name)
    selected = _select_columns(names, format, columns, reporter.name, first_row=None if header else first[1])
    layout = None if columns else LAYOUTS.get(format)
    indices: dict[str, int] = {}
    for index, name in enumerate(names):
        indices.setdefault(name, index)
    builder = _RecordBuilder(selected, indices, layout, reporter)
    n_columns = len(names)
    may_have_more = not header and format in LAYOUTS
    for number, row in rows if header else chain([first], rows):
        if len(row) != n_columns and not (may_have_more and len(row) > n_columns):
            reporter.report(number, "columns", f"{len(row)} instead of {n_columns}")
        elif record := builder.build(number, row.__getitem__):
            yield record


def _header(row: list[str], format: str, columns: Sequence[str]) -> list[str]:
    """Return the column names if the row is a header, otherwise an empty list."""
    names = [cell.strip() for cell in row]
    layout = LAYOUTS.get(format)
    if layout is not None:
        known = {name.lower() for name in (*layout.text, *layout.second_text)}
    else:
        common = (TEXT_COLUMNS, _LABEL_COLUMNS, _SCORE_COLUMNS, *PAIR_COLUMNS, columns)
        known = {name.lower() for group in common for name in group if not name.isdecimal()} | _OTHER_HEADERS
    return names if known & {name.lower() for name in names} else []


def _default_header(row: list[str], format: str, columns: Sequence[str], file: str) -> list[str]:
    """Return the column names of a file without a header."""
    layout = LAYOUTS.get(format)
    if layout is not None:
        for header in layout.default_headers:
            if len(header) <= len(row):
                return list(header)
        raise _wrong_format(file, format, layout, row)
    for name in columns:
        if not name.isdecimal():
            raise _missing_column(name, file, row)
    return [str(number) for number in range(1, len(row) + 1)]


def _select_columns(
    names: list[str], format: str, columns: Sequence[str], file: str, *, first_row: list[str] | None = None
) -> Columns:
    """Return the columns to read: those of the format, those that the user chose, or the usual ones."""
    layout = LAYOUTS.get(format)
    if layout is not None and not columns:
        selected = Columns(*(_first_present(candidates, names) for candidates in layout.columns()))
        if not selected.text or (layout.second_text and not selected.second_text):
            raise _wrong_format(file, format, layout, names)
        return selected
    if columns:
        text, second_text = _chosen_columns(names, columns, file, first_row)
    else:
        text, second_text = _usual_columns(names, file, first_row)
    remaining = [name for name in names if name not in (text, second_text)]
    label, score = _first_present(_LABEL_COLUMNS, remaining), _first_present(_SCORE_COLUMNS, remaining)
    return Columns(text, second_text, label, score)


def _chosen_columns(
    names: list[str], columns: Sequence[str], file: str, first_row: list[str] | None
) -> tuple[str, str]:
    if len(columns) > 2:
        raise UsageError("L102", f"{len(columns)} columns were given", hint="give one (a text) or two (a pair)")
    chosen = []
    for name in columns:
        if name in names:
            chosen.append(name)
        elif name.isdecimal() and 1 <= int(name) <= len(names):
            chosen.append(names[int(name) - 1])
        else:
            raise _missing_column(name, file, first_row or names)
    return chosen[0], chosen[1] if len(chosen) == 2 else ""


def _usual_columns(names: list[str], file: str, first_row: list[str] | None) -> tuple[str, str]:
    for pair in PAIR_COLUMNS:
        text, second_text = (_first_present((name,), names) for name in pair)
        if text and second_text:
            return text, second_text
    if text := _first_present(TEXT_COLUMNS, names):
        return text, ""
    if first_row and len(names) <= 2:  # without a header: a column of texts, or two columns of pairs
        return names[0], names[1] if len(names) == 2 else ""
    raise UsageError(
        "L102",
        f"{file}: it is unclear which column contains the text",
        hint=f"choose one or two of: {_shortened(first_row or names)}",
    )


def _first_present(candidates: Sequence[str], names: Sequence[str]) -> str:
    """Return the first candidate among the names, compared without case, or an empty string."""
    by_lower_case = {name.lower(): name for name in reversed(names)}
    return next((by_lower_case[name.lower()] for name in candidates if name.lower() in by_lower_case), "")


def _missing_column(name: str, file: str, names: Sequence[str]) -> UsageError:
    return UsageError("L102", f'{file}: no column "{name}"', hint=f"the columns are {_shortened(names)}")


def _wrong_format(file: str, format: str, layout: TableLayout, names: Sequence[str]) -> LitotesError:
    required = " and ".join(part[0] for part in (layout.text, layout.second_text) if part)
    return LitotesError(
        "L203",
        f"{file}: is not {format}, which has {required}",
        hint=f"its columns: {_shortened(names)}; choose another format",
    )


def _shortened(names: Sequence[str]) -> str:
    shown = [name if len(name) <= 40 else f"{name[:40]}…" for name in names[:20]]
    return ", ".join(shown) + (", …" if len(names) > 20 else "")


class _RecordBuilder:
    """Builds records from rows and reports the invalid ones; `keys` maps column names to indices or keys of rows."""

    def __init__(
        self, columns: Columns, keys: Mapping[str, Any], layout: TableLayout | None, reporter: ProblemReporter
    ) -> None:
        self._keys = [keys[name] if name else None for name in columns]
        self._columns = columns
        self._labels = layout.labels if layout else {}
        self._label_pattern = layout.label_pattern if layout else None
        self._requires_score = layout is not None
        category_columns = layout.category_columns if layout else {}
        self._category_keys = [(key, category_columns[name]) for name, key in keys.items() if name in category_columns]
        self._reporter = reporter
        self._ids = UniqueIds()

    def build(self, number: int, get: Callable[[Any], Any]) -> Record | None:
        """Return the record of a row, whose values `get` returns, or None if the row is invalid."""
        values: list[Any] = [None if key is None else get(key) for key in self._keys]
        text, second_text, label, score, file_id = values
        columns, report = self._columns, self._reporter.report
        problem = _text_problem(text) or (_text_problem(second_text) if columns.second_text else "")
        if problem:
            report(number, problem)
            return None
        known_label = self._known_label(label)
        if known_label is None:
            report(number, "label", str(label)[:40])
            return None
        value = None
        if columns.score:
            value = _finite_number(score)
            if value is None and self._requires_score:
                report(number, "score", str(score)[:40])
                return None
        row_id: int | str = number
        if columns.id:
            row_id = self._ids.make("" if file_id is None else str(file_id).strip(), number)
        record_id = f"{self._reporter.name}:{row_id}"
        if not columns.second_text:
            return Record(record_id, _single_line(text), None, known_label, value)
        record = Record(record_id, _single_line(text), _single_line(second_text), known_label, value, f"{record_id}#2")
        if not self._category_keys:
            return record
        categories = [category for key, category in self._category_keys if str(get(key)).strip() in _TRUE_VALUES]
        return replace(record, negation_categories=tuple(categories))

    def _known_label(self, label: Any) -> str | None:
        """Return the standard name of a label, or None if the format does not have it."""
        text = "" if label is None else str(label).strip()
        if self._labels:
            return self._labels.get(text.lower())
        is_valid = is_encodable(text) if self._label_pattern is None else self._label_pattern.fullmatch(text)
        return text if is_valid else None


def _text_problem(value: Any) -> str:
    if not isinstance(value, str):
        return "columns" if value is None else "not-text"
    if not value or value.isspace():
        return "empty"
    return "" if value.isascii() or is_encodable(value) else "encoding"


def _single_line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text or "\r" in text else text.strip()


def _finite_number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def json_rows(lines: Iterable[tuple[int, Line]], reporter: ProblemReporter) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of JSON lines with their line numbers."""
    is_first = True
    for number, line in lines:
        if not line or not (text := line.strip()):
            continue
        if is_first and text.startswith("["):
            raise LitotesError(
                "L203",
                f"{reporter.name}:{number}: is a JSON array; one JSON object per line is needed",
                hint="convert it with: jq -c '.[]'",
            )
        is_first = False
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            reporter.report(number, "json", str(error).partition(":")[0])
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            reporter.report(number, "json")


def tab_rows(lines: Iterable[tuple[int, Line]]) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of tab-separated lines; quotation marks have no special meaning."""
    for number, line in lines:
        if line and not line.isspace():
            yield number, line.split("\t")


_MAX_LINES_PER_ROW = 200
"""A row with more lines has a quotation mark that was never closed."""


def csv_rows(
    lines: Iterable[tuple[int, Line]], reporter: ProblemReporter, *, delimiter: str = ","
) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of comma-separated rows; a cell in quotation marks may contain line breaks."""
    source = _CsvLines(lines)
    # Strict, so that a wrong quotation mark is reported instead of merging half a page into one cell.
    reader = csv.reader(source, delimiter=delimiter, strict=True)
    while True:
        source.start_row()
        try:
            row = next(reader)
        except StopIteration:
            return
        except (csv.Error, _RowTooLong) as error:
            is_too_long = "field larger" in str(error) and len(source.row) == 1
            reporter.report(source.first_line, "too-long" if is_too_long else "quotes")
            source.reparse_remaining()
            continue
        if row and not source.has_unreadable_line and (len(row) > 1 or row[0].strip()):
            yield source.first_line, row


class _RowTooLong(Exception):
    """A row has too many lines."""


class _CsvLines:
    """An iterator over lines for the CSV reader that remembers the lines of the current row."""

    def __init__(self, lines: Iterable[tuple[int, Line]]) -> None:
        self._lines = iter(lines)
        self._again: list[tuple[int, Line]] = []
        self.row: list[tuple[int, Line]] = []

    def __iter__(self) -> _CsvLines:
        return self

    def __next__(self) -> str:
        if len(self.row) >= _MAX_LINES_PER_ROW:
            raise _RowTooLong
        numbered_line = self._again.pop() if self._again else next(self._lines)
        self.row.append(numbered_line)
        return (numbered_line[1] or "") + "\n"

    def start_row(self) -> None:
        """Forget the lines of the previous row."""
        self.row = []

    @property
    def first_line(self) -> int:
        """The number of the first line of the row."""
        return self.row[0][0]

    @property
    def has_unreadable_line(self) -> bool:
        """Whether a line of the row could not be read, which has been reported."""
        return any(line is None for _, line in self.row)

    def reparse_remaining(self) -> None:
        """Read all lines of the row except the first one again, as other rows."""
        self._again += reversed(self.row[1:])
