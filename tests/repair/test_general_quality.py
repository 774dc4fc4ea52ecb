"""What a repair should leave alone: correlations and ranks counted by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from litotes.core.errors import LitotesError
from litotes.evaluation.statistics import spearman
from litotes.repair import general_quality
from litotes.repair.general_quality import (
    FEWEST,
    Paraphrases,
    ScoredPair,
    paraphrase_changes,
    ranks,
    read_paraphrases,
    read_scored,
    reported_sentences,
    sentences_of,
    sts_change,
)

ROWS = [(f"Ann has {n} cats.", f"There are {n} cats at Ann's.", n % 6 * 1.0) for n in range(2, 14)]


def turned(degrees: float) -> list[float]:
    return [np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]


def table(rows):
    """Vectors as they are written down, whatever is asked."""
    return lambda texts: np.array([rows[text] for text in texts], dtype=np.float32)


# The files.


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


@pytest.mark.parametrize("name", ["stsb-dev.csv", "mine.csv", "mine.tsv", "mine.txt"])
@pytest.mark.parametrize("header", [True, False])
def test_scores_with_and_without_a_header(tmp_path: Path, name: str, header: bool) -> None:
    sign = "," if name.endswith(".csv") else "\t"
    lines = [sign.join(map(str, row)) for row in ROWS]
    path = write(tmp_path / name, [sign.join(("sentence1", "sentence2", "score")), *lines] if header else lines)
    assert read_scored(path) == [ScoredPair(*row) for row in ROWS]
    assert sentences_of(path) == [text for one, other, _ in ROWS for text in (one, other)]


def test_what_is_reported_is_read_and_refused_beforehand(tmp_path: Path) -> None:
    for place in ("one", "other"):
        (tmp_path / place).mkdir()
    scored = write(tmp_path / "one" / "dev.csv", [f"{one},{other},{score}" for one, other, score in ROWS])
    pairs = write(tmp_path / "other" / "dev.csv", [f"One {n}.,Other {n}." for n in range(12)])
    both = reported_sentences(scored, pairs)
    assert both == {"dev.csv": [*sentences_of(scored), *sentences_of(pairs)]}
    assert reported_sentences(scored, None) == {"dev.csv": sentences_of(scored)}
    assert reported_sentences(None, None) == {}
    with pytest.raises(LitotesError, match="two sentences and a score"):
        reported_sentences(pairs, None)
    with pytest.raises(LitotesError, match="are paraphrases"):
        reported_sentences(None, scored)


def test_a_line_that_cannot_be_read_is_told_and_left_out(tmp_path: Path) -> None:
    lines = [f"{one},{other},{score}" for one, other, score in ROWS]
    path = write(tmp_path / "sts.csv", [*lines, "It ends here.", "No number.,None.,much"])
    told: list[str] = []
    assert len(read_scored(path, told.append)) == len(ROWS)
    assert "2 lines left out" in told[0] and "sts.csv:13" in told[0]


@pytest.mark.parametrize(
    ("name", "lines", "code", "says"),
    [
        ("plain.txt", ["The door is open."] * 20, "L203", "two sentences and a score"),
        ("pairs.csv", ["The door is open.,It is open."] * 20, "L203", "two sentences and a score"),
        ("short.csv", ["It is on.,It runs.,4.0", "It is off.,It runs.,1.0"], "L204", "has 2 scored pairs"),
        ("equal.csv", [f"{one},{other},3" for one, other, _ in ROWS], "L203", "the same score, 3"),
        ("empty.csv", [], "L204", "no sentence could be read"),
        ("nan.csv", [f"{one},{other},nan" for one, other, _ in ROWS], "L204", "no sentence could be read"),
    ],
)
def test_files_of_another_kind_are_refused(tmp_path: Path, name: str, lines: list[str], code: str, says: str) -> None:
    with pytest.raises(LitotesError, match=says) as caught:
        read_scored(write(tmp_path / name, lines))
    assert caught.value.code == code and name in str(caught.value)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        for read in (read_scored, read_paraphrases, sentences_of):
            with pytest.raises(LitotesError, match=r"no such file|is a folder"):
                read(path)


def test_paraphrases_are_those_with_high_scores(tmp_path: Path) -> None:
    rows = [(f"One {n}.", f"Other {n}.", 4 if n < 12 else 3.9) for n in range(15)]
    path = write(tmp_path / "sts.csv", [f"{a},{b},{c}" for a, b, c in [*rows, ("Twin.", "Twin.", 5)]])
    found = read_paraphrases(path)
    # What is searched has the other pairs too; a pair of one text twice asks for nothing.
    assert found.queries == tuple(f"One {n}." for n in range(12))
    assert found.answers == (*(f"Other {n}." for n in range(15)), "Twin.")
    assert found.right == tuple((n,) for n in range(12))


def test_paraphrases_of_the_microsoft_corpus(tmp_path: Path) -> None:
    rows = [f"{n % 2}\t{n}\t{n}a\tOne {n // 4}.\tOther {n}." for n in range(80)]
    found = read_paraphrases(write(tmp_path / "train.txt", ["Quality\t#1 ID\t#2 ID\t#1 String\t#2 String", *rows]))
    assert len(found.queries) == 20 and len(found.answers) == 80
    assert found.right[:2] == ((1, 3), (5, 7))


def test_pairs_without_scores_all_say_the_same(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.tsv", [f"One {n}.\tOther {n}." for n in range(FEWEST)])
    assert len(read_paraphrases(path).queries) == FEWEST


def test_labels_that_do_not_tell_are_refused(tmp_path: Path) -> None:
    lines = [f'{{"premise": "One {n}.", "hypothesis": "Other {n}.", "label": "neutral"}}' for n in range(12)]
    with pytest.raises(LitotesError, match='"neutral" does not say'):
        read_paraphrases(write(tmp_path / "nli.jsonl", lines))


def test_too_few_paraphrases_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "sts.csv", [f"{one},{other},{score}" for one, other, score in ROWS])
    with pytest.raises(LitotesError, match="4 of 12 pairs are paraphrases"):
        read_paraphrases(path)


# Spearman's correlation.


def noisy(noise: float, seed: int, count: int = 120) -> tuple[list[ScoredPair], dict[str, list[float]]]:
    """Pairs whose angle follows their score, more or less."""
    generator = np.random.default_rng(seed)
    pairs = [ScoredPair(f"one {n}", f"other {n}", float(n % 6)) for n in range(count)]
    rows = {}
    for pair in pairs:
        rows[pair.one] = turned(0)
        rows[pair.other] = turned(10 * (5 - pair.score) + noise * abs(generator.normal()))
    return pairs, rows


def test_a_model_that_lost_much_is_seen_to_have_lost() -> None:
    pairs, good = noisy(1, seed=0)
    _, bad = noisy(60, seed=1)
    change = sts_change(pairs, table(good), table(bad))
    gold = [pair.score for pair in pairs]
    angles = [np.dot(bad[pair.one], bad[pair.other]) for pair in pairs]
    assert change.what == "STS: Spearman" and change.items == 120 and change.better == "higher"
    assert change.before > 0.97
    assert change.after == pytest.approx(scipy.stats.spearmanr(gold, angles).statistic, abs=1e-6)
    assert change.ci is not None and change.ci[1] < 0 and change.p is not None and change.p < 0.001
    assert change.ci[0] < change.after - change.before < change.ci[1]


def test_the_interval_is_that_of_ranking_every_drawing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(general_quality, "RESAMPLES", 200)
    pairs, old = noisy(20, seed=2, count=40)
    _, new = noisy(20, seed=5, count=40)
    change = sts_change(pairs, table(old), table(new))
    gold = np.array([pair.score for pair in pairs])
    one, two = (np.array([np.dot(rows[pair.one], rows[pair.other]) for pair in pairs]) for rows in (old, new))
    generator = np.random.default_rng(0)
    drawn = [generator.integers(0, 40, size=40) for _ in range(200)]
    plain = [(spearman(gold[those], two[those]) or 0) - (spearman(gold[those], one[those]) or 0) for those in drawn]
    assert change.ci == pytest.approx(tuple(np.quantile(plain, [0.025, 0.975])), abs=1e-6)


def test_the_same_model_twice_changes_nothing() -> None:
    pairs, rows = noisy(30, seed=4, count=30)
    change = sts_change(pairs, table(rows), table(rows))
    assert change.before == change.after and change.ci == (0, 0) and change.p == 1


# Search for paraphrases.


ASKED = Paraphrases(("a", "b", "c"), ("a'", "b'", "c'", "far", "a"), ((0,), (1, 3), (2,)))
ROWS_OF_ASKED = {
    "a": turned(0),
    "b": turned(50),
    "c": turned(100),
    "a'": turned(10),
    "b'": turned(80),
    "far": turned(55),
    "c'": turned(140),
}


def test_ranks_by_hand() -> None:
    # a: itself does not count, a' at 10° is next. b: "far" at 5° is right too and first. c: b' at 20°, then c' at 40°,
    # but "far" at 45° comes after it.
    assert ranks(ASKED, table(ROWS_OF_ASKED)).tolist() == [1, 1, 2]


def test_a_tie_counts_against_the_right_answer() -> None:
    rows = {**ROWS_OF_ASKED, "c'": turned(80)}  # as far from c as b'
    assert ranks(ASKED, table(rows))[2] == 2


def test_changes_of_search() -> None:
    better = {**ROWS_OF_ASKED, "c'": turned(101)}
    first, mrr = paraphrase_changes(ASKED, table(ROWS_OF_ASKED), table(better))
    assert (first.what, first.before, first.after) == ("paraphrases: accuracy@1", pytest.approx(2 / 3), 1)
    assert (mrr.what, mrr.before, mrr.after, mrr.items) == ("paraphrases: MRR", pytest.approx(2.5 / 3), 1, 3)
