"""Audit, repair and audit of a tiny model that is blind to negation, with an interruption by SIGKILL."""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("sentence_transformers")
pytest.importorskip("spacy")

import litotes
from litotes.core.files import read_json
from litotes.repair.settings import RepairSettings
from tests.training.conftest import save_encoder

STEPS = 80
_BASE = {"cooked": "cook", "bought": "buy", "tasted": "taste", "dropped": "drop"}
SETTINGS = {"steps": STEPS, "check_every": 20, "batch_size": 16, "learning_rate": 3e-3, "warmup": 5, "retention": 0.1}
# The word embeddings of the tiny model are random, so they are trained too.
SETTINGS |= {"freeze_embeddings": False, "average": 0.9}
# Most words of the lexicon are not in its vocabulary.
SETTINGS |= {"lexicon": False}


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return sentences from which a tiny model can learn the meaning of “not”."""
    people, nouns = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn"], ["soup", "bread", "tea", "rice", "fish", "cake"]
    verbs = ["cooked", "bought", "tasted", "dropped"]
    adjectives = ["hot", "fresh", "cheap", "soft"]
    result = []
    for (n, person), noun in itertools.product(enumerate(people), nouns):
        verb, adjective = verbs[(n + len(noun)) % 4], adjectives[(n + 2 * len(noun)) % 4]
        result += [f"{person} {verb} the {noun}.", f"{person} did not {_BASE[verb]} the {noun}."]
        result += [f"{person} says the {noun} is {adjective}.", f"The {noun} from {person} is not {adjective}."]
    path = tmp_path_factory.mktemp("text") / "notes.txt"
    path.write_text("\n".join(result) + "\n", "utf-8")
    return path


@pytest.fixture(scope="module")
def tiny(text: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save a sentence-transformers folder with two narrow layers and the vocabulary of the text."""

    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    words = re.findall(r"\w+|[^\w\s]", text.read_text("utf-8"))
    more = "not don t doesn didn isn aren wasn won do does did is are was be by been were ' never no cold".split()
    folder = save_encoder(tmp_path_factory.mktemp("tiny") / "bert", words=sorted({*words, *more}))
    first = Transformer(str(folder))
    model = SentenceTransformer(modules=[first, Pooling(first.get_embedding_dimension())], device="cpu")
    out = tmp_path_factory.mktemp("tiny") / "encoder"
    model.save(str(out), create_model_card=False)
    return out


def repair(tiny: Path, text: Path, out: Path, **kwargs):
    options = {"suites": ["fixed-point-reorder-mini"], "settings": RepairSettings(**SETTINGS)}
    return litotes.repair_model(str(tiny), sources=text, out=out, workers=1, **options, **kwargs)


def test_audit_repair_audit_with_sigkill(
    tiny: Path, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path / "cache"))
    before = litotes.audit_model(str(tiny), sources=text, mining=False, workers=1)
    assert before.blind > 0.4

    # The first attempt is killed once there is a checkpoint.
    killed = tmp_path / "killed"
    program = (
        "import litotes; from litotes.repair.settings import RepairSettings;"
        f"litotes.repair_model({str(tiny)!r}, sources={str(text)!r}, out={str(killed)!r}, workers=1,"
        f" suites=['fixed-point-reorder-mini'], settings=RepairSettings(**{SETTINGS!r}))"
    )
    process = subprocess.Popen([sys.executable, "-c", program], start_new_session=True)
    deadline = time.monotonic() + 240
    while not (killed / "checkpoints" / "checkpoint-20" / "trainer_state.json").exists():
        assert process.poll() is None, "the process ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (killed / "repair.json").exists()

    outcome = repair(tiny, text, killed)
    undisturbed = repair(tiny, text, tmp_path / "undisturbed")
    assert outcome.sha256 == undisturbed.sha256
    assert read_json(killed / "repair.json")["sha256"] == outcome.sha256
    assert not (killed / "checkpoints").exists()

    after = litotes.audit_model(str(killed), sources=text, mining=False, workers=1)
    assert after.blind < before.blind - 0.15

    # Other tools read the tokenizer file too, so its maximum length is that of the original.
    files = [read_json(folder / "tokenizer.json") for folder in (tiny, killed)]
    assert files[0]["truncation"] == files[1]["truncation"] and files[0]["padding"] == files[1]["padding"]

    # The result is an ordinary sentence-transformers folder with a model card.
    from sentence_transformers import SentenceTransformer

    assert SentenceTransformer(str(killed), device="cpu").encode("It is late.").shape == (32,)
    card = (killed / "README.md").read_text("utf-8")
    assert "fixed-point-reorder-mini" in card and str(tmp_path) not in card
    assert all(leak.shared_sentences == leak.shared_pairs == 0 for leak in outcome.leakage)
    # A second call trains nothing.
    assert repair(tiny, text, killed).sha256 == outcome.sha256
