"""What the parts of a repair are worth: the same training with one of them changed.

    python benchmarks/repair/experiments.py TEXT --semantoneg FILE --sts FILE --paraphrases FILE [--general FILE]…
        [--nli FILE]… [--steps 300] [--model NAME] [--seed 0] [--only NAME]…

TEXT has the sentences that lessons are made from. As `litotes repair` does it, sentences and antonym pairs of the
official file and of all built-in suites, and the sentences of the STS and paraphrase files, are kept out. The NLI
files are used where the name says so. One row a change, printed when it is there: SemAntoNeg's accuracy, its mean over
antonym pairs, three other suites, Spearman's correlation, and how often a paraphrase is found first, all times 100.
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
from ground import ground

from litotes.core.progress import Progress, terminal_progress
from litotes.corpora.nli import read_nli
from litotes.corpora.read import read_corpus, single_sentences
from litotes.evaluation.encoding import choose_workers, encode_sentences
from litotes.evaluation.engine import Engine
from litotes.evaluation.statistics import spearman
from litotes.models.access import Access
from litotes.models.base import Encoder, Vectors, cosines
from litotes.models.loading import load_model
from litotes.repair.base_model import find_base
from litotes.repair.examples import batches
from litotes.repair.examples.base import Lessons
from litotes.repair.examples.generation import BARE, WHOLE, Mix, make_lessons
from litotes.repair.general_quality import Paraphrases, ScoredPair, ranks, read_paraphrases
from litotes.repair.loss import RepairLoss
from litotes.repair.settings import RepairSettings
from litotes.repair.trainer import train
from litotes.suites.base import Suite

SHOWN = ("heros-mini", "argument-sensitivity-mini", "fixed-point-reorder-mini")


class Margin(RepairLoss):
    """By how much the opposite, and the other, come closer than what says the same less a margin: triplets."""

    def of_lessons(self, vectors: torch.Tensor, codes: torch.Tensor) -> torch.Tensor:
        anchor, same, opposite, other = vectors
        wanted = (anchor * same).sum(-1)
        near = torch.stack([(anchor * opposite).sum(-1), (anchor * other).sum(-1)])
        near[1] = torch.where((codes & 2).bool(), near[1], torch.full_like(near[1], -1.0))
        return 5 * torch.relu(near - wanted + 0.3).mean()


def ordered(key: Callable[[Sequence[int]], float], *given: Any, **more: Any) -> list[batches.Batch]:
    """A curriculum: the planned batches, sorted."""
    return sorted(batches.plan_batches(*given, **more), key=lambda one: key(one.lessons))


def short_first(lessons: Any, lengths: Sequence[int], *given: Any, **more: Any) -> list[batches.Batch]:
    return ordered(lambda places: max(lengths[at] for at in places), lessons, lengths, *given, **more)


def other_kinds_first(lessons: Any, *given: Any, **more: Any) -> list[batches.Batch]:
    """What one change decides before what takes two: quadruples are the exclusive-or."""
    return ordered(lambda places: sum(lessons[at].mates for at in places), lessons, *given, **more)


@dataclass(frozen=True)
class Try:
    """One change."""

    settings: dict[str, Any] = field(default_factory=dict)
    mix: Mix = WHOLE
    nli: bool = False
    loss: type[RepairLoss] = RepairLoss
    planned: Callable[..., list[batches.Batch]] = batches.plan_batches


TRIED = {
    "as it is": Try(),
    "quadruples and variants of the text alone": Try(mix=BARE),
    "without the lexicon": Try(mix=replace(WHOLE, lexicon=False)),
    "without rewording": Try(mix=replace(WHOLE, reworded=False)),
    "without framing": Try(mix=replace(WHOLE, framed=False)),
    "without structure": Try(mix=replace(WHOLE, structure=False)),
    "with NLI pairs": Try(nli=True),
    "learning rate 5e-5": Try({"learning_rate": 5e-5}),
    "learning rate 3e-4": Try({"learning_rate": 3e-4}),
    "keep 0": Try({"keep": 0.0}),
    "keep 2": Try({"keep": 2.0}),
    "temperature 0.1": Try({"temperature": 0.1}),
    "temperature 0.02": Try({"temperature": 0.02}),
    "batch of 16": Try({"batch_size": 16}),
    "no mean of the weights": Try({"average": 0.0}),
    "embeddings of words learn too": Try({"frozen_words": False}),
    "the lowest layer frozen too": Try({"frozen_layers": 1}),
    "no strangers": Try({"strangers": 0.0}),
    "strangers weigh as much": Try({"strangers": 1.0}),
    "loss with a margin": Try(loss=Margin),
    "curriculum: short sentences first": Try(planned=short_first),
    "curriculum: other kinds before quadruples": Try(planned=other_kinds_first),
}


def figures(encoder: Encoder, suites: list[Suite], pairs: list[ScoredPair], asked: Paraphrases) -> list[float]:
    runs = {run.suite.name: run for run in Engine(workers=None, cache=None).run(encoder, suites)}
    official = runs[suites[0].name].metrics
    found = [official.accuracy, official.group_accuracy or 0.0, *(runs[name].metrics.accuracy for name in SHOWN)]

    def vectors(texts: Sequence[str]) -> Vectors:  # in batches: all at once take gigabytes
        workers = choose_workers(encoder, None)
        return encode_sentences(encoder, texts, cache=None, workers=workers, progress=Progress())[0]

    number = {text: place for place, text in enumerate(dict.fromkeys(t for p in pairs for t in (p.one, p.other)))}
    left, right = np.array([number[pair.one] for pair in pairs]), np.array([number[pair.other] for pair in pairs])
    alike = cosines(vectors(list(number)), left, right)
    found.append(spearman(alike, [pair.score for pair in pairs]) or 0.0)
    found.append(float((ranks(asked, vectors) == 1).mean()))
    return [100 * one for one in found]


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
    parser.add_argument("--only", action="append", choices=list(TRIED), metavar="NAME")
    given = parser.parse_args()
    suites, pairs, held, text = ground(given.text, given.semantoneg, given.sts, given.paraphrases)
    asked = read_paraphrases(given.paraphrases)
    general = (
        [" ".join(one.text.split()) for one in single_sentences(read_corpus(given.general))] if given.general else []
    )
    nli = [*read_nli(given.nli)] if given.nli else []
    base = find_base(given.model, Access())

    @lru_cache(maxsize=1)  # most tries have the same
    def lessons_of(mix: Mix, with_nli: bool) -> Lessons:
        pairs = nli if with_nli else ()
        bar = terminal_progress()
        return make_lessons(text, text.parent, held, general=general, mix=mix, nli=pairs, workers=2, progress=bar)

    columns = ("SemAntoNeg", "over pairs", *(name.removesuffix("-mini") for name in SHOWN), "STS", "search", "seconds")
    print(
        f"| {given.steps} steps, seed {given.seed} | {' | '.join(columns)} |\n|---|{'---:|' * len(columns)}", flush=True
    )
    for name in given.only or TRIED:
        tried = TRIED[name]
        if tried.nli and not nli:
            continue
        lessons = lessons_of(tried.mix, tried.nli)
        more = {"steps": given.steps, "seed": given.seed, "check_every": given.steps}
        settings = replace(RepairSettings(), **{**more, **tried.settings})
        with tempfile.TemporaryDirectory() as folder:
            clock = time.perf_counter()
            changed = {"loss": tried.loss, "planned": tried.planned}
            train(base, lessons, settings, Path(folder), progress=Progress(), access=Access(), **changed)
            seconds = time.perf_counter() - clock
            encoder = load_model(folder)
            assert isinstance(encoder, Encoder)
            shown = " | ".join(f"{one:.1f}" for one in figures(encoder, suites, pairs, asked))
        print(f"| {name} | {shown} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
