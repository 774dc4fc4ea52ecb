"""The rank of a run among the published results of the papers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from litotes.evaluation.result import RunResult, SuiteInfo
from litotes.suites import heros, triplets
from litotes.suites.official_files import OFFICIAL_FILES
from litotes.suites.published_results import PublishedTable, published_results

ACCURACY = "accuracy"
_HEROS_ITEMS = 1000
_ACCURACY_TABLES = {"semantoneg": ("semantoneg", (8, 4))} | {
    kind.name: ("triplets", (2 + index,)) for index, kind in enumerate(triplets.KINDS)
}
"""By suite kind: the paper, its table with all accuracies, and tables with more decimals for some models."""


@dataclass(frozen=True)
class PublishedRank:
    """One metric of a run compared with the published models."""

    figure: str
    """`accuracy` in per cent, or the name of a role pair, whose normalised similarity is compared."""
    shown: str
    """The value of the run, rounded as in the paper."""
    lower_than: int
    """The number of published models with a higher value; equal means equal as printed."""
    level_with: int
    higher_than: int
    published: str | None
    """The published value of the model itself, which is then not counted; None if the paper does not have it."""
    source: str
    same_sentences: bool
    """Whether the run used the paper's own sentences; otherwise the comparison is only a rough guide."""

    @property
    def models(self) -> int:
        """The number of models in the comparison."""
        return self.lower_than + self.level_with + self.higher_than


class _PublishedValue(NamedTuple):
    """A value as printed in a paper."""

    model: str
    text: str


def published_ranks(run: RunResult) -> tuple[PublishedRank, ...]:
    """Return the ranks of a run's metrics; none for suite kinds without published results."""
    kind, metrics = run.suite.kind, run.metrics
    if kind in _ACCURACY_TABLES:
        if 2 * metrics.ties > metrics.items:
            return ()  # the accuracy mostly consists of shares of ties and says nothing about the model
        return _ranks(run, {ACCURACY: 100 * metrics.accuracy}, lambda _: _published_accuracies(kind))
    if kind == heros.KIND.name:
        pairs = {f"original~{subset}": subset for subset in heros.SUBSETS}
        values = {pair: metrics.normalised.get(pair, math.nan) for pair in pairs}
        return _ranks(run, values, lambda pair: _published_similarities(pairs[pair]))
    return ()


def _ranks(
    run: RunResult, values: Mapping[str, float], published: Callable[[str], tuple[str, tuple[_PublishedValue, ...]]]
) -> tuple[PublishedRank, ...]:
    same_sentences = _has_published_sentences(run.suite, run.metrics.items)
    name = run.model.removeprefix("st:").removeprefix("sentence-transformers/")
    ranks: list[PublishedRank] = []
    for figure, value in values.items():
        if not math.isfinite(value):
            continue
        source, printed = published(figure)
        own = [text for model, text in printed if model == name]
        others = [text for model, text in printed if model != name]
        # The exact published values are unknown, so the value is rounded like each printed one before comparison.
        differences = [float(_round_like(text, value)) - float(text) for text in others]
        ranks.append(
            PublishedRank(
                figure=figure,
                shown=_round_like(own[0] if own else others[0], value),
                lower_than=sum(difference < 0 for difference in differences),
                level_with=sum(difference == 0 for difference in differences),
                higher_than=sum(difference > 0 for difference in differences),
                published=own[0] if own else None,
                source=source,
                same_sentences=same_sentences,
            )
        )
    return tuple(ranks)


def _round_like(printed: str, value: float) -> str:
    """Return the value with the number of decimals of a printed one.

    >>> _round_like("83.3", 1.9353), _round_like("0.955", 0.9554)
    ('1.9', '0.955')
    """
    return f"{value:.{_decimals(printed)}f}"


def _decimals(printed: str) -> int:
    return len(printed.partition(".")[2])


def _has_published_sentences(suite: SuiteInfo, n_items: int) -> bool:
    """Return whether the suite is the published file itself; the triplets were not published."""
    if suite.kind == "semantoneg":
        return suite.sha256 == OFFICIAL_FILES["semantoneg"].sha256
    # The checksum of the HEROS table is not known, so a complete table read by its reader is accepted.
    return suite.kind == heros.KIND.name and "Chiang" in suite.source and n_items == _HEROS_ITEMS


@cache
def _published_accuracies(kind: str) -> tuple[str, tuple[_PublishedValue, ...]]:
    """Return the source and the accuracies, with as many decimals as the paper has anywhere."""
    paper, numbers = _ACCURACY_TABLES[kind]
    table, *more_precise = [published_results(paper, table=number) for number in numbers]
    texts = _accuracy_texts(table)
    for precise in more_precise:
        texts |= {
            model: text for model, text in _accuracy_texts(precise).items() if _decimals(text) > _decimals(texts[model])
        }
    return table.source, tuple(_PublishedValue(model, text) for model, text in texts.items())


def _accuracy_texts(table: PublishedTable) -> dict[str, str]:
    models = table.column("model" if "model" in table.columns else "method")
    texts, numbers = table.column(ACCURACY), table.numbers(ACCURACY)
    return {model: text for model, text, number in zip(models, texts, numbers, strict=True) if number is not None}


@cache
def _published_similarities(subset: str) -> tuple[str, tuple[_PublishedValue, ...]]:
    """Return the source and the similarities of a subset of HEROS."""
    rows = [row for number in (1, 2) for row in published_results("heros", figure=number).rows]
    source = published_results("heros", figure=1).source.replace("Figure 1", "Figures 1 and 2")
    # Models without a repository are identified by their label; other labels are not unique.
    return source, tuple(_PublishedValue(row["model"] or row["label"], row[subset]) for row in rows)
