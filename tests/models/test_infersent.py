"""Tests of InferSent: published state dicts and trained folders, compared with an LSTM in NumPy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.models.classic.infersent import InferSentConfig
from litotes.models.loading import load_model
from litotes.models.word_vectors.tokenization import moses_words, treebank_words

WIDTH, DIM = 6, 5
WORDS = "<s> </s> <p> </p> The the dog Ann ca can is n't 't pay , . `` '' isn happy sad today very".split()

SENTENCES = [
    "The dog is happy.",
    "Ann can't pay today, the dog is very sad.",
    "isn't",
    "The",
    "Xyzzy plugh!",
    "The dog is happy. Ann is sad.",
]


def vector_of(word: str) -> NDArray[np.float32]:
    return np.random.default_rng(list(word.encode())).normal(size=WIDTH).astype(np.float32)


def write_vectors(path: Path, words: Sequence[str] = WORDS) -> Path:
    rows = (f"{word} {' '.join(repr(float(number)) for number in vector_of(word))}" for word in words)
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


def weights(seed: int = 0) -> dict[str, NDArray[np.float32]]:
    """Return weights with the names of the published files."""
    chance = np.random.default_rng(seed)
    shapes = {
        "weight_ih_l0": (4 * DIM, WIDTH),
        "weight_hh_l0": (4 * DIM, DIM),
        "bias_ih_l0": (4 * DIM,),
        "bias_hh_l0": (4 * DIM,),
    }
    return {
        f"enc_lstm.{name}{direction}": chance.normal(size=shape).astype(np.float32)
        for direction in ("", "_reverse")
        for name, shape in shapes.items()
    }


def save_pickle(path: Path, state: dict[str, Any], **how: Any) -> Path:
    import torch

    torch.save({name: torch.from_numpy(np.asarray(array)) for name, array in state.items()}, path, **how)
    return path


def by_hand(words: Sequence[str], state: dict[str, NDArray[np.float32]]) -> NDArray[np.float64]:
    """Compute both LSTMs word by word, and the maximum of each dimension."""

    def sigmoid(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        return 1 / (1 + np.exp(-numbers))

    def states(words: Sequence[str], direction: str) -> NDArray[np.float64]:
        w, u, b, c = (
            state[f"enc_lstm.{name}_l0{direction}"].astype(np.float64)
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        hidden, cell, states_ = np.zeros(DIM), np.zeros(DIM), []
        for word in words:
            into, forget, new, out = np.split(w @ vector_of(word).astype(np.float64) + b + u @ hidden + c, 4)
            cell = sigmoid(forget) * cell + sigmoid(into) * np.tanh(new)
            hidden = sigmoid(out) * np.tanh(cell)
            states_.append(hidden)
        return np.max(states_, axis=0)

    return np.concatenate([states(words, ""), states(words[::-1], "_reverse")])


@pytest.fixture
def vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path / "cache"))
    return write_vectors(tmp_path / "vectors.txt")


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("zipped", [True, False], ids=["zip", "as in 2017"])
def test_vectors_match_an_lstm_in_numpy(version: int, zipped: bool, vectors: Path, tmp_path: Path) -> None:
    path = tmp_path / f"infersent{version}.pkl"
    save_pickle(path, weights(), _use_new_zipfile_serialization=zipped)
    scorer = load_model(f"infersent:{path}", vectors=vectors, allow_pickle=True)
    read, begin, end = (treebank_words, "<s>", "</s>") if version == 1 else (moses_words, "<p>", "</p>")
    expected = [by_hand([begin, *(word for word in read(text) if word in WORDS), end], weights()) for text in SENTENCES]
    np.testing.assert_allclose(scorer.encode(SENTENCES), expected, atol=1e-6)
    assert scorer.lengths(SENTENCES[:1]) == [7]


def test_the_versions_read_contractions_differently(vectors: Path, tmp_path: Path) -> None:
    save_pickle(tmp_path / "weights.pkl", weights())
    first, two = (
        load_model(f"infersent:{tmp_path}/weights.pkl?version={version}&vectors={vectors}", allow_pickle=True)
        for version in (1, 2)
    )
    expected = by_hand(["<s>", "Ann", "ca", "n't", "pay", "</s>"], weights())
    second = by_hand(["<p>", "Ann", "can", "'t", "pay", "</p>"], weights())
    np.testing.assert_allclose(first.encode(["Ann can’t pay"])[0], expected, atol=1e-6)
    np.testing.assert_allclose(two.encode(["Ann can't pay"])[0], second, atol=1e-6)
    assert first.fingerprint.key() != two.fingerprint.key()


def test_vectors_do_not_depend_on_the_batch(vectors: Path, tmp_path: Path) -> None:
    save_pickle(tmp_path / "infersent1.pkl", weights())
    scorer = load_model(f"infersent:{tmp_path}/infersent1.pkl", vectors=vectors, allow_pickle=True)
    long = "the dog is very very happy today , " * 1300
    together = scorer.encode([*SENTENCES, long])
    alone = np.concatenate([scorer.encode([text]) for text in [*SENTENCES, long]])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    assert (together[:-1] < 0).any()  # a maximum that includes padding would not be negative
    with ThreadPoolExecutor(4) as pool:
        for vector in pool.map(lambda text: scorer.encode([text])[0], SENTENCES * 5):
            assert np.isclose(together, vector, atol=1e-6).all(axis=1).any()


def test_notes_count_unknown_words(vectors: Path, tmp_path: Path) -> None:
    save_pickle(tmp_path / "infersent1.pkl", weights())
    scorer = load_model(f"infersent:{tmp_path}/infersent1.pkl", vectors=vectors, allow_pickle=True)
    texts = ["Xyzzy xyzzy!", "The dog is happy.", "😀", ""]
    first, second = scorer.notes(texts)
    assert first == "4 of 9 words have no vector and are left out: !, Xyzzy, xyzzy, 😀"
    assert second == "3 sentences have no word with a vector: all of them have the same vector"
    np.testing.assert_allclose(scorer.encode(texts)[[0, 2, 3]], [by_hand(["<s>", "</s>"], weights())] * 3, atol=1e-6)
    assert scorer.notes(["The dog is happy."]) == []


def test_sentence_without_known_words_and_marks_has_a_zero_vector(tmp_path: Path, vectors: Path) -> None:
    save_pickle(tmp_path / "infersent1.pkl", weights())
    bare = write_vectors(tmp_path / "bare.txt", [word for word in WORDS if not word.startswith("<")])
    scorer = load_model(f"infersent:{tmp_path}/infersent1.pkl", vectors=bare, allow_pickle=True)
    result = scorer.encode(["plugh", "The dog"])
    assert not result[0].any() and scorer.allows_zero_vectors
    np.testing.assert_allclose(result[1], by_hand(["The", "dog"], weights()), atol=1e-6)
    assert scorer.notes(["plugh"])[1].endswith("the similarity to every other is 0")


def test_lowercase_option_lowers_the_text(vectors: Path, tmp_path: Path) -> None:
    save_pickle(tmp_path / "infersent1.pkl", weights())
    name = f"infersent:{tmp_path}/infersent1.pkl?vectors={vectors}"
    lower, cased = load_model(name + "&lowercase=yes", allow_pickle=True), load_model(name, allow_pickle=True)
    np.testing.assert_allclose(lower.encode(["The dog"]), cased.encode(["the dog"]), atol=1e-6)
    assert not np.allclose(cased.encode(["The dog"]), cased.encode(["the dog"]), atol=1e-3)
    assert lower.fingerprint.key() != cased.fingerprint.key()


class TestBadFiles:
    def complaint(self, name: str, **more: Any) -> str:
        with pytest.raises(LitotesError) as caught:
            load_model(name, **more)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    def test_reads_pickles_only_with_permission(self, vectors: Path, tmp_path: Path) -> None:
        save_pickle(tmp_path / "infersent1.pkl", weights())
        message = self.complaint(f"infersent:{tmp_path}/infersent1.pkl?vectors={vectors}")
        assert message.startswith("[L305]") and "--allow-pickle" in message

    def test_a_pickle_with_code_is_never_run(self, vectors: Path, tmp_path: Path) -> None:
        import pickle

        class Bad:
            def __reduce__(self) -> Any:
                return (Path.touch, (tmp_path / "ran",))

        (tmp_path / "infersent1.pkl").write_bytes(pickle.dumps({"enc_lstm.weight_ih_l0": Bad()}))
        message = self.complaint(f"infersent:{tmp_path}/infersent1.pkl?vectors={vectors}", allow_pickle=True)
        assert message.startswith("[L303]") and "more than numbers" in message and not (tmp_path / "ran").exists()

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"enc_lstm.bias_hh_l0_reverse": None}, "[L311]|has no enc_lstm.bias_hh_l0_reverse"),
            ({"enc_lstm.weight_hh_l0": np.ones((3, 2))}, "[L303]|has shape"),
            ({"enc_lstm.weight_hh_l0": np.float32(1)}, "[L303]|has shape"),
            ({"enc_lstm.bias_ih_l0": np.full(4 * DIM, np.nan)}, "[L303]|NaN or infinite"),
        ],
    )
    def test_reports_state_dicts_of_the_wrong_shape(
        self, change: dict, words: str, vectors: Path, tmp_path: Path
    ) -> None:
        state = {name: array for name, array in {**weights(), **change}.items() if array is not None}
        save_pickle(tmp_path / "infersent1.pkl", state)
        message = self.complaint(f"infersent:{tmp_path}/infersent1.pkl?vectors={vectors}", allow_pickle=True)
        assert all(word in message for word in words.split("|")), message

    def test_rejects_files_that_are_not_state_dicts(self, vectors: Path, tmp_path: Path) -> None:
        import torch

        path = tmp_path / "infersent2.pkl"
        whole = save_pickle(path, weights()).read_bytes()
        for content in (b"", b"hello", whole[:300], whole[:-30]):
            path.write_bytes(content)
            assert self.complaint(f"infersent:{path}?vectors={vectors}", allow_pickle=True).startswith("[L303]")
        torch.save([1, 2], path)
        assert "not a state dict" in self.complaint(f"infersent:{path}?vectors={vectors}", allow_pickle=True)

    def test_reports_missing_options(self, vectors: Path, tmp_path: Path) -> None:
        save_pickle(tmp_path / "mine.pkl", weights())
        save_pickle(tmp_path / "infersent2.pkl", weights())
        message = self.complaint(f"infersent:{tmp_path}/mine.pkl?vectors={vectors}", allow_pickle=True)
        assert message.startswith("[L102]") and "?version=1" in message
        message = self.complaint(f"infersent:{tmp_path}/infersent2.pkl", allow_pickle=True)
        assert message.startswith("[L102]") and "crawl-300d-2M.vec" in message and "?vectors=FILE" in message
        message = self.complaint(f"infersent:{tmp_path}/mine.pkl?version=3", allow_pickle=True)
        assert message.startswith("[L102] version=3")
        assert self.complaint(f"infersent:{tmp_path}/none.pkl").startswith("[L301]")

    def test_reports_vectors_of_another_width(self, tmp_path: Path, vectors: Path) -> None:
        save_pickle(tmp_path / "infersent1.pkl", weights())
        (tmp_path / "narrow.txt").write_text("a 1 2 3\nb 3 4 5\n")
        message = self.complaint(
            f"infersent:{tmp_path}/infersent1.pkl?vectors={tmp_path}/narrow.txt", allow_pickle=True
        )
        assert message.startswith("[L102]") and "3 dimensions" in message and "needs 6" in message


class TestTrainedFolders:
    @pytest.fixture
    def folder(self, vectors: Path, tmp_path: Path) -> Path:
        from safetensors.numpy import save_file

        from litotes.models.access import Access
        from litotes.models.word_vectors.lookup import open_word_vectors

        folder = tmp_path / "model"
        folder.mkdir()
        save_file(weights(), folder / "model.safetensors")
        sha256 = open_word_vectors(str(vectors), Access()).sha256
        (folder / "config.json").write_text(InferSentConfig(1, True, str(vectors), sha256).to_json(WIDTH, DIM))
        return folder

    def test_finds_the_vectors_of_the_training(self, folder: Path) -> None:
        scorer = load_model(f"infersent:{folder}")
        expected = by_hand(["<s>", "the", "dog", ".", "</s>"], weights())
        np.testing.assert_allclose(scorer.encode(["The dog."])[0], expected, atol=1e-6)

    def test_accepts_moved_vectors_and_rejects_others(self, folder: Path, vectors: Path) -> None:
        moved = vectors.rename(vectors.with_name("moved.txt"))
        with pytest.raises(LitotesError, match=r"do not exist any more; add \?vectors=FILE"):
            load_model(f"infersent:{folder}")
        assert load_model(f"infersent:{folder}?vectors={moved}").encode(["dog"]).any()
        other = write_vectors(vectors.with_name("other.txt"), WORDS[:-1])
        with pytest.raises(LitotesError, match=r"\[L307\].*other word vectors"):
            load_model(f"infersent:{folder}?vectors={other}")

    def test_reports_options_that_contradict_the_training(self, folder: Path) -> None:
        for option in ("version=2", "lowercase=no"):
            with pytest.raises(LitotesError, match=r"\[L102\].*was trained with"):
                load_model(f"infersent:{folder}?{option}")

    @pytest.mark.parametrize(
        ("name", "content", "words"),
        [
            ("model.safetensors", None, r"\[L302\].*has no model.safetensors"),
            ("model.safetensors", b"cut", r"\[L303\]"),
            ("config.json", None, r"\[L301\].*has no config.json"),
            ("config.json", b'{"model_type": "bert"}', r"\[L311\].*not the configuration of an InferSent"),
            ("config.json", b'{"model_type": "infersent", "version": 1}', r"\[L311\].*missing or invalid"),
            ("config.json", b'{"model_type": "infersent", "version": [1]}', r"\[L311\].*missing or invalid"),
        ],
    )
    def test_reports_damaged_folders(self, name: str, content: bytes | None, words: str, folder: Path) -> None:
        (folder / name).unlink() if content is None else (folder / name).write_bytes(content)
        with pytest.raises(LitotesError, match=words):
            load_model(f"infersent:{folder}")

    def test_reports_unknown_tokenization_rules(self, folder: Path) -> None:
        message = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**message, "tokens": "treebank-99"}))
        with pytest.raises(LitotesError, match=r"\[L304\].*treebank-99"):
            load_model(f"infersent:{folder}")
