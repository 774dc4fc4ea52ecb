"""How often an opposite is at least as similar to its sentence as a paraphrase, and where it is worst."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.audit.result import Blindness, SimilarityDistribution, WorstCase
from litotes.audit.similarities import Cosines, Indices, Similarities, VariantTexts, no_usable_sentence
from litotes.building.audit_variants import RELATIONS
from litotes.evaluation.statistics import GroupBootstrap, GroupSums

ALL = "all"
MAX_WORST = 50
BINS_PER_UNIT = 50

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def measure_blindness(
    similarities: Similarities, variants: VariantTexts
) -> tuple[tuple[Blindness, ...], tuple[WorstCase, ...]]:
    """Return the blindness rate over all rewrites and by rewrite, and the worst sentences.

    A model is blind to an opposite that is at least as similar to the sentence as a paraphrase. In rows over several
    rewrites a sentence counts once, with the share of its (opposite, paraphrase) pairs to which the model is blind.
    Confidence intervals come from a bootstrap over sentences.
    """
    opposites, sames = similarities.rules("opposite"), similarities.rules("same")
    pairs = _rule_pairs(similarities)
    selections = [(ALL, ALL), *((rule, ALL) for rule in opposites), *((ALL, rule) for rule in sames)]
    selections += [(pair.opposite, pair.same) for pair in pairs]
    rows = []
    for opposite, same in selections:
        selected = [pair for pair in pairs if opposite in (ALL, pair.opposite) and same in (ALL, pair.same)]
        if selected:
            rows.append(_row(opposite, same, selected))
    return tuple(rows), _worst_cases(pairs, similarities, variants)


def blind_shares(similarities: Similarities, opposite: str = ALL) -> tuple[Indices, NDArray[np.float64]]:
    """Return the indices of the sentences with pairs and, for each, the share of pairs to which the model is blind."""
    return _shares([pair for pair in _rule_pairs(similarities) if opposite in (ALL, pair.opposite)])


def _rule_pairs(similarities: Similarities) -> list[_RulePair]:
    pairs = [
        _compare_rules(similarities, opposite, same)
        for opposite in similarities.rules("opposite")
        for same in similarities.rules("same")
    ]
    pairs = [pair for pair in pairs if len(pair.indices)]
    if not pairs:
        raise no_usable_sentence()
    return pairs


@dataclass(frozen=True)
class _RulePair:
    """A rewrite for opposites and one for paraphrases, on the sentences that have both."""

    opposite: str
    same: str
    indices: Indices
    margins: NDArray[np.float64]
    """Similarity of the opposite minus similarity of the paraphrase."""


def _compare_rules(similarities: Similarities, opposite: str, same: str) -> _RulePair:
    indices, left, right = np.intersect1d(
        similarities.indices[opposite], similarities.indices[same], assume_unique=True, return_indices=True
    )
    # In double precision the difference of two float32 numbers is exact, so that only ties give 0.
    margins = similarities.values[opposite][left].astype(np.float64) - similarities.values[same][right]
    return _RulePair(opposite, same, indices.astype(np.intp), margins)


def _row(opposite: str, same: str, pairs: Sequence[_RulePair]) -> Blindness:
    sentences, shares = _shares(pairs)
    sums = GroupSums(items=np.ones(len(sentences)), credit=shares)
    interval, _ = GroupBootstrap(len(sentences)).share_intervals(sums)
    ties = sum(int((pair.margins == 0).sum()) for pair in pairs)
    return Blindness(opposite, same, len(sentences), sums.mean, interval, ties)


def _shares(pairs: Sequence[_RulePair]) -> tuple[Indices, NDArray[np.float64]]:
    if not pairs:
        return np.empty(0, dtype=np.intp), np.empty(0)
    margins = np.concatenate([pair.margins for pair in pairs])
    sentences, group = np.unique(np.concatenate([pair.indices for pair in pairs]), return_inverse=True)
    count = len(sentences)
    return sentences, np.bincount(group, weights=margins >= 0, minlength=count) / np.bincount(group, minlength=count)


def _worst_cases(
    pairs: Sequence[_RulePair], similarities: Similarities, variants: VariantTexts
) -> tuple[WorstCase, ...]:
    """Return the sentences with the largest margins, each with its worst pair; ties are in the order of the text."""
    indices = np.concatenate([pair.indices for pair in pairs])
    margins = np.concatenate([pair.margins for pair in pairs])
    pair_of = np.repeat(np.arange(len(pairs)), [len(pair.indices) for pair in pairs])
    blind = np.flatnonzero(margins >= 0)
    order = blind[np.lexsort((pair_of[blind], indices[blind], -margins[blind]))]
    _, first = np.unique(indices[order], return_index=True)
    worst = order[np.sort(first)[:MAX_WORST]]
    indices_of_rule: dict[str, set[int]] = {}
    for position in worst:
        for rule in (pairs[pair_of[position]].opposite, pairs[pair_of[position]].same):
            indices_of_rule.setdefault(rule, set()).add(int(indices[position]))
    texts = {rule: texts_at(variants, rule, needed) for rule, needed in indices_of_rule.items()}

    def worst_case(index: int, pair: _RulePair) -> WorstCase:
        opposite, same = pair.opposite, pair.same
        return WorstCase(
            variants.sentences[index],
            texts[opposite][index],
            opposite,
            _similarity_at(similarities, opposite, index),
            texts[same][index],
            same,
            _similarity_at(similarities, same, index),
        )

    return tuple(worst_case(int(indices[position]), pairs[pair_of[position]]) for position in worst)


def texts_at(variants: VariantTexts, rule: str, indices: set[int]) -> Mapping[int, str]:
    """Return the variants by a rewrite of the sentences with these indices."""
    return {index: text for index, text in variants.of_rule(rule) if index in indices}


def _similarity_at(similarities: Similarities, rule: str, index: int) -> float:
    return float(similarities.values[rule][np.searchsorted(similarities.indices[rule], index)])


def measure_distributions(
    similarities: Similarities,
) -> tuple[tuple[float, ...], tuple[SimilarityDistribution, ...]]:
    """Return the edges of the histogram bins and the distribution of similarities for each rewrite.

    Bins are 0.02 wide, from the lowest similarity, rounded down, to 1, and include their lower edge; the last one also
    includes 1.
    """
    rules = [rule for rule in RELATIONS if rule in similarities.indices]
    lowest = min((float(similarities.values[rule].min()) for rule in rules), default=0.0)
    first = min(int(np.floor(lowest * BINS_PER_UNIT)), BINS_PER_UNIT - 1)
    edges = np.arange(first, BINS_PER_UNIT + 1) / BINS_PER_UNIT
    return tuple(edges.tolist()), tuple(_distribution(rule, similarities.values[rule], edges) for rule in rules)


def _distribution(rule: str, values: Cosines, edges: NDArray[np.float64]) -> SimilarityDistribution:
    exact = values.astype(np.float64)
    bins = np.clip(np.searchsorted(edges, exact, side="right") - 1, 0, len(edges) - 2)
    q05, q25, q50, q75, q95 = np.quantile(exact, _QUANTILES).tolist()
    return SimilarityDistribution(
        rule,
        RELATIONS[rule],
        len(exact),
        float(exact.mean()),
        (q05, q25, q50, q75, q95),
        tuple(np.bincount(bins, minlength=len(edges) - 1).tolist()),
    )
