"""Training of adapters: improvement, retention, and the limits of linear maps."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import litotes
from litotes import LitotesError
from litotes.core.progress import Progress
from litotes.models.adapter import ADAPTER_KINDS, AdapterKind
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.loading import load_model
from litotes.repair.adapter import (
    AdapterSettings,
    backward,
    contrastive_loss,
    forward,
    initial_arrays,
    learn_adapter,
    retention_loss,
)
from litotes.repair.examples.base import TrainingData, TrainingExample
from litotes.repair.validation import example_accuracies

WIDTH = 12
QUICK = AdapterSettings(steps=120, batch_size=32, rank=4, check_every=20, learning_rate=1e-2, retention=1.0)


class WeakNegationEncoder(Encoder):
    """An encoder with a weak negation signal: in `topic wording sign`, the sign affects one small dimension."""

    def __init__(self, *, unknown: str = "") -> None:
        super().__init__("faint", Fingerprint("numpy", weights="faint"))
        self.encoded: list[str] = []
        self._unknown = unknown

    @property
    def allows_zero_vectors(self) -> bool:
        return True

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [1] * len(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.encoded += texts
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Vectors:
        topic, wording, sign = text.split()
        if topic == self._unknown:
            return np.zeros(WIDTH, np.float32)
        vector = np.random.default_rng(int(topic)).standard_normal(WIDTH)
        vector[8:] = np.random.default_rng([int(topic), int(wording)]).standard_normal(WIDTH - 8) * 0.4
        vector[0] = 0.2 if sign == "not" else -0.2
        return vector.astype(np.float32)


def example(topic: int) -> TrainingExample:
    """Return examples: another wording is a paraphrase, another sign is the opposite."""
    return TrainingExample("synonym", f"{topic} 0 yes", f"{topic} 1 yes", f"{topic} 0 not", "", "")


def quadruple(topic: int) -> TrainingExample:
    return TrainingExample(
        "quadruple",
        f"{topic} 0 yes",
        f"{topic} 1 yes",
        f"{topic} 0 not",
        f"{topic} 1 not",
        f"{topic}",
        is_quadruple=True,
    )


EXAMPLES = TrainingData(
    tuple(map(example, range(300))),
    tuple(map(example, range(300, 380))),
    tuple(f"{topic} 0 yes" for topic in range(400, 700)),
    Counter(),
)


@pytest.mark.parametrize("kind", ADAPTER_KINDS)
def test_amplifies_a_weak_negation_signal(kind: AdapterKind) -> None:
    adapter = learn_adapter(WeakNegationEncoder(), EXAMPLES, settings=QUICK.replace(kind=kind))
    before, after = adapter.learned["before"], adapter.learned["after"]
    assert before["contrasts"] < 0.1 and after["contrasts"] > before["contrasts"] + 0.2
    assert after["agreement"] >= 0.95 and 0 < adapter.steps <= 120
    assert (adapter.base, adapter.width, adapter.base_fingerprint["weights"]) == ("faint", WIDTH, "faint")


def test_saved_adapter_reproduces_the_validation_accuracy(tmp_path: Path) -> None:
    adapter = learn_adapter(WeakNegationEncoder(), EXAMPLES, settings=QUICK)
    adapter.save(tmp_path)
    vectors = [
        litotes.adapt(WeakNegationEncoder().encode([example.texts[at] for example in EXAMPLES.validation]), tmp_path)
        for at in range(3)
    ]
    positive, opposite = ((vectors[0] * vectors[at]).sum(axis=1) for at in (1, 2))
    assert np.mean(positive > opposite) == pytest.approx(adapter.learned["after"]["contrasts"], abs=0.02)


def test_weights_depend_on_the_seed_only() -> None:
    keys = [
        learn_adapter(WeakNegationEncoder(), EXAMPLES, settings=QUICK.replace(seed=seed)).sha256 for seed in (4, 4, 5)
    ]
    assert keys[0] == keys[1] != keys[2]


def test_higher_retention_changes_general_sentences_less() -> None:
    strict, lenient = (
        learn_adapter(WeakNegationEncoder(), EXAMPLES, settings=QUICK.replace(retention=weight, min_agreement=-1))
        for weight in (30, 0.01)
    )
    assert strict.learned["after"]["agreement"] > lenient.learned["after"]["agreement"]
    assert strict.learned["after"]["contrasts"] < lenient.learned["after"]["contrasts"]


def test_returns_the_identity_if_agreement_is_below_the_limit() -> None:
    adapter = learn_adapter(WeakNegationEncoder(), EXAMPLES, settings=QUICK.replace(min_agreement=1.0))
    vectors = WeakNegationEncoder().encode([f"{topic} 0 yes" for topic in range(9)])
    assert adapter.steps == 0 and adapter.learned["after"] == adapter.learned["before"]
    assert np.allclose(adapter.apply(vectors), vectors / np.linalg.norm(vectors, axis=1, keepdims=True), atol=1e-6)


def test_encodes_no_more_sentences_than_the_limits_allow(tmp_path: Path) -> None:
    model = WeakNegationEncoder()
    limited = QUICK.replace(max_examples=20, max_general=16, steps=1)
    learn_adapter(model, replace(EXAMPLES, validation=EXAMPLES.validation[:5]), settings=limited, cache=tmp_path)
    assert len(model.encoded) == len(set(model.encoded)) == 25 * 3 + 16
    learn_adapter(model, replace(EXAMPLES, validation=EXAMPLES.validation[:5]), settings=limited, cache=tmp_path)
    assert len(model.encoded) == 25 * 3 + 16  # the second call uses the cache


def test_skips_examples_without_a_vector() -> None:
    adapter = learn_adapter(WeakNegationEncoder(unknown="7"), EXAMPLES, settings=QUICK.replace(steps=20))
    assert adapter.learned["examples"] == 299


def test_quadruple_share_adds_quadruples_to_training() -> None:
    mixed = replace(
        EXAMPLES,
        training=(*EXAMPLES.training, *map(quadruple, range(1000, 1100))),
        validation=(*EXAMPLES.validation, *map(quadruple, range(1100, 1150))),
    )
    adapter = learn_adapter(WeakNegationEncoder(), mixed, settings=QUICK.replace(max_examples=100, quadruple_share=0.5))
    assert adapter.learned["examples"] == 100
    assert adapter.learned["after"]["quadruples"] > adapter.learned["before"]["quadruples"] + 0.3


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        (replace(EXAMPLES, general=EXAMPLES.general[:9]), "9 general sentences are too few"),
        (replace(EXAMPLES, training=tuple(map(quadruple, range(9)))), "0 training examples"),
        (replace(EXAMPLES, general=("7 0 yes", "7 1 yes") * 20), "2 general sentences are too few"),
    ],
)
def test_too_few_examples_raise_one_line(examples: TrainingData, message: str) -> None:
    with pytest.raises(LitotesError, match=message) as error:
        learn_adapter(WeakNegationEncoder(), examples, settings=QUICK)
    assert "\n" not in str(error.value) and error.value.code == "L204"


def test_learns_without_validation_examples() -> None:
    adapter = learn_adapter(WeakNegationEncoder(), replace(EXAMPLES, validation=()), settings=QUICK)
    assert adapter.steps > 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "round"}, {"rank": 0}, {"retention": -1}, {"retention": float("nan")}, {"learning_rate": 0},
        {"min_agreement": 2}, {"quadruple_share": 1.5}, {"seed": -1}, {"max_general": 3}, {"temperature": float("inf")},
    ],
)  # fmt: skip
def test_invalid_settings_are_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(LitotesError, match=str(next(iter(wrong.values()))).replace(".", r"\.")):
        AdapterSettings(**wrong)


class RecordingProgress(Progress):
    """Records the labels."""

    def __init__(self) -> None:
        self.labels: list[str] = []

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        self.labels.append(label)


def test_reports_progress() -> None:
    bar = RecordingProgress()
    learn_adapter(WeakNegationEncoder(), EXAMPLES, settings=QUICK.replace(steps=1), progress=bar)
    assert bar.labels == ["faint", "learning the adapter"]


@pytest.mark.parametrize("kind", ADAPTER_KINDS)
def test_gradient_matches_finite_differences(kind: AdapterKind) -> None:
    rng = np.random.default_rng(0)
    rows: Any = rng.standard_normal((44, 6))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    has_second, is_quadruple = (np.array(list(map(int, bits)), dtype=bool) for bits in ("1101011", "1001010"))
    arrays: Any = {
        name: array + 0.1 * rng.standard_normal(array.shape) for name, array in initial_arrays(kind, 6, 3, 0).items()
    }

    def compute_loss() -> tuple[float, Any]:
        unit, lengths = forward(kind, arrays, rows)
        examples, by_lessons = contrastive_loss(unit[:28].reshape(7, 4, -1), has_second, is_quadruple, 10.0)
        retention, left, right = retention_loss(unit[28:36], unit[36:], np.zeros(8, np.float32))
        by_unit = np.concatenate([by_lessons.reshape(28, -1), 0.7 * left, 0.7 * right])
        return examples + 0.7 * retention, backward(kind, arrays, rows, unit, lengths, by_unit)

    _, gradient = compute_loss()
    for name, array in arrays.items():
        index = tuple(rng.integers(0, size) for size in array.shape)
        array[index] += 1e-5
        above = compute_loss()[0]
        array[index] -= 2e-5
        below = compute_loss()[0]
        array[index] += 1e-5
        assert gradient[name][index] == pytest.approx((above - below) / 2e-5, rel=1e-4)


def test_linear_maps_of_word_sums_solve_at_most_half_of_a_quadruple() -> None:
    """As sums of words, “good”, “not bad”, “bad” and “not good” form a parallelogram, whose diagonals cannot both be
    the closest pairs."""
    rng = np.random.default_rng(3)
    best = 0.0
    for _ in range(2000):
        rest, word, other, no = rng.standard_normal((4, 5)) * rng.choice([0.3, 1, 3], (4, 1))
        sums = np.stack([rest + word, rest + other + no, rest + other, rest + word + no])
        mapped = sums @ (rng.standard_normal((5, 5)) * rng.choice([0.1, 1, 5], 5))
        mapped /= np.linalg.norm(mapped, axis=1, keepdims=True)
        best = max(best, example_accuracies(mapped[None].astype(np.float32), [quadruple(0)])[0])
    assert best == 0.5


SYNONYMS = (
    ("quick", "fast"),
    ("big", "large"),
    ("happy", "glad"),
    ("angry", "furious"),
    ("rich", "wealthy"),
    ("calm", "quiet"),
)
PEOPLE = ("boy", "girl", "teacher", "king", "doctor", "farmer", "sailor", "painter", "driver", "singer")


def test_averaged_glove_learns_negation() -> None:
    examples = [
        TrainingExample(
            "synonym",
            f"The {who} is {adjective} today.",
            f"The {who} is {synonym} today.",
            f"The {who} is not {adjective} today.",
        )
        for who, (adjective, synonym) in itertools.product(PEOPLE, SYNONYMS)
    ]
    general = tuple(
        f"{start} {who} {does} the {what}."
        for start in ("A", "Yesterday the")
        for who in PEOPLE
        for does in ("saw", "sold", "painted", "remembered")
        for what in ("ship", "hat", "old house", "water")
    )
    validation = [
        example
        for example in examples
        if "singer" in example.anchor or "rich" in example.texts[0] or "furious" in example.positive
    ]
    training = tuple(example for example in examples if example not in validation)
    encoder = load_model("glove:6b-50d")
    assert isinstance(encoder, Encoder)
    adapter = learn_adapter(
        encoder, TrainingData(training, tuple(validation), general, Counter()), settings=QUICK.replace(steps=300)
    )
    assert adapter.learned["after"]["contrasts"] > adapter.learned["before"]["contrasts"] + 0.2
    assert adapter.learned["after"]["agreement"] >= QUICK.min_agreement
