"""`infill`: another word in the place of a telling one; the sentence says something else."""

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
from litotes.languages.en.morphology.inflection import compared, in_place_of
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, WordChange, rule
from litotes.rewrites.en.words.content_words import stands_alone, telling_words
from litotes.rewrites.en.words.infill_frames import frame
from litotes.rewrites.en.words.infill_words import NOT_COMPARED, near, pool
from litotes.rewrites.patches import end_of, patched, replace, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_DRAWS = 5
"""Draws for each draft that is wanted: some are related to the original, some were drawn before."""
_POS = {"ADJ": "a", "VERB": "v", "NOUN": "n", "ADV": "r"}
_WITH_BOTH = {"ADJ": "a", "VERB": "v"}
_NOT_FILLED_IN = frozenset("not no never nor neither none nothing nobody n't the a an and or but".split())
"""What a model may predict but what changes more than a word: negation, or the sentence's build."""
_ENDINGS = ("ly", "ally", "ness", "er", "est", "less", "ful", "ing", "ed")


@rule(
    "infill",
    effect="different",
    needs=("parse", "lexicon", "inflection"),
    skips={
        "no-word": "no word of it is one in whose place another could stand",
        "word-not-found": "the chosen word is not in it",
        "not-to-be-replaced": "the chosen word is a name, a number or no word that carries meaning",
        "no-other-word": "no other word is known that could stand in the place of the chosen one",
        "no-prediction": "the model predicts no other word that is not akin to the original",
    },
)
def infill(
    sentence: Sentence, *, word: str | None = None, seed: int = 0, model: str | None = None, count: int = 3
) -> Iterator[Outcome]:
    """Put a word that is neither akin nor opposed into the place of the most telling one, or of a chosen one.

    With `model`, a fill-mask model of transformers by name or folder, its predictions are taken in order.
    """
    tokens = _by_preference(sentence) if word is None else _chosen(sentence, word)
    if isinstance(tokens, Skip):
        yield tokens
        return
    # Seeded by the sentence too: neither the order of a stream nor the number of workers makes a difference.
    random = _Seeded(f"{seed}\0{sentence.text}")
    for token in tokens:
        found = _predicted(sentence, token, model) if model is not None else _drawn(token, random, count)
        made = False
        for form, reason in _first(found, count):
            made = True
            text = patched(sentence.text, [replace(token, form)])
            is_plain = len(text) == len(sentence.text) - len(token.text) + len(form)
            words = (WordChange(token.text, form),) if is_plain else None
            yield Draft(text, words, reason)
        if made:
            return
    yield Skip("no-word" if word is None else "no-other-word" if model is None else "no-prediction")


def _by_preference(sentence: Sentence) -> Iterator[Token]:
    """The telling words; first those verbs and adjectives that have both synonyms and antonyms."""
    others: list[Token] = []
    for token in telling_words(sentence):
        pos = _WITH_BOTH.get(token.pos_)
        if pos is not None and _has_both(token.lemma_.lower(), pos):
            yield token
        else:
            others.append(token)
    yield from others


def _chosen(sentence: Sentence, word: str) -> list[Token] | Skip:
    wanted = word.strip().lower()
    found = [token for token in sentence.doc if token.lower_ == wanted]
    if not found:
        return Skip("word-not-found", f"“{word}” is not in it")
    fitting = [token for token in found if token.pos_ in _POS and stands_alone(token)]
    return fitting or Skip("not-to-be-replaced")


@lru_cache(maxsize=16_384)
def _has_both(lemma: str, pos: str) -> bool:
    """Whether a verb or adjective has synonyms and antonyms in the lexicon."""
    lexicon = default_lexicon()
    synsets = lexicon.synsets_at([sense.number for sense in lexicon.senses(lemma, pos)])
    return any(len(synset.members) > 1 for synset in synsets) and any(synset.has_antonyms for synset in synsets)


def _first(found: Iterator[tuple[str, str]], count: int) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for form, reason in found:
        if len(seen) >= count:
            return
        if form not in seen:
            seen.add(form)
            yield form, reason


class _Seeded:
    """A source of chance that is made when it is first needed: making one takes as long as many a draft."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._random: Random | None = None

    def choices(self, words: list[str], weights: list[float], count: int) -> list[str]:
        """So many words, drawn by their added-up weights."""
        if self._random is None:
            self._random = Random(self._seed)  # noqa: S311
        return self._random.choices(words, cum_weights=weights, k=count)


def _drawn(token: Token, random: _Seeded, count: int) -> Iterator[tuple[str, str]]:
    """Words that can stand in the token's place, drawn by frequency, in its form."""
    where = frame(token)
    if where is None:
        return
    pos, names = where
    words, weights = _weighted(pos, names)
    old, lower = token.lemma_.lower(), token.lower_
    own_forms = base_forms(old, pos) | base_forms(lower, pos)
    not_wanted = near(old) | near(lower)
    text = token.doc.text.lower()
    for _ in range(_DRAWS):
        for new in random.choices(words, weights, count):
            if new in not_wanted or not own_forms.isdisjoint(akin(new, pos)):
                continue
            form = _form(token, new, pos)
            # A word that stands in the sentence already would be said twice.
            if form is not None and " " not in form and form.lower() not in text:
                yield form, f"“{new}” can stand where “{old}” stands and is not akin to it"


@lru_cache(maxsize=64)
def _weighted(pos: str, names: tuple[str, ...]) -> tuple[list[str], list[float]]:
    entries = [entry for name in names for entry in pool(pos, name)]
    return [word for word, _ in entries], list(accumulate(weight for _, weight in entries))


def _form(token: Token, word: str, pos: str) -> str | None:
    if pos == "a":
        if token.tag_ in {"JJR", "JJS"} and word in NOT_COMPARED:
            return None
        for child in token.lefts:
            if child.lower_ in {"more", "most"} and " " not in compared(word, "R"):
                return None  # no "more tall"
    return in_place_of(token, word, pos)


def _predicted(sentence: Sentence, token: Token, model: str) -> Iterator[tuple[str, str]]:
    """What a model predicts for the token's place, in order, without what is akin to it."""
    from litotes.rewrites.en.words.masked_model import load_masked_model

    pos = _POS.get(token.pos_, "n")
    predictions = load_masked_model(model).fill(sentence.text, start_of(token), end_of(token))
    for rank, new in enumerate(predictions, 1):
        lower = new.lower()
        if len(lower) < 2 or lower in _NOT_FILLED_IN or not is_word(lower):
            continue
        old = token.lemma_.lower()
        if are_related(token.lower_, lower, pos) or are_related(old, lower, pos) or _is_derived(old, lower):
            continue
        yield cased_like(token.text, lower if token.is_sent_start else new), f"the model's prediction {rank}"


def _is_derived(word: str, other: str) -> bool:
    """Whether one of two words is made from the other by an ending, as far as the lexicon does not say so.

    >>> _is_derived("angry", "angrily"), _is_derived("carefully", "careful"), _is_derived("strange", "strangle")
    (True, True, False)
    """
    return any(
        longer in {f"{stem}{ending}" for stem in (shorter, shorter[:-1], f"{shorter[:-1]}i") for ending in _ENDINGS}
        for shorter, longer in ((word, other), (other, word))
    )
