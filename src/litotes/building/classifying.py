"""The categories of negation of every NLI pair of a corpus, premise and hypothesis apart, as JSON lines."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from litotes.building.classify_part import PartFile, part_file
from litotes.building.plan import versions
from litotes.core.files import ensure_writable, expand_user, to_json
from litotes.core.progress import Progress
from litotes.core.registry import unknown_name
from litotes.core.workers import in_order
from litotes.corpora.base import Problems, Record
from litotes.corpora.nli import nli_records
from litotes.corpora.reading import describe_sources
from litotes.language.developmental.categories import CATEGORIES, RULESETS, Ruleset
from litotes.language.spacy_alone import for_workers

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

    results = in_order(for_workers(partial(_categories, work), workers), texts(), workers=workers, chunk=1)
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
    from litotes.language.developmental.classify import has_marker

    texts = dict.fromkeys(text for record in block for text in (record.text, record.other or ""))
    return [text for text in texts if has_marker(text, work.rules)] if work.prefilter else list(texts)


def _categories(work: _Work, blocks: Sequence[Sequence[str]]) -> list[list[Categories]]:
    """The categories of each text of each block; what workers do."""
    from litotes.language.developmental.classify import classify_doc, classify_texts
    from litotes.language.developmental.markers import straight
    from litotes.language.parse import parse_all

    found: list[list[Categories]] = []
    for texts in blocks:
        if work.prefilter:
            told = classify_texts(texts, work.rules) if texts else []
        else:
            told = [classify_doc(doc, work.rules) for doc in parse_all(map(straight, texts))]
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
