"""The command `litotes repair`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from litotes.cli import main
from tests import example_files
from tests.models import tiny_models


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a text, small suites and a tiny model."""
    folder = tmp_path_factory.mktemp("repair")
    example_files.write_texts(folder)
    example_files.write_suites(folder)
    tiny_models.save_sentence_transformer(folder / "my-model", tiny_models.save_bert(folder / "bert", positions=80))
    return folder


@pytest.fixture
def command(world: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Run the command in this process, which avoids repeated imports."""
    monkeypatch.setenv("LITOTES_CACHE", str(world / "cache"))
    monkeypatch.chdir(world)

    def run(*words: object) -> int:
        monkeypatch.setattr(sys, "argv", ["litotes", "repair", *map(str, words)])
        return main.run_command()

    return run


def test_prints_a_table_or_json_only(command, world, capfd) -> None:
    words = ["my-model", "--from", "sentences.txt", "--out", "repaired", "--suite", "few-items", "--steps", 2]
    words += ["--batch-size", 4, "--sts", "stsb-en-dev.csv", "--workers", 1]
    assert command(*words) == 0
    output = capfd.readouterr()
    assert max(map(len, output.out.splitlines())) <= 80
    rows = [line.split() for line in output.out.splitlines()]
    assert {row[0] for row in rows if row} >= {"metric", "few-items", "STS:"}
    assert "next:  litotes run repaired" in output.err and "litotes:" not in output.err
    files = [path for path in (world / "repaired").rglob("*") if path.is_file()]
    assert {"model.safetensors", "README.md", "repair.json"} <= {path.name for path in files}
    assert not [path for path in files if path.name.startswith(".")]
    # Some libraries write files that only their owner can read.
    assert {path.stat().st_mode for path in files} == {(world / "sentences.txt").stat().st_mode}
    # A second call trains nothing, and standard output is a JSON document.
    weights = (world / "repaired" / "model.safetensors").stat().st_mtime_ns
    assert command(*words, "--json") == 0
    document = json.loads(capfd.readouterr().out)
    assert (world / "repaired" / "model.safetensors").stat().st_mtime_ns == weights
    assert [change["metric"] for change in document["changes"]] == ["few-items: accuracy", "STS: Spearman"]
    assert [row["source"] for row in document["leakage"]] == ["few-items", "stsb-en-dev.csv", "your text"]
    assert not any(row["shared_sentences"] or row["shared_pairs"] for row in document["leakage"])
    # Other settings in the same folder are refused, and the difference is named.
    assert command(*words, "--retention", 3) == 2
    assert "contains another training" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--method", "magic"], 'unknown method "magic"'),
        (["--sts", "none.csv"], "none.csv: no such file"),
        (["--sts", "sentences.txt"], "sentences.txt: is not a table of two sentences and a score"),
        (["--paraphrases", "SICK.txt"], "are paraphrases"),
        (["--data", "semantoneg"], "must be NAME=PATH"),
        (["--suite", "few-itms"], 'unknown suite "few-itms"'),
        (["--steps", "0"], "'--steps': Input should be greater than or equal to 1"),
        (["--retention", "nan"], "'--retention'"),
        (["--from", "none.txt"], "none.txt"),
        (["--nli", "none.jsonl"], "none.jsonl"),
        (["--suite", "developmental-mini"], "developmental-mini: asks for labels, which an encoder does not predict"),
    ],
)
def test_invalid_arguments_fail_before_any_work(command, world, capfd, words: list[str], says: str) -> None:
    arguments = ["my-model", "--out", "new", *([] if "--from" in words else ["--from", "sentences.txt"]), *words]
    assert command(*arguments) != 0
    output = capfd.readouterr()
    assert says in output.err and output.err.count("\n") == 1 and not output.out
    assert not (world / "new").exists()


@pytest.mark.parametrize("more", [[], ["--fresh"], ["--method", "adapter"], ["--method", "adapter", "--fresh"]])
def test_never_overwrites_the_original(command, world, capfd, more: list[str]) -> None:
    before = sorted(path.stat().st_mtime_ns for path in (world / "my-model").rglob("*"))
    for name in ("my-model", world / "my-model"):
        assert command("my-model", "--from", "sentences.txt", "--out", name, *more) == 2
        output = capfd.readouterr().err
        assert "is the folder of the original model" in output and output.count("\n") == 1
    assert command("all-MiniLM-L6-v2", "--from", "sentences.txt", "--out", "all-MiniLM-L6-v2", *more) == 2
    assert not (world / "all-MiniLM-L6-v2").exists()
    assert sorted(path.stat().st_mtime_ns for path in (world / "my-model").rglob("*")) == before


def test_failed_repair_does_not_claim_the_folder(command, world, capfd) -> None:
    (world / "useless.txt").write_text("Hm.\nOh, well.\n", "utf-8")
    few = ["--suite", "few-items", "--steps", 1, "--batch-size", 4, "--workers", 1]
    assert command("my-model", "--from", "useless.txt", "--out", "tried", *few, "--no-lexicon") == 1
    assert "useless.txt: gives no training example" in capfd.readouterr().err
    assert command("my-model", "--from", "sentences.txt", "--out", "tried", *few) == 0


def test_other_languages_are_rejected_early(command, world, capfd) -> None:
    (world / "deutsch.txt").write_text("Der Zug fährt heute nicht.\nIch weiß nicht, wo er ist.\n" * 3, "utf-8")
    assert command("my-model", "--from", "deutsch.txt", "--out", "foreign", "--suite", "few-items") == 1
    output = capfd.readouterr().err
    assert "[L203] deutsch.txt does not look English" in output and output.count("\n") == 1


def test_static_embeddings_are_rejected_early(command, world, capfd) -> None:
    pytest.importorskip("sentence_transformers")
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(world / "my-model" / "tokenizer.json"))
    model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=8)], device="cpu")
    model.save(str(world / "static"), create_model_card=False)
    assert command("static", "--from", "sentences.txt", "--out", "from-static") == 2
    output = capfd.readouterr().err
    assert "has no transformer to train" in output and "examples" not in output


def test_untrainable_models_are_rejected_with_a_hint(command, capfd) -> None:
    assert command("glove:6b-50d", "--from", "sentences.txt", "--out", "new") == 2
    assert "--method adapter" in capfd.readouterr().err


def test_distributed_launchers_are_rejected(command, capfd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert command("my-model", "--from", "sentences.txt", "--out", "spread") == 2
    assert "runs in a single process" in capfd.readouterr().err


def test_an_output_folder_that_is_not_utf8_is_refused_before_the_work(command, capfd) -> None:
    assert command("my-model", "--from", "sentences.txt", "--out", "out\udcff", "--suite", "few-items") == 1
    assert capfd.readouterr().err.startswith("litotes: [L401] out\\udcff: cannot be written (the path is not UTF-8)")
