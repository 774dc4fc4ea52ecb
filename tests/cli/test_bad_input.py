"""Wrong input: a single line with problem, position and remedy; the exit code; no partial files."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import litotes as package

Run = Callable[..., Any]
BUILT_IN = Path(package.__file__).parent / "suites" / "builtin" / "semantoneg-mini"
GOOD = {
    "idx": 0,
    "label": 2,
    "input": "That is good.",
    "sentences": ["That is bad.", "That is not good.", "That is not bad."],
}


def line(**changes: Any) -> str:
    """Return a line of an official file with changes; None removes a field."""
    record = {key: value for key, value in {**GOOD, **changes}.items() if value is not None}
    return json.dumps(record, ensure_ascii=False) + "\n"


@pytest.fixture
def run_litotes(litotes: Any) -> Run:
    """Return a function that runs the command in this process; `litotes.run` starts a new one."""
    return litotes.here


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def write(content: str | bytes) -> Path:
        path = tmp_path / "data.json"
        path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def run_file(run_litotes: Run, write: Callable[[str | bytes], Path]) -> Run:
    """Return a function that runs an official file with a given content."""

    def run_file(content: str | bytes) -> Any:
        return run_litotes("run", "overlap:words", "--data", f"semantoneg={write(content)}", "--out", "out")

    return run_file


# The data file


def test_missing_file_is_reported(litotes: Any) -> None:
    litotes.run("run", "overlap:words", "--data", "semantoneg=gone.json").refused(1, "L201", "gone.json: no such file")


def test_path_below_a_file_is_reported(run_litotes: Run, write: Run) -> None:
    below = f"{write(line())}/data.json"
    run_litotes("run", "overlap:words", "--data", f"semantoneg={below}").refused(1, "L201", "no such file")


def test_directory_as_data_file_is_reported(run_litotes: Run, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    run_litotes("run", "overlap:words", "--data", "semantoneg=folder").refused(
        1, "L202", "folder: is a folder; a file is needed"
    )


def test_a_pipe_as_data_file_is_refused_without_waiting(litotes: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    done = litotes.run("run", "overlap:words", "--data", "semantoneg=pipe", timeout=20)
    done.refused(1, "L202", "pipe: is not a regular file")


def test_unreadable_file_is_reported(litotes: Any, write: Run, held_to_permissions: tuple[str, ...]) -> None:
    path = write(line())
    path.chmod(0)
    done = litotes.run("run", "overlap:words", "--data", f"semantoneg={path}", before=held_to_permissions)
    done.refused(1, "L201", "data.json: cannot be read (permission denied)")


def test_too_long_name_is_reported(run_litotes: Run) -> None:
    run_litotes("run", "overlap:words", "--data", f"semantoneg={'a' * 300}").refused(1, "L201", "too long")


def test_missing_home_folder_is_reported(run_litotes: Run) -> None:
    run_litotes("run", "overlap:words", "--data", "semantoneg=~nobody-here/x.json").refused(
        1, "L201", "~nobody-here/x.json: no such file"
    )


def test_invalid_json_is_reported(run_file: Run) -> None:
    run_file("this is no JSON\n").refused(1, "L203", "data.json:1: is not JSON")


def test_invalid_json_is_reported_with_its_line(run_file: Run) -> None:
    run_file(line() + line(idx=1)[:30] + "\n").refused(1, "L203", "data.json:2: is not JSON")


def test_deeply_nested_json_is_reported(litotes: Any, write: Run) -> None:
    deep = write("[" * 100_000 + "\n")
    litotes.run("run", "overlap:words", "--data", f"semantoneg={deep}").refused(
        1, "L203", "data.json:1: is not JSON (nested too deeply)"
    )


def test_huge_number_is_reported(run_file: Run) -> None:
    run_file(line().replace('"idx": 0', f'"idx": {"1" * 5000}')).refused(1, "L203", "data.json:1: is not JSON")


@pytest.mark.parametrize(
    ("value", "message"), [("[1]", "a list"), ('"a"', "a string"), ("3", "a number"), ("null", "null")]
)
def test_json_that_is_not_an_object_is_reported(run_file: Run, value: str, message: str) -> None:
    run_file(f"{value}\n").refused(1, "L203", f"data.json:1: must be a JSON object, not {message}")


WRONG = {
    "idx missing": ({"idx": None}, '"idx" is missing'),
    "idx of the wrong type": ({"idx": 1.5}, '"idx" must be a number or a string'),
    "idx true": ({"idx": True}, '"idx" must be a number or a string'),
    "idx empty": ({"idx": ""}, '"idx" is empty'),
    "label missing": ({"label": None}, '"label" is missing'),
    "label of the wrong type": ({"label": "2"}, '"label" must be a number'),
    "label true": ({"label": True}, '"label" must be a number'),
    "label too high": ({"label": 3}, "label 3 is out of range"),
    "label negative": ({"label": -1}, "label -1 is out of range"),
    "input missing": ({"input": None}, '"input" is missing'),
    "input of the wrong type": ({"input": ["That is good."]}, '"input" must be a string'),
    "input empty": ({"input": ""}, "a sentence is empty"),
    "input blank": ({"input": " \t"}, "a sentence is empty"),
    "sentences missing": ({"sentences": None}, '"sentences" is missing'),
    "sentences of the wrong type": ({"sentences": "That is bad."}, '"sentences" must be a list of three'),
    "two options": (
        {"sentences": ["That is bad.", "That is not bad."]},
        '"sentences" must be a list of three',
    ),
    "four options": ({"sentences": ["a", "b", "c", "d"]}, '"sentences" must be a list of three'),
    "an option of the wrong type": ({"sentences": ["a", 2, "c"]}, '"sentences" must be a list of three'),
    "an empty option": ({"sentences": ["a", "", "c"]}, "a sentence is empty"),
    "equal options": ({"sentences": ["a", "a", "c"]}, "two of the four sentences are equal"),
    "an option equal to the input": ({"input": "c", "sentences": ["a", "b", "c"]}, "sentences are equal"),
    "lone surrogate": ({"input": "good \ud83d"}, "lone surrogate"),
}


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_structure_is_reported_with_its_line(run_file: Run, change: dict[str, Any], message: str) -> None:
    wrong = line(**{"idx": 2, **change})
    if "surrogate" in message:
        wrong = wrong.replace("\ud83d", "\\ud83d")
    run_file(line() + "\n" + line(idx=1) + wrong).refused(1, "L203", "data.json:4: ", message)


@pytest.mark.parametrize("content", ["", "\n", "\n  \n\r\n\t\n", "\ufeff"])
def test_empty_file_is_reported(run_file: Run, content: str) -> None:
    run_file(content).refused(1, "L204", "data.json: has no items")


def test_very_long_line_is_reported(run_file: Run) -> None:
    run_file(line() + line(idx=1, input="a" * 10_000_000)).refused(
        1, "L208", "data.json:2: the line is longer than 1,048,576 bytes"
    )


@pytest.mark.parametrize(
    ("content", "number"), [(line().encode() + b'{"idx": "\xe9"}\n', 2), (line().encode("utf-16"), 1)]
)
def test_invalid_utf8_is_reported(run_file: Run, content: bytes, number: int) -> None:
    run_file(content).refused(1, "L207", f"data.json:{number}: is not UTF-8 text", "save it as UTF-8")


def test_duplicate_ids_are_reported(run_file: Run) -> None:
    run_file(line() + line(idx=1) + line()).refused(1, "L205", "data.json:3: idx 0 is already used in line 1")


def test_ids_with_the_same_file_name_are_reported(run_file: Run) -> None:
    run_file(line(idx=7) + line(idx="0007")).refused(1, "L205", "data.json:2: idx 0007 is already used in line 1")


def test_control_characters_are_escaped(run_file: Run) -> None:
    done = run_file(line(idx="\x1b[2J") + line(idx="\x1b[2J"))
    done.refused(1, "L205", "idx \\x1b[2J")


# Names and options


def test_unknown_suite_is_reported(litotes: Any) -> None:
    litotes.run("run", "overlap:words", "--suite", "semantonge").refused(
        2, "L101", 'unknown suite "semantonge"; did you mean semantoneg'
    )


def test_unknown_suite_with_a_very_long_name_is_reported(run_litotes: Run) -> None:
    run_litotes("run", "overlap:words", "--suite", "a" * 5000).refused(2, "L101", "unknown suite")


def test_a_missing_suite_folder_is_reported(run_litotes: Run) -> None:
    run_litotes("run", "overlap:words", "--suite", "suites/gone").refused(1, "L201", "suites/gone: no such folder")


def test_official_file_as_a_suite_is_reported(run_litotes: Run, write: Run) -> None:
    run_litotes("run", "overlap:words", "--suite", write(line())).refused(
        1, "L202", "is a file, but a suite is a folder", "--suite semantoneg --data semantoneg="
    )


def test_missing_published_suite_is_reported(run_litotes: Run) -> None:
    run_litotes("run", "overlap:words", "--suite", "semantoneg").refused(
        1, "L201", "download it with litotes fetch semantoneg", "--data semantoneg=PATH"
    )


def test_unknown_model_is_reported(litotes: Any) -> None:
    done = litotes.run("run", "all-MiniLM-L6-v3", "--out", "out")
    done.refused(1, "L309", "all-MiniLM-L6-v3", "did you mean all-MiniLM-L6-v2?")


def test_unknown_scheme_is_reported(run_litotes: Run) -> None:
    run_litotes("run", "onxn:folder").refused(2, "L101", 'unknown scheme "onxn"; did you mean onnx?')


def test_an_unknown_scheme_is_reported_before_any_model_is_run(run_litotes: Run) -> None:
    run_litotes("run", "overlap:words", "onxn:folder").refused(2, "L101", 'unknown scheme "onxn"')


def test_empty_model_name_is_reported(run_litotes: Run) -> None:
    run_litotes("run", "").refused(2, "L102", "empty")


@pytest.mark.parametrize("entry", ["semantoneg", "semantoneg=", "data.json", ""])
def test_malformed_data_option_is_reported(run_litotes: Run, entry: str) -> None:
    run_litotes("run", "overlap:words", "--data", entry).refused(2, "L102", f"--data {entry}: must be NAME=PATH")


def test_data_of_an_unknown_suite_is_reported(run_litotes: Run) -> None:
    run_litotes("run", "overlap:words", "--data", "semantonge=x").refused(2, "L101", "did you mean semantoneg")


def test_data_for_an_unused_suite_is_reported(run_litotes: Run, write: Run) -> None:
    run_litotes("run", "overlap:words", "--suite", "semantoneg-mini", "--data", f"semantoneg={write(line())}").refused(
        2, "L102", "--data semantoneg=…: this suite is not used", "--suite semantoneg"
    )


def test_data_for_a_built_in_suite_is_reported(run_litotes: Run, write: Run) -> None:
    run_litotes("run", "overlap:words", "--data", f"semantoneg-mini={write(line())}").refused(2, "L102", "is built in")


def test_two_files_for_a_suite_are_reported(run_litotes: Run, write: Run) -> None:
    path = write(line())
    run_litotes("run", "overlap:words", "--data", f"semantoneg={path}", "--data", "semantoneg=b.json").refused(
        2, "L102", "--data semantoneg=b.json: there is another file for semantoneg"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--suit", "x"], "--suit"),
        (["run", "--workers", "0"], "--workers"),
        (["run", "--workers", "two"], "--workers"),
        (["run", "--suite"], "--suite"),
        (["fetch"], "Missing argument"),
        (["rnu"], "rnu"),
        (["suites", "more"], "more"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_wrong_usage_is_a_single_line(litotes: Any, arguments: list[str], message: str) -> None:
    litotes.run(*arguments).refused(2, "L102", message, "--help lists")


def test_no_arguments_print_the_help(litotes: Any) -> None:
    done = litotes.run()
    assert (done.code, done.out) == (2, "")
    assert "Commands:" in done.err


# Suite folders


@pytest.fixture
def suite_folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BUILT_IN, tmp_path / "suite"))


def edit(path: Path, change: Callable[[str], str]) -> None:
    path.write_text(change(path.read_text("utf-8")), "utf-8")


def run_suite(run_litotes: Run, folder: Path) -> Any:
    return run_litotes("run", "overlap:words", "--suite", folder, "--out", "out")


def test_suite_without_suite_json_is_reported(run_litotes: Run, suite_folder: Path) -> None:
    (suite_folder / "suite.json").unlink()
    run_suite(run_litotes, suite_folder).refused(
        1, "L201", "suite/suite.json: no such file", "a suite is a folder with suite.json and items.jsonl"
    )


def test_suite_without_items_is_reported(run_litotes: Run, suite_folder: Path) -> None:
    (suite_folder / "items.jsonl").unlink()
    run_suite(run_litotes, suite_folder).refused(1, "L201", "suite/items.jsonl: no such file")


def test_suite_with_empty_items_is_reported(run_litotes: Run, suite_folder: Path) -> None:
    (suite_folder / "items.jsonl").write_text("\n")
    run_suite(run_litotes, suite_folder).refused(1, "L204", "suite/items.jsonl: has no items")


def test_changed_items_are_reported(litotes: Any, suite_folder: Path) -> None:
    edit(suite_folder / "items.jsonl", lambda text: text.replace("twins", "triplets", 1))
    run_suite(litotes.run, suite_folder).refused(1, "L206", "suite/items.jsonl: sha256 is", "but suite.json has")


def test_item_without_a_role_is_reported(run_litotes: Run, suite_folder: Path) -> None:
    items = (suite_folder / "items.jsonl").read_text("utf-8").splitlines(keepends=True)
    items[16] = items[16].replace('"both": ', '"bott": ')
    (suite_folder / "items.jsonl").write_text("".join(items), "utf-8")
    run_suite(run_litotes, suite_folder).refused(
        1, "L203", 'items.jsonl:17: role "both" is missing; this suite needs input, antonym, polarity, both'
    )


def test_repeated_item_is_reported(run_litotes: Run, suite_folder: Path) -> None:
    edit(suite_folder / "items.jsonl", lambda text: text + text.splitlines(keepends=True)[0])
    lines = (suite_folder / "items.jsonl").read_text("utf-8").count("\n")
    run_suite(run_litotes, suite_folder).refused(
        1, "L205", f'items.jsonl:{lines}: id "san-0000-1" is already used in line 1'
    )


WRONG_ITEMS = {
    "id missing": ('"id": "san-0000-3"', '"number": "san-0000-3"', '"id" is missing'),
    "id empty": ('"id": "san-0000-3"', '"id": ""', '"id" is missing, empty'),
    "group no text": ('"group": "', '"group": 7, "more": "', '"group" must be a string'),
    "sentences no object": ('"sentences": {', '"sentences": 1, "more": {', '"sentences" is missing or no'),
    "a sentence no text": ('"both": "', '"both": 1, "more": "', 'under "both" is empty or not a string'),
    "a sentence blank": ('"both": "', '"both": " ", "more": "', 'under "both" is empty or not a string'),
    "tags no object": ('"tags": {', '"tags": [], "more": {', '"tags" must be an object'),
    "lone surrogate": ('"both": "', '"both": "\\ud800', "lone surrogate"),
}


@pytest.mark.parametrize(("old", "new", "message"), WRONG_ITEMS.values(), ids=WRONG_ITEMS.keys())
def test_item_of_the_wrong_shape_is_reported(
    run_litotes: Run, suite_folder: Path, old: str, new: str, message: str
) -> None:
    items = (suite_folder / "items.jsonl").read_text("utf-8").splitlines(keepends=True)
    assert old in items[2]
    items[2] = items[2].replace(old, new)
    (suite_folder / "items.jsonl").write_text("".join(items), "utf-8")
    run_suite(run_litotes, suite_folder).refused(1, "L203", "suite/items.jsonl:3: ", message)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{", "", "suite/suite.json: is not JSON"),
        ('"kind": "semantoneg"', '"kind": "semantonge"', 'suite.json: unknown suite kind "semantonge"'),
        ('"name": "semantoneg-mini"', '"name": ""', '"name" is missing, empty or not a string'),
        ('\n  "sha256"', '\n  "sha"', '"sha256" is missing'),
    ],
)
def test_suite_json_of_the_wrong_shape_is_reported(
    run_litotes: Run, suite_folder: Path, old: str, new: str, message: str
) -> None:
    edit(suite_folder / "suite.json", lambda text: text.replace(old, new, 1))
    run_suite(run_litotes, suite_folder).refused(1, "L203", message)


def test_suites_with_the_same_name_are_refused(run_litotes: Run, suite_folder: Path) -> None:
    run_litotes("run", "overlap:words", "--suite", "semantoneg-mini", "--suite", suite_folder).refused(
        2, "L102", 'there are two suites called "semantoneg-mini"'
    )


# Unusual but valid input


@pytest.fixture
def run_json(run_litotes: Run, write: Run) -> Run:
    def run_json(content: str | bytes, model: str = "overlap:words") -> Any:
        return run_litotes("run", model, "--json", "--out", "out", "--data", f"semantoneg={write(content)}")

    return run_json


def test_file_with_bom_and_crlf_is_read(run_json: Run, tmp_path: Path) -> None:
    text = "\ufeff" + line().replace("\n", "\r\n") + "\r\n" + line(idx=1).replace("\n", "\r\n")
    assert run_json(text).succeeded().document["runs"][0]["metrics"]["items"] == 2
    [items] = (tmp_path / "out").glob("*/*/items.jsonl")
    first = json.loads(items.read_text("utf-8").splitlines()[0])
    assert (first["id"], first["sentences"]["input"]) == ("san-0000", "That is good.")


def test_last_line_may_lack_a_newline(run_json: Run) -> None:
    assert run_json(line() + line(idx=1).rstrip("\n")).document["runs"][0]["metrics"]["items"] == 2


def test_emoji_and_markup_are_plain_text(run_json: Run, tmp_path: Path) -> None:
    odd = {
        "input": "That is good 😀 <script>alert(1)</script> & “quoted” \\ \u2028 \x00",
        "sentences": [
            "That is bad 😀 </script>",
            '<img src=x onerror="alert(2)"> not good',
            "not bad 👩‍👩‍👧",
        ],
    }
    done = run_json(line(**odd))
    done.succeeded()
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "<script>alert(1)" not in page
    assert "<img src=x" not in page
    [items] = (tmp_path / "out").glob("*/*/items.jsonl")
    assert json.loads(items.read_text("utf-8"))["sentences"]["input"] == odd["input"]


def test_sentence_of_ten_thousand_words_is_evaluated(run_json: Run) -> None:
    long = "word " * 10_000
    text = line(input=long + "is good.", sentences=[long + "is bad.", long + "is not good.", long + "is not bad."])
    assert run_json(text).succeeded().document["runs"][0]["metrics"]["items"] == 1


def test_sentence_of_ten_thousand_equal_changes_is_evaluated(run_json: Run) -> None:
    text = line(
        input="good " * 10_000,
        sentences=["bad " * 9_999 + "good", "not " + "good " * 10_000, "not " + "bad " * 10_000],
    )
    assert run_json(text).succeeded().document["runs"][0]["metrics"]["items"] == 1
