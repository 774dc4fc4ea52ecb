"""What is reported may not be learned."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import litotes
from litotes.repair.holdout import differing_words, hold_out, leakage, pair_key, sentence_key
from litotes.suites.base import Item, Suite


def made_suite() -> Suite:
    suite = litotes.load_suite("semantoneg-mini")
    sentences = {
        "input": "The soup is not salty.",
        "antonym": "The soup is not bland.",
        "polarity": "The soup is salty.",
        "both": "The soup is bland.",
    }
    return replace(suite, name="soups", items=[Item("a", "bland/salty", sentences, {})])


def test_sentences_and_pairs_of_a_suite_are_held_out() -> None:
    held = hold_out([made_suite()])
    assert held.reason(["the soup is  bland"], "") == ("sentence", "soups")
    assert held.reason(["The bread is saltier."], pair_key("saltier", "bland")) == ("pair", "soups")
    assert held.reason(["The bread is soft."], pair_key("soft", "hard")) is None


def test_a_pair_is_known_in_any_form_and_without_being_named() -> None:
    suite = made_suite()
    better = {
        role: text.replace("salty", "good").replace("bland", "bad") for role, text in suite.items[0].sentences.items()
    }
    held = hold_out([replace(suite, items=[Item("a", "bad/good", better, {})])])
    for one, other in (("The best tea.", "The worst tea."), ("It got worse.", "It got better.")):
        assert held.reason([one, other], "") == ("pair", "soups")
        assert leakage(held, Counter(), [((one, other), "")])[0].shared_pairs
    # As an NLI lesson has it: a premise, what follows from it, and what contradicts that.
    assert held.reason(["A man eats good soup.", "The soup is good.", "The soup is bad."], "") == ("pair", "soups")
    assert held.reason(["A man eats good soup.", "He does not like bad soup.", "A dog runs."], "") is None


def test_more_sentences_can_be_held_out() -> None:
    held = hold_out([made_suite()]).with_sentences("your text", ["The door is shut."])
    assert held.reason(["the door is shut!"], "") == ("sentence", "your text")
    assert held.reason(["The soup is bland."], "") == ("sentence", "soups")


def test_files_hold_out_their_sentences() -> None:
    held = hold_out([], {"sts.csv": ["A man is cooking."]})
    assert held.reason(["a man is cooking"], "") == ("sentence", "sts.csv")


def test_every_builtin_pair_is_known() -> None:
    suite = litotes.load_suite("semantoneg-mini")
    held = hold_out([suite])
    for item in suite.items:
        word, opposite = item.tags["word"], item.tags["antonym"]
        assert held.reason([], pair_key(opposite, word)) == ("pair", "semantoneg-mini")
    heros = hold_out([litotes.load_suite("heros-mini")])
    assert heros.reason([], pair_key("awake", "asleep")) == ("pair", "heros-mini")


def test_leakage_counts_what_is_left() -> None:
    held = hold_out([made_suite()])
    kept_out = Counter({("pair", "soups"): 3, ("sentence", "soups"): 1})
    (clean,) = leakage(held, kept_out, [(("The bread is soft.", "The bread is hard."), "hard/soft")])
    assert (clean.sentences, clean.kept_out_for_pairs, clean.kept_out_for_sentences) == (4, 3, 1)
    assert (clean.shared_sentences, clean.shared_pairs) == (0, 0)
    (leaky,) = leakage(held, Counter(), [(("The soup is bland.",), pair_key("bland", "salty"))])
    assert (leaky.shared_sentences, leaky.shared_pairs) == (1, 1)


def test_words_in_which_sentences_differ() -> None:
    assert differing_words("It is an old car.", "It is a new car.") == ("old", "new")
    assert differing_words("She left early.", "She left early!") is None
    assert differing_words("One two three four five", "Six seven eight nine ten") is None
    assert sentence_key("  Don’t! ") == "don't"
