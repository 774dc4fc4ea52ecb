"""The `Language` protocol: what other packages may ask about a language without importing its modules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

from litotes.core.registry import Registry

if TYPE_CHECKING:
    from litotes.languages.en.lexicon.wordnet import Lexicon
    from litotes.languages.tree import Doc

MAX_TEXT_LENGTH = 2_000
"""Characters. A longer text is not a sentence, and parsing it would take as much memory as a thousand sentences."""

AdjectiveFrame: TypeAlias = tuple[str, str]
"""An affirmative sentence and its negation, with {} for a predicative adjective."""

PartOfSpeech: TypeAlias = Literal["n", "v", "a", "r"]
"""Noun, verb, adjective or adverb, by WordNet's letters."""


@dataclass(frozen=True)
class Contrast:
    """How two sentences contradict each other."""

    kind: Literal["polarity", "antonym"]
    differs: tuple[str, str]
    """The words that only the first and only the second sentence contains; "" for none."""


class ContrastSignature(NamedTuple):
    """Numbers by which most pairs of sentences are ruled out before they are compared word by word.

    Two sentences can contrast only if `core` is equal and `n_negations` is not, or if `n_words` and at least one of
    the halves are equal. Hashes are comparable within one process.
    """

    core: int
    """Hash of the words without negation."""
    n_words: int
    """0 for a sentence that is not compared."""
    first_half: int
    second_half: int
    n_negations: int


class Language(Protocol):
    """A natural language; `get_language` returns an instance."""

    code: str
    """ISO 639-1 code: "en"."""
    name: str
    """English name: "English"."""
    adjective_frames: tuple[AdjectiveFrame, ...]
    """Sentences into which most adjectives fit."""

    def split_sentences(self, text: str) -> Iterator[tuple[int, str]]:
        """Yield the sentences of a paragraph with their start positions."""

    def parse_all(self, texts: Iterable[str], *, pipeline: str | None = None) -> Iterator[Doc]:
        """Yield the parse of each text, in order; `pipeline` names another spaCy pipeline than the default one."""

    def is_other_language(self, text: str) -> bool:
        """Return whether a sentence is clearly written in another language."""

    def check_language(self, sentences: Sequence[str], name: str = "the text") -> None:
        """Raise an error that mentions `name` if most sentences seem to be in another language."""

    def lemmas(self, word: str, pos: PartOfSpeech) -> tuple[str, ...]:
        """Return the lemmas that a word form may belong to, the most likely first."""

    def indefinite_article(self, following: str) -> str:
        """Return the indefinite article that fits the text after it."""

    def correct_article(self, text: str, position: int) -> str:
        """Return the text with the indefinite article right before a position made to fit what begins there."""

    def lexicon(self) -> Lexicon:
        """Return the WordNet of the language."""

    def antonym_pairs(self, pos: PartOfSpeech) -> Iterator[tuple[str, str]]:
        """Yield the curated pairs of antonyms that hold in any context."""

    def word_frequency(self, word: str, pos: PartOfSpeech) -> int:
        """Return how often a word occurs in the sense-tagged texts of the lexicon."""

    def is_affixal_antonym(self, word: str, antonym: str) -> bool:
        """Return whether two antonyms differ by an affix only: happy and unhappy."""

    def predicative_adjective(self, word: str) -> str:
        """Return an adjective as it follows the copula, with an article if it needs one."""

    def add_prefix(self, texts: Iterable[str], number: int) -> list[str]:
        """Return sentences after the prefix of that number ("I think …"), or an empty list if that is uncertain."""

    def negation_spans(self, text: str) -> list[tuple[int, int]]:
        """Return start and end of each negation of a sentence."""

    def contrast_signature(self, sentence: str) -> ContrastSignature | None:
        """Return the signature of a sentence, or None if it is not compared (a question, a quotation)."""

    def find_contrasts(self, pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[int, Contrast]]:
        """Yield the index and the contrast of each pair of sentences that contradict each other."""


_LANGUAGES = Registry("language", {"en": "litotes.languages.en.language:ENGLISH"}, group="litotes.languages")


@cache
def get_language(code: str = "en") -> Language:
    """Return the language of an ISO 639-1 code; its modules are imported on the first call.

    >>> get_language("en").name
    'English'
    >>> get_language("eng")
    Traceback (most recent call last):
    ...
    litotes.core.errors.UsageError: [L101] unknown language "eng"; did you mean en?
    """
    language: Language = _LANGUAGES.get(code)
    return language


def list_languages() -> list[str]:
    """Return the codes of the supported languages.

    >>> "en" in list_languages()
    True
    """
    return _LANGUAGES.names()


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text that is separated by blanks or line breaks.

    >>> sorted(word_set("or and"))
    ['and', 'or']
    """
    return frozenset(words.split())


def by_word(**classes: str) -> dict[str, str]:
    """Return word → class from class → words, which are separated by blanks.

    >>> by_word(fruit="apple pear", nut="almond")["pear"]
    'fruit'
    """
    return {word: name for name, words in classes.items() for word in words.split()}


def capitalised(text: str) -> str:
    """Return the text with a capital first letter; quotes and brackets before it are skipped.

    >>> capitalised("“well,” he said"), capitalised("3 men")
    ('“Well,” he said', '3 men')
    """
    for index, character in enumerate(text):
        if character.isalpha():
            return text[:index] + character.upper() + text[index + 1 :]
        if character.isalnum():
            break
    return text
