"""The five sets of triplets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from litotes.building.api import build_suite
from litotes.building.base import Candidate, Subject, load_builder
from litotes.building.pipeline.settings import BuildSettings
from litotes.corpora.base import Record
from litotes.languages.en.parser import parse
from litotes.rewrites.base import Sentence, Skip
from litotes.rewrites.options import options_of
from litotes.suites.folder import load_folder

BUILDER = load_builder("triplets")
DEFAULTS = {name: option.default for name, option in options_of(BUILDER).items()}


def apply_builder(text: str, other: str | None = None, **options: Any) -> list[Candidate | Skip]:
    subject = Subject(Record("x:1", text, other), Sentence(parse(text)))
    return list(BUILDER.apply(subject, **options))


def of_set(name: str, text: str, **options: Any) -> list[list[str]]:
    """Return the sentences of every candidate of a set."""
    results = apply_builder(text, only=name, **options)
    return [list(result.sentences.values()) for result in results if isinstance(result, Candidate)]


def filtered(
    text: str, other: str | None = None, label: str = "", score: float | None = None, **options: Any
) -> str | None:
    return BUILDER.filter(Record("x:1", text, other, label, score), {**DEFAULTS, **options})


def units(record: Record, **options: Any) -> list[Record]:
    return list(BUILDER.units(record, {**DEFAULTS, **options}))


# --- negation detection ---


@pytest.mark.parametrize(
    ("text", "synonym", "negated", "group"),
    [
        (
            "A nurse is talking to a porter.",
            "A nurse is speaking to a porter.",
            "A nurse is not talking to a porter.",
            "talk",
        ),
        ("The concert began at nine.", "The concert started at nine.", "The concert did not begin at nine.", "begin"),
        (
            "The goat is not leaping over the fence.",
            "The goat is not jumping over the fence.",
            "The goat is leaping over the fence.",
            "leap",
        ),
    ],
)
def test_the_main_verb_gets_a_synonym_and_is_the_group(text: str, synonym: str, negated: str, group: str) -> None:
    results = [one for one in apply_builder(text, only="negation-detection") if isinstance(one, Candidate)]
    assert list(results[0].sentences.items()) == [("original", text), ("synonym", synonym), ("negated", negated)]
    assert {one.group for one in results} == {group}
    assert results[0].tags["word"] in text


@pytest.mark.parametrize(
    "text",
    [
        "The mayor said the ferry was late.",  # a verb of saying
        "The woman who began the quarrel is my aunt.",  # not the main verb
        "The choir also began a new song.",  # “also” and “not”
        "The ferry includes a small bar.",  # a verb whose synonyms seldom fit
    ],
)
def test_leaves_out_uncertain_synonyms(text: str) -> None:
    assert of_set("negation-detection", text) == []


def test_any_verb_or_any_word_can_be_replaced() -> None:
    text = "The woman who began the quarrel is my aunt."
    assert of_set("negation-detection", text, synonym="verb")[0][1] == "The woman who started the quarrel is my aunt."
    assert "The sofa is large." in {
        words[0] for words in of_set("negation-detection", "The sofa is large.", synonym="all")
    }


# --- negation variants ---


def test_negates_verb_and_subject_of_a_clause() -> None:
    assert of_set("negation-variants", "A potter is glazing a tall jug.") == [
        [
            "A potter is glazing a tall jug.",
            "A potter is not glazing a tall jug.",
            "There is no potter glazing a tall jug.",
        ]
    ]


@pytest.mark.parametrize(
    "text",
    [
        "A potter is glazing a jug and his son is sweeping the yard.",  # “not” would deny the first clause only
        "A potter is glazing a jug and is whistling a tune.",
        "A potter and a painter are glazing a jug.",
        "A potter is glazing some jugs.",  # “There is no potter glazing some jugs”
        "A potter is not glazing a jug.",
        "A portrait of the queen was shown in the hall.",  # “There is no … that was”
        "The potter is glazing a jug.",  # the paper's sentences begin with “A”
    ],
)
def test_leaves_out_variants_with_different_meanings(text: str) -> None:
    assert of_set("negation-variants", text) == []


def test_further_subjects_can_be_included() -> None:
    assert of_set("negation-variants", "Two potters are glazing a jug.", quantifier="all") == [
        ["Two potters are glazing a jug.", "Two potters are not glazing a jug.", "There are no potters glazing a jug."]
    ]


# --- clause relatedness ---


@pytest.mark.parametrize(
    ("text", "clause", "negated", "form"),
    [
        (
            "The mayor said the ferry was late.",
            "The ferry was late.",
            "The mayor did not say the ferry was late.",
            "reported",
        ),
        (
            "The mayor said the ferry was not late.",
            "The ferry was not late.",
            "The mayor said the ferry was late.",
            "reported",
        ),
        (
            '"We sold the old ferry," the mayor said.',
            "We sold the old ferry.",
            '"We did not sell the old ferry," the mayor said.',
            "quotation",
        ),
        (
            '"We didn\'t sell the old ferry," the mayor said.',
            "We didn't sell the old ferry.",
            '"We sold the old ferry," the mayor said.',
            "quotation",
        ),
        (
            "Sue Hall, who owns a kiosk near the pier, said the ferry was late.",
            "The ferry was late.",
            "Sue Hall, who owns a kiosk near the pier, did not say the ferry was late.",
            "reported",
        ),
    ],
)
def test_clause_and_negation_at_the_first_finite_verb(text: str, clause: str, negated: str, form: str) -> None:
    result = apply_builder(text, only="clause-relatedness")
    assert isinstance(result[0], Candidate)
    assert list(result[0].sentences.values()) == [text, clause, negated]
    assert result[0].tags == {"form": form}
    assert result[0].group == ""


@pytest.mark.parametrize(
    "text",
    [
        "The mayor said the ferry was late and that the pier was closed.",
        "Both mayors said the ferry was late.",
        "The mayor also said the ferry was late.",
        "The mayor said the crew still did not know the cause.",
        "The mayor, who never smiles, said the ferry was late.",  # a negation outside the reported clause
        '"The ferry will sink and will be lost," the mayor said.',  # “will not sink and will be lost”
        'The mayor hugged the crew, softly saying, "Many thanks indeed."',  # the quotation has no verb
        "Only one of the mayors said the ferry was late.",
        "They reckon that one-third of the farmers would gain from the dam.",  # “That one-third …”
        "The main reason, said Jim Hall, the club's president, is a sharp change in the way fans watch games.",
    ],
)
def test_leaves_out_clauses_that_would_be_odd(text: str) -> None:
    assert of_set("clause-relatedness", text) == []


# --- argument sensitivity ---


@pytest.mark.parametrize(
    ("text", "passive", "swapped"),
    [
        ("Emma thanked Oliver.", "Oliver was thanked by Emma.", "Oliver thanked Emma."),
        (
            "The plumber asked the painter to come back.",
            "The painter was asked by the plumber to come back.",
            "The painter asked the plumber to come back.",
        ),
        (
            '"It is time to go," Rita told the judge.',
            '"It is time to go," the judge was told by Rita.',
            '"It is time to go," the judge told Rita.',
        ),
    ],
)
def test_gives_the_passive_and_the_swapped_arguments_of_a_clause(text: str, passive: str, swapped: str) -> None:
    assert of_set("argument-sensitivity", text) == [[text, passive, swapped]]


def test_the_example_of_the_paper_is_built() -> None:
    sentences = ["Lilly loves Imogen.", "Imogen is loved by Lilly.", "Imogen loves Lilly."]
    assert filtered(sentences[0]) is None and filtered(sentences[0], shortest=4) == "length"
    assert of_set("argument-sensitivity", sentences[0]) == [sentences]


def test_agents_of_passives_can_be_dropped() -> None:
    text = "Harley asked Abigail to bake some muffins."
    passive = "Abigail was asked to bake some muffins."
    assert [found[1] for found in of_set("argument-sensitivity", text, by="drop")] == [passive]
    assert passive not in [found[1] for found in of_set("argument-sensitivity", text)]


@pytest.mark.parametrize(
    "text",
    [
        "The waiter bought a hat for the cook.",  # the passive is about the hat, the swap about the cook
        "A boy is poking a goat with a stick.",  # whose stick?
        "The judge ordered the twins held in town.",
        "I can tell you that the ferry is late.",  # “You can be told by me”
        "The cook stirred the soup.",
    ],
)
def test_leaves_out_swaps_that_do_not_match_the_passive(text: str) -> None:
    assert of_set("argument-sensitivity", text) == []


# --- fixed-point reorder ---


@pytest.mark.parametrize(
    ("text", "inverted"),
    [
        ("A heron is wading through the shallow pond.", "the shallow pond a heron is wading through."),
        ("A heron is wading through the shallow pond", "the shallow pond a heron is wading through"),
    ],
)
def test_the_inverted_sentence_ends_as_the_original_does(text: str, inverted: str) -> None:
    result = apply_builder(text, "A heron is wading in the shallow pond.")
    assert isinstance(result[0], Candidate)
    assert result[0].set == "fixed-point-reorder"
    assert list(result[0].sentences.values())[2] == inverted
    assert result[0].group == text


def test_reports_sentences_that_cannot_be_inverted() -> None:
    assert apply_builder("Rita sang well.", "Rita sang beautifully.") == [Skip("no-inversion")]


@pytest.mark.parametrize(
    ("other", "label", "score", "code"),
    [
        ("The heron is wading through the pond.", "entailment", 4.9, None),
        ("The heron is wading through the pond.", "entailment", 3.2, "not-the-same"),
        ("The heron is wading through the pond.", "neutral", 4.9, "not-the-same"),
        ("The heron is wading through the pond.", "0", None, "not-the-same"),
        ("A bird is wading through the pond.", "entailment", 4.2, "one-sided"),
        ("A bird is wading through the pond.", "1", None, "one-sided"),
        ("A bird is wading through the pond.", "", None, None),  # a plain file of pairs is trusted
        ("a heron is wading through the pond", "1", None, "equal"),
        ('A heron is "wading" through the pond.', "1", None, "marks"),
        ("In the shallows you may spot it on its long legs.", "", None, "structure"),
    ],
)
def test_selects_pairs_of_paraphrases(other: str, label: str, score: float | None, code: str | None) -> None:
    assert filtered("A heron is wading through the pond.", other, label, score) == code


def test_one_sided_pairs_can_be_included() -> None:
    pair = ("A heron is wading.", "A bird is wading.", "1")
    assert filtered(*pair) == "one-sided"
    assert filtered(*pair, mutual=False) is None


def test_distance_limit_and_structure_are_options() -> None:
    near = ("A potter is glazing a jug.", "The potter is glazing a jug.")
    far = ("A potter is glazing a jug.", "A jug is being glazed by a potter.")
    assert [filtered(*pair) for pair in (near, far)] == [None, None]
    assert [filtered(*pair, alike=0.6) for pair in (near, far)] == [None, "structure"]
    assert [filtered(*pair, structure="apart") for pair in (near, far)] == ["structure", None]


# --- all sets ---


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Go home.", "length"),
        ("Lilly loves Imogen.", None),  # the paper's own example
        (" ".join(["The ferry was late"] * 9) + ".", "length"),
        ("Has the ferry come in yet?", "question"),
        ('"The ferry was late on Monday.', "marks"),
        ("The ferry was damned late again.", "cursing"),
        ("The ferry was late on Monday.", None),
    ],
)
def test_filters_by_text(text: str, code: str | None) -> None:
    assert filtered(text) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The ferry was late. The crew slept.", "several"),
        ("A heron in the pond.", "grammar"),
        ("The ferry was qwxish on Monday.", "grammar"),
        ("It rained.", "no-set"),
    ],
)
def test_filters_by_parse(text: str, code: str) -> None:
    assert apply_builder(text) == [Skip(code)]
    assert code in BUILDER.skips


def test_pairs_and_their_sentences_are_used() -> None:
    pair = Record("pairs.tsv:3", "The crew 's boat sank .", "The boat of the crew sank .", "1", None, "pairs.tsv:3#2")
    assert [(unit.id, unit.text, unit.second_text) for unit in units(pair)] == [
        ("pairs.tsv:3", "The crew's boat sank.", "The boat of the crew sank."),
        ("pairs.tsv:3#1", "The crew's boat sank.", None),
        ("pairs.tsv:3#2", "The boat of the crew sank.", None),
    ]
    assert [unit.id for unit in units(pair, only="fixed-point-reorder")] == ["pairs.tsv:3"]
    assert [unit.id for unit in units(pair, only="negation-variants")] == ["pairs.tsv:3#1", "pairs.tsv:3#2"]
    assert units(pair, detokenise=False)[0] == pair


CORPUS = """\
A potter is glazing a tall jug.
A nurse is talking to a porter.
A clerk is talking to a sailor.
The mayor said the ferry was late .
Emma thanked Oliver.
It rained all day.
"""
PAIRS = """\
A heron is wading through the shallow pond\tThe heron is wading through the shallow pond
A heron is wading through the shallow pond\tA heron wades through the shallow pond
"""


def test_a_build_reads_the_penn_treebank(tmp_path: Path) -> None:
    (tmp_path / "wsj_1.mrg").write_text(
        "( (S (NP-SBJ (DT The) (NN mayor) ) (VP (VBD said) (SBAR (-NONE- 0) (S (NP-SBJ (DT the) (NN ferry) ) "
        "(VP (VBD was) (RB n't) (ADJP-PRD (JJ late) ) )))) (. .) ))\n",
        "utf-8",
    )
    built = build_suite("triplets", [tmp_path / "wsj_1.mrg"], tmp_path / "out")
    (item,) = load_folder(built.folders["clause-relatedness"]).items
    assert item.sentences["original"] == "The mayor said the ferry wasn't late."
    assert item.tags["source"] == "wsj_1.mrg:1"


def test_a_build_gives_a_suite_for_each_set(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(CORPUS, "utf-8")
    (tmp_path / "pairs.tsv").write_text(f"sentence1\tsentence2\n{PAIRS}", "utf-8")
    built = build_suite("triplets", [tmp_path / "notes.txt", tmp_path / "pairs.tsv"], tmp_path / "out")
    assert set(built.units) == set(BUILDER.sets)
    suites = {name: load_folder(folder) for name, folder in built.folders.items()}
    assert all(suite.kind.name == name for name, suite in suites.items())
    assert [item.group for item in suites["negation-detection"].items] == ["talk", "talk"]
    # One original, two paraphrases: one group. An item without a group is its own group.
    assert suites["fixed-point-reorder"].count_groups() == 1
    assert len(suites["fixed-point-reorder"].items) == 2
    assert [item.group for item in suites["clause-relatedness"].items] == [
        item.id for item in suites["clause-relatedness"].items
    ]
    assert suites["clause-relatedness"].items[0].sentences["clause"] == "The ferry was late."
    assert suites["clause-relatedness"].items[0].tags["source"] == "notes.txt:4"


def test_items_per_verb_are_limited(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(CORPUS, "utf-8")
    settings = BuildSettings(options={"only": "negation-detection"}, per_group=1)
    built = build_suite("triplets", tmp_path / "notes.txt", tmp_path / "out", settings)
    assert built.units == {"negation-detection": 1}


def test_group_limit_ignores_items_without_a_group(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("A potter is glazing a jug.\nA nurse is reading a map.\n", "utf-8")
    settings = BuildSettings(options={"only": "negation-variants"}, per_group=1)
    assert build_suite("triplets", tmp_path / "notes.txt", tmp_path / "out", settings).units == {"negation-variants": 2}


def test_the_same_corpus_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(CORPUS, "utf-8")
    first, second = (build_suite("triplets", tmp_path / "notes.txt", tmp_path / name) for name in ("one", "two"))
    for name, folder in first.folders.items():
        assert (folder / "items.jsonl").read_bytes() == (second.folders[name] / "items.jsonl").read_bytes()
    document: Mapping[str, Any] = json.loads((first.folders["negation-variants"] / "suite.json").read_text("utf-8"))
    assert document["builder"]["options"]["detokenise"] is True
