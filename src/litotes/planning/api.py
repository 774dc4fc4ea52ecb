"""Plans of builds and audits: the workflows behind `--dry-run`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from litotes.audit.api import audit_model
from litotes.audit.neighbours import choose_method, estimate_comparisons, estimate_memory
from litotes.audit.settings import AuditSettings
from litotes.building.api import build_suite
from litotes.building.base import load_builder
from litotes.building.pipeline.settings import BuildSettings
from litotes.core.progress import Progress
from litotes.corpora.remote import check_network
from litotes.evaluation.encoding import encode_sentences
from litotes.models.access import Access
from litotes.models.encoders import load_encoder
from litotes.planning.measure import WORKER, SampleJob, SampleMeasurement, measure_samples
from litotes.planning.plan import Effort, JobPlan, PlanSettings, extrapolate, make_plan
from litotes.planning.sample import CorpusSample, sample_corpus
from litotes.speedups.spacy_import import prefer_minimal_spacy

_BUILD_SAMPLE = 1 << 19
_AUDIT_SAMPLE = 1 << 16
"""Bytes of text in the larger sample; the smaller sample has a quarter."""
_BYTES_PER_SENTENCE = 5_000
"""Memory of an audit's driver for a sentence, its id and its statistics, besides the search of neighbours."""
_SEARCH = ("index", "neighbours")
"""Phases of an audit that do not grow in proportion to the number of sentences."""


def plan_build(
    builder: str,
    sources: str | Path | Sequence[str | Path],
    settings: BuildSettings | None = None,
    cluster: PlanSettings | None = None,
) -> JobPlan:
    """Estimate what a build takes by building from two samples of the corpus; nothing is written to stay.

    Time and disk are extrapolated in proportion to the number of records. The repetition of sentences in a larger
    corpus, which makes it cheaper, cannot be seen in a sample.

    Args:
        builder: Name of a builder; see `list_builders`.
        sources: Files, folders, globs or URLs; their sizes must be known.
        settings: How to build.
        cluster: Numbers of nodes, their cores and their price.
    """
    load_builder(builder)
    cluster = cluster or PlanSettings()
    job = partial(build_sample, builder, settings or BuildSettings())
    sample, measurements = _measure(job, sources, cluster, _BUILD_SAMPLE)
    effort = extrapolate(measurements, sample.share)
    return make_plan(
        f"build {builder}", effort, cluster, sampled=measurements[-1].records, corpus_bytes=sample.corpus_bytes
    )


def plan_audit(
    model: str,
    sources: str | Path | Sequence[str | Path],
    settings: AuditSettings | None = None,
    cluster: PlanSettings | None = None,
    access: Access | None = None,
) -> JobPlan:
    """Estimate what an audit takes by auditing two samples of the corpus; nothing is written to stay.

    Args:
        model: Name of a sentence encoder.
        sources: Files, folders, globs or URLs; their sizes must be known.
        settings: What to measure.
        cluster: Numbers of nodes, their cores and their price.
        access: Permissions for loading the model.
    """
    settings, cluster = settings or AuditSettings(), cluster or PlanSettings()
    check_network(sources, may_use_network=(access or Access()).may_use_network)
    encoder = load_encoder(model, access)
    rows, _ = encode_sentences(encoder, ["word"], cache=None, workers=1, progress=Progress())
    job = partial(audit_sample, model, settings.replace(limit=None), access)
    sample, measurements = _measure(job, sources, cluster, _AUDIT_SAMPLE)
    effort = extrapolate([_without_search(measurement) for measurement in measurements], sample.share)
    notes = []
    if settings.limit is not None and effort.records > settings.limit:
        small, large = (measurement.phases.get("rewriting", 0.0) for measurement in measurements)
        rewriting = max(0.0, large - small)
        per_record = rewriting / max(1, measurements[-1].records - measurements[0].records)
        effort = effort._replace(worker=max(0.0, effort.worker - per_record * (effort.records - settings.limit)))
        notes.append(f"at most {settings.limit:,} sentences are rewritten (--limit)")
    if settings.mining:
        effort = _with_search(effort, measurements[-1], settings, int(rows.shape[1]))
        notes.append(f"the search of neighbours is {choose_method(effort.records, settings.method)}")
    return make_plan(
        "audit",
        effort,
        cluster,
        sampled=measurements[-1].records,
        corpus_bytes=sample.corpus_bytes,
        notes=notes,
    )


def _measure(
    job: SampleJob, sources: str | Path | Sequence[str | Path], cluster: PlanSettings, max_bytes: int
) -> tuple[CorpusSample, list[SampleMeasurement]]:
    """Run the job on two samples; return the larger one."""
    cluster.node_counts()  # raises before anything is run
    names = [str(source) for source in ([sources] if isinstance(sources, (str, Path)) else sources)]
    with TemporaryDirectory(prefix="litotes-plan-") as temporary:
        folder = Path(temporary)
        samples = [sample_corpus(names, folder / f"sample-{part}", max_bytes=max_bytes // part) for part in (4, 1)]
        return samples[-1], measure_samples(job, [sample.files for sample in samples], folder)


def _without_search(measurement: SampleMeasurement) -> SampleMeasurement:
    """Leave out the search of neighbours, which runs in the driver with one thread."""
    seconds = sum(measurement.phases.get(phase, 0.0) for phase in _SEARCH)
    return measurement._replace(
        seconds=measurement.seconds - seconds, driver_seconds=max(0.0, measurement.driver_seconds - seconds)
    )


def _with_search(effort: Effort, measured: SampleMeasurement, settings: AuditSettings, dimensions: int) -> Effort:
    """Add the search of neighbours, in proportion to the number of comparisons."""
    of_sample = estimate_comparisons(measured.records, settings.method)
    of_corpus = estimate_comparisons(effort.records, settings.method)
    seconds = sum(measured.phases.get(phase, 0.0) for phase in _SEARCH) * of_corpus.n_pairs / max(1, of_sample.n_pairs)
    memory = estimate_memory(effort.records, dimensions, settings.method, settings.neighbours)
    return effort._replace(
        driver=effort.driver + (0.0 if of_corpus.are_distributed else seconds),
        worker=effort.worker + (seconds if of_corpus.are_distributed else 0.0),
        driver_memory=effort.driver_memory + _BYTES_PER_SENTENCE * effort.records + memory,
    )


def build_sample(builder: str, settings: BuildSettings, folder: Path, files: Sequence[str], progress: Progress) -> int:
    """Build from files into a folder, and return the number of records."""
    prefer_minimal_spacy()
    return build_suite(builder, files, folder / "suite", settings, engine=WORKER, progress=progress).read


def audit_sample(  # noqa: PLR0917  (the first arguments are bound)
    model: str,
    settings: AuditSettings,
    access: Access | None,
    folder: Path,
    files: Sequence[str],
    progress: Progress,
) -> int:
    """Audit a model on files with a cache in a folder, and return the number of sentences."""
    cache = folder / "cache"
    audit = audit_model(
        model, sources=files, settings=settings, engine=WORKER, cache=cache, progress=progress, access=access
    )
    return audit.usage.read
