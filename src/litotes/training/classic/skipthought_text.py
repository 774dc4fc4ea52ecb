"""Ordered text for skip-thought: documents, vocabulary, and each sentence with its neighbours."""

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
"""Ids of the tokens for sentence ends and unknown words."""


@dataclass(frozen=True)
class OrderedText:
    """Documents of sentences as word ids, and the frequencies of the words in the vocabulary."""

    words: tuple[str, ...]
    counts: tuple[int, ...]
    documents: tuple[tuple[array[int], ...], ...]

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return sum(map(len, self.documents))

    def sha256(self) -> str:
        """Return a hash of vocabulary and sentences."""
        digest = hashlib.sha256("\n".join(self.words).encode("utf-8", "surrogatepass"))
        for document in self.documents:
            digest.update(b"\0document")
            for sentence in document:
                digest.update(",".join(map(str, sentence)).encode() + b"\n")
        return digest.hexdigest()


@dataclass(frozen=True)
class SkipThoughtExample:
    """A sentence with its neighbours; at the beginning or end of a document one of them is empty."""

    previous: Sequence[int]
    sentence: Sequence[int]
    next: Sequence[int]


def read_documents(
    sources: Sequence[str],
    *,
    format: str | None = None,
    columns: Sequence[str] = (),
    split: bool = False,
    strict: bool = False,
    problems: Problems | None = None,
) -> Iterator[list[str]]:
    """Yield the documents of all sources as lists of sentences.

    A document ends at the end of its file, at `# newdoc` in CoNLL-U, at a blank line in a text with one sentence per
    line, at the end of a row in a table whose texts are split, and at a line that cannot be read.
    """
    all_problems = Problems() if problems is None else problems
    described = describe_sources(sources, format)
    for source, description in zip(resolve_sources(sources), described, strict=True):
        file_format = str(description["format"])
        if file_format == "conllu" and source.path is not None:
            records = _conllu_records(source, ProblemReporter(source.name, all_problems, strict=strict))
        else:
            options = {"format": format, "columns": columns, "split": split, "strict": strict, "problems": all_problems}
            records = _with_starts(read_corpus([_source_name(source)], **options), file_format, split=split)  # type: ignore[arg-type]
        yield from _documents(records, all_problems, source.name)


def _source_name(source: Source) -> str:
    if source.path is not None:
        return str(source.path)
    if source.remote is not None:
        hint = "copy it to this machine"
        raise UsageError("L102", f"{source.remote.url}: ordered text is not read from object storage", hint=hint)
    return f"hf:{source.hub}" if source.hub else "-"


RecordWithStart = tuple[Record, bool]
"""A record, and whether it begins a document."""


def _documents(records: Iterator[RecordWithStart], problems: Problems, name: str) -> Iterator[list[str]]:
    document: list[str] = []
    n_problems = problems.count
    while True:
        try:
            record, starts = next(records)
        except StopIteration:
            break
        except LitotesError as error:
            if error.code != "L204":  # an empty file is not an error
                raise
            break
        if record.second_text is not None:
            hint = "name a file with sentences that follow each other"
            raise UsageError("L102", f"{name}: contains pairs of sentences, not running text", hint=hint)
        if document and (starts or problems.count > n_problems):
            yield document
            document = []
        n_problems = problems.count
        document.append(record.text)
    if document:
        yield document


def _with_starts(records: Iterable[Record], format: str, *, split: bool) -> Iterator[RecordWithStart]:
    previous_id = ""
    for record in records:
        if format == "text" and not split:
            starts = bool(previous_id) and _line_number(record.id) != _line_number(previous_id) + 1
        elif split and format not in ("running", "text"):
            # The first sentence of a row has the id of the row; the others have numbers appended.
            starts = not record.id.startswith(f"{previous_id}.")
            if not starts:
                yield record, False
                continue
        else:
            starts = False
        previous_id = record.id
        yield record, starts


def _line_number(identifier: str) -> int:
    return int(identifier.rpartition(":")[2])


def _conllu_records(source: Source, account: ProblemReporter) -> Iterator[RecordWithStart]:
    """Yield the sentences of a CoNLL-U file; the reader yields a sentence before it reads the next one."""
    starts_document = False

    def watch(lines: Iterable[tuple[int, Line]]) -> Iterator[tuple[int, Line]]:
        nonlocal starts_document
        for number, line in lines:
            if line is not None and line.startswith("#") and line[1:].split("=")[0].split()[:1] == ["newdoc"]:
                starts_document = True
            yield number, line

    with open_bytes(source.path, source.name) as stream:
        for record in read_conllu(watch(NumberedLines(stream, account)), account):
            yield record, starts_document
            starts_document = False


def index_documents(documents: Iterable[Sequence[str]], *, vocabulary: int, min_count: int = 2) -> OrderedText:
    """Replace the words of documents by ids; the vocabulary consists of the most frequent words in lower case.

    Rarer words become the unknown word, so that the model learns a vector for it.

    >>> text = index_documents([["It rains.", "It pours."]], vocabulary=100)
    >>> text.words, [list(sentence) for sentence in text.documents[0]]
    (('<eos>', 'UNK', '.', 'it'), [[3, 1, 2], [3, 1, 2]])
    """
    word_numbers: dict[str, int] = {}
    raw: list[list[array[int]]] = []
    counts: Counter[int] = Counter()
    for document in documents:
        sentences = []
        for text in document:
            words = [word_numbers.setdefault(word.lower(), len(word_numbers)) for word in treebank_words(text)]
            counts.update(words)
            if words:
                sentences.append(array("l", words))
        raw.append(sentences)
    words_by_number = list(word_numbers)
    by_frequency = sorted(counts, key=lambda number: (-counts[number], words_by_number[number]))
    frequent = [
        number for number in by_frequency if counts[number] >= min_count and words_by_number[number] not in (EOS, UNK)
    ]
    chosen = frequent[: max(0, vocabulary - 2)]
    ids = {number: rank for rank, number in enumerate(chosen, 2)}
    indexed = tuple(
        tuple(array("l", (ids.get(number, UNKNOWN) for number in sentence)) for sentence in document)
        for document in raw
    )
    unknown = sum(counts.values()) - sum(counts[number] for number in chosen)
    return OrderedText(
        words=(EOS, UNK, *(words_by_number[number] for number in chosen)),
        counts=(sum(map(len, indexed)), unknown, *(counts[number] for number in chosen)),
        documents=indexed,
    )


def make_examples(text: OrderedText, max_length: int) -> list[SkipThoughtExample]:
    """Return every sentence that has a neighbour; sentences longer than `max_length` are left out."""
    examples = []
    empty: Sequence[int] = ()
    for document in text.documents:
        usable = [sentence if len(sentence) <= max_length else empty for sentence in document]
        around = [empty, *usable, empty]
        for previous, sentence, following in zip(around, usable, around[2:], strict=False):
            if len(sentence) and (len(previous) or len(following)):
                examples.append(SkipThoughtExample(previous, sentence, following))
    if not examples:
        hint = "use running text (--split), or one sentence per line without blank lines between them"
        raise LitotesError("L204", f"no two sentences of at most {max_length} words follow each other", hint=hint)
    return examples
