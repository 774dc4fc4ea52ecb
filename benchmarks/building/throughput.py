"""How much faster a build is that filters by text before it parses, with the same items; and sentences a second.

python benchmarks/building/throughput.py [CORPUS] [--lines N] [--builder NAME]
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import time
from pathlib import Path

from litotes.building.pipeline.engine import Built, build
from litotes.building.pipeline.settings import Plan

TATOEBA = Path(__file__).resolve().parents[3] / "shared/data/tatoeba/english.txt"


def timed(plan: Plan, out: Path, *, prefilter: bool) -> tuple[float, Built]:
    start = time.process_time()  # of this process alone: others may be at work
    built = build(plan, out, prefilter=prefilter)
    return time.process_time() - start, built


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("corpus", nargs="?", type=Path, default=TATOEBA)
    options.add_argument("--lines", type=int, default=20_000)
    options.add_argument("--builder", default="semantoneg")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / "part.txt"
        with given.corpus.open(encoding="utf-8") as file:
            part.write_text("".join(itertools.islice(file, given.lines)), "utf-8")
        # What is loaded once, the parser and the tables of words, is loaded before the clock starts.
        build(Plan(given.builder, ("builtin",)), Path(folder) / "first")
        plan = Plan(given.builder, (str(part),))
        seconds: dict[bool, float] = {}
        contents: dict[bool, list[bytes]] = {}
        for prefilter in (True, False):
            out = Path(folder) / str(prefilter)
            seconds[prefilter], built = timed(plan, out, prefilter=prefilter)
            contents[prefilter] = [path.read_bytes() for path in sorted(out.rglob("*.jsonl"))]
            how = "filtered by text first" if prefilter else "everything parsed"
            speed = built.read / seconds[prefilter]
            print(
                f"{how:<24} {built.read:>8,} lines {sum(built.items.values()):>7,} items "
                f"{seconds[prefilter]:>7.1f} s of CPU {speed:>8,.0f} lines/s"
            )
    same = "the same items" if contents[True] == contents[False] else "OTHER ITEMS"
    print(f"{seconds[False] / seconds[True]:.1f} times as fast, {same}")


if __name__ == "__main__":
    main()
