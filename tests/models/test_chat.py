"""Tests of language models behind a server, by log-probabilities and by the text of answers."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import openai_server as at
import pytest
from openai_server import KEY, Clock, Server, completion

from litotes.evaluation.engine import Engine
from litotes.evaluation.settings import EvaluationSettings
from litotes.models.access import Access
from litotes.models.loading import load_model
from litotes.models.names import parse_name
from litotes.models.prompts import Question, list_prompts, load_prompt, paraphrase_question
from litotes.models.servers.openai_chat import ServerChooser, letter_probabilities, load, named_option
from litotes.suites.base import Suite
from litotes.suites.loading import load_suite

no_network, environment, server = at.no_network, at.environment, at.server

ASKED = Question("Which?", ("It is near.", "It is far.", "It is gone."))
ROWS = np.array([[0.7, 0.2, 0.1]], dtype=np.float32)


def chooser_of(server: Server, **options: Any) -> ServerChooser:
    return load(parse_name(f"chat:m@{server.url}"), Access(), options, retry=Clock().policy(3))


def likely(**chances: float) -> dict[str, float]:
    """Return tokens with their log-probabilities."""
    return {token: math.log(chance) for token, chance in chances.items()}


def lists_of(body: Mapping[str, Any]) -> list[str]:
    """Return the options of the received prompt in the order of their letters."""
    return re.findall(r"^[A-H]\. (.*)$", body["messages"][0]["content"], re.MULTILINE)


# Text of answers


@pytest.mark.parametrize(
    ("answer", "index"),
    [
        ("A", 0),
        ("b", 1),
        ("(B)", 1),
        ("**C**", 2),
        (" C.\n", 2),
        ("B)", 1),
        ("B) It is far.", 1),
        ("A. It is near.", 0),
        ("B. A long way off.", 1),
        ("C: it is gone", 2),
        ("Option C", 2),
        ("option b", 1),
        ("The answer is B.", 1),
        ("the correct answer is: (C)", 2),
        ("Answer: A", 0),
        ("ANSWER: **B**", 1),
        ("The answer is A because it says so.", 0),
        ("Option A is wrong. The answer is B.", 1),
        ("The answer is option C.", 2),
        ("I would choose B", 1),
        ("Sentence B means the same.", 1),
        ("B is the one that means the same.", 1),
        ("It is far", 1),
        ("“It is gone.”", 2),
        ("<think>A? No, B.</think>\n\nC", 2),
        ("A sentence that fits is (B).", 1),
    ],
)
def test_parses_answers(answer: str, index: int) -> None:
    assert named_option(answer, ASKED) == index


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "D",
        "A or B",
        "Both A and B",
        "Option A or option B",
        "(A) (B)",
        "A, C",
        "I cannot say.",
        "A sentence means what it means.",
        "a bit of both",
        "<think>It could be B",
        "🦆",
        "The answer is a matter of taste.",
        "Answer: A or C",
        "Because",
    ],
)
def test_ambiguous_answers_name_no_option(answer: str) -> None:
    assert named_option(answer, ASKED) is None


def test_text_answers_must_match_exactly_one_option() -> None:
    assert named_option("Yes.", Question("Same?", ("yes", "no"))) == 0
    assert named_option("so", Question("Which?", ("so", "so"))) is None


# Log-probabilities


def tokens(*positions: Mapping[str, float]) -> Any:
    return completion("", positions)["choices"][0]["logprobs"]["content"]


def test_letters_count_in_either_case_with_any_whitespace() -> None:
    result = letter_probabilities(tokens({"A": math.log(0.3), " A": math.log(0.1), "▁b": math.log(0.2), "x": -2}), 2)
    assert result == pytest.approx([2 / 3, 1 / 3])


def test_missing_letters_share_the_remaining_probability() -> None:
    result = letter_probabilities(tokens(likely(A=0.6, B=0.3)), 3)
    assert result == pytest.approx([0.6, 0.3, 0.1])
    bounded = letter_probabilities(tokens(likely(A=0.5, B=0.02)), 3)  # at most as likely as the last token in the list
    assert bounded == pytest.approx([0.5 / 0.54, 0.02 / 0.54, 0.02 / 0.54])
    nothing = letter_probabilities(tokens(likely(A=0.75, The=0.25)), 3)
    assert nothing == pytest.approx([1, 0, 0])


def test_skips_brackets_and_blanks_before_the_letter() -> None:
    result = letter_probabilities(tokens({"\n": -0.1}, {" (": -0.1, "A": -3}, likely(B=0.8, A=0.2)), 2)
    assert result == pytest.approx([0.2, 0.8])


@pytest.mark.parametrize(
    "log_probabilities",
    [
        None,
        [],
        [None],
        "A",
        tokens({"The": -0.01, "A": -9}),
        [{"token": "A", "top_logprobs": None}],
        [{"token": "A", "top_logprobs": [{"token": "A", "logprob": None}, 7, {"token": None, "logprob": -1}]}],
        [{"token": "A", "top_logprobs": [{"token": "A", "logprob": float("nan")}]}],
    ],
)
def test_unlikely_letters_give_no_probabilities(log_probabilities: Any) -> None:
    assert letter_probabilities(log_probabilities, 3) is None


# Requests


def test_asks_each_question_in_every_rotation(server: Server) -> None:
    chooser = chooser_of(server, mode="answer")
    server.speak = lambda body: completion("ABC"[lists_of(body).index("It is far.")])
    server.requests.clear()
    np.testing.assert_allclose(chooser.choose([ASKED]), [[0, 1, 0]])
    assert [lists_of(request["body"])[0] for request in server.requests] == list(ASKED.options)
    body = server.requests[0]["body"]
    assert server.requests[0]["path"] == "/v1/chat/completions"
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("m", 0, 16)
    assert "logprobs" not in body


def test_position_bias_averages_out(server: Server) -> None:
    chooser = chooser_of(server)
    np.testing.assert_allclose(chooser.choose([ASKED, ASKED]), np.full((2, 3), 1 / 3), atol=1e-6)


def test_uses_log_probabilities_if_available(server: Server) -> None:
    server.speak = lambda body: completion("A", [likely(A=0.6, B=0.3, C=0.1)])
    chooser = chooser_of(server)
    np.testing.assert_allclose(chooser.ask([ASKED]), [[0.6, 0.3, 0.1]], atol=1e-6)
    body = server.requests[-1]["body"]
    assert body["logprobs"] is True and body["top_logprobs"] == 20
    assert "20 likeliest" in chooser.fingerprint.pooling
    assert [note for note in chooser.notes(ROWS) if "log-prob" in note] == []


def test_uses_the_text_if_the_first_token_is_not_a_letter(server: Server) -> None:
    server.speak = lambda body: completion("The answer is B.", [{"The": -0.001, "A": -8.0}])
    np.testing.assert_allclose(chooser_of(server).ask([ASKED]), [[0, 1, 0]])


def refusing(*names: str, **more: Any) -> at.Behaviour:
    """A server that refuses requests with these parameters."""

    def behave(handler: at.Handler, body: dict[str, Any]) -> None:
        wrong = next((name for name in names if name in body), None)
        answer = at.error(400, f"'{wrong}' is not supported", param=wrong, **more) if wrong else at.well
        answer(handler, body)

    return behave


@pytest.mark.parametrize(
    "behaviour",
    [
        refusing("logprobs"),
        lambda handler, body: (at.error(400, "bad request") if "logprobs" in body else at.well)(handler, body),
        at.well,  # accepts the parameter, but returns none
    ],
    ids=["refuses", "refuses without a word", "ignores"],
)
def test_uses_the_text_without_log_probabilities_and_notes_it(server: Server, behaviour: at.Behaviour) -> None:
    server.always = behaviour
    server.speak = lambda body: completion("The answer is C.")
    chooser = chooser_of(server)
    np.testing.assert_allclose(chooser.ask([ASKED]), [[0, 0, 1]])
    assert "logprobs" not in server.requests[-1]["body"]
    assert any("no log-probabilities" in note for note in chooser.notes(ROWS))
    assert "answer" in chooser.fingerprint.pooling


def test_accepts_fewer_log_probabilities(server: Server) -> None:
    def at_most_five(handler: at.Handler, body: dict[str, Any]) -> None:
        behave = at.error(400, "top_logprobs must be at most 5") if body["top_logprobs"] > 5 else at.well
        behave(handler, body)

    server.always = at_most_five
    server.speak = lambda body: completion("A", [likely(A=0.5, B=0.5)])
    chooser = chooser_of(server)
    np.testing.assert_allclose(chooser.ask([ASKED])[0, :2], [0.5, 0.5])
    assert "5 likeliest" in chooser.fingerprint.pooling


@pytest.mark.parametrize(
    ("behaviour", "code", "words"),
    [(refusing("logprobs"), "L501", ["not supported"]), (at.well, "L102", ["no log-probabilities", "?mode="])],
)
def test_reports_missing_log_probabilities_if_required(
    server: Server, behaviour: at.Behaviour, code: str, words: list[str], refused: Callable[..., Any]
) -> None:
    server.always = behaviour
    with refused(code, *words):
        chooser_of(server, mode="logprobs")


def test_adapts_to_servers_that_refuse_parameters(server: Server) -> None:
    server.always = refusing("max_tokens", "temperature", "logprobs")
    chooser = chooser_of(server, max_tokens=500)
    chooser.ask([ASKED])
    body = server.requests[-1]["body"]
    assert sorted(body) == ["max_completion_tokens", "messages", "model"] and body["max_completion_tokens"] == 500
    assert any("temperature" in note for note in chooser.notes(ROWS))
    assert "server's temperature" in chooser.fingerprint.pooling


def test_reports_a_server_that_refuses_everything(server: Server, refused: Callable[..., Any]) -> None:
    server.always = at.error(400, "no such model")
    with refused("L501", "no such model"):
        chooser_of(server)
    server.always = at.error(401, "no key")
    server.requests.clear()
    with refused("L501", "no key"):
        chooser_of(server)
    assert len(server.requests) == 1


def test_unusable_answers_count_equally_for_all_options_and_are_noted(server: Server) -> None:
    chooser = chooser_of(server, mode="answer")
    answers = iter(
        [
            completion("I do not know."),
            completion(None),
            completion("<think>Well", finish="length"),
            completion("B"),
        ]
    )
    server.speak = lambda body: next(answers)
    rows = chooser.ask([ASKED] * 4)
    np.testing.assert_allclose(rows, [[1 / 3] * 3] * 3 + [[0, 1, 0]], atol=1e-6)
    (note,) = [note for note in chooser.notes(rows) if "named an option" in note]
    assert "3 of 4 questions" in note and "?max_tokens=" in note
    assert not any("named an option" in note for note in chooser.notes(rows[3:]))


@pytest.mark.parametrize("answer", [{}, {"choices": []}, {"choices": [1]}, {"choices": [{"text": "A"}]}])
def test_reports_an_invalid_answer(server: Server, answer: dict[str, Any], refused: Callable[..., Any]) -> None:
    chooser = chooser_of(server)
    server.speak = lambda body: answer
    with refused("L308", server.url, "returned no answer"):
        chooser.ask([ASKED])


def test_client_retries_and_hides_the_key(
    server: Server, monkeypatch: pytest.MonkeyPatch, refused: Callable[..., Any]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    chooser = chooser_of(server)
    server.next.extend([at.error(503), at.hang_up])
    assert chooser.ask([ASKED]).shape == (1, 3)
    assert server.requests[-1]["headers"]["Authorization"] == f"Bearer {KEY}"
    server.always = at.error(403, f"{KEY}?")
    with refused("L501", "403", "OPENAI_API_KEY") as caught:
        chooser.ask([ASKED])
    assert KEY not in caught.line + repr(vars(chooser)) + repr(chooser.fingerprint)


def test_fingerprint_contains_what_answers_depend_on(server: Server) -> None:
    plain = chooser_of(server).fingerprint
    assert server.url in plain.weights and "the-real-name" in plain.config and plain.prompt
    fingerprints = [chooser_of(server, max_tokens=99).fingerprint]
    server.speak = lambda body: completion("A", [likely(A=0.5)])
    fingerprints.append(chooser_of(server).fingerprint)
    server.called = "another"
    fingerprints.append(chooser_of(server).fingerprint)
    assert len({one.key() for one in [plain, *fingerprints]}) == 4


def test_options_and_offline(server: Server, refused: Callable[..., Any]) -> None:
    assert load_model(f"chat:m@{server.url}?mode=answer&timeout=3&label=mine", offline=True).name == "mine"
    with refused("L309", "https://far.example/v1"):
        load_model("chat:m@https://far.example/v1", offline=True)
    with refused("L102", "auto, logprobs, answer"):
        load_model(f"chat:m@{server.url}?mode=guess")


# The engine


@pytest.fixture(scope="module")
def suite() -> Suite:
    complete = load_suite("semantoneg-mini")
    return dataclasses.replace(complete, items=complete.items[:9])


def test_perfect_model_passes_and_a_dead_server_loses_no_answers(
    server: Server, suite: Suite, tmp_path: Path, refused: Callable[..., Any]
) -> None:
    roles = ("antonym", "polarity", "both")
    right = {frozenset(item.sentences[role] for role in roles): item.sentences["both"] for item in suite.items}

    def knows(body: dict[str, Any]) -> dict[str, Any]:
        options = lists_of(body)
        return completion("ABC"[options.index(right.get(frozenset(options), options[0]))])

    server.speak = knows
    engine = Engine(EvaluationSettings(workers=1), cache=tmp_path)
    chooser = chooser_of(server)
    server.requests.clear()
    server.next.extend([at.well] * 14)
    server.always = at.hang_up
    with refused("L501", "did not send a complete HTTP response"):
        list(engine.run(chooser, [suite]))
    server.always = None
    server.requests.clear()
    (result,) = engine.run(chooser, [suite])
    assert result.metrics.accuracy == 1 and result.choices["both"] == 9
    assert result.times["cached"] == 4  # a batch of four questions, each in three rotations
    assert len(server.requests) == 5 * 3
    assert any("without notice" in note for note in result.notes)


def test_the_prompt_is_sent_and_part_of_the_fingerprint(server: Server) -> None:
    keys = set()
    for name in list_prompts():
        chooser = chooser_of(server, prompt=name)
        keys.add(chooser.fingerprint.key())
        chooser.ask([paraphrase_question("It is shut.", ("It is not open.", "It is open."))])
        sent = server.requests[-1]["body"]["messages"][0]["content"]
        assert sent == load_prompt(name).text(paraphrase_question("It is shut.", ("It is not open.", "It is open.")))
    assert len(keys) == len(list_prompts())
