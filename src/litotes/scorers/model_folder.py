"""A model's folder, looked at before anything is loaded from it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import read_json, sha256_file
from litotes.scorers.access import Access

_CONFIGS = (
    "config.json",
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
)
_TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "spiece.model", "tokenizer.model", "sentencepiece.bpe.model")
_PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt")


def check_folder(folder: Path, access: Access) -> None:
    """Raise the fitting line if a torch model cannot or may not be loaded from this folder."""
    _check_remote_code(folder, access)
    if not any(folder.glob("**/config.json")) and not (folder / "modules.json").exists():
        raise LitotesError("L302", f"{folder}: has no config.json and no weights, so it is no model")
    weights = weight_files(folder)
    if not weights:
        pickled = sorted({path.name for pattern in _PICKLED for path in folder.glob(pattern)})
        if pickled and not access.allow_pickle:
            raise LitotesError(
                "L305",
                f"{folder}: has only pickled weights ({', '.join(pickled)}), which can run code when they are read",
                hint="--allow-pickle reads them all the same; better is a model with model.safetensors",
            )
        if not pickled:
            raise LitotesError("L302", f"{folder}: has no weights (model.safetensors)")
    for path in weights:
        check_safetensors(path)
    _check_shards(folder)
    _check_tokenizer(folder)


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files of a model and of its modules, in order."""
    inside = [path for path in folder.glob("*/*.safetensors") if path.parent.name[:1].isdigit()]
    return sorted([*folder.glob("*.safetensors"), *inside])


def _check_tokenizer(folder: Path) -> None:
    first = folder / "0_Transformer"  # where older sentence-transformers models keep it
    places = [folder, first, *(path.parent for path in folder.glob("*/tokenizer.json"))]
    if not any((place / name).exists() for place in places for name in _TOKENIZERS):
        raise LitotesError("L304", f"{folder}: has no tokenizer (tokenizer.json, vocab.txt, …)")


def _check_shards(folder: Path) -> None:
    index = folder / "model.safetensors.index.json"
    if not index.exists():
        return
    named = read_json(index).get("weight_map", {})
    missing = sorted({name for name in named.values() if not (folder / str(name)).exists()})
    if missing:
        raise LitotesError("L302", f"{folder}: {len(missing)} of its weight files are missing, the first is {missing[0]}")


def _check_remote_code(folder: Path, access: Access) -> None:
    modules = folder / "modules.json"
    if access.trust_remote_code or not modules.exists():
        return
    try:
        listed = json.loads(modules.read_text("utf-8"))
        foreign = [module["type"] for module in listed if not module["type"].startswith("sentence_transformers.")]
    except (ValueError, KeyError, TypeError) as error:
        raise LitotesError("L311", f"{modules}: cannot be read ({type(error).__name__})") from error
    if foreign:
        raise needs_remote_code(folder, foreign[0])


def needs_remote_code(folder: Path, what: str = "") -> LitotesError:
    """The error for a model that is more than weights."""
    return LitotesError(
        "L306",
        f"{folder}: wants to run code of its own" + (f" ({what})" if what else ""),
        hint="--trust-remote-code lets it; read the code first",
    )


def check_safetensors(path: Path) -> None:
    """Raise if a safetensors file is cut short: its header says how long it must be."""
    size = path.stat().st_size
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if length > size:
                raise ValueError("its header is longer than the file")
            header = json.loads(file.read(length))
        ends = [entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise LitotesError("L303", f"{path}: is no safetensors file or is cut short") from error
    needed = 8 + length + max(ends, default=0)
    if size != needed:
        raise LitotesError(
            "L303", f"{path}: has {size:,} bytes, its header says {needed:,}", hint="fetch the model again"
        )


def hash_weights(folder: Path) -> str:
    """One sha256 for all weights; of a single file, its own."""
    files = weight_files(folder) or sorted(path for pattern in _PICKLED for path in folder.glob(pattern))
    return _joint_hash(folder, files)


def hash_configs(folder: Path) -> str:
    """One sha256 for the files that say how the weights are used."""
    files = [folder / name for name in _CONFIGS if (folder / name).exists()]
    files += sorted(folder.glob("*.model")) + sorted(folder.glob("[0-9]_*/*.json"))
    return _joint_hash(folder, files)


def _joint_hash(folder: Path, files: list[Path]) -> str:
    if len(files) == 1:
        return sha256_file(files[0])
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(folder).as_posix()}\0{sha256_file(path)}\0".encode())
    return digest.hexdigest()
