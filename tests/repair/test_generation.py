"""From a text to training examples: evaluation data is held out, validation examples are not trained on."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("spacy")

from litotes.core.errors import LitotesError
from litotes.corpora.base import Record
from litotes.corpora.nli import NliPair
from litotes.languages.en.language import add_prefix
from litotes.repair.examples.base import QUADRUPLE, TrainingExample, sample_sentences, split_test, write_text
from litotes.repair.examples.generation import contrast_variants, generate_examples, prefixed
from litotes.repair.holdout import Holdout, pair_key, sentence_key

NOTHING = Holdout({}, {})
TEXT = """The kettle is hot.
The stairs were not clean.
Ann painted the wall.
The road is wide.
The knife is sharp.
We did not lose the keys.
The window is open.
The lamp is bright.
They are happy about the news.
The box was empty when we came.
"""


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lessons") / "text.txt"
    path.write_text(TEXT, "utf-8")
    return path


def test_generates_examples_of_several_kinds(text: Path, tmp_path: Path) -> None:
    data = generate_examples(text, NOTHING, general=["A plain sentence."])
    kinds = {example.kind for example in (*data.training, *data.validation)}
    assert "quadruple" in kinds and kinds & {"typo", "contraction", "synonym", "passive"}
    watched = {example.antonym_pair for example in data.validation if example.is_quadruple}
    assert watched and watched.isdisjoint(example.antonym_pair for example in data.training)
    anchors = {example.anchor for example in data.validation if not example.is_quadruple}
    assert anchors.isdisjoint(example.anchor for example in data.training)
    assert {"A plain sentence.", "The kettle is hot."} <= set(data.general)
    # The second call reads the same examples.
    assert generate_examples(text, NOTHING, general=["A plain sentence."]) == data


def test_held_out_data_is_in_no_example(text: Path) -> None:
    holdout = Holdout(
        {"suite": frozenset({sentence_key("The road is wide.")})}, {"suite": frozenset({pair_key("hot", "cold")})}
    )
    data = generate_examples(text, holdout)
    training = [*data.training, *data.validation]
    assert not any("road is wide" in example for example in training for example in example.texts)
    assert pair_key("cold", "hot") not in {example.antonym_pair for example in training}
    assert data.held_out["pair", "suite"] and data.held_out["sentence", "suite"]
    assert "The road is wide." not in data.general


def test_adds_nli_pairs(text: Path) -> None:
    pairs = [
        NliPair("1", "A dog runs.", "An animal moves.", "entailment"),
        NliPair("2", "A dog runs.", "A dog sleeps.", "contradiction"),
        NliPair("3", "A cat sits.", "A cat is there.", "entailment"),
    ]
    data = generate_examples(text, NOTHING, nli=pairs)
    nli = [example for example in (*data.training, *data.validation) if example.kind == "nli"]
    assert [example.texts for example in nli] == [("A dog runs.", "An animal moves.", "A dog sleeps.", "")]


def test_text_without_examples_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("Oh my!\nHello there, you two.\n", "utf-8")
    with pytest.raises(LitotesError, match="gives no training example"):
        generate_examples(path, NOTHING)


def test_sample_depends_on_the_seed() -> None:
    records = [Record(str(n), f"Sentence  number {n}.") for n in range(1000)]
    records.append(Record("double", "Sentence number 1."))
    sentences = sample_sentences(records, None, 0)
    assert len(sentences) == 1000 and sentences[0] == "Sentence number 0."
    sampled = sample_sentences(records, 100, 0)
    assert len(sampled) == 100 and sampled == sorted(sampled, key=sentences.index)
    assert sampled == sample_sentences(records, 100, 0) != sample_sentences(records, 100, 1)
    training, unseen = split_test(sentences)
    assert set(training).isdisjoint(unseen) and len(training) + len(unseen) == 1000 and 20 < len(unseen) < 90


def test_test_sentences_come_from_all_parts_of_the_text() -> None:
    sentences = [f"Sentence number {n}." for n in range(60_000)]
    _, unseen = split_test(sentences)
    numbers = [int(text.split()[-1].strip(".")) for text in unseen]
    assert len(unseen) == 2000 and numbers == sorted(numbers)
    assert 800 < sum(number >= 30_000 for number in numbers) < 1200


def test_text_that_is_held_out_completely_is_rejected(text: Path) -> None:
    general = frozenset(map(sentence_key, TEXT.splitlines()))
    with pytest.raises(
        LitotesError, match=r"L204.*text.txt: (all of its sentences are held out|gives no training example)"
    ):
        generate_examples(text, Holdout({"suite": general}, {}))


def test_text_file_is_named_by_its_content(tmp_path: Path) -> None:
    example = write_text(["A.", "B."], tmp_path, "notes")
    assert example.read_text("utf-8") == "A.\nB.\n"
    assert write_text(["A.", "B."], tmp_path, "notes") == example != write_text(["A."], tmp_path, "notes")
    with pytest.raises(LitotesError, match="notes: contains no sentence"):
        write_text([], tmp_path, "notes")


def test_antonym_without_identifiable_pair_is_not_used() -> None:
    variants = {"typo": "The kettle is hto.", "antonym": "The kettle is cold."}
    assert [example.antonym_pair for example in contrast_variants("The kettle is hot.", variants)] == [
        pair_key("cold", "hot")
    ]
    ambiguous = {**variants, "antonym": "It was the other kettle that somebody had left to cool."}
    assert not [*contrast_variants("The kettle is hot.", ambiguous)]
    (example,) = contrast_variants("The kettle is hot.", {**ambiguous, "negation": "The kettle is not hot."})
    assert (example.negative, example.second_negative, example.antonym_pair) == ("The kettle is not hot.", "", "")


def quadruple(subject: str) -> TrainingExample:
    texts = (f"{subject} late.", f"{subject} not early.", f"{subject} early.", f"{subject} not late.")
    return TrainingExample(QUADRUPLE, *texts, "early/late", is_quadruple=True)


def test_all_sentences_get_the_same_prefix() -> None:
    quadruples = [
        quadruple(f"The {noun} is") for noun in ("bus", "train", "post", "guest", "bill", "ferry", "tide", "plane")
    ]
    examples = [*prefixed(quadruples)]
    assert 0 < len(examples) < len(quadruples)
    by_subject = {example.anchor.split()[1]: example for example in quadruples}
    for example in examples:
        prefix, _, remainder = example.anchor.partition("the ")
        original = by_subject[remainder.split()[0]]
        assert example.antonym_pair == original.antonym_pair and example.is_quadruple
        assert [f"{prefix}{text[0].lower()}{text[1:]}" for text in original.texts] == [*example.texts]
    assert examples == [*prefixed(quadruples)]


def test_proper_nouns_keep_their_capital() -> None:
    assert add_prefix(["I’m late."], 0) == ["No, I’m late."]
    assert add_prefix(["That’s late?"], 0) == ["Well, that’s late?"]
    for name in ("Ann is late.", "Late.", "Trains are late."):
        assert not add_prefix(["It is late.", name], 0)
