"""The share of a test set that is also in its training set: published files split at random by rows, and by premise.

    python benchmarks/developmental/leakage.py [DATA]

The published test sets are not needed: the training files are split again, a third for testing, with three seeds.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

from litotes.building.developmental.corpus import split_published
from litotes.building.developmental.pairs import pair_key, text_key
from litotes.corpora.nli import NliPair, read_nli
from litotes.languages.negation_categories import CATEGORIES

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


def shared(train: Sequence[NliPair], test: Sequence[NliPair]) -> tuple[int, int]:
    """Count test pairs that are also in train, and test pairs whose premise is."""
    pairs = {pair_key(pair.premise, pair.hypothesis) for pair in train}
    premises = {text_key(pair.premise) for pair in train}
    return (
        sum(pair_key(pair.premise, pair.hypothesis) in pairs for pair in test),
        sum(text_key(pair.premise) in premises for pair in test),
    )


def main() -> None:
    folder = (Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED) / "devneg"
    files = {}
    for category in CATEGORIES:
        spelt = "posession" if category == "possession" else category
        whole = folder / f"{spelt}_train_innoculation_v5.jsonl"
        files[category] = whole if whole.exists() else whole.with_name(f"{whole.name}_undersampled")
    rows = {category: list(read_nli([str(path)])) for category, path in files.items()}
    for category, pairs in rows.items():
        different = len({pair_key(pair.premise, pair.hypothesis) for pair in pairs})
        print(f"{category:<12} {len(pairs):>6,} rows, {different:>6,} different pairs")
    for seed in range(3):
        counts = [0, 0, 0]
        for pairs in rows.values():
            mixed = random.Random(seed).sample(pairs, len(pairs))
            third = len(mixed) // 3
            result = shared(mixed[third:], mixed[:third])
            counts = [counts[0] + third, counts[1] + result[0], counts[2] + result[1]]
        print(
            f"by rows, seed {seed}: of {counts[0]:,} test pairs {counts[1]:,} are also in train, {counts[2]:,} premises"
        )
        corpus = split_published(folder, seed)
        result = shared([pair for pairs in corpus.train.values() for pair in pairs], corpus.test)
        summary = f"of {len(corpus.test):,} test pairs {result[0]:,} are also in train, {result[1]:,} premises"
        print(f"by premise, seed {seed}: {summary}")


if __name__ == "__main__":
    main()
