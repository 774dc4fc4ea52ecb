"""Rows of tables: JSON lines, tab-separated and comma-separated; each with the number of its first line."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any

from litotes.core.errors import LitotesError
from litotes.corpora.base import Account
from litotes.corpora.lines import Line

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
