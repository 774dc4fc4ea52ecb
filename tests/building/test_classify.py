"""Classification of NLI pairs: order, reproducible bytes, resuming, and which sentences are parsed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from litotes.building.developmental import classify
from litotes.building.developmental.classify import ClassifySettings, classify_nli
from litotes.core.errors import LitotesError
from litotes.corpora.nli import read_nli
from litotes.corpora.settings import ParquetSettings
from litotes.languages.negation_categories import CATEGORIES

PAIRS = [
    ("A woman waters her garden.", "The gardeners do not have a hose.", "contradiction"),
    ("A woman waters her garden.", "There is no cat in the garden.", "neutral"),
    ("A woman waters her garden.", "A woman is outside.", "entailment"),
    ("I don't know where the ferry leaves.", "I can't find the ferry.", "neutral"),
    ("I don't know where the ferry leaves.", "I know where it leaves.", "contradiction"),
    ("Don't touch the stove.", "The stove is hot.", "-"),
    ("They do not want any soup.", "They don't want the soup.", "entailment"),
    ("It isn't a lighthouse.", "It is a lighthouse.", "contradiction"),
]


def snli_lines(pairs: list[tuple[str, str, str]]) -> str:
    return "".join(
        json.dumps({"gold_label": label, "pairID": f"p{number}", "sentence1": premise, "sentence2": hypothesis}) + "\n"
        for number, (premise, hypothesis, label) in enumerate(pairs)
    )


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    path.write_text(snli_lines(PAIRS), "utf-8")
    return path


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_writes_every_pair_in_order_with_the_categories_of_each_side(corpus: Path, tmp_path: Path) -> None:
    result = classify_nli(corpus, tmp_path / "out.jsonl", ClassifySettings(rules="paper"))
    output = rows(result.out)
    assert [(row["premise"], row["hypothesis"]) for row in output] == [pair[:2] for pair in PAIRS]
    assert [row["label"] for row in output] == ["" if pair[2] == "-" else pair[2] for pair in PAIRS]
    assert [(row["premise_categories"], row["hypothesis_categories"]) for row in output] == [
        ([], ["possession"]),
        ([], ["existence"]),
        ([], []),
        (["epistemic"], ["inability"]),
        (["epistemic"], []),
        (["prohibition"], []),
        (["rejection"], ["rejection"]),
        (["labeling"], []),
    ]
    assert (result.pairs, result.unlabelled, result.negated) == (8, 1, 7)
    assert result.counts["rejection"] == {"premise": 1, "hypothesis": 1, "either": 1, "both": 1}
    assert result.counts["epistemic"] == {"premise": 2, "hypothesis": 0, "either": 2, "both": 0}
    # Nine different sentences have a marker; one of them occurs twice.
    assert result.parsed == 8
    assert list(tmp_path.glob("*.part*")) == []


def test_the_output_can_be_read_as_an_nli_file_with_categories(corpus: Path, tmp_path: Path) -> None:
    out = classify_nli(corpus, tmp_path / "out.jsonl", ClassifySettings(rules="paper")).out
    pairs = list(read_nli([str(out)], strict=True))
    assert len(pairs) == 7  # one has no gold label
    assert [pair.categories for pair in pairs[:4]] == [("possession",), ("existence",), (), ("inability", "epistemic")]
    assert all(row[category] in (0, 1) for row in rows(out) for category in CATEGORIES)


@pytest.mark.parametrize("rules", ["paper", "litotes"])
def test_the_prefilter_does_not_change_the_categories(corpus: Path, tmp_path: Path, rules: Any) -> None:
    fast = classify_nli(corpus, tmp_path / "fast.jsonl", ClassifySettings(rules=rules))
    slow = classify_nli(corpus, tmp_path / "slow.jsonl", ClassifySettings(rules=rules, prefilter=False))
    assert fast.out.read_bytes() == slow.out.read_bytes()
    assert slow.parsed == len({text for pair in PAIRS for text in pair[:2]}) > fast.parsed


def test_reads_several_formats_and_named_columns(tmp_path: Path) -> None:
    (tmp_path / "mnli.tsv").write_text("premise\thypo\tlabel\nDon't shout.\tPeople whisper.\tneutral\n", "utf-8")
    (tmp_path / "own.csv").write_text("said,meant\nDon't shout.,Be quiet.\n", "utf-8")
    first = classify_nli(tmp_path / "mnli.tsv", tmp_path / "a.jsonl")
    second = classify_nli(tmp_path / "own.csv", tmp_path / "b.jsonl", ClassifySettings(columns=("said", "meant")))
    for found, label in ((first, "neutral"), (second, "")):
        (row,) = rows(found.out)
        assert (row["premise_categories"], row["label"]) == (["prohibition"], label)


class Small:
    """A corpus of several small blocks."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(classify, "BLOCK_SIZE", 2)
        self.corpus, self.out = folder / "pairs.jsonl", folder / "out.jsonl"
        self.corpus.write_text(snli_lines(PAIRS), "utf-8")
        self.part, self.key = folder / "out.jsonl.part", folder / "out.jsonl.part.key"
        self.whole = classify_nli(self.corpus, folder / "whole.jsonl").out.read_bytes()

    def stopped_after(self, blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """Interrupt a call after some blocks."""
        write = classify.PartFile.write
        written = 0

        def stop(part: Any, lines: list[str]) -> None:
            nonlocal written
            if written == blocks:
                raise KeyboardInterrupt
            written += 1
            write(part, lines)

        with monkeypatch.context() as patched:
            patched.setattr(classify.PartFile, "write", stop)
            with pytest.raises(KeyboardInterrupt):
                classify_nli(self.corpus, self.out)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Small:
    return Small(tmp_path, monkeypatch)


@pytest.mark.parametrize("blocks", [1, 3])
def test_resumes_after_an_interruption(small: Small, monkeypatch: pytest.MonkeyPatch, blocks: int) -> None:
    small.stopped_after(blocks, monkeypatch)
    assert small.part.exists() and not small.out.exists()
    result = classify_nli(small.corpus, small.out)
    assert (result.resumed, result.pairs) == (2 * blocks, 8)
    assert small.out.read_bytes() == small.whole
    assert not small.part.exists() and not small.key.exists()


def test_an_interrupted_call_without_output_leaves_no_files(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    small.stopped_after(0, monkeypatch)
    assert not small.part.exists() and not small.key.exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-7],  # half a line
        lambda data: data.replace(b"garden", b"forest", 1),
        lambda data: b"\0" * len(data),
        lambda data: data + b'{"id": "more"}\n' * 9,
        lambda data: data.replace(b'"premise_categories": []', b'"premise_categories": 0', 1),
    ],
)
def test_repeats_damaged_lines(small: Small, monkeypatch: pytest.MonkeyPatch, damage: Callable[[bytes], bytes]) -> None:
    small.stopped_after(2, monkeypatch)
    small.part.write_bytes(damage(small.part.read_bytes()))
    classify_nli(small.corpus, small.out)
    assert small.out.read_bytes() == small.whole


def test_starts_again_if_corpus_or_rules_have_changed(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    small.stopped_after(2, monkeypatch)
    assert classify_nli(small.corpus, small.out, ClassifySettings(rules="paper")).resumed == 0
    small.stopped_after(2, monkeypatch)
    small.corpus.write_text(snli_lines(PAIRS[::-1]), "utf-8")
    result = classify_nli(small.corpus, small.out)
    assert result.resumed == 0
    assert [row["premise"] for row in rows(result.out)] == [pair[0] for pair in PAIRS[::-1]]


def test_refuses_two_calls_at_the_same_time(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    from litotes.building.developmental.classify import PartFile

    held = PartFile(small.out, "other")
    with pytest.raises(LitotesError, match="another command is writing this file"):
        classify_nli(small.corpus, small.out)
    held.close()
    assert classify_nli(small.corpus, small.out).pairs == 8


def test_rejects_corpora_without_labelled_pairs(tmp_path: Path) -> None:
    (tmp_path / "talk.txt").write_text("Nobody came.\n", "utf-8")
    (tmp_path / "odd.csv").write_text("premise,hypothesis,label\nIt rains.,It pours.,maybe\n", "utf-8")
    with pytest.raises(LitotesError, match=r"talk.txt:1: has one sentence"):
        classify_nli(tmp_path / "talk.txt", tmp_path / "out.jsonl")
    with pytest.raises(LitotesError, match="is not an NLI label"):
        classify_nli(tmp_path / "odd.csv", tmp_path / "out.jsonl", ClassifySettings(columns=("premise", "hypothesis")))
    with pytest.raises(LitotesError, match='unknown rules "papers"; did you mean paper'):
        classify_nli(tmp_path / "odd.csv", tmp_path / "out.jsonl", ClassifySettings(rules="papers"))  # type: ignore[arg-type]
    with pytest.raises(LitotesError, match="is a folder"):
        classify_nli(tmp_path / "odd.csv", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["odd.csv", "talk.txt"]


@pytest.mark.shared
def test_categories_mostly_agree_with_the_published_flags(shared_data: Path, tmp_path: Path) -> None:
    """Compare the paper's rules with the flags of a part of the published sets."""
    lines = (shared_data / "devneg" / "rejection_train_innoculation_v5.jsonl").read_text("utf-8").splitlines()[:150]
    (tmp_path / "slice.jsonl").write_text("\n".join(lines), "utf-8")
    result = classify_nli(tmp_path / "slice.jsonl", tmp_path / "out.jsonl", ClassifySettings(rules="paper"))
    assert result.counts["rejection"]["either"] >= 0.85 * 150


def test_parquet_has_the_rows_of_json_lines_and_resumes(corpus: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    lines = classify_nli(corpus, tmp_path / "out.jsonl")
    settings = ParquetSettings(part_rows=3)
    result = classify_nli(corpus, tmp_path / "out.parquet", parquet=settings)
    assert parquet.read_table(result.out).to_pylist() == rows(lines.out)
    assert (result.counts, result.negated, result.unlabelled) == (lines.counts, lines.negated, lines.unlabelled)
    expected = {path.name: path.read_bytes() for path in result.out.iterdir()}
    (result.out / "part-00001.parquet").unlink()
    again = classify_nli(corpus, tmp_path / "out.parquet", workers=2, parquet=settings)
    assert again.resumed == 3 and again.counts == lines.counts
    assert {path.name: path.read_bytes() for path in result.out.iterdir()} == expected
    assert [pair.categories is not None for pair in read_nli([str(result.out)])] == [True] * 7
