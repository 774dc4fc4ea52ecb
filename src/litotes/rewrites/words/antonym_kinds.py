"""What a noun stands for where opposites are chosen: a person, an animal, a made thing."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.language.lexicon import default_lexicon

if TYPE_CHECKING:
    from litotes.language.tree import Token

PERSONAL = frozenset(
    """i you he she we they me him her us them who whom someone somebody anyone anybody everyone everybody nobody
    myself yourself himself herself ourselves themselves people u""".split()
)
NO_PERSON = frozenset("it this that these those something anything everything nothing which what itself".split())
_LEXFILES = {5: "animal", 6: "artifact", 8: "body", 13: "food", 15: "place", 17: "object", 18: "person", 20: "plant"}


def kind_of(token: Token | None) -> str:
    """person, animal, food, artifact … by the lexicon; "" where it is none of them."""
    if token is None:
        return ""
    lower = token.lower_
    if lower in PERSONAL:
        return "person"
    if lower in NO_PERSON:
        return "thing"
    if lower in {"one", "ones"} or token.pos_ == "PRON":
        return ""
    if token.pos_ == "PROPN":
        # A name without an article is mostly someone's.
        return "" if any(child.dep_ == "det" for child in token.children) else "person"
    return _kind_of_noun(token.lemma_.lower())


@lru_cache(maxsize=16_384)
def _kind_of_noun(lemma: str) -> str:
    senses = default_lexicon().senses(lemma, "n")
    return _LEXFILES.get(senses[0].synset.lexfile, "thing") if senses else "thing"
