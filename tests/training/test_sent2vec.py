"""Training of sent2vec: the objective compared with a plain loop, learning, and resuming."""

from __future__ import annotations

import json
import math
import random
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.core.progress import Progress
from litotes.models.base import Encoder
from litotes.models.classic.sent2vec import blanks
from litotes.models.loading import load_model
from litotes.training.classic.sent2vec import (
    Contexts,
    TrainingText,
    contexts,
    read_training_text,
    sample_targets,
    train_sent2vec,
    update_weights,
)
from litotes.training.classic.settings import Sent2VecSettings

TOPICS = {
    "kitchen": "soup bread salt oven pan butter knife onion plate spoon stove flour".split(),
    "sea": "boat wave sail harbour anchor fish storm island captain net tide shore".split(),
}
SMALL: dict[str, Any] = {"dim": 12, "bucket": 500, "min_count": 2, "subsample": 1e-2, "batch_size": 16}


def sentences(count: int = 400, seed: int = 0) -> list[str]:
    """Return sentences of one topic each, with words that all topics share."""
    draw = random.Random(seed)
    result = []
    for number in range(count):
        words = draw.sample(TOPICS[("kitchen", "sea")[number % 2]], 5)
        result.append(f"The {words[0]} and the {words[1]} {words[2]} {words[3]} {words[4]}.")
    return result


def margin(folder: Path) -> float:
    """Return how much closer sentences of the same topic are; no two sentences share a word."""
    scorer = load_model(f"sent2vec:{folder}")
    assert isinstance(scorer, Encoder)
    halves = [" ".join(words[part]) for words in TOPICS.values() for part in (slice(0, 6), slice(6, 12))]
    kitchen, kitchen_too, sea, sea_too = halves
    within = scorer.score([(kitchen, kitchen_too), (sea, sea_too)]).mean()
    across = scorer.score([(kitchen, sea), (kitchen, sea_too), (kitchen_too, sea), (kitchen_too, sea_too)]).mean()
    return float(within - across)


def test_training_makes_sentences_of_a_topic_similar(tmp_path: Path) -> None:
    wide = {**SMALL, "dim": 50}
    result = train_sent2vec(sentences(), tmp_path / "model", settings=Sent2VecSettings(epochs=5, **wide))
    assert result.loss < 0.8 * 11 * math.log(2)
    assert margin(tmp_path / "model") > 0.5
    train_sent2vec(sentences(), tmp_path / "still", settings=Sent2VecSettings(epochs=1, learning_rate=1e-9, **wide))
    assert abs(margin(tmp_path / "still")) < 0.25


def test_file_and_folder_load_the_same_model(tmp_path: Path) -> None:
    result = train_sent2vec(sentences(60), tmp_path / "model", settings=Sent2VecSettings(epochs=1, **SMALL))
    first, second = (load_model(f"sent2vec:{path}") for path in (result.folder, result.model))
    assert first.fingerprint == second.fingerprint
    assert first.fingerprint.weights == result.sha256
    card = (result.folder / "README.md").read_text("utf-8")
    assert "60 sentences" in card
    assert "| dropout k | 4 |" in card


class Stopped(Progress):
    """Interrupt the training within an epoch, as by Ctrl-C."""

    def __init__(self, epoch: int) -> None:
        self.left = epoch

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        self.left -= 1

    def advance(self, count: int) -> None:
        if not self.left:
            raise KeyboardInterrupt


def test_resumes_with_the_same_bytes(tmp_path: Path) -> None:
    settings = Sent2VecSettings(epochs=3, **SMALL)
    uninterrupted = train_sent2vec(sentences(200), tmp_path / "whole", settings=settings)
    for epoch in (1, 2, 1):  # the third resumes after the first epoch, and stops in the second again
        with pytest.raises(KeyboardInterrupt):
            train_sent2vec(sentences(200), tmp_path / "stopped", settings=settings, progress=Stopped(epoch))
    again = train_sent2vec(sentences(200), tmp_path / "stopped", settings=settings)
    assert again.model.read_bytes() == uninterrupted.model.read_bytes()
    assert again.metrics.read_bytes() == uninterrupted.metrics.read_bytes()
    assert {path.name for path in again.folder.iterdir() if not path.name.startswith(".")} == {
        "model.bin", "README.md", "training.json", "metrics.jsonl",
    }  # fmt: skip
    written = again.model.stat().st_mtime_ns
    assert train_sent2vec(sentences(200), tmp_path / "stopped", settings=settings) == again
    assert again.model.stat().st_mtime_ns == written
    other = Sent2VecSettings(epochs=3, **{**SMALL, "seed": 1})
    with pytest.raises(UsageError, match="contains another training"):
        train_sent2vec(sentences(200), tmp_path / "stopped", settings=other)
    changed = train_sent2vec(sentences(200), tmp_path / "stopped", settings=other, fresh=True)
    assert changed.sha256 != uninterrupted.sha256


def test_killed_command_resumes(tmp_path: Path, litotes: Any) -> None:
    text = tmp_path / "text.txt"
    text.write_text("\n".join(sentences(600)) + "\n", "utf-8")
    command = [
        "train",
        "sent2vec",
        "--from",
        text,
        "--out",
        "killed",
        "--dim",
        "12",
        "--epochs",
        "9",
        "--bucket",
        "500",
    ]
    command += ["--min-count", "2", "--subsample", "0.01", "--batch-size", "16"]
    process = litotes.start(*command, env={"OMP_NUM_THREADS": "1"})
    while not (tmp_path / "killed/checkpoints/last.safetensors").exists() and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not (tmp_path / "killed/model.bin").exists()
    done = litotes.run(*command, env={"OMP_NUM_THREADS": "1"})
    assert done.code == 0, done.err
    assert done.out.startswith("killed: ")
    # The command gives the same result in a new process, which may have other threads.
    litotes.run(*("whole" if word == "killed" else word for word in command), env={"OMP_NUM_THREADS": "1"})
    assert (tmp_path / "killed/model.bin").read_bytes() == (tmp_path / "whole/model.bin").read_bytes()


def small_text(lines: list[str], min_count: int = 1) -> TrainingText:
    return read_training_text(lines, tokenise=blanks, min_count=min_count)


def test_vocabulary_matches_the_original_tool() -> None:
    text = small_text(["b a a c", "a b", "rare b", "", "a"], min_count=2)
    assert text.words == (b"<PLACEHOLDER>", b"</s>", b"a", b"b")
    assert text.counts.tolist() == [0, 5, 4, 3]
    assert [text.ids[one:two].tolist() for one, two in zip(text.starts, text.starts[1:], strict=False)] == [
        [3, 2, 2],
        [2, 3],
    ]
    assert (text.tokens, text.sentences) == (9 + 5, 5)


def plain_context(ids: list[int], position: int, words: int, settings: Sent2VecSettings) -> Counter[int]:
    """Return the context of a word without dropout."""
    line = [0 if number == position else one for number, one in enumerate(ids)]
    result = Counter(line)
    for first in range(len(line)):
        value = line[first]
        for last in range(first + 1, min(first + settings.word_ngrams, len(line))):
            value = (value * 116049371 + line[last]) % 2**64
            result[words + value % settings.bucket] += 1
    return result


LINES = ["a b c d e f g h", "c a", "h g a a a", "b d f h b d f h a c e g"]


@pytest.mark.parametrize("dropped", [0, 3, 50])
def test_a_word_is_predicted_from_the_others_and_their_ngrams(dropped: int) -> None:
    text = small_text(LINES)
    settings = Sent2VecSettings(word_ngrams=3, bucket=97, dropout_k=dropped, subsample=1.0)
    draw = np.random.default_rng(5)
    which, positions = sample_targets(text, settings, draw)
    assert sorted(positions) == list(range(len(text.ids)))
    result = contexts(text, which, positions, settings, draw)
    for number, (sentence, position) in enumerate(zip(which, positions, strict=True)):
        start, end = text.starts[sentence], text.starts[sentence + 1]
        ids = text.ids[start:end].tolist()
        part = result.batch(number, number + 1)
        assert part.targets.tolist() == [ids[position - start]]
        every = plain_context(ids, position - start, len(text.words), settings)
        here = Counter(part.rows.tolist())
        assert here <= every
        assert {row: count for row, count in here.items() if row < len(text.words)} == {
            row: count for row, count in every.items() if row < len(text.words)
        }
        left = len(ids) - min(dropped, len(ids) - 2)
        most = max(0, left - 1) + max(0, left - 2)
        assert here.total() - len(ids) <= most
        if not dropped:
            assert here == every


def test_frequent_words_are_rarely_predicted() -> None:
    text = small_text(["a a a b"] * 20_000)
    settings = Sent2VecSettings(subsample=1e-2)
    _, positions = sample_targets(text, settings, np.random.default_rng(0))
    counts = Counter(text.words[row] for row in text.ids[positions].tolist())
    for word, count in ((b"a", 60_000), (b"b", 20_000)):
        share = count / 100_000
        expected = count * (math.sqrt(1e-2 / share) + 1e-2 / share)
        assert counts[word] == pytest.approx(expected, rel=0.05)
    none, _ = sample_targets(text, Sent2VecSettings(min_target_count=30_000), np.random.default_rng(0))
    assert len(none)
    assert sample_targets(text, Sent2VecSettings(min_target_count=10**9), np.random.default_rng(0))[0].size == 0


def test_update_matches_the_paper() -> None:
    """Compute the gradient of the logistic losses word by word in double precision."""
    draw = np.random.default_rng(3)
    source, output = (draw.normal(size=(20, 4)).astype(np.float32) for _ in range(2))
    some = Contexts(np.array([3, 5, 3]), np.array([0, 2, 2, 15, 1, 0, 4, 19, 18]), np.array([0, 4, 6, 9]))
    negatives = np.array([[7, 8], [5, 6], [7, 7]])  # one of the second word's negatives is the word itself
    rate = 0.1
    wanted_source, wanted_output, loss = source.astype(float), output.astype(float), 0.0
    for number, target in enumerate(some.targets):
        rows = some.rows[some.starts[number] : some.starts[number + 1]]
        mean = source[rows].astype(float).mean(axis=0)
        for word, label in [(target, 1.0), *((negative, 0.0) for negative in negatives[number])]:
            chance = 1 / (1 + math.exp(-float(output[word].astype(float) @ mean)))
            loss -= math.log(chance if label else 1 - chance)
            if label == 0.0 and word == target:
                continue
            for row in rows:
                wanted_source[row] += rate * (label - chance) * output[word] / len(rows)
            wanted_output[word] += rate * (label - chance) * mean
    assert update_weights(source, output, some, negatives, rate) == pytest.approx(loss, rel=1e-5)
    np.testing.assert_allclose(source, wanted_source, atol=1e-6)
    np.testing.assert_allclose(output, wanted_output, atol=1e-6)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"learning_rate": 0.0}, "learning_rate=0.0: must be a number > 0"),
        ({"learning_rate": math.nan}, "learning_rate=nan"),
        ({"dim": 0}, "dim=0: must be an integer >= 1"),
        ({"bucket": 0}, "bucket=0: n-grams need rows"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_reports_wrong_settings(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Sent2VecSettings(**wrong)


@pytest.mark.parametrize("lines", [[], [""], ["one", "two"], ["each word stands here once"]])
def test_rejects_a_text_without_training_data(tmp_path: Path, lines: list[str]) -> None:
    with pytest.raises(LitotesError, match=r"L204.*no sentence with two words that occur at least 5 times"):
        train_sent2vec(lines, tmp_path / "model")
    assert not (tmp_path / "model/training.json").exists()


def test_unusual_texts_are_accepted(tmp_path: Path) -> None:
    lines = [*sentences(40), "", "🙂 🙂 soup\0bread", "\ud800 wave", "wave " * 10_000]
    result = train_sent2vec(lines, tmp_path / "model", settings=Sent2VecSettings(epochs=1, **SMALL))
    assert math.isfinite(result.loss)


@pytest.mark.parametrize("name", ["model.bin", "README.md", "metrics.jsonl"])
def test_does_not_overwrite_other_files(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"precious")
    with pytest.raises(UsageError, match=f"already contains {name}; --fresh overwrites it"):
        train_sent2vec(sentences(40), tmp_path)
    assert (tmp_path / name).read_bytes() == b"precious"
    assert len(list(tmp_path.iterdir())) == 1


def test_text_without_predictions_is_accepted(tmp_path: Path) -> None:
    settings = Sent2VecSettings(dim=4, bucket=10, min_count=1, subsample=1e-12)
    assert train_sent2vec(["The soup is hot."], tmp_path / "none", settings=settings).predicted == 0
    result = train_sent2vec(sentences(40), tmp_path / "some", settings=Sent2VecSettings(epochs=2, **SMALL))
    lines = (tmp_path / "some" / "metrics.jsonl").read_text("utf-8").splitlines()
    assert result.predicted == sum(json.loads(line)["predicted"] for line in lines) > 0


def test_reports_a_diverged_training(tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=r"L308.*a smaller --learning-rate"):
        train_sent2vec(sentences(40), tmp_path, settings=Sent2VecSettings(learning_rate=1e30, **SMALL))


def test_long_line_is_split() -> None:
    text = small_text(["a b " * 300, "b a", "a " * 257])
    assert np.diff(text.starts).tolist() == [256, 256, 88, 2, 256]
    assert text.ids[512:602].tolist() == [1, 2] * 44 + [2, 1]
