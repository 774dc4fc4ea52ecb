"""The plan of a job: what it takes in all, and on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from litotes.core.errors import UsageError
from litotes.core.parallel.engine import usable_cores
from litotes.core.settings import NonNegativeFloat, PositiveInt, Settings
from litotes.planning.measure import SampleMeasurement

_DEFAULT_NODES = "1,10,100"


class PlanSettings(Settings, frozen=True, kw_only=True):
    """The cluster that a plan is for."""

    dry_run: Annotated[
        bool, Meta(description="Only estimate, from a sample: records, processor time, memory, disk, time, cost.")
    ] = False
    nodes: Annotated[str, Meta(description="Numbers of nodes to estimate.", extra={"metavar": "N,N,…"})] = (
        _DEFAULT_NODES
    )
    node_cores: Annotated[
        PositiveInt | None, Meta(description="Processor cores of a node. Default: as many as this machine has.")
    ] = None
    node_price: Annotated[
        NonNegativeFloat | None, Meta(description="Price of a node per hour.", extra={"metavar": "NUMBER"})
    ] = None

    def node_counts(self) -> list[int]:
        """Return the numbers of nodes.

        >>> PlanSettings(nodes="1,8").node_counts()
        [1, 8]
        """
        counts = [int(count) if count.strip().isdecimal() else 0 for count in self.nodes.split(",")]
        if not all(counts):
            raise UsageError("L102", f"nodes={self.nodes}: must be positive numbers separated by commas")
        return counts


class ClusterEstimate(NamedTuple):
    """A job on a number of nodes."""

    nodes: int
    hours: float
    node_hours: float
    cost: float | None
    limit: str
    """What limits the speed: the workers, or the driver, which cannot be distributed."""


@dataclass(frozen=True)
class JobPlan:
    """What a job is expected to take, extrapolated from a sample."""

    job: str
    sampled: int
    """Records of the sample on which the job was run."""
    records: int
    corpus_bytes: int
    startup_seconds: float
    """Time before the first record, and at the end, whatever the size of the corpus."""
    driver_hours: float
    """Processor time of the process that reads, stores and selects."""
    worker_hours: float
    """Processor time of all workers."""
    driver_memory: int
    worker_memory: int
    """Highest resident memory in bytes, of each worker."""
    peak_disk: int
    """The most bytes at a time, with the files that are removed at the end."""
    output: int
    node_cores: int
    clusters: tuple[ClusterEstimate, ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the plan for JSON."""
        return {**asdict(self), "clusters": [cluster._asdict() for cluster in self.clusters]}


class Effort(NamedTuple):
    """What a job takes besides its start, extrapolated to the whole corpus."""

    records: int
    startup: float
    """Seconds before the first record and at the end, whatever the size of the corpus."""
    driver: float
    """Seconds of processor time of the driver."""
    worker: float
    """Seconds of processor time of all workers."""
    driver_memory: int
    worker_memory: int
    peak_disk: int
    output: int


def extrapolate(measurements: Sequence[SampleMeasurement], share: float) -> Effort:
    """Return the effort of a job whose time and disk grow with the number of records.

    Of two measurements of different sizes, the difference is the effort per record and the rest that of the start.

    >>> small = SampleMeasurement(1000, 4.0, 1.5, 3.0, 100, 400, 1_000, 500)
    >>> large = SampleMeasurement(3000, 6.0, 1.7, 5.0, 120, 450, 3_000, 1_500)
    >>> effort = extrapolate([small, large], share=0.003)
    >>> effort.records, effort.startup, round(effort.driver), round(effort.worker), effort.output
    (1000000, 3.0, 100, 1000, 500000)
    """
    small, large = measurements[0], measurements[-1]
    step = large.records - small.records
    n_records = large.records if share >= 1 else round(large.records / share)

    def rate(name: str) -> float:
        """Return the effort per record."""
        low, high = getattr(small, name), getattr(large, name)
        return float(max(0.0, (high - low) / step if step > 0 else high / max(1, large.records)))

    def fixed(name: str) -> float:
        return float(max(0.0, getattr(large, name) - rate(name) * large.records))

    output = round(fixed("output") + rate("output") * n_records)
    return Effort(
        records=n_records,
        startup=fixed("seconds"),
        driver=rate("driver_seconds") * n_records,
        worker=rate("worker_seconds") * n_records,
        driver_memory=large.driver_memory,
        worker_memory=large.worker_memory,
        peak_disk=max(output, round(fixed("peak_disk") + rate("peak_disk") * n_records)),
        output=output,
    )


def make_plan(
    job: str, effort: Effort, settings: PlanSettings, *, sampled: int, corpus_bytes: int, notes: Sequence[str] = ()
) -> JobPlan:
    """Return the plan of a job on the clusters of the settings.

    >>> effort = Effort(1_000_000, 3.0, 100.0, 1000.0, 120, 450, 0, 0)
    >>> plan = make_plan("build", effort, PlanSettings(nodes="1,9", node_cores=10), sampled=3000, corpus_bytes=9)
    >>> [(cluster.nodes, round(cluster.hours * 3600), cluster.limit) for cluster in plan.clusters]
    [(1, 114, 'workers'), (9, 103, 'driver')]
    """
    cores = settings.node_cores or usable_cores()
    clusters = [_on_nodes(n_nodes, cores, effort) for n_nodes in settings.node_counts()]
    if settings.node_price is not None:
        clusters = [cluster._replace(cost=cluster.node_hours * settings.node_price) for cluster in clusters]
    return JobPlan(
        job=job,
        sampled=sampled,
        records=effort.records,
        corpus_bytes=corpus_bytes,
        startup_seconds=effort.startup,
        driver_hours=effort.driver / 3600,
        worker_hours=effort.worker / 3600,
        driver_memory=effort.driver_memory,
        worker_memory=effort.worker_memory,
        peak_disk=effort.peak_disk,
        output=effort.output,
        node_cores=cores,
        clusters=tuple(clusters),
        notes=tuple(notes),
    )


def _on_nodes(n_nodes: int, cores: int, effort: Effort) -> ClusterEstimate:
    """Return the time on a cluster: driver and workers run at the same time, and the slower one decides.

    The driver has a core of the first node.
    """
    in_parallel = effort.worker / max(1, n_nodes * cores - 1)
    hours = (effort.startup + max(effort.driver, in_parallel)) / 3600
    return ClusterEstimate(
        n_nodes, hours, hours * n_nodes, None, "driver" if effort.driver > in_parallel else "workers"
    )


def plan_lines(plan: JobPlan) -> list[str]:
    """Return a plan as lines for the terminal."""
    rows = {
        "records": f"{plan.records:,} in {_size(plan.corpus_bytes)}, from a sample of {plan.sampled:,}",
        "processor time": f"{_time(plan.worker_hours)} of workers, {_time(plan.driver_hours)} of the driver",
        "memory": f"{_size(plan.worker_memory)} per worker, {_size(plan.driver_memory)} for the driver",
        "disk": f"up to {_size(plan.peak_disk)} during the job, {_size(plan.output)} of output",
    }
    width = max(map(len, rows)) + 2
    lines = [f"plan of litotes {plan.job}; nothing was written"]
    lines += [f"{label:<{width}}{text}" for label, text in rows.items()]
    has_cost = plan.clusters[0].cost is not None
    lines += [
        "",
        f"{'nodes':>8}{'cores':>9}{'time':>12}{'node hours':>13}{'cost':>12}"[: None if has_cost else 42] + "  limit",
    ]
    for cluster in plan.clusters:
        cost = f"{cluster.cost:>12,.2f}" if cluster.cost is not None else ""
        size = f"{cluster.nodes:>8,}{cluster.nodes * plan.node_cores:>9,}"
        lines.append(f"{size}{_time(cluster.hours):>12}{cluster.node_hours:>13,.2f}{cost}  {cluster.limit}")
    return [*lines, *(f"note: {note}" for note in plan.notes)]


def _time(hours: float) -> str:
    """Return a duration in a fitting unit.

    >>> _time(0.01), _time(0.5), _time(30)
    ('36 s', '30 min', '30.0 h')
    """
    seconds = hours * 3600
    if seconds < 120:
        return f"{seconds:,.0f} s"
    return f"{seconds / 60:,.0f} min" if hours < 2 else f"{hours:,.1f} h"


def _size(n_bytes: float) -> str:
    """Return a size in a fitting unit.

    >>> _size(2_400_000), _size(3.2e12)
    ('2 MB', '3.2 TB')
    """
    if n_bytes < 1e9:
        return f"{n_bytes / 1e6:,.0f} MB"
    return f"{n_bytes / 1e9:,.1f} GB" if n_bytes < 1e12 else f"{n_bytes / 1e12:,.1f} TB"
