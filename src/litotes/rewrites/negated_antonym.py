"""Negated antonym: the opposite of a word and the opposite polarity of its clause, so that the meaning stays."""

from __future__ import annotations

from collections.abc import Iterator

from litotes.language.opposites import is_contradictory
from litotes.rewrites.antonym import ANTONYM_SKIPS, Candidate, PartOfSpeech, candidates, told
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.lexical import is_attributive
from litotes.rewrites.patches import changes, patched
from litotes.rewrites.polarity import POLARITY_SKIPS, Style, Swap, Toggle, toggles

_HAVE = frozenset({"have", "get"})


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
    sentence: Sentence, *, pos: PartOfSpeech = "all", word: str | None = None, contractions: Style = "keep"
) -> Iterator[Outcome]:
    """Put the opposite of a word in its place and turn its clause round: “That is good.” → “That is not bad.”"""
    asked = pos != "all" or word is not None
    later: list[Draft] = []
    fitting = refused = False
    for candidate in candidates(sentence, pos=pos, word=word):
        if isinstance(candidate, Skip):
            yield candidate
            refused = True
            continue
        if not (asked or keeps_meaning(candidate)):
            continue
        fitting = True
        first = True
        for toggle in turned(sentence, candidate, contractions):
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
    if not fitting and not refused:
        yield Skip("not-the-same")


def turned(sentence: Sentence, candidate: Candidate, contractions: Style = "keep") -> Iterator[Toggle | Skip]:
    """The ways to turn round the clause of a word that its opposite takes the place of."""
    content = candidate.content
    swap = Swap(content.token, candidate.opposite.word, content.pos)
    yield from toggles(sentence, content.token, contractions=contractions, swap=swap)


def keeps_meaning(candidate: Candidate) -> bool:
    """Whether denying the opposite says what the sentence said.

    “It is a good idea” is “not a bad idea”, but whoever buys a good car need not be one who does not buy a bad one.
    """
    content = candidate.content
    token = content.token
    if content.pos == "a":
        if not is_attributive(token):
            return True
        noun = token.head
        return noun.dep_ in {"attr", "ROOT"} or (noun.dep_ == "dobj" and noun.head.lemma_ in _HAVE)
    if content.pos == "v":
        return is_contradictory(content.lemma, candidate.opposite.word)
    return content.pos == "n" and token.dep_ == "attr"


def _draft(sentence: Sentence, candidate: Candidate, toggle: Toggle) -> Draft:
    text = patched(sentence.text, toggle.patches)
    kind = "contradictory" if is_contradictory(candidate.content.lemma, candidate.opposite.word) else "contrary"
    return Draft(text, changes(sentence.text, text), f"{told(candidate)}; {kind}; {toggle.reason}")
