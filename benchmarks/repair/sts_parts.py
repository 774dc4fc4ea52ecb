"""Where a repaired model lost or gained on a file of scored pairs: Spearman's correlation, a stretch of rows at a time.

    python benchmarks/repair/sts_parts.py FILE MODEL MODEL… [--rows 125]

STS-B is a row of smaller sets, so a stretch is mostly of one kind: captions, forum posts, answers, news. The first
sentence of each stretch shows which.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from litotes.evaluation.statistics import spearman
from litotes.models.base import Encoder
from litotes.models.loading import load_model
from litotes.repair.general_quality import ScoredPair, read_scored


def alike(model: str, pairs: Sequence[ScoredPair]) -> Sequence[float]:
    encoder = load_model(model)
    if not isinstance(encoder, Encoder):
        raise SystemExit(f"{model} gives no vectors")
    return encoder.score([(pair.one, pair.other) for pair in pairs]).tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--rows", type=int, default=125)
    given = parser.parse_args()
    pairs = read_scored(given.file)
    found = [alike(model, pairs) for model in given.models]
    gold = [pair.score for pair in pairs]
    for start in range(0, len(pairs), given.rows):
        some = slice(start, start + given.rows)
        figures = "  ".join(f"{100 * (spearman(one[some], gold[some]) or 0.0):5.1f}" for one in found)
        print(f"{start:5}  {figures}  {pairs[start].one[:60]}")
    print("whole  " + "  ".join(f"{100 * (spearman(one, gold) or 0.0):5.1f}" for one in found))


if __name__ == "__main__":
    main()
