"""Lessons: what a repair learns from. A lesson is a sentence, one that says the same, and one or two that do not."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass

QUADRUPLE = "quadruple"


@dataclass(frozen=True)
class Lesson:
    """Up to four sentences, and which of them say the same."""

    kind: str
    """“quadruple”, or the rewrite that made the sentence of the same meaning, or “nli”."""
    anchor: str
    same: str
    opposite: str
    other: str = ""
    """A second one that does not say the same; "" for none."""
    pair: str = ""
    """The antonym pair, if there is one."""
    mates: bool = False
    """Whether `opposite` and `other` say the same as each other."""

    @property
    def texts(self) -> tuple[str, str, str, str]:
        """The sentences in order."""
        return self.anchor, self.same, self.opposite, self.other


@dataclass(frozen=True)
class Lessons:
    """All that a repair learns from, and what it is watched on."""

    learned: tuple[Lesson, ...]
    watched: tuple[Lesson, ...]
    """Quadruples of antonym pairs, and other lessons of sentences, that are not among those."""
    ordinary: tuple[str, ...]
    """Sentences that should stay where they are."""
    kept_out: Counter[tuple[str, str]]
    """(“sentence” or “pair”, where it is reported) → how many lessons were left out for it, perhaps for others too."""
    left_out: int = 0
    """How many were left out."""

    @property
    def digest(self) -> str:
        """Of everything that is learned."""
        digest = hashlib.sha256()
        for lesson in (*self.learned, *self.watched):
            digest.update("\x1f".join((lesson.kind, *lesson.texts, lesson.pair)).encode("utf-8", "surrogatepass"))
        for text in self.ordinary:
            digest.update(text.encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()

    def kinds(self) -> dict[str, int]:
        """Kind → how many lessons are of it, most first."""
        return dict(Counter(lesson.kind for lesson in self.learned).most_common())
