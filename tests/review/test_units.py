"""Units of items that are judged together, and edits."""

from __future__ import annotations

import pytest

from litotes.core.errors import LitotesError
from litotes.review.units import Unit, apply_edit, group_units, intended_similarity, is_ambiguous, role_label
from litotes.suites.base import Item
from litotes.suites.kinds import KINDS, suite_kind
from litotes.suites.semantoneg import permute_quadruple

QUADRUPLE = ["The tap is on.", "The tap is of.", "The tap is not on.", "The tap is not of."]


def unit_of(*sentences: dict[str, str]) -> Unit:
    return Unit("u", tuple(Item(f"i{number}", "g", sentence) for number, sentence in enumerate(sentences)))


def test_items_with_equal_tags_form_a_unit() -> None:
    items = [Item(str(number), "g", {"input": "x"}, {"unit": tag} if tag else {}) for number, tag in enumerate("ab a")]
    items[2] = Item("2", "g", {"input": "x"})
    units = group_units(items)
    assert {key: [item.id for item in unit.items] for key, unit in units.items()} == {
        "a": ["0", "3"],
        "b": ["1"],
        "2": ["2"],
    }
    assert units["a"].shown.id == "0"


def test_a_unit_name_must_not_be_an_item_id() -> None:
    with pytest.raises(LitotesError, match=r'\[L205\] unit "b" is also the id of an item'):
        group_units([Item("a", "g", {"input": "x"}, {"unit": "b"}), Item("b", "g", {"input": "y"})])


def test_an_edit_replaces_every_occurrence() -> None:
    unit = unit_of(*permute_quadruple(QUADRUPLE))
    edited = apply_edit(unit, {"antonym": "The tap is off.", "both": "The tap is not off."})
    right = ["The tap is on.", "The tap is off.", "The tap is not on.", "The tap is not off."]
    assert [dict(item.sentences) for item in edited] == permute_quadruple(right)
    assert [item.id for item in edited] == [item.id for item in unit.items]


def test_sentences_can_be_exchanged() -> None:
    unit = unit_of(*permute_quadruple(QUADRUPLE))
    new = {"antonym": QUADRUPLE[2], "polarity": QUADRUPLE[1]}
    exchanged = [QUADRUPLE[0], QUADRUPLE[2], QUADRUPLE[1], QUADRUPLE[3]]
    assert [set(item.sentences.values()) for item in apply_edit(unit, new)] == [set(QUADRUPLE)] * 4
    assert dict(apply_edit(unit, new)[0].sentences) == permute_quadruple(exchanged)[0]


def test_equal_sentences_can_be_edited_separately_in_single_items() -> None:
    alone = unit_of({"original": "It is on.", "negated": "It is on."})
    assert not is_ambiguous(alone, {"negated": "It is not on."})
    [item] = apply_edit(alone, {"negated": "It is not on."})
    assert dict(item.sentences) == {"original": "It is on.", "negated": "It is not on."}
    twice = unit_of(*[{"original": "It is on.", "negated": "It is on."}] * 2)
    assert is_ambiguous(twice, {"negated": "It is not on."})


def test_every_role_has_a_label() -> None:
    for name in KINDS.names():
        kind = suite_kind(name)
        assert all(role_label(role) and "_" not in role_label(role) for role in kind.roles)
        assert set(intended_similarity(kind)) == set(kind.roles)
    assert intended_similarity(suite_kind("negation-detection")) == {
        "original": "",
        "synonym": "closest",
        "negated": "further",
    }
