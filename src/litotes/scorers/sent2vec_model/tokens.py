"""Words as the published sent2vec models were trained on them: in lower case, addresses and users by one name each."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from litotes.scorers.words.tokens import word_tokens

Tokens = Literal["treebank", "tweet", "blanks"]

_NAMED = re.compile(r"(?P<url>https?://\S+|www\.\S+)|(?<!\S)@\w+", re.IGNORECASE)
_OPENING = re.compile(r"(?:(?<=^)|(?<=[\s(\[{]))\"(?=\S)")
_TWEET = re.compile(
    r"""
    [<>]?[:;=8][-o*']?[)\](\[dDpP/\\|}{@]+             # :-) and the like
    | <3
    | \#\w+
    | \d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?
    | [^\W_]+(?:['-][^\W_]+)*                           # don't, well-known
    | \.\.+ | …
    | \S
    """,
    re.VERBOSE,
)


def treebank(text: str) -> list[str]:
    """In the manner of the Penn Treebank, for the models of Wikipedia and of books.

    >>> treebank('"It isn’t here," said @ann at www.example.org')
    ['``', 'it', 'is', "n't", 'here', ',', "''", 'said', '<user>', 'at', '<url>']
    """
    directed = _OPENING.sub("``", text).replace('"', "''")
    return _with_names(directed, word_tokens)


def tweet(text: str) -> list[str]:
    """In the manner of tweets, for the models of Twitter: contractions whole, hashtags and faces too.

    >>> tweet("@ann isn't here :-( #Late")
    ['<user>', "isn't", 'here', ':-(', '#late']
    """
    return _with_names(text, lambda piece: [token.lower() for token in _TWEET.findall(piece)])


def blanks(text: str) -> list[str]:
    """At the blanks and nowhere else, nothing changed: for texts that are tokenised already.

    >>> blanks("Do n't go .")
    ['Do', "n't", 'go', '.']
    """
    return text.split()


def _with_names(text: str, tokens: Callable[[str], list[str]]) -> list[str]:
    found: list[str] = []
    start = 0
    for name in _NAMED.finditer(text):
        found += tokens(text[start : name.start()])
        found.append("<url>" if name["url"] else "<user>")
        start = name.end()
    return found + tokens(text[start:])


TOKENS: dict[str, Callable[[str], list[str]]] = {"treebank": treebank, "tweet": tweet, "blanks": blanks}
"""How a text is cut into words, by name."""
