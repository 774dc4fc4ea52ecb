"""Reading corpora: `read_corpus` streams records from any source in any format, in constant memory."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from litotes.core.errors import LitotesError
from litotes.core.files import sha256_file
from litotes.core.registry import unknown_name
from litotes.corpora.base import ProblemReporter, Problems, Record
from litotes.corpora.bracketed import read_bracketed
from litotes.corpora.conllu import read_conllu
from litotes.corpora.formats import COMMA_SEPARATED, FORMATS, LAYOUTS, csv_delimiter, detect_format, first_line
from litotes.corpora.hub_datasets import hub_rows
from litotes.corpora.lines import Line, NumberedLines
from litotes.corpora.parquet import is_parquet, read_parquet
from litotes.corpora.partitions import MANIFEST
from litotes.corpora.sources import Source, licence_beside, resolve_sources
from litotes.corpora.streams import ByteStream, open_bytes, uncompressed_name
from litotes.corpora.tables import csv_rows, json_rows, records_from_cells, records_from_objects, tab_rows
from litotes.languages.base import get_language

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
    """Return an iterator over the records of all sources, in order.

    Unknown sources and formats are errors at once. Unreadable lines are counted in `problems` while reading, or are
    errors if `strict`. `split` splits texts into sentences.
    """
    _check_format(format)
    resolved = resolve_sources(sources)
    problems = Problems() if problems is None else problems
    columns = [columns] if isinstance(columns, str) else [str(column) for column in columns]
    return _read_sources(resolved, format, columns, split=split, strict=strict, problems=problems)


def single_sentences(records: Iterable[Record]) -> Iterator[Record]:
    """Yield single sentences; a pair becomes two records with separate ids and without label and score.

    >>> pair = Record("trial.txt:1", "Ann sings.", "Ann is silent.", "contradiction", None, "trial.txt:1#2")
    >>> [(record.id, record.text) for record in single_sentences([pair])]
    [('trial.txt:1#1', 'Ann sings.'), ('trial.txt:1#2', 'Ann is silent.')]
    """
    for record in records:
        if record.second_text is None:
            yield record
        else:
            yield Record(f"{record.id}#1", record.text)
            yield Record(record.second_id or f"{record.id}#2", record.second_text)


def describe_sources(sources: Sequence[str], format: str | None = None) -> list[dict[str, object]]:
    """Return name, size, sha256, format and licence of each source; size and sha256 only of regular files."""
    _check_format(format)
    return [_describe(source, format) for source in resolve_sources(sources)]


def _check_format(format: str | None) -> None:
    if format is not None and format not in FORMATS:
        raise unknown_name("format", format, FORMATS)


def _describe(source: Source, format: str | None) -> dict[str, object]:
    if source.remote is not None:
        detected = format or ("parquet" if is_parquet(source.remote) else detect_format(source.remote.path, ""))
        return {"name": source.name, "bytes": source.remote.size, "sha256": "", "format": detected, "licence": ""}
    if source.path is None or not source.is_regular:  # a stream can be read only once
        known_format = "datasets" if source.hub else format or ""
        return {"name": source.name, "bytes": 0, "sha256": "", "format": known_format, "licence": ""}
    if is_parquet(source.path):
        detected = format or "parquet"
    else:
        with open_bytes(source.path, source.name) as stream:
            detected = format or _detect_format(source, stream)
    try:
        size, sha256 = source.path.stat().st_size, sha256_file(source.path)
    except OSError as error:
        raise LitotesError(
            "L201", f"{source.name}: cannot be read ({error.strerror})", hint="check the path"
        ) from error
    if source.sha256 not in ("", sha256):
        hint = "copy the folder again, or repeat the command that wrote it"
        raise LitotesError("L203", f"{source.name}: does not match the sha256 in {MANIFEST}", hint=hint)
    licence = licence_beside(source.path)
    return {"name": source.name, "bytes": size, "sha256": sha256, "format": detected, "licence": licence}


def _detect_format(source: Source, stream: ByteStream) -> str:
    # The folder is necessary for MultiNLI, whose files are called train and dev.
    name = source.remote.path if source.remote else source.name
    if source.path is not None:
        name = f"{source.path.absolute().parent.name}/{source.path.name}"
    return detect_format(uncompressed_name(name), first_line(stream.head()))


def _read_sources(
    sources: list[Source], format: str | None, columns: Sequence[str], *, split: bool, strict: bool, problems: Problems
) -> Iterator[Record]:
    count_before = problems.count
    is_empty = True
    for source in sources:
        for record in _read_source(
            source, format, columns, split, ProblemReporter(source.name, problems, strict=strict)
        ):
            is_empty = False
            yield record
    if is_empty:
        names = ", ".join(source.name for source in sources[:3]) + (", …" if len(sources) > 3 else "")
        reason = "it is empty" if len(sources) == 1 else "all are empty"
        if problems.count > count_before:
            reason = problems.summary()
        raise LitotesError(
            "L204", f"{names}: no sentence could be read ({reason})", hint="check the file and its format"
        )


def _read_source(
    source: Source, format: str | None, columns: Sequence[str], split: bool, reporter: ProblemReporter
) -> Iterator[Record]:
    if source.hub:
        records = _read_hub_dataset(source, format, columns, reporter)
        yield from _split_texts(records) if split else records
        return
    if source.file is not None and is_parquet(source.file):
        records = read_parquet(source.file, "" if format in (None, "parquet") else format, columns, reporter)
        yield from _split_texts(records) if split else records
        return
    if format == "parquet":
        raise LitotesError("L203", f"{source.name}: is not a Parquet file", hint="leave out --format")
    with open_bytes(source.file, source.name) as stream:
        line = first_line(stream.head())
        format = format or _table_format(_detect_format(source, stream), columns, line)
        lines = NumberedLines(stream, reporter)
        if format == "text" and not split:
            yield from _read_text(lines, source.name)
        elif format in ("text", "running"):
            yield from read_running(lines, reporter)
        elif format == "conllu":
            yield from read_conllu(lines, reporter)
        elif format == "ptb":
            yield from read_bracketed(lines, reporter)
        else:
            records = _read_table(format, line, lines, columns, reporter)
            yield from _split_texts(records) if split else records


def _table_format(detected: str, columns: Sequence[str], line: str) -> str:
    """Return the format to use if the user chose columns: then even a text or a known corpus is read as a table."""
    if not columns or detected in _TABLES:
        return detected
    return "jsonl" if line.startswith("{") else "tsv" if "\t" in line else "csv"


def _read_text(lines: NumberedLines, name: str) -> Iterator[Record]:
    prefix = f"{name}:"
    for first, block in lines.blocks():
        for number, line in enumerate(block, first):
            if line and (text := line.strip()):
                yield Record(f"{prefix}{number}", text)


def _read_table(
    format: str, line: str, lines: NumberedLines, columns: Sequence[str], reporter: ProblemReporter
) -> Iterator[Record]:
    if format == "jsonl" or (format in LAYOUTS and line.startswith("{")):
        return records_from_objects(json_rows(lines, reporter), format, columns, reporter)
    if format == "tsv" or (format in LAYOUTS and ("\t" in line or format not in COMMA_SEPARATED)):
        return records_from_cells(tab_rows(lines), format, columns, reporter)
    rows = csv_rows(lines, reporter, delimiter=csv_delimiter(line))
    return records_from_cells(rows, format, columns, reporter)


def _read_hub_dataset(
    source: Source, format: str | None, columns: Sequence[str], reporter: ProblemReporter
) -> Iterator[Record]:
    for split, rows in hub_rows(source.hub):
        part = reporter.for_part(f"{source.name.removesuffix(f':{split}')}:{split}")
        yield from records_from_objects(rows, format or "", columns, part)


def _split_texts(records: Iterable[Record]) -> Iterator[Record]:
    """Split the texts of a table into sentences; pairs are not changed."""
    language = get_language()
    for record in records:
        if record.second_text is not None:
            yield record
            continue
        for number, (_, sentence) in enumerate(language.split_sentences(record.text), 1):
            yield replace(record, id=f"{record.id}.{number}" if number > 1 else record.id, text=sentence)


_MAX_PARAGRAPH = 1 << 16
"""Characters of a paragraph that are held in memory; the sentences of a longer one are returned before its end."""


def read_running(lines: Iterable[tuple[int, Line]], reporter: ProblemReporter) -> Iterator[Record]:
    """Yield the sentences of running text; a blank or unreadable line ends a paragraph."""
    paragraph = _Paragraph(reporter)
    for number, line in lines:
        text = line.strip() if line else ""
        if not text:
            yield from paragraph.finish()
            continue
        paragraph.add(number, text)
        if paragraph.size > _MAX_PARAGRAPH:
            yield from paragraph.complete_sentences()
    yield from paragraph.finish()


class _Paragraph:
    """The lines of a paragraph that have not been returned as sentences."""

    def __init__(self, reporter: ProblemReporter) -> None:
        self.size = 0
        self._reporter = reporter
        self._split_sentences = get_language().split_sentences
        self._lines: list[tuple[int, str]] = []
        self._last_line = 0
        self._n_on_line = 0

    def add(self, number: int, text: str) -> None:
        """Add a line."""
        self._lines.append((number, text))
        self.size += len(text) + 1

    def finish(self) -> Iterator[Record]:
        """Yield all sentences and forget the lines."""
        for number, sentence in self._sentences():
            yield self._record(number, sentence)
        self._lines, self.size = [], 0

    def complete_sentences(self) -> Iterator[Record]:
        """Yield all sentences except the last one, which may continue."""
        *complete, (number, last) = self._sentences()
        for line, sentence in complete:
            yield self._record(line, sentence)
        self._lines, self.size = [(number, last)], len(last)
        if self.size > _MAX_PARAGRAPH:
            self._reporter.report(number, "too-long", "no sentence ends in it")
            self._lines, self.size = [], 0

    def _sentences(self) -> Iterator[tuple[int, str]]:
        """Yield each sentence with the number of the line on which it begins."""
        starts: list[int] = []
        length = 0
        for _, text in self._lines:
            starts.append(length)
            length += len(text) + 1
        for start, sentence in self._split_sentences(" ".join(text for _, text in self._lines)):
            yield self._lines[bisect.bisect_right(starts, start) - 1][0], sentence

    def _record(self, line: int, sentence: str) -> Record:
        """Return a record whose id is the line; further sentences on the same line are numbered from 2."""
        self._n_on_line = self._n_on_line + 1 if line == self._last_line else 1
        self._last_line = line
        suffix = f".{self._n_on_line}" if self._n_on_line > 1 else ""
        return Record(f"{self._reporter.name}:{line}{suffix}", sentence)
