"""Print the edits of a rule for random sentences: python benchmarks/rewrites/show.py negation --seed 1."""

from __future__ import annotations

import argparse
from collections import Counter

from samples import CORPORA, sample

from litotes.rewrites.apply import rewrite_all
from litotes.rewrites.options import parse_options
from litotes.rewrites.registry import load_rewrite


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rule")
    parser.add_argument("--corpus", choices=CORPORA, action="append")
    parser.add_argument("--count", type=int, default=100, help="number of sentences per corpus")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skips", action="store_true", help="print the skipped sentences too")
    parser.add_argument("--edits", type=int, default=1, help="number of edits per sentence")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    rule = load_rewrite(arguments.rule)
    options = parse_options(rule, dict(option.split("=", 1) for option in arguments.option))
    for corpus in arguments.corpus or CORPORA:
        sentences = sample(corpus, arguments.count, seed=arguments.seed)
        reasons: Counter[str] = Counter()
        n_rewritten = 0
        texts = [sentence.text for sentence in sentences]
        for sentence, edits in zip(sentences, rewrite_all(rule, texts, **options), strict=True):
            n_rewritten += bool(edits)
            if edits:
                print(f"{corpus} {sentence.id}\n  < {sentence.text}")
                for edit in edits[: arguments.edits]:
                    print(f"  > {edit.text}   [{edit.reason}]")
            else:
                reasons.update({skip.code for skip in edits.skips} or {"(none given)"})
                if arguments.skips:
                    print(f"{corpus} {sentence.id}\n  < {sentence.text}\n  - {'; '.join(map(str, edits.skips))}")
        print(f"== {corpus}: {n_rewritten} of {len(sentences)} rewritten; skip codes: {dict(reasons.most_common())}\n")


if __name__ == "__main__":
    main()
