"""Measure what adapters of every kind contribute on a model's vectors, and what they cost.

    python benchmarks/repair/adapter.py TEXT --semantoneg FILE --sts FILE [--model NAME]… [--only NAME]… [--seeds 3]

TEXT contains the sentences to learn from. Sentences and antonym pairs of the suites, and the sentences of the STS file,
are held out. Default models: all-MiniLM-L6-v2 and averaged GloVe.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from evaluation_data import load_evaluation_data
from scipy.stats import spearmanr

from litotes.core.paths import cache_folder
from litotes.core.progress import Progress, terminal_progress
from litotes.evaluation.encoding import choose_workers, encode_sentences
from litotes.evaluation.engine import Engine
from litotes.evaluation.settings import EvaluationSettings
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.adapter import AdaptedEncoder
from litotes.models.base import Encoder, Vectors
from litotes.models.loading import load_model
from litotes.repair.adapter import learn_adapter
from litotes.repair.examples.generation import TEXT_ONLY, generate_examples
from litotes.repair.general_quality import ScoredPair
from litotes.repair.settings import AdapterSettings
from litotes.suites.base import Suite

MODELS = ("all-MiniLM-L6-v2", "glove:6b-50d")
VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "retention 1": {"retention": 1.0},
    "retention 0.3, weights of dimensions": {"kind": "weights", "retention": 0.3},
    "retention 1, rank 8": {"retention": 1.0, "rank": 8},
    "retention 1, rank 128": {"retention": 1.0, "rank": 128},
    "retention 1, full matrix": {"retention": 1.0, "kind": "linear"},
    "retention 1, hidden layer of 128": {"retention": 1.0, "kind": "hidden", "rank": 128, "learning_rate": 1e-3},
    "retention 0.3, no limit": {"retention": 0.3, "min_agreement": 0.0},
    "retention 3": {"retention": 3.0},
    "half quadruples, no limit": {"quadruple_share": 0.5, "min_agreement": 0.0, "retention": 0.1},
    "only quadruples, no limit": {"quadruple_share": 1.0, "min_agreement": 0.0, "retention": 0.1},
    "hidden layer of 256, only quadruples, no limit": {
        "kind": "hidden",
        "rank": 256,
        "learning_rate": 1e-3,
        "quadruple_share": 1.0,
        "min_agreement": 0.0,
        "retention": 0.1,
    },
}


class CachedEncoder(Encoder):
    """A model whose vectors are held in memory; `seconds` is the time spent on encoding."""

    def __init__(self, base: Encoder) -> None:
        super().__init__(base.name, base.fingerprint)
        self._base = base
        self._vectors: dict[str, Vectors] = {}
        self.seconds = 0.0

    @property
    def allows_zero_vectors(self) -> bool:
        return self._base.allows_zero_vectors

    @property
    def parallel(self) -> bool:
        return False

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [1] * len(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if missing:
            clock = time.process_time()
            with VectorCache(cache_folder(), self.name, self.fingerprint, print) as cache:
                vectors, _ = encode_sentences(
                    self._base,
                    missing,
                    cache=cache,
                    workers=choose_workers(self._base, None),
                    progress=terminal_progress(),
                )
            self._vectors.update(zip(missing, vectors, strict=True))
            self.seconds += time.process_time() - clock
        return np.stack([self._vectors[text] for text in texts])


def evaluate(encoder: Encoder, suites: list[Suite], pairs: list[ScoredPair]) -> list[float]:
    """Return the accuracy on each suite and Spearman's correlation, times 100."""
    values = [run.metrics.accuracy for run in Engine(EvaluationSettings(workers=1), cache=None).run(encoder, suites)]
    similarities = encoder.score([(pair.left, pair.right) for pair in pairs])
    values.append(float(spearmanr(similarities, [pair.score for pair in pairs])[0]))
    return [100 * value for value in values]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path)
    parser.add_argument("--semantoneg", type=Path, required=True)
    parser.add_argument("--sts", type=Path, required=True)
    parser.add_argument("--model", action="append")
    parser.add_argument("--only", action="append", choices=list(VARIANTS))
    parser.add_argument("--seeds", type=int, default=1)
    args = parser.parse_args()
    suites, pairs, holdout, text = load_evaluation_data(args.text, args.semantoneg, args.sts)
    # The same examples as `litotes repair --method adapter`.
    data = generate_examples(text, holdout, sources=TEXT_ONLY, progress=terminal_progress())
    print(f"training examples: {data.count_by_kind()}; validation: {len(data.validation)}", flush=True)
    columns = [*(suite.name.removesuffix("-mini") for suite in suites), "STS"]
    columns[0] = "semantoneg (official)"
    for name in args.model or MODELS:
        model = load_model(name)
        if not isinstance(model, Encoder):
            raise SystemExit(f"{name} is not an encoder")
        base = CachedEncoder(model)
        texts = (text for suite in suites for item in suite.items for text in item.sentences.values())
        base.encode(list(dict.fromkeys(texts)))
        print(f"\n| {name} | {' | '.join(columns)} | steps | seconds |\n|---|{'---:|' * (len(columns) + 2)}")
        values = " | ".join(f"{value:.1f}" for value in evaluate(base, suites, pairs))
        print(f"| original | {values} | | |", flush=True)
        for label in args.only or VARIANTS:
            for seed in range(args.seeds):
                settings = AdapterSettings(**{**VARIANTS[label], "seed": seed})
                clock = time.process_time() - base.seconds
                adapter = learn_adapter(base, data, settings=settings, progress=Progress())
                seconds = time.process_time() - base.seconds - clock
                adapted = AdaptedEncoder(label, base, adapter)
                values = " | ".join(f"{value:.1f}" for value in evaluate(adapted, suites, pairs))
                row = f"{label}, seed {seed}" if seed else label
                print(f"| {row} | {values} | {adapter.steps} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
