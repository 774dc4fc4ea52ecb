"""`embedded_clause`: complements of verbs of saying and thinking, and clauses that are not asserted."""

from __future__ import annotations

import pytest

from litotes.rewrites.apply import rewrite

TAKEN = [
    # after verbs of saying and thinking
    ("The mayor said the bridge was closed.", "The bridge was closed."),
    ("The mayor said that the bridge was closed.", "The bridge was closed."),
    ("Anna thinks that the soup is too hot.", "The soup is too hot."),
    ("I think he's right.", "He's right."),
    ("I guess we should go.", "We should go."),
    ("Guess we should go.", "We should go."),
    ("We know that the lake is deep.", "The lake is deep."),
    ("The paper reports that two ships have sunk.", "Two ships have sunk."),
    ("The bank announced that it would close.", "It would close."),
    ("Ben realised that the door was open.", "The door was open."),
    ("I heard that your sister won.", "Your sister won."),
    ("I see that you are busy.", "You are busy."),
    ("The study found that children learn fast.", "Children learn fast."),
    ("The letter suggests that he was ill.", "He was ill."),
    ("Ben believes Anna is ill.", "Anna is ill."),
    ("The guard told us that the museum was full.", "The museum was full."),
    ("Anna told Ben she was tired.", "She was tired."),
    ("I have to say that the cake was good.", "The cake was good."),
    ("I'd like to point out that the lights are on.", "The lights are on."),
    ("It is said that the king is rich.", "The king is rich."),
    ("It seems that the train is late.", "The train is late."),
    ("It turns out that he was wrong.", "He was wrong."),
    ("It looks like the shop is closed.", "The shop is closed."),
    ("Sounds like you need help.", "You need help."),
    ("I feel like we are lost.", "We are lost."),
    ("I'm sure she will come.", "She will come."),
    ("I'm afraid the shop is closed.", "The shop is closed."),
    ("It is clear that the plan has failed.", "The plan has failed."),
    ("The truth is that nobody was there.", "Nobody was there."),
    ("I thought it was great.", "It was great."),
    ("I think what he did was wrong.", "What he did was wrong."),
    (
        "The letter says that the bridge is closed and that the road is open.",
        "The bridge is closed and the road is open.",
    ),
    ("I still think that stadium is ugly.", "That stadium is ugly."),
    ("I think he is ill and she is tired.", "He is ill and she is tired."),
    ("Everyone knows that Ben is rich. He has a boat.", "Ben is rich. He has a boat."),
    ("i think the bottle is empty", "The bottle is empty"),
    # reporting clause at the end or between commas
    ("The road is closed, she said.", "The road is closed."),
    ("The road is closed, said the guard.", "The road is closed."),
    ("He is right, I think.", "He is right."),
    ("The plan, she said, was too risky.", "The plan was too risky."),
    ("Some of them, I believe, are good people.", "Some of them are good people."),
    ("If it rains, he said, we will stay at home.", "If it rains, we will stay at home."),
    ("According to Ben, the lake is frozen.", "The lake is frozen."),
    ("The lake is frozen, according to my sister.", "The lake is frozen."),
    # quotations
    ("“We sold the boat,” said Anna.", "We sold the boat."),
    ('"We sold the boat," he said.', "We sold the boat."),
    ('"We sold the boat", he said.', "We sold the boat."),
    ("'We sold the boat,' he whispered.", "We sold the boat."),
    ('"Are you sure?" asked Ben.', "Are you sure?"),
    ('"What a mess this is!" the waiter shouted.', "What a mess this is!"),
    ('Ben said, "It is late."', "It is late."),
    ('Ben asked: "Is it late?"', "Is it late?"),
    ('Ben said, "It is late".', "It is late."),
    ('"The boat," she said, "is gone."', "The boat is gone."),
    ('"If it rains," she said, "we will stay."', "If it rains, we will stay."),
    ('"I am late," he said. "You are not."', "I am late. You are not."),
]

SKIPPED = [
    ("The boat is gone.", "no-clause"),
    ("I guess so.", "no-clause"),
    ("Anna denied that she was late.", "denied"),
    ("I doubt that he knows.", "denied"),
    ("She pretended that she was asleep.", "denied"),
    ("I wish he were here.", "denied"),
    ("Nobody believes he is rich.", "denied"),
    ("She never said that it was easy.", "negated"),
    ("I don't think he is here.", "negated"),
    ("I'm not sure he is here.", "negated"),
    ("The road is closed, I don't think.", "negated"),
    ("Do you think he is here?", "question"),
    ("How do you know he is here.", "question"),
    ('Did Ben say, "It is late"?', "question"),
    ("I hope it rains.", "not-asserted"),
    ("He demanded that she leave.", "not-asserted"),
    ("He suggested that she leave.", "not-asserted"),
    ("You might think that he is rich.", "not-asserted"),
    ("They think that the earth is flat.", "not-asserted"),
    ("Ben thinks he is a genius.", "not-asserted"),
    ("It is possible that he is ill.", "not-asserted"),
    ("He looks like he is asleep.", "not-asserted"),
    ("I thought you were in Rome.", "contrary"),
    ("I know what he did.", "dependent"),
    ("She asked if it was late.", "not-asserted"),
    ("She knows if it is late.", "dependent"),
    ("I heard people shout.", "dependent"),
    ("I saw him leave.", "dependent"),
    ('"Nonsense!" he said.', "dependent"),
    ("Anna said she was ill and went home.", "unclear"),
    ("When I came, he said that it was late.", "more"),
    ("I am dizzy, can someone explain.", "more"),
    ("Someone else said that, I never saw it.", "unclear"),
]


@pytest.mark.parametrize(("text", "clause"), TAKEN)
def test_extracts_the_clause(text: str, clause: str) -> None:
    edits = rewrite("embedded_clause", text)
    assert [edit.text for edit in edits][:1] == [clause], edits.skips
    assert edits[0].effect == "same"


@pytest.mark.parametrize(("text", "code"), SKIPPED)
def test_skips_with_a_code(text: str, code: str) -> None:
    edits = rewrite("embedded_clause", text)
    assert not edits, edits[0].text
    assert code in {skip.code for skip in edits.skips}


def test_nested_clauses_are_yielded_outermost_first() -> None:
    edits = rewrite("embedded_clause", "I think Anna said the shop was closed.")
    assert [edit.text for edit in edits] == ["Anna said the shop was closed.", "The shop was closed."]


def test_reports_the_removed_words() -> None:
    edit = rewrite("embedded_clause", "The mayor said the bridge was closed.")[0]
    assert "mayor said" in edit.words[0].old
    assert "said" in edit.reason
