"""How natural rewritten sentences are: by the corpus's own counts, or by a language model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from litotes.building.choosing import Score

CORPUS = "corpus"


@dataclass(frozen=True)
class Naturalness:
    """How candidates are scored, and what is done with each sentence of the corpus for it."""

    score: Score
    see: Callable[[str], None]
    described: Any
    """As suite.json has it."""
    packages: tuple[str, ...] = field(default=())
    """Whose versions it depends on."""


def load_naturalness(name: str) -> Naturalness:
    """“corpus” for its own counts, or a language model by its name or folder."""
    if name == CORPUS:
        from litotes.building.collocations import Collocations

        counts = Collocations()
        return Naturalness(
            lambda pairs: [counts.naturalness(before, after) for before, after in pairs], counts.add, CORPUS
        )
    from litotes.building.language_model import load_language_model

    model = load_language_model(name)
    return Naturalness(model.naturalness, lambda _: None, model.described(), ("torch", "transformers"))
