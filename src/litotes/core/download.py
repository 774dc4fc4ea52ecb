"""Downloads that are resumed after an interruption and verified by their sha256."""

from __future__ import annotations

import contextlib
import os
import re
import string
import threading
from collections.abc import Callable
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from litotes.core.errors import LitotesError
from litotes.core.files import resolve_output, sha256_file, writing_to
from litotes.core.http import (
    MAX_RETRY_AFTER,
    RequestFailed,
    RetryPolicy,
    ServerUnreachable,
    body_chunks,
    is_retryable_status,
    open_client,
    request_errors,
    retry_after_seconds,
    status_phrase,
)
from litotes.core.locks import lock_folder

if TYPE_CHECKING:
    import httpx

OnProgress = Callable[[int, "int | None"], None]
"""Called with the number of bytes received and the size of the file, if it is known."""

MAX_REDIRECTS = 10

_CONTENT_RANGE = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\*)")


def download(
    url: str,
    target: Path,
    *,
    sha256: str,
    timeout: float = 30,
    retry: RetryPolicy | None = None,
    on_progress: OnProgress | None = None,
) -> Path:
    """Download a file to `target` unless it is already there, and return the path.

    What has been received is stored in `<target>.part`, from which another attempt or process resumes.
    """
    sha256 = sha256.lower()
    if has_sha256(target, sha256):
        return target
    if problem := _url_problem(url):
        raise LitotesError("L501", f"{_printable(url)}: {problem}", hint="check the address")
    stored = resolve_output(target)
    with lock_folder(stored.parent, on_wait=lambda: None):
        # Another process may have downloaded the file while this one waited.
        if not has_sha256(target, sha256):
            part = stored.with_name(f"{stored.name}.part")
            job = _Download(url, part, timeout, on_progress or (lambda received, total: None))
            try:
                _complete(job, sha256, retry or RetryPolicy(max_attempts=4))
                with writing_to(target):
                    part.replace(stored)
            finally:
                if part.exists() and not job.n_bytes():
                    part.unlink()
    return target


def has_sha256(path: Path, sha256: str) -> bool:
    """Return whether a path is a readable file with this sha256."""
    try:
        return path.is_file() and sha256_file(path) == sha256.lower()
    except OSError:
        return False


@dataclass(frozen=True)
class _Download:
    url: str
    part: Path
    timeout: float
    on_progress: OnProgress

    def n_bytes(self) -> int:
        """Return the number of bytes that this and earlier attempts received."""
        return self.part.stat().st_size if self.part.exists() else 0


def _complete(job: _Download, sha256: str, retry: RetryPolicy) -> None:
    """Repeat the request until the partial file is the expected file."""
    if has_sha256(job.part, sha256):
        return  # an earlier process was killed before it could rename the file
    for attempt in range(1, retry.max_attempts + 1):
        is_last = attempt == retry.max_attempts
        try:
            is_intact = _receive(job)
        except RequestFailed as failure:
            is_wrong_address = isinstance(failure, ServerUnreachable) and attempt == 1
            if is_last or is_wrong_address or not failure.is_retryable:
                raise _failed(job, failure, attempt) from failure
            retry.sleep(retry.delay(attempt, min(failure.retry_after, MAX_RETRY_AFTER)), threading.Event())
            continue
        with writing_to(job.part):
            actual = sha256_file(job.part)
            if actual == sha256:
                return
            job.part.unlink()
        if is_intact or is_last:
            raise LitotesError(
                "L502",
                f"{_printable(job.url)}: is not the published file (sha256 {actual[:12]}, expected {sha256[:12]})",
                hint="it was deleted; check that the address does not lead to a login page",
            )


def _receive(job: _Download) -> bool:
    """Append a response to the partial file; return whether it was certainly neither truncated nor mixed."""
    offset = job.n_bytes()
    with contextlib.ExitStack() as stack:
        response = _get(job, offset, stack)
        if offset and response.status_code in (206, 416) and not _content_range(response, offset):
            offset = 0  # the bytes that we have do not belong to this file
            response = _get(job, offset, stack)
        if not (response.status_code == 200 or (offset and response.status_code == 206)):
            raise RequestFailed(
                f"answered {status_phrase(response.status_code)}",
                is_retryable=is_retryable_status(response.status_code),
                retry_after=retry_after_seconds(response.headers),
            )
        length = response.headers.get("Content-Length")
        if response.status_code == 200:
            offset, total = 0, None if length is None else int(length)
        else:
            total = _content_range(response, offset)
        with writing_to(job.part):
            file = stack.enter_context(job.part.open("ab" if offset else "wb", buffering=0))
        received = offset
        job.on_progress(received, total)
        for chunk in body_chunks(response, job.timeout):
            with writing_to(job.part):
                _write_all(file, chunk)
            received += len(chunk)
            job.on_progress(received, total)
        with writing_to(job.part):
            os.fsync(file.fileno())
    return offset == 0 and (length is not None or "Transfer-Encoding" in response.headers)


def _content_range(response: httpx.Response, offset: int) -> int | None:
    """Return the size of the whole file if the response contains its rest from the offset on."""
    match = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
    if not match or int(match[1]) != offset or int(match[2]) < offset:
        return None
    return int(match[2]) + 1 if match[3] == "*" else int(match[3])


def _write_all(file: FileIO, chunk: bytes) -> None:
    while chunk:  # an unbuffered write may write only a part
        chunk = chunk[file.write(chunk) :]


def _get(job: _Download, offset: int, stack: contextlib.ExitStack) -> httpx.Response:
    """Request the file from an offset on, following redirects; the stack closes the connections."""
    headers = {"Range": f"bytes={offset}-"} if offset else {}
    url = quote(job.url, safe=string.punctuation, errors="replace")
    for _ in range(MAX_REDIRECTS + 1):
        client = stack.enter_context(open_client(url, timeout=job.timeout, headers=headers))
        with request_errors(job.timeout):
            response = stack.enter_context(client.stream("GET", url))
        if response.next_request is None:
            return response
        location = str(response.next_request.url)
        if problem := _url_problem(location):
            raise RequestFailed(f"redirects to {_printable(location)}: {problem}")
        if url.startswith("https:") and location.startswith("http:"):
            raise RequestFailed(f"redirects from https to {_printable(location)}, which is not encrypted")
        url = location
    raise RequestFailed(f"sends more than {MAX_REDIRECTS} redirects")


def _url_problem(url: str) -> str:
    """Return why a URL is not requested, or an empty string."""
    try:
        parts = urlsplit(url)
        is_valid = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return "this is not a valid address"
    if parts.scheme not in ("http", "https"):
        return "only http and https are supported"
    if "@" in parts.netloc:
        return "addresses with a user name or a password are not supported"
    return "" if is_valid else "this is not a valid address"


def _failed(job: _Download, failure: RequestFailed, attempt: int) -> LitotesError:
    n_attempts = f" (last of {attempt} attempts)" if attempt > 1 else ""
    if isinstance(failure, ServerUnreachable):
        hint = "check the network and the address"
    else:
        hint = "start again later" if failure.is_retryable else "check the address"
    if failure.is_retryable and (n_bytes := job.n_bytes()):
        hint += f"; the download resumes after the first {n_bytes:,} bytes"
    message = f"{_printable(job.url)}: the download failed: the server {failure}{n_attempts}"
    return LitotesError("L501", message, hint=hint, is_retryable=failure.is_retryable)


def _printable(url: str) -> str:
    """Return a URL without credentials and control characters."""
    url = re.sub(r"//[^/?#]*@", "//", url)
    return "".join(character if character.isprintable() else "?" for character in url)
