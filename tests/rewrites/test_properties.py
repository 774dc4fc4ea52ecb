"""Properties of every rule on any text: no error, no unchanged edit, nothing else modified."""

from __future__ import annotations

import csv
import itertools
import json
import random
import re
import sys
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from clause_generator import commands, existentials, junk, questions, spoiled, statements, supported
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from litotes.core.parallel.engine import ParallelEngine, map_ordered
from litotes.languages.base import MAX_TEXT_LENGTH
from litotes.languages.en.parser import parse, parse_all
from litotes.rewrites.apply import apply_rule, rewrite, rewrite_all
from litotes.rewrites.base import Edits, Rule, Sentence
from litotes.rewrites.options import Option, options_of
from litotes.rewrites.registry import list_rewrites, load_rewrite


def examples(count: int) -> settings:
    # Deterministic examples, so that failures are caused by changes and not by chance.
    return settings(
        max_examples=count, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )


every_rule = pytest.mark.parametrize("rule", [load_rewrite(name) for name in list_rewrites()], ids=list_rewrites())


# Real sentences


def _column(path: Path, *columns: int) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        for row in itertools.islice(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), 1, None):
            yield from (row[column] for column in columns)


def _mnli(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield from (row["premise"], row["hypothesis"])


@pytest.fixture(scope="module")
def real(shared_data: Path) -> list[Sentence]:
    """Return sentences of several corpora: captions, a phrase book, chat, spoken and written prose."""
    corpora = (
        _column(shared_data / "sick" / "SICK_trial.txt", 1, 2),
        _column(shared_data / "tatoeba" / "english.txt", 0),
        _column(shared_data / "goemotions" / "dev.tsv", 0),
        _mnli(shared_data / "mnli" / "dev_matched.jsonl"),
    )
    texts = [text for corpus in corpora for text in random.Random(7).sample(sorted(set(corpus)), 250)]
    return [Sentence(doc) for doc in parse_all(texts)]


# Properties


def check(rule: Rule, text: str, edits: Edits) -> None:
    """Assert everything that must hold for the edits of a text."""
    assert edits or edits.skips, "neither an edit nor a reason"
    for skip in edits.skips:
        assert skip.code in rule.skips and skip.reason, skip
    texts = [edit.text for edit in edits]
    assert len(set(texts)) == len(texts), "the same edit twice"
    for edit in edits:
        assert edit.text != text and edit.text.split() != text.split(), "the input itself"
        assert (edit.rule, edit.effect in {"same", "opposite", "different"}) == (rule.name, True)
        assert edit.words and all(change.old != change.new for change in edit.words), edit.words
        assert_spaces_preserved(text, edit.text)


_PIECE = re.compile(r"\s+|\S+")


def assert_spaces_preserved(before: str, after: str) -> None:
    """Assert that spaces at both ends and between unchanged words are the same."""
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    assert [old[0].isspace() and old[0], old[-1].isspace() and old[-1]] == [
        new[0].isspace() and new[0],
        new[-1].isspace() and new[-1],
    ], "other blanks at the start or end"
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    old, new = old[same:], new[same:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        words, new_words = [[one for one in tokens if not one.isspace()] for tokens in (old[a:b], new[c:d])]
        assert kind == "equal" or words != new_words, f"other blanks: {old[a:b]} → {new[c:d]}"


@cache
def read(text: str) -> Sentence:
    """Return a parsed text; each text is parsed once for all rules."""
    return Sentence(parse(text))


def facts(edits: Edits) -> tuple[Any, ...]:
    return list(edits), edits.skips


@every_rule
def test_holds_for_real_sentences(rule: Rule, real: list[Sentence]) -> None:
    for sentence in real:
        edits = apply_rule(rule, sentence)
        check(rule, sentence.text, edits)
        assert facts(apply_rule(rule, sentence)) == facts(edits), "not the same twice"


@every_rule
@examples(40)
@given(text=st.one_of(statements(), questions(), commands(), existentials()))
def test_holds_for_generated_sentences(rule: Rule, text: str) -> None:
    edits = apply_rule(rule, read(text))
    check(rule, text, edits)
    assert facts(apply_rule(rule, read(text))) == facts(edits)


@every_rule
@examples(40)
@given(text=spoiled(st.one_of(statements(), questions(), existentials())))
def test_holds_for_corrupted_sentences(rule: Rule, text: str) -> None:
    check(rule, text, apply_rule(rule, read(text)))


@every_rule
@examples(60)
@given(text=junk)
def test_holds_for_texts_that_are_not_english(rule: Rule, text: str) -> None:
    check(rule, text, apply_rule(rule, read(text)))


ODD = (
    "",
    " \t\n ",
    "😀",
    "\ud800 is half a character.",
    "Is not is not is not.",
    "Not.",
    '"',
    "It is " + "very " * 300 + "good.",
    "good " * (MAX_TEXT_LENGTH // 5 + 1),
    "He said it is not bad. " * (MAX_TEXT_LENGTH // 23),
    "x" * 2_000_000,
)


@every_rule
def test_holds_for_unusual_texts(rule: Rule) -> None:
    for text, edits in zip(ODD, rewrite_all(rule, ODD), strict=True):
        check(rule, text, edits)


# Options

_TRIED = {
    int: (0, 1, 7),
    float: (0.0, 0.5),
    str: ("glad", "no such word", ""),
    bool: (True, False),
    type(None): (None,),
}


def values(option: Option) -> Iterator[Any]:
    for alternative in option.alternatives:
        yield from get_args(alternative) if get_origin(alternative) is Literal else _TRIED.get(alternative, ())


@every_rule
def test_accepts_every_value_of_every_option(rule: Rule) -> None:
    texts = (
        "I am not glad.",
        "The old man opened the door.",
        "There is a dog here, isn't there?",
        "He said it's late.",
    )
    for name, option in options_of(rule).items():
        assert name not in {"workers", "gates", "pipeline"}, "that is an option of rewrite itself"
        if "model" in name:  # names a model to be loaded
            continue
        for value in values(option):
            for text in texts:
                edits = rewrite(rule, text, **{name: value})
                check(rule, text, edits)
                assert facts(rewrite(rule, text, **{name: value})) == facts(edits)


# Independence of processes and batches

_IN_WORKERS = """
from litotes.languages.base import MAX_TEXT_LENGTH
from litotes.languages.en.parser import parse_all
from litotes.rewrites.apply import apply_rule
from litotes.rewrites.base import Sentence
from litotes.rewrites.registry import load_rewrite

def every_rule(names, texts):
    rules = [load_rewrite(name) for name in names]
    sentences = [Sentence(doc) for doc in parse_all(texts)]
    made = [[apply_rule(rule, sentence) for rule in rules] for sentence in sentences]
    return [[(list(edits), edits.skips) for edits in of_text] for of_text in made]
"""


def test_result_does_not_depend_on_process(
    real: list[Sentence], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other processes have other hash seeds, so a result that depends on the order of a set would differ."""
    (tmp_path / "in_workers.py").write_text(_IN_WORKERS)
    monkeypatch.syspath_prepend(str(tmp_path))
    import in_workers  # type: ignore[import-not-found]

    names = list_rewrites()
    texts = [sentence.text for sentence in real][::4]
    job = partial(in_workers.every_rule, names)
    alone, together = list(map_ordered(job, texts)), list(map_ordered(job, texts, engine=ParallelEngine.local(2)))
    for text, first, second in zip(texts, alone, together, strict=True):
        for name, mine, theirs in zip(names, first, second, strict=True):
            assert mine == theirs, (name, text)
    del sys.modules["in_workers"]


def test_result_does_not_depend_on_the_number_of_workers(real: list[Sentence]) -> None:
    texts = [sentence.text for sentence in real][::4]
    alone, together = ([facts(one) for one in rewrite_all("negation", texts, workers=count)] for count in (1, 2))
    assert alone == together


# Double negation

_SHORT = ((r"\bcan(?:'t|not)\b", "can not"), (r"\bwon't\b", "will not"), (r"n't\b", " not"), (r"\b(I)'m\b", r"\1 am"))
_SHORT += ((r"'re\b", " are"), (r"'ve\b", " have"), (r"'ll\b", " will"))


def expanded(text: str) -> str:
    """Return a text without contractions and with one way to deny existence; “'s” may be is or has."""
    for short, long in _SHORT:
        text = re.sub(short, long, text, flags=re.IGNORECASE)
    text = re.sub(r"^(There \w+) not an? ", r"\1 no ", text)
    # “Isn't he” and “is he not” are equivalent.
    return re.sub(r"^(\w+) not (he|they|you|the dog|we)\b", r"\1 \2 not", text, flags=re.IGNORECASE).casefold()


def equal_except_contractions(first: str, second: str) -> bool:
    longs = [
        {re.sub(r"\b(he|she|it|that|there)'s\b", rf"\1 {be}", expanded(text)) for be in ("is", "has")}
        for text in (first, second)
    ]
    return bool(longs[0] & longs[1])


@examples(250)
@given(text=supported)
def test_negating_twice_restores_the_sentence(text: str) -> None:
    once = rewrite("negation", text)
    assert once, f"{text!r}: {once.skips}"
    twice = rewrite("negation", once[0].text)
    assert twice, f"{text!r} → {once[0].text!r}: {twice.skips}"
    assert equal_except_contractions(twice[0].text, text), f"{text!r} → {once[0].text!r} → {twice[0].text!r}"
