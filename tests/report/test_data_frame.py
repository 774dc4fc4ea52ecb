"""Runs as a pandas DataFrame."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

import litotes
from litotes.core.errors import LitotesError
from litotes.evaluation.result import RunResult
from litotes.evaluation.result_store import write_run


@pytest.fixture(scope="module")
def runs(examples: ModuleType) -> list[RunResult]:
    blind, _, good = examples.three_models(40)[0]
    return [replace(blind, group="generic"), good, examples.triplet_run("averaged", 12)]


def test_each_run_is_a_row(runs: list[RunResult]) -> None:
    frame = litotes.runs_frame(runs)
    assert list(frame["model"]) == [run.model for run in runs]
    assert list(frame["group"]) == ["generic", "", ""]
    assert list(frame["suite"]) == ["semantoneg", "semantoneg", "negation triplets"]
    assert list(frame["accuracy"]) == [run.metrics.accuracy for run in runs]
    assert list(zip(frame["accuracy_low"], frame["accuracy_high"], strict=True)) == [
        run.metrics.accuracy_ci for run in runs
    ]
    first = frame.iloc[0]
    assert first["chosen_both"] == runs[0].choices["both"] / 40
    assert first["similarity_input~both"] == runs[0].metrics.similarities["input~both"]
    assert math.isnan(frame.iloc[2]["chosen_both"]), "another suite has other options"


def test_reads_a_folder_and_a_single_run(runs: list[RunResult], tmp_path: Path) -> None:
    for run in runs:
        write_run(tmp_path, run)
    of_folder = litotes.runs_frame(tmp_path)
    assert sorted(of_folder["model"]) == sorted(run.model for run in runs)
    assert litotes.runs_frame(str(tmp_path)).equals(of_folder)
    assert len(litotes.runs_frame(runs[0])) == 1
    assert litotes.runs_frame([]).empty


def test_labels_have_a_correlation(examples: ModuleType) -> None:
    (run,) = examples.label_runs(("sure", 0.9))
    assert litotes.runs_frame(run)["mcc"][0] == run.metrics.nli.mcc


def test_a_folder_without_runs_is_reported(tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match="contains no runs"):
        litotes.runs_frame(tmp_path)
    with pytest.raises(LitotesError, match="L201"):
        litotes.runs_frame(tmp_path / "nowhere")
