"""Access control for local servers: token, one-time ticket, Host and Origin checks, security headers."""

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

TOKEN_HEADER = "x-litotes-token"  # noqa: S105  (a header name, not a secret)

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
"""Sent with every response."""


def is_loopback(host: str) -> bool:
    """Return whether a host is reachable from this machine only.

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
class AccessControl:
    """The secrets of one server and the requests it accepts.

    The printed URL contains the token; the page moves it to the tab's session storage and sends it as a header. No
    cookie gives access to the data, because browsers send cookies automatically and to every port of a host. One
    cookie, derived from the token, only allows the empty page itself to be reloaded.
    """

    host: str
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    ticket: str | None = field(default_factory=lambda: secrets.token_urlsafe(24))
    """Valid once. The browser is started with it because other users can read a process's arguments."""

    @property
    def origin(self) -> str:
        """The origin of the page; a server on all addresses is reached at 127.0.0.1."""
        address = _address(self.host)
        host = self.host if address is None or not address.is_unspecified else "127.0.0.1"
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def url(self) -> str:
        """The URL that is printed."""
        return f"{self.origin}/?token={self.token}"

    @property
    def ticket_url(self) -> str:
        """The URL that a browser is started with."""
        return f"{self.origin}/?ticket={self.ticket}"

    @property
    def cookie(self) -> tuple[str, str]:
        """Name and value of the page cookie; the name contains the port because cookies are shared between ports."""
        return f"litotes-{self.port}", hashlib.sha256(f"page {self.token}".encode()).hexdigest()

    def has_token(self, token: str | None) -> bool:
        """Return whether `token` is the token of this server."""
        return token is not None and secrets_equal(token, self.token)

    def take_ticket(self, ticket: str | None) -> bool:
        """Return whether `ticket` is the one-time ticket, and invalidate it."""
        if ticket is None or self.ticket is None or not secrets_equal(ticket, self.ticket):
            return False
        self.ticket = None
        return True

    def is_own_host(self, host: str) -> bool:
        """Return whether a Host header names this server; foreign names are rejected (DNS rebinding)."""
        name, separator, port = host.lower().rpartition(":")
        if not separator or port != str(self.port):
            return False
        address, own = _address(name), _address(self.host)
        if is_loopback(self.host):
            return is_loopback(name.strip("[]"))
        if address is not None:  # an IP address cannot be rebound
            return True
        return name in {self.host.lower(), "localhost"} or (own is not None and name == socket.gethostname().lower())

    def refusal(self, method: str, headers: Mapping[str, str]) -> str | None:
        """Return why a request is refused, or None if it is accepted."""
        host = headers.get("host", "")
        if not self.is_own_host(host):
            return "unknown host name"
        if method not in ("GET", "HEAD"):
            if headers.get("origin") != f"http://{host}":
                return "cross-origin request"
            if headers.get("sec-fetch-site", "same-origin") != "same-origin":
                return "cross-origin request"
        return None


def secrets_equal(received: str, secret: str) -> bool:
    """Compare two secrets in constant time."""
    return secrets.compare_digest(received.encode("utf-8", "replace"), secret.encode())


class AccessMiddleware:
    """ASGI middleware that refuses requests as `AccessControl` says and adds `HEADERS` to every response."""

    def __init__(self, app: ASGIApp, access: AccessControl) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no websockets
            return
        from starlette.responses import PlainTextResponse

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                others = [(name, value) for name, value in message.get("headers", []) if name.decode() not in HEADERS]
                ours = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*others, *ours]}
            await send(message)

        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            key = name.decode("latin-1").lower()
            # A duplicated header counts as empty.
            headers[key] = "" if key in headers else value.decode("latin-1")
        refusal = self._access.refusal(scope["method"], headers)
        if refusal is not None:
            await PlainTextResponse(f"{refusal}\n", status_code=403)(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)
