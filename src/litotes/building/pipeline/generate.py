"""From the corpus to candidates: read and filter the records, and apply a builder to each in the worker processes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from litotes.building.base import Builder, Candidate, Subject, load_builder
from litotes.building.pipeline.journal import JournalEntry
from litotes.building.pipeline.settings import BuildSettings
from litotes.core.files import to_json
from litotes.core.sqlite import SeenTexts
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
    """One pass over the corpus of a build, with counts of what was read and left out."""

    def __init__(
        self,
        sources: Sequence[str],
        settings: BuildSettings,
        builder: Builder,
        options: Mapping[str, Any],
        *,
        hashed: bool = False,
    ) -> None:
        """Prepare to read; `hashed` computes a sha256 on the way, for streams that have none."""
        self._sources = sources
        self._settings = settings
        self._builder = builder
        self._options = options
        self._digest = hashlib.sha256() if hashed else None
        self.records = 0
        self.problems = Problems()
        self.skips: Counter[str] = Counter()

    def suitable_records(self, *, on_text: Callable[[str], None], on_skipped: OnSkipped) -> Iterator[Record]:
        """Yield the records to parse; without the prefilter all but repeated ones."""
        seen = SeenTexts()
        for record in self._units(on_text):
            code = self._builder.filter(record, self._options)
            if code is None and not seen.add(record.text, record.second_text or ""):
                code = "duplicate"
            if code is not None:
                self.skips[code] += 1
                on_skipped({"id": record.id, "text": record.text, "code": code, "reason": self._builder.skips[code]})
                if self._settings.prefilter or code == "duplicate":
                    continue
            yield record

    def describe(self) -> dict[str, Any]:
        """Return what suite.json records about the pass."""
        counts: dict[str, Any] = {"records": self.records, "problems": dict(sorted(self.problems.by_kind.items()))}
        return counts if self._digest is None else {**counts, "sha256": self._digest.hexdigest()}

    def _units(self, on_text: Callable[[str], None]) -> Iterator[Record]:
        settings = self._settings
        for record in read_corpus(
            self._sources,
            format=settings.format,
            columns=settings.columns,
            split=settings.split,
            strict=settings.strict,
            problems=self.problems,
        ):
            self.records += 1
            on_text(record.text)
            if record.second_text is not None:
                on_text(record.second_text)
            if self._digest is not None:
                self._digest.update(
                    f"{to_json([record.text, record.second_text, record.label, record.score])}\n".encode()
                )
            yield from self._builder.units(record, self._options)


_UNCHECKED_ROLES = frozenset({"inverted"})
"""Roles whose sentences are ungrammatical on purpose; LanguageTool's gate recognises typos itself."""


@dataclass(frozen=True)
class GenerateTask:
    """The settings that are sent to worker processes."""

    builder: str
    options: tuple[tuple[str, Any], ...]
    language_tool: str | None
    prefilter: bool


def generate_candidates(task: GenerateTask, blocks: Sequence[Sequence[Record]]) -> list[list[JournalEntry]]:
    """Return the candidates and skips of each record of each block."""
    return [_process_block(task, block) for block in blocks]


def _process_block(task: GenerateTask, records: Sequence[Record]) -> list[JournalEntry]:
    builder = load_builder(task.builder)
    docs = parse_all([record.text for record in records])
    return [_process(builder, record, Sentence(doc), task) for record, doc in zip(records, docs, strict=True)]


def _process(builder: Builder, record: Record, sentence: Sentence, task: GenerateTask) -> JournalEntry:
    options = dict(task.options)
    if not task.prefilter and builder.filter(record, options) is not None:
        return JournalEntry(record.id, record.text, (), ())
    if not sentence.doc.is_parsed or not len(sentence):
        return JournalEntry(record.id, record.text, (), (("not-parsed", builder.skips["not-parsed"]),))
    candidates: list[Candidate] = []
    skips: dict[tuple[str, str], None] = {}
    for output in builder.apply(Subject(record, sentence), **options):
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
