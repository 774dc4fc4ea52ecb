"""Samples of corpora: evenly from all files, whole lines, in the same format."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.corpora.read import read_corpus
from litotes.planning.sample import sample_corpus


def numbered(n_lines: int, start: int = 0) -> bytes:
    return "".join(f"The lamp in room {n} is not new.\n" for n in range(start, start + n_lines)).encode()


def records(files: tuple[str, ...]) -> list[str]:
    return [record.text for record in read_corpus(files)]


def test_a_file_is_sampled_at_even_places_in_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(numbered(50_000))
    sample = sample_corpus([str(path)], tmp_path / "sample", max_bytes=40_000)
    numbers = [int(text.split()[4]) for text in records(sample.files)]
    assert numbers == sorted(set(numbers)) and numbers[0] == 0 and numbers[-1] > 46_000
    assert len(numbers) / sample.share == pytest.approx(50_000, rel=0.02)
    tenths = {number // 5_000 for number in numbers}
    assert tenths == set(range(10))


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress])
def test_the_text_of_compressed_files_is_estimated(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    ending = ".gz" if compress is gzip.compress else ".bz2"
    path = tmp_path / f"notes.txt{ending}"
    words = Random(0).choices([f"word{n}" for n in range(10_000)], k=400_000)
    path.write_bytes(compress("".join(f"The {word} is not new.\n" for word in words).encode()))
    sample = sample_corpus([str(path)], tmp_path / "sample", max_bytes=1 << 22)
    n_records = len(records(sample.files))
    assert n_records < 200_000
    assert n_records / sample.share == pytest.approx(400_000, rel=0.15)


def test_many_files_are_sampled_evenly(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number in range(40):
        (folder / f"part-{number:02}.txt").write_bytes(numbered(500, number * 500))
    sample = sample_corpus([str(folder)], tmp_path / "sample", max_bytes=64_000)
    assert len(sample.files) == 16
    assert len(records(sample.files)) / sample.share == pytest.approx(20_000, rel=0.1)


def test_tables_keep_their_header(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("id,text\n" + "".join(f'{n},"The lamp in room {n}, upstairs, is new."\n' for n in range(20_000)))
    sample = sample_corpus([str(path)], tmp_path / "sample", max_bytes=40_000)
    texts = [record.text for record in read_corpus(sample.files, columns=["text"])]
    assert len(texts) > 500 and all(text.endswith("upstairs, is new.") for text in texts)


def test_paragraphs_stay_whole(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text("".join(json.dumps({"text": f"Room {n} is new."}) + "\n\n" for n in range(20_000)))
    sample = sample_corpus([str(path)], tmp_path / "sample", max_bytes=40_000)
    assert len(records(sample.files)) / sample.share == pytest.approx(20_000, rel=0.05)


def test_row_groups_of_parquet_are_sampled_evenly(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from pyarrow import parquet

    texts = [f"The lamp in room {n} is not new." for n in range(60_000)]
    table = pyarrow.table({"text": texts, "year": [1900] * len(texts)})
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=2_000)
    sample = sample_corpus([str(tmp_path / "a.parquet")], tmp_path / "sample", max_bytes=20_000)
    numbers = [int(text.split()[4]) for text in records(sample.files)]
    assert numbers == sorted(set(numbers)) and numbers[-1] > 50_000
    assert len(numbers) / sample.share == pytest.approx(60_000, rel=0.01)


def test_remote_files_are_sampled(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    fsspec.filesystem("memory").pipe_file("/corpus/notes.txt", numbered(50_000))
    sample = sample_corpus(["memory://corpus/notes.txt"], tmp_path / "sample", max_bytes=40_000)
    assert len(records(sample.files)) / sample.share == pytest.approx(50_000, rel=0.02)


def test_small_corpora_are_used_completely(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(numbered(10))
    sample = sample_corpus([str(path)], tmp_path / "sample", max_bytes=1 << 20)
    assert sample.share == 1 and len(records(sample.files)) == 10


def test_sources_without_a_size_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="its size is not known"):
        sample_corpus(["-"], tmp_path / "sample", max_bytes=1 << 20)
    (tmp_path / "empty.txt").touch()
    with pytest.raises(LitotesError, match="it is empty"):
        sample_corpus([str(tmp_path / "empty.txt")], tmp_path / "sample", max_bytes=1 << 20)
