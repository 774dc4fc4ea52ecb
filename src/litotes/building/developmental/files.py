"""The developmental corpus on disk: train sets, the test suite, NLI without negation, and the account of it all."""

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
from litotes.building.developmental.leakage import leakage
from litotes.building.developmental.pairs import text_key
from litotes.building.pipeline.settings import versions
from litotes.core.files import atomic_writer, cannot_write, to_json, write_atomic
from litotes.corpora.nli import LABELS, NliPair
from litotes.languages.negation_categories import CATEGORIES, CODES
from litotes.suites.base import Item, Suite
from litotes.suites.folder import save_folder
from litotes.suites.nli import KIND

_CUT = 72


def statistics_page(statistics: Mapping[str, Any]) -> str:
    """The page in Markdown."""
    return "\n".join(_lines(statistics)) + "\n"


def _lines(statistics: Mapping[str, Any]) -> Iterator[str]:
    options, counts = statistics["options"], statistics["counts"]
    yield f"# {statistics['name']}"
    yield ""
    yield "Diagnostic sets for seven categories of negation, after Laverghetta and Licato (2022)."
    yield ""
    yield "## Pairs (the paper's Table 1)"
    yield ""
    yield "Train and test count augmented pairs too; how many of them are is told apart."
    yield ""
    yield from _table(
        (
            "category",
            "train",
            "augmented",
            "test",
            "augmented",
            *(f"{side} {label}" for side in ("train", "test") for label in LABELS),
            "undersampled",
        ),
        [_row(category, statistics["categories"][category]) for category in CODES],
    )
    yield ""
    yield from _table(
        ("set", "pairs", *LABELS),
        [
            (name, _number(statistics[key]["pairs"]), *(_number(statistics[key]["labels"][label]) for label in LABELS))
            for name, key in (("NLI_train", "nli_train"), ("NLI_dev", "nli_dev"))
        ],
    )
    yield ""
    yield "## Examples (the paper's Table 2)"
    yield ""
    yield from _table(
        ("category", "premise", "hypothesis", "label"),
        [
            (CODES[category], _cut(one["premise"]), _cut(one["hypothesis"]), one["label"])
            for category, one in statistics["examples"].items()
        ],
    )
    yield ""
    yield "## Leakage"
    yield ""
    yield "Test pairs, and different test premises, that stand in train too; texts are compared without case,"
    yield "blanks and punctuation."
    yield ""
    yield from _table(
        ("category", "test pairs", "in its train", "in any train", "test premises", "in its train", "in any train"),
        [
            (
                one["category"],
                _number(one["own_train"]["test"]),
                _number(one["own_train"]["pairs"]),
                _number(one["all_train"]["pairs"]),
                _number(one["own_train"]["premises"]),
                _number(one["own_train"]["premises_in_train"]),
                _number(one["all_train"]["premises_in_train"]),
            )
            for one in statistics["leakage"]["ours"]
        ],
    )
    plain = statistics["leakage"]["nli_train"]
    yield ""
    yield (
        f"Of {plain['test_premises']:,} test premises {plain['test_premises_in_train']:,} are a premise in NLI_train "
        "too, with another hypothesis that has no negation."
    )
    if "given" in statistics["leakage"]:
        yield ""
        yield "Between the files as they were given (every ordered pair that shares a premise):"
        yield ""
        yield from _table(
            ("train", "test", "test pairs", "in train", "with another label", "test premises", "in train"),
            [
                (
                    one["train_file"],
                    one["test_file"],
                    *(_number(one[name]) for name in ("test", "pairs", "relabelled", "premises", "premises_in_train")),
                )
                for one in statistics["leakage"]["given"]
            ],
        )
    yield ""
    yield "## How it was made"
    yield ""
    yield from _table(
        ("setting", "value"),
        [(name, str(value)) for name, value in options.items()] + [("seed", str(statistics["seed"]))],
    )
    yield ""
    yield from _table(
        ("pairs", "number"),
        [(name.replace("_", " "), _number(value)) for name, value in counts.items() if isinstance(value, int)]
        + [
            (f"augmentation: {name.replace('_', ' ')}", _number(value))
            for name, value in statistics["augmentation"].items()
            if isinstance(value, int)
        ],
    )
    yield ""
    yield from _table(("file", "sha256"), [(str(one["name"]), str(one["sha256"])) for one in statistics["corpus"]])
    yield ""
    yield "Versions: " + ", ".join(f"{name} {number}" for name, number in statistics["versions"].items())


def _row(category: str, account: Mapping[str, Any]) -> tuple[str, ...]:
    train, test = account["train"], account["test"]
    return (
        f"{category} ({CODES[category]})",
        _number(train["pairs"]),
        _number(train["augmented"]),
        _number(test["pairs"]),
        _number(test["augmented"]),
        *(_number(side["labels"][label]) for side in (train, test) for label in LABELS),
        _number(account["undersampled"]["pairs"]),
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def _number(value: int) -> str:
    return f"{value:,}"


def _cut(text: str) -> str:
    """The text on one line.

    >>> _cut("word " * 20)
    'word word word word word word word word word word word word word word…'
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= _CUT else f"{flat[:_CUT].rsplit(' ', 1)[0]}…"


class Diagnostic(NamedTuple):
    """A pair of a diagnostic set."""

    pair: NliPair
    premise: tuple[str, ...] | None = None
    """The categories of the premise alone; None where nobody knows which side has them."""
    hypothesis: tuple[str, ...] | None = None
    group: str = ""
    """Pairs of one group are not independent: they share a premise, or were made from those that do."""
    source: str = ""
    """The id of the pair that it was made from; "" for one that was found."""

    @classmethod
    def from_line(cls, line: Mapping[str, Any]) -> Diagnostic:
        """From a line of labelled pairs."""
        categories = tuple(category for category in CATEGORIES if line[category])
        pair = NliPair(line["id"], line["premise"], line["hypothesis"], line["label"], categories)
        told = (line.get(f"{side}_categories") for side in KIND.roles)
        premise, hypothesis = (None if one is None else tuple(one) for one in told)
        return cls(pair, premise, hypothesis)

    def sides(self) -> dict[str, tuple[str, ...]]:
        """The categories of each side, where they are known."""
        found = {"premise_categories": self.premise, "hypothesis_categories": self.hypothesis}
        return {name: one for name, one in found.items() if one is not None}

    def to_line(self) -> str:
        """As train sets have it."""
        more: dict[str, Any] = {name: list(one) for name, one in self.sides().items()}
        if self.source:
            more["augmented_from"] = self.source
        return f"{to_json(pair_line(self.pair, **more))}\n"

    def to_item(self) -> Item:
        """As the test suite has it."""
        tags = {"label": self.pair.label, "categories": " ".join(self.pair.categories or ())}
        tags.update({name: " ".join(one) for name, one in self.sides().items()})
        if self.source:
            tags["augmented_from"] = self.source
        sentences = {"premise": self.pair.premise, "hypothesis": self.pair.hypothesis}
        return Item(self.pair.id, self.group, sentences, tags)


@dataclass(frozen=True)
class Sets:
    """The diagnostic sets."""

    train: Mapping[str, Sequence[Diagnostic]]
    undersampled: Mapping[str, Sequence[Diagnostic]]
    test: Sequence[Diagnostic]
    size: int
    """Of an undersampled set."""
    examples: Mapping[str, NliPair]

    def test_of(self, category: str) -> list[Diagnostic]:
        """The test set of one category."""
        return [one for one in self.test if category in (one.pair.categories or ())]


def write_corpus(
    out: Path,
    sets: Sets,
    *,
    plain: Iterable[tuple[NliPair, Literal["train", "dev", ""]]],
    about: Mapping[str, Any],
    corpus: Sequence[Mapping[str, Any]],
    counts: Mapping[str, Any],
    augmentation: Mapping[str, Any],
    given: Sequence[Mapping[str, Any]] = (),
) -> tuple[dict[str, Any], list[str]]:
    """Write the corpus; gives its statistics and what people should be warned of.

    The statistics are taken away first and written last: a folder that has them is whole.
    """
    with _told(out):
        (out / STATISTICS).unlink(missing_ok=True)
    for category in CATEGORIES:
        for is_less, some in ((False, sets.train[category]), (True, sets.undersampled[category])):
            write_atomic(out / train_file(category, undersampled=is_less), "".join(one.to_line() for one in some))
    suite = _suite(sets.test, about, corpus)
    if suite.items:
        save_folder(suite, out / TEST, seed=about["seed"], builder={"name": "developmental", **about["options"]})
    else:
        _remove_suite(out / TEST)
    nli = _write_plain(out, plain, {text_key(one.pair.premise) for one in sets.test})
    statistics = {
        **{name: about[name] for name in ("name", "licence", "options", "format", "columns", "seed")},
        "corpus": [{name: value for name, value in one.items() if name != "licence"} for one in corpus],
        "versions": versions(),
        "counts": {**counts, "plain_left_out_for_dev": nli.left_out},
        "categories": {category: _account(sets, category) for category in CATEGORIES},
        "test": {"pairs": len(sets.test), "groups": suite.groups()},
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
            **({"given": list(given)} if given else {}),
        },
    }
    write_atomic(out / STATISTICS_PAGE, statistics_page(statistics))
    write_atomic(out / STATISTICS, to_json(statistics, indent=2) + "\n")
    return statistics, _warnings(sets, nli)


@dataclass
class _Plain:
    """What was written of the pairs without negation."""

    train: Counter[str]
    dev: Counter[str]
    left_out: int
    test_premises: int
    shared_premises: int


def _write_plain(out: Path, plain: Iterable[tuple[NliPair, Literal["train", "dev", ""]]], tested: set[bytes]) -> _Plain:
    found = _Plain(Counter(), Counter(), 0, len(tested), 0)
    shared: set[bytes] = set()
    with atomic_writer(out / NLI_DEV) as write_dev, atomic_writer(out / NLI_TRAIN) as write_train:
        for pair, where in plain:
            if not where:
                found.left_out += 1
                continue
            (write_dev if where == "dev" else write_train)(f"{to_json(pair_line(pair))}\n")
            (found.dev if where == "dev" else found.train)[pair.label] += 1
            if where == "train" and (premise := text_key(pair.premise)) in tested:
                shared.add(premise)
    found.shared_premises = len(shared)
    return found


def _suite(test: Sequence[Diagnostic], about: Mapping[str, Any], corpus: Sequence[Mapping[str, Any]]) -> Suite:
    items = [one.to_item() for one in test]
    source = ", ".join(str(one["name"]) for one in corpus)
    return Suite(about["name"], KIND, items, hashlib.sha256().hexdigest(), "1", source, about["licence"])


def _account(sets: Sets, category: str) -> dict[str, Any]:
    """The row of Table 1."""
    return {
        "train": _by_source(sets.train[category]),
        "test": _by_source(sets.test_of(category)),
        "undersampled": _by_source(sets.undersampled[category]),
    }


def _by_source(some: Sequence[Diagnostic]) -> dict[str, Any]:
    found = _by_label(Counter(one.pair.label for one in some))
    return {"pairs": found["pairs"], "augmented": sum(bool(one.source) for one in some), "labels": found["labels"]}


def _by_label(counts: Mapping[str, int]) -> dict[str, Any]:
    return {"pairs": sum(counts.values()), "labels": {label: counts.get(label, 0) for label in LABELS}}


def _leakage_of(sets: Sets, category: str) -> dict[str, Any]:
    """Of a category's test set, what stands in its train set, and what in the train set of any category."""
    test = [one.pair for one in sets.test_of(category)]
    own = leakage((one.pair for one in sets.train[category]), test)
    everything = leakage((one.pair for some in sets.train.values() for one in some), test)
    return {"category": category, "own_train": own.to_dict(), "all_train": everything.to_dict()}


def _warnings(sets: Sets, nli: _Plain) -> list[str]:
    found = []
    for category in CATEGORIES:
        if not sets.train[category] and not sets.test_of(category):
            found.append(f"{category}: no pair has it, its sets are empty")
        elif not sets.train[category] or not sets.test_of(category):
            side = "test" if sets.train[category] else "train"
            found.append(f"{category}: has too few pairs, its {side} set is empty")
        elif len(sets.undersampled[category]) < sets.size:
            found.append(f"{category}: {len(sets.undersampled[category]):,} pairs, fewer than undersample={sets.size}")
    if not nli.train:
        found.append(
            "no pair without negation is left: NLI_train is empty" + ("" if nli.dev else ", and so is NLI_dev")
        )
    return found


def _remove_suite(folder: Path) -> None:
    with _told(folder):
        for name in ("suite.json", "items.jsonl"):
            (folder / name).unlink(missing_ok=True)
        with suppress(OSError):  # it is not there, or holds something else
            folder.rmdir()


class _told:
    """What goes wrong with the disk, as one line for people."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise cannot_write(self._path, error) from error
