"""Downloads against a real server on this machine that misbehaves as each test says."""

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
from litotes.core.download import MAX_PAUSE, MAX_REDIRECTS, download
from litotes.core.errors import LitotesError

BODY = bytes(range(256)) * 400
SHA = hashlib.sha256(BODY).hexdigest()
OTHER = b"<html>please log in</html>"


class Handler(BaseHTTPRequestHandler):
    """Plays the server's script: one step a request, the last one for all that follow."""

    server: Server

    def do_GET(self) -> None:
        number = len(self.server.seen)
        self.server.seen.append(dict(self.headers.items()) | {"path": self.path})
        with contextlib.suppress(ConnectionError):  # the client goes away, as some tests want
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
        pass  # a client that distrusts our certificate is no news


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
def waits() -> list[float]:
    return []


@pytest.fixture
def get(server: Server, target: Path, waits: list[float]) -> Callable[..., Path]:
    def run(**changed: object) -> Path:
        settings: dict[str, object] = {"sha256": SHA, "wait": waits.append, "timeout": 5}
        url = str(changed.pop("url", server.url))
        return download(url, target, **{**settings, **changed})  # type: ignore[arg-type]

    return run


def whole(body: bytes = BODY, **headers: object) -> Step:
    def step(handler: Handler) -> None:
        handler.start(200, Content_Length=len(body), **headers)
        handler.wfile.write(body)

    return step


def without_length(body: bytes = BODY) -> Step:
    def step(handler: Handler) -> None:
        handler.start(200)
        handler.wfile.write(body)

    return step


def chunked(body: bytes = BODY, upto: int | None = None) -> Step:
    def step(handler: Handler) -> None:
        handler.protocol_version = "HTTP/1.1"
        handler.start(200, Transfer_Encoding="chunked", Connection="close")
        handler.wfile.write(f"{len(body):x}\r\n".encode() + body[:upto])
        if upto is None:
            handler.wfile.write(b"\r\n0\r\n\r\n")

    return step


def cut_at(size: int, *, reset: bool = False) -> Step:
    def step(handler: Handler) -> None:
        handler.start(200, Content_Length=len(BODY))
        handler.wfile.write(BODY[:size])
        if reset:
            time.sleep(0.1)  # a reset also throws away what the client has not read yet
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.close()

    return step


def rest(*, upto: int | None = None, claimed: str | None = None) -> Step:
    def step(handler: Handler) -> None:
        start = int(handler.headers["Range"].removeprefix("bytes=").removesuffix("-"))
        claim = claimed or f"bytes {start}-{len(BODY) - 1}/{len(BODY)}"
        handler.start(206, Content_Range=claim, Content_Length=len(BODY) - start)
        handler.wfile.write(BODY[start:upto])

    return step


def status(code: int, **headers: object) -> Step:
    return lambda handler: handler.start(code, Content_Length=0, **headers)


def redirect(location: str, code: int = 302) -> Step:
    return status(code, Location=location)


def leave_part(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    part_of(target).write_bytes(content)


def part_of(target: Path) -> Path:
    return target.with_name(target.name + ".part")


def nothing_there(target: Path) -> bool:
    return not target.parent.exists() or not list(target.parent.iterdir())


def only_the_file(target: Path) -> bool:
    return [path.name for path in target.parent.iterdir()] == [target.name] and target.read_bytes() == BODY


Get = Callable[..., Path]


# What goes well


@pytest.mark.parametrize("step", [whole(), without_length(), chunked()], ids=["length", "no length", "chunked"])
def test_a_file_arrives_whole_and_alone(server: Server, target: Path, get: Get, step: Step) -> None:
    server.script = [step]
    assert get() == target
    assert only_the_file(target)


def test_the_request_says_who_asks_and_no_more(server: Server, get: Get) -> None:
    server.script = [whole()]
    get()
    (request,) = server.seen
    assert request.pop("User-Agent") == f"litotes/{__version__}"
    assert set(request) == {"path", "Host", "Accept-Encoding", "Connection"}


def test_an_upper_case_sha256_is_the_same(server: Server, target: Path, get: Get) -> None:
    server.script = [whole()]
    get(sha256=SHA.upper())
    assert only_the_file(target)


def test_an_empty_file_is_a_file(server: Server, target: Path, get: Get) -> None:
    server.script = [whole(b"")]
    get(sha256=hashlib.sha256(b"").hexdigest())
    assert target.read_bytes() == b""


def test_progress_goes_from_nothing_to_all(server: Server, get: Get) -> None:
    server.script = [whole()]
    told: list[tuple[int, int | None]] = []
    get(progress=lambda received, total: told.append((received, total)))
    assert told[0] == (0, len(BODY))
    assert told[-1] == (len(BODY), len(BODY))
    assert told == sorted(told)


def test_an_address_with_other_letters_is_asked_for(server: Server, target: Path, get: Get) -> None:
    server.script = [whole()]
    get(url=server.url.replace("file", "größe und mehr"))
    assert server.seen[0]["path"] == "/data/gr%C3%B6%C3%9Fe%20und%20mehr.json"


def test_an_address_from_a_badly_encoded_command_line_is_no_crash(server: Server, get: Get) -> None:
    server.script = [status(404)]
    with pytest.raises(LitotesError, match="L501") as caught:
        get(url=server.url + "\udcff")
    str(caught.value).encode()


# Target there already


def test_a_right_target_is_not_downloaded_again(server: Server, target: Path, get: Get) -> None:
    target.parent.mkdir()
    target.write_bytes(BODY)
    assert get() == target
    assert server.seen == []


def test_a_wrong_target_is_replaced(server: Server, target: Path, get: Get) -> None:
    target.parent.mkdir()
    target.write_bytes(OTHER)
    server.script = [whole()]
    get()
    assert only_the_file(target)


@pytest.mark.parametrize("step", [status(404), whole(b"something else")], ids=["failed", "wrong hash"])
def test_a_wrong_target_stays_when_the_download_is_bad(server: Server, target: Path, get: Get, step: Step) -> None:
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
    server.script = [redirect("/second", code), redirect(server.url + "?third", code), whole()]
    get()
    assert [request["path"] for request in server.seen] == [
        "/data/file.json",
        "/second",
        "/data/file.json?third",
    ]
    assert only_the_file(target)


def test_a_redirect_keeps_the_range(server: Server, target: Path, get: Get) -> None:
    leave_part(target, BODY[:100])
    server.script = [redirect("/second"), rest()]
    get()
    assert server.ranges == ["bytes=100-", "bytes=100-"]
    assert only_the_file(target)


def test_a_redirect_loop_ends(server: Server, target: Path, get: Get, waits: list[float]) -> None:
    server.script = [redirect("/round/and/round")]
    with pytest.raises(LitotesError, match=rf"L501.*file\.json.*more than {MAX_REDIRECTS} redirects"):
        get()
    assert len(server.seen) == MAX_REDIRECTS + 1
    assert waits == []
    assert nothing_there(target)


@pytest.mark.parametrize(
    "location",
    ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,x", "http://[::bad/", "//me:pw@host/"],
)
def test_a_redirect_to_anything_but_the_web_is_refused(server: Server, target: Path, get: Get, location: str) -> None:
    server.script = [redirect(location)]
    with pytest.raises(LitotesError, match=r"L501.*redirects to") as caught:
        get()
    assert "pw" not in str(caught.value)
    assert len(server.seen) == 1
    assert nothing_there(target)


def test_a_redirect_to_nowhere_is_told(server: Server, get: Get) -> None:
    server.script = [status(302)]
    with pytest.raises(LitotesError, match=r"L501.*without saying where"):
        get()


@pytest.mark.parametrize("scheme", ["file", "ftp", "data", "", "javascript"])
def test_only_the_web_is_asked(tmp_path: Path, target: Path, get: Get, scheme: str) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(BODY)
    with pytest.raises(LitotesError, match=r"L501.*only http and https"):
        get(url=f"{scheme}://{secret}")
    assert nothing_there(target)


@pytest.mark.parametrize("url", ["http://", "http://[", "http://127.0.0.1:port/", "http://me:pw@127.0.0.1/"])
def test_a_broken_address_is_one_line_without_its_password(get: Get, waits: list[float], url: str) -> None:
    with pytest.raises(LitotesError, match="L501") as caught:
        get(url=url)
    assert "pw" not in str(caught.value)
    assert waits == []


# Over TLS


@pytest.fixture
def tls_server(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    if not shutil.which("openssl"):
        pytest.skip("openssl makes the certificate")
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


def test_http_may_lead_to_https_but_not_back(server: Server, tls_server: Server, target: Path, get: Get) -> None:
    server.script = [redirect(tls_server.url)]
    tls_server.script = [redirect(server.url), whole()]
    with pytest.raises(LitotesError, match=r"L501.*from https to http://.*not encrypted"):
        get()
    assert len(server.seen) == 1
    get()
    assert only_the_file(target)


def test_a_certificate_nobody_signed_is_not_trusted(
    tls_server: Server, get: Get, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", os.devnull)
    with pytest.raises(LitotesError, match=r"L501.*certificate is not trusted"):
        get(url=tls_server.url)
    assert tls_server.seen == []
    assert waits == []


# Cuts and what follows them


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
def test_a_cut_download_is_resumed(server: Server, target: Path, get: Get, waits: list[float], reset: bool) -> None:
    server.script = [cut_at(1000, reset=reset), rest(upto=3000), rest()]
    get()
    assert server.ranges == [None, "bytes=1000-", "bytes=3000-"]
    assert waits == [1, 2]
    assert only_the_file(target)


def test_progress_goes_on_from_where_it_was(server: Server, get: Get) -> None:
    server.script = [cut_at(1000), rest()]
    told: list[tuple[int, int | None]] = []
    get(progress=lambda received, total: told.append((received, total)))
    assert told.count((1000, len(BODY))) == 2
    assert told == sorted(told)


def test_a_server_that_ignores_ranges_sends_all_again(server: Server, target: Path, get: Get) -> None:
    server.script = [cut_at(1000), whole()]
    get()
    assert server.ranges == [None, "bytes=1000-"]
    assert only_the_file(target)


@pytest.mark.parametrize(
    "claimed", ["bytes 999-102399/102400", "bytes 0-102399/102400", "items 1000-1/2", "bytes 1000-10/102400"]
)
def test_the_wrong_range_is_not_appended(server: Server, target: Path, get: Get, claimed: str) -> None:
    server.script = [cut_at(1000), rest(claimed=claimed), whole()]
    get()
    assert server.ranges == [None, "bytes=1000-", None]
    assert only_the_file(target)


def test_a_range_of_unknown_total_is_taken(server: Server, target: Path, get: Get) -> None:
    server.script = [cut_at(1000), rest(claimed=f"bytes 1000-{len(BODY) - 1}/*")]
    get()
    assert only_the_file(target)


def test_a_cut_in_a_chunk_is_noticed(server: Server, target: Path, get: Get) -> None:
    server.script = [chunked(upto=5000), rest()]
    get()
    assert server.ranges == [None, "bytes=5000-"]
    assert only_the_file(target)


def test_a_cut_that_cannot_be_seen_is_found_by_the_hash(server: Server, target: Path, get: Get) -> None:
    server.script = [without_length(BODY[:1000]), whole()]
    get()
    assert only_the_file(target)


def test_a_file_that_changes_between_cut_and_resume_is_taken_anew(server: Server, target: Path, get: Get) -> None:
    def other_beginning(handler: Handler) -> None:
        handler.start(200, Content_Length=len(BODY))
        handler.wfile.write(OTHER)

    server.script = [other_beginning, rest(), whole()]
    get()
    assert server.ranges == [None, f"bytes={len(OTHER)}-", None]
    assert only_the_file(target)


def test_cut_again_and_again_is_given_up_and_kept(server: Server, target: Path, get: Get, waits: list[float]) -> None:
    server.script = [cut_at(1000), rest(upto=1500), rest(upto=2000)]
    with pytest.raises(LitotesError, match=r"L501.*cut after 2,000 of 102,400 bytes, the last of 3 attempts") as caught:
        get(attempts=3)
    assert server.url in str(caught.value)
    assert "2,000 bytes are kept" in caught.value.hint
    assert waits == [1, 2]
    assert part_of(target).read_bytes() == BODY[:2000]
    assert not target.exists()


def test_a_stall_is_a_cut(server: Server, target: Path, get: Get) -> None:
    go_on = threading.Event()

    def stall(handler: Handler) -> None:
        cut_at(1000)(handler)
        go_on.wait(2)

    server.script = [stall, rest()]
    get(timeout=0.2)
    go_on.set()
    assert server.ranges == [None, "bytes=1000-"]
    assert only_the_file(target)


def test_a_server_that_never_answers_is_given_up(server: Server, target: Path, get: Get) -> None:
    go_on = threading.Event()

    def never(handler: Handler) -> None:
        go_on.wait(2)

    server.script = [never]
    with pytest.raises(LitotesError, match=r"L501.*nothing came for 0\.1 s, the last of 2 attempts"):
        get(timeout=0.1, attempts=2)
    go_on.set()
    assert nothing_there(target)


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again(server: Server, target: Path, get: Get, waits: list[float], code: int) -> None:
    server.script = [status(code), status(code), whole()]
    get()
    assert waits == [1, 2]
    assert only_the_file(target)


@pytest.mark.parametrize(
    ("said", "waited"), [("7", 7), ("99999", MAX_PAUSE), ("Wed, 21 Oct 2026 07:28:00 GMT", 1), ("-5", 1)]
)
def test_a_server_may_say_how_long_to_wait(
    server: Server, get: Get, waits: list[float], said: str, waited: float
) -> None:
    server.script = [status(503, Retry_After=said), whole()]
    get()
    assert waits == [waited]


def test_a_server_that_stays_busy_is_given_up(server: Server, target: Path, get: Get) -> None:
    server.script = [status(503)]
    with pytest.raises(LitotesError, match=r"L501.*503 Service Unavailable, the last of 4 attempts"):
        get()
    assert len(server.seen) == 4
    assert nothing_there(target)


def test_a_hang_up_without_an_answer_is_a_cut(server: Server, target: Path, get: Get) -> None:
    server.script = [lambda handler: None, whole()]
    get()
    assert only_the_file(target)


def test_an_answer_that_is_not_http_is_told(server: Server, get: Get) -> None:
    def speak_smtp(handler: Handler) -> None:
        handler.wfile.write(b"\x1b[2J220 smtp ready\r\n")

    server.script = [speak_smtp]
    with pytest.raises(LitotesError, match=r"L501.*not HTTP") as caught:
        get()
    assert "\x1b" not in str(caught.value)


# What fails for good


@pytest.mark.parametrize(
    ("code", "phrase"), [(404, "404 Not Found"), (403, "403 Forbidden"), (204, "204 No"), (206, "206")]
)
def test_a_refusal_is_told_at_once(
    server: Server, target: Path, get: Get, waits: list[float], code: int, phrase: str
) -> None:
    server.script = [status(code)]
    with pytest.raises(LitotesError, match=rf"L501.*file\.json.*{phrase}") as caught:
        get()
    assert not caught.value.passing
    assert len(server.seen) == 1
    assert waits == []
    assert nothing_there(target)


def test_a_refused_connection_is_told_at_once(target: Path, get: Get, waits: list[float]) -> None:
    with socket.socket() as taken:  # bound but not listening: nobody else gets the port meanwhile
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/file"
        with pytest.raises(LitotesError, match=r"L501.*connection was refused; check the network") as caught:
            get(url=url)
    assert caught.value.passing
    assert waits == []
    assert nothing_there(target)


def test_an_unknown_host_is_told_at_once(target: Path, get: Get, waits: list[float]) -> None:
    with pytest.raises(LitotesError, match=r"L501.*no-such-host\.invalid.*host name cannot be found"):
        get(url="http://no-such-host.invalid/file")
    assert waits == []
    assert nothing_there(target)


def test_a_server_that_goes_away_on_the_way_is_waited_for(
    server: Server, target: Path, get: Get, waits: list[float]
) -> None:
    server.script = [cut_at(1000)]

    def wait(seconds: float) -> None:
        waits.append(seconds)
        server.socket.close()

    with pytest.raises(LitotesError, match=r"L501.*refused, the last of 3 attempts.*1,000 bytes are kept"):
        get(wait=wait, attempts=3)
    assert waits == [1, 2]


# The wrong file


@pytest.mark.parametrize("step", [whole(OTHER), chunked(OTHER)], ids=["length", "chunked"])
def test_the_wrong_file_is_refused_and_removed(
    server: Server, target: Path, get: Get, waits: list[float], step: Step
) -> None:
    server.script = [step]
    with pytest.raises(LitotesError, match=r"L502.*file\.json") as caught:
        get()
    assert SHA[:12] in str(caught.value)
    assert hashlib.sha256(OTHER).hexdigest()[:12] in str(caught.value)
    assert SHA[:13] not in str(caught.value)
    assert caught.value.hint
    assert len(server.seen) == 1
    assert waits == []
    assert nothing_there(target)


def test_the_wrong_file_of_unknown_length_is_refused_in_the_end(server: Server, target: Path, get: Get) -> None:
    server.script = [without_length(OTHER)]
    with pytest.raises(LitotesError, match="L502"):
        get(attempts=2)
    assert len(server.seen) == 2
    assert nothing_there(target)


# What an earlier process left


def test_a_leftover_is_resumed(server: Server, target: Path, get: Get) -> None:
    leave_part(target, BODY[:777])
    server.script = [rest()]
    get()
    assert server.ranges == ["bytes=777-"]
    assert only_the_file(target)


def test_a_leftover_that_is_whole_needs_no_server(server: Server, target: Path, get: Get) -> None:
    leave_part(target, BODY)
    get()
    assert server.seen == []
    assert only_the_file(target)


def test_a_leftover_that_is_too_long_is_started_over(server: Server, target: Path, get: Get) -> None:
    leave_part(target, BODY + b"more")
    server.script = [status(416, Content_Range=f"bytes */{len(BODY)}"), whole()]
    get(attempts=1)
    assert server.ranges == [f"bytes={len(BODY) + 4}-", None]
    assert only_the_file(target)


def test_a_server_that_knows_no_end_of_416_is_given_up(server: Server, target: Path, get: Get) -> None:
    leave_part(target, BODY[:10])
    server.script = [status(416)]
    with pytest.raises(LitotesError, match=r"L501.*416"):
        get()
    assert len(server.seen) == 2


def test_a_leftover_of_another_file_is_started_over(server: Server, target: Path, get: Get) -> None:
    leave_part(target, OTHER)
    server.script = [rest(), whole()]
    get()
    assert server.ranges == [f"bytes={len(OTHER)}-", None]
    assert only_the_file(target)


def dribble(enough: threading.Event) -> Step:
    def step(handler: Handler) -> None:
        handler.start(200, Content_Length=len(BODY))
        for start in range(0, 20_000, 1000):
            handler.wfile.write(BODY[start : start + 1000])
            time.sleep(0.002)
        enough.wait(5)

    return step


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not true():
        assert time.monotonic() < deadline, "it never came to be"
        time.sleep(0.005)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_what_a_killed_process_left_is_resumed(server: Server, target: Path, get: Get) -> None:
    enough = threading.Event()
    server.script = [dribble(enough), rest()]
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
        enough.set()
    kept = part_of(target).stat().st_size
    assert not target.exists()
    get()
    assert server.ranges == [None, f"bytes={kept}-"]
    assert only_the_file(target)


def test_an_interrupt_leaves_what_came(server: Server, target: Path, get: Get) -> None:
    server.script = [whole(), rest()]

    def interrupt(received: int, total: int | None) -> None:
        if received:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        get(progress=interrupt)
    kept = part_of(target).stat().st_size
    assert kept > 0
    assert not target.exists()
    get()
    assert server.ranges == [None, f"bytes={kept}-"]
    assert only_the_file(target)


@pytest.mark.skipif(sys.platform == "win32", reason="files are not locked there")
def test_two_at_once_download_once(server: Server, target: Path, get: Get) -> None:
    enough = threading.Event()

    def slow(handler: Handler) -> None:
        handler.start(200, Content_Length=len(BODY))
        handler.wfile.write(BODY[:1000])
        enough.wait(5)
        handler.wfile.write(BODY[1000:])

    server.script = [slow]
    first, second = (threading.Thread(target=get) for _ in range(2))
    first.start()
    wait_until(lambda: part_of(target).exists() and part_of(target).stat().st_size == 1000)
    second.start()
    second.join(0.2)
    assert second.is_alive()
    enough.set()
    first.join(5)
    second.join(5)
    assert len(server.seen) == 1
    assert only_the_file(target)


@pytest.mark.skipif(sys.platform == "win32", reason="files are not locked there")
def test_one_that_fails_leaves_the_next_its_turn(server: Server, target: Path, get: Get) -> None:
    answer = threading.Event()

    def slow_refusal(handler: Handler) -> None:
        answer.wait(5)
        handler.start(404)

    def fail() -> None:
        with pytest.raises(LitotesError, match="404"):
            get()

    server.script = [slow_refusal, whole()]
    first, second = threading.Thread(target=fail), threading.Thread(target=get)
    first.start()
    wait_until(lambda: len(server.seen) == 1)
    second.start()
    second.join(0.1)  # by now it waits for a file that the first one is about to remove
    answer.set()
    first.join(5)
    second.join(5)
    assert only_the_file(target)


# Places that cannot be written


def test_a_place_below_a_file_cannot_be_written(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(LitotesError, match="L401"):
        download(server.url, tmp_path / "file" / "below", sha256=SHA)
    assert server.seen == []


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root writes anywhere")
def test_a_read_only_folder_cannot_be_written(server: Server, target: Path, get: Get) -> None:
    target.parent.mkdir(mode=0o500)
    with pytest.raises(LitotesError, match="L401"):
        get()
    assert server.seen == []


def test_a_folder_in_its_place_is_left_alone(server: Server, target: Path, get: Get) -> None:
    target.mkdir(parents=True)
    with pytest.raises(LitotesError, match=r"L401.*irectory"):
        get()
    assert server.seen == []
    assert target.is_dir()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_is_told(server: Server, target: Path, get: Get, waits: list[float]) -> None:
    server.script = [whole()]
    target.parent.mkdir()
    part_of(target).symlink_to("/dev/full")
    with pytest.raises(LitotesError, match="L402"):
        get()
    assert waits == []
    assert not target.exists()


def test_an_error_of_the_progress_is_not_taken_for_ours(server: Server, get: Get) -> None:
    server.script = [whole()]

    def broken(received: int, total: int | None) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        get(progress=broken)
