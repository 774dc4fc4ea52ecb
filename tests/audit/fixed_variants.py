"""Fixed variants and vectors that replace rewrites and a model in tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from litotes.audit.result import RewriteUsage, TextUsage
from litotes.audit.similarities import Similarities
from litotes.building.audit_variants import RELATIONS
from litotes.evaluation.encoding import CacheUsage
from litotes.models.base import Encoder, Fingerprint, Vectors


@dataclass(frozen=True)
class FixedVariants:
    """Sentences and, for each rewrite, the variants by sentence index."""

    sentences: Sequence[str]
    by_rule: Mapping[str, Mapping[int, str]] = field(default_factory=dict)

    @property
    def usage(self) -> TextUsage:
        count = len(self.sentences)
        rules = [
            RewriteUsage(rule, relation, len(self.by_rule.get(rule, ())), {}, {})
            for rule, relation in RELATIONS.items()
        ]
        return TextUsage(read=count, sentences=count, rewritten=count, usable=count, rules=tuple(rules))

    def of_rule(self, rule: str) -> Iterator[tuple[int, str]]:
        yield from sorted(self.by_rule.get(rule, {}).items())


class TableEncoder(Encoder):
    """An encoder that returns the vectors of a table."""

    def __init__(self, table: Mapping[str, Sequence[float]], *, allows_zero_vectors: bool = False) -> None:
        super().__init__("table", Fingerprint(backend="table", weights=str(sorted(table))))
        self.table = {text: np.asarray(row, dtype=np.float32) for text, row in table.items()}
        self._allows_zero_vectors = allows_zero_vectors
        self.encoded: list[str] = []

    @property
    def allows_zero_vectors(self) -> bool:
        return self._allows_zero_vectors

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.encoded.extend(texts)
        return np.stack([self.table[text] for text in texts])


def random_case(count: int, width: int, seed: int = 0) -> tuple[FixedVariants, TableEncoder]:
    """Return sentences with variants by most rewrites, and vectors close to that of the sentence."""
    generator = np.random.default_rng(seed)
    sentences = [f"sentence {index}" for index in range(count)]
    vectors = generator.standard_normal((count, width)) + 0.8
    table = {text: row * generator.uniform(0.5, 2) for text, row in zip(sentences, vectors, strict=True)}
    by_rule: dict[str, dict[int, str]] = {}
    for rule in RELATIONS:
        those = np.flatnonzero(generator.random(count) < 0.6).tolist()
        by_rule[rule] = {index: f"{rule} of sentence {index}" for index in those}
        for index, text in by_rule[rule].items():
            table[text] = vectors[index] + generator.uniform(0.2, 1.2) * generator.standard_normal(width)
    return FixedVariants(sentences, by_rule), TableEncoder(table)


def of_numbers(count: int, numbers: Mapping[str, Mapping[int, float]]) -> tuple[Similarities, FixedVariants]:
    """Return similarities from cosines by rewrite and sentence index."""
    indices = {rule: np.array(sorted(those), dtype=np.intp) for rule, those in numbers.items()}
    values = {
        rule: np.array([those[index] for index in sorted(those)], dtype=np.float32) for rule, those in numbers.items()
    }
    texts = {rule: {index: f"{rule} {index}" for index in those} for rule, those in numbers.items()}
    variants = FixedVariants([f"sentence {index}" for index in range(count)], texts)
    return Similarities(np.eye(count, dtype=np.float32), indices, values, CacheUsage(0, 0)), variants
