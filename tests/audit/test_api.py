"""A complete audit with a small encoder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import litotes
from litotes.audit.api import AuditRuntime, run_audit
from litotes.audit.corpus import open_corpus
from litotes.audit.settings import AuditSettings
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


class BagOfWords(Encoder):
    """An encoder that adds a random vector per word and thus ignores negation."""

    def __init__(self, name: str = "words") -> None:
        super().__init__(name, Fingerprint("test"))
        self.n_encoded = 0

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.n_encoded += len(texts)
        return np.stack([sum(map(_vector, text.lower().strip(".?!").split())) + 1e-3 for text in texts])


def _vector(word: str) -> Vectors:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
    return np.random.default_rng(seed).normal(size=24).astype(np.float32)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def audit(cache: Path) -> litotes.Audit:
    return litotes.audit_model(BagOfWords(), TEXTS, cache=cache, workers=1, threshold=0.9)


def test_unwritable_cache_gives_a_warning(audit: litotes.Audit, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    warnings: list[str] = []
    runtime = AuditRuntime(tmp_path / "file" / "cache", workers=1, on_warning=warnings.append)
    result = run_audit(BagOfWords(), open_corpus(TEXTS, None), AuditSettings(threshold=0.9), runtime)
    assert result.to_dict() == audit.to_dict()
    assert any("[L403] variants and neighbours are not cached" in warning for warning in warnings)


def test_result_contains_all_measurements(audit: litotes.Audit) -> None:
    assert audit.usage.sentences == len(TEXTS)
    assert 4 <= audit.usage.usable <= len(TEXTS)
    assert audit.blindness[0].opposite == audit.blindness[0].same == "all"
    assert audit.blind > 0.5
    assert audit.at_threshold is not None and audit.at_threshold.threshold == 0.9
    assert audit.retrieval[0].rule == "all" and audit.retrieval[0].queries > 0
    assert audit.mining is not None
    assert ("The soup is hot.", "The soup is cold.") in {(pair.first, pair.second) for pair in audit.mining.pairs}
    assert audit.corpus[0]["name"] == "texts" and len(audit.corpus[0]["sha256"]) == 64
    assert audit.settings["threshold"] == 0.9 and "litotes" in audit.versions


def test_second_call_uses_the_cache(audit: litotes.Audit, cache: Path) -> None:
    encoder = BagOfWords()
    result = litotes.audit_model(encoder, TEXTS, cache=cache, workers=2, threshold=0.9)
    assert json.dumps(result.to_dict()) == json.dumps(audit.to_dict())
    assert encoder.n_encoded == 0


def test_cached_files_can_be_listed_and_cleared(tmp_path: Path) -> None:
    litotes.audit_model(BagOfWords(), TEXTS, cache=tmp_path, workers=1)
    entries = list_cache(tmp_path)
    assert {entry.name for entry in entries} == {"words", "rewritten sentences of an audit", "neighbours of an audit"}
    clear_cache(entries)
    assert list_cache(tmp_path) == [] and not list((tmp_path / "audit").iterdir())


def test_result_does_not_depend_on_cache_and_source(audit: litotes.Audit, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("\n\n".join(TEXTS) + "\n", "utf-8")
    result = litotes.audit_model(BagOfWords(), sources=file, cache=False, workers=1, threshold=0.9)
    assert result.blindness == audit.blindness
    assert result.thresholds == audit.thresholds
    assert result.corpus[0]["name"] == "notes.txt"


def test_mining_and_limit_are_optional(cache: Path) -> None:
    result = litotes.audit_model(BagOfWords(), TEXTS, cache=cache, workers=1, mining=False, limit=8)
    assert result.mining is None
    assert result.usage.rewritten <= 8 and result.usage.sentences == len(TEXTS)


def test_unusual_lines_are_skipped(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "odd.txt"
    odd = ["", "👍👍", "word " * 10_000, "   ", "<script>alert(1)</script>", "…"]
    file.write_bytes("\n".join([*odd, *TEXTS]).encode() + b"\nnot \xff utf-8\n")
    result = litotes.audit_model(BagOfWords(), sources=[file], cache=cache, workers=1)
    assert result.usage.usable >= 4
    assert result.usage.excluded["not read (the line is not UTF-8 text)"] == 1
    # The second call reads the variants from the cache.
    assert litotes.audit_model(BagOfWords(), sources=[file], cache=cache, workers=1) == result


@pytest.mark.parametrize("texts", [["Hello.", "👍", "Thanks!"], ["One two.", "Three."]])
def test_text_without_usable_sentences_is_an_error(texts: list[str], tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=r"L204\] .* none has both an opposite and a paraphrase"):
        litotes.audit_model(BagOfWords(), texts, cache=tmp_path, workers=1)


def test_text_in_another_language_is_an_error() -> None:
    german = [
        "Der Laden ist am Sonntag nicht geöffnet.",
        "Wir haben den kleinen Schlüssel nicht gefunden.",
        "Die alte Brücke ist nicht mehr sicher, sagt der Bürgermeister.",
        "Das ist ein großes Haus am Fluss, und es gehört meiner Tante.",
        "Der Arzt hat den langen Brief schon gelesen.",
    ]
    with pytest.raises(LitotesError, match="English"):
        litotes.audit_model(BagOfWords(), german * 8, cache=False, workers=1)


@pytest.mark.parametrize(
    "name", ["cross:stsb-roberta-base", "nli:./m", "chat:NAME@http://localhost:1/v1", "overlap:words"]
)
def test_models_for_pairs_are_rejected_by_name(name: str) -> None:
    with pytest.raises(UsageError, match="gives no vector for one"):
        litotes.audit_model(name, TEXTS)


def test_loaded_models_for_pairs_are_rejected() -> None:
    with pytest.raises(UsageError, match="gives no vector"):
        litotes.audit_model(litotes.load_model("overlap:words"), TEXTS)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="is not a model"):
        litotes.audit_model(7, TEXTS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": 5}, "budget=5: must be"),
        ({"threshold": 90}, "threshold=90: must be"),
        ({"limit": 0}, "limit=0: must be"),
        ({"method": "fast"}, "method.*fast"),
        ({"mining_threshold": 0}, "mining_threshold=0"),
        ({"most_pairs": 3}, "unknown setting"),
        ({"format": "csv"}, "are for sources"),
    ],
)
def test_invalid_settings_are_rejected(options, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        litotes.audit_model(BagOfWords(), TEXTS, **options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"texts": "The soup is hot."}, "not one string"),
        ({"texts": ["The soup is hot.", 7]}, "item 2 is not a string, but int"),
        ({"texts": [" ", ""]}, "contains no sentence"),
        ({}, "texts or sources"),
        ({"texts": TEXTS, "sources": "a.txt"}, "texts or sources"),
        ({"sources": "missing.txt"}, "missing.txt: no such file"),
    ],
)
def test_invalid_texts_are_rejected(arguments, message: str) -> None:
    with pytest.raises(LitotesError, match=message):
        litotes.audit_model(BagOfWords(), **arguments)


def test_index_is_stored_and_updated(cache: Path, tmp_path: Path) -> None:
    options = {"method": "approximate", "cache": cache, "workers": 1}
    for texts in (TEXTS, [*TEXTS, "The lamp is not broken."]):
        stored = litotes.audit_model(BagOfWords(), texts, index=tmp_path / "index", **options)
        assert stored.to_dict() == litotes.audit_model(BagOfWords(), texts, **options).to_dict()
        [shard] = json.loads((tmp_path / "index" / "index.json").read_text())["shards"]
        assert shard["rows"] == len(texts)
    other = BagOfWords()
    other.fingerprint = Fingerprint("other")
    with pytest.raises(UsageError, match=r"L102.*index: contains the index of another model"):
        litotes.audit_model(other, TEXTS, index=tmp_path / "index", **options)
    assert other.n_encoded == 0


def test_memory_of_an_index_of_several_shards_is_stated_per_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("litotes.audit.neighbour_index.SHARD_ROWS", 8)
    messages: list[str] = []
    settings = AuditSettings(method="approximate")
    runtime = AuditRuntime(None, engine="processes", workers=1, on_message=messages.append)
    result = run_audit(BagOfWords(), open_corpus(TEXTS, None), settings, runtime)
    assert result.mining is not None and result.mining.method == "approximate"
    [message] = [message for message in messages if message.startswith("searching neighbours")]
    assert "MB of memory, and up to " in message and message.endswith(" MB per worker")
