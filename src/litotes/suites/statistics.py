"""Statistics of suites and of pairs: lexical overlap and length of sentences, as in Table 1 of the HEROS paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from statistics import fmean
from typing import Any

from litotes.suites.base import Suite
from litotes.suites.lexical_overlap import normalised_levenshtein, rouge_l, rouge_n, rouge_words, tokens

_ANCHOR_ROLES = ("original", "input")
_NEGATIONS = ("negation_main", "negation_antonym")
Tokenize = Callable[[str], Sequence[str]]
"""Returns the word pieces of a sentence."""


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
    """The mean number of words, or of word pieces."""


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
    same_negations: float | None = None
    """The share of items whose two negations are the same sentence; None for kinds other than HEROS."""

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


def suite_statistics(suite: Suite, tokenize: Tokenize | None = None) -> SuiteStatistics:
    """Return the statistics of a suite; the anchor is the original, the input or else the first role.

    Distances and lengths are counted in the word pieces that `tokenize` returns, by default in words.
    """
    roles = suite.kind.roles
    anchor = next((role for role in _ANCHOR_ROLES if role in roles), roles[0])
    anchor_texts = [item.sentences[anchor] for item in suite.items]
    columns = {role: [item.sentences[role] for item in suite.items] for role in roles if role != anchor}
    negations = [columns[role] for role in _NEGATIONS if role in columns]
    return SuiteStatistics(
        suite=suite.name,
        items=len(suite.items),
        groups=suite.count_groups(),
        anchor=anchor,
        anchor_words=_mean_length(anchor_texts, tokenize),
        roles=tuple(_role_statistics(role, anchor_texts, texts, tokenize) for role, texts in columns.items()),
        same_negations=fmean(first == second for first, second in zip(*negations, strict=True))
        if len(negations) == len(_NEGATIONS)
        else None,
    )


def pair_statistics(name: str, pairs: Sequence[tuple[str, str]], tokenize: Tokenize | None = None) -> SuiteStatistics:
    """Return the statistics of sentence pairs, as of a suite with the roles sentence1 and sentence2.

    >>> pair_statistics("mine", [("It is on.", "It is off."), ("It is on.", "It was on.")]).mean().levenshtein
    0.25
    """
    left, right = ([pair[side] for pair in pairs] for side in (0, 1))
    second = _role_statistics("sentence2", left, right, tokenize)
    return SuiteStatistics(name, len(pairs), len(pairs), "sentence1", _mean_length(left, tokenize), (second,))


def _role_statistics(
    role: str, anchors: Sequence[str], texts: Sequence[str], tokenize: Tokenize | None
) -> RoleStatistics:
    words, split = cache(rouge_words), cache(tokenize or tokens)
    pairs = list(zip(anchors, texts, strict=True))
    return RoleStatistics(
        role,
        pairs=len(set(pairs)),
        rouge_1=fmean(rouge_n(words(left), words(right), 1) for left, right in pairs),
        rouge_2=fmean(rouge_n(words(left), words(right), 2) for left, right in pairs),
        rouge_l=fmean(rouge_l(words(left), words(right)) for left, right in pairs),
        levenshtein=fmean(normalised_levenshtein(split(left), split(right)) for left, right in pairs),
        words=_mean_length(texts, tokenize),
    )


def _mean_length(texts: Iterable[str], tokenize: Tokenize | None) -> float:
    return fmean(len((tokenize or str.split)(text)) for text in texts)
