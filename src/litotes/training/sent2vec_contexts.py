"""What each word is told from: the other words of its sentence, and n-grams of which some are dropped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.scorers.sent2vec_model.ngrams import Rows, ngram_rows
from litotes.training.sent2vec_settings import Sent2VecSettings
from litotes.training.sent2vec_text import LearningText

NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Contexts:
    """Some words to be told, and the rows whose mean they are told from."""

    targets: Rows
    rows: Rows
    """Those of the first target, then those of the next."""
    starts: Rows
    """Where those of each target begin, and where the last ones end."""

    def part(self, first: int, last: int) -> Contexts:
        """Those of some targets."""
        starts = self.starts[first : last + 1]
        return Contexts(self.targets[first:last], self.rows[starts[0] : starts[-1]], starts - starts[0])


def told_words(text: LearningText, settings: Sent2VecSettings, draw: np.random.Generator) -> tuple[Rows, Rows]:
    """Which words are told in an epoch, by sentence and by place: frequent ones seldom; sentences in a new order."""
    share = np.maximum(text.counts, 1) / text.tokens
    chance = np.sqrt(settings.subsample / share) + settings.subsample / share
    chance[text.counts < settings.min_target_count] = 0.0
    told = np.flatnonzero(draw.random(len(text.ids)) < chance[text.ids])
    sentence = np.searchsorted(text.starts, told, side="right") - 1
    rank = draw.permutation(len(text.starts) - 1)
    order = np.argsort(rank[sentence], kind="stable")
    return sentence[order], told[order]


def contexts(
    text: LearningText, sentences: Rows, places: Rows, settings: Sent2VecSettings, draw: np.random.Generator
) -> Contexts:
    """The contexts of the words at those places of the text, each in its sentence."""
    lengths = text.starts[sentences + 1] - text.starts[sentences]
    ends = np.cumsum(lengths)
    begins = ends - lengths
    owner = np.repeat(np.arange(len(places)), lengths)
    within = np.arange(ends[-1]) - begins[owner]
    ids = text.ids[text.starts[sentences][owner] + within].astype(np.int64)
    target_at = begins + places - text.starts[sentences]
    targets = ids[target_at].copy()
    ids[target_at] = 0  # the placeholder: words on its two sides do not become neighbours
    room = ends[owner] - 1 - np.arange(ends[-1])
    if settings.word_ngrams > 1 and settings.dropout_k:
        room = np.minimum(room, _room_before_dropped(owner, begins, lengths, settings.dropout_k, draw))
    more, at = ngram_rows(
        ids, room, longest=settings.word_ngrams, words=len(text.words), bucket=settings.rows_of_ngrams
    )
    owners = np.concatenate([owner, owner[at]])
    order = np.argsort(owners, kind="stable")
    rows = np.concatenate([ids, more])[order]
    return Contexts(targets, rows, np.searchsorted(owners[order], np.arange(len(places) + 1)))


def _room_before_dropped(
    owner: Rows, begins: Rows, lengths: Rows, dropped: int, draw: np.random.Generator
) -> NDArray[np.int64]:
    """How many words behind each one come before the next that is dropped; -1 for a dropped one.

    So many words are dropped in each sentence that at least two are left, as in the original tool.
    """
    here = np.arange(len(owner))
    shuffled = np.argsort(owner + draw.random(len(owner)), kind="stable")
    is_dropped = np.zeros(len(owner), dtype=bool)
    is_dropped[shuffled] = here - begins[owner] < np.clip(lengths - 2, 0, dropped)[owner]
    following = np.where(is_dropped, here, NEVER)
    upcoming = np.minimum.accumulate(following[::-1])[::-1]
    return upcoming - 1 - here
