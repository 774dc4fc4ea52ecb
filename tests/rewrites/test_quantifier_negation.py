"""`quantifier_negation`: subjects that do not exist, and existentials in both directions."""

from __future__ import annotations

import pytest

from litotes.rewrites.apply import rewrite

DENIED = [
    ("A girl is painting a fence.", "There is no girl painting a fence."),
    ("An old man is reading", "There is no old man reading"),
    ("The man is singing.", "There is no man singing."),
    ("The cat is slowly drinking milk.", "There is no cat slowly drinking milk."),
    ("Two dogs are playing in the snow.", "There are no dogs playing in the snow."),
    ("Twenty-three boys are running.", "There are no boys running."),
    ("Some people are talking loudly.", "There are no people talking loudly."),
    ("Several women are waiting.", "There are no women waiting."),
    ("The two tall boys are dancing.", "There are no tall boys dancing."),
    ("A lot of people are dancing.", "There are no people dancing."),
    ("Another man is waiting outside.", "There is no other man waiting outside."),
    ("Dogs are racing on a track.", "There are no dogs racing on a track."),
    ("British tourists are visiting the castle.", "There are no British tourists visiting the castle."),
    ("Some water is being boiled by a cook.", "There is no water being boiled by a cook."),
    ("Paper is being cut with scissors.", "There is no paper being cut with scissors."),
    ("A potato is being peeled by a boy.", "There is no potato being peeled by a boy."),
    ("A group of children is playing outside.", "There is no group of children playing outside."),
    ("A man in a red hat is sitting on a wall.", "There is no man in a red hat sitting on a wall."),
    ("A man is sitting and is reading a book.", "There is no man sitting and reading a book."),
    ("A man and a woman are dancing.", "There is no man and woman dancing."),
    ("A dog with a collar and a bell is running.", "There is no dog with a collar and a bell running."),
    ("A man was standing in the doorway.", "There was no man standing in the doorway."),
    ("Three boys were fishing.", "There were no boys fishing."),
    ("In the park, a man is sleeping.", "In the park, there is no man sleeping."),
    ("Kids are dancing and a man is watching.", "Kids are dancing and there is no man watching."),
    ("A man is in the room.", "There is no man in the room."),
    ("The book is on the table.", "There is no book on the table."),
    ("A man is on a roof and is waving a flag.", "There is no man on a roof waving a flag."),
    ("A boy on a bike is airborne.", "There is no boy on a bike who is airborne."),
    ("A man sits on a bench.", "There is no man sitting on a bench."),
    ("A woman lies on a sofa and reads a book.", "There is no woman lying on a sofa and reading a book."),
    ("A student passed the test.", "There is no student who passed the test."),
    ("A truck hit the wall.", "There is no truck that hit the wall."),
    ("A man was killed in the fire.", "There is no man who was killed in the fire."),
    ("Three dancers fell.", "There were no dancers who fell."),
    ("Some people think that cats are lazy.", "There are no people who think that cats are lazy."),
    ("A clown has red hair.", "There is no clown with red hair."),
    ("Someone is knocking on the door.", "There is no one knocking on the door."),
    ("Somebody is frying an egg.", "There is nobody frying an egg."),
    ("Something strange was going on.", "There was nothing strange going on."),
    ("Nobody is playing the piano.", "There is somebody playing the piano."),
    ("No one saw the accident.", "There is someone who saw the accident."),
]

EXISTENTIAL = [
    ("There is a man on the roof.", "There is no man on the roof."),
    ("There's an orange on the table.", "There's no orange on the table."),
    ("There are two dogs in the garden.", "There are no dogs in the garden."),
    ("There were nine million bicycles in the city.", "There were no bicycles in the city."),
    ("There are a lot of birds here.", "There are no birds here."),
    ("There are birds in the garden.", "There are no birds in the garden."),
    ("There is water on the floor.", "There is no water on the floor."),
    ("There is another way.", "There is no other way."),
    ("There is something in my shoe.", "There is nothing in my shoe."),
    ("There was one thing that I forgot.", "There was nothing that I forgot."),
    ("There is no man on the roof.", "There is a man on the roof."),
    ("There is no old key in the drawer.", "There is an old key in the drawer."),
    ("There are no birds in the garden.", "There are some birds in the garden."),
    ("There is no milk in the glass.", "There is milk in the glass."),
    ("There is no one at the door.", "There is someone at the door."),
    ("There's nothing in the box.", "There's something in the box."),
]

SKIPPED = [
    ("Ben is singing.", "name"),
    ("She is singing.", "pronoun"),
    ("My dog is barking.", "possessive"),
    ("Every child is singing.", "quantifier"),
    ("Only three people came.", "quantifier"),
    ("The first man is singing.", "quantifier"),
    ("Birds fly.", "generic"),
    ("A dog barks.", "generic"),
    ("Tickets cost money.", "generic"),
    ("A whale is a mammal.", "predicate"),
    ("A fork is used to eat noodles.", "generic"),
    ("Water covered the floor.", "bare"),
    ("The sun is shining.", "definite"),
    ("The meeting ended at noon.", "definite"),
    ("A man is not singing.", "negated"),
    ("A man has never seen the sea.", "negated"),
    ("A child should respect a teacher.", "modal"),
    ("A man is singing because he is happy.", "complex"),
    ("A man is probably singing.", "complex"),
    ("A boy is standing and isn't looking at the lake.", "complex"),
    ("Is a man singing?", "question"),
    ("A man is singing. A woman is dancing.", "several-sentences"),
    ("Good morning!", "no-clause"),
    ("There must be a reason.", "modal"),
    ("There isn't a man on the roof.", "negated"),
    ("There are only two seats.", "quantifier"),
    ("There is no one answer.", "quantifier"),
    ("There are almost no seats.", "quantifier"),
    ("There are a great many books here.", "quantifier"),
    ("There is no bread at all.", "complex"),
    ("There are two other doors as well.", "complex"),
    ("There is the man.", "quantifier"),
]


@pytest.mark.parametrize(("text", "denied"), DENIED + EXISTENTIAL)
def test_denies_the_subject(text: str, denied: str) -> None:
    edits = rewrite("quantifier_negation", text)
    assert [edit.text for edit in edits][:1] == [denied], edits.skips
    assert edits[0].effect == "opposite"


@pytest.mark.parametrize(("text", "code"), SKIPPED)
def test_skips_with_a_code(text: str, code: str) -> None:
    edits = rewrite("quantifier_negation", text)
    assert not edits, edits[0].text
    assert [skip.code for skip in edits.skips] == [code]


def test_offers_a_plain_clause_for_an_existential_of_an_event() -> None:
    texts = [edit.text for edit in rewrite("quantifier_negation", "There is no boy flying a kite on the hill.")]
    assert texts == ["There is a boy flying a kite on the hill.", "A boy is flying a kite on the hill."]


def test_past_has_two_forms() -> None:
    texts = [edit.text for edit in rewrite("quantifier_negation", "A student passed the test.")]
    assert texts == ["There is no student who passed the test.", "There was no student who passed the test."]


@pytest.mark.parametrize(
    "text", ["There is a man on the roof.", "There is a girl painting a fence.", "There's a key here."]
)
def test_negating_twice_restores_the_sentence(text: str) -> None:
    there = rewrite("quantifier_negation", text)[0].text
    assert rewrite("quantifier_negation", there)[0].text == text


@pytest.mark.parametrize("text", ["There", "There is", "there is no.", "No one", "A", "- dogs are barking", "A lot of"])
def test_skips_fragments(text: str) -> None:
    edits = rewrite("quantifier_negation", text)
    assert edits or edits.skips
