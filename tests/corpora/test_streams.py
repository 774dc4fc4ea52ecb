"""Decompression, immediate records and constant memory."""

from __future__ import annotations

import bz2
import gzip
import itertools
import os
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from litotes.core.errors import LitotesError
from litotes.corpora.read import read_corpus

MEGABYTE = 1 << 20


def packers() -> dict[str, Callable[[bytes], bytes]]:
    result: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".bz2": bz2.compress}
    try:
        import zstandard
    except ImportError:
        return result
    return {**result, ".zst": zstandard.compress}


needs_zstandard = pytest.mark.skipif(".zst" not in packers(), reason="zstandard is not installed")
LINES = "".join(f"Gate {number * number * 7919 % 10_007} is not open.\n" for number in range(30_000)).encode()


@pytest.mark.parametrize("ending", [".gz", ".bz2", pytest.param(".zst", marks=needs_zstandard)])
@pytest.mark.parametrize("name", ["a.txt", "no-ending"])
def test_compressed_files_are_read(tmp_path: Path, ending: str, name: str) -> None:
    pack = packers()[ending]
    path = tmp_path / (f"{name}{ending}" if name == "a.txt" else name)
    path.write_bytes(pack(LINES) + pack(b"The last one.\n"))  # concatenated files are one file
    records = list(read_corpus([str(path)]))
    assert (len(records), records[-1].text, records[-1].id) == (30_001, "The last one.", f"{path.name}:30001")


@needs_zstandard
def test_truncated_zst_file_is_an_error(tmp_path: Path) -> None:
    packed = packers()[".zst"](LINES * 5)
    path = tmp_path / "a.txt.zst"
    path.write_bytes(packed[: len(packed) // 2])
    read = []
    with pytest.raises(LitotesError, match="is truncated"):
        read.extend(iter(read_corpus([str(path)])))
    path.write_bytes(packed[:40] + b"\xaa" * 40 + packed[80:])
    with pytest.raises(LitotesError, match=r"is damaged|is truncated"):
        list(read_corpus([str(path)]))


def test_missing_zstandard_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    (tmp_path / "a.txt.zst").write_bytes(b"\x28\xb5\x2f\xfd and more")
    with pytest.raises(LitotesError, match=r"\[L103\] zstandard.*pip install 'litotes\[corpora\]'"):
        list(read_corpus([str(tmp_path / "a.txt.zst")]))


WORD = b"1" + b"\tx" * 9 + b"\n\n"
ENDLESS = [
    ("pipe.txt", "text", [b"One came.\n", b"Two went.\n"]),
    ("pipe.txt", "running", [b"One came.\n\n", b"Two\nwent.\n\n"]),
    ("pipe.jsonl", "jsonl", [b'{"text": "One came."}\n', b'{"text": "Two went."}\n']),
    ("pipe.csv", "csv", [b'n,text\n1,"One\ncame."\n', b"2,Two went.\n"]),
    ("pipe.tsv", "tsv", [b"n\ttext\n1\tOne came.\n", b"2\tTwo went.\n"]),
    ("pipe.mrg", "ptb", [b"( (S (NN One) (VB came.)))\n", b"( (S (NN Two) (VB went.)))\n"]),
    ("pipe.conllu", "conllu", [b"# text = One came.\n" + WORD, b"# text = Two went.\n" + WORD]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "format", "parts"), ENDLESS)
@pytest.mark.parametrize("named", [True, False])
def test_record_is_returned_before_the_next_line_arrives(
    tmp_path: Path, name: str, format: str, parts: list[bytes], named: bool
) -> None:
    pipe = tmp_path / name
    os.mkfifo(pipe)
    events = [threading.Event(), threading.Event()]

    def write() -> None:
        with pipe.open("wb", buffering=0) as file:
            for event, part in zip(events, parts, strict=True):
                assert event.wait(30)
                file.write(part)
            events[1].clear()
            events[1].wait(30)  # the pipe stays open, so that waiting for its end would block

    writer = threading.Thread(target=write)
    writer.start()
    options = {"format": format} if named else {"split": format == "running"}
    records = read_corpus([str(pipe)], **options)  # type: ignore[arg-type]
    events[0].set()
    assert next(records).text == "One came."
    events[1].set()
    assert next(records).text == "Two went."
    events[1].set()
    writer.join(30)


def test_reading_of_an_endless_stream_can_be_stopped(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["sh", "-c", f"yes 'Nobody came.' > '{pipe}'"], stderr=subprocess.DEVNULL) as process:
        records = read_corpus([str(pipe)])
        assert [record.id for record in itertools.islice(records, 3)] == ["pipe:1", "pipe:2", "pipe:3"]
        records.close()  # type: ignore[attr-defined]
        process.terminate()


WORDS = "The keeper of the northern gate did not let anybody in before the bells had rung, as the order required" * 20
LARGE = [
    ("a.txt", {}, "", f"{WORDS}.\n", 4),
    ("a.txt", {"split": True}, "", f"{WORDS}.\n", 6),
    ("a.csv", {}, "n,text\n", f'1,"{WORDS}."\n', 6),
    ("a.jsonl", {}, "", f'{{"text": "{WORDS}."}}\n', 4),
    ("a.txt", {}, "pair_ID\tsentence_A\tsentence_B\n", f"1\t{WORDS}\tNo.\n", 14),
    ("a.txt", {}, "One.\n", WORDS, 6),
]


@pytest.mark.parametrize(("name", "options", "start", "line", "most"), LARGE)
def test_memory_does_not_grow_with_the_corpus(
    tmp_path: Path, name: str, options: dict[str, bool], start: str, line: str, most: int
) -> None:
    path = tmp_path / name
    piece = (line * 1_000).encode()
    with path.open("wb") as file:
        file.write(start.encode())
        for _ in range(50 * MEGABYTE // len(piece)):
            file.write(piece)
    records = read_corpus([str(path)], **options)  # type: ignore[arg-type]
    next(records)  # loads the modules before memory is measured
    tracemalloc.start()
    try:
        count = sum(1 for _ in records)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count > 20_000 or line is WORDS  # the last case is one line of 50 MB
    assert peak < most * MEGABYTE


@pytest.mark.parametrize("ending", [".gz", ".bz2", pytest.param(".zst", marks=needs_zstandard)])
def test_highly_compressed_file_does_not_fill_the_memory(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.txt{ending}"
    path.write_bytes(packers()[ending](b"One.\n" + b"x" * (60 * MEGABYTE)))
    records = read_corpus([str(path)])
    tracemalloc.start()
    try:
        assert [record.text for record in records] == ["One."]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 24 * MEGABYTE
