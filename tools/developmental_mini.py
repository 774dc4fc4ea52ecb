"""Build developmental-mini from written pairs, a second annotation, and the categories of the classifier.

python tools/developmental_mini.py

The pairs are in src/litotes/suites/builtin/developmental-mini/pairs.jsonl, with the label of their writer and an
independent label of a second annotator. A pair is included if both agree and the classifier detects the category on
the declared side; the other pairs are printed.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from litotes.core.files import read_json_lines
from litotes.languages.en.developmental.classify import classify_texts
from litotes.suites.base import Item, Suite
from litotes.suites.folder import save_folder
from litotes.suites.nli import KIND

FOLDER = Path(__file__).resolve().parent.parent / "src" / "litotes" / "suites" / "builtin" / "developmental-mini"
NAME, VERSION, SOURCE, LICENCE = "developmental-mini", "1", "written for Litotes", "Apache-2.0"


def main() -> None:
    rows = [row for _, row in read_json_lines(FOLDER / "pairs.jsonl")]
    carriers = [row[row["side"]] for row in rows]
    strict, wide = (classify_texts(carriers, rules) for rules in ("paper", "litotes"))
    items = []
    for row, by_paper, by_litotes in zip(rows, strict, wide, strict=True):
        if row["label"] != row["second"]:
            print(f"{row['id']}: read as {row['second']}, written as {row['label']}")
        elif row["category"] not in by_litotes:
            result = ", ".join(by_litotes) or "nothing"
            print(f"{row['id']}: {row['category']} is not found in “{row[row['side']]}”, but {result}")
        else:
            items.append(_item(row, "paper" if row["category"] in by_paper else "litotes"))
    save_folder(Suite(NAME, KIND, items, sha256="", version=VERSION, source=SOURCE, licence=LICENCE), FOLDER)
    counts = Counter((item.tags["categories"], item.tags["label"]) for item in items)
    for category in dict.fromkeys(category for category, _ in counts):
        print(category, {label: count for (one, label), count in counts.items() if one == category})


def _item(row: dict[str, Any], rules: str) -> Item:
    return Item(
        id=row["id"],
        group=row["set"],
        sentences={"premise": row["premise"], "hypothesis": row["hypothesis"]},
        tags={
            "label": row["label"],
            "categories": row["category"],
            f"{row['side']}_categories": row["category"],
            "side": row["side"],
            "rules": rules,
        },
    )


if __name__ == "__main__":
    main()
