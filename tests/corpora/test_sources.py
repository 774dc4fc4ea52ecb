"""Resolution of files, folders, globs, standard input and the built-in corpus."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.corpora.read import describe_sources, read_corpus, single_sentences


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with corpora and other files."""
    corpus = tmp_path / "corpus"
    files = {
        "b.txt": "It rains.\n",
        "a.jsonl": '{"text": "It snows."}\n',
        "deep/er/c.tsv.gz": gzip.compress(b"text\tn\nIt hails.\t1\n"),
        "README.txt": "Not a corpus.\n",
        "LICENSE.txt": "Free for all.\n",
        "labels.txt": "joy\n",
        ".hidden.txt": "Not seen.\n",
        "picture.png": b"\x89PNG\0",
    }
    for name, content in files.items():
        path = corpus / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return corpus


def ids(sources: Sequence[str | Path]) -> list[str]:
    return [record.id for record in read_corpus([str(source) for source in sources], strict=True)]


def test_folder_is_read_in_order(folder: Path) -> None:
    assert ids([folder]) == ["a.jsonl:1", "b.txt:1", "deep/er/c.tsv.gz:2"]


def test_globs_are_expanded(folder: Path) -> None:
    assert ids([folder / "*.[tj]*"])[:2] == ["LICENSE.txt:1", "README.txt:1"]
    assert ids([folder / "**" / "c*"]) == ["deep/er/c.tsv.gz:2"]
    assert ids([folder / "d*" / "er" / "*.gz"]) == ["deep/er/c.tsv.gz:2"]


def test_existing_file_is_not_a_glob(tmp_path: Path) -> None:
    path = tmp_path / "a[1].txt"
    path.write_text("It rains.\n")
    assert ids([path]) == ["a[1].txt:1"]


def test_sources_are_in_the_given_order_without_duplicates(folder: Path) -> None:
    assert ids([folder / "b.txt", folder, folder / "*.jsonl"]) == ["b.txt:1", "a.jsonl:1", "deep/er/c.tsv.gz:2"]


def test_files_with_equal_names_get_their_folders(tmp_path: Path) -> None:
    for part in ("x/one", "y/one", "y/two"):
        (tmp_path / part).mkdir(parents=True)
        (tmp_path / part / "talk.txt").write_text("It rains.\n")
    assert ids([tmp_path / "y/two/talk.txt", tmp_path / "y/one"]) == ["two/talk.txt:1", "one/talk.txt:1"]
    three = ids([tmp_path / "x/one/talk.txt", tmp_path / "y/one/talk.txt", tmp_path / "y/two/talk.txt"])
    assert three == ["x/one/talk.txt:1", "y/one/talk.txt:1", "two/talk.txt:1"]


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"It rains.\n\nIt pours.\n")))
    assert ids(["-"]) == ["stdin:1", "stdin:3"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_compressed_standard_input_is_read(pack: object) -> None:
    program = "from litotes.corpora.read import read_corpus; print([r.text for r in read_corpus(['-'])])"
    data = pack(b'{"text": "It rains."}\n{"text": "It pours."}\n')  # type: ignore[operator]
    done = subprocess.run([sys.executable, "-c", program], input=data, capture_output=True, check=True)
    assert done.stdout.decode().strip() == "['It rains.', 'It pours.']"


def test_missing_standard_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(LitotesError, match="standard input is closed"):
        list(read_corpus(["-"]))


def test_built_in_corpus_is_read() -> None:
    records = list(read_corpus(["builtin"], strict=True))
    names = {record.id.rpartition(":")[0] for record in records}
    assert len(records) == len({record.id for record in records})
    assert {"builtin/talk.txt", "builtin/paraphrases.tsv"} <= names
    assert all((record.second_text is not None) == ("paraphrases" in record.id) for record in records)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.txt", "nowhere.txt: no such file or folder"),
        ("nowhere/*.txt", "no file matches"),
        ("empty", "empty: no corpus file in the folder"),
        ("x" * 5_000, "no such file or folder"),
        ("a\0b", "no such file or folder"),
    ],
)
def test_missing_sources_are_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LitotesError, match=r"\[L201\]") as caught:
        read_corpus([name])  # without iterating
    assert message in str(caught.value)


def test_empty_list_of_sources_is_an_error() -> None:
    with pytest.raises(UsageError, match="no corpus was given"):
        read_corpus([])


def test_sources_are_described(folder: Path) -> None:
    first, second, third = describe_sources([str(folder)])
    data = (folder / "a.jsonl").read_bytes()
    assert first == {
        "name": "a.jsonl",
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "format": "jsonl",
        "licence": "Free for all.\n",
    }
    assert (second["format"], third["format"], third["licence"]) == ("text", "tsv", "")
    assert describe_sources([str(folder / "b.txt")], format="running")[0]["format"] == "running"


def test_names_do_not_contain_absolute_paths(folder: Path) -> None:
    description = str(describe_sources([str(folder), str(folder / "deep")]))
    assert str(folder.parent) not in description


@pytest.mark.parametrize(("name", "text"), [("LICENCE", "x" * 30_000), ("copying.md", "x" * 30_000)])
def test_long_licence_is_truncated(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "talk.txt").write_text("It rains.\n")
    (tmp_path / name).write_text(text)
    assert describe_sources([str(tmp_path / "talk.txt")])[0]["licence"] == "x" * 20_000


def test_binary_licence_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "talk.txt").write_text("It rains.\n")
    (tmp_path / "LICENSE.pdf").write_bytes(b"%PDF\xff\xfe")
    assert describe_sources([str(tmp_path / "talk.txt")])[0]["licence"] == ""


def test_stream_is_described_without_reading_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    for name in ("-", str(tmp_path / "pipe.txt")):
        description = describe_sources([name], format="text")[0]
        assert (description["bytes"], description["sha256"], description["format"]) == (0, "", "text")


def test_pairs_become_single_sentences(tmp_path: Path) -> None:
    (tmp_path / "p.tsv").write_text("premise\thypothesis\tlabel\nAnn ran.\tAnn slept.\tcontradiction\n")
    (tmp_path / "t.txt").write_text("It rains.\n")
    records = list(single_sentences(read_corpus([str(tmp_path)])))
    assert [(record.id, record.text, record.second_text, record.label) for record in records] == [
        ("p.tsv:2#1", "Ann ran.", None, ""),
        ("p.tsv:2#2", "Ann slept.", None, ""),
        ("t.txt:1", "It rains.", None, ""),
    ]
