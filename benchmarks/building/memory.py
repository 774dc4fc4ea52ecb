"""The peak memory of a build by size of the corpus; it should not grow.

python benchmarks/building/memory.py [LINES …]      (3,000 30,000 300,000 if none is given)
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

SIZES = (3_000, 30_000, 300_000)
NEGATED = 25
"""One of this many lines is negated; the others are dropped before the parser."""

_CHILD = """
import json, resource, sys
import litotes
built = litotes.build_suite("semantoneg", sys.argv[1], sys.argv[2])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"read": built.read, "items": built.items[""], "peak": peak}))
"""


def lines(count: int) -> Iterator[str]:
    """Yield sentences with unique words, so that any cache of words or sentences would grow."""
    draw = random.Random(11)
    for number in range(count):
        name, place = ("".join(draw.choices("abcdefghijklmnoprstuvw", k=7)).capitalize() for _ in range(2))
        if number % NEGATED:
            yield f"{name} walked to {place} on a bright morning in June."
        else:
            word = draw.choice(("hot", "open", "dark", "wet", "wide", "deep", "clean"))
            yield f"The kitchen of {name} in {place} is not {word}."


def measure(count: int) -> dict[str, float]:
    """Build a suite in a new process; return the numbers of lines and items and the peak memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "lines.txt"
        with corpus.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines(count))
        words = [sys.executable, "-c", _CHILD, str(corpus), str(Path(folder) / "suite")]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    document: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return document


def main() -> None:
    sizes = [int(word.replace(",", "")) for word in sys.argv[1:]] or SIZES
    print("   lines     items       peak   against the first")
    first = 0.0
    for size in sizes:
        result = measure(size)
        first = first or result["peak"]
        print(f"{result['read']:>8,} {result['items']:>9,} {result['peak']:>7.0f} MB {result['peak'] / first:>12.2f}")


if __name__ == "__main__":
    main()
