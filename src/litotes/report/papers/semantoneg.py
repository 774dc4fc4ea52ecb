"""SemAntoNeg (Vahtola, Creutz and Tiedemann, 2022): its tables, Figures 1 and 2, and its error analysis."""

from __future__ import annotations

from functools import partial

from litotes.report.papers.accuracies import CHANCE, PAPER, Spread, all_spreads, grouped_runs, spreads
from litotes.report.papers.choices_figure import WORST, best_and_worst, choices_figure, choices_table
from litotes.report.papers.error_tables import error_tables
from litotes.report.papers.pieces import Choices, PaperFigure, PaperTable, Pieces, slug
from litotes.report.papers.semantoneg_tables import accuracy_tables, spread_table
from litotes.report.papers.spread_figure import spread_figure
from litotes.report.placing_tables import OTHER_SENTENCES, on_the_papers_sentences
from litotes.report.suite_runs import SuiteRuns

KINDS = (PAPER,)


def published_pieces() -> list[Pieces]:
    """What the paper printed, drawn again; the counts of its Figure 2 are not printed."""
    figures = [
        _spread(
            "figure-1-spread",
            "Vahtola et al. 2022, Figure 1: accuracy by group, the models of Tables 3 to 6; the line is the median",
            spreads(None, published=True),
            CHANCE,
        ),
        _spread(
            "figure-1-all-models",
            "Vahtola et al. 2022, Table 8: accuracy of all models by group; the line is the median",
            all_spreads(None),
            CHANCE,
        ),
    ]
    tables = accuracy_tables(None, published=True, best=12)
    return [Pieces("published", [*tables, *(table for table, _ in figures)], [figure for _, figure in figures])]


def suite_pieces(suite: SuiteRuns, choices: Choices) -> Pieces:
    """The same of runs, with the paper's figures beside if they are wanted, and the errors behind them."""
    beside = choices.beside
    caution = f"; {OTHER_SENTENCES}" if beside and not on_the_papers_sentences(suite) else ""
    told = f"{suite.label}: accuracy by group; the line is the median"
    told += (
        " of the models of Vahtola et al. 2022, Tables 3 to 6 (of the runs in a group that these do not have)"
        if beside
        else ""
    )
    told += caution
    drawn = [_spread("figure-1-spread", told, spreads(suite, published=beside), suite.chance)]
    drawn += _choices(suite)
    tables = accuracy_tables(suite, published=beside, best=choices.best)
    return Pieces(
        suite.label,
        [
            *tables,
            *(table for table, _ in drawn),
            *error_tables(suite, best=choices.best, missed_by=choices.missed_by),
        ],
        [figure for _, figure in drawn],
    )


def _spread(stem: str, caption: str, found: list[Spread], chance: float) -> tuple[PaperTable, PaperFigure]:
    return spread_table(stem, caption, found), PaperFigure(stem, caption, partial(spread_figure, found, chance))


def _choices(suite: SuiteRuns) -> list[tuple[PaperTable, PaperFigure]]:
    """Figure 2 of all runs, and of each group with several of them: the paper's is of the paraphrase models."""
    runs = list(zip(suite.names, suite.runs, strict=True))
    groups = {group: set(names) for group, names in grouped_runs(suite).items() if 1 < len(names) < len(runs)}
    found = []
    for group, names in {"": set(suite.names), **groups}.items():
        of_group = [(name, run) for name, run in runs if name in names]
        shown = best_and_worst(of_group)
        which = f"the best and the {min(WORST, len(of_group) - 1)} worst" if len(of_group) > 2 else "the choices"
        models = f"the group “{group}”" if group else "all models"
        caption = f"{suite.label}: {which} of {models}, times each option is chosen"
        stem = "figure-2-choices" + (f"-{slug(group)}" if group else "")
        found.append((choices_table(stem, caption, shown), PaperFigure(stem, caption, partial(choices_figure, shown))))
    return found
