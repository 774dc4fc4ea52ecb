"""The telling words of a sentence: those that carry its meaning, the most telling first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from litotes.languages.tree import cached_on_doc

if TYPE_CHECKING:
    from litotes.languages.tree import Token
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


def telling_words(sentence: Sentence) -> Iterator[Token]:
    """The content words that may be changed, the most telling first: what the main clause says, then the rest.

    >>> from litotes.languages.en.parser import parse
    >>> from litotes.rewrites.base import Sentence
    >>> list(telling_words(Sentence(parse("The old man was very angry because Tom had sold the house."))))
    [angry, old, sold, man, house]
    """
    return filter(stands_alone, ranked_words(sentence))


@cached_on_doc
def ranked_words(sentence: Sentence) -> list[Token]:
    """The same, with those that may not be changed; found once for all rules."""
    ranked = []
    for token in sentence.doc.tokens:
        rank = _RANKS.get(token.pos_)
        if rank is not None:
            found = rank(token)
            if found is not None:
                ranked.append((found, token.i, token))
    ranked.sort()
    return [token for _, _, token in ranked]


def stands_alone(token: Token) -> bool:
    """Whether a token is a plain word: no name, number, address, shout or part of a compound."""
    text = token.text
    if not text.isalpha() or not text.isascii() or token.like_num or token.pos_ == "PROPN":
        return False
    if not text.islower() and not (text.istitle() and _may_begin(token)):
        return False
    doc, place = token.doc.tokens, token.i
    if place and not doc[place - 1].whitespace_ and doc[place - 1].text[-1] in _JOINING:
        return False
    after = doc[place + 1].text if place + 1 < len(doc) and not token.whitespace_ else ""
    return not after or (after[0] not in "-–/@#_*&=" and not after[0].isalnum() and after.lower() not in {"n't", "n’t"})


def _may_begin(token: Token) -> bool:
    """Whether a capital may be that of a beginning, not of a name."""
    if token.i == 0 or token.is_sent_start:
        return True
    return not token.nbor(-1).text[-1].isalnum() and token.nbor(-1).text not in {",", ";"}


def _adjective(token: Token) -> float | None:
    if token.lower_ in _EMPTY_ADJECTIVES:
        return None
    dep = token.dep_
    if dep not in {"acomp", "attr", "oprd", "ROOT"}:
        return 2.5
    return 0 if dep == "ROOT" or token.head.dep_ == "ROOT" else 2


def _verb(token: Token) -> float | None:
    dep = token.dep_
    if dep in {"aux", "auxpass"} or token.lemma_.lower() in LIGHT_VERBS:
        return None
    return 1 if dep == "ROOT" else 3


def _noun(token: Token) -> float | None:
    if token.lower_ in _EMPTY_NOUNS:
        return None
    return 4 if token.head.dep_ == "ROOT" else 5


def _adverb(token: Token) -> float | None:
    return 6 if token.lower_.endswith("ly") else None


_RANKS: dict[str, Callable[[Token], float | None]] = {"ADJ": _adjective, "VERB": _verb, "NOUN": _noun, "ADV": _adverb}
"""How telling a word is, the most telling 0; None for one that carries no meaning of its own."""
