"""Rewriting: rules over one sentence, or over a stream of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from litotes.core.workers import in_order
from litotes.language.parse import LONGEST, is_parsed, parse_all
from litotes.rewrites.base import COMMON_SKIPS, Draft, Edit, Edits, Rule, Sentence, Skip
from litotes.rewrites.gates import text_fault
from litotes.rewrites.options import checked
from litotes.rewrites.rules import load_rewrite

_CHUNK = 256
_WORD = re.compile(r"[^\W\d_]")


def rewrite(rule: str | Rule, text: str, **options: Any) -> Edits:
    """The edits that a rule makes of one sentence, best first; an empty list says why in `skips`.

    >>> [edit.text for edit in rewrite("negation", "I'm excited.", contractions="expand")]
    ['I am not excited.']
    >>> rewrite("negation", "").skips
    (Skip(code='empty', reason='there is no word in it'),)
    """
    return next(rewrite_all(rule, [text], **options))


def rewrite_all(rule: str | Rule, texts: Iterable[str], *, workers: int = 1, **options: Any) -> Iterator[Edits]:
    """The edits of every sentence of a stream, in its order; the same whatever the number of workers."""
    known = load_rewrite(rule) if isinstance(rule, str) else rule
    settings = checked(known, options)
    if workers == 1:
        return _rewritten(known, settings, texts)
    return in_order(partial(_rewrite_chunk, known.name, settings), texts, workers=workers, chunk=_CHUNK)


def apply_rule(rule: Rule, sentence: Sentence, **options: Any) -> Edits:
    """The edits that a rule makes of a sentence that is parsed already."""
    edits: dict[str, Edit] = {}
    skips: dict[Skip, None] = {}
    refused = _cannot_be_read(sentence)
    for outcome in [refused] if refused else rule.apply(sentence, **options):
        if isinstance(outcome, Skip):
            skips[Skip(outcome.code, outcome.reason or rule.skips[outcome.code])] = None
            continue
        fault = text_fault(sentence.text, outcome.text)
        if fault:
            skips[Skip(fault, COMMON_SKIPS[fault])] = None
        elif outcome.text not in edits:
            edits[outcome.text] = _edit(rule, outcome)
    return Edits(list(edits.values()), tuple(skips))


def _edit(rule: Rule, draft: Draft) -> Edit:
    return Edit(draft.text, rule.name, draft.effect or rule.effect, draft.words, draft.reason)


def _cannot_be_read(sentence: Sentence) -> Skip | None:
    if not _WORD.search(sentence.text):
        return Skip("empty")
    if len(sentence.text) > LONGEST or not is_parsed(sentence.doc):
        return Skip("too-long")
    return None


def _rewritten(rule: Rule, options: dict[str, Any], texts: Iterable[str]) -> Iterator[Edits]:
    for doc in parse_all(texts):
        yield apply_rule(rule, Sentence(doc), **options)


def _rewrite_chunk(name: str, options: dict[str, Any], texts: Sequence[str]) -> list[Edits]:
    """What a worker does."""
    return list(_rewritten(load_rewrite(name), options, texts))
