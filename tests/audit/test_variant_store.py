"""The store of variants: kept block by block, found again, begun anew where it is damaged."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from litotes.audit.variant_store import Made, VariantStore, store_path
from litotes.core.errors import LitotesError

FIRST = [
    Made((("negation", "It is not hot."), ("antonym", "It is cold."), ("contraction", "It's hot.")), ()),
    Made((("typo", "Rian fell."),), (("antonym", "no-antonym"), ("negation", "question"))),
]
SECOND = [Made((("antonym", "It is dark."),), (("negation", "question"), ("synonym", "no-synonym")))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    store = VariantStore(tmp_path / "deep" / "variants.sqlite")
    store.keep(1, [7], SECOND)  # blocks may come in any order
    store.keep(0, [2, 5], FIRST)
    store.close()
    return tmp_path / "deep" / "variants.sqlite"


def test_what_was_kept_is_read_in_the_order_of_the_corpus(path: Path) -> None:
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
    assert store.made()["antonym"] == 2 and store.made()["passive"] == 0
    assert store.skips("negation") == {"question": 2}
    assert store.usable() == 1
    store.close()


def test_a_block_that_is_kept_twice_counts_once(path: Path) -> None:
    store = VariantStore(path)
    store.keep(0, [2, 5], FIRST)
    assert store.skips("negation") == {"question": 2} and store.made()["negation"] == 1
    store.close()


def test_a_block_is_kept_whole_or_not_at_all(path: Path) -> None:
    store = VariantStore(path)
    with pytest.raises(KeyError):
        store.keep(2, [8, 9], [FIRST[0], Made((("unheard-of", "It is."),), ())])
    assert store.blocks() == {0, 1} and all(place < 8 for place, _, _ in store.pairs())
    store.close()


def test_several_readers_at_once(path: Path) -> None:
    one, other = VariantStore(path), VariantStore(path)
    assert list(one.pairs()) == list(other.pairs())
    one.close()
    other.close()


def test_reading_may_be_interleaved(path: Path) -> None:
    store = VariantStore(path)
    pairs = zip(store.of_rule("antonym"), store.of_rule("antonym"), strict=True)
    assert all(one == other for one, other in pairs)
    store.close()


@pytest.mark.parametrize("content", [b"no database at all, but long enough to look like one" * 9, b""])
def test_a_damaged_file_is_begun_anew(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    store = VariantStore(path)
    assert store.blocks() == frozenset() and list(store.pairs()) == []
    store.keep(0, [2, 5], FIRST)
    store.close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM variants").fetchone() == (4,)


def test_a_place_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(LitotesError, match=r"L401") as caught:
        VariantStore(tmp_path / "file" / "variants.sqlite")
    assert "\n" not in str(caught.value)


def test_without_a_path_nothing_stays() -> None:
    store = VariantStore(None)
    store.keep(0, [2, 5], FIRST)
    assert len(list(store.pairs())) == 4
    store.close()


def test_the_name_depends_on_everything_but_the_order(tmp_path: Path) -> None:
    assert store_path(tmp_path, {"a": 1, "b": 2}) == store_path(tmp_path, {"b": 2, "a": 1})
    assert store_path(tmp_path, {"a": 1}) != store_path(tmp_path, {"a": 2})
