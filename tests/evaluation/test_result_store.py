"""The result store: runs round-trip, damage is reported."""

from __future__ import annotations

import hashlib
import json
import math
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
    "accuracy a text": lambda document: document["metrics"].update(accuracy="x"),
    "accuracy above 1": lambda document: document["metrics"].update(accuracy=1e308),
    "accuracy not a number": lambda document: document["metrics"].update(accuracy=math.nan),
    "an infinite interval": lambda document: document["metrics"].update(accuracy_ci=[0, math.inf]),
    "a huge number of items": lambda document: document["metrics"].update(items=10**300),
    "no items": lambda document: document["metrics"].update(items=0),
    "an infinite similarity": lambda document: document["metrics"]["similarities"].update({"input~both": math.inf}),
    "infinitely many choices": lambda document: document["choices"].update(both=math.inf),
    "choices that are no options": lambda document: document["choices"].update(neither=1),
    "no options": lambda document: document["suite_info"].update(options=[]),
    "options twice": lambda document: document["suite_info"].update(options=["both", "both"]),
    "no roles": lambda document: document["suite_info"].update(roles=[]),
    "right not an option": lambda document: document["suite_info"].update(right="neither"),
    "nothing right": lambda document: document["suite_info"].update(right=""),
    "versions a list": lambda document: document.update(versions=[["litotes", 1]]),
    "a version a list": lambda document: document["versions"].update(litotes=[]),
    "fingerprint pairs": lambda document: document.update(fingerprint=[["a", "b"]]),
}


@pytest.mark.parametrize("change", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_result_with_another_structure_is_refused(path: Path, change: Change) -> None:
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document), "utf-8")
    with pytest.raises(LitotesError, match=r"L203.*result\.json: is not a result of this version .*run it again"):
        read_run(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"model": "a", "model": "b"}', 'the key "model" occurs twice'),
        ('{"items": 1' + "0" * 5000 + "}", "is not JSON"),
    ],
)
def test_a_document_that_no_program_writes_is_refused(path: Path, text: str, message: str) -> None:
    path.write_text(text)
    with pytest.raises(LitotesError, match=rf"L203.*{message}"):
        read_run(path)


ITEM_DAMAGE: dict[str, Change] = {
    "credit a text": lambda item: item.update(credit="x"),
    "credit above 1": lambda item: item.update(credit=10**300),
    "credit not a number": lambda item: item.update(credit=math.nan),
    "an infinite margin": lambda item: item.update(margin=math.inf),
    "similarity a text": lambda item: item["similarities"].update({"input~both": "x"}),
    "similarities a list": lambda item: item.update(similarities=[]),
    "an unknown choice": lambda item: item.update(choice="neither"),
    "choice a list": lambda item: item.update(choice=[]),
    "a role missing": lambda item: item["sentences"].pop("both"),
    "a sentence a number": lambda item: item["sentences"].update(both=1),
    "group a list": lambda item: item.update(group=["x"]),
    "tags a text": lambda item: item.update(tags="x"),
    "a tag a list": lambda item: item.update(tags={"word": []}),
    "an unknown key": lambda item: item.update(more=1),
    "a key missing": lambda item: item.pop("id"),
}


@pytest.mark.parametrize("change", ITEM_DAMAGE.values(), ids=ITEM_DAMAGE.keys())
def test_items_with_another_structure_are_refused(path: Path, change: Change) -> None:
    first, *others = path.with_name("items.jsonl").read_text("utf-8").splitlines()
    item = json.loads(first)
    change(item)
    write_items(path, "\n".join([json.dumps(item), *others]))
    run = read_run(path)
    with pytest.raises(LitotesError, match=r"L203.*items\.jsonl: is not a result of this version .*run it again"):
        list(run.items)


def test_an_item_that_is_nested_too_deeply_is_refused(path: Path) -> None:
    write_items(path, "[" * 100_000)
    with pytest.raises(LitotesError, match="L203"):
        list(read_run(path).items)


def write_items(path: Path, text: str) -> None:
    """Replace the items of a run and their sha256 in its result."""
    path.with_name("items.jsonl").write_text(text, "utf-8")
    document = json.loads(path.read_text("utf-8"))
    document["items_sha256"] = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(document), "utf-8")


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
