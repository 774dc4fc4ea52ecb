"""General quality: correlations and ranks, compared with manual calculations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from litotes.core.errors import LitotesError
from litotes.corpora.pairs import MIN_PAIRS, ScoredPair, read_scored_pairs
from litotes.evaluation.statistics import spearman
from litotes.repair import general_quality
from litotes.repair.general_quality import (
    ParaphraseSearch,
    evaluation_sentences,
    first_ranks,
    read_paraphrase_search,
    read_sentences,
    search_changes,
    sts_change,
)

ROWS = [(f"Ann has {n} cats.", f"There are {n} cats at Ann's.", n % 6 * 1.0) for n in range(2, 14)]


def unit_vector(degrees: float) -> list[float]:
    return [np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]


def lookup(rows):
    """An encoder that returns given vectors."""
    return lambda texts: np.array([rows[text] for text in texts], dtype=np.float32)


# Files


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


@pytest.mark.parametrize("name", ["stsb-dev.csv", "mine.csv", "mine.tsv", "mine.txt"])
@pytest.mark.parametrize("header", [True, False])
def test_reads_scores_with_and_without_header(tmp_path: Path, name: str, header: bool) -> None:
    separator = "," if name.endswith(".csv") else "\t"
    lines = [separator.join(map(str, row)) for row in ROWS]
    path = write(tmp_path / name, [separator.join(("sentence1", "sentence2", "score")), *lines] if header else lines)
    assert read_scored_pairs(path) == [ScoredPair(*row) for row in ROWS]
    assert read_sentences(path) == [text for first, second, _ in ROWS for text in (first, second)]


def test_evaluation_sentences_come_from_both_files(tmp_path: Path) -> None:
    for index in ("one", "other"):
        (tmp_path / index).mkdir()
    scored = write(tmp_path / "one" / "dev.csv", [f"{first},{second},{score}" for first, second, score in ROWS])
    pairs = write(tmp_path / "other" / "dev.csv", [f"One {n}.,Other {n}." for n in range(12)])
    sentences = evaluation_sentences(scored, pairs)
    assert sentences == {"dev.csv": [*read_sentences(scored), *read_sentences(pairs)]}
    assert evaluation_sentences(scored, None) == {"dev.csv": read_sentences(scored)}
    assert evaluation_sentences(None, None) == {}
    with pytest.raises(LitotesError, match="two sentences and a score"):
        evaluation_sentences(pairs, None)
    with pytest.raises(LitotesError, match="are paraphrases"):
        evaluation_sentences(None, scored)


def test_unreadable_lines_are_skipped_with_a_warning(tmp_path: Path) -> None:
    lines = [f"{first},{second},{score}" for first, second, score in ROWS]
    path = write(tmp_path / "sts.csv", [*lines, "It ends here.", "No number.,None.,much"])
    messages: list[str] = []
    assert len(read_scored_pairs(path, messages.append)) == len(ROWS)
    assert "2 lines skipped" in messages[0] and "sts.csv:13" in messages[0]


@pytest.mark.parametrize(
    ("name", "lines", "code", "says"),
    [
        ("plain.txt", ["The door is open."] * 20, "L203", "two sentences and a score"),
        ("pairs.csv", ["The door is open.,It is open."] * 20, "L203", "two sentences and a score"),
        ("short.csv", ["It is on.,It runs.,4.0", "It is off.,It runs.,1.0"], "L204", "has 2 scored pairs"),
        ("equal.csv", [f"{first},{second},3" for first, second, _ in ROWS], "L203", "the same score, 3"),
        ("empty.csv", [], "L204", "no sentence could be read"),
        ("nan.csv", [f"{first},{second},nan" for first, second, _ in ROWS], "L204", "no sentence could be read"),
    ],
)
def test_files_without_scored_pairs_are_rejected(
    tmp_path: Path, name: str, lines: list[str], code: str, says: str
) -> None:
    with pytest.raises(LitotesError, match=says) as caught:
        read_scored_pairs(write(tmp_path / name, lines))
    assert caught.value.code == code and name in str(caught.value)


def test_missing_files_and_folders_are_rejected(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        for read in (read_scored_pairs, read_paraphrase_search, read_sentences):
            with pytest.raises(LitotesError, match=r"no such file|is a folder"):
                read(path)


def test_pairs_with_high_scores_are_paraphrases(tmp_path: Path) -> None:
    rows = [(f"One {n}.", f"Other {n}.", 4 if n < 12 else 3.9) for n in range(15)]
    path = write(tmp_path / "sts.csv", [f"{a},{b},{c}" for a, b, c in [*rows, ("Twin.", "Twin.", 5)]])
    search = read_paraphrase_search(path)
    # The corpus includes all pairs; a pair of identical texts is not a query.
    assert search.queries == tuple(f"One {n}." for n in range(12))
    assert search.texts == (*(f"Other {n}." for n in range(15)), "Twin.")
    assert search.correct == tuple((n,) for n in range(12))


def test_reads_paraphrases_of_mrpc(tmp_path: Path) -> None:
    rows = [f"{n % 2}\t{n}\t{n}a\tOne {n // 4}.\tOther {n}." for n in range(80)]
    search = read_paraphrase_search(
        write(tmp_path / "train.txt", ["Quality\t#1 ID\t#2 ID\t#1 String\t#2 String", *rows])
    )
    assert len(search.queries) == 20 and len(search.texts) == 80
    assert search.correct[:2] == ((1, 3), (5, 7))


def test_pairs_without_scores_are_paraphrases(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.tsv", [f"One {n}.\tOther {n}." for n in range(MIN_PAIRS)])
    assert len(read_paraphrase_search(path).queries) == MIN_PAIRS


def test_other_labels_are_rejected(tmp_path: Path) -> None:
    lines = [f'{{"premise": "One {n}.", "hypothesis": "Other {n}.", "label": "neutral"}}' for n in range(12)]
    with pytest.raises(LitotesError, match='"neutral" does not say'):
        read_paraphrase_search(write(tmp_path / "nli.jsonl", lines))


def test_too_few_paraphrases_are_rejected(tmp_path: Path) -> None:
    path = write(tmp_path / "sts.csv", [f"{first},{second},{score}" for first, second, score in ROWS])
    with pytest.raises(LitotesError, match="4 of 12 pairs are paraphrases"):
        read_paraphrase_search(path)


# Spearman's correlation


def noisy(noise: float, seed: int, count: int = 120) -> tuple[list[ScoredPair], dict[str, list[float]]]:
    """Return pairs whose angles correlate with their scores."""
    generator = np.random.default_rng(seed)
    pairs = [ScoredPair(f"one {n}", f"other {n}", float(n % 6)) for n in range(count)]
    rows = {}
    for pair in pairs:
        rows[pair.left] = unit_vector(0)
        rows[pair.right] = unit_vector(10 * (5 - pair.score) + noise * abs(generator.normal()))
    return pairs, rows


def test_detects_a_lower_correlation() -> None:
    pairs, good = noisy(1, seed=0)
    _, bad = noisy(60, seed=1)
    change = sts_change(pairs, lookup(good), lookup(bad))
    gold = [pair.score for pair in pairs]
    angles = [np.dot(bad[pair.left], bad[pair.right]) for pair in pairs]
    assert change.metric == "STS: Spearman" and change.n_items == 120 and change.better == "higher"
    assert change.before > 0.97
    assert change.after == pytest.approx(scipy.stats.spearmanr(gold, angles).statistic, abs=1e-6)
    assert change.ci is not None and change.ci[1] < 0 and change.p is not None and change.p < 0.001
    assert change.ci[0] < change.after - change.before < change.ci[1]


def test_interval_equals_ranking_every_resample_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(general_quality, "RESAMPLES", 200)
    pairs, old = noisy(20, seed=2, count=40)
    _, new = noisy(20, seed=5, count=40)
    change = sts_change(pairs, lookup(old), lookup(new))
    gold = np.array([pair.score for pair in pairs])
    one, two = (np.array([np.dot(rows[pair.left], rows[pair.right]) for pair in pairs]) for rows in (old, new))
    generator = np.random.default_rng(0)
    resamples = [generator.integers(0, 40, size=40) for _ in range(200)]
    differences = [
        (spearman(gold[those], two[those]) or 0) - (spearman(gold[those], one[those]) or 0) for those in resamples
    ]
    assert change.ci == pytest.approx(tuple(np.quantile(differences, [0.025, 0.975])), abs=1e-6)


def test_identical_models_show_no_change() -> None:
    pairs, rows = noisy(30, seed=4, count=30)
    change = sts_change(pairs, lookup(rows), lookup(rows))
    assert change.before == change.after and change.ci == (0, 0) and change.p == 1


# Paraphrase search


SEARCH = ParaphraseSearch(("a", "b", "c"), ("a'", "b'", "c'", "far", "a"), ((0,), (1, 3), (2,)))
SEARCH_VECTORS = {
    "a": unit_vector(0),
    "b": unit_vector(50),
    "c": unit_vector(100),
    "a'": unit_vector(10),
    "b'": unit_vector(80),
    "far": unit_vector(55),
    "c'": unit_vector(140),
}


def test_ranks_match_manual_calculation() -> None:
    # a: itself is excluded, a' at 10° is next. b: "far" at 5° is also correct and first. c: b' at 20°, then c' at 40°,
    # but "far" at 45° comes after it.
    assert first_ranks(SEARCH, lookup(SEARCH_VECTORS)).tolist() == [1, 1, 2]


def test_ties_count_against_the_correct_text() -> None:
    rows = {**SEARCH_VECTORS, "c'": unit_vector(80)}  # at the same distance from c as b'
    assert first_ranks(SEARCH, lookup(rows))[2] == 2


def test_search_changes() -> None:
    better = {**SEARCH_VECTORS, "c'": unit_vector(101)}
    first, mrr = search_changes(SEARCH, lookup(SEARCH_VECTORS), lookup(better))
    assert (first.metric, first.before, first.after) == ("paraphrases: accuracy@1", pytest.approx(2 / 3), 1)
    assert (mrr.metric, mrr.before, mrr.after, mrr.n_items) == ("paraphrases: MRR", pytest.approx(2.5 / 3), 1, 3)
