"""Quadruples after an opening."""

from __future__ import annotations

from litotes.repair.examples.base import QUADRUPLE, Lesson
from litotes.repair.examples.prefix import after_opening, framed


def lesson(subject: str) -> Lesson:
    texts = (f"{subject} late.", f"{subject} not early.", f"{subject} early.", f"{subject} not late.")
    return Lesson(QUADRUPLE, *texts, "early/late", mates=True)


def test_all_four_get_the_same_opening_and_the_pair_stays() -> None:
    given = [lesson(f"The {thing} is") for thing in ("bus", "train", "post", "guest", "bill", "ferry", "tide", "plane")]
    found = [*framed(given)]
    assert 0 < len(found) < len(given)
    by_subject = {one.anchor.split()[1]: one for one in given}
    for one in found:
        opening, _, rest = one.anchor.partition("the ")
        original = by_subject[rest.split()[0]]
        assert one.pair == original.pair and one.mates
        assert [f"{opening}{text[0].lower()}{text[1:]}" for text in original.texts] == [*one.texts]
    assert found == [*framed(given)]


def test_capitals_stay_where_they_belong() -> None:
    assert after_opening(["I’m late."], 0) == ["No, I’m late."]
    assert after_opening(["That’s late?"], 0) == ["Well, that’s late?"]
    for name in ("Ann is late.", "Late.", "Trains are late."):
        assert not after_opening(["It is late.", name], 0)
