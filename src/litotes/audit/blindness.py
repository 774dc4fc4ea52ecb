"""How often an opposite is at least as close to its sentence as a variant of the same meaning; where it is worst."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.audit.result import Blind, Distribution, Worst
from litotes.audit.similarities import Cosines, Places, Similarities, VariantTexts, none_usable
from litotes.building.audit_variants import RELATIONS
from litotes.evaluation.statistics import GroupBootstrap, GroupSums

ALL = "all"
MOST_WORST = 50
BINS_TO_ONE = 50
"""Bins of histograms are one fiftieth wide."""

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def blindness(similarities: Similarities, variants: VariantTexts) -> tuple[tuple[Blind, ...], tuple[Worst, ...]]:
    """How often the model is blind, over all rewrites and by them, and the worst sentences.

    A sentence is blind to an opposite if that is at least as close to it as a variant of the same meaning is. In rows
    over several rewrites it counts once, with the share of its pairs (an opposite and a same) in which it is. Intervals
    are by drawing sentences with replacement.
    """
    opposites, sames = similarities.rules("opposite"), similarities.rules("same")
    pairs = _pairs(similarities)
    wanted = [(ALL, ALL), *((rule, ALL) for rule in opposites), *((ALL, rule) for rule in sames)]
    wanted += [(pair.opposite, pair.same) for pair in pairs]
    rows = []
    for opposite, same in wanted:
        counted = [pair for pair in pairs if opposite in (ALL, pair.opposite) and same in (ALL, pair.same)]
        if counted:
            rows.append(_row(opposite, same, counted))
    return tuple(rows), _worst(pairs, similarities, variants)


def blind_shares(similarities: Similarities, opposite: str = ALL) -> tuple[Places, NDArray[np.float64]]:
    """The places of the sentences that rows over all paraphrases count, and of each the share in which it is blind."""
    return _shares([pair for pair in _pairs(similarities) if opposite in (ALL, pair.opposite)])


def _pairs(similarities: Similarities) -> list[_Pair]:
    compared = (
        _compare(similarities, opposite, same)
        for opposite in similarities.rules("opposite")
        for same in similarities.rules("same")
    )
    found = [pair for pair in compared if len(pair.places)]
    if not found:
        raise none_usable()
    return found


@dataclass(frozen=True)
class _Pair:
    """One rewrite that makes opposites beside one that keeps the meaning, over the sentences that have both."""

    opposite: str
    same: str
    places: Places
    margins: NDArray[np.float64]
    """How much closer the opposite is."""


def _compare(similarities: Similarities, opposite: str, same: str) -> _Pair:
    places, left, right = np.intersect1d(
        similarities.places[opposite], similarities.places[same], assume_unique=True, return_indices=True
    )
    # The difference of two float32 numbers is exact in double precision: it is 0 for a tie and for nothing else.
    closer = similarities.values[opposite][left].astype(np.float64) - similarities.values[same][right]
    return _Pair(opposite, same, places.astype(np.intp), closer)


def _row(opposite: str, same: str, pairs: Sequence[_Pair]) -> Blind:
    sentences, shares = _shares(pairs)
    sums = GroupSums(items=np.ones(len(sentences)), credit=shares)
    interval, _ = GroupBootstrap(len(sentences)).share_intervals(sums)
    ties = sum(int((pair.margins == 0).sum()) for pair in pairs)
    return Blind(opposite, same, len(sentences), sums.mean, interval, ties)


def _shares(pairs: Sequence[_Pair]) -> tuple[Places, NDArray[np.float64]]:
    """Each sentence once, and the share of its pairs in which the opposite is at least as close."""
    if not pairs:
        return np.empty(0, dtype=np.intp), np.empty(0)
    margins = np.concatenate([pair.margins for pair in pairs])
    sentences, number = np.unique(np.concatenate([pair.places for pair in pairs]), return_inverse=True)
    count = len(sentences)
    return sentences, np.bincount(number, weights=margins >= 0, minlength=count) / np.bincount(number, minlength=count)


def _worst(pairs: Sequence[_Pair], similarities: Similarities, variants: VariantTexts) -> tuple[Worst, ...]:
    """The blind sentences with the largest margins, each once with its worst pair; the earlier first among equals."""
    places = np.concatenate([pair.places for pair in pairs])
    margins = np.concatenate([pair.margins for pair in pairs])
    which = np.repeat(np.arange(len(pairs)), [len(pair.places) for pair in pairs])
    blind = np.flatnonzero(margins >= 0)
    order = blind[np.lexsort((which[blind], places[blind], -margins[blind]))]
    _, first = np.unique(places[order], return_index=True)
    chosen = order[np.sort(first)[:MOST_WORST]]
    needed: dict[str, set[int]] = {}
    for number in chosen:
        for rule in (pairs[which[number]].opposite, pairs[which[number]].same):
            needed.setdefault(rule, set()).add(int(places[number]))
    texts = {rule: texts_at(variants, rule, needed[rule]) for rule in RELATIONS if rule in needed}

    def one(place: int, pair: _Pair) -> Worst:
        opposite, same = pair.opposite, pair.same
        return Worst(
            variants.sentences[place],
            texts[opposite][place],
            opposite,
            _at(similarities, opposite, place),
            texts[same][place],
            same,
            _at(similarities, same, place),
        )

    return tuple(one(int(places[number]), pairs[which[number]]) for number in chosen)


def texts_at(variants: VariantTexts, rule: str, places: set[int]) -> Mapping[int, str]:
    """The variants that a rewrite made of the sentences at these places."""
    return {place: text for place, text in variants.of_rule(rule) if place in places}


def _at(similarities: Similarities, rule: str, place: int) -> float:
    return float(similarities.values[rule][np.searchsorted(similarities.places[rule], place)])


def distributions(similarities: Similarities) -> tuple[tuple[float, ...], tuple[Distribution, ...]]:
    """The edges of the bins that all histograms share, and the similarities of each rewrite that made a variant.

    Bins are 0.02 wide, from the lowest similarity, rounded down, to 1. A bin holds its lower edge, the last 1 too.
    """
    rules = [rule for rule in RELATIONS if rule in similarities.places]
    lowest = min((float(similarities.values[rule].min()) for rule in rules), default=0.0)
    bottom = min(int(np.floor(lowest * BINS_TO_ONE)), BINS_TO_ONE - 1)
    edges = np.arange(bottom, BINS_TO_ONE + 1) / BINS_TO_ONE
    return tuple(edges.tolist()), tuple(_distribution(rule, similarities.values[rule], edges) for rule in rules)


def _distribution(rule: str, values: Cosines, edges: NDArray[np.float64]) -> Distribution:
    wide = values.astype(np.float64)
    bins = np.clip(np.searchsorted(edges, wide, side="right") - 1, 0, len(edges) - 2)
    low, lower, median, upper, high = np.quantile(wide, _QUANTILES).tolist()
    return Distribution(
        rule,
        RELATIONS[rule],
        len(wide),
        float(wide.mean()),
        (low, lower, median, upper, high),
        tuple(np.bincount(bins, minlength=len(edges) - 1).tolist()),
    )
