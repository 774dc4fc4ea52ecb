"""SemAntoNeg: roles and antonym pairs derived from the sentences, and the official file."""

from __future__ import annotations

import itertools
import json
import time
from collections import Counter
from pathlib import Path

import pytest

from litotes import LitotesError, Suite
from litotes.suites.semantoneg import OPTIONS, differing_words, load_official, permute_quadruple

QUADRUPLES = [
    ["It is on.", "It is off.", "It is not on.", "It is not off."],
    ["That's a good idea.", "That's an evil idea.", "That isn't a good idea.", "That isn't an evil idea."],
    ["We can win.", "We can lose.", "We can't win.", "We can't lose."],
    ["He’s always awake.", "He’s always asleep.", "He’s never awake.", "He’s never asleep."],
    [
        "There was a public way.",
        "There was a private way.",
        "There was no public way.",
        "There was no private way.",
    ],
]


def load(tmp_path: Path, *records: dict[str, object]) -> Suite:
    path = tmp_path / "official.json"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return load_official(path)


def shuffled(sentences: dict[str, str]) -> list[dict[str, object]]:
    """Return the record with its options in every order and the corresponding labels."""
    records: list[dict[str, object]] = []
    for order in itertools.permutations(OPTIONS):
        options = [sentences[role] for role in order]
        record = {"idx": len(records), "label": order.index("both"), "input": sentences["input"]}
        records.append({**record, "sentences": options})
    return records


@pytest.mark.parametrize("quadruple", QUADRUPLES, ids=lambda quadruple: quadruple[0])
def test_roles_are_assigned_by_label_and_negation(tmp_path: Path, quadruple: list[str]) -> None:
    for sentences in permute_quadruple(quadruple):
        for item in load(tmp_path, *shuffled(sentences)).items:
            assert dict(item.sentences) == sentences


def published_records(quadruple: list[str]) -> list[dict[str, object]]:
    """Return the four records of a quadruple in the published format."""
    return [
        {"idx": number, "label": 2, "input": texts["input"], "sentences": [texts[role] for role in OPTIONS]}
        for number, texts in enumerate(permute_quadruple(quadruple))
    ]


def test_inflected_verb_does_not_create_a_second_group(tmp_path: Path) -> None:
    suite = load(
        tmp_path, *published_records(["He agrees.", "He disagrees.", "He doesn't agree.", "He doesn't disagree."])
    )
    assert {item.group for item in suite.items} == {"agrees/disagrees"}
    assert [item.tags["word"] for item in suite.items] == ["agrees", "disagrees", "agree", "disagree"]


@pytest.mark.parametrize("quadruple", QUADRUPLES, ids=lambda quadruple: quadruple[0])
def test_items_of_a_quadruple_share_a_group(tmp_path: Path, quadruple: list[str]) -> None:
    suite = load(tmp_path, *published_records(quadruple))
    assert suite.count_groups() == 1
    word, antonym = differing_words(quadruple[0], quadruple[1])
    assert suite.items[0].group == "/".join(sorted((word, antonym)))
    assert [item.tags["word"] for item in suite.items] == [word, antonym, word, antonym]
    assert suite.version == "not as published"


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("It's good.", "It's bad.", ("good", "bad")),
        ("It's a good one.", "It's an evil one.", ("good", "evil")),
        ("Good things last.", "Bad things last.", ("good", "bad")),
        ("Is it good?", "Is it bad?", ("good", "bad")),
        ("He is well-known here.", "He is unknown here.", ("well-known", "unknown")),
        ("It's the same as that.", "It's different from that.", ("same as", "different from")),
        ("good good good", "good bad good", ("good", "bad")),
        ("good good", "good good good", ("", "good")),
        ("same", "same", ("", "")),
        ("", "word", ("", "word")),
    ],
)
def test_differing_words(first: str, second: str, words: tuple[str, str]) -> None:
    assert differing_words(first, second) == words


def test_long_sentences_are_compared_fast() -> None:
    started = time.monotonic()
    left, right = "good " * 50_000, "bad " + "good bad " * 25_000
    assert differing_words(left, right)[0].startswith("good")
    assert time.monotonic() - started < 2


def test_idx_may_be_a_string(tmp_path: Path) -> None:
    [sentences, *_] = permute_quadruple(QUADRUPLES[0])
    records = [{**record, "idx": idx} for record, idx in zip(shuffled(sentences), ("x7", "12", 12345), strict=False)]
    assert [item.id for item in load(tmp_path, *records).items] == ["san-00x7", "san-0012", "san-12345"]


def test_repeated_idx_is_an_error_with_both_lines(tmp_path: Path) -> None:
    [sentences, *_] = permute_quadruple(QUADRUPLES[0])
    records = [{**record, "idx": idx} for record, idx in zip(shuffled(sentences), (5, 6, "5"), strict=False)]
    with pytest.raises(LitotesError, match=r"L205.*official\.json:3: idx 5 is already used in line 1"):
        load(tmp_path, *records)


# The published file


@pytest.fixture(scope="module")
def official(official_semantoneg: Path) -> Suite:
    return load_official(official_semantoneg)


@pytest.mark.shared
def test_official_file_has_the_published_sha256(official: Suite) -> None:
    assert len(official.items) == 3152
    assert official.count_groups() == 154
    assert official.version == "1.0"
    assert official.items[0].id == "san-0000"


@pytest.mark.shared
def test_official_items_have_a_word_and_an_antonym(official: Suite) -> None:
    for item in official.items:
        assert item.tags["word"] and item.tags["antonym"], item
        assert item.group.count("/") == 1 and all(item.group.split("/")), item


@pytest.mark.shared
def test_official_quadruples_share_a_group(official: Suite) -> None:
    groups: dict[frozenset[str], set[str]] = {}
    inputs: Counter[frozenset[str]] = Counter()
    for item in official.items:
        quadruple = frozenset(item.sentences.values())
        groups.setdefault(quadruple, set()).add(item.group)
        inputs[quadruple] += 1
    assert all(len(group) == 1 for group in groups.values())
    # Each sentence is the input once; the published file contains one quadruple twice.
    assert set(inputs.values()) == {4, 8}


@pytest.mark.shared
def test_roles_do_not_depend_on_the_order_of_the_options(official: Suite, tmp_path: Path) -> None:
    orders = list(itertools.permutations(OPTIONS))
    for order in orders:
        records = [
            {
                "idx": number,
                "label": order.index("both"),
                "input": item.sentences["input"],
                "sentences": [item.sentences[role] for role in order],
            }
            for number, item in enumerate(official.items)
        ]
        again = load(tmp_path, *records)
        assert [item.sentences for item in again.items] == [item.sentences for item in official.items]
        assert [item.group for item in again.items] == [item.group for item in official.items]
