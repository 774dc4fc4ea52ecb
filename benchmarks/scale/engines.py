"""The engines against each other: time and driver memory of rewriting one corpus, each command in a process of its own.

python benchmarks/scale/engines.py [CORPUS] [--lines N] [--rounds N] [--nodes N]

A cluster is started on this machine before its commands are timed. The outputs must be the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.ray_nodes import RayNodes  # noqa: E402

TATOEBA = ROOT.parent / "shared/data/tatoeba/english.txt"

_CHILD = """
import resource, sys
from litotes.cli.main import main
try:
    main()
finally:
    sys.stderr.write(f"\\npeak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}\\n")
"""


@dataclass
class Setting:
    """An engine with its cluster, and what its commands took."""

    name: str
    options: tuple[str, ...]
    nodes: RayNodes | None = None
    seconds: list[float] = field(default_factory=list)
    peaks: list[float] = field(default_factory=list)


def run(setting: Setting, corpus: Path, out: Path) -> str:
    """Rewrite the corpus once and return a hash of the output."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", **(setting.nodes.environment if setting.nodes else {})}
    words = ["rewrite", "negation", "--from", str(corpus), "--json", "--out", str(out), "--fresh", *setting.options]
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, *words], env=environment, capture_output=True, text=True, check=False
    )
    seconds = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{setting.name}: {done.stderr[-2000:]}")
    setting.seconds.append(seconds)
    setting.peaks.append(int(done.stderr.rpartition("peak ")[2].split()[0]) / 1024)
    return hashlib.sha256(out.read_bytes()).hexdigest()


def settings(folder: Path, max_nodes: int) -> Iterator[Setting]:
    """Yield the engines; each cluster is stopped before the next one starts."""
    yield Setting("serial", ("--engine", "serial"))
    yield Setting("processes, 1 worker", ("--engine", "processes", "--workers", "1"))
    for n_nodes, processors in [(1, 1), (1, 2), *((count, 1) for count in range(2, max_nodes + 1))]:
        own = folder / f"{n_nodes}-{processors}"
        own.mkdir()
        nodes = RayNodes(own, processors=processors)
        try:
            for _ in range(n_nodes - 1):
                nodes.add_node()
            yield Setting(f"ray, {n_nodes} x {processors} workers", ("--engine", nodes.engine), nodes)
        finally:
            nodes.stop()


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("corpus", nargs="?", type=Path, default=TATOEBA)
    options.add_argument("--lines", type=int, default=50_000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--nodes", type=int, default=3, help="the largest cluster")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        part = folder / "part.txt"
        with arguments.corpus.open(encoding="utf-8") as file:
            part.write_text("".join(itertools.islice(file, arguments.lines)), "utf-8")
        hashes = set()
        print(f"{'engine':<22}{'median':>10}   ratio to processes, 2 workers        driver")
        for setting in settings(folder, arguments.nodes):
            # Measured directly before each round: machines change their speed.
            reference = Setting("processes, 2 workers", ("--engine", "processes", "--workers", "2"))
            for _ in range(arguments.rounds):
                hashes |= {run(each, part, folder / "out.jsonl") for each in (reference, setting)}
            ratios = [own / other for own, other in zip(setting.seconds, reference.seconds, strict=True)]
            ratio = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
            seconds = statistics.median(setting.seconds)
            print(f"{setting.name:<22}{seconds:>8.1f} s   {ratio:<32}{max(setting.peaks):>8.0f} MB", flush=True)
        print("the same bytes" if len(hashes) == 1 else "DIFFERENT OUTPUTS")


if __name__ == "__main__":
    main()
