"""The data of an experiment: diagnostic sets by category, NLI without negation, and the suites to test on."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from litotes.building.developmental.corpus import STATISTICS, DevelopmentalCorpus, load_developmental
from litotes.building.developmental.published import split_published
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import is_file, is_folder, to_json
from litotes.corpora.nli import NliPair, read_nli
from litotes.suites.base import Item, Suite
from litotes.suites.nli import KIND
from litotes.training.experiments.plan import DEV_PAIRS, Plan
from litotes.training.nli.data import check_pairs, digest, draw, without_negation, without_premises

TEST_SUITE, DEV_SUITE = "developmental-test", "nli-dev"


@dataclass(frozen=True)
class Material:
    """What is trained and tested on."""

    train: Mapping[str, Sequence[NliPair]]
    undersampled: Mapping[str, Sequence[NliPair]]
    test: Suite
    dev: Suite | None
    """None where nobody gave one."""
    first: Callable[[], list[NliPair]] | None
    """The pairs without negation, read when a first training is to begin; None where there is none to begin."""

    @cached_property
    def nli_train(self) -> list[NliPair]:
        """The pairs without negation, read once."""
        return [] if self.first is None else self.first()

    @cached_property
    def digests(self) -> dict[str, str]:
        """A sha256 for every set to train on; that of the large one is found only by reading it all."""
        return {
            **({} if self.first is None else {"nli_train": digest(self.nli_train)}),
            **{category: digest(pairs) for category, pairs in self.train.items()},
            **{f"{category}, undersampled": digest(pairs) for category, pairs in self.undersampled.items()},
        }

    @property
    def suites(self) -> list[Suite]:
        """What every model is tested on."""
        return [self.test] if self.dev is None else [self.dev, self.test]

    def to_dict(self) -> dict[str, Any]:
        """Sizes and hashes, as results keep them."""
        tests = Counter(category for item in self.test.items for category in item.tags["categories"].split())
        return {
            "nli_train": None
            if self.first is None
            else {"pairs": len(self.nli_train), "sha256": self.digests["nli_train"]},
            "nli_dev": None if self.dev is None else {"pairs": len(self.dev.items), "sha256": self.dev.sha256},
            "test": {"pairs": len(self.test.items), "premises": self.test.count_groups(), "sha256": self.test.sha256},
            "categories": {
                category: {
                    "train": len(pairs),
                    "undersampled": len(self.undersampled[category]),
                    "test": tests[category],
                    "largest_label": self.largest_label(category),
                }
                for category, pairs in self.train.items()
            },
        }

    def largest_label(self, category: str) -> float:
        """The share of the most frequent label in a test set: what a model gets that always says it."""
        labels = Counter(item.tags["label"] for item in self.test.items if category in item.tags["categories"].split())
        return max(labels.values()) / sum(labels.values())


def load_material(plan: Plan) -> Material:
    """The data that a plan names, checked: whatever cannot be trained or tested on is told now."""
    corpus = _corpus(plan)
    for category in plan.categories:
        for name, pairs in (
            ("to train on", corpus.train[category]),
            ("to test on", corpus.test_of(category)),
            ("in its undersampled set", corpus.undersampled[category]),
        ):
            if not pairs:
                raise LitotesError(
                    "L204",
                    f"{plan.data}: {category} has no pairs {name}",
                    hint="leave the category out by --categories, or build a larger corpus",
                )
        check_pairs(corpus.train[category], f"{plan.data}: {category}")
        check_pairs(corpus.undersampled[category], f"{plan.data}: {category}, undersampled")
    diagnostic = [*corpus.test, *(pair for pairs in corpus.train.values() for pair in pairs)]
    dev = list(without_premises(without_negation(read_nli(plan.dev) if plan.dev else corpus.nli_dev), diagnostic))
    dev = draw(dev, DEV_PAIRS[plan.preset], plan.split_seed)
    if plan.dev and not dev:
        raise LitotesError("L204", f"{', '.join(plan.dev)}: has no pairs without negation")
    must_train = any(not model.trained for model in plan.models)
    if must_train and not plan.train and not _has_nli_train(corpus):
        hint = "give NLI files by --train FILE, or a corpus of litotes build developmental by --data"
        raise UsageError("L102", f"{plan.data}: has no NLI pairs for the first training", hint=hint)

    def first() -> list[NliPair]:
        read = read_nli(plan.train) if plan.train else corpus.nli_train()
        pairs = list(without_premises(without_negation(read), [*diagnostic, *dev]))
        name = ", ".join(plan.train) or str(plan.data)
        if not pairs:
            raise LitotesError("L204", f"{name}: has no pairs without negation that are not in the test sets too")
        check_pairs(pairs, name)
        return pairs

    return Material(
        train={category: corpus.train[category] for category in plan.categories},
        undersampled={category: corpus.undersampled[category] for category in plan.categories},
        test=_suite(TEST_SUITE, _of_categories(corpus.test, plan.categories)),
        dev=_suite(DEV_SUITE, [(pair, "") for pair in dev]) if dev else None,
        first=first if must_train else None,
    )


def _corpus(plan: Plan) -> DevelopmentalCorpus:
    folder = plan.data
    if is_file(folder / STATISTICS):
        return load_developmental(folder)
    if not is_folder(folder):
        what = "is a file, a folder is needed" if is_file(folder) else "no such folder"
        raise LitotesError("L201", f"{folder}: {what}", hint="check --data")
    try:
        return split_published(folder, plan.split_seed)
    except LitotesError as error:
        if error.code != "L204":
            raise
        raise LitotesError(
            "L203",
            f"{folder}: holds neither a corpus of litotes build developmental nor the published files",
            hint="check --data",
        ) from error


def _has_nli_train(corpus: DevelopmentalCorpus) -> bool:
    return next(corpus.nli_train(), None) is not None


def _of_categories(pairs: Iterable[NliPair], categories: Sequence[str]) -> list[tuple[NliPair, str]]:
    named = [(pair, " ".join(one for one in categories if one in (pair.categories or ()))) for pair in pairs]
    return [(pair, text) for pair, text in named if text]


def _suite(name: str, pairs: Sequence[tuple[NliPair, str]]) -> Suite:
    """The pairs as a suite; ids are the places, since files that were read together may share theirs."""
    items = [
        Item(
            id=f"{place:05}",
            group=pair.premise,
            sentences={"premise": pair.premise, "hypothesis": pair.hypothesis},
            tags={"label": pair.label, "categories": categories},
        )
        for place, (pair, categories) in enumerate(pairs, 1)
    ]
    found = hashlib.sha256()
    for item in items:
        found.update(to_json([item.id, item.group, dict(item.sentences), dict(item.tags)]).encode() + b"\n")
    return Suite(name, KIND, items, found.hexdigest())
