"""Names of Hugging Face datasets, and reading them from a folder."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.corpora.base import Record
from litotes.corpora.hub_datasets import HubDatasetName, parse_hub_name
from litotes.corpora.read import describe_sources, read_corpus

needs_datasets = pytest.mark.skipif(importlib.util.find_spec("datasets") is None, reason="datasets is not installed")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("glue", HubDatasetName("glue")),
        ("owner/pairs", HubDatasetName("owner/pairs")),
        ("owner/pairs:dev", HubDatasetName("owner/pairs", None, "dev")),
        ("owner/pairs/en.100:train-clean.100", HubDatasetName("owner/pairs", "en.100", "train-clean.100")),
    ],
)
def test_names_are_parsed(spec: str, expected: HubDatasetName) -> None:
    assert parse_hub_name(spec) == expected


def test_missing_package_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(
        LitotesError, match=r"\[L103\] .*datasets is not installed; install it with: pip install datasets"
    ):
        list(read_corpus(["hf:owner/pairs"]))


def test_dataset_is_described_by_its_name() -> None:
    assert describe_sources(["hf:owner/pairs:dev"]) == [
        {"name": "hf:owner/pairs:dev", "bytes": 0, "sha256": "", "format": "datasets", "licence": ""}
    ]
    with pytest.raises(UsageError):
        describe_sources(["hf:"])


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Return the folder of a dataset that was written by `save_to_disk`."""
    import datasets

    labels = datasets.ClassLabel(names=["entailment", "neutral", "contradiction"])
    features = datasets.Features(
        {"premise": datasets.Value("string"), "hypothesis": datasets.Value("string"), "label": labels}
    )
    rows = {"premise": ["Ann ran."] * 2, "hypothesis": ["Ann slept.", "Ann moved."], "label": [2, -1]}
    split = datasets.Dataset.from_dict(rows, features=features)
    datasets.DatasetDict({"train": split, "dev": split}).save_to_disk(str(tmp_path / "pairs"))
    return tmp_path / "pairs"


@needs_datasets
def test_saved_dataset_is_read(saved: Path) -> None:
    records = list(read_corpus([f"hf:{saved}:dev"], strict=True))
    name = f"hf:{saved.name}:dev"
    assert records == [
        Record(f"{name}:1", "Ann ran.", "Ann slept.", "contradiction", None, f"{name}:1#2"),
        Record(f"{name}:2", "Ann ran.", "Ann moved.", "", None, f"{name}:2#2"),
    ]
    assert len(list(read_corpus([f"hf:{saved}"]))) == 4


@needs_datasets
def test_folder_of_files_is_read(tmp_path: Path) -> None:
    (tmp_path / "train.jsonl").write_text('{"text": "It rains."}\n{"text": "It pours."}\n')
    records = list(read_corpus([f"hf:{tmp_path}:train"], columns=["text"]))
    assert [record.text for record in records] == ["It rains.", "It pours."]


@needs_datasets
def test_missing_dataset_is_an_error(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LitotesError, match="cannot be loaded"):
        list(read_corpus([f"hf:{saved}:test"]))
    with pytest.raises(LitotesError, match='no column "text"'):
        list(read_corpus([f"hf:{saved}:dev"], columns=["text"]))
