"""The part of the HTML report that says where models stand among the published ones."""

from __future__ import annotations

from litotes.evaluation.published_ranking import ACCURACY
from litotes.report.html_tables import MANY_ROWS, table
from litotes.report.html_words import display_name, escape
from litotes.report.placing_tables import in_words, on_the_papers_sentences, placed_by_figure, placing_tables
from litotes.report.suite_runs import SuiteRuns
from litotes.report.tables import Table

_SAME = (
    "The figures of the published models are those that the paper prints. A model is level with another if its own "
    "figure, rounded in the same way, is the same; the one of its own name stands beside it and is not counted."
)
_OTHER = (
    "<b>Other sentences; for orientation.</b> The published models were asked about other sentences than these, so the "
    "figures compare in kind, not to the decimal."
)


def placing_section(suite: SuiteRuns) -> str:
    """Where the models stand, and how that is to be taken; nothing where no paper has such figures."""
    tables = placing_tables(suite)
    if not tables:
        return ""
    told = _SAME if on_the_papers_sentences(suite) else _OTHER
    drawn = "".join(_drawn(one) for one in tables)
    return f'<div class="published"><h3>Among the published models</h3><p>{told}</p>{drawn}</div>'


def placed_in_a_sentence(suite: SuiteRuns) -> str:
    """Where the best model stands, for the findings; only on the paper's own sentences."""
    placed = placed_by_figure(suite).get(ACCURACY)
    if not placed or placed[0] is None or not on_the_papers_sentences(suite):
        return ""
    which = "it" if len(suite.runs) == 1 else "the best"
    return f" Among the published models {which} is {escape(in_words(placed[0]))}."


def _drawn(shown: Table) -> str:
    (_, *names), *columns = shown.shown()
    head = "".join(
        f'<th scope="col" class="number" data-column="{1 + place}">{escape(display_name(column[0]).capitalize())}</th>'
        for place, column in enumerate(columns)
    )
    rows = [
        f'<tr><th scope="row" class="name">{escape(name)}</th>'
        + "".join(f'<td class="number">{escape(column[1 + place])}</td>' for column in columns)
        + "</tr>"
        for place, name in enumerate(names)
    ]
    # The captions of tables are for those who do not see them; whose figures these are is for everyone.
    return f'<p class="about">{escape(shown.caption)}</p>' + table(
        escape(shown.caption),
        f'<tr><th scope="col" class="name" data-column="0">Model</th>{head}</tr>',
        rows,
        classes="placing sortable",
        tall=len(rows) > MANY_ROWS,
    )
