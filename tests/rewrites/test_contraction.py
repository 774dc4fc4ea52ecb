"""Contraction: expanding and contracting where English has both forms."""

from __future__ import annotations

import pytest

from litotes.core.errors import UsageError
from litotes.rewrites.apply import rewrite

EXPANDED = [
    ("I'm late.", "I am late."),
    ("They've sold the farm.", "They have sold the farm."),
    ("We’ll wait for the ferry.", "We will wait for the ferry."),
    ("She's baking bread.", "She is baking bread."),
    ("She's been baking bread.", "She has been baking bread."),
    ("He's made a promise.", "He has made a promise."),
    ("It's made of glass.", "It is made of glass."),
    ("Somebody's knocking at the gate.", "Somebody is knocking at the gate."),
    ("I'd met her twice.", "I had met her twice."),
    ("I'd never sell it.", "I would never sell it."),
    ("You'd better hurry.", "You had better hurry."),
    ("Where's the ladder?", "Where is the ladder?"),
    ("The boat doesn't leak.", "The boat does not leak."),
    ("We can't swim and won't learn.", "We cannot swim and will not learn."),
    ("Don't wake the baby.", "Do not wake the baby."),
    ("You should've called.", "You should have called."),
    ("The river isn't deep, is it?", "The river is not deep, is it?"),
]

CONTRACTED = [
    ("I am late.", "I'm late."),
    ("They have sold the farm.", "They've sold the farm."),
    ("It will snow, and we are not ready.", "It'll snow, and we aren't ready."),
    ("I am not ready.", "I'm not ready."),
    ("She has left the keys with a man who is deaf.", "She's left the keys with a man who's deaf."),
    ("You had better wait for us.", "You'd better wait for us."),
    ("What is the name of the dog?", "What's the name of the dog?"),
    ("Do not wake the baby.", "Don't wake the baby."),
    ("We cannot swim and will not learn.", "We can't swim and won't learn."),
    ("He said “I am late”, but they’re later.", "He said “I’m late”, but they’re later."),
]

SKIPPED = [
    ("Yes, I am.", "place"),
    ("Nobody knows where it is.", "place"),
    ("She is taller than I am at school.", None),
    ("What is it?", "place"),
    ("Is the bridge safe?", "nothing"),
    ("We have a small garden.", "nothing"),
    ("The dog's bowl fell.", "nothing"),
    ("Let's go home.", "nothing"),
    ("Aren't they ready?", "place"),
    ("Why didn't Rita call?", "place"),
    ("We ain't ready.", "unclear"),
    ("He's finished.", "unclear"),
    ("We'd put the chairs away.", "unclear"),
    ("What's he want?", "unclear"),
    ("It is not only cheap but good.", "emphasis"),
    ("I DO NOT agree.", "emphasis"),
]


@pytest.mark.parametrize(("short", "full"), EXPANDED)
def test_contractions_are_expanded(short: str, full: str) -> None:
    edit = rewrite("contraction", short)[0]
    assert edit.text == full
    assert edit.effect == "same" and edit.reason == "spelt out"


@pytest.mark.parametrize(("full", "short"), CONTRACTED)
def test_full_forms_are_contracted(full: str, short: str) -> None:
    assert rewrite("contraction", full, direction="contract")[0].text == short


@pytest.mark.parametrize(("text", "code"), SKIPPED)
def test_nothing_changes_where_english_has_a_single_form(text: str, code: str | None) -> None:
    edits = rewrite("contraction", text)
    if code is None:  # elsewhere in the sentence something can be contracted
        assert [edit.text for edit in edits] == [text.replace("She is", "She's")]
    else:
        assert [skip.code for skip in edits.skips] == [code] and not edits


def test_the_first_edit_changes_all_words_and_later_edits_a_single_word() -> None:
    texts = [edit.text for edit in rewrite("contraction", "I'm sure it isn't his.")]
    assert texts == ["I am sure it is not his.", "I am sure it isn't his.", "I'm sure it is not his."]


def test_the_direction_can_be_chosen() -> None:
    text = "I'm told that you are leaving."
    assert [edit.text for edit in rewrite("contraction", text, direction="expand")] == [
        "I am told that you are leaving."
    ]
    assert rewrite("contraction", text, direction="contract")[0].text == "I'm told that you're leaving."
    assert not rewrite("contraction", "I'm late.", direction="contract")
    with pytest.raises(UsageError, match="direction"):
        rewrite("contraction", text, direction="shorter")


def test_capitals_are_preserved() -> None:
    assert rewrite("contraction", "IT'S LATE.")[0].text == "IT IS LATE."
