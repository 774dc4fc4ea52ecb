"""Sweeps: failures are recorded, finished work is not repeated, changes are detected."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "cli"))  # a plugin shared with tests/cli

import sweep_plugin

from litotes import Item, Suite
from litotes.core.errors import LitotesError
from litotes.core.secrets import mask_secrets
from litotes.evaluation.engine import Engine
from litotes.evaluation.file_lease import FileLease, acquire
from litotes.evaluation.model_list import ModelEntry, model_entry
from litotes.evaluation.result import RunResult
from litotes.evaluation.result_store import model_folder, read_run
from litotes.evaluation.settings import EvaluationSettings
from litotes.evaluation.sweep import ModelOutcome, Sweep
from litotes.models.access import Access
from litotes.suites.folder import save_folder
from litotes.suites.nli import KIND as NLI
from litotes.suites.semantoneg import KIND, permute_quadruple

Asked = Callable[..., list[ModelOutcome]]


def small_suite(name: str, word: str) -> Suite:
    sentences = permute_quadruple(
        [f"The {word} is on.", f"The {word} is off.", f"The {word} is not on.", f"No {word} is off."]
    )
    items = [Item(f"{name}-{index}", "off/on", texts) for index, texts in enumerate(sentences)]
    return Suite(name, KIND, items, sha256=word * 8)


SUITES = [small_suite("lamps", "lamp"), small_suite("ovens", "oven")]


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sweep_plugin.install(tmp_path_factory.mktemp("drill"))


@pytest.fixture
def loads(plugin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Return a function that gives the models loaded since its last call."""
    path = tmp_path / "loads.txt"
    monkeypatch.setenv(sweep_plugin.LOADS, str(path))
    monkeypatch.syspath_prepend(str(plugin))

    def loads() -> list[str]:
        result = [line.split()[0] for line in path.read_text().splitlines()] if path.exists() else []
        path.unlink(missing_ok=True)
        return result

    return loads


@pytest.fixture
def sweep(tmp_path: Path, loads: Any) -> Asked:
    """Return a function that runs entries in the folder of the test."""

    def sweep(entries: Sequence[ModelEntry], *, suites: Sequence[Suite] = SUITES, **more: Any) -> list[ModelOutcome]:
        settings = EvaluationSettings(fresh=more.pop("fresh", False), retry=more.pop("retry", False))
        engine = Engine(settings, cache=None)
        return Sweep(tmp_path / "out", suites, engine, **more).run(entries)

    return sweep


def drill(name: str, group: str = "", **options: str) -> ModelEntry:
    return ModelEntry(f"drill:{name}", name, group, options)


def states(outcomes: Sequence[ModelOutcome]) -> list[str]:
    return [outcome.state for outcome in outcomes]


def files(out: Path) -> dict[str, bytes]:
    """Return the stored files without the times."""
    result = {}
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        content = path.read_bytes()
        if path.name == "result.json":
            content = json.dumps({key: value for key, value in json.loads(content).items() if key != "times"}).encode()
        result[str(path.relative_to(out))] = content
    return result


def results(out: Path, model: str) -> list[RunResult]:
    return [read_run(path) for path in sorted(model_folder(out, model).glob("*/result.json"))]


# Finished work


def test_models_are_run_once(sweep: Asked, loads: Any, tmp_path: Path) -> None:
    told: list[ModelOutcome] = []
    entries = [drill("a", "generic"), drill("b", seed="2")]
    outcomes = sweep(entries, on_outcome=told.append)
    assert told == outcomes and states(outcomes) == ["ran", "ran"]
    assert loads() == ["a", "b"]
    assert [[run.suite.name for run in one.runs] for one in outcomes] == [["lamps", "ovens"]] * 2
    [first, _] = results(tmp_path / "out", "a")
    assert (first.model, first.group) == ("a", "generic")
    assert first.settings["entry"] == {"name": "drill:a", "options": {}}
    assert results(tmp_path / "out", "b")[0].settings["entry"] == {"name": "drill:b", "options": {"seed": "2"}}

    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*.json*")}
    again = sweep(entries)
    assert states(again) == ["done", "done"]
    assert [one.paths for one in again] == [one.paths for one in outcomes]
    assert loads() == []
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()} == before


def test_a_change_of_options_suite_or_criterion_runs_the_model_again(sweep: Asked, loads: Any) -> None:
    entries = [drill("a"), drill("b")]
    sweep(entries)
    loads()
    assert states(sweep([replace(entries[0], options={"seed": "3"}), entries[1]])) == ["ran", "done"]
    assert loads() == ["a"]
    changed = [SUITES[0], replace(SUITES[1], sha256="another")]
    assert states(sweep([entries[1]], suites=changed)) == ["ran"]
    other_kind = replace(KIND, criterion=replace(KIND.criterion, right="antonym"))
    assert states(sweep([entries[1]], suites=[replace(SUITES[0], kind=other_kind)])) == ["ran"]


def test_a_result_of_another_version_is_not_reused(sweep: Asked, tmp_path: Path) -> None:
    [outcome] = sweep([drill("a")])
    path = outcome.paths[0]
    path.write_text(path.read_text().replace('"litotes": "', '"litotes": "0.0.'))
    before = outcome.paths[1].read_bytes()
    assert states(sweep([drill("a")])) == ["ran"]
    # Missing results are written; existing ones are equal and remain.
    assert outcome.paths[1].read_bytes() == before
    assert states(sweep([drill("a")])) == ["done"]


def test_a_damaged_or_missing_result_is_computed_again(sweep: Asked, tmp_path: Path) -> None:
    [outcome] = sweep([drill("a")])
    complete = files(tmp_path / "out")
    for path, change in (
        (outcome.paths[0], lambda path: path.unlink()),
        (outcome.paths[1], lambda path: path.write_text("{")),
        (outcome.paths[1].with_name("items.jsonl"), lambda path: path.write_text("")),
        (outcome.paths[0], lambda path: path.write_text(json.dumps({**json.loads(path.read_text()), "times": {}}))),
    ):
        change(path)
        assert states(sweep([drill("a")])) == ["ran"]
        assert files(tmp_path / "out") == complete


def test_added_suite_is_run_for_every_model(sweep: Asked, loads: Any) -> None:
    sweep([drill("a")], suites=SUITES[:1])
    assert states(sweep([drill("a")])) == ["ran"]
    assert states(sweep([drill("a")], suites=SUITES[1:])) == ["done"]
    assert loads() == ["a", "a"]


def test_changed_model_file_runs_the_model_again(sweep: Asked, tmp_path: Path) -> None:
    vectors = tmp_path / "v.txt"
    vectors.write_text("the 1 0\nlamp 0 1\non 1 1\noff 1 2\nis 0 1\nnot 2 1\nno 2 3\noven 1 5\n")
    entry = ModelEntry("glove:v.txt", "v", folder=tmp_path)
    assert states(sweep([entry])) == ["ran"]
    assert states(sweep([entry])) == ["done"]
    vectors.write_text(vectors.read_text() + "more 1 1\n")
    later = vectors.stat().st_mtime + 60
    os.utime(vectors, (later, later))
    assert states(sweep([entry])) == ["ran"]


def test_changed_group_does_not_run_the_model(sweep: Asked, loads: Any, tmp_path: Path) -> None:
    sweep([drill("a", "generic")])
    before = [result.items for result in results(tmp_path / "out", "a")]
    loads()
    assert states(sweep([drill("a", "NLI")])) == ["done"]
    assert loads() == []
    assert [result.group for result in results(tmp_path / "out", "a")] == ["NLI", "NLI"]
    assert [result.items for result in results(tmp_path / "out", "a")] == before


def test_a_result_without_a_group_can_be_read(sweep: Asked) -> None:
    [outcome] = sweep([drill("a", "generic")])
    document = json.loads(outcome.paths[0].read_text())
    assert document.pop("group") == "generic"
    outcome.paths[0].write_text(json.dumps(document))
    assert read_run(outcome.paths[0]).group == ""
    assert len(read_run(outcome.paths[0]).items) == 4


def test_fresh_computes_everything_again(sweep: Asked, loads: Any, tmp_path: Path) -> None:
    sweep([drill("a")])
    for path in (tmp_path / "out").rglob("result.json"):  # as if it had happened yesterday
        document = json.loads(path.read_text())
        document["times"]["started"] = "2020-01-01T00:00:00+00:00"
        path.write_text(json.dumps(document))
    assert states(sweep([drill("a")])) == ["done"]
    assert states(sweep([drill("a")], fresh=True)) == ["ran"]
    assert loads() == ["a", "a"]


def test_a_model_has_the_label_of_the_list(sweep: Asked) -> None:
    entry = drill("a", wrong="name")
    assert states(sweep([entry])) == ["ran"]
    assert states(sweep([entry])) == ["done"]


# Failures


def test_failures_are_recorded_and_the_other_models_run(sweep: Asked, loads: Any, tmp_path: Path) -> None:
    wrong = ["package", "nan", "memory", "panic"]
    outcomes = sweep(
        [drill("a"), *(drill(one, "bad", wrong=one) for one in wrong), ModelEntry("./no", "no"), drill("z")]
    )
    assert states(outcomes) == ["ran", *["failed"] * 5, "ran"]
    failures = [outcome.failure for outcome in outcomes if outcome.failure]
    assert [failure.code for failure in failures] == ["L103", "L308", "L311", "L311", "L301"]
    assert [failure.group for failure in failures] == [*["bad"] * 4, ""]
    assert "not enough memory" in failures[2].message
    assert "Panic: index out of bounds" in failures[3].message
    kept = json.loads((tmp_path / "out" / "nan" / "failed.json").read_text())
    assert (kept["model"], kept["entry"]) == ("nan", {"name": "drill:nan", "options": {"wrong": "nan"}})
    assert kept["versions"]["litotes"] and kept["time"]
    assert sorted(path.name for path in (tmp_path / "out" / "nan").iterdir()) == ["failed.json"]


def test_no_secret_is_stored(sweep: Asked, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DRILL_API_KEY", "sk-123456789")
    [outcome] = sweep([drill("a", wrong="key")])
    failure = (tmp_path / "out" / "a" / "failed.json").read_text()
    assert "sk-123456789" not in failure and "word" not in failure and "Traceback" not in failure
    assert outcome.failure and outcome.failure.line == (
        "[L311] RuntimeError: refused: key … at http://…@host/v1 second line"
    )
    monkeypatch.setenv("SOME_TOKEN", "a")  # too short to be valid
    assert mask_secrets("a b") == "a b"


def test_a_failed_model_is_skipped_until_something_changes(sweep: Asked, loads: Any, tmp_path: Path) -> None:
    offline, online = {"access": Access(offline=True)}, {"access": Access()}
    entry = drill("a", wrong="network")
    assert states(sweep([entry], **offline)) == ["failed"]
    [again] = sweep([entry], **offline)
    assert again.state == "left out" and again.failure and again.failure.code == "L309"
    assert loads() == ["a"]
    assert states(sweep([entry], retry=True, **offline)) == ["failed"]
    assert states(sweep([replace(entry, options={"wrong": "network", "seed": "1"})], **offline)) == ["failed"]
    assert states(sweep([entry], fresh=True, **offline)) == ["failed"]
    assert len(loads()) == 3
    # With more memory the model is tried again, and its results replace the failure.
    assert states(sweep([entry], **online)) == ["ran"]
    assert not (tmp_path / "out" / "a" / "failed.json").exists()


def test_temporary_failures_are_tried_again(
    sweep: Asked, loads: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(sweep_plugin.HOLDS, str(tmp_path))
    entry = drill("a", wrong="server")
    before = datetime.now(timezone.utc)
    assert states(sweep([entry])) == ["failed"]
    # A process that started earlier respects the recent failure.
    assert states(sweep([entry], started=before)) == ["left out"]
    assert states(sweep([entry])) == ["failed"]
    (tmp_path / "up").touch()
    assert states(sweep([entry])) == ["ran"]
    assert loads() == ["a"] * 3
    assert not (tmp_path / "out" / "a" / "failed.json").exists()


def test_an_unreadable_failure_file_is_ignored(sweep: Asked, tmp_path: Path) -> None:
    entry = drill("a", wrong="package")
    for content in ("", "{}", '{"model": 1}'):
        sweep([entry], retry=True)
        (tmp_path / "out" / "a" / "failed.json").write_text(content)
        assert states(sweep([entry])) == ["failed"]


def test_results_that_cannot_be_written_end_the_sweep(sweep: Asked, tmp_path: Path) -> None:
    folder = tmp_path / "out" / "a"
    folder.mkdir(parents=True)
    (folder / "lamps").write_text("mine")
    with pytest.raises(LitotesError, match="L401"):
        sweep([drill("a"), drill("b")])
    assert sorted(path.name for path in folder.iterdir()) == ["lamps"]


def test_ctrl_c_ends_the_sweep_and_leaves_no_lease(sweep: Asked, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        sweep([drill("a"), drill("b", wrong="interrupt"), drill("c")])
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a"]


# Unsuitable suites


def nli_suite() -> Suite:
    texts = {"premise": "It is on.", "hypothesis": "It is not off."}
    return Suite("labels", NLI, [Item("1", "g", texts, tags={"label": "entailment"})], sha256="3")


def test_unsuitable_suites_are_skipped(sweep: Asked, loads: Any) -> None:
    suites = [nli_suite(), *SUITES]
    for entry in (drill("a"), model_entry("overlap:words")):
        [outcome] = sweep([entry], suites=suites)
        assert [run.suite.name for run in outcome.runs] == ["lamps", "ovens"]
        assert states(sweep([entry], suites=suites)) == ["done"]
    assert loads() == ["a"]
    [outcome] = sweep([drill("b")], suites=suites[:1])
    assert outcome.failure and outcome.failure.code == "L102"


# Concurrent sweeps


def test_a_model_that_runs_elsewhere_is_skipped(sweep: Asked, loads: Any, tmp_path: Path) -> None:
    lease = acquire(model_folder(tmp_path / "out", "a") / "lease.json")
    assert isinstance(lease, FileLease)
    held, free = sweep([drill("a"), drill("b")])
    assert (held.state, free.state) == ("elsewhere", "ran")
    assert held.owner and held.owner.pid == os.getpid()
    lease.release()
    assert states(sweep([drill("a"), drill("b")])) == ["ran", "done"]
    assert loads() == ["b", "a"]


def test_a_model_that_ran_elsewhere_is_visited_again(sweep: Asked, tmp_path: Path) -> None:
    lease = acquire(model_folder(tmp_path / "out", "a") / "lease.json")
    assert isinstance(lease, FileLease)
    assert states(sweep([drill("a"), drill("b")], on_outcome=lambda _: lease.release())) == ["ran", "ran"]


GROWTH = """
import json, sys
from pathlib import Path
from litotes.evaluation.engine import Engine
from litotes.evaluation.model_list import ModelEntry
from litotes.evaluation.sweep import Sweep
from litotes.suites.folder import load_folder

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20

seen = []
suites = [load_folder(Path(sys.argv[2]))]
entries = [ModelEntry(f"drill:{n}", str(n), options={"megabytes": "24"}) for n in range(12)]
Sweep(Path(sys.argv[1]), suites, Engine(cache=None), on_outcome=lambda _: seen.append(resident())).run(entries)
print(json.dumps(seen))
"""


def test_memory_does_not_grow_from_model_to_model(plugin: Path, tmp_path: Path) -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("the memory of a process cannot be seen here")
    save_folder(SUITES[0], tmp_path / "lamps")
    done = subprocess.run(
        [sys.executable, "-c", GROWTH, str(tmp_path / "out"), str(tmp_path / "lamps")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(plugin), *sys.path])},
        capture_output=True,
        text=True,
        check=True,
    )
    memory = json.loads(done.stdout)
    assert len(memory) == 12
    assert memory[11] - memory[3] < 8, memory
