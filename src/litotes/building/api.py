"""The public function that builds suites: corpus → filter → parse and rewrite → select → write."""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from litotes.building.base import Builder, load_builder
from litotes.building.pipeline.generate import (
    BlockResult,
    CorpusReader,
    GenerateTask,
    OnSkipped,
    RecordBlock,
    generate_candidates,
)
from litotes.building.pipeline.journal import Journal, block_digest, has_journal
from litotes.building.pipeline.naturalness import load_naturalness
from litotes.building.pipeline.select import Selection
from litotes.building.pipeline.settings import BuildSettings, versions
from litotes.building.pipeline.write_suite import META, SuiteMetadata, write_official, write_suites
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import atomic_writer, ensure_writable, expand_user, to_json
from litotes.core.parallel.engine import ParallelEngine, choose_engine, map_ordered
from litotes.core.progress import Progress
from litotes.core.sqlite import SeenTexts
from litotes.corpora.base import Problems, Record
from litotes.corpora.partitions import is_partitioned, open_partitions
from litotes.corpora.read import describe_sources
from litotes.corpora.remote import require_pyarrow
from litotes.corpora.settings import ParquetSettings
from litotes.rewrites.options import check_options, options_of
from litotes.speedups.spacy_import import with_minimal_spacy

BLOCK_SIZE = 256
"""Records that are filtered, parsed and stored together."""
JOURNAL = ".build.sqlite"
_REVIEW = "review.sqlite"


@dataclass(frozen=True)
class BuildResult:
    """The suites of a build, with counts of what was read and left out."""

    folders: Mapping[str, Path]
    """Set → folder of its suite."""
    units: Mapping[str, int]
    """Set → number of candidates that became items."""
    items: Mapping[str, int]
    """Set → number of items."""
    read: int
    """Records (sentences or pairs) of the corpus."""
    skips: Mapping[str, int]
    """Skip code → number of sentences left out for this reason."""
    problems: Problems
    official: tuple[Path, ...] = ()
    """Files in the format of the paper."""


def build_suite(
    builder: str,
    sources: str | Path | Sequence[str | Path],
    out: str | Path,
    settings: BuildSettings | None = None,
    *,
    workers: int | None = None,
    engine: ParallelEngine | str | None = None,
    fresh: bool = False,
    official: bool = False,
    skipped: str | Path | None = None,
    progress: Progress | None = None,
) -> BuildResult:
    """Build a suite, or all suites of a builder, from a corpus into a folder.

    `sources` are files, folders, globs, URLs, `hf:` datasets or `builtin`. Calling an interrupted build again resumes
    it. The same corpus and settings always give the same bytes.

    Args:
        builder: Name of a builder; see `list_builders`.
        sources: The corpus.
        out: Folder for the suite; builders with several sets create one folder per set in it.
        settings: How to build.
        workers: Number of processes; by default one, or all processors of a Ray cluster.
        engine: Where work runs: serial, processes, ray or ray:ADDRESS; by default LITOTES_ENGINE or this machine.
        fresh: Replace a suite that is already in the folder.
        official: Also write the file format of the paper.
        skipped: File for the sentences that were left out, with the reasons, as JSON lines, or NAME.parquet.
        progress: Progress bar.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     corpus = Path(folder) / "notes.txt"
    ...     _ = corpus.write_text("The kettle is not hot.\\nWe sat down.\\nThe door isn't open today.\\n")
    ...     result = build_suite("semantoneg", corpus, Path(folder) / "suite")
    >>> result.read, result.units[""], result.items[""]
    (3, 3, 12)
    """
    settings = settings or BuildSettings()
    where = choose_engine(engine, workers)
    names = [str(source) for source in ([sources] if isinstance(sources, (str, Path)) else sources)]
    if not names:
        raise UsageError("L102", "the corpus is missing", hint="name one with --from FILE, or use --from builtin")
    suite_builder = load_builder(builder)
    options = _all_options(suite_builder, settings)
    folder = expand_user(out)
    check_unreviewed(folder)
    corpus = describe_sources(names, settings.format)
    naturalness = load_naturalness(settings.naturalness)
    numbers = versions(naturalness.packages)
    dependencies = [suite_builder.name, options, settings.recorded(), settings.language_tool, naturalness.description]
    text = to_json([*dependencies, corpus, numbers, settings.prefilter])
    key = hashlib.sha256(text.encode()).hexdigest()
    check_free(folder, fresh=fresh or has_journal(folder / JOURNAL, key))
    task = GenerateTask(
        builder,
        tuple(sorted(options.items())),
        settings.language_tool,
        settings.prefilter,
        counts_words=naturalness.counts is not None,
        names_skipped=skipped is not None,
    )
    reader = CorpusReader(names, settings, hashed=any(not source["sha256"] for source in corpus))
    with _open_journal(folder, key) as journal, progress or Progress() as bar:
        with _skip_file(skipped) as on_skipped:
            skip_counts: Counter[str] = Counter()
            with closing(_generate(journal, task, reader.records(), where, bar)) as results:
                for result in results:
                    skip_counts.update(result.skip_counts)
                    for _, source, sentence, code in result.skipped:
                        on_skipped({"id": source, "text": sentence, "code": code, "reason": suite_builder.skips[code]})
                    if naturalness.counts is not None and result.checksums is not None:
                        naturalness.counts.add(result.checksums)
            for source, sentence, code, reason in journal.skips():
                on_skipped({"id": source, "text": sentence, "code": code, "reason": reason})
            early_skips = skip_counts + Counter(journal.skip_counts())
            selection = Selection(settings, naturalness.score)
            late_skips = _select(selection, suite_builder, journal, on_skipped, bar)
        metadata = SuiteMetadata(
            settings, suite_builder, options, corpus, naturalness.description, reader.describe(), early_skips, numbers
        )
        suites = write_suites(folder, metadata, selection, late_skips)
        skips = sum(late_skips.values(), early_skips)
        official_suites = suites.values() if official else ()
        files = [path for suite in official_suites for path in write_official(suite.folder, settings.seed)]
        journal.remove_file()
    if not suites:
        raise LitotesError("L204", _no_items_message(reader.n_records, suite_builder, skips))
    return BuildResult(
        folders={set_: suite.folder for set_, suite in suites.items()},
        units={set_: suite.units for set_, suite in suites.items()},
        items={set_: suite.items for set_, suite in suites.items()},
        read=reader.n_records,
        skips=dict(skips),
        problems=reader.problems,
        official=tuple(files),
    )


def _all_options(builder: Builder, settings: BuildSettings) -> dict[str, Any]:
    """Return every option of the builder with its value, as suite.json records them."""
    known = options_of(builder)
    values = dict(settings.options)
    if "seed" in known:
        values.setdefault("seed", settings.seed)
    return {**{name: option.default for name, option in known.items()}, **check_options(builder, values)}


def check_unreviewed(out: Path) -> None:
    """Raise if the suite in a folder has been reviewed: reviews are never overwritten."""
    if (out / _REVIEW).exists() or any(out.glob(f"*/{_REVIEW}")):
        raise UsageError("L102", f"{out}: contains a reviewed suite", hint="build into another folder")


def check_free(out: Path, *, fresh: bool) -> None:
    """Raise if a folder has a suite that may not be replaced, or cannot be written."""
    if not fresh and ((out / META).exists() or any(out.glob(f"*/{META}"))):
        raise UsageError("L102", f"{out}: contains a suite already", hint="--fresh replaces it, or use another --out")
    ensure_writable(out)


@contextmanager
def _open_journal(out: Path, key: str) -> Iterator[Journal]:
    """Open the journal of a build; a new folder is removed again if the build writes nothing."""
    was_there = out.exists()
    try:
        journal = Journal(out / JOURNAL, key)
        try:
            yield journal
        except BaseException:
            journal.close()
            raise
    finally:
        if not was_there:
            with suppress(OSError):  # it is not empty
                out.rmdir()


def _generate(
    journal: Journal, task: GenerateTask, records: Iterator[Record], engine: ParallelEngine, bar: Progress
) -> Generator[BlockResult, None, None]:
    """Yield the results of all blocks, with repeated units as skips, and store what the journal does not have."""
    pending: deque[tuple[int, bytes, RecordBlock]] = deque()

    def blocks() -> Iterator[RecordBlock]:
        number = 0
        while chunk := list(islice(records, BLOCK_SIZE)):
            digest = block_digest(chunk)
            block = RecordBlock(chunk, journal.has(number, digest))
            pending.append((number, digest, block))
            yield block
            number += 1
        journal.delete_from(number)

    seen = SeenTexts()
    bar.begin("parsing", total=None)
    generate = with_minimal_spacy(partial(generate_candidates, task), is_remote=engine.is_remote)
    results = map_ordered(generate, blocks(), engine=engine, chunk_size=1)
    try:
        for result in results:
            number, digest, block = pending.popleft()
            new_units = [unit for unit in result.units if seen.add_key(unit.key)]
            if not block.is_stored:
                journal.add(number, digest, [unit.entry for unit in new_units if unit.entry is not None])
            yield _with_duplicates(result, {unit.position for unit in new_units}, named=task.names_skipped)
            bar.advance(len(block.records))
    finally:
        results.close()
        bar.end()


def _with_duplicates(result: BlockResult, new: set[int], *, named: bool) -> BlockResult:
    """Count the units that are not new as skips."""
    repeated = [unit for unit in result.units if unit.position not in new]
    if not repeated:
        return result
    duplicates = [(unit.position, unit.id, unit.text, "duplicate") for unit in repeated] if named else []
    return result._replace(
        skip_counts={**result.skip_counts, "duplicate": len(repeated)},
        skipped=sorted([*result.skipped, *duplicates]),
    )


def _select(
    selection: Selection, builder: Builder, journal: Journal, on_skipped: OnSkipped, bar: Progress
) -> dict[str, Counter[str]]:
    """Fill the selection from the journal and return the skips by set and code."""
    counts: dict[str, Counter[str]] = {set_: Counter() for set_ in builder.sets}

    def leave_out(source: str, set_: str, code: str) -> None:
        counts[set_][code] += 1
        on_skipped({"id": source, **({"set": set_} if set_ else {}), "code": code, "reason": builder.skips[code]})

    def counted() -> Iterator[Any]:
        for entry in journal.candidates():
            bar.advance(1)
            yield entry

    bar.begin("selecting", total=journal.count_sources())
    for batch in selection.add(counted()):
        for skip in batch:
            leave_out(*skip)
    bar.end()
    for set_ in builder.sets:
        for source, code in selection.over_limits(set_):
            leave_out(source, set_, code)
    return counts


@contextmanager
def _skip_file(path: str | Path | None) -> Iterator[OnSkipped]:
    """Open the file or folder of skipped sentences; without a path nothing is written."""
    if path is None:
        yield lambda _: None
    elif is_partitioned(file := expand_user(path)):
        schema = require_pyarrow().schema(dict.fromkeys(("id", "set", "text", "code", "reason"), "string"))
        part_rows = ParquetSettings().part_rows
        with open_partitions(file, schema, {"command": "build"}, part_rows=part_rows, resume=False) as output:
            yield output.write
    else:
        with atomic_writer(file) as write:
            yield lambda line: write(f"{to_json(line)}\n")


def _no_items_message(n_records: int, builder: Builder, skips: Mapping[str, int]) -> str:
    most_frequent = sorted(skips.items(), key=lambda entry: (-entry[1], entry[0]))[:3]
    reasons = "; ".join(f"{count:,}: {builder.skips.get(code, code)}" for code, count in most_frequent)
    return f"none of the {n_records:,} sentences gives an item of {builder.name}" + (f" ({reasons})" if reasons else "")
