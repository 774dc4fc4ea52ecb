"""`inversion`: the words after a pivot come first, and no word is lost."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from litotes.core.errors import UsageError
from litotes.rewrites.apply import rewrite

DEFAULT = [
    ("A cat is sleeping under the old kitchen table", "the old kitchen table a cat is sleeping under."),
    ("The baker is running after the thief.", "the thief the baker is running after."),
    ("Anna is looking for her keys!", "her keys Anna is looking for!"),
    ("Is your sister waiting for the bus?", "the bus is your sister waiting for?"),
    ("The pirates sailed the seven seas.", "the seven seas the pirates sailed."),
    ("He is a very good doctor.", "very good doctor he is a."),
]

CHOSEN = [
    ("The boy kicked the ball and the girl caught it.", "and", "the girl caught it the boy kicked the ball and."),
    ("The boy kicked the ball and the girl caught it.", "kicked", "the ball and the girl caught it the boy kicked."),
    ("A man is sitting in a car in town.", "in", "a car in town a man is sitting in."),
    ("A man is sitting in a car in town.", "In,", "a car in town a man is sitting in."),
    ("After the rain, we went home at once.", "rain", "we went home at once after the rain."),
]

SKIPPED = [
    ("Birds sing loudly.", {}, "too-short"),
    ("The rain has stopped. We can go out to the garden.", {}, "several-sentences"),
    ("The boy kicked the ball into the net.", {"pivot": "bus"}, "no-pivot"),
    ("The boy kicked the ball into the net.", {"pivot": "net"}, "no-pivot"),
    ("The boy kicked the ball into the net.", {"pivot": "!"}, "no-pivot"),
    ("He said (it was on the table near the door)", {"pivot": "on"}, "pairs"),
    ("“It is late and we are tired,” said Anna.", {"pivot": "late"}, "pairs"),
]


@pytest.mark.parametrize(("text", "turned"), DEFAULT)
def test_default_pivot_is_near_the_middle_and_governs_the_next_word(text: str, turned: str) -> None:
    assert rewrite("inversion", text)[0].text == turned


@pytest.mark.parametrize(("text", "pivot", "turned"), CHOSEN)
def test_accepts_a_chosen_pivot(text: str, pivot: str, turned: str) -> None:
    assert rewrite("inversion", text, pivot=pivot)[0].text == turned


@pytest.mark.parametrize(("text", "options", "code"), SKIPPED)
def test_skips_with_a_code(text: str, options: dict[str, str], code: str) -> None:
    edits = rewrite("inversion", text, **options)
    assert not edits
    assert [skip.code for skip in edits.skips] == [code]


def _words(text: str) -> Counter[str]:
    return Counter(word.lower() for word in re.findall(r"[\w'’-]+", text))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("text", [text for text, _ in DEFAULT] + [text for text, *_ in CHOSEN])
def test_preserves_all_words_and_is_reproducible_by_seed(text: str, seed: int) -> None:
    edits = rewrite("inversion", text, seed=seed)
    assert edits
    assert all(_words(edit.text) == _words(text) and edit.text != text for edit in edits)
    assert [edit.text for edit in edits] == [edit.text for edit in rewrite("inversion", text, seed=seed)]


def test_seeds_select_other_pivots() -> None:
    text = "A dog with a long tail is running across the wet grass and barking at the man in the boat."
    assert len({rewrite("inversion", text, seed=seed)[0].text for seed in range(12)}) > 3


def test_reports_effect_and_moved_words() -> None:
    edit = rewrite("inversion", "The baker is running after the thief.")[0]
    assert edit.effect == "different"
    assert edit.words == (("The baker is running after", ""), ("", "the baker is running after"))
    assert "preposition" in edit.reason


def test_rejects_an_option_of_the_wrong_type() -> None:
    with pytest.raises(UsageError):
        rewrite("inversion", "The baker is running after the thief.", seed="one")
