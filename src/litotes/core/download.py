"""Downloads: resumed after a cut, checked by their sha256, in place only when they are whole and right."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import socket
import ssl
import string
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse, IncompleteRead, InvalidURL, responses
from io import FileIO
from pathlib import Path
from urllib.error import URLError
from urllib.parse import quote, urljoin, urlsplit
from urllib.request import (
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
)

from litotes._version import __version__
from litotes.core.errors import LitotesError
from litotes.core.files import cannot_write, sha256_file

if sys.platform != "win32":
    import fcntl

Progress = Callable[[int, "int | None"], None]
"""Told the bytes there are so far, and the bytes there will be if the server said."""

MAX_REDIRECTS = 10
MAX_PAUSE = 60.0
"""No server makes us wait longer than this between two attempts, in seconds."""

_PIECE = 1 << 16
_REDIRECTS = (301, 302, 303, 307, 308)
_CONTENT_RANGE = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\*)")


def download(
    url: str,
    target: Path,
    *,
    sha256: str,
    attempts: int = 4,
    timeout: float = 30,
    wait: Callable[[float], None] = time.sleep,
    progress: Progress | None = None,
) -> Path:
    """The file behind an address, at `target` once its sha256 is the one expected."""
    wanted = sha256.lower()
    if has_sha256(target, wanted):
        return target
    with _open_part(target) as part:
        # Another process may have brought the file while this one waited for its turn.
        if not has_sha256(target, wanted):
            fetch = _Fetch(url, part, timeout, progress or _say_nothing, _opener())
            _fill(fetch, wanted, max(attempts, 1), wait)
            part.move_to(target)
    return target


def has_sha256(path: Path, sha256: str) -> bool:
    """Whether the path is a file of that sha256."""
    try:
        return path.is_file() and sha256_file(path) == sha256.lower()
    except OSError:  # what cannot be read cannot be used either
        return False


def _say_nothing(received: int, total: int | None) -> None:
    pass


class _Failure(Exception):
    """Why an attempt failed; this kind fails again however often it is tried."""

    hint = "check the address"

    def __init__(self, reason: str, *, pause: float = 0) -> None:
        super().__init__(reason)
        self.pause = pause


class _Passing(_Failure):
    """A failure that may pass."""

    hint = "start again later"


class _Unreachable(_Passing):
    """A server that cannot be reached: passing if it was reached before, else most likely lasting."""

    hint = "check the network and the address"


@dataclass(frozen=True)
class _Part:
    """The file that grows beside the target and is kept between attempts and processes."""

    path: Path
    file: FileIO

    def size(self) -> int:
        return os.fstat(self.file.fileno()).st_size

    def add(self, piece: bytes) -> None:
        with _writing(self.path):
            # Unbuffered, so that a process killed now loses nothing; such a write may take only a part.
            while piece:
                piece = piece[self.file.write(piece) :]

    def empty(self) -> None:
        with _writing(self.path):
            if self.size():
                self.file.truncate(0)

    def move_to(self, target: Path) -> None:
        with _writing(target):
            os.fsync(self.file.fileno())
            if sys.platform == "win32":
                self.file.close()  # an open file cannot be moved there; elsewhere closing would free the lock
            self.path.replace(target)


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    # Network errors are OSErrors too: only what writes may be told as a failed write.
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from error


@contextlib.contextmanager
def _open_part(target: Path) -> Iterator[_Part]:
    path = target.with_name(f"{target.name}.part")
    with _writing(target):
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        target.parent.mkdir(parents=True, exist_ok=True)
        part = _Part(path, _open_locked(path))
    with part.file:
        try:
            yield part
        finally:
            # Bytes are left for the next time, an empty file is litter.
            with contextlib.suppress(OSError, ValueError):
                if part.size() == 0:
                    path.unlink()


def _open_locked(path: Path) -> FileIO:
    """The file, once no other process is writing it."""
    while True:
        file = path.open("a+b", buffering=0)
        try:
            _lock(file)
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        except FileNotFoundError:
            pass
        except BaseException:
            file.close()
            raise
        file.close()  # the one before us moved it into place or took it away: the next one is ours


def _lock(file: FileIO) -> None:
    # Two processes that append to one file, of which one then moves it into place, would spoil a checked
    # file. Windows does not move a file that another process has open, so there it cannot happen.
    if sys.platform != "win32":
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX)


@dataclass(frozen=True)
class _Fetch:
    """One download: what stays the same from attempt to attempt."""

    url: str
    part: _Part
    timeout: float
    progress: Progress
    opener: OpenerDirector


def _fill(fetch: _Fetch, sha256: str, attempts: int, wait: Callable[[float], None]) -> None:
    """Attempt after attempt, until the part is the expected file."""
    part = fetch.part
    if part.size() and has_sha256(part.path, sha256):
        return  # an earlier process was killed between the last byte and the end
    for attempt in range(1, attempts + 1):
        try:
            settled = _receive(fetch)
        except _Failure as failure:
            if attempt == attempts or _is_lasting(failure, attempt):
                raise _failed(fetch, failure, attempt) from failure
            wait(max(2.0 ** (attempt - 1), failure.pause))
            continue
        with _writing(part.path):
            found = sha256_file(part.path)
        if found == sha256:
            return
        part.empty()
        if settled or attempt == attempts:
            raise _not_the_file(fetch.url, sha256, found)


def _is_lasting(failure: _Failure, attempt: int) -> bool:
    return not isinstance(failure, _Passing) or (isinstance(failure, _Unreachable) and attempt == 1)


def _receive(fetch: _Fetch) -> bool:
    """Take what the server sends; True if a wrong hash of it could not come from a cut or a mixture."""
    part = fetch.part
    body = _ask(fetch, part.size())
    with body.response:
        if body.start == 0:
            part.empty()
        received = body.start
        fetch.progress(received, body.total)
        for piece in _pieces(body, fetch.timeout):
            part.add(piece)
            received += len(piece)
            fetch.progress(received, body.total)
    if body.total is not None and received < body.total:
        raise _Passing(f"the connection was cut after {received:,} of {body.total:,} bytes")
    return body.start == 0 and body.end_is_marked


@dataclass(frozen=True)
class _Body:
    """What a server is about to send: from which byte on, and how long the whole file is."""

    response: HTTPResponse
    start: int
    total: int | None
    end_is_marked: bool


def _pieces(body: _Body, timeout: float) -> Iterator[bytes]:
    left = None if body.total is None else body.total - body.start
    while left is None or left > 0:
        try:
            # read1 gives what has come; read would wait for the whole piece and lose it in a stall.
            piece = body.response.read1(_PIECE if left is None else min(_PIECE, left))
        except TimeoutError as error:
            raise _Passing(f"nothing came for {timeout:g} s") from error
        except (OSError, HTTPException) as error:
            raise _Passing("the connection was cut") from error
        if not piece:
            return
        yield piece
        left = None if left is None else left - len(piece)


def _ask(fetch: _Fetch, offset: int) -> _Body:
    """Ask for the rest of the file, or for the whole of it if the server cannot give that rest."""
    response = _open(fetch, offset)
    if response.status == 200:
        marked = response.length is not None or bool(response.chunked)
        return _Body(response, 0, response.length, end_is_marked=marked)
    if offset and response.status == 206 and (rest := _rest(response, offset)):
        return rest
    response.close()
    if offset and response.status in (206, 416):
        return _ask(fetch, 0)  # the bytes we have do not belong to this file
    raise _refusal(response)


def _rest(response: HTTPResponse, offset: int) -> _Body | None:
    found = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
    if not found or int(found[1]) != offset or int(found[2]) < offset:
        return None
    total = int(found[2]) + 1 if found[3] == "*" else int(found[3])
    return _Body(response, offset, total, end_is_marked=True)


def _refusal(response: HTTPResponse) -> _Failure:
    # The phrase is ours: the server's could hold anything.
    reason = f"the server answered {response.status} {responses.get(response.status, '')}".rstrip()
    if response.status < 500 and response.status not in (408, 429):
        return _Failure(reason)
    seconds = response.headers.get("Retry-After", "").strip()
    pause = min(float(seconds), MAX_PAUSE) if re.fullmatch(r"[0-9]{1,9}", seconds) else 0
    return _Passing(reason, pause=pause)


def _open(fetch: _Fetch, offset: int) -> HTTPResponse:
    """The answer to a request from that byte on, after all redirects."""
    address = quote(fetch.url, safe=string.punctuation, errors="replace")
    _check_address(address)
    for _ in range(MAX_REDIRECTS + 1):
        request = Request(address, headers={"Range": f"bytes={offset}-"} if offset else {})  # noqa: S310
        try:
            response: HTTPResponse = fetch.opener.open(request, timeout=fetch.timeout)
        except (OSError, HTTPException, ValueError) as error:
            raise _connection_failure(error, fetch.timeout) from error
        if response.status not in _REDIRECTS:
            return response
        response.close()
        address = _next_address(address, response.headers.get("Location"))
    raise _Failure(f"there were more than {MAX_REDIRECTS} redirects")


def _opener() -> OpenerDirector:
    # Not build_opener: that one opens file, ftp and data addresses, and follows redirects in its own way.
    opener = OpenerDirector()
    for handler in (ProxyHandler(), HTTPHandler(), HTTPSHandler(), UnknownHandler()):
        opener.add_handler(handler)
    opener.addheaders = [("User-Agent", f"litotes/{__version__}")]
    return opener


def _next_address(address: str, location: str | None) -> str:
    if location is None:
        raise _Failure("the server redirects without saying where to")
    # Headers are read as Latin-1, whatever their bytes meant: this gives the bytes back.
    quoted = quote(location, safe=string.punctuation, encoding="iso-8859-1", errors="replace")
    try:
        following = urljoin(address, quoted)
    except ValueError as error:
        raise _Failure("the server redirects to something that is no address") from error
    scheme = _check_address(following, told=f"the server redirects to {_shown(following)}: ")
    if scheme == "http" and urlsplit(address).scheme == "https":
        raise _Failure(f"the server redirects from https to {_shown(following)}, which is not encrypted")
    return following


def _check_address(address: str, told: str = "") -> str:
    """The scheme of an address that may be asked."""
    try:
        parts = urlsplit(address)
    except ValueError as error:
        raise _Failure(f"{told}this is not an address") from error
    if parts.scheme not in ("http", "https"):
        raise _Failure(f"{told}only http and https addresses are asked")
    if "@" in parts.netloc:
        raise _Failure(f"{told}addresses with a name or a password in them are not asked")
    return parts.scheme


_CONNECTION_FAILURES: tuple[tuple[type[Exception], type[_Failure], str], ...] = (
    # The first that fits counts: many of these are kinds of those below them.
    (ssl.SSLCertVerificationError, _Failure, "the server's certificate is not trusted"),
    (socket.gaierror, _Unreachable, "the host name cannot be found"),
    (ConnectionRefusedError, _Unreachable, "the connection was refused"),
    (TimeoutError, _Passing, "nothing came for {timeout:g} s"),
    (ConnectionError, _Passing, "the connection was cut"),
    (ssl.SSLEOFError, _Passing, "the connection was cut"),
    (IncompleteRead, _Passing, "the connection was cut"),
    (InvalidURL, _Failure, "this is not an address"),
    (HTTPException, _Passing, "the answer is not HTTP"),
    (OSError, _Unreachable, "{error}"),
    (ValueError, _Failure, "this is not an address"),
)


def _connection_failure(error: Exception, timeout: float) -> _Failure:
    cause = error.reason if isinstance(error, URLError) else error
    for kind, failure, reason in _CONNECTION_FAILURES:
        if isinstance(cause, kind):
            return failure(reason.format(timeout=timeout, error=getattr(cause, "strerror", None) or cause))
    return _Failure(str(cause))


def _failed(fetch: _Fetch, failure: _Failure, attempt: int) -> LitotesError:
    reason = str(failure) + (f", the last of {attempt} attempts" if attempt > 1 else "")
    kept = fetch.part.size()
    hint = failure.hint
    if kept and isinstance(failure, _Passing):
        hint += f"; the first {kept:,} bytes are kept and need not come again"
    message = f"{_shown(fetch.url)}: the download failed: {_printable(reason)}"
    return LitotesError("L501", message, hint=hint, passing=isinstance(failure, _Passing))


def _not_the_file(url: str, expected: str, found: str) -> LitotesError:
    return LitotesError(
        "L502",
        f"{_shown(url)}: is not the published file: sha256 {expected[:12]} is expected, {found[:12]} came",
        hint="nothing of it was kept; check the address, and that no login page answers in its place",
    )


def _shown(url: str) -> str:
    # A name and a password in an address stay out of messages and logs.
    return _printable(re.sub(r"//[^/?#]*@", "//", url))


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)
