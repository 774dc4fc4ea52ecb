"""Access control: hosts, origins, tokens and tickets."""

from __future__ import annotations

import pytest

from litotes.web.access import AccessControl, is_loopback

PORT = 8123


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost", "LOCALHOST"])
def test_loopback_addresses_are_recognised(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.4", "example.org", "localhost.example.org", "", "127.1"])
def test_other_addresses_are_not_loopback(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("own", "host", "answered"),
    [
        ("127.0.0.1", f"127.0.0.1:{PORT}", True),
        ("127.0.0.1", f"localhost:{PORT}", True),
        ("::1", f"[::1]:{PORT}", True),
        ("127.0.0.1", "127.0.0.1", False),
        ("127.0.0.1", "127.0.0.1:80", False),
        ("127.0.0.1", f"rebound.example.org:{PORT}", False),
        ("127.0.0.1", f"127.0.0.1.example.org:{PORT}", False),
        ("127.0.0.1", f"192.168.1.4:{PORT}", False),
        ("127.0.0.1", "", False),
        ("0.0.0.0", f"192.168.1.4:{PORT}", True),
        ("0.0.0.0", f"rebound.example.org:{PORT}", False),
        ("box.example.org", f"box.example.org:{PORT}", True),
        ("box.example.org", f"other.example.org:{PORT}", False),
    ],
)
def test_host_names_of_the_server(own: str, host: str, answered: bool) -> None:
    assert AccessControl(own, PORT).is_own_host(host) is answered


def test_only_same_origin_requests_may_write() -> None:
    access = AccessControl("127.0.0.1", PORT)
    host = f"127.0.0.1:{PORT}"
    assert access.refusal("GET", {"host": host}) is None
    assert access.refusal("POST", {"host": host, "origin": f"http://{host}"}) is None
    for headers in (
        {},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9"},
        {"origin": "https://example.org"},
        {"origin": f"https://{host}"},
        {"origin": f"http://localhost:{PORT}"},
        {"origin": f"http://{host}", "sec-fetch-site": "cross-site"},
        {"origin": f"http://{host}", "sec-fetch-site": "same-site"},
    ):
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            assert access.refusal(method, {"host": host, **headers}) is not None


def test_secrets_are_random_and_long() -> None:
    first, second = AccessControl("127.0.0.1", PORT), AccessControl("127.0.0.1", PORT)
    assert len({first.token, second.token, first.ticket, second.ticket, first.cookie[1], second.cookie[1]}) == 6
    assert len(first.token) >= 32
    assert first.token not in "".join(first.cookie)


def test_tokens_of_any_form_are_compared() -> None:
    access = AccessControl("127.0.0.1", PORT)
    assert access.has_token(access.token)
    for wrong in (None, "", access.token[:-1], f"{access.token} ", "ü", "\ud800"):
        assert not access.has_token(wrong)


def test_a_ticket_is_valid_once() -> None:
    access = AccessControl("127.0.0.1", PORT)
    ticket = access.ticket
    assert not access.take_ticket("x")
    assert access.take_ticket(ticket)
    assert not access.take_ticket(ticket)
    assert not access.take_ticket(None)


@pytest.mark.parametrize(
    ("host", "origin"),
    [("127.0.0.1", "http://127.0.0.1:8123"), ("::1", "http://[::1]:8123"), ("0.0.0.0", "http://127.0.0.1:8123")],
)
def test_the_url_names_a_reachable_host(host: str, origin: str) -> None:
    access = AccessControl(host, PORT)
    assert access.url == f"{origin}/?token={access.token}"
