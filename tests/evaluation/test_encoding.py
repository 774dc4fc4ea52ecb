from __future__ import annotations

import random

from litotes.evaluation.encoding import plan_batches


def padded(batch: list[int], lengths: list[int]) -> int:
    return len(batch) * max(lengths[index] for index in batch)


def test_batches_contain_every_sentence_once_within_the_budget() -> None:
    lengths = [random.Random(1).randint(3, 60) for _ in range(3000)]
    batches = plan_batches(lengths, 1024)
    assert sorted(index for batch in batches for index in batch) == list(range(3000))
    assert all(padded(batch, lengths) <= 1024 for batch in batches)


def test_batches_have_little_padding() -> None:
    generator = random.Random(2)
    lengths = [min(40, int(generator.gammavariate(9, 1)) + 3) for _ in range(3000)]
    batches = plan_batches(lengths, 1024)
    waste = sum(padded(batch, lengths) for batch in batches) / sum(lengths) - 1
    assert waste < 0.02


def test_longest_sentences_come_first_and_exceed_the_budget_alone() -> None:
    batches = plan_batches([5, 5000, 5], 1024)
    assert batches == [[1], [0, 2]]


def test_no_sentences_give_no_batches() -> None:
    assert plan_batches([], 1024) == []
