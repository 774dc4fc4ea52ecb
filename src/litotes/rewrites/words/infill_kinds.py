"""What a noun or pronoun stands for: a person, an animal, a thing, an idea."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.language.lexicon import default_lexicon
from litotes.rewrites.words.infill_words import words

if TYPE_CHECKING:
    from litotes.language.tree import Token

_PEOPLE = frozenset(
    "i you he she we they me him her us them who whom someone somebody everyone everybody anyone anybody nobody "
    "people one mine yours guys".split()
)
_ANYTHING = frozenset("it this that these those what which something anything everything nothing".split())
# WordNet's lexicographer files by what their words are.
_KINDS = {5: "animal", 6: "thing", 8: "body", 10: "text", 13: "food", 14: "group", 15: "place", 17: "place"}
_KINDS |= {18: "person", 20: "thing", 27: "thing", 28: "time"}
_KIND_OF_WORD = {"person": "person", "man": "person", "animal": "animal", "human": "person", "guy": "person"}
_KIND_OF_WORD |= {"group": "group", "food": "food", "couple": "group", "plant": "thing"}
_KIND_OF_WORD |= dict.fromkeys(("egg", "fish", "chicken", "turkey", "lamb", "salmon", "shrimp", "crab", "duck"), "food")
# The most frequent sense of "table" is a group of figures.
for _list in ("clothes", "vehicle", "instrument", "furniture", "tool"):
    _KIND_OF_WORD |= dict.fromkeys(words("n", _list), "thing")
_PLACES = words("n", "place") | words("n", "building")


def kind(token: Token) -> str:
    """What a noun or pronoun stands for: person, animal, thing, food, text, place, body, group, time, idea or any.

    >>> from litotes.language.parse import parse
    >>> [kind(token) for token in parse("she it dogs car bread idea London Monday")][:6]
    ['person', 'any', 'animal', 'thing', 'food', 'idea']
    """
    lower = token.lower_
    if lower in _PEOPLE:
        return "person"
    if lower in _ANYTHING or token.pos_ in {"PRON", "DET", "NUM"} or token.is_upper:
        return "any"
    return _kind_of_noun(token.lemma_.lower(), token.pos_ == "PROPN")


@lru_cache(maxsize=16_384)
def _kind_of_noun(lemma: str, is_name: bool) -> str:
    if lemma in _PLACES:
        return "place"
    if lemma in _KIND_OF_WORD and not is_name:
        return _KIND_OF_WORD[lemma]
    senses = default_lexicon().senses(lemma, "n")
    if not senses:
        return "person" if is_name else "any"
    found = _KINDS.get(senses[0].synset.lexfile, "idea")
    # A name that is also a word: Tom is a cat, Mark a unit of money; nobody is called "idea".
    return "person" if is_name and found not in {"place", "group"} else found
