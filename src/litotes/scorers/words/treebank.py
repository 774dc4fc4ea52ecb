"""Words as NLTK's tokenizer gives them, in the manner of the Penn Treebank with case kept, and InferSent's marks.

The authors of InferSent and of skip-thought used NLTK. The same conventions in rules of our own need no package and no
data to be fetched; a test holds them to NLTK. Typographic quotes and apostrophes count as the plain ones: vectors are
for words such as n't, and a curly apostrophe must not hide a negation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from litotes.corpora.sentences import split_sentences

_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "—": "--", "–": "--"})
_JOINED = re.compile(r"\b(can(?=not\b)|gim(?=me\b)|gon(?=na\b)|got(?=ta\b)|lem(?=me\b)|wan(?=na\b))", re.IGNORECASE)
_LAST_STOP = re.compile(r"""(?<!\.)\.(?=[\])}>"'»]*\s*$)""")
_APART = r";@#$%&?!*\[\](){}<>«»„‒―"
_TOKEN = re.compile(
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
    for found in _TOKEN.finditer(text):
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
