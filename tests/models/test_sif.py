"""Tests of smooth inverse frequency: weights and the removal of shared directions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.models.base import Encoder
from litotes.models.loading import load_model

RNG = np.random.default_rng(2)
WORDS = ["the", "a", "dog", "cat", "sees", "hears", "red", "not", "river", "."]
ROWS = np.round(RNG.normal(size=(len(WORDS), 4)) + np.array([1, 0, 0, 0]), 3)
SENTENCES = ["the dog sees a cat .", "a cat hears the dog .", "the red river", "not a red dog .", "the cat , a zebra"]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    lines = [f"{word} {' '.join(map(str, row))}\n" for word, row in zip(WORDS, ROWS, strict=True)]
    (tmp_path / "vectors.txt").write_text("".join(lines), "utf-8")
    (tmp_path / "some.txt").write_text("\n".join(SENTENCES), "utf-8")
    (tmp_path / "counts.tsv").write_text("the\t600\na 300\ndog\t50\nsees\t50\nunheard 0\n", "utf-8")
    return tmp_path


def load(folder: Path, options: str, **more: Any) -> Encoder:
    scorer = load_model(f"sif:{folder / 'vectors.txt'}?component={folder / 'some.txt'}&{options}", **more)
    assert isinstance(scorer, Encoder)
    return scorer


def by_hand(sentences: list[str], chance: dict[str, float], a: float, remove: int) -> np.ndarray:
    """Compute the vectors of the paper word by word, with the component of SENTENCES."""

    def weighted(sentence: str) -> np.ndarray:
        words = [word for word in sentence.split() if word in WORDS]
        rows = [a / (a + chance.get(word, 0.0)) * ROWS[WORDS.index(word)] for word in words]
        return np.sum(rows, axis=0) / len(words)

    directions = np.linalg.svd(np.array([weighted(one) for one in SENTENCES]))[2][:remove]
    result = np.array([weighted(one) for one in sentences])
    return result - result @ directions.T @ directions


@pytest.mark.parametrize(("a", "remove"), [(0.001, 1), (0.05, 1), (0.05, 0), (0.01, 2)])
def test_vectors_match_the_paper(files: Path, a: float, remove: int) -> None:
    texts = ["the cat sees a river .", "not the dog", "red red a"]
    chance = {"the": 0.6, "a": 0.3, "dog": 0.05, "sees": 0.05}
    model = load(files, f"a={a}&remove={remove}&frequencies={files / 'counts.tsv'}")
    assert model.encode(texts) == pytest.approx(by_hand(texts, chance, a, remove), abs=1e-5)
    zipf = {word: 1 / (rank * (np.log(len(WORDS)) + 0.5772156649)) for rank, word in enumerate(WORDS, start=1)}
    model = load(files, f"a={a}&remove={remove}")
    assert model.encode(texts) == pytest.approx(by_hand(texts, zipf, a, remove), abs=1e-5)


def test_vector_does_not_depend_on_other_sentences_or_word_order(files: Path) -> None:
    model = load(files, "a=0.01")
    together = model.encode([*SENTENCES, "dog the cat a sees .", "a cat. sees the dog"])
    assert together[0].tobytes() == together[5].tobytes() == together[6].tobytes()
    assert together[1].tobytes() == load(files, "a=0.01").encode(SENTENCES[1:2])[0].tobytes()


def test_unknown_words_are_counted_and_omitted(files: Path) -> None:
    model = load(files, "a=0.01")
    assert not model.encode(["zebra gnu"]).any()
    assert model.notes(["the zebra", "gnu"]) == [
        "2 of 3 words have no vector and are left out: gnu, zebra",
        "1 sentence has no word with a vector: the similarity to every other is 0",
    ]


def test_fingerprint_contains_all_settings(files: Path) -> None:
    every = ["a=0.01", "a=0.02", "remove=0", "remove=2", f"frequencies={files / 'counts.tsv'}", "case=keep"]
    prints = [load(files, options).fingerprint.key() for options in every]
    (files / "some.txt").write_text("\n".join([*SENTENCES[::-1], "a river"]))
    prints.append(load(files, "a=0.01").fingerprint.key())
    prints.append(load_model(f"sif:{files / 'vectors.txt'}", a=0.01).fingerprint.key())
    assert len(set(prints)) == len(prints)


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ("a=0", "L102", "a=0: must be a number above 0"),
        ("a=much", "L102", "a=much: must be a number"),
        ("a=inf", "L102", "a=inf: must be a number above 0"),
        ("remove=-1", "L102", "remove=-1: must be a whole number"),
        ("remove=4", "L102", "the vectors have only 4 dimensions"),
        ("b=1", "L101", 'unknown option of "sif:" "b"'),
        ("frequencies=gone.tsv", "L201", "gone.tsv: no such file"),
        ("frequencies=bad.tsv", "L203", "bad.tsv:2: must be a word and its count"),
        ("frequencies=none.tsv", "L204", "none.tsv: has no words with a count"),
    ],
)
def test_reports_wrong_options(
    files: Path, options: str, code: str, message: str, refused: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    (files / "bad.tsv").write_text("the 5\nthe many\n")
    (files / "none.tsv").write_text("the 0\n")
    with refused(code, message):
        load(files, options)


def test_reports_a_component_without_known_words(files: Path, refused: Any) -> None:
    (files / "some.txt").write_text("zebra\n")
    with refused("L203", "only 0 sentences of the component have a word with a vector"):
        load(files, "a=0.01")
    (files / "some.txt").write_text("")
    with refused("L204", "some.txt: no sentence could be read"):
        load(files, "a=0.01")
