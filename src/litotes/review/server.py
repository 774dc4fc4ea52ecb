"""The web server of a review: the page, its assets and the JSON API."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Awaitable, Callable, Iterator
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from litotes.core.errors import LitotesError, UsageError
from litotes.review.access import TOKEN_HEADER, AccessControl, AccessMiddleware, secrets_equal
from litotes.review.service import Answer, ReviewService
from litotes.review.verdicts import InvalidVerdictError
from litotes.web.pages import read_asset, template_environment

MAX_BODY = 64 * 1024
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

Handler = Callable[[Request], Awaitable[Response]]


def make_app(service: ReviewService, access: AccessControl) -> ASGIApp:
    """Create the ASGI application.

    The handlers are coroutines, not threads: each takes milliseconds, and only one may use the SQLite connection.
    """
    assets = _assets()
    templates = template_environment("litotes.review")
    index, refused = (templates.get_template(name).render() for name in ("index.html", "refused.html"))

    async def page(request: Request) -> Response:
        if access.take_ticket(request.query_params.get("ticket")):
            return RedirectResponse(access.url, 303)
        name, value = access.cookie
        if access.has_token(request.query_params.get("token")):
            response = HTMLResponse(index)
            response.set_cookie(name, value, httponly=True, samesite="strict")
            return response
        if secrets_equal(request.cookies.get(name, ""), value):
            return HTMLResponse(index)
        return HTMLResponse(refused, status_code=403)

    async def asset(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in assets:
            return PlainTextResponse("not found\n", status_code=404)
        return _file(assets, name)

    def get(answer: Callable[[dict[str, Any]], Answer]) -> Handler:
        async def handle(request: Request) -> Response:
            return _json_response(lambda: answer(dict(request.query_params)))

        return _require_token(handle, access)

    def post(answer: Callable[[dict[str, Any]], Answer]) -> Handler:
        async def handle(request: Request) -> Response:
            try:
                body = await _body(request)
            except _InvalidBodyError as error:
                return _error_response(error.status, str(error))
            return _json_response(lambda: answer(body))

        return _require_token(handle, access)

    routes = [
        Route("/", page),
        Route("/page/{name}", asset),
        Route("/api/about", get(lambda _: service.about())),
        Route("/api/unit", get(service.unit)),
        Route("/api/rows", get(service.rows)),
        Route("/api/status", get(service.status)),
        Route("/api/verdict", post(service.judge), methods=["POST"]),
        Route("/api/undo", post(service.undo), methods=["POST"]),
    ]
    return AccessMiddleware(Starlette(routes=routes), access)


def _assets() -> dict[str, bytes]:
    folder = files("litotes.review") / "page"
    own = {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}
    return {**own, "base.css": read_asset("litotes.web", "base.css").encode()}


def _file(assets: dict[str, bytes], name: str) -> Response:
    suffix = name[name.rindex(".") :]
    return Response(assets[name], media_type=_TYPES[suffix])


def _require_token(handle: Handler, access: AccessControl) -> Handler:
    async def checked(request: Request) -> Response:
        if not access.has_token(request.headers.get(TOKEN_HEADER)):
            return _error_response(403, "open the URL that litotes review printed")
        return await handle(request)

    return checked


def _json_response(answer: Callable[[], Answer]) -> Response:
    try:
        return JSONResponse(answer())
    except InvalidVerdictError as error:
        return _error_response(400, str(error))
    except LitotesError as error:  # for example a full disk or a deleted file
        return _error_response(503, str(error))


def _error_response(status: int, message: str) -> Response:
    return JSONResponse({"error": message}, status_code=status)


class _InvalidBodyError(ValueError):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def _body(request: Request) -> dict[str, Any]:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise _InvalidBodyError(415, "the content type must be application/json")
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > MAX_BODY:
            raise _InvalidBodyError(413, "the request is too long")
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise _InvalidBodyError(400, "the body is not JSON") from None
    if not isinstance(body, dict):
        raise _InvalidBodyError(400, "the body must be a JSON object")
    return body


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


def serve(app: ASGIApp, listening: socket.socket) -> None:
    """Serve until the process is interrupted."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,  # it would contain the token
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[listening])
