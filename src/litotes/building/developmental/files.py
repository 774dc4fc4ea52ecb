"""The developmental corpus on disk: train sets, the test suite, NLI pairs without negation, and statistics."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from litotes.building.developmental.corpus import (
    NLI_DEV,
    NLI_TRAIN,
    STATISTICS,
    STATISTICS_PAGE,
    TEST,
    pair_line,
    train_file,
)
from litotes.building.developmental.pairs import leakage, text_key
from litotes.building.pipeline.settings import versions
from litotes.core.escaping import markdown_table
from litotes.core.files import atomic_writer, to_json, write_atomic, writing_to
from litotes.corpora.nli import LABELS, NliPair
from litotes.languages.negation_categories import CATEGORIES, CODES
from litotes.suites.base import Item, Suite
from litotes.suites.folder import save_folder
from litotes.suites.nli import KIND

_MAX_WIDTH = 72
"""Characters of an example sentence in the statistics page."""
_LEAKAGE_CELLS = (
    *(("own_train", "test"), ("own_train", "pairs"), ("all_train", "pairs")),
    *(("own_train", "premises"), ("own_train", "premises_in_train"), ("all_train", "premises_in_train")),
)
"""The train set and the count in each column of the table of leakage."""


def statistics_page(statistics: Mapping[str, Any]) -> str:
    """Return the statistics as a Markdown page."""
    return "\n\n".join(_blocks(statistics)) + "\n"


def _blocks(statistics: Mapping[str, Any]) -> Iterator[str]:
    leakage_counts = statistics["leakage"]
    yield f"# {statistics['name']}"
    yield "Diagnostic sets for seven categories of negation, after Laverghetta and Licato (2022)."
    yield "## Pairs (the paper's Table 1)"
    yield "The numbers of train and test pairs include augmented pairs, which are also counted separately."
    by_side = [f"{side} {label}" for side in ("train", "test") for label in LABELS]
    yield markdown_table(
        ("category", "train", "augmented", "test", "augmented", *by_side, "undersampled"),
        [_row(category, statistics["categories"][category]) for category in CODES],
    )
    yield markdown_table(
        ("set", "pairs", *LABELS),
        [
            (name, _number(statistics[key]["pairs"]), *(_number(statistics[key]["labels"][label]) for label in LABELS))
            for name, key in (("NLI_train", "nli_train"), ("NLI_dev", "nli_dev"))
        ],
    )
    yield "## Examples (the paper's Table 2)"
    yield markdown_table(
        ("category", "premise", "hypothesis", "label"),
        [
            (CODES[category], _shorten(pair["premise"]), _shorten(pair["hypothesis"]), pair["label"])
            for category, pair in statistics["examples"].items()
        ],
    )
    yield "## Leakage"
    yield (
        "Test pairs and distinct test premises that are also in train; texts are compared without case, whitespace\n"
        "and punctuation."
    )
    yield markdown_table(
        ("category", "test pairs", "in its train", "in any train", "test premises", "in its train", "in any train"),
        [
            (row["category"], *(_number(row[side][count]) for side, count in _LEAKAGE_CELLS))
            for row in leakage_counts["ours"]
        ],
    )
    plain = leakage_counts["nli_train"]
    yield (
        f"{plain['test_premises_in_train']:,} of {plain['test_premises']:,} test premises are also in NLI_train, with "
        "another hypothesis, which has no negation."
    )
    if "given" in leakage_counts:
        yield "Between the source files (every ordered pair of files that share a premise):"
        names = ("test", "pairs", "relabelled", "premises", "premises_in_train")
        yield markdown_table(
            ("train", "test", "test pairs", "in train", "with another label", "test premises", "in train"),
            [
                (row["train_file"], row["test_file"], *(_number(row[name]) for name in names))
                for row in leakage_counts["given"]
            ],
        )
    yield "## Settings"
    settings = {**statistics["options"], "seed": statistics["seed"]}
    yield markdown_table(("setting", "value"), [(name, str(value)) for name, value in settings.items()])
    augmentation = {f"augmentation: {name}": value for name, value in statistics["augmentation"].items()}
    counts = {**statistics["counts"], **augmentation}
    yield markdown_table(
        ("pairs", "number"),
        [(name.replace("_", " "), _number(value)) for name, value in counts.items() if isinstance(value, int)],
    )
    yield markdown_table(("file", "sha256"), [(str(row["name"]), str(row["sha256"])) for row in statistics["corpus"]])
    yield "Versions: " + ", ".join(f"{name} {number}" for name, number in statistics["versions"].items())


def _row(category: str, counts: Mapping[str, Any]) -> tuple[str, ...]:
    train, test = counts["train"], counts["test"]
    return (
        f"{category} ({CODES[category]})",
        _number(train["pairs"]),
        _number(train["augmented"]),
        _number(test["pairs"]),
        _number(test["augmented"]),
        *(_number(side["labels"][label]) for side in (train, test) for label in LABELS),
        _number(counts["undersampled"]["pairs"]),
    )


def _number(value: int) -> str:
    return f"{value:,}"


def _shorten(text: str) -> str:
    """Return the beginning of a text on one line.

    >>> _shorten("word " * 20)
    'word word word word word word word word word word word word word word…'
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= _MAX_WIDTH else f"{flat[:_MAX_WIDTH].rsplit(' ', 1)[0]}…"


class DiagnosticPair(NamedTuple):
    """A pair of a diagnostic set."""

    pair: NliPair
    premise: tuple[str, ...] | None = None
    """Categories of the premise, if they are known by side."""
    hypothesis: tuple[str, ...] | None = None
    group: str = ""
    """Shared by pairs with the same premise and those made from them by augmentation."""
    source: str = ""
    """Id of the pair from which this one was made by augmentation."""

    @classmethod
    def from_line(cls, line: Mapping[str, Any]) -> DiagnosticPair:
        """Create a pair from a line of classified pairs."""
        categories = tuple(category for category in CATEGORIES if line[category])
        pair = NliPair(line["id"], line["premise"], line["hypothesis"], line["label"], categories)
        sides = (line.get(f"{side}_categories") for side in KIND.roles)
        premise, hypothesis = (None if names is None else tuple(names) for names in sides)
        return cls(pair, premise, hypothesis)

    def sides(self) -> dict[str, tuple[str, ...]]:
        """Return the categories by side, if they are known."""
        sides = {"premise_categories": self.premise, "hypothesis_categories": self.hypothesis}
        return {name: categories for name, categories in sides.items() if categories is not None}

    def to_line(self) -> str:
        """Return the line of a train set."""
        fields: dict[str, Any] = {name: list(categories) for name, categories in self.sides().items()}
        if self.source:
            fields["augmented_from"] = self.source
        return f"{to_json(pair_line(self.pair, **fields))}\n"

    def to_item(self) -> Item:
        """Return the item of the test suite."""
        tags = {"label": self.pair.label, "categories": " ".join(self.pair.categories or ())}
        tags.update({name: " ".join(categories) for name, categories in self.sides().items()})
        if self.source:
            tags["augmented_from"] = self.source
        sentences = {"premise": self.pair.premise, "hypothesis": self.pair.hypothesis}
        return Item(self.pair.id, self.group, sentences, tags)


@dataclass(frozen=True)
class DiagnosticSets:
    """The diagnostic sets of a corpus."""

    train: Mapping[str, Sequence[DiagnosticPair]]
    undersampled: Mapping[str, Sequence[DiagnosticPair]]
    test: Sequence[DiagnosticPair]
    size: int
    """Pairs of an undersampled set."""
    examples: Mapping[str, NliPair]

    def test_of(self, category: str) -> list[DiagnosticPair]:
        """Return the test set of a category."""
        return [entry for entry in self.test if category in (entry.pair.categories or ())]


def write_corpus(
    out: Path,
    sets: DiagnosticSets,
    *,
    plain: Iterable[tuple[NliPair, Literal["train", "dev", ""]]],
    metadata: Mapping[str, Any],
    corpus: Sequence[Mapping[str, Any]],
    counts: Mapping[str, Any],
    augmentation: Mapping[str, Any],
    source_leakage: Sequence[Mapping[str, Any]] = (),
) -> tuple[dict[str, Any], list[str]]:
    """Write the corpus; return its statistics and warnings.

    The statistics are deleted first and written last, so that a folder with statistics is complete.
    """
    with writing_to(out):
        (out / STATISTICS).unlink(missing_ok=True)
    for category in CATEGORIES:
        for is_smaller, pairs in ((False, sets.train[category]), (True, sets.undersampled[category])):
            lines = "".join(entry.to_line() for entry in pairs)
            write_atomic(out / train_file(category, undersampled=is_smaller), lines)
    suite = _suite(sets.test, metadata, corpus)
    if suite.items:
        save_folder(suite, out / TEST, seed=metadata["seed"], builder={"name": "developmental", **metadata["options"]})
    else:
        _remove_suite(out / TEST)
    nli = _write_plain(out, plain, {text_key(entry.pair.premise) for entry in sets.test})
    statistics = {
        **{name: metadata[name] for name in ("name", "licence", "options", "format", "columns", "seed")},
        "corpus": [{name: value for name, value in source.items() if name != "licence"} for source in corpus],
        "versions": versions(),
        "counts": {**counts, "plain_left_out_for_dev": nli.left_out},
        "categories": {category: _counts(sets, category) for category in CATEGORIES},
        "test": {"pairs": len(sets.test), "groups": suite.count_groups()},
        "nli_train": _by_label(nli.train),
        "nli_dev": _by_label(nli.dev),
        "augmentation": dict(augmentation),
        "examples": {
            category: {"premise": pair.premise, "hypothesis": pair.hypothesis, "label": pair.label}
            for category, pair in sets.examples.items()
        },
        "leakage": {
            "ours": [_leakage_of(sets, category) for category in CATEGORIES],
            "nli_train": {"test_premises": nli.test_premises, "test_premises_in_train": nli.shared_premises},
            **({"given": list(source_leakage)} if source_leakage else {}),
        },
    }
    write_atomic(out / STATISTICS_PAGE, statistics_page(statistics))
    write_atomic(out / STATISTICS, to_json(statistics, indent=2) + "\n")
    return statistics, _warnings(sets, nli)


@dataclass
class _PlainCounts:
    """Counts of the pairs without negation."""

    train: Counter[str]
    dev: Counter[str]
    left_out: int
    test_premises: int
    shared_premises: int


def _write_plain(
    out: Path, plain: Iterable[tuple[NliPair, Literal["train", "dev", ""]]], test_premises: set[bytes]
) -> _PlainCounts:
    counts = _PlainCounts(Counter(), Counter(), 0, len(test_premises), 0)
    shared: set[bytes] = set()
    with atomic_writer(out / NLI_DEV) as write_dev, atomic_writer(out / NLI_TRAIN) as write_train:
        for pair, set_ in plain:
            if not set_:
                counts.left_out += 1
                continue
            (write_dev if set_ == "dev" else write_train)(f"{to_json(pair_line(pair))}\n")
            (counts.dev if set_ == "dev" else counts.train)[pair.label] += 1
            if set_ == "train" and (premise := text_key(pair.premise)) in test_premises:
                shared.add(premise)
    counts.shared_premises = len(shared)
    return counts


def _suite(test: Sequence[DiagnosticPair], metadata: Mapping[str, Any], corpus: Sequence[Mapping[str, Any]]) -> Suite:
    items = [entry.to_item() for entry in test]
    source = ", ".join(str(source["name"]) for source in corpus)
    return Suite(metadata["name"], KIND, items, hashlib.sha256().hexdigest(), "1", source, metadata["licence"])


def _counts(sets: DiagnosticSets, category: str) -> dict[str, Any]:
    """Return the numbers of Table 1."""
    return {
        "train": _by_source(sets.train[category]),
        "test": _by_source(sets.test_of(category)),
        "undersampled": _by_source(sets.undersampled[category]),
    }


def _by_source(pairs: Sequence[DiagnosticPair]) -> dict[str, Any]:
    counts = _by_label(Counter(entry.pair.label for entry in pairs))
    n_augmented = sum(bool(entry.source) for entry in pairs)
    return {"pairs": counts["pairs"], "augmented": n_augmented, "labels": counts["labels"]}


def _by_label(counts: Mapping[str, int]) -> dict[str, Any]:
    return {"pairs": sum(counts.values()), "labels": {label: counts.get(label, 0) for label in LABELS}}


def _leakage_of(sets: DiagnosticSets, category: str) -> dict[str, Any]:
    """Return the leakage between the test set of a category and its own train set, or all train sets."""
    test = [entry.pair for entry in sets.test_of(category)]
    own_train = leakage((entry.pair for entry in sets.train[category]), test)
    all_train = leakage((entry.pair for pairs in sets.train.values() for entry in pairs), test)
    return {"category": category, "own_train": own_train.to_dict(), "all_train": all_train.to_dict()}


def _warnings(sets: DiagnosticSets, nli: _PlainCounts) -> list[str]:
    warnings = []
    for category in CATEGORIES:
        if not sets.train[category] and not sets.test_of(category):
            warnings.append(f"{category}: no pair has this category, its sets are empty")
        elif not sets.train[category] or not sets.test_of(category):
            side = "test" if sets.train[category] else "train"
            warnings.append(f"{category}: has too few pairs, its {side} set is empty")
        elif len(sets.undersampled[category]) < sets.size:
            warnings.append(
                f"{category}: {len(sets.undersampled[category]):,} pairs, fewer than undersample={sets.size}"
            )
    if not nli.train:
        which = "NLI_train is empty" if nli.dev else "NLI_train and NLI_dev are empty"
        warnings.append(f"no pair without negation is left: {which}")
    return warnings


def _remove_suite(folder: Path) -> None:
    with writing_to(folder):
        for name in ("suite.json", "items.jsonl"):
            (folder / name).unlink(missing_ok=True)
        with suppress(OSError):  # it does not exist or is not empty
            folder.rmdir()
