"""ROUGE and Levenshtein distances compared with values computed by hand and with the package rouge-score."""

from __future__ import annotations

import pytest

from litotes import Item, Suite, load_suite
from litotes.suites.kinds import suite_kind
from litotes.suites.lexical_overlap import levenshtein, normalised_levenshtein, rouge_l, rouge_n, rouge_words, tokens
from litotes.suites.statistics import suite_statistics

ONE, OTHER = "the tall man sold the boat today", "the man sold a boat"


def test_values_computed_by_hand() -> None:
    first, second = ONE.split(), OTHER.split()
    # Seven words and five; common: the, man, sold, boat.
    assert rouge_n(first, second, 1) == pytest.approx(2 * (4 / 7) * (4 / 5) / (4 / 7 + 4 / 5))
    # Six pairs and four; common: man sold.
    assert rouge_n(first, second, 2) == pytest.approx(2 * (1 / 6) * (1 / 4) / (1 / 6 + 1 / 4))
    # the man sold boat
    assert rouge_l(first, second) == pytest.approx(2 * (4 / 7) * (4 / 5) / (4 / 7 + 4 / 5))
    # tall is deleted, the is replaced by a, today is deleted
    assert levenshtein(first, second) == levenshtein(second, first) == 3
    assert normalised_levenshtein(first, second) == pytest.approx(3 / 7)


def test_repeated_words_count_as_often_as_in_both_sentences() -> None:
    assert rouge_n("no no no yes".split(), "no maybe".split(), 1) == pytest.approx(2 * 1 / 6)


def test_longest_common_subsequence_depends_on_the_order() -> None:
    first, second = "a b c d".split(), "c d a b".split()
    assert rouge_n(first, second, 1) == 1.0
    assert rouge_l(first, second) == 0.5


@pytest.mark.parametrize("text", ["", "…", "é"])
def test_sentences_without_common_words(text: str) -> None:
    assert rouge_n(rouge_words(text), rouge_words("word"), 1) == 0.0
    assert rouge_n(rouge_words("word"), rouge_words("word"), 2) == 0.0
    assert rouge_l(rouge_words(text), rouge_words("word")) == 0.0
    assert normalised_levenshtein([], []) == 0.0
    assert normalised_levenshtein(tokens(text), tokens("word")) == 1.0


def test_values_of_the_rouge_score_package() -> None:
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rouge1", "rouge2", "rougeL"])
    for item in load_suite("semantoneg-mini").items[:200]:
        first, second = item.sentences["input"], item.sentences["both"]
        expected = scorer.score(first, second)
        left, right = rouge_words(first), rouge_words(second)
        actual = [rouge_n(left, right, 1), rouge_n(left, right, 2), rouge_l(left, right)]
        assert actual == pytest.approx([expected[name].fmeasure for name in ("rouge1", "rouge2", "rougeL")])


def test_suite_statistics() -> None:
    rows = [
        ("She closed the gate.", "She shut the gate.", "She did not close the gate."),
        ("She closed the gate.", "She shut the gate.", "She never closed the gate."),
    ]
    kind = suite_kind("negation-detection")
    items = [Item(str(number), "", dict(zip(kind.roles, row, strict=True))) for number, row in enumerate(rows)]
    statistics = suite_statistics(Suite("two", kind, items, sha256=""))
    assert (statistics.anchor, statistics.anchor_words, statistics.items) == ("original", 4.0, 2)
    synonym, negated = statistics.roles
    assert (synonym.role, synonym.pairs, negated.pairs) == ("synonym", 1, 2)
    assert synonym.rouge_1 == synonym.rouge_l == pytest.approx(0.75)
    assert synonym.rouge_2 == pytest.approx(1 / 3)
    assert synonym.levenshtein == pytest.approx(1 / 5)  # the full stop is a token
    assert negated.words == 5.5
    assert negated.levenshtein == pytest.approx((3 / 7 + 1 / 6) / 2)
    mean = statistics.mean()
    assert mean.words == pytest.approx((4 + 4 + 5.5) / 3)
    assert mean.levenshtein == pytest.approx((synonym.levenshtein + negated.levenshtein) / 2)
    assert statistics.to_dict()["mean"]["pairs"] == 3
