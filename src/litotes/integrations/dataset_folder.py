"""A suite as a dataset folder that the `datasets` library and the hub read: a table of the items and a card.

The suite itself lies beside them, so that the folder can be run as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.core.errors import UsageError
from litotes.core.files import to_json, write_together
from litotes.integrations.licences import hub_licence
from litotes.suites.base import Suite, pair_name
from litotes.suites.folder import save_folder
from litotes.suites.loading import load_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

_TABLE, _CARD = "test.jsonl", "README.md"
_OWN = frozenset({_TABLE, _CARD, "suite.json", "items.jsonl"})


def write_dataset(suite: Suite | str, folder: Path) -> Path:
    """Write the suite as a dataset folder, a row an item; gives the folder.

    `datasets.load_dataset(folder)` reads it, and so does `litotes run MODEL --suite FOLDER`. A folder with other files
    in it is left alone.
    """
    chosen = load_suite(suite) if isinstance(suite, str) else suite
    if folder.exists() and {path.name for path in folder.iterdir()} - _OWN:
        raise UsageError("L102", f"{folder}: holds other files", hint="take an empty folder")
    rows = "".join(to_json(row) + "\n" for row in dataset_rows(chosen))
    save_folder(chosen, folder, made_from=chosen.sha256)
    write_together({folder / _TABLE: rows, folder / _CARD: dataset_card(chosen)})
    return folder


def dataset_rows(suite: Suite) -> Iterator[dict[str, str]]:
    """A row an item: its id and group, a column a role, a column a tag; every row has every column."""
    tags = _tags(suite)
    for item in suite.items:
        yield {
            "id": item.id,
            "group": item.group,
            **{role: item.sentences.get(role, "") for role in suite.kind.roles},
            **{column: item.tags.get(tag, "") for tag, column in tags.items()},
        }


def _tags(suite: Suite) -> dict[str, str]:
    """Each tag and its column; one that is called like another column has a prefix."""
    taken = {"id", "group", *suite.kind.roles}
    names = dict.fromkeys(tag for item in suite.items for tag in item.tags)
    return {tag: f"tag_{tag}" if tag in taken else tag for tag in names}


def dataset_card(suite: Suite) -> str:
    """The card: what the hub reads above, what people read below."""
    head = {
        "pretty_name": suite.name,
        "language": ["en"],
        "license": hub_licence(suite.licence),
        "task_categories": ["sentence-similarity"],
        "tags": ["negation", "minimal-pairs", "litotes"],
        "size_categories": [_size(len(suite.items))],
        "configs": [{"config_name": "default", "data_files": [{"split": "test", "path": _TABLE}]}],
    }
    if head["license"] == "other":
        head["license_name"] = suite.licence
    criterion = suite.kind.criterion
    right = criterion.options.get(criterion.right)
    told = {
        "items": f"{len(suite.items):,}, in {suite.count_groups():,} groups ({suite.kind.group_word})",
        "kind": suite.kind.name,
        "version": suite.version or "none",
        "source": suite.source or "not said",
        "licence": suite.licence or "not said",
        "sha256": suite.sha256,
    }
    lines = [f"| {name} | {value} |" for name, value in told.items()]
    passed = "An item is passed when the model gives its own label the highest probability."
    if right is not None:
        others = ", ".join(pair_name(pair) for name, pair in criterion.options.items() if name != criterion.right)
        passed = f"An item is passed when `{pair_name(right)}` is more alike than every one of: {others}."
    return "\n".join(
        [
            "---",
            *_front_matter(head),
            "---",
            "",
            f"# {suite.name}",
            "",
            "| | |",
            "|---|---|",
            *lines,
            "",
            f"Columns: `id`, `group` and a sentence under each role: {', '.join(suite.kind.roles)}. {passed} Items of "
            "one group are not independent: intervals should be drawn over groups.",
            "",
            "Made by Litotes, which runs models on it: `litotes run MODEL --suite FOLDER`, with the folder in which "
            "this file lies. It reads `suite.json` and `items.jsonl`, which hold the same items.",
            "",
        ]
    )


def _size(items: int) -> str:
    """The hub's words for how large a dataset is."""
    steps = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
    return next((word for most, word in steps.items() if items < most), "n>1M")


def _front_matter(head: Mapping[str, Any]) -> Sequence[str]:
    """JSON is YAML: a line a key, its value as JSON."""
    return [f"{key}: {to_json(value)}" for key, value in head.items()]
