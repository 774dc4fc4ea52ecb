"""The peak memory of a command by size of the corpus; it should not grow.

python benchmarks/building/memory.py [COMMAND] [LINES …]      (build 3,000 30,000 300,000 if none is given)

COMMAND is build, or rewrite or classify, which read Parquet and write Parquet.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

SIZES = (3_000, 30_000, 300_000)
NEGATED = 25
"""One of this many lines is negated; the others are dropped before the parser."""

PART_ROWS = 1_000
"""Rows of an output file, so that even the smallest corpus has several."""

_BUILD = """
import litotes
built = litotes.build_suite("semantoneg", corpus, out)
counts = {"read": built.read, "items": built.items[""]}
"""
_CLASSIFY = f"""
from litotes.building.developmental.classify import classify_nli
from litotes.corpora.settings import ParquetSettings
done = classify_nli(corpus, out, parquet=ParquetSettings(part_rows={PART_ROWS}))
counts = {{"read": done.pairs, "items": done.negated}}
"""
_REWRITE = f"""
import json
from litotes.cli.main import main
words = ["litotes", "rewrite", "negation", "--from", corpus, "--column", "premise", "--out", out]
sys.argv[:] = [*words, "--part-rows", "{PART_ROWS}"]
try:
    main()
except SystemExit as end:
    assert not end.code
rows = json.loads(open(out + "/_manifest.json").read())["rows"]
counts = {{"read": rows, "items": rows}}
"""
_CHILDREN = {"build": _BUILD, "classify": _CLASSIFY, "rewrite": _REWRITE}
_CHILD = """
import json, resource, sys
corpus, out = sys.argv[1:]
{command}
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({{**counts, "peak": peak}}))
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


def write_corpus(command: str, count: int, folder: Path) -> Path:
    """Write the corpus of a command: a text, or pairs in Parquet."""
    if command == "build":
        path = folder / "lines.txt"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines(count))
        return path
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    path = folder / "pairs.parquet"
    texts = lines(count)
    columns = {name: pyarrow.string() for name in ("premise", "hypothesis", "label")}
    with ParquetWriter(path, pyarrow.schema(columns)) as writer:
        while rows := [
            {"premise": text, "hypothesis": "There is no cat.", "label": "neutral"} for text in islice(texts, PART_ROWS)
        ]:
            writer.write_table(pyarrow.Table.from_pylist(rows, schema=writer.schema))
    return path


def measure(count: int, command: str = "build") -> dict[str, float]:
    """Run a command in a new process; return the numbers of lines and items and the peak memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = write_corpus(command, count, Path(folder))
        out = Path(folder) / ("suite" if command == "build" else "out.parquet")
        words = [sys.executable, "-c", _CHILD.format(command=_CHILDREN[command]), str(corpus), str(out)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    document: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return document


def main() -> None:
    words = sys.argv[1:]
    command = words.pop(0) if words and words[0] in _CHILDREN else "build"
    sizes = [int(word.replace(",", "")) for word in words] or SIZES
    print("   lines     items       peak   against the first")
    first = 0.0
    for size in sizes:
        result = measure(size, command)
        first = first or result["peak"]
        print(f"{result['read']:>8,} {result['items']:>9,} {result['peak']:>7.0f} MB {result['peak'] / first:>12.2f}")


if __name__ == "__main__":
    main()
