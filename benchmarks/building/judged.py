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


def by_threshold() -> Iterator[tuple[float, float, float]]:
    """What --min-naturalness would leave of the quadruples: the threshold, the share kept, the share of good ones."""
    lines = (HERE / "judged_semantoneg.tsv").read_text("utf-8").splitlines()[1:]
    rows = [(float(number), verdict == "good") for _, verdict, _, number in (line.split("\t") for line in lines)]
    for least in (-2.0, -1.5, -1.0, -0.75, -0.5):
        kept = [good for number, good in rows if number >= least]
        yield least, len(kept) / len(rows), sum(kept) / len(kept)


def main() -> None:
    for rate in rates():
        print(f"{rate.builder:<12} {rate.kind:<24} {rate.good:>4} of {rate.read:>4} good  {rate.good / rate.read:6.1%}")
    print("\nquadruples with --min-naturalness")
    for least, kept, good in by_threshold():
        print(f"{least:>6}  {kept:4.0%} kept, {good:6.1%} good")


if __name__ == "__main__":
    main()
