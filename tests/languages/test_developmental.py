"""The seven categories of negation: both rulesets, markers, and texts without a sentence."""

from __future__ import annotations

import random

import pytest

from litotes import LitotesError, classify_negation
from litotes.languages.en.developmental.classify import classify_doc, classify_texts
from litotes.languages.en.negation import has_marker
from litotes.languages.en.parser import parse
from litotes.languages.negation_categories import CATEGORIES, RULESETS


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("We do not have a ladder.", "possession"),
        ("I don't have the key, my sister does.", "possession"),
        ("There is no bridge over the river.", "existence"),
        ("There isn't a baker in this village.", "existence"),
        ("There are no more apples.", "existence"),
        ("It is not a violin.", "labeling"),
        ("That's not my umbrella.", "labeling"),
        ("It isn't a toy, it is a tool.", "labeling"),
        ("Don't open the window.", "prohibition"),
        ("Please do not feed the ducks.", "prohibition"),
        ("Tom, don't run.", "prohibition"),
        ("Do not let the dog follow you.", "prohibition"),
        ("I could not reach the shelf.", "inability"),
        ("She cannot swim.", "inability"),
        ("He can't whistle.", "inability"),
        ("I do not know the way.", "epistemic"),
        ("I don't think so.", "epistemic"),
        ("They do not remember me.", "epistemic"),
        ("She did not want any soup.", "rejection"),
        ("He doesn't like snow.", "rejection"),
    ],
)
def test_paper_ruleset_assigns_the_categories(text: str, category: str) -> None:
    assert classify_negation(text, rules="paper") == {category}


@pytest.mark.parametrize(
    "text",
    [
        "She has no money.",  # "do" must modify the root
        "He did not have a car.",  # the word "do" itself
        "I never knew.",
        "He said that she does not like snow.",  # not the root
        "They were not doctors.",  # neither "It" nor "That"
        "Dont touch it.",
    ],
)
def test_paper_ruleset_omits_other_negations(text: str) -> None:
    assert classify_negation(text, rules="paper") == set()


def test_modified_verb_may_be_separated_from_its_marker() -> None:
    assert classify_negation("I do not really know him.", rules="paper") == {"epistemic"}


def test_every_sentence_of_a_text_has_a_root() -> None:
    text = "The lamp is broken. I don't know why. There is no switch."
    assert classify_negation(text, rules="paper") == {"existence", "epistemic"}


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("The shed has no door.", "possession"),
        ("They didn't have a map.", "possession"),
        ("We haven't got a car.", "possession"),
        ("No longer does he have a boat.", "possession"),
        ("He owns nothing.", "possession"),
        ("That coat isn't mine.", "possession"),
        ("If you don't have a ticket, wait here.", "possession"),
        ("There has never been a king here.", "existence"),
        ("I saw that there was nobody in the kitchen.", "existence"),
        ("There don't seem to be any eggs.", "existence"),
        ("No such bird exists.", "existence"),
        ("Why is there no light?", "existence"),
        ("There is no doubt about it.", "existence"),
        ("Her brother was never a soldier.", "labeling"),
        ("He is no hero.", "labeling"),
        ("These weren't our chairs.", "labeling"),
        ("Never touch the stove.", "prohibition"),
        ("Dont touch that!", "prohibition"),
        ("You must not smoke here.", "prohibition"),
        ("Let's not wait.", "prohibition"),
        ("No parking.", "prohibition"),
        ("Dogs are not allowed in the garden.", "prohibition"),
        ("She told the boys not to climb the tree.", "prohibition"),
        ("Sit down and do not move.", "prohibition"),
        ("We couldn't find the path.", "inability"),
        ("He cant swim.", "inability"),
        ("Nobody could open the box.", "inability"),
        ("My aunt isn't able to walk far.", "inability"),
        ("She said that she could never sing.", "inability"),
        ("She couldn't stand on one leg.", "inability"),
        ("I never knew his name.", "epistemic"),
        ("Nobody knows the answer.", "epistemic"),
        ("We have no idea.", "epistemic"),
        ("He wasn't sure whether it was raining.", "epistemic"),
        ("Never have I known such a winter.", "epistemic"),
        ("Nor did he know why.", "epistemic"),
        ("Not knowing the way, they stayed.", "epistemic"),
        ("“I don’t want it,” she said.", "rejection"),
        ("I would rather not go.", "rejection"),
        ("They want no help.", "rejection"),
        ("She wouldn't like that.", "rejection"),
        ("Not once did he want to leave.", "rejection"),
    ],
)
def test_litotes_ruleset_assigns_the_categories(text: str, category: str) -> None:
    assert classify_negation(text) == {category}


@pytest.mark.parametrize(
    "text",
    [
        "We don't have to leave.",
        "She didn't have her hair cut.",
        "He has nothing to do with it.",
        "He has nothing but debts.",
        "She does not have three sons.",
        "There isn't much milk.",
        "There is not only tea.",
        "Isn't there a way?",
        "There is no shortage of sand.",
        "There were no fewer than ten geese.",
        "It could not have been raining.",
        "That can't be true.",
        "I can't wait to see you.",
        "We couldn't help laughing.",
        "I couldn't agree more.",
        "I can't stand him.",
        "The door can't be opened.",
        "You like tea, don't you?",
        "Don't you think it is late?",
        "Don't you know him?",
        "It was not like her.",
        "You don't want to miss the show.",
        "He doesn't just want money.",
        "Don't forget your hat.",
        "Don't worry.",
        "He is not the only doctor.",
        "She is not tall.",
        "Her talk was no-nonsense.",
        "I go home and don't watch television.",
    ],
)
def test_similar_sentences_have_no_category(text: str) -> None:
    assert classify_negation(text) == set()


def test_text_may_have_several_categories() -> None:
    text = "He can't remember her name, and there was no letter."
    assert classify_negation(text) == {"inability", "epistemic", "existence"}


def test_reports_the_words_that_mark_a_category() -> None:
    assert classify_negation("I don’t really like it.", explain=True) == {"rejection": ("do", "n’t", "like")}
    assert classify_negation("There is no well.", "paper", explain=True) == {"existence": ("There", "no", "well")}


def test_categories_have_the_order_of_the_paper() -> None:
    result = classify_negation("I don't want it. I don't know why. There is no reason.", explain=True)
    assert (
        list(result)
        == [category for category in CATEGORIES if category in result]
        == ["existence", "epistemic", "rejection"]
    )


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize(
    "text", ["I don't know.", "I don’t know.", "I do n't know.", "I don 't know.", "I do NOT know.", "I DON'T KNOW."]
)
def test_spelling_variants_are_recognised(text: str, rules: str) -> None:
    assert classify_negation(text, rules) == {"epistemic"}


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "🙂", "no", "not", "n't", "No.", "don't", "🙂 no 🙂", "There no", "\ud800 not"]
)
def test_texts_without_a_sentence_have_no_category(text: str, rules: str) -> None:
    assert classify_negation(text, rules) == set()


def test_too_long_text_has_no_category() -> None:
    assert classify_negation("I do not know. " * 2_500) == set()


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize(
    "text", ["A notable knot.", "Nothingness", "The nobles noted another note.", "Anton went north.", "He wants it."]
)
def test_marker_inside_a_word_is_ignored(text: str, rules: str) -> None:
    assert not has_marker(text, rules)
    assert classify_negation(text, rules) == set()


_WORDS = (
    "there is are was I you she do does did have has know think want like can could not no n't nt never nobody nothing "
    "none nor cannot don't dont it that a dog house door money run please , . ? must allowed to be able sure exist"
).split()


@pytest.mark.parametrize("rules", RULESETS)
def test_without_a_marker_there_is_no_category(rules: str) -> None:
    chance = random.Random(3)
    texts = [" ".join(chance.choices(_WORDS, k=chance.randint(1, 9))) for _ in range(600)]
    for text in texts:
        result = classify_doc(parse(text), rules)
        assert has_marker(text, rules) or not result, text
        assert set(result) <= set(CATEGORIES)
    assert classify_texts([text for text in texts if not has_marker(text, rules)], rules).count({}) > 0


def test_batch_gives_the_same_categories_as_single_texts() -> None:
    texts = ["He can't swim.", "He swims.", "", "There is no boat.", "I don’t like it."]
    assert classify_texts(texts) == [classify_negation(text, explain=True) for text in texts]


def test_texts_without_a_marker_are_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    from litotes.languages.en.developmental import classify

    parsed: list[str] = []
    parse_all = classify.parse_all
    monkeypatch.setattr(classify, "parse_all", lambda texts: parse_all(parsed.append(text) or text for text in texts))
    classify_texts(["A dog runs.", "A dog can't run.", "A cat sleeps."])
    assert parsed == ["A dog can't run."]


def test_unknown_ruleset_is_an_error() -> None:
    with pytest.raises(LitotesError, match=r'unknown ruleset "papers"; known: paper, litotes'):
        classify_negation("I don't know.", rules="papers")
