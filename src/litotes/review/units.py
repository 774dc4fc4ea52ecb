"""What people judge: items that are one thing to a reader are one unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from litotes.core.errors import LitotesError
from litotes.suites.base import Item, SuiteKind

UNIT_TAG = "unit"
"""Items with the same value under this tag are judged together; an item without it stands for itself."""

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
    """Items that are judged together; the first of them is shown."""

    key: str
    items: tuple[Item, ...]

    @property
    def shown(self) -> Item:
        """The item that people see."""
        return self.items[0]

    @property
    def sentences(self) -> Mapping[str, str]:
        """The sentences that people see, by role."""
        return self.shown.sentences


def units_of(items: Iterable[Item]) -> dict[str, Unit]:
    """The units by their keys, in the order of their first items.

    >>> one = Item("a", "g", {"input": "It is on."}, {"unit": "u"})
    >>> [(unit.key, len(unit.items)) for unit in units_of([one, Item("b", "g", {"input": "It is off."})]).values()]
    [('u', 1), ('b', 1)]
    """
    together: dict[str, list[Item]] = {}
    tagged: dict[str, bool] = {}
    for item in items:
        value = item.tags.get(UNIT_TAG, "")
        key = value or item.id
        together.setdefault(key, []).append(item)
        if tagged.setdefault(key, bool(value)) != bool(value):
            raise LitotesError(
                "L205",
                f'unit "{key}" is also the id of an item without that tag',
                hint="give the unit or the item another name",
            )
    return {key: Unit(key, tuple(members)) for key, members in together.items()}


def with_edit(unit: Unit, edited: Mapping[str, str]) -> list[Item]:
    """The unit's items with new sentences for some roles of the shown one, wherever the old ones stand.

    >>> quadruple = [Item("a", "g", {"input": "It is on.", "antonym": "It is of."}),
    ...              Item("b", "g", {"input": "It is of.", "antonym": "It is on."})]
    >>> [dict(item.sentences) for item in with_edit(Unit("u", tuple(quadruple)), {"antonym": "It is off."})]
    [{'input': 'It is on.', 'antonym': 'It is off.'}, {'input': 'It is off.', 'antonym': 'It is on.'}]
    """
    new = {unit.sentences[role]: text for role, text in edited.items()}
    rest = [
        replace(item, sentences={role: new.get(text, text) for role, text in item.sentences.items()})
        for item in unit.items[1:]
    ]
    # By role in the item that was edited: of two equal sentences one may have been the mistake.
    return [replace(unit.shown, sentences={**unit.sentences, **edited}), *rest]


def is_ambiguous(unit: Unit, edited: Mapping[str, str]) -> bool:
    """Whether an edit gives one sentence two new forms, so that the unit's other items could not follow it."""
    new: dict[str, set[str]] = {}
    for role, text in unit.sentences.items():
        new.setdefault(text, set()).add(edited.get(role, text))
    return len(unit.items) > 1 and any(len(forms) > 1 for forms in new.values())


def role_label(role: str) -> str:
    """A role in plain words.

    >>> role_label("both"), role_label("argument_swap")
    ('with both changes', 'argument swap')
    """
    return _LABELS.get(role, role.replace("_", " ").replace("-", " "))


def intended(kind: SuiteKind) -> dict[str, str]:
    """What each role's sentence should be to the first one: "closest", "further", or "" where the kind does not say.

    >>> from litotes.suites.semantoneg import KIND
    >>> intended(KIND)
    {'input': '', 'antonym': 'further', 'polarity': 'further', 'both': 'closest'}
    """
    first = kind.roles[0]
    found = dict.fromkeys(kind.roles, "")
    for name, pair in kind.passed.options.items():
        if first in pair:
            other = pair[1] if pair[0] == first else pair[0]
            found[other] = "closest" if name == kind.passed.right else "further"
    return found
