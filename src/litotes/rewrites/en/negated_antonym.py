"""Negated antonym: the opposite of a word and the opposite polarity of its clause, so that the meaning stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from litotes.languages.en.lexicon.antonyms import is_contradictory
from litotes.languages.en.morphology.inflection import compared, forms
from litotes.languages.tree import cached_on_doc
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.en.antonym import ANTONYM_SKIPS, Candidate, PartOfSpeech, told
from litotes.rewrites.en.polarity.do_support import ContractionStyle, WordSwap
from litotes.rewrites.en.polarity.toggle import POLARITY_SKIPS, Toggle, toggle_word
from litotes.rewrites.en.words.negated_meaning import deniable, stands_alone
from litotes.rewrites.lazy_sequence import LazySequence
from litotes.rewrites.patches import patched

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_RAISE = frozenset({"think", "believe", "suppose", "expect", "imagine", "seem", "appear", "look", "feel", "sound"})
"""Verbs whose “not” is meant for the clause below them."""

_THINK = frozenset({"think", "believe", "suppose", "expect", "imagine"})
_AS_STRONG = ("not … at all", "not that")


@rule(
    "negated_antonym",
    effect="same",
    needs=("parse", "lexicon", "inflection"),
    skips={
        **POLARITY_SKIPS,
        **ANTONYM_SKIPS,
        "not-the-same": "its words have opposites, but a negated one would not mean the same",
    },
)
def negated_antonym(
    sentence: Sentence, *, pos: PartOfSpeech = "all", word: str | None = None, contractions: ContractionStyle = "keep"
) -> Iterator[Outcome]:
    """Put the opposite of a word in its place and turn its clause round: “That is good.” → “That is not bad.”"""
    later: list[Draft] = []
    told_something = False
    for candidate in deniable(sentence, pos=pos, word=word):
        if isinstance(candidate, Skip):
            yield candidate
            told_something = True
            continue
        first = True
        ways = chain(_raised(sentence, candidate, contractions), turned(sentence, candidate, contractions))
        for toggle in _strongest(sentence, ways):
            told_something = True
            if isinstance(toggle, Skip):
                yield toggle
                continue
            draft = _draft(sentence, candidate, toggle)
            if first and not toggle.is_local:
                first = False
                yield draft
            else:
                later.append(draft)
    yield from later
    if not told_something:
        yield Skip("not-the-same")


def _strongest(sentence: Sentence, ways: Iterable[Toggle | Skip]) -> Iterable[Toggle | Skip]:
    """The ways to turn a clause round, those first that keep what is said as strong as it was.

    Who says that it is really good says that it is not bad at all, and more than that it is not really bad.
    """
    # Without an adverb there is no strength to keep, and the first way is found without the others.
    if "advmod" not in [token.dep_ for token in sentence.doc.tokens]:
        return ways
    return sorted(ways, key=lambda way: isinstance(way, Skip) or not way.reason.endswith(_AS_STRONG))


def _raised(sentence: Sentence, candidate: Candidate, contractions: ContractionStyle) -> Iterator[Toggle]:
    """“I think that is good” → “I do not think that is bad”: as people say it, “not” stands with the thinking."""
    content = candidate.content
    verb = _verb_of(content.token)
    above = verb.head
    if content.pos != "a" or verb.dep_ != "ccomp" or above.dep_ != "ROOT" or above.lemma_ not in _THINK:
        return
    if any(child.dep_ == "neg" for child in (*above.children, *verb.children)):
        return
    swap = WordSwap(content.token, candidate.opposite.word, content.pos)
    for toggle in toggle_word(sentence, above, contractions=contractions, swap=swap):
        if isinstance(toggle, Toggle) and _is_sound(sentence, candidate, toggle):
            yield toggle


@cached_on_doc
def turned(
    sentence: Sentence, candidate: Candidate, contractions: ContractionStyle = "keep"
) -> Iterable[Toggle | Skip]:
    """The ways to turn round the clause of a word that its opposite takes the place of; found once for all rules."""
    return LazySequence(_turned(sentence, candidate, contractions))


def _turned(sentence: Sentence, candidate: Candidate, contractions: ContractionStyle) -> Iterator[Toggle | Skip]:
    content = candidate.content
    token = content.token
    swap = WordSwap(token, candidate.opposite.word, content.pos)
    only_word = stands_alone(token) if content.pos == "a" else False
    for toggle in toggle_word(sentence, token if only_word else where(token), contractions=contractions, swap=swap):
        if isinstance(toggle, Skip):
            yield toggle
        elif not _is_sound(sentence, candidate, toggle):
            yield Skip("not-sure", "the other word and the negation would not go together")
        # “awkward, but right”: what is joined to other words has a “not” of its own.
        elif not only_word or toggle.is_local or toggle.reason == "without not":
            yield toggle


def _is_sound(sentence: Sentence, candidate: Candidate, toggle: Toggle) -> bool:
    """Whether the patches go together, have the other word, split no word and leave nothing that needs a “not”."""
    ordered = sorted(toggle.patches)
    text = sentence.text
    at = 0
    for start, end, new in ordered:
        if start < at or (start == end and text[start - 1 : start].isalnum() and new[:1].isalpha()):
            return False
        at = end
    if toggle.reason.startswith("without") and (" at all" in text or "never" in toggle.reason):
        return False
    came = " ".join([patch.new for patch in ordered]).lower()
    return any(form in came for form in _all_forms(candidate.opposite.word.partition(" ")[0], candidate.content.pos))


@lru_cache(maxsize=16_384)
def _all_forms(word: str, pos: str) -> frozenset[str]:
    return forms(word, pos) | {compared(word, "R"), compared(word, "S")} if pos in "ar" else forms(word, pos)


def where(token: Token) -> Token:
    """The word at which “not” belongs: “It's not going to be easy”, “I don't think that's a good idea”."""
    verb = _verb_of(token)
    above = verb.head
    if above is verb or verb.dep_ not in {"xcomp", "ccomp"} or any(child.dep_ == "neg" for child in verb.children):
        return token
    if above.lower_ == "going" and verb.dep_ == "xcomp":
        return above
    if above.lemma_ in _RAISE and any(child.dep_ == "neg" for child in above.children):
        return above
    return token


def _verb_of(token: Token) -> Token:
    """The verb of the clause that a word stands in."""
    verb = token
    while verb.head is not verb and verb.pos_ not in {"VERB", "AUX"}:
        verb = verb.head
    return verb


def _draft(sentence: Sentence, candidate: Candidate, toggle: Toggle) -> Draft:
    text = patched(sentence.text, toggle.patches)
    kind = "contradictory" if is_contradictory(candidate.content.lemma, candidate.opposite.word) else "contrary"
    return Draft(text, reason=f"{told(candidate)}; {kind}; {toggle.reason}")
