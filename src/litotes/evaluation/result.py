"""What a run found: figures, and a line an item from which they can be counted again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pandas

Interval = tuple[float, float]


class ItemResult(NamedTuple):
    """How one item went."""

    id: str
    group: str
    sentences: Mapping[str, str]
    similarities: Mapping[str, float]
    """By pair name, `input~both`, or the probability of each label, to seven decimals: single precision has no more."""
    choice: str | None
    """The option that was the most alike; None for a tie."""
    credit: float
    """1 passed, 0 not, between for a tie that the right option shares."""
    margin: float
    """The right option's similarity less the best of the others."""
    tags: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class CriterionAccuracy:
    """The accuracy by another criterion on the same similarities."""

    accuracy: float
    accuracy_ci: Interval
    chance: float
    ties: int


@dataclass(frozen=True)
class LabelMetrics:
    """How well one gold label is found; a tie counts in equal shares for the labels that share it."""

    items: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class CategoryMetrics:
    """The figures of one category's items alone."""

    items: int
    groups: int
    accuracy: float
    accuracy_ci: Interval
    mcc: float
    mcc_ci: Interval
    labels: Mapping[str, LabelMetrics]


@dataclass(frozen=True)
class NliMetrics:
    """What there is to count where the right option is a label that differs from item to item."""

    mcc: float
    """Matthews' correlation for several labels (Gorodkin, 2004): 1 all right, 0 no better than guessing."""
    mcc_ci: Interval
    confusion: Mapping[str, Mapping[str, int]]
    """Gold label → chosen label → items; ties are in no column."""
    labels: Mapping[str, LabelMetrics]
    categories: Mapping[str, CategoryMetrics]
    """By category of negation; an item may be in several, or in none."""


@dataclass(frozen=True)
class Metrics:
    """The figures of a run; shares are between 0 and 1."""

    items: int
    groups: int
    accuracy: float
    accuracy_ci: Interval
    group_accuracy: float
    """The mean over groups, so that a frequent word does not speak for all."""
    group_accuracy_ci: Interval
    chance: float
    ties: int
    similarities: Mapping[str, float]
    """The mean similarity of each role pair."""
    also: Mapping[str, CriterionAccuracy] = field(default_factory=dict)
    """Other readings that the kind of suite asks for, by name."""
    baseline: float | None = None
    """How alike two sentences of the suite are that have nothing to do with each other."""
    normalised: Mapping[str, float] = field(default_factory=dict)
    """The mean similarity of each role pair with the baseline as 0 and 1 as 1; empty without a baseline."""
    normalised_ci: Mapping[str, Interval] = field(default_factory=dict)
    """Its intervals; the baseline, a mean over many more pairs, is taken as it is."""
    nli: NliMetrics | None = None
    """The figures of a suite whose items have labels; None for any other."""


@dataclass(frozen=True)
class SuiteInfo:
    """What a result keeps of the suite that was run."""

    name: str
    kind: str
    version: str
    sha256: str
    source: str
    licence: str
    roles: tuple[str, ...]
    options: tuple[str, ...]
    right: str
    """"": it differs by item."""
    group_word: str


@dataclass(frozen=True)
class RunResult:
    """One scorer on one suite."""

    model: str
    suite: SuiteInfo
    metrics: Metrics
    choices: Mapping[str, int]
    """How often each option was chosen; ties are in `metrics.ties`."""
    fingerprint: Mapping[str, Any]
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    items: Sequence[ItemResult]
    notes: Sequence[str] = ()
    """What readers of the figures should know, such as words that the model does not."""
    times: Mapping[str, Any] = field(default_factory=dict)
    """When it ran and how long; the only part that differs between two equal runs."""
    group: str = ""
    """What kind of model it is, by the list that names it."""

    def to_dict(self) -> dict[str, Any]:
        """Everything but the items, as it stands in result.json."""
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
            "notes": list(self.notes),
            "times": dict(self.times),
        }

    def to_frame(self) -> pandas.DataFrame:
        """A row an item, for pandas."""
        from litotes.core.errors import missing_package

        try:
            import pandas
        except ImportError as error:
            raise missing_package("pandas", "report") from error
        return pandas.DataFrame(
            [
                {
                    "id": item.id,
                    "group": item.group,
                    **item.sentences,
                    **item.similarities,
                    "choice": item.choice,
                    "credit": item.credit,
                    "margin": item.margin,
                }
                for item in self.items
            ]
        )
