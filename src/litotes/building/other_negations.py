"""Negations beyond “not” whose other polarity is another word: never, hardly, no, without.

“never hot” is “always cold”, “hardly safe” is “dangerous”, “no easy task” is “a hard task”, “without difficulty” is
“with ease”.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.language.articles import article
from litotes.language.casing import cased_like
from litotes.rewrites.base import Change
from litotes.rewrites.gates import text_fault
from litotes.rewrites.patches import Patch, delete, patched, replace
from litotes.rewrites.quadruple import Quadruple

if TYPE_CHECKING:
    from litotes.language.tree import Token
    from litotes.rewrites.antonym import Candidate
    from litotes.rewrites.base import Sentence

_HARDLY = frozenset({"hardly", "scarcely", "barely"})


def other_quadruples(sentence: Sentence, antonym: Candidate) -> Iterator[Quadruple]:
    """The quadruple of an opposite whose word is negated by one of these; none if it is not."""
    cue, text = _cue(antonym.content.token), sentence.text
    if cue is None or "at all" in text:
        return
    opposite = patched(text, antonym.patches)
    polarity = patched(text, [_turned(cue, antonym.content.token.text)])
    both = patched(text, [_turned(cue, antonym.opposite.word), *antonym.patches])
    texts = (opposite, polarity, both)
    if len({text, *texts}) == 4 and not any(text_fault(text, one) for one in texts):
        yield Quadruple(text, *texts, Change(antonym.content.token.text, antonym.opposite.word))


def _cue(token: Token) -> Token | None:
    """The word that negates: beside the verb, before the word, before its noun, or before the noun that it is."""
    verb = token.head
    for child in (*verb.children, *token.children):
        if child.lower_ == "never" or (child.lower_ in _HARDLY and child.i < token.i):
            return child
    if token.dep_ == "amod" and verb.dep_ == "attr":
        return next((child for child in verb.lefts if child.lower_ == "no"), None)
    return verb if is_after_without(token) else None


def is_after_without(token: Token) -> bool:
    """Whether a noun is what something goes without."""
    return token.dep_ == "pobj" and token.head.lower_ == "without"


def _turned(cue: Token, word: str) -> Patch:
    """What takes the place of a negation, before the given word."""
    lower = cue.lower_
    if lower in _HARDLY:
        return delete(cue)
    plural = cue.head.tag_ == "NNS"
    if lower == "no" and plural:
        return delete(cue)
    new = {"never": "always", "without": "with"}.get(lower) or article(word)
    return replace(cue, cased_like(cue.text, new))
