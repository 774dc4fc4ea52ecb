"""Averaged GloVe vectors compared with a plain loop over tokens, and the time to open the vectors.

    python benchmarks/word_vectors.py [FILE] [--repeats N]

The sentences are the first 100,000 different ones of SNLI if it is available (../shared/data/snli), the lines of FILE,
or 100,000 random sentences of words from the built-in corpus. The plain loop splits each text by the same rules, looks
up each token in a dictionary of arrays, adds and divides; its dictionary is built before the measurement. "First" is a
new encoder, "again" the same encoder with the same sentences. All times are processor times, the minimum of several
repeats, in which both sides alternate.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"

import argparse
import gzip
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from litotes.corpora.read import read_corpus, single_sentences
from litotes.models.access import Access
from litotes.models.base import Vectors
from litotes.models.word_vectors.encoder import WordAverage
from litotes.models.word_vectors.lookup import WordVectors, open_word_vectors
from litotes.models.word_vectors.tokenization import word_tokens

N_SENTENCES = 100_000
REPEATS = 5
SNLI = Path(__file__).parents[2] / "shared" / "data" / "snli" / "train_100k.jsonl.gz"
OPEN_SCRIPT = """
import time
from litotes.models.loading import load_model
start = time.process_time()
load_model("glove:").encode(["It is open."])
print(time.process_time() - start)
"""


def load_sentences(path: Path | None) -> tuple[str, list[str]]:
    """Return a description of the sentences and the sentences."""
    if path is not None:
        return path.name, list(dict.fromkeys(path.read_text("utf-8").splitlines()))[:N_SENTENCES]
    if SNLI.is_file():
        return "SNLI", load_snli()
    corpus = [record.text for record in single_sentences(read_corpus(["builtin"]))]
    words = [word for text in corpus for word in text.split()]
    generator = random.Random(7)
    sentences = [
        " ".join(generator.choices(words, k=len(generator.choice(corpus).split()))) for _ in range(N_SENTENCES)
    ]
    return "random sentences of words from the built-in corpus", sentences


def load_snli() -> list[str]:
    sentences: dict[str, None] = {}
    with gzip.open(SNLI, "rt", encoding="utf-8") as file:
        for line in file:
            pair = json.loads(line)
            sentences.update(dict.fromkeys((pair["sentence1"], pair["sentence2"])))
    return list(sentences)[:N_SENTENCES]


def seconds(function: Callable[[], object]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


def plain_means(tokens: Sequence[Sequence[str]], table: dict[str, Vectors], width: int) -> list[Vectors]:
    means = []
    for words in tokens:
        total, count = np.zeros(width, dtype=np.float64), 0
        for word in words:
            vector = table.get(word)
            if vector is not None:
                total += vector
                count += 1
        means.append(total / count if count else total)
    return means


def measure_means(vectors: WordVectors, description: str, texts: list[str], repeats: int) -> None:
    tokens = [word_tokens(text) for text in texts]
    vocabulary = sorted({word for words in tokens for word in words})
    rows, known = vectors.lookup(vocabulary)
    table = {word: row for word, row, is_known in zip(vocabulary, rows, known, strict=True) if is_known}
    n_tokens = np.mean(list(map(len, tokens)))
    print(f"{description}: {len(texts):,} sentences of {n_tokens:.1f} tokens, {len(vocabulary):,} different ones")
    best: dict[str, float] = {}
    for _ in range(repeats):
        encoder = WordAverage("glove", vectors)
        encode = partial(encoder.encode, texts)
        plain = seconds(lambda: plain_means([word_tokens(text) for text in texts], table, vectors.width))
        times = {"plain": plain, "first": seconds(encode), "again": seconds(encode)}
        best = {name: min(value, best.get(name, value)) for name, value in times.items()}
    for name in ("first", "again"):
        ratio = best["plain"] / best[name]
        print(f"  {name}: plain {best['plain']:.2f} s, litotes {best[name]:.3f} s, {ratio:.1f} times less")


def measure_opening() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LITOTES_CACHE": folder}

        def open_once() -> float:
            command = [sys.executable, "-c", OPEN_SCRIPT]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            return float(done.stdout)

        first, again = open_once(), min(open_once() for _ in range(3))
    print(f"opening 400,000 vectors: first {first:.2f} s, then {again:.3f} s, with the import of NumPy")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    arguments = parser.parse_args()
    measure_opening()
    measure_means(open_word_vectors("6b-50d", Access()), *load_sentences(arguments.file), arguments.repeats)
