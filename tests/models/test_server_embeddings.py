"""Tests of `openai:`: requests, invalid answers, resumed runs and the secrecy of the API key."""

from __future__ import annotations

import dataclasses
import io
import json
import logging
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openai_server as at
import pytest
from openai_server import KEY, WIDTH, Clock, Server, vector

from litotes.core.errors import LitotesError
from litotes.evaluation.engine import Engine
from litotes.evaluation.result_store import write_run
from litotes.evaluation.settings import EvaluationSettings
from litotes.models.access import Access
from litotes.models.base import Encoder
from litotes.models.loading import load_model
from litotes.models.names import parse_name
from litotes.models.servers.openai_embeddings import MAX_CHARACTERS, ServerEncoder, load
from litotes.suites.base import Suite
from litotes.suites.loading import load_suite

no_network, environment, server = at.no_network, at.environment, at.server

TEXTS = ["The lamp is on.", "The lamp is not on.", "", "🦆 quacks", "x " * 10_000, "half \ud83e a sign"]


def encoder_of(server: Server, attempts: int = 3, **options: Any) -> ServerEncoder:
    return load(parse_name(f"openai:m@{server.url}"), Access(), options, retry=Clock().policy(attempts))


@pytest.fixture(scope="module")
def suite() -> Suite:
    complete = load_suite("semantoneg-mini")
    return dataclasses.replace(complete, items=complete.items[:24])


@pytest.mark.parametrize("options", [{}, {"encoding": "base64"}, {"batch": 2}, {"prompt": "query: "}])
def test_returns_the_vectors_of_the_server_in_order(server: Server, options: dict[str, Any]) -> None:
    vectors = encoder_of(server, **options).encode(TEXTS)
    expected = [vector(options.get("prompt", "") + text) for text in TEXTS]
    np.testing.assert_array_equal(vectors, np.array(expected, dtype=np.float32))
    assert vectors.dtype == np.float32
    assert server.requests[-1]["path"] == "/v1/embeddings"
    assert server.requests[-1]["body"]["model"] == "m"


def test_no_texts_need_no_request(server: Server) -> None:
    encoder = encoder_of(server)
    assert encoder.encode([]).shape == (0, WIDTH)
    assert len(server.requests) == 1  # the trial request


def test_reads_options_from_the_name(server: Server) -> None:
    scorer = load_model(f"openai:org/m@{server.url}?dimensions=4&batch=2&timeout=9&label=mine", offline=True)
    assert isinstance(scorer, Encoder) and scorer.name == "mine"
    assert scorer.encode(["a", "b", "c"]).shape == (3, 4)
    sizes = [len(request["body"]["input"]) for request in server.requests]
    assert sizes == [1, 2, 1]
    assert {request["body"]["dimensions"] for request in server.requests} == {4}
    assert scorer.score([("a", "a"), ("a", "b")])[0] == pytest.approx(1)


@pytest.mark.parametrize("option", ["batch=0", "dimensions=-1", "encoding=int8", "timeout=x", "bach=3"])
def test_reports_wrong_options_before_any_request(server: Server, option: str, refused: Callable[..., Any]) -> None:
    with refused("L101" if "bach" in option else "L102", exit_code=2):
        load_model(f"openai:m@{server.url}?{option}")
    assert server.requests == []


def test_a_request_is_limited_in_number_and_in_characters(server: Server) -> None:
    encoder = encoder_of(server, batch=10)
    long = "y" * (MAX_CHARACTERS // 2 - 10)
    encoder.encode([long + "1", long + "2", long + "3", "short", "z" * (2 * MAX_CHARACTERS), *map(str, range(11))])
    requests = [request["body"]["input"] for request in server.requests[1:]]
    assert [len(texts) for texts in requests] == [2, 2, 1, 10, 1]


@pytest.mark.parametrize("batch", [1, 3, 64, 5000])
def test_the_batches_of_the_engine_are_the_requests(server: Server, batch: int) -> None:
    from litotes.evaluation.encoding import plan_batches

    encoder = encoder_of(server, batch=batch)
    texts = [str(number) * length for number, length in enumerate([3, 80, 90, 1500, 70_000, 70_000, *[5] * 150])]
    for indices in plan_batches(encoder.lengths(texts), encoder.batch_tokens):
        before = len(server.requests)
        encoder.encode([texts[index] for index in indices])
        assert len(server.requests) == before + 1
        assert len(indices) <= batch


def test_sends_requests_in_parallel(server: Server, suite: Suite) -> None:
    encoder = encoder_of(server, batch=4)
    assert encoder.parallel
    gate = threading.Barrier(3, timeout=30)

    def together(handler: at.Handler, body: dict[str, Any]) -> None:
        gate.wait()
        at.well(handler, body)

    server.next.extend([together] * 3)
    list(Engine(EvaluationSettings(workers=3), cache=None).run(encoder, [suite]))
    assert server.most_at_once == 3


# Invalid answers


def drop_last(answer: dict[str, Any]) -> None:
    answer["data"].pop()


def set_in_last(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda answer: answer["data"][-1].__setitem__(key, value)


WRONG = {
    "too few": (drop_last, ["1 vectors for 2 texts"]),
    "too many": (lambda answer: answer["data"].append(answer["data"][0]), ["3 vectors for 2 texts"]),
    "double index": (set_in_last("index", 1), ["two vectors for the text with index 1"]),
    "index too high": (set_in_last("index", 2), ["index 2"]),
    "no index": (lambda answer: answer["data"][-1].pop("index"), ["index None"]),
    "index is no number": (set_in_last("index", True), ["index True"]),
    "NaN": (set_in_last("embedding", [float("nan")] * WIDTH), ["NaN or infinite", "index 0"]),
    "infinite": (set_in_last("embedding", [float("inf")] * WIDTH), ["NaN or infinite"]),
    "too large": (set_in_last("embedding", [1e300] * WIDTH), ["NaN or infinite"]),
    "null inside": (set_in_last("embedding", [None] + [0.5] * (WIDTH - 1)), ["no list of numbers"]),
    "null": (set_in_last("embedding", None), ["no list of numbers"]),
    "texts": (set_in_last("embedding", ["0.5"] * WIDTH), ["no list of numbers"]),
    "empty": (set_in_last("embedding", []), ["no list of numbers"]),
    "lists": (set_in_last("embedding", [[0.5]] * WIDTH), ["no list of numbers"]),
    "ragged": (set_in_last("embedding", [[0.5], 1]), ["no list of numbers"]),
    "no base64": (set_in_last("embedding", "%%%"), ["no list of numbers"]),
    "half a number": (set_in_last("embedding", "AAAAAAA="), ["no list of numbers"]),
    "another width": (set_in_last("embedding", [0.5] * 3), ["different lengths (3, 6)"]),
    "no data": (lambda answer: answer.pop("data"), ["no list of vectors"]),
    "data is no list": (lambda answer: answer.update(data={"0": []}), ["no list of vectors"]),
    "data of numbers": (lambda answer: answer.update(data=[1, 2]), ["no list of vectors"]),
}


@pytest.mark.parametrize(("change", "words"), WRONG.values(), ids=WRONG)
def test_reports_invalid_answers(
    server: Server, change: Callable[[dict[str, Any]], None], words: list[str], refused: Callable[..., Any]
) -> None:
    encoder = encoder_of(server)
    server.always = at.changed(change)
    with refused("L308", server.url, *words):
        encoder.encode(["one", "two"])
    assert len(server.requests) == 2  # a retry would fail in the same way


def test_reports_a_change_of_dimensions(server: Server, refused: Callable[..., Any]) -> None:
    encoder = encoder_of(server)
    server.width = 5
    with refused("L308", "5 dimensions, previously of 6"):
        encoder.encode(["one"])


def test_reports_dimensions_that_differ_from_the_option(server: Server, refused: Callable[..., Any]) -> None:
    server.always = at.changed(lambda answer: answer["data"][0].update(embedding=[0.5] * 9))
    with refused("L308", "9 dimensions instead of 4"):
        encoder_of(server, dimensions=4)


# Fingerprints


def test_fingerprint_contains_what_is_known_about_the_model(server: Server) -> None:
    plain = encoder_of(server).fingerprint
    assert plain.backend == "openai"
    assert server.url in plain.weights and " m" in plain.weights and "the-real-name" in plain.config
    fingerprints = [encoder_of(server, **option).fingerprint for option in ({"dimensions": 4}, {"prompt": "q"})]
    server.called = "another"
    fingerprints.append(encoder_of(server).fingerprint)
    server.called, server.width = "the-real-name", 7
    fingerprints.append(encoder_of(server).fingerprint)
    assert len({one.key() for one in [plain, *fingerprints]}) == 5
    server.width = WIDTH
    same = encoder_of(server, batch=7, timeout=3).fingerprint
    assert same == plain


def test_notes_that_the_model_can_change(server: Server, suite: Suite) -> None:
    (result,) = Engine(cache=None).run(encoder_of(server), [suite])
    (note,) = result.notes
    assert "without notice" in note and server.url in note


# Resuming


def test_resumed_run_requests_only_missing_vectors(
    server: Server, suite: Suite, tmp_path: Path, refused: Callable[..., Any]
) -> None:
    encoder = encoder_of(server, batch=4)
    engine = Engine(EvaluationSettings(workers=1), cache=tmp_path / "cache")
    server.next.extend([at.well, at.error(503), at.well, at.cut, at.well])
    server.always = at.hang_up  # the server fails after three batches
    with refused("L501", "did not send a complete HTTP response", "results so far are cached"):
        list(engine.run(encoder, [suite]))
    cached = {text for request in server.requests[1:6] for text in request["body"]["input"]}
    assert len(cached) == 12

    server.always = None
    server.requests.clear()
    efforts = []
    engine = dataclasses.replace(engine, on_encoded=lambda name, effort: efforts.append(effort))
    (resumed,) = engine.run(encoder_of(server, batch=4), [suite])
    texts = {text for item in suite.items for text in item.sentences.values()}
    asked = server.asked[1:]  # the first one is the trial request
    assert sorted(asked) == sorted(texts - cached)
    assert (efforts[0].computed, efforts[0].cached) == (len(texts) - 12, 12)

    (complete,) = Engine(cache=None).run(encoder_of(server), [suite])
    assert resumed.items == complete.items and resumed.metrics == complete.metrics


def test_vectors_before_an_invalid_answer_are_cached(
    server: Server, suite: Suite, tmp_path: Path, refused: Callable[..., Any]
) -> None:
    encoder = encoder_of(server, batch=4)
    server.next.extend([at.well, at.well, at.changed(drop_last)])
    engine = Engine(EvaluationSettings(workers=1), cache=tmp_path / "cache")
    with refused("L308", "3 vectors for 4 texts"):
        list(engine.run(encoder, [suite]))
    before = len(server.asked)
    (result,) = engine.run(encoder, [suite])
    assert result.times["cached"] == 8
    assert len(server.asked) - before == result.times["computed"]


# Secrecy of the key


def test_files_of_a_run_do_not_contain_the_key(
    server: Server, suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVER_KEY", KEY)
    server.called = f"model of {KEY}"
    output = io.StringIO()
    handler = logging.StreamHandler(output)
    logging.getLogger().addHandler(handler)
    monkeypatch.setattr(logging.getLogger(), "level", logging.DEBUG)
    try:
        encoder = encoder_of(server, key="SERVER_KEY", batch=8)
        engine = Engine(cache=tmp_path / "cache", warn=output.write)
        (result,) = engine.run(encoder, [suite])
        write_run(tmp_path / "runs", result)
        server.always = at.error(400, f"the key {KEY} may not")
        with pytest.raises(LitotesError) as caught:
            encoder.encode(["new"])
        output.write("".join(traceback.format_exception(caught.value)))
    finally:
        logging.getLogger().removeHandler(handler)
    assert server.requests[-1]["headers"]["Authorization"] == f"Bearer {KEY}"
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) >= 3
    assert [path for path in written if KEY.encode() in path.read_bytes()] == []
    assert "may not" in output.getvalue() and KEY not in output.getvalue()
    assert KEY not in repr([vars(encoder), encoder.fingerprint, result])


def test_the_command_never_shows_the_key(server: Server, litotes: Any) -> None:
    secret = {"OPENAI_API_KEY": KEY}
    name = f"openai:m@{server.url}"
    done = litotes.run("run", name, "--suite", "negation-detection-mini", "--offline", "--json", env=secret)
    assert done.code == 0, done.err
    assert json.loads(done.out)["runs"][0]["fingerprint"]["backend"] == "openai"
    server.always = at.error(401, f"{KEY} is not known")
    failed = litotes.run("--debug", "run", name, "--suite", "heros-mini", env=secret)
    assert failed.code == 1 and "Traceback" in failed.err and "is not known" in failed.err
    assert server.requests[-1]["headers"]["Authorization"] == f"Bearer {KEY}"
    assert done.new_files
    leaks = [path for path in litotes.folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert leaks == []
    assert KEY not in "".join([done.out, done.err, failed.out, failed.err])
