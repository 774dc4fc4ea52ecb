"""The leaderboard: every model on every suite, with intervals and the letters that models which do not differ share."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from statistics import fmean

from litotes.evaluation.result import RunResult
from litotes.evaluation.statistics import compact_letter_display
from litotes.report.html_tables import MANY_ROWS, NO_INTERVAL, accuracy_cell, table
from litotes.report.html_words import NOTHING, counted, escape, percent, view_link
from litotes.report.model_kinds import colour_class, kind_chip, kinds_of
from litotes.report.suite_runs import SuiteRuns

_LETTER = re.compile("[a-z]′*")


def leaderboard(suites: Sequence[SuiteRuns]) -> str:
    """The section; nothing where there is only one model."""
    models = ranked_names(suites)
    if len(models) < 2:
        return ""
    kinds, groups, letters = kinds_of(suites), _groups(suites), [letters_of(suite) for suite in suites]
    shown = [_row(name, suites, letters, groups.get(name, ""), kinds) for name in models]
    # Guessing stands in its place among the models, so that one sees at once who is below it.
    guessed = fmean(suite.chance for suite in suites)
    place = sum(_mean(name, suites) >= guessed for name in models) if math.isfinite(guessed) else len(models)
    body = [*shown[:place], _guessing(suites, kinds), *shown[place:]]
    drawn = table(
        "Leaderboard, best first",
        _head(suites, kinds),
        body,
        classes="leaderboard sortable",
        tall=len(body) > MANY_ROWS,
    )
    return (
        '<section id="leaderboard" aria-labelledby="leaderboard-name"><h2 id="leaderboard-name">Leaderboard</h2>'
        f"<p>{counted(len(models), 'model')} on {counted(len(suites), 'suite')}. {_explained(suites, any(letters))}</p>"
        f"{_filter(kinds, models)}{drawn}</section>"
    )


def letters_of(suite: SuiteRuns) -> dict[str, str]:
    """The letters of each model on a suite; none unless every two were compared."""
    models = list(dict.fromkeys(run.model for run in suite.runs))
    compared = {frozenset((one.a, one.b)) for one in suite.comparisons if one.a != one.b}
    if len(models) < 2 or len(compared) < len(models) * (len(models) - 1) // 2:
        return {}
    return compact_letter_display(
        models, [(one.a, one.b) for one in suite.comparisons if one.differ and one.a != one.b]
    )


def in_short(letters: str) -> str:
    """Letters as they are shown: three or more in a row as a range.

    >>> in_short("a"), in_short("bc"), in_short("bcdeg")
    ('a', 'bc', 'b–eg')
    """
    ranges: list[list[str]] = []
    for one in _LETTER.findall(letters):
        if ranges and _follows(ranges[-1][-1], one):
            ranges[-1].append(one)
        else:
            ranges.append([one])
    return "".join(f"{one[0]}–{one[-1]}" if len(one) > 2 else "".join(one) for one in ranges)


def _follows(one: str, other: str) -> bool:
    return len(one) == len(other) and ord(other[0]) == ord(one[0]) + 1


def _explained(suites: Sequence[SuiteRuns], with_letters: bool) -> str:
    told = "The upright tick in each bar is guessing; the thin line is the 95\u00a0% interval."
    if with_letters:
        told += (
            " Within a column, <b>models that share a letter do not differ</b> by more than chance would explain "
            "(corrected over all pairs of models)."
        )
    if len(suites) > 1:
        told += " The mean is over the suites, each counting once; a model that lacks one has none."
    return f"{told} Each name leads to its profile."


def _filter(kinds: Sequence[str], models: Sequence[str]) -> str:
    """Fields that the script brings to life: they are hidden until then."""
    boxes = "".join(
        f'<label class="kind-box"><input type="checkbox" value="{place}" checked> {kind_chip(kind, kinds)}</label>'
        for place, kind in enumerate(kinds)
    )
    shown = f'<fieldset class="kinds"><legend>Kinds of model</legend>{boxes}</fieldset>' if len(kinds) > 1 else ""
    if not shown and len(models) < 10:
        return ""
    return (
        '<div class="board-filter" hidden><label>Show only names with <input type="search" autocomplete="off" '
        f'spellcheck="false"></label> <span role="status"></span>{shown}</div>'
    )


def _head(suites: Sequence[SuiteRuns], kinds: Sequence[str]) -> str:
    columns = [("name", "Model")]
    columns += [("name kind-name", "Kind")] if kinds else []
    columns += [("number", "Mean of suites")] if len(suites) > 1 else []
    heads = [
        f'<th scope="col" class="{kind}" data-column="{place}">{text}</th>'
        for place, (kind, text) in enumerate(columns)
    ]
    heads += [
        f'<th scope="col" data-column="{len(columns) + place}">{escape(suite.label)} '
        '<span class="unit">accuracy, 95 % interval</span></th>'
        for place, suite in enumerate(suites)
    ]
    return f"<tr>{''.join(heads)}</tr>"


def _row(
    name: str, suites: Sequence[SuiteRuns], letters: Sequence[Mapping[str, str]], group: str, kinds: Sequence[str]
) -> str:
    link = view_link(escape(name), {"view": "profile", "model": name})
    cells = [f'<td class="kind-name">{kind_chip(group, kinds) or NOTHING}</td>'] if kinds else []
    if len(suites) > 1:
        cells.append(_mean_cell(_mean(name, suites)))
    cells += [_cell(run_of(suite, name), of_suite) for suite, of_suite in zip(suites, letters, strict=True)]
    place = kinds.index(group) if group else -1
    return (
        f'<tr class="{colour_class(group, kinds)}" data-kind="{place}"><th scope="row" class="name">'
        f"{link}</th>{''.join(cells)}</tr>"
    )


def _mean_cell(mean: float) -> str:
    sort = f"{mean:.6f}" if math.isfinite(mean) else ""
    return f'<td class="number mean" data-sort="{sort}"><b>{percent(mean)}</b></td>'


def _cell(run: RunResult | None, letters: Mapping[str, str]) -> str:
    if run is None or not math.isfinite(run.metrics.accuracy):
        return f'<td class="accuracy">{NOTHING}</td>'
    metrics, shared = run.metrics, in_short(letters.get(run.model, ""))
    return accuracy_cell(metrics.accuracy, metrics.accuracy_ci, metrics.chance, letters=shared)


def _guessing(suites: Sequence[SuiteRuns], kinds: Sequence[str]) -> str:
    cells = [f'<td class="kind-name">{NOTHING}</td>'] if kinds else []
    cells += [_mean_cell(fmean(suite.chance for suite in suites))] if len(suites) > 1 else []
    cells += [accuracy_cell(suite.chance, NO_INTERVAL, suite.chance) for suite in suites]
    return f'<tr class="guessing" data-kind="-1"><th scope="row" class="name">guessing</th>{"".join(cells)}</tr>'


def run_of(suite: SuiteRuns, name: str) -> RunResult | None:
    """The run of the model that the suite shows under a name."""
    return suite.runs[suite.names.index(name)] if name in suite.names else None


def _mean(name: str, suites: Sequence[SuiteRuns]) -> float:
    runs = [run_of(suite, name) for suite in suites]
    return fmean(math.nan if run is None else run.metrics.accuracy for run in runs)


def ranked_names(suites: Sequence[SuiteRuns]) -> list[str]:
    """The names, those with a mean first and by it, then the others by what they have."""
    names = list(dict.fromkeys(name for suite in suites for name in suite.names))

    def rank(name: str) -> tuple[bool, float]:
        mean = _mean(name, suites)
        if math.isfinite(mean):
            return False, -mean
        runs = [run_of(suite, name) for suite in suites]
        had = [run.metrics.accuracy for run in runs if run is not None and math.isfinite(run.metrics.accuracy)]
        return True, -fmean(had) if had else math.inf

    return sorted(names, key=rank)


def _groups(suites: Sequence[SuiteRuns]) -> dict[str, str]:
    return {name: run.group for suite in suites for name, run in zip(suite.names, suite.runs, strict=True) if run.group}
