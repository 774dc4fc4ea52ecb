"""How often a rule gives exactly the sentence that SemAntoNeg's authors published.

python benchmarks/rewrites/semantoneg.py [--misses removing|adding|antonym|both]
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from typing import NamedTuple

from samples import DATA

from litotes.rewrites.apply import rewrite_all
from litotes.rewrites.base import Edits

FILE = DATA / "semantoneg" / "SemAntoNeg_v1.0.json"
_NEGATOR = re.compile(r"\bnot\b|n't\b|\bcannot\b", re.IGNORECASE)
_TAG = re.compile(r", \w+(?:n't)? (?:not )?(?:I|you|he|she|it|we|they|there)\?$", re.IGNORECASE)


class Pair(NamedTuple):
    """A published sentence and the published sentence that a rule should make of it."""

    source: str
    target: str


class Score(NamedTuple):
    """Exact hits among unique pairs."""

    pairs: int
    in_three: int
    in_all: int
    first: int
    ranks: Counter[int]
    misses: list[tuple[Pair, Edits]]


def published() -> dict[str, list[Pair]]:
    """The unique pairs of each operation."""
    found: dict[str, dict[Pair, None]] = {"removing": {}, "adding": {}, "antonym": {}, "both": {}}
    with FILE.open(encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            antonym, polarity, both = item["sentences"]
            source = item["input"]
            # Of a sentence and its polar twin, the one with more negators is the negated one.
            removing = _negators(source) > _negators(polarity)
            found["removing" if removing else "adding"][Pair(source, polarity)] = None
            found["antonym"][Pair(source, antonym)] = None
            found["both"][Pair(source, both)] = None
    return {name: list(pairs) for name, pairs in found.items()}


def _negators(text: str) -> int:
    # A question tag turns the other way round than its clause: "You're afraid, aren't you?"
    return len(_NEGATOR.findall(_TAG.sub("", text)))


RULES = {"removing": "negation", "adding": "negation_at", "antonym": "antonym", "both": "negated_antonym"}


def score(operation: str) -> Score:
    """A rule against the published pairs of an operation."""
    pairs = published()[operation]
    sources = list(dict.fromkeys(pair.source for pair in pairs))
    made = dict(zip(sources, rewrite_all(RULES[operation], sources), strict=True))
    ranks: Counter[int] = Counter()
    misses = []
    for pair in pairs:
        texts = [edit.text for edit in made[pair.source]]
        if pair.target in texts:
            ranks[texts.index(pair.target)] += 1
        else:
            misses.append((pair, made[pair.source]))
    in_three = sum(count for rank, count in ranks.items() if rank < 3)
    return Score(len(pairs), in_three, sum(ranks.values()), ranks[0], ranks, misses)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", choices=RULES)
    parser.add_argument("--only", choices=RULES, action="append")
    asked = parser.parse_args()
    for operation in asked.only or ([asked.misses] if asked.misses else RULES):
        result = score(operation)
        print(
            f"{operation:<9} {RULES[operation]:<16} {result.pairs:5} pairs  first {result.first / result.pairs:6.1%}  "
            f"in three {result.in_three / result.pairs:6.1%}  in all {result.in_all / result.pairs:6.1%}"
        )
        if asked.misses:
            for pair, edits in result.misses:
                print(f"  {pair.source}\n    wanted {pair.target}")
                for edit in edits[:3]:
                    print(f"    made   {edit.text}")
                if not edits:
                    print(f"    skip   {edits.skips}")


if __name__ == "__main__":
    main()
