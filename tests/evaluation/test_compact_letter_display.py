"""Letters: two models share one exactly if they do not differ."""

from __future__ import annotations

import itertools
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from litotes.evaluation.statistics import compact_letter_display

NAMES = [f"m{number}" for number in range(7)]


def letters_of(text: str) -> set[str]:
    return set(re.findall("[a-z]′*", text))


@settings(max_examples=60, deadline=None)
@given(st.sets(st.sampled_from(list(itertools.combinations(NAMES, 2)))))
def test_two_names_share_a_letter_if_and_only_if_they_do_not_differ(differing: set[tuple[str, str]]) -> None:
    found = compact_letter_display(NAMES, sorted(differing))
    for pair in itertools.combinations(NAMES, 2):
        shares = bool(letters_of(found[pair[0]]) & letters_of(found[pair[1]]))
        assert shares == (pair not in differing)


def test_letters_follow_the_order_of_the_names() -> None:
    every = [(one, other) for one, other in itertools.combinations(NAMES, 2)]
    assert list(compact_letter_display(NAMES, every).values()) == list("abcdefg")
    assert set(compact_letter_display(NAMES, []).values()) == {"a"}


def test_hundred_models_are_sorted() -> None:
    names = [f"m{number:03d}" for number in range(100)]
    differing = [(a, b) for a, b in itertools.combinations(names, 2) if int(b[1:]) - int(a[1:]) > 6]
    found = compact_letter_display(names, differing)
    assert letters_of(found["m000"]) & letters_of(found["m006"])
    assert not letters_of(found["m000"]) & letters_of(found["m007"])
