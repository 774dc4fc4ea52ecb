"""Audit results written by hand, for tests of summaries and figures."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, get_args

from litotes.audit.result import (
    Audit,
    Blindness,
    MinedPair,
    Mining,
    RetrievalMetrics,
    RewriteUsage,
    SimilarityDistribution,
    TextUsage,
    ThresholdAdvice,
    ThresholdPoint,
    WorstCase,
)
from litotes.building.audit_variants import RELATIONS, Relation

MIDDLE = {"opposite": 0.9, "same": 0.8, "different": 0.93, "noise": 0.7}
SCRIPT = "Refunds <script>window.hacked = 1</script> are allowed & “paid”."
BINS = tuple(round(-0.2 + place * 0.02, 4) for place in range(61))


def example_audit(**changes: Any) -> Audit:
    """Return the audit of a model that rates nine of ten opposites above paraphrases, on 5,000 sentences."""
    audit = Audit(
        model="all-MiniLM-L6-v2",
        fingerprint="0123456789abcdef",
        corpus=({"name": "help.txt", "bytes": 212_345, "sha256": "ab" * 32, "format": "text", "licence": ""},),
        settings={"budget": 0.05, "max_lost": 0.1, "seed": 0, "limit": 2000},
        versions={"litotes": "0.1.0", "python": "3.11.2"},
        notes=(),
        usage=usage(),
        bins=BINS,
        distributions=tuple(distribution(rule) for rule in RELATIONS),
        blindness=(
            Blindness("all", "all", 1204, 0.931, (0.916, 0.944), 3),
            Blindness("negation", "all", 1100, 0.942, (0.927, 0.955), 3),
            Blindness("antonym", "all", 310, 0.71, (0.657, 0.758), 0),
            Blindness("all", "synonym", 900, 0.955, (0.939, 0.967), 1),
            Blindness("negation", "synonym", 850, 0.961, (0.946, 0.972), 1),
        ),
        worst=(
            WorstCase(
                "The shop opens on Sundays.",
                "The shop does not open on Sundays.",
                "negation",
                0.971,
                "The store opens on Sundays.",
                "synonym",
                0.702,
            ),
            WorstCase(SCRIPT, SCRIPT.replace("are", "are not"), "negation", 0.96, f"{SCRIPT} So.", "contraction", 0.81),
        ),
        thresholds=tuple(point(round(index / 100, 2)) for index in range(101)),
        at_threshold=None,
        advice=ThresholdAdvice(0.05, 0.1, point(0.98), holds=False),
        retrieval=(
            RetrievalMetrics("all", 1500, 0.082, (0.069, 0.097), 0.61, (0.59, 0.63), 0.93, 0.31),
            RetrievalMetrics("synonym", 900, 0.051, (0.038, 0.067), 0.55, (0.53, 0.57), 0.91, 0.2),
        ),
        mining=mining(),
    )
    return replace(audit, **changes)


def usage() -> TextUsage:
    relations = dict(RELATIONS)
    return TextUsage(
        read=5000,
        sentences=4987,
        rewritten=2000,
        usable=1204,
        rules=tuple(
            RewriteUsage(
                rule,
                relations[rule],
                variants=1500 - 150 * index,
                skipped={"question": 200 + 150 * index, "no-verb": 300},
                reasons={"question": "it asks", "no-verb": "it has no verb that could be negated"},
            )
            for index, rule in enumerate(RELATIONS)
        ),
        excluded={"longer than 60 words": 12, "no letters": 1},
    )


def distribution(rule: str) -> SimilarityDistribution:
    relation = RELATIONS[rule]
    middle = MIDDLE[relation]
    heights = [round(400 * math.exp(-(((one + 0.01 - middle) / 0.07) ** 2))) for one in BINS[:-1]]
    near = (middle - 0.2, middle - 0.06, middle, middle + 0.04, min(middle + 0.09, 1.0))
    return SimilarityDistribution(rule, relation, sum(heights), middle, near, tuple(heights))


def point(threshold: float) -> ThresholdPoint:
    def above(middle: float) -> float:
        return round(1 / (1 + math.exp((threshold - middle) * 30)), 4)

    return ThresholdPoint(threshold, above(0.9), above(0.93), round(1 - above(0.8), 4), round(1 - above(0.7), 4))


def mining(count: int = 12) -> Mining:
    pairs = tuple(
        MinedPair(
            f"Parcel {number} can be sent back.",
            f"Parcel {number} cannot be sent back.",
            f"help.txt:{number}",
            f"help.txt:{number + 40}",
            round(0.99 - number / 1000, 4),
            "polarity",
            ("can", "cannot"),
        )
        for number in range(1, count)
    )
    hostile = MinedPair(SCRIPT, "Refunds are never paid.", "help.txt:<1>", "help.txt:99", 0.9, "antonym", ("<b>", ""))
    return Mining(4987, "exact", 0.85, 20, 3120, count, (*pairs, hostile), 40_000_000)


def minimal_audit(**changes: Any) -> Audit:
    """Return an audit with the minimum of data: no retrieval, no mining, no other relations."""
    few = example_audit()
    opposite_or_same = [one for one in few.distributions if one.relation in get_args(Relation)[:2]]
    return replace(
        few,
        distributions=tuple(opposite_or_same),
        blindness=(Blindness("all", "all", 1, 1.0, (0.2, 1.0), 0),),
        worst=(),
        thresholds=tuple(replace(one, different_pass=None, typos_lost=None) for one in few.thresholds),
        advice=ThresholdAdvice(0.05, 0.1, None, holds=False),
        retrieval=(),
        mining=None,
        **changes,
    )
