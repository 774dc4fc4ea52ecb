"""Checks and hashes of a model's folder, before anything is loaded from it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Any, TypeVar

from litotes.core.errors import LitotesError
from litotes.core.files import read_json, sha256_file
from litotes.models.access import Access
from litotes.models.names import shorten

_CONFIGS = (
    "config.json",
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "router_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
)
_TOKENIZERS = (
    "tokenizer.json",
    "vocab.txt",
    "vocab.json",
    "spiece.model",
    "tokenizer.model",
    "sentencepiece.bpe.model",
    "whitespacetokenizer_config.json",  # sentence-transformers' models that look words up
    "phrasetokenizer_config.json",
)
_SAFE = ".safetensors"
_PICKLED = (".bin", ".pt", ".pth", ".ckpt")
_TRAINING_STATE = ("training_args.bin", "optimizer.bin", "optimizer.pt", "scheduler.pt", "rng_state.pth")
MODULE = "*[0-9]_[A-Z]*"
"""The pattern of the folders of modules in sentence-transformers: `1_Pooling`, `query_0_Transformer`."""

AnyPath = TypeVar("AnyPath", bound=PurePath)


def check_folder(folder: Path, access: Access) -> None:
    """Raise if a torch model cannot or may not be loaded from this folder."""
    _check_remote_code(folder, access)
    if not (folder / "modules.json").exists() and not any(_configs(folder)):
        hint = "check the path"
        raise LitotesError("L302", f"{folder}: is not a model: it has neither config.json nor weights", hint=hint)
    pickled = pickled_weights(model_files(folder))
    if pickled and not access.allow_pickle:
        raise only_pickled(folder, [path.relative_to(folder) for path in pickled])
    weights = weight_files(folder)
    if not weights and not pickled:
        raise LitotesError("L302", f"{folder}: has no weights (model.safetensors)", hint="fetch the model again")
    for path in weights:
        check_safetensors(path)
    _check_shards(folder)
    _check_tokenizer(folder)


def weight_files(folder: Path) -> list[Path]:
    """Return the safetensors files of a model and of its modules, sorted."""
    return [path for path in model_files(folder) if path.suffix == _SAFE]


def pickled_weights(files: Iterable[AnyPath]) -> list[AnyPath]:
    """Return the pickled weights among a model's files that have no safetensors in the same folder."""
    files = list(files)
    safe = {path.parent for path in files if path.suffix == _SAFE}
    return sorted(
        path
        for path in files
        if path.suffix in _PICKLED and path.name not in _TRAINING_STATE and path.parent not in safe
    )


def is_of_model(path: PurePath) -> bool:
    """Return whether a path relative to the model's folder is at its top level or in the folder of a module."""
    return len(path.parts) == 1 or (len(path.parts) == 2 and fnmatchcase(path.parts[0], MODULE))


def only_pickled(source: object, names: Iterable[PurePath]) -> LitotesError:
    """Return the error for weights that could run code when they are read."""
    listed = ", ".join(name.as_posix() for name in names)
    message = f"{source}: has only pickled weights ({listed}), which can run code when they are read"
    hint = "use a model with model.safetensors, or --allow-pickle (allow_pickle=True) if you trust it"
    return LitotesError("L305", message, hint=hint)


def model_files(folder: Path) -> list[Path]:
    """Return a model's own files, without broken links into the hub's cache."""
    return sorted(path for path in (*folder.glob("*"), *folder.glob(f"{MODULE}/*")) if path.is_file())


def _configs(folder: Path) -> list[Path]:
    return [*folder.glob("config.json"), *folder.glob("*/config.json")]


def _check_tokenizer(folder: Path) -> None:
    folders = [folder, *(path for path in folder.glob(MODULE) if path.is_dir())]
    if not any((module / name).exists() for module in folders for name in _TOKENIZERS):
        hint = "fetch the model again"
        raise LitotesError("L304", f"{folder}: has no tokenizer (tokenizer.json, vocab.txt, …)", hint=hint)


def _check_shards(folder: Path) -> None:
    for index in (folder / "model.safetensors.index.json", *folder.glob(f"{MODULE}/model.safetensors.index.json")):
        if not index.exists():
            continue
        weight_map = read_json(index).get("weight_map")
        if not isinstance(weight_map, dict):
            raise LitotesError("L311", f"{index}: has no weight_map", hint="fetch the model again")
        shards = {str(name) for name in weight_map.values()}
        missing = sorted(name for name in shards if not (index.parent / name).is_file())
        if missing:
            message = f"{index.parent}: {len(missing)} of {len(shards)} weight files are missing ({missing[0]})"
            raise LitotesError("L302", message, hint="fetch the model again")


def _check_remote_code(folder: Path, access: Access) -> None:
    """Raise if a sentence-transformers model has modules that are not the library's own classes."""
    if access.trust_remote_code:
        return
    for path in (folder / "modules.json", folder / "router_config.json", *folder.glob(f"{MODULE}/router_config.json")):
        for name in _module_classes(path) if path.exists() else ():
            if not name.startswith("sentence_transformers."):
                raise needs_remote_code(folder, name)


def _module_classes(path: Path) -> list[str]:
    try:
        content: Any = json.loads(path.read_text("utf-8"))
        names = content["types"].values() if isinstance(content, dict) else [module["type"] for module in content]
    except (ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError) as error:
        hint = "fetch the model again"
        raise LitotesError("L311", f"{path}: is not a list of modules ({type(error).__name__})", hint=hint) from error
    return [str(name) for name in names]


def needs_remote_code(folder: Path, class_name: str = "") -> LitotesError:
    """Return the error for a model that comes with code of its own."""
    message = f"{folder}: needs to run code of its own" + (f" ({class_name})" if class_name else "")
    hint = "--trust-remote-code (trust_remote_code=True) permits it; read the code first"
    return LitotesError("L306", message, hint=hint)


def check_safetensors(path: Path) -> None:
    """Raise if a safetensors file is truncated, which its header shows."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if length > size:
                raise ValueError("its header is longer than the file")
            header = json.loads(file.read(length))
        ends = [entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"]
        needed = 8 + length + max(ends, default=0)
    except OSError as error:
        raise LitotesError("L303", f"{path}: cannot be read ({error.strerror or error})") from error
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        hint = "fetch the model again"
        raise LitotesError("L303", f"{path}: is truncated or not a safetensors file", hint=hint) from error
    if size != needed:
        hint = "fetch the model again"
        raise LitotesError("L303", f"{path}: has {size:,} bytes, its header says {needed:,}", hint=hint)


def open_tokenizer_file(path: Path) -> Any:
    """Return the tokenizer in a tokenizer.json, without padding."""
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # its exception type is not public
        reason = shorten(str(error), 120)
        raise LitotesError("L304", f"{path}: is not a tokenizer ({reason})", hint="fetch the model again") from error
    tokenizer.no_padding()
    return tokenizer


def hash_weights(folder: Path) -> str:
    """Return the sha256 of all weights together; for a single file, its own sha256."""
    return _joint_hash(folder, [*weight_files(folder), *pickled_weights(model_files(folder))])


def hash_configs(folder: Path, access: Access) -> str:
    """Return the sha256 of the files that determine how the weights are used, with the code if that is run."""
    files = [folder / name for name in _CONFIGS if (folder / name).exists()]
    files += sorted(folder.glob("*.model"))
    files += sorted(path for kind in ("json", "txt", "model") for path in folder.glob(f"{MODULE}/*.{kind}"))
    if access.trust_remote_code:
        files += sorted(folder.glob("*.py"))
    return _joint_hash(folder, files)


def _joint_hash(folder: Path, files: list[Path]) -> str:
    if len(files) == 1:
        return sha256_file(files[0])
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(folder).as_posix()}\0{sha256_file(path)}\0".encode())
    return digest.hexdigest()
