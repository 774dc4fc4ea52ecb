"""A simulation of builds on up to 1,000 nodes and 10 billion sentences, from rates that were measured on one machine.

python benchmarks/scale/simulate.py [--worker-ms N] [--driver-us N] [--cores N] [--seed N]

Events: the driver reads blocks one after the other and sends them while fewer than four per core are under way; a core
works on a block for a time that varies; a node dies at random, and its blocks start again on other nodes; results are
stored by the driver. Many blocks are simulated as one, so that each case has at most 200,000 events.
"""

from __future__ import annotations

import argparse
import heapq
import random
from typing import NamedTuple

BLOCK = 128
"""Records of a block."""
IN_FLIGHT = 4
"""Blocks under way per core."""
MAX_EVENTS = 200_000


class Assumptions(NamedTuple):
    worker_seconds: float
    """Processor time of a worker per record of the corpus, with those that the filter leaves out."""
    driver_seconds: float
    """Processor time of the driver per record."""
    cores: int
    """Per node."""
    spread: float = 0.3
    """Standard deviation of the logarithm of the time of a block."""
    hours_between_failures: float = 720.0
    """Of one node."""
    startup: float = 20.0
    """Seconds until the workers have loaded the parser."""


class Outcome(NamedTuple):
    hours: float
    utilisation: float
    """Share of the cores' time in which they work on blocks that are not repeated."""
    repeated: int
    """Blocks that were repeated after the death of a node."""


def simulate(records: int, nodes: int, assumptions: Assumptions, seed: int) -> Outcome:
    """Return the duration of a build."""
    draw = random.Random(seed)
    n_cores = nodes * assumptions.cores
    n_real = -(-records // BLOCK)
    # As many blocks as one as keep the number of events low, but at least some per core.
    together = max(1, min(n_real // MAX_EVENTS, n_real // (n_cores * 50) or 1))
    n_blocks = -(-n_real // together)
    per_block = BLOCK * together
    window = n_cores * max(1, IN_FLIGHT // together) + n_cores
    free = [assumptions.startup] * n_cores
    heapq.heapify(free)
    running: list[float] = []
    driver = end = 0.0
    work = 0.0
    repeated = 0
    for _ in range(n_blocks):
        if len(running) >= window:  # the driver waits until a block is finished
            driver = max(driver, heapq.heappop(running))
        driver += assumptions.driver_seconds * per_block
        start = max(driver, heapq.heappop(free))
        duration = (
            assumptions.worker_seconds
            * per_block
            * draw.lognormvariate(-(assumptions.spread**2) / 2, assumptions.spread)
        )
        finish = start + duration
        # A node that dies takes the blocks of its cores with it; the core stands for one that replaces it.
        while draw.random() < duration / 3600 / assumptions.hours_between_failures:
            repeated += together
            finish += duration * draw.random()
        work += duration
        heapq.heappush(free, finish)
        heapq.heappush(running, finish)
        end = max(end, finish)
    return Outcome(end / 3600, work / (end * n_cores), repeated)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--worker-ms", type=float, default=0.16, help="milliseconds of a worker per record")
    options.add_argument("--driver-us", type=float, default=30.0, help="microseconds of the driver per record")
    options.add_argument("--cores", type=int, default=8, help="cores per node")
    options.add_argument("--seed", type=int, default=0)
    arguments = options.parse_args()
    assumptions = Assumptions(arguments.worker_ms / 1e3, arguments.driver_us / 1e6, arguments.cores)
    print(f"{'records':>16}{'nodes':>8}{'hours':>10}{'busy':>8}{'repeated blocks':>18}")
    for records in (10**6, 10**8, 10**9, 10**10):
        for nodes in (1, 10, 100, 1000):
            outcome = simulate(records, nodes, assumptions, arguments.seed)
            print(f"{records:>16,}{nodes:>8,}{outcome.hours:>10.2f}{outcome.utilisation:>8.0%}{outcome.repeated:>18,}")


if __name__ == "__main__":
    main()
