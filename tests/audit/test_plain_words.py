"""What an audit found, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from litotes.audit.result import Advice, Blind, Mined
from litotes.audit.summary import (
    RELATION_WORDS,
    RULE_WORDS,
    above_limit,
    advice_words,
    headline,
    mining_words,
    retrieval_words,
    summary,
    usage_words,
)
from litotes.building.audit_variants import RELATIONS
from tests.audit.found import an_audit, mining, point, with_few


def told(text: str) -> str:
    """With plain blanks, in one line."""
    return " ".join(text.replace("\u00a0", " ").split())


@pytest.mark.parametrize("audit", [an_audit(), an_audit(asked=point(0.9)), with_few()])
def test_it_fits_a_terminal_of_80_columns(audit) -> None:
    assert max(map(len, summary(audit).splitlines())) <= 80
    assert max(map(len, summary(audit, width=60).splitlines()[:6])) <= 60


def test_the_headline_has_the_figure_and_its_interval() -> None:
    assert told(headline(an_audit())).startswith(
        "Of 1,204 sentences with an opposite and a paraphrase, the model puts the opposite at least as close as the "
        "paraphrase in 93.1 % (91.6 to 94.4)."
    )


@pytest.mark.parametrize(
    ("interval", "word"),
    [
        ((0.9, 0.95), "worse than tossing a coin"),
        ((0.4, 0.6), "cannot be told from tossing a coin"),
        ((0.1, 0.2), "better than tossing a coin, 50 %, but"),
        ((0.0, 0.02), "It tells what is said from its opposite"),
    ],
)
def test_what_the_figure_means_follows_the_interval(interval, word) -> None:
    blind = Blind("all", "all", 10, sum(interval) / 2, interval, 0)
    assert word in headline(an_audit(blindness=(blind,)))


def test_a_threshold_that_was_asked_about_is_told() -> None:
    asked = replace(point(0.9), opposites_pass=0.88, paraphrases_lost=0.12)
    line = "At 0.90, 88.0 % of the opposites would pass as duplicates and 12.0 % of the paraphrases be lost."
    assert line in told(summary(an_audit(asked=asked)))
    assert line not in told(summary(an_audit()))


def test_advice_names_a_threshold_or_says_that_none_serves() -> None:
    good = replace(point(0.93), opposites_pass=0.04, paraphrases_lost=0.08)
    assert told(advice_words(an_audit(advice=Advice(0.05, 0.1, good, holds=True)))).startswith(
        "Take 0.93: there 4.0 % of the opposites pass and 8.0 % of the paraphrases are lost"
    )
    lossy = replace(good, threshold=0.9871, paraphrases_lost=0.97)
    words = told(advice_words(an_audit(advice=Advice(0.05, 0.1, lossy, holds=False))))
    assert words.startswith("No threshold serves (the budget: at most 5.0 % of the opposites pass")
    assert words.endswith("it has to be 0.9871, and then 97.0 % of the paraphrases are lost.")
    assert told(advice_words(an_audit(advice=Advice(0.05, 0.1, None, holds=False)))) == (
        "No threshold serves: even the highest lets more than 5.0 % of the opposites pass."
    )


def test_search_and_what_opposites_cost_it() -> None:
    words = told(retrieval_words(an_audit()))
    assert "the original comes before an opposite in 8.2 % (6.9 to 9.7)" in words
    assert "0.61; without the opposites 0.93" in words
    assert "No query could be made" in retrieval_words(with_few())


def test_mined_pairs_are_shown_closest_first() -> None:
    text = summary(an_audit())
    assert "3,120 pairs were looked at: of each its 20 nearest that are at least 0.85 alike" in told(text)
    assert text.index("Parcel 1 can be sent back.") < text.index("Parcel 2 can be sent back.")
    assert "Parcel 9" not in text
    few = replace(mining(), method="approximate", looked_at=1, found=1)
    words = mining_words(an_audit(mining=few))
    assert "1 pair was" in words and "1 of them says" in words and "approximate" in words
    assert "None of them says" in mining_words(an_audit(mining=replace(few, found=0, pairs=())))


def test_what_differs_is_shown_and_what_was_cut_off_is_told() -> None:
    pair = Mined("It is hot.", "It is cold.", "a:1", "a:2", 0.9, "antonym", ("hot", "cold"))
    found = replace(mining(), pairs=(pair, replace(pair, kind="polarity", differs=("", "not"))), found=5)
    text = summary(an_audit(mining=found))
    assert "  0.90  It is hot.\n        It is cold.\n        (hot / cold)\n" in text and "(– / not)" in text
    assert "The closest 2 were kept." in told(text)
    assert "were kept" not in mining_words(an_audit(mining=replace(found, found=2)))


def test_a_terminal_shows_what_it_would_obey() -> None:
    pair = Mined("\x1b[2JGone.", "It is\x07 here.", "a:1", "a:2", 0.9, "polarity", ("", "\x1b]0;"))
    text = summary(an_audit(model="my\x1b[1mmodel", mining=replace(mining(), pairs=(pair,))))
    assert "\\x1b[2JGone." in text and all(sign.isprintable() or sign == "\n" for sign in text)


def test_notes_on_the_model_are_told() -> None:
    assert "Note: 3 words are not known." in summary(an_audit(notes=("3 words are not known",)))


def test_a_very_long_sentence_is_cut() -> None:
    pair = Mined("word " * 10_000, "no " * 10_000, "a:1", "a:2", 0.9, "polarity", ("word", "no"))
    assert len(summary(an_audit(mining=replace(mining(), pairs=(pair,))))) < 6000


def test_what_could_be_used_is_told_with_reasons() -> None:
    text = told(summary(an_audit()))
    assert "5,000 sentences read, 4,987 different ones among them; the rewrites were tried on 2,000" in text
    assert "Not tried: longer than 60 words (12); no letters (1)." in text
    assert "it asks (350)" in text
    use = an_audit().usage
    assert "tried on all of them" in usage_words(an_audit(usage=replace(use, rewritten=use.sentences)))


def test_every_rewrite_and_relation_has_words() -> None:
    assert set(RELATIONS) | {"all"} == set(RULE_WORDS)
    assert set(RELATIONS.values()) == set(RELATION_WORDS)


def test_the_line_of_a_check_that_failed() -> None:
    assert above_limit(an_audit(), 0.3) == ("all-MiniLM-L6-v2: blindness is 93.1 %, above the 30.0 % of --fail-above")
    assert "blindness is 93.1 %, above the 93.099" in above_limit(an_audit(), 0.93099)
