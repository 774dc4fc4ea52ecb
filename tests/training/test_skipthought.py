"""Training of a small skip-thought model on predictable text: learning and resuming."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.corpora.base import Problems
from litotes.models.base import Encoder
from litotes.models.loading import load_model
from litotes.training.classic.settings import SkipThoughtSettings
from litotes.training.classic.skipthought import SkipThoughtResult, train_skipthought
from litotes.training.classic.skipthought_text import index_documents, make_examples, read_documents

ANIMALS = ["cat", "dog", "hen", "cow", "fox", "owl"]
PLACES = ["barn", "wood", "yard", "lane", "shed", "hall"]
QUICK = SkipThoughtSettings(dim=24, words=12, epochs=7, batch_size=10, learning_rate=0.025, samples=0)


def stories(count: int, seed: int = 0) -> list[list[str]]:
    """Return documents in which each sentence predicts the topic of the next one."""
    draw = random.Random(seed)
    result = []
    for _ in range(count):
        animal, place = draw.choice(ANIMALS), draw.choice(PLACES)
        result.append([f"Here is a {animal}.", f"The {animal} likes the {place}.", f"Now the {place} is not empty."])
    return result


def write_stories(path: Path, documents: Sequence[Sequence[str]]) -> Path:
    path.write_text("\n".join("\n".join(document) + "\n" for document in documents), "utf-8")
    return path


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> SkipThoughtResult:
    return train_skipthought(stories(120), tmp_path_factory.mktemp("out") / "model", settings=QUICK)


def losses(metrics: Path) -> list[float]:
    return [float(json.loads(line)["loss"]) for line in metrics.read_text("utf-8").splitlines()]


def test_the_loss_falls_to_the_unpredictable_part(trained: SkipThoughtResult) -> None:
    first, *_, last = losses(trained.metrics)
    assert (trained.documents, trained.sentences, trained.examples) == (120, 360, 360)
    # Prediction without the neighbouring sentence has a loss of 0.38: log 6 for six of 28 words.
    assert last < 0.3 < 0.9 < first
    assert trained.loss == last


def test_learns_with_sampled_words(tmp_path: Path) -> None:
    sampled = SkipThoughtSettings(**{**QUICK.to_dict(), "samples": 12, "epochs": 3})
    result = train_skipthought(stories(120), tmp_path / "model", settings=sampled)
    first, *_, last = losses(result.metrics)
    assert last < 0.5 < 0.9 < first


def test_the_folder_has_the_published_layout_and_runs(trained: SkipThoughtResult) -> None:
    names = {path.name for path in trained.folder.iterdir() if not path.name.startswith(".")}
    expected = {"uni_skip.npz", "utable.npy", "dictionary.txt", "README.md", "training.json", "metrics.jsonl"}
    assert names == expected
    words = (trained.folder / "dictionary.txt").read_text("utf-8").splitlines()
    assert words[:2] == ["<eos>", "UNK"] and len(words) == trained.words
    with np.load(trained.folder / "uni_skip.npz", allow_pickle=False) as arrays:
        assert {name: arrays[name].shape for name in arrays.files} == {
            "Wemb": (len(words), 12), "encoder_W": (12, 48), "encoder_b": (48,), "encoder_U": (24, 48),
            "encoder_Wx": (12, 24), "encoder_bx": (24,), "encoder_Ux": (24, 24),
        }  # fmt: skip
    assert "360 have a neighbour" in (trained.folder / "README.md").read_text("utf-8")
    scorer = load_model(f"skipthought:{trained.folder}")
    assert isinstance(scorer, Encoder)
    # The place is the topic of the next sentence.
    same, other = scorer.score(
        [
            ("The cat likes the barn.", "The cat likes the barn."),
            ("The cat likes the barn.", "The cat likes the wood."),
        ]
    )
    assert same == pytest.approx(1.0) and other < 0.95


@pytest.mark.parametrize("bidirectional", [False, True])
def test_saved_files_reproduce_the_network(tmp_path: Path, bidirectional: bool) -> None:
    from litotes.core.progress import Progress
    from litotes.training.classic.skipthought_network import SkipThoughtLearner

    text = index_documents(stories(20), vocabulary=100)
    settings = SkipThoughtSettings(dim=8, words=5, epochs=1, bidirectional=bidirectional)
    learner = SkipThoughtLearner(text, make_examples(text, 30), settings, "card", Progress())
    learner.train_epoch(1)
    learner.save(tmp_path)
    scorer = load_model(f"skipthought:{tmp_path}?eos=yes")
    assert isinstance(scorer, Encoder)
    sentences = [document[number] for number, document in enumerate(stories(3))]
    ids = [list(text.documents[number][number]) for number in range(3)]
    expected = learner._network.encode(ids).detach().numpy()
    expected = expected / np.linalg.norm(expected, axis=1, keepdims=True)
    assert scorer.encode(sentences) == pytest.approx(expected, abs=1e-5)


def test_gru_gradient_matches_finite_differences() -> None:
    import torch

    from litotes.training.classic.skipthought_network import gru_states

    torch.manual_seed(0)
    inputs = torch.randn(4, 3, 6, dtype=torch.double, requires_grad=True)
    recurrent = torch.randn(2, 6, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(gru_states, (inputs, recurrent))


# --- resuming


def test_resumes_after_sigkill_with_the_same_files(tmp_path: Path) -> None:
    text = write_stories(tmp_path / "stories.txt", stories(60))
    options = SkipThoughtSettings(dim=8, words=6, epochs=5, batch_size=4, learning_rate=0.01, samples=12)
    uninterrupted = train_skipthought(read_documents([str(text)]), tmp_path / "whole", settings=options)
    arguments = "--dim 8 --words 6 --epochs 5 --batch-size 4 --learning-rate 0.01 --samples 12".split()
    command = [Path(sys.executable).with_name("litotes"), "train", "skipthought", "--from", text]
    process = subprocess.Popen([*command, "--out", tmp_path / "killed", *arguments], stderr=subprocess.PIPE)
    deadline = time.monotonic() + 120
    while not (tmp_path / "killed" / "checkpoints" / "last.safetensors").is_file() and time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()[1].decode()
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not (tmp_path / "killed" / "uni_skip.npz").exists()
    result = train_skipthought(read_documents([str(text)]), tmp_path / "killed", settings=options)
    for name in ("uni_skip.npz", "utable.npy", "dictionary.txt", "metrics.jsonl", "README.md"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
    assert result.loss == uninterrupted.loss
    with pytest.raises(UsageError, match="contains another training \\(different settings\\)"):
        train_skipthought(stories(60), tmp_path / "killed", settings=QUICK)


def test_does_not_overwrite_a_published_model(tmp_path: Path) -> None:
    (tmp_path / "bi_skip.npz").write_bytes(b"precious")
    with pytest.raises(UsageError, match=r"already contains bi_skip.npz"):
        train_skipthought(stories(5), tmp_path, settings=QUICK)
    assert (tmp_path / "bi_skip.npz").read_bytes() == b"precious"
    settings = SkipThoughtSettings(dim=4, words=4, epochs=1)
    train_skipthought(stories(5), tmp_path, settings=settings, fresh=True)
    assert (tmp_path / "uni_skip.npz").exists() and not (tmp_path / "bi_skip.npz").exists()


def test_a_failed_fresh_training_deletes_nothing(tmp_path: Path) -> None:
    settings = SkipThoughtSettings(dim=4, words=4, epochs=1)
    train_skipthought(stories(5), tmp_path, settings=settings)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".sqlite"}
    with pytest.raises(LitotesError, match="follow each other"):
        train_skipthought([["Alone."]], tmp_path, settings=settings, fresh=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".sqlite"} == before


# --- neighbouring sentences


def test_files_and_blank_lines_end_documents(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\nTwo.\n\nThree.\n", "utf-8")
    (tmp_path / "b.txt").write_text("Four.\n\n\nFive.\nSix.", "utf-8")
    (tmp_path / "c.txt").write_text("\n", "utf-8")
    result = list(read_documents([str(tmp_path)]))
    assert result == [["One.", "Two."], ["Three."], ["Four."], ["Five.", "Six."]]


def test_running_text_is_a_document_per_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One is\nhere. Two is\nthere.\n\nThree. Four.\n", "utf-8")
    assert list(read_documents([str(tmp_path / "a.txt")], split=True)) == [
        ["One is here.", "Two is there.", "Three.", "Four."]
    ]


def test_conllu_documents_are_recognised(tmp_path: Path) -> None:
    def sentence(text: str, *comments: str) -> str:
        rows = "".join(f"{n}\t{word}" + "\t_" * 8 + "\n" for n, word in enumerate(text.split(), 1))
        return "".join(f"# {one}\n" for one in (*comments, f"text = {text}")) + rows + "\n"

    file = tmp_path / "a.conllu"
    file.write_text(
        sentence("One here", "newdoc id = first", "sent_id = x-1")
        + sentence("Two here", "sent_id = x-2")
        + sentence("Three here", "newdoc", "sent_id = x-3")
        + sentence("Four here", "newpar")
        + "1\tbroken\n\n"
        + sentence("Five here"),
        "utf-8",
    )
    problems = Problems()
    result = list(read_documents([str(file)], problems=problems))
    assert result == [["One here", "Two here"], ["Three here", "Four here"], ["Five here"]]
    assert problems.by_kind == {"conllu": 1}


def test_unreadable_line_separates_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"One.\nTwo.\n\xff\xfe broken\nThree.\nFour.\n")
    assert list(read_documents([str(tmp_path / "a.txt")])) == [["One.", "Two."], ["Three.", "Four."]]


def test_rows_of_a_table_are_documents_if_they_are_split(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"text": "One here. Two here."}\n{"text": "Three here. Four here."}\n', "utf-8")
    assert list(read_documents([str(file)], split=True)) == [["One here.", "Two here."], ["Three here.", "Four here."]]


def test_neighbours_have_one_side_at_the_ends_and_leave_long_sentences_out() -> None:
    text = index_documents([["a b", "c d", "e f", "a b c d e f", "a c"], ["b d"]], vocabulary=100, min_count=1)
    result = [
        (list(example.previous), list(example.sentence), list(example.next))
        for example in make_examples(text, max_length=5)
    ]
    ab, cd, ef = (list(sentence) for sentence in text.documents[0][:3])
    assert result == [([], ab, cd), (ab, cd, ef), (cd, ef, [])]


def test_rare_words_are_unknown() -> None:
    text = index_documents([["The cat sat.", "The cat ran."]], vocabulary=20_000)
    assert text.words == ("<eos>", "UNK", ".", "cat", "the")
    assert text.counts == (2, 2, 2, 2, 2)
    assert index_documents([["The cat sat.", "The cat ran."]], vocabulary=3).words == ("<eos>", "UNK", ".")


# --- errors


@pytest.mark.parametrize("documents", [[], [["Alone."], ["Alone, too."]], [["a " * 40, "b " * 40]]])
def test_reports_text_without_neighbours(tmp_path: Path, documents: list[list[str]]) -> None:
    with pytest.raises(LitotesError, match="no two sentences of at most 30 words follow each other") as caught:
        train_skipthought(documents, tmp_path / "model", settings=QUICK)
    assert caught.value.code == "L204"


def test_rejects_pairs(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"sentence1": "Ann sings.", "sentence2": "Ann is silent."}\n', "utf-8")
    with pytest.raises(UsageError, match=r"pairs\.jsonl: contains pairs of sentences, not running text"):
        list(read_documents([str(file)]))


@pytest.mark.parametrize(
    ("name", "value"),
    [("dim", 0), ("vocabulary", 2), ("samples", -1), ("learning_rate", float("nan")), ("seed", -1), ("epochs", 0)],
)
def test_reports_wrong_settings(name: str, value: float) -> None:
    with pytest.raises(UsageError, match=f"{name}="):
        SkipThoughtSettings(**{name: value})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="must be even"):
        SkipThoughtSettings(dim=7, bidirectional=True)


def test_reports_a_diverged_training(tmp_path: Path) -> None:
    wild = SkipThoughtSettings(**{**QUICK.to_dict(), "learning_rate": 1e37})
    with pytest.raises(LitotesError, match="the loss is not finite"):
        train_skipthought(stories(40), tmp_path / "model", settings=wild)
