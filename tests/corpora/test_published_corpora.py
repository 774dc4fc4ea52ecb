"""Reading of published corpora."""

from __future__ import annotations

from pathlib import Path

import pytest

from litotes.corpora.read import describe_sources, read_corpus, single_sentences

pytestmark = pytest.mark.shared

WHOLE = [
    ("sick", "sick", 5_000),
    ("mrpc", "mrpc", 4_076),
    ("stsb", "stsb", 7_249),
    ("goemotions", "goemotions", 48_836),
    ("snli", "snli", 109_842),
    ("mnli", "mnli", 24_816),
    ("tatoeba", "text", 69_241),
    ("ud_ewt", "conllu", 2_001),
    ("devneg/*_undersampled", "mnli", 5_666),
]


@pytest.mark.parametrize(("pattern", "format", "count"), WHOLE)
def test_every_line_of_published_corpora_is_read(shared_data: Path, pattern: str, format: str, count: int) -> None:
    sources = [str(shared_data / pattern)]
    ids = set()
    labels = set()
    for record in read_corpus(sources, strict=True):
        assert record.text and record.text == record.text.strip()
        ids.add(record.id)
        labels.add(record.label)
    assert len(ids) == count
    assert {source["format"] for source in describe_sources(sources)} == {format}
    if format in ("snli", "mnli", "sick"):
        assert labels - {""} == {"entailment", "neutral", "contradiction"}


def test_scores_are_read(shared_data: Path) -> None:
    for folder, least, most in (("sick", 1, 5), ("stsb", 0, 5)):
        scores = [record.score for record in read_corpus([str(shared_data / folder)])]
        assert (min(scores), max(scores)) == (least, most)  # type: ignore[type-var]


def test_pairs_without_a_gold_label_have_an_empty_label(shared_data: Path) -> None:
    records = read_corpus([str(shared_data / "snli" / "train_100k.jsonl.gz")])
    assert sum(record.label == "" for record in records) == 110


def test_pairs_become_single_sentences(shared_data: Path) -> None:
    records = list(single_sentences(read_corpus([str(shared_data / "sick" / "SICK_trial.txt")])))
    assert len({record.id for record in records}) == 1_000
    assert records[0].id == "SICK_trial.txt:4#1"


def test_column_of_a_corpus_is_chosen(shared_data: Path) -> None:
    path = str(shared_data / "semantoneg" / "SemAntoNeg_v1.0.json")
    assert sum(1 for _ in read_corpus([path], columns=["input"], strict=True)) == 3_152
