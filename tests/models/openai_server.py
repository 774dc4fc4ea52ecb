"""A server on this machine with the OpenAI protocol and all kinds of failures."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from litotes.core.http import RetryPolicy

WIDTH = 6
KEY = "mine.very-secret-0123456789"


class Server(ThreadingHTTPServer):
    """Answer correctly, unless the test has set another answer."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[dict[str, Any]] = []
        """The requests: path, headers and body."""
        self.connections = 0
        self.next: deque[Behaviour] = deque()
        """The answers to the next requests; later requests are answered correctly."""
        self.always: Behaviour | None = None
        self.speak: Callable[[dict[str, Any]], dict[str, Any]] = lambda body: completion("A")
        """The answer of the chat."""
        self.width = WIDTH
        self.called = "the-real-name"
        self.most_at_once = 0
        self.under_way = 0
        self.lock = threading.Lock()
        self.released = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def asked(self) -> list[str]:
        """All texts in the order of the requests."""
        return [text for request in self.requests for text in request["body"].get("input", [])]

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections += 1
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # some tests close the connection


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.under_way += 1
            self.server.most_at_once = max(self.server.most_at_once, self.server.under_way)
            self.server.requests.append({"path": self.path, "headers": dict(self.headers), "body": body})
            behaviour = self.server.next.popleft() if self.server.next else self.server.always
        try:
            (behaviour or well)(self, body)
        finally:
            with self.server.lock:
                self.server.under_way -= 1

    def log_message(self, format: str, *args: object) -> None:
        pass

    def send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def hang_up(self) -> None:
        self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


Behaviour = Callable[[Handler, dict[str, Any]], None]


def vector(text: str, width: int = WIDTH) -> list[float]:
    """Return the vector of a text."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return [(byte - 128) / 128 for byte in digest[:width]]


def well(handler: Handler, body: dict[str, Any]) -> None:
    if handler.path.endswith("/embeddings"):
        reply(embeddings(handler.server, body))(handler, body)
    else:
        reply({"model": handler.server.called, **handler.server.speak(body)})(handler, body)


def embeddings(server: Server, body: dict[str, Any]) -> dict[str, Any]:
    width = body.get("dimensions") or server.width
    rows: list[Any] = [vector(text, width) for text in body["input"]]
    if body.get("encoding_format") == "base64":
        rows = [base64.b64encode(struct.pack(f"<{width}f", *row)).decode() for row in rows]
    data = [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)]
    return {
        "object": "list",
        "model": server.called,
        "data": data[::-1],
    }  # in another order


def reply(value: object, status: int = 200, **headers: str) -> Behaviour:
    """Answer with a JSON document."""
    return raw(json.dumps(value).encode(), status, **headers)


def raw(body: bytes, status: int = 200, **headers: str) -> Behaviour:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler, _: handler.send(status, body, named)


def error(
    status: int, message: str = "it does not like it", *, param: str | None = None, code: str = "", **headers: str
) -> Behaviour:
    """Answer with an error in the format of OpenAI's server."""
    return reply({"error": {"message": message, "type": "some_error", "param": param, "code": code}}, status, **headers)


def changed(change: Callable[[dict[str, Any]], object]) -> Behaviour:
    """Answer with a modified correct answer."""

    def behave(handler: Handler, body: dict[str, Any]) -> None:
        answer = embeddings(handler.server, body)
        change(answer)
        reply(answer)(handler, body)

    return behave


def cut(handler: Handler, body: dict[str, Any]) -> None:
    """Send half of the announced bytes."""
    content = json.dumps(embeddings(handler.server, body)).encode()
    handler.send(200, content[: len(content) // 2], {"Content-Length": str(len(content))})
    handler.hang_up()


def cut_in_a_chunk(handler: Handler, body: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b'40\r\n{"data": [')
    handler.hang_up()


def cut_without_a_length(handler: Handler, body: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.wfile.write(b'{"data": [{"index": 0, "embedd')
    handler.hang_up()


def hang_up(handler: Handler, body: dict[str, Any]) -> None:
    handler.hang_up()


def stall(handler: Handler, body: dict[str, Any]) -> None:
    """Send nothing until the end of the test."""
    handler.server.released.wait(10)
    handler.close_connection = True


def trickle(handler: Handler, body: dict[str, Any]) -> None:
    """Send bytes slowly, for longer than any timeout."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.close_connection = True
    with contextlib.suppress(OSError):
        for _ in range(500):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            if handler.server.released.wait(0.02):
                return


def completion(
    text: str | None, top: Sequence[Mapping[str, float]] | None = None, finish: str = "stop"
) -> dict[str, Any]:
    """Return a chat answer; `top` contains the most likely tokens per position with log-probabilities."""
    choice: dict[str, Any] = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}
    if top is not None:
        choice["logprobs"] = {
            "content": [
                {
                    "token": next(iter(index)),
                    "logprob": next(iter(index.values())),
                    "top_logprobs": [{"token": token, "logprob": value} for token, value in index.items()],
                }
                for index in top
            ]
        }
    return {"object": "chat.completion", "choices": [choice]}


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    """Start a server."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()


@dataclass
class Clock:
    """A clock that advances only while sleeping."""

    now: float = 100.0
    waited: list[float] = field(default_factory=list)

    def sleep(self, seconds: float, cancelled: threading.Event) -> None:
        self.waited.append(round(seconds, 3))
        self.now += seconds

    def policy(self, max_attempts: int = 4) -> RetryPolicy:
        return RetryPolicy(max_attempts=max_attempts, sleep=self.sleep, clock=lambda: self.now, random=lambda: 1.0)


# Fixtures for tests with a server; each module imports them by assignment.


@pytest.fixture(autouse=True)
def no_network() -> None:
    """Override the fixture that forbids connections, because the server is on this machine."""


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "http_proxy", "https_proxy", "no_proxy", "HF_HUB_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server
