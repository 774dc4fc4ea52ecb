"""What a build has made so far, on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from litotes.building.base import Candidate
from litotes.building.pipeline.journal import Journal, Kept, digest, is_under_way
from litotes.core.errors import LitotesError
from litotes.core.sqlite import SeenTexts
from litotes.corpora.base import Record


def kept(number: int, *texts: str) -> Kept:
    candidates = tuple(Candidate("", {"original": "It was.", "changed": text}, "g", {"word": text}) for text in texts)
    return Kept(f"notes.txt:{number}", f"Line {number}.", candidates, () if texts else (("dull", "it is dull"),))


def fill(journal: Journal) -> None:
    journal.keep(0, b"zero", [kept(1, "one", "uno"), kept(2)])
    journal.keep(1, b"one", [kept(3), kept(4, "four")])
    journal.keep(2, b"two", [kept(5, "five")])


def sources(journal: Journal) -> list[tuple[str, list[str]]]:
    return [(source, [one.sentences["changed"] for one in some]) for source, some in journal.candidates()]


def test_what_was_kept_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", "plan")
    fill(journal)
    journal.leave()
    again = Journal(tmp_path / "journal", "plan")
    assert again.has(0, b"zero") and again.has(1, b"one") and not again.has(3, b"three")
    assert sources(again) == [("notes.txt:1", ["one", "uno"]), ("notes.txt:4", ["four"]), ("notes.txt:5", ["five"])]
    assert again.sources() == 3
    assert [entry[0] for entry in again.skips()] == ["notes.txt:2", "notes.txt:3"]
    assert again.skip_counts() == {"dull": 2}
    first = next(again.candidates())[1][0]
    assert first == kept(1, "one").candidates[0]


def test_a_block_that_differs_is_forgotten_with_all_after_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", "plan")
    fill(journal)
    assert not journal.has(1, b"another")
    assert not journal.has(2, b"two")
    assert sources(journal) == [("notes.txt:1", ["one", "uno"])]
    assert journal.skip_counts() == {"dull": 1}


def test_another_plan_begins_anew(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", "plan")
    fill(journal)
    journal.leave()
    assert is_under_way(tmp_path / "journal", "plan") and not is_under_way(tmp_path / "journal", "other")
    other = Journal(tmp_path / "journal", "other")
    assert not other.has(0, b"zero") and sources(other) == []


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough to be taken for one" * 100])
def test_a_file_that_is_no_journal_is_begun_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal").write_bytes(content)
    assert not is_under_way(tmp_path / "journal", "plan")
    journal = Journal(tmp_path / "journal", "plan")
    fill(journal)
    assert journal.has(2, b"two")


def test_nothing_is_left_of_nothing_and_of_what_is_done(tmp_path: Path) -> None:
    Journal(tmp_path / "empty", "plan").leave()
    done = Journal(tmp_path / "done", "plan")
    fill(done)
    done.remove_file()
    assert list(tmp_path.iterdir()) == []


def test_one_process_at_a_time(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", "plan")
    fill(journal)
    with pytest.raises(LitotesError, match="another process is writing to it"):
        Journal(tmp_path / "journal", "plan")
    assert journal.has(0, b"zero")


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(LitotesError, match="L401"):
        Journal(tmp_path / "file" / "journal", "plan")


def test_a_digest_tells_records_apart() -> None:
    base = Record("a:1", "It rained.")
    others = [Record("a:2", "It rained."), Record("a:1", "It snowed."), Record("a:1", "It rained.", "It did rain.")]
    others += [Record("a:1", "It rained.", None, "1"), Record("a:1", "It rained.", None, "", 1.0)]
    assert len({digest([one]) for one in (base, *others)}) == 6
    assert digest([base]) == digest([Record("a:1", "It rained.")])
    assert digest([base, base]) != digest([base])


def test_seen_tells_texts_apart_wherever_they_are_cut() -> None:
    seen = SeenTexts()
    assert seen.add("a", "b") and seen.add("a b") and seen.add("b", "a")
    assert not seen.add("a", "b")
