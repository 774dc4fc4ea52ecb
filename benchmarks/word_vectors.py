"""Averaged GloVe against a plain loop over tokens, and how long opening takes; both sides in one run, on one core.

    python benchmarks/word_vectors.py [FILE]

The sentences are 100,000 of the length and with the words of the built-in corpus, or the lines of FILE. The plain loop
looks each token up in a dictionary of arrays, adds and divides; the dictionary is made before the clock starts. Both
sides use the same tokens. Times are of the processor, the best of several turns; “first time” is an encoder that has
seen no word before, and is measured once.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from litotes.corpora.reading import read_corpus, single_sentences
from litotes.scorers.access import Access
from litotes.scorers.base import Vectors
from litotes.scorers.word_average import WordAverage
from litotes.scorers.words.lookup import WordLookup, open_word_vectors
from litotes.scorers.words.pieces import Pieces
from litotes.scorers.words.tokens import word_tokens

COUNT = 100_000
TURNS = 3
GOAL = 20
GOAL_OPENING = 0.3
OPENING = """
import sys, time
from litotes.scorers.loading import load_scorer
start = time.perf_counter()
load_scorer("glove:").encode(["It is open."])
print(time.perf_counter() - start)
"""


def sentences(path: str | None) -> list[str]:
    if path:
        return list(dict.fromkeys(Path(path).read_text("utf-8").splitlines()))[:COUNT]
    corpus = [record.text for record in single_sentences(read_corpus(["builtin"]))]
    words = [word for text in corpus for word in text.split()]
    chosen = random.Random(7)
    return [" ".join(chosen.choices(words, k=len(chosen.choice(corpus).split()))) for _ in range(COUNT)]


def timed(work: Callable[[], object], turns: int = TURNS) -> float:
    times = []
    for _ in range(turns):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


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


def averaging(lookup: WordLookup, texts: list[str]) -> None:
    tokens = [word_tokens(text) for text in texts]
    vocabulary = sorted({word for words in tokens for word in words})
    rows, known = lookup.look_up(vocabulary)
    table = {word: row for word, row, is_known in zip(vocabulary, rows, known, strict=True) if is_known}
    print(
        f"{len(texts):,} sentences of {np.mean(list(map(len, tokens))):.1f} tokens, {len(vocabulary):,} different ones"
    )

    by_token = timed(lambda: [word_tokens(text) for text in texts])
    adding = {
        kind.__name__: timed(lambda kind=kind: plain(tokens, table, lookup.width, kind))  # type: ignore[misc]
        for kind in (np.float64, np.float32)
    }
    encoder = WordAverage("glove", lookup)
    first = timed(lambda: encoder.encode(texts), turns=1)
    again = timed(lambda: encoder.encode(texts))
    pieces = Pieces()
    pieces.cut(texts)
    cutting = timed(lambda: [pieces.cut(texts[start : start + 8192]) for start in range(0, len(texts), 8192)])

    print(f"tokens:  plain {by_token:6.2f} s   litotes {cutting:6.3f} s   {by_token / cutting:5.1f} ×")
    for kind, seconds in adding.items():
        what = "in doubles" if kind == "float64" else "in singles"
        own = max(again - cutting, 1e-9)
        print(f"adding:  plain {seconds:6.2f} s   litotes {own:6.3f} s   {seconds / own:5.1f} ×   {what}")
    for kind, seconds in adding.items():
        what = "in doubles" if kind == "float64" else "in singles"
        whole = by_token + seconds
        goal = f"goal {GOAL}: {'met' if whole / again >= GOAL else 'missed'}"
        print(f"whole:   plain {whole:6.2f} s   litotes {again:6.3f} s   {whole / again:5.1f} ×   {what} ({goal})")
        print(f"  first time: {'':12}   litotes {first:6.3f} s   {whole / first:5.1f} ×")


def opening() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LITOTES_CACHE": folder}

        def seconds() -> float:
            command = [sys.executable, "-c", OPENING]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            return float(done.stdout)

        first, second = seconds(), min(seconds() for _ in range(TURNS))
    goal = f"goal {GOAL_OPENING} s: {'met' if second < GOAL_OPENING else 'missed'}"
    print(f"opening: first {first:.2f} s, then {second:.3f} s with numpy's import, by the wall clock ({goal})")


if __name__ == "__main__":
    opening()
    averaging(open_word_vectors("6b-50d", Access()), sentences(sys.argv[1] if len(sys.argv) > 1 else None))
