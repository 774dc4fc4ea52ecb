"""The files of InferSent encoders: the authors' state dicts, and folders of `litotes train infersent`."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import check_is_file, is_file, read_json, sha256_file, to_json
from litotes.models.access import Access
from litotes.models.word_vectors.tokenization import INFERSENT_TOKENIZERS

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
        raise LitotesError(
            "L311", f"{path}: has no {missing}", hint="it must contain a bidirectional LSTM called enc_lstm"
        )
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
