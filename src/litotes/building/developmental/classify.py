"""Classification of NLI pairs: the categories of negation of premise and hypothesis, as JSON lines."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from litotes.building.developmental.part_file import PartFile, open_part_file
from litotes.building.pipeline.settings import versions
from litotes.core.errors import LitotesError
from litotes.core.files import (
    ensure_writable,
    expand_user,
    is_folder,
    is_stream,
    resolve_output,
    to_json,
)
from litotes.core.parallel.engine import ParallelEngine, choose_engine, map_ordered
from litotes.core.progress import Progress
from litotes.core.settings import Settings
from litotes.corpora.base import Problems, Record
from litotes.corpora.nli import nli_records
from litotes.corpora.partitions import is_partitioned, open_partitions
from litotes.corpora.read import describe_sources
from litotes.corpora.remote import require_pyarrow
from litotes.corpora.settings import ParquetSettings
from litotes.languages.negation_categories import CATEGORIES, Ruleset
from litotes.speedups.spacy_import import with_minimal_spacy

BLOCK_SIZE = 1024
"""Pairs whose sentences are parsed together; a premise that is repeated within a block is parsed once."""

SIDES = ("premise", "hypothesis", "either", "both")
_COLUMNS = ("id", "premise", "hypothesis", "label")

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
    parquet: ParquetSettings | None = None,
) -> ClassificationResult:
    """Write every pair with the negation categories of its premise and hypothesis; resume an interrupted call.

    The pairs have the order of the corpus, one JSON line each, or one row each in a folder of Parquet files if the name
    of the output ends with .parquet; the bytes do not depend on the number of workers. `finish=False` leaves the lines
    in `OUT.part`, where the same call finds them again.
    """
    settings = settings or ClassifySettings()
    where = choose_engine(engine, workers)
    names = [str(source) for source in ([sources] if isinstance(sources, (str, Path)) else sources)]
    path = expand_user(out)
    corpus = [
        {name: source[name] for name in ("name", "sha256")} for source in describe_sources(names, settings.format)
    ]
    problems = Problems()
    counts = _Counts()
    records = nli_records(
        names, format=settings.format, columns=settings.columns, strict=settings.strict, problems=problems
    )
    with progress or Progress() as bar:
        bar.begin("classifying", total=None)
        if is_partitioned(path):
            _write_parquet(path, records, corpus, settings, where, counts, bar, parquet or ParquetSettings())
        else:
            _write_lines(path, records, corpus, settings, where, counts, bar, finish=finish)
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


def _write_lines(  # noqa: PLR0917
    path: Path,
    records: Iterator[Record],
    corpus: list[dict[str, Any]],
    settings: ClassifySettings,
    engine: ParallelEngine,
    counts: _Counts,
    bar: Progress,
    *,
    finish: bool,
) -> None:
    """Write JSON lines."""
    if is_folder(path):
        raise LitotesError("L202", f"{path}: is a folder, a file is needed", hint="name a file in it")
    if not is_stream(path):
        ensure_writable(resolve_output(path).parent)
    dependencies = [corpus, settings.format, list(settings.columns), settings.rules, versions(), BLOCK_SIZE]
    key = hashlib.sha256(to_json(dependencies).encode()).hexdigest()
    with open_part_file(path, key, finish=finish) as part:
        blocks = iter(lambda: list(islice(records, BLOCK_SIZE)), [])
        new_blocks = _skip_finished_blocks(part, blocks, counts, bar)
        with closing(_classify(new_blocks, _Task(settings.rules, settings.prefilter), engine, counts, bar)) as results:
            for rows in results:
                part.write([to_json(row) for row in rows])


def _write_parquet(  # noqa: PLR0917
    folder: Path,
    records: Iterator[Record],
    corpus: list[dict[str, Any]],
    settings: ClassifySettings,
    engine: ParallelEngine,
    counts: _Counts,
    bar: Progress,
    parquet: ParquetSettings,
) -> None:
    """Write a folder of Parquet files."""
    pa = require_pyarrow()
    fields = dict.fromkeys(_COLUMNS, pa.string())
    fields |= {f"{side}_categories": pa.list_(pa.string()) for side in SIDES[:2]}
    schema = pa.schema({**fields, **dict.fromkeys(CATEGORIES, pa.int8())})
    description = {
        "command": "classify",
        "rules": settings.rules,
        "format": settings.format,
        "columns_read": list(settings.columns),
        "corpus": corpus,
        "versions": versions(),
    }

    def count_resumed(row: dict[str, Any]) -> None:
        counts.add(row["label"], row["premise_categories"], row["hypothesis_categories"])
        counts.resumed += 1
        bar.advance(1)

    with open_partitions(folder, schema, description, part_rows=parquet.part_rows) as output:
        blocks = output.remaining_blocks(
            records, _is_row_of, size=BLOCK_SIZE, columns=list(fields), on_row=count_resumed
        )
        with closing(_classify(blocks, _Task(settings.rules, settings.prefilter), engine, counts, bar)) as results:
            for row in chain.from_iterable(results):
                output.write(row)


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
        is_complete = all(isinstance(row[f"{side}_categories"], list) for side in SIDES[:2])
        return row if is_complete and _is_row_of(row, record) else {}
    except (ValueError, KeyError, TypeError):
        return {}


def _is_row_of(row: Mapping[str, Any], record: Record) -> bool:
    return tuple(map(row.__getitem__, _COLUMNS)) == (record.id, record.text, record.second_text, record.label)


@dataclass(frozen=True)
class _Task:
    """The settings that are sent to worker processes."""

    rules: Ruleset
    prefilter: bool


def _classify(
    blocks: Iterator[list[Record]], task: _Task, engine: ParallelEngine, counts: _Counts, bar: Progress
) -> Generator[list[dict[str, Any]], None, None]:
    """Yield the rows of each block."""
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
            yield [_row(record, by_text, counts) for record in block]
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


def _row(record: Record, by_text: Mapping[str, Categories], counts: _Counts) -> dict[str, Any]:
    hypothesis = record.second_text or ""
    premise_categories, hypothesis_categories = by_text.get(record.text, ()), by_text.get(hypothesis, ())
    counts.add(record.label, premise_categories, hypothesis_categories)
    return {
        "id": record.id,
        "premise": record.text,
        "hypothesis": hypothesis,
        "label": record.label,
        "premise_categories": premise_categories,
        "hypothesis_categories": hypothesis_categories,
        **{category: int(category in premise_categories + hypothesis_categories) for category in CATEGORIES},
    }
