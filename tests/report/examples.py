"""Invented results: sentences and random similarities with which each model behaves differently."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from litotes.corpora.nli import LABELS
from litotes.evaluation.result import Interval, ItemResult, Metrics, RunResult, SuiteInfo
from litotes.evaluation.statistics import Comparison

SCRIPT_SENTENCE = "</script><script>window.hacked = 1</script> is a kind sentence."
IMAGE_SENTENCE = '<img src=x onerror="window.hacked = 2"> & a cruel "sentence" <!--'

SEMANTONEG = SuiteInfo(
    name="semantoneg",
    kind="semantoneg",
    version="1.0",
    sha256="5f" * 32,
    source="Sentences made up for the tests",
    licence="CC0-1.0",
    roles=("input", "antonym", "polarity", "both"),
    options=("antonym", "polarity", "both"),
    right="both",
    group_word="antonym pair",
)

TRIPLETS = SuiteInfo(
    name="negation triplets",
    kind="triplets",
    version="",
    sha256="a7" * 32,
    source="",
    licence="",
    roles=("original", "synonym", "negated"),
    options=("original~synonym", "original~negated"),
    right="original~synonym",
    group_word="sentence",
)

WORDS = [
    ("warm", "cold"), ("early", "late"), ("full", "empty"), ("loud", "quiet"), ("cheap", "dear"),
    ("open", "shut"), ("clean", "dirty"), ("sharp", "blunt"), ("brave", "timid"), ("ripe", "unripe"),
    ("smooth", "rough"), ("bright", "dim"), ("fresh", "stale"), ("tidy", "untidy"), ("gentle", "harsh"),
    ("lucky", "unlucky"),
]  # fmt: skip
THINGS = [
    "The soup", "Our train", "Her answer", "The second drawer", "This street", "My neighbour’s piano",
    "The old gate", "His plan for the garden", "The shop by the harbour", "That summer", "The kitchen",
    "Your brother’s bicycle",
]  # fmt: skip
ENDINGS = ["", " today", ", she says", " after all", " again", ", as far as I can see"]


@dataclass(frozen=True)
class Character:
    """The behaviour of an invented model: its mean similarity of the input with each option."""

    name: str
    means: Mapping[str, float]
    spread: float = 0.06


BLIND = Character("all-MiniLM-L6-v2", {"antonym": 0.72, "polarity": 0.84, "both": 0.66})
FAIR = Character("paraphrase-multilingual-mpnet-base-v2", {"antonym": 0.66, "polarity": 0.7, "both": 0.69})
GOOD = Character("negation-aware-base", {"antonym": 0.42, "polarity": 0.56, "both": 0.59})


def example_items(number: int) -> list[tuple[str, str, dict[str, str]]]:
    """Return ids, groups and sentences; frequent pairs have more sentences than rare ones."""
    draw = random.Random(7)
    weights = [1 / (1 + index) for index in range(len(WORDS))]
    items = []
    for index in range(number):
        word, other = draw.choices(WORDS, weights)[0]
        noun, ending = draw.choice(THINGS), draw.choice(ENDINGS)
        if draw.random() < 0.5:
            word, other = other, word
        plain, denied = f"{noun} is {{}}{ending}.", f"{noun} is not {{}}{ending}."
        if draw.random() < 0.5:
            plain, denied = denied, plain
        sentences = {
            "input": plain.format(word),
            "antonym": plain.format(other),
            "polarity": denied.format(word),
            "both": denied.format(other),
        }
        items.append((f"made-{index + 1:04d}", "/".join(sorted((word, other))), sentences))
    return items


def example_run(
    character: Character,
    items: Sequence[tuple[str, str, dict[str, str]]],
    *,
    info: SuiteInfo = SEMANTONEG,
    ties: Sequence[int] = (),
) -> RunResult:
    """Return the run of an invented model; at the indexes in `ties` the right option shares the highest similarity."""
    draw = random.Random(character.name)
    results = []
    for index, (id_, group, sentences) in enumerate(items):
        similarities = {option: draw.gauss(mean, character.spread) for option, mean in character.means.items()}
        if index in ties:
            similarities["both"] = similarities["polarity"] = max(similarities.values())
        results.append(judged(id_, group, sentences, similarities, info))
    return run_of_items(character.name, results, info)


def judged(
    id_: str, group: str, sentences: Mapping[str, str], similarities: Mapping[str, float], info: SuiteInfo
) -> ItemResult:
    """Return an item with the choice that follows from its similarities."""
    best = max(similarities.values())
    winners = [option for option in info.options if similarities[option] == best]
    wrong_options = [value for option, value in similarities.items() if option != info.right]
    return ItemResult(
        id=id_,
        group=group,
        sentences=sentences,
        similarities={_pair(option): value for option, value in similarities.items()},
        choice=winners[0] if len(winners) == 1 else None,
        credit=(info.right in winners) / len(winners),
        margin=similarities[info.right] - max(wrong_options),
    )


def _pair(option: str) -> str:
    return option if "~" in option else f"input~{option}"


def run_of_items(model: str, items: Sequence[ItemResult], info: SuiteInfo = SEMANTONEG) -> RunResult:
    """Return a run with the metrics that follow from its items."""
    groups: dict[str, list[float]] = {}
    for item in items:
        groups.setdefault(item.group, []).append(item.credit)
    accuracy = fmean(item.credit for item in items)
    group_accuracy = fmean(map(fmean, groups.values()))
    return RunResult(
        model=model,
        suite=info,
        metrics=Metrics(
            items=len(items),
            groups=len(groups),
            accuracy=accuracy,
            accuracy_ci=_interval(accuracy, 0.03),
            group_accuracy=group_accuracy,
            group_accuracy_ci=_interval(group_accuracy, 0.045),
            chance=1 / len(info.options),
            ties=sum(item.choice is None for item in items),
            similarities={pair: fmean(item.similarities[pair] for item in items) for pair in items[0].similarities},
        ),
        choices={option: sum(item.choice == option for item in items) for option in info.options},
        fingerprint={
            "name": model,
            "weights": "9b" * 32,
            "pooling": "mean",
            "normalise": True,
            "max_length": 256,
        },
        settings={"workers": 1, "tie_tolerance": 1e-6, "interval": {"method": "bootstrap over groups"}},
        versions={"litotes": "0.1.0", "python": "3.11.7", "numpy": "2.2.0", "torch": "2.7.0"},
        items=list(items),
        times={
            "started": "2026-03-01T12:29:12+00:00",
            "finished": "2026-03-01T12:30:00+00:00",
            "seconds": 48.2,
        },
    )


def _interval(middle: float, width: float) -> Interval:
    return (max(middle - width, 0.0), min(middle + width, 1.0))


def example_comparison(a: RunResult, b: RunResult, p_adjusted: float) -> Comparison:
    """Return a comparison of two runs with a given p-value."""
    difference = a.metrics.accuracy - b.metrics.accuracy
    width = 0.04 if p_adjusted < 0.05 else abs(difference) + 0.02
    interval = (difference - width, difference + width)
    return Comparison(a.suite.name, a.model, b.model, difference, interval, p_adjusted, p_adjusted)


def three_models(number: int) -> tuple[list[RunResult], list[Comparison]]:
    """Return the runs of three models on a suite, and their comparisons."""
    items = example_items(number)
    runs = [example_run(BLIND, items), example_run(FAIR, items, ties=(3, 11)), example_run(GOOD, items, ties=(5,))]
    blind, fair, good = runs
    return runs, [
        example_comparison(blind, fair, 0.0001),
        example_comparison(blind, good, 0.0001),
        example_comparison(fair, good, 0.31),
    ]


def tagged(run: RunResult) -> RunResult:
    """Return the run with the antonym pair as tags of each item."""
    pairs = [item.group.split("/") for item in run.items]
    items = [
        item._replace(tags={"word": word, "antonym": other})
        for item, (word, other) in zip(run.items, pairs, strict=True)
    ]
    return replace(run, items=items)


def triplet_run(model: str, number: int) -> RunResult:
    """Return a run on triplets: three roles, and options named after their pairs."""
    draw = random.Random(model)
    results = []
    for index, (id_, _, sentences) in enumerate(example_items(number)):
        similarities = {"original~synonym": draw.gauss(0.8, 0.1), "original~negated": draw.gauss(0.75, 0.1)}
        triplet = {
            "original": sentences["input"],
            "synonym": f"Truly, {sentences['input'].lower()}",
            "negated": sentences["polarity"],
        }
        item = judged(id_, f"sentence {index // 2}", triplet, similarities, TRIPLETS)
        third = {**item.similarities, "synonym~negated": draw.gauss(0.7, 0.1)}
        results.append(
            ItemResult(item.id, item.group, triplet, third, item.choice, item.credit, item.margin, {"pos": "adj"})
        )
    return run_of_items(model, results, TRIPLETS)


def hostile_run(model: str = '<b onmouseover="window.hacked = 3">evil</b>') -> RunResult:
    """Return a run whose sentences, groups and names contain markup."""
    texts = {
        "input": SCRIPT_SENTENCE,
        "antonym": IMAGE_SENTENCE,
        "polarity": "A line\u2028and a paragraph\u2029end here, a lone \ud800 surrogate, \x00 and 'quotes'.",
        "both": "${policy} $data \\u003c {{ braces }}",
    }
    bad_info = SuiteInfo(**{**SEMANTONEG.__dict__, "source": "<i>source</i>", "name": '"><script>hacked</script>'})
    items = [
        judged("</li>", "<good>/&bad", texts, {"antonym": 0.2, "polarity": 0.5, "both": 0.4}, bad_info),
        judged("x-2", "kind/cruel", texts, {"antonym": 0.2, "polarity": 0.3, "both": 0.4}, bad_info),
        judged("x-3", "<good>/&bad", texts, {"antonym": 0.3, "polarity": 0.3, "both": 0.4}, bad_info),
    ]
    return run_of_items(model, items, bad_info)


SENTENCES = {
    "heros": (
        "Ines says the {} was warm.", "Ines says the {} was heated.", "Ines says the {} was cold.",
        "Ines says the {} was new.", "Ines says the {} was wram.", "Ines does not say the {} was warm.",
        "Ines says the {} was not warm.",
    ),
    "negation-detection": ("Noor shut the {}.", "Noor closed the {}.", "Noor did not shut the {}."),
    "negation-variants": ("A {} is there.", "A {} is not there.", "There is no {} there."),
    "clause-relatedness": ("Bram said the {} was safe.", "The {} was safe.", "Bram said the {} was not safe."),
    "argument-sensitivity": (
        "Ayla asked Tomas to see the {}.", "Tomas was asked by Ayla to see the {}.", "Tomas asked Ayla to see the {}.",
    ),
    "fixed-point-reorder": (
        "Lotte paints a {} in her garden.", "In her garden Lotte paints a {}.", "in her garden Lotte paints a {}.",
    ),
}  # fmt: skip


def real_runs(*models: str) -> list[RunResult]:
    """Return runs of real models on a small suite of every kind except SemAntoNeg's, with one item per group."""
    from litotes import Item, Suite, load_model
    from litotes.evaluation.engine import Engine
    from litotes.suites.kinds import suite_kind

    suites = []
    for name, sentences in SENTENCES.items():
        kind = suite_kind(name)
        items = [
            Item(f"{name}-{index}", str(index), {
                role: text.format(noun) for role, text in zip(kind.roles, sentences, strict=True)
            })
            for index, noun in enumerate(("boat", "old mill", "shop", "ferry", "long wall", "gate"))
        ]  # fmt: skip
        suites.append(Suite(f"{name}-small", kind, items, sha256=name))
    return [run for model in models for run in Engine(cache=None).run(load_model(model), suites)]


CATEGORIES = (
    "possession", "existence", "labeling", "prohibition", "inability", "epistemic", "rejection",
)  # fmt: skip
GIVEN = {
    "possession": "The {} has no roof.",
    "existence": "There is no path to the {}.",
    "labeling": "That is not the {}.",
    "prohibition": "Do not lean on the {}.",
    "inability": "Tilde cannot lift the {}.",
    "epistemic": "Nobody remembers the {}.",
    "rejection": "Joram does not want the {}.",
}
ASKED = {
    "entailment": "It is so, as was said of the {}.",
    "neutral": "The {} was built in spring.",
    "contradiction": "It is not at all so with the {}.",
}


def label_suite(name: str = "made-labels", *, named_groups: bool = False, categories: bool = True) -> Any:
    """Return 90 items: half of each category is neutral, all of existence; some are in two categories or in none."""
    from litotes import Item, Suite
    from litotes.suites.nli import KIND

    items = []
    nouns = ("boat", "old mill", "shop", "ferry", "long wall", "gate", "bench", "tower", "tent")
    for index, noun in enumerate(nouns):
        for number, category in enumerate(CATEGORIES):
            premise = GIVEN[category].format(noun)
            label = "neutral" if category == "existence" else LABELS[(index + number) % 3]
            group = f"{category}-{index}" if named_groups else premise
            texts = {"premise": premise, "hypothesis": ASKED[label].format(noun)}
            told = f"{category} rejection" if (category, index) == ("inability", 0) else category
            items.append(Item(f"{category}-{index}", group, texts, {"label": label, "categories": told}))
        for number in range(3):
            texts = {"premise": f"Rain fell on the {noun}.", "hypothesis": f"The {noun} was wet, {number} of us say."}
            group = f"rain-{index}" if named_groups else texts["premise"]
            items.append(Item(f"rain-{index}-{number}", group, texts, {"label": "neutral", "categories": ""}))
    if not categories:
        items = [Item(item.id, item.group, item.sentences, {"label": item.tags["label"]}) for item in items]
    return Suite(name, KIND, items, sha256=name)


def label_runs(*models: tuple[str, float], suite: Any = None, ties: int = 0) -> list[RunResult]:
    """Return runs of models that know the given share of labels and guess the rest; the first items may be ties."""
    from litotes.evaluation.engine import Engine

    suite = label_suite() if suite is None else suite
    return [run for model in models for run in Engine(cache=None).run(_knowing(*model, suite, ties), [suite])]


def _knowing(name: str, skill: float, suite: Any, ties: int) -> Any:
    import numpy as np

    from litotes.models.base import Fingerprint, PairClassifier

    known = {tuple(item.sentences.values()): LABELS.index(item.tags["label"]) for item in suite.items}
    tied = {tuple(item.sentences.values()) for item in suite.items[:ties]}

    class Knowing(PairClassifier):
        def lengths(self, pairs: Any) -> list[int]:
            return [8] * len(pairs)

        def classify(self, pairs: Any) -> Any:
            rows = np.full((len(pairs), 3), 0.125, np.float32)
            for row, pair in zip(rows, pairs, strict=True):
                draw = random.Random(f"{name} {pair}")
                right = known.get(pair, 0)
                row[right if draw.random() < skill else draw.randrange(3)] = 0.75
                if pair in tied:
                    row[:] = 0.1
                    row[[right, (right + 1) % 3]] = 0.45
            return rows

    return Knowing(name, Fingerprint("made-up", weights=f"{name}{skill}"))
