"""Audit a model on the user's own text: the workflow behind `litotes audit` and `litotes.audit_model`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from litotes.audit.blindness import measure_blindness, measure_distributions
from litotes.audit.corpus import Corpus, open_corpus
from litotes.audit.faiss_index import require_faiss
from litotes.audit.mining import mine_contradictions
from litotes.audit.neighbour_index import SearchRuntime, check_index, worker_memory
from litotes.audit.neighbours import EXTRA_CANDIDATES, choose_method, estimate_memory
from litotes.audit.result import Audit, TextUsage
from litotes.audit.retrieval import answer_queries, measure_retrieval
from litotes.audit.settings import AuditSettings
from litotes.audit.similarities import measure_similarities
from litotes.audit.thresholds import advise_threshold, point_at, threshold_curve
from litotes.audit.variants import Variants, make_variants
from litotes.building.pipeline.settings import versions
from litotes.core.errors import LitotesError
from litotes.core.files import ensure_writable, expand_user
from litotes.core.parallel.engine import ParallelEngine, choose_engine, usable_cores
from litotes.core.paths import cache_folder
from litotes.core.progress import Progress
from litotes.core.versions import current_versions, installed_version
from litotes.corpora.base import PROBLEM_KINDS, Problems
from litotes.corpora.remote import check_network
from litotes.evaluation.encoding import encode_sentences
from litotes.evaluation.vector_cache import AUDITS, VectorCache, row_key
from litotes.evaluation.vectors.remote import choose_encoding_engine, closing_workers, load_encoder_on
from litotes.models.access import Access
from litotes.models.base import Encoder
from litotes.models.encoders import check_encoder_name


def _ignore(message: str) -> None:
    pass


@dataclass(frozen=True)
class AuditRuntime:
    """Where an audit caches, how many cores it uses and where it reports; none of it changes the result."""

    cache: Path | None = None
    workers: int | None = None
    engine: ParallelEngine | str | None = None
    """Where sentences are rewritten and neighbours are searched; `load_encoder_on` decides where they are encoded."""
    index: Path | None = None
    """Where the index of the approximate neighbour search is stored."""
    progress: Progress = field(default_factory=Progress)
    on_warning: Callable[[str], None] = _ignore
    on_message: Callable[[str], None] = _ignore

    @property
    def n_workers(self) -> int:
        """The number of cores to use."""
        return self.workers or usable_cores()


def audit_model(
    model: str | Encoder,
    texts: Iterable[str] | None = None,
    settings: AuditSettings | None = None,
    *,
    sources: str | Path | Sequence[str | Path] | None = None,
    workers: int | None = None,
    engine: ParallelEngine | str | None = None,
    cache: bool | str | Path = True,
    index: str | Path | None = None,
    progress: Progress | None = None,
    access: Access | None = None,
    **options: Any,
) -> Audit:
    """Measure how often a model confuses opposites, on the user's own sentences.

    Args:
        model: Name of a sentence encoder, or the encoder itself.
        texts: Sentences; instead of them, `sources` reads text.
        settings: What to measure.
        sources: Files, folders, globs, URLs or `hf:` datasets in any format of `litotes build`.
        workers: Number of processor cores; by default all.
        engine: Where sentences are rewritten and encoded: serial, processes, ray or ray:ADDRESS; by default this
            machine. An encoder that is passed as an object runs in this process.
        cache: Whether, or in which folder, to cache vectors, variants and neighbours.
        index: Folder in which the index of the approximate neighbour search is stored and updated.
        progress: Receives the progress.
        access: Permissions for loading the model.
        options: Fields of `AuditSettings`, which override those in `settings`.

    The result depends neither on the number of workers nor on the cache, except for the rounding of vectors.

    >>> texts = ["The kettle is hot.", "The old gate is not open.", "The kettle is not hot.", "It is a large house."]
    >>> audit = audit_model("glove:6b-50d", texts, cache=False)
    >>> audit.usage.sentences, 0 <= audit.blind <= 1
    (4, True)
    """
    settings = (settings or AuditSettings()).replace(**options)
    check_encoder_name(model)
    may_use_network = (access or Access()).may_use_network
    check_network(sources or (), may_use_network=may_use_network)
    corpus = open_corpus(texts, sources, format=settings.format, columns=settings.columns, split=settings.split)
    folder = None if cache is False else cache_folder() if cache is True else expand_user(cache)
    index_folder = None if index is None else expand_user(index)
    runtime = AuditRuntime(folder, workers, engine, index_folder, progress or Progress())
    return run_audit(load_encoder_on(model, access, engine, workers), corpus, settings, runtime)


def run_audit(encoder: Encoder, corpus: Corpus, settings: AuditSettings, runtime: AuditRuntime) -> Audit:
    """Run an audit with a loaded encoder and an open corpus."""
    store = _writable_store(runtime)
    if runtime.index is not None:
        ensure_writable(runtime.index)
        check_index(runtime.index, encoder.fingerprint.key())
    with _open_variants(corpus, settings, runtime, store) as variants, _open_vectors(encoder, runtime) as vectors:
        usage = variants.usage
        runtime.on_message(
            f"{usage.sentences:,} different sentences; {usage.usable:,} have an opposite and a paraphrase"
        )
        notes = tuple(encoder.notes(variants.sentences))
        for note in notes:
            runtime.on_message(f"note: {note}")
        with closing_workers(encoder):
            if settings.mining:
                runtime.on_message(_announce_search(settings, encoder, variants, vectors, runtime))
            similarities = measure_similarities(
                encoder, variants, cache=vectors, workers=runtime.workers, progress=runtime.progress
            )
            bins, distributions = measure_distributions(similarities)
            blindness, worst = measure_blindness(similarities, variants)
            results = answer_queries(
                encoder,
                variants,
                similarities,
                queries=settings.queries,
                seed=settings.seed,
                cache=vectors,
                workers=runtime.workers,
                progress=runtime.progress,
            )
            retrieval = measure_retrieval(results, similarities)
        mining = None
        if settings.mining:
            mining = mine_contradictions(
                similarities.vectors,
                variants.sentences,
                variants.ids,
                settings,
                SearchRuntime(
                    workers=runtime.n_workers,
                    progress=runtime.progress,
                    store=store,
                    engine=choose_encoding_engine(runtime.engine, runtime.workers),
                    index=runtime.index,
                    fingerprint=encoder.fingerprint.key(),
                ),
            )
        return Audit(
            model=encoder.name,
            fingerprint=encoder.fingerprint.key(),
            corpus=corpus.files,
            settings=settings.to_dict(),
            versions=_versions(),
            notes=notes,
            usage=usage,
            bins=bins,
            distributions=distributions,
            blindness=blindness,
            worst=worst,
            thresholds=threshold_curve(similarities),
            at_threshold=None if settings.threshold is None else point_at(similarities, settings.threshold),
            advice=advise_threshold(similarities, budget=settings.budget, max_lost=settings.max_lost),
            retrieval=retrieval,
            mining=mining,
        )


def _writable_store(runtime: AuditRuntime) -> Path | None:
    """Return the folder for variants and neighbours, or None, with a warning, if it is not writable."""
    if runtime.cache is None:
        return None
    try:
        ensure_writable(runtime.cache / AUDITS)
    except LitotesError as error:
        runtime.on_warning(f"[L403] variants and neighbours are not cached ({error.message})")
        return None
    return runtime.cache / AUDITS


@contextmanager
def _open_variants(
    corpus: Corpus, settings: AuditSettings, runtime: AuditRuntime, store: Path | None
) -> Iterator[Variants]:
    """Make the variants; lines that could not be read are added to the reasons for exclusion."""
    problems = Problems()
    variants = make_variants(
        corpus.records(problems),
        store=store,
        key=corpus.key(),
        limit=settings.limit,
        seed=settings.seed,
        engine=choose_engine(runtime.engine, runtime.workers, default_workers=usable_cores()),
        progress=runtime.progress,
    )
    variants.usage = _with_unread_lines(variants.usage, {**corpus.unread, **problems.by_kind})
    try:
        yield variants
    finally:
        variants.close()


def _with_unread_lines(usage: TextUsage, counts: Mapping[str, int]) -> TextUsage:
    unread = {f"not read ({PROBLEM_KINDS[kind][1]})": count for kind, count in counts.items()}
    return replace(usage, excluded={**usage.excluded, **unread})


@contextmanager
def _open_vectors(encoder: Encoder, runtime: AuditRuntime) -> Iterator[VectorCache | None]:
    if runtime.cache is None:
        yield None
        return
    vectors = VectorCache(runtime.cache, encoder.name, encoder.fingerprint, runtime.on_warning)
    try:
        yield vectors
    finally:
        vectors.close()


def _announce_search(
    settings: AuditSettings, encoder: Encoder, variants: Variants, vectors: VectorCache | None, runtime: AuditRuntime
) -> str:
    """Return a message about the memory for the neighbour search; raise if its library is missing."""
    n_sentences = len(variants.sentences)
    method = choose_method(n_sentences, settings.method)
    if method == "approximate":
        require_faiss()
    dimensions = _vector_size(encoder, variants.sentences[0], vectors, runtime.progress)
    memory = estimate_memory(n_sentences, dimensions, settings.method, settings.neighbours)
    message = (
        f"searching neighbours of {n_sentences:,} sentences ({method}) needs up to {memory / 1e6:,.0f} MB of memory"
    )
    if method == "exact" and runtime.index is not None:
        return f"{message}, and no index: --method approximate uses one"
    per_worker = worker_memory(n_sentences, dimensions, settings.neighbours + EXTRA_CANDIDATES)
    if method == "approximate" and per_worker and choose_encoding_engine(runtime.engine, runtime.workers).is_remote:
        return f"{message}, and up to {per_worker / 1e6:,.0f} MB per worker"
    return message


def _vector_size(encoder: Encoder, text: str, vectors: VectorCache | None, progress: Progress) -> int:
    """Return the number of dimensions, which only a vector shows.

    A newly computed vector is not cached: encoded in another batch, it could be rounded differently.
    """
    for _, rows in () if vectors is None else vectors.get([row_key(text)]):
        return int(rows.shape[1])
    rows, _ = encode_sentences(encoder, [text], cache=None, workers=1, progress=progress)
    return int(rows.shape[1])


def _versions() -> Mapping[str, str]:
    faiss = installed_version("faiss-cpu")
    return {**current_versions(), **versions(), **({"faiss-cpu": faiss} if faiss else {})}
