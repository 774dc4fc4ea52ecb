"""Statistics of suites: lexical overlap and length of their sentences, as in Table 1 of the HEROS paper."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from statistics import fmean
from typing import Any

from litotes.suites.base import Suite
from litotes.suites.lexical_overlap import normalised_levenshtein, rouge_l, rouge_n, rouge_words, tokens

_ANCHOR_ROLES = ("original", "input")


@dataclass(frozen=True)
class RoleStatistics:
    """Means over the sentences of a role, compared with the sentences of the anchor role."""

    role: str
    pairs: int
    """The number of different pairs."""
    rouge_1: float
    rouge_2: float
    rouge_l: float
    levenshtein: float
    """The distance in tokens divided by the length of the longer sentence."""
    words: float
    """The mean number of words."""


@dataclass(frozen=True)
class SuiteStatistics:
    """The statistics of a suite for each role."""

    suite: str
    items: int
    groups: int
    anchor: str
    """The role with which the others are compared."""
    anchor_words: float
    roles: tuple[RoleStatistics, ...]

    def mean(self) -> RoleStatistics:
        """Return the mean over the roles; the number of words includes the anchor role."""
        return RoleStatistics(
            "mean",
            pairs=sum(role.pairs for role in self.roles),
            rouge_1=fmean(role.rouge_1 for role in self.roles),
            rouge_2=fmean(role.rouge_2 for role in self.roles),
            rouge_l=fmean(role.rouge_l for role in self.roles),
            levenshtein=fmean(role.levenshtein for role in self.roles),
            words=fmean([self.anchor_words, *(role.words for role in self.roles)]),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all values including the mean."""
        return {**asdict(self), "mean": asdict(self.mean())}


def suite_statistics(suite: Suite) -> SuiteStatistics:
    """Return the statistics of a suite; the anchor is the original, the input or else the first role."""
    roles = suite.kind.roles
    anchor = next((role for role in _ANCHOR_ROLES if role in roles), roles[0])
    anchor_texts = [item.sentences[anchor] for item in suite.items]
    return SuiteStatistics(
        suite=suite.name,
        items=len(suite.items),
        groups=suite.count_groups(),
        anchor=anchor,
        anchor_words=_mean_words(anchor_texts),
        roles=tuple(
            _role_statistics(role, list(zip(anchor_texts, (item.sentences[role] for item in suite.items), strict=True)))
            for role in roles
            if role != anchor
        ),
    )


def _role_statistics(role: str, pairs: list[tuple[str, str]]) -> RoleStatistics:
    words, split = cache(rouge_words), cache(tokens)
    return RoleStatistics(
        role,
        pairs=len(set(pairs)),
        rouge_1=fmean(rouge_n(words(left), words(right), 1) for left, right in pairs),
        rouge_2=fmean(rouge_n(words(left), words(right), 2) for left, right in pairs),
        rouge_l=fmean(rouge_l(words(left), words(right)) for left, right in pairs),
        levenshtein=fmean(normalised_levenshtein(split(left), split(right)) for left, right in pairs),
        words=_mean_words(right for _, right in pairs),
    )


def _mean_words(texts: Iterable[str]) -> float:
    return fmean(len(text.split()) for text in texts)
