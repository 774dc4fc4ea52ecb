"""Synonyms that fit the context, the most certain one first."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from litotes.core.errors import UsageError
from litotes.languages.en.lexicon.synonyms import FILES, Entry, exceptions, phrases, table
from litotes.languages.en.morphology.inflection import inflect
from litotes.rewrites.apply import rewrite, rewrite_all
from litotes.rewrites.base import WordChange
from litotes.rewrites.en.words.synonym_context import condition_test

VERBS = [
    ("The nurse is talking on the telephone.", "The nurse is chatting on the telephone."),
    ("She bought a new lamp last week.", "She purchased a new lamp last week."),
    ("They started to sing.", "They began to sing."),
    ("All at once the crowd began laughing.", "All at once the crowd started laughing."),
    ("He is looking for his gloves.", "He is searching for his gloves."),
    ("We are waiting for the results.", "We are awaiting the results."),
    ("They discussed it for hours.", "They talked about it for hours."),  # no "talked it about"
    ("The detective is seeking a witness.", "The detective is looking for a witness."),
    ("She got angry.", "She became angry."),
    ("He turned off the radio.", "He switched off the radio."),
    ("I turned it off.", "I switched it off."),
    ("He took off his coat.", "He removed his coat."),
    ("Our bus was repaired in an hour.", "Our bus was fixed in an hour."),
    ("The tower was built in 1900.", "The tower was constructed in 1900."),
    ("A cat is sleeping on the roof.", "A cat is asleep on the roof."),
    ("I need to rest.", "I have to rest."),
    ("The nurse has to hurry.", "The nurse must hurry."),
    ("You don't have to shout.", "You don't need to shout."),
    ("He resides in Oslo.", "He lives in Oslo."),
    ("The frog jumped over a puddle.", "The frog leapt over a puddle."),
    ("I hate Mondays.", "I detest Mondays."),
    ("They hated the soup.", "They detested the soup."),  # no form of "hat"
    ("What is going on here?", "What is happening here?"),
    ("I've got a headache.", "I have a headache."),
    ("The club consists of twelve members.", "The club is made up of twelve members."),
    ("Please shut the window.", "Please close the window."),
]

ADJECTIVES = [
    ("A big dog slept under the bench.", "A large dog slept under the bench."),
    ("This is an easy question.", "This is a simple question."),
    ("A huge box stood in the hall.", "An enormous box stood in the hall."),
    ("It was a more difficult climb.", "It was a harder climb."),
    ("Her uncle is richer than mine.", "Her uncle is wealthier than mine."),
    ("She is afraid of spiders.", "She is scared of spiders."),
    ("I am glad that you came.", "I am happy that you came."),
    ("You are right.", "You are correct."),
    ("The soup was awful.", "The soup was terrible."),
    ("It is a strange smell.", "It is an odd smell."),
    ("My little sister plays the harp.", "My younger sister plays the harp."),
    ("The basket was full of apples.", "The basket was filled with apples."),
]

NOUNS_AND_ADVERBS = [
    ("The kids are in the garden.", "The children are in the garden."),
    ("Somebody knocked.", "Someone knocked."),
    ("He made several errors.", "He made several mistakes."),
    ("The child's bicycle was gone.", "The kid's bicycle was gone."),
    ("He watched TV all evening.", "He watched television all evening."),
    ("There are a lot of people in the square.", "There are lots of people in the square."),
    ("She often sings.", "She frequently sings."),
    ("I hardly know them.", "I barely know them."),
    ("Perhaps it will snow.", "Maybe it will snow."),
    ("We drink tea too.", "We drink tea as well."),
    ("It broke again and again.", "It broke repeatedly."),
    ("Thank you for the flowers.", "Thanks for the flowers."),
]

SKIPPED = [
    "It is raining.",
    "The cat sat.",
    "I'm afraid you are late.",  # sorry, not scared
    "My big brother sings.",
    "The Big Apple never sleeps.",
    "They put the boxes there.",  # today or yesterday?
    "They hoped for rain.",  # no form of "hop"
    "The right hand is the cleaner one.",
    "He knows the high school.",
    "She jumped rope.",
    "They live in peace.",
    "I love you.",
]


@pytest.mark.parametrize(("before", "after"), VERBS + ADJECTIVES + NOUNS_AND_ADVERBS)
def test_the_first_synonym_fits_the_context(before: str, after: str) -> None:
    edits = rewrite("synonym", before)
    assert [edit.text for edit in edits[:1]] == [after], edits.skips
    assert edits[0].effect == "same"


@pytest.mark.parametrize("text", SKIPPED)
def test_doubtful_synonyms_are_not_used(text: str) -> None:
    edits = rewrite("synonym", text)
    assert [edit.text for edit in edits] == []
    assert [skip.code for skip in edits.skips] == ["no-synonym"]


def test_capitals_are_preserved() -> None:
    assert rewrite("synonym", "I AM GLAD TO SEE YOU.")[0].text == "I AM HAPPY TO SEE YOU."
    assert rewrite("synonym", "Kids love mud.", word="kids")[0].text == "Children love mud."


def test_surrounding_text_does_not_change() -> None:
    text = "  “Well…”  she said ,\tthe kids are  asleep 🙂 "
    assert rewrite("synonym", text, word="kids")[0].text == text.replace("kids", "children")


def test_words_contain_the_old_and_the_new_words() -> None:
    (first, *_) = rewrite("synonym", "A huge box stood in the hall.")
    assert first.words == (WordChange("A huge", "An enormous"),)
    (first, *_) = rewrite("synonym", "He is looking for his gloves.")
    assert first.words == (WordChange("looking", "searching"),)


def test_synonyms_are_ranked_and_have_reasons() -> None:
    edits = rewrite("synonym", "The chef was furious and the dinner was awful.")
    assert len({edit.text for edit in edits}) == len(edits) > 2
    ranks = [
        next(rank for rank, words in enumerate(["wherever", "nearly", "about", "near in"]) if words in edit.reason)
        for edit in edits
    ]
    assert ranks == sorted(ranks)


def test_the_main_verb_precedes_words_of_the_same_grade() -> None:
    first, second = rewrite("synonym", "The kids started to whistle.")[:2]
    assert first.text == "The kids began to whistle."
    assert second.text == "The children started to whistle."


def test_a_word_that_the_sentence_contains_is_not_inserted() -> None:
    texts = [edit.text for edit in rewrite("synonym", "The kids and the other children whistled.")]
    assert not any(re.search("kids and the other kids|children and the other children", text) for text in texts)


@pytest.mark.parametrize(
    ("pos", "after"),
    [
        ("verb", "The kids quickly began to build a big tower."),
        ("adjective", "The kids quickly started to build a large tower."),
        ("adverb", "The kids rapidly started to build a big tower."),
        ("noun", "The children quickly started to build a big tower."),
    ],
)
def test_part_of_speech_can_be_chosen(pos: str, after: str) -> None:
    edits = rewrite("synonym", "The kids quickly started to build a big tower.", pos=pos)
    assert edits[0].text == after


def test_a_word_can_be_chosen() -> None:
    text = "The kids quickly started to build a big tower."
    assert [edit.text for edit in rewrite("synonym", text, word="built")] == []
    assert rewrite("synonym", text, word="build")[0].text == "The kids quickly started to construct a big tower."
    assert rewrite("synonym", text, word="start")[0].text == "The kids quickly began to build a big tower."
    assert rewrite("synonym", text, word="big", pos="verb").skips[0].code == "no-such-word"
    assert rewrite("synonym", text, word="garden").skips[0].code == "no-such-word"


def test_a_chosen_word_has_weak_synonyms_too() -> None:
    text = "Her viewpoint surprised us."
    assert "Her point of view surprised us." in [edit.text for edit in rewrite("synonym", text, word="viewpoint")]
    assert "Her point of view surprised us." not in [edit.text for edit in rewrite("synonym", text)]


def test_options_are_validated() -> None:
    with pytest.raises(UsageError):
        rewrite("synonym", "The kids sing.", pos="pronoun")


def test_the_lexicon_is_used_for_words_that_the_table_lacks() -> None:
    (first, *_) = rewrite("synonym", "From that standpoint it works.")
    assert first.text == "From that viewpoint it works."
    assert "in the lexicon" in first.reason


def test_results_do_not_depend_on_the_batch() -> None:
    texts = [before for before, _ in VERBS + ADJECTIVES]
    alone = [[edit.text for edit in rewrite("synonym", text)] for text in texts]
    assert [[edit.text for edit in edits] for edits in rewrite_all("synonym", texts)] == alone


def faults(entry: Entry) -> Iterator[str]:
    """Yield the faults of an entry of the table."""
    if entry.pos not in FILES or not 1 <= entry.grade <= 4 or not entry.new or entry.new == entry.word:
        yield "not an entry"
    # Synonyms that contain a negation would distort tests of negation.
    if re.search(r"\b(?:not|no|never|n't)\b", entry.new) and entry.new != "no one":
        yield "negated"
    if not entry.literal:
        tags = {"v": ("VBD", "VBG", "VBZ"), "n": ("NNS",)}.get(entry.pos, ())
        yield from (f"no {tag}" for tag in tags if not inflect(entry.new, tag))
    for condition in entry.conditions:
        condition_test(condition)  # raises an error if the condition is unknown


def test_all_entries_of_the_table_are_valid() -> None:
    assert len(table()) > 1_500
    results = {(entry.word, entry.new): list(faults(entry)) for entries in table().values() for entry in entries}
    assert {pair: wrong for pair, wrong in results.items() if wrong} == {}


def test_expressions_have_several_words_and_differ_from_their_synonyms() -> None:
    for entry in phrases():
        assert len(entry.word.split()) > 1 and entry.new != entry.word and 1 <= entry.grade <= 4
        for condition in entry.conditions:
            condition_test(condition)


def test_excluded_words_are_not_in_the_table() -> None:
    assert not exceptions() & set(table())
