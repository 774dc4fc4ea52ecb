"""Answers that stand for a whole clause: “I hope so.” and “I hope not.”"""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.language.verb_group import VerbGroup
from litotes.rewrites.base import Skip
from litotes.rewrites.patches import replace
from litotes.rewrites.polarity.forms import base_form
from litotes.rewrites.polarity.items import ends_clause
from litotes.rewrites.polarity.turn import Turn, Turned

if TYPE_CHECKING:
    from litotes.language.tree import Token

_TO_NOT = frozenset("hope guess suppose fear presume afraid".split())
"""“I don't hope so” is not said; of “think” it is, and its “so” stays."""
_TO_SO = _TO_NOT | frozenset("think believe expect imagine say seem appear assume".split())
_OTHER = {"so": "not", "not": "so"}


def so_or_not(group: VerbGroup) -> Turned | None:
    """“I hope so” ↔ “I hope not”; None for any other clause."""
    if group.verb.doc.lowers.isdisjoint(_OTHER):
        return None
    word = next((one for one in _opinion(group) if one.i + 1 < len(one.doc)), None)
    answer = word.nbor() if word is not None else None
    if word is None or answer is None or answer.lower_ not in _OTHER:
        return None
    lemma = base_form(word) or word.lower_
    if lemma not in (_TO_NOT if answer.lower_ == "so" else _TO_SO):
        return None
    following = answer.nbor() if answer.i + 1 < len(answer.doc) else answer
    if following.lower_ in {"too", "either"}:
        return Skip("set-phrase")
    if not ends_clause(answer) or following.dep_ == "mark":
        return None  # an adverb: “I hope so much …”, “I say so because …”
    new = _OTHER[answer.lower_]
    return Turn((replace(answer, new),), f"{answer.lower_} → {new}")


def _opinion(group: VerbGroup) -> list[Token]:
    """The word that says what somebody thinks, without a negation of its own before it."""
    verb = group.verb
    if group.subject is None or group.is_inverted or (group.negation is not None and group.negation.i < verb.i):
        return []
    return [child for child in verb.rights if child.lower_ == "afraid"] if group.is_copula else [verb]
