"""What users call: how blind a model is on their own text, in one function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from litotes.audit.blindness import blindness, distributions
from litotes.audit.corpus import open_corpus
from litotes.audit.mining import MOST, THRESHOLD, mine
from litotes.audit.neighbours import NEIGHBOURS, Method, choose_method, memory_needed, need_faiss
from litotes.audit.result import Audit, Mining, Usage
from litotes.audit.retrieval import retrieve
from litotes.audit.settings import BUDGET, LIMIT, MOST_LOST, QUERIES, Plan, load_encoder, name_of
from litotes.audit.similarities import Similarities, measure
from litotes.audit.thresholds import advise, curve, point_at
from litotes.audit.variants import Variants, make_variants
from litotes.building.pipeline.settings import versions
from litotes.core.errors import LitotesError
from litotes.core.files import ensure_writable, expand_user
from litotes.core.paths import cache_folder
from litotes.core.progress import Progress
from litotes.core.versions import current_versions, installed_version
from litotes.corpora.base import PROBLEM_KINDS, Problems
from litotes.evaluation.encoding import encode_sentences, usable_cores
from litotes.evaluation.vector_cache import AUDITS, VectorCache, row_key
from litotes.models.access import Access
from litotes.models.base import Encoder


def audit_model(
    model: str | Encoder,
    texts: Iterable[str] | None = None,
    *,
    sources: str | Path | Sequence[str | Path] | None = None,
    format: str | None = None,
    columns: Sequence[str] = (),
    split: bool = False,
    threshold: float | None = None,
    budget: float = BUDGET,
    most_lost: float = MOST_LOST,
    limit: int | None = LIMIT,
    queries: int = QUERIES,
    mining: bool = True,
    mine_threshold: float = THRESHOLD,
    neighbours: int = NEIGHBOURS,
    most_pairs: int | None = MOST,
    method: Method | None = None,
    workers: int | None = None,
    seed: int = 0,
    cache: bool | str | Path = True,
    progress: Progress | None = None,
    access: Access | None = None,
) -> Audit:
    """How often a model takes opposites for the same, on people's own sentences and in their own text.

    `texts` are sentences; `sources` are files, folders, globs or `hf:` datasets, as `litotes build` reads them. Of at
    most `limit` sentences (None: all), drawn by `seed`, opposites and paraphrases are made; search and mining see all
    of the text. `threshold` asks about one similarity threshold; `budget` and `most_lost` say how many opposites may
    pass and how many paraphrases may be lost. `method` finds neighbours by all pairs (exact) or by an index
    (approximate); None: by the size. Of the opposites that are found in the text `most_pairs` are kept (None: all). The
    same call gives the same result whatever the workers, and whatever is in the cache up to the rounding of vectors.

    >>> texts = ["The kettle is hot.", "The old gate is not open.", "The kettle is not hot.", "It is a large house."]
    >>> audit = audit_model("glove:6b-50d", texts, cache=False)
    >>> audit.usage.sentences, 0 <= audit.blind <= 1
    (4, True)
    """
    plan = Plan(
        name_of(model),
        open_corpus(texts, sources, format=format, columns=columns, split=split),
        threshold=threshold,
        budget=budget,
        most_lost=most_lost,
        limit=limit,
        queries=queries,
        mining=mining,
        mine_threshold=mine_threshold,
        neighbours=neighbours,
        most_pairs=most_pairs,
        method=method,
        seed=seed,
    )
    folder = None if cache is False else cache_folder() if cache is True else expand_user(cache)
    return run_audit(plan, load_encoder(model, access), cache=folder, workers=workers, progress=progress)


def run_audit(
    plan: Plan,
    encoder: Encoder,
    *,
    cache: Path | None,
    workers: int | None = None,
    progress: Progress | None = None,
    warn: Callable[[str], None] = lambda message: None,
    told: Callable[[str], None] = lambda message: None,
) -> Audit:
    """Do what a plan says. `told` hears what is found on the way, and of mining beforehand how much memory it takes."""
    bar = progress or Progress()
    store = None if cache is None else _writable(cache / AUDITS, warn)
    cores = workers or usable_cores()
    with _variants(plan, store, cores, bar) as (variants, usage), _vectors(encoder, cache, warn) as kept:
        told(f"{usage.sentences:,} different sentences; {usage.usable:,} have an opposite and a paraphrase")
        notes = tuple(encoder.notes(variants.sentences))
        for note in notes:
            told(f"note: {note}")
        if plan.mining:
            told(_memory_told(plan, encoder, variants, kept, bar))
        found = measure(encoder, variants, cache=kept, workers=workers, progress=bar)
        bins, spread = distributions(found)
        rows, worst = blindness(found, variants)
        return Audit(
            model=encoder.name,
            fingerprint=encoder.fingerprint.key(),
            corpus=plan.corpus.described,
            settings=plan.settings(),
            versions=_versions(),
            notes=notes,
            usage=usage,
            bins=bins,
            distributions=spread,
            blindness=rows,
            worst=worst,
            thresholds=curve(found),
            asked=None if plan.threshold is None else point_at(found, plan.threshold),
            advice=advise(found, budget=plan.budget, most_lost=plan.most_lost),
            retrieval=retrieve(
                encoder,
                variants,
                found,
                queries=plan.queries,
                seed=plan.seed,
                cache=kept,
                workers=workers,
                progress=bar,
            ),
            mining=_mine(plan, found, variants, store=store, workers=cores, progress=bar) if plan.mining else None,
        )


def _writable(folder: Path, warn: Callable[[str], None]) -> Path | None:
    """The folder; nothing if it cannot be written to: then what is made goes with this run."""
    try:
        ensure_writable(folder)
    except LitotesError as error:
        warn(f"[L403] variants and neighbours are not kept ({error.message})")
        return None
    return folder


@contextmanager
def _variants(plan: Plan, store: Path | None, workers: int, progress: Progress) -> Iterator[tuple[Variants, Usage]]:
    """The sentences and what the rewrites made of them, and the account of it with the lines that could not be read."""
    problems = Problems()
    variants = make_variants(
        plan.corpus.records(problems),
        store=store,
        key=plan.corpus.key(),
        limit=plan.limit,
        seed=plan.seed,
        workers=workers,
        progress=progress,
    )
    try:
        yield variants, _with_unread(variants.usage, {**plan.corpus.unread, **problems.by_kind})
    finally:
        variants.close()


def _with_unread(usage: Usage, kinds: Mapping[str, int]) -> Usage:
    unread = {f"not read ({PROBLEM_KINDS[kind][1]})": count for kind, count in kinds.items()}
    return replace(usage, left_out={**usage.left_out, **unread})


@contextmanager
def _vectors(encoder: Encoder, folder: Path | None, warn: Callable[[str], None]) -> Iterator[VectorCache | None]:
    if folder is None:
        yield None
        return
    kept = VectorCache(folder, encoder.name, encoder.fingerprint, warn)
    try:
        yield kept
    finally:
        kept.close()


def _memory_told(plan: Plan, encoder: Encoder, variants: Variants, kept: VectorCache | None, progress: Progress) -> str:
    count = len(variants.sentences)
    memory = memory_needed(count, _width(encoder, variants.sentences[0], kept, progress), plan.method, plan.neighbours)
    how = choose_method(count, plan.method)
    if how == "approximate":  # said now, not when everything else is done
        need_faiss()
    return f"finding neighbours among {count:,} sentences ({how}) takes up to {memory / 1e6:,.0f} MB of memory"


def _width(encoder: Encoder, text: str, kept: VectorCache | None, progress: Progress) -> int:
    """How many numbers a vector has: only a vector tells. A new one is not kept, in its batch it may be rounded
    otherwise."""
    for _, rows in () if kept is None else kept.get([row_key(text)]):
        return int(rows.shape[1])
    rows, _ = encode_sentences(encoder, [text], cache=None, workers=1, progress=progress)
    return int(rows.shape[1])


def _mine(
    plan: Plan, found: Similarities, variants: Variants, *, store: Path | None, workers: int, progress: Progress
) -> Mining:

    return mine(
        found.vectors,
        variants.sentences,
        variants.ids,
        threshold=plan.mine_threshold,
        neighbours=plan.neighbours,
        most=plan.most_pairs,
        method=plan.method,
        workers=workers,
        progress=progress,
        store=store,
    )


def _versions() -> Mapping[str, str]:
    more = {"faiss-cpu": installed_version("faiss-cpu")}
    return {**current_versions(), **versions(), **{name: number for name, number in more.items() if number}}
