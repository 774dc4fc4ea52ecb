"""Tests of downloading a model and then using it without a network, in one process to save imports."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from local_hub import COMMIT, put_in_cache, serving
from tiny_models import save_bert, save_sentence_transformer

JOURNEY = """
import json, socket, sys

tried, forbidden = [], False
connect, lookup = socket.socket.connect, socket.getaddrinfo

def guarded_connect(self, address):
    tried.append(str(address))
    if forbidden:
        raise OSError("no network here")
    return connect(self, address)

def guarded_look_up(host, *args, **kwargs):
    tried.append(str(host))
    if forbidden:
        raise OSError("no network here")
    return lookup(host, *args, **kwargs)

socket.socket.connect = socket.socket.connect_ex = guarded_connect
socket.getaddrinfo = guarded_look_up

from litotes.core.errors import LitotesError
from litotes.models.loading import load_model

def ask(name, **options):
    try:
        scorer = load_model(name, **options)
    except LitotesError as error:
        return {"error": str(error)}
    score = float(scorer.score([("The soup is hot.", "The soup is cold.")])[0])
    return {"score": score, "weights": scorer.fingerprint.weights}

found = {"fetched": ask("org/tiny")}
found["tried by the fetch"], tried[:] = len(tried), []
forbidden = True
found["again"] = ask("org/tiny")
for name in json.loads(sys.argv[1]):
    found[name] = ask(name, offline=True)
found["tried"] = tried
found["library"] = "sentence_transformers" in sys.modules
print(json.dumps(found))
"""

OFFLINE = [
    "org/tiny",
    "hf:org/tiny?pooling=mean",
    f"org/pinned@{'a' * 40}",
    "org/pinned@v1",
    "short",
    "all-MiniLM-L6-v2",
    "hf:all-MiniLM-L6-v2?pooling=mean",
    "org/nowhere",
    "nowhere",
    "hf:org/pinned@v2",
]


@pytest.fixture(scope="module")
def journey(
    run_python: Callable[..., Any],
    tmp_path_factory: pytest.TempPathFactory,
    tiny_st: Path,
    minilm_folder: Path,
) -> dict[str, Any]:
    cache = tmp_path_factory.mktemp("hub")
    other = tmp_path_factory.mktemp("other")
    pinned = save_sentence_transformer(other / "st", save_bert(other / "bert", seed=7))
    put_in_cache(cache, "org/pinned", pinned, commit="a" * 40, ref="v1")
    put_in_cache(cache, "sentence-transformers/short", tiny_st)
    with serving() as hub:
        hub.repositories["org/tiny"] = tiny_st
        ran = run_python(JOURNEY, json.dumps(OFFLINE), HF_ENDPOINT=hub.url, HF_HUB_CACHE=cache)
    assert (cache / "models--org--tiny" / "snapshots" / COMMIT).is_dir()
    assert ran.stderr == ""
    return dict(ran.value)


def test_model_is_downloaded_and_evaluated(journey: dict[str, Any]) -> None:
    assert -1 < journey["fetched"]["score"] < 1
    assert journey["tried by the fetch"] > 0  # the guard detects attempts to connect


def test_needs_no_network_after_the_download(journey: dict[str, Any]) -> None:
    assert journey["tried"] == []


def test_downloaded_model_loads_with_and_without_offline(journey: dict[str, Any]) -> None:
    assert journey["again"] == journey["org/tiny"] == journey["short"] == journey["fetched"]
    assert journey["hf:org/tiny?pooling=mean"]["score"] == pytest.approx(journey["fetched"]["score"], abs=1e-5)


def test_a_pinned_revision_is_another_model(journey: dict[str, Any]) -> None:
    pinned = journey["org/pinned@v1"]
    assert pinned == journey[f"org/pinned@{'a' * 40}"]
    assert pinned["weights"] != journey["fetched"]["weights"]
    assert pinned["score"] != journey["fetched"]["score"]


def test_the_default_model_needs_no_network(journey: dict[str, Any]) -> None:
    own, plain = journey["all-MiniLM-L6-v2"], journey["hf:all-MiniLM-L6-v2?pooling=mean"]
    assert own["weights"] == plain["weights"]
    assert own["score"] == pytest.approx(plain["score"], abs=1e-6)
    assert 0.2 < own["score"] < 0.95


def test_standard_models_do_not_import_the_library(journey: dict[str, Any]) -> None:
    assert journey["library"] is False


@pytest.mark.parametrize("name", ["org/nowhere", "nowhere", "hf:org/pinned@v2"])
def test_reports_a_model_that_is_not_on_this_machine(name: str, journey: dict[str, Any]) -> None:
    assert journey[name]["error"].startswith("[L309] model ")
