"""The result of one model on one suite: metrics, and the outcome of each item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from msgspec import Meta

from litotes.core.settings import Fraction

if TYPE_CHECKING:
    import pandas

Number = Annotated[float, Meta(ge=-1e9, le=1e9)]
"""A finite number."""
Count = Annotated[int, Meta(ge=0, le=2**53)]
Interval = tuple[Number, Number]


class ItemResult(NamedTuple):
    """The outcome of one item."""

    id: str
    group: str
    sentences: Mapping[str, str]
    similarities: Mapping[str, Number]
    """By pair name (`input~both`), or the probability of each label; rounded to seven decimals, as single precision
    has no more."""
    choice: str | None
    """The option with the highest similarity; None for a tie."""
    credit: Fraction
    """A pass has 1, a failure 0, and a tie that includes the right option a fraction."""
    margin: Number
    """The similarity of the right option minus the highest similarity of the others."""
    tags: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class CriterionAccuracy:
    """The accuracy by another pass criterion on the same similarities."""

    accuracy: Fraction
    accuracy_ci: Interval
    chance: Fraction
    ties: Count


@dataclass(frozen=True)
class LabelMetrics:
    """Precision, recall and F1 of one gold label; a tie counts in equal shares for the tied labels."""

    items: Count
    precision: Fraction
    recall: Fraction
    f1: Fraction


@dataclass(frozen=True)
class CategoryMetrics:
    """The metrics of the items of one category of negation."""

    items: Count
    groups: Count
    accuracy: Fraction
    accuracy_ci: Interval
    mcc: Number
    mcc_ci: Interval
    labels: Mapping[str, LabelMetrics]


@dataclass(frozen=True)
class NliMetrics:
    """Additional metrics of suites in which every item has its own right option, an NLI label."""

    mcc: Number
    """Matthews correlation for several labels (Gorodkin, 2004): 1 is perfect, 0 is chance level."""
    mcc_ci: Interval
    confusion: Mapping[str, Mapping[str, Count]]
    """Gold label → chosen label → number of items; ties are not counted."""
    labels: Mapping[str, LabelMetrics]
    categories: Mapping[str, CategoryMetrics]
    """By category of negation; an item can have several categories or none."""


@dataclass(frozen=True)
class Metrics:
    """The metrics of a run; shares are between 0 and 1."""

    items: Annotated[int, Meta(ge=1, le=2**53)]
    groups: Count
    accuracy: Fraction
    accuracy_ci: Interval
    group_accuracy: Fraction
    """The mean over groups, so that large groups do not dominate."""
    group_accuracy_ci: Interval
    chance: Fraction
    ties: Count
    similarities: Mapping[str, Number]
    """The mean similarity of each role pair."""
    also: Mapping[str, CriterionAccuracy] = field(default_factory=dict)
    """Accuracies by the other criteria of the suite kind, by name."""
    baseline: Number | None = None
    """The mean similarity of unrelated sentences of the suite."""
    normalised: Mapping[str, Number] = field(default_factory=dict)
    """The mean similarity of each role pair, rescaled so that the baseline is 0; empty without a baseline."""
    normalised_ci: Mapping[str, Interval] = field(default_factory=dict)
    """Their intervals; the baseline, a mean over many more pairs, is treated as exact."""
    nli: NliMetrics | None = None
    """Set for suites whose items have labels."""


@dataclass(frozen=True)
class StsMetrics:
    """The agreement of a model with the human similarity scores of a file."""

    pairs: int
    spearman: float
    """Spearman's rank correlation of similarities and scores; 0 if all similarities are equal."""
    spearman_ci: Interval
    sha256: str
    """Of the pairs and their scores."""


@dataclass(frozen=True)
class SuiteInfo:
    """The description of the suite in a result."""

    name: str
    kind: str
    version: str
    sha256: str
    source: str
    licence: str
    roles: tuple[str, ...]
    options: tuple[str, ...]
    right: str
    """Empty if it differs by item."""
    group_word: str


@dataclass(frozen=True)
class RunResult:
    """The result of one model on one suite."""

    model: str
    suite: SuiteInfo
    metrics: Metrics
    choices: Mapping[str, Count]
    """How often each option was chosen; ties are in `metrics.ties`."""
    fingerprint: Mapping[str, Any]
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    items: Sequence[ItemResult]
    notes: Sequence[str] = ()
    """Remarks about the metrics, for example the number of words without a vector."""
    times: Mapping[str, Any] = field(default_factory=dict)
    """Start, duration and cache usage; the only part that differs between two equal runs."""
    group: str = ""
    """The group of the model in its model list."""
    sts: Mapping[str, StsMetrics] = field(default_factory=dict)
    """The agreement of the model with human similarity scores by file, if files were given; the same on every suite."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything except the items, as written to result.json."""
        return {
            "model": self.model,
            "suite": self.suite.name,
            "group": self.group,
            "metrics": asdict(self.metrics),
            "choices": dict(self.choices),
            "choice_shares": {role: count / self.metrics.items for role, count in self.choices.items()},
            "suite_info": asdict(self.suite),
            "fingerprint": dict(self.fingerprint),
            "settings": dict(self.settings),
            "versions": dict(self.versions),
            "sts": {name: asdict(metrics) for name, metrics in self.sts.items()},
            "notes": list(self.notes),
            "times": dict(self.times),
        }

    def to_frame(self) -> pandas.DataFrame:
        """Return a data frame with one row per item; tags are columns unless a column of that name exists."""
        from litotes.core.errors import missing_package

        try:
            import pandas
        except ImportError as error:
            raise missing_package("pandas", "report") from error
        rows = []
        for item in self.items:
            row = {
                "id": item.id,
                "group": item.group,
                **item.sentences,
                **item.similarities,
                "choice": item.choice,
                "credit": item.credit,
                "margin": item.margin,
            }
            rows.append({**row, **{name: value for name, value in item.tags.items() if name not in row}})
        return pandas.DataFrame(rows)
