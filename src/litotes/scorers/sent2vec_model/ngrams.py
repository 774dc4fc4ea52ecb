"""Which rows of the matrix a sentence's words and n-grams have, by sent2vec's hash."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_FACTOR = np.uint64(116049371)

Rows = NDArray[np.int64]


def ngram_rows(ids: Rows, room: Rows, *, longest: int, words: int, bucket: int) -> tuple[Rows, Rows]:
    """The rows of all n-grams of 2 to `longest` words, and the place where each begins.

    `room` says for each word how many of those behind it may be in one n-gram with it. The hash is made of the words'
    numbers in the dictionary, in 64 bits that overflow; not, as in fastText, of hashes of the words themselves.
    """
    hashes = ids.astype(np.uint64)
    here = np.arange(len(ids))
    rows, places = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for step in range(1, longest):
        here = here[room[here] >= step]
        if not len(here):
            break
        hashes[here] = hashes[here] * _FACTOR + ids[here + step].astype(np.uint64)
        rows.append(words + (hashes[here] % np.uint64(bucket)).astype(np.int64))
        places.append(here)
    return np.concatenate(rows), np.concatenate(places)


def sentence_rows(ids: Sequence[int], *, longest: int, words: int, bucket: int) -> Rows:
    """The rows of a sentence: its words, then its n-grams.

    >>> sentence_rows([5, 7], longest=2, words=100, bucket=1000).tolist()
    [5, 7, 962]
    >>> (5 * 116049371 + 7) % 1000 + 100
    962
    """
    own = np.asarray(ids, dtype=np.int64)
    room = np.arange(len(own) - 1, -1, -1)
    more, _ = ngram_rows(own, room, longest=longest, words=words, bucket=bucket)
    return np.concatenate([own, more])
