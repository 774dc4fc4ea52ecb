"""The share of SemAntoNeg's published sentences that the rules reproduce exactly.

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
    """A published sentence, and the published sentence that a rule should produce from it."""

    source: str
    target: str


class Score(NamedTuple):
    """The number of exact matches among unique pairs."""

    pairs: int
    in_three: int
    in_all: int
    first: int
    ranks: Counter[int]
    misses: list[tuple[Pair, Edits]]


def published() -> dict[str, list[Pair]]:
    """Return the unique pairs of each operation."""
    pairs: dict[str, dict[Pair, None]] = {"removing": {}, "adding": {}, "antonym": {}, "both": {}}
    with FILE.open(encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            antonym, polarity, both = item["sentences"]
            source = item["input"]
            # Of a sentence and its negation, the negated one has more negators.
            removing = _negators(source) > _negators(polarity)
            pairs["removing" if removing else "adding"][Pair(source, polarity)] = None
            pairs["antonym"][Pair(source, antonym)] = None
            pairs["both"][Pair(source, both)] = None
    return {operation: list(unique) for operation, unique in pairs.items()}


def _negators(text: str) -> int:
    # A question tag has the opposite polarity of its clause: "You're afraid, aren't you?"
    return len(_NEGATOR.findall(_TAG.sub("", text)))


RULES = {"removing": "negation", "adding": "negation_at", "antonym": "antonym", "both": "negated_antonym"}


def score(operation: str) -> Score:
    """Compare the edits of a rule with the published pairs of an operation."""
    pairs = published()[operation]
    sources = list(dict.fromkeys(pair.source for pair in pairs))
    edits_by_source = dict(zip(sources, rewrite_all(RULES[operation], sources), strict=True))
    ranks: Counter[int] = Counter()
    misses = []
    for pair in pairs:
        texts = [edit.text for edit in edits_by_source[pair.source]]
        if pair.target in texts:
            ranks[texts.index(pair.target)] += 1
        else:
            misses.append((pair, edits_by_source[pair.source]))
    in_three = sum(count for rank, count in ranks.items() if rank < 3)
    return Score(len(pairs), in_three, sum(ranks.values()), ranks[0], ranks, misses)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", choices=RULES)
    parser.add_argument("--only", choices=RULES, action="append")
    arguments = parser.parse_args()
    for operation in arguments.only or ([arguments.misses] if arguments.misses else RULES):
        result = score(operation)
        print(
            f"{operation:<9} {RULES[operation]:<16} {result.pairs:5} pairs  first {result.first / result.pairs:6.1%}  "
            f"in three {result.in_three / result.pairs:6.1%}  in all {result.in_all / result.pairs:6.1%}"
        )
        if arguments.misses:
            for pair, edits in result.misses:
                print(f"  {pair.source}\n    expected {pair.target}")
                for edit in edits[:3]:
                    print(f"    actual   {edit.text}")
                if not edits:
                    print(f"    skips    {edits.skips}")


if __name__ == "__main__":
    main()
