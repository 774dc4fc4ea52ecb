"""Atomic writing, reading and hashing of files, and errors."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from litotes.core.errors import LitotesError, UsageError, single_line
from litotes.core.files import (
    atomic_writer,
    check_is_small,
    ensure_writable,
    expand_user,
    follow_umask,
    is_encodable,
    read_json,
    read_json_lines,
    read_lines,
    read_small_file,
    sha256_file,
    to_json,
    write_atomic,
    write_together,
)
from litotes.core.temporary_files import temporary_folder
from tests.kills import kill_before_each_change


def python(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a program in another process, which it may kill or limit."""
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True, check=False
    )


# Writing


def test_file_is_written_and_its_folders_are_created(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file.txt"
    write_atomic(path, "größer 😀")
    assert path.read_bytes() == "größer 😀".encode()
    write_atomic(path, b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_permissions_follow_the_umask(tmp_path: Path, mask: int) -> None:
    path = tmp_path / "file"
    before = os.umask(mask)
    try:
        write_atomic(path, "text")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask


CRASH = """
import os, sys
from pathlib import Path
from litotes.core.files import write_together
def crash(event, arguments):
    if event == "os.rename":
        os._exit(9)
sys.addaudithook(crash)
write_together({Path(name): "new" for name in sys.argv[1:]})
"""


def test_crash_before_the_replacement_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    assert python(CRASH, path).returncode == 9
    assert path.read_text() == "old"
    # The temporary file of the crashed process is hidden.
    assert all(file.name.startswith(".") for file in tmp_path.iterdir() if file != path)
    write_atomic(path, "newer")
    assert path.read_text() == "newer"
    assert list(tmp_path.iterdir()) == [path]  # the next process has deleted it


def convert(target: Path) -> None:
    """Write a folder under a temporary name."""
    with temporary_folder(target) as folder:
        (folder / "part").write_text("large")
        folder.rename(target)


def test_temporary_folder_of_a_killed_process_is_deleted(tmp_path: Path) -> None:
    target = tmp_path / "cache" / "converted"
    for _ in kill_before_each_change(tmp_path, lambda: convert(target)):
        shutil.rmtree(target, ignore_errors=True)
        convert(target)
        assert list(target.parent.iterdir()) == [target]
        shutil.rmtree(target)


def test_temporary_folder_of_a_running_process_is_left_alone(tmp_path: Path) -> None:
    with temporary_folder(tmp_path / "converted") as folder:
        (folder / "part").write_text("mine")
        convert(tmp_path / "converted")
        assert (folder / "part").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["converted"]


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_files_of_libraries_follow_the_umask(tmp_path: Path, mask: int) -> None:
    (tmp_path / "model").touch(0o600)
    before = os.umask(mask)
    try:
        follow_umask([tmp_path / "model"])
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert (tmp_path / "model").stat().st_mode & 0o777 == 0o666 & ~mask


def test_temporary_file_of_a_running_process_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with atomic_writer(path) as write:
        write("first")
        write_atomic(path, "second")
        assert path.read_text() == "second"
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_only_look_like_temporary_ones_are_left_alone(tmp_path: Path) -> None:
    names = {".litotes-.tmp", ".0123456789abcdef.tmp", ".file.tmp", "file.tmp"}
    for name in names:
        (tmp_path / name).write_text("mine")
    write_atomic(tmp_path / "file", "text")
    assert {path.name for path in tmp_path.iterdir()} == names | {"file"}


def test_loop_of_links_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(LitotesError, match="L401"):
        write_atomic(tmp_path / "a", "text")


def test_nothing_is_replaced_if_a_pipe_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LitotesError, match=r"L401.*pipe: no process reads this pipe"):
        write_together({tmp_path / "file": "new", tmp_path / "pipe": "new"})
    assert (tmp_path / "file").read_text() == "old"
    assert (tmp_path / "pipe").is_fifo() and len(list(tmp_path.iterdir())) == 2


LIMITED = """
import resource, sys
from pathlib import Path
from litotes.core.files import write_together
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
write_together({Path(sys.argv[1]): "new", Path(sys.argv[2]): "x" * 20_000})
"""


def test_failed_write_leaves_all_old_files_and_no_temporary_ones(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("old first")
    second.write_text("old second")
    done = python(LIMITED, first, second)
    assert f"[L401] {second}: cannot be written (File too large)" in done.stderr
    assert (first.read_text(), second.read_text()) == ("old first", "old second")
    assert sorted(tmp_path.iterdir()) == [first, second]


def test_failed_replacement_is_an_error_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(LitotesError, match=r"L401.*folder: cannot be written \(Is a directory\)"):
        write_atomic(tmp_path / "folder", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_interrupt_leaves_no_temporary_file(tmp_path: Path) -> None:
    def contents() -> Iterator[tuple[Path, str]]:
        yield tmp_path / "one", "text"
        raise KeyboardInterrupt

    class Interrupted(dict[Path, str]):
        def items(self):  # type: ignore[no-untyped-def]
            return contents()

    with pytest.raises(KeyboardInterrupt):
        write_together(Interrupted())
    assert list(tmp_path.iterdir()) == []


def test_longest_possible_name_is_written(tmp_path: Path) -> None:
    write_atomic(tmp_path / ("a" * 255), "text")


def test_full_disk_is_an_error(small_disk: Path, fill) -> None:  # type: ignore[no-untyped-def]
    write_atomic(small_disk / "file", "old")
    fill(small_disk)
    with pytest.raises(LitotesError, match=r"L402.*file: the disk is full; free some space"):
        write_atomic(small_disk / "file", "new" * 10_000)
    assert (small_disk / "file").read_text() == "old"
    assert sorted(path.name for path in small_disk.iterdir()) == ["file", "filler"]
    with pytest.raises(LitotesError, match="L402"):
        ensure_writable(small_disk / "more")


def test_atomic_writer_creates_the_file_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    with atomic_writer(path) as write:
        for text in ("one ", "größer ", "😀"):
            write(text)
        assert not path.exists()
    assert path.read_text("utf-8") == "one größer 😀"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError])
def test_atomic_writer_leaves_the_old_file_after_an_exception(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(error), atomic_writer(path) as write:
        write("new" * 10_000)
        raise error
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_atomic_writer_refuses_a_folder(tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=r"L401.*\(Is a directory\)"), atomic_writer(tmp_path):
        raise AssertionError("the error must come first")


def test_atomic_writer_on_a_disk_that_becomes_full_is_an_error(small_disk: Path, fill) -> None:  # type: ignore[no-untyped-def]
    path = small_disk / "file"
    write_atomic(path, "old")
    fill(small_disk, leave=100_000)
    with pytest.raises(LitotesError, match=r"L402.*file: the disk is full"), atomic_writer(path) as write:
        for _ in range(1000):
            write("new" * 1000)
    assert path.read_text() == "old"
    assert sorted(file.name for file in small_disk.iterdir()) == ["file", "filler"]


def test_ensure_writable_leaves_no_files(tmp_path: Path) -> None:
    ensure_writable(tmp_path)
    ensure_writable(tmp_path / "new" / "newer")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("")
    for name in ("file", "file/below", "a" * 300):
        with pytest.raises(LitotesError, match="L401"):
            ensure_writable(tmp_path / name)


def test_ensure_writable_accepts_relative_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ensure_writable(Path("runs"))
    ensure_writable(Path())
    assert list(tmp_path.iterdir()) == []


# Reading


def test_lines_are_read_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes("\ufeffone\r\n\r\n  \ntwo\u2028still two\x85\nthree".encode())
    assert list(read_lines(path)) == [(1, "one"), (4, "two\u2028still two\x85"), (5, "three")]


def test_bom_is_removed_only_at_the_beginning(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("one\n\ufefftwo\n", "utf-8")
    assert [line for _, line in read_lines(path)] == ["one", "\ufefftwo"]


def test_line_of_the_maximum_length_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a" * ((1 << 20) - 1) + b"\n" + b"a" * (1 << 20) + b"\n")
    lines = read_lines(path)
    assert len(next(lines)[1]) == (1 << 20) - 1
    with pytest.raises(LitotesError, match=r"L208.*file:2: the line is longer"):
        next(lines)


def test_json_errors_name_the_position(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text('{\n  "a": 1,\n  b\n}')
    with pytest.raises(LitotesError, match=r"L203.*file\.json: is not JSON \(.* at line 3, column 3\)"):
        read_json(path)
    path.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(LitotesError, match=r"L207.*file\.json: is not UTF-8"):
        read_json(path)
    path.write_text("[]")
    with pytest.raises(LitotesError, match=r"file\.json: must be a JSON object, not a list"):
        read_json(path)
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert read_json(path) == {"a": 1}
    assert list(read_json_lines(path)) == [(1, {"a": 1})]


def test_paths_that_are_not_regular_files_are_errors(tmp_path: Path) -> None:
    for path, message in (
        (tmp_path, "is a folder"),
        (tmp_path / "gone", "no such file"),
        (Path("/dev/null"), "is not a regular file"),
        (tmp_path / ("a" * 300), "cannot be read"),
        (Path("a\x00b"), "cannot be read"),
    ):
        with pytest.raises(LitotesError, match=message):
            read_json(path)


def test_sha256_matches_sha256sum(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abc" * 1_000_000)
    output = subprocess.run(["sha256sum", str(path)], capture_output=True, text=True, check=True).stdout
    assert sha256_file(path) == output.split()[0]


def test_home_folders_are_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert expand_user("~/file") == Path("/home/ann/file")
    assert expand_user("~no-such-user/file") == Path("~no-such-user/file")


# Texts and errors


def test_json_can_always_be_encoded_as_utf8() -> None:
    assert to_json({"a": "ü"}) == '{"a": "ü"}'
    assert to_json({"a": "ü\udcff"}) == '{"a": "\\u00fc\\udcff"}'
    assert is_encodable("😀") and not is_encodable("\ud83d")


def test_error_is_one_line_without_control_characters() -> None:
    error = UsageError("L102", "two  words\nand \x1b[31mred\udcff", hint="do\r\nthis")
    assert str(error) == "[L102] two  words and \\x1b[31mred\\udcff; do this"
    assert single_line("") == ""
    with pytest.raises(ValueError, match="unknown error code"):
        LitotesError("L000", "nothing")


def test_error_can_be_pickled() -> None:
    import pickle

    error = pickle.loads(pickle.dumps(UsageError("L102", "wrong", hint="right", is_retryable=True)))
    assert (type(error), str(error), error.exit_code) == (UsageError, "[L102] wrong; right", 2)
    assert error.is_retryable


# Small files


@pytest.mark.parametrize("read", [read_json, read_small_file, check_is_small])
def test_small_files_are_limited_and_regular(read: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / "huge").touch()
    os.truncate(tmp_path / "huge", 1 << 40)  # sparse
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zeros").symlink_to("/dev/zero")
    for name, code in (("huge", "L209"), ("pipe", "L202"), ("zeros", "L202"), ("absent", "L201"), (".", "L202")):
        with pytest.raises(LitotesError) as error:
            read(tmp_path / name)
        assert error.value.code == code


def test_a_file_that_grows_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "grown").write_bytes(b"12345")
    assert read_small_file(tmp_path / "grown", 5) == b"12345"
    with pytest.raises(LitotesError, match="L209"):
        read_small_file(tmp_path / "grown", 4)
