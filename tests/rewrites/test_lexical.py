"""Another word in a token's place."""

from __future__ import annotations

import pytest

from litotes.languages.en.parser import parse
from litotes.languages.tree import Token
from litotes.rewrites.base import Sentence
from litotes.rewrites.en.words.replacement import content_words, fits_place, lemma_of, part_of_speech, substitution
from litotes.rewrites.patches import patched


def token(text: str, word: str) -> Token:
    return next(one for one in parse(text) if one.text == word)


@pytest.mark.parametrize(
    ("text", "word", "lemma", "pos", "wanted"),
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
def test_a_word_takes_the_form_of_its_place(text: str, word: str, lemma: str, pos: str, wanted: str | None) -> None:
    patches = substitution(token(text, word), lemma, pos)
    assert (None if patches is None else patched(text, patches)) == wanted


@pytest.mark.parametrize(
    ("text", "word", "wanted"),
    [
        ("I am tired.", "tired", "a"),
        ("She was married.", "married", "a"),
        ("She was married by a priest.", "married", "v"),
        ("It is a boring book.", "boring", "a"),
        ("It has been closed.", "closed", "v"),
        ("He has left.", "has", None),
        ("He never came.", "never", "r"),
        ("He did not come.", "not", None),
        ("It's indecent.", "indecent", "a"),
        ("I am not well.", "well", "a"),
    ],
)
def test_the_part_of_speech_of_a_word_is_that_of_its_use(text: str, word: str, wanted: str | None) -> None:
    assert part_of_speech(token(text, word)) == wanted


def test_a_particle_belongs_to_its_verb() -> None:
    assert lemma_of(token("They gave the plan up.", "gave"), "v") == "give up"
    assert lemma_of(token("We looked for the key.", "looked"), "v") == "look for"
    assert lemma_of(token("Nobody was happier.", "happier"), "a") == "happy"


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("Good morning, my friend.", {"Good", "morning"}),
        ("The high school is closed.", {"high", "school"}),
        ("I need it right now.", {"right", "now"}),
        ("At least he came.", {"least"}),
        ("It is a well-known fact.", {"well", "known"}),
        ("The White House is large.", {"White", "House"}),
        ("He has to make a cake.", {"has", "make"}),
        ("They are falling apart.", {"falling", "apart"}),
        ("He drank hot chocolate.", {"hot", "chocolate"}),
        ("Throw it into the trash can.", {"trash", "can"}),
        ("We saw New York.", {"New", "York"}),
        ("He lost his mind.", {"lost", "mind"}),
    ],
)
def test_words_of_fixed_expressions_and_names_are_no_candidates(text: str, left_out: set[str]) -> None:
    doc = parse(text)
    assert left_out <= {one.text for one in doc}
    assert not left_out & {found.token.text for found in content_words(Sentence(doc))}


def test_words_around_a_fixed_expression_are_candidates() -> None:
    found = [one.lemma for one in content_words(Sentence(parse("The old man sells good hot dogs at a high price.")))]
    assert found == ["old", "man", "sell", "good", "high", "price"]


def test_markers_of_the_lexicon_are_kept() -> None:
    before_noun, predicate = token("The old man left.", "old"), token("He is old.", "old")
    assert fits_place("a", before_noun) and not fits_place("a", predicate)
    assert fits_place("p", predicate) and not fits_place("p", before_noun)
    assert not fits_place("ip", before_noun) and fits_place("", before_noun)
