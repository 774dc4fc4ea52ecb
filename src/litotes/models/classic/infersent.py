"""`infersent:FOLDER`: InferSent (Conneau et al., 2017), a BiLSTM over word vectors with max pooling over the words.

The folder is written by `litotes train infersent`; `infersent:FILE.pkl?version=1&vectors=FILE` reads the authors' state
dicts.
"""

from __future__ import annotations

import hashlib
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, UsageError, shorten
from litotes.core.files import check_is_file, expand_user, is_file, is_folder, read_json, sha256_file, to_json
from litotes.models.access import Access
from litotes.models.base import Fingerprint
from litotes.models.lookup_encoder import unknown_sentences_note, unknown_words_note
from litotes.models.names import ModelName, parse_options
from litotes.models.transformers.torch_model import AUTO, Features, TorchEncoder, choose_device, require_torch
from litotes.models.word_vectors.lookup import WordVectors, open_word_vectors
from litotes.models.word_vectors.tokenization import INFERSENT_TOKENIZERS

if TYPE_CHECKING:
    import torch

Arrays = dict[str, NDArray[np.float32]]

WEIGHTS = "model.safetensors"
CONFIG = "config.json"
KIND = "infersent"
PREFIX = "enc_lstm."
"""The prefix of the names of the weights of the LSTM."""
_NAMES = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
NAMES = tuple(PREFIX + name + direction for direction in ("", "_reverse") for name in _NAMES)
_PUBLISHED_VECTORS = {1: "glove.840B.300d.txt", 2: "crawl-300d-2M.vec"}


@dataclass(frozen=True)
class InferSentConfig:
    """How the weights are used.

    Args:
        version: 1 (GloVe, marks `<s>` and `</s>`) or 2 (fastText, marks `<p>` and `</p>`, “n't” split as by Moses).
        lowercase: Whether words are lower-cased before they are looked up.
        vectors: The name or file of the word vectors; "" if unknown.
        vectors_sha256: The hash of the word vectors of the training; "" if unknown.
    """

    version: int
    lowercase: bool
    vectors: str
    vectors_sha256: str

    def to_json(self, width: int, dim: int) -> str:
        """Return the content of config.json."""
        config = {
            "model_type": KIND,
            "version": self.version,
            "word_width": width,
            "dim": dim,
            "pooling": "max",
            "tokens": INFERSENT_TOKENIZERS[self.version].name,
            "lowercase": self.lowercase,
            "vectors": {"name": self.vectors, "sha256": self.vectors_sha256},
        }
        return to_json(config, indent=2) + "\n"


@dataclass(frozen=True)
class InferSentWeights:
    """The weights by name, all of consistent shapes and finite; `sha256` is the hash of the file."""

    arrays: Arrays
    sha256: str
    config: InferSentConfig

    @property
    def width(self) -> int:
        """The number of dimensions of word vectors."""
        return int(self.arrays[PREFIX + "weight_ih_l0"].shape[1])

    @property
    def dim(self) -> int:
        """The number of dimensions per direction; sentence vectors have twice as many."""
        return int(self.arrays[PREFIX + "weight_hh_l0"].shape[1])


def read_published(path: Path, access: Access, *, version: int | None, lowercase: bool) -> InferSentWeights:
    """Read the authors' infersent1.pkl or infersent2.pkl, or a similar state dict, if pickles are allowed."""
    check_is_file(path)
    if not access.allow_pickle:
        hint = "--allow-pickle reads only the numbers in it and runs no code"
        raise LitotesError("L305", f"{path}: is a pickle, which is only read with permission", hint=hint)
    version = version or _version_by_name(path)
    config = InferSentConfig(version, lowercase, "", "")
    return InferSentWeights(_check_weights(_unpickle(path), path), sha256_file(path), config)


def missing_vectors(version: int, path: Path) -> UsageError:
    """Return the error for a published model without word vectors."""
    hint = f"version {version} was trained with {_PUBLISHED_VECTORS[version]}: add ?vectors=FILE"
    return UsageError("L102", f"{path}: InferSent needs word vectors", hint=hint)


def _version_by_name(path: Path) -> int:
    known = {f"infersent{version}": version for version in INFERSENT_TOKENIZERS}
    if path.stem not in known:
        hint = "?version=1 (trained with GloVe) or ?version=2 (with fastText)"
        raise UsageError("L102", f"{path}: the version of InferSent is not clear from its name", hint=hint)
    return known[path.stem]


def _unpickle(path: Path) -> Mapping[str, Any]:
    import torch

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about old pickles
            state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # of any type; its own text recommends running the code in the file
        kind = type(error).__name__
        hint = "name a state dict such as the authors publish"
        raise LitotesError("L303", f"{path}: is damaged or contains more than numbers ({kind})", hint=hint) from error
    if not isinstance(state, Mapping) or not all(isinstance(value, torch.Tensor) for value in state.values()):
        raise LitotesError("L303", f"{path}: is not a state dict", hint="it must map names to tensors")
    return {str(name): value.to(torch.float32).numpy() for name, value in state.items()}


def read_trained(folder: Path) -> InferSentWeights:
    """Read a folder that `litotes train infersent` has written."""
    for name in (CONFIG, WEIGHTS):
        if not is_file(folder / name):
            code = "L302" if name == WEIGHTS else "L301"
            hint = "is it the folder that litotes train infersent wrote, and is the training finished?"
            raise LitotesError(code, f"{folder}: has no {name}", hint=hint)
    config = _read_config(folder / CONFIG)
    weights = folder / WEIGHTS
    return InferSentWeights(_check_weights(_read_tensors(weights), weights), sha256_file(weights), config)


def _read_config(path: Path) -> InferSentConfig:
    config = read_json(path)
    if config.get("model_type") != KIND:
        raise LitotesError("L311", f"{path}: is not the configuration of an InferSent encoder")
    version, lowercase, vectors = config.get("version"), config.get("lowercase"), config.get("vectors")
    if not isinstance(version, int) or not isinstance(lowercase, bool) or not isinstance(vectors, dict):
        raise LitotesError("L311", f"{path}: version, lowercase or vectors is missing or invalid")
    if version not in INFERSENT_TOKENIZERS:
        raise LitotesError("L311", f"{path}: unknown version {version} of InferSent")
    if config.get("tokens") != INFERSENT_TOKENIZERS[version].name:
        hint = "train it again, or use the version of Litotes that trained it"
        raise LitotesError("L304", f'{path}: unknown tokenizer "{config.get("tokens")}"', hint=hint)
    return InferSentConfig(version, lowercase, str(vectors.get("name", "")), str(vectors.get("sha256", "")))


def _read_tensors(path: Path) -> Mapping[str, Any]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tensors: dict[str, Any] = load_file(path)
    except (SafetensorError, OSError, ValueError) as error:
        raise LitotesError("L303", f"{path}: cannot be read ({error})", hint="train or download it again") from error
    return tensors


def _check_weights(tensors: Mapping[str, Any], path: Path) -> Arrays:
    """Return the weights of the bidirectional layer, without others such as those of a classifier."""
    missing = next((name for name in NAMES if name not in tensors), None)
    if missing is not None:
        hint = "it must contain a bidirectional LSTM called enc_lstm"
        raise LitotesError("L311", f"{path}: has no {missing}", hint=hint)
    arrays = {name: np.ascontiguousarray(tensors[name], dtype=np.float32) for name in NAMES}
    recurrent, inputs = arrays[PREFIX + "weight_hh_l0"].shape[-1:], arrays[PREFIX + "weight_ih_l0"].shape[-1:]
    rows = (4 * recurrent[0],) if recurrent else (0,)
    for name, array in arrays.items():
        columns = {"ih": inputs, "hh": recurrent}[name.removeprefix(PREFIX).split("_")[1]] if "weight" in name else ()
        if array.shape != rows + columns or not array.size:
            raise LitotesError("L303", f"{path}: {name} has shape {array.shape}, which does not fit the others")
        if not np.isfinite(array).all():
            raise LitotesError("L303", f"{path}: {name} has NaN or infinite numbers")
    return arrays


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
