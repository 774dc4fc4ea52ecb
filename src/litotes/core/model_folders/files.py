"""The files of a model's folder: which of them the model reads, whether they are complete, and their hashes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any, Protocol, TypeVar

from litotes.core.errors import LitotesError, shorten
from litotes.core.files import check_is_small, read_json, read_json_value, sha256_file

MODULES_FILE = "modules.json"
ROUTER_FILES = ("router_config.json", "config.json")
"""Where a router lists its modules; the second is the older format."""
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
_SAFE_NAMES = ("model.safetensors", "model.safetensors.index.json")
"""Libraries read these first; without them, they read pickled weights, whatever other safetensors are there."""
_PICKLED = (".bin", ".pt", ".pth", ".ckpt")
_TRAINING_STATE = ("training_args.bin", "optimizer.bin", "optimizer.pt", "scheduler.pt", "rng_state.pth")
_SETTINGS = (".json", ".txt", ".model", ".jinja", ".codes", ".spm", ".tokenizer", ".tiktoken", ".bpe", ".vocab")
UNREAD = (
    "data_config.json",
    "training.json",
    "repair.json",
    "trainer_state.json",
    "all_results.json",
    "train_results.json",
    "eval_results.json",
    "LICENSE.txt",
)
"""Records of trainings, which no library reads."""
_MAX_HEADER_BYTES = 1 << 24
"""The headers of published models have less than a hundredth of it."""
_MAX_TOKENIZER_BYTES = 1 << 26
"""The largest published tokenizers have half of it."""
_MAX_MODULES = 64
_MAX_DEPTH = 8

AnyPath = TypeVar("AnyPath", bound=PurePath)


class Permissions(Protocol):
    """What the user permits when a model is loaded."""

    @property
    def allow_pickle(self) -> bool:
        """Whether pickled weights are read."""

    @property
    def trust_remote_code(self) -> bool:
        """Whether code that the model ships with is run."""


def check_weights(folder: Path, access: Permissions) -> None:
    """Raise if the weights or the tokenizer of a torch model are missing, damaged, or pickled without permission."""
    if not (folder / MODULES_FILE).exists() and not any(_configs(folder)):
        hint = "check the path"
        raise LitotesError("L302", f"{folder}: is not a model: it has neither config.json nor weights", hint=hint)
    pickled = pickled_weights(model_files(folder))
    if pickled and not access.allow_pickle:
        raise only_pickled(folder, [path.relative_to(folder) for path in pickled])
    _check_shards(folder)
    weights = weight_files(folder)
    if not weights and not pickled:
        raise LitotesError("L302", f"{folder}: has no weights (model.safetensors)", hint="fetch the model again")
    for path in weights:
        check_safetensors(path)
    _check_tokenizer(folder)


def module_folders(folder: Path) -> list[Path]:
    """Return the folders from which a model reads files: its own, and those that modules.json and routers list."""
    return [path for place in module_paths(folder) if (path := folder / place).is_dir()]


def module_paths(folder: Path) -> list[str]:
    """Return the paths of a model's folders relative to it, its own first, whether they exist or not."""
    paths = [""]
    pending = [(path, 1) for path, _ in listed_modules(folder / MODULES_FILE)]
    pending += [(path, 1) for name in ROUTER_FILES for path, _ in listed_modules(folder / name)]
    while pending:
        path, depth = pending.pop(0)
        if path in paths:
            continue
        paths.append(path)
        if len(paths) > _MAX_MODULES or depth > _MAX_DEPTH:
            raise LitotesError("L311", f"{folder}: has more than {_MAX_MODULES} modules", hint="fetch the model again")
        nested = [inner for name in ROUTER_FILES for inner, _ in listed_modules(folder / path / name)]
        pending += [(f"{path}/{inner}", depth + 1) for inner in nested]
    return paths


def listed_modules(path: Path) -> list[tuple[str, str]]:
    """Return path and class of the modules in modules.json or in the configuration of a router.

    A file that is absent or is the configuration of another module lists none. Paths that leave the folder are errors.
    """
    if not path.is_file():
        return []
    try:
        content = read_json_value(path)
        if path.name == MODULES_FILE:
            modules = [(module["path"], module["type"]) for module in content]
        else:
            is_router = path.name == ROUTER_FILES[0] or (isinstance(content, dict) and "structure" in content)
            modules = list(content["types"].items()) if is_router else []
    except (LitotesError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, LitotesError) and error.code not in ("L203", "L207"):
            raise
        hint = "fetch the model again"
        raise LitotesError("L311", f"{path}: is not a list of modules ({type(error).__name__})", hint=hint) from error
    for place, _ in modules:
        if not is_inside(place):
            message = f"{path}: the path of a module, “{shorten(str(place), 60)}”, leaves the model's folder"
            raise LitotesError("L311", message, hint="fetch the model again")
    return [(str(place).rstrip("/"), str(kind)) for place, kind in modules]


def is_inside(place: Any) -> bool:
    r"""Return whether a path in a model's file cannot leave the folder, on any operating system.

    >>> [is_inside(place) for place in ("", "1_Pooling", "../x", "/x", "a/../../b", "C:\\x", 5)]
    [True, True, False, False, False, False, False]
    """
    if not isinstance(place, str) or "\0" in place:
        return False
    return not any(".." in kind(place).parts or kind(place).anchor for kind in (PurePosixPath, PureWindowsPath))


def weight_files(folder: Path) -> list[Path]:
    """Return the safetensors files of a model and of its modules, sorted."""
    return [path for path in model_files(folder) if path.suffix == _SAFE]


def pickled_weights(files: Iterable[AnyPath]) -> list[AnyPath]:
    """Return the pickled weights among a model's files that libraries read because there are no safetensors."""
    files = list(files)
    safe = {path.parent for path in files if path.name in _SAFE_NAMES}
    return sorted(
        path
        for path in files
        if path.suffix in _PICKLED and path.name not in _TRAINING_STATE and path.parent not in safe
    )


def only_pickled(source: object, names: Iterable[PurePath]) -> LitotesError:
    """Return the error for weights that could run code when they are read."""
    listed = ", ".join(name.as_posix() for name in names)
    message = f"{source}: has only pickled weights ({listed}), which can run code when they are read"
    hint = "use a model with model.safetensors, or --allow-pickle (allow_pickle=True) if you trust it"
    return LitotesError("L305", message, hint=hint)


def model_files(folder: Path) -> list[Path]:
    """Return the files in a model's folder and in those of its modules, without broken links into the hub's cache."""
    return sorted(path for module in module_folders(folder) for path in module.iterdir() if path.is_file())


def _configs(folder: Path) -> list[Path]:
    return [*folder.glob("config.json"), *folder.glob("*/config.json")]


def _check_tokenizer(folder: Path) -> None:
    if not any((module / name).exists() for module in module_folders(folder) for name in _TOKENIZERS):
        hint = "fetch the model again"
        raise LitotesError("L304", f"{folder}: has no tokenizer (tokenizer.json, vocab.txt, …)", hint=hint)


def _check_shards(folder: Path) -> None:
    for index in (path for path in model_files(folder) if path.name.endswith(".index.json")):
        weight_map = read_json(index).get("weight_map")
        if not isinstance(weight_map, dict):
            raise LitotesError("L311", f"{index}: has no weight_map", hint="fetch the model again")
        shards = {str(name) for name in weight_map.values()}
        suffix = PurePath(index.name.removesuffix(".index.json")).suffix
        for name in sorted(shards):
            if PurePosixPath(name).name != name or not is_inside(name) or not name.endswith(suffix):
                message = f"{index}: its weights are in “{shorten(name, 60)}”, which is not a {suffix} file next to it"
                raise LitotesError("L311", message, hint="fetch the model again")
        missing = sorted(name for name in shards if not (index.parent / name).is_file())
        if missing:
            message = f"{index.parent}: {len(missing)} of {len(shards)} weight files are missing ({missing[0]})"
            raise LitotesError("L302", message, hint="fetch the model again")


def needs_remote_code(source: object, detail: str = "") -> LitotesError:
    """Return the error for a model that comes with code of its own."""
    message = f"{source}: needs to run code of its own" + (f" ({shorten(detail, 120)})" if detail else "")
    hint = "--trust-remote-code (trust_remote_code=True) permits it; read the code first"
    return LitotesError("L306", message, hint=hint)


def check_safetensors(path: Path) -> None:
    """Raise if a safetensors file is truncated, which its header shows."""
    size = path.stat().st_size
    header, length = _read_header(path)
    try:
        ends = [entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"]
        needed = 8 + length + max(ends, default=0)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise _damaged(path) from error
    if size != needed:
        hint = "fetch the model again"
        raise LitotesError("L303", f"{path}: has {size:,} bytes, its header says {needed:,}", hint=hint)


def _read_header(path: Path) -> tuple[Any, int]:
    """Return the header of a safetensors file and its length."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if length > min(path.stat().st_size, _MAX_HEADER_BYTES):
                raise ValueError("its header is longer than the file, or than any published one")
            return json.loads(file.read(length)), length
    except OSError as error:
        raise LitotesError("L303", f"{path}: cannot be read ({error.strerror or error})") from error
    except (ValueError, RecursionError) as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> LitotesError:
    hint = "fetch the model again"
    return LitotesError("L303", f"{path}: is truncated or not a safetensors file", hint=hint)


def open_tokenizer_file(path: Path) -> Any:
    """Return the tokenizer in a tokenizer.json, without padding."""
    from tokenizers import Tokenizer

    check_is_small(path, _MAX_TOKENIZER_BYTES)
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


def hash_configs(folder: Path, access: Permissions) -> str:
    """Return the sha256 of all other files that the model reads, with the code if that is run."""
    return _joint_hash(folder, list(_configs_read(folder, access)))


def _configs_read(folder: Path, access: Permissions) -> Iterator[Path]:
    endings = (*_SETTINGS, ".py") if access.trust_remote_code else _SETTINGS
    for path in [*model_files(folder), *sorted(folder.glob("additional_chat_templates/*.jinja"))]:
        if path.suffix in endings and path.name not in UNREAD and not path.name.startswith("."):
            yield path


def check_sizes(folder: Path, access: Permissions) -> None:
    """Raise if a file that is read as a whole is larger than those of any published model."""
    for path in _configs_read(folder, access):
        check_is_small(path, _MAX_TOKENIZER_BYTES)


def _joint_hash(folder: Path, files: list[Path]) -> str:
    if len(files) == 1:
        return sha256_file(files[0])
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(folder).as_posix()}\0{sha256_file(path)}\0".encode())
    return digest.hexdigest()
