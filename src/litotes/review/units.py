"""Units of review: items that are judged together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from litotes.core.errors import LitotesError
from litotes.suites.base import Item, SuiteKind

UNIT_TAG = "unit"
"""Items with the same value of this tag form a unit; an item without it is a unit of its own."""

_LABELS = {
    "input": "input",
    "antonym": "with the antonym",
    "polarity": "with the polarity swapped",
    "both": "with both changes",
    "original": "original",
    "negated": "negated",
    "synonym": "with a synonym",
    "paraphrase": "said in other words",
    "quantifier_negated": "negated by a quantifier",
    "clause": "the clause alone",
    "passive": "in the passive",
    "swapped": "who and whom swapped",
    "inverted": "with the order changed",
    "typo": "with a typo",
    "random": "with another word",
    "negation_main": "with the main verb negated",
    "negation_antonym": "with a negated antonym",
}


@dataclass(frozen=True)
class Unit:
    """Items that are judged together; the first one is shown."""

    key: str
    items: tuple[Item, ...]

    @property
    def shown(self) -> Item:
        """The item that annotators see."""
        return self.items[0]

    @property
    def sentences(self) -> Mapping[str, str]:
        """The sentences that annotators see, by role."""
        return self.shown.sentences


def group_units(items: Iterable[Item]) -> dict[str, Unit]:
    """Return the units by key, in the order of their first items.

    >>> first = Item("a", "g", {"input": "It is on."}, {"unit": "u"})
    >>> [(unit.key, len(unit.items)) for unit in group_units([first, Item("b", "g", {"input": "It is off."})]).values()]
    [('u', 1), ('b', 1)]
    """
    members: dict[str, list[Item]] = {}
    tagged: dict[str, bool] = {}
    for item in items:
        value = item.tags.get(UNIT_TAG, "")
        key = value or item.id
        members.setdefault(key, []).append(item)
        if tagged.setdefault(key, bool(value)) != bool(value):
            raise LitotesError(
                "L205", f'unit "{key}" is also the id of an item without that tag', hint="rename the unit or the item"
            )
    return {key: Unit(key, tuple(group)) for key, group in members.items()}


def apply_edit(unit: Unit, edited: Mapping[str, str]) -> list[Item]:
    """Return the unit's items with the edited sentences of the shown item replaced wherever they occur.

    >>> quadruple = [Item("a", "g", {"input": "It is on.", "antonym": "It is of."}),
    ...              Item("b", "g", {"input": "It is of.", "antonym": "It is on."})]
    >>> [dict(item.sentences) for item in apply_edit(Unit("u", tuple(quadruple)), {"antonym": "It is off."})]
    [{'input': 'It is on.', 'antonym': 'It is off.'}, {'input': 'It is off.', 'antonym': 'It is on.'}]
    """
    new = {unit.sentences[role]: text for role, text in edited.items()}
    other_items = [
        replace(item, sentences={role: new.get(text, text) for role, text in item.sentences.items()})
        for item in unit.items[1:]
    ]
    # Replace by role in the shown item: only one of two equal sentences may have been edited.
    return [replace(unit.shown, sentences={**unit.sentences, **edited}), *other_items]


def is_ambiguous(unit: Unit, edited: Mapping[str, str]) -> bool:
    """Return whether an edit gives one sentence two new forms, so that it cannot be applied to the other items."""
    new: dict[str, set[str]] = {}
    for role, text in unit.sentences.items():
        new.setdefault(text, set()).add(edited.get(role, text))
    return len(unit.items) > 1 and any(len(forms) > 1 for forms in new.values())


def role_label(role: str) -> str:
    """Return the description of a role.

    >>> role_label("both"), role_label("argument_swap")
    ('with both changes', 'argument swap')
    """
    return _LABELS.get(role, role.replace("_", " ").replace("-", " "))


def intended_similarity(kind: SuiteKind) -> dict[str, str]:
    """Return per role how similar its sentence should be to the first one: "closest", "further" or "" (unspecified).

    >>> from litotes.suites.semantoneg import KIND
    >>> intended_similarity(KIND)
    {'input': '', 'antonym': 'further', 'polarity': 'further', 'both': 'closest'}
    """
    first = kind.roles[0]
    similarity = dict.fromkeys(kind.roles, "")
    for name, pair in kind.criterion.options.items():
        if first in pair:
            other = pair[1] if pair[0] == first else pair[0]
            similarity[other] = "closest" if name == kind.criterion.right else "further"
    return similarity
