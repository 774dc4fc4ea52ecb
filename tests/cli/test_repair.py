"""`litotes repair`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from litotes.cli.main import app
from tests import stand_ins
from tests.models import tiny_models


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text, a few questions and a tiny model."""
    folder = tmp_path_factory.mktemp("repair")
    stand_ins.write_texts(folder)
    stand_ins.write_suites(folder)
    tiny_models.save_sentence_transformer(folder / "my-model", tiny_models.save_bert(folder / "bert", positions=80))
    return folder


@pytest.fixture
def command(world: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The command in this process: a process of its own would import everything again."""
    monkeypatch.setenv("LITOTES_CACHE", str(world / "cache"))
    monkeypatch.chdir(world)

    def run(*words: object) -> int:
        code = app(["repair", *map(str, words)], standalone_mode=False)
        return code if isinstance(code, int) else 0

    return run


def test_it_shows_before_and_after_and_json_is_all_that_is_printed(command, world, capfd) -> None:
    words = ["my-model", "--from", "sentences.txt", "--out", "repaired", "--suite", "few-items", "--steps", 2]
    words += ["--batch-size", 4, "--sts", "stsb-en-dev.csv", "--workers", 1]
    assert command(*words) == 0
    said = capfd.readouterr()
    assert max(map(len, said.out.splitlines())) <= 80
    rows = [line.split() for line in said.out.splitlines()]
    assert {row[0] for row in rows if row} >= {"figure", "few-items", "STS:"}
    assert "next:  litotes run repaired" in said.err and "litotes:" not in said.err
    assert {"model.safetensors", "README.md", "outcome.json"} <= {path.name for path in (world / "repaired").iterdir()}
    # The same again: nothing is learned anew, and standard output is one document.
    weights = (world / "repaired" / "model.safetensors").stat().st_mtime_ns
    assert command(*words, "--json") == 0
    found = json.loads(capfd.readouterr().out)
    assert (world / "repaired" / "model.safetensors").stat().st_mtime_ns == weights
    assert [one["what"] for one in found["changes"]] == ["few-items: accuracy", "STS: Spearman"]
    assert [one["where"] for one in found["leakage"]] == ["few-items", "stsb-en-dev.csv", "your text"]
    assert not any(one["shared_sentences"] or one["shared_pairs"] for one in found["leakage"])
    # Another setting in the same folder is refused, with what is different.
    assert command(*words, "--keep", 3) == 2
    assert "holds another training" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--method", "magic"], 'unknown method "magic"'),
        (["--sts", "none.csv"], "none.csv: no such file"),
        (["--sts", "sentences.txt"], "sentences.txt: is no table of two sentences and a score"),
        (["--paraphrases", "SICK.txt"], "are paraphrases"),
        (["--data", "semantoneg"], "is written NAME=PATH"),
        (["--suite", "few-itms"], 'unknown suite "few-itms"'),
        (["--steps", "0"], "steps=0: at least 1 is needed"),
        (["--keep", "nan"], "keep=nan"),
        (["--from", "none.txt"], "none.txt"),
        (["--nli", "none.jsonl"], "none.jsonl"),
        (["--suite", "developmental-mini"], "developmental-mini: asks for labels, which an encoder does not give"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_done(command, world, capfd, words: list[str], says: str) -> None:
    given = ["my-model", "--out", "new", *([] if "--from" in words else ["--from", "sentences.txt"]), *words]
    assert command(*given) != 0
    said = capfd.readouterr()
    assert says in said.err and said.err.count("\n") == 1 and not said.out
    assert not (world / "new").exists()


@pytest.mark.parametrize("more", [[], ["--fresh"], ["--method", "adapter"], ["--method", "adapter", "--fresh"]])
def test_the_original_is_never_written_over(command, world, capfd, more: list[str]) -> None:
    before = sorted(path.stat().st_mtime_ns for path in (world / "my-model").rglob("*"))
    for name in ("my-model", world / "my-model"):
        assert command("my-model", "--from", "sentences.txt", "--out", name, *more) == 2
        said = capfd.readouterr().err
        assert "is the model's own folder, or would be taken for it" in said and said.count("\n") == 1
    assert command("all-MiniLM-L6-v2", "--from", "sentences.txt", "--out", "all-MiniLM-L6-v2", *more) == 2
    assert not (world / "all-MiniLM-L6-v2").exists()
    assert sorted(path.stat().st_mtime_ns for path in (world / "my-model").rglob("*")) == before


def test_a_repair_that_fails_leaves_the_folder_to_others(command, world, capfd) -> None:
    (world / "useless.txt").write_text("Hm.\nOh, well.\n", "utf-8")
    few = ["--suite", "few-items", "--steps", 1, "--batch-size", 4, "--workers", 1]
    assert command("my-model", "--from", "useless.txt", "--out", "tried", *few, "--no-lexicon") == 1
    assert "useless.txt: gives no lesson" in capfd.readouterr().err
    assert command("my-model", "--from", "sentences.txt", "--out", "tried", *few) == 0


def test_another_language_is_refused_before_anything_is_made(command, world, capfd) -> None:
    (world / "deutsch.txt").write_text("Der Zug fährt heute nicht.\nIch weiß nicht, wo er ist.\n" * 3, "utf-8")
    assert command("my-model", "--from", "deutsch.txt", "--out", "foreign", "--suite", "few-items") == 1
    said = capfd.readouterr().err
    assert "[L203] deutsch.txt does not look English" in said and said.count("\n") == 1


def test_static_embeddings_are_refused_before_lessons_are_made(command, world, capfd) -> None:
    pytest.importorskip("sentence_transformers")
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(world / "my-model" / "tokenizer.json"))
    model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=8)], device="cpu")
    model.save(str(world / "static"), create_model_card=False)
    assert command("static", "--from", "sentences.txt", "--out", "from-static") == 2
    said = capfd.readouterr().err
    assert "no transformer whose weights could be trained" in said and "lessons" not in said


def test_a_model_that_cannot_be_trained_is_refused_with_the_way_out(command, capfd) -> None:
    assert command("glove:6b-50d", "--from", "sentences.txt", "--out", "new") == 2
    assert "--method adapter" in capfd.readouterr().err


def test_several_processes_are_refused(command, capfd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert command("my-model", "--from", "sentences.txt", "--out", "spread") == 2
    assert "runs in one process" in capfd.readouterr().err
