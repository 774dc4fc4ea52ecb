"""The words of a suite: items with sentences under roles, role pairs to compare, a criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

Pair = tuple[str, str]
"""Two role names whose sentences are compared."""


def pair_name(pair: Pair) -> str:
    """How a role pair is written in files.

    >>> pair_name(("input", "both"))
    'input~both'
    """
    return "~".join(pair)


@dataclass(frozen=True)
class Item:
    """One question put to a model."""

    id: str
    group: str
    sentences: Mapping[str, str]
    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class Highest:
    """The criterion of a choice: of several role pairs, the right one must be the most alike.

    The options are role pairs under names; a tie that the right option shares counts as an equal share of a
    pass, as a fair draw would give it.
    """

    options: Mapping[str, Pair]
    right: str

    @property
    def chance(self) -> float:
        """What guessing gives."""
        return 1 / len(self.options)


def closest(to: str, *, options: Sequence[str], right: str) -> Highest:
    """Of several sentences, the right one must be the closest to a given one.

    >>> closest("input", options=("antonym", "both"), right="both").options["both"]
    ('input', 'both')
    """
    return Highest({name: (to, name) for name in options}, right)


def closer(pair: Pair, *, than: Pair) -> Highest:
    """One pair must be closer than another.

    >>> closer(("original", "synonym"), than=("original", "negated")).chance
    0.5
    """
    return Highest({pair_name(pair): pair, pair_name(than): than}, pair_name(pair))


def each_alone(passed: Highest) -> dict[str, Highest]:
    """The right option against each wrong one alone, under the names that tables show.

    >>> [*each_alone(closest("original", options=("synonym", "antonym", "negated"), right="synonym"))]
    ['over antonym', 'over negated']
    """
    right = passed.right
    return {
        f"over {name}": Highest({right: passed.options[right], name: pair}, right)
        for name, pair in passed.options.items()
        if name != right
    }


@dataclass(frozen=True)
class SuiteKind:
    """What suites of one kind have in common: the roles, what is compared, when an item is passed."""

    name: str
    roles: tuple[str, ...]
    compare: tuple[Pair, ...]
    passed: Highest
    group_word: str = "group"
    """What a group is called in tables: items of one group are not independent."""
    also: Mapping[str, Highest] = field(default_factory=lambda: MappingProxyType({}))
    """Other readings of the same similarities, by name; each is counted beside the criterion."""
    baseline: str | None = None
    """A role whose sentences, the first half against the second, say how alike any two are; None: not asked."""

    def compared_roles(self) -> list[str]:
        """The roles that stand in some pair, and the baseline's, in order."""
        wanted = {role for pair in self.compare for role in pair} | {self.baseline}
        return [role for role in self.roles if role in wanted]


@dataclass(frozen=True)
class Suite:
    """A named list of items of one kind."""

    name: str
    kind: SuiteKind
    items: Sequence[Item]
    sha256: str
    version: str = ""
    source: str = ""
    licence: str = ""

    @cached_property
    def columns(self) -> list[list[str]]:
        """The sentences that are compared, role by role; made once for all models."""
        return [[item.sentences[role] for item in self.items] for role in self.kind.compared_roles()]

    def groups(self) -> int:
        """How many groups the items fall into."""
        return len({item.group for item in self.items})
