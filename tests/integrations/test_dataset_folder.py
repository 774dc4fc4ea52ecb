"""Suites as dataset folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from litotes.core.errors import UsageError
from litotes.integrations.dataset_folder import dataset_card, write_dataset
from litotes.suites.loading import list_suites, load_suite


@pytest.mark.parametrize("name", ["semantoneg-mini", "developmental-mini"])
def test_the_library_reads_it(name: str, tmp_path: Path) -> None:
    from datasets import load_dataset

    suite = load_suite(name)
    folder = write_dataset(name, tmp_path / name)
    read = load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))["test"]
    assert len(read) == len(suite.items)
    first, item = read[0], suite.items[0]
    assert first["id"] == item.id
    assert {role: first[role] for role in suite.kind.roles} == dict(item.sentences)
    assert all(first[f"tag_{tag}" if f"tag_{tag}" in first else tag] == value for tag, value in item.tags.items())


def test_the_card_is_read_by_the_hub_s_library() -> None:
    from huggingface_hub import DatasetCard

    for name in [name for name in list_suites() if name.endswith("-mini")]:
        suite = load_suite(name)
        card = DatasetCard(dataset_card(suite))
        assert card.data.language == ["en"] and card.data.pretty_name == name
        assert suite.sha256 in card.text and f"{len(suite.items):,}" in card.text


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match="other files"):
        write_dataset("semantoneg-mini", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    write_dataset("semantoneg-mini", tmp_path / "new")
    write_dataset("semantoneg-mini", tmp_path / "new")  # its own files may be written again
