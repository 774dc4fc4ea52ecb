"""The variants of a corpus: its different sentences, each parsed once and given to every rewrite of an audit."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from litotes.audit.result import RuleUse, Usage
from litotes.audit.variant_store import Made, VariantStore, store_path
from litotes.building.audit_variants import RELATIONS, reasons, variants_of
from litotes.building.pipeline.settings import versions
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import is_encodable
from litotes.core.parallel import map_ordered
from litotes.core.progress import Progress
from litotes.corpora.base import Record
from litotes.corpora.read import single_sentences
from litotes.languages.en.detection import check_english, is_other_language
from litotes.languages.en.parser import is_parsed, parse_all
from litotes.rewrites.base import Sentence
from litotes.speedups.spacy_import import import_minimal_spacy

BLOCK = 128
"""Sentences that are parsed and kept together."""
LONGEST = 400
"""Characters: what is longer is rarely one sentence, and its rewrites change too little of it to tell anything."""
_GATES_VERSION = 3
"""Goes up when rules or gates make other variants, so that kept ones are made anew."""
_LETTER = re.compile(r"[^\W\d_]")

_DOUBLE = "the same as one before"
_NO_TEXT = "no text: halves of characters"
_NO_WORD = "no word in it"
_TOO_LONG = f"longer than {LONGEST} characters"
_NOT_ENGLISH = "not English"
_NOT_DRAWN = "not drawn: the limit was reached"
_NOT_IN_SENTENCES = frozenset((_DOUBLE, _NO_TEXT, _NO_WORD))
"""Left out before anything is counted as a sentence."""


class Variants:
    """The different sentences of a corpus, and what the rewrites made of them."""

    def __init__(self, sentences: Sequence[str], ids: Sequence[str], usage: Usage, store: VariantStore) -> None:
        self.sentences = sentences
        self.ids = ids
        self.usage = usage
        self._store = store

    def of_rule(self, rule: str) -> Iterator[tuple[int, str]]:
        """The place of the sentence and the text of the variant, by places; one variant a sentence."""
        return self._store.of_rule(rule)

    def pairs(self) -> Iterator[tuple[int, str, str]]:
        """Place, rule and text of every variant, by places, the rules of a place in the order of an audit."""
        return self._store.pairs()

    def close(self) -> None:
        """Let go of the file they are in."""
        self._store.close()

    def __enter__(self) -> Variants:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def make_variants(
    records: Iterable[Record],
    *,
    store: Path | None,
    key: Mapping[str, Any],
    limit: int | None,
    seed: int,
    workers: int,
    progress: Progress | None,
) -> Variants:
    """What the rewrites make of a corpus; an equal call reads it from the store, one that was killed goes on.

    `store` is a folder; without one everything goes with the process. `key` is what else the result depends on. With
    a `limit` the rewrites are tried on so many sentences, drawn by the seed; `sentences` has all of them.
    """
    if limit is not None and limit < 1:
        raise UsageError("L102", f"limit={limit}: at least one sentence is needed")
    corpus = _read(records)
    if not corpus.sentences:
        raise LitotesError("L204", f"there is no sentence in the text ({corpus.read:,} read)")
    check_english(corpus.sentences)
    places, left_out = _to_rewrite(corpus, limit, seed)
    depends_on = {
        "key": dict(key),
        "corpus": corpus.digest,
        "limit": limit,
        "seed": seed,
        "rules": list(RELATIONS),
        "gates": _GATES_VERSION,
        "versions": versions(),
    }
    kept = VariantStore(None if store is None else store_path(store, depends_on))
    try:
        _make(kept, corpus.sentences, places, seed, workers, progress or Progress())
        usage = _usage(kept, corpus, len(places), left_out)
        if not usage.usable:
            raise _nothing(usage)
    except BaseException:
        kept.close()
        raise
    return Variants(corpus.sentences, corpus.ids, usage, kept)


@dataclass(frozen=True)
class _Corpus:
    """The different sentences of a corpus."""

    sentences: list[str]
    ids: list[str]
    read: int
    left_out: Counter[str]
    digest: str


def _read(records: Iterable[Record]) -> _Corpus:
    seen: set[str] = set()
    sentences: list[str] = []
    ids: list[str] = []
    left_out: Counter[str] = Counter()
    digest = hashlib.blake2b(digest_size=16)
    read = 0
    for record in single_sentences(records):
        read += 1
        text = record.text
        if not is_encodable(text):
            left_out[_NO_TEXT] += 1
        elif not _LETTER.search(text):
            left_out[_NO_WORD] += 1
        elif text in seen:
            left_out[_DOUBLE] += 1
        else:
            seen.add(text)
            sentences.append(text)
            ids.append(record.id)
            digest.update(text.encode() + b"\0")
    return _Corpus(sentences, ids, read, left_out, digest.hexdigest())


def _to_rewrite(corpus: _Corpus, limit: int | None, seed: int) -> tuple[list[int], Counter[str]]:
    """The places of the sentences that the rewrites are tried on, and why not on the others."""
    left_out = Counter(corpus.left_out)
    places = []
    for place, text in enumerate(corpus.sentences):
        if len(text) > LONGEST:
            left_out[_TOO_LONG] += 1
        elif is_other_language(text):
            left_out[_NOT_ENGLISH] += 1
        else:
            places.append(place)
    if limit is not None and limit < len(places):
        left_out[_NOT_DRAWN] += len(places) - limit
        places = sorted(Random(seed).sample(places, limit))  # noqa: S311
    return places, left_out


def _make(  # noqa: PLR0917
    kept: VariantStore, sentences: Sequence[str], places: Sequence[int], seed: int, workers: int, bar: Progress
) -> None:
    """Everything that the store does not have yet."""
    done = kept.blocks()
    numbers = [number for number in range(-(-len(places) // BLOCK)) if number not in done]
    if not numbers:
        return

    def places_of(number: int) -> Sequence[int]:
        return places[number * BLOCK : (number + 1) * BLOCK]

    waiting = sum(len(places_of(number)) for number in numbers)
    bar.begin("rewriting", total=len(places), done=len(places) - waiting)
    blocks = ([sentences[place] for place in places_of(number)] for number in numbers)
    results = map_ordered(partial(rewrite_blocks, seed, alone=workers > 1), blocks, workers=workers, chunk_size=1)
    try:
        for number, made in zip(numbers, results, strict=True):
            kept.keep(number, places_of(number), made)
            bar.advance(len(made))
    finally:
        results.close()
        bar.end()
    kept.finish()


def rewrite_blocks(seed: int, blocks: Sequence[Sequence[str]], *, alone: bool = False) -> list[list[Made]]:
    """What the rewrites make of each sentence of each block; what workers do, `alone` in processes of their own."""
    if alone:
        import_minimal_spacy()
    return [_rewritten(seed, block) for block in blocks]


def _rewritten(seed: int, texts: Sequence[str]) -> list[Made]:
    docs = list(parse_all(texts))
    return [_made(Sentence(doc), seed) if is_parsed(doc) else _not_parsed() for doc in docs]


def _made(sentence: Sentence, seed: int) -> Made:
    variants: list[tuple[str, str]] = []
    skips: list[tuple[str, str]] = []
    for rule, variant in variants_of(sentence, seed):
        if variant.text is not None:
            variants.append((rule, variant.text))
        else:
            skips.append((rule, variant.codes[0]))
    return Made(tuple(variants), tuple(skips))


def _not_parsed() -> Made:
    return Made((), tuple((rule, "empty") for rule in RELATIONS))


def _usage(kept: VariantStore, corpus: _Corpus, tried: int, left_out: Mapping[str, int]) -> Usage:
    made = kept.made()
    rules = []
    for rule, relation in RELATIONS.items():
        skipped = kept.skips(rule)
        meaning = reasons(rule)
        rules.append(RuleUse(rule, relation, made[rule], skipped, {code: meaning[code] for code in skipped}))
    return Usage(
        read=corpus.read,
        sentences=len(corpus.sentences),
        rewritten=tried,
        usable=kept.usable(),
        rules=tuple(rules),
        left_out={why: count for why, count in sorted(left_out.items(), key=lambda one: (-one[1], one[0])) if count},
    )


def _nothing(usage: Usage) -> LitotesError:
    whole = f"none of the {usage.sentences:,} sentences can be used: "
    if not usage.rewritten:
        untried = {why: count for why, count in usage.left_out.items() if why not in _NOT_IN_SENTENCES}
        told = ", ".join(f"{count:,} {'is' if count == 1 else 'are'} {why}" for why, count in untried.items())
        split = "--split cuts running text into sentences"
        hint = split if _TOO_LONG in untried else "give more text: whole English sentences, one a line"
        return LitotesError("L204", whole + told, hint=hint)
    made = ", ".join(f"{one.made:,} by {one.rule}" for one in usage.rules if one.made) or "no rewrite made anything"
    why = f"none has both an opposite and a variant of the same meaning ({made}, {usage.rewritten:,} tried)"
    return LitotesError("L204", whole + why, hint="more text, or text in whole sentences, may help")
