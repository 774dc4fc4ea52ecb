"""Downloads from a local server that misbehaves as each test specifies."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from litotes import __version__
from litotes.core.download import MAX_REDIRECTS, OnProgress, download
from litotes.core.errors import LitotesError
from litotes.core.http import MAX_RETRY_AFTER, RetryPolicy

BODY = bytes(range(256)) * 400
SHA = hashlib.sha256(BODY).hexdigest()
OTHER = b"<html>please log in</html>"


class Handler(BaseHTTPRequestHandler):
    """Answers each request with the next step of the script and repeats the last one."""

    server: Server

    def do_GET(self) -> None:
        number = len(self.server.seen)
        self.server.seen.append(dict(self.headers.items()) | {"path": self.path})
        with contextlib.suppress(ConnectionError):  # some tests close the connection
            self.server.script[min(number, len(self.server.script) - 1)](self)

    def log_message(self, format: str, *args: object) -> None:
        pass

    def start(self, status: int, **headers: object) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.flush()


Step = Callable[[Handler], None]


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[Step] = []
        self.seen: list[dict[str, str]] = []
        self.scheme = "http"

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.server_port}/data/file.json"

    @property
    def ranges(self) -> list[str | None]:
        return [request.get("Range") for request in self.seen]

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # clients that reject the certificate are part of the tests


def serving(server: Server) -> Iterator[Server]:
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def server() -> Iterator[Server]:
    yield from serving(Server())


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "data" / "file.json"


@pytest.fixture
def delays() -> list[float]:
    return []


@pytest.fixture
def get(server: Server, target: Path, delays: list[float]) -> Callable[..., Path]:
    def run(
        url: str | None = None,
        *,
        sha256: str = SHA,
        timeout: float = 5,
        attempts: int = 4,
        sleep: Callable[[float], None] = delays.append,
        on_progress: OnProgress | None = None,
    ) -> Path:
        retry = RetryPolicy(attempts, sleep=lambda seconds, cancelled: sleep(seconds), random=lambda: 1.0)
        return download(url or server.url, target, sha256=sha256, timeout=timeout, retry=retry, on_progress=on_progress)

    return run


def full_body(body: bytes = BODY, **headers: object) -> Step:
    def step(handler: Handler) -> None:
        handler.start(200, Content_Length=len(body), **headers)
        handler.wfile.write(body)

    return step


def without_length(body: bytes = BODY) -> Step:
    def step(handler: Handler) -> None:
        handler.start(200)
        handler.wfile.write(body)

    return step


def chunked(body: bytes = BODY, end: int | None = None) -> Step:
    def step(handler: Handler) -> None:
        handler.protocol_version = "HTTP/1.1"
        handler.start(200, Transfer_Encoding="chunked", Connection="close")
        handler.wfile.write(f"{len(body):x}\r\n".encode() + body[:end])
        if end is None:
            handler.wfile.write(b"\r\n0\r\n\r\n")

    return step


def cut_at(size: int, *, reset: bool = False) -> Step:
    def step(handler: Handler) -> None:
        handler.start(200, Content_Length=len(BODY))
        handler.wfile.write(BODY[:size])
        if reset:
            time.sleep(0.1)  # a reset also discards what the client has not read yet
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.close()

    return step


def remainder(*, end: int | None = None, claimed: str | None = None) -> Step:
    def step(handler: Handler) -> None:
        start = int(handler.headers["Range"].removeprefix("bytes=").removesuffix("-"))
        claim = claimed or f"bytes {start}-{len(BODY) - 1}/{len(BODY)}"
        handler.start(206, Content_Range=claim, Content_Length=len(BODY) - start)
        handler.wfile.write(BODY[start:end])

    return step


def status(code: int, **headers: object) -> Step:
    return lambda handler: handler.start(code, Content_Length=0, **headers)


def redirect(location: str, code: int = 302) -> Step:
    return status(code, Location=location)


def write_part(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    part_of(target).write_bytes(content)


def part_of(target: Path) -> Path:
    return target.with_name(target.name + ".part")


def files_beside(target: Path) -> list[str]:
    """Return the names of the files in the folder of the target, except the lock."""
    return [path.name for path in target.parent.glob("*") if path.name != ".lock"]


def is_empty(target: Path) -> bool:
    return not files_beside(target)


def is_complete(target: Path) -> bool:
    return files_beside(target) == [target.name] and target.read_bytes() == BODY


Get = Callable[..., Path]


# Downloads that succeed


@pytest.mark.parametrize("step", [full_body(), without_length(), chunked()], ids=["length", "no length", "chunked"])
def test_file_is_complete_and_nothing_else_is_left(server: Server, target: Path, get: Get, step: Step) -> None:
    server.script = [step]
    assert get() == target
    assert is_complete(target)


def test_request_has_only_the_necessary_headers(server: Server, get: Get) -> None:
    server.script = [full_body()]
    get()
    (request,) = server.seen
    assert request.pop("User-Agent") == f"litotes/{__version__}"
    assert set(request) == {"path", "Host", "Accept", "Accept-Encoding", "Connection"}


def test_sha256_may_be_in_upper_case(server: Server, target: Path, get: Get) -> None:
    server.script = [full_body()]
    get(sha256=SHA.upper())
    assert is_complete(target)


def test_empty_file_is_downloaded(server: Server, target: Path, get: Get) -> None:
    server.script = [full_body(b"")]
    get(sha256=hashlib.sha256(b"").hexdigest())
    assert target.read_bytes() == b""


def test_progress_is_reported_from_zero_to_the_size(server: Server, get: Get) -> None:
    server.script = [full_body()]
    reports: list[tuple[int, int | None]] = []
    get(on_progress=lambda received, total: reports.append((received, total)))
    assert reports[0] == (0, len(BODY))
    assert reports[-1] == (len(BODY), len(BODY))
    assert reports == sorted(reports)


def test_non_ascii_address_is_percent_encoded(server: Server, target: Path, get: Get) -> None:
    server.script = [full_body()]
    get(url=server.url.replace("file", "größe und mehr"))
    assert server.seen[0]["path"] == "/data/gr%C3%B6%C3%9Fe%20und%20mehr.json"


def test_address_with_a_lone_surrogate_does_not_crash(server: Server, get: Get) -> None:
    server.script = [status(404)]
    with pytest.raises(LitotesError, match="L501") as caught:
        get(url=server.url + "\udcff")
    str(caught.value).encode()


# Existing targets


def test_existing_file_is_not_downloaded_again(server: Server, target: Path, get: Get) -> None:
    target.parent.mkdir()
    target.write_bytes(BODY)
    assert get() == target
    assert server.seen == []


def test_different_file_at_the_target_is_replaced(server: Server, target: Path, get: Get) -> None:
    target.parent.mkdir()
    target.write_bytes(OTHER)
    server.script = [full_body()]
    get()
    assert is_complete(target)


@pytest.mark.parametrize("step", [status(404), full_body(b"something else")], ids=["failed", "wrong hash"])
def test_failed_download_leaves_the_target_unchanged(server: Server, target: Path, get: Get, step: Step) -> None:
    target.parent.mkdir()
    target.write_bytes(OTHER)
    server.script = [step]
    with pytest.raises(LitotesError):
        get()
    assert target.read_bytes() == OTHER
    assert not part_of(target).exists()


# Redirects


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_redirects_are_followed(server: Server, target: Path, get: Get, code: int) -> None:
    server.script = [redirect("/second", code), redirect(server.url + "?third", code), full_body()]
    get()
    assert [request["path"] for request in server.seen] == [
        "/data/file.json",
        "/second",
        "/data/file.json?third",
    ]
    assert is_complete(target)


def test_redirect_repeats_the_range(server: Server, target: Path, get: Get) -> None:
    write_part(target, BODY[:100])
    server.script = [redirect("/second"), remainder()]
    get()
    assert server.ranges == ["bytes=100-", "bytes=100-"]
    assert is_complete(target)


def test_redirect_loop_is_an_error(server: Server, target: Path, get: Get, delays: list[float]) -> None:
    server.script = [redirect("/round/and/round")]
    with pytest.raises(LitotesError, match=rf"L501.*file\.json.*more than {MAX_REDIRECTS} redirects"):
        get()
    assert len(server.seen) == MAX_REDIRECTS + 1
    assert delays == []
    assert is_empty(target)


@pytest.mark.parametrize(
    "location",
    ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,x", "http://[::bad/", "//me:pw@host/"],
)
def test_redirect_to_other_schemes_is_refused(server: Server, target: Path, get: Get, location: str) -> None:
    server.script = [redirect(location)]
    with pytest.raises(LitotesError, match=r"L501.*redirects to") as caught:
        get()
    assert "pw" not in str(caught.value)
    assert len(server.seen) == 1
    assert is_empty(target)


def test_redirect_without_a_location_is_an_error(server: Server, get: Get) -> None:
    server.script = [status(302)]
    with pytest.raises(LitotesError, match=r"L501.*302 Found"):
        get()


@pytest.mark.parametrize("scheme", ["file", "ftp", "data", "", "javascript"])
def test_only_http_and_https_are_requested(tmp_path: Path, target: Path, get: Get, scheme: str) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(BODY)
    with pytest.raises(LitotesError, match=r"L501.*only http and https"):
        get(url=f"{scheme}://{secret}")
    assert is_empty(target)


@pytest.mark.parametrize("url", ["http://", "http://[", "http://127.0.0.1:port/", "http://me:pw@127.0.0.1/"])
def test_invalid_address_is_reported_without_its_password(get: Get, delays: list[float], url: str) -> None:
    with pytest.raises(LitotesError, match="L501") as caught:
        get(url=url)
    assert "pw" not in str(caught.value)
    assert delays == []


# Over TLS


@pytest.fixture
def tls_server(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    if not shutil.which("openssl"):
        pytest.skip("needs openssl to create a certificate")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [
            *(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
            ),
            *("-keyout", str(key), "-out", str(certificate), "-subj", "/CN=127.0.0.1"),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    secure = Server()
    secure.socket = context.wrap_socket(secure.socket, server_side=True)
    secure.scheme = "https"
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    yield from serving(secure)


def test_redirect_from_https_to_http_is_refused(server: Server, tls_server: Server, target: Path, get: Get) -> None:
    server.script = [redirect(tls_server.url)]
    tls_server.script = [redirect(server.url), full_body()]
    with pytest.raises(LitotesError, match=r"L501.*from https to http://.*not encrypted"):
        get()
    assert len(server.seen) == 1
    get()
    assert is_complete(target)


def test_self_signed_certificate_is_not_trusted(
    tls_server: Server, get: Get, delays: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", os.devnull)
    with pytest.raises(LitotesError, match=r"L501.*certificate that is not trusted"):
        get(url=tls_server.url)
    assert tls_server.seen == []
    assert delays == []


# Interruptions and retries


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
def test_interrupted_download_is_resumed(
    server: Server, target: Path, get: Get, delays: list[float], reset: bool
) -> None:
    server.script = [cut_at(1000, reset=reset), remainder(end=3000), remainder()]
    get()
    assert server.ranges == [None, "bytes=1000-", "bytes=3000-"]
    assert delays == [1, 2]
    assert is_complete(target)


def test_progress_continues_after_an_interruption(server: Server, get: Get) -> None:
    server.script = [cut_at(1000), remainder()]
    reports: list[tuple[int, int | None]] = []
    get(on_progress=lambda received, total: reports.append((received, total)))
    assert reports.count((1000, len(BODY))) == 2
    assert reports == sorted(reports)


def test_server_without_range_support_restarts_the_download(server: Server, target: Path, get: Get) -> None:
    server.script = [cut_at(1000), full_body()]
    get()
    assert server.ranges == [None, "bytes=1000-"]
    assert is_complete(target)


@pytest.mark.parametrize(
    "claimed", ["bytes 999-102399/102400", "bytes 0-102399/102400", "items 1000-1/2", "bytes 1000-10/102400"]
)
def test_wrong_range_is_not_appended(server: Server, target: Path, get: Get, claimed: str) -> None:
    server.script = [cut_at(1000), remainder(claimed=claimed), full_body()]
    get()
    assert server.ranges == [None, "bytes=1000-", None]
    assert is_complete(target)


def test_range_with_unknown_total_is_accepted(server: Server, target: Path, get: Get) -> None:
    server.script = [cut_at(1000), remainder(claimed=f"bytes 1000-{len(BODY) - 1}/*")]
    get()
    assert is_complete(target)


def test_truncated_chunk_is_noticed(server: Server, target: Path, get: Get) -> None:
    server.script = [chunked(end=5000), remainder()]
    get()
    assert server.ranges == [None, "bytes=5000-"]
    assert is_complete(target)


def test_truncation_without_a_length_is_detected_by_the_sha256(server: Server, target: Path, get: Get) -> None:
    server.script = [without_length(BODY[:1000]), full_body()]
    get()
    assert is_complete(target)


def test_file_that_changes_before_resuming_is_downloaded_again(server: Server, target: Path, get: Get) -> None:
    def different_start(handler: Handler) -> None:
        handler.start(200, Content_Length=len(BODY))
        handler.wfile.write(OTHER)

    server.script = [different_start, remainder(), full_body()]
    get()
    assert server.ranges == [None, f"bytes={len(OTHER)}-", None]
    assert is_complete(target)


def test_partial_file_remains_after_the_last_attempt(
    server: Server, target: Path, get: Get, delays: list[float]
) -> None:
    server.script = [cut_at(1000), remainder(end=1500), remainder(end=2000)]
    with pytest.raises(
        LitotesError, match=r"L501.*connection after 500 of 100,900 bytes .last of 3 attempts"
    ) as caught:
        get(attempts=3)
    assert server.url in str(caught.value)
    assert "resumes after the first 2,000 bytes" in caught.value.hint
    assert delays == [1, 2]
    assert part_of(target).read_bytes() == BODY[:2000]
    assert not target.exists()


def test_stalled_download_is_resumed(server: Server, target: Path, get: Get) -> None:
    released = threading.Event()

    def stall(handler: Handler) -> None:
        cut_at(1000)(handler)
        released.wait(2)

    server.script = [stall, remainder()]
    get(timeout=0.2)
    released.set()
    assert server.ranges == [None, "bytes=1000-"]
    assert is_complete(target)


def test_server_that_never_answers_is_an_error(server: Server, target: Path, get: Get) -> None:
    released = threading.Event()

    def never(handler: Handler) -> None:
        released.wait(2)

    server.script = [never]
    with pytest.raises(LitotesError, match=r"L501.*did not answer within 0\.1 s .last of 2 attempts"):
        get(timeout=0.1, attempts=2)
    released.set()
    assert is_empty(target)


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
def test_busy_server_is_retried(server: Server, target: Path, get: Get, delays: list[float], code: int) -> None:
    server.script = [status(code), status(code), full_body()]
    get()
    assert delays == [1, 2]
    assert is_complete(target)


@pytest.mark.parametrize(
    ("retry_after", "delay"), [("7", 7), ("99999", MAX_RETRY_AFTER), ("Wed, 21 Oct 2015 07:28:00 GMT", 1), ("-5", 1)]
)
def test_retry_after_is_respected(
    server: Server, get: Get, delays: list[float], retry_after: str, delay: float
) -> None:
    server.script = [status(503, Retry_After=retry_after), full_body()]
    get()
    assert delays == [delay]


def test_server_that_stays_busy_is_an_error(server: Server, target: Path, get: Get) -> None:
    server.script = [status(503)]
    with pytest.raises(LitotesError, match=r"L501.*503 Service Unavailable .last of 4 attempts"):
        get()
    assert len(server.seen) == 4
    assert is_empty(target)


def test_connection_closed_without_a_response_is_retried(server: Server, target: Path, get: Get) -> None:
    server.script = [lambda handler: None, full_body()]
    get()
    assert is_complete(target)


def test_response_that_is_not_http_is_an_error(server: Server, get: Get) -> None:
    def speak_smtp(handler: Handler) -> None:
        handler.wfile.write(b"\x1b[2J220 smtp ready\r\n")

    server.script = [speak_smtp]
    with pytest.raises(LitotesError, match=r"L501.*not send a complete HTTP response") as caught:
        get()
    assert "\x1b" not in str(caught.value)


# Errors that are not retried


@pytest.mark.parametrize(
    ("code", "phrase"), [(404, "404 Not Found"), (403, "403 Forbidden"), (204, "204 No"), (206, "206")]
)
def test_refusal_is_not_retried(
    server: Server, target: Path, get: Get, delays: list[float], code: int, phrase: str
) -> None:
    server.script = [status(code)]
    with pytest.raises(LitotesError, match=rf"L501.*file\.json.*{phrase}") as caught:
        get()
    assert not caught.value.is_retryable
    assert len(server.seen) == 1
    assert delays == []
    assert is_empty(target)


def test_refused_connection_is_not_retried(target: Path, get: Get, delays: list[float]) -> None:
    with socket.socket() as taken:  # bound but not listening, so that no other process gets the port
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/file"
        with pytest.raises(LitotesError, match=r"L501.*refused the connection; check the network") as caught:
            get(url=url)
    assert caught.value.is_retryable
    assert delays == []
    assert is_empty(target)


def test_unknown_host_is_not_retried(target: Path, get: Get, delays: list[float]) -> None:
    with pytest.raises(LitotesError, match=r"L501.*no-such-host\.invalid.*host name is unknown"):
        get(url="http://no-such-host.invalid/file")
    assert delays == []
    assert is_empty(target)


def test_server_that_disappears_during_the_download_is_retried(
    server: Server, target: Path, get: Get, delays: list[float]
) -> None:
    server.script = [cut_at(1000)]

    def sleep(seconds: float) -> None:
        delays.append(seconds)
        server.socket.close()

    with pytest.raises(
        LitotesError, match=r"L501.*refused the connection .last of 3 attempts.*resumes after the first 1,000 bytes"
    ):
        get(sleep=sleep, attempts=3)
    assert delays == [1, 2]


# Wrong files


@pytest.mark.parametrize("step", [full_body(OTHER), chunked(OTHER)], ids=["length", "chunked"])
def test_wrong_file_is_refused_and_deleted(
    server: Server, target: Path, get: Get, delays: list[float], step: Step
) -> None:
    server.script = [step]
    with pytest.raises(LitotesError, match=r"L502.*file\.json") as caught:
        get()
    assert SHA[:12] in str(caught.value)
    assert hashlib.sha256(OTHER).hexdigest()[:12] in str(caught.value)
    assert SHA[:13] not in str(caught.value)
    assert caught.value.hint
    assert len(server.seen) == 1
    assert delays == []
    assert is_empty(target)


def test_wrong_file_of_unknown_length_is_refused_after_all_attempts(server: Server, target: Path, get: Get) -> None:
    server.script = [without_length(OTHER)]
    with pytest.raises(LitotesError, match="L502"):
        get(attempts=2)
    assert len(server.seen) == 2
    assert is_empty(target)


# Partial files


def test_partial_file_is_resumed(server: Server, target: Path, get: Get) -> None:
    write_part(target, BODY[:777])
    server.script = [remainder()]
    get()
    assert server.ranges == ["bytes=777-"]
    assert is_complete(target)


def test_complete_partial_file_needs_no_request(server: Server, target: Path, get: Get) -> None:
    write_part(target, BODY)
    get()
    assert server.seen == []
    assert is_complete(target)


def test_partial_file_that_is_too_long_is_downloaded_again(server: Server, target: Path, get: Get) -> None:
    write_part(target, BODY + b"more")
    server.script = [status(416, Content_Range=f"bytes */{len(BODY)}"), full_body()]
    get(attempts=1)
    assert server.ranges == [f"bytes={len(BODY) + 4}-", None]
    assert is_complete(target)


def test_repeated_416_is_an_error(server: Server, target: Path, get: Get) -> None:
    write_part(target, BODY[:10])
    server.script = [status(416)]
    with pytest.raises(LitotesError, match=r"L501.*416"):
        get()
    assert len(server.seen) == 2


def test_partial_file_of_another_file_is_downloaded_again(server: Server, target: Path, get: Get) -> None:
    write_part(target, OTHER)
    server.script = [remainder(), full_body()]
    get()
    assert server.ranges == [f"bytes={len(OTHER)}-", None]
    assert is_complete(target)


def dribble(finished: threading.Event) -> Step:
    def step(handler: Handler) -> None:
        handler.start(200, Content_Length=len(BODY))
        for start in range(0, 20_000, 1000):
            handler.wfile.write(BODY[start : start + 1000])
            time.sleep(0.002)
        finished.wait(5)

    return step


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline, "timed out"
        time.sleep(0.005)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_resumes_after_sigkill(server: Server, target: Path, get: Get) -> None:
    finished = threading.Event()
    server.script = [dribble(finished), remainder()]
    program = (
        "import sys; from pathlib import Path; from litotes.core.download import download;"
        "download(sys.argv[1], Path(sys.argv[2]), sha256=sys.argv[3])"
    )
    process = subprocess.Popen([sys.executable, "-c", program, server.url, str(target), SHA])
    try:
        wait_until(lambda: part_of(target).exists() and part_of(target).stat().st_size >= 5000)
    finally:
        process.kill()
        process.wait()
        finished.set()
    size = part_of(target).stat().st_size
    assert not target.exists()
    get()
    assert server.ranges == [None, f"bytes={size}-"]
    assert is_complete(target)


def test_resumes_after_keyboard_interrupt(server: Server, target: Path, get: Get) -> None:
    server.script = [full_body(), remainder()]

    def interrupt(received: int, total: int | None) -> None:
        if received:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        get(on_progress=interrupt)
    size = part_of(target).stat().st_size
    assert size > 0
    assert not target.exists()
    get()
    assert server.ranges == [None, f"bytes={size}-"]
    assert is_complete(target)


@pytest.mark.skipif(sys.platform == "win32", reason="relies on POSIX locks")
def test_simultaneous_downloads_request_the_file_once(server: Server, target: Path, get: Get) -> None:
    finished = threading.Event()

    def slow(handler: Handler) -> None:
        handler.start(200, Content_Length=len(BODY))
        handler.wfile.write(BODY[:1000])
        finished.wait(5)
        handler.wfile.write(BODY[1000:])

    server.script = [slow]
    first, second = (threading.Thread(target=get) for _ in range(2))
    first.start()
    wait_until(lambda: part_of(target).exists() and part_of(target).stat().st_size == 1000)
    second.start()
    second.join(0.2)
    assert second.is_alive()
    finished.set()
    first.join(5)
    second.join(5)
    assert len(server.seen) == 1
    assert is_complete(target)


@pytest.mark.skipif(sys.platform == "win32", reason="relies on POSIX locks")
def test_download_starts_after_another_one_failed(server: Server, target: Path, get: Get) -> None:
    answer = threading.Event()

    def slow_refusal(handler: Handler) -> None:
        answer.wait(5)
        handler.start(404)

    def fail() -> None:
        with pytest.raises(LitotesError, match="404"):
            get()

    server.script = [slow_refusal, full_body()]
    first, second = threading.Thread(target=fail), threading.Thread(target=get)
    first.start()
    wait_until(lambda: len(server.seen) == 1)
    second.start()
    second.join(0.1)  # by now it waits for the lock
    answer.set()
    first.join(5)
    second.join(5)
    assert is_complete(target)


# Targets that cannot be written


def test_target_below_a_file_is_an_error(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(LitotesError, match="L401"):
        download(server.url, tmp_path / "file" / "below", sha256=SHA)
    assert server.seen == []


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root writes anywhere")
def test_read_only_folder_is_an_error(server: Server, target: Path, get: Get) -> None:
    target.parent.mkdir(mode=0o500)
    with pytest.raises(LitotesError, match="L401"):
        get()
    assert server.seen == []


def test_folder_at_the_target_is_an_error(server: Server, target: Path, get: Get) -> None:
    target.mkdir(parents=True)
    with pytest.raises(LitotesError, match=r"L401.*irectory"):
        get()
    assert server.seen == []
    assert target.is_dir()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_full_disk_is_an_error(server: Server, target: Path, get: Get, delays: list[float]) -> None:
    server.script = [full_body()]
    target.parent.mkdir()
    part_of(target).symlink_to("/dev/full")
    with pytest.raises(LitotesError, match="L402"):
        get()
    assert delays == []
    assert not target.exists()


def test_error_in_the_callback_is_propagated(server: Server, get: Get) -> None:
    server.script = [full_body()]

    def broken(received: int, total: int | None) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        get(on_progress=broken)
