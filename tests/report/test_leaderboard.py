"""The leaderboard: order, kinds of model, letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType

from litotes.evaluation.result import RunResult
from litotes.evaluation.statistics import Comparison, compare_models
from litotes.report.leaderboard import letter_display, letter_ranges, ranked_names
from litotes.report.page import render_report
from litotes.report.suite_runs import by_suite


def leaderboard(runs: Sequence[RunResult], comparisons: Sequence[Comparison] = ()) -> str:
    """Return the section of the page; empty if there is none."""
    section = re.search(r'<section id="leaderboard".*?</section>', render_report(runs, comparisons), re.DOTALL)
    return "" if section is None else section[0]


def rows_of(source: str) -> list[str]:
    return re.findall(r"<tr[^>]* data-kind=.*?</tr>", source)


def names_of(source: str) -> list[str]:
    return [re.sub("<[^>]*>", "", re.findall("<th.*?</th>", row)[0]) for row in rows_of(source)]


def test_models_that_do_not_differ_share_a_letter(examples: ModuleType) -> None:
    """Three very different levels of skill with two models each: known differences, detected by the real test."""
    items = examples.example_items(300)
    levels = {"low": examples.BLIND, "middle": examples.FAIR, "high": examples.GOOD}
    runs = [
        examples.example_run(replace(character, name=f"{level} {number}"), items)
        for level, character in levels.items()
        for number in (1, 2)
    ]
    comparisons = compare_models(runs)
    (suite,) = by_suite(runs, comparisons)
    display = letter_display(suite)
    differing = {frozenset((comparison.a, comparison.b)) for comparison in suite.comparisons if comparison.differ}
    assert frozenset(("low 1", "high 1")) in differing and frozenset(("low 1", "low 2")) not in differing
    for a in display:
        for b in display:
            if a != b:
                assert bool(set(display[a]) & set(display[b])) == (frozenset((a, b)) not in differing), (a, b)
    assert "models that share a letter do not differ" in leaderboard(runs, comparisons)


def test_incomplete_comparisons_give_no_letter_display(examples: ModuleType) -> None:
    runs, comparisons = examples.three_models(40)
    for incomplete in ([], comparisons[:2]):
        (suite,) = by_suite(runs, incomplete)
        assert letter_display(suite) == {}
        assert "letter" not in leaderboard(runs, incomplete)


def test_consecutive_groups_become_ranges() -> None:
    assert letter_ranges("") == ""
    assert letter_ranges("abd") == "abd"
    assert letter_ranges("xyza′b′c′") == "x–za′–c′"


def test_models_are_sorted_with_guessing_at_its_rank(examples: ModuleType) -> None:
    assert names_of(leaderboard(*examples.three_models(240))) == [
        "negation-aware-base",
        "paraphrase-multilingual-mpnet-base-v2",
        "guessing",
        "all-MiniLM-L6-v2",
    ]


def test_only_models_that_ran_all_suites_have_a_mean(examples: ModuleType) -> None:
    runs, _ = examples.three_models(60)
    more = [examples.triplet_run("all-MiniLM-L6-v2", 30), examples.triplet_run("only here", 30)]
    assert ranked_names(by_suite([*runs, *more], []))[0] == "all-MiniLM-L6-v2"
    page = leaderboard([*runs, *more])
    rows = dict(zip(names_of(page), rows_of(page), strict=True))
    both = (runs[0].metrics.accuracy + more[0].metrics.accuracy) / 2
    assert f'data-sort="{both:.6f}"' in rows["all-MiniLM-L6-v2"]
    assert '<td class="number mean"><b>–</b></td>' in rows["only here"]


def test_kinds_have_colours_and_names(examples: ModuleType) -> None:
    runs, comparisons = examples.three_models(40)
    kinds = ["paraphrase", "NLI", ""]
    grouped: list[RunResult] = [replace(run, group=kind) for run, kind in zip(runs, kinds, strict=True)]
    page = leaderboard(grouped, comparisons)
    assert page.count('type="checkbox"') == 2
    assert '<tr class="kind-0" data-kind="0"><th scope="row" class="name"><a href="#view=profile&amp;model=para' in page
    assert '<span class="chip kind-1">paraphrase</span>' in page
    assert 'type="checkbox"' not in leaderboard(runs, comparisons)


def test_a_single_model_has_no_leaderboard(examples: ModuleType) -> None:
    assert leaderboard([examples.triplet_run("alone", 9)]) == ""
    assert leaderboard([]) == ""


def test_names_are_escaped(examples: ModuleType) -> None:
    page = leaderboard([examples.hostile_run(), examples.hostile_run("</table>")])
    assert "<b onmouseover" not in page and page.count("</table>") == 1
