"""The salient words of a sentence: the words that carry its meaning, the most important first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.quantifiers import IDENTITY_WORDS, LARGE_AMOUNTS, ORDINALS
from litotes.languages.en.syntax.tags import AUXILIARY_DEPS, PREDICATIVE_DEPS
from litotes.languages.en.verbs import LIGHT_VERBS
from litotes.languages.tree import cached_on_doc

if TYPE_CHECKING:
    from litotes.languages.tree import Token
    from litotes.rewrites.base import Sentence

_EMPTY_VERBS = LIGHT_VERBS | {"be", "let", "come", "give", "put", "gon", "wan", "got", "ai", "need"}
_EMPTY_NOUNS = frozenset({"thing", "way", "lot", "kind", "sort", "one", "bit", "something", "anything", "nothing"})
_EMPTY_ADJECTIVES = IDENTITY_WORDS | ORDINALS | LARGE_AMOUNTS | {"few", "several", "such", "own", "second", "whole"}
_JOINING = frozenset("-–/@#_'’*&=")
"""Characters that join a token to the one before it."""


def salient_words(sentence: Sentence) -> Iterator[Token]:
    """Yield the content words that rules may change, the most salient first: the main predicate before the rest.

    >>> from litotes.languages.en.parser import parse
    >>> from litotes.rewrites.base import Sentence
    >>> list(salient_words(Sentence(parse("The old man was very angry because Tom had sold the house."))))
    [angry, old, sold, man, house]
    """
    return filter(is_plain_word, _words_by_salience(sentence))


@cached_on_doc
def _words_by_salience(sentence: Sentence) -> list[Token]:
    ranked = []
    for token in sentence.doc.tokens:
        rank_of = _RANKS.get(token.pos_)
        rank = rank_of(token) if rank_of is not None else None
        if rank is not None:
            ranked.append((rank, token.i, token))
    ranked.sort()
    return [token for _, _, token in ranked]


def is_plain_word(token: Token) -> bool:
    """Return whether a token is not a name, a number, an address, in capitals or part of a compound."""
    text = token.text
    if not text.isalpha() or not text.isascii() or token.like_num or token.pos_ == "PROPN":
        return False
    if not text.islower() and not (text.istitle() and _begins_sentence(token)):
        return False
    tokens, index = token.doc.tokens, token.i
    if index and not tokens[index - 1].whitespace_ and tokens[index - 1].text[-1] in _JOINING:
        return False
    after = tokens[index + 1].text if index + 1 < len(tokens) and not token.whitespace_ else ""
    return not after or (after[0] not in "-–/@#_*&=" and not after[0].isalnum() and after.lower() not in {"n't", "n’t"})


def _begins_sentence(token: Token) -> bool:
    """Return whether a capital may be that of a sentence or quotation, not of a name."""
    if token.i == 0 or token.is_sent_start:
        return True
    return not token.nbor(-1).text[-1].isalnum() and token.nbor(-1).text not in {",", ";"}


# The rank of a word, 0 for the most salient; None for a word without content.


def _adjective_rank(token: Token) -> float | None:
    if token.lower_ in _EMPTY_ADJECTIVES:
        return None
    dep = token.dep_
    if dep not in PREDICATIVE_DEPS and dep != "ROOT":
        return 2.5
    return 0 if dep == "ROOT" or token.head.dep_ == "ROOT" else 2


def _verb_rank(token: Token) -> float | None:
    dep = token.dep_
    if dep in AUXILIARY_DEPS or token.lemma_.lower() in _EMPTY_VERBS:
        return None
    return 1 if dep == "ROOT" else 3


def _noun_rank(token: Token) -> float | None:
    if token.lower_ in _EMPTY_NOUNS:
        return None
    return 4 if token.head.dep_ == "ROOT" else 5


def _adverb_rank(token: Token) -> float | None:
    return 6 if token.lower_.endswith("ly") else None


_RANKS: dict[str, Callable[[Token], float | None]] = {
    "ADJ": _adjective_rank,
    "VERB": _verb_rank,
    "NOUN": _noun_rank,
    "ADV": _adverb_rank,
}
