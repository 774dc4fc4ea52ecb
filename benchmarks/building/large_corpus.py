"""A build of two million sentences beside one of 50,000: records, time, rate, and the peak memory of the driver.

python benchmarks/building/large_corpus.py [SENTENCES …] [--builder NAME] [--engine ENGINE] [--workers N]

The sentences are those of ../shared/data, repeated. Every repetition changes one word of each sentence, so that no
sentence is dropped as a duplicate. They are generated while the build reads them from a named pipe; nothing is stored.
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

DATA = Path(__file__).resolve().parents[3] / "shared/data"
SIZES = (50_000, 2_000_000)
SEED = 7
_WORD = re.compile(r"\b[a-z]{4,}\b")
_UNCHANGED = frozenset("does have were been will would could should must might shall never none nobody nothing".split())

_CHILD = """
import json, resource, sys
import litotes
from litotes.speedups.spacy_import import prefer_minimal_spacy
prefer_minimal_spacy()
builder, corpus, out, engine, workers = sys.argv[1:]
built = litotes.build_suite(builder, corpus, out, engine=engine or None, workers=int(workers))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"read": built.read, "items": sum(built.items.values()), "skips": dict(built.skips), "peak": peak}))
"""


def originals() -> list[str]:
    """Return the distinct sentences of the corpora, mixed."""
    texts: dict[str, None] = dict.fromkeys((DATA / "tatoeba/english.txt").read_text("utf-8").splitlines())
    with gzip.open(DATA / "snli/train_100k.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            pair = json.loads(line)
            texts[pair["sentence1"]] = texts[pair["sentence2"]] = None
    for line in (DATA / "mnli/dev_matched.jsonl").read_text("utf-8").splitlines():
        pair = json.loads(line)
        texts[pair["premise"]] = texts[pair["hypothesis"]] = None
    for line in (DATA / "goemotions/train.tsv").read_text("utf-8").splitlines():
        texts[line.partition("\t")[0]] = None
    sentences = [" ".join(text.split()) for text in texts if text.strip()]
    random.Random(SEED).shuffle(sentences)
    return sentences


def sentences() -> Iterator[str]:
    """Yield sentences without end; from the second repetition on, each has one word of another sentence."""
    texts = originals()
    yield from texts
    words = [word for text in texts for word in _WORD.findall(text) if word not in _UNCHANGED]
    for repetition in count(1):
        draw = random.Random(SEED + repetition)
        for text in texts:
            matches = [match for match in _WORD.finditer(text) if match[0] not in _UNCHANGED]
            if matches:
                match = draw.choice(matches)
                yield f"{text[: match.start()]}{draw.choice(words)}{text[match.end() :]}"


def write_sentences(pipe: str, size: int) -> None:
    """Write sentences to a named pipe."""
    with open(pipe, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.writelines(f"{text}\n" for text in islice(sentences(), size))


def measure(size: int, builder: str, engine: str, workers: int) -> dict[str, float]:
    """Build a suite in a new process and return its counts, seconds and peak memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        pipe = str(Path(folder) / "sentences.txt")
        os.mkfifo(pipe)
        writer = multiprocessing.Process(target=write_sentences, args=(pipe, size), daemon=True)
        writer.start()
        start = time.monotonic()
        words = [sys.executable, "-c", _CHILD, builder, pipe, str(Path(folder) / "suite"), engine, str(workers)]
        done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
        seconds = time.monotonic() - start
        writer.join()
    document: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return {**document, "seconds": seconds}


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("sizes", nargs="*", type=lambda word: int(word.replace(",", "")), default=SIZES)
    options.add_argument("--builder", default="semantoneg")
    options.add_argument("--engine", default="")
    options.add_argument("--workers", type=int, default=2)
    arguments = options.parse_args()
    print("sentences     items   seconds  sentences/s   peak of the driver   against the first")
    first = 0.0
    for size in arguments.sizes:
        result = measure(size, arguments.builder, arguments.engine, arguments.workers)
        first = first or result["peak"]
        print(
            f"{result['read']:>9,} {result['items']:>9,} {result['seconds']:>9.0f} "
            f"{result['read'] / result['seconds']:>12,.0f} {result['peak']:>17.0f} MB {result['peak'] / first:>19.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
