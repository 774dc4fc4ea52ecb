"""`infersent:FOLDER`: InferSent (Conneau et al., 2017), a BiLSTM over word vectors with max pooling over the words.

The folder is written by `litotes train infersent`; `infersent:FILE.pkl?version=1&vectors=FILE` reads the authors' state
dicts.
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
    missing_vectors,
    read_published,
    read_trained,
)
from litotes.models.lookup_encoder import unknown_sentences_note, unknown_words_note
from litotes.models.names import ModelName, parse_options, shorten
from litotes.models.transformers.torch_model import AUTO, Features, TorchEncoder, choose_device, require_torch
from litotes.models.word_vectors.lookup import WordVectors, open_word_vectors
from litotes.models.word_vectors.tokenization import INFERSENT_TOKENIZERS

if TYPE_CHECKING:
    import torch

WordRows = NDArray[np.int64]
"""The rows of the words of a sentence in a table of vectors."""


def new_lstm(width: int, dim: int) -> torch.nn.LSTM:
    """Return one bidirectional layer for word vectors of `width` dimensions, with `dim` dimensions per direction."""
    import torch

    return torch.nn.LSTM(width, dim, bidirectional=True)


def sentence_vectors(lstm: torch.nn.LSTM, table: torch.Tensor, sentences: Sequence[WordRows]) -> torch.Tensor:
    """Return one vector per sentence; zeros for a sentence without words.

    Sentences are packed, so that padding changes neither the recurrence nor the maximum, and a vector does not depend
    on the other sentences of the batch.
    """
    import torch
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

    lengths = np.array([len(words) for words in sentences], dtype=np.int64)
    order = np.argsort(-lengths, kind="stable")[: int((lengths > 0).sum())]
    vectors = table.new_zeros((len(sentences), 2 * lstm.hidden_size))
    if not len(order):
        return vectors
    padded = np.zeros((int(lengths.max()), len(order)), dtype=np.int64)
    for column, index in enumerate(order):
        padded[: lengths[index], column] = sentences[index]
    inputs = table[torch.from_numpy(padded).to(table.device)]
    packed = pack_padded_sequence(inputs, torch.from_numpy(lengths[order]))
    states, _ = pad_packed_sequence(lstm(packed)[0], padding_value=-torch.inf)
    return vectors.index_copy(0, torch.from_numpy(order).to(table.device), states.max(dim=0).values)


@dataclass(frozen=True)
class InferSentOptions:
    """Options after the `?`.

    Args:
        version: The version of a published file, 1 or 2; default: from its name.
        vectors: The name or file of word vectors; default: those of the training.
        lowercase: Whether texts are lower-cased; default: as in the training, "no" for published files.
        device: A device of torch; "auto": a GPU if there is one.
    """

    version: int | None = None
    vectors: str | None = None
    lowercase: Literal["yes", "no"] | None = None
    device: str = AUTO


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> InferSent:
    """Load `infersent:FOLDER` or `infersent:FILE`."""
    options = parse_options(InferSentOptions, values, scheme=name.scheme)
    if options.version not in (None, *INFERSENT_TOKENIZERS):
        raise UsageError("L102", f"version={options.version}: must be 1 or 2")
    require_torch("safetensors")
    path = expand_user(name.rest)
    if is_folder(path):
        weights = _read_folder(path, options)
    elif is_file(path):
        weights = read_published(path, access, version=options.version, lowercase=options.lowercase == "yes")
    else:
        hint = "name a folder of litotes train infersent, or the authors' infersent1.pkl or infersent2.pkl"
        raise LitotesError("L301", f"{path}: no such folder or file", hint=hint)
    vectors = _open_vectors(weights, path, options, access)
    return InferSent(name.text, weights, vectors, choose_device(options.device))


def _read_folder(folder: Path, options: InferSentOptions) -> InferSentWeights:
    weights = read_trained(folder)
    for value, trained, option in (
        (options.version, weights.config.version, "version"),
        (options.lowercase, "yes" if weights.config.lowercase else "no", "lowercase"),
    ):
        if value not in (None, trained):
            message = f"{option}={value}: {folder} was trained with {option}={trained}"
            raise UsageError("L102", message, hint="leave it out")
    return weights


def _open_vectors(weights: InferSentWeights, path: Path, options: InferSentOptions, access: Access) -> WordVectors:
    """Return the word vectors of the option or of the training; raise if they do not fit the weights."""
    source = options.vectors or weights.config.vectors
    if not source:
        raise missing_vectors(weights.config.version, path)
    try:
        vectors = open_word_vectors(source, access)
    except LitotesError as error:
        if options.vectors is not None or error.code not in {"L201", "L301"}:
            raise
        message = f"{path}: the word vectors of its training, {source}, do not exist any more"
        raise LitotesError(error.code, message, hint="add ?vectors=FILE with their present path") from error
    if weights.config.vectors_sha256 not in {"", vectors.sha256}:
        raise LitotesError(
            "L307",
            f"{path}: was trained with other word vectors than {shorten(source)}"
            f" (sha256 {weights.config.vectors_sha256[:12]}…, these have {vectors.sha256[:12]}…)",
            hint="name the vectors of the training: ?vectors=FILE",
        )
    if vectors.width != weights.width:
        message = f"{shorten(source)}: has vectors of {vectors.width} dimensions, {path} needs {weights.width}"
        raise UsageError("L102", message, hint="name the vectors of the training")
    return vectors


class InferSent(TorchEncoder):
    """A BiLSTM over the words with a vector, and the maximum over its states."""

    def __init__(self, name: str, weights: InferSentWeights, vectors: WordVectors, device: torch.device) -> None:
        import torch

        super().__init__(name, _fingerprint(weights.config, weights.sha256, vectors.sha256, device.type), device)
        self._lowercase = weights.config.lowercase
        self._tokenizer = INFERSENT_TOKENIZERS[weights.config.version]
        self._vectors = vectors
        lstm = new_lstm(weights.width, weights.dim)
        lstm.load_state_dict(
            {key.removeprefix(PREFIX): torch.from_numpy(array) for key, array in weights.arrays.items()}
        )
        self._lstm = lstm.to(device).eval()

    @property
    def allows_zero_vectors(self) -> bool:
        """True: a sentence may have no known word, and the marks around it no vector."""
        return True

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the number of words of each text, including the two marks."""
        return [len(self._words(text)) for text in texts]

    def notes(self, texts: Sequence[str]) -> list[str]:
        """Return notes about words without a vector and sentences without a known word."""
        texts_words = [self._inner_words(text) for text in texts]
        counts = Counter(word for words in texts_words for word in words)
        unknown = {word: counts[word] for word in counts if not self._vectors.lookup([word])[1][0]}
        n_empty = sum(all(word in unknown for word in words) for words in texts_words)
        notes = unknown_words_note(unknown, counts.total())
        if self._vectors.lookup([self._tokenizer.start, self._tokenizer.end])[1].any():
            return notes + unknown_sentences_note(n_empty, effect="all of them have the same vector")
        return notes + unknown_sentences_note(n_empty)

    def _inner_words(self, text: str) -> list[str]:
        return self._tokenizer.tokens(text, lowercase=self._lowercase)

    def _words(self, text: str) -> list[str]:
        return [self._tokenizer.start, *self._inner_words(text), self._tokenizer.end]

    def _tokenize(self, texts: Sequence[str]) -> Features:
        """Return the vectors of the words of a batch, and their rows for each text; unknown words are left out."""
        import torch

        tokenized = [self._words(text) for text in texts]
        distinct = list(dict.fromkeys(word for words in tokenized for word in words))
        vectors, known = self._vectors.lookup(distinct)
        rows = {word: row for row, word in enumerate(distinct) if known[row]}
        sentences: list[WordRows] = [
            np.array([rows[word] for word in words if word in rows], dtype=np.int64) for words in tokenized
        ]
        return {"table": torch.from_numpy(np.ascontiguousarray(vectors, dtype=np.float32)), "sentences": sentences}

    def _forward(self, features: Features) -> torch.Tensor:
        return sentence_vectors(self._lstm, features["table"], features["sentences"])


def _fingerprint(config: InferSentConfig, weights: str, vectors: str, device: str) -> Fingerprint:
    both = hashlib.sha256(f"{weights} {vectors}".encode()).hexdigest()
    tokenizer = INFERSENT_TOKENIZERS[config.version]
    description = f"infersent-{config.version} {tokenizer.name} {tokenizer.start} {config.lowercase}"
    return Fingerprint(backend=f"torch/{device}", weights=both, config=description, pooling="max")
