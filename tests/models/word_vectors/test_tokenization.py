"""Tests of tokenization: words as in GloVe, the same for single texts and batches."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litotes.models.word_vectors.pooling import PieceVocabulary
from litotes.models.word_vectors.tokenization import Case, Tokens, WordRules, word_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("She can't, won't and didn't.", "she ca n't , wo n't and did n't .".split()),
        ("It's theirs; we'll see, they've gone, I'd say I'm.", None),
        ("The boys' bikes", ["the", "boys", "'", "bikes"]),
        ("“Go,” he said…", ["``", "go", ",", "''", "he", "said", "..."]),
        ("At 10:30 the U.S. paid 3.5% more—e.g. $1,000", None),
        ("Dr. Brandt saw Mr. Oke", ["dr.", "brandt", "saw", "mr.", "oke"]),
        ("It was no.", ["it", "was", "no", "."]),
        ("non-stop  re-read", ["non-stop", "re-read"]),
        ("isn`t", None),
        ("", []),
    ],
)
def test_text_is_split_into_word_tokens(text: str, tokens: list[str] | None) -> None:
    actual = word_tokens(text)
    if tokens is not None:
        assert actual == tokens
    # Only whitespace is lost.
    assert sum(map(len, actual)) >= len(text.replace(" ", "")) - 1
    assert all(word == word.lower() and word.strip() for word in actual)


def pieced_tokens(texts: list[str], rules: WordRules, vocabulary: PieceVocabulary | None = None) -> list[list[str]]:
    vocabulary = vocabulary or PieceVocabulary(rules)
    pieces, starts = vocabulary.split(texts)
    return [
        [token for piece in pieces[start:end] for token in vocabulary.tokens[piece]]
        for start, end in itertools.pairwise(starts.tolist())
    ]


ODD = [
    "", " ", "Mr. Oke saw no. 5, no.", "It was no.", "Dr.", "dr. \t", "a\u00a0b\u2003c\u3000d\x85e\u2028f",
    "a\x1cb\x1fc\x0bd", "naïve café’s", "fifteen-letters sixteen-letters! seventeen-letters",
    "x" * 15, "x" * 16, "ΟΔΟΣ ΣΑΣ.", "İstanbul", "🙂 ok🙂", "\ud800 half", "can't CAN'T U.S. u.s.", "...",
    "wait... What…", "\n\nlines\r\nof text\n", "a\x01", "a\x01\x02 \x07",
]  # fmt: skip


@pytest.mark.parametrize("case", ["lower", "keep"])
def test_batch_has_the_same_tokens_as_single_texts(case: Case) -> None:
    rules = WordRules(case)
    vocabulary = PieceVocabulary(rules)
    for texts in (ODD, ODD[::-1], ODD):  # first all pieces are new, then all are known
        assert pieced_tokens(texts, rules, vocabulary) == [word_tokens(text, case) for text in texts]
    for text in ODD:
        assert pieced_tokens([text], rules) == [word_tokens(text, case)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet=st.sampled_from("aBn't.-…’ \tmrMRé5,\u00a0\0🙂"), max_size=24), max_size=6))
def test_pieces_have_the_same_tokens_for_any_texts(texts: list[str]) -> None:
    expected = [word_tokens(text.replace("\0", "\ufffd")) for text in texts]  # the vocabulary replaces NUL
    assert pieced_tokens(texts, WordRules()) == expected


def test_pieces_preserve_their_numbers() -> None:
    vocabulary = PieceVocabulary(WordRules())
    words = [f"w{number}" for number in range(20_000)]
    first = vocabulary.split([" ".join(words[start : start + 100]) + " end" for start in range(0, len(words), 100)])
    again = vocabulary.split([" ".join(reversed(words)) + " end"])
    ends = first.starts[1:] - 1
    assert again.pieces.tolist()[:-1] == np.delete(first.pieces, ends).tolist()[::-1]
    assert vocabulary.n_tokens.tolist() == [1] * 20_001


MANY = [
    "Well-known jet-skis. A patty-cake, the kid's; THE KID'S: -dash dash- a--b x-y-z x-. a-b-c'",
    "it's its' 's s's ''s", "Mr. mr. MR. St. no. x-mr. mr.. u.s. U. a. a.b", "b2b 2b 10 10. 10th 3-d",
    "a; b: c) d\" e' \"f (g!", "fifteen-letterss.",
    "don't can't ain't' n't", "no No. Nos.", "a\nb\n\nc", "\n", "x" * 14 + ".", "x" * 15 + ".", "x" * 13 + "'s",
]  # fmt: skip


@pytest.mark.parametrize("case", ["lower", "keep"])
@pytest.mark.parametrize("tokens", ["treebank", "blanks"])
def test_pieces_have_the_same_tokens_for_all_rules(case: Case, tokens: Tokens) -> None:
    rules = WordRules(case, tokens)
    for texts in (MANY, ODD, MANY[::-1]):
        assert pieced_tokens(texts, rules) == [rules.split(text) for text in texts]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text(alphabet=st.sampled_from("aZsn'-.,!?;:)\"  \n0mrMR"), max_size=20), max_size=6),
    st.sampled_from(["lower", "keep"]),
)
def test_pieces_have_the_same_tokens_for_any_mix_of_letters_and_marks(texts: list[str], case: Case) -> None:
    assert pieced_tokens(texts, WordRules(case)) == [word_tokens(text, case) for text in texts]
