"""Parquet as a corpus: columns, row groups, damage and memory."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from litotes.core.errors import LitotesError
from litotes.corpora.base import Problems
from litotes.corpora.read import describe_sources, read_corpus

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from pyarrow import parquet  # noqa: E402

PLAIN = {"compression": "none", "use_dictionary": False, "write_statistics": False, "write_page_checksum": True}
"""Options with which the text is in the file as it is."""
ROWS = [
    {"premise": "A man sleeps.", "hypothesis": "Nobody sleeps.", "label": "contradiction", "n": 1},
    {"premise": "A dog runs.", "hypothesis": "An animal runs.", "label": "entailment", "n": 2},
    {"premise": "It is late.", "hypothesis": "It is not early.", "label": "-", "n": 3},
]


def write(path: Path, rows: list[dict[str, Any]], **options: Any) -> str:
    parquet.write_table(pyarrow.Table.from_pylist(rows), path, **options)
    return str(path)


def read(*sources: str, **options: Any) -> list[tuple[Any, ...]]:
    records = read_corpus(sources, **options)
    return [(record.id.partition(":")[2], record.text, record.second_text, record.label) for record in records]


def damage(path: Path, text: bytes) -> None:
    content = path.read_bytes()
    assert content.count(text) == 1
    path.write_bytes(content.replace(text, text.swapcase()))


def test_same_records_as_from_json_lines_and_csv(tmp_path: Path) -> None:
    source = write(tmp_path / "pairs.parquet", ROWS, row_group_size=2)
    lines, table = tmp_path / "pairs.jsonl", tmp_path / "pairs.csv"
    lines.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(ROWS[0]))
        writer.writeheader()
        writer.writerows(ROWS)
    assert read(source) == read(str(lines))
    assert [row[1:] for row in read(source)] == [row[1:] for row in read(str(table))]
    assert read(source, columns=["hypothesis"])[0][:3] == ("1", "Nobody sleeps.", None)
    assert describe_sources([source])[0]["format"] == "parquet"


def test_other_columns_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    source = write(path, [{"text": "One came.", "notes": "unrelated notes"}], **PLAIN)
    damage(path, b"unrelated notes")
    assert [text for _, text, *_ in read(source)] == ["One came."]
    with pytest.raises(LitotesError, match=r"L203. a.parquet: row group 1 of 1 is damaged"):
        read(source, columns=["notes"])


def test_damaged_row_group_is_named_after_the_rows_before_it(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    source = write(path, [{"text": f"Sentence {n} came."} for n in range(6)], row_group_size=2, **PLAIN)
    damage(path, b"Sentence 3 came.")
    records = read_corpus([source])
    assert [next(records).id, next(records).id] == ["a.parquet:1", "a.parquet:2"]
    with pytest.raises(LitotesError, match=r"L203. a.parquet: row group 2 of 3 is damaged"):
        next(records)


def test_wrong_column_lists_the_columns(tmp_path: Path) -> None:
    source = write(tmp_path / "a.parquet", [{"body": "One came.", "n": 1}])
    with pytest.raises(LitotesError, match=r'L102. a.parquet: no column "txt"; the columns are body, n'):
        read(source, columns=["txt"])
    with pytest.raises(LitotesError, match=r"L102. a.parquet: it is unclear which column .* body, n"):
        read(source)
    with pytest.raises(LitotesError, match=r"L203. a.parquet: is not sick"):
        read(source, format="sick")


def test_rows_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    source = write(tmp_path / "a.parquet", [{"text": "One."}, {"text": ""}, {"text": None}, {"text": "x" * (1 << 21)}])
    problems = Problems()
    assert [identifier for identifier, *_ in read(source, problems=problems)] == ["1"]
    assert problems.by_kind == {"empty": 1, "columns": 1, "too-long": 1}
    assert [problem.line for problem in problems.first] == [2, 3, 4]


def test_a_file_is_recognised_by_its_first_bytes(tmp_path: Path) -> None:
    source = write(tmp_path / "data", [{"text": "One came."}])
    assert read(source) == [("1", "One came.", None, "")]


@pytest.mark.parametrize("content", [b"", b"PAR1 and so on", b"One came.\n"])
def test_other_content_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(content)
    with pytest.raises(LitotesError, match=r"L203. a.parquet: is not a Parquet file"):
        read(str(path))


def test_memory_does_not_grow_with_the_row_groups(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table = pyarrow.table({"text": [f"This is sentence {number}, and not a short one." for number in range(40_000)]})
    with parquet.ParquetWriter(path, table.schema, compression="none", use_dictionary=False) as writer:
        for _ in range(10):
            writer.write_table(table, row_group_size=len(table))
    size, before = path.stat().st_size, pyarrow.total_allocated_bytes()
    pool = pyarrow.default_memory_pool()
    peak = 0
    for record in read_corpus([str(path)]):
        if record.id.endswith("000"):
            peak = max(peak, pool.bytes_allocated() - before)
    assert size > 15_000_000
    assert peak < size / 6, (peak, size)  # one of ten row groups and its pages
