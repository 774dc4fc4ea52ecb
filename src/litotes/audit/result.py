"""The result of an audit as plain values; reports, tables and figures are made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from litotes.building.audit_variants import Relation

Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class RewriteUsage:
    """How often one rewrite returned a variant."""

    rule: str
    relation: Relation
    variants: int
    """Number of sentences with a variant."""
    skipped: Mapping[str, int]
    """Number of sentences without a variant, by skip code."""
    reasons: Mapping[str, str]
    """Message of each skip code."""


@dataclass(frozen=True)
class TextUsage:
    """How much of the text the audit could use."""

    read: int
    """Sentences that were read."""
    sentences: int
    """Different sentences: the index for retrieval and mining."""
    rewritten: int
    """Sentences that were rewritten."""
    usable: int
    """Sentences with an opposite and a paraphrase: the basis of all blindness figures."""
    rules: tuple[RewriteUsage, ...]
    excluded: Mapping[str, int] = field(default_factory=dict)
    """Number of sentences that were not rewritten, by reason in words."""


@dataclass(frozen=True)
class SimilarityDistribution:
    """Similarities between sentences and their variants by one rewrite."""

    rule: str
    relation: Relation
    count: int
    mean: float
    quantiles: tuple[float, float, float, float, float]
    """5, 25, 50, 75 and 95 %."""
    histogram: tuple[int, ...]
    """Counts over the bins of `Audit.bins`."""


@dataclass(frozen=True)
class Blindness:
    """How often an opposite is at least as similar to a sentence as a paraphrase."""

    opposite: str
    """The rewrite of the opposites, or "all"."""
    same: str
    """The rewrite of the paraphrases, or "all"."""
    sentences: int
    rate: float
    ci: Interval
    ties: int
    """Comparisons with equal similarities; they count as blind."""


@dataclass(frozen=True)
class WorstCase:
    """A sentence whose opposite is much more similar to it than a paraphrase."""

    text: str
    opposite: str
    opposite_rule: str
    opposite_similarity: float
    same: str
    same_rule: str
    same_similarity: float


@dataclass(frozen=True)
class ThresholdPoint:
    """Errors if pairs at or above a similarity threshold are treated as duplicates."""

    threshold: float
    opposites_pass: float
    """Share of the opposites that are treated as duplicates."""
    different_pass: float | None
    """Share of the variants with another meaning that are treated as duplicates; None without such variants."""
    paraphrases_lost: float
    """Share of the paraphrases that are not treated as duplicates."""
    typos_lost: float | None


@dataclass(frozen=True)
class ThresholdAdvice:
    """The threshold that fits an error budget."""

    budget: float
    """Largest share of opposites that may pass as duplicates."""
    max_lost: float
    """Largest share of paraphrases that may be lost."""
    point: ThresholdPoint | None
    """The lowest threshold within the budget; None if there is none."""
    holds: bool
    """Whether that threshold also loses at most `max_lost` of the paraphrases."""


@dataclass(frozen=True)
class RetrievalMetrics:
    """Paraphrases as queries against the corpus, to which the opposites of the originals were added."""

    rule: str
    """The rewrite of the queries, or "all"."""
    queries: int
    paired: float
    """How often the original is ranked above its opposite; a tie counts as an error."""
    paired_ci: Interval
    mrr: float
    """Mean reciprocal rank of the original, with the opposites in the index."""
    mrr_ci: Interval
    mrr_without_opposites: float
    top_1: float
    """How often the original is ranked first."""


@dataclass(frozen=True)
class MinedPair:
    """Two sentences of the corpus that contradict each other and that the model considers similar."""

    first: str
    second: str
    first_id: str
    second_id: str
    similarity: float
    kind: Literal["polarity", "antonym"]
    differs: tuple[str, str]
    """The words that only the first and only the second sentence contains; "" for none."""


@dataclass(frozen=True)
class Mining:
    """Contradictions between similar sentences of the corpus."""

    sentences: int
    method: Literal["exact", "approximate"]
    threshold: float
    """Minimum similarity of a candidate pair."""
    neighbours: int
    """Number of nearest neighbours per sentence."""
    candidates: int
    """Pairs of neighbours at or above the threshold."""
    contradictions: int
    """Candidates that differ in polarity or by an antonym."""
    pairs: tuple[MinedPair, ...]
    """The most similar contradictions."""
    memory: int
    """Estimated memory for the search, in bytes."""


@dataclass(frozen=True)
class Audit:
    """The complete result of an audit."""

    model: str
    fingerprint: str
    corpus: tuple[Mapping[str, Any], ...]
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    notes: tuple[str, ...]
    """Remarks about the model that matter for reading the figures, such as unknown words."""
    usage: TextUsage
    bins: tuple[float, ...]
    """Edges of the bins of all histograms."""
    distributions: tuple[SimilarityDistribution, ...]
    blindness: tuple[Blindness, ...]
    """The first row covers all rewrites."""
    worst: tuple[WorstCase, ...]
    thresholds: tuple[ThresholdPoint, ...]
    """The curve over the whole range of similarities."""
    at_threshold: ThresholdPoint | None
    """The point at `AuditSettings.threshold`."""
    advice: ThresholdAdvice
    retrieval: tuple[RetrievalMetrics, ...]
    """The first row covers all rewrites; empty without queries."""
    mining: Mining | None
    """None if mining was switched off."""

    @property
    def blind(self) -> float:
        """The blindness rate over all rewrites."""
        return self.blindness[0].rate

    def to_dict(self) -> dict[str, Any]:
        """Return the result as values for JSON."""
        return asdict(self)
