"""`active`: from the passive, by-phrases without an agent, and round trips."""

from __future__ import annotations

import pytest

from litotes.rewrites.apply import rewrite, rewrite_all
from litotes.rewrites.registry import load_rewrite

TURNED = [
    # tenses and agreement
    ("The roses are watered by the gardener.", "The gardener waters the roses."),
    ("The rose was watered by the gardeners.", "The gardeners watered the rose."),
    ("The fence is being painted by her uncle.", "Her uncle is painting the fence."),
    ("The fences were being painted by her uncle.", "Her uncle was painting the fences."),
    ("The old boat has been sold by the twins.", "The twins have sold the old boat."),
    ("The towels had been washed by the nurse.", "The nurse had washed the towels."),
    ("The new bridge will be opened by the mayor.", "The mayor will open the new bridge."),
    ("This riddle could be solved by a child.", "A child could solve this riddle."),
    ("The letter must have been copied by the clerk.", "The clerk must have copied the letter."),
    ("The duck is going to be roasted by the chef.", "The chef is going to roast the duck."),
    ("The brakes have to be checked by the driver.", "The driver has to check the brakes."),
    ("The fee doesn't have to be paid by the tenants.", "The tenants don't have to pay the fee."),
    ("He got bitten by a dog.", "A dog bit him."),
    ("We were surprised by the result.", "The result surprised us."),
    ("The hills are covered by snow.", "Snow covers the hills."),
    # pronouns, negation, contractions
    ("He was attacked by them.", "They attacked him."),
    ("This hut was built by him and me.", "He and I built this hut."),
    ("He and I were praised by her.", "She praised him and me."),
    ("My letter has been answered by nobody.", "Nobody has answered my letter."),
    ("We weren't invited by them.", "They didn't invite us."),
    ("I'm not trusted by them.", "They don't trust me."),
    ("It isn't owned by her.", "She doesn't own it."),
    ("It's being washed by him.", "He's washing it."),
    ("It's been sold by us.", "We've sold it."),
    ("He'll be fired by the boss.", "The boss will fire him."),
    # other parts of the clause
    ("I was sent a postcard by my aunt.", "My aunt sent me a postcard."),
    ("A postcard was sent to me by my aunt.", "My aunt sent a postcard to me."),
    ("The prisoner was locked up by the guards.", "The guards locked up the prisoner."),
    ("It was put away by her.", "She put it away."),
    ("The old horse is looked after by the twins.", "The twins look after the old horse."),
    ("The clown was laughed at by everybody.", "Everybody laughed at the clown."),
    ("The baby is taken care of by the nurse.", "The nurse takes care of the baby."),
    ("Nora was asked by Felix to bake some bread.", "Felix asked Nora to bake some bread."),
    ("He was made to go by his father.", "His father made him go."),
    ("The shed was painted green by them.", "They painted the shed green."),
    ("She was elected treasurer by the club.", "The club elected her treasurer."),
    ("The drawer was quickly closed by her.", "She quickly closed the drawer."),
    ("The race is always won by him.", "He always wins the race."),
    ("The church was built by monks in 1850.", "Monks built the church in 1850."),
    ("The keys were put on the shelf by him.", "He put the keys on the shelf."),
    ("A ball is being chased by a dog on the grass", "A dog is chasing a ball on the grass"),
    ("Our cat is fed by the man who lives next door.", "The man who lives next door feeds our cat."),
    ("When the bell rang, the gate was opened by the guard.", "When the bell rang, the guard opened the gate."),
    ("I think the hat was eaten by the goat.", "I think the goat ate the hat."),
    ("Guitar is being played by two girls", "Two girls are playing guitar"),
    # questions
    ("Was it broken by Tom?", "Did Tom break it?"),
    ("Has the letter been read by your sister?", "Has your sister read the letter?"),
    ("What was stolen by the thief?", "What did the thief steal?"),
    ("What has been eaten by the mice?", "What have the mice eaten?"),
]


@pytest.mark.parametrize(("text", "expected"), TURNED)
def test_best_active(text: str, expected: str) -> None:
    assert [edit.text for edit in rewrite("active", text)][:1] == [expected]


MORE_THAN_ONE = [
    ("I was sent a postcard by my aunt.", ["My aunt sent me a postcard.", "My aunt sent a postcard to me."]),
    (
        "The prisoner was locked up by the guards.",
        ["The guards locked up the prisoner.", "The guards locked the prisoner up."],
    ),
    ("A frog is being held gently by a boy", ["A boy is holding a frog gently", "A boy is gently holding a frog"]),
]


@pytest.mark.parametrize(("text", "expected"), MORE_THAN_ONE)
def test_further_actives(text: str, expected: list[str]) -> None:
    assert [edit.text for edit in rewrite("active", text)] == expected


SKIPPED = [
    ("The roof was repaired.", "no-agent"),
    ("The dog chased the cat.", "no-agent"),
    ("The hut was built by the lake.", "not-agent"),
    ("The hat was found by the door.", "not-agent"),
    ("The work must be done by Friday.", "not-agent"),
    ("It was done by 5 o'clock.", "not-agent"),
    ("The lace was made by hand.", "not-agent"),
    ("The glass was broken by accident.", "not-agent"),
    ("He was calmed by listening to music.", "not-agent"),
    ("Eggs are sold by the dozen.", "not-agent"),
    ("They were sorted by size.", "not-agent"),
    ("It was done by itself.", "not-agent"),
    ("A tree is known by its fruit.", "not-agent"),
    ("The bus was hit by a truck and burned.", "coordination"),
    ("He wasn't seen by anyone.", "polarity"),
    ("All the songs weren't sung by her.", "scope"),
    ("He is well liked by his pupils.", "adverb"),
    ("The door is only opened by the guard.", "adverb"),
    ("The man bitten by the dog left.", "not-passive"),
    ("The dog sleeps by the fire.", "not-passive"),
]


@pytest.mark.parametrize(("text", "code"), SKIPPED)
def test_skips_with_a_code(text: str, code: str) -> None:
    edits = rewrite("active", text)
    assert list(edits) == []
    assert code in {skip.code for skip in edits.skips}


THERE_AND_BACK = [
    "They attacked him.",
    "The gardener waters the roses.",
    "Her uncle was painting the fences.",
    "The twins have sold the old boat.",
    "The mayor will open the new bridge.",
    "The clerk must have copied the letter.",
    "The chef is going to roast the duck.",
    "He used to love her.",
    "The driver has to check the brakes.",
    "They didn't see him.",
    "They don't trust me.",
    "He hasn't fed the goats.",
    "You can't lift the piano.",
    "He's washing it.",
    "My aunt sent me a postcard.",
    "They turned it off.",
    "The guards locked up the prisoner.",
    "Everybody laughed at the clown.",
    "The nurse takes care of the baby.",
    "Felix asked Nora to bake some bread.",
    "They elected him president.",
    "She quickly closed the drawer.",
    "He has already paid the bill.",
    "He put the keys on the shelf.",
    "He and I built this hut.",
    "The man who lives next door feeds our cat.",
    "Did Tom break it?",
    "What did the thief steal?",
    "A woman is slicing an onion",
    "Two kids are pushing a cart in the snow",
]


@pytest.mark.parametrize("text", THERE_AND_BACK)
def test_passive_and_back_restores_the_sentence(text: str) -> None:
    there = rewrite("passive", text)[0].text
    assert there != text
    assert text in [edit.text for edit in rewrite("active", there)]


@pytest.mark.parametrize("text", [text for text, _ in TURNED[:12]])
def test_active_and_back_restores_the_sentence(text: str) -> None:
    there = rewrite("active", text)[0].text
    assert text in [edit.text for edit in rewrite("passive", there)]


def test_reports_the_changed_words() -> None:
    edit = rewrite("active", "He was attacked by them.")[0]
    assert (edit.rule, edit.effect) == ("active", "same")
    assert [(change.old, change.new) for change in edit.words] == [
        ("He", "They"),
        ("was", ""),
        ("", "him"),
        ("by them", ""),
    ]


def test_declares_every_code() -> None:
    declared = load_rewrite("active").skips
    for edits in rewrite_all("active", [text for text, _ in SKIPPED]):
        assert {skip.code for skip in edits.skips} <= set(declared)
