"""Tests of the client for servers: retries, errors, addresses and the secrecy of the API key."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from typing import Any

import openai_server as at
import pytest
from openai_server import KEY, Clock, Server

from litotes.core.errors import LitotesError
from litotes.core.http import RetryPolicy, parse_address
from litotes.models.access import Access
from litotes.models.names import parse_name
from litotes.models.servers.openai_client import ApiKey, OpenAIClient, ServerRefused, served_model

no_network, environment, server = at.no_network, at.environment, at.server


def client_of(server: Server, clock: Clock | None = None, *, timeout: float = 5, attempts: int = 4) -> OpenAIClient:
    served = served_model(parse_name(f"openai:m@{server.url}"), Access(), None)
    return OpenAIClient(served, timeout=timeout, retry=(clock or Clock()).policy(attempts))


def ask(client: OpenAIClient, text: str = "one") -> dict[str, Any]:
    return client.post("embeddings", {"input": [text]})


PASSING = {
    "503": at.error(503),
    "500 without words": at.raw(b"", 500),
    "502 with a page": at.raw(b"<html>Bad gateway</html>", 502),
    "429": at.error(429),
    "408": at.error(408),
    "hangs up": at.hang_up,
    "cut": at.cut,
    "cut in a chunk": at.cut_in_a_chunk,
    "cut, no length message": at.cut_without_a_length,
    "empty": at.raw(b""),
    "half JSON": at.raw(b'{"data": ['),
}


@pytest.mark.parametrize("behaviour", PASSING.values(), ids=PASSING)
def test_retries_temporary_errors_with_growing_pauses(server: Server, behaviour: at.Behaviour) -> None:
    server.next.extend([behaviour] * 3)
    clock = Clock()
    assert len(ask(client_of(server, clock))["data"]) == 1
    assert clock.waited == [1, 2, 4]
    assert len(server.requests) == 4


@pytest.mark.parametrize("behaviour", PASSING.values(), ids=PASSING)
def test_reports_temporary_errors_after_the_last_attempt(
    server: Server, behaviour: at.Behaviour, refused: Callable[..., Any]
) -> None:
    server.always = behaviour
    with refused("L501", server.url, "the last of 2 attempts", "results so far are cached", is_retryable=True):
        ask(client_of(server, attempts=2))
    assert len(server.requests) == 2


def test_reports_the_length_of_a_truncated_answer(server: Server, refused: Callable[..., Any]) -> None:
    server.always = at.cut
    with refused("L501", "closed the connection after 83 of 167 bytes"):
        ask(client_of(server, attempts=1))


LASTING = {
    "400": (at.error(400, "the input is too long"), ["400 Bad Request", "the input is too long", "?batch="]),
    "401": (at.error(401, "no key"), ["401 Unauthorized", "OPENAI_API_KEY"]),
    "404": (at.reply({"detail": "no such model"}, 404), ["404", "no such model", "/v1"]),
    "404 with a page": (at.raw(b"<html>", 404), ["404 Not Found", "/v1"]),
    "413": (at.reply({"error": "batch size 32 > 16"}, 413), ["413", "batch size 32 > 16"]),
    "422": (at.reply({"detail": [{"loc": ["body"], "msg": "bad"}]}, 422), ["422", '"msg": "bad"']),
    "501": (at.error(501), ["501"]),
    "no money": (at.error(429, "pay first", code="insufficient_quota"), ["429", "pay first"]),
    "redirect": (at.raw(b"", 307, Location="http://elsewhere.example/"), ["redirects to http://elsewhere.example/"]),
    "page": (at.raw(b"<!doctype html><p>Log in</p>"), ["a page instead of JSON", "Log in"]),
    "list": (at.reply([1]), ["JSON that is not an object"]),
    "error in a good answer": (at.error(200, "out of memory"), ["out of memory"]),
    "another error in a good answer": (at.reply({"object": "error", "message": "gone"}), ["gone"]),
}


@pytest.mark.parametrize(("behaviour", "words"), LASTING.values(), ids=LASTING)
def test_reports_permanent_errors_at_once(
    server: Server, behaviour: at.Behaviour, words: list[str], refused: Callable[..., Any]
) -> None:
    server.always = behaviour
    clock = Clock()
    with refused("L501", server.url, *words, is_retryable=False):
        ask(client_of(server, clock))
    assert (len(server.requests), clock.waited) == (1, [])


def test_shortens_long_messages_of_a_server_to_one_line(server: Server, refused: Callable[..., Any]) -> None:
    server.always = at.error(400, "first\nsecond \x1b[2J" + "x" * 5000)
    with refused("L501", "first second \\x1b[2J", "…") as caught:
        ask(client_of(server))
    assert len(caught.line) < 500


def test_gives_up_on_a_stalled_server_after_the_timeout(server: Server) -> None:
    server.next.append(at.stall)
    clock = Clock()
    ask(client_of(server, clock, timeout=0.5))
    assert clock.waited == [1]


@pytest.mark.parametrize("behaviour", [at.stall, at.trickle])
def test_reports_an_endless_answer(server: Server, behaviour: at.Behaviour, refused: Callable[..., Any]) -> None:
    server.always = behaviour
    started = time.monotonic()
    with refused("L501", "did not answer within 0.1 s, the last of 2 attempts"):
        ask(client_of(server, timeout=0.1, attempts=2))
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("headers", "waited"),
    [
        ({"Retry_After": "7"}, [7]),
        ({"retry_after_ms": "2500"}, [2.5]),
        ({"Retry_After": "0"}, [1]),
        ({"Retry_After": "soon"}, [1]),
        ({}, [1]),
    ],
)
def test_respects_retry_after(server: Server, headers: dict[str, str], waited: list[float]) -> None:
    server.next.append(at.error(429, **headers))
    clock = Clock()
    ask(client_of(server, clock))
    assert clock.waited == waited


def test_respects_retry_after_as_a_date(server: Server) -> None:
    server.next.append(at.error(503, Retry_After=formatdate(time.time() + 30, usegmt=True)))
    clock = Clock()
    ask(client_of(server, clock))
    assert 25 < clock.waited[0] <= 31


def test_does_not_wait_for_an_hour(server: Server, refused: Callable[..., Any]) -> None:
    server.always = at.error(429, "come back later", Retry_After="3600")
    clock = Clock()
    with refused("L501", "asks for a pause of 3,600 s", "come back later"):
        ask(client_of(server, clock))
    assert clock.waited == []


def test_retry_after_holds_for_all_threads(server: Server) -> None:
    server.next.append(at.error(429, Retry_After="9"))
    clock = Clock()
    client = client_of(server, clock)
    meanwhile: list[float] = []

    def sleep(seconds: float, cancelled: threading.Event) -> None:
        if not meanwhile:  # a second request arrives while the first one waits
            meanwhile.append(seconds)
            ask(client, "another")
        clock.sleep(seconds, cancelled)

    client._http._retry = RetryPolicy(sleep=sleep, clock=lambda: clock.now, random=lambda: 1.0)
    ask(client, "first")
    assert clock.waited == [9, 9]
    assert server.asked == ["first", "another", "first"]


def test_waiting_threads_stop_when_one_gives_up(server: Server) -> None:
    server.always = lambda handler, body: (
        at.error(503, Retry_After="60") if body["input"] == ["waits"] else at.error(400)
    )(handler, body)
    served = served_model(parse_name(f"openai:m@{server.url}"), Access(), None)
    client = OpenAIClient(served, retry=RetryPolicy())  # with real delays this would take a minute
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(ask, client, "waits")
        while not server.requests:
            time.sleep(0.005)
        time.sleep(0.05)
        started = time.monotonic()
        client._http._blocked_until = 0  # or this one would wait too
        with pytest.raises(LitotesError):
            ask(client, "fails")
        assert isinstance(waiting.exception(timeout=30), LitotesError)
    assert time.monotonic() - started < 30
    server.always = None
    assert ask(client)["data"]  # the client can be used again


def test_concurrent_requests_share_connections(server: Server) -> None:
    client = client_of(server)
    for number in range(5):
        ask(client, str(number))
    assert server.connections == 1
    gate = threading.Barrier(4, timeout=30)

    def together(handler: at.Handler, body: dict[str, Any]) -> None:
        gate.wait()  # the server answers only when all four requests are open
        at.well(handler, body)

    server.always = together
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: ask(client, str(number)), range(8)))
    assert server.most_at_once == 4
    assert server.connections == 4


def test_reopens_a_closed_connection(server: Server) -> None:
    clock = Clock()
    client = client_of(server, clock)
    server.next.append(lambda handler, body: (at.well(handler, body), handler.hang_up())[0])
    ask(client)
    time.sleep(0.02)
    ask(client)
    assert (clock.waited, server.connections) == ([], 2)


def test_reports_an_unreachable_server_at_once(refused: Callable[..., Any]) -> None:
    with at.serving() as server:
        pass
    clock = Clock()
    with refused("L501", server.url, "refused the connection", "that the server is up", is_retryable=True):
        ask(client_of(server, clock))
    assert clock.waited == []


def test_waits_for_a_server_that_disappears(refused: Callable[..., Any]) -> None:
    clock = Clock()
    with at.serving() as server:
        server.always = lambda handler, body: (at.well(handler, body), handler.hang_up())[0]
        client = client_of(server, clock)
        ask(client)
    with refused("L501", "the last of 4 attempts"):
        ask(client)
    assert clock.waited == [1, 2, 4]


def test_refusal_has_the_details_of_the_server(server: Server) -> None:
    server.always = at.error(400, "Not Supported", param="top_logprobs")
    with pytest.raises(ServerRefused) as caught:
        ask(client_of(server))
    assert caught.value.status == 400
    assert "top_logprobs" in caught.value.details and "not supported" in caught.value.details


# The key


def test_key_is_sent_only_to_the_server(
    server: Server, monkeypatch: pytest.MonkeyPatch, refused: Callable[..., Any]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    ask(client_of(server))
    assert server.requests[0]["headers"]["Authorization"] == f"Bearer {KEY}"
    echoes = [
        at.error(401, f"Incorrect API key provided: {KEY}. sk-ver****6789 is wrong"),
        at.error(400, KEY * 200),
        at.raw(f"<html>{KEY * 60}".encode()),
        at.raw(KEY.encode()),
        at.reply({"detail": [{"input": KEY}]}, 422),
        at.raw(b"", 302, Location=f"http://h.example/{KEY}"),
    ]
    for echo in echoes:
        server.always = echo
        with refused("L501") as caught:
            ask(client_of(server, attempts=1))
        assert "secret" not in caught.line and "sk-" not in caught.line and "6789" not in caught.line, caught.line
    client = client_of(server)
    assert client.served_name({"model": f"m {KEY}"}) == "m …"
    assert KEY not in repr(vars(client)["_key"])


def test_reads_the_key_from_another_variable(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("MY_SERVER", " other-key\n")
    served = served_model(parse_name(f"openai:m@{server.url}"), Access(), "MY_SERVER")
    ask(OpenAIClient(served))
    assert server.requests[0]["headers"]["Authorization"] == "Bearer other-key"


def test_sends_no_authorization_without_a_key(server: Server) -> None:
    ask(client_of(server))
    assert "Authorization" not in server.requests[0]["headers"]


@pytest.mark.parametrize("variable", [KEY, "sk_abcdef0123456789", "0123456789abcdef", "NOT_SET", "", "A" * 70, "a b"])
def test_rejects_an_invalid_variable_without_showing_it(variable: str, refused: Callable[..., Any]) -> None:
    name = parse_name("openai:m@http://127.0.0.1:1/v1")
    with refused("L102", "?key=", "never the key itself", exit_code=2) as caught:
        served_model(name, Access(), variable)
    assert not variable or variable not in caught.line


@pytest.mark.parametrize("value", [f"{KEY}\r\nX: y", f"{KEY} two", f"{KEY}ü", f'{KEY}"'])
def test_rejects_an_invalid_key_without_showing_it(
    value: str, monkeypatch: pytest.MonkeyPatch, refused: Callable[..., Any]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", value)
    with refused("L102", "OPENAI_API_KEY") as caught:
        served_model(parse_name("openai:m@http://127.0.0.1:1/v1"), Access(), None)
    assert "secret" not in caught.line


@pytest.mark.parametrize(
    "host",
    [
        "10.1.2.3",
        "127.0.0.1.example.com",
        "localhost.example.com",
        "localhost.",
        "localhost%2eexample.com",
        "127.1",
        "2130706433",
        "0.0.0.0",
        "[::ffff:10.1.2.3]",
        "[::]",
    ],
)
def test_keys_are_not_sent_without_encryption(
    host: str, monkeypatch: pytest.MonkeyPatch, refused: Callable[..., Any]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("MINE", "mine")
    name = parse_name(f"openai:m@http://{host}:8000/v1")
    assert not served_model(name, Access(), None).key
    with refused("L102", "no key is sent to it", "https") as caught:
        served_model(name, Access(), "MINE")
    assert "mine" not in caught.line
    secure = parse_name(f"openai:m@https://{host}:8000/v1")
    assert served_model(secure, Access(), "MINE").key.headers() == {"Authorization": "Bearer mine"}


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "[::1]"])
def test_keys_are_sent_to_this_machine(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert served_model(parse_name(f"openai:m@http://{host}:8000/v1"), Access(), None).key


def test_a_user_name_does_not_disguise_the_host(monkeypatch: pytest.MonkeyPatch, refused: Callable[..., Any]) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for address in ("http://127.0.0.1@example.com/v1", "http://localhost:80@example.com", "http://[::1]@example.com"):
        with refused("L102", "a user name or a password"):
            served_model(parse_name(f"openai:m@{address}"), Access(), None)


def test_repr_hides_the_key() -> None:
    key = ApiKey("X", KEY)
    assert KEY not in f"{key} {key!r} {[key]} {(key,)}"


# Names and addresses


def test_default_address_and_environment_variable(monkeypatch: pytest.MonkeyPatch, refused: Callable[..., Any]) -> None:
    name = parse_name("openai:text-embedding-3-small?dimensions=256")
    with refused("L102", "https://api.openai.com/v1", "OPENAI_API_KEY"):
        served_model(name, Access(), None)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert str(served_model(name, Access(), None).address) == "https://api.openai.com/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:9/v1/")
    assert str(served_model(name, Access(), None).address) == "http://localhost:9/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:secret@localhost:9/v1/")
    with refused("L102", "a user name or a password") as caught:
        served_model(name, Access(), None)
    assert "secret" not in caught.line


@pytest.mark.parametrize("name", ["openai:m@http://me:secret@h.example/v1", "chat:org/m@https://secret@h.example"])
def test_rejects_credentials_in_the_address_without_showing_them(name: str, refused: Callable[..., Any]) -> None:
    with refused("L102", "a user name or a password", exit_code=2) as caught:
        served_model(parse_name(name), Access(), None)
    assert "secret" not in caught.line


@pytest.mark.parametrize(
    "name",
    [
        "openai:m@localhost:8000/v1",
        "openai:m@ftp://h.example/v1",
        "openai:http://localhost:8000/v1",
        "openai:m@http://",
        "openai:m@http://h.example:99999/v1",
        "openai:m@http://h.example:x/v1",
        "openai:m@http://h example/v1",
        "openai:m@http://[::1/v1",
        "openai:m@http://h.example/v1#part",
        "openai:m@http://hö.example/v1",
    ],
)
def test_rejects_invalid_addresses(name: str, refused: Callable[..., Any]) -> None:
    with refused("L102", exit_code=2):
        served_model(parse_name(name), Access(), None)


def test_a_model_may_have_slashes_colons_and_an_at_in_its_name() -> None:
    for model in ("org/model", "bge-m3:567m", "@cf/baai/bge"):
        served = served_model(parse_name(f"openai:{model}@http://localhost:8000/v1/embeddings"), Access(), None)
        assert (served.model, str(served.address)) == (model, "http://localhost:8000/v1")


def test_offline_allows_only_this_machine(refused: Callable[..., Any]) -> None:
    offline = Access(offline=True)
    for near in ("http://localhost:1/v1", "http://127.0.0.9/v1", "http://[::1]/v1"):
        served_model(parse_name(f"openai:m@{near}"), offline, None)
    for far in ("https://h.example/v1", "http://10.0.0.1/v1", "http://localhost.example/v1"):
        with refused("L309", far):
            served_model(parse_name(f"openai:m@{far}"), offline, None)


def test_uses_the_proxy_of_the_environment_for_remote_servers(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://me:pass@127.0.0.1:{server.server_port}")
    served = served_model(parse_name("openai:m@http://far.example:8000/v1"), Access(), None)
    ask(OpenAIClient(served))
    (request,) = server.requests
    assert request["path"] == "http://far.example:8000/v1/embeddings"
    assert request["headers"]["Host"] == "far.example:8000"
    assert request["headers"]["Proxy-Authorization"] == "Basic bWU6cGFzcw=="
    ask(client_of(server))  # local addresses do not need it
    assert server.requests[1]["path"] == "/v1/embeddings"


def test_reports_an_unsupported_proxy(monkeypatch: pytest.MonkeyPatch, refused: Callable[..., Any]) -> None:
    monkeypatch.setenv("https_proxy", "socks5://me:secret@127.0.0.1:9")
    served = served_model(parse_name("openai:m@https://far.example/v1"), Access(), None)
    with refused("L102", "https_proxy") as caught:
        OpenAIClient(served)
    assert "secret" not in caught.line


def test_pauses_grow_to_a_limit_and_differ_from_caller_to_caller() -> None:
    lots = [list(itertools.starmap(RetryPolicy().delay, [(attempt, 0)] * 50)) for attempt in (1, 3, 12)]
    for waits, most in zip(lots, (1, 4, 60), strict=True):
        assert most / 2 <= min(waits) < max(waits) <= most


def test_normalizes_addresses() -> None:
    same = ("http://h.example/v1", "http://H.EXAMPLE:80/v1/", "HTTP://h.example:80/v1")
    assert {str(parse_address(text)) for text in same} == {"http://h.example/v1"}
