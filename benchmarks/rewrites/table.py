"""All that rewriting is measured by, each figure beside its goal.

make bench-rewrites       (or: python benchmarks/rewrites/table.py [--million])
"""

from __future__ import annotations

import argparse
import statistics

import judged
import semantoneg
import sick_gold
import speed
from samples import DATA

PUBLISHED = {"removing": 0.97, "adding": 0.95, "antonym": 0.95, "both": 0.92}
"""Exact matches with SemAntoNeg, of at most three edits a sentence; antonyms among all candidates."""

FLAT = 1.05
"""How much more memory ten times as many lines may take."""


def put(what: str, figure: str, goal: str = "", held: bool | None = None) -> None:
    verdict = "" if held is None else "ok" if held else "MISSED"
    print(f"{what:<42} {figure:<34} {goal:<16} {verdict}".rstrip(), flush=True)


def published_pairs() -> None:
    print("SemAntoNeg, unique pairs, exactly the published sentence")
    for operation, goal in PUBLISHED.items():
        found = semantoneg.score(operation)
        hits = found.in_all if operation == "antonym" else found.in_three
        among = "among all" if operation == "antonym" else "in three"
        share = hits / found.pairs
        put(
            f"  {operation} ({semantoneg.RULES[operation]})",
            f"{share:.1%} {among}, {found.first / found.pairs:.1%} first; {found.pairs:,}",
            f"at least {goal:.0%}",
            share >= goal,
        )
        if operation == "antonym":
            put("    rank of the published antonym", _ranks(found))


def _ranks(found: semantoneg.Score) -> str:
    parts = [("1st", range(1)), ("2nd", range(1, 2)), ("3rd", range(2, 3)), ("4th to 10th", range(3, 10))]
    counts = [f"{name} {sum(found.ranks[rank] for rank in ranks) / found.pairs:.1%}" for name, ranks in parts]
    later = sum(count for rank, count in found.ranks.items() if rank >= 10)
    return ", ".join([*counts, f"later {later / found.pairs:.1%}"])


def gold_of_sick() -> None:
    print("\nSICK, pairs that people made by such rules, exactly their sentence")
    pairs = sick_gold.mined()
    for kind, rule in sick_gold.RULES.items():
        found = sick_gold.score(kind, pairs[kind])
        put(
            f"  {kind} ({rule})",
            f"{found.first / found.pairs:.1%} first, {found.in_three / found.pairs:.1%} in three; {found.pairs}",
        )


def judged_samples() -> None:
    print(f"\nRead one by one, {judged.SENTENCES} sentences a corpus: the share of good ones, and of rewritten ones")
    table = judged.read_table()
    for rule in judged.judged_rules(table):
        for rate in judged.rates(rule, table.get(rule, {})):
            low, high = rate.interval
            figure = f"{rate.share:.1%} ({low:.1%} to {high:.1%})" if rate.judged else "none read"
            if rate.open:
                figure += f", {rate.open} not yet read"
            if rate.gone:
                figure += f", {rate.gone} changed since ({rate.gone_bad} bad)"
            goal = judged.GOALS.get(rule) if rate.corpus == "all" else None
            put(
                f"  {rule}, {rate.corpus}",
                f"{figure}; coverage {rate.coverage:.1%}",
                f"at least {goal:.0%}" if goal else "",
                None if goal is None else not rate.open and rate.share >= goal,
            )


def speeds(million: bool) -> None:
    print("\nSpeed and memory")
    share = speed.against_parsing()
    put(
        "  all rules together, of the parser's time",
        f"{share.ratio:.0%}: {share.together:.2f} of {share.parsing:.2f} ms",
        "less than 50%",
        share.ratio < 0.5,
    )
    times = speed.cold_start()
    put(
        "  first rewrite from a cold start",
        f"{statistics.median(times):.2f} s ({min(times):.2f} to {max(times):.2f})",
        "within 2 s",
        statistics.median(times) <= 2,
    )
    found = speed.workers()
    put(
        "  10,000 sentences, two workers against one",
        f"{found.gain:.2f} times: {min(found.one):.1f} s, {min(found.two):.1f} s",
        "1.6 times",
        found.gain >= 1.6,
    )
    first: float | None = None
    for lines in (10_000, 100_000, *([1_000_000] if million else [])):
        peak = speed.memory(lines).peak
        put(f"  most memory over {lines:,} lines", f"{peak:.0f} MB", "flat" if first else "", _flat(first, peak))
        first = first or peak


def _flat(first: float | None, peak: float) -> bool | None:
    return None if first is None else peak <= FLAT * first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--million", action="store_true", help="memory over a million lines too (half an hour)")
    asked = parser.parse_args()
    if not DATA.is_dir():
        raise SystemExit(f"{DATA} is not there: the corpora beside the project, or LITOTES_DATA")
    published_pairs()
    gold_of_sick()
    judged_samples()
    speeds(asked.million)


if __name__ == "__main__":
    main()
