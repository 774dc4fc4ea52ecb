"""The text of an audit: files as the builder reads them, or sentences that are handed over."""

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


@dataclass(frozen=True)
class Corpus:
    """What is read, and what says that it is the same as before."""

    described: tuple[Mapping[str, Any], ...]
    """For each file its name, size, sha256, format and licence."""
    sources: tuple[str, ...] = ()
    format: str | None = None
    columns: tuple[str, ...] = ()
    split: bool = False
    held: tuple[Record, ...] | None = None
    """The records themselves, if they can be had only once."""
    unread: Mapping[str, int] = field(default_factory=dict)
    """Kind → lines of them that could not be read."""

    def records(self, problems: Problems) -> Iterator[Record]:
        """The sentences, in order; lines that cannot be read are counted, of records that are held in `unread`."""
        if self.held is not None:
            return iter(self.held)
        return single_sentences(_read(self, problems))

    def key(self) -> dict[str, Any]:
        """What the sentences depend on: not where the file lies, but what is in it, and how it is read."""
        told = ("sha256", "format", "name")
        return {
            "files": [{name: one[name] for name in told} for one in self.described],
            "columns": list(self.columns),
            "split": self.split,
        }


def _read(corpus: Corpus, problems: Problems) -> Iterator[Record]:
    return read_corpus(
        corpus.sources, format=corpus.format, columns=corpus.columns, split=corpus.split, problems=problems
    )


def open_corpus(
    texts: Iterable[str] | None,
    sources: str | Path | Sequence[str | Path] | None,
    *,
    format: str | None = None,
    columns: Sequence[str] = (),
    split: bool = False,
) -> Corpus:
    """The corpus of sentences or of files, one of the two; a stream is read now."""
    if (texts is None) == (sources is None):
        raise UsageError("L102", "an audit needs texts or sources, one of the two")
    if texts is not None:
        if format is not None or columns or split:
            raise UsageError("L102", "format, columns and split are for sources", hint="texts are sentences already")
        return _of_texts(texts)
    assert sources is not None  # noqa: S101  (just looked at)
    named = tuple(map(str, [sources] if isinstance(sources, (str, Path)) else sources))
    described = describe_sources(named, format)
    plain = Corpus(tuple(described), named, format, (columns,) if isinstance(columns, str) else tuple(columns), split)
    if all(one["sha256"] for one in described):
        return plain
    problems = Problems()
    held = tuple(single_sentences(_read(plain, problems)))
    with_digest = tuple(one if one["sha256"] else {**one, "sha256": _digest(held)} for one in described)
    return Corpus(with_digest, named, format, plain.columns, split, held, problems.by_kind)


def _of_texts(texts: Iterable[str]) -> Corpus:
    if isinstance(texts, str):
        raise UsageError("L102", "texts: a list of sentences is needed, this is one text", hint="sources= names files")
    held: list[Record] = []
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise UsageError("L102", f"texts: number {number} is no text, it is a {type(text).__name__}")
        if one := text.strip():
            held.append(Record(f"texts:{number}", one))
    if not held:
        raise LitotesError("L204", "texts: there is no sentence in them")
    size = sum(len(record.text.encode("utf-8", "surrogatepass")) for record in held)
    described = {"name": "texts", "bytes": size, "sha256": _digest(held), "format": "", "licence": ""}
    return Corpus((described,), held=tuple(held))


def _digest(records: Iterable[Record]) -> str:
    digest = hashlib.sha256()
    for record in records:
        digest.update(to_json([record.id, record.text]).encode() + b"\n")
    return digest.hexdigest()
