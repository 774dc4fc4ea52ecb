"""Where a run stands among the models that the papers published."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from litotes.evaluation.result import RunResult, SuiteInfo
from litotes.suites import heros, triplets
from litotes.suites.official_files import SOURCES
from litotes.suites.published_results import PublishedTable, published_results

ACCURACY = "accuracy"
_HEROS_ITEMS = 1000
_ACCURACY_TABLES = {"semantoneg": ("semantoneg", (8, 4))} | {
    kind.name: ("triplets", (2 + place,)) for place, kind in enumerate(triplets.KINDS)
}
"""By kind of suite, the table with the accuracy of every model, and others that print some of it more exactly."""


@dataclass(frozen=True)
class PublishedRank:
    """One figure of a run beside the same figure of the published models."""

    figure: str
    """`accuracy`, in per cent, or a role pair, its similarity above the baseline."""
    shown: str
    """The run's figure, rounded as the paper rounds."""
    lower_than: int
    """How many published models have a higher figure; one that is printed the same is level."""
    level_with: int
    higher_than: int
    published: str | None
    """What is printed for a model of the same name, which is then not among those counted; None: it is not there."""
    source: str
    same_sentences: bool
    """Whether the run was on the paper's own sentences; on others the comparison is for orientation only."""

    @property
    def models(self) -> int:
        """How many models it was compared with."""
        return self.lower_than + self.level_with + self.higher_than


@dataclass(frozen=True)
class _Printed:
    """What a paper prints for one model."""

    name: str
    figure: str


def published_ranks(run: RunResult) -> tuple[PublishedRank, ...]:
    """The run's figures among the published; none for a kind of suite that no paper has figures for."""
    kind, same = run.suite.kind, _on_the_papers_sentences(run.suite, run.metrics.items)
    if kind in _ACCURACY_TABLES and 2 * run.metrics.ties > run.metrics.items:
        figures = []  # it told the options of few items apart: its accuracy is mostly the share that a tie is given
    elif kind in _ACCURACY_TABLES:
        source, printed = _accuracies(kind)
        figures = [(ACCURACY, 100 * run.metrics.accuracy, source, printed)]
    elif kind == heros.KIND.name:
        figures = [
            (f"original~{subset}", run.metrics.normalised.get(f"original~{subset}", math.nan), *_similarities(subset))
            for subset in heros.SUBSETS
        ]
    else:
        figures = []
    return tuple(
        _standing(figure, value, run.model, source=source, printed=printed, same=same)
        for figure, value, source, printed in figures
        if math.isfinite(value)
    )


def _standing(
    figure: str, value: float, model: str, *, source: str, printed: Sequence[_Printed], same: bool
) -> PublishedRank:
    bare = model.removeprefix("st:").removeprefix("sentence-transformers/")
    own = [one.figure for one in printed if one.name == bare]
    others = [one.figure for one in printed if one.name != bare]
    # What is printed the same cannot be told apart, so ours is rounded as each of theirs before it is compared.
    above = [float(_rounded(value, text)) - float(text) for text in others]
    return PublishedRank(
        figure=figure,
        shown=_rounded(value, own[0] if own else others[0]),
        lower_than=sum(by < 0 for by in above),
        level_with=sum(by == 0 for by in above),
        higher_than=sum(by > 0 for by in above),
        published=own[0] if own else None,
        source=source,
        same_sentences=same,
    )


def _rounded(value: float, like: str) -> str:
    """The value with as many decimals as a printed figure.

    >>> _rounded(1.9353, "83.3"), _rounded(0.9554, "0.955")
    ('1.9', '0.955')
    """
    return f"{value:.{_decimals(like)}f}"


def _decimals(printed: str) -> int:
    return len(printed.partition(".")[2])


def _on_the_papers_sentences(suite: SuiteInfo, items: int) -> bool:
    """Whether the suite is the published file itself; no file of the triplets is published."""
    if suite.kind == "semantoneg":
        return suite.sha256 == SOURCES["semantoneg"].sha256
    # No checksum of the table of HEROS is known: what its reader has read, whole, is taken for it.
    return suite.kind == heros.KIND.name and "Chiang" in suite.source and items == _HEROS_ITEMS


@cache
def _accuracies(kind: str) -> tuple[str, tuple[_Printed, ...]]:
    """The source, and the accuracy of every model that has one."""
    paper, numbers = _ACCURACY_TABLES[kind]
    table, *more_exact = [published_results(paper, table=number) for number in numbers]
    printed = _by_model(table)
    for other in more_exact:
        found = _by_model(other)
        printed |= {name: text for name, text in found.items() if _decimals(text) > _decimals(printed[name])}
    return table.source, tuple(_Printed(name, text) for name, text in printed.items())


def _by_model(table: PublishedTable) -> dict[str, str]:
    names = table.column("model" if "model" in table.columns else "method")
    texts, numbers = table.column(ACCURACY), table.numbers(ACCURACY)
    return {name: text for name, text, number in zip(names, texts, numbers, strict=True) if number is not None}


@cache
def _similarities(subset: str) -> tuple[str, tuple[_Printed, ...]]:
    """The source, and what each model gives a subset of HEROS."""
    rows = [row for number in (1, 2) for row in published_results("heros", figure=number).rows]
    source = published_results("heros", figure=1).source.replace("Figure 1", "Figures 1 and 2")
    # A model without a repository goes by its label; other labels stand there twice.
    return source, tuple(_Printed(row["model"] or row["label"], row[subset]) for row in rows)
