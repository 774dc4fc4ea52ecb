"""Batches: reproducible by seed, similar lengths, no repeated antonym pairs."""

from __future__ import annotations

from collections import Counter

import numpy as np

from litotes.repair.examples.base import QUADRUPLE, TrainingExample
from litotes.repair.examples.batches import QUADRUPLE_SHARE, plan_batches


def create_examples(count: int = 600, pairs: int = 60, n_others: int = 300) -> list[TrainingExample]:
    rng = np.random.default_rng(1)
    # Half of the quadruples belong to one pair.
    names = [0 if rng.random() < 0.5 else int(rng.integers(1, pairs)) for _ in range(count)]
    quadruples = [
        TrainingExample(
            QUADRUPLE, f"q{n}", f"q{n} same", f"q{n} opp", f"q{n} other", antonym_pair=f"pair{p}", is_quadruple=True
        )
        for n, p in enumerate(names)
    ]
    return [*quadruples, *(TrainingExample("synonym", f"s{n}", f"s{n} same", f"s{n} opp") for n in range(n_others))]


def plan(seed: int = 0, steps: int = 200, **more: int):
    examples = create_examples(**more)
    lengths = [5 + n % 20 for n in range(len(examples))]
    general = [4 + n % 30 for n in range(400)]
    return examples, lengths, general, plan_batches(examples, lengths, general, steps=steps, size=16, seed=seed)


def test_plan_depends_on_the_seed() -> None:
    assert plan()[3] == plan()[3]
    assert plan()[3] != plan(seed=1)[3]
    # A longer plan begins with the shorter one.
    assert plan(steps=50)[3] == plan(steps=200)[3][:50]


def test_batches_contain_each_antonym_pair_once() -> None:
    examples, _, _, batches = plan()
    for batch in batches:
        pairs = Counter(examples[index].antonym_pair for index in batch.examples if examples[index].antonym_pair)
        assert len(batch.examples) == len(batch.general) == 16
        assert max(pairs.values()) == 1


def test_batches_contain_similar_lengths() -> None:
    _, lengths, general, batches = plan()
    spread = np.mean([np.ptp([lengths[index] for index in batch.examples]) for batch in batches])
    general_spread = np.mean([np.ptp([general[index] for index in batch.general]) for batch in batches])
    assert spread < 5 and general_spread < 8  # 19 and 29 if they were kinds from all


def test_kinds_have_their_share_and_rare_pairs_are_drawn() -> None:
    examples, _, _, batches = plan(steps=400)
    kinds = Counter(examples[index].kind for batch in batches for index in batch.examples)
    share = kinds[QUADRUPLE] / sum(kinds.values())
    assert abs(share - QUADRUPLE_SHARE) < 0.1
    pairs = Counter(
        examples[index].antonym_pair for batch in batches for index in batch.examples if examples[index].antonym_pair
    )
    # Half of all quadruples belong to one pair, but far fewer of those in the plan.
    assert pairs["pair0"] / sum(pairs.values()) < 0.25
    assert len(pairs) > 55


def test_few_examples_give_small_batches() -> None:
    examples = create_examples(3, 2, 0)
    batches = plan_batches(examples, [5] * 3, [5, 6], steps=4, size=16, seed=0)
    assert all(1 <= len(batch.examples) <= 3 and len(batch.general) == len(batch.examples) for batch in batches)
