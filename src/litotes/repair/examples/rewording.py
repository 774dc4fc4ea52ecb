"""Quadruples whose antonym pair is reported on, and so may not be learned, with a synonym for one of the two words.

“The bag is heavy.” against “light” is kept out; “The bag is weighty.” against “light” is another pair. So the words of
common pairs are met in lessons all the same, and the pairs themselves are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from litotes.core.parallel import map_ordered
from litotes.core.progress import Progress
from litotes.languages.en.morphology.articles import article
from litotes.languages.en.parser import parse_all
from litotes.repair.examples.base import Lesson
from litotes.repair.holdout import differing_words, pair_key
from litotes.rewrites.apply import apply_rule
from litotes.rewrites.base import Sentence
from litotes.rewrites.registry import load_rewrite
from litotes.speedups.gc_control import without_collector
from litotes.speedups.spacy_import import import_spacy_alone

REWORDED = "reworded quadruple"
_MOST = 6
"""Synonyms of a word."""


def reworded(
    quadruples: Sequence[Lesson], held: frozenset[str], *, workers: int = 1, progress: Progress | None = None
) -> Iterator[Lesson]:
    """Of each quadruple those with another word whose pair is not held out."""
    bar = progress or Progress()
    bar.begin("rewording", total=len(quadruples))
    try:
        for found in map_ordered(partial(_reword, held), quadruples, workers=workers):
            bar.advance(1)
            yield from found
    finally:
        bar.end()


def _reword(held: frozenset[str], quadruples: Sequence[Lesson]) -> list[list[Lesson]]:
    import_spacy_alone()
    docs = parse_all([text for lesson in quadruples for text in (lesson.anchor, lesson.opposite)])
    with without_collector():
        return [[*_of_one(lesson, Sentence(next(docs)), Sentence(next(docs)), held)] for lesson in quadruples]


def _of_one(lesson: Lesson, anchor: Sentence, opposite: Sentence, held: frozenset[str]) -> Iterator[Lesson]:
    words = differing_words(lesson.anchor, lesson.opposite)
    if words is None or any(" " in word for word in words):
        return
    word, antonym = words
    for other in _synonyms(opposite, antonym):
        pair = pair_key(word, other)
        texts = [_with(text, antonym, other) for text in (lesson.opposite, lesson.same)]
        if pair not in held and all(texts):
            yield replace(lesson, kind=REWORDED, opposite=texts[0], same=texts[1], pair=pair)
    for other in _synonyms(anchor, word):
        pair = pair_key(other, antonym)
        texts = [_with(text, word, other) for text in (lesson.anchor, lesson.other)]
        if pair not in held and all(texts):
            yield replace(lesson, kind=REWORDED, anchor=texts[0], other=texts[1], pair=pair)


def _synonyms(sentence: Sentence, word: str) -> Iterable[str]:
    """Words that may stand for a word where it stands, as they are written there."""
    if not sentence.doc.is_parsed or not len(sentence.doc):
        return
    for edit in apply_rule(load_rewrite("synonym"), sentence, limit=_MOST, word=word):
        found = differing_words(sentence.text, edit.text)
        if found is not None and found[0] == word and found[1] != word and " " not in found[1]:
            yield found[1]


def _with(text: str, old: str, new: str) -> str:
    """The text with one word for another; "" if the word is not in it exactly once.

    >>> _with("It is an easy job.", "easy", "simple")
    'It is a simple job.'
    """
    places = [*re.finditer(rf"(?i)(?:\b(an?) )?\b({re.escape(old)})\b", text)]
    if len(places) != 1:
        return ""
    (place,) = places
    written = new.capitalize() if place[2][0].isupper() else new
    before = ""
    if place[1]:
        fitting = article(f"{written}{text[place.end() :]}")
        before = f"{fitting.capitalize() if place[1][0].isupper() else fitting} "
    return f"{text[: place.start()]}{before}{written}{text[place.end() :]}"
