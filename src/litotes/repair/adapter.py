"""Learning an adapter: a small map over vectors that stay as they are, from the lessons of a repair.

A map is taken only if it gains on lessons that it did not learn and leaves ordinary similarities as they were, as far
as the settings demand; one that gains nothing is the map that changes nothing.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, UsageError
from litotes.core.progress import Progress
from litotes.core.registry import unknown_name
from litotes.evaluation.encoding import choose_workers, encode_sentences
from litotes.evaluation.scoring import TIE_TOLERANCE
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.adapter import KINDS, Adapter, AdapterKind, unit_rows
from litotes.models.base import Encoder, Vectors
from litotes.repair.adapter_gradient import (
    QUESTIONS,
    Adam,
    Arrays,
    Places,
    backward,
    first_arrays,
    forward,
    keeping_loss,
    lesson_loss,
)
from litotes.repair.examples.base import Lesson, Lessons
from litotes.repair.validation import neighbour_pairs, order_kept


@dataclass(frozen=True)
class AdapterSettings:
    """The settings of an adapter."""

    kind: AdapterKind = "low-rank"
    """“weights”: every dimension counts more or less; “low-rank”: a linear map of small rank is added to the identity;
    “linear”: a whole matrix; “hidden”: a layer of tanh is added, the one kind that bends."""
    rank: int = 32
    """Of the low-rank map, or how many units the hidden layer has."""
    keep: float = 2.0
    """The trade-off: how strongly the similarities of ordinary sentences are held where they were."""
    floor: float = 0.95
    """How well ordinary similarities must agree with the original's (Spearman, on pairs that are not learned); what
    falls below it is not taken."""
    learning_rate: float = 3e-3
    steps: int = 600
    """At most so many; fewer if nothing more is gained."""
    batch_size: int = 128
    """Lessons in a step, and twice as many ordinary pairs."""
    temperature: float = 0.05
    check_every: int = 25
    """Steps between looks at what is watched."""
    patience: int = 8
    """Looks without gain after which learning ends."""
    lessons: int = 3_000
    """At most so many lessons are learned: each of their sentences has to be encoded, which costs money behind a
    server."""
    quadruples: float = 0.0
    """Which share of the lessons are quadruples. They ask for an exclusive-or, which no linear map of a
    sum of words can give; what is gained on them is lost on plain negation."""
    ordinary: int = 2_000
    """At most so many ordinary sentences are encoded."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("kind of adapter", self.kind, KINDS)
        for name in ("rank", "steps", "batch_size", "check_every", "patience", "lessons"):
            if getattr(self, name) < 1:
                raise UsageError("L102", f"{name}={getattr(self, name)}: at least 1 is needed")
        if self.ordinary < 16:
            raise UsageError("L102", f"ordinary={self.ordinary}: at least 16 are needed")
        for name in ("learning_rate", "temperature"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0):
                raise UsageError("L102", f"{name}={getattr(self, name)}: must be above 0")
        if not (math.isfinite(self.keep) and self.keep >= 0):
            raise UsageError("L102", f"keep={self.keep}: must not be below 0")
        if not 0 <= self.quadruples <= 1:
            raise UsageError("L102", f"quadruples={self.quadruples}: must be from 0 to 1")
        if not -1 <= self.floor <= 1:
            raise UsageError("L102", f"floor={self.floor}: must be from -1 to 1")
        if not 0 <= self.seed < 2**32:
            raise UsageError("L102", f"seed={self.seed}: must be from 0 to {2**32 - 1}")

    def to_dict(self) -> dict[str, Any]:
        """The settings by name, as files keep them."""
        return asdict(self)


_NEIGHBOURS = 4
_WARMUP = 20
_HALVINGS = 4
_MOST_WATCHED = 400
_GAIN = 1e-4
_AT_ONCE = 1024

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class _Taught:
    """Lessons as places among the vectors."""

    places: Places
    """(lessons, 4); where there is no fourth sentence, the third stands twice."""
    full: NDArray[np.bool_]
    mates: NDArray[np.bool_]

    def some(self, chosen: Places) -> _Taught:
        """A part of them."""
        return _Taught(self.places[chosen], self.full[chosen], self.mates[chosen])


@dataclass(frozen=True)
class Look:
    """What is seen on lessons and sentences that are not learned."""

    quadruples: float | None
    """The share of a quadruple's four questions that are answered right; None where there is none."""
    others: float | None
    """Of the other lessons: how often what says the same is closer to the anchor than what does not."""
    kept: float
    """How well ordinary similarities agree with the original's (Spearman)."""

    def score(self, share: float) -> float:
        """The two figures in one; `share` is what quadruples count."""
        if self.quadruples is None or self.others is None:
            return (self.quadruples or 0.0) + (self.others or 0.0)
        return share * self.quadruples + (1 - share) * self.others


def learn_adapter(
    encoder: Encoder,
    lessons: Lessons,
    *,
    settings: AdapterSettings | None = None,
    cache: Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Adapter:
    """The adapter for an encoder's vectors; `cache` is the folder of the vector cache."""
    chosen, bar = settings or AdapterSettings(), progress or Progress()
    learned, watched = divided(lessons, chosen)
    ordinary = _drawn(list(dict.fromkeys(lessons.ordinary)), chosen.ordinary, chosen.seed)
    if len(ordinary) < 16:
        raise LitotesError(
            "L204", f"{len(ordinary)} ordinary sentences are too few to hold a model where it is", hint="give more text"
        )
    texts = list(dict.fromkeys([text for one in (*learned, *watched) for text in one.texts if text] + ordinary))
    with VectorCache(cache, encoder.name, encoder.fingerprint, lambda _: None) if cache else nullcontext() as kept:
        found, _ = encode_sentences(encoder, texts, cache=kept, workers=choose_workers(encoder, workers), progress=bar)
    rows = unit_rows(found.astype(np.float64)).astype(np.float32)
    at = {text: place for place, text in enumerate(texts)}
    known: NDArray[np.bool_] = np.abs(rows).max(axis=1) > 0
    trial = _Trial(
        rows,
        _placed([one for one in learned if _is_known(one, at, known)], at),
        _placed([one for one in watched if _is_known(one, at, known)], at),
        np.array([at[text] for text in ordinary if known[at[text]]], dtype=np.intp),
        chosen,
    )
    arrays, account = trial.run(bar)
    return Adapter(
        chosen.kind,
        arrays,
        base=encoder.name,
        base_fingerprint=encoder.fingerprint.to_dict(),
        settings=chosen.to_dict(),
        learned={"lessons": len(trial.learned.places), "digest": lessons.digest, **account},
    )


class _Trial:
    """One learning, from an adapter that changes nothing to the best that was seen."""

    def __init__(
        self, rows: Vectors, learned: _Taught, watched: _Taught, ordinary: Places, settings: AdapterSettings
    ) -> None:
        self.learned, self._rows, self._watched, self._settings = learned, rows, watched, settings
        if not len(learned.places) or len(ordinary) < 16:
            raise LitotesError(
                "L204",
                f"{len(learned.places)} lessons and {len(ordinary)} ordinary sentences have vectors: too few to learn",
                hint="give more text",
            )
        # The first eighth is watched: no sentence of it is in a pair that is held.
        cut = max(8, len(ordinary) // 8)
        self._seen = ordinary[:cut][neighbour_pairs(rows[ordinary[:cut]])]
        self._seen_before = _dots(rows, self._seen)
        self._held = ordinary[cut:][_pairs_to_hold(rows[ordinary[cut:]], settings.seed)]
        self._held_before = _dots(rows, self._held)

    def run(self, bar: Progress) -> tuple[Arrays, dict[str, object]]:
        """The arrays that were best, and what was seen of them."""
        chosen = self._settings
        arrays = first_arrays(chosen.kind, self._rows.shape[1], chosen.rank, chosen.seed)
        before = self.look(arrays)
        best, best_look, best_step, idle = _copy(arrays), before, 0, 0
        adam, share_of = Adam(chosen.learning_rate), chosen.quadruples
        batches = self._batches()
        bar.begin("learning the adapter", total=chosen.steps)
        for step in range(1, chosen.steps + 1):
            share = min(step / _WARMUP, (chosen.steps + 1 - step) / chosen.steps)
            adam.descend(arrays, self._gradient(arrays, *next(batches)), share)
            bar.advance(1)
            if step % chosen.check_every and step != chosen.steps:
                continue
            taken, look = self._within_floor(arrays)
            idle += 1
            if look.score(share_of) > best_look.score(share_of) + _GAIN:
                best, best_look, best_step, idle = _copy(taken), look, step, 0
            if idle >= chosen.patience:
                break
        bar.end()
        return best, {"steps": best_step, "before": _figures(before), "after": _figures(best_look)}

    def look(self, arrays: Arrays) -> Look:
        """What the adapter gives on what it does not learn."""
        unit, _ = forward(self._settings.kind, arrays, self._rows)
        mates = self._watched.mates
        right = _right(unit[self._watched.places], self._watched)
        kept = order_kept(self._seen_before, _dots(unit, self._seen))
        return Look(
            quadruples=float(right[mates].mean()) if mates.any() else None,
            others=float(right[~mates, 0].mean()) if not mates.all() else None,
            kept=kept,
        )

    def _within_floor(self, arrays: Arrays) -> tuple[Arrays, Look]:
        """The adapter, or where it changes ordinary similarities too much, as much of its change as they bear."""
        look = self.look(arrays)
        if look.kept >= self._settings.floor:
            return arrays, look
        most, found = 0.0, _scaled(self._settings.kind, arrays, 0.0)
        look = self.look(found)
        for part in range(1, _HALVINGS + 1):
            tried = _scaled(self._settings.kind, arrays, most + 0.5**part)
            if (seen := self.look(tried)).kept >= self._settings.floor:
                most, found, look = most + 0.5**part, tried, seen
        return found, look

    def _batches(self) -> Iterator[tuple[Places, Places]]:
        """Lessons and ordinary pairs of each step, without end; every lesson once before one comes again."""
        rng = np.random.default_rng(self._settings.seed + 1)
        size = min(self._settings.batch_size, len(self.learned.places))
        while True:
            order = rng.permutation(len(self.learned.places))
            for start in range(0, len(order) - size + 1, size):
                yield order[start : start + size], rng.integers(0, len(self._held), 2 * size)

    def _gradient(self, arrays: Arrays, which: Places, pairs: Places) -> Arrays:
        chosen, some = self._settings, self.learned.some(which)
        held = self._held[pairs]
        rows = self._rows[np.concatenate([some.places.ravel(), held[:, 0], held[:, 1]])]
        unit, lengths = forward(chosen.kind, arrays, rows)
        taught, ends = some.places.size, some.places.size + len(held)
        by_unit = np.empty_like(unit)
        _, by_lessons = lesson_loss(
            unit[:taught].reshape(len(which), 4, -1), some.full, some.mates, 1 / chosen.temperature
        )
        by_unit[:taught] = by_lessons.reshape(taught, -1)
        _, left, right = keeping_loss(unit[taught:ends], unit[ends:], self._held_before[pairs])
        by_unit[taught:ends], by_unit[ends:] = chosen.keep * left, chosen.keep * right
        return backward(chosen.kind, arrays, rows, unit, lengths, by_unit)


def divided(lessons: Lessons, settings: AdapterSettings) -> tuple[list[Lesson], list[Lesson]]:
    """What is learned and what is watched, spread over antonym pairs and kinds."""
    most = round(settings.lessons * settings.quadruples)
    quadruples = _spread([(one.pair, one) for one in lessons.learned if one.mates])[:most]
    others = _spread([(one.kind, one) for one in lessons.learned if not one.mates])[: settings.lessons - most]
    seen = _spread([(one.kind, one) for one in lessons.watched if not one.mates])[:_MOST_WATCHED]
    seen_quadruples = _spread([(one.pair, one) for one in lessons.watched if one.mates])[:_MOST_WATCHED]
    # A small text may have none to spare: then what is learned is watched.
    return [*quadruples, *others], [*seen_quadruples, *(seen or others[:_MOST_WATCHED])]


def _spread(lessons: Sequence[tuple[str, Lesson]]) -> list[Lesson]:
    """One of each key, then a second of each, and so on."""
    turn: dict[str, int] = defaultdict(int)
    turns = []
    for key, _ in lessons:
        turn[key] += 1
        turns.append(turn[key])
    return [lessons[place][1] for place in sorted(range(len(lessons)), key=turns.__getitem__)]


def _drawn(things: list[Thing], most: int, seed: int) -> list[Thing]:
    """At most so many, by chance, in their order."""
    if len(things) <= most:
        return things
    places = np.random.default_rng(seed).permutation(len(things))[:most]
    return [things[place] for place in sorted(places.tolist())]


def _is_known(lesson: Lesson, at: Mapping[str, int], known: NDArray[np.bool_]) -> bool:
    """Whether all its sentences have a vector: encoders of words may give zeros."""
    return all(known[at[text]] for text in lesson.texts if text)


def _placed(lessons: Sequence[Lesson], at: Mapping[str, int]) -> _Taught:
    places = [[at[text or one.opposite] for text in one.texts] for one in lessons]
    return _Taught(
        np.array(places, dtype=np.intp).reshape(-1, 4),
        np.array([bool(one.other) for one in lessons], dtype=bool),
        np.array([one.mates and bool(one.other) for one in lessons], dtype=bool),
    )


def _right(vectors: Vectors, taught: _Taught) -> NDArray[np.float64]:
    """Which of the four questions of each lesson are answered right: the right one is closer than all wrong ones."""
    cosines = vectors @ vectors.transpose(0, 2, 1)
    found = np.zeros((len(vectors), 4))
    for query, right, *wrong in QUESTIONS:
        # Where there is no fourth sentence the third stands twice, so it may be asked for in any case.
        found[:, query] = cosines[:, query, right] > cosines[:, query, wrong].max(axis=1) + TIE_TOLERANCE
    return found


def _pairs_to_hold(rows: Vectors, seed: int) -> Places:
    """Each sentence with its nearest and with as many by chance: similarities of the whole range."""
    rng, count = np.random.default_rng(seed + 2), len(rows)
    near = min(_NEIGHBOURS, count - 1)
    found = []
    for start in range(0, count, _AT_ONCE):
        alike = rows[start : start + _AT_ONCE] @ rows.T
        here = np.arange(start, min(start + _AT_ONCE, count))
        alike[np.arange(len(here)), here] = -np.inf
        nearest = np.argpartition(-alike, near - 1, axis=1)[:, :near]
        chance = (here[:, None] + rng.integers(1, count, (len(here), near))) % count
        for others in (nearest, chance):
            found.append(np.stack([np.repeat(here, near), others.ravel()], axis=1))
    return np.concatenate(found)


def _dots(rows: Vectors, pairs: Places) -> Vectors:
    found: Vectors = np.einsum("ij,ij->i", rows[pairs[:, 0]], rows[pairs[:, 1]])
    return found


def _scaled(kind: AdapterKind, arrays: Arrays, share: float) -> Arrays:
    """The adapter with so much of its change."""
    name = "weights" if kind == "weights" else "up"
    nothing = np.float32(1 if kind == "weights" else 0)
    return {**arrays, name: nothing + np.float32(share) * (arrays[name] - nothing)}


def _copy(arrays: Arrays) -> Arrays:
    return {name: array.copy() for name, array in arrays.items()}


def _figures(look: Look) -> dict[str, float | None]:
    """As adapter.json keeps them."""
    shown = {"quadruples": look.quadruples, "others": look.others, "kept": look.kept}
    return {name: None if value is None else round(value, 6) for name, value in shown.items()}
