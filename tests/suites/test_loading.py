"""Loading of suites by name and path."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import litotes
from litotes import Item, LitotesError, Suite, list_suites, load_suite
from litotes.core.errors import UsageError
from litotes.suites.folder import save_folder
from litotes.suites.kinds import suite_kind
from litotes.suites.loading import BUILT_IN as BUILT_IN_NAMES
from litotes.suites.loading import FAMILIES, LABEL_SUITES, load_suites
from litotes.suites.nli import requires_labels

BUILT_IN = Path(litotes.__file__).parent / "suites" / "builtin" / "semantoneg-mini"


@pytest.fixture(autouse=True)
def _no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITOTES_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


def test_built_in_suite_has_the_documented_size() -> None:
    suite = load_suite("semantoneg-mini")
    assert len(suite.items) >= 240
    assert len({item.tags["word"] for item in suite.items}) >= 40
    assert suite.count_groups() >= 40
    assert suite.licence == "Apache-2.0"
    for item in suite.items:
        assert len(set(item.sentences.values())) == 4


def test_each_quadruple_has_four_items() -> None:
    inputs: dict[frozenset[str], set[str]] = {}
    for item in load_suite("semantoneg-mini").items:
        inputs.setdefault(frozenset(item.sentences.values()), set()).add(item.sentences["input"])
    assert len(inputs) >= 60
    assert all(texts == set(quadruple) for quadruple, texts in inputs.items())


@pytest.mark.shared
def test_built_in_sentences_are_not_in_the_official_file(official_semantoneg: Path) -> None:
    def texts(suite: Suite) -> set[str]:
        return {text.casefold() for item in suite.items for text in item.sentences.values()}

    official = load_suite("semantoneg", path=official_semantoneg)
    assert not texts(load_suite("semantoneg-mini")) & texts(official)


def test_suites_are_listed() -> None:
    names = list_suites()
    assert names[0] == "semantoneg-mini"
    assert {"semantoneg", "heros"} <= set(names)
    assert names[: len(BUILT_IN_NAMES)] == list(BUILT_IN_NAMES)


def test_built_in_suites_are_loaded_by_name() -> None:
    for name in BUILT_IN_NAMES:
        [suite] = load_suites(name)
        assert suite.name == name
        assert requires_labels(suite) == (name in LABEL_SUITES)
        assert name in LABEL_SUITES or name == f"{suite.kind.name}-mini"
        assert suite.items


def test_family_loads_all_its_suites() -> None:
    for family, members in FAMILIES.items():
        assert [suite.name for suite in load_suites(family)] == list(members)
        with pytest.raises(UsageError, match=r"L102.*name of several suites; choose one"):
            load_suite(family)


def test_folder_of_suites_loads_all_of_them(tmp_path: Path) -> None:
    for name in ("b", "a"):
        kind = suite_kind("negation-detection")
        item = Item(
            "1", "", dict(zip(kind.roles, (f"It rains, {name}.", "It pours.", "It does not rain."), strict=True))
        )
        save_folder(Suite(name, kind, [item], sha256=""), tmp_path / "built" / name)
    (tmp_path / "built" / "notes").mkdir()
    (tmp_path / "built" / "report.txt").write_text("")
    assert [suite.name for suite in load_suites(str(tmp_path / "built"))] == ["a", "b"]
    assert [suite.name for suite in load_suites(str(tmp_path / "built" / "b"))] == ["b"]
    with pytest.raises(UsageError, match=r"L102.*contains several suites; choose one: .*built/a, "):
        load_suite(str(tmp_path / "built"))
    with pytest.raises(LitotesError, match=r"L201.*notes/suite\.json: no such file"):
        load_suites(str(tmp_path / "built" / "notes"))


def test_suite_is_loaded_from_its_folder_or_suite_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(shutil.copytree(BUILT_IN, tmp_path / "mine"))
    monkeypatch.chdir(tmp_path)
    built_in = load_suite("semantoneg-mini")
    for name in (str(folder), "mine", "./mine", "mine/suite.json"):
        assert load_suite(name) == built_in


def test_home_folder_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(BUILT_IN, tmp_path / "mine")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load_suite("~/mine").name == "semantoneg-mini"


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("semantonegmini", UsageError, "L101.*did you mean semantoneg-mini"),
        ("", UsageError, "L101"),
        ("a" * 5000, UsageError, "L101"),
        ("a\x00b", UsageError, "L101"),
        ("gone/suite", LitotesError, "L201.*gone/suite: no such folder"),
        ("~nobody-here/x", LitotesError, "L201.*no such folder"),
        ("semantoneg", LitotesError, "L201.*download it with litotes fetch semantoneg"),
    ],
)
def test_missing_suites_are_errors(
    name: str, kind: type[LitotesError], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=message) as caught:
        load_suite(name)
    assert type(caught.value) is kind


def test_path_of_a_built_in_suite_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"L102.*is built in"):
        load_suite("semantoneg-mini", path=tmp_path)
    with pytest.raises(UsageError, match="L101"):
        load_suite("something", path=tmp_path)
