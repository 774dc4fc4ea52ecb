"""What differs in two sentences that say the opposite: a negation, or a word and its antonym, and nothing else."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from litotes.audit.clauses import denies_the_sentence, opposes_the_sentence
from litotes.audit.opposed_words import Opposed, opposed
from litotes.audit.readings import NEGATIONS, Kept, Reading, read
from litotes.language.inflection import has_form, lemmas
from litotes.language.parse import is_parsed, parse_all
from litotes.language.tree import Doc

_ALIKE = frozenset(
    frozenset(pair.split()) for pair in ("'s is", "'s has", "'d would", "'d had", "is are", "was were", "'s are")
)
_TENSES = {"does": "VBZ", "did": "VBD"}
_BEFORE_NOUNS = frozenset(
    [("any", one) for one in ("some", "a", "")] + [("no", one) for one in ("some", "a", "", "any")] + [("", "some")]
)
"""What stands before a noun where it is denied and where it is not: “any” and “some”, “no” and “a”."""
_UNSURE = frozenset({"may", "might", "maybe", "perhaps", "possibly", "sometimes", "occasionally"})
"""Both may be true: perhaps he comes, and perhaps he does not."""
_ABLE = frozenset({"can", "could"})
_SOME = frozenset({"some", "somebody", "something", "somewhere", "many", "several", "few", "half", "often", "another"})
"""Both are true of some: some people do, and some people do not."""
_INVERTED = frozenset("is are was were has have had does did can could will would should must am".split())
_PERSONS = frozenset({"i", "you", "we", "they", "he", "she", "it"})
_TRAPS = re.compile(
    r"\bnot (?:only|just|merely|simply|so much|until|till|necessarily)\b|\b(?:or|if|why|than) not\b|\bnever mind\b"
    r"|\b(?:nothing|anything|nobody|none) but\b|\b(?:can|could) not help (?:\w+ing|but|it)\b|\bcan not wait\b"
    r"|\bno (?:idea|doubt|wonder|matter|sooner|less|way|use|thanks)\b|\b(?:until|till|unless|lest|whether)\b"
    r"|\bcould not .*\b(?:more|less|better|happier|worse)\b"
)
_PIECE = re.compile(r"\w+(?=['’](?:m|re|ve|ll|s|d)\b)|['’](?:m|re|ve|ll|s|d)\b|\w+(?:['’-]\w+)*|[$€£%]", re.IGNORECASE)
_WHOLE = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'s": "is", "'d": "would"}
_SURFACE = re.compile(r"\w+(?:['’-]\w+)*|[$€£%]")


@dataclass(frozen=True)
class Difference:
    """Why two sentences say the opposite."""

    kind: Literal["polarity", "antonym"]
    differs: tuple[str, str]
    """What stands in the one and not in the other; "" for nothing."""


class Draft(NamedTuple):
    """Two sentences that are opposed by their words; the parse has not been asked yet."""

    one: Reading
    other: Reading
    kind: Literal["polarity", "antonym"]
    starts: tuple[int, int]
    """Where the word in question begins in each; -1 where it does not stand."""
    opposed: tuple[Opposed, ...] = ()


def differences(one: str, other: str) -> Difference | None:
    """What differs in two sentences that say the opposite; None if they do not, or if more differs.

    >>> differences("He went home.", "He didn't go home.")
    Difference(kind='polarity', differs=('went', "didn't go"))
    >>> differences("The soup is cold.", "The soup is hot.")
    Difference(kind='antonym', differs=('cold', 'hot'))
    >>> differences("I don't think he came.", "I think he didn't come.") is None
    True
    """
    left, right = read(one), read(other)
    draft = None if left is None or right is None else compare(left, right)
    return None if draft is None else next(confirmed([draft]))


def compare(one: Reading, other: Reading) -> Draft | None:
    """The rule on words alone, quick enough for millions of pairs."""
    if one.core == other.core:
        return _polarity(one, other)
    return _antonym(one, other) if len(one.folded) == len(other.folded) else None


def confirmed(drafts: Sequence[Draft]) -> Iterator[Difference | None]:
    """Of each draft what differs, or None where the parse shows that both sentences may be true."""
    texts = list(dict.fromkeys(reading.text for draft in drafts for reading, _ in _in_question(draft)))
    docs = dict(zip(texts, parse_all(texts), strict=True))
    for draft in drafts:
        turns = all(_turns(docs[reading.text], start, draft) for reading, start in _in_question(draft))
        yield Difference(draft.kind, _shown(draft)) if turns else None


def _turns(doc: Doc, start: int, draft: Draft) -> bool:
    """Whether the sentence as a whole turns with the word in question."""
    if not is_parsed(doc):
        return False
    if draft.kind == "polarity":
        return denies_the_sentence(doc, start)
    return opposes_the_sentence(doc, start, draft.opposed)


def _in_question(draft: Draft) -> list[tuple[Reading, int]]:
    return [(reading, start) for reading, start in zip(draft[:2], draft.starts, strict=True) if start >= 0]


# Negated, or not.


def _polarity(one: Reading, other: Reading) -> Draft | None:
    more = len(one.negations) - len(other.negations)
    if more not in {1, -1} or not one.core:
        return None
    negated, plain = (one, other) if more == 1 else (other, one)
    which = _surplus(negated.negations, plain.negations)
    if which is None or not all(map(_corresponds, negated.kept, plain.kept)):
        return None
    forms = [word.form for word in negated.words]
    place = [number for number, form in enumerate(forms) if form in NEGATIONS][which]
    if _is_trap(forms, place) or (plain.negations and forms[place] != "not"):
        return None  # “I didn't see nothing” may well mean that I saw nothing
    start = negated.words[place].start
    return Draft(one, other, "polarity", (start, -1) if more == 1 else (-1, start))


def _surplus(negated: tuple[int, ...], plain: tuple[int, ...]) -> int | None:
    """Which negation the one has and the other has not, all others being in the same places."""
    return next((which for which in range(len(negated)) if negated[:which] + negated[which + 1 :] == plain), None)


def _corresponds(denied: Kept, said: Kept) -> bool:
    """Whether a word of the negated sentence is that of the other, in the form that it takes there."""
    articles = (denied.article, said.article)
    if articles not in _BEFORE_NOUNS and (denied.article != said.article or denied.article == "some"):
        return False
    if denied.form == said.form:
        # “I do not go” denies “I go”; “I did not go” does not.
        tense = _TENSES.get(denied.support, "")
        return denied.support == said.support or denied.is_adverb or not tense or has_form(said.form, tense)
    if denied.support and not said.support:
        return has_form(said.form, _TENSES.get(denied.support, "")) and denied.form in lemmas(said.form, "v")
    if denied.support or said.support:
        return False
    if frozenset({denied.form, said.form}) in _ALIKE or denied.is_pronoun:
        return True
    return bool(denied.article or said.article) and lemmas(denied.form, "n")[0] == lemmas(said.form, "n")[0]


def _is_trap(forms: list[str], place: int) -> bool:
    """Whether a negation does not make the opposite of its sentence."""
    if not _UNSURE.isdisjoint(forms) or _TRAPS.search(" ".join(forms)):
        return True
    if place == 1 and (forms[0] in _INVERTED or (forms[0] == "do" and len(forms) > 2 and forms[2] in _PERSONS)):
        return True  # “Isn't it great!” says that it is
    if forms[place] == "no" and place + 1 == len(forms):
        return True  # to say no is not to say nothing
    return forms[place] in {"not", "never", "no"} and not _SOME.isdisjoint(forms[:place])


# A word and its antonym.


def _antonym(one: Reading, other: Reading) -> Draft | None:
    place = -1
    for number, both in enumerate(zip(one.folded, other.folded, strict=True)):
        if both[0] != both[1]:
            if place >= 0:
                return None
            place = number
    if place < 0:
        return None
    left, right = one.words[place], other.words[place]
    how = opposed(left.form, right.form)
    if not how:
        return None
    forms = [word.form for word in one.words if word is not left]
    if not (_UNSURE | _ABLE).isdisjoint(forms) or not _SOME.isdisjoint(forms[:place]):
        return None
    if not NEGATIONS.isdisjoint(forms):
        # What is not tall need not be short, and who does not agree need not disagree.
        how = tuple(each for each in how if each.contradictory and each.pos == "a")
    same = (
        a.form == b.form or frozenset({a.form, b.form}) in _ALIKE for a, b in zip(one.words, other.words, strict=True)
    )
    if not how or sum(same) != len(one.words) - 1:
        return None
    return Draft(one, other, "antonym", (left.start, right.start), how)


# What people are shown.


def _shown(draft: Draft) -> tuple[str, str]:
    if draft.kind == "polarity":
        return _what_differs(*(reading.text[reading.words[0].start :] for reading in draft[:2]))
    left, right = (_SURFACE.match(reading.text, start) for reading, start in _in_question(draft))
    return left[0] if left else "", right[0] if right else ""


def _what_differs(one: str, other: str) -> tuple[str, str]:
    """The words of each that the other has not, as they stand.

    >>> _what_differs("It isn't here.", "It is here."), _what_differs("I'm ill.", "I am not ill.")
    (("isn't", 'is'), ('', 'not'))
    """
    if one > other:  # the same whichever comes first
        right, left = _what_differs(other, one)
        return left, right
    ones, others = _PIECE.findall(one), _PIECE.findall(other)
    matcher = difflib.SequenceMatcher(None, [_plain(word) for word in ones], [_plain(word) for word in others], False)
    parts = [(ones[a:b], others[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
    return " … ".join(" ".join(part) for part, _ in parts if part), " … ".join(
        " ".join(part) for _, part in parts if part
    )


def _plain(piece: str) -> str:
    lower = piece.lower().replace("’", "'")
    return _WHOLE.get(lower, lower)
