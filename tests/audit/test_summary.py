"""The result of an audit as text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from litotes.audit.result import Blindness, MinedPair, ThresholdAdvice
from litotes.audit.summary import (
    RELATION_NAMES,
    RULE_NAMES,
    advice_text,
    headline,
    limit_exceeded,
    mining_text,
    retrieval_text,
    summarise,
    usage_text,
)
from litotes.building.audit_variants import RELATIONS
from tests.audit.example_audits import example_audit, minimal_audit, mining, point


def single_line(text: str) -> str:
    """Return a text with normal spaces, in one line."""
    return " ".join(text.replace("\u00a0", " ").split())


@pytest.mark.parametrize("audit", [example_audit(), example_audit(at_threshold=point(0.9)), minimal_audit()])
def test_fits_a_terminal_of_80_columns(audit) -> None:
    assert max(map(len, summarise(audit).splitlines())) <= 80
    assert max(map(len, summarise(audit, width=60).splitlines()[:6])) <= 60


def test_headline_contains_rate_and_interval() -> None:
    assert single_line(headline(example_audit())).startswith(
        "For 1,204 sentences with an opposite and a paraphrase, the model considers the opposite at least as similar "
        "as the paraphrase in 93.1 % of cases (91.6 to 94.4)."
    )


@pytest.mark.parametrize(
    ("interval", "word"),
    [
        ((0.9, 0.95), "worse than guessing"),
        ((0.4, 0.6), "not clearly different from guessing"),
        ((0.1, 0.2), "better than guessing (50 %), but"),
        ((0.0, 0.02), "The model distinguishes sentences from their opposites"),
    ],
)
def test_judgement_depends_on_the_interval(interval, word) -> None:
    overall = Blindness("all", "all", 10, sum(interval) / 2, interval, 0)
    assert word in headline(example_audit(blindness=(overall,)))


def test_requested_threshold_is_reported() -> None:
    requested = replace(point(0.9), opposites_pass=0.88, paraphrases_lost=0.12)
    line = "At 0.90, 88.0 % of the opposites pass as duplicates and 12.0 % of the paraphrases are lost."
    assert line in single_line(summarise(example_audit(at_threshold=requested)))
    assert line not in single_line(summarise(example_audit()))


def test_advice_is_a_threshold_or_none() -> None:
    good = replace(point(0.93), opposites_pass=0.04, paraphrases_lost=0.08)
    assert single_line(advice_text(example_audit(advice=ThresholdAdvice(0.05, 0.1, good, holds=True)))).startswith(
        "Recommended threshold: 0.93. 4.0 % of the opposites pass and 8.0 % of the paraphrases are lost"
    )
    lossy = replace(good, threshold=0.9871, paraphrases_lost=0.97)
    words = single_line(advice_text(example_audit(advice=ThresholdAdvice(0.05, 0.1, lossy, holds=False))))
    assert words.startswith("No threshold fits the budget (at most 5.0 % of the opposites pass")
    assert words.endswith("the threshold must be 0.9871, and then 97.0 % of the paraphrases are lost.")
    assert single_line(advice_text(example_audit(advice=ThresholdAdvice(0.05, 0.1, None, holds=False)))) == (
        "No threshold fits: more than 5.0 % of the opposites pass even at the highest one."
    )


def test_retrieval_compares_with_and_without_opposites() -> None:
    words = single_line(retrieval_text(example_audit()))
    assert "The original is ranked above an opposite in 8.2 % of cases (6.9 to 9.7)" in words
    assert "0.61; without the opposites: 0.93" in words
    assert "No queries are possible" in retrieval_text(minimal_audit())


def test_most_similar_mined_pairs_come_first() -> None:
    text = summarise(example_audit())
    assert (
        "3,120 pairs of nearest neighbours (20 per sentence) with a similarity of at least 0.85 were compared"
        in single_line(text)
    )
    assert text.index("Parcel 1 can be sent back.") < text.index("Parcel 2 can be sent back.")
    assert "Parcel 9" not in text
    few = replace(mining(), method="approximate", candidates=1, contradictions=1)
    words = mining_text(example_audit(mining=few))
    assert "1 pair of nearest" in words and "1 pair is a contradiction" in words and "approximate" in words
    assert "No pair is a contradiction" in mining_text(example_audit(mining=replace(few, contradictions=0, pairs=())))


def test_contrasts_and_omitted_pairs_are_reported() -> None:
    pair = MinedPair("It is hot.", "It is cold.", "a:1", "a:2", 0.9, "antonym", ("hot", "cold"))
    mined = replace(mining(), pairs=(pair, replace(pair, kind="polarity", differs=("", "not"))), contradictions=5)
    text = summarise(example_audit(mining=mined))
    assert "  0.90  It is hot.\n        It is cold.\n        (hot / cold)\n" in text and "(– / not)" in text
    assert "The 2 most similar were stored." in single_line(text)
    assert "were stored" not in mining_text(example_audit(mining=replace(mined, contradictions=2)))


def test_control_characters_are_escaped() -> None:
    pair = MinedPair("\x1b[2JGone.", "It is\x07 here.", "a:1", "a:2", 0.9, "polarity", ("", "\x1b]0;"))
    text = summarise(example_audit(model="my\x1b[1mmodel", mining=replace(mining(), pairs=(pair,))))
    assert "\\x1b[2JGone." in text and all(sign.isprintable() or sign == "\n" for sign in text)


def test_notes_are_included() -> None:
    assert "Note: 3 words are not known." in summarise(example_audit(notes=("3 words are not known",)))


def test_long_sentences_are_shortened() -> None:
    pair = MinedPair("word " * 10_000, "no " * 10_000, "a:1", "a:2", 0.9, "polarity", ("word", "no"))
    assert len(summarise(example_audit(mining=replace(mining(), pairs=(pair,))))) < 6000


def test_usage_is_reported_with_reasons() -> None:
    text = single_line(summarise(example_audit()))
    assert "5,000 sentences were read, 4,987 of them different; 2,000 of them were rewritten" in text
    assert "Not rewritten: longer than 60 words (12); no letters (1)." in text
    assert "it asks (350)" in text
    usage = example_audit().usage
    assert "all of them were rewritten" in usage_text(example_audit(usage=replace(usage, rewritten=usage.sentences)))


def test_every_rewrite_and_relation_has_a_name() -> None:
    assert set(RELATIONS) | {"all"} == set(RULE_NAMES)
    assert set(RELATIONS.values()) == set(RELATION_NAMES)


def test_message_of_a_failed_check() -> None:
    assert limit_exceeded(example_audit(), 0.3) == (
        "all-MiniLM-L6-v2: blindness is 93.1 %, above the 30.0 % of --fail-above"
    )
    assert "blindness is 93.1 %, above the 93.099" in limit_exceeded(example_audit(), 0.93099)
