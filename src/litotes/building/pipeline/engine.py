"""Building: corpus → filter by text → parse → rewrites → candidates → choice → a suite on disk."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from litotes.building.base import Builder, load_builder
from litotes.building.pipeline.generate import Work, make_blocks
from litotes.building.pipeline.journal import Journal, digest, is_under_way
from litotes.building.pipeline.naturalness import Naturalness, load_naturalness
from litotes.building.pipeline.read_corpus import Reading, Tell
from litotes.building.pipeline.select import Choice
from litotes.building.pipeline.settings import Plan, versions
from litotes.building.pipeline.write_suite import META, Account, write_official, write_suites
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import atomic_writer, ensure_writable, to_json
from litotes.core.parallel import map_ordered
from litotes.core.progress import Progress
from litotes.corpora.base import Problems, Record
from litotes.corpora.read import describe_sources
from litotes.rewrites.options import check_options, options_of
from litotes.speedups.spacy_import import for_workers

BLOCK = 128
"""Records that are parsed and kept together."""
JOURNAL = ".build.sqlite"
_REVIEW = "review.sqlite"


@dataclass(frozen=True)
class Built:
    """What a build gave."""

    folders: Mapping[str, Path]
    """Set → its suite."""
    units: Mapping[str, int]
    """Set → how many candidates became items."""
    items: Mapping[str, int]
    read: int
    """Sentences, or pairs, of the corpus."""
    skips: Mapping[str, int]
    """Code → how many were left out for it."""
    problems: Problems
    official: tuple[Path, ...] = ()
    """Files in the papers' own formats."""


def build(
    plan: Plan,
    out: Path,
    *,
    workers: int = 1,
    fresh: bool = False,
    official: bool = False,
    prefilter: bool = True,
    skipped: Path | None = None,
    progress: Progress | None = None,
) -> Built:
    """Build a suite, or the several of a builder, into a folder; a build that was interrupted goes on.

    `skipped` is a file for the sentences that were left out, with the reasons. `prefilter=False` parses every sentence
    and drops those that do not fit afterwards: it gives the same and is there to be compared with.
    """
    builder = load_builder(plan.builder)
    options = _options(builder, plan)
    check_unreviewed(out)
    corpus = describe_sources(plan.sources, plan.format)
    naturalness = load_naturalness(plan.naturalness)
    numbers = versions(naturalness.packages)
    asked = to_json(
        [plan.builder, options, plan.settings(), plan.language_tool, naturalness.described, corpus, numbers, prefilter]
    )
    key = hashlib.sha256(asked.encode()).hexdigest()
    check_free(out, fresh=fresh or is_under_way(out / JOURNAL, key))
    work = Work(plan.builder, tuple(sorted(options.items())), plan.language_tool, prefilter)
    reading = Reading(plan, builder, options, hashed=any(not one["sha256"] for one in corpus))
    with _journal(out, key) as journal, progress or Progress() as bar:
        with _skip_file(skipped) as tell:
            records = reading.fitting(see=naturalness.see, tell=tell, prefilter=prefilter)
            _make(journal, work, records, workers, bar)
            for source, text, code, reason in journal.skips():
                tell({"id": source, "text": text, "code": code, "reason": reason})
            before = Counter(reading.skips) + Counter(journal.skip_counts())
            choice, left_out = _choose(plan, builder, journal, naturalness, tell, bar)
        account = Account(plan, builder, options, corpus, naturalness.described, reading.described(), before, numbers)
        written = write_suites(out, account, choice, left_out)
        skips = sum(left_out.values(), before)
        files = [path for one in written.values() for path in write_official(one.folder, plan.seed)] if official else []
        journal.remove_file()
    if not written:
        raise LitotesError("L204", _nothing(reading.records, builder, skips))
    return Built(
        folders={set_: one.folder for set_, one in written.items()},
        units={set_: one.units for set_, one in written.items()},
        items={set_: one.items for set_, one in written.items()},
        read=reading.records,
        skips=dict(skips),
        problems=reading.problems,
        official=tuple(files),
    )


def _options(builder: Builder, plan: Plan) -> dict[str, Any]:
    """Every option with its value: what stands in suite.json says all."""
    known = options_of(builder)
    given = dict(plan.options)
    if "seed" in known:
        given.setdefault("seed", plan.seed)
    return {**{name: option.default for name, option in known.items()}, **check_options(builder, given)}


def check_unreviewed(out: Path) -> None:
    """Raise if people have worked on what is in a folder: nothing is ever written over that."""
    if (out / _REVIEW).exists() or any(out.glob(f"*/{_REVIEW}")):
        raise UsageError("L102", f"{out}: people have reviewed what is there", hint="build into another folder")


def check_free(out: Path, *, fresh: bool) -> None:
    """Raise if there is a suite in a folder, unless it may be written over, or if nothing can be written there."""
    if not fresh and ((out / META).exists() or any(out.glob(f"*/{META}"))):
        hint = "--fresh builds it anew, or take another --out"
        raise UsageError("L102", f"{out}: there is a suite already", hint=hint)
    ensure_writable(out)


@contextmanager
def _journal(out: Path, key: str) -> Iterator[Journal]:
    """The journal of a build in its folder; of a build that came to nothing, nothing is left."""
    was_there = out.exists()
    try:
        journal = Journal(out / JOURNAL, key)
        try:
            yield journal
        except BaseException:
            journal.leave()
            raise
    finally:
        if not was_there:
            with suppress(OSError):  # there is something in it
                out.rmdir()


def _make(journal: Journal, work: Work, records: Iterator[Record], workers: int, bar: Progress) -> None:
    """Everything that the journal does not know yet."""
    waiting: list[tuple[int, bytes]] = []

    def new_blocks() -> Iterator[list[Record]]:
        number = 0
        while block := list(islice(records, BLOCK)):
            found = digest(block)
            if journal.has(number, found):
                bar.advance(len(block))
            else:
                waiting.append((number, found))
                yield block
            number += 1
        journal.forget_from(number)

    bar.begin("parsing", total=None)
    results = map_ordered(for_workers(partial(make_blocks, work), workers), new_blocks(), workers=workers, chunk_size=1)
    try:
        for made in results:
            journal.keep(*waiting.pop(0), made)
            bar.advance(len(made))
    finally:
        results.close()
        bar.end()


def _choose(  # noqa: PLR0917
    plan: Plan, builder: Builder, journal: Journal, naturalness: Naturalness, tell: Tell, bar: Progress
) -> tuple[Choice, dict[str, Counter[str]]]:
    """The choice, and for each set how many candidates it left out for what."""
    choice = Choice(plan, naturalness.score)
    counts: dict[str, Counter[str]] = {set_: Counter() for set_ in builder.sets}

    def leave_out(source: str, set_: str, code: str) -> None:
        counts[set_][code] += 1
        tell({"id": source, **({"set": set_} if set_ else {}), "code": code, "reason": builder.skips[code]})

    bar.begin("choosing", total=journal.sources())
    for some in choice.add(_counted(journal, bar)):
        for entry in some:
            leave_out(*entry)
    bar.end()
    for set_ in builder.sets:
        for source, code in choice.left_out(set_):
            leave_out(source, set_, code)
    return choice, counts


def _counted(journal: Journal, bar: Progress) -> Iterator[Any]:
    for entry in journal.candidates():
        bar.advance(1)
        yield entry


@contextmanager
def _skip_file(path: Path | None) -> Iterator[Tell]:
    """A function that writes down what was left out; nothing if nobody wants it."""
    if path is None:
        yield lambda _: None
        return
    with atomic_writer(path) as write:
        yield lambda line: write(f"{to_json(line)}\n")


def _nothing(read: int, builder: Builder, skips: Mapping[str, int]) -> str:
    most = sorted(skips.items(), key=lambda entry: (-entry[1], entry[0]))[:3]
    why = "; ".join(f"{count:,}: {builder.skips.get(code, code)}" for code, count in most)
    return f"no sentence of the {read:,} gives an item of {builder.name}" + (f" ({why})" if why else "")
