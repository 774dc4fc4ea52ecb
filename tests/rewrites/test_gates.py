"""Gates: faulty edits and edits that only look faulty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litotes.languages.en.parser import parse
from litotes.rewrites.apply import rewrite, rewrite_all
from litotes.rewrites.base import Edit, Edits, Skip, WordChange
from litotes.rewrites.en.gates import (
    FAULTS,
    ReparseGate,
    TextGate,
    find_text_fault,
    is_simple_edit,
    negators,
    reparse_fault,
    text_fault,
)
from litotes.rewrites.gates import EditCandidate, filter_edits


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I am glad.", "I am not glad."),
        ("That's good.", "That's not good."),
        ("It is a good idea.", "It is an evil idea."),
        ("He said that he slept.", "He said that that man slept."),
        ("She had a dog.", "She had had a dog."),
        ("No, it is not.", "No, it is."),
        ("The the dog barks.", "The the dog sleeps."),
        ("I  like   it.", "I  hate   it."),
        ("It was (very) good.", "It was (very) bad."),
        ("“Yes,” he said.", "“No,” he said."),
        ('"It was good," he said.', "It was good."),
        ("“It was good,” he said.", "It was good."),
        ("I saw him (twice) there.", "He was seen there."),
        ("Is it good?", "Is it bad?"),
        ("no full stop", "not a full stop"),
        ("Great 😀!", "Awful 😀!"),
        ("an wrong article stays", "an wrong article goes"),
        ("Vitamin A is good.", "Vitamin A is evil."),
        ("It is a UN plan.", "It is a US plan."),
        ("Wait ...", "Go ..."),
        ("It is 3 . 5 metres.", "It was 3 . 5 metres."),
    ],
)
def test_accepts_good_texts(before: str, after: str) -> None:
    assert text_fault(before, after) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I am glad.", "I am am glad."),
        ("I am glad.", "I am sad sad."),
        ("I am very glad.", "I am am glad."),
        ("I am glad.", "I  am sad."),
        ("I am glad.", "I am sad ."),
        ("I am glad, really.", "I am glad , truly."),
        ("I am glad.", "I am\tsad."),
        ("I am glad.", "I am\u00a0sad."),
        ("I am glad.", "I am sad"),
        ("Is it good?", "Is it bad"),
        ("It is a good idea.", "It is a evil idea."),
        ("It is an evil idea.", "It is an good idea."),
        ("A good idea.", "A evil idea."),
        ("An “old” man.", "An “young” man."),
        ("It was (very) good.", "It was (very good."),
        ("It was “good”.", "It was “bad."),
        ('It was "good".', 'It was "bad.'),
        ("It was good.", "It was <bad>."),
        ("It was good.", "It was bad 😀."),
        ("It was good, but late.", "It was bad,, but late."),
        ("It was good.", "It was bad,."),
        ("See (it) here.", "See ( it) there."),
    ],
)
def test_rejects_broken_texts(before: str, after: str) -> None:
    assert text_fault(before, after) == "broken"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I am glad.", "I am glad."),
        ("I am glad.", " I am glad. "),
        ("I am glad.", "i am Glad."),
        ("", ""),
        ("a b", "a  b"),
    ],
)
def test_rejects_unchanged_texts(before: str, after: str) -> None:
    assert text_fault(before, after) == "unchanged"


@given(st.text(max_size=40), st.text(max_size=40))
def test_never_raises(before: str, after: str) -> None:
    assert text_fault(before, after) in {None, "unchanged", "broken"}
    assert text_fault(before, before) == "unchanged"


def edit_of(text: str, rule: str = "negation", *words: WordChange) -> Edit:
    return Edit(text, rule, "opposite", words)


def fault(before: str, after: str, rule: str, *words: WordChange) -> str | None:
    return reparse_fault(parse(before), edit_of(after, rule, *words), parse(after))


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("She sings.", "She does not sing.", "negation"),
        ("She does not sing.", "She sings.", "negation"),
        ("They can't swim.", "They can swim.", "negation"),
        ("We're safe, aren't we?", "We're not safe, are we?", "negation"),
        ("There is a man outside.", "There is no man outside.", "negation"),
        ("A boy is peeling an apple.", "There is no boy peeling an apple.", "quantifier_negation"),
        ("The film was good.", "The film was not bad.", "negated_antonym"),
        ("The dog chased the cat.", "The cat was chased by the dog.", "passive"),
        ("The cat was chased by the dog.", "The dog chased the cat.", "active"),
        ("Tom saw Mary.", "Mary saw Tom.", "argument_swap"),
        ("He said it was not good.", "It was not good.", "embedded_clause"),
        ("He did not say it was good.", "It was good.", "embedded_clause"),
        ("The film was good.", "The film was bad.", "antonym"),
        ("He always sings.", "He never sings.", "antonym"),
        ("No, she sings.", "No, she does not sing.", "negation"),
        ("He sings and dances.", "He does not sing and dance.", "negation"),
        ("He likes cats and dogs.", "He does not like cats and dogs.", "negation"),
        ("She fell and hurt herself.", "She did not fall and hurt herself.", "negation"),
        ("He walks and runs.", "He does not walk but runs.", "negation"),
        ("You needn't worry.", "You need to worry.", "negation"),
    ],
)
def test_accepts_the_intended_structure(before: str, after: str, rule: str) -> None:
    words = (WordChange("always", "never"),) if rule == "antonym" and "always" in before else ()
    assert fault(before, after, rule, *words) is None


@pytest.mark.parametrize(
    ("before", "after", "rule", "expected"),
    [
        ("She sings.", "She sang.", "negation", "negation-count"),
        ("She sings.", "She never does not sing.", "negation", "negation-count"),
        ("The film was good.", "The film was not good.", "antonym", "negation-count"),
        ("The dog chased the cat.", "The cat was not chased by the dog.", "passive", "negation-count"),
        ("He said it was good.", "It was not good.", "embedded_clause", "negation-count"),
        ("The man who sings is old.", "The man who does not sing is old.", "negation", "negation-scope"),
        ("The dog chased the cat.", "The cat chased the dog.", "passive", "voice"),
        ("The cat was chased by the dog.", "The cat was seen by the dog.", "active", "voice"),
        ("She sings.", "She do not sing.", "negation", "agreement"),
        ("The dogs chase the cat.", "The cat are chased by the dogs.", "passive", "agreement"),
        ("I chase the cats.", "The cats is chased by me.", "passive", "agreement"),
        ("She likes the film.", "She likes the film. It rains.", "synonym", "sentences"),
        ("He sings and dances.", "He does not sing and dances.", "negation", "verb-form"),
        ("He drinks tea and smokes.", "He does not drink tea and smokes.", "negation", "verb-form"),
        ("He bought a book and left.", "He did not buy a book and left.", "negation", "verb-form"),
        (
            "She opened it, looked around and left.",
            "She did not open it, look around and left.",
            "negation",
            "verb-form",
        ),
        ("You needn't worry.", "You need worry.", "negation", "verb-form"),
        ("He dare not ask.", "He dare ask.", "negation", "verb-form"),
    ],
)
def test_rejects_another_structure(before: str, after: str, rule: str, expected: str) -> None:
    assert fault(before, after, rule) == expected
    assert expected in FAULTS


def test_rejects_another_part_of_speech() -> None:
    change = WordChange("old", "here")
    assert fault("The man is old.", "The man is here.", "infill", change) == "part-of-speech"
    assert fault("The man is old.", "The man is tired.", "infill", WordChange("old", "tired")) is None


def test_accepts_a_negator_changed_on_purpose() -> None:
    change = WordChange("still", "no longer")
    assert fault("She still sings.", "She no longer sings.", "antonym", change) is None
    assert fault("She still sings.", "She no longer sings.", "antonym") == "negation-count"


def test_accepts_disagreement_of_the_original() -> None:
    assert fault("She sing.", "She do not sing.", "negation") != "agreement"


@pytest.mark.parametrize("text", ["", "good " * 600])
def test_rejects_unparsable_texts(text: str) -> None:
    assert fault("She sings.", text, "negation") == "not-parsed"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She doesn't sing.", ["n't"]),
        ("Nobody said nothing.", ["Nobody", "nothing"]),
        ("No, she sings.", []),
        ("It's good, isn't it?", []),
        ("She has never been to no party.", ["never", "no"]),
        ("She sings.", []),
    ],
)
def test_finds_negators(text: str, expected: list[str]) -> None:
    assert [token.text for token in negators(parse(text))] == expected


GOOD = edit_of("She does not sing.")
BROKEN = edit_of("She does does not sing.")
DISAGREEING = edit_of("She do not sing.")


def test_applies_gates_in_order() -> None:
    edits = Edits([BROKEN, DISAGREEING, GOOD], (Skip("own", "its own"),))
    [accepted] = filter_edits([("She sings.", edits)], [TextGate(), ReparseGate()])
    assert accepted == [GOOD]
    assert [skip.code for skip in accepted.skips] == ["own", "broken", "agreement"]
    assert all(skip.reason for skip in accepted.skips)


def test_everything_passes_without_gates() -> None:
    [accepted] = filter_edits([("She sings.", Edits([GOOD, BROKEN]))], [])
    assert accepted == [GOOD, BROKEN] and accepted.skips == ()


def test_filters_a_stream_in_order_and_in_batches() -> None:
    sizes = []

    class Counting:
        codes: ClassVar = {"every-third": "every third one"}

        def refusals(self, candidates: Sequence[EditCandidate]) -> list[Skip | None]:
            sizes.append(len(candidates))
            return [Skip("every-third") if int(text) % 3 == 0 else None for text, _ in candidates]

    stream = ((str(number), Edits([edit_of(f"{number}!")] if number % 2 else [])) for number in range(20))
    accepted = list(filter_edits(stream, [Counting()], batch=8))
    assert [[edit.text for edit in edits] for edits in accepted] == [
        [f"{number}!"] if number % 2 and number % 3 else [] for number in range(20)
    ]
    assert sizes == [4, 4, 2]


def test_rejected_edit_does_not_reach_the_next_gate() -> None:
    class Never:
        codes: ClassVar = {}

        def refusals(self, candidates: Sequence[EditCandidate]) -> list[Skip | None]:
            raise AssertionError(candidates)

    [accepted] = filter_edits([("She sings.", Edits([BROKEN]))], [TextGate(), Never()])
    assert accepted == []


def test_filters_an_endless_stream() -> None:
    def endless():
        while True:
            yield "She sings.", Edits([GOOD])

    accepted = filter_edits(endless(), [TextGate()], batch=4)
    assert [next(accepted) for _ in range(10)] == [[GOOD]] * 10


def test_loads_gates_by_name() -> None:
    texts = ["She sings.", "The old man is here.", "They have never seen it."]
    plain = list(rewrite_all("negation", texts))
    gated_ones = list(rewrite_all("negation", texts, gates=["reparse"]))
    assert plain == gated_ones and all(plain)
    assert rewrite("negation", "She sings.", gates=[TextGate()]) == rewrite("negation", "She sings.")


_WORDS = (
    "a",
    "an",
    "A",
    "The",
    "cat",
    "cats,",
    "old",
    "evil",
    "hour",
    "it's",
    "well-known",
    '"good',
    "(a",
    "no",
    "not.",
    "very",
    "😀",
    "",
)


@given(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6), st.data())
def test_simple_edits_pass_the_full_check(old: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(old)))
    end = data.draw(st.integers(start, min(len(old), start + 3)))
    came = data.draw(st.lists(st.sampled_from(_WORDS), max_size=3))
    before, after = " ".join(old), " ".join([*old[:start], *came, *old[end:]])
    if is_simple_edit(before.split(" "), after):
        assert find_text_fault(before, after) is None
