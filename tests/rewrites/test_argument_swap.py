"""Argument swap: arguments that are exchanged, and arguments that cannot be."""

from __future__ import annotations

import pytest

from litotes.rewrites.apply import rewrite

SWAPPED = [
    # somebody, a verb, somebody to do something
    ("Helen urged Martin to leave.", "Martin urged Helen to leave."),
    ("The coach told the boys to run.", "The boys told the coach to run."),
    ("I asked him to come.", "He asked me to come."),
    ("Helen wants Martin to stay.", "Martin wants Helen to stay."),
    ("Helen saw Martin leave.", "Martin saw Helen leave."),
    ("She made him cry.", "He made her cry."),
    # plain transitive clauses
    ("Paul admires Lucy.", "Lucy admires Paul."),
    ("He saw her.", "She saw him."),
    ("They know us.", "We know them."),
    ("She loves cats.", "Cats love her."),
    ("The dogs chase the cat.", "The cat chases the dogs."),
    ("The boy is pushing two girls.", "Two girls are pushing the boy."),
    ("The teacher has praised the pupils.", "The pupils have praised the teacher."),
    ("The girls were watching the boy.", "The boy was watching the girls."),
    ("The old nurse helped a boy with red hair.", "A boy with red hair helped the old nurse."),
    ("Lucy and Paul hate Helen.", "Helen hates Lucy and Paul."),
    ("She loves him and hates me.", "He loves her and hates me."),
    ("The truck hit the bus.", "The bus hit the truck."),
    ("I love my mother.", "My mother loves me."),
    ("My brother hit your sister.", "Your sister hit my brother."),
    ("Everyone likes Paul.", "Paul likes everyone."),
    # contractions and negation
    ("I'm watching you.", "You're watching me."),
    ("I'm watching Paul.", "Paul is watching me."),
    ("You've seen her.", "She's seen you."),
    ("I’ll help Paul.", "Paul will help me."),
    ("I don't like him.", "He doesn't like me."),
    ("I haven't seen Paul.", "Paul hasn't seen me."),
    ("He wasn't following them.", "They weren't following him."),
    # two objects, passives, prepositions, adjectives
    ("Paul gave Lucy a book.", "Lucy gave Paul a book."),
    ("Paul gave a book to Lucy.", "Lucy gave a book to Paul."),
    ("Paul bought a book for Lucy.", "Lucy bought a book for Paul."),
    ("A boy was chased by two dogs.", "Two dogs were chased by a boy."),
    ("The man is talking to the woman.", "The woman is talking to the man."),
    ("I am waiting for Lucy.", "Lucy is waiting for me."),
    ("Paul is afraid of Lucy.", "Lucy is afraid of Paul."),
    ("You are taller than him.", "He is taller than you."),
    # questions, other clauses, other sentences
    ("Does he love her?", "Does she love him?"),
    ("Do you trust me?", "Do I trust you?"),
    ("Why did Paul call you?", "Why did you call Paul?"),
    ("I think Paul loves Lucy.", "I think Lucy loves Paul."),
    ("It was late. He called me.", "It was late. I called him."),
    ("Paul told Lucy that he was busy.", "Lucy told Paul that he was busy."),
]

SKIPPED = [
    ("The sun is shining.", "no-arguments"),
    ("Paul visited Boston.", "kind"),
    ("A man is riding a horse.", "kind"),
    ("The woman is peeling a potato.", "kind"),
    ("She boiled two eggs.", "kind"),
    ("It scared us.", "kind"),
    ("You will forget the obstacles if you ignore them.", "kind"),
    ("Paul met Lucy.", "symmetric"),
    ("The singer kissed the dancer.", "symmetric"),
    ("Paul is married to Lucy.", "symmetric"),
    ("I have a friend.", "verb"),
    ("They named him Paul.", "verb"),
    ("She wants a daughter.", "verb"),
    ("Paul loves his mother.", "bound"),
    ("She hurt herself.", "bound"),
    ("He asked me to marry him.", "bound"),
    ("You should not judge a person by his clothes.", "bound"),
    ("I don't want Lucy to leave me.", "bound"),
    ("I did not see anyone.", "alike"),
    ("A dog is chasing another dog.", "alike"),
    ("The man is watching the man.", "alike"),
    ("She may not remember me, but I remember her.", "alike"),
    ("You heard Paul, didn't you?", "tag"),
    ("You aren't helping me.", "agreement"),
]


@pytest.mark.parametrize(("text", "swapped"), SWAPPED)
def test_the_arguments_are_exchanged(text: str, swapped: str) -> None:
    edits = rewrite("argument_swap", text)
    assert [edit.text for edit in edits][:1] == [swapped], edits.skips
    assert edits[0].effect == "different"


@pytest.mark.parametrize(("text", "code"), SKIPPED)
def test_arguments_that_cannot_be_exchanged_are_skipped(text: str, code: str) -> None:
    edits = rewrite("argument_swap", text)
    assert not edits, edits[0].text
    assert code in {skip.code for skip in edits.skips}


@pytest.mark.parametrize("text", ["Paul admires Lucy.", "He saw her.", "The dogs chase the cat.", "I'm watching you."])
def test_swapping_twice_restores_the_sentence(text: str) -> None:
    once = rewrite("argument_swap", text)[0].text
    assert rewrite("argument_swap", once)[0].text == text


def test_words_contain_the_arguments_and_the_verb() -> None:
    edit = rewrite("argument_swap", "The dogs chase the cat.")[0]
    assert edit.words == (("The dogs", "The cat"), ("chase", "chases"), ("the cat", "the dogs"))
