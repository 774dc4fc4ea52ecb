"""The model card and the result file of a repair."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from litotes.cli.commands.repair import before_after_table
from litotes.core.files import to_json
from litotes.repair.holdout import Leakage
from litotes.repair.model_card import base_name, format_difference, model_card, verdict, write_result
from litotes.repair.result import MetricChange, RepairResult

CHANGES = (
    MetricChange("semantoneg: accuracy", 3152, 0.019, 0.912, (0.86, 0.92), 0.0001, "higher"),
    MetricChange("heros-mini: accuracy", 371, 0.1, 0.45, (0.3, 0.4), 0.0001, "higher"),
    MetricChange("heros-mini: similarity of negation antonym", 371, 0.9, 0.41, (-0.5, -0.47), 0.0001, ""),
    MetricChange("argument-sensitivity-mini: accuracy", 180, 0.5, 0.51, (-0.03, 0.05), 0.6, "higher"),
    MetricChange("STS: Spearman", 1500, 0.867, 0.861, (-0.0095, -0.002), 0.012, "higher"),
    MetricChange("your text: blindness", 400, 0.92, 0.2, (-0.75, -0.68), 0.0001, "lower"),
    MetricChange("your text: original before its opposite", 700, 0.3, 0.8, None, None, "higher"),
)


@pytest.fixture
def result(tmp_path: Path) -> RepairResult:
    return RepairResult(
        folder=tmp_path / "repaired",
        method="training",
        base="all-MiniLM-L6-v2",
        sha256="ab" * 32,
        settings={"retention": 2.0, "learning_rate": 1e-4},
        examples={"quadruple": 2462, "synonym": 31},
        n_validation=120,
        steps=550,
        changes=CHANGES,
        leakage=(Leakage("semantoneg", 2435, 700, 12, 345, 0, 0),),
        versions={"litotes": "0.1.0", "torch": "2.13"},
    )


def read_header(card: str) -> dict[str, str]:
    """Return the header, which is parsed line by line."""
    _, header, _ = card.split("---\n", 2)
    return dict(line.split(": ", 1) for line in header.splitlines())


def test_header_is_valid_hub_metadata(result: RepairResult) -> None:
    import yaml

    card = model_card(result)
    assert card.startswith("---\n")
    header = yaml.safe_load(card.split("---\n", 2)[1])
    assert header["library_name"] == "sentence-transformers"
    assert header["pipeline_tag"] == "sentence-similarity"
    assert header["base_model"] == "sentence-transformers/all-MiniLM-L6-v2"
    assert {"sentence-transformers", "sentence-similarity", "feature-extraction"} <= set(header["tags"])


@pytest.mark.parametrize(
    ("base", "repository", "shown"),
    [
        ("organisation/encoder", "organisation/encoder", "organisation/encoder"),
        ("organisation/encoder@v2", "organisation/encoder", "organisation/encoder@v2"),
        ("FOLDER", None, "my-encoder"),
        ("C:\\models\\my-encoder", None, "my-encoder"),
        ("glove:6b-50d", None, "glove:6b-50d"),
        ("onnx:FOLDER", None, "onnx:my-encoder"),
        ("some-short-name", None, "some-short-name"),
    ],
)
def test_original_is_named_without_its_path(
    result: RepairResult, tmp_path: Path, base: str, repository: str | None, shown: str
) -> None:
    folder = tmp_path / "my-encoder"
    folder.mkdir()
    renamed = replace(result, base=base.replace("FOLDER", str(folder)))
    card = model_card(renamed)
    assert read_header(card).get("base_model") == repository
    assert base_name(renamed.base) == shown and f"# {shown}, repaired" in card
    assert str(tmp_path) not in card and "C:" not in card


def test_card_contains_metrics_and_limitations(result: RepairResult) -> None:
    card = model_card(result)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in card.splitlines() if line.startswith("| ")]
    assert ["semantoneg: accuracy", "3,152", "1.9", "91.2", "+89.3 (86.0 to 92.0)", "< 0.001", "better"] in rows
    assert ["STS: Spearman", "1,500", "86.7", "86.1", "-0.6 (-0.9 to -0.2)", "0.012", "worse"] in rows
    assert ["argument-sensitivity-mini: accuracy", "180", "50.0", "51.0", "+1.0 (-3.0 to 5.0)", "0.600", ""] in rows
    assert ["your text: original before its opposite", "700", "30.0", "80.0", "+50.0", "", ""] in rows
    assert ["semantoneg", "2,435", "700", "12", "345", "0", "0"] in rows
    assert ["quadruple", "2,462"] in rows and ["retention", "2.0"] in rows and ["torch", "2.13"] in rows
    assert 'SentenceTransformer("FOLDER").encode(' in card
    assert "## Limitations" in card and "English" in card and "rewriting" in card


def test_adapter_card(result: RepairResult) -> None:
    card = model_card(replace(result, method="adapter", base="glove:6b-50d", changes=(), leakage=()))
    assert 'litotes.adapt(vectors, "FOLDER")' in card and "litotes run adapter:FOLDER" in card
    assert read_header(card)["library_name"] == "litotes"
    assert "Nothing was evaluated." in card and "Nothing was held out" in card
    assert "SentenceTransformer" not in card


def test_code_on_the_card_compiles(result: RepairResult) -> None:
    for method in ("training", "adapter"):
        code = model_card(replace(result, method=method)).split("```python\n")[1].split("```")[0]
        compile(code, "card", "exec")


def test_result_file_has_all_fields_but_no_local_paths(result: RepairResult, tmp_path: Path) -> None:
    path = write_result(result)
    assert path == result.folder / "repair.json"
    assert str(tmp_path) not in path.read_text("utf-8")
    expected = {name: value for name, value in result.to_dict().items() if name != "folder"}
    assert json.loads(path.read_text("utf-8")) == json.loads(to_json(expected))


def test_verdict_depends_on_p_value_and_direction() -> None:
    up = MetricChange("x", 9, 0.1, 0.2, (0.05, 0.15), 0.01, "higher")
    assert verdict(up) == "better"
    assert verdict(replace(up, better="lower")) == "worse"
    assert verdict(replace(up, better="")) == ""
    assert verdict(replace(up, p=0.05)) == "" and verdict(replace(up, p=None)) == ""
    assert format_difference(replace(up, ci=None)) == "+10.0"
    assert format_difference(replace(up, after=0.0999, ci=(-0.0003, 0.0001))) == "+0.0 (0.0 to 0.0)"


def test_table_fits_eighty_columns(result: RepairResult) -> None:
    lines = before_after_table(result).splitlines()
    assert max(map(len, lines)) <= 80
    rows = [line.split() for line in lines]
    assert ["semantoneg", "1.9", "91.2", "+89.3", "(86.0", "to", "92.0)", "better"] in rows
    # A second row on the same suite shows only the difference.
    assert "  similarity of negation antonym" in "\n".join(lines)
    assert "  original before its opposite" in "\n".join(lines)
    assert "…" not in "\n".join(lines)
    assert "nothing was evaluated" in before_after_table(replace(result, changes=()))
