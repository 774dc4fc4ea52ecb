"""Antonyms that fit the context of a word."""

from __future__ import annotations

import pytest

from litotes.languages.en.lexicon.antonyms import _table as table
from litotes.languages.en.parser import parse
from litotes.rewrites.apply import rewrite
from litotes.rewrites.en.words.antonym_context import CONDITIONS, AntonymContext
from litotes.rewrites.en.words.content_words import ContentWord


def first(text: str, **options: str) -> str | None:
    edits = rewrite("antonym", text, **options)
    return edits[0].text if edits else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # adjectives by their nouns
        ("My uncle is old.", "My uncle is young."),
        ("My bike is old.", "My bike is new."),
        ("He is a short man.", "He is a tall man."),
        ("It is a short film about trains.", None),
        ("That was a short speech.", "That was a long speech."),
        ("This knife is sharp.", "This knife is blunt."),
        ("She has a poor memory.", "She has a good memory."),
        ("She comes from a poor family.", "She comes from a rich family."),
        ("That poor girl ate alone.", None),
        ("The water is hot.", "The water is cold."),
        ("His answer was right.", "His answer was wrong."),
        ("It was a serious injury.", "It was a minor injury."),
        ("We had a great holiday.", "We had a terrible holiday."),
        ("Her cat is dead.", "Her cat is alive."),
        ("We saw a dead whale.", "We saw a living whale."),
        ("I'm hungry.", "I'm full."),
        ("We are safe here.", "We are in danger here."),
        # forms
        ("Your bag is heavier than mine.", "Your bag is lighter than mine."),
        ("This is the worst hotel in town.", "This is the best hotel in town."),
        ("It was an easy question.", "It was a difficult question."),
        ("It was a useful hint.", "It was a useless hint."),
        ("His office is close to the park.", "His office is far from the park."),
        ("My plan is different from yours.", "My plan is similar to yours."),
        ("We stayed in the same hotel.", "We stayed in a different hotel."),
        ("This one is my favourite song.", "This one is my least favourite song."),
        # verbs by their complements
        ("I love this song.", "I hate this song."),
        ("I like to cook.", "I hate to cook."),
        ("They began to sing.", "They ceased to sing."),
        ("They started laughing.", "They stopped laughing."),
        ("She remembered to call.", "She forgot to call."),
        ("He agreed to pay.", "He refused to pay."),
        ("He agrees with you.", "He disagrees with you."),
        ("They won the match.", "They lost the match."),
        ("We lost weight.", "We gained weight."),
        ("He was allowed to stay.", "He was forbidden to stay."),
        ("She left the room.", "She entered the room."),
        ("Prices rose last year.", "Prices fell last year."),
        ("The sun rises at six.", "The sun sets at six."),
        ("Put your coat on.", "Take your coat off."),
        ("He turned off the lamp.", "He turned on the lamp."),
        ("The boys are sitting on the floor.", "The boys are standing on the floor."),
        ("A dog is sleeping.", "A dog is staying awake."),
        # adverbs and nouns
        ("She always arrives on foot.", "She never arrives on foot."),
        ("I have never seen a whale.", "I have often seen a whale."),
        ("She still lives here.", "She no longer lives here."),
        ("He drives slowly.", "He drives quickly."),
        ("Fortunately it rained.", "Unfortunately it rained."),
        ("It was a victory.", "It was a defeat."),
        # the most salient word comes first
        ("The old teacher is happy.", "The old teacher is unhappy."),
        ("The young nurse has a clean kitchen.", "The young nurse has a dirty kitchen."),
    ],
)
def test_the_first_candidate_fits_the_context(text: str, expected: str | None) -> None:
    assert first(text) == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The man eats rice.", "no-antonym"),
        ("Good morning!", "no-antonym"),
        ("I have no idea of that.", "no-antonym"),
        ("She is a girl of ten.", "no-antonym"),
        ("It fell on the water.", "unsure"),
        ("Nobody knows the way.", "unsure"),
        ("She gave him a book.", "unsure"),
        ("Was it good or bad?", "no-antonym"),
        ("Is it wet or dry?", "unsure"),
        ("She is five years old.", "no-antonym"),
        ('"Enough," continued the judge.', "unsure"),
        ("The same endeavour as ours is hopeless work.", None),
    ],
)
def test_doubtful_antonyms_are_not_used(text: str, code: str | None) -> None:
    edits = rewrite("antonym", text)
    assert (bool(edits), [skip.code for skip in edits.skips]) == (code is None, [] if code is None else [code])


def test_never_is_not_replaced_before_a_polarity_item() -> None:
    assert first("She never listens to anyone.") is None
    assert first("He still does not know.") is None


def test_noun_pairs_are_used_only_on_request() -> None:
    assert first("The woman is my aunt.") is None
    assert first("The woman waited.", pos="noun") == "The man waited."


def test_the_word_can_be_chosen() -> None:
    text = "The old teacher is happy."
    assert first(text, word="old") == "The young teacher is happy."
    assert first("He found his keys in the old car.", pos="verb") == "He lost his keys in the old car."
    assert {edit.words[0].old for edit in rewrite("antonym", text, pos="adjective")} == {"old", "happy"}
    edits = rewrite("antonym", text, word="elephant")
    assert not edits and "no-such-word" in {skip.code for skip in edits.skips}


def test_a_chosen_word_may_have_doubtful_opposites() -> None:
    assert first("Experience is needed here.", word="experience") == "Inexperience is needed here."


def test_antonyms_are_ranked_and_have_reasons() -> None:
    edits = rewrite("antonym", "This is not a good idea.")
    assert [edit.text for edit in edits][:2] == ["This is not a bad idea.", "This is not an evil idea."]
    assert all(edit.reason and edit.effect == "opposite" for edit in edits)
    assert edits[0].words[0] == ("good", "bad")
    reasons = [edit.reason for edit in rewrite("antonym", "I'm sure.")]
    assert "affixal" in reasons[0] and "affixal" not in reasons[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # antonyms of the sense of the usual antonym come first
        ("Your sum is right.", ["Your sum is wrong.", "Your sum is incorrect."]),
        # graded and attributive adjectives have their common sense
        (
            "This exam is easier than mine.",
            ["This exam is more difficult than mine.", "This exam is harder than mine."],
        ),
        ("The tea was too strong.", ["The tea was too weak."]),
        ("That was a real offer.", ["That was a fake offer.", "That was an unreal offer."]),
        ("It is possible that she won.", ["It is impossible that she won.", "It is possible that she lost."]),
        # a noun rules out words that do not describe it
        ("The hall was dark.", ["The hall was light.", "The hall was bright."]),
        # verbs only have antonyms in their main senses
        (
            "The girl is standing in the garden.",
            ["The girl is sitting in the garden.", "The girl is lying in the garden."],
        ),
        ("Rents rose quickly.", ["Rents fell quickly.", "Rents rose slowly."]),
        # adverbs have no antonyms that need a negation
        ("You'll never guess it.", ["You'll always guess it."]),
        ("She is a good cook.", ["She is a bad cook."]),
    ],
)
def test_implausible_antonyms_are_not_used(text: str, expected: list[str]) -> None:
    assert [edit.text for edit in rewrite("antonym", text)][:4] == expected


def test_far_fetched_antonyms_come_last() -> None:
    texts = [edit.text for edit in rewrite("antonym", "It is open.")]
    assert texts.index("It is closed.") < texts.index("It is unreceptive.")
    assert "It is unopen." not in texts
    reasons = [
        edit.reason for edit in rewrite("antonym", "The driver was careless and the road was open.", pos="adjective")
    ]
    far = [any(word in reason for word in ("sense 15", "sense 16")) for reason in reasons]
    assert far == sorted(far)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("That was a wrong answer.", "That was the right answer."),
        ("He gave me an incorrect key.", "He gave me the right key."),
        ("Her plan is the same as mine.", "Her plan is unlike mine."),
        ("Her plan is different from mine.", "Her plan is like mine."),
        ("I'm unsure if he came.", "I'm sure he came."),
    ],
)
def test_the_complement_is_adapted_to_the_antonym(text: str, expected: str) -> None:
    texts = [edit.text for edit in rewrite("antonym", text)]
    assert expected in texts, texts


def test_like_needs_an_object() -> None:
    assert all(not edit.text.endswith(" like.") for edit in rewrite("antonym", "They are different."))


def test_the_reason_names_antonyms_of_the_lexicon() -> None:
    edit = rewrite("antonym", "The text is legible.")[0]
    assert edit.text == "The text is illegible."
    assert "direct antonym" in edit.reason


def test_capitals_and_surrounding_text_do_not_change() -> None:
    assert first("Sad songs,  she said, are  the best — really!") is not None
    text = "Well... I'm   SO happy today  :)"
    assert first(text) == "Well... I'm   SO unhappy today  :)"


def test_all_conditions_of_the_table_have_a_test() -> None:
    for key, rows in table().items():
        for row in rows:
            for condition in row.conditions:
                name = condition.lstrip("!").partition(":")[0]
                assert name in CONDITIONS, (key, condition)


def test_an_unknown_condition_is_an_error() -> None:
    word = parse("He is tall.")[2]
    with pytest.raises(ValueError, match="no such condition"):
        AntonymContext(ContentWord(word, "tall", "a")).satisfies(("nonsense",))
