"""The built-in developmental suite is balanced, agrees with the classifier and has no annotation artefacts."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from litotes.core.files import read_json_lines
from litotes.languages.en.developmental.classify import classify_texts
from litotes.languages.en.negation import has_marker
from litotes.languages.negation_categories import CATEGORIES
from litotes.suites.loading import _BUILT_IN_FOLDER, load_suite
from litotes.suites.nli import LABELS

SUITE = load_suite("developmental-mini")


def test_categories_are_balanced_over_labels_and_sides() -> None:
    counts = Counter((item.tags["categories"], item.tags["label"], item.tags["side"]) for item in SUITE.items)
    assert set(counts) == {(c, label, side) for c in CATEGORIES for label in LABELS for side in SUITE.kind.roles}
    assert set(counts.values()) == {12}


def test_each_premise_has_one_hypothesis_per_label() -> None:
    groups = defaultdict(list)
    for item in SUITE.items:
        groups[item.group].append(item)
    for items in groups.values():
        assert sorted(item.tags["label"] for item in items) == sorted(LABELS)
        assert len({item.sentences["premise"] for item in items}) == 1
    assert len({item.sentences["hypothesis"] for item in SUITE.items}) == len(SUITE.items)


def test_negation_is_on_the_given_side_and_does_not_predict_the_label() -> None:
    for item in SUITE.items:
        side = item.tags["side"]
        assert has_marker(item.sentences[side]), item.id
        if side == "hypothesis":
            assert not has_marker(item.sentences["premise"]), item.id
    negated = Counter(item.tags["label"] for item in SUITE.items if has_marker(item.sentences["hypothesis"]))
    assert max(negated.values()) - min(negated.values()) <= 3


@pytest.mark.parametrize("rules", ["paper", "litotes"])
def test_classifier_assigns_the_category(rules: str) -> None:
    items = [item for item in SUITE.items if rules == "litotes" or item.tags["rules"] == "paper"]
    results = classify_texts([item.sentences[item.tags["side"]] for item in items], rules)
    assert [item.id for item, one in zip(items, results, strict=True) if item.tags["categories"] not in one] == []
    assert len(items) > len(SUITE.items) / 2


def test_second_annotator_agrees() -> None:
    pairs = {row["id"]: row for _, row in read_json_lines(_BUILT_IN_FOLDER / "developmental-mini" / "pairs.jsonl")}
    for item in SUITE.items:
        assert pairs[item.id]["second"] == item.tags["label"] == pairs[item.id]["label"]
        assert {role: pairs[item.id][role] for role in SUITE.kind.roles} == dict(item.sentences)


def test_hypothesis_alone_does_not_predict_the_label() -> None:
    """Naive Bayes on the words of the hypothesis, cross-validated over premises, is near chance."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.model_selection import GroupKFold, cross_val_score
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    texts = [item.sentences["hypothesis"] for item in SUITE.items]
    labels = [item.tags["label"] for item in SUITE.items]
    groups = [item.group for item in SUITE.items]
    scores = cross_val_score(
        make_pipeline(CountVectorizer(ngram_range=(1, 2)), MultinomialNB()),
        texts,
        labels,
        groups=groups,
        cv=GroupKFold(14),
    )
    assert scores.mean() < 0.42
