"""The text of an audit: files in any format of `litotes build`, or sentences in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import to_json
from litotes.corpora.base import Problems, Record
from litotes.corpora.read import describe_sources, read_corpus, single_sentences
from litotes.corpora.sources import resolve_sources


@dataclass(frozen=True)
class Corpus:
    """Sentences to read, with a description that identifies their content."""

    files: tuple[Mapping[str, Any], ...]
    """Name, size, sha256, format and licence of each file."""
    sources: tuple[str, ...] = ()
    format: str | None = None
    columns: tuple[str, ...] = ()
    split: bool = False
    in_memory: tuple[Record, ...] | None = None
    """The records, if they cannot be read a second time."""
    unread: Mapping[str, int] = field(default_factory=dict)
    """Number of lines that could not be read into `in_memory`, by kind."""

    def records(self, problems: Problems) -> Iterator[Record]:
        """Yield the sentences in order; lines that cannot be read are added to `problems`."""
        if self.in_memory is not None:
            return iter(self.in_memory)
        return single_sentences(
            read_corpus(self.sources, format=self.format, columns=self.columns, split=self.split, problems=problems)
        )

    def key(self) -> dict[str, Any]:
        """Return what identifies the sentences: the content of the files and how it is read, without paths."""
        return {
            "files": [_file_key(file) for file in self.files],
            "columns": list(self.columns),
            "split": self.split,
        }


def _file_key(file: Mapping[str, Any]) -> dict[str, Any]:
    """Return what identifies the content of a file; of a remote one, only its size is known."""
    return {name: file[name] for name in ("sha256" if file["sha256"] else "bytes", "format", "name")}


def open_corpus(
    texts: Iterable[str] | None,
    sources: str | Path | Sequence[str | Path] | None,
    *,
    format: str | None = None,
    columns: Sequence[str] = (),
    split: bool = False,
) -> Corpus:
    """Return the corpus of either sentences or files; streams such as standard input are read at once."""
    if (texts is None) == (sources is None):
        raise UsageError("L102", "pass either texts or sources")
    if texts is not None:
        if format is not None or columns or split:
            raise UsageError("L102", "format, columns and split are for sources", hint="texts are sentences already")
        return _corpus_of_texts(texts)
    assert sources is not None  # noqa: S101  (for mypy)
    names = tuple(map(str, [sources] if isinstance(sources, (str, Path)) else sources))
    columns = (columns,) if isinstance(columns, str) else tuple(columns)
    files = tuple(describe_sources(names, format))
    corpus = Corpus(files, names, format, columns, split)
    if not any(source.is_stream for source in resolve_sources(names)):
        return corpus
    problems = Problems()
    records = tuple(corpus.records(problems))
    files = tuple(file if file["sha256"] else {**file, "sha256": _digest(records)} for file in files)
    return Corpus(files, names, format, columns, split, records, problems.by_kind)


def _corpus_of_texts(texts: Iterable[str]) -> Corpus:
    if isinstance(texts, str):
        raise UsageError("L102", "texts must be a list of sentences, not one string", hint="sources= reads files")
    records: list[Record] = []
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise UsageError("L102", f"texts: item {number} is not a string, but {type(text).__name__}")
        if stripped := text.strip():
            records.append(Record(f"texts:{number}", stripped))
    if not records:
        raise LitotesError("L204", "texts: contains no sentence")
    size = sum(len(record.text.encode("utf-8", "surrogatepass")) for record in records)
    file = {"name": "texts", "bytes": size, "sha256": _digest(records), "format": "", "licence": ""}
    return Corpus((file,), in_memory=tuple(records))


def _digest(records: Iterable[Record]) -> str:
    digest = hashlib.sha256()
    for record in records:
        digest.update(to_json([record.id, record.text]).encode() + b"\n")
    return digest.hexdigest()
