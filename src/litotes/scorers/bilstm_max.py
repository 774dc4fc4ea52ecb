"""A bidirectional LSTM and the maximum over the words of a sentence: InferSent's encoder, to run and to train."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch

Places = NDArray[np.int64]
"""The rows of a sentence's words in a table of vectors, in the order of the sentence."""


def new_lstm(width: int, dim: int) -> torch.nn.LSTM:
    """One layer that reads vectors of so many numbers and gives `dim` of them a direction."""
    import torch

    return torch.nn.LSTM(width, dim, bidirectional=True)


def sentence_vectors(lstm: torch.nn.LSTM, table: torch.Tensor, sentences: Sequence[Places]) -> torch.Tensor:
    """A row a sentence; zeros for one without words.

    Sentences are packed: neither the recurrence nor the maximum sees the padding, so that a vector does not depend on
    what else is in the batch.
    """
    import torch
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

    lengths = np.array([len(words) for words in sentences], dtype=np.int64)
    order = np.argsort(-lengths, kind="stable")[: int((lengths > 0).sum())]
    found = table.new_zeros((len(sentences), 2 * lstm.hidden_size))
    if not len(order):
        return found
    padded = np.zeros((int(lengths.max()), len(order)), dtype=np.int64)
    for column, place in enumerate(order):
        padded[: lengths[place], column] = sentences[place]
    inputs = table[torch.from_numpy(padded).to(table.device)]
    packed = pack_padded_sequence(inputs, torch.from_numpy(lengths[order]))
    states, _ = pad_packed_sequence(lstm(packed)[0], padding_value=-torch.inf)
    return found.index_copy(0, torch.from_numpy(order).to(table.device), states.max(dim=0).values)
