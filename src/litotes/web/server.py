"""Local servers on uvicorn: a listening socket, limits for slow or many clients, JSON bodies, one line per error."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import logging
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from litotes.core.errors import UsageError, single_line

_LOG = logging.getLogger("litotes.web")
_RESERVED_FILES = 8
"""Open files that handlers may need at the same time, such as a database and its journal."""


@dataclass(frozen=True)
class ServerLimits:
    """What a server grants its clients."""

    connections: int = 64
    """Beyond it, the oldest connection without a complete request is closed."""
    seconds: float = 10
    """Time for the head of a request, and time for its body."""
    request_seconds: float = 30
    """Time from the head of a request to the end of its response."""
    body_bytes: int = 64 * 1024

    def within_open_files(self) -> ServerLimits:
        """Return the limits with as many connections as this process may open files."""
        spare = _spare_files()
        if spare is None or spare >= 2 * self.connections:
            return self
        return ServerLimits(max(1, spare // 2), self.seconds, self.request_seconds, self.body_bytes)


def _spare_files() -> int | None:
    """Return how many more files this process may open; None if that is unknown."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        return limit - len(list(Path("/dev/fd").iterdir())) - _RESERVED_FILES
    except (ImportError, OSError):
        return None


class InvalidBodyError(ValueError):
    """A request whose body cannot be used, with the status of the response."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def read_json_body(request: Request, limits: ServerLimits) -> dict[str, Any]:
    """Return the JSON object in the body of a request."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise InvalidBodyError(415, "the content type must be application/json")
    try:
        content = await asyncio.wait_for(_read_body(request, limits.body_bytes), limits.seconds)
    except (TimeoutError, asyncio.TimeoutError):
        raise InvalidBodyError(408, "the request takes too long") from None
    except ClientDisconnect:
        raise InvalidBodyError(400, "the request ends too early") from None  # received by no client
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise InvalidBodyError(400, "the body is not JSON") from None
    if not isinstance(body, dict):
        raise InvalidBodyError(400, "the body must be a JSON object")
    return body


async def _read_body(request: Request, max_bytes: int) -> bytes:
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > max_bytes:
            raise InvalidBodyError(413, "the request is too long")
    return content


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; connections queue until the server runs."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        with _closed_on_error(listening):
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(64)
    except (OSError, OverflowError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            "L102", f"cannot serve on {host}, port {port} ({reason})", hint="choose another host or port"
        ) from error
    return listening


@contextlib.contextmanager
def _closed_on_error(listening: socket.socket) -> Iterator[None]:
    try:
        yield
    except BaseException:
        listening.close()
        raise


class _ErrorLine:
    """ASGI middleware that answers an unexpected error with status 500 and logs one line instead of a traceback."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        try:
            await self._app(scope, receive, send)
        except Exception as error:  # noqa: BLE001  (whatever it is, the server continues)
            _LOG.error("[L901] %s: %s", type(error).__name__, single_line(str(error))[:200])
            with contextlib.suppress(Exception):  # the response has been started, or the client has left
                await JSONResponse({"error": "internal error"}, status_code=500)(scope, receive, send)


def _limited_protocol(limits: ServerLimits) -> type[H11Protocol]:
    """Return uvicorn's protocol with time limits for requests, and a limit of connections."""

    class LimitedProtocol(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._since = self.loop.time()
            self._timer: asyncio.TimerHandle | None = None
            self._watched: object = self  # neither None nor a request
            self._watch()
            if len(self.connections) > limits.connections:
                ours = (other for other in self.connections if isinstance(other, LimitedProtocol))
                waiting = (other for other in ours if other.is_idle or other.cycle.more_body)
                min(waiting, key=lambda other: other._since).transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            if self._timer is not None:
                self._timer.cancel()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._watch()

        @property
        def is_idle(self) -> bool:
            """Whether no complete head of a request has been received since the last response."""
            return self.cycle is None or self.cycle.response_complete

        def _watch(self) -> None:
            """Restart the timer if a request begins or ends; a client that sends byte by byte does not restart it."""
            current = None if self.is_idle else self.cycle
            if current is self._watched:
                return
            self._watched = current
            if self._timer is not None:
                self._timer.cancel()
            seconds = limits.seconds if current is None else limits.request_seconds
            self._timer = self.loop.call_later(seconds, self.transport.abort)

    return LimitedProtocol


def serve(app: ASGIApp, listening: socket.socket, limits: ServerLimits | None = None) -> None:
    """Serve until the process is interrupted."""
    limits = (limits or ServerLimits()).within_open_files()
    config = uvicorn.Config(
        _ErrorLine(app),
        http=_limited_protocol(limits),
        log_level="critical",
        access_log=False,  # it would contain the token
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
        backlog=max(1, limits.connections // 4),  # at most so many connections are accepted before others are closed
        timeout_keep_alive=5,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(_one_line_per_reason())
        await server.serve(sockets=[listening])

    asyncio.run(run())


def _one_line_per_reason() -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """Return a handler of errors outside requests: each is logged once, as one line."""
    logged: set[str] = set()

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        message = str(context.get("message", ""))
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            message = "too many open files; connections wait until others are closed"
        if message not in logged:
            logged.add(message)
            _LOG.error("%s", single_line(message))

    return handle
