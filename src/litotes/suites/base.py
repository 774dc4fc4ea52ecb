"""Core types: a suite is a list of items of one kind, which declares roles, compared pairs and the pass criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

Pair = tuple[str, str]
"""The names of two roles whose sentences are compared."""


def pair_name(pair: Pair) -> str:
    """Return the name of a role pair in files.

    >>> pair_name(("input", "both"))
    'input~both'
    """
    return "~".join(pair)


@dataclass(frozen=True)
class Item:
    """A test question: sentences under role names.

    Items of the same antonym pair or source sentence form a group, because they are not independent.
    """

    id: str
    group: str
    sentences: Mapping[str, str]
    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class HighestSimilarity:
    """The pass criterion that one option, a role pair, is more similar than the other options.

    If n options including the right one are tied, the item counts as 1/n of a pass, as with a random choice.
    """

    options: Mapping[str, Pair]
    right: str

    @property
    def chance(self) -> float:
        """The accuracy of random guesses."""
        return 1 / len(self.options)


def closest(to: str, *, options: Sequence[str], right: str) -> HighestSimilarity:
    """Return the criterion that the sentence of one role is the most similar to that of another one.

    >>> closest("input", options=("antonym", "both"), right="both").options["both"]
    ('input', 'both')
    """
    return HighestSimilarity({name: (to, name) for name in options}, right)


def closer(pair: Pair, *, than: Pair) -> HighestSimilarity:
    """Return the criterion that one role pair is more similar than another.

    >>> closer(("original", "synonym"), than=("original", "negated")).chance
    0.5
    """
    return HighestSimilarity({pair_name(pair): pair, pair_name(than): than}, pair_name(pair))


def pairwise_criteria(criterion: HighestSimilarity) -> dict[str, HighestSimilarity]:
    """Return criteria that compare the right option with each wrong one alone, under the names in tables.

    >>> [*pairwise_criteria(closest("original", options=("synonym", "antonym", "negated"), right="synonym"))]
    ['over antonym', 'over negated']
    """
    right = criterion.right
    return {
        f"over {name}": HighestSimilarity({right: criterion.options[right], name: pair}, right)
        for name, pair in criterion.options.items()
        if name != right
    }


@dataclass(frozen=True)
class SuiteKind:
    """The roles, the compared pairs and the pass criterion that suites of one kind share."""

    name: str
    roles: tuple[str, ...]
    pairs: tuple[Pair, ...]
    """The role pairs whose similarity is computed."""
    criterion: HighestSimilarity
    group_word: str = "group"
    """The name of a group in tables."""
    extra_criteria: Mapping[str, HighestSimilarity] = field(default_factory=lambda: MappingProxyType({}))
    """Further criteria on the same similarities by name, which are reported next to the main one."""
    baseline_role: str | None = None
    """The role whose sentences are paired across the halves of the suite to measure unrelated sentences."""

    def compared_roles(self) -> list[str]:
        """Return the roles in the compared pairs and the baseline role, in order."""
        compared = {role for pair in self.pairs for role in pair} | {self.baseline_role}
        return [role for role in self.roles if role in compared]


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
        """The sentences of each compared role."""
        return [[item.sentences[role] for item in self.items] for role in self.kind.compared_roles()]

    def count_groups(self) -> int:
        """Return the number of groups."""
        return len({item.group for item in self.items})
