"""Naturalness by word counts of the corpus."""

from __future__ import annotations

import random
import subprocess
import sys

from litotes.building.pipeline.collocations import Collocations, token_checksums, tokens


def counted(*texts: str, times: int = 30) -> Collocations:
    counts = Collocations()
    counts.add(token_checksums(texts * times))
    return counts


def test_tokens_are_lower_case_words_and_marks() -> None:
    assert tokens("I can't; you won’t, 3 of us WOULDN'T!") == (
        ["i", "ca", "n't", ";", "you", "wo", "n't", ",", "3", "of", "us", "would", "n't", "!"]
    )


def test_frequent_collocations_are_more_natural() -> None:
    counts = counted("She drinks strong tea.", "He drives a powerful car.", "They have a strong wind.")
    assert counts.naturalness("We like strong tea.", "We like powerful tea.") < -0.5
    assert counts.naturalness("We like powerful tea.", "We like strong tea.") > 0.5


def test_identical_texts_are_equally_natural() -> None:
    counts = counted("She drinks strong tea.")
    assert counts.naturalness("She drinks strong tea.", "She drinks strong tea.") == 0.0
    assert counts.naturalness("She drinks strong tea.", "SHE drinks strong tea.") == 0.0


def test_counts_sentence_boundaries() -> None:
    counts = counted("Yesterday it rained.", "It rained on Monday.", "We left on Monday.", "Yesterday we left.")
    assert counts.naturalness("Monday we sang.", "Yesterday we sang.") > 0.5
    # Half of the sentences begin like this, but no probability exceeds one.
    assert -0.5 < counts._log_likelihood("<", "yesterday") < 0


def test_scores_depend_little_on_the_size_of_the_corpus() -> None:
    """Scores depend on relative frequencies."""
    texts = ("She drinks strong tea.", "The tea was strong.", "He drives a powerful car.")
    pair = ("The tea was strong.", "The tea was good.")
    some, more = counted(*texts, times=300).naturalness(*pair), counted(*texts, times=3_000).naturalness(*pair)
    assert abs(more - some) < 1.2


def test_counts_are_accurate_in_a_table_of_fixed_size() -> None:
    """Counts are compared with plain counting: the table may only overestimate, and rarely does."""
    draw = random.Random(5)
    words = ["".join(draw.choices("abcdefghij", k=5)) for _ in range(3_000)]
    counts, plain = Collocations(), {}
    for _ in range(5_000):
        text = " ".join(draw.choices(words, k=6))
        counts.add(token_checksums([text]))
        for word in text.split():
            plain[word] = plain.get(word, 0) + 1
    result = {word: counts._count(word) for word in plain}
    assert all(result[word] >= often for word, often in plain.items())
    assert sum(result[word] != often for word, often in plain.items()) <= len(plain) / 100


def test_scores_do_not_depend_on_the_process() -> None:
    program = """
from litotes.building.pipeline.collocations import Collocations, token_checksums
counts = Collocations()
for number in range(50):
    counts.add(token_checksums([f"Strong tea is what number {number % 7} drinks."]))
print(repr(counts.naturalness("Strong tea is good.", "Weak tea is good.")))
"""
    results = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(results) == 1
