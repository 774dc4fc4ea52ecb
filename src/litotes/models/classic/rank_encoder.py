"""`rankencoder:MODEL`: similarity by a model's cosine and by the ranks of a corpus (RankEncoder, Seonwoo et al., 2023).

The similarity of two sentences is weight · cosine + (1 - weight) · Spearman's correlation of their similarities to all
sentences of a corpus. Both are inner products of vectors of length 1, so the weighted sum is the cosine of the weighted
vectors one after the other, and the model is an encoder. Its training is not reproduced: MODEL is any encoder, such as
one that was trained with the authors' code.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import to_json
from litotes.models.access import Access
from litotes.models.base import DerivedEncoder, Encoder, Fingerprint, Scores, Vectors
from litotes.models.names import ModelName, parse_options

_VERSION = "rank-1"
"""Changes with every change that changes vectors; part of fingerprints."""
_BATCH = 64


@dataclass(frozen=True)
class RankOptions:
    """Options after the `?` of `rankencoder:`.

    Args:
        corpus: The sentences whose ranks are compared: a file, `hf:` data or the built-in corpus.
        size: The number of sentences of the corpus that are used, at equal distances; 10,000 in the authors' script.
        weight: The weight of the cosine; 0.9 in the authors' scripts.
    """

    corpus: str = "builtin"
    size: int = 10_000
    weight: float = 0.9


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> RankEncoder:
    """Load the base model and encode the corpus with it."""
    from litotes.models.loading import load_model

    options = parse_options(RankOptions, values, scheme=name.scheme)
    if not 0 <= options.weight <= 1:
        raise UsageError("L102", f"weight={options.weight:g}: must be between 0 and 1")
    if options.size < 2:
        raise UsageError("L102", f"size={options.size}: must be at least 2")
    sentences = _sentences(options.corpus, options.size)
    base = load_model(name.rest if name.revision is None else f"{name.rest}@{name.revision}", **access.to_dict())
    if not isinstance(base, Encoder):
        raise UsageError("L102", f"{name.rest}: is not an encoder")
    return RankEncoder(name.text, base, sentences, weight=options.weight)


class RankEncoder(DerivedEncoder):
    """An encoder whose vectors are followed by the ranks of the sentences of a corpus.

    Args:
        name: The name in tables.
        base: The encoder that is extended.
        sentences: The sentences of the corpus.
        weight: The weight of the cosine of the base vectors.
    """

    def __init__(self, name: str, base: Encoder, sentences: Sequence[str], *, weight: float = 0.9) -> None:
        own = base.fingerprint
        fingerprint = Fingerprint(
            backend=f"{_VERSION}+{own.backend}",
            weights=own.weights,
            config=hashlib.sha256(to_json([own.key(), weight, list(sentences)]).encode()).hexdigest(),
            pooling=own.pooling,
            dtype=own.dtype,
            max_length=own.max_length,
            prompt=own.prompt,
        )
        super().__init__(name, fingerprint, base)
        self._weight = weight
        batches = [sentences[start : start + _BATCH] for start in range(0, len(sentences), _BATCH)]
        self._corpus = np.stack([_unit(row) for batch in batches for row in base.encode(batch)])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of the base model, each followed by the ranks of the corpus."""
        rows = []
        for vector in map(_unit, self._base.encode(texts)):
            # Row by row: in a product of matrices the bits of a row depend on the other rows.
            ranks = _unit(_centred_ranks(self._corpus @ vector))
            rows.append(np.concatenate([math.sqrt(self._weight) * vector, math.sqrt(1 - self._weight) * ranks]))
        return np.array(rows, dtype=np.float32)


def _unit(row: np.ndarray[Any, Any]) -> Scores:
    """Return a row scaled to length 1; a row of zeros remains zeros."""
    values = row.astype(np.float64)
    length = float(np.linalg.norm(values))
    return values / length if length else values


def _centred_ranks(values: Scores) -> Scores:
    """Return ranks with mean 0; equal values share the mean of their ranks.

    >>> _centred_ranks(np.array([0.3, 0.1, 0.3, 0.9])).tolist()
    [0.0, -1.5, 0.0, 1.5]
    """
    _, numbers, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Scores = (np.cumsum(counts) - (counts - 1) / 2)[numbers]
    ranks -= ranks.mean()
    return ranks


def _sentences(source: str, size: int) -> list[str]:
    """Return different sentences of a corpus at equal distances."""
    from litotes.corpora.read import read_corpus, single_sentences

    sentences = list(dict.fromkeys(record.text for record in single_sentences(read_corpus([source]))))
    if len(sentences) < 2:
        raise LitotesError("L204", f"corpus={source}: has {len(sentences)} sentences, at least 2 are needed")
    n_used = min(size, len(sentences))
    return [sentences[index * len(sentences) // n_used] for index in range(n_used)]
