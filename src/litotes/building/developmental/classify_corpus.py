"""The categories of negation of every NLI pair of a corpus, premise and hypothesis apart, as JSON lines."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from litotes.building.pipeline.settings import versions
from litotes.core.errors import LitotesError
from litotes.core.files import cannot_write, ensure_writable, expand_user, is_folder, to_json, write_atomic
from litotes.core.parallel import map_ordered
from litotes.core.progress import Progress
from litotes.core.registry import unknown_name
from litotes.corpora.base import Problems, Record
from litotes.corpora.nli import nli_records
from litotes.corpora.read import describe_sources
from litotes.languages.negation_categories import CATEGORIES, RULESETS, Ruleset
from litotes.speedups.spacy_import import for_workers

if sys.platform != "win32":
    import fcntl


class PartFile:
    """`FILE.part`, and `FILE.part.key` that says what it is part of; at the end it becomes FILE in one step."""

    def __init__(self, out: Path, key: str) -> None:
        if is_folder(out):
            raise LitotesError("L202", f"{out}: is a folder, a file is needed", hint="name a file in it")
        self._out = out
        self._path, self._key = part_of(out), _key_of(out)
        with _told(self._path):
            out.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("a+b")
        try:
            self._lock()
            with _told(self._path):
                if not self._is_of(key):
                    self._file.truncate(0)
                    write_atomic(self._key, f"{key}\n")
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
            hint = "wait for it, or take another --out"
            raise LitotesError("L401", f"{self._path}: another command is at work there", hint=hint) from error

    def _is_of(self, key: str) -> bool:
        try:
            return self._key.read_text("utf-8").strip() == key
        except (OSError, UnicodeDecodeError):
            return False

    def next_lines(self, count: int) -> list[bytes]:
        """The next lines of what was written before; none if there are fewer than so many whole ones."""
        with _told(self._path):
            lines = [self._file.readline() for _ in range(count)]
        return lines if lines and lines[-1].endswith(b"\n") else []

    def place(self) -> int:
        """Where the next line begins."""
        return self._file.tell()

    def forget_from(self, place: int) -> None:
        """Nothing is kept from there on."""
        with _told(self._path):
            self._file.truncate(place)
            self._file.seek(place)

    def write(self, lines: list[str]) -> None:
        """Some more lines, on their way to the disk when this returns."""
        with _told(self._path):
            self._file.write("".join(f"{line}\n" for line in lines).encode("utf-8"))
            self._file.flush()

    def finish(self) -> None:
        """All is written: the file takes its place."""
        with _told(self._out):
            self._file.flush()
            os.fsync(self._file.fileno())
            self._path.replace(self._out)
            self._file.close()
            self._key.unlink(missing_ok=True)

    def leave(self) -> None:
        """The work stops before its end: what was made stays, to go on later; nothing stays of nothing."""
        with suppress(OSError):  # it stops because of an error already, perhaps of this very file
            self._file.close()
            empty = self._path.stat().st_size == 0
            if empty:
                self._path.unlink(missing_ok=True)
                self._key.unlink(missing_ok=True)


def part_of(out: Path) -> Path:
    """Where the lines of a file are as long as it is not finished."""
    return out.with_name(f"{out.name}.part")


def remove_part(out: Path) -> None:
    """Nothing of an unfinished file stays."""
    with _told(out):
        part_of(out).unlink(missing_ok=True)
        _key_of(out).unlink(missing_ok=True)


def _key_of(out: Path) -> Path:
    return out.with_name(f"{out.name}.part.key")


@contextmanager
def part_file(out: Path, key: str, *, finish: bool = True) -> Iterator[PartFile]:
    """A part file that takes its place if all goes well (or stays even then), and stays as a part if not."""
    part = PartFile(out, key)
    try:
        yield part
        if finish:
            part.finish()
        else:
            part.leave()
    except BaseException:
        part.leave()
        raise


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from error


BLOCK = 1024
"""Pairs whose sentences are parsed together: a premise that comes three times in a row is parsed once."""

SIDES = ("premise", "hypothesis", "either", "both")

Categories = tuple[str, ...]


@dataclass(frozen=True)
class Classified:
    """What was found in a corpus."""

    out: Path
    pairs: int
    unlabelled: int
    """Pairs without a gold label; they are classified too."""
    negated: int
    """Pairs that have a category on some side."""
    counts: Mapping[str, Mapping[str, int]]
    """Category → side (premise, hypothesis, either, both) → how many pairs."""
    parsed: int
    """Sentences that the parser saw in this call."""
    resumed: int
    """Pairs that an earlier, interrupted call had written."""
    problems: Problems


def classify_nli(
    sources: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    rules: Ruleset = "litotes",
    format: str | None = None,
    columns: Sequence[str] = (),
    strict: bool = False,
    workers: int = 1,
    prefilter: bool = True,
    finish: bool = True,
    progress: Progress | None = None,
) -> Classified:
    """Label premise and hypothesis of every pair with categories of negation; a call that was killed goes on.

    The pairs come in the order of the corpus, one JSON line each, in the same bytes whatever the number of workers.
    `prefilter=False` parses every sentence, also those without a marker of negation: it gives the same and is there to
    be compared with. `finish=False` leaves the lines in `OUT.part`, so that the same call finds them there again.
    """
    if rules not in RULESETS:
        raise unknown_name("ruleset", rules, RULESETS)
    named = [str(one) for one in ([sources] if isinstance(sources, (str, Path)) else sources)]
    place = expand_user(out)
    ensure_writable(place.parent)
    corpus = [{name: one[name] for name in ("name", "sha256")} for one in describe_sources(named, format)]
    key = _key([corpus, format, list(columns), rules, versions(), BLOCK])
    problems = Problems()
    tally = _Tally()
    records = nli_records(named, format=format, columns=columns, strict=strict, problems=problems)
    with part_file(place, key, finish=finish) as part, progress or Progress() as bar:
        bar.begin("classifying", total=None)
        blocks = iter(lambda: list(islice(records, BLOCK)), [])
        rest = _after_kept(part, blocks, tally, bar)
        _make(part, rest, _Work(rules, prefilter), workers, tally, bar)
        bar.end()
    return Classified(
        place,
        pairs=tally.pairs,
        unlabelled=tally.unlabelled,
        negated=tally.negated,
        counts={category: {side: tally.counts[category, side] for side in SIDES} for category in CATEGORIES},
        parsed=tally.parsed,
        resumed=tally.resumed,
        problems=problems,
    )


@dataclass
class _Tally:
    """What is counted on the way."""

    pairs: int = 0
    unlabelled: int = 0
    negated: int = 0
    parsed: int = 0
    resumed: int = 0
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, label: str, premise: Sequence[str], hypothesis: Sequence[str]) -> None:
        self.pairs += 1
        self.unlabelled += not label
        if not premise and not hypothesis:
            return
        self.negated += 1
        for category in {*premise, *hypothesis}:
            self.counts[category, "either"] += 1
            self.counts[category, "premise"] += category in premise
            self.counts[category, "hypothesis"] += category in hypothesis
            self.counts[category, "both"] += category in premise and category in hypothesis


def _key(asked: Any) -> str:
    return hashlib.sha256(to_json(asked).encode()).hexdigest()


def _after_kept(part: PartFile, blocks: Iterator[list[Record]], tally: _Tally, bar: Progress) -> Iterator[list[Record]]:
    """The blocks that are not in the part file yet; what is there must be of the same pairs."""
    for block in blocks:
        before = part.place()
        lines = part.next_lines(len(block))
        kept = [_kept(line, record) for line, record in zip(lines, block, strict=True)] if lines else []
        if not kept or not all(kept):
            part.forget_from(before)
            yield block
            yield from blocks
            return
        for found in kept:
            tally.add(found["label"], found["premise_categories"], found["hypothesis_categories"])
        tally.resumed += len(block)
        bar.advance(len(block))
    part.forget_from(part.place())


def _kept(line: bytes, record: Record) -> dict[str, Any]:
    """What a line says of a pair; nothing if it is another pair's, or no whole line."""
    try:
        found = json.loads(line)
        told = (found["id"], found["premise"], found["hypothesis"], found["label"])
        whole = all(isinstance(found[f"{side}_categories"], list) for side in SIDES[:2])
    except (ValueError, KeyError, TypeError):
        return {}
    return found if whole and told == (record.id, record.text, record.other, record.label) else {}


@dataclass(frozen=True)
class _Work:
    """What a worker needs to know."""

    rules: Ruleset
    prefilter: bool


def _make(  # noqa: PLR0917
    part: PartFile, blocks: Iterator[list[Record]], work: _Work, workers: int, tally: _Tally, bar: Progress
) -> None:
    waiting: deque[tuple[list[Record], list[str]]] = deque()

    def texts() -> Iterator[list[str]]:
        for block in blocks:
            wanted = _worth_parsing(block, work)
            waiting.append((block, wanted))
            yield wanted

    results = map_ordered(for_workers(partial(_categories, work), workers), texts(), workers=workers, chunk_size=1)
    try:
        for found in results:
            block, wanted = waiting.popleft()
            by_text = dict(zip(wanted, found, strict=True))
            part.write([_line(record, by_text, tally) for record in block])
            tally.parsed += len(wanted)
            bar.advance(len(block))
    finally:
        results.close()


def _worth_parsing(block: Sequence[Record], work: _Work) -> list[str]:
    """The different sentences of a block that could have a category."""
    from litotes.languages.en.developmental.classify import has_marker

    texts = dict.fromkeys(text for record in block for text in (record.text, record.other or ""))
    return [text for text in texts if has_marker(text, work.rules)] if work.prefilter else list(texts)


def _categories(work: _Work, blocks: Sequence[Sequence[str]]) -> list[list[Categories]]:
    """The categories of each text of each block; what workers do."""
    from litotes.languages.en.developmental.classify import classify_doc, classify_texts
    from litotes.languages.en.negation import straighten
    from litotes.languages.en.parser import parse_all

    found: list[list[Categories]] = []
    for texts in blocks:
        if work.prefilter:
            told = classify_texts(texts, work.rules) if texts else []
        else:
            told = [classify_doc(doc, work.rules) for doc in parse_all(map(straighten, texts))]
        found.append([tuple(category for category in CATEGORIES if category in one) for one in told])
    return found


def _line(record: Record, by_text: Mapping[str, Categories], tally: _Tally) -> str:
    other = record.other or ""
    premise, hypothesis = by_text.get(record.text, ()), by_text.get(other, ())
    tally.add(record.label, premise, hypothesis)
    pair = {"id": record.id, "premise": record.text, "hypothesis": other, "label": record.label}
    return to_json(pair)[:-1] + _tail(premise, hypothesis)


@lru_cache(maxsize=4096)
def _tail(premise: Categories, hypothesis: Categories) -> str:
    """How a line ends: most pairs have no category, and a few endings make up the rest."""
    told = {"premise_categories": list(premise), "hypothesis_categories": list(hypothesis)}
    flags = {category: int(category in premise or category in hypothesis) for category in CATEGORIES}
    return f", {to_json({**told, **flags})[1:]}"
