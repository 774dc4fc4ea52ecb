"""Print mined pairs of a corpus, so that a reader can judge whether they are opposites.

    python benchmarks/audit/mined.py FILE [MODEL] [--count 100] [--seed 7] [--threshold 0.7] [--top]

FILE contains one sentence per line. The pairs are a random sample of all mined pairs, or the closest (--top). A pair
is an opposite if both sentences cannot be true of the same situation, or if they ask people to do opposite things.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from pathlib import Path

import numpy as np

from litotes.audit.mining import mine_contradictions
from litotes.audit.neighbour_index import SearchRuntime
from litotes.audit.settings import AuditSettings
from litotes.core.paths import cache_folder
from litotes.core.progress import Progress
from litotes.evaluation.encoding import encode_sentences
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.base import Encoder, Vectors
from litotes.models.loading import load_model


def encoded(model: str, sentences: list[str]) -> Vectors:
    scorer = load_model(model)
    if not isinstance(scorer, Encoder):
        raise SystemExit(f"{model} gives no vectors")
    with VectorCache(cache_folder(), scorer.name, scorer.fingerprint, print) as cache:
        vectors, _ = encode_sentences(scorer, sentences, cache=cache, workers=1, progress=Progress())
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, where=lengths > 0, out=vectors)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("model", nargs="?", default="all-MiniLM-L6-v2")
    parser.add_argument("--vectors", help="an .npy file of normalised vectors, instead of a model")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threshold", type=float, default=AuditSettings().mining_threshold)
    parser.add_argument("--top", action="store_true")
    parser.add_argument("--store", type=Path)
    options = parser.parse_args()
    sentences = list(dict.fromkeys(Path(options.file).read_text("utf-8").splitlines()))
    vectors = np.load(options.vectors) if options.vectors else encoded(options.model, sentences)
    ids = [str(number) for number in range(len(sentences))]
    settings = AuditSettings(mining_threshold=options.threshold, max_pairs=None)
    start = time.perf_counter()
    mining = mine_contradictions(vectors, sentences, ids, settings, SearchRuntime(store=options.store))
    seconds = time.perf_counter() - start
    pairs = list(mining.pairs)
    chosen = pairs if options.top else random.Random(options.seed).sample(pairs, min(options.count, len(pairs)))
    for number, pair in enumerate(chosen[: options.count], start=1):
        print(f"{number}. [{pair.similarity:.3f} {pair.kind} {pair.differs[0]!r} / {pair.differs[1]!r}]")
        print(f"   {pair.first}\n   {pair.second}")
    print(
        f"{mining.contradictions:,} of {mining.candidates:,} pairs above {options.threshold:g}, {seconds:.0f} s;",
        end=" ",
    )
    print(", ".join(f"{kind}: {count:,}" for kind, count in sorted(Counter(pair.kind for pair in pairs).items())))


if __name__ == "__main__":
    main()
