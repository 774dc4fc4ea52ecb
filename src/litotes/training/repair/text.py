"""The text that a repair learns from, as one file of sentences: the files' own formats are read once."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import ensure_writable, is_file, sha256_file, write_atomic
from litotes.corpora.base import Record

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
