"""The speed of a build, and how much of it comes from filtering by text before parsing.

python benchmarks/building/throughput.py [CORPUS] [--lines N] [--builder NAME]
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import time
from pathlib import Path

from litotes.building.api import BuildResult, build_suite
from litotes.building.pipeline.settings import BuildSettings

TATOEBA = Path(__file__).resolve().parents[3] / "shared/data/tatoeba/english.txt"


def timed(builder: str, corpus: Path, out: Path, *, prefilter: bool) -> tuple[float, BuildResult]:
    start = time.process_time()
    result = build_suite(builder, corpus, out, BuildSettings(prefilter=prefilter))
    return time.process_time() - start, result


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("corpus", nargs="?", type=Path, default=TATOEBA)
    options.add_argument("--lines", type=int, default=20_000)
    options.add_argument("--builder", default="semantoneg")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / "part.txt"
        with arguments.corpus.open(encoding="utf-8") as file:
            part.write_text("".join(itertools.islice(file, arguments.lines)), "utf-8")
        # Load the parser and the word tables before measuring.
        build_suite(arguments.builder, "builtin", Path(folder) / "first")
        seconds: dict[bool, float] = {}
        contents: dict[bool, list[bytes]] = {}
        for prefilter in (True, False):
            out = Path(folder) / str(prefilter)
            seconds[prefilter], result = timed(arguments.builder, part, out, prefilter=prefilter)
            contents[prefilter] = [path.read_bytes() for path in sorted(out.rglob("*.jsonl"))]
            how = "filtered by text first" if prefilter else "everything parsed"
            speed = result.read / seconds[prefilter]
            print(
                f"{how:<24} {result.read:>8,} lines {sum(result.items.values()):>7,} items "
                f"{seconds[prefilter]:>7.1f} s of CPU {speed:>8,.0f} lines/s"
            )
    same = "the same items" if contents[True] == contents[False] else "OTHER ITEMS"
    print(f"{seconds[False] / seconds[True]:.1f} times as fast, {same}")


if __name__ == "__main__":
    main()
