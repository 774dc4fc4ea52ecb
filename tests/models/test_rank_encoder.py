"""RankEncoder's similarity: a cosine mixed with the rank correlation over a corpus."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from litotes import LitotesError
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.classic.rank_encoder import RankEncoder
from litotes.models.loading import load_model

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SENTENCES = [
    "The old man sold the boat.", "It rained all day in the valley.", "Nobody found the key.", "She hates the noise.",
    "A quick fox jumped over the fence.", "The exam was difficult.", "My aunt waited for the ferry.", "They left.",
    "Zoe fixed the squeaky box.", "The judge was kind to us.", "Why is the gate open?", "We bought six plums.",
]  # fmt: skip
PAIRS = [
    ("The shop is open.", "The shop is shut."),
    ("He lost the key.", "She found a dog."),
    ("It is on.", "It is on."),
]


class LetterCounts(Encoder):
    """Counts letters: a deterministic encoder."""

    def lengths(self, texts: list[str]) -> list[int]:  # type: ignore[override]
        return [len(text) for text in texts]

    def encode(self, texts: list[str]) -> Vectors:  # type: ignore[override]
        return np.array([[text.lower().count(letter) for letter in LETTERS] for text in texts], np.float32)


BASE = LetterCounts("letters", Fingerprint("python"))


def cosine(first: str, second: str) -> float:
    return float(BASE.score([(first, second)])[0])


@pytest.mark.parametrize("weight", [0.0, 0.5, 0.9, 1.0])
def test_similarity_is_the_weighted_sum_of_cosine_and_spearman(weight: float) -> None:
    scores = RankEncoder("ranks", BASE, SENTENCES, weight=weight).score(PAIRS)
    for score, (first, second) in zip(scores, PAIRS, strict=True):
        to_corpus = [[cosine(text, sentence) for sentence in SENTENCES] for text in (first, second)]
        correlation = scipy.stats.spearmanr(*to_corpus).statistic
        assert score == pytest.approx(weight * cosine(first, second) + (1 - weight) * correlation, abs=1e-5)


def test_vectors_do_not_depend_on_the_batch() -> None:
    model = RankEncoder("ranks", BASE, SENTENCES)
    together = model.encode([text for pair in PAIRS for text in pair])
    alone = np.concatenate([model.encode([text]) for pair in PAIRS for text in pair])
    assert together.shape == (6, len(LETTERS) + len(SENTENCES)) and np.array_equal(together, alone)


def test_a_sentence_without_a_vector_has_the_similarity_0() -> None:
    model = RankEncoder("ranks", BASE, SENTENCES)
    assert model.score([("1 2 3", "The shop is open.")]).tolist() == [0.0]


def test_fingerprints_differ_by_corpus_and_weight() -> None:
    models = [
        RankEncoder("ranks", BASE, SENTENCES), RankEncoder("ranks", BASE, SENTENCES[1:]),
        RankEncoder("ranks", BASE, SENTENCES, weight=0.5),
    ]  # fmt: skip
    assert len({model.fingerprint.key() for model in (*models, BASE)}) == 4


def test_loads_a_base_model_with_a_corpus(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("".join(f"{sentence}\n" for sentence in [*SENTENCES, *SENTENCES]), "utf-8")
    name = f"rankencoder:glove:6b-50d?corpus={path}&size=8"
    model = load_model(name)
    assert isinstance(model, RankEncoder)
    assert model.encode(["It rained."]).shape == (1, 50 + 8)
    assert -1 <= model.score(PAIRS)[0] < 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rankencoder:overlap:words", "is not an encoder"),
        ("rankencoder:glove:6b-50d?weight=2", "weight=2: must be between 0 and 1"),
        ("rankencoder:glove:6b-50d?size=1", "size=1: must be at least 2"),
        ("rankencoder:glove:6b-50d?corpus=none.txt", "none.txt"),
    ],
)
def test_wrong_options_are_errors(name: str, message: str) -> None:
    with pytest.raises(LitotesError, match=message):
        load_model(name)
