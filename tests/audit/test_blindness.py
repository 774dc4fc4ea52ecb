"""Blindness, compared with manual counts and plain loops."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from litotes import LitotesError
from litotes.audit.blindness import blind_shares, measure_blindness, measure_distributions
from litotes.audit.result import Blindness, WorstCase
from litotes.audit.similarities import measure_similarities
from litotes.evaluation.statistics import wilson_interval
from tests.audit.fixed_variants import of_numbers, random_case

# Sentence 0: two opposites and two paraphrases; 1: a tie; 2: no paraphrase; 3: not blind; 4: no opposite.
SMALL = {
    "negation": {0: 0.9, 1: 0.75, 2: 0.99},
    "antonym": {0: 0.5, 3: 0.25},
    "synonym": {0: 0.8, 1: 0.75, 4: 0.5},
    "passive": {0: 0.95, 3: 0.5},
    "typo": {0: 0.1},
}


def test_rates_match_manual_counts() -> None:
    rows, _ = measure_blindness(*of_numbers(5, SMALL))
    counted = {(row.opposite, row.same): (row.sentences, row.rate, row.ties) for row in rows}
    assert counted == {
        # Sentence 0 is blind in one of its four pairs, 1 in its only pair, 3 in none.
        ("all", "all"): (3, pytest.approx((0.25 + 1 + 0) / 3), 1),
        ("negation", "all"): (2, (0.5 + 1) / 2, 1),
        ("antonym", "all"): (2, 0.0, 0),
        ("all", "synonym"): (2, (0.5 + 1) / 2, 1),
        ("all", "passive"): (2, 0.0, 0),
        ("negation", "synonym"): (2, 1.0, 1),
        ("negation", "passive"): (1, 0.0, 0),
        ("antonym", "synonym"): (1, 0.0, 0),
        ("antonym", "passive"): (2, 0.0, 0),
    }
    assert next(iter(counted)) == ("all", "all")


def test_sentence_rates_match_the_rows() -> None:
    result, variants = of_numbers(5, SMALL)
    indices, shares = blind_shares(result)
    assert (indices.tolist(), shares.tolist()) == ([0, 1, 3], [0.25, 1.0, 0.0])
    indices, shares = blind_shares(result, "antonym")
    assert (indices.tolist(), shares.tolist()) == ([0, 3], [0.0, 0.0])
    for row in measure_blindness(result, variants)[0]:
        if row.same == "all":
            assert blind_shares(result, row.opposite)[1].mean() == pytest.approx(row.rate)


def test_pairs_without_data_have_no_row() -> None:
    rows, _ = measure_blindness(
        *of_numbers(3, {"negation": {0: 0.5}, "antonym": {2: 0.5}, "synonym": {0: 0.5}, "passive": {1: 1}})
    )
    assert [(row.opposite, row.same) for row in rows] == [
        ("all", "all"),
        ("negation", "all"),
        ("all", "synonym"),
        ("negation", "synonym"),
    ]


def test_intervals_contain_the_rate_and_have_a_width_at_zero_and_one() -> None:
    generator = np.random.default_rng(0)
    count = 400
    opposite = dict(enumerate(generator.uniform(0, 1, count)))
    rows, _ = measure_blindness(*of_numbers(count, {"negation": opposite, "synonym": dict.fromkeys(range(count), 0.7)}))
    spread = (rows[0].rate * (1 - rows[0].rate) / count) ** 0.5
    assert rows[0].ci == pytest.approx((rows[0].rate - 1.96 * spread, rows[0].rate + 1.96 * spread), abs=0.01)
    always = {"negation": dict.fromkeys(range(20), 0.9), "synonym": dict.fromkeys(range(20), 0.5)}
    (row, *_), _ = measure_blindness(*of_numbers(20, always))
    assert row == Blindness("all", "all", 20, 1.0, wilson_interval(1.0, 20), 0)
    assert row.ci[0] < 0.9


def test_worst_pairs_are_sorted_distinct_and_blind() -> None:
    _, worst = measure_blindness(*of_numbers(5, SMALL))
    assert worst == (
        WorstCase(
            "sentence 0",
            "negation 0",
            "negation",
            float(np.float32(0.9)),
            "synonym 0",
            "synonym",
            float(np.float32(0.8)),
        ),
        WorstCase("sentence 1", "negation 1", "negation", 0.75, "synonym 1", "synonym", 0.75),
    )


def test_worst_pairs_are_limited_to_fifty_in_text_order_for_ties() -> None:
    numbers = {"negation": dict.fromkeys(range(80), 0.75), "synonym": dict.fromkeys(range(80), 0.5)}
    numbers["negation"][70] = 1.0
    _, worst = measure_blindness(*of_numbers(80, numbers))
    assert [one.text for one in worst] == ["sentence 70", *(f"sentence {index}" for index in range(49))]


def test_rates_match_a_plain_loop() -> None:
    variants, encoder = random_case(120, 8)
    result = measure_similarities(encoder, variants, cache=None, workers=1, progress=None)
    cosine = {
        (rule, int(index)): value
        for rule in result.indices
        for index, value in zip(result.indices[rule], result.values[rule], strict=True)
    }
    opposites, sames = ["negation", "antonym"], ["synonym", "negated_antonym", "passive", "contraction"]
    rows, worst = measure_blindness(result, variants)
    assert len(rows) == 1 + 2 + 4 + 8
    for row in rows:
        left = opposites if row.opposite == "all" else [row.opposite]
        right = sames if row.same == "all" else [row.same]
        credits, ties = [], 0
        for index in range(120):
            pairs = [
                (cosine[o, index], cosine[s, index])
                for o, s in itertools.product(left, right)
                if (o, index) in cosine and (s, index) in cosine
            ]
            if pairs:
                credits.append(sum(o >= s for o, s in pairs) / len(pairs))
            ties += sum(o == s for o, s in pairs)
        assert (row.sentences, row.ties) == (len(credits), ties)
        assert row.rate == pytest.approx(np.mean(credits))
        assert row.ci[0] <= row.rate <= row.ci[1]
    margins = [one.opposite_similarity - one.same_similarity for one in worst]
    assert margins == sorted(margins, reverse=True)
    assert len({one.text for one in worst}) == len(worst)
    for one in worst:
        index = int(one.text.split()[1])
        assert one.opposite == variants.by_rule[one.opposite_rule][index]
        assert one.same == variants.by_rule[one.same_rule][index]
        assert one.same_similarity == cosine[one.same_rule, index]
    best = max(
        float(cosine[o, index]) - float(cosine[s, index])
        for o, s in itertools.product(opposites, sames)
        for index in range(120)
        if (o, index) in cosine and (s, index) in cosine
    )
    assert margins[0] == best


@pytest.mark.parametrize("numbers", [{}, {"negation": {0: 1}}, {"negation": {0: 1}, "synonym": {1: 1}}])
def test_empty_input_is_an_error(numbers: dict[str, dict[int, float]]) -> None:
    with pytest.raises(LitotesError, match=r"\[L204\] no sentence has both"):
        measure_blindness(*of_numbers(2, numbers))


def test_distributions_have_common_bins() -> None:
    result, _ = of_numbers(5, {"negation": {0: 0.953, 1: 0.9375, 2: 1.0}, "typo": {0: 0.913, 1: 0.995}})
    bins, (negation, typo) = measure_distributions(result)
    assert bins == (0.9, 0.92, 0.94, 0.96, 0.98, 1.0)
    assert negation.histogram == (0, 1, 1, 0, 1)
    assert typo.histogram == (1, 0, 0, 0, 1)
    assert (negation.rule, negation.relation, negation.count) == ("negation", "opposite", 3)
    assert (typo.relation, typo.mean) == ("noise", pytest.approx(0.954))
    assert negation.quantiles == pytest.approx((0.93905, 0.94525, 0.953, 0.9765, 0.9953))


def test_distributions_include_negative_similarities_and_all_pairs() -> None:
    generator = np.random.default_rng(1)
    values = dict(enumerate(generator.uniform(-0.31, 1, 500)))
    bins, (one,) = measure_distributions(of_numbers(500, {"passive": values})[0])
    assert bins[0] == -0.32 and bins[-1] == 1.0
    assert np.allclose(np.diff(bins), 0.02)
    counts, _ = np.histogram(np.array(list(values.values()), dtype=np.float32).astype(float), bins)
    assert one.histogram == tuple(counts)
    assert sum(one.histogram) == one.count == 500


def test_equal_similarities_have_a_bin() -> None:
    bins, (one,) = measure_distributions(of_numbers(2, {"negation": {0: 1.0, 1: 1.0}})[0])
    assert (bins, one.histogram) == ((0.98, 1.0), (2,))
