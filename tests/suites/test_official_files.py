"""Download of published files from a local server."""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.suites.official_files import OFFICIAL_FILES, OfficialFile, fetch, find_data

BODY = b'{"input": "That is good."}\n' * 50
PAGES = {"/toy.json": BODY, "/mirror/toy.json": BODY, "/other/toy.json": b"another file"}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.seen.append(self.path)  # type: ignore[attr-defined]
        body = PAGES.get(self.path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[str] = []
        self.url = f"http://127.0.0.1:{self.server_port}"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("LITOTES_DATA", str(tmp_path / "data"))
    with Server() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        toy = OfficialFile(
            "toy", "toy.json", "CC0", url=f"{server.url}/toy.json", sha256=hashlib.sha256(BODY).hexdigest()
        )
        monkeypatch.setitem(OFFICIAL_FILES, "toy", toy)
        yield server
        server.shutdown()


def test_file_is_stored_in_the_data_folder(server: Server, tmp_path: Path) -> None:
    assert fetch("toy") == tmp_path / "data" / "toy.json" == find_data("toy")
    assert (tmp_path / "data" / "toy.json").read_bytes() == BODY
    assert server.seen == ["/toy.json"]


def test_existing_file_is_not_downloaded_again(server: Server) -> None:
    assert fetch("toy") == fetch("toy")
    assert len(server.seen) == 1


def test_folder_and_progress_callback(server: Server, tmp_path: Path) -> None:
    reports: list[tuple[int, int | None]] = []
    path = fetch("toy", folder=tmp_path / "here", on_progress=lambda *now: reports.append(now))
    assert path == tmp_path / "here" / "toy.json"
    assert reports[-1] == (len(BODY), len(BODY))


def test_file_is_downloaded_from_a_mirror(server: Server) -> None:
    assert fetch("toy", url=f"{server.url}/mirror/toy.json").read_bytes() == BODY
    assert server.seen == ["/mirror/toy.json"]


def test_different_file_from_a_mirror_is_refused(server: Server, tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=r"L502.*/other/toy\.json"):
        fetch("toy", url=f"{server.url}/other/toy.json")
    assert [path.name for path in (tmp_path / "data").iterdir()] == []


def test_missing_page_is_an_error(server: Server) -> None:
    with pytest.raises(LitotesError, match=r"L501.*404"):
        fetch("toy", url=f"{server.url}/gone")


def test_offline_sends_no_request(server: Server, tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=r"L501.*because of --offline"):
        fetch("toy", offline=True)
    assert server.seen == []
    assert not (tmp_path / "data").exists()


def test_offline_returns_an_existing_file(server: Server) -> None:
    path = fetch("toy")
    assert fetch("toy", offline=True) == path
    path.write_bytes(b"spoilt")
    with pytest.raises(LitotesError, match="L501"):
        fetch("toy", offline=True)


def test_missing_httpx_is_an_error(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(LitotesError, match=r"L103.*httpx is not installed.*litotes\[http\]"):
        fetch("toy")


def test_unknown_name_suggests_similar_ones(server: Server) -> None:
    with pytest.raises(UsageError, match=r"L101.*semantoneg"):
        fetch("semantonge")
