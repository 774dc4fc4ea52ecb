"""The rewrites that were read one by one: what is still to be read, what was found, and the rates.

python benchmarks/rewrites/judged.py                          the rates
python benchmarks/rewrites/judged.py --todo RULE [--corpus C]  what has no verdict yet, to be read
python benchmarks/rewrites/judged.py --record RULE FILE        verdicts, a line each: "corpus id verdict", "number
                                                              verdict" or "number-number verdict"

Judged is the first edit of each of 300 sentences a corpus; of some rules that of fewer (READ) or of more sentences
(DRAWN), and of `quadruple` all three edits as one. `judged.tsv` holds where a sentence stands in its corpus,
the first 12 digits of the sha256 of what was made of it, and the verdict: good, grammar (no English), or meaning
(English, but without the declared effect). No sentence is kept. When a rule changes, only what it makes otherwise is
read again.
"""

from __future__ import annotations

import argparse
import hashlib
import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from samples import CORPORA, JUDGED_SEED, Sampled, sample

from litotes.core.files import write_atomic
from litotes.languages.en.parser import parse_all
from litotes.rewrites.apply import apply_rule
from litotes.rewrites.base import Sentence
from litotes.rewrites.registry import load_rewrite

TABLE = Path(__file__).with_name("judged.tsv")
HEADER = "rule\tcorpus\tid\tsha\tverdict\n"
VERDICTS = ("good", "grammar", "meaning")
SENTENCES = 300
DRAWN = {"active": 2_000}
"""Sentences a corpus for a rule that few are for."""
READ = {
    "negated_antonym": 150,
    "quadruple": 150,
    "contraction": 120,
    "infill": 45,
    "inversion": 40,
    "negation_at": 30,
    "typo": 30,
}
"""Of rules without a goal of their own the first so many sentences a corpus are read; coverage is of all of them."""

GOALS = {
    "negation": 0.95,
    "passive": 0.90,
    "argument_swap": 0.90,
    "embedded_clause": 0.90,
    "quantifier_negation": 0.90,
    "antonym": 0.85,
    "synonym": 0.85,
}


class Place(NamedTuple):
    """A sentence of a corpus."""

    corpus: str
    id: str


class Verdict(NamedTuple):
    """What a reader said of an output."""

    sha: str
    verdict: str


class Output(NamedTuple):
    """The first edit of a sentence of the sample."""

    number: int
    """In the whole sample, from 1."""
    place: Place
    before: str
    after: str
    is_read: bool
    """Whether it is among those that are to be read."""

    @property
    def sha(self) -> str:
        return hashlib.sha256(self.after.encode()).hexdigest()[:12]


Table = dict[str, dict[Place, Verdict]]


@lru_cache(maxsize=2)
def parsed_sample(seed: int, sentences: int = SENTENCES) -> list[tuple[Sampled, Sentence]]:
    """The sample, parsed once for all rules."""
    drawn = [one for corpus in CORPORA for one in sample(corpus, sentences, seed=seed)]
    return list(zip(drawn, map(Sentence, parse_all([one.text for one in drawn])), strict=True))


def outputs(rule: str, *, seed: int = JUDGED_SEED) -> list[Output]:
    """What the rule makes of the sample now; sentences that it skips are left out."""
    known = load_rewrite(rule)
    sentences = DRAWN.get(rule, SENTENCES)
    found = []
    for count, (one, sentence) in enumerate(parsed_sample(seed, sentences)):
        if edits := apply_rule(known, sentence):
            # The three edits of a quadruple are one thing.
            after = " | ".join(edit.text for edit in (edits if rule == "quadruple" else edits[:1]))
            is_read = count % sentences < READ.get(rule, sentences)
            found.append(Output(count + 1, Place(one.corpus, one.id), one.text, after, is_read))
    return found


def to_read(made: Iterable[Output]) -> list[Output]:
    """Those that have, or should have, a verdict."""
    return [one for one in made if one.is_read]


# The table.


def read_table(path: Path = TABLE) -> Table:
    """The verdicts, by rule and place."""
    found: Table = {}
    if path.exists():
        for line in path.read_text("utf-8").splitlines()[1:]:
            rule, corpus, number, sha, verdict = line.split("\t")
            found.setdefault(rule, {})[Place(corpus, number)] = Verdict(sha, verdict)
    return found


def write_table(table: Table, path: Path = TABLE) -> None:
    """The verdicts, in order, whole or not at all."""
    rows = sorted((rule, *place, *found) for rule, places in table.items() for place, found in places.items())
    write_atomic(path, HEADER + "".join("\t".join(row) + "\n" for row in rows))


def verdicts_of(made: Iterable[Output], known: dict[Place, Verdict]) -> dict[Place, Verdict]:
    """The verdicts that are still about what the rule makes."""
    return {one.place: known[one.place] for one in made if known.get(one.place, ("",))[0] == one.sha}


def recorded(lines: Iterable[str], made: list[Output], where: str) -> dict[Place, Verdict]:
    """The verdicts of a file; one that cannot be right is an error with its line."""
    by_place = {one.place: one for one in made}
    by_number = {one.number: one for one in made}
    found: dict[Place, Verdict] = {}
    for count, line in enumerate(lines, 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        *what, verdict = words
        if verdict not in VERDICTS:
            raise SystemExit(f"{where}:{count}: {verdict} is not one of {', '.join(VERDICTS)}")
        chosen: list[Output | None]
        if len(what) == 1:
            first, _, last = what[0].partition("-")
            if not first.isdigit() or not (last or first).isdigit():
                raise SystemExit(f"{where}:{count}: {what[0]} is no number of the sample")
            numbers = range(int(first), int(last or first) + 1)
            # In a range, the sentences that are skipped have no number of their own.
            chosen = [by_number.get(number) for number in numbers if number in by_number or not last]
        else:
            chosen = [by_place.get(Place(*what))] if len(what) == 2 else [None]
        for one in chosen:
            if one is None:
                raise SystemExit(f"{where}:{count}: no sentence that the rule rewrites is {' '.join(what)}")
            if found.get(one.place, Verdict(one.sha, verdict)).verdict != verdict:
                raise SystemExit(f"{where}:{count}: {' '.join(what)} has two verdicts")
            found[one.place] = Verdict(one.sha, verdict)
    return found


# Rates.


class Rate(NamedTuple):
    """What is known of a rule on a corpus, or on all of them."""

    rule: str
    corpus: str
    sentences: int
    rewritten: int
    read: int
    """Of those that are rewritten, the ones that are to be read."""
    judged: int
    good: int
    grammar: int
    meaning: int
    gone: int
    """Verdicts on outputs that the rule no longer makes."""
    gone_bad: int
    """Those of them that were bad: a rule that was mended after its sample was read is better on it than elsewhere."""

    @property
    def coverage(self) -> float:
        """The share of sentences that the rule rewrites."""
        return self.rewritten / self.sentences

    @property
    def open(self) -> int:
        """Outputs without a verdict: new ones, or changed since they were read."""
        return self.read - self.judged

    @property
    def share(self) -> float:
        """The share of good ones."""
        return self.good / self.judged if self.judged else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, at 95 %."""
        return wilson(self.good, self.judged)


def wilson(good: int, count: int, z: float = 1.96) -> tuple[float, float]:
    """The interval of a share of few things.

    >>> [round(end, 3) for end in wilson(19, 20)]
    [0.764, 0.991]
    """
    if not count:
        return 0.0, 1.0
    share = good / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def rates(rule: str, known: dict[Place, Verdict], *, seed: int = JUDGED_SEED) -> Iterator[Rate]:
    """A rule's rates, corpus by corpus and then in all."""
    made = outputs(rule, seed=seed)
    read = to_read(made)
    valid = verdicts_of(read, known)
    for name, corpora in [*((corpus, [corpus]) for corpus in CORPORA), ("all", list(CORPORA))]:
        here = [valid[one.place].verdict for one in made if one.place.corpus in corpora and one.place in valid]
        rewritten, to_judge = (sum(one.place.corpus in corpora for one in some) for some in (made, read))
        gone = [one.verdict for place, one in known.items() if place.corpus in corpora and place not in valid]
        counts = [*map(here.count, VERDICTS), len(gone), len(gone) - gone.count("good")]
        sentences = DRAWN.get(rule, SENTENCES) * len(corpora)
        yield Rate(rule, name, sentences, rewritten, to_judge, len(here), *counts)


def shown(rate: Rate) -> str:
    """A line of the report; a rate is final only when all was read."""
    low, high = rate.interval
    final = f"{rate.share:6.1%} ({low:.1%} to {high:.1%})" if rate.judged else ""
    left = f"  not final: {rate.open} not yet read" if rate.open else ""
    left += f"  changed since it was read: {rate.gone}, of them bad {rate.gone_bad}" if rate.gone else ""
    return (
        f"{rate.rule:<20} {rate.corpus:<10} rewritten {rate.rewritten:4} of {rate.sentences:4} {rate.coverage:6.1%}  "
        f"good {rate.good:4} of {rate.judged:4} {final}{left}".rstrip()
    )


def judged_rules(table: Table) -> list[str]:
    """Those with a goal, then others that were read."""
    return [*GOALS, *(rule for rule in table if rule not in GOALS)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--todo", metavar="RULE", help="print what has no verdict yet")
    parser.add_argument("--corpus", choices=CORPORA, help="with --todo: of this corpus alone")
    parser.add_argument("--record", nargs=2, metavar=("RULE", "FILE"), help="take verdicts over")
    parser.add_argument("--table", type=Path, default=TABLE, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=JUDGED_SEED, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    table = read_table(asked.table)
    if asked.todo:
        made = to_read(outputs(asked.todo, seed=asked.seed))
        done = verdicts_of(made, table.get(asked.todo, {}))
        left = [one for one in made if one.place not in done and asked.corpus in (None, one.place.corpus)]
        for one in left:
            print(f"{one.number}  {one.place.corpus} {one.place.id}\n  < {one.before}\n  > {one.after}")
        print(f"== {len(left)} to be read, {len(done)} of {len(made)} have a verdict")
    elif asked.record:
        rule, file = asked.record
        made = to_read(outputs(rule, seed=asked.seed))
        new = recorded(Path(file).read_text("utf-8").splitlines(), made, file)
        table = read_table(asked.table)  # again: somebody may have written to it in the meantime
        kept = verdicts_of(made, table.get(rule, {}))
        dropped = len(table.get(rule, {})) - len(kept)
        table[rule] = {**kept, **new}
        write_table(table, asked.table)
        print(f"{len(new)} verdicts taken over, {dropped} stale ones dropped, {len(table[rule])} of {len(made)} judged")
    else:
        for rule in judged_rules(table):
            for rate in rates(rule, table.get(rule, {}), seed=asked.seed):
                print(shown(rate))


if __name__ == "__main__":
    main()
