"""Replacing a word by another one."""

from __future__ import annotations

import pytest

from litotes.languages.en.parser import parse
from litotes.languages.tree import Token
from litotes.rewrites.en.words.replacement import fits_marker, substitution
from litotes.rewrites.patches import patched


def token(text: str, word: str) -> Token:
    return next(token for token in parse(text) if token.text == word)


@pytest.mark.parametrize(
    ("text", "word", "lemma", "pos", "expected"),
    [
        ("She slept well.", "slept", "wake", "v", "She woke well."),
        ("He hates it.", "hates", "love", "v", "He loves it."),
        ("They are opening the gate.", "opening", "close", "v", "They are closing the gate."),
        ("The cars have stopped.", "stopped", "begin", "v", "The cars have begun."),
        ("He gave up the plan.", "gave", "keep", "v", "He kept the plan."),
        ("He gave it up.", "gave", "keep", "v", "He kept it."),
        ("Take your shoes off.", "Take", "put on", "v", "Put your shoes on."),
        ("She donned it.", "donned", "take off", "v", "She took it off."),
        ("She donned the hat.", "donned", "take off", "v", "She took off the hat."),
        ("We added sugar to the tea.", "added", "remove", "v", "We removed sugar from the tea."),
        ("They arrived at the hotel.", "arrived", "leave", "v", "They left the hotel."),
        ("They arrived at noon.", "arrived", "leave", "v", "They left at noon."),
        ("You ignored him.", "ignored", "pay attention to", "v", "You paid attention to him."),
        ("A happier man is rare.", "happier", "sad", "a", "A sadder man is rare."),
        ("The happiest cat left.", "happiest", "awake", "a", None),
        ("This cat is the happiest.", "happiest", "awake", "a", "This cat is the most awake."),
        ("It is a more beautiful house.", "beautiful", "ugly", "a", "It is an uglier house."),
        ("He was more polite than you.", "polite", "rude", "a", "He was ruder than you."),
        ("He was the most polite guest.", "polite", "rude", "a", "He was the rudest guest."),
        ("He was more polite and friendly.", "polite", "rude", "a", "He was more rude and friendly."),
        ("More polite men are rare.", "polite", "rude", "a", "Ruder men are rare."),
        ("Good ideas are rare.", "Good", "bad", "a", "Bad ideas are rare."),
        ("THAT IS GOOD.", "GOOD", "bad", "a", "THAT IS BAD."),
        ("It's OK.", "OK", "unacceptable", "a", "It's unacceptable."),
        ("It is a good idea.", "good", "evil", "a", "It is an evil idea."),
        ("It is an evil idea.", "evil", "good", "a", "It is a good idea."),
        ("This is similar to that.", "similar", "different", "a", "This is different from that."),
        ("He is afraid of dogs.", "afraid", "unafraid", "a", "He is unafraid of dogs."),
        ("He is afraid of dogs.", "afraid", "brave", "a", None),
        ("She is interested in music.", "interested", "bored", "a", "She is bored with music."),
        ("The baby is awake.", "awake", "asleep", "a", "The baby is asleep."),
        ("A sleepy baby cried.", "sleepy", "asleep", "a", None),
        ("He lives in the same house.", "same", "different", "a", "He lives in a different house."),
        ("We are the same.", "same", "different", "a", "We are different."),
        ("We are different.", "different", "same", "a", "We are the same."),
        ("It's the same as mine.", "same", "different", "a", "It's different from mine."),
        ("It's exactly the same.", "same", "different", "a", None),
        ("The boys sang.", "boys", "girl", "n", "The girls sang."),
        ("More people came.", "More", "fewer", "a", "Fewer people came."),
        ("She runs faster than him.", "faster", "slowly", "r", "She runs more slowly than him."),
    ],
)
def test_the_new_word_takes_the_form_of_the_old_word(
    text: str, word: str, lemma: str, pos: str, expected: str | None
) -> None:
    patches = substitution(token(text, word), lemma, pos)
    assert (None if patches is None else patched(text, patches)) == expected


def test_markers_restrict_the_position_of_adjectives() -> None:
    before_noun, predicate = token("The old man left.", "old"), token("He is old.", "old")
    assert fits_marker("a", before_noun) and not fits_marker("a", predicate)
    assert fits_marker("p", predicate) and not fits_marker("p", before_noun)
    assert not fits_marker("ip", before_noun) and fits_marker("", before_noun)
