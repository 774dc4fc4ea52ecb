"""Lists of models: contents, and errors with their positions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from litotes.core.errors import LitotesError, UsageError
from litotes.evaluation import model_list
from litotes.evaluation.model_list import (
    expand_entries,
    filter_groups,
    list_model_lists,
    load_model_list,
    merge_entries,
    model_entry,
    read_model_list,
)
from litotes.models.access import Access
from litotes.models.prompts import list_prompts

WHOLE = """
title = "Models of the test"
source = "nowhere"

[defaults]
max_length = 128
[defaults.hf]
pooling = "mean"

[[models]]
name = "all-MiniLM-L6-v2"
label = "MiniLM"
group = "generic"

[[models]]
name = "hf:bert-base-uncased?max_length=64"
options = { dtype = "float16", batch = 8, fast = true, share = 0.5 }

[[models]]
name = "glove:"
"""


def write(folder: Path, text: str, name: str = "models.toml") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_complete_list_is_read(tmp_path: Path) -> None:
    result = read_model_list(write(tmp_path, WHOLE))
    assert (result.title, result.source) == ("Models of the test", "nowhere")
    first, second, third = result.entries
    assert (first.name, first.label, first.group) == ("all-MiniLM-L6-v2", "MiniLM", "generic")
    assert first.options == {"max_length": "128"}
    # Options of all models, of the scheme and of the model, as texts; those in the name are not repeated.
    assert second.label == "hf:bert-base-uncased?max_length=64"
    assert second.options == {"pooling": "mean", "dtype": "float16", "batch": "8", "fast": "true", "share": "0.5"}
    assert third.label == "glove:6b-50d"


WRONG = {
    '[[models]]\nnam = "x"': (":1: model 1", 'unknown key "nam"', "did you mean name?"),
    'titel = "x"\n[[models]]\nname = "x"': ("models.toml: ", 'unknown key "titel"', "did you mean title?"),
    '[[models]]\nname = "a"\n\n[[models]]\nlabel = "x"': (":4: model 2", "the key name is missing"),
    '[[models]]\nname = ""': (":1: model 1", "name: is empty"),
    "[[models]]\nname = 5": (":1: model 1", "name=5: must be a string"),
    '[[models]]\nname = "a"\ngroup = ["x"]': (":1: model 1", "group: must be a string"),
    '[[models]]\nname = "a"\noptions = "x"': (":1: model 1: options=x: must be a table",),
    '[[models]]\nname = "a"\noptions = { x = [1] }': (":1: model 1: options: x", "must be a string, a number"),
    '[[models]]\nname = "a"\noptions = { label = "x" }': ("label is not an option", "next to the name"),
    '[[models]]\nname = "a"\noptions = { allow_pickle = true }': ("allow_pickle is not an option", "--allow-pickle"),
    '[[models]]\nname = "a?x=1"\noptions = { x = 2 }': ("x is in the name and among the options",),
    '[[models]]\nname = "a?label=b"\nlabel = "c"': ("has a label in the name and another",),
    '[[models]]\nname = "glov:x"': (":1: model 1", 'unknown scheme "glov"', "glove"),
    '[[models]]\nname = "hf:x?pooling"': (":1: model 1", "is not an option"),
    '[[models]]\nname = "a"\n[[models]]\nname = "a"': (":3: model 2", 'model 1 is called "a" too', "a label"),
    'models = [{ name = "a" }, { nam = "b" }]': ("models.toml: model 2", 'unknown key "nam"'),
    '[models]\nname = "a"': ("models.toml: models: must be a list",),
    'models = ["a"]': ("models.toml: models[0]=a: must be a table",),
    "models = []": ("[L204]", "contains no models", "[[models]]"),
    "": ("[L204]", "contains no models"),
    'defaults = 1\n[[models]]\nname = "a"': ("defaults=1: must be a table",),
    '[defaults.hff]\nx = 1\n[[models]]\nname = "a"': ('unknown scheme "hff"', "did you mean hf"),
    '[[models]]\nname = "a"\nlabel = "b\\nc"': (":1: model 1", "label: contains a line break"),
    '[[models]]\nname = "a"\ngroup = "\\u001b[2J"': (":1: model 1", "group: contains a line break"),
    '[[models]]\nname = "a\n': ("models.toml: is not TOML", "line 2"),
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_errors_are_reported_with_their_position(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_model_list(write(tmp_path, text))
    for words in WRONG[text]:
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[models]]\nname = "openai:m@http://h/v1?key=KEY"', "models.toml:2: contains a key"),
        ('[[models]]\nname = "openai:m@http://h/v1?key=0123abcdef"', "model 1: ?key= does not name"),
        (
            '[[models]]\nname = "openai:m"\noptions = { api_key = "0123abcdef" }',
            "options: a list may not name a key (api_key)",
        ),
        ('[defaults]\nkey = "0123abcdef"\n[[models]]\nname = "openai:m"', "defaults: a list may not name a key (key)"),
        (
            '[[models]]\nname = "openai:m@http://me:0123@h/v1"',
            "models.toml:2: contains a user name or a password",
        ),
        ('[[models]]\nname = "openai:KEY"', "models.toml:2: contains a key"),
        ('[[models]]\nname = "openai:m"\nlabel = "KEY"', "models.toml:3: contains a key"),
        ('[[models]]\nname = "openai:m"\nKEY = 1', "models.toml:3: contains a key"),
    ],
)
def test_secret_key_in_a_list_is_refused_and_not_shown(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_model_list(write(tmp_path, text.replace("KEY", "sk-0123456789abcdef")))
    assert message in str(caught.value)
    assert "0123" not in str(caught.value)


def test_server_from_the_environment_is_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = []
    for address in ("http://one:1/v1", "http://two:1/v1/"):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        keys.append(model_entry("openai:m").key)
        assert "server" not in model_entry("openai:m@http://three:1/v1").key
    assert [key["server"] for key in keys] == ["http://one:1/v1", "http://two:1/v1"]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:word@host/v1")
    assert "word" not in str(model_entry("chat:m").key)
    assert "server" not in model_entry("overlap:words").key


def test_missing_and_binary_lists_are_reported(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b'title = "\xff"')
    with pytest.raises(UsageError, match=r"L207.*bytes\.toml: is not UTF-8"):
        load_model_list(str(tmp_path / "bytes.toml"))
    with pytest.raises(LitotesError, match=r"L201.*gone\.toml: no such file"):
        load_model_list("gone.toml")
    with pytest.raises(LitotesError, match=r"L202.*is a folder"):
        load_model_list(f"{tmp_path}/")


def test_paths_are_relative_to_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lists, elsewhere = tmp_path / "lists", tmp_path / "elsewhere"
    for folder in (lists / "model", lists / "all-MiniLM-L6-v2", elsewhere):
        folder.mkdir(parents=True)
    for name in ("a.txt", "b.txt", "odd@1.txt"):
        (lists / name).write_text("x 1 2")
    monkeypatch.chdir(elsewhere)
    names = (
        "glove:a.txt", "pmeans:a.txt,b.txt?x=1", "onnx:model/", "./model", "all-MiniLM-L6-v2", "glove:gone.txt",
        "glove:odd@1.txt", "pmeans:6b-50d+b.txt",
    )  # fmt: skip
    text = "".join(f'[[models]]\nname = "{name}"\noptions = {{ table = "b.txt" }}\n' for name in names)
    entries = read_model_list(write(lists, text)).entries
    assert [entry.resolved_name for entry in entries] == [
        f"glove:{lists}/a.txt",
        f"pmeans:{lists}/a.txt,{lists}/b.txt?x=1",
        f"onnx:{lists}/model",
        f"{lists}/model",
        "all-MiniLM-L6-v2",  # a bare word may be the folder of a model's results
        "glove:gone.txt",
        f"glove:{lists}/odd@1.txt",
        f"pmeans:6b-50d+{lists}/b.txt",
    ]
    # Labels and keys do not depend on the machine.
    assert [entry.label for entry in entries] == list(names)
    assert entries[0].key == {"name": "glove:a.txt", "options": {"table": "b.txt"}}
    assert entries[0].resolved_options == {"table": f"{lists}/b.txt"}
    assert entries[0].paths() == [lists / "a.txt", lists / "b.txt"]
    assert entries[5].paths() == [lists / "b.txt"]


def test_files_take_precedence_over_built_in_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = tmp_path / "ready"
    ready.mkdir()
    write(ready, '[[models]]\nname = "ours"', "papers.toml")
    monkeypatch.setattr(model_list, "_BUILT_IN", ready)
    monkeypatch.chdir(tmp_path)
    assert list_model_lists() == ["papers"]
    assert [entry.name for entry in load_model_list("papers").entries] == ["ours"]
    with pytest.raises(UsageError, match=r'L101.*unknown list of models "paper"; did you mean papers'):
        load_model_list("paper")
    (tmp_path / "papers").mkdir()
    assert [entry.name for entry in load_model_list("papers").entries] == ["ours"]
    (tmp_path / "papers").rmdir()
    write(tmp_path, '[[models]]\nname = "mine"', "papers")
    assert [entry.name for entry in load_model_list("papers").entries] == ["mine"]
    monkeypatch.setattr(model_list, "_BUILT_IN", tmp_path / "gone")
    assert list_model_lists() == []


def test_the_built_in_lists_can_be_read() -> None:
    for name in list_model_lists():
        result = load_model_list(name)
        assert result.title and result.source and all(entry.group for entry in result.entries), name


def entries_of(folder: Path, *models: Any, name: str = "models.toml") -> Any:
    text = "".join(
        f'[[models]]\nname = "{one}"\nlabel = "{label}"\ngroup = "{group}"\n' for one, label, group in models
    )
    return read_model_list(write(folder, text, name)).entries


def test_a_model_in_two_lists_is_run_once(tmp_path: Path) -> None:
    one = entries_of(tmp_path, ("a", "A", "generic"), ("b", "B", "NLI"))
    two = entries_of(tmp_path, ("a", "A", "STS"), ("c", "C", "STS"), name="two.toml")
    merged = merge_entries([[model_entry("b?label=B2"), model_entry("d")], one, two])
    assert [(entry.label, entry.group) for entry in merged] == [
        ("B2", ""), ("d", ""), ("A", "generic"), ("B", "NLI"), ("C", "STS"),
    ]  # fmt: skip
    [both] = merge_entries([[model_entry("a")], entries_of(tmp_path, ("a", "a", "generic"))])
    assert both.group == "generic"
    with pytest.raises(UsageError, match=r'L102.*x: another of the models is called "A" too; give one'):
        merge_entries([one, entries_of(tmp_path, ("x", "A", "generic"))])


def test_equal_file_names_in_different_folders_are_distinct_models(tmp_path: Path) -> None:
    lists = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "v.txt").write_text("x 1 2")
        lists.append(entries_of(folder, ("glove:v.txt", "V", "generic")))
    with pytest.raises(UsageError, match="another of the models is called"):
        merge_entries(lists)


def test_groups_select_models(tmp_path: Path) -> None:
    entries = entries_of(tmp_path, ("a", "A", "generic"), ("b", "B", "NLI"), ("c", "C", "generic"))
    assert [entry.label for entry in filter_groups(entries, ["generic"])] == ["A", "C"]
    assert [entry.label for entry in filter_groups(entries, ["NLI", "generic"])] == ["A", "B", "C"]
    with pytest.raises(UsageError, match=r'L101.*unknown group "generc"; did you mean generic'):
        filter_groups(entries, ["generc"])
    with pytest.raises(UsageError, match="the lists have no groups"):
        filter_groups([model_entry("a")], ["generic"])


def bert_with_layers(folder: Path, count: int) -> Path:
    """Save the configuration of a model, which has the number of its layers."""
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": "bert", "num_hidden_layers": count}))
    (folder / "vocab.txt").write_text("[UNK]\n")
    save_file({"weight": np.zeros(1, np.float32)}, folder / "model.safetensors")
    return folder


def test_all_layers_are_entries_of_their_own(tmp_path: Path) -> None:
    bert_with_layers(tmp_path / "bert", 3)
    listed = entries_of(tmp_path, ("hf:./bert?layer=all", "own", "g"))
    entries = expand_entries([*listed, model_entry(f"{tmp_path}/bert?layer=all&dtype=float32")], [], Access())
    assert [entry.options["layer"] for entry in entries] == ["1", "2", "3"] * 2
    assert [entry.label for entry in entries[:3]] == ["own?layer=1", "own?layer=2", "own?layer=3"]
    assert entries[3].label == f"{tmp_path}/bert?layer=1&dtype=float32"
    assert {entry.group for entry in entries[:3]} == {"g"}
    assert len({json.dumps(entry.key) for entry in entries}) == 6
    assert expand_entries(entries, [], Access()) == entries, "a second call changes nothing"


def test_prompts_apply_to_prompted_models_that_name_none() -> None:
    models = [model_entry(name) for name in ("lm:a", "lm:b?prompt=truth", "overlap:words", "lm:c?prompt=all")]
    entries = expand_entries(models, ["plain", "own.toml", "plain"], Access())
    assert [entry.label for entry in entries] == [
        "lm:a?prompt=plain",
        "lm:a?prompt=own.toml",
        "lm:b?prompt=truth",
        "overlap:words",
        *(f"lm:c?prompt={name}" for name in list_prompts()),
    ]
    assert expand_entries(models[:1], [], Access()) == models[:1]
