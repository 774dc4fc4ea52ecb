"""The result store: runs round-trip, damage is reported."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from litotes import LitotesError, evaluate
from litotes.evaluation.result import ItemResult, RunResult
from litotes.evaluation.result_store import find_runs, read_run, run_folder, write_run

ODD = 'A "quoted" }, {"id": "x"} \u2028 line\u2029 \x85 \t 😀 </script> \\ \x00'


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    return evaluate("overlap:words", "semantoneg-mini", cache=tmp_path_factory.mktemp("cache"))


@pytest.fixture
def path(result: RunResult, tmp_path: Path) -> Path:
    return write_run(tmp_path, result)


def test_a_run_is_read_as_it_was_written(result: RunResult, path: Path, tmp_path: Path) -> None:
    assert path == tmp_path / "overlap-words-fa8cac5c" / "semantoneg-mini" / "result.json"
    assert find_runs(tmp_path) == [path]
    again = read_run(path)
    assert again.to_dict() == result.to_dict()
    assert list(again.items) == list(result.items)
    assert json.loads(path.read_text("utf-8"))["items_sha256"]


def test_there_is_one_line_per_item(result: RunResult, path: Path) -> None:
    lines = path.with_name("items.jsonl").read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert [json.loads(line)["id"] for line in lines] == [item.id for item in result.items]


def with_texts(result: RunResult, text: str) -> RunResult:
    def changed(item: ItemResult) -> ItemResult:
        texts = {role: f"{text} {role}" for role in item.sentences}
        return item._replace(sentences=texts, group=text, tags={"id": text, text: "}, {"})

    return replace(result, model=text, items=[changed(item) for item in result.items[:3]])


def test_any_text_survives(result: RunResult, tmp_path: Path) -> None:
    odd = with_texts(result, ODD)
    again = read_run(write_run(tmp_path, odd))
    assert list(again.items) == odd.items
    assert again.model == ODD
    assert len(next(tmp_path.rglob("items.jsonl")).read_bytes().splitlines()) >= 3


def test_a_lone_surrogate_survives_in_utf8_files(result: RunResult, tmp_path: Path) -> None:
    odd = with_texts(result, "half \ud83d and \udcff")
    path = write_run(tmp_path, odd)
    for file in path.parent.iterdir():
        file.read_text("utf-8")
    assert list(read_run(path).items) == odd.items


@pytest.mark.parametrize("name", ["..", ".", "", "/etc/passwd", "a/../../b", "con\x00", "x" * 300, "-rf", "ü"])
def test_any_name_stays_below_the_folder(tmp_path: Path, name: str) -> None:
    folder = run_folder(tmp_path, name, name)
    assert folder.parent.parent == tmp_path
    assert folder.resolve() == folder
    folder.mkdir(parents=True)


def test_similar_names_have_different_folders(tmp_path: Path) -> None:
    names = ["a/b", "a-b", "a:b", "a?b", "a b", "a-b-"]
    assert len({run_folder(tmp_path, name, "suite") for name in names}) == len(names)


Change = Callable[[dict[str, Any]], object]
DAMAGE: dict[str, Change] = {
    "no metrics": lambda document: document.pop("metrics"),
    "metrics a list": lambda document: document.update(metrics=[]),
    "an unknown metric": lambda document: document["metrics"].update(more=1),
    "a metric missing": lambda document: document["metrics"].pop("ties"),
    "half an interval": lambda document: document["metrics"].update(accuracy_ci=[0.5]),
    "no interval": lambda document: document["metrics"].update(accuracy_ci=None),
    "choices a number": lambda document: document.update(choices=5),
    "choices texts": lambda document: document.update(choices={"both": "many"}),
    "times a number": lambda document: document.update(times=5),
    "model a number": lambda document: document.update(model=5),
    "suite_info null": lambda document: document.update(suite_info=None),
    "roles missing": lambda document: document["suite_info"].pop("roles"),
}


@pytest.mark.parametrize("change", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_result_with_another_structure_is_refused(path: Path, change: Change) -> None:
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document), "utf-8")
    with pytest.raises(LitotesError, match=r"L203.*result\.json: is not a result of this version .*run it again"):
        read_run(path)


def test_a_result_that_is_not_json_is_refused(path: Path) -> None:
    path.write_text(path.read_text("utf-8")[:100], "utf-8")
    with pytest.raises(LitotesError, match=r"L203.*result\.json: is not JSON"):
        read_run(path)


def test_changed_items_are_refused(path: Path) -> None:
    items = path.with_name("items.jsonl")
    items.write_text(items.read_text("utf-8").replace("polarity", "antonym", 1), "utf-8")
    with pytest.raises(LitotesError, match=r"L206.*items\.jsonl: does not belong to its result\.json"):
        read_run(path)


def test_missing_items_are_refused(path: Path) -> None:
    path.with_name("items.jsonl").unlink()
    with pytest.raises(LitotesError, match=r"L201.*items\.jsonl: no such file"):
        read_run(path)


def test_a_reader_waits_for_a_concurrent_writer(result: RunResult, path: Path, tmp_path: Path) -> None:
    """The items of another run exist already, its result follows a moment later."""
    other = write_run(tmp_path / "other", replace(result, items=result.items[:5]))
    other.with_name("items.jsonl").replace(path.with_name("items.jsonl"))
    later = threading.Timer(0.1, lambda: other.replace(path))
    later.start()
    assert len(read_run(path).items) == 5
    later.join()


def test_readers_never_see_a_mixture_of_two_runs(result: RunResult, path: Path, tmp_path: Path) -> None:
    """While a thread alternately writes two runs, every read returns one of the two."""
    runs = [replace(result, items=result.items[:number]) for number in (5, 9)]
    write_run(tmp_path, runs[0])
    enough = threading.Event()

    def write() -> None:
        while not enough.is_set():
            for run in runs:
                write_run(tmp_path, run)
                enough.wait(0.03)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        sizes = {len(read_run(path).items) for _ in range(30)}
    finally:
        enough.set()
        writer.join()
    assert sizes <= {5, 9}


def test_a_missing_folder_and_a_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=r"L201.*gone: no such folder"):
        find_runs(tmp_path / "gone")
    (tmp_path / "file").write_text("")
    with pytest.raises(LitotesError, match=r"L202.*file: is a file"):
        find_runs(tmp_path / "file")
