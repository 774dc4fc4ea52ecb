"""The HTML report of runs: one file that works offline and treats all text as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from markupsafe import Markup

from litotes._version import __version__
from litotes.evaluation.error_analysis import OverlapPreference
from litotes.evaluation.published_ranking import ACCURACY
from litotes.evaluation.result import NliMetrics, RunResult
from litotes.evaluation.statistics import Comparison
from litotes.report import label_tables, suite_tables
from litotes.report.errors import agreement_table, difficulty_table, overlap_preferences, overlap_table
from litotes.report.figures import category_panels, choices_panels, layer_curves
from litotes.report.label_tables import label_metrics, largest_label
from litotes.report.leaderboard import kinds_with_colours, leaderboard_table
from litotes.report.page_data import report_data
from litotes.report.ranking_tables import describe_rank, is_on_paper_sentences, ranking_tables, ranks_by_figure
from litotes.report.similarity_figures import heat_map, scatter_panels
from litotes.report.suite_runs import SuiteDescription, SuiteRuns, by_suite, describe_suite
from litotes.report.table import PACKAGE, Table, as_html, environment
from litotes.web.pages import read_asset, render_standalone

TITLE = "How sentence encoders handle negation and antonyms"
_TITLE_OF_LABELS = "How NLI models handle negation"
_TITLE_OF_BOTH = "How models handle negation and antonyms"
_SCRIPTS = ("report", "packed", "virtual", "browser", "item", "profile", "compare", "errors", "start")

MAX_PANELS = 12
"""The figures of further models are collapsed."""
MAX_COMPARISONS = 45
"""Longer lists of comparisons are collapsed."""
MAX_LISTED_COMPARISONS = 1000
"""Beyond this the comparisons are not listed; any two models can be selected instead."""
MAX_ROWS = 25
"""Longer tables of models scroll."""
_MAX_SENTENCES = 2
"""The findings on more suites are a table."""
_MAX_OVERVIEW_MODELS = 6


@dataclass(frozen=True)
class SuiteSection:
    """A suite and what its templates show of it, computed on demand."""

    number: int
    suite: SuiteRuns

    @property
    def description(self) -> SuiteDescription:
        """What the suite asks."""
        return describe_suite(self.suite.info)

    @property
    def right_role(self) -> str:
        """The role of the right option: the option itself, or the second role of a pair with the first role."""
        info = self.suite.info
        first, _, second = info.right.partition("~")
        return second if first == info.roles[0] and second else info.right

    @property
    def facts(self) -> list[str]:
        """Source, version, licence and hash."""
        info = self.suite.info
        return [
            fact
            for fact in (
                info.source,
                f"version {info.version}" if info.version else "",
                f"licence {info.licence}" if info.licence else "",
                f"sha256 {info.sha256[:12]}…" if info.sha256 else "",
            )
            if fact
        ]

    @property
    def largest_label(self) -> tuple[str, float]:
        """The most frequent label and its share."""
        return largest_label(label_metrics(self.suite.runs[0]).labels)

    @property
    def best_label_metrics(self) -> NliMetrics:
        """The label metrics of the best run."""
        return label_metrics(self.suite.runs[0])

    @property
    def models_table(self) -> Markup:
        """All models with guessing at its rank."""
        module = label_tables if self.suite.is_labelled else suite_tables
        return _models_html(module.models_page_table(self.suite), "models sortable")

    @property
    def rank_of_best(self) -> str:
        """The rank of the best model among the published ones; empty on other sentences than the paper's."""
        ranks = ranks_by_figure(self.suite).get(ACCURACY)
        if not ranks or ranks[0] is None or not is_on_paper_sentences(self.suite):
            return ""
        return describe_rank(ranks[0])

    @property
    def is_on_paper_sentences(self) -> bool:
        """Whether the published numbers are about the same sentences."""
        return is_on_paper_sentences(self.suite)

    @property
    def ranking_tables(self) -> list[tuple[str, Markup]]:
        """The captions and tables of the ranking among published models."""
        return [(table.caption, _models_html(table, "placing sortable")) for table in ranking_tables(self.suite)]

    @property
    def n_differing(self) -> int:
        """The number of pairs of models that differ significantly."""
        return sum(comparison.differ for comparison in self.suite.comparisons)

    @property
    def comparisons_table(self) -> Markup:
        """All comparisons of two models."""
        return as_html(suite_tables.comparisons_table(self.suite), "comparisons")

    @property
    def criteria_table(self) -> Markup | None:
        """The accuracy by additional criteria."""
        table = suite_tables.criteria_table(self.suite)
        caption = f"Additional criteria of {self.suite.label}"
        return None if table is None else as_html(table, "readings sortable", caption=caption)

    @property
    def form_table(self) -> Markup | None:
        """The similarities and the accuracy by the form of the sentence."""
        table = suite_tables.form_table(self.suite)
        caption = f"Results on {self.suite.label} by form"
        return None if table is None else as_html(table, "models sortable", caption=caption)

    @property
    def normalised_table(self) -> Markup | None:
        """The similarities above the baseline."""
        table = suite_tables.normalised_table(self.suite)
        caption = f"Similarity above the baseline on {self.suite.label}"
        return None if table is None else as_html(table, "models sortable", caption=caption)

    @property
    def variant_tables(self) -> list[tuple[str, Markup]]:
        """The captions and tables of the accuracy by layer and by prompt."""
        return [(table.caption, as_html(table, "models")) for table in suite_tables.variant_tables(self.suite)]

    @property
    def groups_table(self) -> Markup:
        """The share of right items by group."""
        table = suite_tables.groups_table(self.suite, MAX_PANELS)
        return as_html(table, "groups sortable", is_tall=True)

    @property
    def categories_table(self) -> Markup | None:
        """Accuracy and correlation by category."""
        if not label_tables.shared_categories(self.suite):
            return None
        return as_html(label_tables.categories_page_table(self.suite), "models categories sortable")

    @property
    def confusion_tables(self) -> list[Markup]:
        """Which labels were given to the items of each label, per model."""
        return [
            as_html(label_tables.confusion_table(name, run), "confusion")
            for name, run in zip(self.suite.names, self.suite.runs, strict=True)
        ]

    @property
    def error_tables(self) -> dict[str, Markup]:
        """What the errors have in common: `agreement`, `overlap` and `difficulty`, if they exist."""
        suite, tables = self.suite, {}
        if (agreement := agreement_table(suite, MAX_PANELS)) is not None:
            tables["agreement"] = as_html(agreement, "kappa")
        if self.overlap is not None:
            tables["overlap"] = _models_html(overlap_table(suite, self._overlap_preferences), "overlap sortable")
        if (difficulty := difficulty_table(suite)) is not None:
            tables["difficulty"] = as_html(difficulty, "difficulty")
        return tables

    @cached_property
    def _overlap_preferences(self) -> list[OverlapPreference]:
        return overlap_preferences(self.suite)

    @property
    def overlap(self) -> OverlapPreference | None:
        """The overlap preference of the best model; None if overlap is not defined."""
        preferences = self._overlap_preferences
        return preferences[0] if preferences and preferences[0].items else None


def _models_html(table: Table, classes: str) -> Markup:
    return as_html(table, classes, is_tall=len(table.columns[0].values) > MAX_ROWS)


def render_report(results: Sequence[RunResult], comparisons: Sequence[Comparison]) -> str:
    """Return the report as an HTML document."""
    suites = by_suite(results, comparisons)
    models = list(dict.fromkeys(name for suite in suites for name in suite.names))
    return render_standalone(
        environment(),
        "report.html",
        styles=[read_asset(PACKAGE, "report.css"), read_asset(PACKAGE, "tools.css")],
        scripts=[read_asset(PACKAGE, f"{name}.js") for name in _SCRIPTS],
        data=report_data(suites),
        title=_title(suites),
        contents=_contents(suites, models),
        sections=[SuiteSection(number, suite) for number, suite in enumerate(suites)],
        models=models,
        is_comparable=_is_comparable(suites),
        overview=_overview(suites, models),
        above_and_below=[_above_and_below(name, suites) for name in models[:4]],
        leaderboard=_leaderboard(suites) if len(models) > 1 else None,
        sts=_sts(suites),
        finished=_latest_time(results),
        run_versions=", ".join(sorted({run.versions["litotes"] for run in results if "litotes" in run.versions}))
        or __version__,
        run_details=[
            (name, suite.label, _run_details(run))
            for suite in suites
            for name, run in zip(suite.names, suite.runs, strict=True)
        ],
        group_words=" or ".join(sorted({suite.info.group_word for suite in suites}) or ["group"]),
        zip=zip,
        category_panels=category_panels,
        choices_panels=choices_panels,
        heat_map=heat_map,
        layer_curves=layer_curves,
        scatter_panels=scatter_panels,
        MAX_PANELS=MAX_PANELS,
        MAX_COMPARISONS=MAX_COMPARISONS,
        MAX_LISTED_COMPARISONS=MAX_LISTED_COMPARISONS,
        MAX_SENTENCES=_MAX_SENTENCES,
    )


def _title(suites: Sequence[SuiteRuns]) -> str:
    is_labelled = [suite.is_labelled for suite in suites]
    if not any(is_labelled):
        return TITLE
    return _TITLE_OF_LABELS if all(is_labelled) else _TITLE_OF_BOTH


def _is_comparable(suites: Sequence[SuiteRuns]) -> bool:
    return any(len(suite.runs) > 1 for suite in suites)


def _contents(suites: Sequence[SuiteRuns], models: Sequence[str]) -> list[tuple[str, str]]:
    """Return the sections with their ids."""
    return [
        *([("leaderboard", "Leaderboard")] if len(models) > 1 else []),
        *([("sts", "Human similarity scores")] if any(suite.sts_files for suite in suites) else []),
        *((f"suite-{number}", suite.label) for number, suite in enumerate(suites)),
        *([("profile", "Profiles")] if suites else []),
        *([("compare", "Two models side by side")] if _is_comparable(suites) else []),
        *([("errors", "Errors"), ("browser", "Item by item")] if suites else []),
        ("method", "Method"),
    ]


def _overview(suites: Sequence[SuiteRuns], models: Sequence[str]) -> Markup | None:
    """Return the accuracy of each model on each suite; one column per model is too wide for many models."""
    if len(suites) <= _MAX_SENTENCES or len(models) > _MAX_OVERVIEW_MODELS:
        return None
    table = suite_tables.overview_table(suites)
    name, items, guessing, *accuracies = table.columns
    table = replace(table, columns=[name, *accuracies, guessing, items])
    return as_html(table, "overview sortable", caption="Accuracy of each model on each suite")


def _sts(suites: Sequence[SuiteRuns]) -> dict[str, Any] | None:
    """Return the correlations of the models with human scores as a table with its caption."""
    table = suite_tables.sts_table(suites)
    return None if table is None else {"caption": table.caption, "table": _models_html(table, "models sortable")}


def _above_and_below(name: str, suites: Sequence[SuiteRuns]) -> tuple[str, int, int, int]:
    """Return on how many suites a model is significantly above guessing, on how many below, and of how many."""
    metrics = [run.metrics for suite in suites if (run := suite.run_of(name)) is not None]
    above = sum(m.accuracy_ci[0] > m.chance for m in metrics)
    below = sum(m.accuracy_ci[1] < m.chance for m in metrics)
    return name, above, below, len(metrics)


def _leaderboard(suites: Sequence[SuiteRuns]) -> dict[str, Any]:
    table = leaderboard_table(suites)
    bars = [column for column in table.columns if column.style == "bar"]
    return {
        "table": _models_html(table, "leaderboard sortable"),
        "has_letters": any(cell.note for column in bars for cell in column.cells()),
        "kinds": kinds_with_colours(suites),
    }


def _latest_time(results: Sequence[RunResult]) -> str:
    times = (run.times.get("finished") or run.times.get("started") for run in results)
    return max((str(time) for time in times if time), default="")


def _run_details(run: RunResult) -> dict[str, Any]:
    suite = {"name": run.suite.name, "version": run.suite.version, "sha256": run.suite.sha256}
    details = {
        "Model fingerprint": run.fingerprint,
        "Settings": run.settings,
        "Versions": run.versions,
        "Times": run.times,
        "Suite": suite,
    }
    return {title: values for title, values in details.items() if values}
