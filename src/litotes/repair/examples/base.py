"""Lessons: what a repair learns from. A lesson is a sentence, one that says the same, and one or two that do not."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import ensure_writable, is_file, sha256_file, write_atomic
from litotes.corpora.base import Record

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


NAME = "text.txt"
_UNSEEN = 20
_MOST_UNSEEN = 2_000


def sample(records: Iterable[Record], limit: int | None, seed: int) -> list[str]:
    """The different sentences, or so many of them drawn by the seed, in the order of the text."""
    seen: set[bytes] = set()
    kept: list[tuple[int, str]] = []
    rng = random.Random(seed)  # noqa: S311
    for record in records:
        text = " ".join(record.text.split())
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if not text or key in seen or not text.isprintable():
            continue
        seen.add(key)
        place = len(seen) - 1
        if limit is None or len(kept) < limit:
            kept.append((place, text))
        elif (at := rng.randrange(len(seen))) < limit:
            kept[at] = (place, text)
    return [text for _, text in sorted(kept)]


def apart(sentences: list[str]) -> tuple[list[str], list[str]]:
    """What is learned from, and one sentence in twenty (at most 2,000), told by its own letters, for the proof."""
    drawn = sorted((text for text in sentences if _draw(text) % _UNSEEN == 0), key=_draw)
    unseen = set(drawn[:_MOST_UNSEEN])  # of a long text some from everywhere, not its beginning
    return [text for text in sentences if text not in unseen], [text for text in sentences if text in unseen]


def _draw(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big")


def write_text(sentences: list[str], cache: Path, origin: str) -> Path:
    """A file of these sentences in a folder of its own, named by what is in it: what is made of it is kept beside."""
    if not sentences:
        raise LitotesError("L204", f"{origin}: there is no sentence in it")
    content = "\n".join(sentences) + "\n"
    folder = cache / "repair" / hashlib.sha256(content.encode()).hexdigest()[:16]
    path = folder / NAME
    if not is_file(path) or sha256_file(path) != hashlib.sha256(content.encode()).hexdigest():
        ensure_writable(folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_atomic(path, content)
    return path
