"""Contradictions that a corpus already contains: pairs of sentences that a model considers similar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from litotes.audit.neighbour_index import SearchRuntime
from litotes.audit.neighbours import Pairs, choose_method, estimate_memory, find_neighbours
from litotes.audit.result import MinedPair, Mining
from litotes.audit.settings import AuditSettings
from litotes.core.progress import Progress
from litotes.languages.base import Contrast, ContrastSignature, get_language
from litotes.models.base import Vectors

_PROGRESS_STEP = 4096
_FILTER_BATCH = 262_144
_CORE, _N_WORDS, _FIRST_HALF, _SECOND_HALF, _N_NEGATIONS = range(len(ContrastSignature._fields))


def mine_contradictions(
    vectors: Vectors,
    sentences: Sequence[str],
    ids: Sequence[str],
    settings: AuditSettings,
    runtime: SearchRuntime | None = None,
) -> Mining:
    """Return the pairs of different sentences that are similar and contradict each other, the most similar first.

    The vectors are normalised, one row per sentence. All contradictions are counted, and at most
    `settings.max_pairs` are returned.
    """
    runtime = runtime or SearchRuntime()
    pairs = find_neighbours(
        vectors,
        threshold=settings.mining_threshold,
        neighbours=settings.neighbours,
        method=settings.method,
        runtime=runtime,
    )
    contradictions = list(_find_contradictions(pairs, sentences, runtime.progress))
    contradictions.sort(key=lambda item: (-pairs.similarity[item[0]], item[0]))
    return Mining(
        sentences=len(sentences),
        method=choose_method(len(sentences), settings.method),
        threshold=settings.mining_threshold,
        neighbours=settings.neighbours,
        candidates=len(pairs),
        contradictions=len(contradictions),
        pairs=tuple(
            _mined_pair(pairs, position, contrast, sentences, ids)
            for position, contrast in contradictions[: settings.max_pairs]
        ),
        memory=estimate_memory(len(vectors), vectors.shape[1], settings.method, settings.neighbours),
    )


def _find_contradictions(pairs: Pairs, sentences: Sequence[str], progress: Progress) -> Iterator[tuple[int, Contrast]]:
    """Yield the position and the contrast of each pair that contradicts each other."""
    positions = _possible_contrasts(pairs, _signatures(sentences, progress)).tolist()
    texts = ((sentences[pairs.first[position]], sentences[pairs.second[position]]) for position in positions)
    for index, contrast in get_language().find_contrasts(texts):
        yield positions[index], contrast


def _signatures(sentences: Sequence[str], progress: Progress) -> NDArray[np.int64]:
    """Return the contrast signature of each sentence as a row; zeros for sentences that are not compared."""
    language = get_language()
    signatures = np.zeros((len(sentences), len(ContrastSignature._fields)), dtype=np.int64)
    progress.begin("opposites", total=len(sentences))
    for start in range(0, len(sentences), _PROGRESS_STEP):
        batch = sentences[start : start + _PROGRESS_STEP]
        for index, sentence in enumerate(batch, start=start):
            if (signature := language.contrast_signature(sentence)) is not None:
                signatures[index] = signature
        progress.advance(len(batch))
    progress.end()
    return signatures


def _possible_contrasts(pairs: Pairs, signatures: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the positions of the pairs whose signatures allow a contrast."""
    positions = []
    for start in range(0, len(pairs), _FILTER_BATCH):
        batch = slice(start, start + _FILTER_BATCH)
        first, second = signatures[pairs.first[batch]], signatures[pairs.second[batch]]
        equal = first == second
        polarity = equal[:, _CORE] & ~equal[:, _N_NEGATIONS]
        antonym = equal[:, _N_WORDS] & (equal[:, _FIRST_HALF] | equal[:, _SECOND_HALF])
        compared = (first[:, _N_WORDS] > 0) & (second[:, _N_WORDS] > 0)
        positions.append(np.flatnonzero((polarity | antonym) & compared) + start)
    return np.concatenate(positions) if positions else np.empty(0, dtype=np.int64)


def _mined_pair(
    pairs: Pairs, position: int, contrast: Contrast, sentences: Sequence[str], ids: Sequence[str]
) -> MinedPair:
    first, second = int(pairs.first[position]), int(pairs.second[position])
    return MinedPair(
        sentences[first],
        sentences[second],
        ids[first],
        ids[second],
        float(np.float64(pairs.similarity[position])),
        contrast.kind,
        contrast.differs,
    )
