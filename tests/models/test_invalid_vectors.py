"""Tests that the engine rejects vectors that cannot be compared and names their sentence."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import change_weights, copy

import litotes
from litotes.core.errors import LitotesError
from litotes.evaluation.settings import EvaluationSettings
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.loading import load_model
from litotes.suites.base import Item, Suite
from litotes.suites.kinds import suite_kind


@pytest.fixture
def suite() -> Suite:
    texts = {
        "input": "The soup is hot.",
        "antonym": "The soup is cold.",
        "polarity": "The soup is not hot.",
        "both": "The soup is not cold.",
    }
    return Suite("small", suite_kind("semantoneg"), [Item("1", "hot/cold", texts)], sha256="0" * 64)


@pytest.mark.parametrize("scheme", ["st", "hf"])
@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_reports_weights_with_nan(
    scheme: str, number: float, suite: Suite, tiny_st: Path, tmp_path: Path, refused: Any
) -> None:
    def spoil(weights: dict[str, Any]) -> None:
        weights["embeddings.word_embeddings.weight"][:] = number

    folder = change_weights(copy(tiny_st, tmp_path / "spoilt"), spoil)
    model = load_model(f"{scheme}:{folder}", device="cpu")
    with refused("L308", folder, "NaN or infinite numbers for “The soup is"):
        litotes.evaluate(model, suite, EvaluationSettings(workers=1), cache=tmp_path / "cache")


def test_single_word_with_nan_is_reported(suite: Suite, tiny_st: Path, tmp_path: Path, refused: Any) -> None:
    from tokenizers import Tokenizer

    number = Tokenizer.from_file(str(tiny_st / "tokenizer.json")).token_to_id("cold")

    def spoil(weights: dict[str, Any]) -> None:
        weights["embeddings.word_embeddings.weight"][number] = float("nan")

    model = load_model(str(change_weights(copy(tiny_st, tmp_path / "spoilt"), spoil)), device="cpu")
    with refused("L308", "cold.”"):
        litotes.evaluate(model, suite, EvaluationSettings(workers=1), cache=tmp_path / "cache")


class Blank(Encoder):
    """An encoder with an invalid vector for some texts."""

    def __init__(self, unread: str, value: float) -> None:
        super().__init__("blank", Fingerprint(backend=f"test/{unread}/{value}"))
        self.unread = unread
        self.value = value

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        rows = [[self.value, self.value] if self.unread in text else [1, len(text)] for text in texts]
        return np.array(rows, dtype=np.float32)


@pytest.mark.parametrize(
    ("value", "what"),
    [(0.0, "a vector of zeros"), (-0.0, "a vector of zeros"), (float("-inf"), "NaN or infinite")],
)
def test_reports_a_vector_without_direction(
    value: float, what: str, suite: Suite, tmp_path: Path, refused: Any
) -> None:
    with refused("L308", "blank", what, "“The soup is not cold.”"):
        litotes.evaluate(Blank("not cold", value), suite, EvaluationSettings(workers=1), cache=tmp_path / "cache")
    assert litotes.evaluate(Blank("nowhere", value), suite, cache=tmp_path / "cache").metrics.items == 1


def test_an_error_ends_the_threads_at_once(suite: Suite, tmp_path: Path) -> None:
    before = threading.enumerate()
    with pytest.raises(LitotesError) as caught:
        litotes.evaluate(Blank("soup", 0.0), suite, EvaluationSettings(workers=2), cache=tmp_path)
    # The traceback, which the exception still has, holds the frame of the function that started them.
    assert caught.value.code == "L308"
    assert [thread for thread in threading.enumerate() if thread not in before] == []
