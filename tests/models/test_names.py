"""Tests of the names of models and the options in them."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

import pytest

from litotes.models.base import Fingerprint
from litotes.models.names import parse_name, parse_options


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("all-MiniLM-L6-v2", ("st", "all-MiniLM-L6-v2", None, {})),
        ("org/name", ("st", "org/name", None, {})),
        ("org/name@v1.0", ("st", "org/name", "v1.0", {})),
        ("org/name@refs/pr/3", ("st", "org/name", "refs/pr/3", {})),
        (
            "hf:org/name@main?pooling=cls&dtype=float16",
            ("hf", "org/name", "main", {"pooling": "cls", "dtype": "float16"}),
        ),
        (
            "st:name?prompt=Is it true? &max_length=8",
            ("st", "name", None, {"prompt": "Is it true? ", "max_length": "8"}),
        ),
        ("hf:name?prompt=query%3A+", ("hf", "name", None, {"prompt": "query: "})),
        ("name?", ("st", "name", None, {})),
        ("name?prompt=", ("st", "name", None, {"prompt": ""})),
        ("name?prompt=mail me@home", ("st", "name", None, {"prompt": "mail me@home"})),
        ("C:\\models\\bert", ("st", "C:\\models\\bert", None, {})),
        ("C:/models/bert?max_length=8", ("st", "C:/models/bert", None, {"max_length": "8"})),
        (
            "onnx:C:\\models\\model.onnx?output=461",
            ("onnx", "C:\\models\\model.onnx", None, {"output": "461"}),
        ),
        ("gpt4:anything", ("gpt4", "anything", None, {})),
        ("🙂", ("st", "🙂", None, {})),
    ],
)
def test_parses_a_name_into_its_parts(text: str, parts: tuple[Any, ...]) -> None:
    name = parse_name(text)
    assert (name.scheme, name.rest, name.revision, dict(name.options)) == parts
    assert name.text == text


def test_accepts_a_very_long_name() -> None:
    assert parse_name("x" * 5000).rest == "x" * 5000
    assert parse_name("st:" + "x" * 5000).scheme == "st"
    assert parse_name("~nobody-of-that-name/model@v1").revision == "v1"
    assert parse_name("a\0b").rest == "a\0b"


@pytest.mark.parametrize("name", ["mail@home", "what?", "a@b?c=d", "hf:model", "sub/x@y"])
def test_existing_folder_is_not_parsed_as_a_scheme(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).mkdir(parents=True)
    for path in (name, str(tmp_path / name), f"./{name}"):
        assert (parse_name(path).rest, parse_name(path).revision, parse_name(path).options) == (
            path,
            None,
            {},
        )
    with_options = parse_name(f"hf:./{name}?pooling=max")
    assert (with_options.rest, with_options.options) == (f"./{name}", {"pooling": "max"})


@pytest.mark.parametrize(
    "text", ["", "   ", "\n", "st:", "hf: ", "@main", "hf:@main", "?pooling=cls", "onnx:?output=x"]
)
def test_rejects_a_name_without_a_model(text: str, refused: Any) -> None:
    with refused("L102", exit_code=2):
        parse_name(text)


@pytest.mark.parametrize(
    ("text", "word"),
    [("name@", "revision"), ("name?pooling", "option"), ("name?a=1&a=2", "twice"), ("name?=&&", "option")],
)
def test_rejects_an_incomplete_name(text: str, word: str, refused: Any) -> None:
    with refused("L102", word, exit_code=2):
        parse_name(text)


@dataclass(frozen=True)
class Options:
    pooling: Literal["mean", "cls"] = "mean"
    maybe: Literal["a", "b"] | None = None
    length: int | None = None
    text: str = ""
    path: str | None = None
    share: float = 0.5
    several: tuple[float, ...] = ()


def test_converts_options_to_declared_types() -> None:
    options = {"pooling": "cls", "maybe": "a", "length": "12", "text": 461, "path": Path("a/b")}
    assert parse_options(Options, options, scheme="hf") == Options("cls", "a", 12, "461", str(Path("a/b")))
    assert parse_options(Options, {"length": None, "maybe": None}, scheme="hf") == Options()
    assert parse_options(Options, {"length": 7}, scheme="hf").length == 7


@pytest.mark.parametrize(("value", "expected"), [("1e-3", 0.001), (2, 2.0), (0.25, 0.25), ("-inf", -float("inf"))])
def test_parses_numbers(value: Any, expected: float) -> None:
    assert parse_options(Options, {"share": value}, scheme="hf").share == expected
    assert parse_options(Options, {"several": value}, scheme="hf").several == (expected,)
    assert parse_options(Options, {"several": [value, 3]}, scheme="hf").several == (expected, 3.0)
    assert parse_options(Options, {"several": f"{value}, 3"}, scheme="hf").several == (expected, 3.0)


@pytest.mark.parametrize(
    "options",
    [
        {"pooling": "median"},
        {"pooling": None},
        {"maybe": "c"},
        {"length": "0"},
        {"length": "-1"},
        {"length": "3.5"},
        {"length": "many"},
        {"length": ""},
        {"length": "9" * 5000},
        {"length": 0},
        {"length": -3},
        {"length": 2.5},
        {"length": True},
        {"text": ["a"]},
        {"text": None},
        {"share": "much"},
        {"share": ""},
        {"share": "nan"},
        {"share": True},
        {"share": None},
        {"share": [1.0]},
        {"share": 10**400},
        {"several": "1,,2"},
        {"several": [1, "x"]},
        {"several": {}},
    ],
)
def test_rejects_an_option_of_the_wrong_type(options: dict[str, Any], refused: Any) -> None:
    (key,) = options
    with refused("L102", f"{key}=", exit_code=2):
        parse_options(Options, options, scheme="hf")


def test_suggests_a_similar_option(refused: Any) -> None:
    with refused("L101", '"poolign"', "hf:", "did you mean pooling?", exit_code=2):
        parse_options(Options, {"poolign": "cls"}, scheme="hf")


def test_fingerprint_key_changes_with_every_field() -> None:
    base = Fingerprint(backend="torch/cpu", max_length=128)
    changes = {field.name: "other" for field in fields(Fingerprint)} | {"max_length": 129}
    keys = {replace(base, **{name: value}).key() for name, value in changes.items()}
    assert len(keys | {base.key(), replace(base, max_length=None).key()}) == len(changes) + 2
    assert Fingerprint(backend="torch/cpu", max_length=128).key() == base.key()
    # The same text in different fields must give different keys.
    assert Fingerprint("a", weights="b").key() != Fingerprint("a", config="b").key()
