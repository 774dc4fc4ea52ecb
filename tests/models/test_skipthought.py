"""Tests of skip-thought vectors: published files and vectors, compared with the equations of the paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.models.base import Encoder
from litotes.models.loading import load_model

WORDS = ["<eos>", "UNK", "The", "cat", "dog", "sees", "does", "n't", "see", "a", "."]
WIDTH, UNI, BI = 5, 4, 3
TEXTS = ["The cat doesn't see a dog.", "The dog sees", "A zebra sees the cat.", "cat"]
TOKENS = [
    ["The", "cat", "does", "n't", "see", "a", "dog", "."],
    ["The", "dog", "sees"],
    ["UNK", "UNK", "sees", "UNK", "cat", "."],
    ["cat"],
]
"""“A”, “zebra” and “the” are not in the dictionary, which distinguishes capitals."""

Arrays = dict[str, np.ndarray]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path / "cache"))


def encoder_arrays(prefix: str, dim: int, draw: np.random.Generator) -> Arrays:
    shapes = {"W": (WIDTH, 2 * dim), "b": (2 * dim,), "U": (dim, 2 * dim)}
    shapes |= {"Wx": (WIDTH, dim), "bx": (dim,), "Ux": (dim, dim)}
    return {f"{prefix}_{name}": draw.normal(0, 0.7, shape).astype(np.float32) for name, shape in shapes.items()}


def published(folder: Path, words: Sequence[str] = WORDS) -> dict[str, Arrays]:
    """Write a folder in the published layout; return its arrays."""
    draw = np.random.default_rng(7)
    folder.mkdir(exist_ok=True)
    result: dict[str, Arrays] = {}
    for part, prefixes, dim in (("uni", ["encoder"], UNI), ("bi", ["encoder", "encoder_r"], BI)):
        arrays = {"Wemb": draw.normal(0, 1, (3, WIDTH)).astype(np.float32)}  # used in training only
        for prefix in prefixes:
            arrays |= encoder_arrays(prefix, dim, draw)
        np.savez(folder / f"{part}_skip.npz", **arrays)  # type: ignore[arg-type]
        table = draw.normal(0, 1, (len(words), WIDTH)).astype(np.float32)
        np.save(folder / f"{part[0]}table.npy", table)
        (folder / f"{part}_skip.npz.pkl").write_bytes(b"a pickle that nobody reads")
        result[part] = {**arrays, "table": table}
    (folder / "dictionary.txt").write_text("\n".join(words) + "\n", "utf-8")
    return result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    published(tmp_path / "model")
    return tmp_path / "model"


def load(name: str | Path) -> Encoder:
    scorer = load_model(f"skipthought:{name}")
    assert isinstance(scorer, Encoder)
    return scorer


def by_hand(arrays: Arrays, prefix: str, rows: Sequence[Sequence[float]], dim: int) -> list[float]:
    """Compute the equations of the paper and of the authors' code number by number."""

    def times(vector: Sequence[float], matrix: str, column: int) -> float:
        return sum(float(x) * float(arrays[f"{prefix}_{matrix}"][i, column]) for i, x in enumerate(vector))

    def sigma(x: float) -> float:
        return 1 / (1 + math.exp(-x))

    h = [0.0] * dim
    for x in rows:
        b, bx = arrays[f"{prefix}_b"], arrays[f"{prefix}_bx"]
        r = [sigma(times(x, "W", j) + float(b[j]) + times(h, "U", j)) for j in range(dim)]
        z = [sigma(times(x, "W", dim + j) + float(b[dim + j]) + times(h, "U", dim + j)) for j in range(dim)]
        new = [math.tanh(times(x, "Wx", j) + float(bx[j]) + r[j] * times(h, "Ux", j)) for j in range(dim)]
        h = [z[j] * h[j] + (1 - z[j]) * new[j] for j in range(dim)]
    return h


def unit(vector: list[float]) -> list[float]:
    size = math.sqrt(sum(x * x for x in vector))
    return [x / size for x in vector]


def expected(arrays: dict[str, Arrays], model: str, tokens: Sequence[str]) -> list[float]:
    def rows(part: str) -> list[list[float]]:
        return [arrays[part]["table"][WORDS.index(word)].tolist() for word in tokens]

    uni = unit(by_hand(arrays["uni"], "encoder", rows("uni"), UNI))
    there, back = rows("bi"), rows("bi")[::-1]
    bi = unit(by_hand(arrays["bi"], "encoder", there, BI) + by_hand(arrays["bi"], "encoder_r", back, BI))
    return {"uni": uni, "bi": bi, "combined": uni + bi}[model]


@pytest.mark.parametrize("model", ["uni", "bi", "combined"])
def test_vectors_match_the_equations(tmp_path: Path, model: str) -> None:
    arrays = published(tmp_path / "model")
    results = load(f"{tmp_path / 'model'}?model={model}").encode(TEXTS)
    assert results.dtype == np.float32
    for row, tokens in zip(results, TOKENS, strict=True):
        assert row.tolist() == pytest.approx(expected(arrays, model, tokens), abs=2e-6)


def test_default_model_is_what_the_folder_contains(folder: Path) -> None:
    both = load(folder).encode(TEXTS)
    assert np.array_equal(both, load(f"{folder}?model=combined").encode(TEXTS))
    assert both.shape == (4, UNI + 2 * BI)
    (folder / "uni_skip.npz").unlink()
    assert np.array_equal(load(folder).encode(TEXTS), both[:, UNI:])


def test_end_of_sentence_is_an_option(tmp_path: Path) -> None:
    arrays = published(tmp_path / "model")
    result = load(f"{tmp_path / 'model'}?eos=yes").encode([TEXTS[0], ""])
    assert result[0].tolist() == pytest.approx(expected(arrays, "combined", [*TOKENS[0], "<eos>"]), abs=2e-6)
    assert result[1].tolist() == pytest.approx(expected(arrays, "combined", ["<eos>"]), abs=2e-6)


def test_vector_does_not_depend_on_the_batch(folder: Path) -> None:
    encoder = load(folder)
    together = encoder.encode(TEXTS)
    for row, text in zip(together, TEXTS, strict=True):
        assert encoder.encode([text])[0] == pytest.approx(row, abs=1e-6)


def test_lower_case_dictionary_lowers_the_text(tmp_path: Path) -> None:
    published(tmp_path / "model", [word if word == "UNK" else word.lower() for word in WORDS])
    first, second = load(tmp_path / "model").encode(["THE Cat sees a dog.", "the cat sees a dog."])
    assert np.array_equal(first, second)


def test_last_row_of_a_repeated_word_is_used(tmp_path: Path) -> None:
    published(tmp_path / "model", [*WORDS, "twice", "x", "twice"])
    published(tmp_path / "other", [*WORDS, "x", "x", "twice"])
    assert np.array_equal(load(tmp_path / "model").encode(["twice"]), load(tmp_path / "other").encode(["twice"]))


def test_encodes_unusual_texts(folder: Path) -> None:
    encoder = load(folder)
    texts = ["", "   ", "🙂 🙂", "cat " * 10_000, "dog\x00dog"]
    result = encoder.encode(texts)
    assert np.isfinite(result).all()
    assert not result[:2].any() and result[2:].any(axis=1).all()
    assert encoder.lengths(texts)[:4] == [1, 1, 2, 10_000]
    assert encoder.allows_zero_vectors


def test_notes_count_unknown_words(folder: Path) -> None:
    first, second = load(folder).notes([*TEXTS, "", "zebra zebra"])
    assert first == "5 of 20 words are unknown and read as UNK: zebra, A, the"
    assert second == "1 sentence has no word: the similarity to every other is 0"
    assert load(folder).notes(["The cat."]) == []


def test_fingerprint_contains_all_settings(folder: Path, tmp_path: Path) -> None:
    vectors(tmp_path / "vectors.txt")
    names = ["", "?model=uni", "?model=bi", "?eos=yes", f"?vectors={tmp_path / 'vectors.txt'}"]
    keys = [load(f"{folder}{options}").fingerprint.key() for options in names]
    table = np.load(folder / "utable.npy")
    np.save(folder / "utable.npy", table + 1)
    keys += [load(f"{folder}{options}").fingerprint.key() for options in names]
    changed = len(set(keys))
    assert changed == 2 * len(names) - 1  # the bi model is unchanged


# --- vocabulary expansion


def plane(width: int) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(3)
    return draw.normal(0, 1, (width, WIDTH)), draw.normal(0, 1, WIDTH)


def vectors(path: Path, *, width: int = 3) -> dict[str, np.ndarray]:
    """Return word vectors that include “zebra”."""
    draw = np.random.default_rng(5)
    result = {word: draw.normal(0, 1, width).round(3) for word in [*WORDS[2:], "zebra"]}
    path.write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in result.items()), "utf-8")
    return result


def test_expansion_finds_an_exact_map(tmp_path: Path) -> None:
    arrays = published(tmp_path / "model")
    known = vectors(tmp_path / "vectors.txt")
    matrix, constant = plane(3)
    for part in ("uni", "bi"):
        table = arrays[part]["table"]
        for row, word in enumerate(WORDS):
            if word in known:
                table[row] = known[word] @ matrix + constant
        np.save(tmp_path / "model" / f"{part[0]}table.npy", table)
    encoder = load(f"{tmp_path / 'model'}?vectors={tmp_path / 'vectors.txt'}")
    # The same model with the expected row for “zebra”.
    for part in ("uni", "bi"):
        row = (known["zebra"] @ matrix + constant).astype(np.float32)
        np.save(tmp_path / "model" / f"{part[0]}table.npy", np.vstack([arrays[part]["table"], row]))
    (tmp_path / "model" / "dictionary.txt").write_text("\n".join([*WORDS, "zebra"]) + "\n", "utf-8")
    texts = ["The zebra sees a quagga.", "zebra"]
    assert encoder.encode(texts) == pytest.approx(load(tmp_path / "model").encode(texts), abs=1e-5)
    assert encoder.notes(texts) == [
        "2 of 7 words are mapped from the word vectors: zebra",
        "1 of 7 words are unknown and read as UNK: quagga",
    ]


def test_a_map_needs_more_shared_words_than_numbers(folder: Path, tmp_path: Path) -> None:
    vectors(tmp_path / "wide.txt", width=9)
    with pytest.raises(LitotesError, match="shares 9 words with the vectors, more than 9 are needed"):
        load(f"{folder}?vectors={tmp_path / 'wide.txt'}")


# --- errors


def broken(folder: Path, what: str) -> None:
    weights = folder / "uni_skip.npz"
    arrays = dict(np.load(weights))
    if what == "cut":
        weights.write_bytes(weights.read_bytes()[:300])
    elif what == "nan":
        arrays["encoder_U"][0, 0] = np.nan
    elif what == "shape":
        arrays["encoder_Ux"] = arrays["encoder_Ux"][:, :-1]
    elif what == "missing":
        del arrays["encoder_bx"]
    elif what == "pickled":
        arrays["encoder_b"] = np.array([{"a": 1}], dtype=object)
    if what != "cut":
        np.savez(weights, **arrays)


@pytest.mark.parametrize(
    ("what", "code", "message"),
    [
        ("cut", "L303", r"uni_skip\.npz: is damaged or truncated"),
        ("nan", "L303", r"uni_skip\.npz: encoder_U has NaN"),
        ("shape", "L303", r"encoder_Ux has shape \(4, 3\), expected \(4, 4\)"),
        ("missing", "L303", r"has no array encoder_bx"),
        ("pickled", "L303", r"pickled objects, which are never read"),
    ],
)
def test_reports_broken_weights(folder: Path, what: str, code: str, message: str) -> None:
    broken(folder, what)
    with pytest.raises(LitotesError, match=message) as caught:
        load(folder)
    assert caught.value.code == code


@pytest.mark.parametrize("name", ["utable.npy", "btable.npy", "dictionary.txt"])
def test_reports_a_missing_file(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(LitotesError, match=rf"{name}: no such file") as caught:
        load(folder)
    assert caught.value.code == "L302"


def test_dictionary_and_table_must_have_the_same_length(folder: Path) -> None:
    lines = (folder / "dictionary.txt").read_text("utf-8").splitlines()
    (folder / "dictionary.txt").write_text("\n".join(lines[:-1]) + "\n", "utf-8")
    with pytest.raises(LitotesError, match=r"utable\.npy: has 11 rows, dictionary\.txt has 10 words"):
        load(folder)


def test_reports_broken_files(folder: Path) -> None:
    table = np.load(folder / "utable.npy")
    for content, message in (
        (table[:, :-1], "has 4 dimensions, uni_skip.npz has 5"),
        (table[0], "is not a table with one row of numbers per word"),
        (table.astype(np.int32), "is not a table with one row of numbers per word"),
    ):
        np.save(folder / "utable.npy", content)
        with pytest.raises(LitotesError, match=message):
            load(folder)
    np.save(folder / "utable.npy", table)
    (folder / "utable.npy").write_bytes((folder / "utable.npy").read_bytes()[:-40])
    with pytest.raises(LitotesError, match=r"utable\.npy: is damaged or truncated"):
        load(folder)
    (folder / "dictionary.txt").write_bytes(b"UNK\n\xff\n")
    with pytest.raises(LitotesError, match=r"dictionary\.txt:2: is not UTF-8"):
        load(folder)
    (folder / "dictionary.txt").write_text("a\nb\n", "utf-8")
    with pytest.raises(LitotesError, match="has no UNK"):
        load(folder)


def test_reports_the_word_with_nan(folder: Path) -> None:
    table = np.load(folder / "btable.npy")
    table[WORDS.index("dog")] = np.nan
    np.save(folder / "btable.npy", table)
    encoder = load(folder)
    encoder.encode(["The cat."])
    with pytest.raises(LitotesError, match=r"btable\.npy has NaN or infinite numbers for “dog”"):
        encoder.encode(["The dog."])


def test_rejects_folders_without_a_model(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(LitotesError, match=r"has neither uni_skip\.npz nor bi_skip\.npz"):
        load(tmp_path / "empty")
    with pytest.raises(LitotesError, match="no such folder"):
        load(tmp_path / "nowhere")
    with pytest.raises(LitotesError, match="is a file, a model is a folder"):
        load(folder / "utable.npy")
    (folder / "bi_skip.npz").unlink()
    with pytest.raises(LitotesError, match=r"has no bi_skip\.npz, which model=combined needs"):
        load(f"{folder}?model=combined")
    with pytest.raises(UsageError, match="model=tri"):
        load(f"{folder}?model=tri")
    with pytest.raises(UsageError, match="layers"):
        load(f"{folder}?layers=2")
