"""A server that is asked many times over HTTP: kept connections, pauses that grow, many callers at once.

Redirects are not followed: what is sent, a key perhaps, goes to the named server and to no other.
"""

from __future__ import annotations

import base64
import itertools
import random
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, responses
from ipaddress import ip_address
from typing import TypeVar
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from litotes._version import __version__
from litotes.core.errors import UsageError

T = TypeVar("T")

MOST_BYTES = 1 << 28
"""No answer is longer."""
LONGEST_WISH = 60.0
"""A server that asks for a longer pause, in seconds, is not waited for."""
_PIECE = 1 << 16
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Address:
    """Where a server is: nothing in it is secret."""

    scheme: str
    host: str
    port: int
    path: str
    """Without a slash at its end."""

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine.

        >>> parse_address("http://localhost:8000/v1").is_loopback, parse_address("http://10.0.0.1").is_loopback
        (True, False)
        """
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:  # a name, which could mean any machine
            return False


def parse_address(text: str) -> Address:
    """The address in its parts; one with a name or password in it is refused, and not shown.

    >>> str(parse_address("HTTP://Localhost:8000/v1/"))
    'http://localhost:8000/v1'
    """
    if "@" in text:
        raise UsageError(
            "L102",
            "a server's address has a name or a password in it",
            hint="leave them out; a key is read from the environment",
        )
    try:
        parts = urlsplit(text)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)
    except ValueError:
        parts, port = urlsplit(""), 0
    usable = port and parts.hostname and not parts.query and not parts.fragment
    if not usable or not text.isascii() or not text.isprintable() or " " in text:
        raise UsageError("L102", f'"{text[:80]}" is no address of a server', hint="such as http://localhost:8000/v1")
    return Address(parts.scheme, parts.hostname or "", port, parts.path.rstrip("/"))


class Failure(Exception):
    """Why an attempt failed: for good, or in a way that may pass."""

    def __init__(self, reason: str, *, passing: bool = False, wish: float = 0) -> None:
        super().__init__(reason)
        self.passing = passing
        self.wish = wish
        """For how many seconds the server asks everybody to leave it alone."""
        self.attempts = 1


class Unreachable(Failure):
    """There is no server: for good if it was never there."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, passing=True)


@dataclass(frozen=True)
class Answer:
    """What a server sent, whole."""

    status: int
    headers: Message
    body: bytes

    @property
    def phrase(self) -> str:
        """The status in words; they are ours, the server's could hold anything."""
        return f"{self.status} {responses.get(self.status, '')}".rstrip()


def _rest(seconds: float, stop: threading.Event) -> None:
    stop.wait(seconds)


@dataclass(frozen=True)
class Pauses:
    """How often and after how long a server is asked again; tests bring a clock of their own."""

    attempts: int = 7
    first: float = 1.0
    most: float = 60.0
    rest: Callable[[float, threading.Event], None] = _rest
    """Lets time pass, at most until the event is set."""
    clock: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = random.random

    def before_next(self, attempt: int, wish: float) -> float:
        """Twice as long each time, spread so that many callers do not come back together; never less than wished.

        >>> [Pauses(chance=lambda: 1.0).before_next(attempt, wish=3) for attempt in (1, 2, 3, 4)]
        [3, 3, 4.0, 8.0]
        """
        grown = min(self.first * 2.0 ** (attempt - 1), self.most)
        return max(grown * (1 + self.chance()) / 2, wish)


class Server:
    """One server, asked from any number of threads."""

    def __init__(
        self, address: Address, *, timeout: float, headers: Mapping[str, str], pauses: Pauses | None = None
    ) -> None:
        self.address = address
        self._timeout = timeout
        self._headers = {"User-Agent": f"litotes/{__version__}", "Accept": "application/json", **headers}
        self._pauses = pauses or Pauses()
        self._proxy = _proxy_of(address)
        self._idle: list[HTTPConnection] = []
        self._lock = threading.Lock()
        self._reached = False
        self._not_before = 0.0
        self._given_up = threading.Event()

    def post(self, path: str, body: bytes, read: Callable[[Answer], T]) -> T:
        """What `read` makes of the answer; asked again where it, or the connection, fails in a way that may pass."""
        given_up = self._given_up
        for attempt in itertools.count(1):
            self._wait_as_wished(given_up)
            try:
                return read(self._exchange(path, body))
            except Failure as failure:
                failure.attempts = attempt
                if attempt >= self._pauses.attempts or given_up.is_set() or not self._may_pass(failure):
                    self._give_up(given_up)
                    raise
                pause = self._pauses.before_next(attempt, failure.wish)
                if failure.wish:
                    with self._lock:  # one is told for all: the others need not find out for themselves
                        self._not_before = max(self._not_before, self._pauses.clock() + pause)
                else:
                    self._pauses.rest(pause, given_up)
        raise AssertionError  # the count has no end

    def stop(self) -> None:
        """Wake all callers that wait; their attempts end with the failure that they had."""
        self._give_up(self._given_up)

    def _may_pass(self, failure: Failure) -> bool:
        if isinstance(failure, Unreachable) and not self._reached:
            return False  # most likely the address is wrong
        return failure.passing and failure.wish <= LONGEST_WISH

    def _give_up(self, given_up: threading.Event) -> None:
        """Wake the callers that are waiting for their next attempt: the work they belong to has failed."""
        with self._lock:
            given_up.set()
            if self._given_up is given_up:
                self._given_up = threading.Event()
                self._not_before = 0.0

    def _wait_as_wished(self, given_up: threading.Event) -> None:
        left = self._not_before - self._pauses.clock()
        if left > 0:
            self._pauses.rest(left, given_up)

    def _exchange(self, path: str, body: bytes) -> Answer:
        with self._lock:
            connection, kept = (self._idle.pop(), True) if self._idle else (self._connection(), False)
        try:
            try:
                response = self._send(connection, path, body)
            except (ConnectionError, HTTPException):
                if not kept:
                    raise
                # A kept connection that the server has closed meanwhile says nothing about the server.
                connection.close()
                response = self._send(connection, path, body)
            self._reached = True
            answer = Answer(response.status, response.headers, self._whole_body(response))
            response.close()
        except BaseException as error:
            connection.close()
            if isinstance(error, (OSError, HTTPException, ValueError)):
                raise _connection_failure(error, self._timeout) from error
            raise
        if response.will_close:
            connection.close()
        else:
            with self._lock:
                self._idle.append(connection)
        return answer

    def _send(self, connection: HTTPConnection, path: str, body: bytes) -> HTTPResponse:
        target = f"{self.address.path}/{path}"
        headers = {**self._headers, "Content-Type": "application/json"}
        if self._proxy is not None and self.address.scheme == "http":
            target = f"{self.address}/{path}"
            headers.update(self._proxy.headers)
        connection.request("POST", target, body, headers)
        return connection.getresponse()

    def _whole_body(self, response: HTTPResponse) -> bytes:
        # Neither a trickle of bytes nor an endless answer holds a caller for longer than the timeout.
        end = time.monotonic() + self._timeout
        left = response.length
        pieces: list[bytes] = []
        size = 0
        while left is None or left > 0:
            piece = response.read1(_PIECE if left is None else min(_PIECE, left))
            if not piece:
                break
            pieces.append(piece)
            size += len(piece)
            left = None if left is None else left - len(piece)
            if size > MOST_BYTES:
                raise Failure("sends more than an answer can be")
            if time.monotonic() > end:
                raise TimeoutError
        if left:
            raise Failure(f"cuts its answer off after {size:,} of {size + left:,} bytes", passing=True)
        return b"".join(pieces)

    def _connection(self) -> HTTPConnection:
        kind = HTTPSConnection if self.address.scheme == "https" else HTTPConnection
        if self._proxy is None:
            return kind(self.address.host, self.address.port, timeout=self._timeout)
        connection = kind(self._proxy.host, self._proxy.port, timeout=self._timeout)
        if self.address.scheme == "https":
            connection.set_tunnel(self.address.host, self.address.port, headers=dict(self._proxy.headers))
        return connection


@dataclass(frozen=True)
class _Proxy:
    host: str
    port: int
    headers: Mapping[str, str]


def _proxy_of(address: Address) -> _Proxy | None:
    """The proxy that the environment asks for; what is on this machine is asked without one."""
    if address.is_loopback or proxy_bypass(address.host):
        return None
    named = getproxies().get(address.scheme, "")
    if not named:
        return None
    try:
        parts = urlsplit(named if "://" in named else f"http://{named}")
        host, port = parts.hostname, parts.port or 80
    except ValueError:
        host = None
    if not host or parts.scheme != "http":
        raise UsageError(
            "L102", f"the environment's {address.scheme}_proxy is no address of an http proxy", hint="set no_proxy"
        )
    headers = {}
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        headers["Proxy-Authorization"] = f"Basic {base64.b64encode(pair).decode()}"
    return _Proxy(host, port, headers)


_CONNECTION_FAILURES: tuple[tuple[type[BaseException], type[Failure], str], ...] = (
    # The first that fits counts: many of these are kinds of those below them.
    (ssl.SSLCertVerificationError, Failure, "has a certificate that is not trusted"),
    (socket.gaierror, Unreachable, "cannot be found: its host name is not known"),
    (ConnectionRefusedError, Unreachable, "refuses the connection"),
)


def _connection_failure(error: BaseException, timeout: float) -> Failure:
    for kind, failure, reason in _CONNECTION_FAILURES:
        if isinstance(error, kind):
            return failure(reason)
    if isinstance(error, TimeoutError):
        return Failure(f"does not answer within {timeout:g} s", passing=True)
    if isinstance(error, (ConnectionError, ssl.SSLEOFError, HTTPException)):
        return Failure("cuts the connection", passing=True)
    return Unreachable(f"cannot be reached ({getattr(error, 'strerror', None) or type(error).__name__})")


def wished_pause(headers: Message) -> float:
    """For how many seconds a server asks to be left alone: `Retry-After`, a number or a date, or its finer sister.

    >>> from email.message import Message
    >>> answer = Message()
    >>> answer["Retry-After"] = "7"
    >>> wished_pause(answer)
    7.0
    """
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        text = str(headers.get(name, "")).strip()
        if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
            return float(text) * unit
    try:
        return max(0.0, parsedate_to_datetime(str(headers.get("retry-after", ""))).timestamp() - time.time())
    except (ValueError, TypeError, IndexError, OverflowError):
        return 0.0
