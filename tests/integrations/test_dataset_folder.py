"""Export of suites as dataset folders."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from litotes.cli.main import app
from litotes.core.errors import UsageError
from litotes.evaluation.result_store import find_runs, read_run
from litotes.integrations.dataset_folder import dataset_card, write_dataset
from litotes.suites.loading import list_suites, load_suite


@pytest.mark.parametrize("name", ["semantoneg-mini", "developmental-mini"])
def test_folder_is_read_by_the_datasets_library(name: str, tmp_path: Path) -> None:
    from datasets import load_dataset

    suite = load_suite(name)
    folder = write_dataset(name, tmp_path / name)
    read = load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))["test"]
    assert len(read) == len(suite.items)
    first, item = read[0], suite.items[0]
    assert first["id"] == item.id
    assert {role: first[role] for role in suite.kind.roles} == dict(item.sentences)
    assert all(first[f"tag_{tag}" if f"tag_{tag}" in first else tag] == value for tag, value in item.tags.items())


def test_card_is_read_by_the_hub_library() -> None:
    from huggingface_hub import DatasetCard

    for name in [name for name in list_suites() if name.endswith("-mini")]:
        suite = load_suite(name)
        card = DatasetCard(dataset_card(suite))
        assert card.data.language == ["en"] and card.data.pretty_name == name
        assert suite.sha256 in card.text and f"{len(suite.items):,}" in card.text


def test_unrelated_files_remain(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match="other files"):
        write_dataset("semantoneg-mini", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    write_dataset("semantoneg-mini", tmp_path / "new")
    write_dataset("semantoneg-mini", tmp_path / "new")  # its own files may be overwritten


def test_command_on_the_card_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_dataset("negation-detection-mini", tmp_path / "data")
    (shown,) = re.findall(r"`litotes (run MODEL --suite FOLDER)`", (folder / "README.md").read_text("utf-8"))
    monkeypatch.chdir(tmp_path)
    words = shown.replace("MODEL", "overlap:words").replace("FOLDER", "data").split()
    app([*words, "--no-report", "--out", "runs"], standalone_mode=False)
    (result,) = map(read_run, find_runs(tmp_path / "runs"))
    assert result.suite.name == "negation-detection-mini"
    alone = load_suite("negation-detection-mini")
    assert [item.id for item in result.items] == [item.id for item in alone.items]


@pytest.mark.parametrize(
    ("licence", "known", "named"),
    [
        ("CC BY 4.0", "cc-by-4.0", None),  # SemAntoNeg's official file
        ("Apache-2.0", "apache-2.0", None),  # HEROS, and the built-in suites
        ("as SNLI and MultiNLI", "other", "as SNLI and MultiNLI"),
        ("", "unknown", None),
    ],
)
def test_licences_have_hub_identifiers(licence: str, known: str, named: str | None) -> None:
    from huggingface_hub import DatasetCard

    card = DatasetCard(dataset_card(replace(load_suite("negation-detection-mini"), licence=licence)))
    assert (card.data.license, card.data.get("license_name")) == (known, named)


def test_official_file_has_a_card(tmp_path: Path) -> None:
    from huggingface_hub import DatasetCard

    record = {
        "idx": 1,
        "label": 2,
        "input": "It is good.",
        "sentences": ["It is bad.", "It is not good.", "It is not bad."],
    }
    official = tmp_path / "SemAntoNeg.json"
    official.write_text(json.dumps(record) + "\n", "utf-8")
    folder = write_dataset(load_suite("semantoneg", path=official), tmp_path / "data")
    card = DatasetCard.load(folder / "README.md")
    assert card.data.license == "cc-by-4.0" and "CC BY 4.0" in card.text
    assert load_suite(str(folder)).licence == "CC BY 4.0"
