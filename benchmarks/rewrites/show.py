"""Print what a rule makes of random sentences, to be read: python benchmarks/rewrites/show.py negation --seed 1."""

from __future__ import annotations

import argparse
from collections import Counter

from samples import CORPORA, sample

from litotes.rewrites.apply import rewrite_all
from litotes.rewrites.options import from_words
from litotes.rewrites.registry import load_rewrite


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rule")
    parser.add_argument("--corpus", choices=CORPORA, action="append")
    parser.add_argument("--count", type=int, default=100, help="sentences a corpus")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skips", action="store_true", help="print the skipped sentences too")
    parser.add_argument("--edits", type=int, default=1, help="edits a sentence")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args()
    rule = load_rewrite(asked.rule)
    options = from_words(rule, dict(one.split("=", 1) for one in asked.option))
    for corpus in asked.corpus or CORPORA:
        drawn = sample(corpus, asked.count, seed=asked.seed)
        reasons: Counter[str] = Counter()
        done = 0
        for one, edits in zip(drawn, rewrite_all(rule, [one.text for one in drawn], **options), strict=True):
            done += bool(edits)
            if edits:
                print(f"{corpus} {one.id}\n  < {one.text}")
                for edit in edits[: asked.edits]:
                    print(f"  > {edit.text}   [{edit.reason}]")
            else:
                reasons.update({skip.code for skip in edits.skips} or {"(none given)"})
                if asked.skips:
                    print(f"{corpus} {one.id}\n  < {one.text}\n  - {'; '.join(map(str, edits.skips))}")
        print(f"== {corpus}: {done} of {len(drawn)} rewritten; skipped for {dict(reasons.most_common())}\n")


if __name__ == "__main__":
    main()
