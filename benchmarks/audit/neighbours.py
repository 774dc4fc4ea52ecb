"""Neighbours by matrix products and by the index: agreement, time, and memory compared with the documented limit.

    python benchmarks/audit/neighbours.py [--count 100000] [--width 384] [--vectors FILE.npy]
                                          [--method both|exact|approximate] [--threshold 0.7] [--workers 2]
                                          [--engine processes]

Without a file of normalised vectors, synthetic ones are generated: clusters of all sizes whose centres also form
clusters. Each method runs in a separate process; peak memory excludes what the process used before it loaded the
vectors. With an engine of processes, the peak memory of the largest worker is compared with its limit, too. Agreement
is the share of the exact method's pairs that the index also returns, of all and of the closest.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from litotes.audit.neighbour_index import SearchRuntime, worker_memory
from litotes.audit.neighbours import EXTRA_CANDIDATES, NEIGHBOURS, Pairs, estimate_memory, find_neighbours
from litotes.core.parallel.engine import choose_engine
from litotes.models.base import Vectors

PART = 50_000
ALONE = """
import sys
sys.path.insert(0, {folder!r})
import neighbours
neighbours.alone(*sys.argv[1:])
"""


def synthetic(count: int, width: int, path: Path) -> None:
    """Write vectors in nested clusters, part by part."""
    rng = np.random.default_rng(5)
    topics = rng.normal(size=(200, width)).astype(np.float32)
    themes = topics[rng.integers(0, 200, count // 12 + 1)] + rng.normal(size=(count // 12 + 1, width)).astype(
        np.float32
    )
    rows = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(count, width))
    for start in range(0, count, PART):
        stop = min(start + PART, count)
        # Squared: some themes have hundreds of sentences, many have one.
        chosen = (rng.random(stop - start) ** 2 * len(themes)).astype(np.int64)
        apart = rng.uniform(0.2, 1.2, size=(stop - start, 1)).astype(np.float32)
        vectors = themes[chosen] + apart * rng.normal(size=(stop - start, width)).astype(np.float32)
        rows[start:stop] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    rows.flush()


def peak() -> int:
    """Return the peak memory of this program; getrusage would include the parent process."""
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def alone(path: str, out: str, method: str, threshold: str, workers: str, engine: str) -> None:  # noqa: PLR0917
    """Run a method in this process; print seconds and bytes, and write the pairs."""
    if method == "approximate":
        import faiss  # noqa: F401  (the documented limit excludes the memory of the library)
    before = peak()
    vectors: Vectors = np.load(path)
    start = time.perf_counter()
    pairs = find_neighbours(
        vectors,
        threshold=float(threshold),
        method="exact" if method == "exact" else "approximate",
        runtime=SearchRuntime(workers=int(workers), engine=choose_engine(engine, int(workers))),
    )
    of_worker = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    print(time.perf_counter() - start, time.process_time(), peak() - before, of_worker)
    np.save(out, pairs.rows)


def measured(  # noqa: PLR0917
    path: Path, method: str, threshold: float, workers: int, engine: str, folder: Path
) -> Pairs:
    out = folder / f"{method}.npy"
    program = ALONE.format(folder=str(Path(__file__).resolve().parent))
    command = [sys.executable, "-c", program, str(path), str(out), method, str(threshold), str(workers), engine]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, processor, used, of_worker = (float(part) for part in done.stdout.split())
    count, width = np.load(path, mmap_mode="r").shape
    stated = estimate_memory(count, width, "exact" if method == "exact" else "approximate")
    pairs = Pairs(np.load(out))
    print(
        f"{method:12} {count:,} x {width}: {len(pairs):,} pairs, {seconds:,.0f} s ({processor:,.0f} s of processor), "
        f"{used / 1e9:.2f} GB used, {stated / 1e9:.2f} GB stated: {'holds' if used <= stated else 'DOES NOT HOLD'}",
        flush=True,
    )
    if engine != "serial" and (limit := worker_memory(count, width, NEIGHBOURS + EXTRA_CANDIDATES)):
        print(f"largest worker: {of_worker / 1e9:.2f} GB used with its libraries, {limit / 1e9:.2f} GB stated")
    return pairs


def agreement(exact: Pairs, approximate: Pairs, count: int) -> None:
    """Return the share of the exact pairs that the index also returns."""
    there = np.isin(
        exact.first.astype(np.int64) * count + exact.second,
        approximate.first.astype(np.int64) * count + approximate.second,
    )
    order = np.lexsort((exact.second, exact.first, -exact.similarity))
    for top in (100, 1000, 10_000, 100_000, len(exact)):
        if top <= len(exact):
            print(f"of the {top:,} closest pairs the index finds {100 * there[order[:top]].mean():.2f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--width", type=int, default=384)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--method", choices=["both", "exact", "approximate"], default="both")
    parser.add_argument("--threshold", type=float, default=0.7)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--engine", choices=["serial", "processes"], default="serial")
    options = parser.parse_args()
    print(f"{NEIGHBOURS} neighbours a sentence, at least {options.threshold:g} alike")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = options.vectors or folder / "vectors.npy"
        if options.vectors is None:
            synthetic(options.count, options.width, path)
        methods = ["exact", "approximate"] if options.method == "both" else [options.method]
        results = [
            measured(path, method, options.threshold, options.workers, options.engine, folder) for method in methods
        ]
        if len(results) == 2:
            agreement(*results, count=len(np.load(path, mmap_mode="r")))


if __name__ == "__main__":
    main()
