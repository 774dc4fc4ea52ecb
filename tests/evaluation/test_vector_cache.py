"""The vector cache: vectors are returned as stored; problems with the file only cost time and a warning."""

from __future__ import annotations

import functools
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes import load_suite
from litotes.evaluation.vector_cache import VectorCache, _insert, clear_cache, list_cache, row_key
from litotes.models.base import Fingerprint

SUITE = load_suite("semantoneg-mini")
TOTAL = len({text for item in SUITE.items for text in item.sentences.values()})
PRINT = Fingerprint("test")
KEYS = [row_key(f"sentence {number}") for number in range(1200)]
ROWS = np.random.default_rng(0).standard_normal((1200, 16), dtype=np.float32)


@pytest.fixture
def warnings() -> list[str]:
    return []


@pytest.fixture
def opened(tmp_path: Path, warnings: list[str]) -> Callable[..., VectorCache]:
    def opened(name: str = "model", **more: Any) -> VectorCache:
        return VectorCache(tmp_path / "cache", name, PRINT, warnings.append, **more)

    return opened


@pytest.fixture
def path(opened: Callable[..., VectorCache]) -> Path:
    """Return the file of a complete cache."""
    with opened() as cache:
        cache.put(KEYS, ROWS)
    return cache.path


def cached_rows(cache: VectorCache) -> dict[int, np.ndarray[Any, Any]]:
    return {index: row for indices, rows in cache.get(KEYS) for index, row in zip(indices, rows, strict=True)}


def holds_everything(cache: VectorCache) -> bool:
    rows = cached_rows(cache)
    return len(rows) == len(KEYS) and all(np.array_equal(rows[index], ROWS[index]) for index in rows)


@pytest.mark.parametrize("step", [1, 3, 400])
def test_reads_some_of_many_rows_and_most_rows(opened: Callable[..., VectorCache], path: Path, step: int) -> None:
    """Few rows are looked up separately; for many rows the file is scanned, with some rows overwritten."""
    with opened(fresh=True) as cache:
        cache.put(KEYS[100:110], ROWS[100:110])
    keys = [row_key("not there"), *KEYS[::-step]]
    expected = ROWS[::-step]
    with opened() as cache:
        rows = {index: row for indices, block in cache.get(keys) for index, row in zip(indices, block, strict=True)}
    assert sorted(rows) == list(range(1, len(keys)))
    assert all(np.array_equal(rows[index], expected[index - 1]) for index in rows)


def make_corrupt(path: Path, kind: str) -> None:
    content = bytearray(path.read_bytes())
    if kind == "random bytes":
        content = bytearray(random.Random(0).randbytes(len(content)))
    elif kind == "cut short":
        content = content[: len(content) // 2 + 1000]
    elif kind == "a page overwritten":
        start = content.index(ROWS[600].tobytes()) // 16384 * 16384
        content[start : start + 16384] = random.Random(1).randbytes(16384)
    elif kind == "text":
        content = bytearray(b"this was a cache once\n" * 1000)
    path.write_bytes(content)


def test_vectors_round_trip(opened: Callable[..., VectorCache], path: Path, warnings: list[str]) -> None:
    with opened() as cache:
        assert holds_everything(cache)
    assert warnings == []
    assert list(path.parent.iterdir()) == [path]


def test_another_fingerprint_has_another_file(tmp_path: Path, path: Path, warnings: list[str]) -> None:
    with VectorCache(tmp_path / "cache", "model", Fingerprint("other"), warnings.append) as cache:
        assert cache.path != path
        assert cached_rows(cache) == {}


def test_another_name_of_the_same_model_has_the_same_file(opened: Callable[..., VectorCache], path: Path) -> None:
    with opened("st:the/same@main") as cache:
        assert cache.path == path
        assert holds_everything(cache)


@pytest.mark.parametrize("name", ["a/../../b", "", "..", "x" * 500, "ünï😀", "a b\nc", "\udcff"])
def test_any_name_gives_a_file_in_the_folder(
    opened: Callable[..., VectorCache], name: str, warnings: list[str]
) -> None:
    with opened(name) as cache:
        cache.put(KEYS[:1], ROWS[:1])
        assert list(cached_rows(cache)) == [0]
        assert cache.path.parent.name == "cache"
    assert warnings == []


def test_fresh_ignores_the_cache_and_overwrites_it(opened: Callable[..., VectorCache], path: Path) -> None:
    with opened(fresh=True) as cache:
        assert cached_rows(cache) == {}
        cache.put(KEYS, ROWS + 1)
    with opened() as cache:
        assert np.array_equal(cached_rows(cache)[7], ROWS[7] + 1)


@pytest.mark.parametrize("kind", ["random bytes", "cut short", "a page overwritten", "text"])
def test_a_damaged_file_is_renamed_and_replaced(
    opened: Callable[..., VectorCache], path: Path, warnings: list[str], kind: str
) -> None:
    make_corrupt(path, kind)
    with opened() as cache:
        rows = cached_rows(cache)
        assert all(np.array_equal(row, ROWS[index]) for index, row in rows.items())
        assert len(rows) < len(KEYS)
        cache.put(KEYS, ROWS)
        assert holds_everything(cache)
    with opened() as cache:
        assert holds_everything(cache)
    if kind != "a page overwritten":  # at most a few damaged rows are tolerated
        [warning] = warnings
        assert "[L403]" in warning and "is damaged" in warning and "a new cache is created" in warning
        [aside] = path.parent.glob("*.damaged-*")
        assert aside.name in warning
    assert len(warnings) == 1


def test_flipped_bits_are_detected_by_the_checksum(
    opened: Callable[..., VectorCache], path: Path, warnings: list[str]
) -> None:
    content = bytearray(path.read_bytes())
    for index in (3, 500, 1100):
        content[content.index(ROWS[index].tobytes()) + 20] ^= 1
    path.write_bytes(content)
    with opened() as cache:
        assert set(range(len(KEYS))) - set(cached_rows(cache)) == {3, 500, 1100}
        cache.put(KEYS, ROWS)
    assert [warning.partition(": ")[2] for warning in warnings] == ["3 damaged rows are computed again"]
    with opened() as cache:
        assert holds_everything(cache)
    assert len(warnings) == 1


@pytest.mark.parametrize("value", ["'a text'", "CAST(x'ff00' AS TEXT)", "7", "x''"])
def test_a_row_of_another_type_is_damaged(
    opened: Callable[..., VectorCache], path: Path, warnings: list[str], value: str
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"UPDATE rows SET row = {value} WHERE key = ?", (KEYS[5],))
    with opened() as cache:
        assert set(range(len(KEYS))) - set(cached_rows(cache)) == {5}
    assert len(warnings) == 1


def test_another_database_is_renamed(opened: Callable[..., VectorCache], path: Path, warnings: list[str]) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE rows (other TEXT)")
    with opened() as cache:
        cache.put(KEYS, ROWS)
        assert holds_everything(cache)
    assert len(warnings) == 1


def test_damaged_file_replaced_by_another_process_is_not_renamed(
    opened: Callable[..., VectorCache], path: Path, warnings: list[str]
) -> None:
    """Both processes detect the damage; the second must not rename the new file of the first."""
    shutil.copy(path, path.with_name("copy"))
    with opened() as late:
        make_corrupt(path, "a page overwritten")
        path.rename(path.with_name("aside"))
        path.with_name("copy").rename(path)
        for extra in ("-wal", "-shm"):
            path.with_name(path.name + extra).unlink()
        assert holds_everything(late)
    assert list(path.parent.glob("*.damaged-*")) == []
    assert warnings == []


def test_a_cache_path_that_is_a_file_disables_the_cache(tmp_path: Path, warnings: list[str]) -> None:
    (tmp_path / "cache").write_text("mine")
    with VectorCache(tmp_path / "cache", "model", PRINT, warnings.append) as cache:
        cache.put(KEYS, ROWS)
        cache.put(KEYS, ROWS)
        assert cached_rows(cache) == {}
    assert len(warnings) == 1 and "disabled for this run" in warnings[0]
    assert (tmp_path / "cache").read_text() == "mine"


def test_an_interrupted_transaction_is_rolled_back(opened: Callable[..., VectorCache]) -> None:
    def interrupted() -> Iterator[tuple[bytes, bytes, int]]:
        yield KEYS[0], ROWS[0].tobytes(), 0
        raise KeyboardInterrupt

    with opened() as cache:
        with pytest.raises(KeyboardInterrupt):
            cache._attempt(functools.partial(_insert, interrupted()))
        cache.put(KEYS[1:2], ROWS[1:2])
        assert list(cached_rows(cache)) == [1]


def test_the_listing_has_sizes_and_damaged_files(
    opened: Callable[..., VectorCache], path: Path, warnings: list[str]
) -> None:
    folder = path.parent
    (folder / "broken-0.sqlite").write_bytes(b"nothing" * 100)
    (folder / "old.damaged-7").write_bytes(b"x")
    entries = {entry.path.name: entry for entry in list_cache(folder)}
    assert (entries[path.name].name, entries[path.name].rows) == ("model", len(KEYS))
    assert entries[path.name].size == path.stat().st_size
    assert entries["broken-0.sqlite"].name == entries["old.damaged-7"].name == "(damaged)"
    clear_cache(entries.values())
    assert list(folder.iterdir()) == []


def test_the_list_reads_a_folder_with_an_odd_name(tmp_path: Path, warnings: list[str]) -> None:
    folder = tmp_path / "a?b#c%20 d"
    with VectorCache(folder, "model", PRINT, warnings.append) as cache:
        cache.put(KEYS[:3], ROWS[:3])
    assert [(entry.name, entry.rows) for entry in list_cache(folder)] == [("model", 3)]


def test_missing_folder_has_an_empty_list(tmp_path: Path) -> None:
    assert list_cache(tmp_path / "gone") == []


# The command


def choices(done: Any) -> dict[str, int]:
    [run] = done.document["runs"]
    return dict(run["choices"])


@pytest.fixture(scope="module")
def first_run(
    litotes_in: Callable[[Path], Any], example_plugin: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, int]]:
    """Return a cache that a run has filled, and the choices of the run."""
    litotes = litotes_in(tmp_path_factory.mktemp("first"))
    litotes.plugins.append(example_plugin)
    done = litotes.run("run", "toy:words", "--suite", "semantoneg-mini", "--json", "--no-report").succeeded()
    assert done.effort == (TOTAL, 0)
    return litotes.cache, choices(done)


@pytest.fixture
def filled(with_plugin: Any, first_run: tuple[Path, dict[str, int]]) -> tuple[Any, Path, dict[str, int]]:
    """Return the command with such a cache, its file, and the choices of the first run."""
    shutil.copytree(first_run[0], with_plugin.cache)
    [path] = with_plugin.cache.iterdir()
    return with_plugin, path, first_run[1]


def test_second_run_encodes_nothing_and_reports_it(filled: tuple[Any, Path, dict[str, int]]) -> None:
    litotes, _, before = filled
    done = litotes.run("run", "toy:words", "--suite", "semantoneg-mini", "--json", "--no-report").succeeded()
    assert done.err == f"toy:words: nothing to encode, all {TOTAL:,} are in the cache\n"
    assert choices(done) == before


def test_fresh_encodes_again(filled: tuple[Any, Path, dict[str, int]]) -> None:
    litotes, _, before = filled
    done = litotes.run("run", "toy:words", "--suite", "semantoneg-mini", "--fresh", "--json", "--no-report").succeeded()
    assert done.effort == (TOTAL, 0)
    assert choices(done) == before


@pytest.mark.parametrize("kind", ["random bytes", "cut short", "text"])
def test_a_run_survives_a_damaged_cache(filled: tuple[Any, Path, dict[str, int]], kind: str) -> None:
    litotes, path, before = filled
    make_corrupt(path, kind)
    done = litotes.run("run", "toy:words", "--suite", "semantoneg-mini", "--json", "--no-report")
    done.warned("[L403]", path.name, "is damaged", "a new cache is created")
    assert done.effort == (TOTAL, 0)
    assert choices(done) == before
    assert len(list(litotes.cache.glob("*.damaged-*"))) == 1
    again = litotes.run("run", "toy:words", "--suite", "semantoneg-mini", "--json", "--no-report").succeeded()
    assert "nothing to encode" in again.err and choices(again) == before


def test_a_run_survives_flipped_bits(filled: tuple[Any, Path, dict[str, int]]) -> None:
    litotes, path, before = filled
    with closing(sqlite3.connect(path)) as connection:
        rows = [row for (row,) in connection.execute("SELECT row FROM rows LIMIT 10")]
    content = bytearray(path.read_bytes())
    for row in rows:
        content[content.index(row[:64]) + 32] ^= 0x40
    path.write_bytes(content)
    done = litotes.run("run", "toy:words", "--suite", "semantoneg-mini", "--json", "--no-report").warned(
        "10 damaged rows are computed again"
    )
    assert done.effort == (10, TOTAL - 10)
    assert choices(done) == before
    again = litotes.run("run", "toy:words", "--suite", "semantoneg-mini", "--json", "--no-report").succeeded()
    assert "nothing to encode" in again.err and choices(again) == before


def test_a_read_only_cache_folder_only_warns(
    filled: tuple[Any, Path, dict[str, int]], held_to_permissions: tuple[str, ...]
) -> None:
    litotes, path, before = filled
    path.chmod(0o444)
    litotes.cache.chmod(0o555)
    done = litotes.run(
        "run", "toy:words", "--suite", "semantoneg-mini", "--json", "--no-report", before=held_to_permissions
    )
    litotes.cache.chmod(0o755)
    done.warned("[L403]", "disabled for this run")
    assert choices(done) == before


def test_an_unreadable_cache_folder_only_warns(
    filled: tuple[Any, Path, dict[str, int]], held_to_permissions: tuple[str, ...]
) -> None:
    litotes, _, before = filled
    litotes.cache.chmod(0)
    done = litotes.run(
        "run", "toy:words", "--suite", "semantoneg-mini", "--json", "--no-report", before=held_to_permissions
    )
    shown = litotes.run("cache", before=held_to_permissions)
    litotes.cache.chmod(0o755)
    done.warned("[L403]", "disabled for this run")
    assert choices(done) == before
    assert (shown.code, shown.err) == (0, "")


def test_a_damaged_cache_that_cannot_be_renamed_only_warns(
    filled: tuple[Any, Path, dict[str, int]], held_to_permissions: tuple[str, ...]
) -> None:
    litotes, path, before = filled
    make_corrupt(path, "text")
    litotes.cache.chmod(0o555)
    done = litotes.run(
        "run", "toy:words", "--suite", "semantoneg-mini", "--json", "--no-report", before=held_to_permissions
    )
    litotes.cache.chmod(0o755)
    done.warned("[L403]", "disabled for this run")
    assert choices(done) == before
    assert [file.name for file in litotes.cache.iterdir()] == [path.name]


def test_a_cache_without_permission_to_clear_is_reported(
    filled: tuple[Any, Path, dict[str, int]], held_to_permissions: tuple[str, ...]
) -> None:
    litotes, path, _ = filled
    litotes.cache.chmod(0o555)
    done = litotes.run("cache", "--clear", before=held_to_permissions)
    litotes.cache.chmod(0o755)
    done.failed(1, "L401", f"{path.name}: cannot be removed (Permission denied)")
    assert path.exists()
