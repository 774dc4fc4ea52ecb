"""Corpora on object storage: a local S3 server, file:// and an in-memory file system."""

from __future__ import annotations

import gzip
import json
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from litotes.core.errors import LitotesError
from litotes.corpora.read import describe_sources, read_corpus
from litotes.corpora.remote import check_network
from tests.s3_server import S3Server, s3_server

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from pyarrow import Table, parquet

TEXTS = [f"The lamp in room {number} is not new." for number in range(6)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with s3_server(tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two sentences in each of several formats."""
    folder = tmp_path_factory.mktemp("local") / "notes"
    (folder / "2025").mkdir(parents=True)
    parquet.write_table(Table.from_pydict({"text": TEXTS[:2], "n": [1, 2]}), folder / "2025" / "a.parquet")
    (folder / "b.txt.gz").write_bytes(gzip.compress("".join(f"{text}\n" for text in TEXTS[2:4]).encode()))
    (folder / "c.jsonl").write_text("".join(f"{json.dumps({'text': text})}\n" for text in TEXTS[4:]))
    (folder / "README.txt").write_text("Not a corpus.\n")
    return folder


@pytest.fixture(scope="module")
def url(server: S3Server, local: Path) -> str:
    return server.put_folder("notes", local)


def read(*sources: str, columns: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(record.id, record.text) for record in read_corpus(sources, columns=columns)]


def failure(*sources: str) -> LitotesError:
    with pytest.raises(LitotesError) as caught:
        read(*sources)
    return caught.value


def test_folder_is_read_like_a_local_one(url: str, local: Path) -> None:
    assert read(url) == read(str(local)) == read(local.as_uri())
    assert [text for _, text in read(url)] == TEXTS
    assert read(url)[0][0] == "2025/a.parquet:1"


def test_patterns_and_single_files(server: S3Server, url: str, local: Path) -> None:
    assert read(server.url("notes/*.jsonl")) == read(f"{local}/*.jsonl") == read(server.url("notes/c.jsonl"))
    assert read(server.url("notes/**/*.parquet")) == read(f"{local}/**/*.parquet")
    assert [text for _, text in read(server.url("notes/[bc].*"))] == TEXTS[2:]
    assert read(server.url("notes/2025/a.parquet")) == [("a.parquet:1", TEXTS[0]), ("a.parquet:2", TEXTS[1])]


def test_endpoint_and_region_from_the_environment(server: S3Server, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    assert read("s3://corpora/notes/") == read(url)


def test_description_has_the_size_and_the_format(url: str, local: Path) -> None:
    described = describe_sources([url])
    assert [(source["name"], source["format"]) for source in described] == [
        ("2025/a.parquet", "parquet"),
        ("b.txt.gz", "text"),
        ("c.jsonl", "jsonl"),
    ]
    assert described[2]["bytes"] == (local / "c.jsonl").stat().st_size


def test_large_file_is_complete(server: S3Server) -> None:
    content = "".join(f"This is sentence {number} of a long file.\n" for number in range(250_000))
    assert len(content) > 2 << 22  # several requests
    records = read(server.put("large.txt", content.encode()))
    assert len(records) == 250_000 and records[-1][1] == "This is sentence 249999 of a long file."


def test_in_memory_file_system(local: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.put(str(local), "/notes", recursive=True)
    try:
        assert read("memory://notes") == read(str(local))
    finally:
        memory.rm("/notes", recursive=True)


def test_wrong_addresses_are_one_line(server: S3Server, url: str) -> None:
    cases = {
        server.url("notes", bucket="no-bucket"): ("L201", "s3://no-bucket/notes: no such bucket (no-bucket)"),
        server.url("notes/d.txt"): ("L201", "s3://corpora/notes/d.txt: no such file or folder"),
        server.url("notes/*.csv"): ("L201", "s3://corpora/notes/*.csv: no file matches"),
        f"{url}&colour=red": ("L102", "Unexpected query parameter"),
        "s3://": ("L102", "names no bucket"),
        "ftp://host/notes.txt": ("L102", "unknown file system; known: file://, s3://, gs://, hf://"),
        "s3://key:secret@corpora/notes": ("L102", "s3://corpora/notes: the address contains a key"),
    }
    for source, (code, message) in cases.items():
        error = failure(source)
        assert error.code == code and message in str(error), str(error)
        assert "secret" not in str(error)


def test_corrupt_row_group_names_file_and_number(server: S3Server, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    plain = {"compression": "none", "use_dictionary": False, "write_statistics": False}
    parquet.write_table(Table.from_pydict({"text": TEXTS}), path, row_group_size=2, write_page_checksum=True, **plain)
    content = bytearray(path.read_bytes())
    content[content.index(b"room 3")] ^= 1
    source = server.put("damaged/a.parquet", bytes(content))
    records = read_corpus([source])
    assert [next(records).text, next(records).text] == TEXTS[:2]
    with pytest.raises(LitotesError, match=r"L203. a.parquet: row group 2 of 3 is damaged"):
        list(records)


def test_folder_without_a_corpus_file(server: S3Server) -> None:
    server.put("empty/README.md", b"Nothing.")
    assert "no corpus file in the folder" in str(failure(server.url("empty")))


def test_unreachable_server_is_one_line(server: S3Server) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # nothing listens there
        port = unused.getsockname()[1]
        error = failure(f"s3://corpora/notes?endpoint_override=127.0.0.1:{port}&scheme=http&region=us-east-1")
    assert error.code == "L501" and error.is_retryable
    assert str(error).startswith("[L501] s3://corpora/notes: cannot be read (")


def test_network_is_not_used_offline(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for source in ("s3://bucket/notes", "gs://bucket/notes", "hf://datasets/owner/name/a.parquet"):
        with pytest.raises(LitotesError, match="L309"):
            check_network([source], may_use_network=False)
    check_network([url, "notes.txt", "hf:owner/name", "file:///notes"], may_use_network=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert failure("s3://bucket/notes").code == "L309"
    assert len(read(url)) == len(TEXTS)  # the server is on this machine


def test_missing_pyarrow_names_the_extra(
    url: str, local: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(local / "2025" / "a.parquet", tmp_path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for source in (str(tmp_path / "a.parquet"), url.replace("region", "region=x&region")):
        error = failure(source)
        assert error.code == "L103" and "pip install 'litotes[parquet]'" in str(error)
