"""Negative words taken away or put into the positive: no, nothing, nobody, a “not” that stands by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.languages.base import capitalised
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import positive_of
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.nouns import MASS_NOUNS
from litotes.languages.en.syntax.tags import SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import VerbGroup
from litotes.rewrites.base import Skip
from litotes.rewrites.en.polarity.polarity_change import ChangeOrSkip, PolarityChange
from litotes.rewrites.en.polarity.polarity_items import delete_at_all
from litotes.rewrites.patches import Patch, delete, end_of, replace, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Token


_CORRECTING = frozenset({"only", "just", "merely", "rather"})
_LEANING = frozenset({"until", "nor", "till", "neither"})
_LEANING_OR_CORRECTING = _LEANING | _CORRECTING
_CANNOT = frozenset({"seem"})
"""“I can't seem to find it”: said only so."""
_LONG = frozenset(
    "second seconds minute minutes hour hours day days night nights week weeks month months year years decade decades"
    " century centuries age ages time while long".split()
)


def depends_on_not(negation: Token) -> bool:
    """Whether something later stands or falls with the negation: “until”, “nor”, “neither did …”, “…, only four”."""
    tokens = negation.doc.tokens
    return not _LEANING_OR_CORRECTING.isdisjoint(negation.doc.lowers) and any(
        token.lower_ in _LEANING or (token.lower_ in _CORRECTING and tokens[token.i - 1].lower_ in {",", "but"})
        for token in tokens[negation.i + 1 :]
    )


def is_set_phrase(group: VerbGroup) -> bool:
    """“I can't wait”, “I can't help it”, “it can't possibly be”: without “not” they say something else."""
    if group.first.lower_ not in {"ca", "can", "could"}:
        return False
    if group.verb.lemma_ in _CANNOT or any(child.lower_ == "possibly" for child in group.verb.lefts):
        return True
    if group.verb.lemma_ not in {"wait", "help"}:
        return False
    following = group.verb.nbor() if group.verb.i + 1 < len(group.verb.doc) else None
    if following is None or following.is_punct or following.lower_ in {"to", "for", "until", "till", "but", "it"}:
        return True
    return following.tag_ == "VBG"


def is_corrected(group: VerbGroup, reach: list[Token]) -> bool:
    """Whether “but” says what holds instead: “not good but bad”, “does not walk but runs”."""
    if "but" not in group.verb.doc.lowers:
        return False
    return _has_other_verb(group.verb) or any(
        token.lower_ == "but" and token.dep_ == "cc" and token.head.i != group.verb.i and token.head.dep_ != "ROOT"
        for token in reach
    )


def _has_other_verb(verb: Token) -> bool:
    """Whether “but” joins another predicate to a verb, with the same subject."""
    if not any(child.dep_ == "cc" and child.lower_ == "but" for child in verb.rights):
        return False
    return any(
        child.dep_ == "conj" and not any(one.dep_ in SUBJECT_DEPS for one in child.lefts) for child in verb.rights
    )


def is_of_absence(group: VerbGroup) -> bool:
    """“I haven't seen him for years”, “in ages”: the time is that of the absence, and goes with the negation."""
    if group.first.lower_ not in {"have", "has", "had", "'ve", "’ve", "'s", "’s", "'d", "’d"} or not group.auxiliaries:
        return False
    return any(
        child.lower_ in {"for", "in"} and any(one.lower_ in _LONG and _is_span(one, child) for one in child.rights)
        for child in group.verb.rights
    )


def _is_span(time: Token, preposition: Token) -> bool:
    """Whether a time is a length: “for two years”, “in a long time”, not “in time” or “for the first time”."""
    if any(child.lower_ in {"the", "this", "that", "his", "her", "my", "their"} for child in time.lefts):
        return False
    return preposition.lower_ == "for" or time.tag_ == "NNS" or any(child.lower_ == "a" for child in time.lefts)


POSITIVE_WORDS = {
    "nobody": "somebody",
    "nothing": "something",
    "nowhere": "somewhere",
    "none": "some",
}
_NOT_COUNTED = frozenset("damage experience hope love pain paper room sense space time truth".split())
"""Counted elsewhere (“a bad time”), but not after “no”."""
_NOT_A_DENIAL = frozenset(
    "doubt matter wonder way means longer more less need use good problem point thanks end".split()
)
"""After “no”: set phrases whose “no” cannot be taken away word for word."""
_DENIED_BEHIND_THERE = frozenset({"problem", "need"})
"""“No problem.” is an answer, “There is no problem.” a denial."""
FOCUSED_BY_NOT = frozenset({"only", "because", "until", "unless", "merely", "but"})


def remove_negative_word(token: Token) -> ChangeOrSkip | None:
    """A negative word taken away or put into the positive; None if the word is not negative."""
    lower = token.lower_
    if lower == "no" and token.dep_ == "det":
        return _without_no(token)
    if lower == "no" and token.i + 1 < len(token.doc) and token.nbor().pos_ in {"ADJ", "ADV"}:
        return (
            PolarityChange((delete_words(token, token),), "without no")
            if token.nbor().lower_ == "different"
            else Skip("set-phrase")
        )
    if lower == "nothing" and any(child.tag_ in {"JJR", "RBR"} for child in token.head.children):
        return Skip("set-phrase", "“nothing is better” says more than its words")
    if lower in POSITIVE_WORDS and token.i + 1 < len(token.doc) and token.nbor().lower_ in {"but", "except"}:
        return Skip("correlative")  # “nothing but”
    if lower in POSITIVE_WORDS:
        return PolarityChange((replace(token, cased_like(token.text, POSITIVE_WORDS[lower])),), f"without {lower}")
    if lower in NOT_TOKENS:
        return _without_stray(token)
    if lower == "one" and token.i and token.nbor(-1).lower_ == "no" and token.dep_ in {"nsubj", "nsubjpass", "dobj"}:
        first = token.nbor(-1)
        return PolarityChange(
            (Patch(start_of(first), end_of(token), cased_like(first.text, "someone")),), "without no one"
        )
    return None


def _without_stray(negator: Token) -> ChangeOrSkip:
    """A “not” that the parser gave to a word and not to the verb: “something not right”, “to not go”."""
    if negator.i and negator.nbor(-1).lower_ in {"but", "or", ",", "-", "–", "—"}:
        return Skip("correlative")
    if negator.i + 1 < len(negator.doc) and negator.nbor().lower_ in FOCUSED_BY_NOT:
        return Skip("focus")
    if negator.lower_ == "not":
        over = delete_at_all(negator)
        return PolarityChange((delete_words(negator, negator), *((over,) if over is not None else ())), "without not")
    before = negator.nbor(-1)
    if before.lower_ in {"ai", "do", "does", "did"}:
        return Skip("not-sure")
    return PolarityChange((Patch(start_of(before), end_of(negator), positive_of(before)),), "without n't")


def _without_no(no: Token) -> ChangeOrSkip:
    noun = no.head
    if depends_on_not(no):
        return Skip("correlative")
    if not no.whitespace_ and no.i + 1 < len(no.doc) and no.nbor().text == "-":
        return Skip("set-phrase")  # no-nonsense
    if noun.lower_ == "one" and noun.i == no.i + 1:
        return PolarityChange((Patch(start_of(no), end_of(noun), cased_like(no.text, "someone")),), "without no one")
    if noun.lower_ in _DENIED_BEHIND_THERE and _is_behind_there(noun):
        return PolarityChange((replace(no, cased_like(no.text, "a")),), "no → a")
    if noun.lower_ in _NOT_A_DENIAL or (no.i + 1 < len(no.doc) and no.nbor().lower_ in _NOT_A_DENIAL):
        return Skip("set-phrase")
    if noun.tag_ in {"NNS", "NNPS"} or noun.lower_ in MASS_NOUNS or noun.lower_ in _NOT_COUNTED:
        new = "some"
    elif noun.tag_ == "NN":
        new = "a"  # patched makes it “an” where it must be
        from litotes.languages.en.morphology.articles import article

        new = article(no.doc.text[end_of(no) :].lstrip())
    else:
        return Skip("not-sure", f"“no {noun.text}” is no plain noun phrase")
    return PolarityChange((replace(no, cased_like(no.text, new)),), f"no → {new}")


def _is_behind_there(noun: Token) -> bool:
    """Whether it is said that there is none, and nothing leans on it: “There is no problem here.”"""
    be = noun.head
    return noun.dep_ == "attr" and be.lemma_ == "be" and any(child.dep_ == "expl" for child in be.lefts)


def delete_words(first: Token, last: Token) -> Patch:
    """Tokens taken away; what follows gets the capital if they had it."""
    patch = delete(first, last)
    text = first.doc.text
    if first.text[:1].isupper() and not first.is_upper and patch.end < len(text):
        rest = text[patch.end :]
        return patch._replace(end=patch.end + 1, new=capitalised(rest[0]))
    return patch
