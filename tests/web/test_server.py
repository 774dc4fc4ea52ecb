"""The server of pages on this machine: slow clients, clients that leave, many connections, few open files."""

from __future__ import annotations

import contextlib
import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("starlette")

PROGRAM = """
import resource, sys
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from litotes.web.server import InvalidBodyError, ServerLimits, listen, read_json_body, serve

limits = ServerLimits(connections=int(sys.argv[1]), seconds=float(sys.argv[2]), request_seconds=float(sys.argv[3]))

async def echo(request):
    try:
        return JSONResponse(await read_json_body(request, limits))
    except InvalidBodyError as error:
        return JSONResponse({"error": str(error)}, status_code=error.status)

async def broken(request):
    raise RuntimeError("two\\nlines")

async def large(request):
    return JSONResponse("x" * 50_000_000)

listening = listen("127.0.0.1", 0)
files = int(sys.argv[4])
if files:
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
routes = [Route("/echo", echo, methods=["POST"]), Route("/broken", broken), Route("/large", large)]
print(listening.getsockname()[1], flush=True)
serve(Starlette(routes=routes), listening, limits)
"""
HEAD = b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


class Server:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port
        self.errors = ""

    def connect(self, sent: bytes = b"") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        connection.sendall(sent)
        return connection

    def echo(self, body: bytes = b"{}") -> int:
        """Send a complete request and return the status of its response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        with contextlib.closing(connection):
            connection.request("POST", "/echo", body, {"Content-Type": "application/json"})
            return connection.getresponse().status


@contextlib.contextmanager
def running(
    *, connections: int = 64, seconds: float = 10, request_seconds: float = 30, files: int = 0
) -> Iterator[Server]:
    arguments = map(str, (connections, seconds, request_seconds, files))
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    server = Server(process, int(process.stdout.readline()))
    try:
        assert server.echo() == 200
        yield server
    finally:
        process.kill()
        server.errors = process.communicate()[1]


def is_closed(connection: socket.socket, within: float) -> bool:
    """Return whether the server closes a connection; its response is dropped."""
    connection.settimeout(within)
    try:
        while connection.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return True


def test_client_that_leaves_in_the_middle_of_a_body_is_no_error() -> None:
    with running() as server:
        for _ in range(20):
            server.connect(HEAD % 100 + b'{"half":').close()
        assert server.echo() == 200
    assert server.errors == ""


@pytest.mark.parametrize("sent", [b"", b"POST /echo HT", HEAD[:40]])
def test_slow_head_is_closed(sent: bytes) -> None:
    with running(seconds=0.5) as server, server.connect(sent) as connection:
        assert not is_closed(connection, 0.2)
        assert is_closed(connection, 5)
    assert server.errors == ""


def test_head_that_arrives_byte_by_byte_is_closed() -> None:
    with running(seconds=0.5) as server, server.connect() as connection:
        start = time.monotonic()
        with pytest.raises(ConnectionError):
            for byte in HEAD * 100:
                connection.sendall(bytes([byte]))
                time.sleep(0.05)
        assert time.monotonic() - start < 5
    assert server.errors == ""


def test_slow_body_is_answered_with_408() -> None:
    with running(seconds=0.5) as server, server.connect(HEAD % 100 + b"{") as connection:
        assert connection.recv(1000).startswith(b"HTTP/1.1 408")
    assert server.errors == ""


def test_client_that_does_not_read_is_closed() -> None:
    with running(request_seconds=1) as server, server.connect(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n") as connection:
        time.sleep(2)
        assert is_closed(connection, 5)
        assert server.echo() == 200
    assert server.errors == ""


def test_idle_connection_after_a_response_is_closed() -> None:
    with running(seconds=0.5) as server, server.connect(HEAD % 2 + b"{}") as connection:
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")
        assert is_closed(connection, 5)


@pytest.mark.parametrize("sent", [b"POST /echo HT", HEAD % 100 + b"{"])
@pytest.mark.parametrize("files", [0, 40, 24])
def test_a_hundred_slow_clients_do_not_keep_others_out(sent: bytes, files: int) -> None:
    with running(connections=32, seconds=1, files=files) as server, contextlib.ExitStack() as stack:
        with ThreadPoolExecutor(100) as pool:  # some wait until the server accepts them
            clients = [pool.submit(server.connect, sent) for _ in range(100)]
        for client in clients:
            if client.exception() is None:
                stack.enter_context(client.result())
        start = time.monotonic()
        assert server.echo() == 200
        assert time.monotonic() - start < 8
        assert server.process.poll() is None
    assert "Traceback" not in server.errors
    assert len(server.errors.splitlines()) <= 1


def test_unexpected_error_is_one_line() -> None:
    with running() as server, server.connect(b"GET /broken HTTP/1.1\r\nHost: x\r\n\r\n") as connection:
        assert connection.recv(1000).startswith(b"HTTP/1.1 500")
        assert server.echo() == 200  # the error is logged after the response
    assert server.errors == "[L901] RuntimeError: two lines\n"


def test_invalid_requests_print_nothing() -> None:
    with running() as server:
        for sent in (b"\x00\xff\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"A" * 200_000, b"GET http://[ HTTP/1.1\r\n\r\n"):
            with contextlib.suppress(OSError), server.connect(sent) as connection:
                connection.recv(1000)
        assert server.echo() == 200
    assert server.errors == ""


def test_limits_follow_the_number_of_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    from litotes.web.server import ServerLimits

    used = len(list(Path("/dev/fd").iterdir()))
    monkeypatch.setattr(resource, "getrlimit", lambda _: (used + 28, used + 28))
    assert 8 <= ServerLimits().within_open_files().connections <= 10
    monkeypatch.setattr(resource, "getrlimit", lambda _: (used, used))
    assert ServerLimits().within_open_files().connections == 1
    monkeypatch.setattr(resource, "getrlimit", lambda _: (4096, 4096))
    assert ServerLimits().within_open_files() == ServerLimits()
