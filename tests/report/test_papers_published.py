"""The tables and figures of published numbers contain every printed number."""

from __future__ import annotations

import csv
import io
import re
from functools import cache
from itertools import pairwise
from statistics import mean, median, variance
from typing import Any

import pytest

from litotes import published_results
from litotes.core.errors import LitotesError
from litotes.languages.negation_categories import CATEGORIES
from litotes.report.papers.drawing import DARK, figure_style
from litotes.report.papers.sections import PAPERS, PaperOptions, PaperSection, paper_sections, table_csv
from litotes.report.papers.semantoneg import GUESSING
from litotes.report.table import as_markdown
from litotes.suites.heros import SUBSETS

FIGURE_1 = {"generic": 25.1, "paraphrase": 58.7, "NLI": 83.7, "STS": 77.3}
"""The medians of Tables 3 to 6, counted by hand: the sixth of 11, the eighth of 15 and 15, the fifth of 9."""
GROUP_TABLES = {"generic": 3, "paraphrase": 4, "NLI": 5, "STS": 6}


@cache
def published(paper: str) -> PaperSection:
    (result,) = paper_sections(paper, [], PaperOptions(with_published=True))
    assert result.label == "published"
    return result


def cells(section: PaperSection, stem: str) -> list[list[str]]:
    """Return the shown cells, row by row, with the headings first."""
    table = next(part.table for part in section.tables if part.stem == stem)
    lines = [line for line in as_markdown(table).splitlines() if line.startswith("| ")]
    rows = [line.strip("| ").split(" | ") for line in lines]
    return [rows[0], *rows[2:]]


def records(section: PaperSection, stem: str) -> list[dict[str, str]]:
    table = next(part.table for part in section.tables if part.stem == stem)
    return list(csv.DictReader(io.StringIO(table_csv(section.label, table))))


@cache
def drawn(paper: str, stem: str) -> Any:
    """Return the axes of a figure; no test changes them."""
    with figure_style():
        return next(part for part in published(paper).figures if part.stem == stem).draw().axes[0]


@pytest.fixture(scope="module")
def semantoneg() -> PaperSection:
    return published("semantoneg")


@pytest.fixture(scope="module")
def heros() -> PaperSection:
    return published("heros")


def test_figure_1_of_semantoneg_has_the_medians_of_its_groups(semantoneg: PaperSection) -> None:
    axes = drawn("semantoneg", "figure-1-spread")
    across = [line for line in axes.lines if len(line.get_xdata()) == 2 and line.get_linewidth() > 1.5]
    names = [label.get_text().partition("\n")[0] for label in axes.get_xticklabels()]
    heights = {name: line.get_ydata()[0] for name, line in zip(names, across, strict=True)}
    assert heights == pytest.approx(FIGURE_1)
    shown = {text.get_text() for text in axes.texts}
    assert {f"{value:.1f}" for value in FIGURE_1.values()} | {"guessing 33.3"} <= shown
    table = {row["group"]: float(row["median"]) for row in records(semantoneg, "figure-1-spread")}
    assert table == pytest.approx(FIGURE_1)
    for group, number in GROUP_TABLES.items():
        values = [
            value for value in published_results("semantoneg", table=number).numbers("accuracy") if value is not None
        ]
        assert median(values) == FIGURE_1[group]


def test_figure_1_of_semantoneg_has_a_dot_per_model(semantoneg: PaperSection) -> None:
    axes = drawn("semantoneg", "figure-1-spread")
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    for line, number in zip(dots, GROUP_TABLES.values(), strict=True):
        printed = published_results("semantoneg", table=number).numbers("accuracy")
        assert sorted(line.get_ydata()) == sorted(value for value in printed if value is not None)
    dashed = [line for line in axes.lines if line.get_linestyle() == "--"]
    assert [line.get_ydata()[0] for line in dashed] == [pytest.approx(100 / 3)]


def test_figure_1_of_semantoneg_has_mean_and_variance(semantoneg: PaperSection) -> None:
    table = {row["group"]: row for row in records(semantoneg, "figure-1-spread")}
    axes = drawn("semantoneg", "figure-1-spread")
    crosses = [line.get_ydata()[0] for line in axes.lines if line.get_marker() == "x"]
    for cross, (group, number) in zip(crosses, GROUP_TABLES.items(), strict=True):
        printed = [float(cell) for cell in published_results("semantoneg", table=number).column("accuracy")]
        expected = mean(printed), variance(printed)
        assert (float(table[group]["mean"]), float(table[group]["variance"])) == pytest.approx(expected, abs=1e-3)
        assert cross == pytest.approx(expected[0])


def test_the_boxes_are_the_quartiles(semantoneg: PaperSection) -> None:
    boxes = drawn("semantoneg", "figure-1-spread").patches
    table = records(semantoneg, "figure-1-spread")
    for box, row in zip(boxes, table, strict=True):
        assert box.get_y() == pytest.approx(float(row["quartile_1"]))
        assert box.get_y() + box.get_height() == pytest.approx(float(row["quartile_3"]))
    # NLI: of 15 sorted values the quartiles lie between the 4th and 5th from either end.
    assert (float(table[2]["quartile_1"]), float(table[2]["quartile_3"])) == pytest.approx((81.0, 86.6))


def test_all_models_of_table_8_are_in_a_group(semantoneg: PaperSection) -> None:
    rows = records(semantoneg, "figure-1-all-models")
    assert sum(int(row["models"]) for row in rows) == 114
    assert [row["group"] for row in rows[:4]] == list(FIGURE_1)


@pytest.mark.parametrize(
    ("number", "stem"),
    [
        (1, "table-1-most-downloaded"),
        (3, "table-3-generic"),
        (4, "table-4-paraphrase"),
        (5, "table-5-nli"),
        (6, "table-6-sts"),
        (7, "table-7-best"),
    ],
)
def test_tables_of_semantoneg_are_as_printed(semantoneg: PaperSection, number: int, stem: str) -> None:
    head, *rows = cells(semantoneg, stem)
    assert head == ["model", "group", "right %"]
    printed = [(row["model"], row["accuracy"]) for row in published_results("semantoneg", table=number).rows]
    assert [(row[0], row[2]) for row in rows if row[0] != GUESSING] == printed


def test_guessing_is_ranked_among_the_models(semantoneg: PaperSection) -> None:
    _, *rows = cells(semantoneg, "table-3-generic")
    rank = [row[0] for row in rows].index(GUESSING)
    assert rows[rank] == [GUESSING, "–", "33.3"]
    assert rows[rank - 1][2] == "35.4" and rows[rank + 1][2] == "31.9"
    assert cells(semantoneg, "table-5-nli")[-1][0] == GUESSING
    assert len(cells(semantoneg, "table-8-all")) == 1 + 114 + 1


@pytest.mark.parametrize("number", [1, 2])
def test_heat_maps_of_heros_have_all_cells(heros: PaperSection, number: int) -> None:
    printed = published_results("heros", figure=number)
    expected = [[row[subset] for subset in SUBSETS] for row in printed.rows]
    assert len(expected) == 30
    axes = drawn("heros", f"figure-{number}")
    numbers = [text for text in axes.texts if re.fullmatch(r"[01]\.\d{3}", text.get_text())]
    assert [text.get_text() for text in numbers] == [cell for row in expected for cell in row]
    # Each value is in the column of its subset and the row of its label.
    assert [label.get_text() for label in axes.get_yticklabels()] == printed.column("label")
    heights = axes.get_yticks()
    for index, text in enumerate(numbers):
        x, y = text.get_position()
        assert int(x) == index % len(SUBSETS) and abs(y - heights[index // len(SUBSETS)]) < 0.5
    headings = [text.get_text() for text in axes.texts if text.get_rotation()]
    assert headings == [subset.replace("_", " ") for subset in SUBSETS]
    _, *rows = cells(heros, f"figure-{number}")
    assert [row[2:] for row in rows] == expected


@pytest.mark.parametrize("number", [1, 2])
def test_heat_maps_of_heros_are_in_blocks(heros: PaperSection, number: int) -> None:
    heights = list(drawn("heros", f"figure-{number}").get_yticks())
    blocks = published_results("heros", figure=number).column("group")
    for index in range(1, len(blocks)):
        apart = heights[index] - heights[index - 1]
        assert (apart > 1.2) == (blocks[index] != blocks[index - 1])


def test_scatter_of_heros_has_the_published_sts(heros: PaperSection) -> None:
    axes = drawn("heros", "sts")
    assert axes.get_title() == "synonym"
    dots = {(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines}
    # RoBERTa large (all), DistilRoBERTa base (para), SNCSE roberta-large, mpnet base (para)
    assert dots == {(81.07, 0.928), (81.12, 0.926), (81.77, 0.939), (81.57, 0.934)}
    assert [row[2] for row in cells(heros, "section-3.2")[1:]] == ["81.07", "81.12", "81.77", "81.57"]


def test_darker_cells_are_more_similar(heros: PaperSection) -> None:
    axes = drawn("heros", "figure-1")
    values = [float(text.get_text()) for text in axes.texts if re.fullmatch(r"[01]\.\d{3}", text.get_text())]
    light = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b, _ in (patch.get_facecolor() for patch in axes.patches)]
    ordered = sorted(zip(values, light, strict=True))
    assert all(a[1] >= b[1] - 1e-9 for a, b in pairwise(ordered))


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (2, "negation-detection"),
        (3, "negation-variants"),
        (4, "clause-relatedness"),
        (5, "argument-sensitivity"),
        (6, "fixed-point-reorder"),
    ],
)
def test_triplet_tables_have_every_cell(number: int, kind: str) -> None:
    _, *rows = cells(published("triplets"), f"table-{number}-{kind}")
    printed = published_results("triplets", table=number)
    columns = ("method", "s_s_plus", "s_s_star", "s_plus_s_star", "accuracy")
    assert rows == [[row[column] for column in columns] for row in printed.rows]
    # In CSV they are shares, like the figures of runs.
    first = records(published("triplets"), f"table-{number}-{kind}")[0]
    assert float(first["accuracy"]) == pytest.approx(float(printed.rows[0]["accuracy"]) / 100)


def test_remaining_tables_are_as_printed() -> None:
    _, *rows = cells(published("developmental"), "table-1")
    assert rows == [list(row.values()) for row in published_results("developmental", table=1).rows]
    assert len(cells(published("heros"), "table-3")) == 1 + len(published_results("heros", table=3).rows)


def test_error_counts_of_semantoneg_are_as_printed(semantoneg: PaperSection) -> None:
    assert cells(semantoneg, "section-6")[1:] == [["all", "105"], ["actual/possible", "70"], ["other/same", "17"]]


def test_sizes_and_training_data_of_the_published_models(semantoneg: PaperSection) -> None:
    sizes = records(semantoneg, "model-sizes")
    assert len(sizes) == 114 - 24, "a model with two names counts once"
    dots = [len(line.get_ydata()) for line in drawn("semantoneg", "model-sizes").lines if line.get_marker() != "None"]
    assert sum(dots) == len(sizes)
    assert drawn("semantoneg", "model-sizes").get_xscale() == "log"
    means = {row["training_data"]: float(row["mean"]) for row in records(semantoneg, "training-data")}
    nli = [float(row["accuracy"]) for row in sizes if row["training_data"] == "NLI"]
    assert means["NLI"] == pytest.approx(mean(nli), abs=1e-3) == max(means.values())
    compared = {(row["a"], row["b"]): row for row in records(semantoneg, "training-data-comparisons")}
    assert compared["NLI", "MS MARCO"]["p_adjusted"] < compared["NLI", "NLI + STSb"]["p_adjusted"]
    assert len(compared) == 9 * 8 / 2
    correlations = {row["group"]: float(row["correlation"]) for row in records(semantoneg, "model-sizes-correlation")}
    assert 0 < correlations["paraphrase"] < correlations["all"] < correlations["generic"]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_figures_of_developmental_negation_have_every_published_accuracy(number: int) -> None:
    section = published("developmental")
    figure = next(part for part in section.figures if part.stem == f"figure-{number}")
    with figure_style():
        panels = [axes for axes in figure.draw().axes if axes.get_visible()]
    models = list(dict.fromkeys(published_results("developmental", figure=number).column("model")))
    assert [axes.get_title(loc="left") for axes in panels] == models and len(models) == (2 if number == 1 else 6)
    rows = published_results("developmental", figure=number).rows
    table = records(section, f"figure-{number}")
    for model, axes in zip(models, panels, strict=True):
        shown = [row for row in rows if row["model"] == model and row.get("epoch", "24") == "24"]
        if number == 2:
            drawn_heights = [patch.get_height() for patch in axes.patches]
        else:
            drawn_heights = [height for line in axes.lines for height in line.get_ydata()]
        assert sorted(drawn_heights) == pytest.approx(sorted(float(row["accuracy"]) for row in shown))
        in_table = [float(row[name]) for row in table if row["model"] == model for name in CATEGORIES]
        assert sorted(in_table) == pytest.approx(sorted(drawn_heights), abs=1e-4)


def test_figure_3_of_developmental_negation_is_in_the_order_of_the_sequence() -> None:
    figure = next(part for part in published("developmental").figures if part.stem == "figure-3")
    with figure_style():
        axes = figure.draw().axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["EP", "EX", "R", "PO", "L", "PR", "I"]
    model = axes.get_title(loc="left")
    lines = dict(zip(CATEGORIES, axes.lines, strict=True))
    rows = published_results("developmental", figure=3).rows
    labeling = {
        int(row["order"]): float(row["accuracy"])
        for row in rows
        if row["model"] == model and row["category"] == "labeling"
    }
    assert list(lines["labeling"].get_ydata()) == [labeling[position] for position in range(1, 8)]


def test_every_paper_has_published_tables() -> None:
    for paper in PAPERS:
        assert published(paper).tables
    with pytest.raises(LitotesError, match=r"L204.*--published needs no runs"):
        paper_sections("heros", [])
    with pytest.raises(LitotesError, match=r"L101.*semantoneg"):
        paper_sections("semantonig", [])


def test_colours_differ_in_grey() -> None:
    from matplotlib.colors import to_rgb

    from litotes.report.papers.drawing import LIGHT, MEDIUM

    grey = [
        sum(part * weight for part, weight in zip(to_rgb(one), (0.299, 0.587, 0.114), strict=True))
        for one in (DARK, MEDIUM, LIGHT)
    ]
    assert grey[1] - grey[0] > 0.25 and grey[2] - grey[1] > 0.25
