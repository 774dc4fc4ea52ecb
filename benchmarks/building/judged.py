"""The quality of the builders' output, from the verdicts on random samples.

python benchmarks/building/judged.py

The files contain the position of each sentence in its corpus and its verdict, but not the sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent


class Rate(NamedTuple):
    """Number of good candidates of a kind."""

    builder: str
    kind: str
    good: int
    read: int


def rates() -> Iterator[Rate]:
    """Yield the number of good candidates of each file by kind."""
    for path in sorted(HERE.glob("judged_*.tsv")):
        rows = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
        where = next(index for index, cell in enumerate(rows[1]) if cell in {"good", "bad"})
        of = next((index for index, name in enumerate(rows[0]) if name in {"kind", "set"}), None)
        good: Counter[str] = Counter()
        read: Counter[str] = Counter()
        for row in rows[1:]:
            kind = row[of] if of is not None else "quadruple"
            read[kind] += 1
            good[kind] += row[where] == "good"
        for kind, count in read.items():
            yield Rate(path.stem.removeprefix("judged_"), kind, good[kind], count)


def by_threshold() -> Iterator[tuple[float, float, float]]:
    """Yield thresholds of --min-naturalness with the share of quadruples above and of good ones among them."""
    lines = (HERE / "judged_semantoneg.tsv").read_text("utf-8").splitlines()[1:]
    rows = [(float(number), verdict == "good") for _, verdict, _, number in (line.split("\t") for line in lines)]
    for least in (-2.0, -1.5, -1.0, -0.75, -0.5):
        accepted = [good for number, good in rows if number >= least]
        yield least, len(accepted) / len(rows), sum(accepted) / len(accepted)


def main() -> None:
    for rate in rates():
        print(f"{rate.builder:<16} {rate.kind:<24} {rate.good:>4} of {rate.read:>4} good  {rate.good / rate.read:6.1%}")
    print("\nquadruples with --min-naturalness")
    for least, accepted, good in by_threshold():
        print(f"{least:>6}  {accepted:4.0%} selected, {good:6.1%} good")


if __name__ == "__main__":
    main()
