"""The speed of `litotes classify` compared with parsing every sentence, agreement of the labels, and memory.

python benchmarks/developmental/classify_speed.py [NLI] [--rules NAME] [--sample N] [--pairs N N]

The baseline parses a random sample of the sentences of the corpus, with repetitions, and applies the rules to each of
them, with or without a marker; its time is extrapolated to the corpus. Times are CPU seconds of a single process
without loading the parser, so that other processes on the machine have little influence.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from litotes.building.developmental.classify import ClassifySettings, classify_nli
from litotes.corpora.nli import nli_records
from litotes.languages.en.developmental.classify import litotes_findings
from litotes.languages.en.developmental.paper_rules import paper_findings
from litotes.languages.en.negation import straighten
from litotes.languages.en.parser import parse, parse_all
from litotes.languages.negation_categories import CATEGORIES, RULESETS

SNLI = Path(__file__).resolve().parents[3] / "shared/data/snli/train_100k.jsonl.gz"
RULES = {"paper": paper_findings, "litotes": litotes_findings}
SEED = 5


def texts_of(corpus: Path) -> Iterator[str]:
    for record in nli_records([str(corpus)]):
        yield record.text
        yield record.second_text or ""


def first_pairs(corpus: Path, count: int, out: Path) -> None:
    with out.open("w", encoding="utf-8") as file:
        for record in islice(nli_records([str(corpus)]), count):
            pair = {"premise": record.text, "hypothesis": record.second_text, "label": record.label}
            file.write(json.dumps(pair) + "\n")


def fast(corpus: Path, out: Path, rules: Any) -> dict[str, float]:
    """Classify the corpus as the command does, in this process."""
    parse("The parser is loaded.")
    start = time.process_time()
    result = classify_nli(corpus, out, ClassifySettings(rules=rules))
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"pairs": result.pairs, "parsed": result.parsed, "seconds": seconds, "peak": peak}


def in_a_process(corpus: Path, out: Path, rules: str) -> dict[str, float]:
    words = [sys.executable, __file__, str(corpus), "--rules", rules, "--only", str(out)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    document: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return document


def slow(sample: list[str], rules: str) -> tuple[float, list[tuple[str, ...]]]:
    """Parse every sentence of the sample and return its categories, with or without markers."""
    parse("The parser is loaded.")
    start = time.process_time()
    result = []
    for doc in parse_all(map(straighten, sample)):
        named = {category for category, _ in RULES[rules](doc)} if doc.is_parsed else set()
        result.append(tuple(category for category in CATEGORIES if category in named))
    return time.process_time() - start, result


def labels_in(path: Path) -> dict[str, tuple[str, ...]]:
    result = {}
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            for side in ("premise", "hypothesis"):
                result[row[side]] = tuple(row[f"{side}_categories"])
    return result


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("corpus", nargs="?", type=Path, default=SNLI)
    options.add_argument("--rules", choices=RULESETS, default="litotes")
    options.add_argument("--sample", type=int, default=5_000)
    options.add_argument("--pairs", type=int, nargs=2, default=(10_000, 100_000))
    options.add_argument("--only", type=Path, help=argparse.SUPPRESS)
    arguments = options.parse_args()
    if arguments.only is not None:
        print(json.dumps(fast(arguments.corpus, arguments.only, arguments.rules)))
        return
    with tempfile.TemporaryDirectory() as folder:
        runs = []
        for count in arguments.pairs:
            part, out = Path(folder) / f"{count}.jsonl", Path(folder) / f"{count}.out.jsonl"
            first_pairs(arguments.corpus, count, part)
            runs.append(in_a_process(part, out, arguments.rules))
            print(
                f"classify  {runs[-1]['pairs']:>8,} pairs {runs[-1]['parsed']:>8,} sentences parsed "
                f"{runs[-1]['seconds']:>7.1f} s of CPU  peak {runs[-1]['peak']:>5.0f} MB"
            )
        everything = list(texts_of(part))
        sample = random.Random(SEED).sample(everything, min(arguments.sample, len(everything)))
        seconds, result = slow(sample, arguments.rules)
        labels = labels_in(out)
    seconds_for_all = seconds * len(everything) / len(sample)
    print(f"parse all {len(sample):>8,} of {len(everything):,} {seconds:>7.1f} s CPU, total {seconds_for_all:.0f} s")
    other = sum(labels[text] != categories for text, categories in zip(sample, result, strict=True))
    n_negated = sum(map(bool, result))
    print(f"labels of the sample: {other} of {len(sample):,} differ ({n_negated} sentences have a category)")
    faster, larger = seconds_for_all / runs[-1]["seconds"], runs[-1]["peak"] / runs[0]["peak"]
    print(f"{faster:.1f} times as fast; memory {larger:.2f} times as much")


if __name__ == "__main__":
    main()
