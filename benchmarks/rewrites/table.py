"""All benchmarks of the rewrites: each figure with its goal.

make bench-rewrites       (or: python benchmarks/rewrites/table.py [--million])
"""

from __future__ import annotations

import argparse
import statistics

import judgements
import semantoneg
import sick_gold
import speed
from samples import DATA

PUBLISHED = {"removing": 0.97, "adding": 0.95, "antonym": 0.95, "both": 0.92}
"""Goals for exact matches with SemAntoNeg among the first three edits, for antonyms among all edits."""

FLAT = 1.05
"""The allowed growth of memory when the number of lines grows tenfold."""


def print_row(name: str, figure: str, goal: str = "", is_met: bool | None = None) -> None:
    verdict = "" if is_met is None else "ok" if is_met else "MISSED"
    print(f"{name:<42} {figure:<34} {goal:<16} {verdict}".rstrip(), flush=True)


def published_pairs() -> None:
    print("SemAntoNeg: exact matches with the published sentence, unique pairs")
    for operation, goal in PUBLISHED.items():
        result = semantoneg.score(operation)
        n_matches = result.in_all if operation == "antonym" else result.in_three
        among = "among all" if operation == "antonym" else "in three"
        share = n_matches / result.pairs
        print_row(
            f"  {operation} ({semantoneg.RULES[operation]})",
            f"{share:.1%} {among}, {result.first / result.pairs:.1%} first; {result.pairs:,}",
            f"at least {goal:.0%}",
            share >= goal,
        )
        if operation == "antonym":
            print_row("    rank of the published antonym", _ranks(result))


def _ranks(result: semantoneg.Score) -> str:
    parts = [("1st", range(1)), ("2nd", range(1, 2)), ("3rd", range(2, 3)), ("4th to 10th", range(3, 10))]
    counts = [f"{name} {sum(result.ranks[rank] for rank in ranks) / result.pairs:.1%}" for name, ranks in parts]
    later = sum(count for rank, count in result.ranks.items() if rank >= 10)
    return ", ".join([*counts, f"later {later / result.pairs:.1%}"])


def gold_of_sick() -> None:
    print("\nSICK: exact matches with its sentences")
    pairs = sick_gold.find_pairs()
    for kind, rule in sick_gold.RULES.items():
        result = sick_gold.score(kind, pairs[kind])
        print_row(
            f"  {kind} ({rule})",
            f"{result.first / result.pairs:.1%} first, {result.in_three / result.pairs:.1%} in three; {result.pairs}",
        )


def judged_samples() -> None:
    print(f"\nHuman judgements of {judgements.N_SENTENCES} sentences per corpus: share of good edits, coverage")
    table = judgements.read_table()
    for rule in judgements.judged_rules(table):
        for share in judgements.shares(rule, table.get(rule, {})):
            low, high = share.interval
            figure = f"{share.share:.1%} ({low:.1%} to {high:.1%})" if share.n_judged else "none judged"
            if share.n_open:
                figure += f", {share.n_open} not judged"
            if share.n_outdated:
                figure += f", {share.n_outdated} changed since ({share.n_outdated_bad} bad)"
            goal = judgements.GOALS.get(rule) if share.corpus == "all" else None
            print_row(
                f"  {rule}, {share.corpus}",
                f"{figure}; coverage {share.coverage:.1%}",
                f"at least {goal:.0%}" if goal else "",
                None if goal is None else not share.n_open and share.share >= goal,
            )


def speeds(million: bool) -> None:
    print("\nSpeed and memory")
    share = speed.against_parsing()
    print_row(
        "  all rules together, of the parser's time",
        f"{share.ratio:.0%}: {share.total:.2f} of {share.parsing:.2f} ms",
        "less than 50%",
        share.ratio < 0.5,
    )
    times = speed.cold_start()
    print_row(
        "  first rewrite from a cold start",
        f"{statistics.median(times):.2f} s ({min(times):.2f} to {max(times):.2f})",
        "within 2 s",
        statistics.median(times) <= 2,
    )
    result = speed.workers()
    print_row(
        "  10,000 sentences, two workers against one",
        f"{result.gain:.2f} times: {min(result.one):.1f} s, {min(result.two):.1f} s",
        "1.6 times",
        result.gain >= 1.6,
    )
    first: float | None = None
    for lines in (10_000, 100_000, *([1_000_000] if million else [])):
        peak = speed.memory(lines).peak
        print_row(f"  peak memory for {lines:,} lines", f"{peak:.0f} MB", "flat" if first else "", _flat(first, peak))
        first = first or peak


def _flat(first: float | None, peak: float) -> bool | None:
    return None if first is None else peak <= FLAT * first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--million", action="store_true", help="also measure memory for a million lines (half an hour)")
    arguments = parser.parse_args()
    if not DATA.is_dir():
        raise SystemExit(f"{DATA} does not exist; set LITOTES_DATA to the folder of the corpora")
    published_pairs()
    gold_of_sick()
    judged_samples()
    speeds(arguments.million)


if __name__ == "__main__":
    main()
