"""The option `--config FILE.toml`: defaults, precedence of the command line, errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

from litotes.cli.main import COMMANDS, app

Write = Callable[[str], Path]


@pytest.fixture
def config(litotes: Any) -> Write:
    def write(text: str) -> Path:
        path = litotes.folder / "settings.toml"
        path.write_text(text, "utf-8")
        return path

    return write


def test_values_of_the_command_table_become_defaults(litotes: Any, config: Write) -> None:
    config('[run]\nmodel = ["overlap:words"]\nsuite = ["negation-detection-mini"]\nout = "here"\nreport = false\n')
    done = litotes.here("run", "--config", "settings.toml", "--json")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    assert [run["suite"] for run in document["runs"]] == ["negation-detection-mini"]
    assert document["report"] is None
    assert (litotes.folder / "here").is_dir()


def test_the_command_line_takes_precedence(litotes: Any, config: Write) -> None:
    config('[run]\nsuite = "negation-detection-mini"\nout = "here"\nworkers = 1\n')
    done = litotes.here("run", "overlap:words", "--out", "there", "--no-report", "--config", "settings.toml")
    assert done.code == 0, done.err
    assert (litotes.folder / "there").is_dir() and not (litotes.folder / "here").exists()


def test_top_level_keys_hold_for_every_command_unless_its_table_overrides_them(litotes: Any, config: Write) -> None:
    config('json = true\nrule = "negation"\n[rewrite]\ntext = ["It is hot."]\njson = false\n[audit]\nseed = 3\n')
    done = litotes.here("rewrite", "--config", "settings.toml")
    assert done.code == 0, done.err
    assert "It is not hot." in done.out and not done.out.startswith("{")


def test_a_required_option_may_come_from_the_file(litotes: Any, config: Write) -> None:
    config('[train.sent2vec]\nfrom = "gone.txt"\nout = "model"\nepochs = 1\n')
    litotes.here("train", "sent2vec", "--config", "settings.toml").refused(1, "L201", "gone.txt")


@pytest.mark.parametrize(
    ("command", "text", "code", "message"),
    [
        (["run"], "[run]\nworkres = 1\n", "L101", 'settings.toml: [run]: unknown key "workres"; did you mean workers'),
        (["run"], '[run]\nworkers = "two"\n', "L102", "settings.toml: [run] workers = 'two': must be an integer"),
        (["run"], "[run]\nworkers = 0\n", "L102", "settings.toml: [run] workers = 0: must be >= 1"),
        (["run"], "[run]\nreport = 1\n", "L102", "settings.toml: [run] report = 1: must be true or false"),
        (["run"], "[run]\nsuite = [3]\n", "L102", "settings.toml: [run] suite = 3: must be a string"),
        (["audit"], '[audit]\nbudget = "x"\n', "L102", "settings.toml: [audit] budget = 'x': must be a number"),
        (["build"], "[build]\nlimit = 1.5\n", "L102", "settings.toml: [build] limit = 1.5: must be an integer"),
        (["models"], "seed = 1\n", "L101", 'settings.toml: [models]: unknown key "seed"'),
        (["run"], "[rnu]\nworkers = 1\n", "L101", 'settings.toml: unknown table "rnu"; did you mean run'),
        (["train", "nli"], "[train.nil]\nseed = 1\n", "L101", 'settings.toml: unknown table "nil"; did you mean nli'),
        (["doctor"], "not toml", "L203", "settings.toml: is not TOML"),
    ],
)
def test_errors_in_the_file_are_single_lines(
    litotes: Any, config: Write, command: list[str], text: str, code: str, message: str
) -> None:
    config(text)
    litotes.here(*command, "--config", "settings.toml").refused(2, code, message)


def test_missing_file_is_reported(litotes: Any) -> None:
    litotes.here("suites", "--config", "gone.toml").refused(1, "L201", "gone.toml")


@pytest.mark.parametrize("name", [*COMMANDS, "train nli", "train infersent", "train skipthought", "train sent2vec"])
def test_every_command_has_the_option(litotes: Any, name: str) -> None:
    done = litotes.here(*name.split(), "--help")
    assert done.code == 0
    assert "--config FILE" in done.out or name == "train"


def test_help_lines_are_the_first_lines_of_the_docstrings() -> None:
    for target, text in COMMANDS.values():
        module, _, attribute = target.partition(":")
        command = getattr(import_module(f"litotes.cli.commands.{module}"), attribute)
        shown = command.info.help if isinstance(command, typer.Typer) else command.__doc__.splitlines()[0]
        assert shown == text
    assert app.info.name == "litotes"
