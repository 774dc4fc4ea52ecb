"""Human judgements of rewrites: the share of good edits per rule and corpus, and the edits that still need a judgement.

python benchmarks/rewrites/judgements.py                           print the shares
python benchmarks/rewrites/judgements.py --todo RULE [--corpus C]  print the edits without a judgement
python benchmarks/rewrites/judgements.py --record RULE FILE        add judgements; a line is "corpus id verdict",
                                                                   "number verdict" or "number-number verdict"

The first edit of each of 300 sentences per corpus is judged; for some rules fewer edits (N_JUDGED), or those of more
sentences (N_SENTENCES_BY_RULE). The three edits of `quadruple` are judged together. `judgements.tsv` contains the
corpus and the id of a sentence, the first 12 digits of the SHA-256 hash of the edit, and the verdict: good, grammar
(not English) or meaning (English, but without the declared effect). It contains no sentences. When a rule changes, only
the edits that differ have to be judged again.
"""

from __future__ import annotations

import argparse
import hashlib
import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from samples import CORPORA, JUDGED_SEED, SampledSentence, sample

from litotes.core.files import write_atomic
from litotes.languages.en.parser import parse_all
from litotes.rewrites.apply import apply_rule
from litotes.rewrites.base import Sentence
from litotes.rewrites.registry import load_rewrite

TABLE = Path(__file__).with_name("judgements.tsv")
HEADER = "rule\tcorpus\tid\tsha\tverdict\n"
VERDICTS = ("good", "grammar", "meaning")
N_SENTENCES = 300
N_SENTENCES_BY_RULE = {"active": 2_000}
"""The number of sentences per corpus for a rule that few sentences are suitable for."""
N_JUDGED = {
    "negated_antonym": 150,
    "quadruple": 150,
    "contraction": 120,
    "infill": 45,
    "inversion": 40,
    "negation_at": 30,
    "typo": 30,
}
"""The number of sentences per corpus whose edits are judged, for rules without a goal; coverage is that of all."""

GOALS = {
    "negation": 0.95,
    "passive": 0.90,
    "argument_swap": 0.90,
    "embedded_clause": 0.90,
    "quantifier_negation": 0.90,
    "antonym": 0.85,
    "synonym": 0.85,
}


class SentenceId(NamedTuple):
    """A sentence of a corpus."""

    corpus: str
    id: str


class Judgement(NamedTuple):
    """The verdict on an edit."""

    sha: str
    verdict: str


class RuleOutput(NamedTuple):
    """The first edit of a sentence of the sample."""

    number: int
    """The position in the whole sample, from 1."""
    sentence: SentenceId
    before: str
    after: str
    is_judged: bool
    """Whether the edit belongs to those that are judged."""

    @property
    def sha(self) -> str:
        return hashlib.sha256(self.after.encode()).hexdigest()[:12]


Table = dict[str, dict[SentenceId, Judgement]]


@lru_cache(maxsize=2)
def parsed_sample(seed: int, n_sentences: int = N_SENTENCES) -> list[tuple[SampledSentence, Sentence]]:
    """Return the sample and its parses, which all rules share."""
    sampled = [sentence for corpus in CORPORA for sentence in sample(corpus, n_sentences, seed=seed)]
    return list(zip(sampled, map(Sentence, parse_all([sentence.text for sentence in sampled])), strict=True))


def judged_outputs(rule: str, *, seed: int = JUDGED_SEED) -> list[RuleOutput]:
    """Return the outputs that have, or need, a judgement."""
    return [output for output in rule_outputs(rule, seed=seed) if output.is_judged]


def rule_outputs(rule: str, *, seed: int = JUDGED_SEED) -> list[RuleOutput]:
    """Return the current outputs of a rule on the sample, without the sentences that it skips."""
    loaded = load_rewrite(rule)
    n_sentences = N_SENTENCES_BY_RULE.get(rule, N_SENTENCES)
    outputs = []
    for index, (sampled, sentence) in enumerate(parsed_sample(seed, n_sentences)):
        if edits := apply_rule(loaded, sentence):
            # The three edits of a quadruple are judged together.
            after = " | ".join(edit.text for edit in (edits if rule == "quadruple" else edits[:1]))
            is_judged = index % n_sentences < N_JUDGED.get(rule, n_sentences)
            sentence_id = SentenceId(sampled.corpus, sampled.id)
            outputs.append(RuleOutput(index + 1, sentence_id, sampled.text, after, is_judged))
    return outputs


# The table


def read_table(path: Path = TABLE) -> Table:
    """Read the judgements by rule and sentence."""
    table: Table = {}
    if path.exists():
        for line in path.read_text("utf-8").splitlines()[1:]:
            rule, corpus, id_, sha, verdict = line.split("\t")
            table.setdefault(rule, {})[SentenceId(corpus, id_)] = Judgement(sha, verdict)
    return table


def write_table(table: Table, path: Path = TABLE) -> None:
    """Write the judgements, sorted."""
    rows = sorted(
        (rule, *sentence, *judgement)
        for rule, judgements in table.items()
        for sentence, judgement in judgements.items()
    )
    write_atomic(path, HEADER + "".join("\t".join(row) + "\n" for row in rows))


def valid_judgements(
    outputs: Iterable[RuleOutput], judgements: dict[SentenceId, Judgement]
) -> dict[SentenceId, Judgement]:
    """Return the judgements of outputs that have not changed."""
    return {
        output.sentence: judgements[output.sentence]
        for output in outputs
        if judgements.get(output.sentence, ("",))[0] == output.sha
    }


def parse_judgements(lines: Iterable[str], outputs: list[RuleOutput], source: str) -> dict[SentenceId, Judgement]:
    """Parse the lines of a file with judgements; stop with a message at the first invalid line."""
    by_sentence = {output.sentence: output for output in outputs}
    by_number = {output.number: output for output in outputs}
    judgements: dict[SentenceId, Judgement] = {}
    for line_number, line in enumerate(lines, 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        *address, verdict = words
        prefix = f"{source}:{line_number}"
        if verdict not in VERDICTS:
            raise SystemExit(f"{prefix}: {verdict} is not one of {', '.join(VERDICTS)}")
        selected: list[RuleOutput | None]
        if len(address) == 1:
            first, _, last = address[0].partition("-")
            if not first.isdigit() or not (last or first).isdigit():
                raise SystemExit(f"{prefix}: {address[0]} is not a number of the sample")
            numbers = range(int(first), int(last or first) + 1)
            # A range may contain sentences that the rule skips.
            selected = [by_number.get(number) for number in numbers if number in by_number or not last]
        else:
            selected = [by_sentence.get(SentenceId(*address))] if len(address) == 2 else [None]
        for output in selected:
            if output is None:
                raise SystemExit(f"{prefix}: the rule does not rewrite a sentence {' '.join(address)}")
            if judgements.get(output.sentence, Judgement(output.sha, verdict)).verdict != verdict:
                raise SystemExit(f"{prefix}: {' '.join(address)} has two verdicts")
            judgements[output.sentence] = Judgement(output.sha, verdict)
    return judgements


# Shares


class RuleShare(NamedTuple):
    """The judgements of a rule on a corpus, or on all of them."""

    rule: str
    corpus: str
    n_sentences: int
    n_rewritten: int
    n_to_judge: int
    """Rewritten sentences that are judged."""
    n_judged: int
    good: int
    grammar: int
    meaning: int
    n_outdated: int
    """Judgements of outputs that have changed since."""
    n_outdated_bad: int
    """The number of bad changed outputs: a rule that was corrected on its sample is better there than elsewhere."""

    @property
    def coverage(self) -> float:
        """The share of sentences that the rule rewrites."""
        return self.n_rewritten / self.n_sentences

    @property
    def n_open(self) -> int:
        """The number of outputs without a valid judgement."""
        return self.n_to_judge - self.n_judged

    @property
    def share(self) -> float:
        """The share of good edits."""
        return self.good / self.n_judged if self.n_judged else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share, by Wilson's method."""
        return wilson(self.good, self.n_judged)


def wilson(n_good: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's confidence interval of a share.

    >>> [round(end, 3) for end in wilson(19, 20)]
    [0.764, 0.991]
    """
    if not n:
        return 0.0, 1.0
    share = n_good / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def shares(rule: str, judgements: dict[SentenceId, Judgement], *, seed: int = JUDGED_SEED) -> Iterator[RuleShare]:
    """Yield the shares of a rule for each corpus, and then for all."""
    outputs = rule_outputs(rule, seed=seed)
    to_judge = [output for output in outputs if output.is_judged]
    valid = valid_judgements(to_judge, judgements)
    for name, corpora in [*((corpus, [corpus]) for corpus in CORPORA), ("all", list(CORPORA))]:
        verdicts = [judgement.verdict for sentence, judgement in valid.items() if sentence.corpus in corpora]
        outdated = [
            judgement.verdict
            for sentence, judgement in judgements.items()
            if sentence.corpus in corpora and sentence not in valid
        ]
        yield RuleShare(
            rule,
            name,
            N_SENTENCES_BY_RULE.get(rule, N_SENTENCES) * len(corpora),
            sum(output.sentence.corpus in corpora for output in outputs),
            sum(output.sentence.corpus in corpora for output in to_judge),
            len(verdicts),
            *map(verdicts.count, VERDICTS),
            len(outdated),
            len(outdated) - outdated.count("good"),
        )


def report_line(share: RuleShare) -> str:
    """Return a line of the report; it says if a share is not final."""
    low, high = share.interval
    result = f"{share.share:6.1%} ({low:.1%} to {high:.1%})" if share.n_judged else ""
    if share.n_open:
        result += f"  not final: {share.n_open} not judged"
    if share.n_outdated:
        result += f"  changed since they were judged: {share.n_outdated}, of these bad {share.n_outdated_bad}"
    return (
        f"{share.rule:<20} {share.corpus:<10} "
        f"rewritten {share.n_rewritten:4} of {share.n_sentences:4} {share.coverage:6.1%}  "
        f"good {share.good:4} of {share.n_judged:4} {result}".rstrip()
    )


def judged_rules(table: Table) -> list[str]:
    """Return the rules with a goal, then the other judged rules."""
    return [*GOALS, *(rule for rule in table if rule not in GOALS)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--todo", metavar="RULE", help="print the edits without a judgement")
    parser.add_argument("--corpus", choices=CORPORA, help="with --todo: only this corpus")
    parser.add_argument("--record", nargs=2, metavar=("RULE", "FILE"), help="add the judgements of a file")
    parser.add_argument("--table", type=Path, default=TABLE, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=JUDGED_SEED, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    table = read_table(arguments.table)
    if arguments.todo:
        outputs = judged_outputs(arguments.todo, seed=arguments.seed)
        valid = valid_judgements(outputs, table.get(arguments.todo, {}))
        todo = [
            output
            for output in outputs
            if output.sentence not in valid and arguments.corpus in {None, output.sentence.corpus}
        ]
        for output in todo:
            print(f"{output.number}  {output.sentence.corpus} {output.sentence.id}")
            print(f"  < {output.before}\n  > {output.after}")
        print(f"== {len(todo)} to judge, {len(valid)} of {len(outputs)} judged")
    elif arguments.record:
        rule, file = arguments.record
        outputs = judged_outputs(rule, seed=arguments.seed)
        new = parse_judgements(Path(file).read_text("utf-8").splitlines(), outputs, file)
        table = read_table(arguments.table)  # again, because another process may have changed it
        valid = valid_judgements(outputs, table.get(rule, {}))
        n_outdated = len(table.get(rule, {})) - len(valid)
        table[rule] = {**valid, **new}
        write_table(table, arguments.table)
        print(f"added {len(new)} judgements, removed {n_outdated} outdated ones")
        print(f"{len(table[rule])} of {len(outputs)} edits judged")
    else:
        for rule in judged_rules(table):
            for share in shares(rule, table.get(rule, {}), seed=arguments.seed):
                print(report_line(share))


if __name__ == "__main__":
    main()
