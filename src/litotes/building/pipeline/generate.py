"""From the corpus to candidates: read and filter the records, and apply a builder to each in the worker processes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from litotes.building.base import Builder, Candidate, Subject, load_builder
from litotes.building.pipeline.collocations import Checksums, token_checksums
from litotes.building.pipeline.journal import JournalEntry
from litotes.building.pipeline.settings import BuildSettings
from litotes.core.files import to_json
from litotes.core.sqlite import text_key
from litotes.corpora.base import Problems, Record
from litotes.corpora.read import read_corpus
from litotes.languages.en.parser import parse_all
from litotes.rewrites.apply import apply_rule
from litotes.rewrites.base import Edit, Edits, Rule, Sentence, Skip
from litotes.rewrites.registry import load_rewrite

if TYPE_CHECKING:
    from litotes.rewrites.language_tool import LanguageTool


OnSkipped: TypeAlias = Callable[[dict[str, str]], None]
"""Called with id, text, code and reason of each sentence that is left out."""


class CorpusReader:
    """One pass over the corpus of a build, with counts of what was read."""

    def __init__(self, sources: Sequence[str], settings: BuildSettings, *, hashed: bool = False) -> None:
        """Prepare to read; `hashed` computes a sha256 on the way, for streams that have none."""
        self._sources = sources
        self._settings = settings
        self._digest = hashlib.sha256() if hashed else None
        self.n_records = 0
        self.problems = Problems()

    def records(self) -> Iterator[Record]:
        """Yield the records of the corpus."""
        settings = self._settings
        for record in read_corpus(
            self._sources,
            format=settings.format,
            columns=settings.columns,
            split=settings.split,
            strict=settings.strict,
            problems=self.problems,
        ):
            self.n_records += 1
            if self._digest is not None:
                self._digest.update(
                    f"{to_json([record.text, record.second_text, record.label, record.score])}\n".encode()
                )
            yield record

    def describe(self) -> dict[str, Any]:
        """Return what suite.json records about the pass."""
        counts: dict[str, Any] = {"records": self.n_records, "problems": dict(sorted(self.problems.by_kind.items()))}
        return counts if self._digest is None else {**counts, "sha256": self._digest.hexdigest()}


_UNCHECKED_ROLES = frozenset({"inverted"})
"""Roles whose sentences are ungrammatical on purpose; LanguageTool's gate recognises typos itself."""


@dataclass(frozen=True)
class GenerateTask:
    """The settings that are sent to worker processes."""

    builder: str
    options: tuple[tuple[str, Any], ...]
    language_tool: str | None
    prefilter: bool
    counts_words: bool = False
    """Whether the naturalness of candidates depends on the words of the corpus."""
    names_skipped: bool = False
    """Whether every sentence that is left out is returned, or only their number."""


class RecordBlock(NamedTuple):
    """Consecutive records of the corpus."""

    records: Sequence[Record]
    is_stored: bool
    """Whether the journal has its candidates, so that only the rest is needed."""


class AcceptedUnit(NamedTuple):
    """A sentence or pair that the filter accepts."""

    position: int
    """Its number among the units of the block."""
    key: bytes
    """Equal for equal texts."""
    id: str
    text: str
    entry: JournalEntry | None
    """What it gives; None if the journal has that, or an earlier unit of the block has the same text."""


class BlockResult(NamedTuple):
    """What a worker makes from a block."""

    units: list[AcceptedUnit]
    skip_counts: dict[str, int]
    """Skip code → number of units that the filter leaves out."""
    skipped: list[tuple[int, str, str, str]]
    """Position, id, text and code of each of them, if they are named."""
    checksums: Checksums | None
    """Of the words of the records."""


def generate_candidates(task: GenerateTask, blocks: Sequence[RecordBlock]) -> list[BlockResult]:
    """Return the units of each block with their candidates and skips."""
    return [_process_block(task, block) for block in blocks]


def _process_block(task: GenerateTask, block: RecordBlock) -> BlockResult:
    builder, options = load_builder(task.builder), dict(task.options)
    codes: Counter[str] = Counter()
    skipped = []
    accepted: list[tuple[int, bytes, Record]] = []
    new: dict[bytes, Record] = {}
    rejected: list[str] = []
    units = (unit for record in block.records for unit in builder.units(record, options))
    for position, unit in enumerate(units):
        code = builder.filter(unit, options)
        if code is None:
            key = text_key(unit.text, unit.second_text or "")
            accepted.append((position, key, unit))
            new.setdefault(key, unit)
            continue
        codes[code] += 1
        rejected.append(unit.text)
        if task.names_skipped:
            skipped.append((position, unit.id, unit.text, code))
    entries: dict[bytes, JournalEntry] = {}
    if not block.is_stored:
        if not task.prefilter:
            parse_all(rejected)
        docs = parse_all([unit.text for unit in new.values()])
        for (key, unit), doc in zip(new.items(), docs, strict=True):
            entries[key] = _process(builder, unit, Sentence(doc), task)
    return BlockResult(
        [AcceptedUnit(position, key, unit.id, unit.text, entries.pop(key, None)) for position, key, unit in accepted],
        dict(codes),
        skipped,
        token_checksums(_texts(block.records)) if task.counts_words else None,
    )


def _texts(records: Sequence[Record]) -> Iterator[str]:
    for record in records:
        yield record.text
        if record.second_text is not None:
            yield record.second_text


def _process(builder: Builder, record: Record, sentence: Sentence, task: GenerateTask) -> JournalEntry:
    if not sentence.doc.is_parsed or not len(sentence):
        return JournalEntry(record.id, record.text, (), (("not-parsed", builder.skips["not-parsed"]),))
    candidates: list[Candidate] = []
    skips: dict[tuple[str, str], None] = {}
    for output in builder.apply(Subject(record, sentence), **dict(task.options)):
        skip = output if isinstance(output, Skip) else _language_tool_skip(output, task.language_tool)
        if skip is not None:
            skips[skip.code, skip.reason or builder.skips[skip.code]] = None
        elif isinstance(output, Candidate):
            candidates.append(output)
    return JournalEntry(record.id, record.text, tuple(candidates), () if candidates else tuple(skips))


def _language_tool_skip(candidate: Candidate, address: str | None) -> Skip | None:
    """Return the reason why a LanguageTool server rejects a candidate."""
    if address is None:
        return None
    from litotes.rewrites.gates import EditCandidate

    first_role, *roles = candidate.sentences
    original = candidate.sentences[first_role]
    server = _language_tool(address)
    if matches := server.check(original):
        return Skip("language-tool", f"the original: {matches[0].rule}: {matches[0].message}")
    edits = [
        EditCandidate(original, Edit(candidate.sentences[role], role, "same"))
        for role in roles
        if role not in _UNCHECKED_ROLES
    ]
    return next((skip for skip in server.refusals(edits) if skip is not None), None)


@lru_cache(maxsize=4)
def _language_tool(address: str) -> LanguageTool:
    from litotes.rewrites.language_tool import LanguageTool

    return LanguageTool(address)


def first_edit(rule: str, sentence: Sentence, **options: Any) -> str | None:
    """Return the text of a rule's best edit of a sentence, if there is one."""
    edits = first_edits(rule, sentence, 1, **options)
    return edits[0].text if edits else None


def first_edits(rule: str, sentence: Sentence, limit: int, **options: Any) -> Edits:
    """Return a rule's best edits of a sentence."""
    return apply_rule(_rule(rule), sentence, limit=limit, **options)


@lru_cache(maxsize=32)
def _rule(name: str) -> Rule:
    return load_rewrite(name)
