"""How good what the builders make is: the verdicts of random samples, read one by one.

python benchmarks/building/judged.py

The files hold where a sentence stands in its corpus and what was said of it, not the sentence itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent


class Rate(NamedTuple):
    """How many of a kind were good."""

    builder: str
    kind: str
    good: int
    read: int


def rates() -> Iterator[Rate]:
    """The shares of each file, by kind."""
    for path in sorted(HERE.glob("judged_*.tsv")):
        rows = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
        where = next(place for place, cell in enumerate(rows[1]) if cell in {"good", "bad"})
        of = next((place for place, name in enumerate(rows[0]) if name in {"kind", "set"}), None)
        good: Counter[str] = Counter()
        read: Counter[str] = Counter()
        for row in rows[1:]:
            kind = row[of] if of is not None else "quadruple"
            read[kind] += 1
            good[kind] += row[where] == "good"
        for kind, count in read.items():
            yield Rate(path.stem.removeprefix("judged_"), kind, good[kind], count)


def main() -> None:
    for rate in rates():
        print(f"{rate.builder:<12} {rate.kind:<24} {rate.good:>4} of {rate.read:>4} good  {rate.good / rate.read:6.1%}")


if __name__ == "__main__":
    main()
