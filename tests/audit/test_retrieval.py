"""Retrieval ranks, compared with manual counts and with plain loops in double precision."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from litotes.audit import retrieval as module
from litotes.audit.result import RetrievalMetrics
from litotes.audit.retrieval import answer_queries, measure_retrieval
from litotes.audit.similarities import measure_similarities
from litotes.evaluation.statistics import wilson_interval
from litotes.evaluation.vector_cache import VectorCache
from tests.audit.fixed_variants import FixedVariants, TableEncoder, random_case

QUIET = {"cache": None, "workers": 1, "progress": None}


def ask(encoder: TableEncoder, variants: FixedVariants, queries: int = 1000, seed: int = 0):
    similarities = measure_similarities(encoder, variants, **QUIET)
    results = answer_queries(encoder, variants, similarities, queries=queries, seed=seed, **QUIET)
    return measure_retrieval(results, similarities)


def turned(degrees: float) -> list[float]:
    return [np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]


def test_ranks_match_manual_counts() -> None:
    # Two sentences at 0° and 40°. The first's query lies at 10°, its opposite at 15°; the second's at 30° and 60°.
    encoder = TableEncoder(
        {
            "a": turned(0),
            "b": turned(40),
            "not a": turned(15),
            "not b": turned(60),
            "a again": turned(10),
            "b again": turned(30),
        }
    )
    variants = FixedVariants(
        ["a", "b"], {"negation": {0: "not a", 1: "not b"}, "synonym": {0: "a again"}, "passive": {1: "b again"}}
    )
    every, synonym, passive = ask(encoder, variants)
    assert synonym == RetrievalMetrics(
        "synonym", 1, 0.0, wilson_interval(0.0, 1), 0.5, wilson_interval(0.5, 1), 1.0, 0.0
    )
    assert passive == RetrievalMetrics(
        "passive", 1, 1.0, wilson_interval(1.0, 1), 1.0, wilson_interval(1.0, 1), 1.0, 1.0
    )
    assert (every.rule, every.queries, every.paired, every.mrr, every.mrr_without_opposites, every.top_1) == (
        "all",
        2,
        0.5,
        0.75,
        1.0,
        0.5,
    )


def test_ties_count_against_the_original_but_the_query_is_excluded() -> None:
    encoder = TableEncoder(
        {"a": turned(0), "twin": turned(0), "far": turned(170), "not a": turned(0), "a again": turned(20)}
    )
    # The query is in the corpus as well: as an entry it would be the closest.
    variants = FixedVariants(["a", "twin", "a again", "far"], {"antonym": {0: "not a"}, "contraction": {0: "a again"}})
    every, _ = ask(encoder, variants)
    assert (every.paired, every.top_1) == (0.0, 0.0)
    assert every.mrr_without_opposites == 1 / 2  # after its twin
    assert every.mrr == 1 / 3  # and after its opposite


def test_two_opposites_count_half_each_and_both_are_indexed() -> None:
    encoder = TableEncoder(
        {"a": turned(0), "not a": turned(5), "un-a": turned(60), "a again": turned(10), "far": turned(200)}
    )
    variants = FixedVariants(
        ["a", "far"], {"negation": {0: "not a"}, "antonym": {0: "un-a"}, "synonym": {0: "a again"}}
    )
    assert [(row.paired, row.mrr) for row in ask(encoder, variants)] == [(0.5, 0.5)] * 2


def test_opposite_in_the_corpus_is_indexed_once() -> None:
    encoder = TableEncoder({"a": turned(0), "not a": turned(9), "a again": turned(8)})
    variants = FixedVariants(["a", "not a"], {"negation": {0: "not a"}, "synonym": {0: "a again"}})
    every, _ = ask(encoder, variants)
    assert (every.mrr, every.mrr_without_opposites, every.paired) == (0.5, 0.5, 0.0)


def test_no_queries_give_no_result() -> None:
    encoder = TableEncoder({"a": turned(0), "not a": turned(9), "again": turned(3)})
    assert ask(encoder, FixedVariants(["a"], {"negation": {0: "not a"}})) == ()
    both = FixedVariants(["a"], {"negation": {0: "again"}, "synonym": {0: "again"}})
    assert ask(encoder, both) == ()  # the same text as paraphrase and as opposite
    variants = FixedVariants(["a"], {"negation": {0: "not a"}, "synonym": {0: "again"}})
    assert ask(encoder, variants, queries=0) == ()


def by_loops(encoder: TableEncoder, variants: FixedVariants) -> dict[str, list[tuple[float, float, float, bool]]]:
    """Return for each query its paired credit, both reciprocal ranks and whether it is first, by plain loops."""

    def cosine(first: str, second: str) -> np.float32:
        a, b = encoder.encode([first, second]).astype(np.float64)
        return np.float32(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    opposites = {
        index: [variants.by_rule[rule][index] for rule in ("negation", "antonym") if index in variants.by_rule[rule]]
        for index in range(len(variants.sentences))
    }
    sames = ("synonym", "negated_antonym", "passive", "contraction")
    queries = [(rule, index, text) for rule in sames for index, text in variants.of_rule(rule) if opposites[index]]
    inserted = list(itertools.chain.from_iterable(opposites[p] for p in sorted({index for _, index, _ in queries})))
    result: dict[str, list[tuple[float, float, float, bool]]] = {"all": []}
    for rule, index, text in queries:
        original = variants.sentences[index]
        own = cosine(text, original)
        plain = sum(cosine(text, second) >= own for second in variants.sentences if second not in (text, original))
        more = sum(cosine(text, second) >= own for second in inserted if second != text)
        paired = np.mean([own > cosine(text, second) for second in opposites[index]])
        row = (float(paired), 1 / (1 + plain), 1 / (1 + plain + more), plain + more == 0)
        result["all"].append(row)
        result.setdefault(rule, []).append(row)
    return result


@pytest.mark.parametrize("sizes", [(256, 16_384), (7, 5)])
def test_ranks_match_a_plain_loop(sizes: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_QUERY_BATCH", sizes[0])
    monkeypatch.setattr(module, "_ENTRY_BATCH", sizes[1])
    variants, encoder = random_case(45, 6)
    expected = by_loops(encoder, variants)
    result = ask(encoder, variants)
    assert [row.rule for row in result] == ["all", "synonym", "negated_antonym", "passive", "contraction"]
    assert 0.1 < result[0].top_1 < 0.9  # not a trivial case
    for row in result:
        paired, plain, mrr, first = np.mean(expected[row.rule], axis=0)
        assert row.queries == len(expected[row.rule])
        assert (row.paired, row.mrr, row.mrr_without_opposites, row.top_1) == pytest.approx((paired, mrr, plain, first))
        assert row.paired_ci[0] <= row.paired <= row.paired_ci[1]
        assert row.mrr_ci[0] <= row.mrr <= row.mrr_ci[1] < 1


def test_ranks_are_exact_beyond_single_precision() -> None:
    """The cosines differ by less than the rounding error of single precision."""
    generator = np.random.default_rng(5)
    width, count = 300, 400
    centre = generator.standard_normal(width)
    rows = (centre + 1e-4 * generator.standard_normal((count, width))).astype(np.float32)
    rows[1::2] = rows[::2]  # twins
    query = centre + 0.3 * generator.standard_normal(width)
    query = (query / np.linalg.norm(query)).astype(np.float32)
    sentences = [f"s{number}" for number in range(count)]
    encoder = TableEncoder({**dict(zip(sentences, rows, strict=True)), "not": -query, "query": query})
    for index in (0, 17, 200):
        variants = FixedVariants(sentences, {"negation": {index: "not"}, "synonym": {index: "query"}})
        vectors = measure_similarities(encoder, variants, **QUIET).vectors
        exact = vectors.astype(np.float64) @ query / np.linalg.norm(vectors.astype(np.float64), axis=1)
        exact = (exact / np.linalg.norm(query.astype(np.float64))).astype(np.float32)
        single = vectors @ query
        rank = np.count_nonzero(exact >= exact[index])
        assert rank != np.count_nonzero(single >= single[index])
        assert 1 / ask(encoder, variants)[0].mrr == pytest.approx(rank)


def test_queries_do_not_depend_on_the_encoder() -> None:
    variants, encoder = random_case(60, 6)
    one, two = (
        answer_queries(each, variants, measure_similarities(each, variants, **QUIET), queries=30, seed=4, **QUIET)
        for each in (encoder, TableEncoder({text: np.abs(row) for text, row in encoder.table.items()}))
    )
    assert one.rules == two.rules
    assert one.originals.tolist() == two.originals.tolist()
    figures = ask(encoder, variants, queries=30, seed=4)[0]
    assert (figures.paired, figures.mrr) == pytest.approx((one.paired.mean(), (1 / one.rank).mean()))
    assert figures.mrr_without_opposites == pytest.approx((1 / one.rank_without_opposites).mean())
    assert (one.rank >= one.rank_without_opposites).all()


def test_sample_depends_on_the_seed() -> None:
    variants, encoder = random_case(200, 6)
    first, again, second = (ask(encoder, variants, queries=60, seed=seed) for seed in (1, 1, 2))
    assert first == again != second
    assert first[0].queries == 60
    assert sum(row.queries for row in first[1:]) == 60
    assert ask(encoder, variants, queries=10**6, seed=1) == ask(encoder, variants, queries=10**6, seed=2)


def test_measured_sentences_are_not_encoded_again(tmp_path: Path) -> None:
    variants, encoder = random_case(50, 6)
    with VectorCache(tmp_path, encoder.name, encoder.fingerprint, pytest.fail) as cache:
        result = measure_similarities(encoder, variants, cache=cache, workers=1, progress=None)
        encoder.encoded.clear()
        results = answer_queries(encoder, variants, result, queries=40, seed=0, cache=cache, workers=1, progress=None)
        cached = measure_retrieval(results, result)
    assert encoder.encoded == []
    assert cached == ask(encoder, variants, queries=40)


def test_unknown_sentence_is_ranked_last() -> None:
    table = {"a": [0, 0], "b": turned(0), "c": turned(90), "not a": turned(10), "again": turned(80)}
    variants = FixedVariants(["a", "b", "c"], {"negation": {0: "not a"}, "synonym": {0: "again"}})
    every, _ = ask(TableEncoder(table, allows_zero_vectors=True), variants)
    assert (every.mrr_without_opposites, every.mrr, every.paired) == (pytest.approx(1 / 3), pytest.approx(1 / 4), 0.0)
