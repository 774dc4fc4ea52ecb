"""Training of a tiny NLI model: learning, resuming, and errors."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from litotes.core.errors import LitotesError
from litotes.training.nli.settings import PRESETS, TrainSettings
from litotes.training.nli.train import TrainingResult, train_nli

from .conftest import make_pairs, save_encoder, save_roberta, write_pairs

QUICK = TrainSettings(learning_rate=5e-3, batch_size=16, max_length=32, epochs=4)


@pytest.fixture(scope="module")
def trained(encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> TrainingResult:
    out = tmp_path_factory.mktemp("out") / "model"
    return train_nli(str(encoder), make_pairs(1200), out, dev=make_pairs(90, seed=1), settings=QUICK)


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_learns_a_simple_task(trained: TrainingResult) -> None:
    assert trained.dev["mcc"] > 0.9
    first, *_, last = [line for line in lines(trained.metrics) if line["on"] == "dev"]
    assert last["epoch"] == QUICK.epochs and first["epoch"] == 1 and last["loss"] < first["loss"]


def test_folder_is_loaded_by_transformers_and_has_a_card(trained: TrainingResult) -> None:
    from transformers import pipeline

    ask = pipeline("text-classification", model=str(trained.folder))
    assert ask({"text": "Ann likes soup.", "text_pair": "Ann hates soup."})["label"] == "contradiction"
    names = {path.name for path in trained.folder.iterdir()}
    assert {
        "model.safetensors",
        "config.json",
        "tokenizer.json",
        "README.md",
        "training.json",
        "metrics.jsonl",
    } <= names
    assert not any(path.suffix in {".bin", ".pt", ".pth"} for path in trained.folder.rglob("*"))
    card = (trained.folder / "README.md").read_text("utf-8")
    assert card.startswith("---\nlibrary_name: transformers") and "1,200 pairs" in card and "0.005" in card


def test_all_files_have_the_permissions_of_new_files(trained: TrainingResult, tmp_path: Path) -> None:
    (tmp_path / "new").touch()
    modes = {path.stat().st_mode for path in trained.folder.rglob("*") if path.is_file()}
    assert modes == {(tmp_path / "new").stat().st_mode}


def test_each_epoch_leaves_a_checkpoint_that_loads_like_a_model(trained: TrainingResult) -> None:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    assert len(trained.checkpoints) == QUICK.epochs
    for path in trained.checkpoints:
        model = AutoModelForSequenceClassification.from_pretrained(path)
        assert [model.config.id2label[number] for number in range(3)] == ["entailment", "neutral", "contradiction"]
        assert AutoTokenizer.from_pretrained(path).pad_token


def test_returns_a_finished_training_at_once(encoder: Path, trained: TrainingResult) -> None:
    before = (trained.folder / "model.safetensors").stat().st_mtime_ns
    again = train_nli(str(encoder), make_pairs(1200), trained.folder, dev=make_pairs(90, seed=1), settings=QUICK)
    assert again == trained and (trained.folder / "model.safetensors").stat().st_mtime_ns == before


def test_a_folder_that_is_not_utf8_is_refused_before_the_work(encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=r"\[L401\] .*not UTF-8"):
        train_nli(str(encoder), make_pairs(32), tmp_path / "out\udcff", settings=QUICK)
    assert not list(tmp_path.iterdir())


def test_results_depend_on_the_seed(encoder: Path, tmp_path: Path) -> None:
    settings = QUICK.replace(epochs=1)
    first, same, second = (
        train_nli(str(encoder), make_pairs(120), tmp_path / name, settings=settings.replace(seed=seed)).sha256
        for name, seed in (("one", 0), ("same", 0), ("other", 1))
    )
    assert first == same != second


def test_further_training_preserves_the_head(trained: TrainingResult, tmp_path: Path) -> None:
    result = train_nli(
        str(trained.folder), make_pairs(30), tmp_path / "more", settings=QUICK.replace(epochs=1, learning_rate=1e-6)
    )
    account = json.loads((result.folder / "training.json").read_text("utf-8"))
    assert account["new_head"] is False
    assert json.loads((trained.folder / "training.json").read_text("utf-8"))["new_head"] is True


def test_preserves_the_label_order_of_an_nli_head(trained: TrainingResult, tmp_path: Path) -> None:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(trained.folder)
    order = [2, 0, 1]  # contradiction, entailment, neutral
    model.classifier.weight.data = model.classifier.weight.data[order]
    model.classifier.bias.data = model.classifier.bias.data[order]
    model.config.id2label = {0: "CONTRADICTION", 1: "ENTAILMENT", 2: "NEUTRAL"}
    model.config.label2id = {label: number for number, label in model.config.id2label.items()}
    model.save_pretrained(tmp_path / "other")
    AutoTokenizer.from_pretrained(trained.folder).save_pretrained(tmp_path / "other")
    # With a negligible learning rate the metrics are those of the initial model.
    result = train_nli(
        str(tmp_path / "other"),
        make_pairs(30),
        tmp_path / "out",
        dev=make_pairs(90, seed=1),
        settings=QUICK.replace(epochs=1, learning_rate=1e-9),
    )
    assert result.dev["mcc"] == pytest.approx(trained.dev["mcc"])


LONG = TrainSettings(learning_rate=1e-3, batch_size=4, max_length=32, epochs=3)
CHILD = f"""
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from conftest import make_pairs
from litotes.training.nli.train import train_nli
from litotes.training.nli.settings import TrainSettings
train_nli(sys.argv[2], make_pairs(600), Path(sys.argv[3]), dev=make_pairs(30, seed=1), settings={LONG})
"""


def child(encoder: Path, out: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD, str(Path(__file__).parent), str(encoder), str(out)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def last_step(out: Path) -> int:
    path = out / "metrics.jsonl"
    if not path.exists():
        return 0
    whole = [line for line in path.read_text("utf-8").splitlines() if line.endswith("}")]
    return max((json.loads(line)["step"] for line in whole), default=0)


def test_resumes_after_sigkill_with_the_same_weights(encoder: Path, tmp_path: Path) -> None:
    killed = child(encoder, tmp_path / "killed")
    deadline = time.monotonic() + 240
    while last_step(tmp_path / "killed") < 200 and time.monotonic() < deadline:  # an epoch has 150 steps
        assert killed.poll() is None, killed.communicate()
        time.sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert 200 <= last_step(tmp_path / "killed") < 300
    # The remains of a kill while a checkpoint was written.
    half = tmp_path / "killed" / "checkpoints" / "checkpoint-300"
    half.mkdir()
    (half / "model.safetensors").write_bytes(b"half")
    again, uninterrupted = (
        train_nli(str(encoder), make_pairs(600), tmp_path / name, dev=make_pairs(30, seed=1), settings=LONG)
        for name in ("killed", "whole")
    )
    assert again.sha256 == uninterrupted.sha256 and len(uninterrupted.sha256) == 64
    steps = [line["step"] for line in lines(tmp_path / "killed" / "metrics.jsonl")]
    assert steps == [line["step"] for line in lines(tmp_path / "whole" / "metrics.jsonl")]


def test_several_processes_share_the_work(encoder: Path, tmp_path: Path) -> None:
    """Processes are started by torch's launcher, as by `accelerate launch`."""
    data = write_pairs(tmp_path / "pairs.jsonl", make_pairs(160))
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]
    command += ["-m", "litotes", "train", "nli", "--base", str(encoder), "--data", str(data)]
    command += ["--out", str(tmp_path / "out"), "--preset", "smoke", "--epochs", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    account = json.loads((tmp_path / "out" / "training.json").read_text("utf-8"))
    assert account["steps"] == 160 // (PRESETS["smoke"].batch_size * 2) and account["sha256"]


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ([], "has no labelled pairs"),
        ([pair for pair in make_pairs(30) if pair.label == "neutral"], 'all 10 pairs have the label "neutral"'),
        ([replace(make_pairs(1)[0], label="maybe")], 'unknown label "maybe"'),
    ],
    ids=["empty", "one-class", "unknown-label"],
)
def test_bad_data_fails_before_anything_is_loaded(pairs: list, words: str, tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=words):
        train_nli("no-such-model", pairs, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_reports_a_base_without_a_tokenizer(tmp_path: Path) -> None:
    base = save_encoder(tmp_path / "base", tokenizer=False)
    with pytest.raises(LitotesError, match=r"\[L304\].*has no tokenizer"):
        train_nli(str(base), make_pairs(30), tmp_path / "out", settings=QUICK)
    assert not (tmp_path / "out").exists()


def test_rejects_checkpoints_of_another_model(encoder: Path, trained: TrainingResult, tmp_path: Path) -> None:
    other = save_encoder(tmp_path / "other", seed=5)
    with pytest.raises(LitotesError, match=r"contains another training \(different base\); --fresh"):
        train_nli(str(other), make_pairs(1200), trained.folder, dev=make_pairs(90, seed=1), settings=QUICK)
    with pytest.raises(LitotesError, match=r"contains another training \(different data\)"):
        train_nli(str(encoder), make_pairs(300), trained.folder, dev=make_pairs(90, seed=1), settings=QUICK)
    # Checkpoints from an unknown source.
    (tmp_path / "loose" / "checkpoints" / "checkpoint-3").mkdir(parents=True)
    with pytest.raises(LitotesError, match="checkpoints of an unknown training"):
        train_nli(str(encoder), make_pairs(30), tmp_path / "loose", settings=QUICK)


def test_does_not_overwrite_other_models(encoder: Path, tmp_path: Path) -> None:
    out = save_encoder(tmp_path / "mine")
    with pytest.raises(LitotesError, match=r"already contains config.json"):
        train_nli(str(encoder), make_pairs(30), out, settings=QUICK)


def test_rejects_a_base_that_is_not_a_transformer(tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match="training needs a transformers model"):
        train_nli("overlap:words", make_pairs(30), tmp_path / "out")


def test_reports_weights_of_the_wrong_shape(encoder: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    base = Path(shutil.copytree(encoder, tmp_path / "base"))
    weights = load_file(base / "model.safetensors")
    del weights["encoder.layer.1.output.dense.weight"]
    save_file(weights, base / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(LitotesError, match="do not fit its config"):
        train_nli(str(base), make_pairs(30), tmp_path / "out", settings=QUICK)


def test_accepts_a_sentence_transformers_folder_as_base(tmp_path: Path) -> None:
    base = tmp_path / "st"
    save_encoder(base / "0_Transformer")
    modules = [{"idx": 0, "name": "0", "path": "0_Transformer", "type": "sentence_transformers.models.Transformer"}]
    (base / "modules.json").write_text(json.dumps(modules), "utf-8")
    result = train_nli(str(base), make_pairs(30), tmp_path / "out", settings=QUICK.replace(epochs=1))
    assert (result.folder / "model.safetensors").exists()


def test_initialises_a_new_head_for_other_labels(trained: TrainingResult, tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    from litotes.models.access import Access
    from litotes.training.nli.base_model import find_base, load_base

    model = AutoModelForSequenceClassification.from_pretrained(trained.folder)
    model.config.id2label = {0: "bad", 1: "fair", 2: "good"}
    model.config.label2id = {label: number for number, label in model.config.id2label.items()}
    model.save_pretrained(tmp_path / "stars")
    AutoTokenizer.from_pretrained(trained.folder).save_pretrained(tmp_path / "stars")
    loaded = load_base(find_base(str(tmp_path / "stars"), Access()), Access(), max_length=32, seed=0)
    assert loaded.new_head and loaded.label_ids["entailment"] == 0
    assert not torch.equal(loaded.model.classifier.weight, model.classifier.weight)
    weight = loaded.model.bert.encoder.layer[0].output.dense.weight
    assert torch.equal(weight, model.bert.encoder.layer[0].output.dense.weight)


def test_reports_a_checkpoint_of_another_model(encoder: Path, tmp_path: Path) -> None:
    """The checkpoint of an interrupted training is replaced by that of another model."""
    out, other = tmp_path / "out", tmp_path / "other"
    for folder, base in ((out, encoder), (other, save_encoder(tmp_path / "wide", words=["one", "two"]))):
        train_nli(str(base), make_pairs(60), folder, settings=QUICK.replace(epochs=2))
    account = json.loads((out / "training.json").read_text("utf-8"))
    (out / "training.json").write_text(json.dumps({name: account[name] for name in ("key", "depends_on")}), "utf-8")
    first, second = sorted((out / "checkpoints").iterdir(), key=lambda path: int(path.name.partition("-")[2]))
    shutil.rmtree(second)
    shutil.copy(other / "checkpoints" / first.name / "model.safetensors", first)
    for name in ("optimizer.pt", "scheduler.pt", "rng_state.pth"):
        (first / name).write_bytes(b"x")
    with pytest.raises(LitotesError, match=r"\[L303\].*is damaged, or the checkpoint of another model") as caught:
        train_nli(str(encoder), make_pairs(60), out, settings=QUICK.replace(epochs=2))
    assert "\n" not in str(caught.value)


def test_stops_if_the_loss_is_not_finite(encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=r"\[L308\] the loss is not finite"):
        train_nli(str(encoder), make_pairs(60), tmp_path / "out", settings=QUICK.replace(epochs=1, learning_rate=1e30))


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"max_length": 3}, "leave no tokens for words"), ({"seed": -1}, "seed=-1: must be an integer >= 0")],
    ids=["no-room", "seed"],
)
def test_rejects_invalid_settings(settings: dict, words: str, encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=words):
        train_nli(str(encoder), make_pairs(30), tmp_path / "out", settings=QUICK.replace(**settings))


def test_refuses_two_trainings_in_a_folder(encoder: Path, tmp_path: Path) -> None:
    from litotes.core.locks import lock_folder

    with lock_folder(tmp_path), pytest.raises(LitotesError, match="another process is working in this folder"):
        train_nli(str(encoder), make_pairs(30), tmp_path, settings=QUICK)


class TestCommand:
    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "litotes", "train", "nli", *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    def test_smoke_training_runs(self, encoder: Path, tmp_path: Path) -> None:
        pairs = make_pairs(90)
        negated = [replace(pair, hypothesis="Ann does not like food.") for pair in pairs[:9]]
        data = write_pairs(tmp_path / "pairs.jsonl", [*pairs, *negated])
        dev = write_pairs(tmp_path / "dev.jsonl", make_pairs(9, seed=2))
        done = self.run(
            *("--base", str(encoder), "--data", str(data), "--dev", str(dev), "--out", str(tmp_path / "out")),
            *("--preset", "smoke", "--without-negation", "--json"),
        )
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)
        assert set(document["dev"]) == {"accuracy", "mcc", "loss"} and len(document["checkpoints"]) == 2
        assert "99 pairs read" in done.stderr
        n_trained = int(done.stderr.partition("pairs read, ")[2].partition(" used")[0])
        premises = {pair.premise for pair in make_pairs(9, seed=2)}
        assert n_trained == sum(pair.premise not in premises for pair in pairs)

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (
                '{"premise": "A.", "hypothesis": "B.", "label": "-"}\n',
                "none of the 1 pairs has a gold label",
            ),
            ("", "no sentence could be read"),
            ("just a sentence\n", "has one sentence"),
            (
                '{"premise": "A.", "hypothesis": "B.", "label": "perhaps"}\n',
                "no sentence could be read (1 line skipped: 1 label",
            ),
        ],
        ids=["no-gold", "empty", "no-pairs", "unknown-label"],
    )
    def test_bad_files_are_reported_in_a_single_line(
        self, content: str, words: str, encoder: Path, tmp_path: Path
    ) -> None:
        path = tmp_path / "data.jsonl" if content.startswith("{") else tmp_path / "data.txt"
        path.write_text(content, "utf-8")
        done = self.run("--base", str(encoder), "--data", str(path), "--out", str(tmp_path / "out"))
        assert done.returncode == 1 and words in done.stderr, done.stderr
        assert len(done.stderr.strip().splitlines()) == 1 and not (tmp_path / "out").exists()

    def test_unknown_label_is_reported_with_its_line(self, encoder: Path, tmp_path: Path) -> None:
        data = write_pairs(tmp_path / "data.jsonl", [*make_pairs(9), replace(make_pairs(1)[0], label="perhaps")])
        done = self.run("--base", str(encoder), "--data", str(data), "--out", str(tmp_path / "out"))
        assert done.returncode == 1 and 'data.jsonl:10: unknown label "perhaps"' in done.stderr

    def test_reports_an_empty_dev_set(self, encoder: Path, tmp_path: Path) -> None:
        data = write_pairs(tmp_path / "data.jsonl", make_pairs(9))
        dev = write_pairs(tmp_path / "dev.jsonl", [replace(make_pairs(1)[0], hypothesis="Ann does not like food.")])
        words = ["--base", str(encoder), "--data", str(data), "--dev", str(dev), "--out", str(tmp_path / "out")]
        done = self.run(*words, "--without-negation")
        assert done.returncode == 1 and "no pairs are left for evaluation" in done.stderr

    def test_reports_wrong_settings(self, encoder: Path, tmp_path: Path) -> None:
        done = self.run("--base", "x", "--data", "y", "--out", str(tmp_path), "--preset", "smal")
        assert done.returncode == 2 and "did you mean small?" in done.stderr


def test_a_space_before_the_first_word_reaches_the_trained_model(tmp_path: Path) -> None:
    """BabyBERTa's tokenizer treats the first word like every other word."""
    from transformers import AutoTokenizer

    from litotes.core.errors import UsageError
    from litotes.models.access import Access
    from litotes.models.loading import load_model
    from litotes.training.nli.base_model import find_base

    folder = save_roberta(tmp_path / "roberta")
    assert AutoTokenizer.from_pretrained(folder).tokenize("soup is here") != ["Ġsoup", "Ġis", "Ġhere"]
    name = f"hf:{folder}?add_prefix_space=yes"
    settings = TrainSettings(epochs=1, batch_size=8, max_length=32)
    result = train_nli(name, make_pairs(24), tmp_path / "out", settings=settings)
    assert AutoTokenizer.from_pretrained(result.folder).tokenize("soup is here") == ["Ġsoup", "Ġis", "Ġhere"]
    assert AutoTokenizer.from_pretrained(result.checkpoints[0]).tokenize("soup") == ["Ġsoup"]
    assert find_base(name, Access()).sha256 != find_base(f"hf:{folder}", Access()).sha256, "another training"
    with_space, without = load_model(name), load_model(f"hf:{folder}")
    assert with_space.fingerprint != without.fingerprint
    assert (with_space.encode(["soup is here"]) != without.encode(["soup is here"])).any()
    with pytest.raises(UsageError, match="add_prefix_space=yes: this model's tokenizer is not byte-level"):
        train_nli(f"hf:{save_encoder(tmp_path / 'bert')}?add_prefix_space=yes", make_pairs(24), tmp_path / "no")
    with pytest.raises(UsageError, match="did you mean add_prefix_space"):
        find_base(f"hf:{folder}?add_prefix_spac=yes", Access())
