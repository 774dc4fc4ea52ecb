"""The six kinds of minimal pairs of HEROS."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from litotes.building.api import build_suite
from litotes.building.base import Candidate, Subject, load_builder
from litotes.building.heros_fillers import fillers
from litotes.building.negation_sites import main_negation, negated_word, negation_site, word_site
from litotes.corpora.base import Record
from litotes.languages.en.parser import parse
from litotes.rewrites.base import Sentence, Skip
from litotes.suites.folder import load_folder
from litotes.suites.kinds import suite_kind

_DEFAULTS = {"shortest": 9, "longest": 24, "split": True, "name": "Jackie"}

LINES = [
    "The road behind our village is dangerous after the rain in autumn.",
    "I think the new teacher at our school is wonderful with the children.",
    "My uncle loves the old songs of the coast in summer.",
    "The neighbours who love the old orchard came back with us yesterday.",
    "The bridge near the mill was not dangerous after the flood last spring.",
]


def apply_builder(text: str, **options: Any) -> list[Candidate | Skip]:
    return list(load_builder("heros").apply(Subject(Record("x:1", text), Sentence(parse(text))), **options))


def variants(text: str, **options: Any) -> dict[str, str]:
    result = next(one for one in apply_builder(text, **options) if isinstance(one, Candidate))
    return dict(result.sentences)


def refusal(text: str, **options: Any) -> str | None:
    return load_builder("heros").filter(Record("x:1", text), {**_DEFAULTS, **options})


def units(text: str, **options: Any) -> list[Record]:
    return list(load_builder("heros").units(Record("x:1", text), {**_DEFAULTS, **options}))


@pytest.mark.parametrize("text", LINES)
def test_six_variants_differ_from_the_original(text: str) -> None:
    results = variants(text)
    assert list(results) == list(suite_kind("heros").roles)
    assert results["original"] == text
    assert len(set(results.values())) >= len(results) - 1


def test_each_variant_changes_the_selected_word() -> None:
    result = variants("The road behind our village is dangerous after the rain in autumn.")
    start, end = "The road behind our village is ", " after the rain in autumn."
    words = {
        role: text.removeprefix(start).removesuffix(end)
        for role, text in result.items()
        if not role.startswith("negation")
    }
    assert words["original"] == "dangerous"
    assert words["antonym"] == "safe"
    assert len(set(words.values())) == 5
    assert all(" " not in words[role] for role in ("random", "typo"))
    assert result["negation_main"] == f"{start}not dangerous{end}"


def test_both_negations_are_the_same_at_the_main_verb() -> None:
    result = variants("My uncle loves the old songs of the coast in summer.")
    assert result["negation_main"] == "My uncle does not love the old songs of the coast in summer."
    assert result["negation_antonym"] == result["negation_main"]


def test_negations_differ_if_the_word_is_in_another_clause() -> None:
    result = variants("I think the new teacher at our school is wonderful with the children.")
    assert result["negation_main"] == "I do not think the new teacher at our school is wonderful with the children."
    assert result["negation_antonym"] == "I think the new teacher at our school is not wonderful with the children."


def test_removes_an_existing_negation() -> None:
    result = variants("The bridge near the mill was not dangerous after the flood last spring.")
    assert result["negation_main"] == "The bridge near the mill was dangerous after the flood last spring."
    assert " not " in result["antonym"]


def test_the_seed_decides_the_random_word_and_the_typo() -> None:
    texts = [variants(LINES[0], seed=seed) for seed in range(8)]
    assert variants(LINES[0], seed=3) == texts[3]
    assert len({text["random"] for text in texts}) > 1
    assert len({text["synonym"] for text in texts}) == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The road is dangerous.", "length"),
        (" ".join(["The road was dangerous and so"] * 5), "length"),
        ("I told [NAME] and [NAME] that the road was dangerous here.", "names"),
        ("Did you know that the road here was so dangerous?", "question"),
        ("The road behind our village is damn dangerous after the rain.", "cursing"),
        ("the road behind our village is dangerous after the rain", "unclean"),
        ("The road behind our village is dangerous after the rain", None),
    ],
)
def test_filters_by_text(text: str, code: str | None) -> None:
    assert refusal(text) == code


def test_length_limits_are_options() -> None:
    assert refusal("The road is dangerous.", shortest=4) is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Because the road behind our village is dangerous after the rain.", "ungrammatical"),
        ("The Jackie on the road behind our village was very dangerous.", "ungrammatical"),
        ("The road behind our village leads to the mill in autumn.", "no-word"),
        ("The dangerous road behind our village leads to the mill in autumn.", "no-word"),
        ("The soup was either cold or dangerous when it came to us.", "no-negation"),
    ],
)
def test_filters_by_parse(text: str, code: str) -> None:
    results = apply_builder(text)
    assert [result.code for result in results if isinstance(result, Skip)] == [code]
    assert not any(isinstance(result, Candidate) for result in results)


def test_grammar_can_be_left_unchecked() -> None:
    assert variants("Love the pretty garden, the road behind our village is dangerous now.", grammar="none")


def test_name_placeholder_is_replaced() -> None:
    assert [unit.text for unit in units("I think [NAME] is wonderful.")] == ["I think Jackie is wonderful."]
    assert [unit.text for unit in units("I think [NAME] is wonderful.", name="Robin")] == [
        "I think Robin is wonderful."
    ]
    assert [unit.text for unit in units("[NAME] saw [NAME].")] == ["[NAME] saw [NAME]."]


def test_a_text_of_several_sentences_is_split() -> None:
    text = "It rained. [NAME] stayed in. We did too!"
    assert [(unit.id, unit.text) for unit in units(text)] == [
        ("x:1/1", "It rained."),
        ("x:1/2", "Jackie stayed in."),
        ("x:1/3", "We did too!"),
    ]
    assert [unit.id for unit in units(text, split=False)] == ["x:1"]


@pytest.mark.parametrize(
    ("text", "word", "pos", "verb", "rank"),
    [
        ("The road is dangerous.", "dangerous", "a", "is", 0),
        ("They own a dangerous dog.", "dangerous", "a", "own", 1),
        ("It sounds like a dangerous plan.", "dangerous", "a", "sounds", 1),
        ("The storm made the road dangerous.", "dangerous", "a", "made", 0),
        ("I know that he hates rain.", "hates", "v", "hates", 1),
        ("She is going to start a choir.", "start", "v", "going", 0),
        ("She hopes to start a choir.", "start", "v", "start", 2),
    ],
)
def test_finds_where_a_word_can_be_negated(text: str, word: str, pos: str, verb: str, rank: int) -> None:
    token = next(one for one in parse(text) if one.text == word)
    site = negation_site(token, pos)
    assert site is not None
    assert (site.predicate.text, site.rank) == (verb, rank)


@pytest.mark.parametrize(
    ("text", "word", "pos"),
    [
        ("Dangerous dogs bark at night.", "Dangerous", "a"),
        ("We live near a dangerous road.", "dangerous", "a"),
        ("I know how dangerous the road is.", "dangerous", "a"),
        ("She is able to start a choir.", "start", "v"),
        ("She did not hope to start a choir.", "start", "v"),
        ("He was angry at the dog.", "angry", "a"),
    ],
)
def test_finds_where_a_word_cannot_be_negated(text: str, word: str, pos: str) -> None:
    token = next(one for one in parse(text) if one.text == word)
    assert negation_site(token, pos) is None


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("I am sure the shop is open on Sunday.", "sure"),
        ("The view was amazing to me.", "amazing"),
        ("I believe we are meeting them in June.", "believe"),
        ("She loves the songs from the hills.", "loves"),
    ],
)
def test_uses_fillers_if_infill_has_no_words(text: str, word: str) -> None:
    sentence = Sentence(parse(text))
    token = next(one for one in sentence.doc if one.text == word)
    results = list(fillers(sentence, token, 0))
    assert len(results) > 1
    assert all(new != word and apply_builder != text for new, apply_builder in results)
    assert results == list(fillers(sentence, token, 0))


def test_unknown_frames_have_no_fillers() -> None:
    sentence = Sentence(parse("I am not sure why the shop is open."))
    token = next(one for one in sentence.doc if one.text == "sure")
    assert not list(fillers(sentence, token, 0))


def test_builds_a_suite(tmp_path: Path, corpus: Callable[..., Path], read_items: Callable[[Path], Any]) -> None:
    source = corpus([*LINES, "Short line.", f"It rained all day. {LINES[0].replace('autumn', 'March')}"])
    built = build_suite("heros", source, tmp_path / "one")
    again = build_suite("heros", source, tmp_path / "two")
    assert built.units[""] == len(LINES) + 1
    assert built.skips["length"] == 2
    assert read_items(tmp_path / "one") == read_items(tmp_path / "two")
    assert built.units == again.units
    assert load_folder(tmp_path / "one").kind.name == "heros"
    assert read_items(tmp_path / "one")[-1]["tags"]["source"].endswith("/2")


@pytest.mark.parametrize(
    ("text", "word", "negated"),
    [
        ("And that is why it is (or was) illegal.", "illegal", "And that is why it is (or was) not illegal."),
        (
            "Jackie says that the new bridge is probably dangerous in winter.",
            "dangerous",
            "Jackie says that the new bridge is probably not dangerous in winter.",
        ),
        (
            "I heard that it was a very dangerous road in winter.",
            "dangerous",
            "I heard that it was not a very dangerous road in winter.",
        ),
        (
            "We gave her a particularly useful tip about the exam.",
            "useful",
            "We gave her a not particularly useful tip about the exam.",
        ),
        (
            "The flat was small but comfortable in summer.",
            "comfortable",
            "The flat was small but not comfortable in summer.",
        ),
        ("I find it very useful for work.", "useful", "I find it not very useful for work."),
        ("The baker wants to expand the shop.", "expand", "The baker wants not to expand the shop."),
        ("I know how much that boosted my sales.", "boosted", "I know how much that did not boost my sales."),
        ("Call me if the twins aren't asleep by noon.", "asleep", "Call me if the twins are asleep by noon."),
        ("Dad is glad that it isn't a dangerous road.", "dangerous", "Dad is glad that it is a dangerous road."),
    ],
)
def test_not_is_put_before_the_word_with_the_antonym(text: str, word: str, negated: str) -> None:
    assert negation_of(text, word) == negated


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("My uncle would offer excellent protection to the family.", "excellent"),
        ("They live near a dangerous road in the north.", "dangerous"),
        ("The consequences for the shop would be unfair in June.", "unfair"),
        ("The room of the twins looked tidy on Sunday.", "tidy"),
        ("The soup was always cold when it came.", "cold"),
        ("The soup was already cold when it came.", "cold"),
        ("The bread was pretty cheap at the market.", "cheap"),
        ("There was a damp mattress in the corner.", "damp"),
        ("Everyone was happy about the news from home.", "happy"),
        ("The flat was cheap and warm in winter.", "cheap"),
        ("The trams need to start before the school does.", "start"),
        ("We left before the old man started to sing.", "started"),
    ],
)
def test_words_that_take_no_not_are_skipped(text: str, word: str) -> None:
    assert negation_of(text, word) is None


def negation_of(text: str, word: str) -> str | None:
    sentence = Sentence(parse(text))
    token = next(one for one in sentence.doc if one.text == word)
    site = word_site(token, "a" if token.pos_ == "ADJ" else "v")
    return None if site is None else negated_word(sentence, token, site, main_negation(sentence) or "")


def test_negation_in_the_main_clause_has_the_form_of_the_main_negation() -> None:
    result = variants("It's dangerous to swim in the river near our village.")
    assert result["negation_antonym"] == result["negation_main"]


def test_both_negations_can_be_required_to_differ() -> None:
    same = "The road behind our village is dangerous after the rain in autumn."
    assert [one.code for one in apply_builder(same, distinct=True) if isinstance(one, Skip)] == [
        "same-negation",
        "no-word",
    ]
    result = variants("I think the new teacher at our school is wonderful with the children.", distinct=True)
    assert result["negation_antonym"] != result["negation_main"]
