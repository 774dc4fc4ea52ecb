"""Files of sentence pairs: tables, and the files of SemEval's STS tasks."""

from __future__ import annotations

from pathlib import Path

import pytest

from litotes.core.errors import LitotesError
from litotes.corpora.pairs import MIN_PAIRS, is_pair_file, read_pairs, read_scored_pairs

ROWS = [(f"Line {n} is long.", f"Line {n} is short.", n % 5) for n in range(MIN_PAIRS + 2)]


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def semeval(folder: Path, name: str, rows: list[tuple[str, str, str]]) -> Path:
    write(folder / f"STS.gs.{name}.txt", [score for *_, score in rows])
    return write(folder / f"STS.input.{name}.txt", [f"{left}\t{right}\tsource\tother" for left, right, _ in rows])


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("any.csv", [f"{left},{right},{score}" for left, right, score in ROWS]),
        ("any.tsv", ["score\tsentence1\tsentence2", *(f"{score}\t{left}\t{right}" for left, right, score in ROWS)]),
        (
            "SICK_test.txt",
            [
                "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment",
                *(f"{n}\t{left}\t{right}\t{score}\tNEUTRAL" for n, (left, right, score) in enumerate(ROWS)),
            ],
        ),
        (
            "sts.jsonl",
            [f'{{"sentence1": "{left}", "sentence2": "{right}", "score": {score}}}' for left, right, score in ROWS],
        ),
        (
            "sts-test.csv",
            [f"main-news,MSRvid,2012,{n:04},{score},{left},{right}" for n, (left, right, score) in enumerate(ROWS)],
        ),
    ],
)
def test_scored_pairs_of_every_table_are_equal(tmp_path: Path, name: str, lines: list[str]) -> None:
    pairs = read_scored_pairs(write(tmp_path / name, lines))
    assert [(pair.left, pair.right, pair.score) for pair in pairs] == [(*texts, float(score)) for *texts, score in ROWS]


def test_named_columns_are_read_without_scores(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.csv", ["before,after,note", "It is on.,It is off.,a", "It ran.,It runs.,b"])
    records = read_pairs(path, columns=("before", "after"))
    assert [(record.text, record.second_text) for record in records] == [
        ("It is on.", "It is off."), ("It ran.", "It runs."),
    ]  # fmt: skip
    with pytest.raises(LitotesError, match='no column "none"'):
        read_pairs(path, columns=("before", "none"))


def test_all_files_of_a_semeval_folder_are_one_set_of_pairs(tmp_path: Path) -> None:
    rows = [(left, right, str(score)) for left, right, score in ROWS]
    semeval(tmp_path, "MSRpar", rows[:6])
    path = semeval(tmp_path, "headlines", [*rows[6:], ("It is unscored.", "It has no score.", "")])
    assert [pair.left for pair in read_scored_pairs(tmp_path)] == [left for left, *_ in rows]
    assert read_pairs(path)[0].id == "STS.input.headlines.txt:1"
    assert is_pair_file(tmp_path) and is_pair_file(path) and not is_pair_file(tmp_path / "none")


def test_semeval_files_that_do_not_belong_together_are_rejected(tmp_path: Path) -> None:
    path = semeval(tmp_path, "news", [(left, right, str(score)) for left, right, score in ROWS])
    write(tmp_path / "STS.gs.news.txt", ["5.0"] * 3)
    with pytest.raises(LitotesError, match=r"STS\.input\.news\.txt:4: needs two sentences"):
        read_pairs(path)
    write(tmp_path / "STS.gs.news.txt", ["much"] * len(ROWS))
    with pytest.raises(LitotesError, match=r"STS\.gs\.news\.txt:1: is not a number: much"):
        read_pairs(path)
    (tmp_path / "STS.gs.news.txt").unlink()
    with pytest.raises(LitotesError, match="no such file"):
        read_pairs(path)
