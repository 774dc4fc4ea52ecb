"""From records to candidates: parse, rewrite, and ask LanguageTool where that is wanted; what workers do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from litotes.building.base import Builder, Candidate, Subject, load_builder
from litotes.building.pipeline.journal import Kept
from litotes.corpora.base import Record
from litotes.languages.en.parser import is_parsed, parse_all
from litotes.rewrites.apply import apply_rule
from litotes.rewrites.base import Edit, Edits, Rule, Sentence, Skip
from litotes.rewrites.registry import load_rewrite

if TYPE_CHECKING:
    from litotes.rewrites.language_tool import LanguageTool


_WRONG_ON_PURPOSE = frozenset({"inverted"})
"""Roles whose sentences need not pass; of a typo LanguageTool's gate knows by itself."""


@dataclass(frozen=True)
class Work:
    """What a worker needs to know; it is sent to other processes."""

    builder: str
    options: tuple[tuple[str, Any], ...]
    language_tool: str | None
    prefilter: bool


def make_blocks(work: Work, blocks: Sequence[Sequence[Record]]) -> list[list[Kept]]:
    """What comes of each record of each block."""
    return [_made(work, block) for block in blocks]


def _made(work: Work, records: Sequence[Record]) -> list[Kept]:
    builder = load_builder(work.builder)
    docs = parse_all([record.text for record in records])
    return [_kept(builder, record, Sentence(doc), work) for record, doc in zip(records, docs, strict=True)]


def _kept(builder: Builder, record: Record, sentence: Sentence, work: Work) -> Kept:
    options = dict(work.options)
    if not work.prefilter and builder.filter(record, options) is not None:
        return Kept(record.id, record.text, (), ())
    if not is_parsed(sentence.doc) or not len(sentence):
        return Kept(record.id, record.text, (), (("not-parsed", builder.skips["not-parsed"]),))
    candidates: list[Candidate] = []
    skips: dict[tuple[str, str], None] = {}
    for found in builder.apply(Subject(record, sentence), **options):
        refused = found if isinstance(found, Skip) else _refused(found, work.language_tool)
        if refused is not None:
            skips[refused.code, refused.reason or builder.skips[refused.code]] = None
        elif isinstance(found, Candidate):
            candidates.append(found)
    return Kept(record.id, record.text, tuple(candidates), () if candidates else tuple(skips))


def _refused(candidate: Candidate, language_tool: str | None) -> Skip | None:
    """What a LanguageTool server has against a candidate."""
    if language_tool is None:
        return None
    from litotes.rewrites.gates import EditCandidate

    first, *others = candidate.sentences
    original = candidate.sentences[first]
    server = _server(language_tool)
    if found := server.check(original):
        return Skip("language-tool", f"the original: {found[0].rule}: {found[0].message}")
    edits = [
        EditCandidate(original, Edit(candidate.sentences[role], role, "same"))
        for role in others
        if role not in _WRONG_ON_PURPOSE
    ]
    return next((skip for skip in server.refusals(edits) if skip is not None), None)


@lru_cache(maxsize=4)
def _server(address: str) -> LanguageTool:
    from litotes.rewrites.language_tool import LanguageTool

    return LanguageTool(address)


def first_edit(rule: str, sentence: Sentence, **options: Any) -> str | None:
    """The best that a rule makes of a sentence, or nothing."""
    found = first_edits(rule, sentence, 1, **options)
    return found[0].text if found else None


def first_edits(rule: str, sentence: Sentence, count: int, **options: Any) -> Edits:
    """The best few that a rule makes of a sentence."""
    return apply_rule(_rule(rule), sentence, limit=count, **options)


@lru_cache(maxsize=32)
def _rule(name: str) -> Rule:
    return load_rewrite(name)
