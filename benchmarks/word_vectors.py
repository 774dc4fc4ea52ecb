"""Averaged GloVe against a plain loop over tokens, and how long opening takes; both sides in one run.

    python benchmarks/word_vectors.py [FILE] [--turns N]

The sentences are the first 100,000 different ones of SNLI where its file lies beside the project (../shared/data/snli),
or the lines of FILE; else 100,000 that are drawn from the words of the built-in corpus, which have few different words.
The plain loop splits each text by the same rules, looks each token up in a dictionary of arrays, adds and divides; the
dictionary is in memory before the clock starts. “First sight” is an encoder that has seen no word yet, “warm” the same
one with the same sentences once more. Litotes pools some texts while it splits the next, so the wall clock is what
counts; processor time, which is all that is left on one core, stands beside it. The best of several turns, the two
sides taken in turns so that a busy machine slows both.
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
from pathlib import Path
from typing import NamedTuple

import numpy as np
from litotes.models.classic.word_average import WordAverage

from litotes.corpora.read import read_corpus, single_sentences
from litotes.models.access import Access
from litotes.models.base import Vectors
from litotes.models.word_vectors.lookup import WordVectors, open_word_vectors
from litotes.models.word_vectors.tokenization import word_tokens

COUNT = 100_000
TURNS = 5
GOAL = 20
GOAL_OPENING = 0.3
SNLI = Path(__file__).parents[2] / "shared" / "data" / "snli" / "train_100k.jsonl.gz"
OPENING = """
import sys, time
from litotes.models.loading import load_model
start = time.perf_counter()
load_model("glove:").encode(["It is open."])
print(time.perf_counter() - start)
"""


def sentences(path: Path | None) -> tuple[str, list[str]]:
    """What they are, and the sentences."""
    if path is not None:
        return path.name, list(dict.fromkeys(path.read_text("utf-8").splitlines()))[:COUNT]
    if SNLI.is_file():
        return "SNLI", real_sentences()
    corpus = [record.text for record in single_sentences(read_corpus(["builtin"]))]
    words = [word for text in corpus for word in text.split()]
    chosen = random.Random(7)
    drawn = [" ".join(chosen.choices(words, k=len(chosen.choice(corpus).split()))) for _ in range(COUNT)]
    return "synthetic: words of the built-in corpus in other orders, for SNLI is not here", drawn


def real_sentences() -> list[str]:
    found: dict[str, None] = {}
    with gzip.open(SNLI, "rt", encoding="utf-8") as file:
        for line in file:
            pair = json.loads(line)
            found.update(dict.fromkeys((pair["sentence1"], pair["sentence2"])))
    return list(found)[:COUNT]


class Spent(NamedTuple):
    """Seconds by the wall clock, and of all processors together."""

    wall: float
    processor: float


def spent(work: Callable[[], object]) -> Spent:
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return Spent(time.perf_counter() - wall, time.process_time() - processor)


def plain(tokens: Sequence[Sequence[str]], table: dict[str, Vectors], width: int, kind: type) -> list[Vectors]:
    out = []
    for words in tokens:
        total, count = np.zeros(width, dtype=kind), 0
        for word in words:
            vector = table.get(word)
            if vector is not None:
                total += vector
                count += 1
        out.append(total / count if count else total)
    return out


def averaging(lookup: WordVectors, what: str, texts: list[str], turns: int) -> None:
    tokens = [word_tokens(text) for text in texts]
    vocabulary = sorted({word for words in tokens for word in words})
    rows, known = lookup.lookup(vocabulary)
    table = {word: row for word, row, is_known in zip(vocabulary, rows, known, strict=True) if is_known}
    length = np.mean(list(map(len, tokens)))
    print(f"{what}: {len(texts):,} sentences of {length:.1f} tokens, {len(vocabulary):,} different ones")

    turned: dict[str, list[Spent]] = {}
    for _ in range(turns):
        for name, seconds in one_turn(lookup, texts, tokens, table).items():
            turned.setdefault(name, []).append(seconds)
    best = {name: Spent(*map(min, zip(*some, strict=True))) for name, some in turned.items()}
    for sight in ("first sight", "warm"):
        for kind in ("singles", "doubles"):
            plain_way = [sum(both) for both in zip(best["plain, tokens"], best[f"plain, {kind}"], strict=True)]
            tell(f"{sight}, sums in {kind}", Spent(*plain_way), best[sight])


def one_turn(
    lookup: WordVectors, texts: list[str], tokens: list[list[str]], table: dict[str, Vectors]
) -> dict[str, Spent]:
    """The seconds of every part, once."""
    encoder = WordAverage("glove", lookup)
    return {
        "plain, tokens": spent(lambda: [word_tokens(text) for text in texts]),
        "plain, singles": spent(lambda: plain(tokens, table, lookup.width, np.float32)),
        "first sight": spent(lambda: encoder.encode(texts)),
        "warm": spent(lambda: encoder.encode(texts)),
        "plain, doubles": spent(lambda: plain(tokens, table, lookup.width, np.float64)),
    }


def tell(what: str, plain_way: Spent, own: Spent) -> None:
    ratio = plain_way.wall / own.wall
    print(
        f"  {what:29}plain {plain_way.wall:5.2f} s   litotes {own.wall:6.3f} s  {ratio:5.1f} ×   "
        f"goal {GOAL}: {'met' if ratio >= GOAL else 'missed'}   "
        f"(processor: {own.processor:.3f} s, {plain_way.processor / own.processor:.1f} ×)"
    )


def opening() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LITOTES_CACHE": folder}

        def seconds() -> float:
            command = [sys.executable, "-c", OPENING]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            return float(done.stdout)

        first, second = seconds(), min(seconds() for _ in range(3))
    goal = f"goal {GOAL_OPENING} s: {'met' if second < GOAL_OPENING else 'missed'}"
    print(f"opening: first {first:.2f} s, then {second:.3f} s with numpy's import, by the wall clock ({goal})")


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("file", nargs="?", type=Path)
    asked.add_argument("--turns", type=int, default=TURNS)
    given = asked.parse_args()
    opening()
    averaging(open_word_vectors("6b-50d", Access()), *sentences(given.file), given.turns)
