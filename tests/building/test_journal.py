"""The journal of finished blocks."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from litotes.building.base import Candidate
from litotes.building.pipeline.journal import Journal, JournalEntry, block_digest, has_journal
from litotes.core.errors import LitotesError
from litotes.core.sqlite import SeenTexts, sqlite_errors
from litotes.corpora.base import Record


def entry(number: int, *texts: str) -> JournalEntry:
    candidates = tuple(Candidate("", {"original": "It was.", "changed": text}, "g", {"word": text}) for text in texts)
    return JournalEntry(
        f"notes.txt:{number}", f"Line {number}.", candidates, () if texts else (("dull", "it is dull"),)
    )


def fill(journal: Journal) -> None:
    journal.add(0, b"zero", [entry(1, "one", "uno"), entry(2)])
    journal.add(1, b"one", [entry(3), entry(4, "four")])
    journal.add(2, b"two", [entry(5, "five")])


def sources(journal: Journal) -> list[tuple[str, list[str]]]:
    return [
        (source, [candidate.sentences["changed"] for candidate in candidates])
        for source, candidates in journal.candidates()
    ]


def test_entries_are_there_after_reopening(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", "plan")
    fill(journal)
    journal.close()
    again = Journal(tmp_path / "journal", "plan")
    assert again.has(0, b"zero") and again.has(1, b"one") and not again.has(3, b"three")
    assert sources(again) == [("notes.txt:1", ["one", "uno"]), ("notes.txt:4", ["four"]), ("notes.txt:5", ["five"])]
    assert again.count_sources() == 3
    assert [source for source, *_ in again.skips()] == ["notes.txt:2", "notes.txt:3"]
    assert again.skip_counts() == {"dull": 2}
    first = next(again.candidates())[1][0]
    assert first == entry(1, "one").candidates[0]


def test_a_changed_block_is_deleted_with_all_later_ones(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", "plan")
    fill(journal)
    assert not journal.has(1, b"another")
    assert not journal.has(2, b"two")
    assert sources(journal) == [("notes.txt:1", ["one", "uno"])]
    assert journal.skip_counts() == {"dull": 1}


def test_discards_the_blocks_of_another_key(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", "plan")
    fill(journal)
    journal.close()
    assert has_journal(tmp_path / "journal", "plan") and not has_journal(tmp_path / "journal", "other")
    other = Journal(tmp_path / "journal", "other")
    assert not other.has(0, b"zero") and sources(other) == []


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough to be taken for one" * 100])
def test_replaces_a_file_that_is_not_a_journal(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal").write_bytes(content)
    assert not has_journal(tmp_path / "journal", "plan")
    journal = Journal(tmp_path / "journal", "plan")
    fill(journal)
    assert journal.has(2, b"two")


def test_empty_and_finished_journals_leave_no_file(tmp_path: Path) -> None:
    Journal(tmp_path / "empty", "plan").close()
    done = Journal(tmp_path / "done", "plan")
    fill(done)
    done.remove_file()
    assert list(tmp_path.iterdir()) == []


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", "plan")
    fill(journal)
    with pytest.raises(LitotesError, match="another process is writing to it"):
        Journal(tmp_path / "journal", "plan")
    assert journal.has(0, b"zero")


def test_reports_a_path_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(LitotesError, match="L401"):
        Journal(tmp_path / "file" / "journal", "plan")


def test_digests_of_different_records_differ() -> None:
    base = Record("a:1", "It rained.")
    others = [Record("a:2", "It rained."), Record("a:1", "It snowed."), Record("a:1", "It rained.", "It did rain.")]
    others += [Record("a:1", "It rained.", None, "1"), Record("a:1", "It rained.", None, "", 1.0)]
    assert len({block_digest([record]) for record in (base, *others)}) == 6
    assert block_digest([base]) == block_digest([Record("a:1", "It rained.")])
    assert block_digest([base, base]) != block_digest([base])


def test_duplicate_detection_respects_text_boundaries() -> None:
    seen_texts = SeenTexts()
    assert seen_texts.add("a", "b") and seen_texts.add("a b") and seen_texts.add("b", "a")
    assert not seen_texts.add("a", "b")


def test_a_journal_that_another_build_deletes_is_one_line(tmp_path: Path) -> None:
    with (
        pytest.raises(LitotesError, match=r"was deleted by another process.*finished"),
        sqlite_errors(tmp_path / "gone"),
    ):
        raise sqlite3.OperationalError("disk I/O error")
    (tmp_path / "there").touch()
    with pytest.raises(LitotesError, match="cannot be written"), sqlite_errors(tmp_path / "there"):
        raise sqlite3.OperationalError("disk I/O error")
