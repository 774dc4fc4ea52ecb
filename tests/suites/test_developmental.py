"""Reading of the published files on developmental negation."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from litotes import LitotesError, list_suites, load_suite
from litotes.suites.developmental import load_official
from litotes.suites.nli import KIND, categories_of, count_ambiguous_pairs
from litotes.suites.official_files import OFFICIAL_FILES, find_data

FLAGS = ("posession", "existence", "labeling", "prohibition", "inability", "epistemic", "rejection")
"""The spelling in the files."""


def line(premise: str, hypothesis: str, label: str, *flags: str) -> str:
    """Return a line in the published format, with unused columns."""
    result = {flag: int(flag in flags) for flag in FLAGS}
    more = {"annotator_labels": [label], "captionID": None, "pairID": "7c", "genre": None, "promptID": 7.0}
    return json.dumps({**more, "sentence1": premise, "sentence2": hypothesis, "gold_label": label, **result}) + "\n"


HAT = line("Tom wears a hat.", "Tom doesn't have a hat.", "contradiction", "posession")
CAT = line("There is no cat.", "It is not a cat.", "neutral", "existence")
CAT_AGAIN = line("There is no cat. ", "It is not a cat.", "neutral", "labeling")
SWIM = line("Tom wears a hat.", "He can't swim.", "neutral", "inability")
PLAIN = line("Tom sleeps.", "Tom is asleep.", "entailment")
NO_GOLD = line("Tom sleeps.", "Tom dreams.", "-")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "published"
    folder.mkdir()
    (folder / "posession_train_innoculation_v5.jsonl").write_text(HAT + HAT)
    (folder / "existence_test_innoculation_v5.jsonl").write_text(CAT + NO_GOLD)
    (folder / "labeling_train_innoculation_v5.jsonl_undersampled").write_text(CAT_AGAIN)
    (folder / "inability_train_innoculation_v5.jsonl").write_text(SWIM)
    (folder / "nli_negation_dev_v4.json.gz").write_bytes(gzip.compress(PLAIN.encode()))
    (folder / "README.md").write_text("# The files\n")
    (folder / ".gitattributes").write_text("*.json filter=lfs\n")
    return folder


def test_folder_is_one_suite(folder: Path) -> None:
    suite = load_official(folder)
    assert (suite.name, suite.kind, len(suite.items), suite.count_groups()) == ("developmental", KIND, 4, 3)
    result = {item.sentences["hypothesis"]: (item.tags["label"], categories_of(item)) for item in suite.items}
    assert result == {
        "It is not a cat.": ("neutral", ("existence", "labeling")),
        "He can't swim.": ("neutral", ("inability",)),
        "Tom doesn't have a hat.": ("contradiction", ("possession",)),
        "Tom is asleep.": ("entailment", ()),
    }
    assert {item.group for item in suite.items} == {"Tom wears a hat.", "There is no cat.", "Tom sleeps."}


def test_ids_do_not_depend_on_the_file(folder: Path) -> None:
    ids = {item.sentences["hypothesis"]: item.id for item in load_official(folder).items}
    [alone] = load_official(folder / "labeling_train_innoculation_v5.jsonl_undersampled").items
    assert alone.id == ids["It is not a cat."]
    assert categories_of(alone) == ("labeling",)
    assert len(set(ids.values())) == len(ids)


def test_compressed_file_is_read(folder: Path) -> None:
    [item] = load_official(folder / "nli_negation_dev_v4.json.gz").items
    assert (item.tags["label"], item.tags["categories"]) == ("entailment", "")


def test_pair_with_two_labels_becomes_two_items(folder: Path) -> None:
    (folder / "more.jsonl").write_text(line("There is no cat.", "It is not a cat.", "entailment", "existence"))
    suite = load_official(folder)
    assert len(suite.items) == len({item.id for item in suite.items}) == 5
    assert count_ambiguous_pairs(suite) == 1


def test_sha256_depends_on_all_files(folder: Path) -> None:
    before = load_official(folder).sha256
    (folder / "README.md").write_text("other words\n")
    assert load_official(folder).sha256 == before
    (folder / "inability_train_innoculation_v5.jsonl").write_text(SWIM + HAT)
    assert load_official(folder).sha256 != before


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        ("", "L204", "no sentence could be read"),
        (NO_GOLD, "L203", "none of the 1 pairs has a gold label"),
        (HAT.replace('"contradiction"', '"perhaps"'), "L203", "label"),
        (HAT[:-20] + "\n", "L203", "is not a JSON object"),
        ('{"sentence1": "Tom sleeps."}\n', "L203", "sentence2"),
    ],
)
def test_invalid_files_are_errors(content: str, code: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_text(content)
    with pytest.raises(LitotesError) as caught:
        load_official(path)
    assert caught.value.code == code
    assert words in str(caught.value) and "wrong.jsonl" in str(caught.value)


def test_folder_without_published_files_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Nothing\n")
    with pytest.raises(LitotesError, match="any of the published files") as caught:
        load_official(tmp_path)
    assert caught.value.code == "L204"


def test_suite_is_loaded_by_name(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITOTES_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    assert "developmental" in list_suites()
    assert len(load_suite("developmental", path=folder).items) == 4
    with pytest.raises(LitotesError, match="is not on this machine") as caught:
        load_suite("developmental")
    assert OFFICIAL_FILES["developmental"].page in str(caught.value)
    (tmp_path / "data").mkdir()
    folder.rename(tmp_path / "data" / "developmental")
    assert find_data("developmental") == tmp_path / "data" / "developmental"
    assert len(load_suite("developmental").items) == 4


@pytest.mark.shared
def test_published_files_have_the_published_sizes(shared_data: Path) -> None:
    folder = shared_data / "devneg"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there: the published diagnostic sets")
    suite = load_official(folder)
    counts = Counter(name for item in suite.items for name in categories_of(item))
    # The paper's Table 1 counts lines; the augmented sets, labeling and prohibition, contain some pairs more than once.
    assert counts["epistemic"] == 1903 and counts["rejection"] == 1737
    assert counts["existence"] >= 5527 and counts["labeling"] < 2241
    assert len({item.id for item in suite.items}) == len(suite.items) > 22_000
