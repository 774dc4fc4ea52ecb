"""Words as the makers of word vectors counted them: in the manner of the Penn Treebank, lower case unless kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from litotes.languages.en.sentences import split_sentences

Case = Literal["lower", "keep"]
"""Whether words are looked up in lower case, or first as they are written."""
Split = Literal["treebank", "blanks"]
"""Whether contractions and punctuation are words of their own, or words are what stands between two blanks."""

_SAME = str.maketrans({"’": "'", "‘": "'", "“": "``", "”": "''", "…": "...", "—": "--", "–": "--", "\u00a0": " "})

ABBREVIATIONS = (
    "mr mrs ms dr st jr sr prof gen col capt lt sgt rev hon gov sen rep vs no inc ltd co corp dept est fig vol "
    "jan feb mar apr jun jul aug sept sep oct nov dec"
).split()

_PATTERN = rf"""
    (?:[a-z]\.){{2,}}                                     # u.s., e.g.
    | (?:{"|".join(ABBREVIATIONS)})\.(?=\s+\S)            # mr. and the like, not at the end
    | \.\.\.+ | --+ | `` | ''
    | \d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?                    # 1,000  3.5  10:30  2nd
    | o'clock | ma'am
    | [^\W_]+?(?=n't\b) | n't\b                           # do n't
    | '(?:s|re|ve|ll|d|m)\b                               # it 's
    | [^\W_]+(?:[-.&][^\W_]+)*                             # words, well-known, www.example.org
    | \S
    """
_BETWEEN = "\0"
_TOKEN = re.compile(_PATTERN, re.VERBOSE)
_TOKEN_OF_ANY_CASE = re.compile(_PATTERN, re.VERBOSE | re.IGNORECASE)


def word_tokens(text: str, case: Case = "lower") -> list[str]:
    """The tokens of a text: contractions and punctuation apart, words with hyphens whole.

    >>> word_tokens("It isn’t Mr. Hill’s well-known shop.")
    ['it', 'is', "n't", 'mr.', 'hill', "'s", 'well-known', 'shop', '.']
    >>> word_tokens("We can't pay $1,000.50 at 10:30...")
    ['we', 'ca', "n't", 'pay', '$', '1,000.50', 'at', '10:30', '...']
    >>> word_tokens("Mr. Hill CAN’T", case="keep")
    ['Mr.', 'Hill', 'CA', "N'T"]
    """
    same = text.translate(_SAME)
    return _TOKEN.findall(same.lower()) if case == "lower" else _TOKEN_OF_ANY_CASE.findall(same)


def text_tokens(text: str, case: Case = "lower", split: Split = "treebank") -> list[str]:
    """The tokens of a text, however it is split.

    >>> text_tokens("It isn't Mr. Hill’s.", split="blanks")
    ['it', "isn't", 'mr.', 'hill’s.']
    """
    if split == "treebank":
        return word_tokens(text, case)
    return text.lower().split() if case == "lower" else text.split()


def pieces_tokens(pieces: Sequence[str], case: Case = "lower", split: Split = "treebank") -> list[tuple[str, ...]]:
    """The tokens of each of some pieces, which have no blank in them, as they are where more text follows.

    No token reaches over a blank, and only for abbreviations it matters whether more follows.

    >>> pieces_tokens(["No.", "isn't"]), word_tokens("No.")
    ([('no.',), ('is', "n't")], ['no', '.'])
    """
    if split == "blanks":
        return [(piece.lower() if case == "lower" else piece,) for piece in pieces]
    if any(_BETWEEN in piece for piece in pieces):
        return [tuple(word_tokens(f"{piece} .", case)[:-1]) for piece in pieces]
    found: list[tuple[str, ...]] = []
    tokens = word_tokens("".join(f"{piece} {_BETWEEN} " for piece in pieces), case)
    start = 0
    for _ in pieces:
        end = tokens.index(_BETWEEN, start)
        found.append(tuple(tokens[start:end]))
        start = end + 1
    return found


_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "—": "--", "–": "--"})
_JOINED = re.compile(r"\b(can(?=not\b)|gim(?=me\b)|gon(?=na\b)|got(?=ta\b)|lem(?=me\b)|wan(?=na\b))", re.IGNORECASE)
_LAST_STOP = re.compile(r"""(?<!\.)\.(?=[\])}>"'»]*\s*$)""")
_APART = r";@#$%&?!*\[\](){}<>«»„‒―"
_TREEBANK_TOKEN = re.compile(
    rf"""
    \.{{2,}} | -- | '' | `+ | " | [{_APART}]
    | [:,](?!\d)                                           # not in 10:30 and 1,000
    | (?:(?!\.\.|--|'')[^\s:,"`{_APART}] | [:,](?=\d))+    # a word, with what hangs on it
    """,
    re.VERBOSE,
)
_HANGS_ON = re.compile(r"(?<=[^'])(?:n't|'(?:s|m|d|ll|re|ve)?)$", re.IGNORECASE)
_OPENS = re.compile(r"'(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """How a version of InferSent reads a text."""

    name: str
    """What fingerprints and configurations call it: other rules are other words."""
    words: Callable[[str], list[str]]
    begin: str
    end: str
    """The marks before and after the words of a text; those without a vector are left out like any other word."""

    def tokens(self, text: str, *, lowercase: bool) -> list[str]:
        """The words of a text, without the marks."""
        words = self.words(text)
        return [word.lower() for word in words] if lowercase else words


def treebank_words(text: str) -> list[str]:
    """Punctuation and contractions apart, words as they are written; a stop is apart where a sentence ends.

    >>> treebank_words("Ann can’t pay $1,000, “Mr. Hill” said.")
    ['Ann', 'ca', "n't", 'pay', '$', '1,000', ',', '``', 'Mr.', 'Hill', "''", 'said', '.']
    """
    return [word for _, one in split_sentences(text.translate(_PLAIN)) for word in _sentence_words(one)]


def moses_words(text: str) -> list[str]:
    """The same but for “n't”, of which InferSent's second version makes what the Moses tokenizer would.

    >>> moses_words("Ann can't pay.")
    ['Ann', 'can', "'t", 'pay', '.']
    """
    return " ".join(treebank_words(text)).replace(" n't ", "n 't ").split()


READINGS = {
    1: Reading("treebank-1", treebank_words, "<s>", "</s>"),
    2: Reading("moses-1", moses_words, "<p>", "</p>"),
}
"""By the version of InferSent."""


def _sentence_words(sentence: str) -> list[str]:
    text = _LAST_STOP.sub(" .", _JOINED.sub(r"\1 ", sentence))
    words: list[str] = []
    for found in _TREEBANK_TOKEN.finditer(text):
        if found[0] == '"':
            words.append("``" if _is_opening(text, found.start()) else "''")
        else:
            words += _parts(found[0])
    return words


def _is_opening(text: str, place: int) -> bool:
    return place == 0 or text[place - 1] in " ([{<"


def _parts(word: str) -> list[str]:
    """A word and the clitic or quotation mark that hangs on it."""
    begin = ["'"] if _OPENS.match(word) else []
    word = word[len(begin) :]
    cut = _HANGS_ON.search(word)
    return [*begin, word[: cut.start()], cut[0]] if cut and cut.start() else [*begin, word]
