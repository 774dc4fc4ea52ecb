"""The different sentences of a corpus and their variants: opposites, paraphrases and others, by every rewrite."""

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

from litotes.audit.result import RewriteUsage, TextUsage
from litotes.audit.variant_store import SentenceVariants, VariantStore, store_path
from litotes.building.audit_variants import RELATIONS, reasons, variants_of
from litotes.building.pipeline.settings import versions
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import is_encodable
from litotes.core.parallel.engine import ParallelEngine, map_ordered
from litotes.core.progress import Progress
from litotes.corpora.base import Record
from litotes.corpora.read import single_sentences
from litotes.languages.base import get_language
from litotes.rewrites.base import Sentence
from litotes.speedups.spacy_import import with_minimal_spacy

BLOCK_SIZE = 128
"""Sentences that are parsed and stored together."""
MAX_LENGTH = 400
"""Characters: longer texts are rarely one sentence, and a rewrite changes too little of them."""
_RULES_VERSION = 3
"""Increased when rules or gates change their output, so that stored variants are not used any more."""
_LETTER = re.compile(r"[^\W\d_]")

_DUPLICATE = "the same as an earlier one"
_INVALID_TEXT = "invalid text: unpaired surrogates"
_NO_WORD = "without a word"
_TOO_LONG = f"longer than {MAX_LENGTH} characters"
_NOT_DRAWN = "not drawn because of the limit"
_NOT_SENTENCES = frozenset({_DUPLICATE, _INVALID_TEXT, _NO_WORD})
"""Reasons that apply before a text counts as a sentence."""


class Variants:
    """The different sentences of a corpus and their stored variants."""

    def __init__(self, sentences: Sequence[str], ids: Sequence[str], usage: TextUsage, store: VariantStore) -> None:
        self.sentences = sentences
        self.ids = ids
        self.usage = usage
        self._store = store

    def of_rule(self, rule: str) -> Iterator[tuple[int, str]]:
        """Yield the variants by one rewrite as (index of the sentence, text), in the order of the sentences."""
        return self._store.of_rule(rule)

    def pairs(self) -> Iterator[tuple[int, str, str]]:
        """Yield all variants as (index of the sentence, rule, text), in the order of the sentences and rules."""
        return self._store.pairs()

    def close(self) -> None:
        """Close the file of the variants."""
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
    engine: ParallelEngine,
    progress: Progress | None,
) -> Variants:
    """Rewrite the sentences of a corpus, or read their variants from an earlier call.

    A call that was killed resumes. At most `limit` sentences, drawn with the seed, are rewritten; `Variants.sentences`
    contains all of them.

    Args:
        records: The corpus.
        store: Folder for the variants; None for a temporary file.
        key: Values besides the sentences on which the variants depend.
        limit: Maximum number of sentences to rewrite; None for all.
        seed: Random seed.
        engine: Where the sentences are rewritten.
        progress: Receives the progress.
    """
    if limit is not None and limit < 1:
        raise UsageError("L102", f"limit={limit}: must be at least 1")
    corpus = _read_sentences(records)
    if not corpus.sentences:
        raise LitotesError("L204", f"the text contains no sentence ({corpus.read:,} lines read)")
    get_language().check_language(corpus.sentences)
    indices, excluded = _select_sentences(corpus, limit, seed)
    depends_on = {
        "key": dict(key),
        "corpus": corpus.digest,
        "limit": limit,
        "seed": seed,
        "rules": list(RELATIONS),
        "gates": _RULES_VERSION,
        "versions": versions(),
    }
    variants = VariantStore(None if store is None else store_path(store, depends_on))
    try:
        _rewrite_missing(variants, corpus.sentences, indices, seed, engine, progress or Progress())
        usage = _count_usage(variants, corpus, len(indices), excluded)
        if not usage.usable:
            raise _nothing_usable(usage)
    except BaseException:
        variants.close()
        raise
    return Variants(corpus.sentences, corpus.ids, usage, variants)


@dataclass(frozen=True)
class _Sentences:
    """The different sentences of a corpus."""

    sentences: list[str]
    ids: list[str]
    read: int
    excluded: Counter[str]
    digest: str


def _read_sentences(records: Iterable[Record]) -> _Sentences:
    seen: set[str] = set()
    sentences: list[str] = []
    ids: list[str] = []
    excluded: Counter[str] = Counter()
    digest = hashlib.blake2b(digest_size=16)
    n_read = 0
    for record in single_sentences(records):
        n_read += 1
        text = record.text
        if not is_encodable(text):
            excluded[_INVALID_TEXT] += 1
        elif not _LETTER.search(text):
            excluded[_NO_WORD] += 1
        elif text in seen:
            excluded[_DUPLICATE] += 1
        else:
            seen.add(text)
            sentences.append(text)
            ids.append(record.id)
            digest.update(text.encode() + b"\0")
    return _Sentences(sentences, ids, n_read, excluded, digest.hexdigest())


def _select_sentences(corpus: _Sentences, limit: int | None, seed: int) -> tuple[list[int], Counter[str]]:
    """Return the indices of the sentences to rewrite, and the number of others by reason."""
    language = get_language()
    other_language = f"not {language.name}"
    excluded = Counter(corpus.excluded)
    indices = []
    for index, text in enumerate(corpus.sentences):
        if len(text) > MAX_LENGTH:
            excluded[_TOO_LONG] += 1
        elif language.is_other_language(text):
            excluded[other_language] += 1
        else:
            indices.append(index)
    if limit is not None and limit < len(indices):
        excluded[_NOT_DRAWN] += len(indices) - limit
        indices = sorted(Random(seed).sample(indices, limit))  # noqa: S311
    return indices, excluded


def _rewrite_missing(  # noqa: PLR0917
    store: VariantStore,
    sentences: Sequence[str],
    indices: Sequence[int],
    seed: int,
    engine: ParallelEngine,
    progress: Progress,
) -> None:
    """Rewrite the blocks of sentences that the store does not contain yet."""
    done = store.blocks()
    blocks = {
        number: indices[start : start + BLOCK_SIZE]
        for number, start in enumerate(range(0, len(indices), BLOCK_SIZE))
        if number not in done
    }
    if not blocks:
        return
    n_missing = sum(map(len, blocks.values()))
    progress.begin("rewriting", total=len(indices), done=len(indices) - n_missing)
    texts = ([sentences[index] for index in block] for block in blocks.values())
    rewrite = with_minimal_spacy(partial(rewrite_blocks, seed), is_remote=engine.is_remote)
    results = map_ordered(rewrite, texts, engine=engine, chunk_size=1)
    try:
        for (number, block), variants in zip(blocks.items(), results, strict=True):
            store.save(number, block, variants)
            progress.advance(len(block))
    finally:
        results.close()
        progress.end()
    store.finish()


def rewrite_blocks(seed: int, blocks: Sequence[Sequence[str]]) -> list[list[SentenceVariants]]:
    """Rewrite the sentences of each block."""
    return [_rewrite_block(seed, block) for block in blocks]


def _rewrite_block(seed: int, texts: Sequence[str]) -> list[SentenceVariants]:
    docs = list(get_language().parse_all(texts))
    return [_rewrite(Sentence(doc), seed) if doc.is_parsed else _unparsed() for doc in docs]


def _rewrite(sentence: Sentence, seed: int) -> SentenceVariants:
    variants: list[tuple[str, str]] = []
    skips: list[tuple[str, str]] = []
    for rule, variant in variants_of(sentence, seed):
        if variant.text is not None:
            variants.append((rule, variant.text))
        else:
            skips.append((rule, variant.codes[0]))
    return SentenceVariants(tuple(variants), tuple(skips))


def _unparsed() -> SentenceVariants:
    return SentenceVariants((), tuple((rule, "empty") for rule in RELATIONS))


def _count_usage(store: VariantStore, corpus: _Sentences, n_rewritten: int, excluded: Mapping[str, int]) -> TextUsage:
    counts = store.counts()
    rules = []
    for rule, relation in RELATIONS.items():
        skipped = store.skips(rule)
        messages = reasons(rule)
        rules.append(RewriteUsage(rule, relation, counts[rule], skipped, {code: messages[code] for code in skipped}))
    return TextUsage(
        read=corpus.read,
        sentences=len(corpus.sentences),
        rewritten=n_rewritten,
        usable=store.count_usable(),
        rules=tuple(rules),
        excluded={
            reason: count for reason, count in sorted(excluded.items(), key=lambda item: (-item[1], item[0])) if count
        },
    )


def _nothing_usable(usage: TextUsage) -> LitotesError:
    message = f"none of the {usage.sentences:,} sentences can be used: "
    if not usage.rewritten:
        counts = {reason: count for reason, count in usage.excluded.items() if reason not in _NOT_SENTENCES}
        detail = ", ".join(f"{count:,} {'is' if count == 1 else 'are'} {reason}" for reason, count in counts.items())
        split = "--split cuts running text into sentences"
        hint = split if _TOO_LONG in counts else "add more text, as whole sentences, one per line"
        return LitotesError("L204", message + detail, hint=hint)
    made = ", ".join(f"{rule.variants:,} by {rule.rule}" for rule in usage.rules if rule.variants)
    detail = f"none has both an opposite and a paraphrase ({made or 'no variants'}, {usage.rewritten:,} tried)"
    return LitotesError("L204", message + detail, hint="add more text, or use text in whole sentences")
