"""Verdicts on disk: stored, undone, never changed."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from litotes.core.errors import LitotesError
from litotes.review.store import FILE_NAME, ReviewStore
from litotes.review.verdicts import Verdict

SHA = "a" * 64


def current_verdicts(store: ReviewStore) -> dict[str, dict[str, str]]:
    return {unit: {name: one.verdict for name, one in by.items()} for unit, by in store.current().items()}


def test_stored_verdicts_are_read_again(tmp_path: Path) -> None:
    verdicts = [
        Verdict("u1", "Ana", "accept", note="“fine”"),
        Verdict("u2", "Ana", "reject", reason="other"),
        Verdict("u2", "Ben", "edit", edited={"both": "Das Café ist nicht zu. 😀"}),
    ]
    with ReviewStore(tmp_path / FILE_NAME, SHA) as store:
        for verdict in verdicts:
            store.add(verdict)
    with ReviewStore(tmp_path / FILE_NAME, SHA, create=False) as store:
        result = store.current()
    assert [result["u1"]["Ana"], result["u2"]["Ana"], result["u2"]["Ben"]] == verdicts
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_the_latest_verdict_counts_and_undo_restores_the_previous_verdict(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / FILE_NAME, SHA) as store:
        store.add(Verdict("u1", "Ana", "accept"))
        store.add(Verdict("u1", "Ben", "accept"))
        store.add(Verdict("u1", "Ana", "reject", reason="other"))
        store.add(Verdict("u2", "Ana", "accept"))
        assert current_verdicts(store) == {"u1": {"Ana": "reject", "Ben": "accept"}, "u2": {"Ana": "accept"}}
        assert store.undo("Ana") == "u2"
        assert store.undo("Ana") == "u1"
        assert current_verdicts(store) == {"u1": {"Ana": "accept", "Ben": "accept"}}
        store.add(Verdict("u3", "Ana", "accept"))
        assert [store.undo("Ana"), store.undo("Ana"), store.undo("Ana")] == ["u3", "u1", None]
        assert current_verdicts(store) == {"u1": {"Ben": "accept"}}


def test_history_is_preserved(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    with ReviewStore(path, SHA) as store:
        store.add(Verdict("u1", "Ana", "accept"))
        store.undo("Ana")
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT seq, unit, annotator, verdict, undoes FROM verdicts ORDER BY seq").fetchall()
        assert rows == [(1, "u1", "Ana", "accept", None), (2, "u1", "Ana", "undo", 1)]
        for change in ("UPDATE verdicts SET verdict = 'reject' WHERE seq = 1", "DELETE FROM verdicts"):
            with pytest.raises(sqlite3.IntegrityError, match="only added"):
                connection.execute(change)


def test_a_duplicate_request_counts_once(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / FILE_NAME, SHA) as store:
        for _ in range(2):
            store.add(Verdict("u1", "Ana", "accept"), "request-1")
            store.add(Verdict("u2", "Ana", "accept"), "request-2")
        assert [store.undo("Ana", "undo-1"), store.undo("Ana", "undo-1")] == ["u2", "u2"]
        assert current_verdicts(store) == {"u1": {"Ana": "accept"}}


def test_imports_are_atomic(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / FILE_NAME, SHA) as store:
        with pytest.raises(LitotesError, match="L203"):
            store.add_all([Verdict("u1", "Ana", "accept"), Verdict("u2", "Ana", "perhaps")])
        assert current_verdicts(store) == {}
        store.add_all([Verdict("u1", "Ana", "accept"), Verdict("u2", "Ana", "accept")])
        assert len(current_verdicts(store)) == 2


def test_two_connections_see_the_same_verdicts(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / FILE_NAME, SHA) as first, ReviewStore(tmp_path / FILE_NAME, SHA) as second:
        assert current_verdicts(first) == current_verdicts(second) == {}
        first.add(Verdict("u1", "Ana", "accept"))
        assert current_verdicts(second) == {"u1": {"Ana": "accept"}}
        second.add(Verdict("u1", "Ben", "accept"))
        assert current_verdicts(first) == {"u1": {"Ana": "accept", "Ben": "accept"}}


def test_changed_items_are_refused(tmp_path: Path) -> None:
    ReviewStore(tmp_path / FILE_NAME, SHA).close()
    with pytest.raises(
        LitotesError, match=r"\[L206\] .*is the review of different items.*; restore the old items, or move"
    ):
        ReviewStore(tmp_path / FILE_NAME, "b" * 64)


def test_reading_does_not_create_a_review(tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=r"\[L201\] .*no such file; start a review with litotes review"):
        ReviewStore(tmp_path / FILE_NAME, SHA, create=False)
    assert list(tmp_path.iterdir()) == []


def test_foreign_files_are_not_changed(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_text("this is a letter, not a database at all, and it is long enough")
    with pytest.raises(LitotesError, match=r"\[L203\] .*is not a review database or is damaged"):
        ReviewStore(path, SHA)
    assert path.read_text().startswith("this is a letter")
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE other (x)")
    with pytest.raises(LitotesError, match=r"\[L203\] .*is not a review database"):
        ReviewStore(path, SHA)
    path.unlink()
    path.mkdir()
    with pytest.raises(LitotesError, match=r"\[L202\]"):
        ReviewStore(path, SHA)


def test_reviews_of_a_newer_version_are_not_changed(tmp_path: Path) -> None:
    ReviewStore(tmp_path / FILE_NAME, SHA).close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("PRAGMA user_version = 9")
    with pytest.raises(
        LitotesError, match=r"\[L203\] .*has version 9; this version of Litotes reads 1; update litotes"
    ):
        ReviewStore(tmp_path / FILE_NAME, SHA)


def test_a_deleted_file_is_reported_on_write(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    with ReviewStore(path, SHA) as store:
        store.add(Verdict("u1", "Ana", "accept"))
        shutil.move(path, tmp_path / "elsewhere")
        with pytest.raises(LitotesError, match=r"\[L401\] .*moved or replaced"):
            store.add(Verdict("u2", "Ana", "accept"))
        shutil.move(tmp_path / "elsewhere", path)
        store.add(Verdict("u2", "Ana", "accept"))
        assert len(current_verdicts(store)) == 2


def test_a_full_disk_is_reported_without_damage(small_disk: Path, fill: Callable[..., Any]) -> None:
    with ReviewStore(small_disk / FILE_NAME, SHA) as store:
        store.add(Verdict("u1", "Ana", "accept"))
        fill(small_disk)
        with pytest.raises(LitotesError, match=r"\[L40[12]\]"):
            for number in range(200):
                store.add(Verdict(f"v{number}", "Ana", "accept", note="x" * 900))
        before = current_verdicts(store)
        (small_disk / "filler").unlink()
        store.add(Verdict("last", "Ana", "accept"))
        assert current_verdicts(store) == {**before, "last": {"Ana": "accept"}}
    assert before["u1"] == {"Ana": "accept"}


def test_gold_is_replaced(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / FILE_NAME, SHA) as store:
        assert store.gold() == {}
        store.set_gold({"u1": "accept"})
        store.set_gold({"u2": "reject"})
        assert store.gold() == {"u2": "reject"}
