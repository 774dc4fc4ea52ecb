"""Model folders, texts and clients that are hostile on purpose."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

from tests.chaos.tally import Case
from tests.chaos.world import World
from tests.models.malicious_folders import ATTACKS
from tests.review.conftest import Server, quadruples, write_suite

_COMMANDS = (
    "run {m} --suite {w}/few-items --workers 1 --no-report --out out/r",
    "audit {m} --from {w}/sentences.txt --workers 1 --out out/a",
    "repair {m} --from {w}/sentences.txt --steps 1 --suite {w}/few-items --out out/m",
    "train nli --base {m} --data {w}/train.jsonl --preset smoke --epochs 1 --examples 32 --out out/m",
)
_LARGE = 20 << 20

# Models


def malicious_model(world: World, random: Random) -> Case:
    """Use a malicious model; no code runs, and the command says what is wrong or uses the numbers alone."""
    name = random.choice(sorted(ATTACKS))
    case = Case()
    with world.sandbox() as box:
        model = Path(shutil.copytree(world.files / "my-model", box.folder / "in" / "model"))
        ATTACKS[name](model)
        scheme = random.choice(("", "", "st:", "hf:"))
        command = random.choice(_COMMANDS if not scheme else _COMMANDS[:2])
        outcome = case.add(box.run(*command.format(w=world.files, m=f"{scheme}{model}").split()))
        if (model.parent / "exploded").exists():
            case.problems.append("code was executed")
        if outcome.is_late:
            case.problems.append(f"still running after {outcome.seconds:.0f} s")
        case.problems = [f"{scheme}{name}, {command.split()[0]}: {problem}" for problem in case.problems]
    return case


# Pages

PAYLOADS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><script>alert(2)</script>",
    "<!--<script>",
    "{{ 7777 * 3 }}",
    "=HYPERLINK(1)",
    "\u2028alert(1)//",
    "javascript:alert(1)",
)
_EXECUTED = ("<script>alert", "<img src=x", "</script><script>", "<!--<script>", "23331")


def hostile_page(world: World, random: Random) -> Case:
    """Write pages and tables about hostile texts; none of them is markup or a formula there."""
    case = Case()
    payload = random.choice(PAYLOADS)
    with world.sandbox() as box:
        suite = Path(shutil.copytree(world.files / "few-items", box.folder / "suite"))
        items = [json.loads(line) for line in (suite / "items.jsonl").read_text("utf-8").splitlines()]
        for item in items:
            role = random.choice(sorted(item["sentences"]))
            item["sentences"][role] = random.choice((payload, f"{item['sentences'][role]} {payload}"))
            item["group"] = random.choice((payload, item["group"]))
        about = json.loads((suite / "suite.json").read_text("utf-8"))
        about |= {key: payload for key in ("source", "licence", "name") if random.random() < 0.5}
        _write_suite(suite, about, items)
        text = "".join(
            f"{line} {payload}\n" for line in (world.files / "plain.txt").read_text("utf-8").splitlines()[:40]
        )
        (box.folder / "hostile.txt").write_text(text, "utf-8")
        for command in (
            f"run overlap:words --suite {suite} --workers 1 --out out/r",
            "report out/r --out out/r/r.md --out out/r/r.csv --out out/r/r.svg --out out/r/r.txt",
            f"audit {world.files}/my-model --from hostile.txt --workers 1 --out out/a",
        ):
            case.add(box.run(*command.split()))
        for path in box.out.rglob("*.*"):
            if path.suffix in (".html", ".md", ".svg"):
                content = path.read_text("utf-8")
                case.problems += [f"{path.name} contains {text}" for text in _EXECUTED if text in content]
            elif path.suffix == ".csv":
                cells = [cell for row in csv.reader(path.read_text("utf-8").splitlines()) for cell in row]
                case.problems += [f"{path.name} has the formula {cell}" for cell in cells if cell.startswith("=")]
    return case


def _write_suite(folder: Path, about: dict[str, object], items: list[dict[str, object]]) -> None:
    text = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    (folder / "items.jsonl").write_text(text, "utf-8")
    (folder / "suite.json").write_text(json.dumps({**about, "sha256": hashlib.sha256(text.encode()).hexdigest()}))


# The server


def attacked_server(world: World, random: Random) -> Case:
    """Attack the review server; it refuses, stores nothing, and continues to serve."""
    case = Case(count=8)
    with world.sandbox() as box:
        suite = write_suite(box.out / "suite", quadruples(6))
        process = box.start("review", suite, "--no-browser")
        try:
            process.read(30, until="\n")
            server = Server(process, process.output.split()[0])
            for attack in random.sample(SERVER_ATTACKS, case.count):
                problem = attack(server, random)
                if problem:
                    case.problems.append(f"{attack.__name__}: {problem}")
            progress = server.get("status", annotator="Ana")["progress"]
            if progress["done"]:
                case.problems.append(f"verdicts were stored: {progress}")
        finally:
            process.kill()
            case.add(replace(process.wait(), is_server=True), is_killed=True)
    return case


_VERDICT = {"annotator": "Ana", "unit": "u0", "verdict": "accept"}


def _send(server: Server, data: bytes, seconds: float = 5) -> bytes:
    """Send bytes and return the beginning of the answer, or nothing if the connection is closed."""
    host, _, port = server.host.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=seconds) as connection, suppress(OSError):
        connection.sendall(data)
        return connection.recv(1 << 16)
    return b""


def _unless_refused(answer: bytes) -> str:
    """Return the problem if an answer is neither an error of the client nor a closed connection."""
    return "" if not answer or answer[:10].startswith((b"HTTP/1.1 4", b"HTTP/1.0 4")) else repr(answer[:200])


def _head(server: Server, line: str, *headers: str, token: bool = True) -> bytes:
    sent = [line, f"Host: {server.host}", *headers]
    if token:
        sent += [f"X-Litotes-Token: {server.token}", f"Origin: {server.origin}", "Content-Type: application/json"]
    return ("\r\n".join(sent) + "\r\n\r\n").encode("utf-8", "surrogateescape")


def no_token(server: Server, random: Random) -> str:
    path = random.choice(
        ("/api/about", "/api/unit?annotator=Ana", "/api/verdict", "/", "/?token=", "/?token=" + "a" * 99)
    )
    return _unless_refused(_send(server, _head(server, f"GET {path} HTTP/1.1", token=False)))


def other_origin(server: Server, random: Random) -> str:
    body = json.dumps(_VERDICT).encode()
    head = _head(server, "POST /api/verdict HTTP/1.1", f"Content-Length: {len(body)}")
    origin = random.choice(("null", "https://example.org", server.origin + ".example.org", server.origin + "0"))
    return _unless_refused(_send(server, head.replace(server.origin.encode(), origin.encode()) + body))


def other_host(server: Server, random: Random) -> str:
    host = random.choice(
        ("example.org", f"{server.host}.example.org", f"example.org:{server.host.rpartition(':')[2]}", "")
    )
    data = _head(server, "GET /api/about HTTP/1.1").replace(f"Host: {server.host}".encode(), f"Host: {host}".encode())
    return _unless_refused(_send(server, data))


def path_out_of_the_pages(server: Server, random: Random) -> str:
    way = random.choice(("../", "..%2f", "%2e%2e/", "....//", "..\\", "%00", "/"))
    path = f"/page/{way * 8}{random.choice(('etc/passwd', 'review.sqlite', 'suite.json', '__init__.py'))}"
    return _unless_refused(_send(server, _head(server, f"GET {path} HTTP/1.1")))


def wrong_body(server: Server, random: Random) -> str:
    bodies: list[object] = [
        b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 60_000, b'{"unit": ' + b"9" * 5000 + b"}", b'{"a": NaN}',
        *({**_VERDICT, key: value} for key in _VERDICT for value in (None, 5, [], {}, "", "\x00", "x" * 9999)),
        {**_VERDICT, "unit": "../../u0"}, {**_VERDICT, "verdict": "edit", "edited": {"no-role": "x"}},
        {**_VERDICT, "verdict": "edit", "edited": {"both": 5}}, {**_VERDICT, "verdict": "reject", "reason": "none"},
        {**_VERDICT, "annotator": "\x1b[2J"}, {**_VERDICT, "annotator": "a\nb"}, {**_VERDICT, "note": 5},
    ]  # fmt: skip
    body = random.choice(bodies)
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    path = random.choice(("verdict", "verdict", "undo")) if isinstance(body, bytes) else "verdict"
    head = _head(server, f"POST /api/{path} HTTP/1.1", f"Content-Length: {len(data)}")
    return _unless_refused(_send(server, head + data))


def large_body(server: Server, random: Random) -> str:
    claimed = random.choice((_LARGE, 10**18, -1, "1e9"))
    head = _head(server, "POST /api/verdict HTTP/1.1", f"Content-Length: {claimed}")
    return _unless_refused(_send(server, head + b"x" * random.choice((10, 1 << 20))))


def chunks_without_end(server: Server, random: Random) -> str:
    head = _head(server, "POST /api/verdict HTTP/1.1", "Transfer-Encoding: chunked")
    return _unless_refused(_send(server, head + b"10000\r\n" + b"x" * 0x10000 + b"\r\n" + b"zz\r\n"))


def two_lengths(server: Server, random: Random) -> str:
    more = random.choice(("Content-Length: 5", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked"))
    head = _head(server, "POST /api/verdict HTTP/1.1", "Content-Length: 3", more)
    return _unless_refused(_send(server, head + b"0\r\n\r\nGET /api/about HTTP/1.1\r\n\r\n"))


def not_http(server: Server, random: Random) -> str:
    data = (
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x00" * 1000,
        b"\r\n" * 99,
    )
    return _unless_refused(_send(server, random.choice((*data, random.randbytes(500))), seconds=1))


def long_head(server: Server, random: Random) -> str:
    size = random.choice((70_000, 1 << 20))
    data = random.choice(
        (_head(server, f"GET /{'a' * size} HTTP/1.1"), _head(server, "GET / HTTP/1.1", "X: " + "a" * size))
    )
    return _unless_refused(_send(server, data))


def strange_method(server: Server, random: Random) -> str:
    method = random.choice(("DELETE", "PUT", "TRACE", "CONNECT", "PATCH", "BREW", "get"))
    return _unless_refused(_send(server, _head(server, f"{method} /api/about HTTP/1.1")))


def strange_query(server: Server, random: Random) -> str:
    """Ask with odd parameters; any answer but an internal error will do."""
    value = random.choice(
        ("%00", "%ff%fe", "-1", "9" * 5000, "%0a", "%1b%5b2J", "a" * 9000, "%F0%9F%A6%91", "nan", "{}")
    )
    name = random.choice(("annotator", "unit", "move", "filter", "offset", "page"))
    path = random.choice(("unit", "rows", "status", "about"))
    answer = _send(server, _head(server, f"GET /api/{path}?annotator=Ana&{name}={value} HTTP/1.1"))
    return repr(answer[:200]) if answer.startswith(b"HTTP/1.1 5") else ""


def client_that_leaves(server: Server, random: Random) -> str:
    data = _head(server, "POST /api/verdict HTTP/1.1", "Content-Length: 5000") + b"{" * random.randint(0, 4000)
    host, _, port = server.host.rpartition(":")
    for _ in range(5):
        with socket.create_connection((host, int(port)), timeout=5) as connection:
            connection.sendall(data[: random.randint(1, len(data))])
    return ""


def slow_clients(server: Server, random: Random) -> str:
    """Hold many connections open; others are still served."""
    host, _, port = server.host.rpartition(":")
    connections = [socket.create_connection((host, int(port)), timeout=5) for _ in range(100)]
    try:
        for connection in connections:
            with suppress(OSError):
                connection.send(b"GET / HTTP/1.1\r\nX: ")
        started = time.monotonic()
        server.get("about")
        return f"an answer took {seconds:.0f} s" if (seconds := time.monotonic() - started) > 5 else ""
    finally:
        for connection in connections:
            connection.close()


SERVER_ATTACKS: tuple[Callable[[Server, Random], str], ...] = (
    no_token,
    other_origin,
    other_host,
    path_out_of_the_pages,
    wrong_body,
    large_body,
    chunks_without_end,
    two_lengths,
    not_http,
    long_head,
    strange_method,
    strange_query,
    client_that_leaves,
    slow_clients,
)
