"""Quadruples of SemAntoNeg."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from litotes.building.api import build_suite
from litotes.building.base import Candidate, Subject, load_builder
from litotes.corpora.base import Record
from litotes.languages.en.parser import parse
from litotes.rewrites.base import Sentence, Skip
from litotes.suites.folder import load_folder

_OPTIONS = {
    "pos": "adjective",
    "negation": "not",
    "pairs": "contrast",
    "frames": "plain",
    "antonyms": "all",
    "split": True,
    "contractions": "keep",
}


def apply_builder(text: str, **options: Any) -> list[Candidate | Skip]:
    builder = load_builder("semantoneg")
    return list(builder.apply(Subject(Record("x:1", text), Sentence(parse(text))), **options))


def first(text: str, **options: Any) -> list[str]:
    result = apply_builder(text, **options)[0]
    assert isinstance(result, Candidate), result
    return list(result.sentences.values())


def code(text: str, **options: Any) -> str:
    results = apply_builder(text, **options)
    assert len(results) == 1 and isinstance(results[0], Skip), results
    return results[0].code


@pytest.mark.parametrize(
    ("text", "antonym", "polarity", "both"),
    [
        ("It isn't a bad plan.", "It isn't a good plan.", "It is a bad plan.", "It is a good plan."),
        ("It's not an easy job.", "It's not a difficult job.", "It's an easy job.", "It's a difficult job."),
        (
            "You're not poor, are you?",
            "You're not rich, are you?",
            "You're poor, aren't you?",
            "You're rich, aren't you?",
        ),
        ("The tea isn't hot either.", "The tea isn't cold either.", "The tea is hot too.", "The tea is cold too."),
    ],
)
def test_three_hypotheses_are_grammatical(text: str, antonym: str, polarity: str, both: str) -> None:
    assert first(text) == [text, antonym, polarity, both]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Not bad.", "short"),
        ("It is not cold. It is hot.", "several"),
        ("Aren't the children hungry?", "question"),
        ("The committee does not meet on Friday.", "no-antonym"),
        ("The tall woman is not from here.", "not-the-same"),
        ("She is tall, but she cannot reach the shelf.", "frame"),
        ("If the soup is not cold, I shall wait.", "frame"),
        ("The soup is not really cold.", "frame"),
        ("The soup is not cold enough.", "frame"),
        ("The rumour cannot be true.", "frame"),
        ("Nobody here is not honest.", "frame"),
        ("Don't be rude to the guests.", "frame"),
        ("The soup did not become cold.", "frame"),
        ("I'm not sure what the guide said.", "frame"),
        ("Take care not to wake the tired driver.", "not-the-same"),
        ("He is not the shy boy he used to be.", "not-the-same"),
        ("They do not have much money left.", "not-the-same"),
    ],
)
def test_unsuitable_sentences_have_skip_codes(text: str, why: str) -> None:
    assert code(text) == why


def test_leaves_out_antonyms_that_do_not_contrast() -> None:
    results = apply_builder("The hikers are not thirsty today.")
    assert not any(isinstance(result, Candidate) and "hungry" in result.sentences["antonym"] for result in results)


def test_other_parts_of_speech_can_be_selected() -> None:
    assert first("The plan did not succeed in the end.", pos="verb")[3] == "The plan failed in the end."
    assert first("The nurse did not answer politely.", pos="adverb")[3] == "The nurse answered rudely."
    assert code("The plan did not succeed in the end.") == "no-antonym"


@pytest.mark.parametrize(
    ("text", "pos", "polarity", "both"),
    [
        ("The tea here is never hot.", "adjective", "The tea here is always hot.", "The tea here is always cold."),
        ("The bridge is hardly safe.", "adjective", "The bridge is safe.", "The bridge is dangerous."),
        ("It is no easy task.", "adjective", "It is an easy task.", "It is a difficult task."),
        ("She never remembers my name.", "verb", "She always remembers my name.", "She always forgets my name."),
        (
            "He climbed the tower without difficulty.",
            "noun",
            "He climbed the tower with difficulty.",
            "He climbed the tower with ease.",
        ),
    ],
)
def test_further_negations_can_be_included(text: str, pos: str, polarity: str, both: str) -> None:
    assert first(text, negation="more", pos=pos)[2:] == [polarity, both]


def test_affirmative_sentences_can_be_negated() -> None:
    assert first("The water is clean.", negation="any") == [
        "The water is clean.",
        "The water is dirty.",
        "The water is not clean.",
        "The water is not dirty.",
    ]


@pytest.mark.parametrize(
    ("record", "options", "why"),
    [
        (Record("a", "The water is clean."), {}, "no-negation"),
        (Record("a", "The water is never clean."), {}, "no-negation"),
        (Record("a", "The water is never clean."), {"negation": "more"}, None),
        (Record("a", "The water is clean."), {"negation": "any"}, None),
        (Record("a", "The water isn't clean."), {}, None),
        (Record("a", "Not hot"), {}, "short"),
        (Record("a", "That's...not possible."), {}, None),
        (Record("a", "It is dirty here.", "It is filthy here."), {}, "no-contrast"),
        (Record("a", "I am not guilty, sir.", "Innocent."), {}, "short"),
        (Record("a", "Not guilty.", "I am innocent, sir."), {}, "short"),
        (Record("a", "No, it is dirty here.", "No, it is filthy here."), {}, "no-contrast"),
    ],
)
def test_prefilter_selects_texts_by_words(record: Record, options: dict[str, str], why: str | None) -> None:
    assert load_builder("semantoneg").filter(record, {**_OPTIONS, **options}) == why


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("No, that is not true.", "No, that is false."),
        ("No, that is not true.", "That is false."),
        ("No. That is not true.", "No! That is false."),
        ("Oh no, he is not ill, no.", "He is well, no."),
    ],
)
def test_answer_no_does_not_count_as_a_negation_of_a_pair(text: str, other: str) -> None:
    builder = load_builder("semantoneg")
    [unit, *_] = reversed(list(builder.units(Record("p:1", other, text, second_id="p:1#2"), _OPTIONS)))
    assert unit.id.startswith("p:1#2") and builder.filter(unit, _OPTIONS) is None


def test_no_before_a_noun_counts_as_a_negation_of_a_pair() -> None:
    pair = Record("p:1", "There is no easy answer.", "The answer is not easy.", second_id="p:1#2")
    assert load_builder("semantoneg").filter(pair, _OPTIONS) == "no-contrast"


def test_negated_side_of_a_pair_is_used() -> None:
    units = load_builder("semantoneg").units
    pair = Record("p:1", "The shop is closed.", "The shop is not open.", second_id="p:1#2")
    assert [(unit.id, unit.text) for unit in units(pair, _OPTIONS)] == [("p:1#2", "The shop is not open.")]
    both = Record("p:2", "The shop isn't open.", "The shop is not open today.", second_id="p:2#2")
    assert list(units(both, _OPTIONS)) == [both]  # unchanged; the filter gives the reason
    assert len(list(units(both, {**_OPTIONS, "pairs": "apart"}))) == 2


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("The rumour cannot be true.", "The rumour can be false."),
        ("They do not have much money left.", "They have little money left."),
        ("The soup is not cold?", "The soup is hot?"),
    ],
)
def test_frames_are_an_option(text: str, both: str) -> None:
    assert first(text, frames="all")[3] == both
    assert code(text) in {"frame", "not-the-same", "question"}


@pytest.mark.parametrize("text", ["Is the soup not cold?", "What is not cold?", "Isn't that annoying?"])
def test_a_question_with_the_order_of_a_question_is_never_used(text: str) -> None:
    assert code(text, frames="all") == "question"


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("No, the road is not safe.", "No, the road is dangerous."),
        ("Well, the soup is not cold.", "Well, the soup is hot."),
        ("I know it's not easy.", "I know it's difficult."),
        ("You know, the soup is not cold.", "You know, the soup is hot."),
        ("The soup is not cold after all.", "The soup is hot after all."),
        ("The mill is not in a bad state.", "The mill is in a good state."),
        ("The soup is not cold, huh?", "The soup is hot, huh?"),
        ("These two keys are not the same.", "These two keys are different."),
        ("This is not the same lamp.", "This is a different lamp."),
    ],
)
def test_frames_that_fit_both_polarities(text: str, both: str) -> None:
    assert first(text)[3] == both


@pytest.mark.parametrize(
    "text",
    [
        "I cannot believe that the soup is cold.",
        "You know what's wrong, don't you?",
        "The soup isn't way too cold.",
        "He did not say so, correct?",
        "They are not the same lamp.",
        "I'm not sure which way to go.",
    ],
)
def test_frames_that_do_not_fit_both_polarities(text: str) -> None:
    assert not any(isinstance(result, Candidate) for result in apply_builder(text))


def test_further_antonyms_are_never_loose() -> None:
    results = apply_builder("The soup cannot be good.", frames="all")
    assert [result.tags["antonym"] for result in results if isinstance(result, Candidate)] == ["bad"]


@pytest.mark.parametrize(
    ("text", "antonyms"),
    [
        ("That answer isn't right.", ["wrong", "incorrect"]),
        ("That answer isn't incorrect.", ["correct", "right"]),
        ("That rumour isn't true.", ["false"]),
        ("That's not true.", ["false", "untruthful"]),
        ("It's not true that the soup is cold.", ["false"]),
        ("That detail isn't important.", ["unimportant", "insignificant"]),
        ("It's not important to win.", ["unimportant"]),
        ("The team isn't likely to win.", ["unlikely"]),
        ("It's not hard to win.", ["easy"]),
        ("It's not hard.", ["easy", "soft"]),
        ("A storm isn't likely.", ["unlikely", "improbable"]),
        ("That exam wasn't hard.", ["easy"]),
        ("They're not proud of that.", ["ashamed"]),
        ("The soup isn't good.", ["bad"]),
        ("The soup isn't evil.", ["good"]),
        ("The boat isn't big.", ["small"]),
    ],
)
def test_each_fitting_antonym_gives_a_quadruple(text: str, antonyms: list[str]) -> None:
    results = [result for result in apply_builder(text) if isinstance(result, Candidate)]
    assert [result.tags["antonym"] for result in results] == antonyms
    assert len({result.alternatives for result in results}) == len(antonyms)
    best = [result for result in apply_builder(text, antonyms="best") if isinstance(result, Candidate)]
    assert {result.alternatives for result in best} == {""}


def test_a_text_of_several_sentences_is_split() -> None:
    units = load_builder("semantoneg").units
    record = Record("t:7", "The lamp is not on. It is late.")
    assert [(unit.id, unit.text) for unit in units(record, _OPTIONS)] == [
        ("t:7/1", "The lamp is not on."),
        ("t:7/2", "It is late."),
    ]


def test_each_quadruple_has_four_items_in_a_unit(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("The stairs are not wide.\nThe stairs are not wide.\nThe shop isn't open.\n", "utf-8")
    result = build_suite("semantoneg", corpus, tmp_path / "out")
    assert (result.units[""], result.items[""], result.skips) == (3, 12, {"duplicate": 1})
    suite = load_folder(tmp_path / "out")
    one = [item for item in suite.items if item.tags["unit"] == "san-00000"]
    assert len({item.sentences["input"] for item in one}) == 4
    assert len({frozenset(item.sentences.values()) for item in one}) == 1
    assert {item.group for item in one} == {"narrow/wide"}
    assert {item.group for item in suite.items} == {"narrow/wide", "closed/open", "open/shut"}
    meta = json.loads((tmp_path / "out" / "suite.json").read_text("utf-8"))
    assert meta["builder"]["options"] == _OPTIONS
    assert meta["skipped"] == {"duplicate": 1}
