"""The share of sentences by SICK's authors that the rules reproduce exactly.

python benchmarks/rewrites/sick_gold.py [--misses passive|active|adding|removing|there-is-no]

Many pairs of SICK were made by rules similar to ours. They are selected by their words, independently of our rules:

- active/passive: ENTAILMENT, the same words except for the forms of the verb, "be" and "by", and only one sentence
  contains a form of "be" followed by a participle and "by";
- negation: CONTRADICTION, the same words in the same order except for one "not" and its "do";
- "There is no": CONTRADICTION, such as "There is no cat eating rice" and "A cat is eating rice".
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter
from typing import NamedTuple

from samples import DATA

from litotes.core.errors import LitotesError
from litotes.languages.en.morphology.inflection import has_form, lemmas
from litotes.rewrites.apply import rewrite_all
from litotes.rewrites.base import Edits

FILE = DATA / "sick" / "SICK_train.txt"
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "am"})
_DO = frozenset({"do", "does", "did"})
_POSITIVE = re.compile(r"(?:(?:a|an|the|some|one|two) )?(.+?) (?:is|are) (.+)", re.IGNORECASE)
_THERE_IS_NO = re.compile(r"there (?:is|are) (?:no|not an?) (.+)", re.IGNORECASE)


class GoldPair(NamedTuple):
    """A sentence, and the sentence that a rule should produce from it."""

    source: str
    target: str


class Score(NamedTuple):
    """The number of exact matches among unique pairs."""

    pairs: int
    first: int
    in_three: int
    n_rewritten: int
    """The number of sentences that the rule rewrites."""
    misses: list[tuple[GoldPair, Edits]]


RULES = {
    "passive": "passive",
    "active": "active",
    "adding": "negation",
    "removing": "negation",
    "there-is-no": "quantifier_negation",
}


def find_pairs() -> dict[str, list[GoldPair]]:
    """Return the unique pairs of each kind."""
    pairs: dict[str, dict[GoldPair, None]] = {kind: {} for kind in RULES}
    with FILE.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            pair = (row["sentence_A"].strip(), row["sentence_B"].strip())
            for first, second in (pair, pair[::-1]):
                if row["entailment_judgment"] == "ENTAILMENT" and _is_passive_of(second, first):
                    pairs["passive"][GoldPair(first, second)] = None
                    pairs["active"][GoldPair(second, first)] = None
                if row["entailment_judgment"] == "CONTRADICTION":
                    if _is_negation_of(second, first):
                        pairs["adding"][GoldPair(first, second)] = None
                        pairs["removing"][GoldPair(second, first)] = None
                    if _says_there_is_no(second, first):
                        pairs["there-is-no"][GoldPair(first, second)] = None
    return {kind: list(unique) for kind, unique in pairs.items()}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+(?:['-]\w+)*", text.lower())


def _base(word: str) -> str:
    """Return the same form for all forms of a verb; nouns may be changed too, but in the same way in both sentences."""
    return "a" if word == "an" else lemmas(word, "v")[0]


def _has_passive_by(words: list[str]) -> bool:
    if "by" not in words:
        return False
    before = words[: words.index("by")]
    be = next((index for index, word in enumerate(before) if word in _BE), None)
    return be is not None and any(has_form(word, "VBN") for word in before[be + 1 :] if word not in _BE)


def _is_passive_of(passive: str, active: str) -> bool:
    passive_words, active_words = _words(passive), _words(active)
    if not _has_passive_by(passive_words) or _has_passive_by(active_words):
        return False
    if passive_words.count("by") != active_words.count("by") + 1:
        return False
    counts = [
        Counter(_base(word) for word in words if word not in _BE and word != "by")
        for words in (passive_words, active_words)
    ]
    return counts[0] == counts[1]


def _is_negation_of(negative: str, positive: str) -> bool:
    negated, affirmed = _words(negative), _words(positive)
    if negated.count("not") != affirmed.count("not") + 1:
        return False
    if negated[: negated.index("not")] + negated[negated.index("not") + 1 :] == affirmed:
        return True
    plain = [_base(word) for word in negated if word not in _DO and word != "not"]
    return bool(_DO & set(negated)) and plain == [_base(word) for word in affirmed]


def _says_there_is_no(negative: str, positive: str) -> bool:
    absent, present = _THERE_IS_NO.fullmatch(negative), _POSITIVE.fullmatch(positive)
    if absent is None or present is None:
        return False
    return _words(absent.group(1)) == _words(" ".join(present.groups()))


def score(kind: str, pairs: list[GoldPair]) -> Score:
    """Compare the edits of a rule with the pairs of a kind."""
    sources = list(dict.fromkeys(pair.source for pair in pairs))
    edits_by_source = dict(zip(sources, rewrite_all(RULES[kind], sources), strict=True))
    first = in_three = 0
    misses = []
    for pair in pairs:
        texts = [edit.text for edit in edits_by_source[pair.source][:3]]
        first += texts[:1] == [pair.target]
        in_three += pair.target in texts
        if pair.target not in texts:
            misses.append((pair, edits_by_source[pair.source]))
    return Score(len(pairs), first, in_three, sum(bool(edits_by_source[pair.source]) for pair in pairs), misses)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", choices=RULES)
    parser.add_argument("--only", choices=RULES, action="append")
    arguments = parser.parse_args()
    pairs = find_pairs()
    for kind in arguments.only or ([arguments.misses] if arguments.misses else RULES):
        try:
            result = score(kind, pairs[kind])
        except (LitotesError, ImportError) as error:
            print(f"{kind:<12} {RULES[kind]:<20} {len(pairs[kind]):4} pairs  not run: {error}")
            continue
        of = max(result.pairs, 1)
        print(
            f"{kind:<12} {RULES[kind]:<20} {result.pairs:4} pairs  first {result.first / of:6.1%}  "
            f"in three {result.in_three / of:6.1%}  rewritten {result.n_rewritten / of:6.1%}"
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
