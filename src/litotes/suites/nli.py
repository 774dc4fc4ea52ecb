"""The suite kind for natural language inference: is the hypothesis entailed, neutral or contradicted?

The right option differs from item to item. The tags of an item are its gold `label` and its negation `categories`,
separated by blanks.
"""

from __future__ import annotations

from dataclasses import dataclass

from litotes.core.errors import LitotesError
from litotes.corpora.nli import LABELS
from litotes.suites.base import HighestSimilarity, Item, Suite, SuiteKind

_PAIR = ("premise", "hypothesis")


@dataclass(frozen=True)
class GoldLabel(HighestSimilarity):
    """The pass criterion that the gold label of the item is the most probable one."""

    tag: str = "label"
    """The tag that contains the gold label."""

    def right_option(self, item: Item) -> str:
        """Return the gold label of an item.

        >>> CRITERION.right_option(Item("1", "g", {}, {"label": "neutral"}))
        'neutral'
        """
        label = item.tags.get(self.tag, "")
        if label not in self.options:
            problem = f'"{label}" is not a label' if label else f'the tag "{self.tag}" is missing'
            raise LitotesError("L203", f"item {item.id}: {problem}", hint=f"known: {', '.join(self.options)}")
        return label


CRITERION = GoldLabel(dict.fromkeys(LABELS, _PAIR), right="")

KIND = SuiteKind(
    name="nli",
    roles=_PAIR,
    pairs=(_PAIR,),
    criterion=CRITERION,
    group_word="premise",
)


def requires_labels(suite: Suite) -> bool:
    """Return whether only models that predict labels can be evaluated on the suite."""
    return isinstance(suite.kind.criterion, GoldLabel)


def gold_labels(suite: Suite) -> list[str]:
    """Return the right option of each item; a missing label is an error."""
    criterion = suite.kind.criterion
    if not isinstance(criterion, GoldLabel):
        return [criterion.right] * len(suite.items)
    return [criterion.right_option(item) for item in suite.items]


def categories_of(item: Item) -> tuple[str, ...]:
    """Return the negation categories of an item.

    >>> categories_of(Item("1", "g", {}, {"categories": "existence inability"}))
    ('existence', 'inability')
    """
    return tuple(dict.fromkeys(item.tags.get("categories", "").split()))


def count_ambiguous_pairs(suite: Suite) -> int:
    """Return the number of pairs that occur with more than one label, which no model can predict correctly."""
    labels_of_pair: dict[tuple[str, ...], set[str]] = {}
    for item in suite.items:
        pair = tuple(item.sentences[role] for role in suite.kind.roles)
        labels_of_pair.setdefault(pair, set()).add(item.tags.get("label", ""))
    return sum(len(labels) > 1 for labels in labels_of_pair.values())
