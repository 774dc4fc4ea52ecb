"""The built-in lists contain exactly the models of the papers."""

from __future__ import annotations

from functools import cache

import pytest

from litotes import published_results
from litotes.evaluation.model_list import ModelEntry, ModelList, load_model_list

GROUP_OF_TABLE = {3: "generic", 4: "paraphrase", 5: "NLI", 6: "STS"}


@cache
def listed_in(name: str) -> ModelList:
    return load_model_list(name)


def entries(name: str) -> dict[str, ModelEntry]:
    result = listed_in(name)
    assert result.title and result.source
    return {entry.name: entry for entry in result.entries}


@pytest.mark.parametrize(("name", "models"), [("semantoneg", 114), ("heros", 60), ("triplets", 5)])
def test_lists_have_the_published_sizes_and_names(name: str, models: int) -> None:
    results = listed_in(name).entries
    assert len(results) == len({entry.label for entry in results}) == models
    assert all(entry.group for entry in results)


def test_semantoneg_has_every_published_model() -> None:
    table = published_results("semantoneg", table=8)
    figures = zip(table.column("model"), table.numbers("accuracy"), strict=True)
    assert set(entries("semantoneg")) == {model for model, figure in figures if figure is not None}


def test_semantoneg_groups_match_the_tables() -> None:
    listed = entries("semantoneg")
    for number, group in GROUP_OF_TABLE.items():
        for model in published_results("semantoneg", table=number).column("model"):
            assert listed[model].group == group
    other_groups = {entry.group for entry in listed.values()} - set(GROUP_OF_TABLE.values())
    assert other_groups == {"retrieval", "multilingual", "other"}


def test_model_with_two_names_is_in_a_single_group() -> None:
    """The paper's tables omit alternative names, which belong to the group of their training."""
    listed, table = entries("semantoneg"), published_results("semantoneg", table=8)
    figures = dict(zip(table.column("model"), table.column("accuracy"), strict=True))
    for first, second in (
        ("nli-bert-base-cls-pooling", "bert-base-nli-cls-token"),
        ("stsb-bert-large", "bert-large-nli-stsb-mean-tokens"),
        ("quora-distilbert-multilingual", "distilbert-multilingual-nli-stsb-quora-ranking"),
        ("msmarco-distilroberta-base-v2", "distilroberta-base-msmarco-v2"),
    ):
        assert figures[first] == figures[second]
        assert listed[first].group == listed[second].group


def test_heros_has_the_rows_and_blocks_of_both_figures() -> None:
    rows = [row for number in (1, 2) for row in published_results("heros", figure=number).rows]
    results = listed_in("heros").entries
    assert [row["model"] or row["label"] for row in rows] == [entry.label for entry in results]
    assert [row["group"] for row in rows] == [entry.group for entry in results]
    without_repository = [entry.name for entry, row in zip(results, rows, strict=True) if not row["model"]]
    assert without_repository and all(name.removeprefix("rankencoder:").startswith("./") for name in without_repository)


def test_triplets_has_the_five_methods() -> None:
    assert [entry.label for entry in listed_in("triplets").entries] == published_results("triplets", table=2).column(
        "method"
    )
