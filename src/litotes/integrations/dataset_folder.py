"""Suites as dataset folders that the `datasets` library and the hub can read: a table of the items and a card.

The folder also contains the suite itself, so that `litotes run` can use it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.core.errors import UsageError
from litotes.core.escaping import markdown_table, markdown_text
from litotes.core.files import to_json, write_together
from litotes.suites.base import Suite, pair_name
from litotes.suites.folder import save_folder
from litotes.suites.loading import load_suite

if TYPE_CHECKING:
    from collections.abc import Sequence


_IDS = frozenset(
    """afl-3.0 apache-2.0 bsd-2-clause bsd-3-clause cc0-1.0 cc-by-2.0 cc-by-2.5 cc-by-3.0 cc-by-4.0 cc-by-sa-3.0
    cc-by-sa-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0
    cc-by-nd-4.0 gpl-2.0 gpl-3.0 lgpl-3.0 mit mpl-2.0 odbl odc-by pddl unlicense""".split()
)
"""The ids that are usual for data."""


def hub_licence(licence: str) -> str:
    """Return the hub's id of a licence: "other" if it has none, "unknown" if the licence is not stated.

    >>> [hub_licence(text) for text in ("CC BY 4.0", "Apache-2.0", "as SNLI and MultiNLI", "")]
    ['cc-by-4.0', 'apache-2.0', 'other', 'unknown']
    """
    if not licence.strip():
        return "unknown"
    name = "-".join(licence.lower().split())
    return name if name in _IDS else "other"


_TABLE, _CARD = "test.jsonl", "README.md"
_FILES = frozenset({_TABLE, _CARD, "suite.json", "items.jsonl"})


def write_dataset(suite: Suite | str, folder: Path) -> Path:
    """Write a suite as a dataset folder with one row per item, and return the folder.

    `datasets.load_dataset(folder)` can read it, and so can `litotes run MODEL --suite FOLDER`. A folder that contains
    other files is refused.
    """
    chosen = load_suite(suite) if isinstance(suite, str) else suite
    if folder.exists() and {path.name for path in folder.iterdir()} - _FILES:
        raise UsageError("L102", f"{folder}: contains other files", hint="use an empty folder")
    rows = "".join(to_json(row) + "\n" for row in dataset_rows(chosen))
    save_folder(chosen, folder, made_from=chosen.sha256)
    write_together({folder / _TABLE: rows, folder / _CARD: dataset_card(chosen)})
    return folder


def dataset_rows(suite: Suite) -> Iterator[dict[str, str]]:
    """Yield one row per item: id, group, one column per role and one per tag; all rows have the same columns."""
    tags = _tags(suite)
    for item in suite.items:
        yield {
            "id": item.id,
            "group": item.group,
            **{role: item.sentences.get(role, "") for role in suite.kind.roles},
            **{column: item.tags.get(tag, "") for tag, column in tags.items()},
        }


def _tags(suite: Suite) -> dict[str, str]:
    """Return the column of each tag; a tag with the name of another column gets a prefix."""
    reserved = {"id", "group", *suite.kind.roles}
    names = dict.fromkeys(tag for item in suite.items for tag in item.tags)
    return {tag: f"tag_{tag}" if tag in reserved else tag for tag in names}


def dataset_card(suite: Suite) -> str:
    """Return the dataset card: metadata for the hub, then a description."""
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
    facts = {
        "items": f"{len(suite.items):,}, in {suite.count_groups():,} groups ({suite.kind.group_word})",
        "kind": suite.kind.name,
        "version": suite.version or "none",
        "source": suite.source or "not stated",
        "licence": suite.licence or "not stated",
        "sha256": suite.sha256,
    }
    passed = "An item is passed if the model assigns the highest probability to its label."
    if right is not None:
        others = ", ".join(pair_name(pair) for name, pair in criterion.options.items() if name != criterion.right)
        passed = f"An item is passed if `{pair_name(right)}` is more similar than each of: {others}."
    return "\n".join(
        [
            "---",
            *_front_matter(head),
            "---",
            "",
            f"# {markdown_text(suite.name)}",
            "",
            markdown_table(["", ""], facts.items(), align="---"),
            "",
            f"Columns: `id`, `group` and one sentence per role: {', '.join(suite.kind.roles)}. {passed} Items of "
            "one group are not independent: compute confidence intervals over groups.",
            "",
            "Written by Litotes, which evaluates models on it: `litotes run MODEL --suite FOLDER`, with the folder of "
            "this file. It reads `suite.json` and `items.jsonl`, which contain the same items.",
            "",
        ]
    )


def _size(items: int) -> str:
    """Return the size category of the hub."""
    limits = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
    return next((category for limit, category in limits.items() if items < limit), "n>1M")


def _front_matter(head: Mapping[str, Any]) -> Sequence[str]:
    """Return YAML with one line per key; the values are JSON, which is valid YAML."""
    return [f"{key}: {to_json(value)}" for key, value in head.items()]
