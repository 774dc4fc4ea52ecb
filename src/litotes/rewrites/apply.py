"""Rewriting: rules over one sentence, or over a stream of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from litotes.core.errors import UsageError
from litotes.core.files import is_whole_text
from litotes.core.parallel import in_order
from litotes.core.registry import unknown_name
from litotes.languages.en.parser import LONGEST, is_parsed, parse_all
from litotes.rewrites.base import COMMON_SKIPS, Edit, Edits, Rule, Sentence, Skip
from litotes.rewrites.gates.text import Gate, edit_fault, gated
from litotes.rewrites.options import checked
from litotes.rewrites.registry import load_rewrite
from litotes.speedups.gc_control import without_collector
from litotes.speedups.spacy_import import import_spacy_alone

GATES = ("reparse",)
"""The gates that have a name; that of a LanguageTool server is its address."""

_LETTER = re.compile(r"[^\W\d_]")


def rewrite(
    rule: str | Rule,
    text: str,
    *,
    gates: Sequence[str | Gate] = (),
    pipeline: str | None = None,
    limit: int | None = None,
    **options: Any,
) -> Edits:
    """The edits that a rule makes of one sentence, best first; an empty list says why in `skips`.

    `gates` are what each edit must pass: “reparse”, the address of a LanguageTool server, or a gate of your own.
    `pipeline` is another English pipeline of spaCy's. With a `limit` no more edits than so many are made, and nothing
    is skipped after the last of them.

    >>> [edit.text for edit in rewrite("negation", "I'm excited.", contractions="expand")]
    ['I am not excited.']
    >>> rewrite("negation", "").skips
    (Skip(code='empty', reason='there is no word in it'),)
    """
    return next(rewrite_all(rule, [text], gates=gates, pipeline=pipeline, limit=limit, **options))


def rewrite_all(
    rule: str | Rule,
    texts: Iterable[str],
    *,
    workers: int = 1,
    gates: Sequence[str | Gate] = (),
    pipeline: str | None = None,
    limit: int | None = None,
    **options: Any,
) -> Iterator[Edits]:
    """The edits of every sentence of a stream, in its order; the same whatever the number of workers.

    >>> [[edit.text for edit in edits[:1]] for edits in rewrite_all("negation", ["It rained.", "", "Be careful."])]
    [['It did not rain.'], [], ['Do not be careful.']]
    """
    known = load_rewrite(rule) if isinstance(rule, str) else rule
    if limit is not None and limit < 1:
        raise UsageError("L102", f"limit={limit}: at least one edit is needed")
    settings = checked(known, options)
    passed = tuple(load_gate(gate, pipeline) if isinstance(gate, str) else gate for gate in gates)
    if workers == 1:
        return in_order(partial(rewrite_chunk, known, settings, passed, pipeline, limit=limit), texts)
    # Worker processes get names and make what they stand for themselves.
    names = tuple(gate for gate in gates if isinstance(gate, str))
    if len(names) < len(gates) or not _is_registered(known):
        raise UsageError("L102", "several workers need rules and gates that have a name", hint="workers=1 does not")
    work = partial(_in_worker, known.name, settings, names, pipeline, limit=limit)
    return in_order(work, texts, workers=workers)


def rewrite_chunk(
    rule: Rule,
    options: Mapping[str, Any],
    gates: Sequence[Gate],
    pipeline: str | None,
    texts: Sequence[str],
    *,
    limit: int | None = None,
) -> list[Edits]:
    """The edits of some sentences that are parsed together; options and gates are known to be right."""
    refusals = [_cannot_be_read(text) for text in texts]
    readable = [text for text, refusal in zip(texts, refusals, strict=True) if refusal is None]
    docs = parse_all(readable, pipeline=pipeline)
    # A gate may refuse the first edits, and then the next ones are wanted: all are made.
    most = None if gates else limit
    with without_collector():  # a chunk is small: what it leaves behind is collected after it
        made = [
            Edits([], (refusal,)) if refusal else apply_rule(rule, Sentence(next(docs)), limit=most, **options)
            for refusal in refusals
        ]
    if not gates:
        return made
    passed = gated(zip(texts, made, strict=True), gates)
    return [edits if limit is None else Edits(edits[:limit], edits.skips) for edits in passed]


def apply_rule(rule: Rule, sentence: Sentence, *, limit: int | None = None, **options: Any) -> Edits:
    """The edits that a rule makes of a sentence that is parsed already; with a limit, no more than so many are made."""
    refused = _refused(sentence)
    if refused is not None:
        return Edits([], (refused,))
    before = sentence.text
    name, effect, told = rule.name, rule.effect, rule.told
    edits: dict[str, Edit] = {}
    skips: dict[Skip, None] = {}
    for outcome in rule.apply(sentence, **options):
        if isinstance(outcome, Skip):
            skips[outcome if outcome.reason else told[outcome.code]] = None
            continue
        after, words, reason, own_effect = outcome
        if after in edits:
            continue
        fault = edit_fault(sentence, after)
        if fault:
            skips[_refusal(fault)] = None
            continue
        edits[after] = Edit(after, name, own_effect or effect, words, reason, before)
        if len(edits) == limit:
            break
    return Edits(edits.values(), tuple(skips))


def _refused(sentence: Sentence) -> Skip | None:
    """Why no rule can read a sentence; found out once for all of them."""
    memory = sentence.doc.memory
    try:
        refused: Skip | None = memory["refused"]
    except KeyError:
        cannot = _cannot_be_read(sentence.text)
        refused = memory["refused"] = cannot or (None if is_parsed(sentence.doc) else _refusal("too-long"))
    return refused


def _cannot_be_read(text: str) -> Skip | None:
    if not _LETTER.search(text):
        return _refusal("empty")
    if len(text) > LONGEST:
        return _refusal("too-long")
    return None if is_whole_text(text) else _refusal("not-text")


def _refusal(code: str) -> Skip:
    return Skip(code, COMMON_SKIPS[code])


def _is_registered(rule: Rule) -> bool:
    try:
        return load_rewrite(rule.name) is rule
    except UsageError:
        return False


def _in_worker(
    name: str,
    options: Mapping[str, Any],
    gates: tuple[str, ...],
    pipeline: str | None,
    texts: Sequence[str],
    *,
    limit: int | None = None,
) -> list[Edits]:
    if pipeline is None:
        import_spacy_alone()
    return rewrite_chunk(load_rewrite(name), options, loaded_gates(gates, pipeline), pipeline, texts, limit=limit)


@lru_cache(maxsize=8)
def loaded_gates(names: tuple[str, ...], pipeline: str | None) -> tuple[Gate, ...]:
    """The gates of these names, made once a process: one may keep what it has asked for."""
    return tuple(load_gate(name, pipeline) for name in names)


def load_gate(name: str, pipeline: str | None = None) -> Gate:
    """The gate of that name, “reparse”, or the LanguageTool server at that address.

    >>> load_gate("reprase")
    Traceback (most recent call last):
    ...
    litotes.core.errors.UsageError: [L101] unknown gate "reprase"; did you mean reparse?
    """
    if name == "reparse":
        from litotes.rewrites.gates.reparse import ReparseGate

        return ReparseGate(pipeline=pipeline)
    if "://" in name:
        from litotes.rewrites.gates.language_tool import LanguageTool

        return LanguageTool(name)
    raise unknown_name("gate", name, GATES)
