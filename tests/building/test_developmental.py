"""The developmental corpus: split by premise without leakage, balanced, augmented on one side, reproducible."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from litotes.building.developmental.augmentation import AugmentTask, augment_pairs
from litotes.building.developmental.build import build_developmental
from litotes.building.developmental.corpus import load_developmental, published_split, read_pairs, split_published
from litotes.building.developmental.pairs import (
    cells_of,
    deduplicate,
    draw_test_groups,
    even_shares,
    group_counts,
    leakage,
    leakage_of_files,
    normalised,
    pair_key,
    text_key,
    undersample,
)
from litotes.building.pipeline.settings import BuildSettings
from litotes.core.errors import LitotesError
from litotes.corpora.nli import LABELS, NliPair, read_nli
from litotes.languages.en.negation import has_marker
from litotes.languages.negation_categories import CATEGORIES
from litotes.suites.folder import load_folder

THINGS = "boat piano tractor parrot blanket hammer".split()
HYPOTHESES = {
    "possession": "They do not have a {}.",
    "existence": "There is no {} here.",
    "labeling": "It is not a {}.",
    "inability": "They could not find the {}.",
    "epistemic": "I do not know this {}.",
    "rejection": "They do not want the {}.",
}
OPTIONS = {"rules": "paper", "dev_size": 9, "augment_below": 10}
WHERE = ("at the market", "behind the mill")


def make_pairs() -> list[tuple[str, str, str]]:
    """Return each premise with a negated hypothesis of every category and with three affirmative ones."""
    pairs = []
    for index in WHERE:
        for nth, noun in enumerate(THINGS):
            premise = f"Two men look at a {noun} {index}."
            for turn, hypothesis in enumerate(HYPOTHESES.values()):
                pairs.append((premise, hypothesis.format(noun), LABELS[(nth + turn) % 3]))
            pairs += [
                (premise, "People are outside.", "entailment"),
                (premise, f"The {noun} is old.", "neutral"),
                (premise, "Everyone is asleep.", "contradiction"),
            ]
    # Both texts share the root, which has synonyms.
    pairs += [("Do not shout at the horse.", f"Do not shout at the {noun}.", "neutral") for noun in THINGS[:3]]
    pairs += [("Do not carry the lamp.", f"Do not carry the {noun}.", "contradiction") for noun in THINGS[:3]]
    pairs += [("Do not begin the game.", f"Do not begin the {noun} race.", "entailment") for noun in THINGS[:3]]
    pairs.append((pairs[0][0].upper(), pairs[0][1], pairs[0][2]))  # a duplicate except for capitals
    pairs.append((pairs[-1][0], "The men never blink.", "neutral"))  # negated, without a category
    pairs.append(("Rain falls.", "It is wet.", "entailment"))
    pairs.append(("Rain falls.", "It is wet!", "neutral"))  # contradicts the one before
    pairs.append((pairs[0][0], "Nobody agreed on this one.", "-"))
    return pairs


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Write the first half in the format of SNLI, the second in that of MNLI."""
    folder = tmp_path_factory.mktemp("nli")
    pairs = make_pairs()
    half = len(pairs) // 2
    (folder / "snli.jsonl").write_text(
        "".join(
            json.dumps({"gold_label": label, "pairID": f"s{number}", "sentence1": premise, "sentence2": hypothesis})
            + "\n"
            for number, (premise, hypothesis, label) in enumerate(pairs[:half])
        )
    )
    rows = ["premise\thypo\tlabel", *("\t".join(pair) for pair in pairs[half:])]
    (folder / "mnli.tsv").write_text("\n".join(rows) + "\n")
    return [str(folder / "snli.jsonl"), str(folder / "mnli.tsv")]


@pytest.fixture(scope="module")
def built(sources: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "corpus"
    result = build_developmental(sources, out, BuildSettings(options=OPTIONS, seed=3))
    assert result.warnings == ()
    return out


def bytes_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def all_train(corpus: Any) -> list[NliPair]:
    return [pair for pairs in corpus.train.values() for pair in pairs]


def test_writes_all_sets_and_statistics(built: Path) -> None:
    names = {f"train/{category}{less}.jsonl" for category in CATEGORIES for less in ("", "_undersampled")}
    other_files = {"test/suite.json", "test/items.jsonl", "nli_train.jsonl", "nli_dev.jsonl"}
    assert set(bytes_below(built)) == names | other_files | {"statistics.json", "statistics.md"}


def test_each_diagnostic_pair_is_in_a_single_split(built: Path) -> None:
    corpus = load_developmental(built)
    augmented = {row["id"] for row in rows(built, "train/prohibition.jsonl") if "augmented_from" in row}
    results = {pair.id: pair for pair in (*all_train(corpus), *corpus.test) if pair.id not in augmented}
    assert len(results) == len(THINGS) * len(WHERE) * len(HYPOTHESES) + 9
    for category, hypothesis in HYPOTHESES.items():
        train, test = corpus.train[category], corpus.test_of(category)
        assert len(train) + len(test) == len(THINGS) * len(WHERE)
        assert len(test) == 4
        starts = hypothesis.partition("{")[0]
        assert all(pair.hypothesis.startswith(starts) for pair in (*train, *test))


def test_splits_share_no_premise_and_no_pair(built: Path) -> None:
    corpus = load_developmental(built)
    train = all_train(corpus)
    assert {normalised(pair.premise) for pair in train}.isdisjoint(normalised(pair.premise) for pair in corpus.test)
    result = leakage(train, corpus.test)
    assert (result.pairs, result.premises_in_train, result.pairs_of_premises) == (0, 0, 0)
    statistics = json.loads((built / "statistics.json").read_text("utf-8"))["leakage"]["ours"]
    assert all(one["all_train"]["premises_in_train"] == one["all_train"]["pairs"] == 0 for one in statistics)


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]


def test_nli_sets_have_no_negation_and_share_no_premise(built: Path) -> None:
    corpus = load_developmental(built)
    train, dev = list(corpus.nli_train()), corpus.nli_dev
    assert Counter(pair.label for pair in dev) == {"entailment": 3, "neutral": 3, "contradiction": 3}
    # “never” is not a marker of the paper.
    assert len(train) == 3 * len(THINGS) * len(WHERE) - 9 + 1
    assert not any(has_marker(text, "paper") for pair in (*train, *dev) for text in (pair.premise, pair.hypothesis))
    assert {text_key(pair.premise) for pair in train}.isdisjoint(text_key(pair.premise) for pair in dev)
    diagnostic = {pair_key(pair.premise, pair.hypothesis) for pair in (*all_train(corpus), *corpus.test)}
    assert diagnostic.isdisjoint(pair_key(pair.premise, pair.hypothesis) for pair in (*train, *dev))
    assert not any("Rain" in pair.premise for pair in train)  # two labels for one pair


def test_counts_what_was_left_out(built: Path) -> None:
    counts = json.loads((built / "statistics.json").read_text("utf-8"))["counts"]
    expected = {"records": len(make_pairs()), "unlabelled": 1, "doubles": 1, "conflicting": 2}
    assert {name: counts[name] for name in expected} == expected


def test_augmented_pairs_preserve_form_category_and_split(built: Path) -> None:
    results = rows(built, "train/prohibition.jsonl")
    sources = {row["id"]: row for row in results if "augmented_from" not in row}
    augmented = [row for row in results if "augmented_from" in row]
    assert augmented
    for row in augmented:
        source = sources[row["augmented_from"]]
        assert row["label"] == source["label"]
        assert row["prohibition"] == 1
        old, new = source["premise"].split(), row["premise"].split()
        assert old[:2] == new[:2] == ["Do", "not"] and old[-2:] == new[-2:]
        verb = " ".join(new[2 : len(new) - len(old) + 3])
        assert verb != old[2] and f" {verb} " in row["hypothesis"]
    test = load_folder(built / "test").items
    assert not any("augmented_from" in item.tags for item in test)


def test_test_sets_are_augmented_only_on_request(sources: list[str], tmp_path: Path) -> None:
    options = {**OPTIONS, "augment_test": True}
    build_developmental(sources, tmp_path / "both", BuildSettings(options=options, seed=3))
    items = load_folder(tmp_path / "both" / "test").items
    ids = {item.id for item in items}
    augmented = [item for item in items if "augmented_from" in item.tags]
    assert augmented and all(item.tags["augmented_from"] in ids for item in augmented)
    corpus = load_developmental(tmp_path / "both")
    assert leakage(all_train(corpus), corpus.test).premises_in_train == 0
    build_developmental(sources, tmp_path / "none", BuildSettings(options={**options, "augment_below": 0}, seed=3))
    statistics = json.loads((tmp_path / "none" / "statistics.json").read_text("utf-8"))
    assert statistics["categories"]["prohibition"]["train"]["augmented"] == 0


def test_undersampled_sets_are_even(built: Path) -> None:
    corpus = load_developmental(built)
    size = min(len(pairs) for pairs in corpus.train.values())
    for category, pairs in corpus.undersampled.items():
        assert len(pairs) == size
        assert {pair.id for pair in pairs} <= {pair.id for pair in corpus.train[category]}


def test_suite_and_sets_are_read_by_their_loaders(built: Path) -> None:
    suite = load_folder(built / "test")
    assert (suite.kind.name, suite.name) == ("nli", "developmental-paper")
    by_premise: dict[str, str] = {}
    for item in suite.items:
        assert item.tags["label"] in LABELS
        sides = f"{item.tags['premise_categories']} {item.tags['hypothesis_categories']}".split()
        assert set(sides) == set(item.tags["categories"].split())
        assert by_premise.setdefault(item.sentences["premise"], item.group) == item.group
    assert len(set(by_premise.values())) == len(by_premise)
    flagged = list(read_nli([str(built / "train" / "existence.jsonl")], strict=True))
    own = list(read_pairs(built / "train" / "existence.jsonl"))
    assert [(pair.premise, pair.categories) for pair in flagged] == [(pair.premise, pair.categories) for pair in own]


def test_bytes_depend_on_the_seed_but_not_on_the_workers(sources: list[str], built: Path, tmp_path: Path) -> None:
    options = OPTIONS
    build_developmental(sources, tmp_path / "again", BuildSettings(options=options, seed=3), workers=2)
    assert bytes_below(tmp_path / "again") == bytes_below(built)
    build_developmental(sources, tmp_path / "other", BuildSettings(options=options, seed=4))
    assert bytes_below(tmp_path / "other")["test/items.jsonl"] != bytes_below(built)["test/items.jsonl"]


def test_files_with_flags_get_a_new_split(sources: list[str], built: Path, tmp_path: Path) -> None:
    files = [str(built / "train" / f"{category}.jsonl") for category in HYPOTHESES]
    result = build_developmental(
        [*files, str(built / "nli_train.jsonl")],
        tmp_path / "x",
        BuildSettings(options={"rules": "flags", "dev_size": 3}),
    )
    assert any("prohibition: no pair has this category" in line for line in result.warnings)
    corpus = load_developmental(tmp_path / "x")
    assert leakage(all_train(corpus), corpus.test).premises_in_train == 0
    assert len(corpus.train["existence"]) + len(corpus.test_of("existence")) == 8
    given_files = result.statistics["leakage"]["given"]
    assert {"existence.jsonl", "labeling.jsonl"} <= {file["train_file"] for file in given_files}
    with pytest.raises(LitotesError, match="no file has columns for the categories"):
        build_developmental(sources, tmp_path / "y", BuildSettings(options={"rules": "flags"}))
    assert not (tmp_path / "y").exists()


def test_reports_corpora_that_cannot_be_built(sources: list[str], built: Path, tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match=r"dev_size=9000: 3,000 pairs of entailment .* there are 12; .*dev_size=18"):
        build_developmental(sources, tmp_path / "a", BuildSettings(options={"rules": "paper"}))
    # The classification remains for the next call.
    assert [path.name for path in sorted((tmp_path / "a").iterdir())] == [
        ".labelled.jsonl.part",
        ".labelled.jsonl.part.key",
    ]
    build_developmental(sources, tmp_path / "a", BuildSettings(options=OPTIONS, seed=3))
    assert bytes_below(tmp_path / "a") == bytes_below(built)
    with pytest.raises(LitotesError, match="contains a corpus already; --fresh"):
        build_developmental(sources, built, BuildSettings(options=OPTIONS))
    (tmp_path / "plain.tsv").write_text("premise\thypo\tlabel\nIt rains.\tIt pours.\tneutral\n", "utf-8")
    with pytest.raises(LitotesError, match="no pair has a category of negation"):
        build_developmental(str(tmp_path / "plain.tsv"), tmp_path / "b", BuildSettings(options={"dev_size": 0}))
    with pytest.raises(LitotesError, match="test_share=2"):
        build_developmental(sources, tmp_path / "c", BuildSettings(options={"test_share": 2.0}))
    with pytest.raises(LitotesError, match="is not a developmental corpus"):
        load_developmental(tmp_path)


# Parts


def test_augmentation_preserves_the_form_of_the_word() -> None:
    pair = NliPair("a", "The boys do not sprint; they begin.", "A boy begins.", "neutral", ("existence",))
    (result,) = augment_pairs(AugmentTask(("existence",), None, "all"), [pair])
    texts = {(one.pair.premise, one.pair.hypothesis) for one in result.pairs}
    assert ("The boys do not sprint; they start.", "A boy starts.") in texts
    (lost,) = augment_pairs(AugmentTask(("existence",), "paper", "all"), [pair])
    assert (lost.pairs, lost.n_lost) == ([], len(result.pairs))


pairs_of_any_kind = st.lists(
    st.builds(
        NliPair,
        id=st.uuids().map(str),
        premise=st.sampled_from(["It rains.", "it rains", "It snows!", "Hail.", "Fog", "Sun.", "Wind blows."]),
        hypothesis=st.sampled_from(["No.", "Yes.", "Never", "It is wet."]),
        label=st.sampled_from(LABELS),
        categories=st.lists(st.sampled_from(CATEGORIES), min_size=1, max_size=3, unique=True).map(tuple),
    ),
    max_size=40,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # independent of the load of the machine
@given(pairs_of_any_kind, st.floats(0.05, 0.95), st.integers(0, 5))
def test_a_split_never_leaks(pairs: list[NliPair], share: float, seed: int) -> None:
    unique = deduplicate(pairs)
    assert len(unique.pairs) + unique.repeated + unique.conflicting == len(pairs)
    assert len({pair_key(pair.premise, pair.hypothesis) for pair in unique.pairs}) == len(unique.pairs)
    keyed = [(text_key(pair.premise), pair) for pair in unique.pairs]
    held_out = draw_test_groups(group_counts((key, cells_of(pair)) for key, pair in keyed), share, seed)
    train = [pair for key, pair in keyed if key not in held_out]
    test = [pair for key, pair in keyed if key in held_out]
    result = leakage(train, test)
    assert (result.pairs, result.premises_in_train) == (0, 0)


@given(st.integers(1, 300), st.integers(0, 3))
def test_the_test_share_is_accurate(count: int, seed: int) -> None:
    pairs = [NliPair(str(n), f"Premise {n}.", "No.", LABELS[n % 3], ("labeling",)) for n in range(count)]
    test = draw_test_groups(group_counts((text_key(pair.premise), cells_of(pair)) for pair in pairs), 1 / 3, seed)
    assert abs(len(test) - count / 3) <= 2


@given(st.tuples(*[st.integers(0, 50)] * 3), st.integers(0, 160))
def test_shares_are_even(there: tuple[int, int, int], expected: int) -> None:
    shares = even_shares(dict(zip(LABELS, there, strict=True)), expected)
    assert sum(shares.values()) == min(expected, sum(there))
    open_ = [shares[label] for label, count in zip(LABELS, there, strict=True) if shares[label] < count]
    assert all(shares[label] <= min([*open_, 99]) + 1 for label in LABELS)


def test_undersampling_uses_all_pairs_of_rare_labels() -> None:
    pairs = [NliPair(str(n), f"P {n}.", "No.", "neutral" if n < 4 else "contradiction", ()) for n in range(40)]
    chosen = undersample(pairs, 20, 0)
    assert Counter(pair.label for pair in chosen) == {"neutral": 4, "contradiction": 16}
    assert [pair.id for pair in chosen] == sorted((pair.id for pair in chosen), key=int)


def test_published_augmentations_are_in_a_single_split(tmp_path: Path) -> None:
    def write(name: str, category: str, premises: list[str]) -> None:
        lines = [
            {"sentence1": one, "sentence2": f"{one} Indeed.", "gold_label": "neutral", "pairID": None, category: 1}
            for one in premises
        ]
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")

    words = "jump dance shout sleep paint swim".split()
    write(
        "labeling_train_innoculation_v5.jsonl",
        "labeling",
        [f"They {word} near barn {n}." for n in range(9) for word in words],
    )
    write("labeling_train_innoculation_v5.jsonl_undersampled", "labeling", ["Not read at all."])
    write("posession_train_innoculation_v5.jsonl", "posession", [f"Owner {n} has nothing." for n in range(9)])
    write("prohibition_train_innoculation_v5.jsonl_undersampled", "prohibition", [f"Do not go, {n}." for n in range(6)])
    corpus = split_published(tmp_path, seed=1)
    texts = [pair.premise for pair in (*all_train(corpus), *corpus.test)]
    assert len(texts) == 9 * len(words) + 9 + 6 and "Not read at all." not in texts
    assert corpus.train["possession"] and corpus.train["prohibition"] and corpus.nli_dev == []
    barns = [
        {text.split()[-1] for text in side if "barn" in text}
        for side in ([one.premise for one in all_train(corpus)], [one.premise for one in corpus.test])
    ]
    assert barns[0].isdisjoint(barns[1])  # the six verbs of a barn go together
    with pytest.raises(LitotesError, match="none of the published"):
        split_published(tmp_path / "posession_train.txt")


def test_the_authors_split_is_read_from_their_file_names(tmp_path: Path) -> None:
    def write(name: str, count: int, *, text: str = "Pair", spelt: str = "") -> None:
        lines = [
            {"sentence1": f"{text} {n}.", "sentence2": "No.", "gold_label": LABELS[n % 3], "pairID": None, spelt: 1}
            for n in range(count)
        ]
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")

    for category in CATEGORIES:
        spelt = "posession" if category == "possession" else category
        if category != "prohibition":
            write(f"{spelt}_train_innoculation_v5.jsonl", 12, spelt=spelt)
        if category not in {"labeling", "rejection"}:
            write(f"{spelt}_train_innoculation_v5.jsonl_undersampled", 6, spelt=spelt)
        write(f"{spelt}_test_innoculation_v5.jsonl", 5, text="Test", spelt=spelt)
    split = published_split(tmp_path)
    assert {category: len(pairs) for category, pairs in split.train.items()} == {
        category: 6 if category == "prohibition" else 12 for category in CATEGORIES
    }
    # Without a file the full set is reduced to the size of the smallest train set.
    assert {len(pairs) for pairs in split.undersampled.values()} == {6}
    assert {len(split.test_of(category)) for category in CATEGORIES} == {5}, "equal pairs are not merged"
    assert len(split_published(tmp_path).test) + len(split_published(tmp_path).train["labeling"]) == 17
    (tmp_path / "posession_test_innoculation_v5.jsonl").unlink()
    with pytest.raises(LitotesError, match=r"L204.*test set of possession was not found"):
        published_split(tmp_path)


def test_command_writes_the_sets(run_litotes: Callable[..., Any], sources: list[str], tmp_path: Path) -> None:
    words = ("build", "developmental", "--from", sources[0], "--from", sources[1], "--out", "out")
    done = run_litotes(*words, "--option", "rules=paper", "--option", "dev_size=9", "--option", "augment_below=0")
    assert done.code == 0, done.err
    assert done.out.splitlines()[0].split() == ["category", "train", "augmented", "test", "undersampled"]
    assert "1 duplicates, 2 with conflicting labels" in done.err
    run_litotes(*words).refused(2, "L102", "contains a corpus already")
    run_litotes(*words, "--limit", "3").refused(2, "L102", "--limit is for suites")
    run_litotes("build", "developmental", "--out", "x").refused(2, "L102", "--from")
    statistics = run_litotes(
        "build",
        "developmental",
        "--leakage",
        "out/train/labeling.jsonl",
        "--leakage",
        "out/train/existence.jsonl",
        "--json",
    )
    assert statistics.document["premises_in_train"] == statistics.document["premises"] == 8
    assert statistics.document["pairs"] == 0
    assert "rules" in run_litotes("build", "developmental").succeeded().out


@pytest.mark.shared
def test_published_sets_are_built(shared_data: Path) -> None:
    corpus = split_published(shared_data / "devneg")
    assert {category: len(corpus.train[category]) + len(corpus.test_of(category)) for category in CATEGORIES} == {
        "possession": 1053,
        "existence": 5527,
        "labeling": 1803,
        "prohibition": 620,
        "inability": 1383,
        "epistemic": 1902,
        "rejection": 1736,
    }
    assert leakage(all_train(corpus), corpus.test).premises_in_train == 0
    assert len({len(pairs) for pairs in corpus.undersampled.values()}) == 1
    assert len(corpus.nli_dev) == 8_845


@pytest.mark.shared
def test_published_undersampled_sets_are_subsets_of_the_full_sets(shared_data: Path) -> None:
    folder = shared_data / "devneg"
    name = "rejection_train_innoculation_v5.jsonl"
    result = leakage_of_files(folder / name, folder / f"{name}_undersampled")
    assert (result.test, result.pairs) == (814, 814)
