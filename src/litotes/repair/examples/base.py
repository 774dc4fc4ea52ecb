"""Training examples of a repair, and the text that they are generated from."""

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
TEXT_FILE = "text.txt"
_TEST_SHARE = 20
"""One sentence in this many is held out for the evaluation."""
_MAX_TEST = 2_000


@dataclass(frozen=True)
class TrainingExample:
    """A sentence with a paraphrase and one or two sentences that mean something else."""

    kind: str
    """"quadruple", "nli", or the rewrite that produced the paraphrase."""
    anchor: str
    positive: str
    """A paraphrase of the anchor."""
    negative: str
    second_negative: str = ""
    antonym_pair: str = ""
    """The antonym pair, as `holdout.pair_key` writes it, if there is one."""
    is_quadruple: bool = False
    """Whether the two negatives are paraphrases of each other."""

    @property
    def texts(self) -> tuple[str, str, str, str]:
        """Anchor, positive, negative and second negative."""
        return self.anchor, self.positive, self.negative, self.second_negative


@dataclass(frozen=True)
class TrainingData:
    """The training and validation examples of a repair, and the general sentences that must not change."""

    training: tuple[TrainingExample, ...]
    validation: tuple[TrainingExample, ...]
    """Examples whose antonym pairs and sentences do not occur in training."""
    general: tuple[str, ...]
    """Sentences whose vectors should stay where the original model has them."""
    held_out: Counter[tuple[str, str]]
    """("sentence" or "pair", evaluation data) → number of examples dropped for it; one example may count repeatedly."""
    n_held_out: int = 0
    """Number of examples that were dropped."""

    @property
    def digest(self) -> str:
        """Hash of all sentences."""
        digest = hashlib.sha256()
        for example in (*self.training, *self.validation):
            fields = (example.kind, *example.texts, example.antonym_pair)
            digest.update("\x1f".join(fields).encode("utf-8", "surrogatepass"))
        for text in self.general:
            digest.update(text.encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()

    def count_by_kind(self) -> dict[str, int]:
        """Return the number of training examples by kind, most frequent first."""
        return dict(Counter(example.kind for example in self.training).most_common())


def sample_sentences(records: Iterable[Record], limit: int | None, seed: int) -> list[str]:
    """Return the distinct sentences, or a random sample of `limit` of them, in the order of the text."""
    seen: set[bytes] = set()
    sample: list[tuple[int, str]] = []
    rng = random.Random(seed)  # noqa: S311
    for record in records:
        text = " ".join(record.text.split())
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if not text or key in seen or not text.isprintable():
            continue
        seen.add(key)
        position = len(seen) - 1
        if limit is None or len(sample) < limit:
            sample.append((position, text))
        elif (index := rng.randrange(len(seen))) < limit:  # reservoir sampling
            sample[index] = (position, text)
    return [text for _, text in sorted(sample)]


def split_test(sentences: list[str]) -> tuple[list[str], list[str]]:
    """Split off the sentences for the evaluation, selected by their hash; at most 2,000, from all parts of the text."""
    candidates = sorted((text for text in sentences if _hash(text) % _TEST_SHARE == 0), key=_hash)
    test = set(candidates[:_MAX_TEST])
    return [text for text in sentences if text not in test], [text for text in sentences if text in test]


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big")


def write_text(sentences: list[str], cache: Path, origin: str) -> Path:
    """Write the sentences into a cache folder named by their hash; generated examples are cached next to them."""
    if not sentences:
        raise LitotesError("L204", f"{origin}: contains no sentence")
    content = "\n".join(sentences) + "\n"
    digest = hashlib.sha256(content.encode()).hexdigest()
    folder = cache / "repair" / digest[:16]
    path = folder / TEXT_FILE
    if not is_file(path) or sha256_file(path) != digest:
        ensure_writable(folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_atomic(path, content)
    return path
