"""Learning a map over vectors: what it gains, what it keeps, and what no linear map can."""

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
from litotes.models.adapter import KINDS, AdapterKind
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.loading import load_model
from litotes.repair.adapter import AdapterSettings, learn_adapter
from litotes.repair.adapter_gradient import backward, first_arrays, forward, keeping_loss, lesson_loss
from litotes.repair.examples.base import Lesson, Lessons
from litotes.repair.validation import right_share

WIDTH = 12
QUICK = AdapterSettings(steps=120, batch_size=32, rank=4, check_every=20, learning_rate=1e-2, keep=1.0)


class Faint(Encoder):
    """Sees negation, but faintly: texts are `topic wording sign`, and the sign has one small dimension of twelve."""

    def __init__(self, *, unknown: str = "") -> None:
        super().__init__("faint", Fingerprint("numpy", weights="faint"))
        self.asked: list[str] = []
        self._unknown = unknown

    @property
    def may_know_nothing(self) -> bool:
        return True

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [1] * len(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Vectors:
        topic, wording, sign = text.split()
        if topic == self._unknown:
            return np.zeros(WIDTH, np.float32)
        vector = np.random.default_rng(int(topic)).standard_normal(WIDTH)
        vector[8:] = np.random.default_rng([int(topic), int(wording)]).standard_normal(WIDTH - 8) * 0.4
        vector[0] = 0.2 if sign == "not" else -0.2
        return vector.astype(np.float32)


def lesson(topic: int) -> Lesson:
    """Another wording says the same; the same wording with the other sign says the opposite."""
    return Lesson("synonym", f"{topic} 0 yes", f"{topic} 1 yes", f"{topic} 0 not", "", "")


def quadruple(topic: int) -> Lesson:
    return Lesson(
        "quadruple", f"{topic} 0 yes", f"{topic} 1 yes", f"{topic} 0 not", f"{topic} 1 not", f"{topic}", mates=True
    )


LESSONS = Lessons(
    tuple(map(lesson, range(300))),
    tuple(map(lesson, range(300, 380))),
    tuple(f"{topic} 0 yes" for topic in range(400, 700)),
    Counter(),
)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_model_sees_faintly_comes_to_count(kind: AdapterKind) -> None:
    found = learn_adapter(Faint(), LESSONS, settings=replace(QUICK, kind=kind))
    before, after = found.learned["before"], found.learned["after"]
    assert before["others"] < 0.1 and after["others"] > before["others"] + 0.2
    assert after["kept"] >= 0.95 and 0 < found.steps <= 120
    assert (found.base, found.width, found.base_fingerprint["weights"]) == ("faint", WIDTH, "faint")


def test_the_map_that_was_saved_does_what_was_seen(tmp_path: Path) -> None:
    made = learn_adapter(Faint(), LESSONS, settings=QUICK)
    made.save(tmp_path)
    vectors = [litotes.adapt(Faint().encode([one.texts[at] for one in LESSONS.watched]), tmp_path) for at in range(3)]
    alike, opposite = ((vectors[0] * vectors[at]).sum(axis=1) for at in (1, 2))
    assert np.mean(alike > opposite) == pytest.approx(made.learned["after"]["others"], abs=0.02)


def test_the_same_seed_gives_the_same_bytes_and_another_does_not() -> None:
    keys = [learn_adapter(Faint(), LESSONS, settings=replace(QUICK, seed=seed)).sha256 for seed in (4, 4, 5)]
    assert keys[0] == keys[1] != keys[2]


def test_more_of_keep_changes_ordinary_sentences_less() -> None:
    firm, loose = (learn_adapter(Faint(), LESSONS, settings=replace(QUICK, keep=keep, floor=-1)) for keep in (30, 0.01))
    assert firm.learned["after"]["kept"] > loose.learned["after"]["kept"]
    assert firm.learned["after"]["others"] < loose.learned["after"]["others"]


def test_what_costs_too_much_is_not_taken() -> None:
    found = learn_adapter(Faint(), LESSONS, settings=replace(QUICK, floor=1.0))
    vectors = Faint().encode([f"{topic} 0 yes" for topic in range(9)])
    assert found.steps == 0 and found.learned["after"] == found.learned["before"]
    assert np.allclose(found.apply(vectors), vectors / np.linalg.norm(vectors, axis=1, keepdims=True), atol=1e-6)


def test_no_more_sentences_are_sent_to_the_model_than_was_said(tmp_path: Path) -> None:
    model = Faint()
    few = replace(QUICK, lessons=20, ordinary=16, steps=1)
    learn_adapter(model, replace(LESSONS, watched=LESSONS.watched[:5]), settings=few, cache=tmp_path)
    assert len(model.asked) == len(set(model.asked)) == 25 * 3 + 16
    learn_adapter(model, replace(LESSONS, watched=LESSONS.watched[:5]), settings=few, cache=tmp_path)
    assert len(model.asked) == 25 * 3 + 16  # the second time they are in the cache


def test_lessons_with_a_sentence_that_the_model_does_not_know_are_left_out() -> None:
    found = learn_adapter(Faint(unknown="7"), LESSONS, settings=replace(QUICK, steps=20))
    assert found.learned["lessons"] == 299


def test_quadruples_are_watched_and_learned_where_they_are_asked_for() -> None:
    both = replace(
        LESSONS,
        learned=(*LESSONS.learned, *map(quadruple, range(1000, 1100))),
        watched=(*LESSONS.watched, *map(quadruple, range(1100, 1150))),
    )
    found = learn_adapter(Faint(), both, settings=replace(QUICK, lessons=100, quadruples=0.5))
    assert found.learned["lessons"] == 100
    assert found.learned["after"]["quadruples"] > found.learned["before"]["quadruples"] + 0.3


@pytest.mark.parametrize(
    ("lessons", "told"),
    [
        (replace(LESSONS, ordinary=LESSONS.ordinary[:9]), "9 ordinary sentences are too few"),
        (replace(LESSONS, learned=tuple(map(quadruple, range(9)))), "0 lessons"),
        (replace(LESSONS, ordinary=("7 0 yes", "7 1 yes") * 20), "2 ordinary sentences are too few"),
    ],
)
def test_too_little_to_learn_from_is_told(lessons: Lessons, told: str) -> None:
    with pytest.raises(LitotesError, match=told) as error:
        learn_adapter(Faint(), lessons, settings=QUICK)
    assert "\n" not in str(error.value) and error.value.code == "L204"


def test_a_text_with_nothing_to_watch_is_learned_all_the_same() -> None:
    found = learn_adapter(Faint(), replace(LESSONS, watched=()), settings=QUICK)
    assert found.steps > 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "round"}, {"rank": 0}, {"keep": -1}, {"keep": float("nan")}, {"learning_rate": 0}, {"floor": 2},
        {"quadruples": 1.5}, {"seed": -1}, {"ordinary": 3}, {"temperature": float("inf")},
    ],
)  # fmt: skip
def test_settings_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(LitotesError, match=str(next(iter(wrong.values()))).replace(".", r"\.")):
        AdapterSettings(**wrong)


class Bar(Progress):
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        self.told.append(label)


def test_progress_is_told() -> None:
    bar = Bar()
    learn_adapter(Faint(), LESSONS, settings=replace(QUICK, steps=1), progress=bar)
    assert bar.told == ["faint", "learning the adapter"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_gradient_is_the_slope(kind: AdapterKind) -> None:
    rng = np.random.default_rng(0)
    rows: Any = rng.standard_normal((44, 6))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    full, mates = (np.array(list(map(int, bits)), dtype=bool) for bits in ("1101011", "1001010"))
    arrays: Any = {
        name: array + 0.1 * rng.standard_normal(array.shape) for name, array in first_arrays(kind, 6, 3, 0).items()
    }

    def cost() -> tuple[float, Any]:
        unit, lengths = forward(kind, arrays, rows)
        lessons, by_lessons = lesson_loss(unit[:28].reshape(7, 4, -1), full, mates, 10.0)
        kept, left, right = keeping_loss(unit[28:36], unit[36:], np.zeros(8, np.float32))
        by_unit = np.concatenate([by_lessons.reshape(28, -1), 0.7 * left, 0.7 * right])
        return lessons + 0.7 * kept, backward(kind, arrays, rows, unit, lengths, by_unit)

    _, gradient = cost()
    for name, array in arrays.items():
        place = tuple(rng.integers(0, size) for size in array.shape)
        array[place] += 1e-5
        above = cost()[0]
        array[place] -= 2e-5
        below = cost()[0]
        array[place] += 1e-5
        assert gradient[name][place] == pytest.approx((above - below) / 2e-5, rel=1e-4)


def test_no_linear_map_of_sums_of_words_answers_more_than_half_of_a_quadruple() -> None:
    """Good, not bad, bad, not good: as sums of words they are a parallelogram, and both its diagonals would have to be
    its closest pairs."""
    rng = np.random.default_rng(3)
    best = 0.0
    for _ in range(2000):
        rest, word, other, no = rng.standard_normal((4, 5)) * rng.choice([0.3, 1, 3], (4, 1))
        sums = np.stack([rest + word, rest + other + no, rest + other, rest + word + no])
        mapped = sums @ (rng.standard_normal((5, 5)) * rng.choice([0.1, 1, 5], 5))
        mapped /= np.linalg.norm(mapped, axis=1, keepdims=True)
        best = max(best, right_share(mapped[None].astype(np.float32), [quadruple(0)])[0])
    assert best == 0.5


SAID = (
    ("quick", "fast"),
    ("big", "large"),
    ("happy", "glad"),
    ("angry", "furious"),
    ("rich", "wealthy"),
    ("calm", "quiet"),
)
WHO = ("boy", "girl", "teacher", "king", "doctor", "farmer", "sailor", "painter", "driver", "singer")


def test_averaged_glove_learns_that_not_counts() -> None:
    found = [
        Lesson(
            "synonym", f"The {who} is {one} today.", f"The {who} is {other} today.", f"The {who} is not {one} today."
        )
        for who, (one, other) in itertools.product(WHO, SAID)
    ]
    ordinary = tuple(
        f"{start} {who} {does} the {what}."
        for start in ("A", "Yesterday the")
        for who in WHO
        for does in ("saw", "sold", "painted", "remembered")
        for what in ("ship", "hat", "old house", "water")
    )
    watched = [one for one in found if "singer" in one.anchor or "rich" in one.texts[0] or "furious" in one.same]
    learned = tuple(one for one in found if one not in watched)
    encoder = load_model("glove:6b-50d")
    assert isinstance(encoder, Encoder)
    made = learn_adapter(
        encoder, Lessons(learned, tuple(watched), ordinary, Counter()), settings=replace(QUICK, steps=300)
    )
    assert made.learned["after"]["others"] > made.learned["before"]["others"] + 0.2
    assert made.learned["after"]["kept"] >= QUICK.floor
