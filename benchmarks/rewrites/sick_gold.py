"""How often a rule gives exactly the sentence that SICK's annotators wrote.

python benchmarks/rewrites/sick_gold.py [--misses passive|active|adding|removing|there-is-no]

SICK's sentences were varied by hand-made rules, so its pairs hold gold for ours. They are found by their own words,
never by what our rules make of them:

- active/passive: ENTAILMENT, the same words but for the forms of the verb, "be" and "by", and on one side alone a form
  of "be" with a participle and "by" behind it;
- negation: CONTRADICTION, the same words in the same order but for one "not" (and the "do" that goes with it);
- "There is no": CONTRADICTION, "There is no cat eating rice" against "A cat is eating rice", the same words otherwise.
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


class Gold(NamedTuple):
    """A sentence, and the sentence that a person made of it."""

    source: str
    target: str


class Score(NamedTuple):
    """Exact hits among unique pairs."""

    pairs: int
    first: int
    in_three: int
    made: int
    """Sentences of which the rule made anything."""
    misses: list[tuple[Gold, Edits]]


RULES = {
    "passive": "passive",
    "active": "active",
    "adding": "negation",
    "removing": "negation",
    "there-is-no": "quantifier_negation",
}


def mined() -> dict[str, list[Gold]]:
    """The unique pairs of each kind."""
    found: dict[str, dict[Gold, None]] = {kind: {} for kind in RULES}
    with FILE.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            pair = (row["sentence_A"].strip(), row["sentence_B"].strip())
            for one, other in (pair, pair[::-1]):
                if row["entailment_judgment"] == "ENTAILMENT" and _is_passive_of(other, one):
                    found["passive"][Gold(one, other)] = None
                    found["active"][Gold(other, one)] = None
                if row["entailment_judgment"] == "CONTRADICTION":
                    if _is_negation_of(other, one):
                        found["adding"][Gold(one, other)] = None
                        found["removing"][Gold(other, one)] = None
                    if _says_there_is_no(other, one):
                        found["there-is-no"][Gold(one, other)] = None
    return {kind: list(pairs) for kind, pairs in found.items()}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+(?:['-]\w+)*", text.lower())


def _base(word: str) -> str:
    """One form for all forms of a verb; nouns are treated alike on both sides, which is all that matters."""
    return "a" if word == "an" else lemmas(word, "v")[0]


def _has_passive_by(words: list[str]) -> bool:
    if "by" not in words:
        return False
    before = words[: words.index("by")]
    be = next((place for place, word in enumerate(before) if word in _BE), None)
    return be is not None and any(has_form(word, "VBN") for word in before[be + 1 :] if word not in _BE)


def _is_passive_of(passive: str, active: str) -> bool:
    one, other = _words(passive), _words(active)
    if not _has_passive_by(one) or _has_passive_by(other) or one.count("by") != other.count("by") + 1:
        return False
    bags = [Counter(_base(word) for word in words if word not in _BE and word != "by") for words in (one, other)]
    return bags[0] == bags[1]


def _is_negation_of(negative: str, positive: str) -> bool:
    one, other = _words(negative), _words(positive)
    if one.count("not") != other.count("not") + 1:
        return False
    if one[: one.index("not")] + one[one.index("not") + 1 :] == other:
        return True
    plain = [_base(word) for word in one if word not in _DO and word != "not"]
    return bool(_DO & set(one)) and plain == [_base(word) for word in other]


def _says_there_is_no(negative: str, positive: str) -> bool:
    absent, present = _THERE_IS_NO.fullmatch(negative), _POSITIVE.fullmatch(positive)
    if absent is None or present is None:
        return False
    return _words(absent.group(1)) == _words(" ".join(present.groups()))


def score(kind: str, pairs: list[Gold]) -> Score:
    """A rule against the pairs of a kind."""
    sources = list(dict.fromkeys(pair.source for pair in pairs))
    made = dict(zip(sources, rewrite_all(RULES[kind], sources), strict=True))
    first = in_three = 0
    misses = []
    for pair in pairs:
        texts = [edit.text for edit in made[pair.source][:3]]
        first += texts[:1] == [pair.target]
        in_three += pair.target in texts
        if pair.target not in texts:
            misses.append((pair, made[pair.source]))
    return Score(len(pairs), first, in_three, sum(bool(made[pair.source]) for pair in pairs), misses)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", choices=RULES)
    parser.add_argument("--only", choices=RULES, action="append")
    asked = parser.parse_args()
    pairs = mined()
    for kind in asked.only or ([asked.misses] if asked.misses else RULES):
        try:
            result = score(kind, pairs[kind])
        except (LitotesError, ImportError) as error:
            print(f"{kind:<12} {RULES[kind]:<20} {len(pairs[kind]):4} pairs  not run: {error}")
            continue
        of = max(result.pairs, 1)
        print(
            f"{kind:<12} {RULES[kind]:<20} {result.pairs:4} pairs  first {result.first / of:6.1%}  "
            f"in three {result.in_three / of:6.1%}  rewritten {result.made / of:6.1%}"
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
