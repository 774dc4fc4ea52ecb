"""The statistics of a developmental corpus as a page: the paper's Table 1 and Table 2, and what leaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from litotes.corpora.nli import LABELS
from litotes.language.developmental.categories import SHORT

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
        [_row(category, statistics["categories"][category]) for category in SHORT],
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
            (SHORT[category], _cut(one["premise"]), _cut(one["hypothesis"]), one["label"])
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
        f"{category} ({SHORT[category]})",
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
