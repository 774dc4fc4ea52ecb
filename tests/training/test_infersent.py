"""Training of a small InferSent: learning, resuming, and the command."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.core.errors import LitotesError
from litotes.models.access import Access
from litotes.models.loading import load_model
from litotes.models.word_vectors.lookup import open_word_vectors
from litotes.models.word_vectors.tokenization import treebank_words
from litotes.training.classic.infersent import (
    IndexedPairs,
    InferSentResult,
    WordTable,
    index_pairs,
    tokenise_sentences,
    train_infersent,
)
from litotes.training.classic.settings import InferSentSettings
from litotes.training.nli.data import without_premises

from .conftest import WORDS, make_pairs, write_pairs

QUICK = InferSentSettings(dim=16, hidden=16, epochs=4, batch_size=16, learning_rate=0.5)
WIDTH = 8


def write_vectors(path: Path, *, lower: bool = True, width: int = WIDTH) -> Path:
    chance = np.random.default_rng(0)
    words = dict.fromkeys(word.lower() if lower else word for word in (*WORDS, "The"))
    rows = (f"{word} {' '.join(f'{number:.4f}' for number in chance.normal(size=width))}" for word in words)
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LITOTES_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_vectors(tmp_path_factory.mktemp("vectors") / "words.txt")


def train(out: Path, vectors: Path, count: int = 600, **settings: Any) -> InferSentResult:
    chosen = QUICK.replace(**settings)
    return train_infersent(make_pairs(count), out, vectors=str(vectors), dev=make_pairs(90, seed=1), settings=chosen)


@pytest.fixture(scope="module")
def trained(vectors: Path, tmp_path_factory: pytest.TempPathFactory) -> InferSentResult:
    return train(tmp_path_factory.mktemp("out") / "model", vectors)


def test_learns_a_simple_task(trained: InferSentResult) -> None:
    assert trained.dev_accuracy is not None and trained.dev_accuracy > 0.9
    assert trained.epochs[-1]["loss"] < trained.epochs[0]["loss"] / 2


def test_learns_nothing_with_a_tiny_learning_rate(vectors: Path, tmp_path: Path) -> None:
    idle = train(tmp_path, vectors, 90, epochs=2, learning_rate=1e-30)
    assert idle.dev_accuracy is not None and idle.dev_accuracy < 0.5


def test_folder_is_loaded_as_an_encoder(trained: InferSentResult, vectors: Path) -> None:
    names = {path.name for path in trained.folder.iterdir() if not path.name.startswith(".")}
    assert names == {"model.safetensors", "config.json", "README.md", "training.json", "metrics.jsonl"}
    config = json.loads((trained.folder / "config.json").read_text("utf-8"))
    assert (config["version"], config["dim"], config["word_width"], config["lowercase"]) == (1, 16, WIDTH, True)
    assert config["vectors"] == {"name": str(vectors), "sha256": open_word_vectors(str(vectors), Access()).sha256}
    scorer = load_model(f"infersent:{trained.folder}")
    texts = ["Ann likes soup.", "Ann hates soup.", "Ben likes soup."]
    result = scorer.encode(texts)
    assert result.shape == (3, 32) and np.isfinite(result).all()
    verb, person = scorer.score([(texts[0], texts[1]), (texts[0], texts[2])])
    assert verb < person  # the words that determine the labels have larger vectors
    card = (trained.folder / "README.md").read_text("utf-8")
    assert card.startswith("---\n") and "600 NLI pairs" in card and str(vectors.parent) not in card


def test_returns_a_finished_training_at_once(trained: InferSentResult, vectors: Path) -> None:
    before = (trained.folder / "model.safetensors").stat().st_mtime_ns
    assert train(trained.folder, vectors) == trained
    assert (trained.folder / "model.safetensors").stat().st_mtime_ns == before


def test_results_depend_on_the_seed(vectors: Path, tmp_path: Path) -> None:
    first, same, second = (
        train(tmp_path / name, vectors, 90, epochs=1, seed=seed).sha256
        for name, seed in (("one", 0), ("same", 0), ("other", 1))
    )
    assert first == same != second


def test_the_learning_rate_falls_without_improvement_and_the_best_epoch_is_saved(vectors: Path, tmp_path: Path) -> None:
    """At this learning rate only the first epoch counts as an improvement."""
    result = train(tmp_path / "all", vectors, 90, learning_rate=4e-5, epochs=9)
    rates = [epoch["learning_rate"] for epoch in result.epochs]
    assert rates == pytest.approx([4e-5, 4e-5 * 0.99, 4e-5 * 0.99 / 5 * 0.99][: len(rates)])
    assert len(rates) == 2 and rates[-1] / 5 < 1e-5  # nothing remains to be learned
    first = train(tmp_path / "first", vectors, 90, learning_rate=4e-5, epochs=1)
    assert result.sha256 == first.sha256


def test_preserves_case_if_the_vectors_have_capitals(tmp_path: Path) -> None:
    train(tmp_path / "model", write_vectors(tmp_path / "cased.txt", lower=False), 90, epochs=1)
    assert json.loads((tmp_path / "model" / "config.json").read_text("utf-8"))["lowercase"] is False


def indexed_pairs(vectors: Path) -> IndexedPairs:
    pairs = make_pairs(500)
    tokenised = tokenise_sentences(pairs, lambda text: treebank_words(text.lower()))
    return index_pairs(
        pairs, tokenised, WordTable.from_sentences(tokenised.values(), open_word_vectors(str(vectors), Access()))
    )


def test_epoch_contains_every_pair_once_in_batches_of_similar_length(vectors: Path) -> None:
    pairs = indexed_pairs(vectors)
    batches = list(pairs.batches(16, seed=(0, 1)))
    assert sorted(np.concatenate(batches)) == list(range(500)) and max(map(len, batches)) == 16
    lengths = [[len(pairs.sentences[pairs.premises[index]]) for index in batch] for batch in batches]
    assert np.mean([max(some) - min(some) for some in lengths]) < 1 < len(set(map(max, lengths)))
    again, other = (np.concatenate(list(pairs.batches(16, seed=seed))) for seed in ((0, 1), (0, 2)))
    assert (again == np.concatenate(batches)).all() and not (other == again).all()


def test_a_batch_encodes_each_sentence_once(vectors: Path) -> None:
    pairs = indexed_pairs(vectors)
    chosen = np.arange(0, 500, 5)
    sentences, premises, hypotheses = pairs.unique(chosen)
    assert len({tuple(words) for words in sentences}) == len(sentences) < 2 * len(chosen)
    for index, premise, hypothesis in zip(chosen, premises, hypotheses, strict=True):
        assert (sentences[premise] == pairs.sentences[pairs.premises[index]]).all()
        assert (sentences[hypothesis] == pairs.sentences[pairs.hypotheses[index]]).all()


class TestTheCommand:
    def test_resumes_after_sigkill_with_the_same_weights(self, litotes: Any, vectors: Path, tmp_path: Path) -> None:
        pairs, dev = make_pairs(600), make_pairs(9, seed=1)
        write_pairs(tmp_path / "train.jsonl", pairs)
        write_pairs(tmp_path / "dev.jsonl", dev)
        settings = QUICK.replace(dim=32, hidden=512, batch_size=64, learning_rate=0.1, epochs=12, seed=3)

        def start() -> subprocess.Popen[str]:
            arguments = [
                "--data",
                "train.jsonl",
                "--dev",
                "dev.jsonl",
                "--vectors",
                vectors,
                "--out",
                "killed",
                "--json",
            ]
            sizes = ["--dim", 32, "--epochs", 12, "--seed", 3]
            process: subprocess.Popen[str] = litotes.start(
                "train", "infersent", *arguments, *sizes, env={"OMP_NUM_THREADS": "1"}
            )
            return process

        killed = start()
        until = time.monotonic() + 120
        while not (tmp_path / "killed/metrics.jsonl").exists() and time.monotonic() < until:
            assert killed.poll() is None, killed.communicate()
            time.sleep(0.005)
        assert (tmp_path / "killed/metrics.jsonl").exists()
        killed.send_signal(signal.SIGKILL)
        assert litotes.finish(killed).code == -signal.SIGKILL
        assert not (tmp_path / "killed/model.safetensors").exists()

        again = litotes.finish(start())
        to_learn = list(without_premises(pairs, dev))
        uninterrupted = train_infersent(to_learn, tmp_path / "peace", vectors=str(vectors), dev=dev, settings=settings)
        assert again.document["sha256"] == uninterrupted.sha256
        assert tuple(again.document["epochs"]) == uninterrupted.epochs and len(uninterrupted.epochs) > 2
        assert again.document["dev_accuracy"] == uninterrupted.dev_accuracy
        # The dev set is not in the training data.
        assert f"600 pairs read, {len(to_learn):,} used for training, 9 for evaluation" in again.err
        assert 300 < len(to_learn) < 600

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (
                '{"premise": "Ann sings.", "hypothesis": "Ann is loud.", "label": "neutral"}\n',
                "add pairs with other labels",
            ),
            ('{"text": "Ann sings."}\n', "[L203]"),
        ],
    )
    def test_bad_data_is_reported_in_a_single_line(
        self, content: str, words: str, litotes: Any, tmp_path: Path, vectors: Path
    ) -> None:
        (tmp_path / "bad.jsonl").write_text(content)
        done = litotes.run("train", "infersent", "--data", "bad.jsonl", "--vectors", vectors, "--out", "model")
        assert done.code == 1 and "Traceback" not in done.err
        errors = [line for line in done.err.splitlines() if line.startswith("litotes: [")]
        assert len(errors) == 1 and words in errors[0], done.err
        assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"dim": 0}, "dim=0"),
        ({"learning_rate": 0.0}, "learning_rate=0.0: must be a number > 0"),
        ({"learning_rate": float("nan")}, "learning_rate=nan"),
        ({"seed": -1}, "seed=-1"),
        ({"version": 3}, "version=3"),
        ({"examples": 0}, "examples=0"),
    ],
)
def test_rejects_invalid_settings(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(LitotesError, match=re.escape(words)):
        QUICK.replace(**settings)


def test_reports_vectors_without_known_words(tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("qwx 1 2 3\nzxq 2 3 4\n")
    with pytest.raises(LitotesError, match=r"\[L203\].*no vector for any word"):
        train(tmp_path / "model", tmp_path / "other.txt", 30)


def test_stops_if_the_loss_is_not_finite(vectors: Path, tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=r"\[L308\].*in epoch 1"):
        train(tmp_path / "model", vectors, 60, learning_rate=1e30)
    assert not (tmp_path / "model" / "model.safetensors").exists()
