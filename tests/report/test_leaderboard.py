"""The leaderboard: order, kinds of model, letters."""

from __future__ import annotations

import re
from dataclasses import replace
from types import ModuleType

from litotes.evaluation.comparison import compare_models
from litotes.evaluation.result import RunResult
from litotes.report.leaderboard import in_short, leaderboard, letters_of, ranked_names
from litotes.report.suite_runs import by_suite


def rows_of(source: str) -> list[str]:
    return re.findall(r"<tr class=.*?</tr>", source)


def names_of(source: str) -> list[str]:
    return [re.sub("<[^>]*>", "", re.findall("<th.*?</th>", row)[0]) for row in rows_of(source)]


def test_models_that_do_not_differ_share_a_letter(examples: ModuleType) -> None:
    """Three levels of skill that are far apart, two models on each: known differences, found by the real test."""
    items = examples.made_items(300)
    levels = {"low": examples.BLIND, "middle": examples.FAIR, "high": examples.GOOD}
    runs = [
        examples.made_run(replace(character, name=f"{level} {number}"), items)
        for level, character in levels.items()
        for number in (1, 2)
    ]
    (suite,) = by_suite(runs, compare_models(runs))
    letters = letters_of(suite)
    differ = {frozenset((one.a, one.b)) for one in suite.comparisons if one.differ}
    assert frozenset(("low 1", "high 1")) in differ and frozenset(("low 1", "low 2")) not in differ
    for a in letters:
        for b in letters:
            if a != b:
                assert bool(set(letters[a]) & set(letters[b])) == (frozenset((a, b)) not in differ), (a, b)
    assert "models that share a letter do not differ" in leaderboard([suite])


def test_without_all_comparisons_there_are_no_letters(examples: ModuleType) -> None:
    runs, comparisons = examples.three_models(40)
    for found in ([], comparisons[:2]):
        (suite,) = by_suite(runs, found)
        assert letters_of(suite) == {}
        assert "letter" not in leaderboard([suite])


def test_letters_in_short() -> None:
    assert in_short("") == ""
    assert in_short("abd") == "abd"
    assert in_short("xyza′b′c′") == "x–za′–c′"


def test_best_first_and_guessing_in_its_place(examples: ModuleType) -> None:
    runs, comparisons = examples.three_models(240)
    page = leaderboard(by_suite(runs, comparisons))
    assert names_of(page) == [
        "negation-aware-base",
        "paraphrase-multilingual-mpnet-base-v2",
        "guessing",
        "all-MiniLM-L6-v2",
    ]


def test_the_mean_is_of_models_that_ran_all_suites(examples: ModuleType) -> None:
    runs, _ = examples.three_models(60)
    more = [examples.triplet_run("all-MiniLM-L6-v2", 30), examples.triplet_run("only here", 30)]
    suites = by_suite([*runs, *more], [])
    assert ranked_names(suites)[0] == "all-MiniLM-L6-v2"
    rows = dict(zip(names_of(leaderboard(suites)), rows_of(leaderboard(suites)), strict=True))
    both = (runs[0].metrics.accuracy + more[0].metrics.accuracy) / 2
    assert f'data-sort="{both:.6f}"' in rows["all-MiniLM-L6-v2"]
    assert 'mean" data-sort="">' in rows["only here"]


def test_kinds_have_colours_and_names(examples: ModuleType) -> None:
    runs, comparisons = examples.three_models(40)
    kinds = ["paraphrase", "NLI", ""]
    grouped: list[RunResult] = [replace(run, group=kind) for run, kind in zip(runs, kinds, strict=True)]
    page = leaderboard(by_suite(grouped, comparisons))
    assert page.count('type="checkbox"') == 2
    assert '<tr class="kind-0" data-kind="0"><th scope="row" class="name"><a href="#view=profile&amp;model=para' in page
    assert '<span class="chip kind-1">paraphrase</span>' in page
    assert 'type="checkbox"' not in leaderboard(by_suite(runs, comparisons))


def test_one_model_needs_none(examples: ModuleType) -> None:
    assert leaderboard(by_suite([examples.triplet_run("alone", 9)], [])) == ""
    assert leaderboard([]) == ""


def test_names_are_text(examples: ModuleType) -> None:
    page = leaderboard(by_suite([examples.hostile_run(), examples.hostile_run("</table>")], []))
    assert "<b onmouseover" not in page and page.count("</table>") == 1
