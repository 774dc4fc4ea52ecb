"""Ways to use several cores on the same encoding: threads inside operations, worker threads, worker processes.

make bench-workers        (or: python benchmarks/workers.py)
"""

from __future__ import annotations

import multiprocessing
import statistics
import time

import torch

from litotes import load_model, load_suite
from litotes.core.parallel.engine import usable_cores
from litotes.core.progress import Progress
from litotes.evaluation.encoding import encode_sentences, plan_batches

MODEL = "all-MiniLM-L6-v2"
REPEATS = 5


def sentences() -> list[str]:
    suite = load_suite("semantoneg-mini")
    return list(dict.fromkeys(text for item in suite.items for text in item.sentences.values()))


def inside_operations(encoder, texts: list[str], cores: int) -> float:
    torch.set_num_threads(cores)
    start = time.perf_counter()
    for batch in plan_batches(encoder.lengths(texts), encoder.batch_tokens):
        encoder.encode([texts[index] for index in batch])
    return time.perf_counter() - start


def worker_threads(encoder, texts: list[str], cores: int) -> float:
    start = time.perf_counter()
    encode_sentences(encoder, texts, cache=None, workers=cores, progress=Progress())
    return time.perf_counter() - start


def _process(inbox, outbox) -> None:
    encoder = load_model(MODEL)
    encoder.limit_threads(1)
    encoder.encode(["warm up"])
    outbox.put("ready")
    while (batch := inbox.get()) is not None:
        outbox.put(encoder.encode(batch))


def worker_processes(pool, encoder, texts: list[str]) -> float:
    inbox, outbox = pool
    start = time.perf_counter()
    batches = plan_batches(encoder.lengths(texts), encoder.batch_tokens)
    for batch in batches:
        inbox.put([texts[index] for index in batch])
    for _ in batches:
        outbox.get()
    return time.perf_counter() - start


def main() -> None:
    cores, texts = usable_cores(), sentences()
    encoder = load_model(MODEL)
    context = multiprocessing.get_context("spawn")
    pool = (context.Queue(), context.Queue())
    start = time.perf_counter()
    processes = [context.Process(target=_process, args=pool, daemon=True) for _ in range(cores)]
    for process in processes:
        process.start()
    for _ in processes:
        pool[1].get()
    start_up = time.perf_counter() - start
    ways: dict[str, list[float]] = {
        f"one process, {cores} threads inside operations": [],
        f"one process, {cores} worker threads of one core": [],
        f"{cores} processes of one core": [],
        "one worker, one core": [],
    }
    inside, threads, apart, single = ways.values()
    worker_threads(encoder, texts, cores)
    for _ in range(REPEATS):
        inside.append(inside_operations(encoder, texts, cores))
        threads.append(worker_threads(encoder, texts, cores))
        apart.append(worker_processes(pool, encoder, texts))
        single.append(worker_threads(encoder, texts, 1))
    for _ in processes:
        pool[0].put(None)
    for process in processes:
        process.join()
    for way, seconds in ways.items():
        print(f"{way:<48} {len(texts) / statistics.median(seconds):8,.0f} sentences/s")
    print(f"(starting the processes and loading a model in each took {start_up:.1f} s beforehand)")


if __name__ == "__main__":
    main()
