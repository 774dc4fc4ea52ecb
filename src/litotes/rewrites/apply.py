"""Apply rules to one sentence or to a stream of sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from litotes.core.errors import UsageError
from litotes.core.parallel.engine import ParallelEngine, choose_engine, map_ordered
from litotes.languages.base import get_language
from litotes.rewrites.base import Edit, Edits, Rule, Sentence, Skip, common_skip, find_refusal
from litotes.rewrites.gates import Gate, filter_edits, load_gate, load_gates
from litotes.rewrites.options import check_options
from litotes.rewrites.registry import load_rewrite, load_text_check
from litotes.speedups.spacy_import import import_minimal_spacy


def rewrite(
    rule: str | Rule,
    text: str,
    *,
    gates: Sequence[str | Gate] = (),
    pipeline: str | None = None,
    limit: int | None = None,
    **options: Any,
) -> Edits:
    """Return the edits of a sentence, best first; `skips` of the result says why edits are missing.

    `gates` are checks that each edit must pass: "reparse", the address of a LanguageTool server, or a gate object.
    `pipeline` names another spaCy pipeline. `limit` is the maximum number of edits; skips that would follow the last
    of them are not reported.

    >>> [edit.text for edit in rewrite("negation", "I'm excited.", contractions="expand")]
    ['I am not excited.']
    >>> rewrite("negation", "").skips
    (Skip(code='empty', reason='the text contains no word'),)
    """
    return next(rewrite_all(rule, [text], gates=gates, pipeline=pipeline, limit=limit, **options))


def rewrite_all(
    rule: str | Rule,
    texts: Iterable[str],
    *,
    workers: int | None = None,
    engine: ParallelEngine | str | None = None,
    gates: Sequence[str | Gate] = (),
    pipeline: str | None = None,
    limit: int | None = None,
    **options: Any,
) -> Iterator[Edits]:
    """Yield the edits of every sentence in order; neither the engine nor the number of workers changes the result.

    `engine` is serial, processes, ray or ray:ADDRESS; by default, several `workers` are processes on this machine.

    >>> [[edit.text for edit in edits[:1]] for edits in rewrite_all("negation", ["It rained.", "", "Be careful."])]
    [['It did not rain.'], [], ['Do not be careful.']]
    """
    if isinstance(rule, str):
        rule = load_rewrite(rule)
    if limit is not None and limit < 1:
        raise UsageError("L102", f"limit={limit}: at least one edit is needed")
    checked = check_options(rule, options)
    loaded_gates = tuple(load_gate(gate, pipeline) if isinstance(gate, str) else gate for gate in gates)
    where = choose_engine(engine, workers)
    if not where.is_remote:
        return map_ordered(partial(rewrite_chunk, rule, checked, loaded_gates, pipeline, limit=limit), texts)
    # Worker processes receive names and load the rule and the gates themselves.
    names = tuple(gate for gate in gates if isinstance(gate, str))
    if len(names) < len(gates) or not _is_registered(rule):
        raise UsageError("L102", "with several workers, rules and gates must have a name", hint="use workers=1")
    work = partial(_rewrite_in_worker, rule.name, checked, names, pipeline, limit=limit)
    return map_ordered(work, texts, engine=where)


def rewrite_chunk(
    rule: Rule,
    options: Mapping[str, Any],
    gates: Sequence[Gate],
    pipeline: str | None,
    texts: Sequence[str],
    *,
    limit: int | None = None,
) -> list[Edits]:
    """Return the edits of sentences that are parsed together; the options have already been validated."""
    refusals = [find_refusal(text) for text in texts]
    readable = [text for text, refusal in zip(texts, refusals, strict=True) if refusal is None]
    docs = get_language().parse_all(readable, pipeline=pipeline)
    # A gate may reject the first edits, so the limit is applied after it.
    max_edits = None if gates else limit
    rewritten = [
        Edits([], (refusal,)) if refusal else apply_rule(rule, Sentence(next(docs)), limit=max_edits, **options)
        for refusal in refusals
    ]
    if not gates:
        return rewritten
    passed = filter_edits(zip(texts, rewritten, strict=True), gates)
    return [edits if limit is None else Edits(edits[:limit], edits.skips) for edits in passed]


def apply_rule(rule: Rule, sentence: Sentence, *, limit: int | None = None, **options: Any) -> Edits:
    """Return the edits of a parsed sentence, at most `limit`."""
    if sentence.refusal is not None:
        return Edits([], (sentence.refusal,))
    before = sentence.text
    name, effect, declared_skips = rule.name, rule.effect, rule.declared_skips
    find_fault = load_text_check()
    edits: dict[str, Edit] = {}
    skips: dict[Skip, None] = {}
    for outcome in rule.apply(sentence, **options):
        if isinstance(outcome, Skip):
            skips[outcome if outcome.reason else declared_skips[outcome.code]] = None
            continue
        after, words, reason, own_effect = outcome
        if after in edits:
            continue
        fault = find_fault(sentence, after)
        if fault:
            skips[common_skip(fault)] = None
            continue
        edits[after] = Edit(after, name, own_effect or effect, words, reason, before)
        if len(edits) == limit:
            break
    return Edits(edits.values(), tuple(skips))


def _is_registered(rule: Rule) -> bool:
    try:
        return load_rewrite(rule.name) is rule
    except UsageError:
        return False


def _rewrite_in_worker(
    name: str,
    options: Mapping[str, Any],
    gates: tuple[str, ...],
    pipeline: str | None,
    texts: Sequence[str],
    *,
    limit: int | None = None,
) -> list[Edits]:
    if pipeline is None:
        import_minimal_spacy()
    return rewrite_chunk(load_rewrite(name), options, load_gates(gates, pipeline), pipeline, texts, limit=limit)
