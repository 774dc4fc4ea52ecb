"""The weights of an InferSent encoder on disk: the authors' state dict, or a folder that Litotes trained."""

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
from litotes.models.word_vectors.tokens import READINGS

Arrays = dict[str, NDArray[np.float32]]

WEIGHTS = "model.safetensors"
CONFIG = "config.json"
KIND = "infersent"
PREFIX = "enc_lstm."
"""Before the names that torch gives the weights of an LSTM."""
_NAMES = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
NAMES = tuple(PREFIX + name + direction for direction in ("", "_reverse") for name in _NAMES)
_PUBLISHED_VECTORS = {1: "glove.840B.300d.txt", 2: "crawl-300d-2M.vec"}


@dataclass(frozen=True)
class InferSentConfig:
    """How the weights are used."""

    version: int
    """1: GloVe, marks `<s>` and `</s>`; 2: fastText, marks `<p>` and `</p>`, Moses' way with “n't”."""
    lowercase: bool
    """Whether texts are put in lower case before they are looked up."""
    vectors: str
    """The name or the file of the word vectors; empty where nobody has said."""
    vectors_sha256: str
    """Of those that it was trained with; empty where nobody knows."""

    def to_json(self, width: int, dim: int) -> str:
        """What config.json holds."""
        about = {
            "model_type": KIND,
            "version": self.version,
            "word_width": width,
            "dim": dim,
            "pooling": "max",
            "tokens": READINGS[self.version].name,
            "lowercase": self.lowercase,
            "vectors": {"name": self.vectors, "sha256": self.vectors_sha256},
        }
        return to_json(about, indent=2) + "\n"


@dataclass(frozen=True)
class InferSentWeights:
    """An encoder's weights by the names that torch gives them, all of fitting shapes and finite."""

    arrays: Arrays
    sha256: str
    """Of the file."""
    config: InferSentConfig

    @property
    def width(self) -> int:
        """How many numbers a word's vector has."""
        return int(self.arrays[PREFIX + "weight_ih_l0"].shape[1])

    @property
    def dim(self) -> int:
        """How many numbers a direction gives; a sentence's vector has twice as many."""
        return int(self.arrays[PREFIX + "weight_hh_l0"].shape[1])


def read_published(path: Path, access: Access, *, version: int | None, lowercase: bool) -> InferSentWeights:
    """The authors' infersent1.pkl or infersent2.pkl, or a state dict like it; read only where pickles are."""
    check_is_file(path)
    if not access.allow_pickle:
        hint = "--allow-pickle reads it, numbers alone and no code"
        raise LitotesError("L305", f"{path}: is published as a pickle, which is not read unasked", hint=hint)
    version = version or _version_by_name(path)
    config = InferSentConfig(version, lowercase, "", "")
    return InferSentWeights(_checked(_unpickled(path), path), sha256_file(path), config)


def needs_vectors(version: int, path: Path) -> UsageError:
    """The error for a published model without the word vectors that it reads."""
    hint = f"version {version} was trained with {_PUBLISHED_VECTORS[version]}: add ?vectors=FILE"
    return UsageError("L102", f"{path}: InferSent reads word vectors, and none are named", hint=hint)


def _version_by_name(path: Path) -> int:
    known = {f"infersent{version}": version for version in READINGS}
    if path.stem not in known:
        hint = "?version=1 (trained with GloVe) or ?version=2 (with fastText)"
        raise UsageError("L102", f"{path}: its name does not say which version of InferSent it is", hint=hint)
    return known[path.stem]


def _unpickled(path: Path) -> Mapping[str, Any]:
    import torch

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about pickles of another age; what cannot be read is told all the same
            found = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises of all kinds, and its own text says how to run what is in the file
        kind = type(error).__name__
        hint = "a state dict is needed, as the authors publish it"
        raise LitotesError("L303", f"{path}: is damaged or holds more than numbers ({kind})", hint=hint) from error
    if not isinstance(found, Mapping) or not all(isinstance(value, torch.Tensor) for value in found.values()):
        raise LitotesError("L303", f"{path}: is no state dict", hint="names and their tensors are needed")
    return {str(name): value.to(torch.float32).numpy() for name, value in found.items()}


def read_trained(folder: Path) -> InferSentWeights:
    """What `litotes train infersent` wrote."""
    for name in (CONFIG, WEIGHTS):
        if not is_file(folder / name):
            code = "L302" if name == WEIGHTS else "L301"
            hint = "is it the folder that litotes train infersent wrote, and is the training finished?"
            raise LitotesError(code, f"{folder}: has no {name}", hint=hint)
    config = _config(folder / CONFIG)
    found = InferSentWeights(_checked(_tensors(folder / WEIGHTS), folder / WEIGHTS), "", config)
    return InferSentWeights(found.arrays, sha256_file(folder / WEIGHTS), config)


def _config(path: Path) -> InferSentConfig:
    told = read_json(path)
    if told.get("model_type") != KIND:
        raise LitotesError("L311", f"{path}: is not the configuration of an InferSent encoder")
    version, lowercase, vectors = told.get("version"), told.get("lowercase"), told.get("vectors")
    if not isinstance(version, int) or not isinstance(lowercase, bool) or not isinstance(vectors, dict):
        raise LitotesError("L311", f"{path}: version, lowercase or vectors is missing or wrong")
    if version not in READINGS:
        raise LitotesError("L311", f"{path}: version {version} of InferSent is not known")
    if told.get("tokens") != READINGS[version].name:
        hint = "train it again, or take the version of Litotes that trained it"
        raise LitotesError("L304", f'{path}: words are split by "{told.get("tokens")}", which is not known', hint=hint)
    return InferSentConfig(version, lowercase, str(vectors.get("name", "")), str(vectors.get("sha256", "")))


def _tensors(path: Path) -> Mapping[str, Any]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        found: dict[str, Any] = load_file(path)
    except (SafetensorError, OSError, ValueError) as error:
        raise LitotesError("L303", f"{path}: cannot be read ({error})", hint="train or fetch it again") from error
    return found


def _checked(found: Mapping[str, Any], path: Path) -> Arrays:
    """The weights of one layer in two directions; everything else, such as a classifier, is left out."""
    missing = next((name for name in NAMES if name not in found), None)
    if missing is not None:
        raise LitotesError(
            "L311", f"{path}: has no {missing}", hint="a bidirectional LSTM under the name enc_lstm is needed"
        )
    arrays = {name: np.ascontiguousarray(found[name], dtype=np.float32) for name in NAMES}
    inner, outer = arrays[PREFIX + "weight_hh_l0"].shape[-1:], arrays[PREFIX + "weight_ih_l0"].shape[-1:]
    rows = (4 * inner[0],) if inner else (0,)
    for name, array in arrays.items():
        more = {"ih": outer, "hh": inner}[name.removeprefix(PREFIX).split("_")[1]] if "weight" in name else ()
        if array.shape != rows + more or not array.size:
            raise LitotesError("L303", f"{path}: {name} is of shape {array.shape}, which does not fit the others")
        if not np.isfinite(array).all():
            raise LitotesError("L303", f"{path}: {name} holds numbers that are not finite")
    return arrays
