"""Export and import of verdicts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from litotes.core.errors import LitotesError
from litotes.review.import_export import FORMATS, ImportCounts, export_review, import_review
from litotes.review.store import FILE_NAME, open_review, read_gold
from litotes.review.verdicts import Verdict

VERDICTS = [
    Verdict("u3", "Ben", "edit", edited={"both": "The kettle is <not> “dirty” & 😀."}, note="a, b; c"),
    Verdict("u0", "Ana", "accept"),
    Verdict("u3", "Ana", "reject", reason="wrong-meaning"),
    Verdict("u1", "Zoë", "reject", reason="other", note="twice"),
]
IN_ORDER = [VERDICTS[1], VERDICTS[3], VERDICTS[2], VERDICTS[0]]


def fill(folder: Path, verdicts: list[Verdict]) -> None:
    with open_review(folder) as review:
        review.store.add_all(verdicts)


@pytest.mark.parametrize("form", FORMATS)
def test_exported_verdicts_can_be_imported(
    suite: Path, make_suite: Callable[..., Path], tmp_path: Path, form: str
) -> None:
    fill(suite, VERDICTS)
    other = make_suite(name="copy")
    with open_review(suite) as review, open_review(other) as copy:
        export_review(review, tmp_path / "out.json", form)
        assert import_review(copy, tmp_path / "out.json", form) == ImportCounts(new=4, changed=0, same=0)
        assert copy.ordered_verdicts() == review.ordered_verdicts() == IN_ORDER
        export_review(copy, tmp_path / "again.json", form)
        assert (tmp_path / "out.json").read_bytes() == (tmp_path / "again.json").read_bytes()
        # A repeated import changes nothing, not even the history.
        assert import_review(copy, tmp_path / "out.json", form) == ImportCounts(new=0, changed=0, same=4)
        assert copy.store.undo("Zoë") == "u1"
        assert copy.store.undo("Zoë") is None


def test_lines_contain_sentences_and_verdict(suite: Path, tmp_path: Path) -> None:
    fill(suite, VERDICTS)
    with open_review(suite) as review:
        export_review(review, tmp_path / "out.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert lines[2] == {
        "unit": "u3",
        "annotator": "Ana",
        "verdict": "reject",
        "reason": "wrong-meaning",
        "sentences": {
            "input": "The kettle is clean.",
            "antonym": "The kettle is dirty.",
            "polarity": "The kettle is not clean.",
            "both": "The kettle is not dirty.",
        },
        "edited": {},
        "note": "",
    }
    assert lines[3]["edited"] == {"both": "The kettle is <not> “dirty” & 😀."}


def test_undone_verdicts_are_not_exported(suite: Path, tmp_path: Path) -> None:
    fill(suite, VERDICTS)
    with open_review(suite) as review:
        review.store.undo("Zoë")
        export_review(review, tmp_path / "out.jsonl")
    assert "Zoë" not in (tmp_path / "out.jsonl").read_text("utf-8")


def test_an_import_replaces_verdicts_and_can_be_undone(suite: Path, tmp_path: Path) -> None:
    fill(suite, VERDICTS)
    (tmp_path / "in.jsonl").write_text('{"unit": "u0", "annotator": "Ana", "verdict": "reject", "reason": "unclear"}\n')
    with open_review(suite) as review:
        assert import_review(review, tmp_path / "in.jsonl") == ImportCounts(new=0, changed=1, same=0)
        assert review.store.current()["u0"]["Ana"].reason == "unclear"
        review.store.undo("Ana")
        assert review.store.current()["u0"]["Ana"].verdict == "accept"


GOOD = {"unit": "u0", "annotator": "Ana", "verdict": "accept"}


@pytest.mark.parametrize(
    ("line", "code", "why"),
    [
        ("[]", "L203", "in.jsonl:2: must be a JSON object"),
        ("{", "L203", "in.jsonl:2: is not JSON"),
        (json.dumps({**GOOD, "unit": "u9"}), "L203", 'in.jsonl:2: unknown unit "u9"'),
        (json.dumps({**GOOD, "unit": ["u1"]}), "L203", "in.jsonl:2: unknown unit"),
        (json.dumps({**GOOD, "unit": "u1", "annotator": ""}), "L203", "in.jsonl:2: the name of the annotator is empty"),
        (json.dumps({**GOOD, "unit": "u1", "verdict": "ok"}), "L203", "in.jsonl:2: a verdict is"),
        (json.dumps({**GOOD, "unit": "u1", "verdict": "reject"}), "L203", "in.jsonl:2: a rejection needs a reason"),
        (
            json.dumps({**GOOD, "unit": "u1", "sentences": {"input": "x"}}),
            "L203",
            "in.jsonl:2: unit .* different sentences",
        ),
        (json.dumps(GOOD), "L205", "in.jsonl:2: second verdict of Ana"),
    ],
)
def test_an_invalid_line_is_reported_and_nothing_is_imported(
    suite: Path, tmp_path: Path, line: str, code: str, why: str
) -> None:
    (tmp_path / "in.jsonl").write_text(f"{json.dumps(GOOD)}\n{line}\n")
    with open_review(suite) as review:
        with pytest.raises(LitotesError, match=rf"\[{code}\] .*{why}"):
            import_review(review, tmp_path / "in.jsonl")
        assert review.store.current() == {}


def test_a_file_without_verdicts(suite: Path, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text("\n")
    (tmp_path / "in.json").write_text("[]")
    with open_review(suite) as review:
        for name, form in (("in.jsonl", "jsonl"), ("in.json", "label-studio")):
            with pytest.raises(LitotesError, match=r"\[L204\]"):
                import_review(review, tmp_path / name, form)


def test_verdicts_on_unchanged_units_can_be_imported_after_a_change(
    suite: Path, make_suite: Callable[..., Path], tmp_path: Path
) -> None:
    fill(suite, VERDICTS[1:2])
    with open_review(suite) as review:
        export_review(review, tmp_path / "out.jsonl")
    longer = make_suite(7, name="longer")
    (longer / FILE_NAME).write_bytes((suite / FILE_NAME).read_bytes())
    with pytest.raises(LitotesError, match="L206"), open_review(longer):
        pass
    (longer / FILE_NAME).unlink()
    with open_review(longer) as review:
        assert import_review(review, tmp_path / "out.jsonl").new == 1


# Label Studio


@pytest.fixture
def exported(suite: Path, tmp_path: Path) -> tuple[list[Any], ElementTree.Element]:
    """Return the tasks and the labelling config."""
    fill(suite, VERDICTS)
    with open_review(suite) as review:
        paths = export_review(review, tmp_path / "tasks.json", "label-studio")
    assert [path.name for path in paths] == ["tasks.json", "tasks.xml"]
    return json.loads(paths[0].read_text("utf-8")), ElementTree.parse(paths[1]).getroot()


def test_every_unit_is_a_task_that_the_config_can_show(exported: tuple[list[Any], ElementTree.Element]) -> None:
    tasks, config = exported
    assert len(tasks) == 6
    shown = {tag.get("name"): (tag.get("value") or "").removeprefix("$") for tag in config.iter("Text")}
    assert len(shown) == 4
    for task in tasks:
        assert set(task) == {"data", "annotations"}
        assert all(isinstance(task["data"][key], str) for key in shown.values())


def test_every_result_belongs_to_a_control_of_the_config(exported: tuple[list[Any], ElementTree.Element]) -> None:
    tasks, config = exported
    objects = {tag.get("name") for tag in config.iter("Text")}
    choices = {tag.get("name"): {one.get("value") for one in tag} for tag in config.iter("Choices")}
    areas = {tag.get("name"): tag.get("toName") for tag in config.iter("TextArea")}
    results = [one for task in tasks for annotation in task["annotations"] for one in annotation["result"]]
    assert len(results) == 2 + 3 + 4 + 4
    for one in results:
        assert one["to_name"] in objects
        if one["type"] == "choices":
            assert set(one["value"]["choices"]) <= choices[one["from_name"]]
        else:
            assert (one["type"], one["to_name"]) == ("textarea", areas[one["from_name"]])
            assert isinstance(one["value"]["text"], list)


def test_reads_exports_of_label_studio(suite: Path, tmp_path: Path) -> None:
    fill(suite, [])
    with open_review(suite) as review:
        export_review(review, tmp_path / "tasks.json", "label-studio")
    tasks = json.loads((tmp_path / "tasks.json").read_text("utf-8"))
    shown = {"to_name": "s1_input", "origin": "manual"}
    choice = {"id": "x1", "from_name": "verdict", "type": "choices", "value": {"choices": ["accept"]}, **shown}
    left_over = {"id": "x2", "from_name": "edit_s4_both", "type": "textarea", "value": {"text": ["Old."]}, **shown}
    for number, (who, result, cancelled) in enumerate(
        [(3, [choice], False), ({"id": 4, "email": "ben@here"}, [choice, left_over], False), (3, [], True)]
    ):
        tasks[number].update(id=100 + number, project=1, created_at="2026-01-01T00:00:00Z")
        tasks[number]["annotations"] = [
            {"id": number, "completed_by": who, "result": result, "was_cancelled": cancelled, "lead_time": 2.5}
        ]
    (tmp_path / "back.json").write_text(json.dumps(tasks), "utf-8")
    with open_review(suite) as review:
        assert import_review(review, tmp_path / "back.json", "label-studio").new == 2
        assert review.ordered_verdicts() == [
            Verdict("u0", "Label Studio 3", "accept"),
            Verdict("u1", "ben@here", "accept"),
        ]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{}", "is not a list of tasks"),
        ("[", "is not JSON"),
        ('[{"x": 1}]', 'task 1: "data" is missing'),
        ('[{"data": {}, "annotations": 3}]', 'task 1: "annotations" must be a list'),
        ('[{"data": {}, "annotations": [{}]}]', 'task 1, annotation 1: "result" is missing'),
        ('[{"data": {}, "annotations": [{"result": [{"value": 3}]}]}]', "task 1, annotation 1: a result has no name"),
        (
            '[{"data": {"unit": "u0"}, "annotations": [{"result": []}]}]',
            "task 1, annotation 1: unit .* different sentences",
        ),
    ],
)
def test_invalid_tasks_are_reported(suite: Path, tmp_path: Path, content: str, why: str) -> None:
    (tmp_path / "in.json").write_text(content)
    with open_review(suite) as review, pytest.raises(LitotesError, match=rf"\[L203\] .*{why}"):
        import_review(review, tmp_path / "in.json", "label-studio")


# Gold


def test_gold_is_read_line_by_line(suite: Path, tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"unit": "u0", "verdict": "accept"}\n{"unit": "u2", "verdict": "reject", "why": "a trap"}\n')
    with open_review(suite) as review:
        assert read_gold(path, review.units) == {"u0": "accept", "u2": "reject"}
        for wrong, code in (
            ('{"unit": "u9", "verdict": "accept"}', "L203"),
            ('{"unit": "u1", "verdict": "good"}', "L203"),
            ('{"unit": "u0", "verdict": "reject"}', "L205"),
        ):
            path.write_text(f'{{"unit": "u0", "verdict": "accept"}}\n{wrong}\n')
            with pytest.raises(LitotesError, match=rf"\[{code}\] .*gold.jsonl:2: "):
                read_gold(path, review.units)
        path.write_text("")
        with pytest.raises(LitotesError, match="L204"):
            read_gold(path, review.units)
