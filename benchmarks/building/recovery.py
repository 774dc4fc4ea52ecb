"""The share of SemAntoNeg's published quadruples that the builder recovers from their negated sentences.

python benchmarks/building/recovery.py [FILE] [--missing]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from litotes.building.api import build_suite
from litotes.building.pipeline.settings import BuildSettings
from litotes.suites.folder import load_folder
from litotes.suites.semantoneg import load_official

FILE = Path(__file__).resolve().parents[3] / "shared/data/semantoneg/SemAntoNeg_v1.0.json"
CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "antonyms=best": {"antonyms": "best"},
    "frames=all": {"frames": "all"},
    "frames=all antonyms=best": {"frames": "all", "antonyms": "best"},
}
Quadruple = frozenset[str]


class Recovery(NamedTuple):
    """What the builder makes from the negated sentences of the published quadruples."""

    recovered: set[Quadruple]
    n_built: int
    causes: dict[Quadruple, str]
    """Missing quadruple → the reason."""


def published(file: Path) -> tuple[set[Quadruple], list[str]]:
    """Return the different quadruples of the official file and its negated inputs."""
    items = load_official(file).items
    inputs = dict.fromkeys(item.sentences["input"] for item in items)
    negated = [text for text in inputs if " not " in text or "n't" in text]
    return {frozenset(item.sentences.values()) for item in items}, negated


def recover(quadruples: set[Quadruple], sentences: list[str], options: dict[str, Any]) -> Recovery:
    """Build a suite from sentences and compare it with the published quadruples."""
    with tempfile.TemporaryDirectory() as folder:
        corpus, skipped = Path(folder) / "inputs.txt", Path(folder) / "skipped.jsonl"
        corpus.write_text("".join(f"{sentence}\n" for sentence in sentences), "utf-8")
        build_suite("semantoneg", corpus, Path(folder) / "suite", BuildSettings(options=options), skipped=skipped)
        built = {frozenset(item.sentences.values()) for item in load_folder(Path(folder) / "suite").items}
        lines = [json.loads(line) for line in skipped.read_text("utf-8").splitlines()]
    codes = {line["text"]: line["code"] for line in lines if "text" in line}
    missing = quadruples - built
    negated = set(sentences)
    causes = {quadruple: _cause(quadruple, quadruple & negated, built, codes) for quadruple in missing}
    return Recovery(quadruples & built, len(built), causes)


def _cause(quadruple: Quadruple, negated: Quadruple, built: set[Quadruple], codes: dict[str, str]) -> str:
    if any(len(negated) == 2 and negated <= other for other in built):
        return "other wording"
    if any(len(quadruple & other) == 2 for other in built):
        return "other antonym"
    skips = sorted({codes[text] for text in quadruple if text in codes})
    return f"skipped: {', '.join(skips)}" if skips else "its sentences are not in this form"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--missing", action="store_true", help="print the missing quadruples of each configuration")
    arguments = parser.parse_args()
    quadruples, sentences = published(arguments.file)
    print(f"{len(quadruples)} published quadruples, {len(sentences):,} negated inputs")
    for name, options in CONFIGURATIONS.items():
        recovery = recover(quadruples, sentences, options)
        print(
            f"\n{name:<26} {len(recovery.recovered):4} of {len(quadruples)} recovered "
            f"{len(recovery.recovered) / len(quadruples):6.1%}   {recovery.n_built:5,} built"
        )
        for cause, count in Counter(recovery.causes.values()).most_common():
            print(f"  {count:4}  {cause}")
            if arguments.missing:
                for quadruple in sorted(sorted(missing) for missing, why in recovery.causes.items() if why == cause):
                    print(f"        {' | '.join(quadruple)}")


if __name__ == "__main__":
    main()
