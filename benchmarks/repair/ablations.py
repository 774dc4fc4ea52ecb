"""Measure what each part of a repair contributes: the same training with one change at a time.

    python benchmarks/repair/ablations.py TEXT --semantoneg FILE --sts FILE --paraphrases FILE [--general FILE]…
        [--nli FILE]… [--steps 300] [--model NAME] [--seed 0] [--only NAME]…

TEXT contains the sentences to learn from. As in `litotes repair`, sentences and antonym pairs of the official
SemAntoNeg file and of all built-in suites, and the sentences of the STS and paraphrase files, are held out. NLI files
are used only where the name says so. Each change is one row: SemAntoNeg's accuracy, its mean over antonym pairs, three
other suites, Spearman's correlation on STS, and the accuracy of paraphrase search, all times 100.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from evaluation_data import load_evaluation_data

from litotes.core.progress import Progress, terminal_progress
from litotes.corpora.nli import read_nli
from litotes.corpora.read import read_corpus, single_sentences
from litotes.evaluation.encoding import choose_workers, encode_sentences
from litotes.evaluation.engine import Engine
from litotes.evaluation.statistics import spearman
from litotes.models.access import Access
from litotes.models.base import Encoder, Vectors, cosines
from litotes.models.loading import load_model
from litotes.repair.base_model import find_base_model
from litotes.repair.examples import batches
from litotes.repair.examples.base import TrainingData
from litotes.repair.examples.generation import ALL_SOURCES, TEXT_ONLY, ExampleSources, generate_examples
from litotes.repair.general_quality import ParaphraseSearch, ScoredPair, first_ranks, read_paraphrase_search
from litotes.repair.loss import RepairLoss
from litotes.repair.settings import RepairSettings
from litotes.repair.trainer import train
from litotes.suites.base import Suite

OTHER_SUITES = ("heros-mini", "argument-sensitivity-mini", "fixed-point-reorder-mini")


class MarginLoss(RepairLoss):
    """Triplet loss: negatives must be farther than the paraphrase by a margin."""

    def contrastive(self, vectors: torch.Tensor, flags: torch.Tensor) -> torch.Tensor:
        anchor, positive, negative, second_negative = vectors
        target = (anchor * positive).sum(-1)
        similarities = torch.stack([(anchor * negative).sum(-1), (anchor * second_negative).sum(-1)])
        similarities[1] = torch.where((flags & 2).bool(), similarities[1], torch.full_like(similarities[1], -1.0))
        return 5 * torch.relu(similarities - target + 0.3).mean()


def sort_batches(key: Callable[[Sequence[int]], float], *args: Any, **kwargs: Any) -> list[batches.Batch]:
    """Return the planned batches as a curriculum."""
    return sorted(batches.plan_batches(*args, **kwargs), key=lambda batch: key(batch.examples))


def short_first(examples: Any, lengths: Sequence[int], *args: Any, **kwargs: Any) -> list[batches.Batch]:
    return sort_batches(lambda rows: max(lengths[row] for row in rows), examples, lengths, *args, **kwargs)


def quadruples_last(examples: Any, *args: Any, **kwargs: Any) -> list[batches.Batch]:
    """Questions with one change before quadruples, which need two (an exclusive-or)."""
    return sort_batches(lambda rows: sum(examples[row].is_quadruple for row in rows), examples, *args, **kwargs)


@dataclass(frozen=True)
class Ablation:
    """One change of the default training."""

    settings: dict[str, Any] = field(default_factory=dict)
    sources: ExampleSources = ALL_SOURCES
    nli: bool = False
    loss: type[RepairLoss] = RepairLoss
    plan: Callable[..., list[batches.Batch]] = batches.plan_batches


ABLATIONS = {
    "default": Ablation(),
    "quadruples and variants of the text only": Ablation(sources=TEXT_ONLY),
    "without the lexicon": Ablation(sources=replace(ALL_SOURCES, lexicon=False)),
    "without rewording": Ablation(sources=replace(ALL_SOURCES, reworded=False)),
    "without prefixes": Ablation(sources=replace(ALL_SOURCES, prefixed=False)),
    "without structure": Ablation(sources=replace(ALL_SOURCES, structure=False)),
    "with NLI pairs": Ablation(nli=True),
    "learning rate 5e-5": Ablation({"learning_rate": 5e-5}),
    "learning rate 3e-4": Ablation({"learning_rate": 3e-4}),
    "retention 0": Ablation({"retention": 0.0}),
    "retention 2": Ablation({"retention": 2.0}),
    "temperature 0.1": Ablation({"temperature": 0.1}),
    "temperature 0.02": Ablation({"temperature": 0.02}),
    "batch size 16": Ablation({"batch_size": 16}),
    "no weight averaging": Ablation({"average": 0.0}),
    "word embeddings trained": Ablation({"freeze_embeddings": False}),
    "lowest layer frozen": Ablation({"frozen_layers": 1}),
    "no in-batch negatives": Ablation({"in_batch_negative_weight": 0.0}),
    "in-batch negatives with full weight": Ablation({"in_batch_negative_weight": 1.0}),
    "margin loss": Ablation(loss=MarginLoss),
    "curriculum: short sentences first": Ablation(plan=short_first),
    "curriculum: quadruples last": Ablation(plan=quadruples_last),
}


def evaluate(encoder: Encoder, suites: list[Suite], pairs: list[ScoredPair], search: ParaphraseSearch) -> list[float]:
    runs = {run.suite.name: run for run in Engine(cache=None).run(encoder, suites)}
    official = runs[suites[0].name].metrics
    values = [official.accuracy, official.group_accuracy or 0.0]
    values += [runs[name].metrics.accuracy for name in OTHER_SUITES]

    def encode(texts: Sequence[str]) -> Vectors:  # in batches: all texts at once would take gigabytes
        workers = choose_workers(encoder, None)
        return encode_sentences(encoder, texts, cache=None, workers=workers, progress=Progress())[0]

    texts = dict.fromkeys(text for pair in pairs for text in (pair.left, pair.right))
    index_of = {text: index for index, text in enumerate(texts)}
    left, right = np.array([index_of[pair.left] for pair in pairs]), np.array([index_of[pair.right] for pair in pairs])
    similarities = cosines(encode(list(index_of)), left, right)
    values.append(spearman(similarities, [pair.score for pair in pairs]) or 0.0)
    values.append(float((first_ranks(search, encode) == 1).mean()))
    return [100 * value for value in values]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path)
    parser.add_argument("--semantoneg", type=Path, required=True)
    parser.add_argument("--sts", type=Path, required=True)
    parser.add_argument("--paraphrases", type=Path, required=True)
    parser.add_argument("--general", action="append", default=[])
    parser.add_argument("--nli", action="append", default=[])
    parser.add_argument("--model", default="all-MiniLM-L6-v2")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", choices=list(ABLATIONS), metavar="NAME")
    args = parser.parse_args()
    suites, pairs, holdout, text = load_evaluation_data(args.text, args.semantoneg, args.sts, args.paraphrases)
    search = read_paraphrase_search(args.paraphrases)
    records = single_sentences(read_corpus(args.general)) if args.general else ()
    general = [" ".join(record.text.split()) for record in records]
    nli = [*read_nli(args.nli)] if args.nli else []
    base = find_base_model(args.model, Access())

    @lru_cache(maxsize=1)  # most ablations use the same examples
    def generate(sources: ExampleSources, with_nli: bool) -> TrainingData:
        return generate_examples(
            text,
            holdout,
            general=general,
            nli=nli if with_nli else (),
            sources=sources,
            workers=2,
            progress=terminal_progress(),
        )

    columns = ("SemAntoNeg", "over pairs", *(name.removesuffix("-mini") for name in OTHER_SUITES), "STS", "search")
    columns += ("seconds",)
    header = f"| {args.steps} steps, seed {args.seed} | {' | '.join(columns)} |"
    print(f"{header}\n|---|{'---:|' * len(columns)}", flush=True)
    for name in args.only or ABLATIONS:
        ablation = ABLATIONS[name]
        if ablation.nli and not nli:
            continue
        data = generate(ablation.sources, ablation.nli)
        common = {"steps": args.steps, "seed": args.seed, "check_every": args.steps}
        settings = RepairSettings(**{**common, **ablation.settings})
        with tempfile.TemporaryDirectory() as folder:
            clock = time.perf_counter()
            options = {"loss": ablation.loss, "plan": ablation.plan}
            train(base, data, settings, Path(folder), progress=Progress(), access=Access(), **options)
            seconds = time.perf_counter() - clock
            encoder = load_model(folder)
            assert isinstance(encoder, Encoder)
            values = " | ".join(f"{value:.1f}" for value in evaluate(encoder, suites, pairs, search))
        print(f"| {name} | {values} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
