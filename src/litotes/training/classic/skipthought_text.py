"""Ordered text for skip-thought: documents, the vocabulary, and each sentence with those before and behind it."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from litotes.core.errors import LitotesError, UsageError
from litotes.corpora.base import ProblemReporter, Problems, Record
from litotes.corpora.conllu import read_conllu
from litotes.corpora.lines import Line, NumberedLines
from litotes.corpora.read import describe_sources, read_corpus
from litotes.corpora.sources import Source, resolve_sources
from litotes.corpora.streams import open_bytes
from litotes.models.classic.skipthought_files import EOS, UNK
from litotes.models.word_vectors.tokenization import treebank_words

END, UNKNOWN = 0, 1
"""The numbers of the two words that every vocabulary has."""


@dataclass(frozen=True)
class Ordered:
    """A text as numbers of words: documents of sentences, and how often each word of the vocabulary comes."""

    words: tuple[str, ...]
    counts: tuple[int, ...]
    documents: tuple[tuple[array[int], ...], ...]

    @property
    def sentences(self) -> int:
        """How many there are."""
        return sum(map(len, self.documents))

    def sha256(self) -> str:
        """Of everything that training sees of the text."""
        digest = hashlib.sha256("\n".join(self.words).encode("utf-8", "surrogatepass"))
        for document in self.documents:
            digest.update(b"\0document")
            for sentence in document:
                digest.update(",".join(map(str, sentence)).encode() + b"\n")
        return digest.hexdigest()


@dataclass(frozen=True)
class Neighbours:
    """A sentence and the two around it; at the beginning or the end of a document one of them is empty."""

    before: Sequence[int]
    sentence: Sequence[int]
    behind: Sequence[int]


def read_documents(
    sources: Sequence[str],
    *,
    format: str | None = None,
    columns: Sequence[str] = (),
    split: bool = False,
    strict: bool = False,
    problems: Problems | None = None,
) -> Iterator[list[str]]:
    """The documents of all sources, each a list of sentences in order.

    A document ends with its file; in CoNLL-U where another begins (`# newdoc`); in a text of a sentence a line at a
    blank line; in a table whose texts are split with each row; and wherever a line could not be read.
    """
    kept = Problems() if problems is None else problems
    described = describe_sources(sources, format)
    for source, about in zip(resolve_sources(sources), described, strict=True):
        found = str(about["format"])
        if found == "conllu" and source.path is not None:
            records = _conllu_records(source, ProblemReporter(source.name, kept, strict=strict))
        else:
            options = {"format": format, "columns": columns, "split": split, "strict": strict, "problems": kept}
            records = _with_starts(read_corpus([_named(source)], **options), found, split=split)  # type: ignore[arg-type]
        yield from _documents(records, kept, source.name)


def _named(source: Source) -> str:
    if source.path is not None:
        return str(source.path)
    return f"hf:{source.hub}" if source.hub else "-"


Started = tuple[Record, bool]
"""A record, and whether a document begins with it."""


def _documents(records: Iterator[Started], problems: Problems, name: str) -> Iterator[list[str]]:
    document: list[str] = []
    lost = problems.count
    while True:
        try:
            record, starts = next(records)
        except StopIteration:
            break
        except LitotesError as error:
            if error.code != "L204":  # one of several files may be empty
                raise
            break
        if record.second_text is not None:
            hint = "skip-thought learns from sentences that follow each other"
            raise UsageError("L102", f"{name}: holds pairs of sentences, not ordered text", hint=hint)
        if document and (starts or problems.count > lost):
            yield document
            document = []
        lost = problems.count
        document.append(record.text)
    if document:
        yield document


def _with_starts(records: Iterable[Record], format: str, *, split: bool) -> Iterator[Started]:
    before = ""
    for record in records:
        if format == "text" and not split:
            starts = bool(before) and _line(record.id) != _line(before) + 1
        elif split and format not in ("running", "text"):
            # The first sentence of a row has the row's own id, the others that with a number behind.
            starts = not record.id.startswith(f"{before}.")
            if not starts:
                yield record, False
                continue
        else:
            starts = False
        before = record.id
        yield record, starts


def _line(identifier: str) -> int:
    return int(identifier.rpartition(":")[2])


def _conllu_records(source: Source, account: ProblemReporter) -> Iterator[Started]:
    """The sentences of a CoNLL-U file; the reader gives one when it has seen its end, before the next begins."""
    begins = False

    def watched(lines: Iterable[tuple[int, Line]]) -> Iterator[tuple[int, Line]]:
        nonlocal begins
        for number, line in lines:
            if line is not None and line.startswith("#") and line[1:].split("=")[0].split()[:1] == ["newdoc"]:
                begins = True
            yield number, line

    with open_bytes(source.path, source.name) as stream:
        for record in read_conllu(watched(NumberedLines(stream, account)), account):
            yield record, begins
            begins = False


def ordered_text(documents: Iterable[Sequence[str]], *, vocabulary: int, min_count: int = 2) -> Ordered:
    """The documents in numbers, with so many words at most: the most frequent, in lower case.

    Rarer words stand for all that are unknown: a model that has never seen an unknown word has learnt nothing of them.

    >>> text = ordered_text([["It rains.", "It pours."]], vocabulary=100)
    >>> text.words, [list(sentence) for sentence in text.documents[0]]
    (('<eos>', 'UNK', '.', 'it'), [[3, 1, 2], [3, 1, 2]])
    """
    numbers: dict[str, int] = {}
    raw: list[list[array[int]]] = []
    counts: Counter[int] = Counter()
    for document in documents:
        sentences = []
        for text in document:
            words = [numbers.setdefault(word.lower(), len(numbers)) for word in treebank_words(text)]
            counts.update(words)
            if words:
                sentences.append(array("l", words))
        raw.append(sentences)
    every = list(numbers)
    often = sorted(counts, key=lambda number: (-counts[number], every[number]))
    # The two special words could stand in the text.
    usual = [number for number in often if counts[number] >= min_count and every[number] not in (EOS, UNK)]
    chosen = usual[: max(0, vocabulary - 2)]
    place = {number: rank for rank, number in enumerate(chosen, 2)}
    made = tuple(
        tuple(array("l", (place.get(number, UNKNOWN) for number in sentence)) for sentence in document)
        for document in raw
    )
    unknown = sum(counts.values()) - sum(counts[number] for number in chosen)
    return Ordered(
        words=(EOS, UNK, *(every[number] for number in chosen)),
        counts=(sum(map(len, made)), unknown, *(counts[number] for number in chosen)),
        documents=made,
    )


def neighbours(text: Ordered, max_length: int) -> list[Neighbours]:
    """Every sentence that has a neighbour to learn from; those of more words are neither read nor told."""
    found = []
    nothing: Sequence[int] = ()
    for document in text.documents:
        usable = [sentence if len(sentence) <= max_length else nothing for sentence in document]
        around = [nothing, *usable, nothing]
        for before, sentence, behind in zip(around, usable, around[2:], strict=False):
            if len(sentence) and (len(before) or len(behind)):
                found.append(Neighbours(before, sentence, behind))
    if not found:
        raise LitotesError(
            "L204",
            f"no two sentences of at most {max_length} words follow each other, so there is nothing to learn from",
            hint="give running text (--split), or a sentence a line without blank lines between them",
        )
    return found
