"""Tests of reading word vectors in all published formats, compared with gensim."""

from __future__ import annotations

import gzip
import os
import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.models.word_vectors.fasttext import ngram_hashes
from litotes.models.word_vectors.store import list_cached_word_vectors, remove_word_vectors
from tests.kills import kill_before_each_change

gensim = pytest.importorskip("gensim.models", reason="gensim, of the extra dev, is not installed")

WORDS = {"the": (0.5, -1.25, 2.0), "naïve": (1.0, 0.1, 1e-6), "well-fed": (3.0, 4.0, -5.5), "1984": (0.0, 0.0, 1.0)}
TEXT = "".join(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in WORDS.items())


def vectors_are(vectors: Any, words: dict[str, Any] = WORDS) -> None:
    rows, known = vectors.lookup([*words, "gnu", ""])
    assert known.tolist() == [True] * len(words) + [False, False]
    assert rows[: len(words)].tolist() == np.array(list(words.values()), dtype=np.float32).tolist()
    assert not rows[len(words) :].any()
    assert vectors.ranks(["gnu", *words]).tolist() == [-1, *range(len(words))]
    assert (vectors.width, len(vectors)) == (3, len(words))
    assert vectors.largest == pytest.approx(5.5)


def test_reads_text_files(opened: Any, tmp_path: Path) -> None:
    files = {
        "glove.txt": TEXT,
        "word2vec.txt": f"{len(WORDS)} 3\n{TEXT.replace(chr(10), ' ' + chr(10))}",  # word2vec ends lines with a space
        "fasttext.vec": f"{len(WORDS)} 3\n{TEXT}",
        "no-ending": TEXT.rstrip("\n"),
        "windows.bin": TEXT.replace("\n", "\r\n"),  # the name does not indicate the format
        "bom.txt": "\ufeff" + TEXT,
        "blank.txt": "\n" + TEXT.replace("\n", "\n\n"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8", newline="")
        vectors_are(opened(tmp_path / name))


def test_reads_compressed_files(opened: Any, tmp_path: Path, write_word2vec: Any) -> None:
    (tmp_path / "a.txt").write_bytes(gzip.compress(TEXT.encode()))  # by content, not by name
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("folder/", "")
        archive.writestr("folder/glove.txt", TEXT)
    (tmp_path / "c.bin.gz").write_bytes(gzip.compress(write_word2vec(WORDS).read_bytes()))
    for name in ("a.txt", "b.zip", "c.bin.gz"):
        vectors_are(opened(tmp_path / name))


def test_reports_zip_archives_with_several_files_or_none(opened: Any, tmp_path: Path, refused: Any) -> None:
    for names in (["a.txt", "b.txt"], []):
        with zipfile.ZipFile(tmp_path / "some.zip", "w") as archive:
            for name in names:
                archive.writestr(name, TEXT)
        with refused("L202", f"some.zip: holds {len(names)} files", "unpack it"):
            opened(tmp_path / "some.zip")


@pytest.mark.parametrize("line_breaks", [True, False])
def test_reads_word2vec_binary_files_as_gensim_does(opened: Any, write_word2vec: Any, line_breaks: bool) -> None:
    path = write_word2vec(WORDS, line_breaks=line_breaks)
    vectors_are(opened(path))
    keyed = gensim.KeyedVectors.load_word2vec_format(str(path), binary=True)
    assert opened(path).lookup(list(WORDS))[0].tolist() == [keyed[word].tolist() for word in WORDS]


def test_reads_a_binary_file_that_is_larger_than_the_buffer(opened: Any, write_word2vec: Any) -> None:
    rng = np.random.default_rng(5)
    words = {f"word{number}{'y' * (number % 60)}": rng.normal(size=3).tolist() for number in range(30_000)}
    path = write_word2vec(words)
    assert path.stat().st_size > 1 << 20
    rows, known = opened(path).lookup(list(words))
    assert known.all() and np.array_equal(rows, np.array(list(words.values()), dtype=np.float32))


def test_reads_arrays_with_their_words(opened: Any, tmp_path: Path) -> None:
    matrix = np.array(list(WORDS.values()))
    listed = "".join(f"{word}\n" for word in WORDS)
    for index, (name, array) in enumerate({
        "small.vocab": matrix, "small.txt": np.asfortranarray(matrix.astype(np.float32)), "vocab.txt": matrix,
    }.items()):  # fmt: skip
        folder = tmp_path / str(index)
        folder.mkdir()
        np.save(folder / "small.npy", array)
        (folder / name).write_text(listed, "utf-8")
        vectors_are(opened(folder / "small.npy"))
    np.savez(tmp_path / "both.npz", vectors=matrix, words=np.array(list(WORDS)))
    vectors_are(opened(tmp_path / "both.npz"))


def test_reports_wrong_arrays(opened: Any, tmp_path: Path, refused: Any) -> None:
    path = tmp_path / "x.npy"
    np.save(path, np.ones((3, 2)))
    with refused("L301", "x.npy: has no list of words next to it", "x.vocab"):
        opened(path)
    (tmp_path / "x.vocab").write_text("a\nb\n")
    with refused("L303", "x.npy: has 3 rows, and x.vocab 2 words"):
        opened(path)
    (tmp_path / "x.vocab").write_text("a\nb\nc")
    for array, message in (
        (np.ones((3, 2), dtype=int), "rows of floats are needed"),
        (np.ones(3), "rows of floats are needed, this is 3"),
        (np.array([[1, 1], [1, np.nan], [1, 1]]), "row 1, from 0, has NaN"),
        (np.full((3, 2), 1e300), "row 0, from 0, has NaN or an infinite"),
    ):
        np.save(path, array)
        with refused("L303", "x.npy", message):
            opened(path)
    np.save(path, np.array([["a"], [{}], [1]], dtype=object), allow_pickle=True)
    with refused("L303", "x.npy: cannot be read as an array"):
        opened(path)
    path.write_bytes(path.read_bytes()[:9])
    with refused("L303", "x.npy: cannot be read as an array"):
        opened(path)
    np.savez(tmp_path / "y.npz", vectors=np.ones((2, 2)))
    with refused("L303", "y.npz: one array of rows and one of words are needed, it holds vectors"):
        opened(tmp_path / "y.npz")


def test_arrays_that_claim_to_be_large_are_refused(opened: Any, tmp_path: Path, refused: Any) -> None:
    words = np.array(["cat", "dog"])
    np.savez(tmp_path / "x.npz", words=words, vectors=np.ones((2, 300), dtype=np.float32))
    with zipfile.ZipFile(tmp_path / "y.npz", "w") as archive, zipfile.ZipFile(tmp_path / "x.npz") as original:
        archive.writestr("words.npy", original.read("words.npy"))
        array = original.read("vectors.npy").replace(b"(2, 300), }" + b" " * 12, b"(2000000000000, 300), }")
        archive.writestr("vectors.npy", array)
    with refused("L303", "y.npz: cannot be read as arrays", "claims to be larger"):
        opened(tmp_path / "y.npz")


# fastText

QUERIES = ["cat", "cats", "naïve", "日本語", "unheard-of", "a", "x", "</s>", "ñ", "<", "Категория"]


def fasttext_words() -> list[str]:
    return ["</s>", "the", "cat", "naïve", "日本", "a"]


@pytest.mark.parametrize("letters", [(3, 6), (2, 3), (1, 4), (5, 5)])
def test_reads_fasttext_models_as_gensim_does(opened: Any, write_fasttext: Any, letters: tuple[int, int]) -> None:
    path = write_fasttext(fasttext_words(), ngram_lengths=letters)
    keyed = gensim.fasttext.load_facebook_vectors(str(path))
    vectors = opened(path)
    rows, known = vectors.lookup(QUERIES)
    for word, row, is_known in zip(QUERIES, rows, known, strict=True):
        # Unlike fastText, gensim computes n-grams of </s> and takes < and > alone as n-grams.
        if word != "</s>" and letters[0] > 1:
            assert row == pytest.approx(keyed.get_vector(word), abs=1e-6), word
        assert is_known == bool(word in fasttext_words() or ngram_hashes(word, *letters)), word
    assert vectors.ranks(["cat", "cats"]).tolist() == [2, -1]


def test_fasttext_vectors_equal_a_computation_by_hand(opened: Any, write_fasttext: Any) -> None:
    matrix = np.arange(21.0).reshape(7, 3)
    path = write_fasttext(["</s>", "ab"], width=3, buckets=5, ngram_lengths=(3, 3), matrix=matrix)

    def fnv(text: str) -> int:
        number = 2166136261
        for byte in text.encode():
            number = ((number ^ (byte - 256 if byte > 127 else byte) & 0xFFFFFFFF) * 16777619) % 2**32
        return 2 + number % 5

    rows, _ = opened(path).lookup(["ab", "éa", "</s>"])
    assert rows[0] == pytest.approx(matrix[[1, fnv("<ab"), fnv("ab>")]].mean(axis=0))
    assert rows[1] == pytest.approx(matrix[[fnv("<éa"), fnv("éa>")]].mean(axis=0))
    assert rows[2] == pytest.approx(matrix[0])


def test_reads_fasttext_models_of_all_kinds(opened: Any, write_fasttext: Any) -> None:
    path = write_fasttext(fasttext_words())
    expected = opened(path).lookup(QUERIES)[0].tolist()
    packed = path.with_name("packed.bin")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert opened(packed).lookup(QUERIES)[0].tolist() == expected
    assert opened(packed).lookup(QUERIES)[0].tolist() == expected  # from the cached copy
    assert opened(write_fasttext(fasttext_words(), version=11)).lookup(QUERIES)[0].tolist() == expected
    # Labels are not words; old models of that kind have no character n-grams.
    with_labels = opened(write_fasttext(fasttext_words(), labels=["__label__a"]))
    assert with_labels.ranks(["__label__a"]).tolist() == [-1]
    assert with_labels.lookup(["cats"])[1].tolist() == [True]
    old = opened(write_fasttext(fasttext_words(), labels=["__label__a"], version=11))
    assert old.lookup(["cats", "cat"])[1].tolist() == [False, True]
    without = opened(write_fasttext(fasttext_words(), ngram_lengths=(0, 0), buckets=0))
    assert without.lookup(["cats", "cat"])[1].tolist() == [False, True]


def test_fasttext_matrix_is_not_copied(opened: Any, write_fasttext: Any, cache: Path) -> None:
    path = write_fasttext(fasttext_words(), buckets=20_000)
    opened(path)
    [cached] = list_cached_word_vectors(cache)
    assert cached.size < 10_000 < path.stat().st_size
    assert (cached.words, cached.source) == (6, "model.bin")


def test_remains_of_an_interrupted_conversion_can_be_removed(opened: Any, write_fasttext: Any, cache: Path) -> None:
    opened(write_fasttext(fasttext_words()))
    left = cache / "word-vectors" / ".0123456789abcdef.tmp"
    left.mkdir()
    (left / "vectors.npy").write_bytes(bytes(500))
    [unfinished, complete] = list_cached_word_vectors(cache)
    assert (unfinished.folder, unfinished.source, unfinished.size) == (left, "(unfinished)", 500)
    remove_word_vectors(unfinished.folder)
    assert list_cached_word_vectors(cache) == [complete]


def test_reports_wrong_fasttext_models(opened: Any, write_fasttext: Any, refused: Any) -> None:
    with refused("L303", "model.bin: byte", "is a quantised model (.ftz)", "use the full model"):
        opened(write_fasttext(["a"], quantised=True))
    with refused("L303", "model.bin: byte 8: is a fastText model of version 10"):
        opened(write_fasttext(["a"], version=10))
    with refused("L303", "model.bin: byte 64: is a model of sent2vec, not of", "; sent2vec:", "model.bin reads it"):
        opened(write_fasttext(["a"], version=11, model=4))
    with refused("L303", "row 2 of its matrix has NaN"):
        opened(write_fasttext(["a"], buckets=2, width=2, matrix=np.array([[1, 1], [1, 1], [1, np.nan]])))
    with refused("L303", "its matrix is 4 × 2, expected 3 × 2"):
        opened(write_fasttext(["a"], buckets=2, width=2, matrix=np.ones((4, 2))))
    with refused("L303", "model.bin: has no words"):
        opened(write_fasttext([]))
    complete = write_fasttext(["some", "words"])
    data = complete.read_bytes()
    for size in (6, 40, 80, 96, 130, 400):
        complete.write_bytes(data[:size])
        with refused("L303", "model.bin: byte ", "too early"):
            opened(complete)


# Files of gensim


def keyed_vectors() -> Any:
    keyed = gensim.KeyedVectors(vector_size=3)
    keyed.add_vectors(list(WORDS), np.array(list(WORDS.values()), dtype=np.float32))
    return keyed


def test_reads_keyed_vectors_from_an_object_and_a_file(opened: Any, tmp_path: Path, refused: Any) -> None:
    from litotes.models.word_vectors.gensim import GensimVectors

    keyed = keyed_vectors()
    vectors_are(GensimVectors(keyed))
    path = tmp_path / "small.kv"
    keyed.save(str(path))
    with refused("L305", "small.kv: is a pickle", "--allow-pickle"):
        opened(path)
    vectors = opened(path, allow_pickle=True)
    vectors_are(vectors)
    assert vectors.sha256 == GensimVectors(keyed_vectors()).sha256
    keyed.vectors[0, 0] = 9
    assert GensimVectors(keyed).sha256 != vectors.sha256
    path.write_bytes(path.read_bytes()[:50])
    with refused("L303", "small.kv: gensim cannot read it"):
        opened(path, allow_pickle=True)
    with refused("L102", "a list is not a KeyedVectors"):
        GensimVectors([1])
    keyed.vectors[0, 0] = np.nan
    with refused("L303", "have NaN"):
        GensimVectors(keyed)


def test_a_gensim_file_is_checked_once(
    opened: Any, tmp_path: Path, refused: Any, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "small.kv"
    keyed = keyed_vectors()
    keyed.save(str(path), sep_limit=1)  # the matrix is in a separate file
    matrix = tmp_path / "small.kv.vectors.npy"
    first = opened(path, allow_pickle=True)
    with monkeypatch.context() as patch:
        patch.setattr("litotes.models.word_vectors.gensim.summarize", None)  # not called again
        again = opened(path, allow_pickle=True)
    vectors_are(again)
    assert (again.sha256, again.largest, again.width) == (first.sha256, first.largest, first.width)
    # A different matrix next to the same file is a different model.
    np.save(matrix, np.load(matrix) * 2)
    other = opened(path, allow_pickle=True)
    assert (other.sha256 != first.sha256, other.largest) == (True, 2 * first.largest)
    np.save(matrix, np.load(matrix) * np.nan)
    cached = sorted(cache.rglob("about.json"))
    with refused("L303", "small.kv: the KeyedVectors have NaN"):
        opened(path, allow_pickle=True)
    assert sorted(cache.rglob("about.json")) == cached


def test_fasttext_vectors_of_gensim_compose_words_from_ngrams(opened: Any, write_fasttext: Any) -> None:
    from litotes.models.word_vectors.gensim import GensimVectors

    path = write_fasttext(fasttext_words())
    queries = [word for word in QUERIES if word != "</s>"]
    rows, known = GensimVectors(gensim.fasttext.load_facebook_vectors(str(path))).lookup(queries)
    expected, expected_known = opened(path).lookup(queries)
    assert known.tolist() == expected_known.tolist()
    assert rows == pytest.approx(expected, abs=1e-6)


# Damaged files


def test_reports_truncated_and_wrong_binary_files(opened: Any, write_word2vec: Any, refused: Any, cache: Path) -> None:
    path = write_word2vec(WORDS)
    data = path.read_bytes()
    with refused("L303", "model.bin: byte 40: ends after 2 of 4 words"):
        path.write_bytes(data[:60])
        opened(path)
    with refused("L303", "model.bin: word 2 has NaN"):
        opened(write_word2vec({"a": (1.0, 2.0), "b": (np.nan, 1.0)}))
    with refused("L303", "a word is expected here"):
        path.write_bytes(b"2 3\n" + bytes(9_000))
        opened(path)
    assert not list((cache / "word-vectors").iterdir())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad.txt: has no words"),
        ("\n\n", "bad.txt: has no words"),
        ("0 300\n", "bad.txt: has no words"),
        ("only words here\nand here\n", "bad.txt:1: is not a word and its vector"),
        ("<!DOCTYPE html>\n<html>\n", "bad.txt:1: is not a word and its vector"),
        (TEXT + "cow 1.0 2.0\n", "bad.txt:5: is not a word with 3 numbers, as in the first line"),
        (TEXT + "cow 1.0 2.0 3.0 4.0\n", "bad.txt:5: a word with more than 3 numbers"),
        ("4 3\n" + TEXT.replace("\n", " 1.5\n", 1), "bad.txt:2: a word with more than 3 numbers"),
        (TEXT + "cow 1.0 2.0 x\n", "bad.txt:5: is not a word with 3 numbers, as in the first line"),
        (TEXT + "cow 1.0 2.0 nan\n", "bad.txt:5: has NaN or an infinite number"),
        (TEXT + "\ncow 1.0 2.0 inf\n", "bad.txt:6: has NaN or an infinite number"),
        ("5 3\n" + TEXT, "bad.txt:5: ends after 4 of 5 words"),
        ("4 4\n" + TEXT, "bad.txt:2: is not a word with 4 numbers, as the first line says"),
        ("x" * 100_000, "bad.txt:1: is not a word and its vector"),
        ("\0\1\2" * 100, "bad.txt: is not a known format of word vectors"),
        ("PK\x03\x04 and no more", "bad.txt: cannot be unpacked"),
    ],
)  # fmt: skip
def test_reports_a_wrong_file_and_leaves_no_conversion(
    text: str, message: str, tmp_path: Path, cache: Path, opened: Any, refused: Any
) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(text, "utf-8")
    with refused("L303", message):
        opened(path)
    assert not cache.exists() or not list((cache / "word-vectors").iterdir())


def test_reports_a_truncated_compressed_file(tmp_path: Path, opened: Any, refused: Any) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(os.urandom(20_000).hex().encode())[:5_000])
    with refused("L303", "cut.gz: cannot be unpacked"):
        opened(path)


def test_reports_words_that_occur_twice_and_uses_the_first(tmp_path: Path, opened: Any) -> None:
    path = tmp_path / "odd.txt"
    path.write_text(". . . 1 2\ncat 3 4\nat home 5 6\ncat 9 9\n\u00a0 7 8\ncat 8 8\n. . . 0 0\n", "utf-8")
    for _ in range(2):  # converted, then from the cache
        vectors = opened(path)
        assert vectors.lookup(["cat", ". . .", "at home", "\u00a0"])[0].tolist() == [[3, 4], [1, 2], [5, 6], [7, 8]]
        assert vectors.remarks == ("odd.txt: 3 words occur more than once; the first vector is used",)


def test_killed_conversions_leave_nothing_in_the_cache(opened: Any, write_word2vec: Any, cache: Path) -> None:
    path = write_word2vec({"soup": [1.0, 2.0], "bread": [2.0, 3.0]})
    for _ in kill_before_each_change(cache, lambda: opened(path)):
        opened(path)
        (converted,) = (cache / "word-vectors").iterdir()
        assert sorted(file.name for file in converted.iterdir()) == ["about.json", "vectors.bin", "words.json"]
        shutil.rmtree(cache)
