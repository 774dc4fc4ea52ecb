"""Mining of contradictions: all are counted, the most similar are returned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from litotes.audit.mining import mine_contradictions
from litotes.audit.neighbour_index import SearchRuntime
from litotes.audit.settings import AuditSettings, SearchMethod
from litotes.models.base import Vectors

SENTENCES = [
    "The bakery is open.",
    "The bakery is closed.",
    "The bakery isn't open.",
    "Ruth sings.",
    "Ruth doesn't sing.",
    "Ruth sings well.",
    "Snow fell.",
    "Does Ruth sing?",
]
IDS = [f"line {number}" for number in range(1, len(SENTENCES) + 1)]


def vectors() -> Vectors:
    """Return vectors of two groups and a separate sentence; differences grow with the distance of sentences."""
    angles = np.array([0.0, 0.2, 0.5, 1.6, 1.65, 1.7, 3.0, 1.75])
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_finds_contradictions_among_neighbours(method: SearchMethod, tmp_path: Path) -> None:
    settings = AuditSettings(mining_threshold=0.8, neighbours=5, max_pairs=2, method=method)
    for _ in range(2):  # the second call reads the cache
        mining = mine_contradictions(vectors(), SENTENCES, IDS, settings, SearchRuntime(store=tmp_path))
        assert (mining.sentences, mining.method, mining.threshold, mining.neighbours) == (8, method, 0.8, 5)
        assert mining.candidates == 9
        assert mining.contradictions == 3
        singing, baking = mining.pairs
        assert (singing.first, singing.second, singing.first_id, singing.second_id) == (
            "Ruth sings.",
            "Ruth doesn't sing.",
            "line 4",
            "line 5",
        )
        assert singing.similarity == pytest.approx(np.cos(0.05), abs=1e-6)
        assert (singing.kind, singing.differs) == ("polarity", ("sings", "doesn't sing"))
        assert (baking.kind, baking.differs) == ("antonym", ("open", "closed"))
        assert mining.memory > 0


def test_respects_the_threshold() -> None:
    mining = mine_contradictions(vectors(), SENTENCES, IDS, AuditSettings(mining_threshold=0.95))
    assert [pair.second for pair in mining.pairs] == ["Ruth doesn't sing.", "The bakery is closed."]


def test_ties_are_sorted_by_text_order() -> None:
    rows = np.ones((4, 1), dtype=np.float32)
    texts = ["It is new.", "It is old.", "It isn't new.", "It isn't old."]
    mining = mine_contradictions(rows, texts, texts, AuditSettings(mining_threshold=0.5))
    assert [(pair.first, pair.second) for pair in mining.pairs] == [
        ("It is new.", "It is old."),
        ("It is new.", "It isn't new."),
        ("It is old.", "It isn't old."),
    ]


@pytest.mark.parametrize("count", [0, 1])
def test_empty_input_gives_no_pairs(count: int) -> None:
    rows = np.ones((count, 2), dtype=np.float32) / np.float32(2**0.5)
    mining = mine_contradictions(rows, SENTENCES[:count], IDS, AuditSettings())
    assert (mining.candidates, mining.contradictions, mining.pairs) == (0, 0, ())
