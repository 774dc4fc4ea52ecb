"""What an audit found, as plain values: what is printed, drawn and written is made from these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from litotes.building.audit_variants import Relation

Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class RuleUse:
    """What one rewrite made of the sentences."""

    rule: str
    relation: Relation
    made: int
    """Sentences of which it made a variant."""
    skipped: Mapping[str, int]
    """Why it made none of the others: code → how many."""
    reasons: Mapping[str, str]
    """Code → what it means."""


@dataclass(frozen=True)
class Usage:
    """What of the text could be used."""

    read: int
    """Sentences that were read."""
    sentences: int
    """Different ones among them: the index of retrieval and mining."""
    rewritten: int
    """How many of them the rewrites were tried on."""
    usable: int
    """How many of those have an opposite and a variant of the same meaning: what blindness is counted over."""
    rules: tuple[RuleUse, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Why others were not tried at all: words for people → how many."""


@dataclass(frozen=True)
class Distribution:
    """The similarities of sentences and their variants of one rewrite."""

    rule: str
    relation: Relation
    count: int
    mean: float
    quantiles: tuple[float, float, float, float, float]
    """5, 25, 50, 75 and 95 %."""
    histogram: tuple[int, ...]
    """Counts over the bins of `Audit.bins`."""


@dataclass(frozen=True)
class Blind:
    """How often an opposite is at least as close to a sentence as a variant of the same meaning."""

    opposite: str
    """A rewrite, or “all”."""
    same: str
    """A rewrite, or “all”: every variant of the same meaning counts, a sentence once."""
    sentences: int
    rate: float
    ci: Interval
    ties: int
    """Comparisons in which both were exactly as close; they are in the rate."""


@dataclass(frozen=True)
class Worst:
    """A sentence whose opposite is much closer than a variant of the same meaning."""

    text: str
    opposite: str
    opposite_rule: str
    opposite_similarity: float
    same: str
    same_rule: str
    same_similarity: float


@dataclass(frozen=True)
class ThresholdPoint:
    """What a threshold lets through: pairs at least so similar are taken for the same."""

    threshold: float
    opposites_pass: float
    """The share of the opposites that are taken for the same."""
    different_pass: float | None
    """The same of the variants that say something else; None if there are none."""
    paraphrases_lost: float
    """The share of the variants of the same meaning that are not."""
    typos_lost: float | None


@dataclass(frozen=True)
class Advice:
    """The threshold that an error budget allows."""

    budget: float
    """At most this share of the opposites may pass as duplicates."""
    most_lost: float
    """At most this share of the paraphrases may be lost."""
    point: ThresholdPoint | None
    """The lowest threshold that keeps to the budget; None if no threshold does."""
    holds: bool
    """Whether it also loses no more paraphrases than may be lost: if not, no threshold serves."""


@dataclass(frozen=True)
class RetrievalFigures:
    """Queries of the same meaning against the corpus, in which each original's opposite lies too."""

    rule: str
    """The rewrite that made the queries, or “all”."""
    queries: int
    paired: float
    """How often the original comes before its opposite; a tie counts as not."""
    paired_ci: Interval
    mrr: float
    """Mean reciprocal rank of the original, the opposites being in the index."""
    mrr_ci: Interval
    mrr_plain: float
    """The same without the opposites: what is lost to them is the difference."""
    first: float
    """How often the original comes first of all."""


@dataclass(frozen=True)
class Mined:
    """Two sentences of the corpus that the model takes for nearly the same, and that say the opposite."""

    one: str
    other: str
    one_id: str
    other_id: str
    similarity: float
    kind: Literal["polarity", "antonym"]
    differs: tuple[str, str]
    """What stands in the one and not in the other; "" for nothing."""


@dataclass(frozen=True)
class Mining:
    """Opposites that are in the corpus already."""

    sentences: int
    method: Literal["exact", "approximate"]
    threshold: float
    """Pairs at least so similar were looked at."""
    neighbours: int
    """Of each sentence, so many neighbours."""
    looked_at: int
    """Pairs that are so similar and in which one is among the nearest of the other."""
    found: int
    """Those that differ in polarity or by an antonym."""
    pairs: tuple[Mined, ...]
    """The closest of them."""
    memory: int
    """Bytes that the index was expected to take, told beforehand."""


@dataclass(frozen=True)
class Audit:
    """All that an audit found."""

    model: str
    fingerprint: str
    corpus: tuple[Mapping[str, Any], ...]
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    notes: tuple[str, ...]
    """What readers of the figures should know of the model: words that it does not have, a server that may change."""
    usage: Usage
    bins: tuple[float, ...]
    """The edges of all histograms, one more than there are bins."""
    distributions: tuple[Distribution, ...]
    blindness: tuple[Blind, ...]
    """The first is over all rewrites."""
    worst: tuple[Worst, ...]
    thresholds: tuple[ThresholdPoint, ...]
    """Over the whole range, for a curve and a table."""
    asked: ThresholdPoint | None
    """At the threshold that was asked about."""
    advice: Advice
    retrieval: tuple[RetrievalFigures, ...]
    """The first is over all rewrites; empty if there was no query."""
    mining: Mining | None
    """None if it was not wanted."""

    @property
    def blind(self) -> float:
        """How often an opposite is at least as close as a variant of the same meaning, over everything."""
        return self.blindness[0].rate

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)
