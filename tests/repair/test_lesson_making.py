"""From a text to lessons: what is reported stays out, what is watched is not learned."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("spacy")

from litotes.core.errors import LitotesError
from litotes.corpora.base import Record
from litotes.corpora.nli import NliPair
from litotes.repair.examples.base import apart, sample, write_text
from litotes.repair.examples.generation import lessons_of, make_lessons
from litotes.repair.holdout import HeldOut, pair_key, sentence_key

NOTHING = HeldOut({}, {})
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


def test_lessons_of_several_kinds(text: Path, tmp_path: Path) -> None:
    found = make_lessons(text, text.parent, NOTHING, general=["A plain sentence."])
    kinds = {lesson.kind for lesson in (*found.learned, *found.watched)}
    assert "quadruple" in kinds and kinds & {"typo", "contraction", "synonym", "passive"}
    watched = {lesson.pair for lesson in found.watched if lesson.mates}
    assert watched and watched.isdisjoint(lesson.pair for lesson in found.learned)
    anchors = {lesson.anchor for lesson in found.watched if not lesson.mates}
    assert anchors.isdisjoint(lesson.anchor for lesson in found.learned)
    assert {"A plain sentence.", "The kettle is hot."} <= set(found.ordinary)
    # What was made is read the second time, and is the same.
    assert make_lessons(text, text.parent, NOTHING, general=["A plain sentence."]) == found


def test_what_is_reported_is_in_no_lesson(text: Path) -> None:
    held = HeldOut(
        {"suite": frozenset({sentence_key("The road is wide.")})}, {"suite": frozenset({pair_key("hot", "cold")})}
    )
    found = make_lessons(text, text.parent, held)
    learned = [*found.learned, *found.watched]
    assert not any("road is wide" in one for lesson in learned for one in lesson.texts)
    assert pair_key("cold", "hot") not in {lesson.pair for lesson in learned}
    assert found.kept_out["pair", "suite"] and found.kept_out["sentence", "suite"]
    assert "The road is wide." not in found.ordinary


def test_nli_pairs_join_in(text: Path) -> None:
    pairs = [
        NliPair("1", "A dog runs.", "An animal moves.", "entailment"),
        NliPair("2", "A dog runs.", "A dog sleeps.", "contradiction"),
        NliPair("3", "A cat sits.", "A cat is there.", "entailment"),
    ]
    found = make_lessons(text, text.parent, NOTHING, nli=pairs)
    nli = [lesson for lesson in (*found.learned, *found.watched) if lesson.kind == "nli"]
    assert [lesson.texts for lesson in nli] == [("A dog runs.", "An animal moves.", "A dog sleeps.", "")]


def test_a_text_without_lessons(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("Oh my!\nHello there, you two.\n", "utf-8")
    with pytest.raises(LitotesError, match="gives no lesson"):
        make_lessons(path, tmp_path, NOTHING)


def test_sentences_are_drawn_by_the_seed() -> None:
    records = [Record(str(n), f"Sentence  number {n}.") for n in range(1000)]
    records.append(Record("double", "Sentence number 1."))
    whole = sample(records, None, 0)
    assert len(whole) == 1000 and whole[0] == "Sentence number 0."
    some = sample(records, 100, 0)
    assert len(some) == 100 and some == sorted(some, key=whole.index)
    assert some == sample(records, 100, 0) != sample(records, 100, 1)
    learned, unseen = apart(whole)
    assert set(learned).isdisjoint(unseen) and len(learned) + len(unseen) == 1000 and 20 < len(unseen) < 90


def test_what_is_left_for_the_proof_is_from_all_of_a_long_text() -> None:
    whole = [f"Sentence number {n}." for n in range(60_000)]
    _, unseen = apart(whole)
    numbers = [int(text.split()[-1].strip(".")) for text in unseen]
    assert len(unseen) == 2000 and numbers == sorted(numbers)
    assert 800 < sum(number >= 30_000 for number in numbers) < 1200


def test_a_text_of_which_everything_is_reported(text: Path) -> None:
    ordinary = frozenset(map(sentence_key, TEXT.splitlines()))
    with pytest.raises(LitotesError, match=r"L204.*text.txt: (all of its sentences are reported|gives no lesson)"):
        make_lessons(text, text.parent, HeldOut({"suite": ordinary}, {}))


def test_the_text_is_kept_by_what_is_in_it(tmp_path: Path) -> None:
    one = write_text(["A.", "B."], tmp_path, "notes")
    assert one.read_text("utf-8") == "A.\nB.\n"
    assert write_text(["A.", "B."], tmp_path, "notes") == one != write_text(["A."], tmp_path, "notes")
    with pytest.raises(LitotesError, match="notes: there is no sentence"):
        write_text([], tmp_path, "notes")


def test_an_antonym_whose_pair_cannot_be_told_is_no_lesson() -> None:
    told = {"typo": "The kettle is hto.", "antonym": "The kettle is cold."}
    assert [one.pair for one in lessons_of("The kettle is hot.", told)] == [pair_key("cold", "hot")]
    untold = {**told, "antonym": "It was the other kettle that somebody had left to cool."}
    assert not [*lessons_of("The kettle is hot.", untold)]
    (one,) = lessons_of("The kettle is hot.", {**untold, "negation": "The kettle is not hot."})
    assert (one.opposite, one.other, one.pair) == ("The kettle is not hot.", "", "")
