"""A model hub on this machine: its cache on disk and a server with the hub's interface."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

COMMIT = "c" * 40


def put_in_cache(cache: Path, repository: str, folder: Path, *, commit: str = COMMIT, ref: str | None = "main") -> Path:
    """Copy a model into the cache layout of the hub's client: blobs, a snapshot of links, a ref."""
    top = cache / ("models--" + repository.replace("/", "--"))
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        blob = top / "blobs" / hashlib.sha256(content).hexdigest()
        blob.parent.mkdir(parents=True, exist_ok=True)
        blob.write_bytes(content)
        link = top / "snapshots" / commit / path.relative_to(folder)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(os.path.relpath(blob, link.parent))
    if ref is not None:
        (top / "refs").mkdir(exist_ok=True)
        (top / "refs" / ref).write_text(commit)
    return top / "snapshots" / commit


class Hub(ThreadingHTTPServer):
    """Serves folders as repositories with one commit, on the branch main."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.repositories: dict[str, Path] = {}
        self.gated: set[str] = set()
        self.broken: set[str] = set()
        self.requests: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def downloaded_files(self) -> set[str]:
        """The names of the downloaded files."""
        return {
            path.partition("/resolve/")[2].partition("/")[2] for path in self.requests if path.startswith("GET ")
        } - {""}


class _Handler(BaseHTTPRequestHandler):
    server: Hub
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _answer(self) -> None:
        path = unquote(urlsplit(self.path).path)
        self.server.requests.append(f"{self.command} {path}")
        name, what, revision, path_in_repository = _parts(path)
        folder = self.server.repositories.get(name)
        if name in self.server.gated:
            self._refuse(403, "GatedRepo")
        elif name in self.server.broken:
            self._refuse(500, "")
        elif folder is None:
            self._refuse(404, "RepoNotFound")
        elif revision not in ("main", COMMIT):
            self._refuse(404, "RevisionNotFound")
        elif what == "revision":
            files = [{"rfilename": file} for file in _files(folder)]
            self._send_json({"id": name, "sha": COMMIT, "siblings": files})
        elif what == "tree":
            self._send_json([_entry(folder, file) for file in _files(folder)])
        elif what == "resolve" and (folder / path_in_repository).is_file():
            self._send((folder / path_in_repository).read_bytes())
        else:
            self._refuse(404, "EntryNotFound")

    def _send_json(self, value: object) -> None:
        self._send(json.dumps(value).encode())

    def _send(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("ETag", f'"{hashlib.sha1(body).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self._finish(body)

    def _refuse(self, status: int, code: str) -> None:
        self.send_response(status)
        if code:
            self.send_header("X-Error-Code", code)
        self._finish(b"")

    def _finish(self, body: bytes) -> None:
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)


def _parts(path: str) -> tuple[str, str, str, str]:
    """Return repository, kind of request, revision and path."""
    pieces = path.strip("/").split("/")
    if pieces[:2] == ["api", "models"]:
        pieces = pieces[2:]
    for what in ("revision", "tree", "resolve"):
        if what in pieces:
            position = pieces.index(what)
            return "/".join(pieces[:position]), what, pieces[position + 1], "/".join(pieces[position + 2 :])
    return "/".join(pieces), "revision", "main", ""


def _files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _entry(folder: Path, name: str) -> dict[str, object]:
    content = (folder / name).read_bytes()
    return {"type": "file", "path": name, "size": len(content), "oid": hashlib.sha1(content).hexdigest()}


@contextmanager
def serving() -> Iterator[Hub]:
    """Start a hub."""
    hub = Hub()
    thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.shutdown()
        hub.server_close()
