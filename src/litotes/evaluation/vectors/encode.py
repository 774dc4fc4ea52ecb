"""Encode a corpus of any size on an engine: the workflow behind `litotes encode` and `litotes.encode`."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from litotes.core.errors import LitotesError, UsageError, require_packages
from litotes.core.files import ensure_writable, expand_user, is_encodable
from litotes.core.parallel.engine import ParallelEngine, WorkerMap
from litotes.core.progress import Progress
from litotes.core.versions import current_versions
from litotes.corpora.base import Problems, Record
from litotes.corpora.read import describe_sources, read_corpus, single_sentences
from litotes.corpora.remote import check_network
from litotes.evaluation.encoding import choose_workers, encode_sentences
from litotes.evaluation.settings import EncodeSettings
from litotes.evaluation.vectors.folder import Block, VectorFolder, VectorWriter
from litotes.evaluation.vectors.remote import RemoteModel, choose_encoding_engine, remote_model
from litotes.models.access import Access
from litotes.models.base import Encoder, Vectors
from litotes.models.encoders import load_encoder


def encode(
    model: str | Encoder,
    texts: Iterable[str] | None = None,
    settings: EncodeSettings | None = None,
    *,
    out: str | Path,
    sources: str | Path | Sequence[str | Path] | None = None,
    engine: ParallelEngine | str | None = None,
    workers: int | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
    access: Access | None = None,
    problems: Problems | None = None,
    **options: Any,
) -> VectorFolder:
    """Encode sentences and write their vectors to a folder of Arrow files.

    A call that was killed resumes with the first missing file and ends with the same bytes. If the text has grown,
    only the last file and new ones are encoded.

    Args:
        model: Name of a sentence encoder, or the encoder itself, which runs in this process only.
        texts: Sentences; instead of them, `sources` reads text.
        settings: How to read the text and divide the vectors.
        out: The folder; vectors of another model or text in it are an error.
        sources: Files, folders, globs, URLs or `hf:` datasets in any format of `litotes build`.
        engine: Where sentences are encoded: serial, processes, ray or ray:ADDRESS; by default threads of this process.
        workers: Number of workers; by default all processor cores.
        fresh: Whether to overwrite other vectors in the folder.
        progress: Receives the progress.
        access: Permissions for loading the model.
        problems: Receives the lines that cannot be read.
        options: Fields of `EncodeSettings`, which override those in `settings`.
    """
    require_packages("parquet", "pyarrow")
    settings = (settings or EncodeSettings()).replace(**options)
    where = choose_encoding_engine(engine, workers)
    check_network(sources or (), may_use_network=(access or Access()).may_use_network)
    records, files = _open_records(texts, sources, settings, Problems() if problems is None else problems)
    folder = expand_user(out)
    ensure_writable(folder)
    encoder = load_encoder(model, access)
    remote = remote_model(encoder, model, access, where) if isinstance(model, str) else None
    fingerprint = encoder.fingerprint if remote is None else remote.fingerprint
    writer = VectorWriter(folder, fingerprint, settings.part_rows, fresh=fresh)
    progress = progress or Progress()
    progress.begin(encoder.name, total=None)
    waiting: deque[Block] = deque()
    if remote is None:
        computed = _encode_here(encoder, _missing(records, writer, waiting, settings.part_rows, progress), workers)
    else:
        computed = _encode_remotely(remote, where, _missing(records, writer, waiting, settings.part_rows, progress))
    with closing(computed):  # an error, such as a full disk, ends the workers at once
        for vectors in computed:
            writer.write(waiting.popleft(), vectors)
            progress.advance(len(vectors))
    progress.end()
    return writer.finish(encoder.name, files, current_versions())


def _open_records(
    texts: Iterable[str] | None,
    sources: str | Path | Sequence[str | Path] | None,
    settings: EncodeSettings,
    problems: Problems,
) -> tuple[Iterator[Record], list[dict[str, object]]]:
    """Return the sentences and the description of their files."""
    if (texts is None) == (sources is None):
        raise UsageError("L102", "pass either texts or sources")
    if sources is None:
        if isinstance(texts, str):
            raise UsageError("L102", "texts must be a list of sentences, not one string", hint="sources= reads files")
        return (Record(f"texts:{number}", text) for number, text in enumerate(texts or (), 1)), []
    names = tuple(map(str, [sources] if isinstance(sources, (str, Path)) else sources))
    records = read_corpus(
        names, format=settings.format, columns=settings.columns, split=settings.split, problems=problems
    )
    return _encodable(single_sentences(records), problems), describe_sources(names, settings.format)


def _encodable(records: Iterable[Record], problems: Problems) -> Iterator[Record]:
    for record in records:
        if is_encodable(record.text):
            yield record
        else:
            problems.add(record.id, 0, "encoding")


def _missing(
    records: Iterator[Record], writer: VectorWriter, waiting: deque[Block], part_rows: int, progress: Progress
) -> Iterator[list[str]]:
    """Yield the sentences of each part that is not stored, and append the part to `waiting`."""
    for number in itertools.count():
        rows = list(itertools.islice(records, part_rows))
        if not rows:
            break
        block = Block(number, [record.id for record in rows], [record.text for record in rows])
        if writer.has(block):
            progress.advance(len(rows))
        else:
            waiting.append(block)
            yield block.texts
    if not number:
        raise LitotesError("L204", "the text contains no sentence")


def _encode_here(
    encoder: Encoder, blocks: Iterable[Sequence[str]], workers: int | None
) -> Generator[Vectors, None, None]:
    for block in blocks:
        yield _encode_block(encoder, block, choose_workers(encoder, workers))


def _encode_remotely(
    model: RemoteModel, engine: ParallelEngine, blocks: Iterator[Sequence[str]]
) -> Generator[Vectors, None, None]:
    first = list(itertools.islice(blocks, 1))
    if not first:  # nothing is missing: no worker has to start
        return
    workers = WorkerMap(partial(encode_blocks, model), engine)
    try:
        yield from workers.map_ordered(itertools.chain(first, blocks), chunk_size=1)
    finally:
        workers.close()


def encode_blocks(model: RemoteModel, blocks: Sequence[Sequence[str]]) -> list[Vectors]:
    """Return the vectors of each block; runs in a worker, with one thread."""
    return [_encode_block(model.encoder, block, workers=1) for block in blocks]


def _encode_block(encoder: Encoder, texts: Sequence[str], workers: int) -> Vectors:
    """Return the vectors of a block, in batches of similar length that depend on the block alone."""
    unique = {text: index for index, text in enumerate(dict.fromkeys(texts))}
    vectors, _ = encode_sentences(encoder, list(unique), cache=None, workers=workers, progress=Progress())
    rows: Vectors = vectors[np.array([unique[text] for text in texts])]
    return rows
