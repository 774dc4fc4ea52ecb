"""Learn an adapter: a small map over the vectors of a model that cannot be trained itself.

A change of the map is accepted only if it improves the validation examples and keeps the similarities of general
sentences within the limit of the settings; if nothing does, the result is the identity. Loss, gradient and optimiser
are in NumPy, so that users of embedding servers do not need torch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.progress import Progress
from litotes.evaluation.encoding import choose_workers, encode_sentences
from litotes.evaluation.scoring import TIE_TOLERANCE
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.adapter import Adapter, AdapterKind, apply_map, unit_rows
from litotes.models.base import Encoder, Vectors
from litotes.repair.examples.base import TrainingData, TrainingExample
from litotes.repair.settings import MIN_GENERAL, AdapterSettings
from litotes.repair.validation import neighbour_pairs, rank_agreement

_NEIGHBOURS = 4
_WARMUP = 20
_HALVINGS = 4
_MAX_VALIDATION = 400
_MIN_GAIN = 1e-4
_BLOCK = 1024


@dataclass(frozen=True)
class _IndexedExamples:
    """Examples as row indices of the vectors."""

    indices: Indices
    """Shape (examples, 4); without a second negative, the negative is repeated."""
    has_second: NDArray[np.bool_]
    is_quadruple: NDArray[np.bool_]

    def take(self, rows: Indices) -> _IndexedExamples:
        """Return a subset."""
        return _IndexedExamples(self.indices[rows], self.has_second[rows], self.is_quadruple[rows])


@dataclass(frozen=True)
class AdapterValidation:
    """Metrics of an adapter on examples and sentences that it was not trained on."""

    quadruples: float | None
    """Accuracy on the four questions of the quadruples."""
    contrasts: float | None
    """Accuracy on the other examples: is the paraphrase closer to the anchor than the negatives?"""
    agreement: float
    """Rank correlation of general similarities with those of the original."""

    def score(self, quadruple_share: float) -> float:
        """Return the weighted mean of the two accuracies."""
        if self.quadruples is None or self.contrasts is None:
            return (self.quadruples or 0.0) + (self.contrasts or 0.0)
        return quadruple_share * self.quadruples + (1 - quadruple_share) * self.contrasts

    def to_dict(self) -> dict[str, float | None]:
        """Return the rounded metrics, as adapter.json stores them."""
        metrics = {"quadruples": self.quadruples, "contrasts": self.contrasts, "agreement": self.agreement}
        return {name: None if value is None else round(value, 6) for name, value in metrics.items()}


def learn_adapter(
    encoder: Encoder,
    data: TrainingData,
    *,
    settings: AdapterSettings | None = None,
    cache: Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Adapter:
    """Return the adapter for an encoder's vectors; `cache` is the folder of the vector cache."""
    settings, bar = settings or AdapterSettings(), progress or Progress()
    training, validation = select_adapter_examples(data, settings)
    general = _sample(list(dict.fromkeys(data.general)), settings.max_general, settings.seed)
    if len(general) < MIN_GENERAL:
        message = f"{len(general)} general sentences are too few to keep the model in place"
        raise LitotesError("L204", message, hint="give more text")
    texts = [text for example in (*training, *validation) for text in example.texts if text]
    texts = list(dict.fromkeys(texts + general))
    store = VectorCache(cache, encoder.name, encoder.fingerprint, lambda _: None) if cache else nullcontext()
    with store as open_store:
        vectors, _ = encode_sentences(
            encoder, texts, cache=open_store, workers=choose_workers(encoder, workers), progress=bar
        )
    rows = unit_rows(vectors.astype(np.float64)).astype(np.float32)
    index_of = {text: index for index, text in enumerate(texts)}
    is_known: NDArray[np.bool_] = np.abs(rows).max(axis=1) > 0
    trainer = _AdapterTrainer(
        rows,
        _index_examples(training, index_of, is_known),
        _index_examples(validation, index_of, is_known),
        np.array([index_of[text] for text in general if is_known[index_of[text]]], dtype=np.intp),
        settings,
    )
    arrays, account = trainer.run(bar)
    return Adapter(
        settings.kind,
        arrays,
        base=encoder.name,
        base_fingerprint=encoder.fingerprint.to_dict(),
        settings=settings.to_dict(),
        learned={"examples": len(trainer.training.indices), "digest": data.digest, **account},
    )


class _AdapterTrainer:
    """Trains an adapter, starting from the identity, and keeps the best one."""

    def __init__(
        self,
        rows: Vectors,
        training: _IndexedExamples,
        validation: _IndexedExamples,
        general: Indices,
        settings: AdapterSettings,
    ) -> None:
        self.training, self._rows, self._validation, self._settings = training, rows, validation, settings
        if not len(training.indices) or len(general) < MIN_GENERAL:
            raise LitotesError(
                "L204",
                f"{len(training.indices)} training examples and {len(general)} general sentences have vectors: "
                "too few to learn from",
                hint="give more text",
            )
        # The first eighth is for validation: none of its sentences is in a training pair.
        n_validation = max(8, len(general) // 8)
        held_out, trained = general[:n_validation], general[n_validation:]
        self._validation_pairs = held_out[neighbour_pairs(rows[held_out])]
        self._validation_cosines = _dots(rows, self._validation_pairs)
        self._general_pairs = trained[_sample_pairs(rows[trained], settings.seed)]
        self._general_cosines = _dots(rows, self._general_pairs)

    def run(self, bar: Progress) -> tuple[Arrays, dict[str, object]]:
        """Return the best arrays, and the step and metrics that belong to them."""
        settings = self._settings
        arrays = initial_arrays(settings.kind, self._rows.shape[1], settings.rank, settings.seed)
        before = self.validate(arrays)
        best, best_validation, best_step, n_idle = _copy(arrays), before, 0, 0
        optimiser, share = Adam(settings.learning_rate), settings.quadruple_share
        batches = self._batches()
        bar.begin("learning the adapter", total=settings.steps)
        for step in range(1, settings.steps + 1):
            schedule = min(step / _WARMUP, (settings.steps + 1 - step) / settings.steps)
            optimiser.update(arrays, self._gradient(arrays, *next(batches)), schedule)
            bar.advance(1)
            if step % settings.check_every and step != settings.steps:
                continue
            candidate, validation = self._within_limit(arrays)
            n_idle += 1
            if validation.score(share) > best_validation.score(share) + _MIN_GAIN:
                best, best_validation, best_step, n_idle = _copy(candidate), validation, step, 0
            if n_idle >= settings.patience:
                break
        bar.end()
        return best, {"steps": best_step, "before": before.to_dict(), "after": best_validation.to_dict()}

    def validate(self, arrays: Arrays) -> AdapterValidation:
        """Return the validation metrics."""
        unit, _ = forward(self._settings.kind, arrays, self._rows)
        is_quadruple = self._validation.is_quadruple
        correct = _correct_answers(unit[self._validation.indices])
        return AdapterValidation(
            quadruples=float(correct[is_quadruple].mean()) if is_quadruple.any() else None,
            contrasts=float(correct[~is_quadruple, 0].mean()) if not is_quadruple.all() else None,
            agreement=rank_agreement(self._validation_cosines, _dots(unit, self._validation_pairs)),
        )

    def _within_limit(self, arrays: Arrays) -> tuple[Arrays, AdapterValidation]:
        """Return the adapter, or as much of its change as keeps the agreement above the limit."""
        kind, limit = self._settings.kind, self._settings.min_agreement
        validation = self.validate(arrays)
        if validation.agreement >= limit:
            return arrays, validation
        share, accepted = 0.0, _scaled(kind, arrays, 0.0)
        validation = self.validate(accepted)
        for halving in range(1, _HALVINGS + 1):
            candidate = _scaled(kind, arrays, share + 0.5**halving)
            if (candidate_validation := self.validate(candidate)).agreement >= limit:
                share, accepted, validation = share + 0.5**halving, candidate, candidate_validation
        return accepted, validation

    def _batches(self) -> Iterator[tuple[Indices, Indices]]:
        """Yield example and general-pair indices without end; every example is used once per epoch."""
        rng = np.random.default_rng(self._settings.seed + 1)
        n_examples = len(self.training.indices)
        size = min(self._settings.batch_size, n_examples)
        while True:
            order = rng.permutation(n_examples)
            for start in range(0, n_examples - size + 1, size):
                yield order[start : start + size], rng.integers(0, len(self._general_pairs), 2 * size)

    def _gradient(self, arrays: Arrays, example_rows: Indices, pair_rows: Indices) -> Arrays:
        settings, examples = self._settings, self.training.take(example_rows)
        pairs = self._general_pairs[pair_rows]
        rows = self._rows[np.concatenate([examples.indices.ravel(), pairs[:, 0], pairs[:, 1]])]
        unit, lengths = forward(settings.kind, arrays, rows)
        split, end = examples.indices.size, examples.indices.size + len(pairs)
        by_unit = np.empty_like(unit)
        _, by_examples = contrastive_loss(
            unit[:split].reshape(len(example_rows), 4, -1),
            examples.has_second,
            examples.is_quadruple,
            1 / settings.temperature,
        )
        by_unit[:split] = by_examples.reshape(split, -1)
        _, left, right = retention_loss(unit[split:end], unit[end:], self._general_cosines[pair_rows])
        by_unit[split:end], by_unit[end:] = settings.retention * left, settings.retention * right
        return backward(settings.kind, arrays, rows, unit, lengths, by_unit)


def select_adapter_examples(
    data: TrainingData, settings: AdapterSettings
) -> tuple[list[TrainingExample], list[TrainingExample]]:
    """Return the training and the validation examples, balanced over antonym pairs and kinds."""
    n_quadruples = round(settings.max_examples * settings.quadruple_share)
    quadruples, contrasts = _balanced(data.training)
    quadruples, contrasts = quadruples[:n_quadruples], contrasts[: settings.max_examples - n_quadruples]
    validation_quadruples, validation = _balanced(data.validation)
    # A short text may have no validation examples of its own.
    validation = validation[:_MAX_VALIDATION] or contrasts[:_MAX_VALIDATION]
    return [*quadruples, *contrasts], [*validation_quadruples[:_MAX_VALIDATION], *validation]


def _balanced(examples: Sequence[TrainingExample]) -> tuple[list[TrainingExample], list[TrainingExample]]:
    """Return quadruples and other examples, each with one example per antonym pair or kind in turn."""
    quadruples = [(example.antonym_pair, example) for example in examples if example.is_quadruple]
    others = [(example.kind, example) for example in examples if not example.is_quadruple]
    return _in_turn(quadruples), _in_turn(others)


def _in_turn(examples: Sequence[tuple[str, TrainingExample]]) -> list[TrainingExample]:
    counts: dict[str, int] = defaultdict(int)
    turns = []
    for key, _ in examples:
        counts[key] += 1
        turns.append(counts[key])
    return [examples[index][1] for index in sorted(range(len(examples)), key=turns.__getitem__)]


def _sample(texts: list[str], size: int, seed: int) -> list[str]:
    """Return a random sample in the original order."""
    if len(texts) <= size:
        return texts
    indices = np.random.default_rng(seed).permutation(len(texts))[:size]
    return [texts[index] for index in sorted(indices.tolist())]


def _index_examples(
    examples: Sequence[TrainingExample], index_of: Mapping[str, int], is_known: NDArray[np.bool_]
) -> _IndexedExamples:
    """Return the examples whose sentences all have a vector; encoders of words may return zeros."""
    known = [example for example in examples if all(is_known[index_of[text]] for text in example.texts if text)]
    indices = [[index_of[text or example.negative] for text in example.texts] for example in known]
    return _IndexedExamples(
        np.array(indices, dtype=np.intp).reshape(-1, 4),
        np.array([bool(example.second_negative) for example in known], dtype=bool),
        np.array([example.is_quadruple and bool(example.second_negative) for example in known], dtype=bool),
    )


def _correct_answers(vectors: Vectors) -> NDArray[np.float64]:
    """Return which of the four questions of each example are answered correctly."""
    cosines = vectors @ vectors.transpose(0, 2, 1)
    correct = np.zeros((len(vectors), 4))
    for query, target, *wrong in QUESTIONS:
        # Without a second negative the first one is repeated, so it does not matter here.
        correct[:, query] = cosines[:, query, target] > cosines[:, query, wrong].max(axis=1) + TIE_TOLERANCE
    return correct


def _sample_pairs(rows: Vectors, seed: int) -> Indices:
    """Return index pairs of each row with its nearest neighbours and with random rows, to cover all similarities."""
    rng, n_rows = np.random.default_rng(seed + 2), len(rows)
    n_near = min(_NEIGHBOURS, n_rows - 1)
    pairs = []
    for start in range(0, n_rows, _BLOCK):
        similarities = rows[start : start + _BLOCK] @ rows.T
        block = np.arange(start, min(start + _BLOCK, n_rows))
        similarities[np.arange(len(block)), block] = -np.inf
        nearest = np.argpartition(-similarities, n_near - 1, axis=1)[:, :n_near]
        random = (block[:, None] + rng.integers(1, n_rows, (len(block), n_near))) % n_rows
        for partners in (nearest, random):
            pairs.append(np.stack([np.repeat(block, n_near), partners.ravel()], axis=1))
    return np.concatenate(pairs)


def _dots(rows: Vectors, pairs: Indices) -> Vectors:
    dots: Vectors = np.einsum("ij,ij->i", rows[pairs[:, 0]], rows[pairs[:, 1]])
    return dots


def _scaled(kind: AdapterKind, arrays: Arrays, share: float) -> Arrays:
    """Return the adapter with only a share of its change."""
    name = "weights" if kind == "weights" else "up"
    identity = np.float32(1 if kind == "weights" else 0)
    return {**arrays, name: identity + np.float32(share) * (arrays[name] - identity)}


def _copy(arrays: Arrays) -> Arrays:
    return {name: array.copy() for name, array in arrays.items()}


Indices = NDArray[np.intp]
Arrays = dict[str, Vectors]

QUESTIONS = ((0, 1, 2, 3), (1, 0, 2, 3), (2, 3, 0, 1), (3, 2, 0, 1))
"""Questions on the four sentences of an example: query, correct sentence, wrong sentences. The last two apply only if
the two negatives are paraphrases."""
_UNIT = 0.1
"""Change of a similarity at which the retention loss is 1."""


def initial_arrays(kind: AdapterKind, width: int, rank: int, seed: int) -> Arrays:
    """Return the arrays of an adapter that maps every vector to itself."""
    rng = np.random.default_rng(seed)
    if kind == "weights":
        return {"weights": np.ones(width, np.float32)}
    if kind == "linear":
        return {"up": np.zeros((width, width), np.float32)}
    arrays = {
        # Scaled so that a step changes a vector by about the same amount whatever the rank.
        "down": (rng.standard_normal((width, rank)) / np.sqrt(rank)).astype(np.float32),
        "up": np.zeros((rank, width), np.float32),
    }
    if kind == "hidden":
        arrays["down"] *= np.float32(np.sqrt(rank))  # tanh is nearly linear for small values
        arrays["bias"] = rng.standard_normal(rank).astype(np.float32)
    return arrays


def contrastive_loss(
    unit: Vectors, has_second: NDArray[np.bool_], is_quadruple: NDArray[np.bool_], sharpness: float
) -> tuple[float, Vectors]:
    """Return the loss of a batch and its gradient with respect to the unit vectors of shape (examples, 4, width).

    Each question is a softmax over the cosines with the correct and the wrong sentences.
    """
    cosines = unit @ unit.transpose(0, 2, 1)
    by_cosine = np.zeros_like(cosines)
    total, n_questions = 0.0, 2 * len(unit) + 2 * int(is_quadruple.sum())
    for number, (query, correct, *wrong) in enumerate(QUESTIONS):
        applies = np.ones(len(unit), dtype=bool) if number < 2 else is_quadruple
        logits = cosines[applies][:, query, [correct, *wrong]] * sharpness
        if number < 2:
            logits[~has_second, 2] = -np.inf
        logits -= logits.max(axis=1, keepdims=True)
        probabilities = np.exp(logits)
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        total -= float(np.log(np.maximum(probabilities[:, 0], 1e-30)).sum())
        probabilities[:, 0] -= 1.0
        rows = np.flatnonzero(applies)
        for column, option in enumerate((correct, *wrong)):
            by_cosine[rows, query, option] += probabilities[:, column] * sharpness / n_questions
    return total / n_questions, (by_cosine + by_cosine.transpose(0, 2, 1)) @ unit


def retention_loss(left: Vectors, right: Vectors, before: Vectors) -> tuple[float, Vectors, Vectors]:
    """Return the loss for changed cosines of general pairs, and its gradients with respect to both sides."""
    change = np.einsum("ij,ij->i", left, right) - before
    slope = (2.0 / (len(change) * _UNIT**2) * change)[:, None].astype(np.float32)
    return float(np.mean(change**2)) / _UNIT**2, slope * right, slope * left


def forward(kind: AdapterKind, arrays: Mapping[str, Vectors], rows: Vectors) -> tuple[Vectors, Vectors]:
    """Return the adapted rows scaled to length 1, and their lengths before scaling."""
    output = apply_map(kind, arrays, rows)
    lengths = np.maximum(np.linalg.norm(output, axis=1, keepdims=True), 1e-12)
    return output / lengths, lengths


def backward(  # noqa: PLR0917  (inputs and outputs of forward)
    kind: AdapterKind, arrays: Mapping[str, Vectors], rows: Vectors, unit: Vectors, lengths: Vectors, by_unit: Vectors
) -> Arrays:
    """Return the gradient with respect to the adapter's arrays, given the gradient with respect to its output."""
    by_output = (by_unit - np.einsum("ij,ij->i", by_unit, unit)[:, None] * unit) / lengths
    if kind == "weights":
        return {"weights": (rows * by_output).sum(axis=0)}
    if kind == "linear":
        return {"up": rows.T @ by_output}
    inner = rows @ arrays["down"]
    by_inner = by_output @ arrays["up"].T
    if kind == "low-rank":
        return {"down": rows.T @ by_inner, "up": inner.T @ by_output}
    activation = np.tanh(inner + arrays["bias"])
    by_inner *= 1.0 - activation**2
    return {"down": rows.T @ by_inner, "bias": by_inner.sum(axis=0), "up": activation.T @ by_output}


@dataclass
class Adam:
    """The Adam optimiser over named arrays."""

    learning_rate: float
    step: int = 0
    means: Arrays = field(default_factory=dict)
    squares: Arrays = field(default_factory=dict)

    def update(self, arrays: Arrays, gradient: Mapping[str, Vectors], schedule: float) -> None:
        """Take one step in place; `schedule` scales the learning rate."""
        self.step += 1
        for name, slope in gradient.items():
            mean = self.means.setdefault(name, np.zeros_like(slope))
            square = self.squares.setdefault(name, np.zeros_like(slope))
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            scale = np.sqrt(square / (1 - 0.999**self.step)) + 1e-8
            step = self.learning_rate * schedule * mean / ((1 - 0.9**self.step) * scale)
            arrays[name] -= step.astype(np.float32)
