"""The web server of a review: the page, its files, and what the page asks for."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Awaitable, Callable, Iterator
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from litotes.core.errors import LitotesError, UsageError
from litotes.review.access import TOKEN_HEADER, Access, Guard, same
from litotes.review.desk import Answer, Desk
from litotes.review.verdicts import WrongVerdict

MAX_BODY = 64 * 1024
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}

Handler = Callable[[Request], Awaitable[Response]]


def make_app(desk: Desk, access: Access) -> ASGIApp:
    """The application.

    Its handlers do not run in threads: each takes milliseconds, and one after the other is what SQLite wants.
    """
    assets = _assets()

    async def page(request: Request) -> Response:
        if access.take_ticket(request.query_params.get("ticket")):
            return RedirectResponse(access.url, 303)
        name, value = access.cookie
        if access.has_token(request.query_params.get("token")):
            response = _file(assets, "index.html")
            response.set_cookie(name, value, httponly=True, samesite="strict")
            return response
        if same(request.cookies.get(name, ""), value):
            return _file(assets, "index.html")
        response = _file(assets, "refused.html")
        response.status_code = 403
        return response

    async def asset(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in assets or name.endswith(".html"):
            return PlainTextResponse("not found\n", status_code=404)
        return _file(assets, name)

    def asked(answer: Callable[[dict[str, Any]], Answer]) -> Handler:
        async def handle(request: Request) -> Response:
            return _told(lambda: answer(dict(request.query_params)))

        return _with_token(handle, access)

    def sent(answer: Callable[[dict[str, Any]], Answer]) -> Handler:
        async def handle(request: Request) -> Response:
            try:
                body = await _body(request)
            except _WrongBody as wrong:
                return _problem(wrong.status, str(wrong))
            return _told(lambda: answer(body))

        return _with_token(handle, access)

    routes = [
        Route("/", page),
        Route("/page/{name}", asset),
        Route("/api/about", asked(lambda _: desk.about())),
        Route("/api/unit", asked(desk.unit)),
        Route("/api/rows", asked(desk.rows)),
        Route("/api/status", asked(desk.status)),
        Route("/api/verdict", sent(desk.judge), methods=["POST"]),
        Route("/api/undo", sent(desk.undo), methods=["POST"]),
    ]
    return Guard(Starlette(routes=routes), access)


def _assets() -> dict[str, bytes]:
    folder = files("litotes.review") / "page"
    return {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}


def _file(assets: dict[str, bytes], name: str) -> Response:
    ending = name[name.rindex(".") :]
    return Response(assets[name], media_type=_TYPES[ending])


def _with_token(handle: Handler, access: Access) -> Handler:
    async def guarded(request: Request) -> Response:
        if not access.has_token(request.headers.get(TOKEN_HEADER)):
            return _problem(403, "open the address that litotes review printed")
        return await handle(request)

    return guarded


def _told(answer: Callable[[], Answer]) -> Response:
    try:
        return JSONResponse(answer())
    except WrongVerdict as wrong:
        return _problem(400, str(wrong))
    except LitotesError as error:  # a full disk, a file that was taken away
        return _problem(503, str(error))


def _problem(status: int, message: str) -> Response:
    return JSONResponse({"error": message}, status_code=status)


class _WrongBody(ValueError):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def _body(request: Request) -> dict[str, Any]:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise _WrongBody(415, "JSON is needed")
    content = b""
    async for piece in request.stream():
        content += piece
        if len(content) > MAX_BODY:
            raise _WrongBody(413, "that is too long")
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise _WrongBody(400, "that is not JSON") from None
    if not isinstance(body, dict):
        raise _WrongBody(400, "a JSON object is needed")
    return body


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; connections wait in it until the server runs."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        with _closed_on_error(listening):
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(64)
    except (OSError, OverflowError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError("L102", f"cannot serve on {host}, port {port} ({reason})", hint="choose another") from error
    return listening


@contextlib.contextmanager
def _closed_on_error(listening: socket.socket) -> Iterator[None]:
    try:
        yield
    except BaseException:
        listening.close()
        raise


def serve(app: ASGIApp, listening: socket.socket) -> None:
    """Serve until the program is interrupted."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,  # it would hold the token
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[listening])
