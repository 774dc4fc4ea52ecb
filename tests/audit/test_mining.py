"""Mining: opposites among the neighbours, the closest first; all counted, some given."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from litotes.audit.mining import mine
from litotes.audit.neighbours import Method
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
    """Two groups and a stranger; in a group, the closer the places the closer the vectors."""
    angles = np.array([0.0, 0.2, 0.5, 1.6, 1.65, 1.7, 3.0, 1.75])
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_opposites_among_the_neighbours(method: Method, tmp_path: Path) -> None:
    for _ in range(2):  # the second time from the store
        mining = mine(vectors(), SENTENCES, IDS, threshold=0.8, neighbours=5, most=2, method=method, store=tmp_path)
        assert (mining.sentences, mining.method, mining.threshold, mining.neighbours) == (8, method, 0.8, 5)
        assert mining.looked_at == 9
        assert mining.found == 3
        singing, baking = mining.pairs
        assert (singing.one, singing.other, singing.one_id, singing.other_id) == (
            "Ruth sings.",
            "Ruth doesn't sing.",
            "line 4",
            "line 5",
        )
        assert singing.similarity == pytest.approx(np.cos(0.05), abs=1e-6)
        assert (singing.kind, singing.differs) == ("polarity", ("sings", "doesn't sing"))
        assert (baking.kind, baking.differs) == ("antonym", ("open", "closed"))
        assert mining.memory > 0


def test_the_threshold_is_kept_to() -> None:
    mining = mine(vectors(), SENTENCES, IDS, threshold=0.95)
    assert [pair.other for pair in mining.pairs] == ["Ruth doesn't sing.", "The bakery is closed."]


def test_of_equals_the_first_comes_first() -> None:
    rows = np.ones((4, 1), dtype=np.float32)
    texts = ["It is new.", "It is old.", "It isn't new.", "It isn't old."]
    mining = mine(rows, texts, texts, threshold=0.5)
    assert [(pair.one, pair.other) for pair in mining.pairs] == [
        ("It is new.", "It is old."),
        ("It is new.", "It isn't new."),
        ("It is old.", "It isn't old."),
    ]


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_to_compare(count: int) -> None:
    mining = mine(np.ones((count, 2), dtype=np.float32) / np.float32(2**0.5), SENTENCES[:count], IDS, threshold=0.7)
    assert (mining.looked_at, mining.found, mining.pairs) == (0, 0, ())
