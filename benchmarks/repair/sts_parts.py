"""Spearman's correlation of models on consecutive parts of a file of scored pairs.

    python benchmarks/repair/sts_parts.py FILE MODEL MODEL… [--rows 125]

The STS benchmark is a concatenation of smaller sets, so most parts contain one genre: captions, forum posts, answers or
news. The first sentence of each part shows which.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from litotes.evaluation.statistics import spearman
from litotes.models.base import Encoder
from litotes.models.loading import load_model
from litotes.repair.general_quality import ScoredPair, read_scored_pairs


def similarities(model: str, pairs: Sequence[ScoredPair]) -> Sequence[float]:
    encoder = load_model(model)
    if not isinstance(encoder, Encoder):
        raise SystemExit(f"{model} is not an encoder")
    return encoder.score([(pair.left, pair.right) for pair in pairs]).tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--rows", type=int, default=125)
    args = parser.parse_args()
    pairs = read_scored_pairs(args.file)
    by_model = [similarities(model, pairs) for model in args.models]
    gold = [pair.score for pair in pairs]
    for start in range(0, len(pairs), args.rows):
        part = slice(start, start + args.rows)
        values = "  ".join(f"{100 * (spearman(scores[part], gold[part]) or 0.0):5.1f}" for scores in by_model)
        print(f"{start:5}  {values}  {pairs[start].left[:60]}")
    print("total  " + "  ".join(f"{100 * (spearman(scores, gold) or 0.0):5.1f}" for scores in by_model))


if __name__ == "__main__":
    main()
