"""Lessons on structure: the same words in another order say something else, an embedded clause is what is said, and
“there is no …” denies as “not” does.

They go with the lessons of the audit's rewrites: a sentence that has a variant which says the same is set against its
own words turned round a fixed one, a sentence that embeds a clause has that clause closer than its own denial, and two
denials of a sentence are closer to each other than to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from litotes.core.parallel import map_ordered
from litotes.core.progress import Progress
from litotes.languages.en.parser import parse_all
from litotes.repair.examples.base import Lesson
from litotes.rewrites.apply import apply_rule
from litotes.rewrites.base import Sentence
from litotes.rewrites.registry import load_rewrite
from litotes.speedups.gc_control import without_collector
from litotes.speedups.spacy_import import import_spacy_alone

WORD_ORDER = "word order"
EMBEDDED = "embedded clause"
TWO_DENIALS = "two denials"
_SAME = ("passive", "synonym", "contraction")
"""Variants that say the same, the rarest first."""
_MOST = 20_000
"""Sentences that are parsed for them."""

Case = tuple[str, str, str]
"""A sentence, a variant that says the same or “”, and its denial or “”."""


def structure_lessons(
    made: Iterable[tuple[str, Mapping[str, str]]], *, workers: int = 1, progress: Progress | None = None
) -> Iterator[Lesson]:
    """Lessons of sentences with their variants by rule."""
    cases = [one for sentence, variants in made if any((one := _case(sentence, variants))[1:])][:_MOST]
    bar = progress or Progress()
    bar.begin("structure", total=len(cases))
    try:
        for found in map_ordered(_lessons, cases, workers=workers):
            bar.advance(1)
            yield from found
    finally:
        bar.end()


def _case(sentence: str, variants: Mapping[str, str]) -> Case:
    same = next((variants[rule] for rule in _SAME if rule in variants), "")
    return sentence, same, variants.get("negation", "")


def _lessons(cases: Sequence[Case]) -> list[list[Lesson]]:
    import_spacy_alone()
    docs = parse_all([sentence for sentence, _, _ in cases])
    with without_collector():
        return [[*_of_one(Sentence(doc), *case)] for doc, case in zip(docs, cases, strict=True)]


def _of_one(parsed: Sentence, sentence: str, same: str, denial: str) -> Iterator[Lesson]:
    if not parsed.doc.is_parsed or not len(parsed.doc):
        return
    if same and (turned := _first("inversion", parsed)):
        yield Lesson(WORD_ORDER, sentence, same, turned)
    if denial and (clause := _first("embedded_clause", parsed)):
        yield Lesson(EMBEDDED, sentence, clause, denial)
    if denial and (none := _first("quantifier_negation", parsed)) and none != denial:
        yield Lesson(TWO_DENIALS, denial, none, sentence)


def _first(rule: str, parsed: Sentence) -> str:
    found = apply_rule(load_rewrite(rule), parsed, limit=1)
    return found[0].text if found else ""
