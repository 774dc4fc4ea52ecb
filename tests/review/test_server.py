"""The real server: responses and refusals."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

READING = ("/api/about", "/api/unit?annotator=Ana", "/api/rows?annotator=Ana", "/api/status?annotator=Ana")
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
FILES = ("review.js", "api.js", "view.js", "diff.js", "review.css", "icon.svg")


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, serving: Callable[..., Any], request: pytest.FixtureRequest
) -> Iterator[Any]:
    """Return a server for tests without changes."""
    folder = tmp_path_factory.mktemp("served")
    write = request.getfixturevalue("write_suite_in")
    with serving(write(folder / "suite", 6)) as running:
        yield running


def sent(server: Any, body: bytes, **headers: str) -> tuple[int, Any]:
    usual = {"X-Litotes-Token": server.token, "Origin": server.origin, "Content-Type": "application/json"}
    all_headers = {**usual, **{name.replace("_", "-"): value for name, value in headers.items()}}
    status, _, answer = server.raw(
        "POST", "/api/verdict", body, {key: value for key, value in all_headers.items() if value}
    )
    return status, answer


VERDICT = json.dumps({"annotator": "Ana", "unit": "u0", "verdict": "accept"}).encode()


def assert_nothing_stored(server: Any) -> bool:
    return bool(server.get("status", annotator="Ana")["progress"]["done"] == 0)


def test_the_page_needs_the_token(server: Any) -> None:
    status, headers, body = server.raw("GET", f"/?token={server.token}")
    assert status == 200 and b"review.js" in body
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and server.token not in cookie
    name, value = cookie.partition(";")[0].split("=")
    assert server.raw("GET", "/", headers={"Cookie": f"{name}={value}"})[0] == 200
    for path, cookies in (
        ("/", ""),
        ("/?token=wrong", ""),
        ("/?token=", ""),
        ("/", f"{name}=wrong"),
        ("/?ticket=", ""),
    ):
        status, headers, body = server.raw("GET", path, headers={"Cookie": cookies} if cookies else {})
        assert status == 403 and b"review.js" not in body and "set-cookie" not in headers


@pytest.mark.parametrize("path", READING)
def test_reading_needs_the_token_not_the_cookie(server: Any, path: str) -> None:
    assert server.raw("GET", path, headers={"X-Litotes-Token": server.token})[0] == 200
    cookie = server.raw("GET", f"/?token={server.token}")[1]["set-cookie"].partition(";")[0]
    for headers in ({}, {"X-Litotes-Token": "wrong"}, {"X-Litotes-Token": ""}, {"Cookie": cookie}):
        status, _, body = server.raw("GET", path, headers=headers)
        assert status == 403
        assert "kettle" not in body.decode()
    assert server.raw("GET", f"{path}{'&' if '?' in path else '?'}token={server.token}")[0] == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"X_Litotes_Token": ""},
        {"X_Litotes_Token": "wrong"},
        {"Origin": ""},
        {"Origin": "null"},
        {"Origin": "https://example.org"},
        {"Host": "rebound.example.org"},
        {"Sec_Fetch_Site": "cross-site"},
    ],
)
def test_cross_origin_writing_is_refused(server: Any, headers: dict[str, str]) -> None:
    status, _ = sent(server, VERDICT, **headers)
    assert status == 403
    assert assert_nothing_stored(server)


@pytest.mark.parametrize("path", ["/", "/page/review.js", *READING])
def test_foreign_host_names_are_refused(server: Any, path: str) -> None:
    port = server.host.rpartition(":")[2]
    for host in (f"rebound.example.org:{port}", "127.0.0.1", "example.org"):
        query = f"{'&' if '?' in path else '?'}token={server.token}"
        status, _, _ = server.raw("GET", path + query, headers={"Host": host, "X-Litotes-Token": server.token})
        assert status == 403


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (VERDICT, {"Content_Type": "text/plain"}, 415),
        (VERDICT, {"Content_Type": ""}, 415),
        (VERDICT, {"Content_Type": "application/x-www-form-urlencoded"}, 415),
        (b"{", {}, 400),
        (b"[]", {}, 400),
        (b"[" * 60_000, {}, 400),
        (b"\xff\xfe", {}, 400),
        (b" " * 70_000, {}, 413),
        (b'{"annotator": "Ana", "unit": "u99", "verdict": "accept"}', {}, 400),
        (b'{"annotator": "<b>", "unit": "u0", "verdict": "accept"}', {}, 400),
        (b'{"annotator": "Ana", "unit": "u0", "verdict": "reject"}', {}, 400),
        (b'{"annotator": "Ana", "unit": "u0", "verdict": "accept", "request": "x"}', {}, 400),
        (b'{"annotator": "Ana", "unit": {}, "verdict": []}', {}, 400),
    ],
)
def test_invalid_requests_are_refused_with_a_message(
    server: Any, body: bytes, headers: dict[str, str], status: int
) -> None:
    result, answer = sent(server, body, **headers)
    assert result == status
    assert json.loads(answer)["error"]
    assert assert_nothing_stored(server)


def test_a_chunked_body_is_limited(server: Any) -> None:
    chunk = b"1000\r\n" + b" " * 0x1000 + b"\r\n"
    status, _ = sent(server, chunk * 20 + b"0\r\n\r\n", Transfer_Encoding="chunked")
    assert status == 413


def test_every_response_has_the_security_headers(server: Any) -> None:
    answers = [
        server.raw("GET", f"/?token={server.token}"),
        server.raw("GET", "/"),
        server.raw("GET", "/nothing"),
        server.raw("GET", "/api/about"),
        server.raw("GET", "/", headers={"Host": "example.org"}),
        server.raw("POST", "/api/verdict", b"{}"),
        *(server.raw("GET", f"/page/{name}") for name in FILES),
    ]
    for _, headers, _ in answers:
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy and "*" not in policy
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert not any(name.startswith("access-control") for name in headers)


def test_the_page_assets_are_served(server: Any) -> None:
    for name in FILES:
        status, headers, _ = server.raw("GET", f"/page/{name}")
        assert status == 200 and headers["content-type"].partition(";")[0] == TYPES[name.partition(".")[2]]
    for name in ("index.html", "../server.py", "..%2fserver.py", "%2e%2e/server.py", "nothing.js", ""):
        assert server.raw("GET", f"/page/{name}")[0] in (404, 405)


def test_the_page_has_no_inline_scripts_or_styles(server: Any) -> None:
    page = server.raw("GET", f"/?token={server.token}")[2].decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:|https?://", page)
    for name in FILES:
        text = server.raw("GET", f"/page/{name}")[2].decode()
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", text)


def test_a_verdict_is_stored_and_undone(write_suite_in: Callable[..., Path], tmp_path: Path, serving: Any) -> None:
    with serving(write_suite_in(tmp_path / "own", 6)) as own:
        answer = own.judge("u0", "reject", reason="unclear", note="<script>alert(1)</script>")
        assert answer["unit"]["key"] == "u1"
        assert own.get("unit", annotator="Ana", unit="u0")["unit"]["mine"]["note"] == "<script>alert(1)</script>"
        assert own.post("undo", annotator="Ana")[1]["undone"] == "u0"


def test_a_repeated_request_counts_once(write_suite_in: Callable[..., Path], tmp_path: Path, serving: Any) -> None:
    with serving(write_suite_in(tmp_path / "own", 6)) as own:
        for _ in range(3):
            own.judge("u0", request="request-0001")
        assert own.post("undo", annotator="Ana", request="request-0002")[1]["undone"] == "u0"
        assert own.post("undo", annotator="Ana", request="request-0002")[1]["undone"] == "u0"
        assert own.post("undo", annotator="Ana", request="request-0003")[1]["undone"] is None


def test_clients_that_leave_in_the_middle_of_a_body_cause_no_traceback(
    write_suite_in: Callable[..., Path], tmp_path: Path, serving: Any
) -> None:
    import socket

    with serving(write_suite_in(tmp_path / "suite", 2)) as server:
        head = (
            f"POST /api/verdict HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.origin}\r\n"
            f"X-Litotes-Token: {server.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
        )
        name, _, port = server.host.rpartition(":")
        for _ in range(5):
            with socket.create_connection((name, int(port)), timeout=10) as connection:
                connection.sendall(head.encode() + b'{"unit":')
        server.judge("u0")  # the server has handled the requests before it
        server.process.kill()
        assert "Traceback" not in server.process.stderr.read()
