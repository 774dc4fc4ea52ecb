"""Evaluation data is held out of training."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import litotes
from litotes.repair.holdout import build_holdout, differing_words, measure_leakage, pair_key, sentence_key
from litotes.suites.base import Item, Suite


def soup_suite() -> Suite:
    suite = litotes.load_suite("semantoneg-mini")
    sentences = {
        "input": "The soup is not salty.",
        "antonym": "The soup is not bland.",
        "polarity": "The soup is salty.",
        "both": "The soup is bland.",
    }
    return replace(suite, name="soups", items=[Item("a", "bland/salty", sentences, {})])


def test_holds_out_sentences_and_pairs_of_a_suite() -> None:
    holdout = build_holdout([soup_suite()])
    assert holdout.reason(["the soup is  bland"], "") == ("sentence", "soups")
    assert holdout.reason(["The bread is saltier."], pair_key("saltier", "bland")) == ("pair", "soups")
    assert holdout.reason(["The bread is soft."], pair_key("soft", "hard")) is None


def test_finds_pairs_in_any_form_and_without_a_name() -> None:
    suite = soup_suite()
    better = {
        role: text.replace("salty", "good").replace("bland", "bad") for role, text in suite.items[0].sentences.items()
    }
    holdout = build_holdout([replace(suite, items=[Item("a", "bad/good", better, {})])])
    for left, right in (("The best tea.", "The worst tea."), ("It got worse.", "It got better.")):
        assert holdout.reason([left, right], "") == ("pair", "soups")
        assert measure_leakage(holdout, Counter(), [((left, right), "")])[0].shared_pairs
    # An NLI example: a premise, an entailed and a contradicted hypothesis.
    assert holdout.reason(["A man eats good soup.", "The soup is good.", "The soup is bad."], "") == ("pair", "soups")
    assert holdout.reason(["A man eats good soup.", "He does not like bad soup.", "A dog runs."], "") is None


def test_with_sentences_adds_sentences() -> None:
    holdout = build_holdout([soup_suite()]).with_sentences("your text", ["The door is shut."])
    assert holdout.reason(["the door is shut!"], "") == ("sentence", "your text")
    assert holdout.reason(["The soup is bland."], "") == ("sentence", "soups")


def test_holds_out_sentences_of_files() -> None:
    holdout = build_holdout([], {"sts.csv": ["A man is cooking."]})
    assert holdout.reason(["a man is cooking"], "") == ("sentence", "sts.csv")


def test_holds_out_every_pair_of_the_builtin_suites() -> None:
    suite = litotes.load_suite("semantoneg-mini")
    holdout = build_holdout([suite])
    for item in suite.items:
        word, opposite = item.tags["word"], item.tags["antonym"]
        assert holdout.reason([], pair_key(opposite, word)) == ("pair", "semantoneg-mini")
    heros = build_holdout([litotes.load_suite("heros-mini")])
    assert heros.reason([], pair_key("awake", "asleep")) == ("pair", "heros-mini")


def test_leakage_counts_shared_sentences_and_pairs() -> None:
    holdout = build_holdout([soup_suite()])
    held_out = Counter({("pair", "soups"): 3, ("sentence", "soups"): 1})
    (clean,) = measure_leakage(holdout, held_out, [(("The bread is soft.", "The bread is hard."), "hard/soft")])
    assert (clean.n_sentences, clean.dropped_for_pairs, clean.dropped_for_sentences) == (4, 3, 1)
    assert (clean.shared_sentences, clean.shared_pairs) == (0, 0)
    (leaky,) = measure_leakage(holdout, Counter(), [(("The soup is bland.",), pair_key("bland", "salty"))])
    assert (leaky.shared_sentences, leaky.shared_pairs) == (1, 1)


def test_differing_words() -> None:
    assert differing_words("It is an old car.", "It is a new car.") == ("old", "new")
    assert differing_words("She left early.", "She left early!") is None
    assert differing_words("One two three four five", "Six seven eight nine ten") is None
    assert sentence_key("  Don’t! ") == "don't"
