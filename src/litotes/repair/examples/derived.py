"""Examples derived from others: on sentence structure, and quadruples with a synonym.

Structure is word order, embedded clauses, and negation by "not" and by "there is no". A paraphrase of a sentence must
be closer than the same words in another order, an embedded clause closer than its negation, and two negations of a
sentence closer to each other than to the sentence.

Quadruples of held-out antonym pairs get a synonym in place of one of the two words: if "heavy" and "light" are held
out, "The bag is heavy." is not contrasted with "The bag is light.", but "The bag is weighty." may be. The words of
common pairs are learned in this way although the pairs are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from litotes.core.parallel.engine import SERIAL, ParallelEngine, map_ordered
from litotes.core.progress import Progress
from litotes.languages.base import get_language
from litotes.repair.examples.base import TrainingExample
from litotes.repair.holdout import differing_words, pair_key
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
    sentences: Iterable[tuple[str, Mapping[str, str]]],
    *,
    engine: ParallelEngine = SERIAL,
    progress: Progress | None = None,
) -> Iterator[TrainingExample]:
    """Yield the examples for sentences given with their variants by rule."""
    cases = [case for sentence, variants in sentences if any((case := _case(sentence, variants))[1:])]
    cases = cases[:_MAX_SENTENCES]
    bar = progress or Progress()
    bar.begin("structure", total=len(cases))
    try:
        for examples in map_ordered(_parse_and_derive, cases, engine=engine):
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


REWORDED = "reworded quadruple"
_MAX_SYNONYMS = 6


def reworded(
    quadruples: Sequence[TrainingExample],
    held_out: frozenset[str],
    *,
    engine: ParallelEngine = SERIAL,
    progress: Progress | None = None,
) -> Iterator[TrainingExample]:
    """Yield the variants of each quadruple whose antonym pair is not held out."""
    bar = progress or Progress()
    bar.begin("rewording", total=len(quadruples))
    try:
        for examples in map_ordered(partial(_reword_all, held_out), quadruples, engine=engine):
            bar.advance(1)
            yield from examples
    finally:
        bar.end()


def _reword_all(held_out: frozenset[str], quadruples: Sequence[TrainingExample]) -> list[list[TrainingExample]]:
    import_minimal_spacy()
    docs = get_language().parse_all([text for example in quadruples for text in (example.anchor, example.negative)])
    return [[*_reword(example, Sentence(next(docs)), Sentence(next(docs)), held_out)] for example in quadruples]


def _reword(
    example: TrainingExample, anchor: Sentence, negative: Sentence, held_out: frozenset[str]
) -> Iterator[TrainingExample]:
    words = differing_words(example.anchor, example.negative)
    if words is None or any(" " in word for word in words):
        return
    word, antonym = words
    for synonym in _synonyms(negative, antonym):
        pair = pair_key(word, synonym)
        texts = [replace_word(text, antonym, synonym) for text in (example.negative, example.positive)]
        if pair not in held_out and all(texts):
            yield replace(example, kind=REWORDED, negative=texts[0], positive=texts[1], antonym_pair=pair)
    for synonym in _synonyms(anchor, word):
        pair = pair_key(synonym, antonym)
        texts = [replace_word(text, word, synonym) for text in (example.anchor, example.second_negative)]
        if pair not in held_out and all(texts):
            yield replace(example, kind=REWORDED, anchor=texts[0], second_negative=texts[1], antonym_pair=pair)


def _synonyms(sentence: Sentence, word: str) -> Iterable[str]:
    """Yield words that can replace a word in its sentence, inflected as it is."""
    if not sentence.doc.is_parsed or not len(sentence.doc):
        return
    for edit in apply_rule(load_rewrite("synonym"), sentence, limit=_MAX_SYNONYMS, word=word):
        words = differing_words(sentence.text, edit.text)
        if words is not None and words[0] == word and words[1] != word and " " not in words[1]:
            yield words[1]


def replace_word(text: str, old: str, new: str) -> str:
    """Return the text with a word replaced; an empty string unless the word occurs exactly once.

    >>> replace_word("It is an easy job.", "easy", "simple")
    'It is a simple job.'
    """
    matches = [*re.finditer(rf"(?i)(?:\b(an?) )?\b({re.escape(old)})\b", text)]
    if len(matches) != 1:
        return ""
    (match,) = matches
    word = new.capitalize() if match[2][0].isupper() else new
    determiner = ""
    if match[1]:
        determiner = get_language().indefinite_article(f"{word}{text[match.end() :]}")
        determiner = f"{determiner.capitalize() if match[1][0].isupper() else determiner} "
    return f"{text[: match.start()]}{determiner}{word}{text[match.end() :]}"
