"""Unreadable lines and files: counts with line numbers, or one-line errors."""

from __future__ import annotations

import bz2
import gzip
import os
import random
from pathlib import Path

import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.corpora.base import PROBLEM_KINDS, Problems, Record
from litotes.corpora.read import read_corpus

SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"


def write(path: Path, content: str | bytes) -> str:
    path.write_bytes(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)
    return str(path)


def lenient(path: str, **options: object) -> tuple[list[Record], Problems]:
    problems = Problems()
    return list(read_corpus([path], problems=problems, **options)), problems  # type: ignore[arg-type]


def failure(path: str, **options: object) -> LitotesError:
    with pytest.raises(LitotesError) as caught:
        list(read_corpus([path], **options))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return caught.value


def test_undecodable_lines_are_counted_with_their_numbers(tmp_path: Path) -> None:
    path = write(tmp_path / "talk.txt", b"One.\nTw\xff\xfeo.\nThree.\nF\xe9ur.\nFive.\n")
    records, problems = lenient(path)
    assert [record.id for record in records] == ["talk.txt:1", "talk.txt:3", "talk.txt:5"]
    assert (problems.count, problems.by_kind) == (2, {"encoding": 2})
    assert [(problem.file, problem.line, problem.kind) for problem in problems.first] == [
        ("talk.txt", 2, "encoding"),
        ("talk.txt", 4, "encoding"),
    ]


def test_line_numbers_are_correct_after_many_blocks(tmp_path: Path) -> None:
    lines = [b"The gate to the old garden is not open today."] * 20_000
    lines[12_345] = b"Not t\xe9xt."
    records, problems = lenient(write(tmp_path / "talk.txt", b"\r\n".join(lines)))
    assert problems.first[0].line == 12_346
    assert [record.id for record in records[12_344:12_346]] == ["talk.txt:12345", "talk.txt:12347"]
    assert records[-1].id == "talk.txt:20000"


def test_file_in_another_encoding_is_an_error(tmp_path: Path) -> None:
    error = failure(write(tmp_path / "talk.txt", "Äpfel fehlen.\nÖl fehlt.\nNo.\n".encode("latin-1")))
    assert str(error) == "[L207] talk.txt: is not UTF-8 text (2 of its first 3 lines are not); save it as UTF-8"


def test_large_file_in_another_encoding_is_refused_after_1000_lines(tmp_path: Path) -> None:
    problems = Problems()
    path = write(tmp_path / "talk.txt", "Äpfel fehlen.\n".encode("latin-1") * 100_000)
    with pytest.raises(LitotesError, match="1,000 of its first 1,000 lines"):
        list(read_corpus([path], problems=problems))
    assert problems.count == 1_000


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_utf_16_is_an_error(tmp_path: Path, encoding: str) -> None:
    assert failure(write(tmp_path / "talk.txt", "No apples.\n".encode(encoding))).code in ("L202", "L207")


@pytest.mark.parametrize(
    ("name", "content", "description"),
    [
        ("a.txt", b"One.\nTwo\0.\n", "is a binary file"),
        ("a.txt", random.Random(5).randbytes(5_000), "is a binary file"),
        ("a.txt", b"PK\x03\x04 and so on", "is a zip archive"),
        ("a.csv", b"%PDF-1.7\nabc", "is a PDF file"),
        ("a.txt", b"\xfd7zXZ\x00", "is an xz file"),
    ],
)
def test_binary_files_are_errors(tmp_path: Path, name: str, content: bytes, description: str) -> None:
    error = failure(write(tmp_path / name, content))
    assert error.code == "L202"
    assert description in str(error)


def test_late_nul_byte_skips_one_line(tmp_path: Path) -> None:
    records, problems = lenient(write(tmp_path / "a.txt", b"A long line of text.\n" * 9_000 + b"Bad\0.\nGood.\n"))
    assert (len(records), problems.by_kind, problems.first[0].line) == (9_001, {"binary": 1}, 9_001)


@pytest.mark.parametrize("size", [1_048_577, 5_000_000])
@pytest.mark.parametrize("end", [b"\nThree.\n", b""])
def test_line_of_megabytes_is_skipped(tmp_path: Path, size: int, end: bytes) -> None:
    records, problems = lenient(write(tmp_path / "a.txt", b"One.\n" + b"x" * size + end))
    assert problems.by_kind == {"too-long": 1}
    assert problems.first[0].line == 2
    assert [record.id for record in records] == (["a.txt:1", "a.txt:3"] if end else ["a.txt:1"])


def test_line_of_the_maximum_length_is_read(tmp_path: Path) -> None:
    records, problems = lenient(write(tmp_path / "a.txt", b"One.\n" + b"x" * 1_048_576 + b"\nThree.\n"))
    assert (len(records), problems.count) == (3, 0)


def test_running_text_without_the_end_of_a_sentence_is_reported(tmp_path: Path) -> None:
    records, problems = lenient(write(tmp_path / "a.txt", "word " * 40_000 + "\n\nIt ends. Here.\n"), split=True)
    assert [record.text for record in records] == ["It ends.", "Here."]
    assert problems.by_kind == {"too-long": 1}


@pytest.mark.parametrize("content", ["", "\n\n  \n", "\ufeff"])
@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv", "a.tsv", "a.conllu", "a.txt.gz"])
def test_empty_file_is_an_error(tmp_path: Path, name: str, content: str) -> None:
    data = gzip.compress(content.encode()) if name.endswith("gz") else content
    error = failure(write(tmp_path / name, data))
    assert str(error) == f"[L204] {name}: no sentence could be read (it is empty); check the file and its format"


def test_second_file_may_be_empty(tmp_path: Path) -> None:
    empty = write(tmp_path / "a.txt", "")
    full = write(tmp_path / "b.txt", "One.\n")
    assert [record.id for record in read_corpus([empty, full])] == ["b.txt:1"]


def test_file_with_only_unreadable_lines_is_an_error(tmp_path: Path) -> None:
    error = failure(write(tmp_path / "a.jsonl", "{\n"))
    assert error.code == "L204"
    assert "1 line skipped: 1 json; a.jsonl:1 (json)" in str(error)


BAD_ROWS = [
    ("a.jsonl", '{"text": "One."}\n{"text": "Tw\n["Three"]\n{"txt": 4}\n{"text": 5}\n{"text": " "}\n',
     {"columns": 1, "empty": 1, "json": 2, "not-text": 1}),
    ("a.jsonl", '{"text": "One."}\n{"text": "half \\ud800"}\n' + "[" * 100_000 + "\n", {"encoding": 1, "json": 1}),
    ("a.jsonl", '{"text": "One.", "n": 1}\n{"text": "Two.", "n": ' + "9" * 5_000 + "}\n", {"json": 1}),
    ("a.tsv", "nr\ttext\n1\tOne.\n2\n3\ta\tb\n4\t \n", {"columns": 2, "empty": 1}),
    ("a.csv", "nr,text\n1,One.\n2\n3,a,b\n", {"columns": 2}),
    ("a.csv", 'nr,text\n1,One.\n2,"a"b\n', {"quotes": 1}),
    ("a.csv", "nr,text\n1,One.\n2," + "x" * 200_000 + "\n", {"too-long": 1}),
    ("a.csv", 'nr,text\n1,One.\n2,"of three\n\udcff\nlines"\n', {"encoding": 1}),
    ("a.txt", SICK + "1\tA.\tB.\t1\tNEUTRAL\n2\tA.\tB.\tnan\tNEUTRAL\n3\tA.\tB.\t1\tMAYBE\n4\tA.\tB.\n",
     {"columns": 1, "label": 1, "score": 1}),
    ("dev.tsv", "One.\t27\tab12cd3\nTwo.\tjoy\tab12cd4\n", {"label": 1}),
    ("a.conllu", "# text = One.\n1\tOne\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tTwo\n2\tmore\n\n", {"conllu": 1}),
    ("a.conllu", "# text = One.\n1\tOne\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tTw\udcff\n2\tmore\n\n", {"encoding": 1}),
    ("a.mrg", "( (S (NN One) ))\n( (S (NN Two)\n( (S (NN Three)\n", {"ptb": 2}),
    ("a.mrg", "( (S (NN One) ))\n( (S (NN Tw\udcff) )\n  (NN more) )\n", {"encoding": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "kinds"), BAD_ROWS)
def test_invalid_rows_are_counted_and_the_others_are_read(
    tmp_path: Path, name: str, content: str, kinds: dict[str, int]
) -> None:
    path = write(tmp_path / name, content)
    records, problems = lenient(path)
    assert len(records) == 1
    assert problems.by_kind == kinds
    error = failure(path, strict=True)
    first = problems.first[0]
    assert str(error).startswith(
        f"[{PROBLEM_KINDS[first.kind][0]}] {name}:{first.line}: {PROBLEM_KINDS[first.kind][1]}"
    )


@pytest.mark.parametrize("after", [3, 3_000])
def test_unclosed_quotation_mark_skips_one_line(tmp_path: Path, after: int) -> None:
    rows = "".join(f"{number},Row {number} is here.\n" for number in range(after))
    records, problems = lenient(write(tmp_path / "a.csv", 'nr,text\nx,"Not closed.\n' + rows))
    assert (len(records), problems.by_kind, problems.first[0].line) == (after, {"quotes": 1}, 2)
    assert records[-1].id == f"a.csv:{after + 2}"


@pytest.mark.parametrize(
    ("name", "content", "columns", "message"),
    [
        ("a.csv", "nr,said\n1,No.\n", ["text"], 'no column "text"; the columns are nr, said'),
        ("a.tsv", "nr\tsaid\n1\tNo.\n", ["3"], 'no column "3"; the columns are nr, said'),
        ("a.jsonl", '{"nr": 1, "said": "No."}\n', ["text"], 'no column "text"; the columns are nr, said'),
        (
            "a.csv",
            "one,more,still\nNo.,Yes.,Ann\n",
            [],
            "it is unclear which column contains the text; choose one or two of: one, more, still",
        ),
        (
            "a.jsonl",
            '{"nr": 1, "said": "No."}\n',
            [],
            "it is unclear which column contains the text; choose one or two of: nr, said",
        ),
        ("a.csv", "a,b,c\n1,2,3\n", ["a", "b", "c"], "3 columns were given"),
    ],
)
def test_wrong_columns_are_errors(tmp_path: Path, name: str, content: str, columns: list[str], message: str) -> None:
    error = failure(write(tmp_path / name, content), columns=columns)
    assert isinstance(error, UsageError)
    assert message in str(error)


def test_json_array_is_an_error(tmp_path: Path) -> None:
    error = failure(write(tmp_path / "a.json", '[\n{"text": "No."}\n]\n'))
    assert "a.json:1: is a JSON array; one JSON object per line is needed" in str(error)


LINES = "".join(f"Gate {number * number * 7919 % 10_007} is not open.\n" for number in range(40_000)).encode()


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_truncated_compressed_file_is_an_error_after_its_records(tmp_path: Path, ending: str, pack: object) -> None:
    packed = pack(LINES)  # type: ignore[operator]
    path = write(tmp_path / f"a.txt{ending}", packed[: len(packed) * 2 // 3])
    read = []
    with pytest.raises(LitotesError, match=r"\[L203\] a\.txt.*: is truncated") as caught:
        for record in read_corpus([path]):
            read.append(record.text)
    assert caught.value.code == "L203"
    assert len(read) > 1_000 or ending == ".bz2"  # bz2 packs in large blocks
    assert "".join(f"{text}\n" for text in read).encode() == LINES[: len("".join(f"{text}\n" for text in read))]


@pytest.mark.parametrize("missing", [9, 4])
def test_small_truncated_compressed_file_is_an_error(tmp_path: Path, missing: int) -> None:
    packed = gzip.compress(b"One.\nTwo.\n")[:-missing]
    records = read_corpus([write(tmp_path / "a.txt.gz", packed)])
    with pytest.raises(LitotesError, match="is truncated"):
        list(records)


def test_damaged_compressed_file_is_an_error(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(LINES, mtime=0))
    packed[len(packed) // 2 : len(packed) // 2 + 50] = b"\xaa" * 50
    error = failure(write(tmp_path / "a.txt.gz", bytes(packed)))
    assert error.code == "L203"
    assert "is damaged" in str(error)


def test_file_without_read_permission_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "One.\n")
    os.chmod(path, 0)  # noqa: PTH101
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    assert failure(path).code == "L201"


def test_problems_store_the_first_and_count_all() -> None:
    problems = Problems(max_examples=2)
    for line in range(1, 1_501):
        problems.add("a.txt", line, "encoding")
    assert (problems.count, len(problems.first)) == (1_500, 2)
    assert problems.summary() == "1,500 lines skipped: 1,500 encoding; a.txt:1 (encoding), a.txt:2 (encoding), …"
    assert Problems().summary() == "no line skipped"


def test_random_bytes_never_raise_other_exceptions(tmp_path: Path) -> None:
    chance = random.Random(11)
    signs = [b"\n", b"\r", b'"', b",", b"\t", b"{", b"}", b"a", b" ", b"\xff", b"\xc3\xa9", b"1", b"# text = ", b"text"]
    for name in ("a.txt", "a.jsonl", "a.csv", "a.tsv", "a.conllu", "a.txt.gz", "stsb.csv"):
        for _ in range(60):
            path = write(tmp_path / name, b"".join(chance.choices(signs, k=300)))
            for split in (False, True):
                try:
                    ids = [record.id for record in read_corpus([path], split=split)]
                except LitotesError:
                    continue
                assert len(ids) == len(set(ids))
