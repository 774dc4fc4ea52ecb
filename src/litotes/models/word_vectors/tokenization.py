"""How the publishers of word vectors split their texts into words, mostly as in the Penn Treebank."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from litotes.languages.base import get_language

if TYPE_CHECKING:
    from litotes.models.word_vectors.lookup import WordVectors

Case = Literal["lower", "keep"]
"""Whether words are looked up in lower case only, or first as written."""
Tokens = Literal["treebank", "blanks"]
"""Whether contractions and punctuation are tokens of their own, or tokens are whatever is between two blanks."""

_VERSION = "words-2"
"""Changes with every change of the rules that changes vectors; part of fingerprints."""
_DIGIT = re.compile(r"\d")

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": "``", "”": "''", "…": "...", "—": "--", "–": "--", "\u00a0": " "})
_ABBREVIATIONS = (
    "mr mrs ms dr st jr sr prof gen col capt lt sgt rev hon gov sen rep vs no inc ltd co corp dept est fig vol "
    "jan feb mar apr jun jul aug sept sep oct nov dec"
).split()
_PATTERN = rf"""
    (?:[a-z]\.){{2,}}                                     # u.s., e.g.
    | (?:{"|".join(_ABBREVIATIONS)})\.(?=\s+\S)           # mr. and the like, unless the text ends there
    | \.\.\.+ | --+ | `` | ''
    | \d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?                    # 1,000  3.5  10:30  2nd
    | o'clock | ma'am
    | [^\W_]+?(?=n't\b) | n't\b                           # do n't
    | '(?:s|re|ve|ll|d|m)\b                               # it 's
    | [^\W_]+(?:[-.&][^\W_]+)*                             # words, well-known, www.example.org
    | \S
    """
_LOWER_CASE_TOKEN = re.compile(_PATTERN, re.VERBOSE)
_ANY_CASE_TOKEN = re.compile(_PATTERN, re.VERBOSE | re.IGNORECASE)


def word_tokens(text: str, case: Case = "lower") -> list[str]:
    """Return the tokens of a text as in GloVe's training data: contractions and punctuation split, hyphens not.

    >>> word_tokens("It isn’t Mr. Hill’s well-known shop.")
    ['it', 'is', "n't", 'mr.', 'hill', "'s", 'well-known', 'shop', '.']
    >>> word_tokens("We can't pay $1,000.50 at 10:30...")
    ['we', 'ca', "n't", 'pay', '$', '1,000.50', 'at', '10:30', '...']
    >>> word_tokens("Mr. Hill CAN’T", case="keep")
    ['Mr.', 'Hill', 'CA', "N'T"]
    """
    straight = text.translate(_QUOTES)
    return _LOWER_CASE_TOKEN.findall(straight.lower()) if case == "lower" else _ANY_CASE_TOKEN.findall(straight)


@dataclass(frozen=True)
class WordOptions:
    """Options of all encoders that pool word vectors: `glove:FILE?case=keep&tokens=blanks`."""

    case: Case = "lower"
    tokens: Tokens = "treebank"

    @property
    def rules(self) -> WordRules:
        """The rules that these options select."""
        return WordRules(self.case, self.tokens)


@dataclass(frozen=True)
class WordRules:
    """How a text is split into words, and under which spellings a word is looked up."""

    case: Case = "lower"
    tokens: Tokens = "treebank"
    digits: str = ""
    """The character that replaces each digit in the file of vectors; empty if digits are digits."""

    def adapted_to(self, vectors: WordVectors) -> WordRules:
        """Return the rules for a file: the Google News vectors of word2vec have `##` for each number of two digits."""
        # Vectors trained on web text also have a ##, but next to numbers.
        hashes, ten = vectors.ranks(["##", "10"]).tolist()
        return WordRules(self.case, self.tokens, "#" if hashes >= 0 > ten else "")

    @property
    def version(self) -> str:
        """A description for the fingerprint."""
        parts = [_VERSION]
        parts += [f"case={self.case}"] if self.case != "lower" else []
        parts += [f"tokens={self.tokens}"] if self.tokens != "treebank" else []
        parts += [f"digits={self.digits}"] if self.digits else []
        return ", ".join(parts)

    def split(self, text: str) -> list[str]:
        """Return the tokens of a text.

        >>> WordRules(tokens="blanks").split("It isn't Mr. Hill’s.")
        ['it', "isn't", 'mr.', 'hill’s.']
        """
        if self.tokens == "treebank":
            return word_tokens(text, self.case)
        return text.lower().split() if self.case == "lower" else text.split()

    def split_inner(self, piece: str) -> list[str]:
        """Return the tokens of a piece of text without blanks that is followed by more text.

        >>> WordRules().split_inner("No."), WordRules().split("No.")
        (['no.'], ['no', '.'])
        """
        if self.tokens == "blanks" or (piece.isascii() and piece.isalpha()):
            return [piece.lower() if self.case == "lower" else piece]
        return word_tokens(f"{piece} .", self.case)[:-1]

    def spellings(self, word: str) -> list[str]:
        """Return the spellings under which a word is looked up, in order of preference.

        >>> WordRules(case="keep", digits="#").spellings("Boeing-747")
        ['Boeing-747', 'boeing-747', 'Boeing-###', 'boeing-###']
        """
        spellings = [word, word.lower()] if self.case == "keep" else [word]
        if self.digits:
            spellings += [_DIGIT.sub(self.digits, spelling) for spelling in spellings]
        return list(dict.fromkeys(spellings))

    def parts(self, word: str) -> list[str]:
        """Return the words that replace a hyphenated word without a vector; none if only blanks separate words."""
        return [part for part in word.split("-") if part] if self.tokens == "treebank" and "-" in word else []


_STRAIGHT_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "—": "--", "–": "--"})
_MERGED_WORDS = re.compile(
    r"\b(can(?=not\b)|gim(?=me\b)|gon(?=na\b)|got(?=ta\b)|lem(?=me\b)|wan(?=na\b))", re.IGNORECASE
)
_FINAL_STOP = re.compile(r"""(?<!\.)\.(?=[\])}>"'»]*\s*$)""")
_SEPARATE = r";@#$%&?!*\[\](){}<>«»„‒―"
_TREEBANK_TOKEN = re.compile(
    rf"""
    \.{{2,}} | -- | '' | `+ | " | [{_SEPARATE}]
    | [:,](?!\d)                                           # not in 10:30 and 1,000
    | (?:(?!\.\.|--|'')[^\s:,"`{_SEPARATE}] | [:,](?=\d))+ # a word with its clitics
    """,
    re.VERBOSE,
)
_CLITIC = re.compile(r"(?<=[^'])(?:n't|'(?:s|m|d|ll|re|ve)?)$", re.IGNORECASE)
_OPENING_QUOTE = re.compile(r"'(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)", re.IGNORECASE)


def treebank_words(text: str) -> list[str]:
    """Return the words of a text as NLTK's Penn Treebank tokenizer splits them, in their own case.

    >>> treebank_words("Ann can’t pay $1,000, “Mr. Hill” said.")
    ['Ann', 'ca', "n't", 'pay', '$', '1,000', ',', '``', 'Mr.', 'Hill', "''", 'said', '.']
    """
    sentences = get_language("en").split_sentences(text.translate(_STRAIGHT_QUOTES))
    return [word for _, sentence in sentences for word in _sentence_words(sentence)]


def moses_words(text: str) -> list[str]:
    """Return the same, but with “n't” split as the Moses tokenizer does; InferSent's second version reads it so.

    >>> moses_words("Ann can't pay.")
    ['Ann', 'can', "'t", 'pay', '.']
    """
    return " ".join(treebank_words(text)).replace(" n't ", "n 't ").split()


def _sentence_words(sentence: str) -> list[str]:
    text = _FINAL_STOP.sub(" .", _MERGED_WORDS.sub(r"\1 ", sentence))
    words: list[str] = []
    for match in _TREEBANK_TOKEN.finditer(text):
        if match[0] == '"':
            is_opening = match.start() == 0 or text[match.start() - 1] in " ([{<"
            words.append("``" if is_opening else "''")
        else:
            words += _split_clitics(match[0])
    return words


def _split_clitics(word: str) -> list[str]:
    quote = ["'"] if _OPENING_QUOTE.match(word) else []
    word = word[len(quote) :]
    clitic = _CLITIC.search(word)
    return [*quote, word[: clitic.start()], clitic[0]] if clitic and clitic.start() else [*quote, word]


@dataclass(frozen=True)
class InferSentTokenizer:
    """How one version of InferSent splits a text into words."""

    name: str
    """The name in fingerprints and configurations."""
    words: Callable[[str], list[str]]
    start: str
    end: str
    """The marks around each text; like any other word, they are ignored if they have no vector."""

    def tokens(self, text: str, *, lowercase: bool) -> list[str]:
        """Return the words of a text, without the marks."""
        words = self.words(text)
        return [word.lower() for word in words] if lowercase else words


INFERSENT_TOKENIZERS = {
    1: InferSentTokenizer("treebank-1", treebank_words, "<s>", "</s>"),
    2: InferSentTokenizer("moses-1", moses_words, "<p>", "</p>"),
}
"""By version of InferSent."""
