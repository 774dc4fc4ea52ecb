"""Files from others: none reads a secret or reaches the network without an option on the command line."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.models.adapter import Adapter

SECRET = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"
SECRETS = {"AWS_SECRET_ACCESS_KEY": SECRET, "OPENAI_API_KEY": "mine.very-secret-0123456789"}
SUITE = ("--suite", "negation-detection-mini", "--no-report")


class Recorder(ThreadingHTTPServer):
    """A server with the OpenAI protocol that records what it receives."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[str] = []
        """Each request with its headers and its body."""
        self.redirect = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def text(self) -> str:
        return "\n".join(self.received)


class _Handler(BaseHTTPRequestHandler):
    server: Recorder

    def do_GET(self) -> None:
        self.server.received.append(f"{self.path} {self.headers}")
        self._send(404, b"")

    do_HEAD = do_GET

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append(f"{self.path} {self.headers} {body.decode()}")
        if self.server.redirect:
            self._send(307, b"", self.server.redirect)
            return
        texts = json.loads(body)["input"] if body.startswith(b"{") else []
        data = [{"index": index, "embedding": [float(len(text)), 1.0]} for index, text in enumerate(texts)]
        self._send(200, json.dumps({"data": data, "model": "m"}).encode())

    def _send(self, status: int, body: bytes, location: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def start() -> Iterator[Callable[[], Recorder]]:
    servers: list[Recorder] = []

    def start() -> Recorder:
        servers.append(Recorder())
        threading.Thread(target=servers[-1].serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return servers[-1]

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def recorder(start: Callable[[], Recorder]) -> Recorder:
    return start()


def save_adapter(folder: Path, base: str) -> Path:
    Adapter("weights", {"weights": np.ones(2, np.float32)}, base, {}, {}, {}).save(folder)
    return folder


def write_list(litotes: Any, text: str) -> str:
    (litotes.folder / "models.toml").write_text(text)
    return "models.toml"


def run(litotes: Any, *arguments: object, **environment: str) -> Any:
    return litotes.here("run", *arguments, *SUITE, env={**SECRETS, **environment})


# Adapters


def test_an_adapter_sends_no_secret(litotes: Any, recorder: Recorder) -> None:
    folder = save_adapter(litotes.folder / "adapter", f"openai:m@{recorder.url}/v1?key=AWS_SECRET_ACCESS_KEY")
    for more in ((), ("--allow-servers",), ("--allow-servers", "--allow-downloads", "--allow-pickle")):
        run(litotes, f"adapter:{folder}", *more).failed(1, "L102", "a file may not name a key")
    assert recorder.received == []


@pytest.mark.parametrize("scheme", ["openai", "chat"])
def test_an_adapter_sends_no_sentences_without_permission(litotes: Any, recorder: Recorder, scheme: str) -> None:
    folder = save_adapter(litotes.folder / "adapter", f"{scheme}:m@{recorder.url}/v1")
    done = run(litotes, f"adapter:{folder}")
    done.failed(1, "L102", "a file may not name a model behind a server", "--allow-servers")
    run(litotes, f"adapter:{folder}", OPENAI_BASE_URL=f"{recorder.url}/v1").failed(1, "L102")
    assert recorder.received == []


def test_adapters_cannot_be_nested_around_the_permission(litotes: Any, recorder: Recorder) -> None:
    inner = save_adapter(litotes.folder / "inner", f"openai:m@{recorder.url}/v1")
    outer = save_adapter(litotes.folder / "outer", f"adapter:{inner}")
    given = save_adapter(litotes.folder / "given", f"adapter:{inner}?base=openai:m@{recorder.url}/v1")
    for folder in (outer, given):
        run(litotes, f"adapter:{folder}", "--allow-servers").failed(1, "L311", "is an adapter, too")
    assert recorder.received == []


def test_an_adapter_of_itself_is_refused(litotes: Any) -> None:
    folder = litotes.folder / "adapter"
    save_adapter(folder, f"adapter:{folder}")
    run(litotes, f"adapter:{folder}").failed(1, "L311", "is an adapter, too")


def test_the_name_in_an_adapter_does_not_control_the_terminal(litotes: Any) -> None:
    folder = save_adapter(litotes.folder / "adapter", "overlap:\x1b[2Jwords")
    run(litotes, f"adapter:{folder}").failed(1, "L203", "control characters")


def test_with_permission_an_adapter_sends_sentences_but_no_key(litotes: Any, recorder: Recorder) -> None:
    folder = save_adapter(litotes.folder / "adapter", f"openai:m@{recorder.url}/v1")
    done = run(litotes, f"adapter:{folder}", "--allow-servers")
    assert done.code == 0, done.err
    assert recorder.received
    assert "Authorization" not in recorder.text and "secret" not in recorder.text


def test_the_command_line_names_server_and_key_of_an_adapter(litotes: Any, recorder: Recorder) -> None:
    folder = save_adapter(litotes.folder / "adapter", "openai:m@https://elsewhere.example/v1?key=AWS_SECRET_ACCESS_KEY")
    done = run(litotes, f"adapter:{folder}?base=openai:m@{recorder.url}/v1%3Fkey=OPENAI_API_KEY")
    assert done.code == 0, done.err
    assert f"Authorization: Bearer {SECRETS['OPENAI_API_KEY']}" in recorder.text and SECRET not in recorder.text


# Lists of models


@pytest.mark.parametrize(
    "text",
    [
        '[[models]]\nname = "openai:m@{url}/v1?key=AWS_SECRET_ACCESS_KEY"\n',
        '[[models]]\nname = "openai:m@{url}/v1"\noptions = {{ key = "AWS_SECRET_ACCESS_KEY" }}\n',
        '[defaults]\nkey = "AWS_SECRET_ACCESS_KEY"\n[[models]]\nname = "openai:m@{url}/v1"\n',
        '[defaults.openai]\nkey = "AWS_SECRET_ACCESS_KEY"\n[[models]]\nname = "openai:m@{url}/v1"\n',
        '[[models]]\nname = "openai:m@{url}/v1"\n',
        '[[models]]\nname = "chat:m@{url}/v1"\n',
        '[[models]]\nname = "adapter:adapter"\noptions = {{ base = "openai:m@{url}/v1" }}\n',
        '[[models]]\nname = "adapter:adapter?base=openai:m@{url}/v1"\n',
        '[[models]]\nname = "adapter:adapter?base=openai:m@{url}/v1%3Fkey=AWS_SECRET_ACCESS_KEY"\n',
    ],
)
def test_a_list_of_models_reaches_no_server(litotes: Any, recorder: Recorder, text: str) -> None:
    save_adapter(litotes.folder / "adapter", "overlap:words")
    done = run(litotes, "--models", write_list(litotes, text.format(url=recorder.url)))
    assert done.code in (1, 2) and "[L102]" in done.err, done.err
    assert "a file may not name" in done.err or "a list may not name a key" in done.err
    assert recorder.received == []


def test_with_permission_a_list_sends_sentences_but_no_key(litotes: Any, recorder: Recorder) -> None:
    text = f'[[models]]\nname = "openai:m@{recorder.url}/v1"\n'
    done = run(litotes, "--models", write_list(litotes, text), "--allow-servers")
    assert done.code == 0, done.err
    assert recorder.received and "Authorization" not in recorder.text


def test_a_permission_of_the_list_itself_does_not_count(litotes: Any, recorder: Recorder) -> None:
    for key in ("allow_servers", "allow_downloads", "trust_remote_code", "allow_pickle"):
        text = f'[defaults]\n{key} = true\n[[models]]\nname = "openai:m@{recorder.url}/v1"\n'
        run(litotes, "--models", write_list(litotes, text)).refused(2, "L203", key)
    assert recorder.received == []


def test_lists_and_adapters_download_only_with_permission(litotes: Any, recorder: Recorder) -> None:
    online = {"HF_HUB_OFFLINE": "0", "HF_ENDPOINT": recorder.url, "HF_HUB_DISABLE_TELEMETRY": "1"}
    models = write_list(litotes, '[[models]]\nname = "org/tiny"\n')
    folder = save_adapter(litotes.folder / "adapter", "org/tiny")
    for names in (("--models", models), (f"adapter:{folder}",)):
        done = litotes.run("run", *names, *SUITE, env=online)
        assert done.code == 1 and "--allow-downloads" in done.err, done.err
    assert recorder.received == []
    done = litotes.run("run", f"adapter:{folder}", *SUITE, "--allow-downloads", env=online)
    assert done.code == 1 and "org/tiny" in recorder.text, done.err


# Configuration files


@pytest.mark.parametrize(
    ("command", "text", "reason"),
    [
        ("run", "trust-remote-code = true", "a permission"),
        ("run", "allow-pickle = true", "a permission"),
        ("run", "allow-servers = true", "a permission"),
        ("run", "allow-downloads = true", "a permission"),
        ("review", "allow-remote = true", "a permission"),
        ("run", 'model = ["openai:m@{url}/v1?key=AWS_SECRET_ACCESS_KEY"]', "the name of a server"),
        ("run", 'model = "chat:m"', "the name of a server"),
        ("run", 'model = "adapter:adapter?base=openai:m"', "the name of a server"),
        ("run", 'model = "adapter:adapter?base=%6fpenai:m"', "the name of a server"),
        ("rewrite", 'language-tool = "http://example.com"', "the name of a server"),
        ("rewrite", 'gate = ["https://127.0.0.1@example.com"]', "the name of a server"),
        ("build", 'language-tool = "http://[2001:db8::1]:8081"', "the name of a server"),
    ],
)
def test_a_configuration_file_grants_no_permission_and_names_no_server(
    litotes: Any, recorder: Recorder, command: str, text: str, reason: str
) -> None:
    (litotes.folder / "settings.toml").write_text(text.format(url=recorder.url))
    done = litotes.here(command, "--config", "settings.toml", env=SECRETS)
    done.refused(2, "L102", f"is {reason}, which a file may not give")
    assert recorder.received == []


def test_a_configuration_file_may_name_a_server_on_this_machine_without_a_key(litotes: Any, recorder: Recorder) -> None:
    (litotes.folder / "settings.toml").write_text(f'language-tool = "{recorder.url}"\n')
    done = litotes.here("rewrite", "negation", "It is good.", "--language-tool", "x", "--config", "settings.toml")
    done.refused(2, "L102", "is not an address")  # of the command line, which takes precedence


# Keys


def test_a_redirect_gets_neither_key_nor_sentences(litotes: Any, start: Callable[[], Recorder]) -> None:
    first, second = start(), start()
    first.redirect = f"{second.url}/v1/embeddings"
    done = run(litotes, f"openai:m@{first.url}/v1?key=AWS_SECRET_ACCESS_KEY")
    done.failed(1, "L501", "redirects", "not followed")
    assert SECRET in first.text and second.received == [] and SECRET not in done.err


def test_a_key_is_not_sent_to_another_machine_without_encryption(litotes: Any) -> None:
    for host in ("10.255.255.1", "localhost.example.com"):
        done = run(litotes, f"openai:m@http://{host}/v1?key=AWS_SECRET_ACCESS_KEY", HF_HUB_OFFLINE="0")
        done.failed(2, "L102", "no key is sent")


# HF_HUB_OFFLINE


@pytest.mark.parametrize("variable", ["HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"])
def test_the_environment_disables_downloads_and_language_tool(litotes: Any, variable: str) -> None:
    environment = {"HF_HUB_OFFLINE": "0", variable: "1"}
    done = litotes.here("fetch", "semantoneg", env=environment)
    done.refused(1, "L309", "is not on this machine, and the network may not be used")
    command = ("rewrite", "negation", "It is good.", "--language-tool")
    done = litotes.here(*command, "http://10.255.255.1:8081", env=environment)
    done.refused(1, "L309", "10.255.255.1", "the network may not be used")


def test_a_language_tool_on_this_machine_is_always_allowed(litotes: Any, recorder: Recorder) -> None:
    done = litotes.here("rewrite", "negation", "It is good.", "--language-tool", recorder.url)
    done.failed(1, "L501", "LanguageTool")  # it is asked, but it is another kind of server
    assert "It+is" in recorder.text


# Passwords


@pytest.mark.parametrize("address", ["{0}://user:hunter22@host/x", "{0}://user:hunt/er22@host/x", "{0}:/me:hunter22@h"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("rewrite", "negation", "It is good.", "--language-tool", "{}"),
        ("rewrite", "negation", "It is good.", "--gate", "{}"),
        ("rewrite", "negation", "--from", "{}"),
        ("build", "semantoneg", "--from", "{}", "--out", "x", "--language-tool", "{}"),
        ("run", "{}"),
        ("run", "openai:m@{}"),
        ("run", "--suite", "{}"),
        ("run", "--models", "{}"),
        ("run", "overlap:words", "--workers", "{}"),
        ("run", "overlap:words", "--{}"),
        ("fetch", "{}"),
        ("report", "{}"),
        ("audit", "overlap:words", "--from", "{}"),
        ("doctor", "--config", "{}"),
    ],
)
def test_passwords_in_addresses_are_never_shown(litotes: Any, address: str, arguments: tuple[str, ...]) -> None:
    done = litotes.here(*(argument.format(address.format("http")) for argument in arguments))
    assert done.code != 0
    assert "hunter22" not in done.err + done.out and "hunt/er22" not in done.err + done.out, done.err


def test_a_password_without_a_scheme_is_not_shown(litotes: Any) -> None:
    done = litotes.here("rewrite", "negation", "It is good.", "--language-tool", "user:hunter22@host")
    assert done.code == 2 and "hunter22" not in done.err


def test_the_password_of_a_proxy_is_not_shown(litotes: Any) -> None:
    for proxy in (
        "http://user:hunter22@127.0.0.1:9",
        "socks5://user:hunter22@127.0.0.1:9",
        "user:hunter22@127.0.0.1:9",
    ):
        environment = {"HF_HUB_OFFLINE": "0", "https_proxy": proxy, "no_proxy": ""}
        done = litotes.here(
            "rewrite", "negation", "It is good.", "--language-tool", "https://10.255.255.1", env=environment
        )
        assert done.code != 0 and "hunter22" not in done.err, done.err


# Pipes


@pytest.mark.parametrize(
    "command", [("build", "semantoneg", "--out", "suite", "--from", "pipe"), ("rewrite", "negation", "--from", "pipe")]
)
def test_a_command_says_that_it_waits_for_a_pipe(litotes: Any, command: tuple[str, ...]) -> None:
    os.mkfifo(litotes.folder / "pipe")
    process = litotes.start(*command)
    try:
        assert process.stderr is not None
        assert process.stderr.readline() == "litotes: pipe: waiting for another program to write to this pipe\n"
        assert process.poll() is None
        (litotes.folder / "pipe").write_text("The door is not open.\n")
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert "waiting" not in err
