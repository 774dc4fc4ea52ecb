"""Makes the built-in suite semantoneg-mini from the sentences in semantoneg_mini.tsv.

Run it from the project: python tools/build_semantoneg_mini.py
"""

from __future__ import annotations

import csv
from pathlib import Path

from litotes.suites.base import Item, Suite
from litotes.suites.folder import save_folder
from litotes.suites.semantoneg import KIND, differing_words, permuted

HERE = Path(__file__).parent
TARGET = HERE.parent / "src/litotes/suites/builtin/semantoneg-mini"


def items() -> list[Item]:
    found: list[Item] = []
    with (HERE / "semantoneg_mini.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            quadruple = [row[key] for key in ("positive", "antonym_positive", "negated", "negated_antonym")]
            for sentences in permuted(quadruple):
                word, antonym = differing_words(sentences["input"], sentences["antonym"])
                if {word, antonym} != {row["word"], row["antonym"]}:
                    raise SystemExit(f"the sentences do not differ in {row['word']}/{row['antonym']}: {quadruple}")
                found.append(
                    Item(
                        id=f"mini-{len(found):04d}",
                        group="/".join(sorted((word, antonym))),
                        sentences=sentences,
                        tags={"word": word, "antonym": antonym, "register": row["register"]},
                    )
                )
    return found


def main() -> None:
    suite = Suite(
        name="semantoneg-mini",
        kind=KIND,
        items=items(),
        sha256="",  # save_folder writes the right one
        version="1",
        source="written for Litotes",
        licence="Apache-2.0",
    )
    save_folder(suite, TARGET)
    print(f"{len(suite.items)} items, {suite.groups()} antonym pairs → {TARGET.relative_to(HERE.parent)}")


if __name__ == "__main__":
    main()
