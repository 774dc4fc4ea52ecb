"""The web server of a review: the page, its assets and the JSON API."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from litotes.core.errors import LitotesError
from litotes.review.service import Answer, ReviewService
from litotes.review.verdicts import InvalidVerdictError
from litotes.web.access import TOKEN_HEADER, AccessControl, AccessMiddleware, secrets_equal
from litotes.web.pages import read_asset, template_environment
from litotes.web.server import InvalidBodyError, ServerLimits, read_json_body

LIMITS = ServerLimits()
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
                body = await read_json_body(request, LIMITS)
            except InvalidBodyError as error:
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
