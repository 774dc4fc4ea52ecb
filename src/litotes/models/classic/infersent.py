"""`infersent:` — InferSent (Conneau et al., 2017): a BiLSTM over word vectors, the maximum over the words.

`infersent:FOLDER` is what `litotes train infersent` wrote; `infersent:FILE.pkl?version=1&vectors=FILE` a state dict as
the authors publish it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, is_file, is_folder
from litotes.models.access import Access
from litotes.models.base import Fingerprint
from litotes.models.classic.infersent_files import (
    PREFIX,
    InferSentConfig,
    InferSentWeights,
    needs_vectors,
    read_published,
    read_trained,
)
from litotes.models.names import ScorerName, parse_options, shorten
from litotes.models.transformers.torch_model import AUTO, Features, TorchEncoder, choose_device, need_torch
from litotes.models.word_vectors.encoder import note_of_sentences, note_of_words
from litotes.models.word_vectors.lookup import WordLookup, open_word_vectors
from litotes.models.word_vectors.tokens import READINGS

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


_AT_ONCE = 4096


@dataclass(frozen=True)
class InferSentOptions:
    """What may stand after the `?`."""

    version: int | None = None
    """Of a published file: 1 or 2. None: by its name."""
    vectors: str | None = None
    """A name or a file of word vectors. None: those with which the folder was trained."""
    lowercase: Literal["yes", "no"] | None = None
    """For vectors without capital letters. None: as it was trained; the published ones were with capitals."""
    device: str = AUTO


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> InferSent:
    """The encoder in that folder or file, with its word vectors."""
    options = parse_options(InferSentOptions, given, scheme=name.scheme)
    if options.version not in (None, *READINGS):
        raise UsageError("L102", f"version={options.version}: there are versions 1 and 2")
    need_torch("safetensors")
    path = expand_user(name.rest)
    if is_folder(path):
        weights = _of_folder(path, options)
    elif is_file(path):
        weights = read_published(path, access, version=options.version, lowercase=options.lowercase == "yes")
    else:
        hint = "name the folder of litotes train infersent, or the authors' file infersent1.pkl or infersent2.pkl"
        raise LitotesError("L301", f"{path}: no such folder or file", hint=hint)
    vectors = _vectors(weights, path, options, access)
    return InferSent(name.text, weights, vectors, choose_device(options.device))


def _of_folder(folder: Path, options: InferSentOptions) -> InferSentWeights:
    weights = read_trained(folder)
    for said, trained, what in (
        (options.version, weights.config.version, "version"),
        (options.lowercase, "yes" if weights.config.lowercase else "no", "lowercase"),
    ):
        if said not in (None, trained):
            raise UsageError("L102", f"{what}={said}: {folder} was trained with {what}={trained}", hint="leave it out")
    return weights


def _vectors(weights: InferSentWeights, path: Path, options: InferSentOptions, access: Access) -> WordLookup:
    """The word vectors that were named, or with which it was trained; others would give numbers that mean nothing."""
    where = options.vectors or weights.config.vectors
    if not where:
        raise needs_vectors(weights.config.version, path)
    try:
        found = open_word_vectors(where, access)
    except LitotesError as error:
        if options.vectors is not None or error.code not in {"L201", "L301"}:
            raise
        hint = "add ?vectors=FILE with the place where it is now"
        raise LitotesError(
            error.code, f"{path}: the word vectors of its training, {where}, are gone", hint=hint
        ) from error
    if weights.config.vectors_sha256 not in {"", found.sha256}:
        raise LitotesError(
            "L307",
            f"{path}: was trained with other word vectors than {shorten(where)}"
            f" (sha256 {weights.config.vectors_sha256[:12]}…, these have {found.sha256[:12]}…)",
            hint="name those by ?vectors=",
        )
    if found.width != weights.width:
        hint = "name the vectors with which it was trained"
        raise UsageError(
            "L102", f"{shorten(where)}: has vectors of {found.width} numbers, {path} reads {weights.width}", hint=hint
        )
    return found


class InferSent(TorchEncoder):
    """A BiLSTM over the words that have a vector, the maximum over its states."""

    def __init__(self, name: str, weights: InferSentWeights, vectors: WordLookup, device: torch.device) -> None:
        import torch

        super().__init__(name, _fingerprint(weights.config, weights.sha256, vectors.sha256, device.type), device)
        self._lowercase = weights.config.lowercase
        self._reading = READINGS[weights.config.version]
        self._vectors = vectors
        lstm = new_lstm(weights.width, weights.dim)
        lstm.load_state_dict(
            {key.removeprefix(PREFIX): torch.from_numpy(array) for key, array in weights.arrays.items()}
        )
        self._lstm = lstm.to(device).eval()

    @property
    def may_know_nothing(self) -> bool:
        """A sentence may have no word, and its marks no vector."""
        return True

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """In words, with the two marks."""
        return [len(self._words(text)) for text in texts]

    def notes(self, texts: Sequence[str]) -> list[str]:
        """How many words have no vector, which are the most frequent of them, which sentences have none at all."""
        counts = Counter(word for text in texts for word in self._bare_words(text))
        unknown = {word: counts[word] for word in self._unknown(list(counts))}
        marked = bool(self._known([self._reading.begin, self._reading.end]))
        empty = sum(all(word in unknown for word in self._bare_words(text)) for text in texts)
        notes = note_of_words(unknown, counts.total())
        return notes + (note_of_sentences(empty, means="all of them are alike") if marked else note_of_sentences(empty))

    def _bare_words(self, text: str) -> list[str]:
        return self._reading.tokens(text, lowercase=self._lowercase)

    def _words(self, text: str) -> list[str]:
        return [self._reading.begin, *self._bare_words(text), self._reading.end]

    def _known(self, words: list[str]) -> list[str]:
        return [word for word, known in zip(words, self._vectors.look_up(words)[1], strict=True) if known]

    def _unknown(self, words: list[str]) -> list[str]:
        found: list[str] = []
        for start in range(0, len(words), _AT_ONCE):
            some = words[start : start + _AT_ONCE]
            found += [word for word, known in zip(some, self._vectors.look_up(some)[1], strict=True) if not known]
        return found

    def _tokenize(self, texts: Sequence[str]) -> Features:
        """The vectors of the batch's words, and for each text which of them it has; unknown ones are left out."""
        import torch

        read = [self._words(text) for text in texts]
        words = list(dict.fromkeys(word for one in read for word in one))
        rows, known = self._vectors.look_up(words)
        place = {word: number for number, word in enumerate(words) if known[number]}
        sentences: list[Places] = [
            np.array([place[word] for word in one if word in place], dtype=np.int64) for one in read
        ]
        return {"table": torch.from_numpy(np.ascontiguousarray(rows, dtype=np.float32)), "sentences": sentences}

    def _forward(self, features: Features) -> torch.Tensor:
        return sentence_vectors(self._lstm, features["table"], features["sentences"])


def _fingerprint(config: InferSentConfig, weights: str, vectors: str, device: str) -> Fingerprint:
    both = hashlib.sha256(f"{weights} {vectors}".encode()).hexdigest()
    how = f"{READINGS[config.version].name} {READINGS[config.version].begin} {config.lowercase}"
    return Fingerprint(
        backend=f"torch/{device}", weights=both, config=f"infersent-{config.version} {how}", pooling="max"
    )
