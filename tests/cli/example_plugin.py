"""A plugin package with an encoder that does not need torch, and with a suite."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from litotes.models.access import Access
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.names import ModelName
from litotes.suites.base import Item, Suite
from litotes.suites.semantoneg import KIND, permute_quadruple

WIDTH = 384


class ToyEncoder(Encoder):
    """An encoder that adds random vectors of words; the pause per batch is an option."""

    batch_tokens = 128

    def __init__(self, name: str, pause: float) -> None:
        super().__init__(name, Fingerprint(backend="toy"))
        self._pause = pause

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the numbers of words."""
        return [len(text.split()) + 1 for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text."""
        time.sleep(self._pause)
        return np.stack([sum(map(_word, text.split()), start=_word("")) for text in texts])


def _word(word: str) -> Vectors:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
    return np.random.default_rng(seed).standard_normal(WIDTH, dtype=np.float32)


def load(name: ModelName, access: Access, options: Mapping[str, Any]) -> ToyEncoder:
    """Load `toy:words`, or `toy:words?pause=0.1` with a pause in seconds per batch."""
    return ToyEncoder(name.text, float(options.get("pause", 0)))


def suite(path: Path | None) -> Suite:
    """Return a suite of four items that needs no file."""
    sentences = permute_quadruple(["It is on.", "It is off.", "It is not on.", "It is not off."])
    items = [Item(f"toy-{index}", "off/on", texts) for index, texts in enumerate(sentences)]
    return Suite("toys", KIND, items, sha256="0" * 64, source="none" if path is None else path.name)


def no_suite(path: Path | None) -> str:
    """Return an invalid suite, as a broken package would."""
    return "this is no suite"
