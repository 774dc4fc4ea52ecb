"""Suites with gold labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from litotes import Item, LitotesError, Suite
from litotes.suites.folder import load_folder, save_folder
from litotes.suites.kinds import suite_kind
from litotes.suites.nli import KIND, categories_of, count_ambiguous_pairs, gold_labels, requires_labels
from litotes.suites.statistics import suite_statistics


def item(number: int, label: str | None = "neutral", *, premise: str = "Ben sings.", **tags: str) -> Item:
    texts = {"premise": premise, "hypothesis": f"Ben has {number} songs."}
    return Item(str(number), premise, texts, {**({} if label is None else {"label": label}), **tags})


def suite(*items: Item) -> Suite:
    return Suite("songs", KIND, items, sha256="")


def test_nli_kind() -> None:
    assert suite_kind("nli") is KIND
    assert list(KIND.criterion.options) == ["entailment", "neutral", "contradiction"]
    assert KIND.criterion.chance == pytest.approx(1 / 3)
    assert KIND.compared_roles() == ["premise", "hypothesis"]
    assert requires_labels(suite(item(1)))
    assert not requires_labels(Suite("x", suite_kind("semantoneg"), [], sha256=""))


def test_nli_suite_is_saved_and_loaded(tmp_path: Path) -> None:
    original = suite(item(1, "entailment", categories="existence inability"), item(2, categories=""))
    save_folder(original, tmp_path)
    result = load_folder(tmp_path)
    assert result.kind is KIND
    assert gold_labels(result) == ["entailment", "neutral"]
    assert [categories_of(one) for one in result.items] == [("existence", "inability"), ()]


@pytest.mark.parametrize(
    ("label", "words"), [("perhaps", '"perhaps" is not a label'), (None, 'tag "label" is missing')]
)
def test_item_without_a_valid_label_is_an_error(label: str | None, words: str) -> None:
    with pytest.raises(LitotesError) as caught:
        gold_labels(suite(item(1), item(7, label)))
    assert caught.value.code == "L203"
    assert words in str(caught.value) and "item 7" in str(caught.value) and "contradiction" in str(caught.value)


def test_pairs_with_two_labels_are_counted() -> None:
    again = Item("other", "g", item(1).sentences, {"label": "entailment"})
    same = Item("same", "g", item(2).sentences, {"label": "neutral"})
    assert count_ambiguous_pairs(suite(item(1), item(2), item(3))) == 0
    assert count_ambiguous_pairs(suite(item(1), item(2), again, same)) == 1


def test_statistics_of_an_nli_suite() -> None:
    figures = suite_statistics(suite(item(1), item(2)))
    assert figures.anchor == "premise"
    assert [role.role for role in figures.roles] == ["hypothesis"]
    assert figures.roles[0].words == 4
