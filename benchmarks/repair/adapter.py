"""What adapters of every kind give on a model's vectors, and what they cost.

    python benchmarks/repair/adapter.py TEXT --semantoneg FILE --sts FILE [--model NAME]… [--only SETTINGS]… [--seeds 3]

TEXT has the sentences that lessons are made from. Sentences and antonym pairs of the suites and the sentences of the
STS file are kept out. Without --model: all-MiniLM-L6-v2 and averaged GloVe.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from ground import ground
from scipy.stats import spearmanr

from litotes.core.paths import cache_folder
from litotes.core.progress import Progress, terminal_progress
from litotes.evaluation.encoding import choose_workers, encode_sentences
from litotes.evaluation.engine import Engine
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.adapter import AdaptedEncoder
from litotes.models.base import Encoder, Vectors
from litotes.models.loading import load_model
from litotes.repair.adapter import AdapterSettings, learn_adapter
from litotes.repair.examples.generation import BARE, make_lessons
from litotes.repair.general_quality import ScoredPair
from litotes.suites.base import Suite

MODELS = ("all-MiniLM-L6-v2", "glove:6b-50d")
TRIED: dict[str, dict[str, Any]] = {
    "default": {},
    "keep 1": {"keep": 1.0},
    "keep 0.3, weights of dimensions": {"kind": "weights", "keep": 0.3},
    "keep 1, rank 8": {"keep": 1.0, "rank": 8},
    "keep 1, rank 128": {"keep": 1.0, "rank": 128},
    "keep 1, whole matrix": {"keep": 1.0, "kind": "linear"},
    "keep 1, hidden layer of 128": {"keep": 1.0, "kind": "hidden", "rank": 128, "learning_rate": 1e-3},
    "keep 0.3, no floor": {"keep": 0.3, "floor": 0.0},
    "keep 3": {"keep": 3.0},
    "half quadruples, no floor": {"quadruples": 0.5, "floor": 0.0, "keep": 0.1},
    "only quadruples, no floor": {"quadruples": 1.0, "floor": 0.0, "keep": 0.1},
    "hidden layer of 256, only quadruples, no floor": {
        "kind": "hidden",
        "rank": 256,
        "learning_rate": 1e-3,
        "quadruples": 1.0,
        "floor": 0.0,
        "keep": 0.1,
    },
}


class Stored(Encoder):
    """A model whose vectors are there already."""

    def __init__(self, base: Encoder) -> None:
        super().__init__(base.name, base.fingerprint)
        self._base = base
        self._vectors: dict[str, Vectors] = {}
        self.seconds = 0.0

    @property
    def may_know_nothing(self) -> bool:
        return self._base.may_know_nothing

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
                found, _ = encode_sentences(
                    self._base,
                    missing,
                    cache=cache,
                    workers=choose_workers(self._base, None),
                    progress=terminal_progress(),
                )
            self._vectors.update(zip(missing, found, strict=True))
            self.seconds += time.process_time() - clock
        return np.stack([self._vectors[text] for text in texts])


def figures(encoder: Encoder, suites: list[Suite], pairs: list[ScoredPair]) -> list[float]:
    """The accuracy on each suite and Spearman's correlation, times 100."""
    found = [run.metrics.accuracy for run in Engine(workers=1, cache=None).run(encoder, suites)]
    alike = encoder.score([(pair.one, pair.other) for pair in pairs])
    found.append(float(spearmanr(alike, [pair.score for pair in pairs])[0]))
    return [100 * one for one in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path)
    parser.add_argument("--semantoneg", type=Path, required=True)
    parser.add_argument("--sts", type=Path, required=True)
    parser.add_argument("--model", action="append")
    parser.add_argument("--only", action="append", choices=list(TRIED))
    parser.add_argument("--seeds", type=int, default=1)
    given = parser.parse_args()
    suites, pairs, held, text = ground(given.text, given.semantoneg, given.sts)
    # As `litotes repair --method adapter` has them: of quadruples those of the text alone.
    lessons = make_lessons(text, text.parent, held, mix=BARE, progress=terminal_progress())
    print(f"lessons: {lessons.kinds()}; watched: {len(lessons.watched)}", flush=True)
    columns = [*(suite.name.removesuffix("-mini") for suite in suites), "STS"]
    columns[0] = "semantoneg (official)"
    for name in given.model or MODELS:
        scorer = load_model(name)
        if not isinstance(scorer, Encoder):
            raise SystemExit(f"{name} gives no vectors")
        base = Stored(scorer)
        base.encode(
            list(dict.fromkeys(one for suite in suites for item in suite.items for one in item.sentences.values()))
        )
        print(f"\n| {name} | {' | '.join(columns)} | steps | seconds |\n|---|{'---:|' * (len(columns) + 2)}")
        shown = " | ".join(f"{one:.1f}" for one in figures(base, suites, pairs))
        print(f"| as it is | {shown} | | |", flush=True)
        for label in given.only or TRIED:
            for seed in range(given.seeds):
                settings = AdapterSettings(**{**TRIED[label], "seed": seed})
                clock = time.process_time() - base.seconds
                adapter = learn_adapter(base, lessons, settings=settings, progress=Progress())
                seconds = time.process_time() - base.seconds - clock
                after = AdaptedEncoder(label, base, adapter)
                shown = " | ".join(f"{one:.1f}" for one in figures(after, suites, pairs))
                print(
                    f"| {label}{f', seed {seed}' if seed else ''} | {shown} | {adapter.steps} | {seconds:.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
