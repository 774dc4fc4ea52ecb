"""Infill: one word is replaced by an unrelated word, so that the sentence means something else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING

from litotes.languages.en.lexicon.misspellings import is_word
from litotes.languages.en.lexicon.synonyms import akin, are_related, base_forms
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.inflection import compared, inflect_like
from litotes.languages.en.negation import NEGATIVE_SUBJECTS
from litotes.languages.en.pronouns import ARTICLES
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, WordChange, rule
from litotes.rewrites.en.words.infill_frames import frame_of
from litotes.rewrites.en.words.infill_words import NOT_COMPARED, similar_words, weighted_words
from litotes.rewrites.en.words.salience import is_plain_word, salient_words
from litotes.rewrites.patches import end_of, patched, replace, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_ROUNDS = 5
"""Rounds of `count` random draws; some words are related to the original, some are drawn twice."""
_POS = {"ADJ": "a", "VERB": "v", "NOUN": "n", "ADV": "r"}
_PREFERRED_POS = {"ADJ": "a", "VERB": "v"}
_EXCLUDED_PREDICTIONS = NEGATIVE_SUBJECTS | ARTICLES | {"not", "never", "nor", "n't", "and", "or", "but"}
"""Predictions of a model that change more than a word: negation, or the structure of the sentence."""
_SUFFIXES = ("ly", "ally", "ness", "er", "est", "less", "ful", "ing", "ed")


@rule(
    "infill",
    effect="different",
    needs=("parse", "lexicon", "inflection"),
    skips={
        "no-word": "no word of the sentence can be replaced",
        "word-not-found": "the chosen word is not in the sentence",
        "not-to-be-replaced": "the chosen word is a name, a number or a function word",
        "no-other-word": "no unrelated word is known that fits the position of the chosen one",
        "no-prediction": "the model predicts no word that is unrelated to the original",
    },
)
def infill(
    sentence: Sentence, *, word: str | None = None, seed: int = 0, model: str | None = None, count: int = 3
) -> Iterator[Outcome]:
    """Replace the most salient word, or a chosen one, by a word that is neither similar nor opposite.

    With `model`, the name or folder of a fill-mask model, the words are its predictions, the most likely first.
    """
    tokens = _by_preference(sentence) if word is None else _chosen(sentence, word)
    if isinstance(tokens, Skip):
        yield tokens
        return
    # The seed includes the sentence, so that the result does not depend on the order of sentences or on workers.
    random = _LazyRandom(f"{seed}\0{sentence.text}")
    for token in tokens:
        replacements = _predicted(sentence, token, model) if model is not None else _drawn(token, random, count)
        is_replaced = False
        for form, reason in _first_distinct(replacements, count):
            is_replaced = True
            text = patched(sentence.text, [replace(token, form)])
            is_only_change = len(text) == len(sentence.text) - len(token.text) + len(form)
            yield Draft(text, (WordChange(token.text, form),) if is_only_change else None, reason)
        if is_replaced:
            return
    yield Skip("no-word" if word is None else "no-other-word" if model is None else "no-prediction")


def _by_preference(sentence: Sentence) -> Iterator[Token]:
    """Yield the salient words; verbs and adjectives that have both synonyms and antonyms come first."""
    others: list[Token] = []
    for token in salient_words(sentence):
        pos = _PREFERRED_POS.get(token.pos_)
        if pos is not None and _has_synonyms_and_antonyms(token.lemma_.lower(), pos):
            yield token
        else:
            others.append(token)
    yield from others


def _chosen(sentence: Sentence, word: str) -> list[Token] | Skip:
    tokens = [token for token in sentence.doc if token.lower_ == word.strip().lower()]
    if not tokens:
        return Skip("word-not-found", f"“{word}” is not in the sentence")
    return [token for token in tokens if token.pos_ in _POS and is_plain_word(token)] or Skip("not-to-be-replaced")


@lru_cache(maxsize=16_384)
def _has_synonyms_and_antonyms(lemma: str, pos: str) -> bool:
    lexicon = default_lexicon()
    synsets = lexicon.synsets_at([sense.number for sense in lexicon.senses(lemma, pos)])
    return any(len(synset.members) > 1 for synset in synsets) and any(synset.has_antonyms for synset in synsets)


def _first_distinct(replacements: Iterator[tuple[str, str]], count: int) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for form, reason in replacements:
        if len(seen) >= count:
            return
        if form not in seen:
            seen.add(form)
            yield form, reason


class _LazyRandom:
    """A random generator that is seeded when it is first used; seeding takes as long as many drafts."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._random: Random | None = None

    def choices(self, words: list[str], cumulative_weights: list[float], count: int) -> list[str]:
        """Draw words with replacement."""
        if self._random is None:
            self._random = Random(self._seed)  # noqa: S311
        return self._random.choices(words, cum_weights=cumulative_weights, k=count)


def _drawn(token: Token, random: _LazyRandom, count: int) -> Iterator[tuple[str, str]]:
    """Yield inflected words that fit the token's position and the reasons; frequent words are drawn more often."""
    frame = frame_of(token)
    if frame is None:
        return
    pos, names = frame
    words, cumulative_weights = _cumulative_weights(pos, names)
    lemma, lower = token.lemma_.lower(), token.lower_
    own_forms = base_forms(lemma, pos) | base_forms(lower, pos)
    similar = similar_words(lemma) | similar_words(lower)
    text = token.doc.text.lower()
    for _ in range(_ROUNDS):
        for new in random.choices(words, cumulative_weights, count):
            if new in similar or not own_forms.isdisjoint(akin(new, pos)):
                continue
            form = _inflected(token, new, pos)
            # No word is inserted that the sentence contains already.
            if form is not None and " " not in form and form.lower() not in text:
                yield form, f"“{new}” fits the position of “{lemma}” and is unrelated to it"


@lru_cache(maxsize=64)
def _cumulative_weights(pos: str, names: tuple[str, ...]) -> tuple[list[str], list[float]]:
    entries = [entry for name in names for entry in weighted_words(pos, name)]
    return [word for word, _ in entries], list(accumulate(weight for _, weight in entries))


def _inflected(token: Token, word: str, pos: str) -> str | None:
    """Return a word in the form of the token, or None if there is no natural form."""
    if pos == "a":
        if token.tag_ in {"JJR", "JJS"} and word in NOT_COMPARED:
            return None
        for child in token.lefts:
            if child.lower_ in {"more", "most"} and " " not in compared(word, "R"):
                return None  # no "more tall"
    return inflect_like(token, word, pos)


def _predicted(sentence: Sentence, token: Token, model: str) -> Iterator[tuple[str, str]]:
    """Yield the predictions of a model that are unrelated to the token, and the reasons."""
    from litotes.rewrites.en.words.masked_model import load_masked_model

    pos, lemma = _POS.get(token.pos_, "n"), token.lemma_.lower()
    predictions = load_masked_model(model).fill(sentence.text, start_of(token), end_of(token))
    for rank, new in enumerate(predictions, 1):
        lower = new.lower()
        if len(lower) < 2 or lower in _EXCLUDED_PREDICTIONS or not is_word(lower):
            continue
        if are_related(token.lower_, lower, pos) or are_related(lemma, lower, pos) or _is_derived(lemma, lower):
            continue
        yield cased_like(token.text, lower if token.is_sent_start else new), f"the model's prediction {rank}"


def _is_derived(first: str, second: str) -> bool:
    """Return whether one of two words is the other one with a suffix, for derivations that the lexicon does not list.

    >>> _is_derived("angry", "angrily"), _is_derived("carefully", "careful"), _is_derived("strange", "strangle")
    (True, True, False)
    """
    return any(
        longer in {f"{stem}{suffix}" for stem in (shorter, shorter[:-1], f"{shorter[:-1]}i") for suffix in _SUFFIXES}
        for shorter, longer in ((first, second), (second, first))
    )
