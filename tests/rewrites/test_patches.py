"""Patches: the rest of the text stays the same, byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litotes.languages.en.parser import parse
from litotes.rewrites.base import WordChange
from litotes.rewrites.patches import (
    Patch,
    changes,
    delete,
    insert_after,
    insert_before,
    join_after,
    patched,
    replace,
    replace_span,
)


def doc_and_token(text: str, word: str):
    doc = parse(text)
    return doc, next(token for token in doc if token.text == word)


@pytest.mark.parametrize(
    ("text", "word", "make", "expected"),
    [
        ("She sings well.", "sings", lambda token: replace(token, "slept"), "She slept well."),
        ("She sings well.", "sings", lambda token: insert_before(token, "never"), "She never sings well."),
        ("She is here.", "is", lambda token: insert_after(token, "not"), "She is not here."),
        ("She is here.", "is", lambda token: join_after(token, "n't"), "She isn't here."),
        ("She is not here.", "not", delete, "She is here."),
        ("She is here now.", "now", delete, "She is here."),
        ("Not here.", "Not", delete, "Here."),
        ("  Not  here.", "Not", delete, "  Here."),
        ("It is bad (not good).", "not", delete, "It is bad (good)."),
        ("It is not.", "not", delete, "It is."),
        ("It isn't here.", "n't", delete, "It is here."),
        ("She  is\tnot  here. ", "is", lambda token: replace(token, "was"), "She  was\tnot  here. "),
        ("It is a good idea.", "good", lambda token: replace(token, "evil"), "It is an evil idea."),
        ("It is an evil idea.", "evil", delete, "It is an idea."),
        ("It is an evil plan.", "evil", delete, "It is a plan."),
        ("“Good dogs sleep.”", "Good", lambda token: replace(token, "bad"), "“Bad dogs sleep.”"),
        ("good dogs sleep.", "good", lambda token: replace(token, "bad"), "bad dogs sleep."),
        ("I love it 😀!", "love", lambda token: replace(token, "hate"), "I hate it 😀!"),
    ],
)
def test_applies_a_single_patch(text: str, word: str, make, expected: str) -> None:
    doc, token = doc_and_token(text, word)
    assert patched(doc.text, [make(token)]) == expected


def test_applies_patches_in_any_order() -> None:
    doc = parse("The good old man sleeps.")
    patches = [replace(doc[4], "wakes"), insert_before(doc[1], "very"), delete(doc[2])]
    assert patched(doc.text, patches) == patched(doc.text, patches[::-1]) == "The very good man wakes."


def test_replaces_several_tokens() -> None:
    doc = parse("She has been sleeping here.")
    assert patched(doc.text, [replace_span(doc[1], doc[3], "slept")]) == "She slept here."
    assert patched(doc.text, [delete(doc[1], doc[3])]) == "She here."


def test_overlapping_patches_are_an_error() -> None:
    with pytest.raises(ValueError, match="overlap"):
        patched("She sleeps.", [Patch(0, 5, "a"), Patch(3, 6, "b")])


@given(st.text(), st.integers(0, 50))
def test_nothing_changes_without_patches(text: str, position: int) -> None:
    assert patched(text, []) == text
    assert patched(text, [Patch(min(position, len(text)), min(position, len(text)), "")]).casefold() == text.casefold()


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("That is good.", "That is not good.", [("", "not")]),
        ("That is not good.", "That is good.", [("not", "")]),
        ("That is good.", "That is bad.", [("good", "bad")]),
        ("A good idea.", "An evil idea.", [("A good", "An evil")]),
        ("He saw her.", "She was seen by him.", [("He saw her", "She was seen by him")]),
        ("It isn't good.", "It is good.", [("isn't", "is")]),
        ("Tom is here and happy.", "Tom was here and sad.", [("is", "was"), ("happy", "sad")]),
        ("Same.", "Same.", []),
        ("", "", []),
    ],
)
def test_finds_changed_words(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    assert changes(before, after) == tuple(WordChange(*pair) for pair in expected)
