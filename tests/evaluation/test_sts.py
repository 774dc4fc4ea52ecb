"""Spearman's correlation with human scores next to suites: in results, tables, pages and stored runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

from litotes import LitotesError
from litotes.evaluation import api
from litotes.evaluation.api import evaluate, evaluate_models
from litotes.evaluation.result import StsMetrics
from litotes.evaluation.result_store import read_run
from litotes.evaluation.settings import EvaluationSettings
from litotes.models.loading import load_model
from litotes.report.export import runs_frame, write_report

SUITE = "heros-mini"
Run = Callable[..., Any]


@pytest.fixture
def sts(tmp_path: Path) -> Path:
    return write_sts(tmp_path / "dev.csv")


def write_sts(path: Path, n_pairs: int = 24) -> Path:
    generator = np.random.default_rng(1)
    words = "the old man sold a boat near our small town before it rained all day long".split()
    lines = []
    for number in range(n_pairs):
        n_same = int(generator.integers(2, 12))
        other = [*words[:n_same], *(f"word{number}{index}" for index in range(12 - n_same))]
        lines.append(f"{' '.join(words[:12])},{' '.join(other)},{n_same / 2 + generator.normal() / 2:.2f}")
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def settings(*files: Path, **options: object) -> EvaluationSettings:
    return EvaluationSettings(sts=tuple(map(str, files)), resamples=200, workers=1, **options)  # type: ignore[arg-type]


def test_spearman_is_that_of_scipy(sts: Path) -> None:
    result = evaluate("overlap:words", SUITE, settings(sts), cache=None)
    rows = [line.split(",") for line in sts.read_text("utf-8").splitlines()]
    overlap = load_model("overlap:words").score([(left, right) for left, right, _ in rows])  # type: ignore[union-attr]
    expected = scipy.stats.spearmanr([float(score) for *_, score in rows], overlap).statistic
    metrics = result.sts["dev.csv"]
    assert metrics.pairs == 24 and metrics.spearman == pytest.approx(expected)
    low, high = metrics.spearman_ci
    assert 0 < low < metrics.spearman < high <= 1
    assert result.metrics == evaluate("overlap:words", SUITE, settings(), cache=None).metrics


def test_stored_runs_have_the_correlation(sts: Path, tmp_path: Path) -> None:
    result = evaluate_models(["overlap:words"], [SUITE], settings=settings(sts), out=tmp_path / "runs", cache=None)
    [path] = result.paths
    assert read_run(path).sts == result.runs[0].sts
    document = json.loads(path.read_text("utf-8"))
    assert document["sts"]["dev.csv"]["spearman"] == result.runs[0].sts["dev.csv"].spearman
    assert runs_frame(tmp_path / "runs")["sts_dev.csv"].tolist() == [result.runs[0].sts["dev.csv"].spearman]
    del document["sts"]  # a run of an earlier version
    path.write_text(json.dumps(document), "utf-8")
    assert read_run(path).sts == {}


def test_models_are_run_again_only_for_other_scores(sts: Path, tmp_path: Path) -> None:
    def states(*files: Path) -> list[str]:
        done = evaluate_models(["overlap:words"], [SUITE], settings=settings(*files), out=tmp_path / "runs", cache=None)
        return [outcome.state for outcome in done.outcomes]

    assert states() == ["ran"]
    assert states(sts) == ["ran"]
    assert states(sts) == states() == ["done"]
    write_sts(sts, 30)
    assert states(sts) == ["ran"]
    assert states(sts, write_sts(tmp_path / "test.csv", 26)) == ["ran"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["One sentence."], "is not a table of two sentences and a score"),
        (["It rained.,It was dry.,2"] * 3, "has 3 scored pairs"),
        (None, "no such file"),
    ],
)
def test_bad_files_are_errors_before_a_model_is_loaded(
    lines: Sequence[str] | None, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bad.csv"
    if lines is not None:
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    monkeypatch.setattr(api, "load_model", lambda *_, **__: pytest.fail("a model was loaded"))
    with pytest.raises(LitotesError, match=message):
        evaluate("overlap:words", SUITE, settings(path), cache=None)
    with pytest.raises(LitotesError, match=message):
        evaluate_models(["no-such-model"], [SUITE], settings=settings(path), cache=None)


def test_two_files_of_one_name_are_an_error(sts: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with pytest.raises(LitotesError, match=r'two files called "dev\.csv"'):
        evaluate("overlap:words", SUITE, settings(sts, write_sts(tmp_path / "other" / "dev.csv")), cache=None)


def test_tables_and_page_show_the_correlation_beside_each_subset(sts: Path, tmp_path: Path) -> None:
    runs = evaluate_models(["overlap:words"], [SUITE], settings=settings(sts), cache=None).runs
    shown = f"{100 * runs[0].sts['dev.csv'].spearman:.1f}"
    for name in ("report.txt", "report.md", "report.csv", "report.tex", "report.html"):
        write_report(tmp_path / name, runs)
        text = (tmp_path / name).read_text("utf-8")
        assert "dev.csv" in text.replace("\\", ""), name
        assert (shown if name != "report.csv" else str(runs[0].sts["dev.csv"].spearman)[:6]) in text, name
    page = (tmp_path / "report.html").read_text("utf-8")
    assert page.count('<svg class="scatter-panel"') == 6
    assert page.count('<circle class="dot"') >= 6
    without = evaluate_models(["overlap:words"], [SUITE], settings=settings(), cache=None).runs
    write_report(tmp_path / "without.html", without)
    assert '<svg class="scatter-panel"' not in (tmp_path / "without.html").read_text("utf-8")


def test_command_measures_a_file(run_here: Run, tmp_path: Path) -> None:
    path = write_sts(tmp_path / "mine.tsv")
    path.write_text(path.read_text("utf-8").replace(",", "\t"), "utf-8")
    done = run_here("run", "overlap:words", "--suite", SUITE, "--sts", path, "--json").succeeded()
    [run] = json.loads(done.out)["runs"]
    assert StsMetrics(**run["sts"]["mine.tsv"]).pairs == 24
    again = run_here("report", "runs", "--paper", "heros", "--formats", "svg").succeeded()
    assert "heros-mini" in again.err + again.out
    run_here("run", "no-such-model", "--sts", tmp_path / "none.csv").refused(1, "L201", "none.csv: no such file")
