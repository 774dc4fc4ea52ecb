"""Checks of a model's folder before a library opens it.

The libraries follow what the files of a model name: classes, other files, other models, code on the hub. What they
refuse depends on their versions, so everything that could run code, read outside the folder or use the network is
refused here, unless the user trusts the model's code. Files must be regular and of limited size in any case.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, shorten
from litotes.core.files import check_is_file, read_json_value
from litotes.core.model_folders.files import (
    MODULES_FILE,
    ROUTER_FILES,
    UNREAD,
    Permissions,
    check_sizes,
    check_weights,
    is_inside,
    listed_modules,
    model_files,
    module_folders,
    needs_remote_code,
    pickled_weights,
    weight_files,
)

_FETCH_AGAIN = "fetch the model again"
_LIBRARY = re.compile(
    r"sentence_transformers\.(models|(base|sentence_transformer|sparse_encoder|cross_encoder)\.(modules|models))"
    r"(\.[A-Za-z_]+)?\.([A-Za-z]+)"
)
_MODULES = {
    "Asym", "BoW", "CLIPModel", "CNN", "Dense", "Dropout", "LSTM", "LayerNorm", "LogitScore", "MLMTransformer",
    "Normalize", "Pooling", "Router", "SparseAutoEncoder", "SpladePooling", "StaticEmbedding", "Transformer",
    "WeightedLayerPooling", "WordEmbeddings", "WordWeights",
}  # fmt: skip
_WORD_TOKENIZERS = {"WhitespaceTokenizer", "PhraseTokenizer", "TransformersTokenizerWrapper"}
_TORCH_CLASS = re.compile(r"torch\.nn\.(modules\.[a-z]+\.)?([A-Z][A-Za-z0-9]*)")

_CONFIG = re.compile(r"(.*_)?config\.json")
"""The names of configurations; files such as vocab.json have arbitrary words as keys."""
_ATTENTION_KEYS = {"attn_implementation", "_attn_implementation", "experts_implementation", "_experts_implementation"}
_ATTENTIONS = {None, "eager", "sdpa", "flex_attention", "grouped_mm", "batched_mm"}
"""Other implementations, such as org/name, are code that transformers downloads."""
_DOWNLOADED_QUANTIZATION = {"mxfp4", "fp8", "fbgemm_fp8", "eetq", "metal", "nvfp4"}
"""Methods whose kernels transformers downloads."""
_OTHER_SOURCES = {
    "use_pretrained_backbone", "audio_tokenizer", "gguf_file", "use_kernels", "kernel_config", "allow_all_kernels",
    "tokenizer_name_or_path", "mecab_option", "model_proto",
}  # fmt: skip
"""Settings that name other models, other files, or code on the hub."""
_FILE_KEY = re.compile(r".*_(file|path|dir)")
_MAX_COUNTS = {r"(.*_)?layers?": 1 << 12, r"(num|n)_.*": 1 << 20}
"""The largest value of settings by the pattern of their names; libraries create as many objects."""
_UNUSED_FILE_KEYS = {"special_tokens_map_file", "name_or_path", "_name_or_path"}
_METHOD = re.compile(r"forward|get_[a-z_]+_features")
_CALL_SETTINGS = {
    "model": {"dtype", "torch_dtype", "attn_implementation", "add_pooling_layer", "low_cpu_mem_usage"},
    "tokenizer": {
        "padding_side", "truncation_side", "model_max_length", "max_length", "padding", "truncation", "use_fast",
        "do_lower_case", "add_eos_token", "add_bos_token", "add_prefix_space", "clean_up_tokenization_spaces",
    },
}  # fmt: skip
"""Arguments of `from_pretrained` that a model may set; others choose files, formats or code."""
_CALLS = {
    "model_args": "model",
    "model_kwargs": "model",
    "tokenizer_args": "tokenizer",
    "processor_kwargs": "tokenizer",
    "config_args": "config",
    "config_kwargs": "config",
}


def check_folder(folder: Path, access: Permissions) -> None:
    """Raise if a torch model cannot or may not be loaded from this folder."""
    for module in module_folders(folder):
        _check_files(module, folder)
    check_sizes(folder, access)
    if (folder / "adapter_config.json").exists():
        hint = "merge it into its base model (merge_and_unload) and save that"
        raise LitotesError("L311", f"{folder}: has an adapter of PEFT, whose base model is another", hint=hint)
    if not access.trust_remote_code:
        _check_modules(folder)
        for module in module_folders(folder):
            _check_configs(module)
    check_weights(folder, access)


# Files


def _check_files(module: Path, folder: Path) -> None:
    """Raise unless every file in a folder of the model is regular and in the model's folder or in the hub's cache."""
    root = folder.resolve()
    if not module.resolve().is_relative_to(root):
        raise _leaves(module)
    # The files of a snapshot in the hub's cache are links to the blobs of the same repository.
    blobs = root.parent.parent / "blobs" if root.parent.name == "snapshots" else None
    for path in module.iterdir():
        if path.is_dir() or not path.exists():  # broken links of an incomplete snapshot are reported as missing files
            continue
        check_is_file(path)
        target = path.resolve()
        if not target.is_relative_to(root) and target.parent != blobs:
            raise _leaves(path)


def _leaves(path: Path) -> LitotesError:
    hint = "copy the file into the folder"
    return LitotesError("L202", f"{path}: is a link that leaves the model's folder", hint=hint)


# Classes


def _check_modules(folder: Path) -> None:
    """Raise if a module is not one of the known classes of sentence-transformers, or runs code of its own."""
    lists = [folder / MODULES_FILE, *(module / name for module in module_folders(folder) for name in ROUTER_FILES)]
    for path in lists:
        for place, name in listed_modules(path):
            kind = _library_class(name)
            if kind not in _MODULES:
                raise needs_remote_code(folder, name)
            if kind == "Dense":
                _check_activation(path.parent / place / "config.json")
            if kind == "WordEmbeddings":
                _check_word_tokenizer(path.parent / place / "wordembedding_config.json")


def _library_class(name: str) -> str:
    """Return the class of sentence-transformers that a name refers to, "" for anything else in its modules.

    >>> _library_class("sentence_transformers.models.Dense"), _library_class("sentence_transformers.base.model.pickle")
    ('Dense', '')
    """
    match = _LIBRARY.fullmatch(name)
    return match[5] if match else ""


def _check_activation(path: Path) -> None:
    name = _read(path).get("activation_function") if path.exists() else None
    if name is None:
        return
    import torch

    match = _TORCH_CLASS.fullmatch(name) if isinstance(name, str) else None
    kind = getattr(torch.nn, match[2], None) if match else None
    if not (isinstance(kind, type) and issubclass(kind, torch.nn.Module)):
        raise needs_remote_code(path, f"the activation {name}")


def _check_word_tokenizer(path: Path) -> None:
    name = str(_read(path).get("tokenizer_class", ""))
    library, _, kind = name.rpartition(".")
    if not library.startswith("sentence_transformers.") or kind not in _WORD_TOKENIZERS:
        raise needs_remote_code(path, f"the tokenizer {name}")


# Configurations


def _check_configs(module: Path) -> None:
    for path in sorted(module.iterdir()):
        if not _CONFIG.fullmatch(path.name) or path.name in UNREAD or not path.is_file():
            continue
        config = _read(path)
        _check_code(config, path)
        for key, value in _settings(config):
            _check_setting(key, value, path)
        if path.name.startswith("sentence_"):
            _check_transformer_settings(config, path)


def _read(path: Path) -> Mapping[str, Any]:
    """Return the object in a configuration; a damaged file is an error of the model."""
    try:
        value = read_json_value(path)
    except LitotesError as error:
        if error.code not in ("L203", "L207"):
            raise
        raise LitotesError("L311", error.message, hint=_FETCH_AGAIN) from error
    if not isinstance(value, dict):
        raise LitotesError("L311", f"{path}: must be a JSON object", hint=_FETCH_AGAIN)
    return value


def _settings(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield all keys with their values, at any depth."""
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            yield from value.items()
            pending += value.values()
        elif isinstance(value, list):
            pending += value


def _check_code(config: Mapping[str, Any], path: Path) -> None:
    """Raise if a configuration names classes in files of its own that are necessary because the library has none."""
    maps = [value for key, value in _settings(config) if key == "auto_map" and isinstance(value, (dict, list, str))]
    if not any(maps):
        return
    is_known = False
    if len(maps) == 1 and "auto_map" in config:  # nested ones are resolved by other means, some of which ask the user
        import transformers
        from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

        name = str(config.get("tokenizer_class") or "")
        is_known = {
            "config.json": config.get("model_type") in CONFIG_MAPPING_NAMES,
            "tokenizer_config.json": any(hasattr(transformers, kind) for kind in (name, f"{name}Fast") if name),
        }.get(path.name, False)
    if not is_known:
        raise needs_remote_code(path.parent, f"auto_map in {path.name}")


def _check_setting(key: str, value: Any, path: Path) -> None:
    """Raise if a setting, at any depth of a configuration, makes a library run or read anything outside the folder."""
    names = list(value.values()) if isinstance(value, dict) else [value]
    if key in _ATTENTION_KEYS and not all(name in _ATTENTIONS for name in names if not isinstance(name, (dict, list))):
        raise needs_remote_code(path, f"{key}: {value}")
    if key == "quantization_config" and isinstance(value, dict):
        method = value.get("quant_method")
        if method in _DOWNLOADED_QUANTIZATION:
            raise needs_remote_code(path, f"the quantization {method}")
    limit = next((limit for pattern, limit in _MAX_COUNTS.items() if re.fullmatch(pattern, key)), None)
    if limit is not None and isinstance(value, (int, float)) and value > limit:
        raise LitotesError("L311", f"{path}: {key} is more than {limit:,}", hint=_FETCH_AGAIN)
    is_plain_name = isinstance(value, str) and is_inside(value) and not re.search(r"[/\\]", value)
    is_elsewhere = (
        (key in _OTHER_SOURCES and value)
        or (key == "transformers_weights" and value and not (is_plain_name and ".safetensors" in value))
        or (_FILE_KEY.fullmatch(key) and key not in _UNUSED_FILE_KEYS and not is_plain_name and _exists(value, path))
    )
    if is_elsewhere:
        message = f"{path}: its setting {key} names another file or model ({shorten(str(value), 60)})"
        raise LitotesError("L311", message, hint="remove the setting, or --trust-remote-code if you trust the model")


def _exists(value: Any, path: Path) -> bool:
    """Return whether a text is the path of an existing file or folder; saved settings name files of other machines."""
    try:
        return isinstance(value, str) and any(Path(place).exists() for place in (value, path.parent / value))
    except (OSError, ValueError):
        return False


def _check_transformer_settings(config: Mapping[str, Any], path: Path) -> None:
    """Raise if the settings of a transformer call methods, or pass arguments, that choose files or code."""
    for name, part in _CALLS.items():
        arguments = config.get(name) or {}
        if not isinstance(arguments, dict):
            raise LitotesError("L311", f"{path}: {name} must be a JSON object", hint=_FETCH_AGAIN)
        for key, value in arguments.items():
            is_plain = part == "config" and not isinstance(value, (str, list, dict))
            if key != "trust_remote_code" and not is_plain and key not in _CALL_SETTINGS.get(part, ()):
                raise needs_remote_code(path, f"{key} in {name}")
    modalities = config.get("modality_config") or {}
    for modality in modalities.values() if isinstance(modalities, dict) else ():
        method = modality.get("method") if isinstance(modality, dict) else None
        if not isinstance(method, str) or not _METHOD.fullmatch(method):
            raise needs_remote_code(path, f"the method {method}")


# Networks

_MAX_MODULES = 20_000
"""The number of layers and their parts; a model with a hundred layers has about two thousand."""
_FREE_NUMBERS = 1 << 26
_MAX_NUMBERS_PER_BYTE = 4


@contextlib.contextmanager
def limited_size(folder: Path) -> Iterator[None]:
    """Raise as soon as the model being built in this thread has far more layers or numbers than its files."""
    from torch.nn.modules import module as hooks

    n_bytes = sum(path.stat().st_size for path in [*weight_files(folder), *pickled_weights(model_files(folder))])
    limits = {"parts": _MAX_MODULES, "numbers": _FREE_NUMBERS + _MAX_NUMBERS_PER_BYTE * n_bytes}
    counts = dict.fromkeys(limits, 0)
    thread = threading.get_ident()

    def count(kind: str, size: int) -> None:
        if threading.get_ident() == thread:
            counts[kind] += size
            if counts[kind] > limits[kind]:
                message = f"{folder}: its config describes a model of more than {limits[kind]:,} {kind}"
                raise LitotesError("L311", f"{message}, which its weights do not have", hint="fetch the model again")

    def count_numbers(_: Any, name: str, tensor: Any) -> None:
        count("numbers", 0 if tensor is None else tensor.numel())

    handles = [
        hooks.register_module_module_registration_hook(lambda *_: count("parts", 1)),
        hooks.register_module_parameter_registration_hook(count_numbers),
        hooks.register_module_buffer_registration_hook(count_numbers),
    ]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()
