"""Fixtures of the review tests: a small suite, its review and the real server."""

from __future__ import annotations

import http.client
import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from litotes.suites.base import Item, Suite
from litotes.suites.folder import save_folder
from litotes.suites.semantoneg import KIND, permute_quadruple

_PAIRS = (("open", "closed"), ("full", "empty"), ("hot", "cold"), ("clean", "dirty"), ("safe", "risky"))
_THINGS = ("kettle", "gate", "attic", "harbour", "oven", "barrel")


def quadruples(count: int) -> list[list[str]]:
    """Return distinct quadruples."""
    made = []
    for number in range(count):
        word, antonym = _PAIRS[number % 5]
        noun = f"{_THINGS[number // 5 % 6]} {number}" if count > 30 else _THINGS[number // 5]
        made.append([f"The {noun} is {word_}." for word_ in (word, antonym, f"not {word}", f"not {antonym}")])
    return made


def write_suite(folder: Path, texts: Sequence[Sequence[str]], *, units: bool = True, **more: Any) -> Path:
    """Return a SemAntoNeg suite of the quadruples: unit u0 has the items u0-1 to u0-4."""
    items = [
        Item(
            id=f"u{number}-{index}",
            group=f"pair {number % 5}",
            sentences=sentences,
            tags={"register": "news" if number % 3 == 0 else "talk"} | ({"unit": f"u{number}"} if units else {}),
        )
        for number, quadruple in enumerate(texts)
        for index, sentences in enumerate(permute_quadruple(quadruple), 1)
    ]
    save_folder(Suite("kettles", KIND, items, "", version="1", source="written for the tests"), folder, **more)
    return folder


@pytest.fixture
def make_suite(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a suite with a number of units or with given quadruples."""

    def make(what: int | Sequence[Sequence[str]] = 6, name: str = "suite", **more: Any) -> Path:
        return write_suite(tmp_path / name, quadruples(what) if isinstance(what, int) else what, **more)

    return make


@pytest.fixture
def suite(make_suite: Callable[..., Path]) -> Path:
    """A folder with a suite of six units."""
    return make_suite()


@dataclass
class Server:
    """A running `litotes review`."""

    process: subprocess.Popen[str]
    url: str
    token: str = field(init=False)
    host: str = field(init=False)

    def __post_init__(self) -> None:
        self.host = urlsplit(self.url).netloc
        self.token = self.url.partition("token=")[2]

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    def raw(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request with these headers and Host only."""
        connection = http.client.HTTPConnection(self.host, timeout=10)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in {"Host": self.host, **(headers or {})}.items():
                connection.putheader(name, value)
            if body is not None and "Transfer-Encoding" not in (headers or {}):
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def get(self, path: str, **parameters: object) -> Any:
        query = f"?{urlencode(parameters)}" if parameters else ""
        status, _, body = self.raw("GET", f"/api/{path}{query}", headers={"X-Litotes-Token": self.token})
        assert status == 200, body
        return json.loads(body)

    def post(self, path: str, **sent: object) -> tuple[int, Any]:
        headers = {"X-Litotes-Token": self.token, "Origin": self.origin, "Content-Type": "application/json"}
        status, _, body = self.raw("POST", f"/api/{path}", json.dumps(sent).encode(), headers)
        return status, json.loads(body)

    def judge(self, unit: str, verdict: str = "accept", annotator: str = "Ana", **more: object) -> Any:
        status, answer = self.post("verdict", unit=unit, verdict=verdict, annotator=annotator, **more)
        assert status == 200, answer
        return answer

    def kill(self) -> None:
        """Send SIGKILL."""
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="session")
def serving(litotes_in: Callable[[Path], Any]) -> Callable[..., Any]:
    """Return a context manager that serves the review of a folder."""

    @contextmanager
    def serving(folder: Path, *options: object) -> Iterator[Server]:
        process = litotes_in(folder.parent).start("review", folder, "--no-browser", *options)
        try:
            yield Server(process, process.stdout.readline().strip())
        finally:
            process.kill()
            process.communicate()

    return serving


@pytest.fixture(scope="session")
def write_suite_in() -> Callable[..., Path]:
    """Return a function that writes such a suite into a given folder."""

    def write(folder: Path, what: int | Sequence[Sequence[str]], **more: Any) -> Path:
        return write_suite(folder, quadruples(what) if isinstance(what, int) else what, **more)

    return write
