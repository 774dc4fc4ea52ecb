"""Typo: one misspelt word."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litotes.languages.en.lexicon.misspellings import is_word, known_misspellings
from litotes.rewrites.apply import rewrite, rewrite_all
from litotes.rewrites.base import WordChange


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The soup was definitely delicious.", "delicious"),
        ("She is very beautiful today.", "beautiful"),
        ("The teacher explained the problem.", "explained"),
        ("I believe you.", "believe"),
        ("A little girl is playing the guitar.", "playing"),
        ("Tom has a wonderful garden.", "wonderful"),
        ("There is a problem here.", "problem"),
        ("Angry people shout.", "shout"),
    ],
)
def test_the_most_salient_word_is_misspelt(text: str, word: str) -> None:
    edits = rewrite("typo", text)
    assert edits and {edit.words[0].old for edit in edits} == {word}
    for edit in edits:
        [change] = edit.words
        assert edit.text == text.replace(change.old, change.new)
        assert (edit.rule, edit.effect) == ("typo", "same")
        assert not is_word(change.new) and change.new[0] == change.old[0]
        assert word in edit.reason


def test_known_misspellings_are_preferred_and_named_in_the_reason() -> None:
    edits = rewrite("typo", "I believe you.")
    assert all(edit.words[0].new in known_misspellings("believe") for edit in edits)
    assert edits[0].reason == "a known misspelling of “believe”"


@pytest.mark.parametrize(
    ("text", "options", "known"),
    [
        ("I believe you.", {"known": "prefer"}, True),
        ("I believe you.", {"known": "only"}, True),
        ("I believe you.", {"known": "never"}, False),
        ("She is happy.", {"known": "prefer"}, False),
    ],
)
def test_known_misspellings_can_be_preferred_required_or_excluded(
    text: str, options: dict[str, str], *, known: bool
) -> None:
    edits = rewrite("typo", text, **options)
    assert edits
    assert all(edit.reason.startswith("a known") is known for edit in edits)


def test_known_only_chooses_a_word_with_a_known_misspelling() -> None:
    edits = rewrite("typo", "The happy people believe it.", known="only")
    assert edits[0].words[0].old in {"believe", "people"}


@pytest.mark.parametrize("word", ["soup", "Soup", "SOUP", " soup "])
def test_the_word_can_be_chosen(word: str) -> None:
    edits = rewrite("typo", "The delicious soup was cold.", word=word)
    assert edits[0].words[0].old == "soup"


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        ("I am.", {}, "no-word"),
        ("Tom met Mary.", {"word": "Mary"}, "not-to-be-misspelt"),
        ("NASA is BIG.", {}, "no-word"),
        ("It cost 1234 dollars.", {"word": "1234"}, "not-to-be-misspelt"),
        ("Look at http://example.org/wonderful now.", {"word": "http://example.org/wonderful"}, "not-to-be-misspelt"),
        ("The dog ran.", {"word": "dog"}, "not-to-be-misspelt"),
        ("A well-known man.", {"word": "known"}, "not-to-be-misspelt"),
        ("I saw a blorfing.", {"word": "blorfing"}, "not-to-be-misspelt"),
        ("The soup is cold.", {"word": "bread"}, "word-not-found"),
        ("She is happy.", {"known": "only"}, "no-known-misspelling"),
        ("", {}, "empty"),
    ],
)
def test_words_that_cannot_be_misspelt_are_skipped(text: str, options: dict[str, str], code: str) -> None:
    edits = rewrite("typo", text, **options)
    assert edits == []
    assert [skip.code for skip in edits.skips] == [code]
    assert edits.skips[0].reason


@pytest.mark.parametrize(
    "text",
    [
        "Mary visited Amsterdam.",
        "I love #wonderful days.",
        "Write to someone@beautiful.com please.",
        "He said it was GREAT.",
        "They say [NAME] is gone.",
        "He couldn't and wouldn't.",
    ],
)
def test_names_tags_addresses_and_capitals_are_not_misspelt(text: str) -> None:
    touched = {edit.words[0].old for edit in rewrite("typo", text)}
    assert not touched & {"Mary", "Amsterdam", "wonderful", "GREAT", "NAME", "could", "would"}


def test_surrounding_text_does_not_change() -> None:
    text = '  "A  beautiful\tday," she said … 😀 '
    [first, *_] = rewrite("typo", text, word="beautiful")
    before, after = text.split("beautiful")
    assert first.text.startswith(before) and first.text.endswith(after)


def test_capitals_are_preserved() -> None:
    edits = rewrite("typo", "Beautiful!")
    assert edits and all(edit.words[0].new[0] == "B" for edit in edits)


def test_articles_do_not_change() -> None:
    for seed in range(20):
        for edit in rewrite("typo", "It was an awful day.", word="awful", seed=seed, known="never"):
            assert " an a" in edit.text


def test_results_depend_only_on_the_seed_and_the_sentence() -> None:
    texts = ["The happy teacher explained everything.", "She is happy.", "The garden was full of strange flowers."]
    first = [list(edits) for edits in rewrite_all("typo", texts, seed=3, known="never")]
    repeated = [list(rewrite("typo", text, seed=3, known="never")) for text in texts]
    reversed_ = [list(edits) for edits in rewrite_all("typo", texts[::-1], seed=3, known="never")][::-1]
    assert first == repeated == reversed_
    assert any(
        list(rewrite("typo", text, seed=seed, known="never")) != edits
        for seed in range(4, 8)
        for text, edits in zip(texts, first, strict=True)
    )


@given(st.text(max_size=60), st.integers(0, 3))
@settings(deadline=None, max_examples=60)
def test_handles_any_text(text: str, seed: int) -> None:
    edits = rewrite("typo", text, seed=seed)
    assert edits or edits.skips
    for edit in edits:
        assert edit.text != text
        assert isinstance(edit.words[0], WordChange)
