"""Recall of the sharded neighbour search on real sentences: one shard and several, compared with the exact search.

    litotes encode --from sentences.txt --out vectors
    python benchmarks/audit/shards.py vectors [--shard-rows 0 32768 16384] [--threshold 0.7] [--workers 2]

Recall is the share of the exact search's pairs that the index returns, of all and of the closest. A shard size of 0 is
one shard. For each number of shards, the index is also stored with nine tenths of the sentences and then updated.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

import litotes
from litotes.audit import neighbour_index
from litotes.audit.neighbour_index import SearchRuntime
from litotes.audit.neighbours import NEIGHBOURS, Pairs, find_neighbours
from litotes.audit.similarities import normalise
from litotes.core.parallel.engine import ParallelEngine


def keys(pairs: Pairs, count: int) -> np.ndarray:
    return pairs.first.astype(np.int64) * count + pairs.second


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--shard-rows", type=int, nargs="+", default=[0, 32_768, 16_384])
    parser.add_argument("--threshold", type=float, default=0.7)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    vectors = litotes.open_vectors(options.vectors).vectors()
    normalise(vectors)
    count = len(vectors)
    engine = ParallelEngine.local(options.workers)
    print(f"{count:,} x {vectors.shape[1]}, {NEIGHBOURS} neighbours, at least {options.threshold:g}")
    start = time.perf_counter()
    exact = find_neighbours(vectors, threshold=options.threshold, method="exact")
    print(f"exact: {len(exact):,} pairs, {time.perf_counter() - start:.0f} s", flush=True)
    closest = np.lexsort((exact.second, exact.first, -exact.similarity))
    expected = keys(exact, count)
    for shard_rows in options.shard_rows:
        neighbour_index.SHARD_ROWS = shard_rows or count
        with tempfile.TemporaryDirectory() as folder:
            index = Path(folder)
            how = {"threshold": options.threshold, "method": "approximate"}
            stored = SearchRuntime(engine=engine, index=index)
            start = time.perf_counter()
            pairs = find_neighbours(vectors, **how, runtime=SearchRuntime(workers=options.workers, engine=engine))
            seconds = time.perf_counter() - start
            find_neighbours(vectors[: count * 9 // 10], **how, runtime=stored)
            updated = find_neighbours(vectors, **how, runtime=stored)
        present = np.isin(expected, keys(pairs, count))
        recall = ", ".join(
            f"{100 * present[closest[:top]].mean():.2f} % of {top:,}"
            for top in (1000, 10_000, 100_000, len(exact))
            if top <= len(exact)
        )
        is_same = "same pairs" if updated.rows.tobytes() == pairs.rows.tobytes() else "OTHER PAIRS"
        n_shards = -(-count // neighbour_index.SHARD_ROWS)
        print(f"{n_shards} shards: {recall}; {seconds:.0f} s; after an update: {is_same}", flush=True)


if __name__ == "__main__":
    main()
