"""The plan of steps: decided by the seed, of like length, no pair twice."""

from __future__ import annotations

from collections import Counter

import numpy as np

from litotes.repair.examples.base import QUADRUPLE, Lesson
from litotes.repair.examples.batches import QUADRUPLE_SHARE, plan_batches


def made_lessons(count: int = 600, pairs: int = 60, others: int = 300) -> list[Lesson]:
    rng = np.random.default_rng(1)
    # One pair has half of the quadruples.
    names = [0 if rng.random() < 0.5 else int(rng.integers(1, pairs)) for _ in range(count)]
    quadruples = [
        Lesson(QUADRUPLE, f"q{n}", f"q{n} same", f"q{n} opp", f"q{n} other", pair=f"pair{p}", mates=True)
        for n, p in enumerate(names)
    ]
    return [*quadruples, *(Lesson("synonym", f"s{n}", f"s{n} same", f"s{n} opp") for n in range(others))]


def plan(seed: int = 0, steps: int = 200, **more: int):
    lessons = made_lessons(**more)
    lengths = [5 + n % 20 for n in range(len(lessons))]
    ordinary = [4 + n % 30 for n in range(400)]
    return lessons, lengths, ordinary, plan_batches(lessons, lengths, ordinary, steps=steps, size=16, seed=seed)


def test_the_seed_decides() -> None:
    assert plan()[3] == plan()[3]
    assert plan()[3] != plan(seed=1)[3]
    # A longer plan begins like a shorter one.
    assert plan(steps=50)[3] == plan(steps=200)[3][:50]


def test_no_pair_twice_in_a_step() -> None:
    lessons, _, _, batches = plan()
    for batch in batches:
        pairs = Counter(lessons[place].pair for place in batch.lessons if lessons[place].pair)
        assert len(batch.lessons) == len(batch.ordinary) == 16
        assert max(pairs.values()) == 1


def test_like_lengths_come_together() -> None:
    _, lengths, ordinary, batches = plan()
    spread = np.mean([np.ptp([lengths[place] for place in batch.lessons]) for batch in batches])
    plain = np.mean([np.ptp([ordinary[place] for place in batch.ordinary]) for batch in batches])
    assert spread < 5 and plain < 8  # 19 and 29 if they were drawn from all


def test_other_kinds_have_their_share_and_rare_pairs_come_up() -> None:
    lessons, _, _, batches = plan(steps=400)
    drawn = Counter(lessons[place].kind for batch in batches for place in batch.lessons)
    share = drawn[QUADRUPLE] / sum(drawn.values())
    assert abs(share - QUADRUPLE_SHARE) < 0.1
    pairs = Counter(lessons[place].pair for batch in batches for place in batch.lessons if lessons[place].pair)
    # Half of all quadruples are of one pair, far fewer of those that are learned.
    assert pairs["pair0"] / sum(pairs.values()) < 0.25
    assert len(pairs) > 55


def test_few_lessons_make_small_batches() -> None:
    lessons = made_lessons(3, 2, 0)
    batches = plan_batches(lessons, [5] * 3, [5, 6], steps=4, size=16, seed=0)
    assert all(1 <= len(batch.lessons) <= 3 and len(batch.ordinary) == len(batch.lessons) for batch in batches)
