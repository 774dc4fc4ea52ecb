"""Tests of sent2vec: files in the published layout and vectors, compared with a plain loop."""

from __future__ import annotations

import struct
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from litotes.core.errors import LitotesError
from litotes.models.base import Encoder
from litotes.models.classic.sent2vec import Sent2VecFileSettings, model_bytes, open_model, treebank, tweet
from litotes.models.loading import load_model

WORDS = [
    "<PLACEHOLDER>",
    "</s>",
    ".",
    "the",
    "cat",
    "dog",
    "sees",
    "n't",
    "does",
    "café",
    "``",
    "''",
    "<url>",
    "<user>",
]
DIM = 5
BUCKET = 11


def numbers(rows: int, seed: int = 1) -> list[list[float]]:
    return np.random.default_rng(seed).normal(size=(rows, DIM)).astype("f4").tolist()


def file_bytes(
    ngrams: int = 2,
    bucket: int = BUCKET,
    version: int = 11,
    model: int = 4,
    signed: bool = True,
    quantised: bool = False,
    pruned: int = -1,
    rows: Sequence[Sequence[float]] | None = None,
    labels: Sequence[str] = (),
) -> bytes:
    """Write a model in the layout of the original tool: Args::save, Dictionary::save, Matrix::save."""
    out = struct.pack("<ii", 793712314, version) if signed else b""
    for number in (DIM, 5, 9, 8, 10, ngrams, 2, model, bucket, 3, 6, 100):
        out += struct.pack("<i", number)
    out += struct.pack("<d", 5e-6)
    out += struct.pack("<iii", len(WORDS) + len(labels), len(WORDS), len(labels)) + struct.pack("<q", 1000)
    if signed:
        out += struct.pack("<q", pruned)
    for index, word in enumerate([*WORDS, *labels]):
        out += word.encode() + b"\0" + struct.pack("<q", 100 - index) + struct.pack("<b", index >= len(WORDS))
    for matrix in (rows or numbers(len(WORDS) + bucket), numbers(len(WORDS), seed=2)):
        out += struct.pack("<?", quantised) if signed else b""
        out += struct.pack("<qq", len(matrix), DIM)
        for row in matrix:
            out += struct.pack(f"<{DIM}f", *row)
    return out


def plain(tokens: Sequence[str], ngrams: int = 2, bucket: int = BUCKET) -> list[float]:
    """Return the vector by definition: the mean over each word and each n-gram."""
    rows = numbers(len(WORDS) + bucket)
    ids = [WORDS.index(token) for token in tokens if token in WORDS]
    used = list(ids)
    for first in range(len(ids)):
        value = ids[first]
        for last in range(first + 1, min(first + ngrams, len(ids))):
            value = (value * 116049371 + ids[last]) % 2**64
            used.append(len(WORDS) + value % bucket)
    return [sum(rows[row][column] for row in used) / len(used) for column in range(DIM)]


def load(path: Path, **options: str) -> Encoder:
    scorer = load_model(f"sent2vec:{path}", **options)
    assert isinstance(scorer, Encoder)
    return scorer


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some_bigrams.bin"
    path.write_bytes(file_bytes())
    return path


@pytest.mark.parametrize(("ngrams", "bucket"), [(1, 0), (1, 1), (2, BUCKET), (3, BUCKET), (5, 3)])
def test_the_vector_is_the_mean_over_words_and_ngrams(tmp_path: Path, ngrams: int, bucket: int) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(file_bytes(ngrams, bucket))
    texts = ["The cat doesn’t see the dog.", "DOG", "The dog sees the café.", 'The "cat" sees @ann at https://a.b/c.']
    cut = [
        ["the", "cat", "does", "n't", "see", "the", "dog", "."],
        ["dog"],
        ["the", "dog", "sees", "the", "café", "."],
        ["the", "``", "cat", "''", "sees", "<user>", "at", "<url>"],
    ]
    for name in (path, tmp_path):  # the file, and its folder
        for vector, tokens in zip(load(name).encode(texts), cut, strict=True):
            assert vector == pytest.approx(plain(tokens, ngrams, bucket), abs=1e-6)


def test_large_word_indices_overflow_as_in_the_original_tool() -> None:
    from litotes.models.classic.sent2vec import sentence_rows

    ids, words, bucket = [1_700_001, 3, 1_699_999, 12], 1_700_002, 4_000_000
    value, expected = ids[0], []
    for one in ids[1:]:
        value = (value * 116049371 + one) % 2**64
        expected.append(words + value % bucket)
    assert 1_700_001 * 116049371**3 > 2**64
    results = sentence_rows(ids, max_n=4, n_words=words, bucket=bucket).tolist()
    assert results[:4] == ids
    assert set(expected) <= set(results)
    assert len(results) == 4 + 3 + 2 + 1


def test_first_published_layout_is_read_with_end_of_sentence(tmp_path: Path) -> None:
    path = tmp_path / "old.bin"
    path.write_bytes(file_bytes(signed=False))
    [result] = load(path).encode(["The cat sees."])
    assert result == pytest.approx(plain(["the", "cat", "sees", ".", "</s>"]), abs=1e-6)


def test_unknown_words_are_left_out_and_noted(file: Path) -> None:
    scorer = load(file)
    texts = ["The purple cat sees.", "", "🙂 🙂", "PURPLE"]
    vectors = scorer.encode(texts)
    assert vectors[0] == pytest.approx(plain(["the", "cat", "sees", "."]), abs=1e-6)
    assert not vectors[1:].any()
    assert scorer.allows_zero_vectors
    assert scorer.notes(texts) == [
        "4 of 8 words have no vector and are left out: purple, 🙂",
        "3 sentences have no word with a vector: the similarity to every other is 0",
    ]
    assert scorer.notes(["The cat."]) == []
    assert scorer.encode([]).shape == (0, vectors.shape[1])


def test_sentence_of_ten_thousand_words_is_encoded(file: Path) -> None:
    words = ["the", "cat", "sees", "purple"] * 2500
    [result] = load(file).encode([" ".join(words)])
    assert result == pytest.approx(plain(words), abs=1e-5)


def test_word_order_changes_vectors_with_bigrams_only(tmp_path: Path, file: Path) -> None:
    path = tmp_path / "words.bin"
    path.write_bytes(file_bytes(1, 0))
    there, back = "The cat sees the café.", "The café sees the cat."
    first, second = load(path).encode([there, back])
    assert first.tobytes() == second.tobytes()
    first, second = load(file).encode([there, back])
    assert not np.allclose(first, second)


def test_tokenization_is_an_option_and_part_of_the_fingerprint(file: Path) -> None:
    text = "The dog does n't see </s> ."
    [result] = load(file, tokens="blanks").encode([text.replace("The", "the")])
    assert result == pytest.approx(plain(text.replace("The", "the").split()), abs=1e-6)
    keys = {load(file, tokens=tokens).fingerprint.key() for tokens in ("treebank", "tweet", "blanks")}
    assert len(keys) == 3
    before = load(file).fingerprint
    file.write_bytes(file_bytes(rows=numbers(len(WORDS) + BUCKET, seed=3)))
    assert load(file).fingerprint != before


@pytest.mark.parametrize(
    ("text", "as_treebank", "as_tweet"),
    [
        ('She asked: "Who\'s there?"', "she asked : `` who 's there ? ''", 'she asked : " who\'s there ? "'),
        (
            "Nobody (not even Ann's brother) can't swim.",
            "nobody ( not even ann 's brother ) ca n't swim .",
            "nobody ( not even ann's brother ) can't swim .",
        ),
        ("On the 3rd, at 9.30!", "on the 3rd , at 9.30 !", "on the 3rd , at 9.30 !"),
        ("We're late :-) #Monday <3", "we 're late : - ) # monday < 3", "we're late :-) #monday <3"),
        ("@ann_b: see http://x.org/a?b=1 …", "<user> : see <url> ...", "<user> : see <url> …"),
        ("", "", ""),
    ],
)
def test_texts_are_tokenized_like_the_training_text(text: str, as_treebank: str, as_tweet: str) -> None:
    # Tokens of NLTK's two tokenizers; the Treebank tokenizer splits emoticons and hashtags.
    assert treebank(text) == as_treebank.split()
    assert tweet(text) == as_tweet.split()


def test_labels_are_not_words(tmp_path: Path) -> None:
    path = tmp_path / "labelled.bin"
    path.write_bytes(file_bytes(labels=["__label__cat"]))
    [result] = load(path).encode(["The cat"])
    assert result == pytest.approx(plain(["the", "cat"]), abs=1e-6)


def refused(path: Path) -> str:
    with pytest.raises(LitotesError) as error:
        load(path).encode(["The cat sees the dog."])
    assert "\n" not in str(error.value)
    return str(error.value)


WRONG = {
    "empty": (b"", "is empty"),
    "text": (b"a text that is no model at all, but long enough for its settings " * 3, "is not a sent2vec model"),
    "short": (file_bytes()[:30], "is truncated"),
    "fasttext": (file_bytes(version=12), "is a fastText model of version 12"),
    "skipgram": (file_bytes(model=2), "is a fastText model of words"),
    "supervised": (file_bytes(model=3), "is a fastText classifier"),
    "quantised": (file_bytes(quantised=True), "is quantised"),
    "pruned": (file_bytes(pruned=2), "is quantised"),
    "longer": (file_bytes() + b"\0" * 9, "has 9 bytes too many"),
    "other": (file_bytes(rows=numbers(7)), "its matrix is 7 × 5, expected 25 × 5"),
    "numbers": (
        file_bytes(rows=[*numbers(3), [0.0, float("nan"), 0.0, 0.0, 0.0], *numbers(21)]),
        "row 4 of its matrix has NaN or an infinite number",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_reports_wrong_files(tmp_path: Path, kind: str) -> None:
    content, expected = WRONG[kind]
    path = tmp_path / "wrong.bin"
    path.write_bytes(content)
    message = refused(path)
    assert message.startswith(f"[L303] {path}: ")
    assert expected in message


@pytest.mark.parametrize("signed", [True, False])
def test_truncated_file_is_refused(tmp_path: Path, signed: bool) -> None:
    content = file_bytes(signed=signed)
    path = tmp_path / "cut.bin"
    for length in range(1, len(content), 17):
        path.write_bytes(content[:length])
        with pytest.raises(LitotesError, match=r"^\[L303\] .*cut.bin: is truncated"):
            open_model(path)


def test_reports_missing_files(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.bin").startswith("[L301]")
    assert refused(tmp_path).startswith(f"[L302] {tmp_path}: has no model.bin")
    with pytest.raises(LitotesError, match="tokens=words"):
        load_model(f"sent2vec:{tmp_path}?tokens=words")


def test_matrix_is_memory_mapped(tmp_path: Path) -> None:
    path = tmp_path / "large.bin"
    rows = np.ones((len(WORDS) + 1_000_000, DIM), dtype=np.float32)
    words = [word.encode() for word in WORDS]
    settings = Sent2VecFileSettings(DIM, 2, 1_000_000)
    counts = [1] * len(WORDS)
    path.write_bytes(model_bytes(settings, words, counts, tokens=9, rows=rows, output=rows[: len(WORDS)]))
    open_model(path)
    tracemalloc.start()
    try:
        [result] = load(path).encode(["The cat sees the dog."])
        assert tracemalloc.get_traced_memory()[1] < 4_000_000  # of 20
    finally:
        tracemalloc.stop()
    assert result == pytest.approx([1.0] * DIM)


def test_written_file_has_the_published_layout(tmp_path: Path) -> None:
    settings = Sent2VecFileSettings(DIM, 2, BUCKET, epochs=9, min_count=8, negatives=10, subsample=5e-6)
    counts = [100 - index for index in range(len(WORDS))]
    rows, output = (np.array(numbers_, dtype=np.float32) for numbers_ in (numbers(25), numbers(len(WORDS), seed=2)))
    words = [word.encode() for word in WORDS]
    written = model_bytes(settings, words, counts, tokens=1000, rows=rows, output=output)
    # The tool ignores character n-grams here; their default lengths were 3 to 6 or 0, depending on the version.
    ngram_lengths = slice(8 + 9 * 4, 8 + 11 * 4)
    assert written[ngram_lengths] == bytes(8)
    expected = bytearray(file_bytes())
    expected[ngram_lengths] = bytes(8)
    assert written == bytes(expected)
    path = tmp_path / "model.bin"
    path.write_bytes(written)
    assert open_model(path).settings == settings
