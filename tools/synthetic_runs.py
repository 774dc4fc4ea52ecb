"""Write many synthetic runs for trying the report: published accuracies with random item results, marked as synthetic.

python tools/synthetic_runs.py OUT [MODELS [ITEMS]]

Each model has the name and accuracy from Table 8 of SemAntoNeg. The items that it gets right are random with a fixed
seed, such that some antonym pairs are hard for all models. OUT is a folder of runs for `litotes report OUT`.
"""

from __future__ import annotations

import random
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from litotes import published_results
from litotes.evaluation.result import ItemResult, Metrics, RunResult, SuiteInfo
from litotes.evaluation.result_store import write_run
from litotes.evaluation.statistics import GroupBootstrap, sum_by_group

MODELS, ITEMS = 100, 3152
NOTE = "synthetic: the accuracy is the published one, the right items are random"
SUITE = SuiteInfo(
    name="semantoneg (synthetic)",
    kind="semantoneg",
    version="1",
    sha256="5e" * 32,
    source="synthetic sentences and item results, made to try the report",
    licence="CC0-1.0",
    roles=("input", "antonym", "polarity", "both"),
    options=("antonym", "polarity", "both"),
    right="both",
    group_word="antonym pair",
)
GROUP_OF_TABLE = {3: "generic", 4: "paraphrase", 5: "NLI", 6: "STS"}

PAIRS = """warm cold, early late, full empty, loud quiet, cheap dear, open shut, clean dirty, sharp blunt, brave timid,
ripe unripe, smooth rough, bright dim, fresh stale, tidy untidy, gentle harsh, lucky unlucky, wide narrow, deep shallow,
thick thin, heavy light, strong weak, fast slow, high low, hard soft, wet dry, rich poor, young old, safe unsafe,
fair unfair, kind unkind, happy unhappy, able unable, known unknown, usual unusual, polite impolite, patient impatient,
possible impossible, perfect imperfect, correct incorrect, complete incomplete, visible invisible, legal illegal,
regular irregular, honest dishonest, loyal disloyal, sweet sour, tall short, big small, good bad, true false,
near far, straight crooked, simple complex, modern ancient, public private, calm rough, busy idle, awake asleep,
alive dead, present absent""".replace("\n", " ").split(", ")
THINGS = (
    "The soup", "Our train", "Her answer", "The second drawer", "This street", "My neighbour’s piano", "The old gate",
    "His plan for the garden", "The shop by the harbour", "That summer", "The kitchen", "Your brother’s bicycle",
    "The letter on the table", "The lake behind the mill", "A friend of the baker", "The bridge", "Their new roof",
    "The song that we heard", "The last chapter", "The room upstairs", "The man with the ladder", "The ferry",
)  # fmt: skip
ENDINGS = ("", " today", ", she says", " after all", " again", ", as far as I can see", " this week", " in winter")


def synthetic_runs(models: int = MODELS, items: int = ITEMS) -> Iterator[RunResult]:
    """Yield runs of `models` models of Table 8, evenly spread over the accuracies, on `items` synthetic items."""
    table = published_results("semantoneg", table=8)
    printed = zip(table.column("model"), table.numbers("accuracy"), strict=True)
    rows = [(name, accuracy) for name, accuracy in printed if accuracy is not None]
    chosen = [rows[round(index * (len(rows) - 1) / max(models - 1, 1))] for index in range(models)]
    groups = {
        name: group
        for number, group in GROUP_OF_TABLE.items()
        for name in published_results("semantoneg", table=number).column("model")
    }
    items_without_results = _items(items)
    ease = _ease(items_without_results)
    for name, accuracy in chosen:
        yield _run(name, groups.get(name, "other"), accuracy / 100, items_without_results, ease)


def _items(number: int) -> list[ItemResult]:
    """Return items without results; frequent pairs have more items than rare ones."""
    draw = random.Random(7)  # noqa: S311 (nothing is secret here)
    pairs = [pair.split() for pair in PAIRS]
    weights = [1 / (3 + index) for index in range(len(pairs))]
    items = []
    for index in range(number):
        words = draw.choices(pairs, weights)[0]
        word, other = words if draw.random() < 0.5 else words[::-1]
        noun, ending = draw.choice(THINGS), draw.choice(ENDINGS)
        forms = [f"{noun} is {{}}{ending}.", f"{noun} is not {{}}{ending}."]
        plain, denied = forms if draw.random() < 0.5 else forms[::-1]
        sentences = {
            "input": plain.format(word),
            "antonym": plain.format(other),
            "polarity": denied.format(word),
            "both": denied.format(other),
        }
        tags = {"word": word, "antonym": other}
        items.append(ItemResult(f"synthetic-{index + 1:04d}", "/".join(sorted(words)), sentences, {}, None, 0, 0, tags))
    return items


def _ease(items: list[ItemResult]) -> NDArray[np.float64]:
    """Return how easy each item is for all models: mostly by its pair, partly random."""
    draw = np.random.default_rng(7)
    of_group = {group: draw.normal() for group in sorted({item.group for item in items})}
    return np.array([of_group[item.group] for item in items]) + draw.normal(0, 0.5, len(items))


def _run(
    model: str, kind: str, accuracy: float, items_without_results: list[ItemResult], ease: NDArray[np.float64]
) -> RunResult:
    draw = np.random.default_rng(zlib.crc32(model.encode()))
    order = np.argsort(-(ease + draw.normal(0, 1, len(items_without_results))))
    right = np.zeros(len(items_without_results), dtype=bool)
    right[order[: round(accuracy * len(items_without_results))]] = True
    choices = np.where(right, 2, np.where(draw.random(len(items_without_results)) < 0.8, 1, 0))
    similarities = draw.normal(0.72, 0.06, (len(items_without_results), 3)).clip(0.1, 0.97)
    top = similarities.argmax(axis=1)
    rows = np.arange(len(items_without_results))
    similarities[rows, top], similarities[rows, choices] = (
        similarities[rows, choices].copy(),
        similarities[rows, top].copy(),
    )
    margin = similarities[:, 2] - similarities[:, :2].max(axis=1)
    items = [
        item._replace(
            similarities={f"input~{option}": round(float(x), 7) for option, x in zip(SUITE.options, row, strict=True)},
            choice=SUITE.options[choice],
            credit=float(choice == 2),
            margin=round(float(ahead), 7),
        )
        for item, row, choice, ahead in zip(items_without_results, similarities, choices, margin, strict=True)
    ]
    sums = sum_by_group(right.astype(np.float64), [item.group for item in items_without_results])
    accuracy_ci, group_ci = GroupBootstrap(len(sums.items)).share_intervals(sums)
    means = similarities.mean(axis=0)
    return RunResult(
        model=model,
        suite=SUITE,
        metrics=Metrics(
            items=len(items),
            groups=len(sums.items),
            accuracy=sums.mean,
            accuracy_ci=accuracy_ci,
            group_accuracy=sums.group_mean,
            group_accuracy_ci=group_ci,
            chance=1 / 3,
            ties=0,
            similarities={f"input~{option}": float(x) for option, x in zip(SUITE.options, means, strict=True)},
        ),
        choices={option: int((choices == index).sum()) for index, option in enumerate(SUITE.options)},
        fingerprint={"name": model, "backend": "synthetic"},
        settings={"synthetic": True},
        versions={},
        items=items,
        notes=(NOTE,),
        group=kind,
    )


def main() -> None:
    out, *sizes = sys.argv[1:]
    for run in synthetic_runs(*map(int, sizes)):
        write_run(Path(out), run)
    print(f"wrote {out}; synthetic, for trying the report only")


if __name__ == "__main__":
    main()
