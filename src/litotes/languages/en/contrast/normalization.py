"""Sentences in a normal form for comparison: contractions expanded, and a core without negation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from litotes.languages.base import by_word
from litotes.languages.en.modifiers import POLARITY_TIME_ADVERBS
from litotes.languages.en.morphology.contractions import ENDINGS, NOT_STEMS
from litotes.languages.en.morphology.inflection import lemmas
from litotes.languages.en.negation import NEGATIVE_INDEFINITES
from litotes.languages.en.verbs import FINITE_DO, FINITE_HAVE, FULL_FINITE_BE
from litotes.languages.en.word_lists import word_list

MAX_WORDS = 60
"""Longer texts that differ in one word are rarely considered opposites."""
_MAX_CHARACTERS = 20 * MAX_WORDS

_QUESTION_OR_QUOTATION = re.compile(r"[?\"“”«»„]|(?<!\w)['‘].*['’](?!\w)")
"""A negated question asks the same, and quotations are not statements of the writer."""
_ANSWER = re.compile(r"^\W*(?:yes|no|yeah|yep|nope|nah|well|oh)\s*[,.!]\s+(?=\w)", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:['’]\w+)*|[$€£%]")
_MERGED = {"no one": "nobody", "any one": "anybody", "any more": "anymore", "any longer": "anymore"}
_VARIANTS = by_word(nobody="noone", somebody="someone", anybody="anyone", everybody="everyone", a="an")

_THAT_HOSTS = word_list("that hosts")
"""Words after which "that" may be omitted."""

NEGATIONS = NEGATIVE_INDEFINITES | {"not", "never", "no", "nowhere"}
_POSITIVE_PRONOUNS = by_word(somebody="nobody anybody", something="nothing anything", somewhere="nowhere anywhere")
_ARTICLES = frozenset({"a", "some", "any"})
_MOBILE_ADVERBS = frozenset({"even", "always", "often"})
_FINAL_ADVERBS = frozenset({"too", "either"})
_AUXILIARIES = FULL_FINITE_BE | FINITE_HAVE | {"be", "'s", "would", "'d"}
"""Forms that contraction or agreement confuses; whether they correspond is checked later."""


class Word(NamedTuple):
    """A word of the text."""

    form: str
    """In lower case, expanded: "not" for "n't"."""
    start: int
    """Character offset."""


class CoreWord(NamedTuple):
    """A word of the core."""

    form: str
    support: str
    """The form of "do" that carried its tense, for the verb after "do not"."""
    article: str
    """a, some, any or no before it, or ""."""

    @property
    def is_adverb(self) -> bool:
        """Whether it may be between "do not" and the verb."""
        return self.form in _MOBILE_ADVERBS or self.form.endswith("ly")

    @property
    def is_pronoun(self) -> bool:
        """Whether it is a pronoun such as somebody, anybody or nobody."""
        return self.form in _POSITIVE_PRONOUNS or self.form in _POSITIVE_PRONOUNS.values()


@dataclass(frozen=True, slots=True)
class NormalizedSentence:
    """A sentence in the form in which it is compared."""

    text: str
    words: tuple[Word, ...]
    folded: tuple[str, ...]
    """The forms of the words, with "'s" and its possible expansions made equal."""
    core: tuple[str, ...]
    """Lemmas without negation, and without articles, "do" and adverbs that come and go with negation."""
    core_words: tuple[CoreWord, ...]
    """The words of the core as they are in the text."""
    negations: tuple[int, ...]
    """For each negation, the index of the word of the core that follows it."""


def normalize(text: str) -> NormalizedSentence | None:
    """Return the normal form of a sentence, or None if it is not compared.

    Questions, quotations, very long texts and texts without words are not compared.

    >>> normalize("He doesn't have any money.").core, normalize("Is it?")
    (('he', '~', 'money'), None)
    """
    if len(text) > _MAX_CHARACTERS or _QUESTION_OR_QUOTATION.search(text):
        return None
    words = _split_words(text)
    if not 0 < len(words) <= MAX_WORDS:
        return None
    folded = tuple([_fold(word.form) for word in words])
    return NormalizedSentence(text, words, folded, *_extract_core(words))


def _split_words(text: str) -> tuple[Word, ...]:
    answer = _ANSWER.match(text)
    words: list[Word] = []
    for match in _WORD.finditer(text, answer.end() if answer else 0):
        lower, start = match[0].lower().replace("’", "'"), match.start()
        for form in filter(None, _expand(lower)):  # a separate "n't" has no first part
            if form == "not" and lower != "not":
                start = match.end() - 3
            previous = words[-1].form if words else ""
            merged = _MERGED.get(f"{previous} {form}")
            if merged is not None:
                words[-1] = Word(merged, words[-1].start)
            elif previous == "no" and form == "longer":
                words[-1:] = [Word("not", words[-1].start), Word("anymore", start)]
            else:
                words.append(Word(form, start))
    return tuple(word for index, word in enumerate(words) if not _is_optional(words, index))


def _is_optional(words: list[Word], index: int) -> bool:
    """Return whether a word adds no meaning: "please", and "that" after "I think"."""
    form = words[index].form
    if form == "that" and 0 < index < len(words) - 1:  # at the end it is a pronoun
        return words[index - 1].form in _THAT_HOSTS
    return form == "please"


def _expand(lower: str) -> tuple[str, ...]:
    """Return the words of a contraction.

    >>> _expand("can't"), _expand("we'll"), _expand("she's"), _expand("let's")
    (('can', 'not'), ('we', 'will'), ('she', "'s"), ('let', 'us'))
    """
    if lower == "cannot":
        return ("can", "not")
    if "'" not in lower:
        return (_VARIANTS.get(lower, lower),)
    if lower.endswith("n't"):
        stem = lower[:-3]
        return (NOT_STEMS.get(stem, stem), "not")
    if lower == "let's":
        return ("let", "us")
    head, _, tail = lower.rpartition("'")
    if tail in ENDINGS:
        return (head, ENDINGS[tail])
    return (_VARIANTS.get(head, head), f"'{tail}") if tail in {"s", "d"} else (lower,)


def _fold(form: str) -> str:
    if form in {"is", "has", "'s"}:
        return "'s"
    return "'d" if form in {"would", "had", "'d"} else form


def _extract_core(words: tuple[Word, ...]) -> tuple[tuple[str, ...], tuple[CoreWord, ...], tuple[int, ...]]:
    core: list[str] = []
    core_words: list[CoreWord] = []
    negations: list[int] = []
    support = article = ""
    last = len(words) - 1
    for index, (form, _) in enumerate(words):
        if form in NEGATIONS:
            negations.append(len(core))
            if form == "no":
                article = "no"
            if form not in _POSITIVE_PRONOUNS:
                continue
        if form in FINITE_DO and index < last and words[index + 1].form == "not":
            support = form
            continue
        if form in _ARTICLES:
            article = form
            continue
        if form in POLARITY_TIME_ADVERBS or (form in _FINAL_ADVERBS and index == last):
            continue
        core.append(_core_form(form))
        core_words.append(CoreWord(form, support, article))
        if not core_words[-1].is_adverb:
            support = ""
        article = ""
    return tuple(core), tuple(core_words), tuple(negations)


@lru_cache(maxsize=65_536)
def _core_form(form: str) -> str:
    """Return a form that all inflections of a word share, and sometimes those of another word."""
    if form in _AUXILIARIES:
        return "~"
    if form in _POSITIVE_PRONOUNS:
        return _POSITIVE_PRONOUNS[form]
    as_verb = lemmas(form, "v")[0]
    return as_verb if as_verb != form else lemmas(form, "n")[0]
