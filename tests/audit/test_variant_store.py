"""The store of variants: blocks of sentences are saved and read, and damaged files are replaced."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from litotes.audit.variant_store import SentenceVariants, VariantStore, store_path
from litotes.core.errors import LitotesError

FIRST = [
    SentenceVariants((("negation", "It is not hot."), ("antonym", "It is cold."), ("contraction", "It's hot.")), ()),
    SentenceVariants((("typo", "Rian fell."),), (("antonym", "no-antonym"), ("negation", "question"))),
]
SECOND = [SentenceVariants((("antonym", "It is dark."),), (("negation", "question"), ("synonym", "no-synonym")))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    store = VariantStore(tmp_path / "deep" / "variants.sqlite")
    store.save(1, [7], SECOND)  # blocks may come in any order
    store.save(0, [2, 5], FIRST)
    store.close()
    return tmp_path / "deep" / "variants.sqlite"


def test_variants_are_in_the_order_of_the_corpus(path: Path) -> None:
    store = VariantStore(path)
    assert store.blocks() == {0, 1}
    assert list(store.of_rule("antonym")) == [(2, "It is cold."), (7, "It is dark.")]
    assert list(store.pairs()) == [
        (2, "negation", "It is not hot."),
        (2, "antonym", "It is cold."),
        (2, "contraction", "It's hot."),
        (5, "typo", "Rian fell."),
        (7, "antonym", "It is dark."),
    ]
    assert store.counts()["antonym"] == 2 and store.counts()["passive"] == 0
    assert store.skips("negation") == {"question": 2}
    assert store.count_usable() == 1
    store.close()


def test_saving_a_block_twice_counts_it_once(path: Path) -> None:
    store = VariantStore(path)
    store.save(0, [2, 5], FIRST)
    assert store.skips("negation") == {"question": 2} and store.counts()["negation"] == 1
    store.close()


def test_a_block_is_saved_completely_or_not_at_all(path: Path) -> None:
    store = VariantStore(path)
    with pytest.raises(KeyError):
        store.save(2, [8, 9], [FIRST[0], SentenceVariants((("unheard-of", "It is."),), ())])
    assert store.blocks() == {0, 1} and all(index < 8 for index, _, _ in store.pairs())
    store.close()


def test_several_readers_at_once(path: Path) -> None:
    first, second = VariantStore(path), VariantStore(path)
    assert list(first.pairs()) == list(second.pairs())
    first.close()
    second.close()


def test_reading_may_be_interleaved(path: Path) -> None:
    store = VariantStore(path)
    pairs = zip(store.of_rule("antonym"), store.of_rule("antonym"), strict=True)
    assert all(first == second for first, second in pairs)
    store.close()


@pytest.mark.parametrize("content", [b"no database at all, but long enough to look like one" * 9, b""])
def test_a_damaged_file_is_replaced(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    store = VariantStore(path)
    assert store.blocks() == frozenset() and list(store.pairs()) == []
    store.save(0, [2, 5], FIRST)
    store.close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM variants").fetchone() == (4,)


def test_an_unwritable_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(LitotesError, match=r"L401") as caught:
        VariantStore(tmp_path / "file" / "variants.sqlite")
    assert "\n" not in str(caught.value)


def test_works_without_a_path() -> None:
    store = VariantStore(None)
    store.save(0, [2, 5], FIRST)
    assert len(list(store.pairs())) == 4
    store.close()


def test_path_depends_on_the_values_but_not_their_order(tmp_path: Path) -> None:
    assert store_path(tmp_path, {"a": 1, "b": 2}) == store_path(tmp_path, {"b": 2, "a": 1})
    assert store_path(tmp_path, {"a": 1}) != store_path(tmp_path, {"a": 2})
