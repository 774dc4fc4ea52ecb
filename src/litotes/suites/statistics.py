"""What a suite looks like in figures: how much its sentences overlap and how long they are (HEROS, Table 1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from statistics import fmean
from typing import Any

from litotes.suites.base import Suite
from litotes.suites.lexical_overlap import normalised_levenshtein, rouge_l, rouge_n, rouge_words, tokens

_ANCHORS = ("original", "input")


@dataclass(frozen=True)
class Overlap:
    """The sentences of a role beside those that they were made from; means over items."""

    role: str
    pairs: int
    """How many different pairs there are."""
    rouge_1: float
    rouge_2: float
    rouge_l: float
    levenshtein: float
    """Of tokens, divided by the longer sentence's length."""
    words: float
    """The mean length of the role's sentences."""


@dataclass(frozen=True)
class SuiteFigures:
    """The figures of a suite, role by role and over all."""

    suite: str
    items: int
    groups: int
    anchor: str
    """The role that the others are compared with."""
    anchor_words: float
    roles: tuple[Overlap, ...]

    def mean(self) -> Overlap:
        """The mean over the roles; the length is that of all sentences, the anchor's too."""
        return Overlap(
            "mean",
            pairs=sum(role.pairs for role in self.roles),
            rouge_1=fmean(role.rouge_1 for role in self.roles),
            rouge_2=fmean(role.rouge_2 for role in self.roles),
            rouge_l=fmean(role.rouge_l for role in self.roles),
            levenshtein=fmean(role.levenshtein for role in self.roles),
            words=fmean([self.anchor_words, *(role.words for role in self.roles)]),
        )

    def to_dict(self) -> dict[str, Any]:
        """The figures by name, the mean among them."""
        return {**asdict(self), "mean": asdict(self.mean())}


def suite_figures(suite: Suite) -> SuiteFigures:
    """The figures of a suite; the first role stands in for an original or input that it does not have."""
    roles = suite.kind.roles
    anchor = next((role for role in _ANCHORS if role in roles), roles[0])
    first = [item.sentences[anchor] for item in suite.items]
    return SuiteFigures(
        suite=suite.name,
        items=len(suite.items),
        groups=suite.groups(),
        anchor=anchor,
        anchor_words=_mean_words(first),
        roles=tuple(
            _overlap(role, list(zip(first, (item.sentences[role] for item in suite.items), strict=True)))
            for role in roles
            if role != anchor
        ),
    )


def _overlap(role: str, pairs: list[tuple[str, str]]) -> Overlap:
    counted, split = cache(rouge_words), cache(tokens)
    return Overlap(
        role,
        pairs=len(set(pairs)),
        rouge_1=fmean(rouge_n(counted(one), counted(other), 1) for one, other in pairs),
        rouge_2=fmean(rouge_n(counted(one), counted(other), 2) for one, other in pairs),
        rouge_l=fmean(rouge_l(counted(one), counted(other)) for one, other in pairs),
        levenshtein=fmean(normalised_levenshtein(split(one), split(other)) for one, other in pairs),
        words=_mean_words(other for _, other in pairs),
    )


def _mean_words(texts: Iterable[str]) -> float:
    return fmean(len(text.split()) for text in texts)
