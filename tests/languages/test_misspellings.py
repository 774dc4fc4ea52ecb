"""Known misspellings and random typos."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litotes.languages.en.lexicon.misspellings import MIN_LETTERS, is_word, known_misspellings, random_misspelling


@pytest.mark.parametrize(
    ("word", "one"),
    [
        ("definitely", "definately"),
        ("separate", "seperate"),
        ("believe", "beleive"),
        ("received", "recieved"),
        ("tomorrow", "tommorow"),
        ("friend", "freind"),
        ("illegal", "ilegal"),
        ("beautiful", "beatiful"),
    ],
)
def test_known_misspellings_are_listed(word: str, one: str) -> None:
    assert one in known_misspellings(word)
    assert one.capitalize() in known_misspellings(word.capitalize())


@pytest.mark.parametrize("word", ["happy", "blorfing", "", "a", "é", "don't"])
def test_rare_words_have_no_known_misspelling(word: str) -> None:
    assert known_misspellings(word) == ()


@pytest.mark.parametrize("word", "definitely because their would should first great people separate which".split())
def test_misspellings_are_close_and_are_not_words(word: str) -> None:
    results = known_misspellings(word)
    assert results
    assert len(set(results)) == len(results)
    for text in results:
        assert text.isalpha() and text[0] == word[0] and text != word
        assert not is_word(text)


def test_phonetic_misspellings_come_first() -> None:
    # Vowels and double letters are the most frequent errors.
    assert known_misspellings("friend")[0] == "freind"
    assert set(known_misspellings("separate")[:4]) == {"separete", "sepearate", "seperate", "seporate"}


def test_colloquial_forms_are_not_misspellings() -> None:
    assert known_misspellings("playing") == ("palying",)
    assert "talkin" not in known_misspellings("talking")
    assert "talkin" not in {random_misspelling("talking", Random(f"{seed}")).text for seed in range(200)}


def test_misspellings_preserve_capitals() -> None:
    assert known_misspellings("Tomorrow")[0].istitle()
    assert known_misspellings("African") and all(misspelling[0] == "A" for misspelling in known_misspellings("African"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("house", True),
        ("houses", True),
        ("went", True),
        ("happier", True),
        ("because", True),
        ("themselves", True),
        ("Paris", True),
        ("HOUSE", True),
        ("becuase", False),
        ("hosue", False),
        ("blorf", False),
    ],
)
def test_dictionary_words_are_recognised(text: str, *, expected: bool) -> None:
    assert is_word(text) is expected


WORDS = "illegal boosted happy guitar wonderful angry because strange window teacher walking believe".split()


@given(st.sampled_from(WORDS), st.integers())
@settings(deadline=None, max_examples=200)
def test_random_typo_changes_a_letter(word: str, seed: int) -> None:
    slip = random_misspelling(word, Random(seed))
    assert slip is not None
    assert slip == random_misspelling(word, Random(seed))
    assert slip.text != word and not is_word(slip.text)
    assert slip.text[0] == word[0]
    changed = {"deletion": len(word) - 1, "replacement": len(word), "swap": len(word)}
    assert len(slip.text) == changed[slip.kind]
    if slip.kind == "swap":
        assert sorted(slip.text) == sorted(word)
    if slip.kind == "replacement":
        assert sum(old != new for old, new in zip(word, slip.text, strict=True)) == 1


def test_all_three_kinds_of_typos_occur() -> None:
    assert {random_misspelling("wonderful", Random(f"{seed}")).kind for seed in range(40)} == {
        "deletion",
        "replacement",
        "swap",
    }


def test_wrong_letters_are_adjacent_on_the_keyboard() -> None:
    near = {
        "o": set("ipkl"),
        "n": set("bmhj"),
        "d": set("serfcx"),
        "e": set("wrsd"),
        "r": set("etdf"),
        "f": set("rtdgcv"),
    }
    for seed in range(60):
        slip = random_misspelling("wonderful", Random(f"{seed}"))
        if slip.kind == "replacement":
            [(old, new)] = [pair for pair in zip("wonderful", slip.text, strict=True) if pair[0] != pair[1]]
            assert old not in near or new in near[old]


@pytest.mark.parametrize(("word", "kind"), [("Happy", str.istitle), ("HAPPY", str.isupper), ("happy", str.islower)])
def test_random_typos_preserve_capitals(word: str, kind) -> None:
    assert all(kind(random_misspelling(word, Random(seed)).text) for seed in range(10))


@pytest.mark.parametrize("word", ["", "a", "don't", "naïve", "3rd"])
def test_some_words_have_no_random_typo(word: str) -> None:
    assert random_misspelling(word, Random(1)) is None


def test_typo_in_a_short_word_may_change_its_first_letter() -> None:
    assert MIN_LETTERS > 3
    assert {random_misspelling("dog", Random(f"{seed}")).text[0] for seed in range(40)} != {"d"}


def test_the_list_is_read_once() -> None:
    from litotes.languages.en.lexicon import misspellings

    assert misspellings._by_correction() is misspellings._by_correction()


def test_missing_codespell_is_reported() -> None:
    program = (
        "import sys; sys.modules['codespell_lib'] = None\n"
        "import importlib.util; found = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'codespell_lib' else found(name, *rest)\n"
        "from litotes.languages.en.lexicon.misspellings import known_misspellings\n"
        "known_misspellings('believe')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "[L103] codespell is not installed; install it with: pip install 'litotes[english]'" in done.stderr
