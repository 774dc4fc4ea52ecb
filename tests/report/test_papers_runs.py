"""The papers' tables and figures of runs: contents and files."""

from __future__ import annotations

import csv
import re
import struct
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

from litotes import compare_models, evaluate
from litotes.core.errors import LitotesError
from litotes.evaluation.result import RunResult
from litotes.report.papers.drawing import COLUMN_WIDTH, figure_style
from litotes.report.papers.sections import FORMATS, PaperOptions, PaperSection, paper_sections, write_paper
from litotes.report.ranking_tables import OTHER_SENTENCES
from litotes.report.table import as_markdown


@pytest.fixture(scope="module")
def three(examples: ModuleType) -> list[RunResult]:
    """A weak published model, a medium model of the paraphrase group and a good model with its own group."""
    blind, fair, good = examples.three_models(120)[0]
    return [blind, fair, replace(good, group="ours")]


def only(section: list[PaperSection]) -> PaperSection:
    (result,) = (one for one in section if one.label != "published")
    return result


def markdown(section: PaperSection, stem: str) -> str:
    return as_markdown(next(part.table for part in section.tables if part.stem == stem))


def rows(section: PaperSection, stem: str) -> list[list[str]]:
    """Return the shown cells, without the headings."""
    lines = [line for line in markdown(section, stem).splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[2:]]


def values(section: PaperSection, stem: str, key: str) -> list[Any]:
    table = next(part.table for part in section.tables if part.stem == stem)
    return list(next(column for column in table.columns if column.key == key).values)


def stems(section: PaperSection) -> set[str]:
    return {part.stem for part in (*section.tables, *section.figures)}


def axes_of(section: PaperSection, stem: str) -> Any:
    with figure_style():
        return next(part for part in section.figures if part.stem == stem).draw().axes[0]


# SemAntoNeg.


def test_accuracy_by_group_with_guessing_among_the_models(three: list[RunResult]) -> None:
    section = only(paper_sections("semantoneg", three))
    assert {"table-3-generic", "table-4-paraphrase", "table-8-ours", "table-1-most-downloaded"} <= stems(section)
    assert not {"table-5-nli", "table-6-sts"} & stems(section), "no run is of these groups"
    best_first = sorted(three, key=lambda run: -run.metrics.accuracy)
    table = rows(section, "table-8-all")
    assert [row[0] for row in table if row[0] != "guessing"] == [run.model for run in best_first]
    rank = [row[0] for row in table].index("guessing")
    assert all(float(row[2]) >= 33.3 for row in table[:rank])
    assert all(float(row[2]) < 33.3 for row in table[rank + 1 :])
    assert {row[0]: row[1] for row in table}["negation-aware-base"] == "ours"
    assert {row[0]: row[1] for row in table}["all-MiniLM-L6-v2"] == "generic"


def test_models_that_do_not_differ_share_a_letter(three: list[RunResult]) -> None:
    twin = replace(three[2], model="twin")
    table = rows(only(paper_sections("semantoneg", [*three, twin])), "table-8-all")
    letters = {row[0]: set(row[4]) for row in table}
    for model in compare_models([*three, twin]):
        assert bool(letters[model.a] & letters[model.b]) != model.differ
    assert letters["twin"] == letters[three[2].model]


def test_published_numbers_are_shown_next_to_the_runs(three: list[RunResult]) -> None:
    published, own = paper_sections("semantoneg", three, PaperOptions(with_published=True))
    assert published.label == "published" and own.label == "semantoneg"
    table = {row[0]: row for row in rows(own, "table-3-generic")}
    blind = table["all-MiniLM-L6-v2"]
    assert blind[2] == "1.9" and blind[3] == f"{100 * three[0].metrics.accuracy:.1f}"
    assert table["sentence-t5-xl"][2:] == ["81.2", "–", "–"]
    assert len(rows(own, "table-8-all")) == 114 + 1 + 1, "two of the three runs are of published models"
    assert OTHER_SENTENCES in markdown(own, "table-3-generic"), "the made-up sentences are not the paper's"
    axes = axes_of(own, "figure-1-spread")
    own_dots = [value for line in axes.lines if line.get_marker() == "D" for value in line.get_ydata()]
    assert sorted(own_dots) == sorted(100 * run.metrics.accuracy for run in three)
    assert sum(len(line.get_ydata()) for line in axes.lines if line.get_marker() == "o") == 11 + 15 + 15 + 9


def test_spread_of_runs_without_published_numbers(three: list[RunResult]) -> None:
    section = only(paper_sections("semantoneg", three))
    assert values(section, "figure-1-spread", "group") == ["generic", "paraphrase", "ours"]
    medians = values(section, "figure-1-spread", "median")
    assert medians == pytest.approx([100 * run.metrics.accuracy for run in three], abs=1e-3)


def test_published_error_counts_are_shown_beside_those_of_the_runs(three: list[RunResult]) -> None:
    renamed = dict.fromkeys([item.group for item in three[0].items[:1]], "actual/possible")
    runs = [
        replace(run, items=[item._replace(group=renamed.get(item.group, item.group)) for item in run.items])
        for run in three
    ]
    section = only(paper_sections("semantoneg", runs, PaperOptions(missed_by=1)))
    assert values(section, "errors-section-6", "published_missed") == ["105", "70", "17"]
    missed = [any(run.items[index].credit < 1 for run in runs) for index in range(len(runs[0].items))]
    groups = [item.group for item in runs[0].items]
    of_pair = [is_missed for is_missed, group in zip(missed, groups, strict=True) if group == "actual/possible"]
    assert sum(of_pair) > 0
    assert values(section, "errors-section-6", "missed") == [sum(missed), sum(of_pair), 0]
    assert values(section, "errors-section-6", "items") == [len(missed), len(of_pair), 0]


def test_choices_of_the_best_and_the_four_worst(three: list[RunResult]) -> None:
    many = [replace(three[0], model=f"blind {index}") for index in range(6)] + three
    section = only(paper_sections("semantoneg", many))
    best = max(many, key=lambda run: run.metrics.accuracy)
    shown = values(section, "figure-2-choices", "model")
    assert len(shown) == 5 and shown[0] == best.model
    assert all(name.startswith(("blind", "all-MiniLM")) for name in shown[1:])
    bars = axes_of(section, "figure-2-choices").patches
    counts = [run.choices[option] for run in [best] for option in ("both", "antonym", "polarity")]
    assert [bar.get_width() * best.metrics.items for bar in bars[:3]] == pytest.approx(counts)
    assert values(section, "figure-2-choices", "chosen_both")[0] == best.choices["both"]
    assert "figure-2-choices-no-group" in stems(section), "the six are of one group"


# Errors.


def test_missed_items_of_the_best_models(three: list[RunResult]) -> None:
    wrong = [{item.id for item in run.items if item.credit < 1} for run in three]
    of_all = only(paper_sections("semantoneg", three))
    assert set(values(of_all, "errors-missed-items", "id")) == set.intersection(*wrong)
    groups = values(of_all, "errors-missed-groups", "missed")
    assert sum(groups) == len(set.intersection(*wrong)) and groups == sorted(groups, reverse=True)
    of_two = only(paper_sections("semantoneg", three, PaperOptions(missed_by=2)))
    twice = {one for one in set.union(*wrong) if sum(one in of_run for of_run in wrong) >= 2}
    assert set(values(of_two, "errors-missed-items", "id")) == twice
    best = only(paper_sections("semantoneg", three, PaperOptions(best=1)))
    good = max(three, key=lambda run: run.metrics.accuracy)
    assert set(values(best, "errors-missed-items", "id")) == {item.id for item in good.items if item.credit < 1}
    assert "errors-agreement" not in stems(best), "one model agrees with nobody"
    assert "that the best model misses" in markdown(best, "errors-missed-items")


def test_miss_counts_include_every_item_once(three: list[RunResult]) -> None:
    section = only(paper_sections("semantoneg", three))
    assert values(section, "errors-how-many-miss", "missed_by") == [3, 2, 1, 0]
    counts = values(section, "errors-how-many-miss", "items")
    assert sum(counts) == 120 and values(section, "errors-how-many-miss", "items_or_more")[-1] == 120
    assert counts[0] == len(values(section, "errors-missed-items", "id"))


def test_agreement_overlap_and_difficulty(three: list[RunResult]) -> None:
    twin = replace(three[0], model="twin")
    section = only(paper_sections("semantoneg", [*three, twin]))
    pairs = zip(
        values(section, "errors-agreement-pairs", "a"),
        values(section, "errors-agreement-pairs", "b"),
        values(section, "errors-agreement-pairs", "kappa"),
        strict=True,
    )
    results = {frozenset((a, b)): kappa for a, b, kappa in pairs}
    assert len(results) == 6 and results[frozenset(("twin", three[0].model))] == 1.0
    assert max(value for names, value in results.items() if "twin" not in names) < 1
    square = rows(section, "errors-agreement")
    assert all(square[index][index + 1] == "–" for index in range(4))
    assert set(values(section, "errors-overlap", "overlap_right")) == {0.0}, "both changes share the fewest words"
    properties = set(values(section, "errors-difficulty", "property"))
    assert {"length of the sentence", "place of the negation"} <= properties


def test_missed_by_is_at_most_the_number_of_models(three: list[RunResult]) -> None:
    with pytest.raises(LitotesError, match="missed by 4 of the 3 best models"):
        paper_sections("semantoneg", three, PaperOptions(missed_by=4))
    with pytest.raises(LitotesError, match="at least 1"):
        paper_sections("semantoneg", three, PaperOptions(best=0))


# HEROS, triplets, developmental negation.


@pytest.fixture(scope="module")
def small(examples: ModuleType) -> list[RunResult]:
    result: list[RunResult] = examples.real_runs("overlap:words")
    return result


def test_heat_map_shows_runs_above_the_published_rows(small: list[RunResult]) -> None:
    (run,) = (one for one in small if one.suite.kind == "heros")
    published, own = paper_sections("heros", small, PaperOptions(with_published=True))
    assert published.label == "published"
    table = rows(own, "figure-1")
    assert table[0][:3] == ["overlap:words", "these runs", "run"] and len(table) == 31
    assert table[0][3] == f"{run.metrics.normalised['original~synonym']:.3f}"
    axes = axes_of(own, "heat-map")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["overlap:words"]
    assert OTHER_SENTENCES in markdown(own, "figure-1") and OTHER_SENTENCES not in markdown(own, "heat-map")


def test_negations_of_heros_are_compared_where_both_change_as_many_words() -> None:
    run = evaluate("overlap:words", "heros-mini", cache=None)
    both, equal = rows(only(paper_sections("heros", [run])), "negations")
    subsets = [run.metrics.normalised[f"original~negation_{word}"] for word in ("main", "antonym")]
    assert both[:2] == ["overlap:words", "all"] and int(both[2]) == len(run.items) > int(equal[2]) > 50
    assert both[3:5] == [f"{mean:.3f}" for mean in subsets]
    assert float(both[5]) == pytest.approx(subsets[0] - subsets[1], abs=5e-4) and both[7] == "< 0.001"
    low, high = map(float, both[6].split(" to "))
    assert low < float(both[5]) < high < -0.02
    assert equal[1] == "as many changed words"
    assert float(both[5]) < 3 * float(equal[5]), "word overlap only sees the number of words"


def test_triplet_tables_of_runs(small: list[RunResult]) -> None:
    results = {
        section.label: section for section in paper_sections("triplets", small, PaperOptions(with_published=True))
    }
    assert len(results) == 1 + 5
    (run,) = (one for one in small if one.suite.kind == "negation-variants")
    table = rows(results["negation-variants-small"], "table-3-negation-variants")
    similarities = [f"{100 * value:.2f}" for value in run.metrics.similarities.values()]
    assert table[0] == ["overlap:words", "run", *similarities, f"{100 * run.metrics.accuracy:.2f}"]
    assert table[1] == ["GloVe Avg", "paper", "96.91", "97.99", "97.05", "1.56"]
    alone = only([one for one in paper_sections("triplets", small) if one.label == "clause-relatedness-small"])
    assert [row[0] for row in rows(alone, "table-4-clause-relatedness")] == ["overlap:words"]


def test_developmental_tables_and_figure(examples: ModuleType) -> None:
    runs = examples.label_runs(("sure", 0.9), ("unsure", 0.4))
    section = only(paper_sections("developmental", runs))
    assert {"models", "right-by-category", "mcc-by-category", "sure-by-category", "unsure-by-label"} <= stems(section)
    assert "errors-overlap" not in stems(section), "labels have no overlap"
    axes = axes_of(section, "figure-categories")
    marked = {line.get_label(): list(line.get_ydata()) for line in axes.lines if line.get_marker() in ("o", "s")}
    assert list(marked) == ["sure", "unsure"]
    figures = runs[0].metrics.nli.categories
    assert marked["sure"][:-1] == pytest.approx([100 * figure.accuracy for figure in figures.values()])
    assert marked["sure"][-1] == pytest.approx(100 * runs[0].metrics.accuracy)


def test_clause_relatedness_is_shown_by_form(small: list[RunResult]) -> None:
    """Section 3.3 of the paper distinguishes reported speech and quotations."""
    (untagged,) = (one for one in small if one.suite.kind == "clause-relatedness")
    forms = ["quotation", "reported", "reported"] * 2
    items = [item._replace(tags={"form": form}) for item, form in zip(untagged.items, forms, strict=True)]
    run = replace(untagged, items=items)
    stem = "section-3.3-clause-relatedness-by-form"
    alone = only(paper_sections("triplets", [run]))
    table = rows(alone, stem)
    assert [row[1] for row in table] == ["reported", "quotation"]
    for form, row in zip(("reported", "quotation"), table, strict=True):
        items = [item for item in run.items if item.tags["form"] == form]
        means = [sum(item.similarities[pair] for item in items) / len(items) for pair in run.metrics.similarities]
        credit = sum(item.credit for item in items) / len(items)
        assert row[2:] == [str(len(items)), *(f"{100 * value:.2f}" for value in [*means, credit])]
    published, beside = paper_sections("triplets", [run], PaperOptions(with_published=True))
    paper = [row for row in rows(beside, stem) if row[1] == "paper"]
    assert paper[0] == ["SkipThought", "paper", "reported", "–", "–", "79.90", "–", "36.90"]
    assert paper[3] == ["InferSent", "paper", "quotation", "–", "–", "–", "–", "15.73"]
    assert len(rows(published, stem)) == 4
    assert all(stem not in stems(one) for one in paper_sections("triplets", small)), "without forms there is no table"
    assert list(run.to_frame()["form"]) == forms


@pytest.fixture(scope="module")
def experiment_runs(examples: ModuleType) -> list[RunResult]:
    """Runs with the names of all three experiments and two seeds, on items of all seven categories."""
    suite = examples.label_suite()
    steps = ["epoch-1", "epoch-2", "on-labeling", "on-rejection", "sequence-1-labeling", "sequence-2-rejection"]
    names = [f"tiny/seed-{seed}/{step}" for seed in (0, 1) for step in steps]
    skipped = ["tiny/seed-0/published-split-epoch-2", "tiny/seed-0/on-labeling-0123456789ab"]
    return examples.label_runs(
        *((name, 0.3 + index / 40) for index, name in enumerate([*names, *skipped])), suite=suite
    )


def test_runs_of_experiments_are_shown_beside_the_published_ones(experiment_runs: list[RunResult]) -> None:
    section = only(paper_sections("developmental", experiment_runs, PaperOptions(with_published=True)))
    assert {"experiment-1", "experiment-2", "experiment-3", "beside-figure-1"} <= stems(section)
    by_name = {run.model: run.metrics.nli.categories for run in experiment_runs}
    of_runs = [row for row in rows(section, "experiment-3") if row[1] == "run"]
    assert [row[2] for row in of_runs] == ["before", "1 labeling", "2 rejection"]
    mean = sum(by_name[f"tiny/seed-{seed}/sequence-2-rejection"]["rejection"].accuracy for seed in (0, 1)) / 2
    assert of_runs[-1][-1] == f"{100 * mean:.1f}"
    before = sum(by_name[f"tiny/seed-{seed}/epoch-2"]["rejection"].accuracy for seed in (0, 1)) / 2
    assert of_runs[0][-1] == f"{100 * before:.1f}"
    published = [row for row in rows(section, "experiment-2") if row[1] == "paper"]
    assert len(published) == 6 * 7 and [row[2] for row in rows(section, "experiment-2")][:3] == [
        "before",
        "labeling",
        "rejection",
    ]
    figure = next(part for part in section.figures if part.stem == "experiment-3")
    with figure_style():
        titles = [axes.get_title(loc="left") for axes in figure.draw().axes]
    assert titles[:2] == ["tiny (run)", "BabyBERTa-1 (paper)"]
    beside = rows(section, "beside-figure-1")
    assert [row[0] for row in beside if row[1] == "paper"] == ["BabyBERTa-1", "bert-base-cased"]
    assert len(beside) == len(experiment_runs) + 2


def test_experiments_are_drawn_without_published_numbers_unless_requested(experiment_runs: list[RunResult]) -> None:
    section = only(paper_sections("developmental", experiment_runs))
    assert "beside-figure-1" not in stems(section)
    assert {row[1] for row in rows(section, "experiment-2")} == {"run"}


# Files.


def test_every_format_is_reproducible(three: list[RunResult], tmp_path: Path) -> None:
    one = write_paper("semantoneg", three, tmp_path / "one")
    two = write_paper("semantoneg", three, tmp_path / "two")
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    names = {path.name for path in one}
    assert {f"table-8-all.{kind}" for kind in ("md", "tex", "csv")} <= names
    assert {f"figure-{stem}.{kind}" for stem in ("1-spread", "2-choices") for kind in FORMATS} <= names
    folder = tmp_path / "one" / "semantoneg"
    assert {path.parent for path in one} == {folder}
    assert ElementTree.parse(folder / "figure-1-spread.svg").getroot().tag.endswith("svg")
    width, _ = struct.unpack(">II", (folder / "figure-2-choices.png").read_bytes()[16:24])
    assert width == round(300 * COLUMN_WIDTH), "as wide as a column at 300 dots an inch"
    pdf = (folder / "figure-1-spread.pdf").read_bytes()
    assert pdf.startswith(b"%PDF") and b"CreationDate" not in pdf and b"/FontFile2" in pdf
    assert r"\toprule" in (folder / "table-8-all.tex").read_text("utf-8")
    with (folder / "table-8-all.csv").open(encoding="utf-8", newline="") as file:
        result = {row["model"]: row for row in csv.DictReader(file)}
    assert float(result[three[0].model]["accuracy"]) == three[0].metrics.accuracy
    index = (folder / "index.md").read_text("utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", index):
        assert (folder / target).is_file()


def test_only_requested_formats_are_written(three: list[RunResult], tmp_path: Path) -> None:
    written = write_paper("semantoneg", three, tmp_path, formats=("csv", "pdf"))
    assert {path.suffix for path in written} == {".csv", ".pdf"}
    with pytest.raises(LitotesError, match=r'L101.*"xls"'):
        write_paper("semantoneg", three, tmp_path, formats=("xls",))


def test_tables_need_no_matplotlib(three: list[RunResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("litotes.report.papers.drawing.installed_version", lambda _: None)
    assert write_paper("semantoneg", three, tmp_path, formats=("md",))
    with pytest.raises(LitotesError, match=r"L103.*matplotlib.*litotes\[report\]"):
        write_paper("semantoneg", three, tmp_path / "figures")
    assert not (tmp_path / "figures").exists()


def test_hostile_names_are_escaped_in_every_format(examples: ModuleType, tmp_path: Path) -> None:
    names = ["$x_1$ {\\bf a}", "模型 🙂 \ud800", "a\nb\x00c"]
    runs = [examples.hostile_run(name) for name in names]
    written = write_paper("semantoneg", runs, tmp_path, formats=("md", "tex", "csv", "svg"))
    assert all(path.resolve().is_relative_to(tmp_path.resolve()) for path in written)
    assert {path.parent.name for path in written} == {"script-hacked-script"}
    assert ElementTree.parse(tmp_path / "script-hacked-script" / "figure-2-choices.svg") is not None


def test_a_suite_called_published_has_its_own_folder(three: list[RunResult], tmp_path: Path) -> None:
    runs = [replace(run, suite=replace(run.suite, name="published")) for run in three]
    written = write_paper("semantoneg", runs, tmp_path, PaperOptions(with_published=True), formats=("csv",))
    assert {path.parent.name for path in written} == {"published", "published-2"}
