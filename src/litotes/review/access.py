"""Who may talk to the server: this page in this browser, and nobody else's."""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_HEADER = "x-litotes-token"  # noqa: S105  (a name, no secret)

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""On every answer."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the host.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    address = _address(host)
    return host.lower() == "localhost" if address is None else address.is_loopback


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


@dataclass
class Access:
    """The secrets of one server, and whom it answers.

    The token is in the address that is printed; the page moves it into the tab's own storage and sends it as a
    header. No cookie lets anybody at the data: browsers send cookies along unasked, and to every port of a host.
    One cookie, made from the token but not the token, lets the empty page itself be loaded again.
    """

    host: str
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    ticket: str | None = field(default_factory=lambda: secrets.token_urlsafe(24))
    """Good for one visit: the browser is started with it, since other users can read a program's arguments."""

    @property
    def origin(self) -> str:
        """Where people find the page; a server on all addresses is found on this machine's own."""
        address = _address(self.host)
        host = self.host if address is None or not address.is_unspecified else "127.0.0.1"
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def url(self) -> str:
        """The address that is printed."""
        return f"{self.origin}/?token={self.token}"

    @property
    def ticket_url(self) -> str:
        """The address that a browser is started with."""
        return f"{self.origin}/?ticket={self.ticket}"

    @property
    def cookie(self) -> tuple[str, str]:
        """The name and value of the cookie for the page; cookies know no ports, so the port is in the name."""
        return f"litotes-review-{self.port}", hashlib.sha256(f"page {self.token}".encode()).hexdigest()

    def has_token(self, given: str | None) -> bool:
        """Whether that is the token."""
        return given is not None and same(given, self.token)

    def take_ticket(self, given: str | None) -> bool:
        """Whether that is the ticket; it is good once."""
        if given is None or self.ticket is None or not same(given, self.ticket):
            return False
        self.ticket = None
        return True

    def is_own_host(self, host: str) -> bool:
        """Whether a Host header names this server; a name that somebody else points at it (DNS rebinding) does not."""
        name, separator, port = host.lower().rpartition(":")
        if not separator or port != str(self.port):
            return False
        address, own = _address(name), _address(self.host)
        if is_loopback(self.host):
            return is_loopback(name.strip("[]"))
        if address is not None:  # nobody can point another name at it by naming its number
            return True
        return name in {self.host.lower(), "localhost"} or (own is not None and name == socket.gethostname().lower())

    def refusal(self, method: str, headers: Mapping[str, str]) -> str | None:
        """Why a request is not answered, or None."""
        host = headers.get("host", "")
        if not self.is_own_host(host):
            return "this server does not go by that name"
        if method not in ("GET", "HEAD"):
            if headers.get("origin") != f"http://{host}":
                return "the request comes from another page"
            if headers.get("sec-fetch-site", "same-origin") != "same-origin":
                return "the request comes from another page"
        return None


def same(one: str, other: str) -> bool:
    """Whether two secrets are the same, in a time that does not tell how far."""
    return secrets.compare_digest(one.encode("utf-8", "replace"), other.encode())


class Guard:
    """Refuses what `Access` refuses, before anything else is done, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no websockets here
            return
        from starlette.responses import PlainTextResponse

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [(name, value) for name, value in message.get("headers", []) if name.decode() not in HEADERS]
                ours = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*kept, *ours]}
            await send(message)

        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            key = name.decode("latin-1").lower()
            # A header that stands twice is none that we know.
            headers[key] = "" if key in headers else value.decode("latin-1")
        refusal = self._access.refusal(scope["method"], headers)
        if refusal is not None:
            await PlainTextResponse(f"{refusal}\n", status_code=403)(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)
