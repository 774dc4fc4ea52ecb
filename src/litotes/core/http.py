"""HTTP requests through httpx: one client per server, retries with exponential backoff, limited response sizes.

Redirects are not followed here, so that a request and its API key reach only the server that the user named.
"""

from __future__ import annotations

import itertools
import os
import random
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import responses
from ipaddress import ip_address
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from litotes._version import __version__
from litotes.core.errors import LitotesError, UsageError, missing_package

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

MAX_RESPONSE_BYTES = 1 << 28
MAX_RETRY_AFTER = 60.0
"""A server that asks for a longer pause, in seconds, is not asked again."""
_DEFAULT_PORTS = {"http": 80, "https": 443}
_RETRYABLE_STATUSES = (408, 409, 425, 429)


@dataclass(frozen=True)
class ServerAddress:
    """The address of a server, without credentials."""

    scheme: str
    host: str
    port: int
    path: str
    """Without a trailing slash."""

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine.

    >>> is_loopback("localhost"), is_loopback("10.0.0.1")
    (True, False)
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:  # a name, which could mean any machine
        return False


def is_offline() -> bool:
    """Return whether the environment disables the network: HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE."""
    values = (os.environ.get(name, "") for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"))
    return any(value.strip().lower() in {"1", "true", "yes", "on"} for value in values)


def parse_address(text: str, server: str = "a server") -> ServerAddress:
    """Parse the address of a server; an address with credentials is refused without showing it.

    >>> str(parse_address("HTTP://Localhost:8000/v1/"))
    'http://localhost:8000/v1'
    """
    if "@" in text:
        raise UsageError(
            "L102",
            f"the address of {server} contains a user name or a password",
            hint="remove them; keys are read from the environment",
        )
    try:
        parts = urlsplit(text)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)
    except ValueError:
        parts, port = urlsplit(""), 0
    is_usable = parts.scheme in _DEFAULT_PORTS and port and parts.hostname and not parts.query and not parts.fragment
    if not is_usable or not text.isascii() or not text.isprintable() or " " in text:
        hint = "an address looks like http://localhost:8000/v1"
        shown = re.split(r"[?#]", text, maxsplit=1)[0][:80]  # the rest may be a key
        raise UsageError("L102", f'"{shown}" is not the address of {server}', hint=hint)
    return ServerAddress(parts.scheme, parts.hostname or "", port, parts.path.rstrip("/"))


class RequestFailed(Exception):
    """A request that failed; the message is a predicate about the server, such as "refused the connection"."""

    def __init__(self, reason: str, *, is_retryable: bool = False, retry_after: float = 0) -> None:
        super().__init__(reason)
        self.is_retryable = is_retryable
        self.retry_after = retry_after
        """The pause in seconds that the server asked for."""
        self.attempts = 1


class ServerUnreachable(RequestFailed):
    """No connection to the server; retryable only if it has been reached before, otherwise the address is wrong."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, is_retryable=True)


@dataclass(frozen=True)
class HttpResponse:
    """A complete response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def phrase(self) -> str:
        """The status with its standard phrase."""
        return status_phrase(self.status)

    @property
    def is_retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return is_retryable_status(self.status)


def status_phrase(status: int) -> str:
    """Return a status with its standard phrase; the server's own phrase could contain anything.

    >>> status_phrase(404)
    '404 Not Found'
    """
    return f"{status} {responses.get(status, '')}".rstrip()


def is_retryable_status(status: int) -> bool:
    """Return whether a request that was answered with this status may succeed later."""
    return status in _RETRYABLE_STATUSES or (status >= 500 and status != 501)


def _wait(seconds: float, cancelled: threading.Event) -> None:
    cancelled.wait(seconds)


@dataclass(frozen=True)
class RetryPolicy:
    """How often a failed request is repeated, and after which delays."""

    max_attempts: int = 7
    initial_delay: float = 1.0
    max_delay: float = 60.0
    sleep: Callable[[float, threading.Event], None] = _wait
    """Sleep for a number of seconds, or until the event is set."""
    clock: Callable[[], float] = time.monotonic
    random: Callable[[], float] = random.random

    def delay(self, attempt: int, retry_after: float = 0) -> float:
        """Return the delay after a failed attempt: exponential with jitter, at least what the server asked for.

        >>> [RetryPolicy(random=lambda: 1.0).delay(attempt, retry_after=3) for attempt in (1, 2, 3, 4)]
        [3, 3, 4.0, 8.0]
        """
        backoff = min(self.initial_delay * 2.0 ** (attempt - 1), self.max_delay)
        return max(backoff * (1 + self.random()) / 2, retry_after)


class HttpClient:
    """A client of one server that any number of threads can share."""

    def __init__(
        self,
        address: ServerAddress,
        *,
        timeout: float,
        headers: Mapping[str, str] | None = None,
        retry: RetryPolicy | None = None,
        max_bytes: int = MAX_RESPONSE_BYTES,
    ) -> None:
        self.address = address
        self._timeout = timeout
        self._retry = retry or RetryPolicy()
        self._max_bytes = max_bytes
        headers = {"Accept": "application/json", **(headers or {})}
        self._client = open_client(str(address), timeout=timeout, headers=headers)
        self._lock = threading.Lock()
        self._was_reached = False
        self._blocked_until = 0.0
        self._cancelled = threading.Event()

    def post(
        self, path: str, body: bytes, parse: Callable[[HttpResponse], T], *, content_type: str = "application/json"
    ) -> T:
        """Return the parsed response; the request is repeated if it or `parse` fails with a retryable error."""
        cancelled = self._cancelled
        for attempt in itertools.count(1):
            self._wait_until_unblocked(cancelled)
            try:
                return parse(self._send(path, body, content_type))
            except RequestFailed as failure:
                failure.attempts = attempt
                if attempt >= self._retry.max_attempts or cancelled.is_set() or not self._may_retry(failure):
                    self._cancel(cancelled)
                    raise
                delay = self._retry.delay(attempt, failure.retry_after)
                if failure.retry_after:
                    with self._lock:  # a pause that the server asks for applies to all threads
                        self._blocked_until = max(self._blocked_until, self._retry.clock() + delay)
                else:
                    self._retry.sleep(delay, cancelled)
        raise AssertionError  # the count has no end

    def stop(self) -> None:
        """Wake all waiting threads; their requests end with the error of the last attempt."""
        self._cancel(self._cancelled)

    def _may_retry(self, failure: RequestFailed) -> bool:
        if isinstance(failure, ServerUnreachable) and not self._was_reached:
            return False
        return failure.is_retryable and failure.retry_after <= MAX_RETRY_AFTER

    def _cancel(self, cancelled: threading.Event) -> None:
        """Wake the threads that wait for their next attempt; later requests are not affected."""
        with self._lock:
            cancelled.set()
            if self._cancelled is cancelled:
                self._cancelled = threading.Event()
                self._blocked_until = 0.0

    def _wait_until_unblocked(self, cancelled: threading.Event) -> None:
        remaining = self._blocked_until - self._retry.clock()
        if remaining > 0:
            self._retry.sleep(remaining, cancelled)

    def _send(self, path: str, body: bytes, content_type: str) -> HttpResponse:
        received = bytearray()
        url, headers = f"{self.address}/{path}", {"Content-Type": content_type}
        with (
            request_errors(self._timeout),
            self._client.stream("POST", url, content=body, headers=headers) as response,
        ):
            self._was_reached = True
            # The timeout of httpx limits each read: without a deadline, bytes that arrive slowly could block for hours.
            deadline = time.monotonic() + self._timeout
            for chunk in body_chunks(response, self._timeout):
                received += chunk
                if len(received) > self._max_bytes:
                    raise RequestFailed(f"sent a response of more than {self._max_bytes:,} bytes")
                if time.monotonic() > deadline:
                    raise TimeoutError
            return HttpResponse(response.status_code, response.headers, bytes(received))


def open_client(url: str, *, timeout: float, headers: Mapping[str, str]) -> httpx.Client:
    """Return an httpx client for the host of a URL: no redirects, the proxy that the environment names for it."""
    host = urlsplit(url).hostname or ""
    if is_offline() and not is_loopback(host):
        hint = "unset HF_HUB_OFFLINE and TRANSFORMERS_OFFLINE, or name a server on this machine"
        raise LitotesError("L309", f"{host}: is not on this machine, and the network may not be used", hint=hint)
    try:
        import httpx
    except ImportError as error:
        raise missing_package("httpx", "http") from error
    return httpx.Client(
        headers={"User-Agent": f"litotes/{__version__}", "Accept-Encoding": "identity", **headers},
        timeout=timeout,
        follow_redirects=False,
        trust_env=False,  # a proxy for other hosts that httpx does not support would be an error
        proxy=_environment_proxy(url),
        verify=ssl.create_default_context(),  # the certificates of the system
        limits=httpx.Limits(),  # one connection per thread
    )


def _environment_proxy(url: str) -> str | None:
    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_loopback(host) or proxy_bypass(host):
        return None
    proxy = getproxies().get(parts.scheme, "")
    if not proxy:
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    try:
        parsed = urlsplit(proxy)
        is_usable = parsed.scheme == "http" and parsed.hostname and parsed.port != 0
    except ValueError:
        is_usable = False
    if not is_usable:
        raise UsageError(
            "L102",
            f"the environment variable {parts.scheme}_proxy is not the address of an http proxy",
            hint="correct it, or add the server to no_proxy",
        )
    return proxy


@contextmanager
def request_errors(timeout: float) -> Iterator[None]:
    """Raise the errors of httpx and of the network as `RequestFailed`."""
    import httpx

    try:
        yield
    except (httpx.TimeoutException, TimeoutError) as error:
        raise RequestFailed(f"did not answer within {timeout:g} s", is_retryable=True) from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        raise _request_failure(error) from error


def _request_failure(error: Exception) -> RequestFailed:
    import httpx

    cause = _system_error(error)
    if isinstance(cause, ssl.SSLCertVerificationError):
        return RequestFailed("has a certificate that is not trusted")
    if isinstance(cause, socket.gaierror):
        return ServerUnreachable("could not be found: the host name is unknown")
    if isinstance(cause, ConnectionRefusedError):
        return ServerUnreachable("refused the connection")
    is_own_error = isinstance(error, httpx.RemoteProtocolError) and error.__cause__ is None  # not from httpcore
    if is_own_error or isinstance(error, httpx.InvalidURL):
        return RequestFailed("redirects to an invalid address")
    if isinstance(error, httpx.RemoteProtocolError):
        return RequestFailed("did not send a complete HTTP response", is_retryable=True)
    if isinstance(error, (httpx.ReadError, httpx.WriteError)) or isinstance(cause, (ConnectionError, ssl.SSLEOFError)):
        return RequestFailed("closed the connection", is_retryable=True)
    return ServerUnreachable(f"could not be reached ({(cause and cause.strerror) or type(error).__name__})")


def _system_error(error: BaseException | None) -> OSError | None:
    """Return the error of the operating system that an error of httpx wraps."""
    while error is not None and not isinstance(error, OSError):
        error = error.__cause__ or error.__context__  # httpcore suppresses the context of some of its errors
    return error


def body_chunks(response: httpx.Response, timeout: float) -> Iterator[bytes]:
    """Yield the body of a streamed response as it arrives; raise `RequestFailed` if it ends too early."""
    import httpx

    n_bytes = 0
    with request_errors(timeout):
        try:
            for chunk in response.iter_raw():
                n_bytes += len(chunk)
                yield chunk
        except (httpx.RemoteProtocolError, httpx.ReadError) as error:
            length = response.headers.get("Content-Length", "")
            received = f"{n_bytes:,} of {int(length):,}" if length.isdecimal() else f"{n_bytes:,}"
            raise RequestFailed(f"closed the connection after {received} bytes", is_retryable=True) from error


def retry_after_seconds(headers: Mapping[str, str]) -> float:
    """Return the pause that a server asks for: `retry-after-ms`, or `Retry-After` as a number or a date.

    >>> retry_after_seconds({"retry-after": "7"})
    7.0
    """
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
            return float(text) * unit
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    except (ValueError, TypeError, IndexError, OverflowError):
        return 0.0
