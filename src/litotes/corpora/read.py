"""Reading corpora: any sources in any format, one record after another, in flat memory."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from litotes.core.errors import LitotesError
from litotes.core.files import sha256_file
from litotes.core.registry import unknown_name
from litotes.corpora.base import Account, Problems, Record
from litotes.corpora.conllu import read_conllu
from litotes.corpora.formats import (
    FORMATS,
    LAYOUTS,
    WITH_COMMAS,
    csv_delimiter,
    detect_format,
    first_line,
    list_formats,
)
from litotes.corpora.hub_datasets import hub_rows
from litotes.corpora.lines import Line, Lines
from litotes.corpora.sources import Source, licence_beside, plain_name, resolve_sources
from litotes.corpora.streams import ByteStream, open_bytes
from litotes.corpora.tables import csv_rows, json_rows, records_from_cells, records_from_objects, tab_rows
from litotes.languages.en.sentences import split_sentences

_MOST = 1 << 16
"""Characters of a paragraph that are held; of a longer one the sentences so far are given out."""


def read_running(lines: Iterable[tuple[int, Line]], account: Account) -> Iterator[Record]:
    """A record a sentence; a blank line, and a line that could not be read, ends a paragraph."""
    paragraph = _Paragraph(account)
    for number, line in lines:
        text = line.strip() if line else ""
        if not text:
            yield from paragraph.end()
            continue
        paragraph.add(number, text)
        if paragraph.size > _MOST:
            yield from paragraph.so_far()
    yield from paragraph.end()


class _Paragraph:
    """The lines of a paragraph whose sentences have not been given out."""

    def __init__(self, account: Account) -> None:
        self.size = 0
        self._account = account
        self._lines: list[tuple[int, str]] = []
        self._last = 0
        self._nth = 0

    def add(self, number: int, text: str) -> None:
        """One more line."""
        self._lines.append((number, text))
        self.size += len(text) + 1

    def end(self) -> Iterator[Record]:
        """All that is left."""
        for number, _, sentence in self._sentences():
            yield self._record(number, sentence)
        self._lines, self.size = [], 0

    def so_far(self) -> Iterator[Record]:
        """All but the last sentence, which may go on."""
        sentences = list(self._sentences())
        for number, _, sentence in sentences[:-1]:
            yield self._record(number, sentence)
        number, _, sentence = sentences[-1]
        self._lines, self.size = [(number, sentence)], len(sentence)
        if self.size > _MOST:
            self._account.report(number, "too-long", "no sentence ends in it")
            self._lines, self.size = [], 0

    def _sentences(self) -> Iterator[tuple[int, int, str]]:
        starts: list[int] = []
        at = 0
        for _, text in self._lines:
            starts.append(at)
            at += len(text) + 1
        for place, sentence in split_sentences(" ".join(text for _, text in self._lines)):
            yield self._lines[bisect.bisect_right(starts, place) - 1][0], place, sentence

    def _record(self, number: int, sentence: str) -> Record:
        # The first sentence that begins on a line has the line's number alone.
        self._nth = self._nth + 1 if number == self._last else 1
        self._last = number
        return Record(f"{self._account.name}:{number}" + (f".{self._nth}" if self._nth > 1 else ""), sentence)


__all__ = ["describe_sources", "list_formats", "read_corpus", "single_sentences"]

_TABLES = ("jsonl", "csv", "tsv")


def read_corpus(
    sources: Sequence[str],
    *,
    format: str | None = None,
    columns: Sequence[str] = (),
    split: bool = False,
    strict: bool = False,
    problems: Problems | None = None,
) -> Iterator[Record]:
    """The records of all sources, in order; what is wrong with the names is told now, with the lines on the way."""
    _check_format(format)
    found = resolve_sources(sources)
    kept = Problems() if problems is None else problems
    wanted = [columns] if isinstance(columns, str) else [str(column) for column in columns]
    return _read_all(found, format, wanted, split=split, strict=strict, problems=kept)


def single_sentences(records: Iterable[Record]) -> Iterator[Record]:
    """Sentences alone: a pair falls apart into its two sentences, each with an id of its own.

    >>> pair = Record("trial.txt:1", "Ann sings.", "Ann is silent.", "contradiction", None, "trial.txt:1#2")
    >>> [(record.id, record.text) for record in single_sentences([pair])]
    [('trial.txt:1#1', 'Ann sings.'), ('trial.txt:1#2', 'Ann is silent.')]
    """
    for record in records:
        if record.other is None:
            yield record
        else:
            # The label and the score are those of the pair.
            yield Record(f"{record.id}#1", record.text)
            yield Record(record.other_id or f"{record.id}#2", record.other)


def describe_sources(sources: Sequence[str], format: str | None = None) -> list[dict[str, object]]:
    """For each file its name, size, sha256, format and the licence beside it; a stream has no size and no sha256."""
    _check_format(format)
    return [_description(source, format) for source in resolve_sources(sources)]


def _check_format(format: str | None) -> None:
    if format is not None and format not in FORMATS:
        raise unknown_name("format", format, FORMATS)


def _description(source: Source, format: str | None) -> dict[str, object]:
    if source.path is None or not source.is_regular:  # to look at a stream would be to use it up
        known = "datasets" if source.hub else format or ""
        return {"name": source.name, "bytes": 0, "sha256": "", "format": known, "licence": ""}
    with open_bytes(source.path, source.name) as stream:
        detected = format or _detected(source, stream)
    try:
        size, digest = source.path.stat().st_size, sha256_file(source.path)
    except OSError as error:
        raise LitotesError(
            "L201", f"{source.name}: cannot be read ({error.strerror})", hint="check the path"
        ) from error
    return {
        "name": source.name,
        "bytes": size,
        "sha256": digest,
        "format": detected,
        "licence": licence_beside(source.path),
    }


def _detected(source: Source, stream: ByteStream) -> str:
    # The files of MultiNLI are called train and dev; the folder says what they are.
    name = f"{source.path.absolute().parent.name}/{source.path.name}" if source.path else source.name
    return detect_format(plain_name(name), first_line(stream.head()))


def _read_all(
    sources: list[Source], format: str | None, columns: list[str], *, split: bool, strict: bool, problems: Problems
) -> Iterator[Record]:
    count_before = problems.count
    anything = False
    for source in sources:
        records = _read_one(source, format, columns, split, Account(source.name, problems, strict=strict))
        for record in records:
            anything = True
            yield record
    if not anything:
        names = ", ".join(source.name for source in sources[:3]) + (", …" if len(sources) > 3 else "")
        why = (
            problems.summary() if problems.count > count_before else "it is empty" if len(sources) == 1 else "all empty"
        )
        raise LitotesError("L204", f"{names}: no sentence could be read ({why})", hint="check the file and its format")


def _read_one(
    source: Source, format: str | None, columns: list[str], split: bool, account: Account
) -> Iterator[Record]:
    if source.hub:
        records = _read_hub(source, format, columns, account)
        yield from _split_texts(records) if split else records
        return
    with open_bytes(source.path, source.name) as stream:
        chosen = format or _for_columns(_detected(source, stream), bool(columns), stream)
        lines = Lines(stream, account)
        if chosen == "text" and not split:
            yield from _read_text(lines, source.name)
        elif chosen in ("text", "running"):
            yield from read_running(lines, account)
        elif chosen == "conllu":
            yield from read_conllu(lines, account)
        else:
            records = _read_table(chosen, first_line(stream.head()), lines, columns, account)
            yield from _split_texts(records) if split else records


def _for_columns(detected: str, columns_are_named: bool, stream: ByteStream) -> str:
    """A file whose columns are named is a table, even if it looks like a text or like a known corpus."""
    if not columns_are_named or detected in _TABLES:
        return detected
    line = first_line(stream.head())
    return "jsonl" if line.startswith("{") else "tsv" if "\t" in line else "csv"


def _read_text(lines: Lines, name: str) -> Iterator[Record]:
    prefix = f"{name}:"
    for first, block in lines.blocks():
        for number, line in enumerate(block, first):
            if line and (text := line.strip()):
                yield Record(f"{prefix}{number}", text)


def _read_table(format: str, line: str, lines: Lines, columns: list[str], account: Account) -> Iterator[Record]:
    if format == "jsonl" or (format in LAYOUTS and line.startswith("{")):
        return records_from_objects(json_rows(lines, account), format, columns, account)
    if format == "tsv" or (format in LAYOUTS and ("\t" in line or format not in WITH_COMMAS)):
        return records_from_cells(tab_rows(lines), format, columns, account)
    rows = csv_rows(lines, account, delimiter=csv_delimiter(line))
    return records_from_cells(rows, format, columns, account)


def _read_hub(source: Source, format: str | None, columns: list[str], account: Account) -> Iterator[Record]:
    for split, rows in hub_rows(source.hub):
        part = account.named(f"{source.name.removesuffix(f':{split}')}:{split}")
        yield from records_from_objects(rows, format or "", columns, part)


def _split_texts(records: Iterable[Record]) -> Iterator[Record]:
    """Texts of a table into their sentences; pairs stay as they are."""
    for record in records:
        if record.other is not None:
            yield record
            continue
        for nth, (_, sentence) in enumerate(split_sentences(record.text), 1):
            yield replace(record, id=f"{record.id}.{nth}" if nth > 1 else record.id, text=sentence)
