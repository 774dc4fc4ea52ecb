"""Examples on sentence structure: word order, embedded clauses, and negation by "not" and by "there is no".

They are derived from the variants of the audit. A paraphrase of a sentence must be closer than the same words in
another order, an embedded clause closer than its negation, and two negations of a sentence closer to each other than to
the sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from litotes.core.parallel import map_ordered
from litotes.core.progress import Progress
from litotes.languages.base import get_language
from litotes.repair.examples.base import TrainingExample
from litotes.rewrites.apply import apply_rule
from litotes.rewrites.base import Sentence
from litotes.rewrites.registry import load_rewrite
from litotes.speedups.spacy_import import import_minimal_spacy

WORD_ORDER = "word order"
EMBEDDED_CLAUSE = "embedded clause"
TWO_NEGATIONS = "two negations"
_PARAPHRASES = ("passive", "synonym", "contraction")
"""Rewrites that give paraphrases, rarest first."""
_MAX_SENTENCES = 20_000

Case = tuple[str, str, str]
"""A sentence, its paraphrase and its negation; empty strings if there is none."""


def structure_examples(
    sentences: Iterable[tuple[str, Mapping[str, str]]], *, workers: int = 1, progress: Progress | None = None
) -> Iterator[TrainingExample]:
    """Yield the examples for sentences given with their variants by rule."""
    cases = [case for sentence, variants in sentences if any((case := _case(sentence, variants))[1:])]
    cases = cases[:_MAX_SENTENCES]
    bar = progress or Progress()
    bar.begin("structure", total=len(cases))
    try:
        for examples in map_ordered(_parse_and_derive, cases, workers=workers):
            bar.advance(1)
            yield from examples
    finally:
        bar.end()


def _case(sentence: str, variants: Mapping[str, str]) -> Case:
    paraphrase = next((variants[rule] for rule in _PARAPHRASES if rule in variants), "")
    return sentence, paraphrase, variants.get("negation", "")


def _parse_and_derive(cases: Sequence[Case]) -> list[list[TrainingExample]]:
    import_minimal_spacy()
    docs = get_language().parse_all([sentence for sentence, _, _ in cases])
    return [[*_derive(Sentence(doc), *case)] for doc, case in zip(docs, cases, strict=True)]


def _derive(parsed: Sentence, sentence: str, paraphrase: str, negation: str) -> Iterator[TrainingExample]:
    if not parsed.doc.is_parsed or not len(parsed.doc):
        return
    if paraphrase and (reordered := _first_edit("inversion", parsed)):
        yield TrainingExample(WORD_ORDER, sentence, paraphrase, reordered)
    if negation and (clause := _first_edit("embedded_clause", parsed)):
        yield TrainingExample(EMBEDDED_CLAUSE, sentence, clause, negation)
    if negation and (existential := _first_edit("quantifier_negation", parsed)) and existential != negation:
        yield TrainingExample(TWO_NEGATIONS, negation, existential, sentence)


def _first_edit(rule: str, parsed: Sentence) -> str:
    edits = apply_rule(load_rewrite(rule), parsed, limit=1)
    return edits[0].text if edits else ""
