"""The published results are complete, in range and consistent where a paper prints a value twice."""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from litotes import LitotesError, published_results
from litotes.suites.heros import SUBSETS
from litotes.suites.published_results import PublishedTable, published_models, published_tables
from litotes.suites.triplets import KINDS

TRIPLET_COLUMNS = ("s_s_plus", "s_s_star", "s_plus_s_star", "accuracy")
METHODS = ["GloVe Avg", "P-Means", "Sent2Vec", "SkipThought", "InferSent"]


def accuracies(number: int) -> dict[str, str]:
    table = published_results("semantoneg", table=number)
    return dict(zip(table.column("model"), table.column("accuracy"), strict=True))


def numbers(table: PublishedTable, column: str) -> list[float]:
    results = table.numbers(column)
    assert None not in results
    return [number for number in results if number is not None]


def test_all_tables_are_available() -> None:
    there = {(table.paper, table.name): len(table.rows) for table in published_tables()}
    assert there == {
        ("semantoneg", "Table 1"): 10,
        ("semantoneg", "Table 3"): 11,
        ("semantoneg", "Table 4"): 15,
        ("semantoneg", "Table 5"): 15,
        ("semantoneg", "Table 6"): 9,
        ("semantoneg", "Table 7"): 12,
        ("semantoneg", "Table 8"): 124,
        ("semantoneg", "Section 6"): 3,
        ("heros", "Table 1"): 3,
        ("heros", "Table 3"): 31,
        ("heros", "Figure 1"): 30,
        ("heros", "Figure 2"): 30,
        ("heros", "Section 3.2"): 4,
        ("triplets", "Table 1"): 5,
        **{("triplets", f"Table {number}"): 5 for number in range(2, 7)},
        ("triplets", "Section 3.3"): 4,
        ("developmental", "Table 1"): 7,
        ("developmental", "Figure 1"): 294,
        ("developmental", "Figure 2"): 7350,
        ("developmental", "Figure 3"): 294,
    }


@pytest.mark.parametrize("table", published_tables(), ids=lambda table: f"{table.paper} {table.name}")
def test_tables_describe_their_source_and_columns(table: PublishedTable) -> None:
    assert re.search(r"\(20\d\d\)", table.citation) and table.section and table.description
    assert table.name in table.source
    for row in table.rows:
        assert list(row) == list(table.columns)
        assert all(isinstance(cell, str) and cell == cell.strip() for cell in row.values())
    assert all(descriptions for descriptions in table.columns.values())


# SemAntoNeg


def test_table_8_has_114_models() -> None:
    table = published_results("semantoneg", table=8)
    with_figure = [
        model
        for model, number in zip(table.column("model"), table.numbers("accuracy"), strict=True)
        if number is not None
    ]
    assert len(with_figure) == len(set(with_figure)) == 114
    without = {row["model"]: row["accuracy"] for row in table.rows if row["model"] not in with_figure}
    assert without == {
        "clip-ViT-B-32-multilingual-v1": "Image-text model",
        "clip-ViT-B-16": "Image-text model",
        "clip-ViT-L-14": "Image-text model",
        "clip-ViT-B-32": "Image-text model",
        "sentence-t5-xxl": "-",
        "gtr-t5-xxl": "-",
        "average_word_embeddings_levy_dependency": "-",
        "average_word_embeddings_komninos": "-",
        "average_word_embeddings_glove.840B.300d": "-",
        "average_word_embeddings_glove.6B.300d": "-",
    }


def test_table_8_lists_four_image_text_models() -> None:
    rows = published_results("semantoneg", table=8).rows
    assert sum(row["accuracy"] == "Image-text model" for row in rows) == 4
    names = [row["model"] for row in rows]
    assert names[names.index("bert-base-nli-mean-tokens") + 1] == "clip-ViT-B-16"
    assert {accuracies(number)["bert-base-nli-mean-tokens"] for number in (1, 5, 7, 8)} == {"83.3"}


# Developmental negation


def test_experiment_2_improves_most_on_the_trained_category() -> None:
    """The finding of section 4: positive transfer mostly occurs for the category that a model is trained on."""
    rows = [row for row in published_results("developmental", figure=2).rows if row["epoch"] == "24"]
    best = [
        max(
            (row for row in rows if (row["model"], row["category"]) == (model, category)),
            key=lambda row: float(row["accuracy"]),
        )
        for model in {row["model"] for row in rows}
        for category in {row["category"] for row in rows}
    ]
    assert sum(row["trained_on"] == row["category"] for row in best) > len(best) / 2


def test_experiment_3_has_the_order_of_the_authors_script() -> None:
    rows = published_results("developmental", figure=3).rows
    order = {int(row["order"]): row["after_training_on"] for row in rows}
    assert [order[position] for position in sorted(order)] == [
        "epistemic",
        "existence",
        "rejection",
        "possession",
        "labeling",
        "prohibition",
        "inability",
    ]


def test_tables_agree_with_table_8_except_in_one_cell() -> None:
    of_all = accuracies(8)
    differ = [
        (number, model, text, of_all[model])
        for number in (1, 3, 4, 5, 6, 7)
        for model, text in accuracies(number).items()
        if of_all[model] != text
    ]
    assert differ == [(4, "paraphrase-MiniLM-L3-v2", "0.03", "0.0")]


@pytest.mark.parametrize("number", [3, 4, 5, 6, 7])
def test_grouped_tables_are_sorted_by_accuracy(number: int) -> None:
    results = numbers(published_results("semantoneg", table=number), "accuracy")
    assert results == sorted(results, reverse=True)


def test_table_7_contains_the_best_models_of_tables_3_to_6_once() -> None:
    lowest = min(map(float, accuracies(7).values()))
    best = {model for number in (3, 4, 5, 6) for model, text in accuracies(number).items() if float(text) > lowest}
    assert best <= set(accuracies(7))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("nli-bert-large", "bert-large-nli-mean-tokens"),
        ("nli-roberta-large", "roberta-large-nli-mean-tokens"),
        ("nli-bert-base", "bert-base-nli-mean-tokens"),
        ("stsb-roberta-base", "roberta-base-nli-stsb-mean-tokens"),
        ("quora-distilbert-base", "distilbert-base-nli-stsb-quora-ranking"),
        ("paraphrase-distilroberta-base-v1", "distilroberta-base-paraphrase-v1"),
    ],
)
def test_two_names_of_a_model_have_the_same_value(first: str, second: str) -> None:
    assert accuracies(8)[first] == accuracies(8)[second]


# HEROS


def test_sixty_models_by_six_subsets() -> None:
    rows = [row for number in (1, 2) for row in published_results("heros", figure=number).rows]
    cells = [row[subset] for row in rows for subset in SUBSETS]
    assert len(cells) == 360
    assert all(re.fullmatch(r"0\.\d{3}", cell) and 0.6 <= float(cell) <= 1.0 for cell in cells)
    names = [row["model"] or row["label"] for row in rows]
    assert len(set(names)) == 60


def test_figures_agree_with_the_text() -> None:
    rows = {
        row["model"] or row["label"]: {subset: float(row[subset]) for subset in SUBSETS}
        for number in (1, 2)
        for row in published_results("heros", figure=number).rows
    }
    for family in ("gtr-t5", "sentence-t5"):  # larger models are less sensitive to typos
        typos = [rows[f"{family}-{size}"]["typo"] for size in ("base", "large", "xl", "xxl")]
        assert typos == sorted(typos)
    # Of the paraphrase models only the smallest rates negations as more similar than synonyms.
    paraphrase = [name for name in rows if name.startswith("paraphrase-")]
    above = [name for name in paraphrase if rows[name]["negation_main"] > rows[name]["synonym"]]
    assert above == ["paraphrase-MiniLM-L3-v2"]
    glove = rows["average_word_embeddings_glove.6B.300d"]
    assert min(glove["negation_main"], glove["negation_antonym"]) > max(glove["synonym"], glove["antonym"])
    for base in ("bert-base-uncased", "bert-large-uncased", "roberta-base", "roberta-large"):
        without, with_nli = rows[f"princeton-nlp/unsup-simcse-{base}"], rows[f"princeton-nlp/sup-simcse-{base}"]
        assert with_nli["synonym"] > without["synonym"] and with_nli["typo"] > without["typo"]
        assert all(with_nli[one] < without[one] for one in ("antonym", "negation_main", "negation_antonym"))
    lower_main = sum(row["negation_main"] < row["negation_antonym"] for row in rows.values())
    assert lower_main >= 54  # “almost all”


def test_model_sizes_in_figure_1() -> None:
    sizes = published_results("heros", table=3)
    assert set(numbers(sizes, "dimensions")) == {300, 384, 512, 768, 1024}
    assert len(sizes.rows) == len(published_results("heros", figure=1).rows) + 1
    assert all(re.fullmatch(r"[\d.,]+[MB]", text) for text in sizes.column("parameters"))


def test_heros_has_the_highest_overlap() -> None:
    table = published_results("heros", table=1)
    assert table.column("data_set") == ["STS-b", "SICK-R", "HEROS"]
    for column in ("rouge_1", "rouge_2", "rouge_l"):
        assert max(numbers(table, column)) == numbers(table, column)[2] < 100
    assert min(numbers(table, "levenshtein")) == numbers(table, "levenshtein")[2]


# Triplets


@pytest.mark.parametrize("number", range(2, 7))
def test_five_methods_by_four_figures(number: int) -> None:
    table = published_results("triplets", table=number)
    assert table.column("method") == METHODS
    for column in TRIPLET_COLUMNS:
        assert all(re.fullmatch(r"\d{1,3}\.\d\d", cell) and 0 <= float(cell) <= 100 for cell in table.column(column))


def test_tables_are_in_the_order_of_the_kinds() -> None:
    descriptions = [published_results("triplets", table=2 + index).description.replace(" ", "-") for index in range(5)]
    assert descriptions == [kind.name for kind in KINDS]
    assert [
        name.lower().replace(" ", "-") for name in published_results("triplets", table=1).column("data_set")
    ] == descriptions


def test_accuracies_of_table_2_correspond_to_whole_triplets() -> None:
    triplets = int(published_results("triplets", table=1).rows[0]["sentences"])
    possible = {f"{100 * right / triplets:.2f}" for right in range(triplets + 1)}
    assert set(published_results("triplets", table=2).column("accuracy")) <= possible


def test_averaging_methods_fail_if_only_the_order_differs() -> None:
    for number in (5, 6):
        table = published_results("triplets", table=number)
        assert table.column("accuracy")[:3] == ["0.00"] * 3


# Developmental negation


def test_sizes_of_the_diagnostic_sets() -> None:
    table = published_results("developmental", table=1)
    train, test = numbers(table, "train"), numbers(table, "test")
    assert (sum(train), sum(test)) == (14_660, 7_221)
    for n_train, n_test in zip(train, test, strict=True):  # a third is held out
        assert n_test / (n_train + n_test) == pytest.approx(1 / 3, abs=0.005)
        assert n_train + n_test >= 1200


# Sums of all cells after they were compared with the papers, which reveal a mistyped cell.

SHA256_OF_SEMANTONEG = {
    1: "9d991d1bc249fe05",
    3: "357f6035398c898f",
    4: "9d3536e08451a02e",
    5: "42bcb6c3cedfdcb5",
    6: "9af3ff43cf18db3b",
    7: "e353f0bcf500a1e9",
    8: "4ee388839d245121",
}
"""The first 16 digits of the sha256 of the lines “model accuracy” in the text of the PDF, in its order."""
SHA256_OF_HEROS = {
    "Table 1": ("c714ba73a48ae704", ()),
    "Table 3": ("d81d620d683b4515", ()),
    "Figure 1": ("b5c9ea09f6a2090a", ("label", *SUBSETS)),
    "Figure 2": ("0a9194c695201fa9", ("label", *SUBSETS)),
}
"""The first 16 digits of the sha256 of the rows in the text of the paper, and the columns that it prints."""
SUMS_OF_TRIPLETS = {
    2: ("305.81 302.91 312.07 322.22 359.63", "470.27 462.36 438.85 231.16"),
    3: ("293.51 296.41 269.55 243.41 350.37", "442.55 451.50 447.15 112.05"),
    4: ("292.51 296.55 291.17 204.20 288.26", "423.19 470.54 401.04 77.92"),
    5: ("292.30 295.86 278.04 266.04 288.03", "460.36 493.29 459.67 6.95"),
    6: ("295.48 297.36 285.76 266.70 353.35", "474.66 434.01 417.22 172.76"),
}
"""The sums of rows and of columns of each table."""


def total(cells: Iterable[str]) -> str:
    """Return the sum of all numbers with the printed precision."""
    return str(sum(Decimal(cell) for cell in cells if re.fullmatch(r"\d+(\.\d+)?", cell)))


@pytest.mark.parametrize(("number", "expected"), SHA256_OF_SEMANTONEG.items())
def test_semantoneg_tables_are_those_of_the_pdf(number: int, expected: str) -> None:
    lines = "\n".join(" ".join(row.values()) for row in published_results("semantoneg", table=number).rows)
    assert hashlib.sha256(lines.encode()).hexdigest()[:16] == expected


_LARGE = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 16}
_MINI = {"hidden_size": 384, "intermediate_size": 1536, "num_attention_heads": 12}
_ROBERTA = {"vocab_size": 50265, "max_position_embeddings": 514, "type_vocab_size": 1}
_XLM_R = {**_ROBERTA, "vocab_size": 250002}
_ALBERT = {"vocab_size": 30000, "hidden_size": 768, "intermediate_size": 3072, "num_attention_heads": 12}
CONFIGURATIONS: dict[str, tuple[str, dict[str, int]]] = {
    "bert-base-uncased": ("Bert", {}),
    "bert-large-uncased": ("Bert", _LARGE),
    "allenai/scibert_scivocab_cased": ("Bert", {"vocab_size": 31116}),
    "LaBSE": ("Bert", {"vocab_size": 501153}),
    "nreimers/MiniLM-L3-H384-uncased": ("Bert", {**_MINI, "num_hidden_layers": 3}),
    "nreimers/MiniLM-L6-H384-uncased": ("Bert", {**_MINI, "num_hidden_layers": 6}),
    "microsoft/MiniLM-L12-H384-uncased": ("Bert", _MINI),
    "microsoft/Multilingual-MiniLM-L12-H384": ("Bert", {**_MINI, "vocab_size": 250037}),
    "nreimers/TinyBERT_L-6_H-768_v2": ("Bert", {"num_hidden_layers": 6}),
    "distilbert-base-uncased": ("DistilBert", {}),
    "distilbert-base-multilingual-cased": ("DistilBert", {"vocab_size": 119547}),
    "roberta-base": ("Roberta", _ROBERTA),
    "distilroberta-base": ("Roberta", {**_ROBERTA, "num_hidden_layers": 6}),
    "roberta-large": ("Roberta", {**_ROBERTA, **_LARGE}),
    "xlm-roberta-base": ("XLMRoberta", _XLM_R),
    "xlm-roberta-large": ("XLMRoberta", {**_XLM_R, **_LARGE}),
    "microsoft/mpnet-base": ("MPNet", {"vocab_size": 30527, "max_position_embeddings": 514}),
    "nreimers/albert-small-v2": ("Albert", {**_ALBERT, "num_hidden_layers": 6}),
    "albert-base-v2": ("Albert", _ALBERT),
    "t5-base (encoder)": ("T5", {"d_model": 768, "d_ff": 3072, "num_layers": 12, "num_heads": 12}),
    "t5-large (encoder)": ("T5", {"d_model": 1024, "d_ff": 4096, "num_layers": 24, "num_heads": 16}),
    "t5-3b (encoder)": ("T5", {"d_model": 1024, "d_ff": 16384, "num_layers": 24, "num_heads": 32, "d_kv": 128}),
}
"""The architectures of the base models, in which their published configurations differ from the defaults."""


def test_sizes_of_published_models_follow_from_their_configurations() -> None:
    import torch
    import transformers

    stored = {model.base_model: model.parameters for model in published_models("semantoneg").values()}
    counted = {}
    for base, (name, values) in CONFIGURATIONS.items():
        kind = getattr(transformers, "T5EncoderModel" if name == "T5" else f"{name}Model")
        with torch.device("meta"):
            model = kind(getattr(transformers, f"{name}Config")(**values))
        counted[base] = sum(parameter.numel() for parameter in model.parameters())
    assert counted == stored


def test_every_evaluated_model_has_size_and_training_data_with_sources() -> None:
    models = published_models("semantoneg")
    table = published_results("semantoneg", table=8)
    evaluated = [
        model
        for model, number in zip(table.column("model"), table.numbers("accuracy"), strict=True)
        if number is not None
    ]
    assert list(models) == evaluated
    assert all(model.base_model and model.base_model_source for model in models.values())
    assert all(bool(model.training_data) == bool(model.training_data_source) for model in models.values())
    assert [name for name, model in models.items() if not model.training_data] == ["use-cmlm-multilingual"]


def test_second_names_are_of_equal_models() -> None:
    models, printed = published_models("semantoneg"), accuracies(8)
    second = {model.model: models[model.same_as] for model in models.values() if model.same_as}
    assert len(second) == 24
    for name, first in second.items():
        assert not first.same_as
        assert printed[name] == printed[first.model]
        assert (models[name].base_model, models[name].training_data) == (first.base_model, first.training_data)


@pytest.mark.parametrize(("name", "expected", "columns"), [(name, *row) for name, row in SHA256_OF_HEROS.items()])
def test_heros_tables_and_figures_are_those_of_the_paper(name: str, expected: str, columns: Sequence[str]) -> None:
    [table] = [table for table in published_tables("heros") if table.name == name]
    lines = "\n".join(" ".join(row[column] for column in columns or table.columns) for row in table.rows)
    assert hashlib.sha256(lines.encode()).hexdigest()[:16] == expected


def test_sts_of_heros_are_those_of_section_3_2() -> None:
    """Two pairs of models are named for their close values."""
    table = published_results("heros", section="3.2")
    assert dict(zip(table.column("label"), table.column("sts"), strict=True)) == {
        "RoBERTa large (all)": "81.07",
        "DistilRoBERTa base (para)": "81.12",
        "SNCSE roberta-large": "81.77",
        "mpnet base (para)": "81.57",
    }
    labels = {label for figure in (1, 2) for label in published_results("heros", figure=figure).column("label")}
    assert set(table.column("figure_label")) <= labels


def test_error_counts_of_semantoneg_are_those_of_section_6() -> None:
    """70 of 105 items have the pair possible – actual; 17 of the remaining 35 have the pair same – other."""
    rows = published_results("semantoneg", section=6).rows
    missed = {row["antonym_pair"]: int(row["missed"]) for row in rows}
    assert missed == {"all": 105, "actual/possible": 70, "other/same": 17}
    assert missed["all"] - missed["actual/possible"] == 35


@pytest.mark.parametrize(
    ("table", "columns", "rows", "below"),
    [
        (published_results("triplets", table=number), TRIPLET_COLUMNS, *sums)
        for number, sums in SUMS_OF_TRIPLETS.items()
    ],
)
def test_printed_sums_of_rows_and_columns(table: PublishedTable, columns: Sequence[str], rows: str, below: str) -> None:
    assert [total(row[column] for column in columns) for row in table.rows] == rows.split()
    assert [total(table.column(column)) for column in columns] == below.split()


def test_checksums_of_the_other_tables() -> None:
    assert total(published_results("triplets", table=1).column("sentences")) == "2825"
    by_form = published_results("triplets", section="3.3")
    assert [total(by_form.column(name)) for name in ("s_s_star", "accuracy")] == ["106.61", "81.75"]
    assert [total(row.values()) for row in by_form.rows] == ["116.80", "27.46", "28.37", "15.73"]
    train_and_test = published_results("developmental", table=1)
    assert [total(train_and_test.column(name)) for name in ("train", "test")] == ["14660", "7221"]
    assert [total(row.values()) for row in train_and_test.rows] == "1573 8251 3345 1214 2066 2839 2593".split()


DIGESTS_OF_DEVELOPMENTAL = {
    1: ("314229389e827b2172c8a85e19fc8b17d575605c3c114d8792b68e6bf4b9c7aa", "161.664720"),
    2: ("1ca6075623a871d63a156faa1f6e8741e3620c503ff05f33e620005e9f8e3a24", "5716.073511"),
    3: ("1e7efe5605f7e78ce89a21a48586efb0c7eddd9cf329bd9d5b2defa11dbbe55b", "226.990031"),
}
"""The sha256 of all cells of a file of the authors' notebook, and the sum of its accuracies."""


@pytest.mark.parametrize(("number", "expected"), DIGESTS_OF_DEVELOPMENTAL.items())
def test_checksums_of_the_figures_of_developmental_negation(number: int, expected: tuple[str, str]) -> None:
    figure = published_results("developmental", figure=number)
    cells = "\n".join(",".join(row.values()) for row in figure.rows)
    digest = hashlib.sha256(cells.encode()).hexdigest()
    assert (digest, f"{sum(map(Decimal, figure.column('accuracy'))):.6f}") == expected


@pytest.mark.shared
@pytest.mark.parametrize(("number", "name"), [(1, "experiment1_one_epoch"), (2, "experiment2"), (3, "experiment3")])
def test_figures_of_developmental_negation_are_those_of_the_authors(number: int, name: str, shared_data: Path) -> None:
    with (shared_data / "devneg_published" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file)) == [
            dict(row) for row in published_results("developmental", figure=number).rows
        ]


# Errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"paper": "semantoneg", "table": 2}, "Table 2 is not available; available: Table 1, Table 3"),
        ({"paper": "semantoneg"}, "either a table, a figure or a section is needed"),
        ({"paper": "heros", "table": 1, "figure": 1}, "either a table, a figure or a section is needed"),
        ({"paper": "semantneg", "table": 8}, "did you mean semantoneg"),
    ],
)
def test_missing_tables_are_errors(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(LitotesError) as error:
        published_results(**arguments)  # type: ignore[arg-type]
    assert message in str(error.value)


def test_missing_column_is_an_error() -> None:
    with pytest.raises(LitotesError, match="did you mean accuracy"):
        published_results("semantoneg", table=8).column("acuracy")
