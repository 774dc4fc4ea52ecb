"""Agreement of the classifier of developmental negation with the published flags, and its additional findings.

python benchmarks/developmental/agreement.py [DATA]                     print the figures
python benchmarks/developmental/agreement.py [DATA] --todo disagreements  print cases without a verdict
python benchmarks/developmental/agreement.py [DATA] --todo findings       the same for findings of ruleset litotes

DATA is the folder that contains devneg and mnli (default: ../shared/data). Two tables of verdicts are next to this
file; they contain the positions of pairs, but no sentences:

- judged_disagreements.tsv: up to 50 pairs per category on which ruleset paper and the flag differ, and which is right;
- judged_litotes.tsv: 100 random findings of ruleset litotes on MNLI's matched dev set, and whether they are correct.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from litotes.languages.en.developmental.classify import classify_texts
from litotes.languages.negation_categories import CATEGORIES, RULESETS

HERE = Path(__file__).parent
DISAGREEMENTS = HERE / "judged_disagreements.tsv"
FINDINGS = HERE / "judged_litotes.tsv"
MNLI = "mnli/dev_matched.jsonl"
A_CATEGORY = 50
SAMPLED = 100
SEED = 20
FINDINGS_SEED = 21
"""The seed of the judged sample; the sample of seed 20 was read during the development of the rules."""
FLAGS = {category: "posession" if category == "possession" else category for category in CATEGORIES}
"""The name of each category in the files."""


class Pair(NamedTuple):
    """A pair of the published files, or of MNLI."""

    file: str
    line: int
    premise: str
    hypothesis: str
    flags: frozenset[str]


class Labelled(NamedTuple):
    """A pair and the categories of both sides."""

    pair: Pair
    premise: dict[str, tuple[str, ...]]
    hypothesis: dict[str, tuple[str, ...]]

    def side(self, category: str) -> str:
        """The sides on which a category was detected."""
        sides = [name for name in ("premise", "hypothesis") if category in getattr(self, name)]
        return "both" if len(sides) == 2 else sides[0] if sides else "none"

    @property
    def found(self) -> set[str]:
        return {*self.premise, *self.hypothesis}


class Case(NamedTuple):
    """A case to be judged: a pair and a category."""

    labelled: Labelled
    category: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.labelled.pair.file, str(self.labelled.pair.line), self.category


def published(data: Path) -> Iterator[Pair]:
    """Return the seven diagnostic training sets; for prohibition only the undersampled one was published."""
    for category in CATEGORIES:
        whole = data / "devneg" / f"{FLAGS[category]}_train_innoculation_v5.jsonl"
        path = whole if whole.exists() else whole.with_name(f"{whole.name}_undersampled")
        for number, row in _rows(path):
            flags = frozenset(one for one in CATEGORIES if row[FLAGS[one]])
            yield Pair(path.name, number, row["sentence1"], row["sentence2"], flags)


def mnli(data: Path) -> Iterator[Pair]:
    """Return MNLI's matched dev set, which has no flags."""
    for number, row in _rows(data / MNLI):
        yield Pair(Path(MNLI).name, number, row["premise"], row["hypothesis"], frozenset())


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            yield number, json.loads(line)


def label(pairs: list[Pair], rules: str) -> list[Labelled]:
    """Return the categories of each pair; each text is classified once."""
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.premise, pair.hypothesis)))
    result = dict(zip(texts, classify_texts(texts, rules), strict=True))
    return [Labelled(pair, result[pair.premise], result[pair.hypothesis]) for pair in pairs]


def show_agreement(labelled: list[Labelled]) -> None:
    """Print the recall per category, the overall precision, and the categories detected besides the flagged ones."""
    flagged, result, agreed = Counter[str](), Counter[str](), Counter[str]()
    beside = Counter[tuple[str, str]]()
    for one in labelled:
        flagged.update(one.pair.flags)
        result.update(one.found)
        agreed.update(one.pair.flags & one.found)
        beside.update((flag, extra) for flag in one.pair.flags for extra in one.found - one.pair.flags)
    print(f"ruleset paper against the flags of {len(labelled):,} pairs")
    print("category     flagged  found  recall  precision")
    for category in CATEGORIES:
        recall, precision = agreed[category] / flagged[category], agreed[category] / result[category]
        print(f"{category:12} {flagged[category]:7,} {result[category]:6,}  {recall:6.3f}  {precision:9.3f}")
    print(
        f"all          {flagged.total():7,} {result.total():6,}  {_share(agreed, flagged)}  {_share(agreed, result):>9}"
    )
    print("\nfound besides the flag (row: flagged, column: found)")
    print(" " * 13 + " ".join(f"{category[:6]:>6}" for category in CATEGORIES))
    for flag in CATEGORIES:
        print(f"{flag:12} " + " ".join(f"{beside[flag, extra] or '.':>6}" for extra in CATEGORIES))


def _share(part: Counter[str], total: Counter[str]) -> str:
    return f"{part.total() / total.total():.3f}"


def disagreements(labelled: list[Labelled]) -> list[Case]:
    """Return up to 50 cases per category from missed and additional findings; each text is judged once."""
    chosen: list[Case] = []
    for category in CATEGORIES:
        cases: dict[tuple[str, str], Case] = {}
        for one in labelled:
            if (category in one.pair.flags) != (category in one.found):
                cases.setdefault((one.pair.premise, one.pair.hypothesis), Case(one, category))
        every = list(cases.values())
        chosen += random.Random(SEED).sample(every, min(A_CATEGORY, len(every)))
    return chosen


def findings(labelled: list[Labelled], seed: int) -> list[Case]:
    """Return a random sample of 100 findings."""
    every = [Case(one, category) for one in labelled for category in CATEGORIES if category in one.found]
    return random.Random(seed).sample(every, SAMPLED)


def read_verdicts(path: Path) -> dict[tuple[str, str, str], dict[str, str]]:
    """Return the rows of a table of verdicts by file, line and category."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as lines:
        return {
            (row["file"], row["line"], row["category"]): row
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        }


def show_todo(cases: list[Case], known: dict[tuple[str, str, str], dict[str, str]]) -> None:
    """Print the cases without a verdict."""
    for case in cases:
        if case.key in known:
            continue
        one, category = case.labelled, case.category
        words = one.premise.get(category) or one.hypothesis.get(category) or ()
        print("\t".join((*case.key, one.side(category), " ".join(words))))
        print(f"    P: {one.pair.premise}\n    H: {one.pair.hypothesis}")


def show_verdicts(title: str, cases: list[Case], known: dict[tuple[str, str, str], dict[str, str]]) -> None:
    """Print the number of cases per verdict, by category and in total."""
    verdicts = sorted({row["verdict"] for row in known.values()})
    print(f"\n{title}: {len(cases)} cases, {sum(case.key not in known for case in cases)} without a verdict")
    print(" " * 13 + " ".join(f"{verdict:>7}" for verdict in verdicts))
    counts = Counter((case.category, known[case.key]["verdict"]) for case in cases if case.key in known)
    for category in CATEGORIES:
        print(f"{category:12} " + " ".join(f"{counts[category, verdict]:7}" for verdict in verdicts))
    print("all          " + " ".join(f"{sum(counts[one, verdict] for one in CATEGORIES):7}" for verdict in verdicts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=HERE.parents[2] / "shared" / "data")
    parser.add_argument("--todo", choices=("disagreements", "findings"))
    parser.add_argument("--seed", type=int, default=FINDINGS_SEED, help="of the sample of findings")
    chosen = parser.parse_args()

    if chosen.todo != "findings":
        flagged = label(list(published(chosen.data)), "paper")
        known = read_verdicts(DISAGREEMENTS)
        if chosen.todo:
            show_todo(disagreements(flagged), known)
            return
        show_agreement(flagged)
        show_verdicts("who is right where they differ", disagreements(flagged), known)
    pairs = list(mnli(chosen.data))
    by_rules = {rules: label(pairs, rules) for rules in RULESETS}
    sample = findings(by_rules["litotes"], chosen.seed)
    if chosen.todo:
        show_todo(sample, read_verdicts(FINDINGS))
        return
    counts = {rules: Counter(category for one in found for category in one.found) for rules, found in by_rules.items()}
    print(f"\nfound in the {len(pairs):,} pairs of {MNLI}")
    print("category      paper  litotes")
    for category in CATEGORIES:
        print(f"{category:12} {counts['paper'][category]:6,}  {counts['litotes'][category]:7,}")
    total = {rules: count.total() for rules, count in counts.items()}
    print(f"all          {total['paper']:6,}  {total['litotes']:7,}  ({total['litotes'] / total['paper']:.2f} times)")
    show_verdicts("findings of ruleset litotes that were read", sample, read_verdicts(FINDINGS))


if __name__ == "__main__":
    main()
