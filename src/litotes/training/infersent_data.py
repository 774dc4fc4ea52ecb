"""NLI pairs as InferSent learns from them: every sentence once, its words as places in one table of vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.corpora.nli import LABELS, NliPair
from litotes.scorers.base import Vectors
from litotes.scorers.bilstm_max import Places
from litotes.scorers.words.lookup import WordLookup

_BATCHES_OF_A_POOL = 32


@dataclass(frozen=True)
class Words:
    """The vectors of all words that the data has, and for each its place in them."""

    table: Vectors
    place: dict[str, int]

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], vectors: WordLookup) -> Words:
        """Those that have a vector, in the order of their first use."""
        words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
        rows, known = vectors.look_up(words)
        kept = [word for word, is_known in zip(words, known, strict=True) if is_known]
        table = np.ascontiguousarray(rows[known], dtype=np.float32)
        return cls(table, {word: number for number, word in enumerate(kept)})


@dataclass(frozen=True)
class PairsToLearn:
    """Pairs by the numbers of their sentences."""

    sentences: list[Places]
    premises: NDArray[np.int64]
    hypotheses: NDArray[np.int64]
    labels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)

    def batches(self, size: int, *, seed: Sequence[int] | None = None) -> Iterator[NDArray[np.int64]]:
        """Which pairs are seen together, in an order that depends on the seed alone; in that of the data without one.

        The pairs of one premise stay together, so that it is read once for all of them, and batches are of premises
        of about the same length: most steps of the recurrence are then made by the whole batch.
        """
        if seed is None:
            yield from (np.arange(start, min(start + size, len(self))) for start in range(0, len(self), size))
            return
        chance = np.random.default_rng(seed)
        rank = chance.permutation(len(self.sentences))
        order = np.argsort(rank[self.premises], kind="stable")
        lengths = np.array([len(words) for words in self.sentences])[self.premises]
        found: list[NDArray[np.int64]] = []
        for start in range(0, len(order), size * _BATCHES_OF_A_POOL):
            pool = order[start : start + size * _BATCHES_OF_A_POOL]
            pool = pool[np.argsort(lengths[pool], kind="stable")]
            found += [pool[place : place + size] for place in range(0, len(pool), size)]
        yield from (found[place] for place in chance.permutation(len(found)))

    def unique(self, chosen: NDArray[np.int64]) -> tuple[list[Places], NDArray[np.int64], NDArray[np.int64]]:
        """The different sentences of some pairs, and for each pair which of them are its premise and its hypothesis."""
        both = np.concatenate([self.premises[chosen], self.hypotheses[chosen]])
        numbers, place = np.unique(both, return_inverse=True)
        return [self.sentences[number] for number in numbers], place[: len(chosen)], place[len(chosen) :]


def read_sentences(pairs: Iterable[NliPair], words_of: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """The words of every different sentence."""
    texts = dict.fromkeys(text for pair in pairs for text in (pair.premise, pair.hypothesis))
    return {text: words_of(text) for text in texts}


def to_learn(pairs: Sequence[NliPair], read: dict[str, list[str]], words: Words) -> PairsToLearn:
    """The pairs with their words looked up; words without a vector are left out."""
    number = {
        text: place for place, text in enumerate(dict.fromkeys(t for p in pairs for t in (p.premise, p.hypothesis)))
    }
    sentences = [
        np.array([words.place[word] for word in read[text] if word in words.place], dtype=np.int64) for text in number
    ]
    return PairsToLearn(
        sentences,
        np.array([number[pair.premise] for pair in pairs], dtype=np.int64),
        np.array([number[pair.hypothesis] for pair in pairs], dtype=np.int64),
        np.array([LABELS.index(pair.label) for pair in pairs], dtype=np.int64),
    )
