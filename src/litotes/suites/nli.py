"""Natural language inference: does the hypothesis follow from the premise, contradict it, or neither?

Here the right option differs by item: it is the item's own label. The tags of an item are `label` and `categories`
(categories of negation, separated by blanks, perhaps none).
"""

from __future__ import annotations

from dataclasses import dataclass

from litotes.core.errors import LitotesError
from litotes.corpora.nli import LABELS
from litotes.suites.base import Highest, Item, Suite, SuiteKind

_PAIR = ("premise", "hypothesis")


@dataclass(frozen=True)
class Labelled(Highest):
    """The criterion of a classification: of several labels of one pair, the item's own must be the likeliest.

    Ties count as in every other choice.
    """

    tag: str = "label"
    """The tag under which an item has its right option."""

    def right_of(self, item: Item) -> str:
        """The right option of one item.

        >>> PASSED.right_of(Item("1", "g", {}, {"label": "neutral"}))
        'neutral'
        """
        label = item.tags.get(self.tag, "")
        if label not in self.options:
            found = f'"{label}" is no label' if label else f'the tag "{self.tag}" is missing'
            raise LitotesError("L203", f"item {item.id}: {found}", hint=f"known: {', '.join(self.options)}")
        return label


PASSED = Labelled(dict.fromkeys(LABELS, _PAIR), right="")

KIND = SuiteKind(
    name="nli",
    roles=_PAIR,
    compare=(_PAIR,),
    passed=PASSED,
    group_word="premise",
)


def asks_for_labels(suite: Suite) -> bool:
    """Whether only a scorer that gives labels can be asked."""
    return isinstance(suite.kind.passed, Labelled)


def gold_labels(suite: Suite) -> list[str]:
    """Each item's right option; raises if one has none."""
    criterion = suite.kind.passed
    if not isinstance(criterion, Labelled):
        return [criterion.right] * len(suite.items)
    return [criterion.right_of(item) for item in suite.items]


def categories_of(item: Item) -> tuple[str, ...]:
    """The categories of negation that an item has.

    >>> categories_of(Item("1", "g", {}, {"categories": "existence inability"}))
    ('existence', 'inability')
    """
    return tuple(dict.fromkeys(item.tags.get("categories", "").split()))


def labelled_twice(suite: Suite) -> int:
    """How many text pairs stand there under more than one label, so that no model can have them all right."""
    found: dict[tuple[str, ...], set[str]] = {}
    for item in suite.items:
        pair = tuple(item.sentences[role] for role in suite.kind.roles)
        found.setdefault(pair, set()).add(item.tags.get("label", ""))
    return sum(len(labels) > 1 for labels in found.values())
