"""Suites with labels: the right option is the item's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from litotes import Item, LitotesError, Suite
from litotes.suites.folder import load_folder, save_folder
from litotes.suites.kinds import suite_kind
from litotes.suites.nli import KIND, asks_for_labels, categories_of, gold_labels, labelled_twice
from litotes.suites.statistics import suite_figures


def item(number: int, label: str | None = "neutral", *, premise: str = "Ben sings.", **tags: str) -> Item:
    texts = {"premise": premise, "hypothesis": f"Ben has {number} songs."}
    return Item(str(number), premise, texts, {**({} if label is None else {"label": label}), **tags})


def suite(*items: Item) -> Suite:
    return Suite("songs", KIND, items, sha256="")


def test_the_kind() -> None:
    assert suite_kind("nli") is KIND
    assert list(KIND.passed.options) == ["entailment", "neutral", "contradiction"]
    assert KIND.passed.chance == pytest.approx(1 / 3)
    assert KIND.compared_roles() == ["premise", "hypothesis"]
    assert asks_for_labels(suite(item(1)))
    assert not asks_for_labels(Suite("x", suite_kind("semantoneg"), [], sha256=""))


def test_a_folder_of_it_comes_back(tmp_path: Path) -> None:
    made = suite(item(1, "entailment", categories="existence inability"), item(2, categories=""))
    save_folder(made, tmp_path)
    found = load_folder(tmp_path)
    assert found.kind is KIND
    assert gold_labels(found) == ["entailment", "neutral"]
    assert [categories_of(one) for one in found.items] == [("existence", "inability"), ()]


@pytest.mark.parametrize(("label", "words"), [("perhaps", '"perhaps" is no label'), (None, 'tag "label" is missing')])
def test_an_item_without_a_label(label: str | None, words: str) -> None:
    with pytest.raises(LitotesError) as caught:
        gold_labels(suite(item(1), item(7, label)))
    assert caught.value.code == "L203"
    assert words in str(caught.value) and "item 7" in str(caught.value) and "contradiction" in str(caught.value)


def test_pairs_under_two_labels_are_counted() -> None:
    again = Item("other", "g", item(1).sentences, {"label": "entailment"})
    same = Item("same", "g", item(2).sentences, {"label": "neutral"})
    assert labelled_twice(suite(item(1), item(2), item(3))) == 0
    assert labelled_twice(suite(item(1), item(2), again, same)) == 1


def test_the_figures_of_such_a_suite() -> None:
    figures = suite_figures(suite(item(1), item(2)))
    assert figures.anchor == "premise"
    assert [role.role for role in figures.roles] == ["hypothesis"]
    assert figures.roles[0].words == 4
