"""Labeling: something is not what a noun calls it ("That wasn't a wolf", "He is no doctor", "These aren't coats")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.developmental.denials import Denial, Words, child_of, denials
from litotes.languages.en.syntax.verb_groups import is_be

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_NO_LABEL = frozenset(
    {
        # amounts and measures
        *("lot", "bit", "deal", "majority", "half", "part", "percent", "time", "everything", "everyone"),
        *("everybody", "most", "many", "much", "enough", "year", "day", "hour", "minute", "mile", "dollar", "inch"),
        # what stands for a sentence, not for a thing
        *("case", "matter", "use", "good", "wonder", "doubt", "way", "chance", "need", "point", "thing", "fun"),
        *("nothing", "none", "nobody", "anything", "something", "like", "kind", "sort"),
        *("someone", "somebody", "anyone", "anybody", "surprise", "accident", "coincidence", "secret", "shame", "pity"),
        *("course", "sense"),
    }
)


_MODALS = ("would", "should", "could", "can", "ca", "may", "might", "must", "'d", "to")
"""What would or should not be a thing may be one."""


def labeling(doc: Doc) -> Iterator[Words]:
    """Yield the words that deny that something is what a noun says."""
    for denial in denials(doc):
        verb, subject = denial.verb, denial.subject
        if not is_be(verb) or denial.position == "subject" or subject is None or subject.i > verb.i:
            continue
        if subject.dep_ != "nsubj" or subject.lower_ in {"there", "the"}:
            continue
        if denial.has_auxiliary(*_MODALS) or child_of(verb, "acomp") is not None:
            continue
        noun = next((token for token in verb.rights if token.dep_ == "attr"), None)
        if noun is not None and _is_label(noun) and _is_near(verb, noun) and _agrees(denial, noun):
            yield (subject, *denial.words, *(() if noun in denial.markers else (noun,)))


def _is_label(noun: Token) -> bool:
    if noun.tag_ not in _NOUNS or noun.lemma_ in _NO_LABEL or noun.like_num:
        return False
    if child_of(noun, "nummod", "quantmod") is not None:
        return False
    if noun.lemma_ == "number" and any(token.lower_ == "of" for token in noun.rights):
        return False  # "a number of coats" is an amount, "an even number" is not
    # "not the only doctor" is a doctor; "not a very good doctor" may be one, but is not what the phrase says
    return not any(token.lower_ in {"only", "all", "every", "more", "less", "much"} for token in noun.lefts)


def _is_near(verb: Token, noun: Token) -> bool:
    """Return whether nothing between verb and noun, nor right behind, makes it another statement."""
    between = verb.doc.tokens[verb.i + 1 : noun.i]
    if any(token.tag_ == ":" or token.lower_ in {"so", "much", "too", "--"} for token in between):
        return False
    return not any(token.lower_ == "alone" for token in verb.doc.tokens[noun.i + 1 : noun.i + 2])


def _agrees(denial: Denial, noun: Token) -> bool:
    """Return whether "no" stands before a noun of the subject's number; else the subject is a slip for "there"."""
    if denial.position == "verb" or noun.tag_ not in {"NNS", "NNPS"}:
        return True
    return denial.verb.lower_ in {"are", "were", "'re"}
