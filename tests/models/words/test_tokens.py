"""Words as GloVe has them, and the same words however a batch is cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from litotes.models.word_vectors.pieces import Pieces

from litotes.models.word_vectors.tokenization import Case, Split, text_tokens, word_tokens


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
def test_tokens(text: str, tokens: list[str] | None) -> None:
    found = word_tokens(text)
    if tokens is not None:
        assert found == tokens
    # Nothing is lost but blanks, whatever the signs are turned into.
    assert sum(map(len, found)) >= len(text.replace(" ", "")) - 1
    assert all(word == word.lower() and word.strip() for word in found)


def cut_tokens(texts: list[str], case: Case = "lower", pieces: Pieces | None = None) -> list[list[str]]:
    pieces = Pieces(case) if pieces is None else pieces
    cut = pieces.cut(texts)
    numbers = cut.pieces
    return [
        [token for some in pieces.tokens(numbers[start:end]) for token in some]
        for start, end in zip(cut.first[:-1].tolist(), cut.first[1:].tolist(), strict=True)
    ]


ODD = [
    "", " ", "Mr. Oke saw no. 5, no.", "It was no.", "Dr.", "dr. \t", "a\u00a0b\u2003c\u3000d\x85e\u2028f",
    "a\x1cb\x1fc\x0bd", "a\x00b \x00 c", "naïve café’s", "fifteen-letters sixteen-letters! seventeen-letters",
    "x" * 15, "x" * 16, "ΟΔΟΣ ΣΑΣ.", "İstanbul", "🙂 ok🙂", "\ud800 half", "can't CAN'T U.S. u.s.", "...",
    "wait... What…", "\n\nlines\r\nof text\n", "a\x01", "a\x01\x02 \x07",
]  # fmt: skip


@pytest.mark.parametrize("case", ["lower", "keep"])
def test_a_batch_is_cut_into_the_same_tokens(case: Case) -> None:
    pieces = Pieces(case)
    for texts in (ODD, ODD[::-1], ODD):  # all new, then all known
        assert cut_tokens(texts, case, pieces) == [word_tokens(text, case) for text in texts]
    for text in ODD:
        assert cut_tokens([text], case) == [word_tokens(text, case)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet=st.sampled_from("aBn't.-…’ \tmrMRé5,\u00a0\0🙂"), max_size=24), max_size=6))
def test_whatever_the_texts(texts: list[str]) -> None:
    assert cut_tokens(texts) == [word_tokens(text) for text in texts]


def test_many_pieces_keep_their_numbers() -> None:
    pieces = Pieces()
    words = [f"w{number}" for number in range(20_000)]
    first = pieces.cut([" ".join(words[start : start + 100]) for start in range(0, len(words), 100)])
    again = pieces.cut([" ".join(reversed(words))])
    assert again.pieces.tolist() == first.pieces.tolist()[::-1]
    assert pieces.sizes.tolist() == [1] * 20_000


MANY = [
    "Well-known jet-skis. A patty-cake, the kid's; THE KID'S: -dash dash- a--b x-y-z x-. a-b-c'",
    "it's its' 's s's ''s", "Mr. mr. MR. St. no. x-mr. mr.. u.s. U. a. a.b", "b2b 2b 10 10. 10th 3-d",
    "a; b: c) d\" e' \"f (g!", "fifteen-letterss.",
    "don't can't ain't' n't", "no No. Nos.", "a\nb\n\nc", "\n", "x" * 14 + ".", "x" * 15 + ".", "x" * 13 + "'s",
]  # fmt: skip


@pytest.mark.parametrize("case", ["lower", "keep"])
@pytest.mark.parametrize("split", ["treebank", "blanks"])
def test_pieces_that_need_no_rules_are_cut_as_by_rules(case: Case, split: Split) -> None:
    for texts in (MANY, ODD, MANY[::-1]):
        pieces = Pieces(case, split)
        assert cut_tokens(texts, case, pieces) == [text_tokens(text, case, split) for text in texts]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text(alphabet=st.sampled_from("aZsn'-.,!?;:)\"  \n0mrMR"), max_size=20), max_size=6),
    st.sampled_from(["lower", "keep"]),
)
def test_letters_hyphens_and_marks_however_they_are_mixed(texts: list[str], case: Case) -> None:
    assert cut_tokens(texts, case) == [word_tokens(text, case) for text in texts]


def test_keys_that_have_one_number_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("litotes.models.word_vectors.keys.mixed", lambda keys: np.zeros(len(keys), dtype=np.uint64))
    texts = ["to be or not to be", "that is the question, to be"]
    assert cut_tokens(texts) == [word_tokens(text) for text in texts]
