"""Folders of Parquet files: parts, the manifest, resuming, and reading them as corpora."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from litotes.core.errors import LitotesError
from litotes.corpora.partitions import INCOMPLETE, MANIFEST, open_partitions
from litotes.corpora.read import describe_sources, read_corpus

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from pyarrow import parquet  # noqa: E402

TEXTS = [f"Sentence {number} came." for number in range(25)]


class Interrupted(Exception):
    """The end of a process."""


def write(folder: Path, texts: Iterable[str], *, interrupt_after: int | None = None, **settings: Any) -> list[str]:
    """Write sentences in parts of ten rows; return those that were not in finished parts."""
    schema = pyarrow.schema({"text": pyarrow.string(), "length": pyarrow.int32()})
    new: list[str] = []
    with open_partitions(folder, schema, settings, part_rows=10) as output:
        blocks = output.remaining_blocks(
            iter(texts),
            lambda row, text: row["text"] == text,
            size=4,
            columns=["text"],
            on_row=lambda row: None,
        )
        for block in blocks:
            for text in block:
                if len(new) == interrupt_after:
                    raise Interrupted
                output.write({"text": text, "length": len(text)})
                new.append(text)
    return new


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def read(folder: Path) -> list[str]:
    return [record.text for record in read_corpus([str(folder)])]


def failure(folder: Path) -> LitotesError:
    with pytest.raises(LitotesError) as caught:
        describe_sources([str(folder)])
    return caught.value


def test_parts_and_manifest(tmp_path: Path) -> None:
    folder = tmp_path / "out.parquet"
    write(folder, TEXTS, rule="negation")
    manifest = json.loads((folder / MANIFEST).read_text())
    assert manifest["schema_version"] == 1 and manifest["rows"] == 25 and manifest["rule"] == "negation"
    assert [(part["name"], part["rows"]) for part in manifest["parts"]] == [
        ("part-00000.parquet", 10),
        ("part-00001.parquet", 10),
        ("part-00002.parquet", 5),
    ]
    for part in manifest["parts"]:
        data = (folder / part["name"]).read_bytes()
        assert (part["bytes"], part["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    assert set(content(folder)) == {MANIFEST, *(part["name"] for part in manifest["parts"])}
    assert parquet.read_table(folder).column("length").to_pylist() == [len(text) for text in TEXTS]
    assert read(folder) == TEXTS


@pytest.mark.parametrize("interrupt_after", [0, 9, 10, 17, 24])
def test_interrupted_call_resumes_after_the_last_part(tmp_path: Path, interrupt_after: int) -> None:
    write(tmp_path / "expected.parquet", TEXTS)
    folder = tmp_path / "out.parquet"
    with pytest.raises(Interrupted):
        write(folder, TEXTS, interrupt_after=interrupt_after)
    assert "is incomplete" in str(failure(folder))
    assert write(folder, TEXTS) == TEXTS[interrupt_after // 10 * 10 :]
    assert content(folder) == content(tmp_path / "expected.parquet")


@pytest.mark.parametrize("change", ["settings", "item", "fewer items", "part"])
def test_what_has_changed_is_written_again(tmp_path: Path, change: str) -> None:
    folder = tmp_path / "out.parquet"
    write(folder, TEXTS, seed=1)
    texts = [*TEXTS[:10], "Another one.", *TEXTS[11:]] if change == "item" else TEXTS
    texts = TEXTS[:12] if change == "fewer items" else texts
    seed = 2 if change == "settings" else 1
    if change == "part":
        (folder / "part-00001.parquet").write_bytes(b"PAR1")
    n_same = 0 if change == "settings" else 10
    assert write(folder, texts, seed=seed) == texts[n_same:]
    write(tmp_path / "expected.parquet", texts, seed=seed)
    assert content(folder) == content(tmp_path / "expected.parquet")


def test_more_items_are_appended(tmp_path: Path) -> None:
    folder = tmp_path / "out.parquet"
    write(folder, TEXTS[:15])
    assert write(folder, TEXTS) == TEXTS[10:]
    assert read(folder) == TEXTS


def test_no_rows_give_an_empty_part(tmp_path: Path) -> None:
    write(tmp_path / "out.parquet", [])
    assert parquet.read_table(tmp_path / "out.parquet").num_rows == 0


def test_folder_that_does_not_match_its_manifest_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "out.parquet"
    write(folder, TEXTS)
    part, manifest = folder / "part-00001.parquet", folder / MANIFEST
    data, document = part.read_bytes(), manifest.read_bytes()
    part.write_bytes(data[:-1])
    assert f"part-00001.parquet: has {len(data) - 1:,} bytes instead of {len(data):,}" in str(failure(folder))
    part.write_bytes(data[:-20] + bytes([data[-20] ^ 1]) + data[-19:])
    assert "part-00001.parquet: does not match the sha256 in _manifest.json" in str(failure(folder))
    part.unlink()
    assert "part-00001.parquet: is missing" in str(failure(folder))
    part.write_bytes(data)
    manifest.write_bytes(document.replace(b'"schema_version": 1', b'"schema_version": 2'))
    assert "has version 2, the newest known one is 1" in str(failure(folder))
    manifest.write_text("[]")
    assert "is not a manifest" in str(failure(folder))
    (folder / INCOMPLETE).touch()
    assert "is incomplete" in str(failure(folder.parent))


def test_folders_and_files_of_others_are_not_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "out.parquet"
    folder.mkdir()
    (folder / "notes.txt").write_text("My notes.")
    with pytest.raises(LitotesError, match=r"contains other files \(notes.txt\)"):
        write(folder, TEXTS)
    (tmp_path / "file.parquet").touch()
    with pytest.raises(LitotesError, match="is a file; Parquet is written to a folder"):
        write(tmp_path / "file.parquet", TEXTS)
    schema = pyarrow.schema({"a": pyarrow.string()})
    with (
        open_partitions(tmp_path / "b.parquet", schema, {}, part_rows=1),
        pytest.raises(LitotesError, match="another process is working in this folder"),
    ):
        write(tmp_path / "b.parquet", TEXTS)
