"""English behind the `Language` protocol, with its templates of generated sentences."""

from __future__ import annotations

from collections.abc import Iterable

from litotes.languages.base import AdjectiveFrame, Language
from litotes.languages.en.contrast.comparison import contrast_signature, find_contrasts
from litotes.languages.en.language_detection import check_english, is_other_language
from litotes.languages.en.lexicon.antonyms import is_affixal, usual_pairs
from litotes.languages.en.lexicon.wordnet import default_lexicon, frequency
from litotes.languages.en.morphology.articles import correct_article, indefinite_article
from litotes.languages.en.morphology.inflection import lemmas
from litotes.languages.en.negation import negation_spans
from litotes.languages.en.parser import parse_all
from litotes.languages.en.pronouns import NOUN_PHRASE_OPENERS
from litotes.languages.en.sentences import split_sentences
from litotes.languages.en.word_lists import data_rows

ADJECTIVE_FRAMES: tuple[AdjectiveFrame, ...] = tuple(
    (affirmative, negative) for affirmative, negative in (row.split("\t") for row in data_rows("adjective_frames.tsv"))
)
_NEEDS_DEFINITE_ARTICLE = frozenset(("same", "other", "only", "opposite", "main", "former", "latter", "sole"))

_STATEMENT_PREFIXES = (
    *("No, ", "No, but ", "Yes, ", "Well, ", "Oh, ", "But ", "So ", "Because "),
    *("I think ", "I know ", "He said "),
)
_QUESTION_PREFIXES = ("Well, ", "Oh, ", "But ", "So ")
_HAVE_S_FORM = frozenset({"it", "that", "he", "she", "there"})
_HAVE_RE_FORM = frozenset({"we", "you", "they"})
_LOWER_CASE = (NOUN_PHRASE_OPENERS - {"i"}) | {
    "there",
    *(f"{word}'s" for word in _HAVE_S_FORM),
    *(f"{word}'re" for word in _HAVE_RE_FORM),
}
"""First words that are capitalised only because they begin the sentence."""


def predicative_adjective(word: str) -> str:
    """Return an adjective as it follows "is".

    >>> predicative_adjective("late"), predicative_adjective("same")
    ('late', 'the same')
    """
    return f"the {word}" if word in _NEEDS_DEFINITE_ARTICLE else word


def add_prefix(texts: Iterable[str], number: int) -> list[str]:
    """Return sentences after the prefix of that number; an empty list if the case of a first word is uncertain.

    >>> add_prefix(["It is late.", "It isn't early."], 8)
    ['I think it is late.', "I think it isn't early."]
    >>> add_prefix(["Ann is late.", "Ann isn't early."], 8)
    []
    """
    prefixed = []
    for text in texts:
        first = text.partition(" ")[0].lower().replace("’", "'")
        if first not in _LOWER_CASE and first.partition("'")[0] != "i":
            return []
        prefixes = _QUESTION_PREFIXES if text.endswith("?") else _STATEMENT_PREFIXES
        lowered = text[0].lower() + text[1:] if first in _LOWER_CASE else text
        prefixed.append(prefixes[number % len(prefixes)] + lowered)
    return prefixed


class English:
    """English; each method is documented in the protocol."""

    code = "en"
    name = "English"
    adjective_frames = ADJECTIVE_FRAMES

    split_sentences = staticmethod(split_sentences)
    parse_all = staticmethod(parse_all)
    is_other_language = staticmethod(is_other_language)
    check_language = staticmethod(check_english)
    lemmas = staticmethod(lemmas)
    indefinite_article = staticmethod(indefinite_article)
    correct_article = staticmethod(correct_article)
    lexicon = staticmethod(default_lexicon)
    antonym_pairs = staticmethod(usual_pairs)
    word_frequency = staticmethod(frequency)
    is_affixal_antonym = staticmethod(is_affixal)
    predicative_adjective = staticmethod(predicative_adjective)
    add_prefix = staticmethod(add_prefix)
    negation_spans = staticmethod(negation_spans)
    contrast_signature = staticmethod(contrast_signature)
    find_contrasts = staticmethod(find_contrasts)


ENGLISH: Language = English()
