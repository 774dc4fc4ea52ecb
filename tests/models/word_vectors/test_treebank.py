"""Tests of the Penn Treebank tokenizer, compared with NLTK."""

from __future__ import annotations

import pytest

from litotes.languages.en.sentences import split_sentences
from litotes.models.word_vectors.tokenization import moses_words, treebank_words


@pytest.mark.parametrize(
    "text",
    [
        "He said, 'I'm not paying.'",
        "'Twas (not) so -- it's the dogs' bowl; at 10:30, for 5,000...",
        '"Why?" she asked, "can\'t we gonna go?"',
        "I don't. You cannot. They wanna.",
        "a@b.com costs 5% & #1*, <b>[x]</b> {y}: z",
        "Dr. Hill of the U.S. isn't here.",
        "Rock 'n' roll, y'all, the '90s ``so'' it goes... «oui»",
        'He read "Not yet." and (left.)',
        "a--b a---b a..b 1.5 ,5 x:y 3:4",
        "😀 ok.",
    ],
)
def test_tokens_match_nltk(text: str) -> None:
    from nltk.tokenize import NLTKWordTokenizer

    nltk = NLTKWordTokenizer()
    assert treebank_words(text) == [word for _, one in split_sentences(text) for word in nltk.tokenize(one)]


def test_empty_text_has_no_tokens() -> None:
    assert treebank_words("") == treebank_words(" \n ") == moses_words("") == []
