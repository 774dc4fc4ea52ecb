"""The LanguageTool gate against a small server that speaks its protocol."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.rewrites.apply import rewrite
from litotes.rewrites.base import Edit, Edits
from litotes.rewrites.gates import EditCandidate, filter_edits
from litotes.rewrites.language_tool import LanguageTool, LanguageToolMatch

RULES = {
    "do not sings": ("DO_VBZ", "GRAMMAR"),
    "teh": ("MORFOLOGIK_RULE_EN_US", "TYPOS"),
    "utilise": ("UTILISE", "STYLE"),
    "recieve": ("MORFOLOGIK_RULE_EN_US", "TYPOS"),
    "very very": ("ENGLISH_WORD_REPEAT_RULE", "MISC"),
}


def matches_in(text: str) -> list[dict[str, Any]]:
    """Return the matches of the small server in LanguageTool's format."""
    return [
        {
            "message": f"“{wrong}” is wrong",
            "shortMessage": "",
            "offset": index,
            "length": len(wrong),
            "replacements": [],
            "context": {"text": text, "offset": index, "length": len(wrong)},
            "rule": {"id": rule, "description": "", "issueType": "grammar", "category": {"id": category, "name": ""}},
        }
        for wrong, (rule, category) in RULES.items()
        for index in [text.find(wrong)]
        if index >= 0
    ]


class Server(ThreadingHTTPServer):
    """A server that records its requests."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str, dict[str, list[str]]]] = []
        self.answer: Callable[[str], tuple[int, bytes]] = self.good

    def good(self, text: str) -> tuple[int, bytes]:
        document = {"software": {"name": "LanguageTool"}, "language": {"code": "en-US"}, "matches": matches_in(text)}
        return 200, json.dumps(document).encode()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode(), keep_blank_values=True)
        self.server.asked.append((self.path, self.headers["Content-Type"], form))
        status, body = self.server.answer(form["text"][0])
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        if status in {301, 302, 307}:
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "*")
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def refusal(tool: LanguageTool, before: str, after: str, rule: str = "negation") -> str | None:
    [skip] = tool.refusals([EditCandidate(before, Edit(after, rule, "opposite", ()))])
    return None if skip is None else skip.reason


def test_speaks_the_protocol(server: Server) -> None:
    text = "She said: “I & you do not sings 😀 + 100 %”"
    matches = LanguageTool(server.address).check(text)
    assert matches == (LanguageToolMatch("DO_VBZ", "GRAMMAR", text.index("do not"), 12, "“do not sings” is wrong"),)
    assert server.asked == [
        ("/v2/check", "application/x-www-form-urlencoded", {"language": ["en-US"], "text": [text]}),
    ]


@pytest.mark.parametrize("ending", ["", "/", "/v2", "/v2/", "/v2/check"])
def test_accepts_address_variants(server: Server, ending: str) -> None:
    LanguageTool(server.address + ending).check("good")
    assert server.asked[0][0] == "/v2/check"


def test_accepts_a_path_prefix_and_a_language(server: Server) -> None:
    LanguageTool(f"{server.address}/tool", language="en-GB").check("good")
    path, _, form = server.asked[0]
    assert (path, form["language"]) == ("/tool/v2/check", ["en-GB"])


def test_rejects_new_errors_only(server: Server) -> None:
    tool = LanguageTool(server.address)
    assert refusal(tool, "She sings.", "She do not sings.") == "DO_VBZ: “do not sings” is wrong"
    assert refusal(tool, "She sings.", "She does not sing.") is None
    assert refusal(tool, "She do not sings.", "He do not sings.") is None
    assert refusal(tool, "I see teh dog.", "I do not see teh dog.") is None


def test_rejects_an_additional_error_of_the_same_rule(server: Server) -> None:
    tool = LanguageTool(server.address)
    assert refusal(tool, "I see teh dog.", "I see teh dog and recieve it.") is not None


def test_ignores_style_by_default(server: Server) -> None:
    assert refusal(LanguageTool(server.address), "I use it.", "I utilise it.") is None
    assert refusal(LanguageTool(server.address, ignored=()), "I use it.", "I utilise it.") is not None
    assert refusal(LanguageTool(server.address, ignored={"DO_VBZ"}), "She sings.", "She do not sings.") is None


def test_accepts_typos_of_the_typo_rule(server: Server) -> None:
    tool = LanguageTool(server.address)
    assert refusal(tool, "I see the dog.", "I see teh dog.", "typo") is None
    assert refusal(tool, "I see the dog.", "I see teh dog.", "synonym") is not None
    assert refusal(tool, "She sings.", "She do not sings.", "typo") is not None


def test_caches_results(server: Server) -> None:
    tool = LanguageTool(server.address)
    for _ in range(3):
        refusal(tool, "She sings.", "She do not sings.")
    assert [form["text"][0] for _, _, form in server.asked] == ["She do not sings.", "She sings."]


def test_filters_a_stream(server: Server) -> None:
    good, bad = (Edit(text, "negation", "opposite", ()) for text in ("She does not sing.", "She do not sings."))
    [accepted] = filter_edits([("She sings.", Edits([bad, good]))], [LanguageTool(server.address)])
    assert accepted == [good]
    assert [skip.code for skip in accepted.skips] == ["language-tool"]


def test_is_loaded_by_address(server: Server) -> None:
    assert rewrite("negation", "She sings.", gates=[server.address]) == rewrite("negation", "She sings.")
    assert "She does not sing." in {form["text"][0] for _, _, form in server.asked}


def failing(tool: LanguageTool) -> LitotesError:
    with pytest.raises(LitotesError) as raised:
        tool.check("She sings.")
    assert raised.value.code == "L501"
    assert "LanguageTool" in str(raised.value) and "\n" not in str(raised.value)
    return raised.value


def test_reports_a_refused_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    with Server() as closed:
        address = closed.address
    assert address in str(failing(LanguageTool(address)))


def test_reports_an_unknown_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    failing(LanguageTool("http://no-such-host.invalid:8081", timeout=2))


def test_reports_a_timeout(server: Server) -> None:
    def late(text: str) -> tuple[int, bytes]:
        time.sleep(6)
        return 200, b"{}"

    server.answer = late
    start = time.monotonic()
    assert "did not answer within 0.2 s" in str(failing(LanguageTool(server.address, timeout=0.2)))
    assert time.monotonic() - start < 5  # the gate did not wait for the answer


@pytest.mark.parametrize("status", [400, 404, 413, 500, 503])
def test_reports_an_error_status(server: Server, status: int) -> None:
    server.answer = lambda text: (status, b"Error: too many requests")
    assert str(status) in str(failing(LanguageTool(server.address)))


@pytest.mark.parametrize("status", [301, 302, 307])
def test_does_not_follow_redirects(server: Server, status: int) -> None:
    server.answer = lambda text: (status, b"")
    assert str(status) in str(failing(LanguageTool(server.address)))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b"{}",
        b'{"matches": 3}',
        b'{"matches": [3]}',
        b'{"matches": [{"rule": {}}]}',
        b'{"matches": [{"rule": {"id": "A"}, "offset": "x", "length": 1}]}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_reports_an_unexpected_response(server: Server, body: bytes) -> None:
    server.answer = lambda text: (200, body)
    assert "does not answer as LanguageTool does" in str(failing(LanguageTool(server.address)))


def test_accepts_a_minimal_response(server: Server) -> None:
    server.answer = lambda text: (200, b'{"matches": [{"rule": {"id": "A"}, "offset": 0, "length": 1}]}')
    assert LanguageTool(server.address).check("x") == (LanguageToolMatch("A", "", 0, 1, ""),)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "localhost:8081",
        "ftp://localhost",
        "file:///etc/hosts",
        "http://",
        "http://a b",
        "http://a:x",
        "http://a/?q=1",
    ],
)
def test_rejects_invalid_addresses(address: str) -> None:
    with pytest.raises(UsageError) as raised:
        LanguageTool(address)
    assert raised.value.code == "L102"
