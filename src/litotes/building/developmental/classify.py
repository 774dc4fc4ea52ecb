"""Classification of NLI pairs: the categories of negation of premise and hypothesis, as JSON lines."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Annotated, Any

from msgspec import Meta

from litotes.building.pipeline.settings import versions
from litotes.core.errors import LitotesError
from litotes.core.files import (
    ensure_writable,
    expand_user,
    is_folder,
    is_stream,
    open_stream,
    resolve_output,
    to_json,
    write_atomic,
    writing_to,
)
from litotes.core.parallel.engine import ParallelEngine, choose_engine, map_ordered
from litotes.core.progress import Progress
from litotes.core.settings import Settings
from litotes.corpora.base import Problems, Record
from litotes.corpora.nli import nli_records
from litotes.corpora.read import describe_sources
from litotes.languages.negation_categories import CATEGORIES, Ruleset
from litotes.speedups.spacy_import import with_minimal_spacy

if sys.platform != "win32":
    import fcntl

BLOCK_SIZE = 1024
"""Pairs whose sentences are parsed together; a premise that is repeated within a block is parsed once."""

SIDES = ("premise", "hypothesis", "either", "both")

Categories = tuple[str, ...]


class ClassifySettings(Settings, frozen=True, kw_only=True):
    """How NLI pairs are read and classified."""

    rules: Annotated[Ruleset, Meta(description="Ruleset: paper or litotes.", extra={"metavar": "NAME"})] = "litotes"
    format: Annotated[str | None, Meta(description="Format of the corpus. Default: detected automatically.")] = None
    columns: Annotated[
        tuple[str, ...],
        Meta(description="Premise column, then hypothesis column.", extra={"option": "--column", "metavar": "NAME"}),
    ] = ()
    strict: Annotated[bool, Meta(description="Stop at the first line that cannot be read.")] = False
    prefilter: Annotated[bool, Meta(extra={"option": False})] = True
    """Parse only sentences with a negation marker; turned off only to compare the two ways."""


@dataclass(frozen=True)
class ClassificationResult:
    """Counts of a classified corpus."""

    out: Path
    pairs: int
    unlabelled: int
    """Pairs without a gold label; they are classified too."""
    negated: int
    """Pairs with a category in premise or hypothesis."""
    counts: Mapping[str, Mapping[str, int]]
    """Category → side (premise, hypothesis, either, both) → number of pairs."""
    parsed: int
    """Sentences parsed in this call."""
    resumed: int
    """Pairs written by an earlier, interrupted call."""
    problems: Problems


def classify_nli(
    sources: str | Path | Sequence[str | Path],
    out: str | Path,
    settings: ClassifySettings | None = None,
    *,
    workers: int | None = None,
    engine: ParallelEngine | str | None = None,
    finish: bool = True,
    progress: Progress | None = None,
) -> ClassificationResult:
    """Write every pair with the negation categories of its premise and hypothesis; resume an interrupted call.

    The pairs have the order of the corpus, one JSON line each; the bytes do not depend on the number of workers.
    `finish=False` leaves the lines in `OUT.part`, where the same call finds them again.
    """
    settings = settings or ClassifySettings()
    where = choose_engine(engine, workers)
    names = [str(source) for source in ([sources] if isinstance(sources, (str, Path)) else sources)]
    path = expand_user(out)
    if is_folder(path):
        raise LitotesError("L202", f"{path}: is a folder, a file is needed", hint="name a file in it")
    if not is_stream(path):
        ensure_writable(resolve_output(path).parent)
    corpus = [
        {name: source[name] for name in ("name", "sha256")} for source in describe_sources(names, settings.format)
    ]
    dependencies = [corpus, settings.format, list(settings.columns), settings.rules, versions(), BLOCK_SIZE]
    key = hashlib.sha256(to_json(dependencies).encode()).hexdigest()
    problems = Problems()
    counts = _Counts()
    records = nli_records(
        names, format=settings.format, columns=settings.columns, strict=settings.strict, problems=problems
    )
    with open_part_file(path, key, finish=finish) as part, progress or Progress() as bar:
        bar.begin("classifying", total=None)
        blocks = iter(lambda: list(islice(records, BLOCK_SIZE)), [])
        new_blocks = _skip_finished_blocks(part, blocks, counts, bar)
        _classify(part, new_blocks, _Task(settings.rules, settings.prefilter), where, counts, bar)
        bar.end()
    return ClassificationResult(
        path,
        pairs=counts.pairs,
        unlabelled=counts.unlabelled,
        negated=counts.negated,
        counts={category: {side: counts.by_side[category, side] for side in SIDES} for category in CATEGORIES},
        parsed=counts.parsed,
        resumed=counts.resumed,
        problems=problems,
    )


@dataclass
class _Counts:
    pairs: int = 0
    unlabelled: int = 0
    negated: int = 0
    parsed: int = 0
    resumed: int = 0
    by_side: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, label: str, premise: Sequence[str], hypothesis: Sequence[str]) -> None:
        self.pairs += 1
        self.unlabelled += not label
        if not premise and not hypothesis:
            return
        self.negated += 1
        for category in {*premise, *hypothesis}:
            self.by_side[category, "either"] += 1
            self.by_side[category, "premise"] += category in premise
            self.by_side[category, "hypothesis"] += category in hypothesis
            self.by_side[category, "both"] += category in premise and category in hypothesis


def _skip_finished_blocks(
    part: PartFile, blocks: Iterator[list[Record]], counts: _Counts, bar: Progress
) -> Iterator[list[Record]]:
    """Yield the blocks that are not in the part file, whose lines must belong to the same pairs."""
    for block in blocks:
        start = part.tell()
        lines = part.read_lines(len(block))
        rows = [_parse_line(line, record) for line, record in zip(lines, block, strict=True)] if lines else []
        if not rows or not all(rows):
            part.truncate(start)
            yield block
            yield from blocks
            return
        for row in rows:
            counts.add(row["label"], row["premise_categories"], row["hypothesis_categories"])
        counts.resumed += len(block)
        bar.advance(len(block))
    part.truncate(part.tell())


def _parse_line(line: bytes, record: Record) -> dict[str, Any]:
    """Return a line of the part file; an empty dictionary if it is incomplete or belongs to another pair."""
    try:
        row = json.loads(line)
        pair = (row["id"], row["premise"], row["hypothesis"], row["label"])
        is_complete = all(isinstance(row[f"{side}_categories"], list) for side in SIDES[:2])
    except (ValueError, KeyError, TypeError):
        return {}
    return row if is_complete and pair == (record.id, record.text, record.second_text, record.label) else {}


@dataclass(frozen=True)
class _Task:
    """The settings that are sent to worker processes."""

    rules: Ruleset
    prefilter: bool


def _classify(  # noqa: PLR0917
    part: PartFile, blocks: Iterator[list[Record]], task: _Task, engine: ParallelEngine, counts: _Counts, bar: Progress
) -> None:
    pending: deque[tuple[list[Record], list[str]]] = deque()

    def texts_of_blocks() -> Iterator[list[str]]:
        for block in blocks:
            texts = _texts_to_parse(block, task)
            pending.append((block, texts))
            yield texts

    classify = with_minimal_spacy(partial(_classify_texts, task), is_remote=engine.is_remote)
    results = map_ordered(classify, texts_of_blocks(), engine=engine, chunk_size=1)
    try:
        for categories in results:
            block, texts = pending.popleft()
            by_text = dict(zip(texts, categories, strict=True))
            part.write([_line(record, by_text, counts) for record in block])
            counts.parsed += len(texts)
            bar.advance(len(block))
    finally:
        results.close()


def _texts_to_parse(block: Sequence[Record], task: _Task) -> list[str]:
    """Return the distinct sentences of a block that may have a category."""
    from litotes.languages.en.negation import has_marker

    texts = dict.fromkeys(text for record in block for text in (record.text, record.second_text or ""))
    return [text for text in texts if has_marker(text, task.rules)] if task.prefilter else list(texts)


def _classify_texts(task: _Task, blocks: Sequence[Sequence[str]]) -> list[list[Categories]]:
    """Return the categories of each text of each block; runs in worker processes."""
    from litotes.languages.en.developmental.classify import classify_doc, classify_texts
    from litotes.languages.en.negation import straighten
    from litotes.languages.en.parser import parse_all

    results: list[list[Categories]] = []
    for texts in blocks:
        if task.prefilter:
            by_text = classify_texts(texts, task.rules) if texts else []
        else:
            by_text = [classify_doc(doc, task.rules) for doc in parse_all(map(straighten, texts))]
        results.append([tuple(category for category in CATEGORIES if category in named) for named in by_text])
    return results


def _line(record: Record, by_text: Mapping[str, Categories], counts: _Counts) -> str:
    hypothesis = record.second_text or ""
    premise_categories, hypothesis_categories = by_text.get(record.text, ()), by_text.get(hypothesis, ())
    counts.add(record.label, premise_categories, hypothesis_categories)
    return to_json(
        {
            "id": record.id,
            "premise": record.text,
            "hypothesis": hypothesis,
            "label": record.label,
            "premise_categories": premise_categories,
            "hypothesis_categories": hypothesis_categories,
            **{category: int(category in premise_categories + hypothesis_categories) for category in CATEGORIES},
        }
    )


# Part files


class PartFile:
    """`FILE.part` with the lines written so far, and `FILE.part.key` with a hash of what they depend on.

    The lines for a pipe or device are in a temporary file, and are written when they are complete.
    """

    def __init__(self, out: Path, key: str) -> None:
        with writing_to(out):
            self._out = self._path = out
            self._stream = open_stream(out)
            if self._stream is not None:
                self._file: IO[bytes] = TemporaryFile()  # noqa: SIM115
                return
            self._out = resolve_output(out)
            self._path, self._key_path = part_path(out), _key_path(out)
            self._out.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("a+b")
        try:
            self._lock()
            with writing_to(self._path):
                if not self._has_key(key):
                    self._file.truncate(0)
                    write_atomic(self._key_path, f"{key}\n")
                self._file.seek(0)
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        if sys.platform == "win32":
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            hint = "wait until it has finished, or use another --out"
            raise LitotesError("L401", f"{self._path}: another command is writing this file", hint=hint) from error

    def _has_key(self, key: str) -> bool:
        try:
            return self._key_path.read_text("utf-8").strip() == key
        except (OSError, UnicodeDecodeError):
            return False

    def read_lines(self, count: int) -> list[bytes]:
        """Return the next lines of an earlier call; an empty list if there are fewer than `count` complete ones."""
        with writing_to(self._path):
            lines = [self._file.readline() for _ in range(count)]
        return lines if lines and lines[-1].endswith(b"\n") else []

    def tell(self) -> int:
        """Return the position of the next line."""
        return self._file.tell()

    def truncate(self, position: int) -> None:
        """Delete everything after a position."""
        with writing_to(self._path):
            self._file.truncate(position)
            self._file.seek(position)

    def write(self, lines: list[str]) -> None:
        """Append lines and flush them."""
        with writing_to(self._path):
            self._file.write("".join(f"{line}\n" for line in lines).encode("utf-8"))
            self._file.flush()

    def finish(self) -> None:
        """Rename the complete file to its final name."""
        if self._stream is not None:
            with writing_to(self._out), self._stream, self._file:
                self._file.seek(0)
                shutil.copyfileobj(self._file, self._stream)
            return
        with writing_to(self._out):
            self._file.flush()
            os.fsync(self._file.fileno())
            self._path.replace(self._out)
            self._file.close()
            self._key_path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close an unfinished file; it remains for the next call unless it is empty."""
        with suppress(OSError):  # closing may follow an error of this very file
            self._file.close()
            if self._stream is not None:
                self._stream.close()
                return
            if self._path.stat().st_size == 0:
                self._path.unlink(missing_ok=True)
                self._key_path.unlink(missing_ok=True)


def part_path(out: Path) -> Path:
    """Return the path of the lines of an unfinished file."""
    out = resolve_output(out)
    return out.with_name(f"{out.name}.part")


def remove_part_file(out: Path) -> None:
    """Delete the lines of an unfinished file."""
    with writing_to(out):
        part_path(out).unlink(missing_ok=True)
        _key_path(out).unlink(missing_ok=True)


def _key_path(out: Path) -> Path:
    part = part_path(out)
    return part.with_name(f"{part.name}.key")


@contextmanager
def open_part_file(out: Path, key: str, *, finish: bool = True) -> Iterator[PartFile]:
    """Open a part file; on success it gets its final name unless `finish` is false."""
    part = PartFile(out, key)
    try:
        yield part
        if finish:
            part.finish()
        else:
            part.close()
    except BaseException:
        part.close()
        raise
