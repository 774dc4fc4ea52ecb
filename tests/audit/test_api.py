"""An audit from texts to figures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import litotes
from litotes.audit.api import run_audit
from litotes.audit.corpus import open_corpus
from litotes.audit.settings import Plan
from litotes.core.errors import LitotesError, UsageError
from litotes.evaluation.vector_cache import clear_cache, list_cache
from litotes.models.base import Encoder, Fingerprint, Vectors

TEXTS = [
    "The shop is open on Sundays.",
    "The shop is not open on Sundays.",
    "The old bridge is not safe.",
    "The young cook opened the window.",
    "The teacher praised the quiet pupil.",
    "My aunt's cellar is dark.",
    "The soup is hot.",
    "The soup is cold.",
    "It is a large house near the river.",
    "We did not find the small key.",
    "The gate by the mill isn't open.",
    "The doctor has read the long letter.",
]


class Words(Encoder):
    """Sums a made-up vector of each word: as blind as a model can be."""

    def __init__(self, name: str = "words") -> None:
        super().__init__(name, Fingerprint("test"))
        self.asked = 0

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += len(texts)
        return np.stack([sum(map(_vector, text.lower().strip(".?!").split())) + 1e-3 for text in texts])


def _vector(word: str) -> Vectors:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
    return np.random.default_rng(seed).normal(size=24).astype(np.float32)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def audit(cache: Path) -> litotes.Audit:
    return litotes.audit_model(Words(), TEXTS, cache=cache, workers=1, threshold=0.9)


def test_a_cache_that_cannot_be_written_costs_a_warning(audit: litotes.Audit, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told: list[str] = []
    found = run_audit(
        Plan("words", open_corpus(TEXTS, None), threshold=0.9),
        Words(),
        cache=tmp_path / "file" / "cache",
        workers=1,
        warn=told.append,
    )
    assert found.to_dict() == audit.to_dict()
    assert any("[L403] variants and neighbours are not kept" in one for one in told)


def test_it_finds_what_it_is_for(audit: litotes.Audit) -> None:
    assert audit.usage.sentences == len(TEXTS)
    assert 4 <= audit.usage.usable <= len(TEXTS)
    assert audit.blindness[0].opposite == audit.blindness[0].same == "all"
    assert audit.blind > 0.5
    assert audit.asked is not None and audit.asked.threshold == 0.9
    assert audit.retrieval[0].rule == "all" and audit.retrieval[0].queries > 0
    assert audit.mining is not None
    assert ("The soup is hot.", "The soup is cold.") in {(one.one, one.other) for one in audit.mining.pairs}
    assert audit.corpus[0]["name"] == "texts" and len(audit.corpus[0]["sha256"]) == 64
    assert audit.settings["threshold"] == 0.9 and "litotes" in audit.versions


def test_a_second_call_computes_nothing_and_gives_the_same_json(audit: litotes.Audit, cache: Path) -> None:
    again = Words()
    found = litotes.audit_model(again, TEXTS, cache=cache, workers=2, threshold=0.9)
    assert json.dumps(found.to_dict()) == json.dumps(audit.to_dict())
    assert again.asked == 0


def test_what_it_keeps_can_be_listed_and_cleared(tmp_path: Path) -> None:
    litotes.audit_model(Words(), TEXTS, cache=tmp_path, workers=1)
    entries = list_cache(tmp_path)
    assert {entry.name for entry in entries} == {"words", "rewritten sentences of an audit", "neighbours of an audit"}
    clear_cache(entries)
    assert list_cache(tmp_path) == [] and not list((tmp_path / "audit").iterdir())


def test_without_a_cache_and_from_a_file_it_is_the_same(audit: litotes.Audit, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("\n\n".join(TEXTS) + "\n", "utf-8")
    found = litotes.audit_model(Words(), sources=file, cache=False, workers=1, threshold=0.9)
    assert found.blindness == audit.blindness
    assert found.thresholds == audit.thresholds
    assert found.corpus[0]["name"] == "notes.txt"


def test_mining_can_be_left_out_and_rewriting_limited(cache: Path) -> None:
    found = litotes.audit_model(Words(), TEXTS, cache=cache, workers=1, mining=False, limit=8)
    assert found.mining is None
    assert found.usage.rewritten <= 8 and found.usage.sentences == len(TEXTS)


def test_odd_lines_stop_nothing(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "odd.txt"
    odd = ["", "👍👍", "word " * 10_000, "   ", "<script>alert(1)</script>", "…"]
    file.write_bytes("\n".join([*odd, *TEXTS]).encode() + b"\nnot \xff utf-8\n")
    found = litotes.audit_model(Words(), sources=[file], cache=cache, workers=1)
    assert found.usage.usable >= 4
    assert found.usage.left_out["not read (the line is not UTF-8 text)"] == 1
    # Of a text that was rewritten before, nothing is read again; the account is the same.
    assert litotes.audit_model(Words(), sources=[file], cache=cache, workers=1) == found


@pytest.mark.parametrize("texts", [["Hello.", "👍", "Thanks!"], ["One two.", "Three."]])
def test_without_one_usable_sentence_it_says_so(texts: list[str], tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=r"L204\] .* none has both an opposite and a variant of the same"):
        litotes.audit_model(Words(), texts, cache=tmp_path, workers=1)


def test_another_language_is_told() -> None:
    german = [
        "Der Laden ist am Sonntag nicht geöffnet.",
        "Wir haben den kleinen Schlüssel nicht gefunden.",
        "Die alte Brücke ist nicht mehr sicher, sagt der Bürgermeister.",
        "Das ist ein großes Haus am Fluss, und es gehört meiner Tante.",
        "Der Arzt hat den langen Brief schon gelesen.",
    ]
    with pytest.raises(LitotesError, match="English"):
        litotes.audit_model(Words(), german * 8, cache=False, workers=1)


@pytest.mark.parametrize(
    "name", ["cross:stsb-roberta-base", "nli:./m", "chat:NAME@http://localhost:1/v1", "overlap:words"]
)
def test_a_model_without_vectors_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="gives no vector of one"):
        litotes.audit_model(name, TEXTS)


def test_a_scorer_without_vectors_is_refused() -> None:
    with pytest.raises(UsageError, match="gives no vector"):
        litotes.audit_model(litotes.load_model("overlap:words"), TEXTS)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="is no model"):
        litotes.audit_model(7, TEXTS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"budget": 5}, "budget=5: a share"),
        ({"threshold": 90}, "threshold=90: a similarity"),
        ({"limit": 0}, "limit=0: at least 1"),
        ({"method": "fast"}, "exact or approximate"),
        ({"mine_threshold": 0}, "mine_threshold=0"),
        ({"format": "csv"}, "are for sources"),
    ],
)
def test_settings_that_are_wrong(wrong, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        litotes.audit_model(Words(), TEXTS, **wrong)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"texts": "The soup is hot."}, "this is one text"),
        ({"texts": ["The soup is hot.", 7]}, "number 2 is no text, it is a int"),
        ({"texts": [" ", ""]}, "there is no sentence"),
        ({}, "texts or sources"),
        ({"texts": TEXTS, "sources": "a.txt"}, "texts or sources"),
        ({"sources": "missing.txt"}, "missing.txt: no such file"),
    ],
)
def test_texts_that_are_wrong(given, told: str) -> None:
    with pytest.raises(LitotesError, match=told):
        litotes.audit_model(Words(), **given)


def test_the_command_has_the_same_defaults() -> None:
    import inspect

    from litotes.cli.commands.audit import audit as command

    of_command = {name: one.default for name, one in inspect.signature(command).parameters.items()}
    for name in ("threshold", "budget", "most_lost", "limit", "queries", "neighbours", "seed", "mining", "split"):
        default = inspect.signature(litotes.audit_model).parameters[name].default
        assert of_command[name] == default, name
    assert of_command["mine_above"] == Plan.mine_threshold
