"""The data of an experiment: diagnostic sets by category, NLI pairs without negation, and the test suites."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from litotes.building.developmental.corpus import (
    STATISTICS,
    DevelopmentalCorpus,
    load_developmental,
    published_split,
    split_published,
)
from litotes.building.developmental.pairs import pair_key
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import is_file, is_folder, to_json
from litotes.corpora.nli import NliPair, read_nli
from litotes.suites.base import Item, Suite
from litotes.suites.nli import KIND
from litotes.training.experiments.plan import DEV_PAIRS, ExperimentPlan
from litotes.training.nli.data import check_pairs, digest_pairs, sample_pairs, without_negation, without_premises

TEST_SUITE, DEV_SUITE = "developmental-test", "nli-dev"


@dataclass(frozen=True)
class ExperimentData:
    """The training sets and test suites of an experiment."""

    train: Mapping[str, Sequence[NliPair]]
    undersampled: Mapping[str, Sequence[NliPair]]
    test: Suite
    dev: Suite | None
    """NLI pairs without negation, if there are any."""
    read_nli_train: Callable[[], list[NliPair]] | None
    """Reads the pairs without negation; None if every model is trained already."""
    label: str = ""
    """Beginning of the names of trainings and evaluations on this split."""

    @cached_property
    def nli_train(self) -> list[NliPair]:
        """The pairs without negation for the first training."""
        return [] if self.read_nli_train is None else self.read_nli_train()

    @cached_property
    def digests(self) -> dict[str, str]:
        """The sha256 of every training set."""
        return {
            **({} if self.read_nli_train is None else {"nli_train": digest_pairs(self.nli_train)}),
            **{category: digest_pairs(pairs) for category, pairs in self.train.items()},
            **{f"{category}, undersampled": digest_pairs(pairs) for category, pairs in self.undersampled.items()},
        }

    @property
    def suites(self) -> list[Suite]:
        """The suites on which every model is tested."""
        return [self.test] if self.dev is None else [self.dev, self.test]

    def describe(self) -> dict[str, Any]:
        """Return sizes and hashes for results.json."""
        tests = Counter(category for item in self.test.items for category in item.tags["categories"].split())
        return {
            "nli_train": None
            if self.read_nli_train is None
            else {"pairs": len(self.nli_train), "sha256": self.digests["nli_train"]},
            "nli_dev": None if self.dev is None else {"pairs": len(self.dev.items), "sha256": self.dev.sha256},
            "test": {"pairs": len(self.test.items), "premises": self.test.count_groups(), "sha256": self.test.sha256},
            "categories": {
                category: {
                    "train": len(pairs),
                    "undersampled": len(self.undersampled[category]),
                    "test": tests[category],
                    "test_in_train": self.count_test_in_train(category),
                    "largest_label": self.largest_label(category),
                }
                for category, pairs in self.train.items()
            },
        }

    def count_test_in_train(self, category: str) -> int:
        """Return how many test pairs of a category are also in its train set."""
        train = {pair_key(pair.premise, pair.hypothesis) for pair in self.train[category]}
        return sum(
            pair_key(item.sentences["premise"], item.sentences["hypothesis"]) in train
            for item in self.test.items
            if category in item.tags["categories"].split()
        )

    def largest_label(self, category: str) -> float:
        """Return the share of the most frequent label in a test set, the accuracy of a constant model."""
        labels = Counter(item.tags["label"] for item in self.test.items if category in item.tags["categories"].split())
        return max(labels.values()) / sum(labels.values())


def load_data(plan: ExperimentPlan) -> ExperimentData:
    """Load and check the data of a plan."""
    corpus = _corpus(plan)
    _check_corpus(plan, corpus)
    diagnostic = [*corpus.test, *(pair for pairs in corpus.train.values() for pair in pairs)]
    dev = list(without_premises(without_negation(read_nli(plan.dev) if plan.dev else corpus.nli_dev), diagnostic))
    dev = sample_pairs(dev, DEV_PAIRS[plan.preset], plan.split_seed)
    if plan.dev and not dev:
        raise LitotesError("L204", f"{', '.join(plan.dev)}: has no pairs without negation")
    must_train = any(not model.trained for model in plan.models)
    if must_train and not plan.train and not _has_nli_train(corpus):
        hint = "name NLI files with --train FILE, or a corpus of litotes build developmental with --data"
        raise UsageError("L102", f"{plan.data}: has no NLI pairs for the first training", hint=hint)

    def read_nli_train() -> list[NliPair]:
        pairs_read = read_nli(plan.train) if plan.train else corpus.nli_train()
        pairs = list(without_premises(without_negation(pairs_read), [*diagnostic, *dev]))
        name = ", ".join(plan.train) or str(plan.data)
        if not pairs:
            raise LitotesError("L204", f"{name}: has no pairs without negation that are not in the test sets")
        check_pairs(pairs, name)
        return pairs

    return ExperimentData(
        train={category: corpus.train[category] for category in plan.categories},
        undersampled={category: corpus.undersampled[category] for category in plan.categories},
        test=_suite(TEST_SUITE, _with_categories(corpus.test, plan.categories)),
        dev=_suite(DEV_SUITE, [(pair, "") for pair in dev]) if dev else None,
        read_nli_train=read_nli_train if must_train else None,
    )


def load_published_split(plan: ExperimentPlan, data: ExperimentData) -> ExperimentData:
    """Return the authors' split of the published files, with the same pairs without negation as the other split."""
    if is_file(plan.data / STATISTICS):
        hint = "name their folder with --data"
        raise UsageError("L102", f"{plan.data}: is a corpus; --split published needs the published files", hint=hint)
    corpus = published_split(plan.data, plan.split_seed, plan.categories)
    _check_corpus(plan, corpus)
    return ExperimentData(
        train={category: corpus.train[category] for category in plan.categories},
        undersampled={category: corpus.undersampled[category] for category in plan.categories},
        test=_suite(TEST_SUITE, _with_categories(corpus.test, plan.categories)),
        dev=data.dev,
        read_nli_train=None if data.read_nli_train is None else lambda: data.nli_train,
        label="published-split-",
    )


def _check_corpus(plan: ExperimentPlan, corpus: DevelopmentalCorpus) -> None:
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
                    hint="leave out the category with --categories, or build a larger corpus",
                )
        check_pairs(corpus.train[category], f"{plan.data}: {category}")
        check_pairs(corpus.undersampled[category], f"{plan.data}: {category}, undersampled")


def _corpus(plan: ExperimentPlan) -> DevelopmentalCorpus:
    folder = plan.data
    if is_file(folder / STATISTICS):
        return load_developmental(folder)
    if not is_folder(folder):
        reason = "is a file, a folder is needed" if is_file(folder) else "no such folder"
        raise LitotesError("L201", f"{folder}: {reason}", hint="check --data")
    try:
        return split_published(folder, plan.split_seed)
    except LitotesError as error:
        if error.code != "L204":
            raise
        message = f"{folder}: contains neither a corpus of litotes build developmental nor the published files"
        raise LitotesError("L203", message, hint="check --data") from error


def _has_nli_train(corpus: DevelopmentalCorpus) -> bool:
    return next(corpus.nli_train(), None) is not None


def _with_categories(pairs: Iterable[NliPair], categories: Sequence[str]) -> list[tuple[NliPair, str]]:
    tagged = [
        (pair, " ".join(category for category in categories if category in (pair.categories or ()))) for pair in pairs
    ]
    return [(pair, tag) for pair, tag in tagged if tag]


def _suite(name: str, pairs: Sequence[tuple[NliPair, str]]) -> Suite:
    """Return the pairs as a suite; the ids are numbers, since ids of different files may be equal."""
    items = [
        Item(
            id=f"{number:05}",
            group=pair.premise,
            sentences={"premise": pair.premise, "hypothesis": pair.hypothesis},
            tags={"label": pair.label, "categories": categories},
        )
        for number, (pair, categories) in enumerate(pairs, 1)
    ]
    digest = hashlib.sha256()
    for item in items:
        digest.update(to_json([item.id, item.group, dict(item.sentences), dict(item.tags)]).encode() + b"\n")
    return Suite(name, KIND, items, digest.hexdigest())
