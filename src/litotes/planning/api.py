"""Plans of builds: the workflow behind `litotes build --dry-run`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from litotes.building.api import build_suite
from litotes.building.base import load_builder
from litotes.building.pipeline.settings import BuildSettings
from litotes.planning.measure import WORKER, SampleJob, measure_samples
from litotes.planning.plan import JobPlan, PlanSettings, extrapolate
from litotes.planning.sample import sample_corpus
from litotes.speedups.spacy_import import prefer_minimal_spacy

SAMPLE_BYTES = 1 << 19
"""Text of the larger sample; the smaller one has a quarter of it."""


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
        sources: Files, folders or globs; their sizes must be known.
        settings: How to build.
        cluster: Numbers of nodes, their cores and their price.
    """
    load_builder(builder)
    names = [str(source) for source in ([sources] if isinstance(sources, (str, Path)) else sources)]
    job = partial(build_sample, builder, settings or BuildSettings())
    return _plan(f"build {builder}", job, names, cluster or PlanSettings())


def _plan(name: str, job: SampleJob, names: Sequence[str], cluster: PlanSettings) -> JobPlan:
    cluster.node_counts()  # raises before anything is run
    with TemporaryDirectory(prefix="litotes-plan-") as temporary:
        folder = Path(temporary)
        samples = [sample_corpus(names, folder / f"sample-{part}", max_bytes=SAMPLE_BYTES // part) for part in (4, 1)]
        measurements = measure_samples(job, [sample.files for sample in samples], folder)
    large = samples[-1]
    return extrapolate(name, measurements, share=large.share, corpus_bytes=large.corpus_bytes, settings=cluster)


def build_sample(builder: str, settings: BuildSettings, folder: Path, files: Sequence[str]) -> int:
    """Build from files into a folder, and return the number of records."""
    prefer_minimal_spacy()
    return build_suite(builder, files, folder / "suite", settings, engine=WORKER).read
