"""The telling words of a sentence: those that carry its meaning, the most telling first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token

    from litotes.rewrites.base import Sentence

LIGHT_VERBS = frozenset(
    {"be", "have", "do", "get", "let", "make", "take", "go", "come", "give", "put", "gon", "wan", "got", "ai", "need"}
)
"""They carry tense more than meaning."""

_EMPTY_NOUNS = frozenset({"thing", "way", "lot", "kind", "sort", "one", "bit", "something", "anything", "nothing"})
_EMPTY_ADJECTIVES = frozenset(
    {"such", "same", "other", "own", "many", "much", "few", "several", "last", "next", "first", "second", "whole"}
)
_JOINING = frozenset("-–/@#_'’*&=")


def telling_words(sentence: Sentence, *, fits: Callable[[Token], bool] | None = None) -> list[Token]:
    """The content words that may be changed, the most telling first: what the main clause says, then the rest.

    >>> from litotes.language.parse import parse
    >>> from litotes.rewrites.base import Sentence
    >>> telling_words(Sentence(parse("The old man was very angry because Tom had sold the house.")))
    [angry, old, sold, man, house]
    """
    ranked = []
    for token in sentence.doc:
        rank = _rank(token)
        if rank is not None and stands_alone(token) and (fits is None or fits(token)):
            ranked.append((rank, token.i, token))
    ranked.sort(key=lambda entry: entry[:2])
    return [token for _, _, token in ranked]


def stands_alone(token: Token) -> bool:
    """Whether a token is a plain word: no name, number, address, shout or part of a compound."""
    text = token.text
    if not text.isalpha() or not text.isascii() or (text.isupper() and len(text) > 1) or token.like_num:
        return False
    if token.pos_ == "PROPN" or not (text.islower() or text.istitle()):
        return False
    doc, place = token.doc, token.i
    if text[0].isupper() and not _may_begin(token):
        return False
    if place and not doc[place - 1].whitespace_ and doc[place - 1].text[-1] in _JOINING:
        return False
    after = doc[place + 1].text if place + 1 < len(doc) and not token.whitespace_ else ""
    return not after or (after[0] not in "-–/@#_*&=" and not after[0].isalnum() and after.lower() not in {"n't", "n’t"})


def _may_begin(token: Token) -> bool:
    """Whether a capital may be that of a beginning, not of a name."""
    if token.i == 0 or token.is_sent_start:
        return True
    return not token.nbor(-1).text[-1].isalnum() and token.nbor(-1).text not in {",", ";"}


def _rank(token: Token) -> float | None:
    """How telling a word is, the most telling 0; None for one that carries no meaning of its own."""
    pos, dep = token.pos_, token.dep_
    rank: float | None = None
    if pos == "ADJ" and token.lower_ not in _EMPTY_ADJECTIVES:
        is_predicate = dep in {"acomp", "attr", "oprd", "ROOT"}
        rank = 2.5 if not is_predicate else 0 if dep == "ROOT" or token.head.dep_ == "ROOT" else 2
    elif pos == "VERB" and token.lemma_.lower() not in LIGHT_VERBS and dep not in {"aux", "auxpass"}:
        rank = 1 if dep == "ROOT" else 3
    elif pos == "NOUN" and token.lower_ not in _EMPTY_NOUNS:
        rank = 4 if token.head.dep_ == "ROOT" else 5
    elif pos == "ADV" and token.lower_.endswith("ly"):
        rank = 6
    return rank
