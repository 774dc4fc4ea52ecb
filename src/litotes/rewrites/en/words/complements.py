"""What a word brings along: its own preposition, an object instead of one, or the clause that it takes."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.rewrites.patches import Patch, delete, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_TIMES = frozenset(
    """january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday christmas easter""".split()
)
_BEFORE_NOUN = frozenset({"amod", "nmod", "compound"})
_SETTLED = frozenset({"sure", "certain", "confident", "positive"})
_OPEN = frozenset({"unsure", "uncertain"})
_WHETHER = frozenset({"if", "whether"})


class Place(NamedTuple):
    """What the table says of an adjective."""

    marker: str
    """`a` if it stands only before its noun, `p` only in the predicate, `-` anywhere; `v` for a verb."""
    preposition: str
    """The one that it brings along; "-" if it stands without a complement, "0" if it has an object instead."""


def verb_complement_patches(token: Token, lemma: str) -> tuple[Patch, ...]:
    """The new verb's own preposition in the place of the old one's: “add salt to it” → “remove salt from it”."""
    old, new = preposition_of(token.lemma_, "v"), preposition_of(lemma, "v")
    if not old or not new:
        return ()
    for child in token.subtree if new != "0" else token.rights:
        if child.dep_ in {"prep", "dative"} and child.i > token.i and child.lower_ in old.split("|"):
            if new != "0":
                return (replace(child, new),)
            # “at the station”, but not “at 2:30” or “in May”.
            return (delete(child),) if any(_is_place(noun) for noun in child.children) else ()
    return ()


def _is_place(noun: Token) -> bool:
    if noun.pos_ == "PROPN":
        return noun.lower_ not in _TIMES
    senses = default_lexicon().senses(noun.lemma_.lower(), "n")
    return bool(senses) and senses[0].synset.lexfile in {6, 14, 15, 17}


def complement_patches(token: Token, lemma: str) -> tuple[Patch, ...] | None:
    """The new adjective's own complement in the place of the old one's; None where it could not stand with this one."""
    if token.lower_ in _OPEN and lemma in _SETTLED:
        # “unsure if she knows” → “sure she knows”
        following = token.nbor(1) if token.i + 1 < len(token.doc) else token
        return (delete(following),) if following.lower_ in _WHETHER else ()
    complement = next((child for child in token.rights if child.dep_ in {"prep", "xcomp", "ccomp"}), None)
    own = preposition_of(lemma)
    if complement is None:
        # “They are different”, but not “They are like”.
        return None if own == "0" and token.dep_ not in _BEFORE_NOUN else ()
    if not own:
        return ()
    if own == "-":
        return None
    is_own = complement.dep_ == "prep" and complement.lower_ == preposition_of(token.lower_)
    if own == "0":
        return (delete(complement),) if is_own else None
    return (replace(complement, own),) if is_own and complement.lower_ != own else ()


def preposition_of(word: str, pos: str = "a") -> str:
    """The preposition of a word, as the table has it: "-" for none, "0" for an object instead."""
    known = places().get(word)
    return known.preposition if known and (known.marker == "v") == (pos == "v") else ""


@lru_cache(maxsize=1)
def places() -> dict[str, Place]:
    """The table of places and complements, by word."""
    table = (files("litotes.languages.en") / "data" / "opposites_places.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return {word: Place(marker, preposition) for word, marker, preposition in rows}
