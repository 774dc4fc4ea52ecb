"""Changes to a small sentence-transformers folder that try to run code, read other files or use up memory."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.models.tiny_models import add_module, change_json, write_json

Attack = Callable[[Path], None]
ROUTER = "sentence_transformers.base.modules.router.Router"
KERNEL = "kernels-community/flash-attn2"


class Bomb:
    """An object whose pickle creates a file when it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.path,))


def set_config(**values: Any) -> Attack:
    return lambda folder: change_json(folder / "config.json", **values)


def set_tokenizer(**values: Any) -> Attack:
    return lambda folder: change_json(folder / "tokenizer_config.json", **values)


def set_arguments(**values: Any) -> Attack:
    return lambda folder: change_json(folder / "sentence_bert_config.json", **values)


CODE: dict[str, Attack] = {
    "a kernel of the hub": set_config(attn_implementation=KERNEL),
    "a kernel of the hub within": set_config(text_config={"_attn_implementation": {"": KERNEL}}),
    "quantization by a downloaded kernel": set_config(quantization_config={"quant_method": "mxfp4"}),
    "classes of a nested configuration": set_config(text_config={"auto_map": {"AutoModelForCausalLM": "x--y.Z"}}),
    "a tokenizer of its own": set_tokenizer(tokenizer_class="Own", auto_map={"AutoTokenizer": ["own.Own", None]}),
    "an image processor of its own": lambda folder: write_json(
        folder / "preprocessor_config.json", {"auto_map": {"AutoImageProcessor": "own.Own"}}
    ),
}
CODE_OF_ARGUMENTS: dict[str, Attack] = {
    "arguments for pickles": set_arguments(model_args={"use_safetensors": False, "weights_only": False}),
    "arguments for kernels": set_arguments(model_kwargs={"attn_implementation": KERNEL}),
    "arguments of the tokenizer": set_arguments(tokenizer_args={"tokenizer_type": "bert"}),
    "arguments of the configuration": set_arguments(config_args={"gguf": "x"}),
    "another method": set_arguments(
        modality_config={"text": {"method": "push_to_hub", "method_output_name": "x"}}, module_output_name="x"
    ),
}
ELSEWHERE: dict[str, Attack] = {
    "other weights": set_config(transformers_weights="1_Pooling/model.safetensors"),
    "pickled weights": set_config(transformers_weights="adapter_model.bin"),
    "a pretrained part": set_config(backbone_config={"use_pretrained_backbone": True, "backbone": "org/name"}),
    "another tokenizer": set_tokenizer(tokenizer_file="{outside}"),
    "a tokenizer that is downloaded": set_tokenizer(gguf_file="x.gguf"),
    "another model of audio": lambda folder: write_json(
        folder / "processor_config.json", {"audio_tokenizer": {"audio_tokenizer_name_or_path": "org/name"}}
    ),
}
MODULES = (
    "os.abort",
    "custom.Trap",
    "sentence_transformers.base.model.pickle",
    "sentence_transformers.base.modules.module.torch",
    "sentence_transformers.util.misc.importlib",
    "sentence_transformers.sparse_encoder.modules.SparseStaticEmbedding",
    "",
    None,
)
ACTIVATIONS = ("os.abort", "torch.load", "torch.hub.load", "torch.nn.Missing", "builtins.quit", 3)
SIZES = {
    "num_hidden_layers": 1_000_000,
    "hidden_size": 1_600_000,
    "vocab_size": 10**9,
    "max_position_embeddings": 10**10,
    "num_labels": 10**10,
}
SHARDS = ("../outside.safetensors", "/etc/passwd", "evil.bin", "1_Pooling/x.safetensors")


def set_module(**values: Any) -> Attack:
    """Return a change of the last module in modules.json."""

    def change(folder: Path) -> None:
        modules = json.loads((folder / "modules.json").read_text())
        write_json(folder / "modules.json", [*modules[:-1], {**modules[-1], **values}])

    return change


def add_activation(activation: Any) -> Attack:
    def add(folder: Path) -> None:
        add_module(folder, "dense", "Dense", in_features=16, out_features=16, activation_function=activation)

    return add


def add_route(kind: Any, place: str = "q") -> Attack:
    """Return a change that adds a router with a module of this class or place."""

    def add(folder: Path) -> None:
        router = add_module(folder, "router", ROUTER)
        types = {place: kind}
        write_json(router / "router_config.json", {"types": types, "structure": {"query": [place]}, "parameters": {}})

    return add


def point_to_shard(shard: str) -> Attack:
    def point(folder: Path) -> None:
        (folder / "model.safetensors").rename(folder.parent / "outside.safetensors")
        write_json(
            folder / "model.safetensors.index.json", {"metadata": {}, "weight_map": {"embeddings.weight": shard}}
        )

    return point


def claim_large_header(folder: Path) -> None:
    """Write a safetensors file whose header would need three gigabytes."""
    with (folder / "model.safetensors").open("wb") as file:
        file.write((3_000_000_000).to_bytes(8, "little") + b"{")
        file.truncate(3_000_000_100)  # sparse


def replace_file(name: str, how: str) -> Attack:
    """Return a change that replaces a file by a pipe, a link to zeros, or a link to a file outside."""

    def replace(folder: Path) -> None:
        path = folder / name
        if how == "link":
            path.rename(folder.parent / "elsewhere")
            path.symlink_to(folder.parent / "elsewhere")
            return
        path.unlink()
        os.mkfifo(path) if how == "fifo" else path.symlink_to("/dev/zero")

    return replace


def enlarge(name: str) -> Attack:
    def change(folder: Path) -> None:
        with (folder / name).open("ab") as file:
            file.truncate(1 << 30)

    return change


def pickle_instead(name: str) -> Attack:
    """Return a change that replaces the weights by a pickle that creates a file next to the folder."""

    def change(folder: Path) -> None:
        (folder / "model.safetensors").unlink()
        (folder / name).write_bytes(pickle.dumps(Bomb(folder.parent / "exploded"), protocol=2))

    return change


_SETTINGS = ("config.json", "tokenizer_config.json", "modules.json", "1_Pooling/config.json")
ATTACKS: dict[str, Attack] = {
    **CODE,
    **CODE_OF_ARGUMENTS,
    **ELSEWHERE,
    **{f"module {kind}": set_module(type=kind) for kind in MODULES},
    **{f"module in {path}": set_module(path=path) for path in ("../outside", "/etc", "1_Pooling/../../x", 5)},
    **{f"activation {activation}": add_activation(activation) for activation in ACTIVATIONS},
    **{f"route to {kind}": add_route(kind) for kind in MODULES},
    **{f"route in {place}": add_route("sentence_transformers.models.Dense", place) for place in ("../../x", "/etc")},
    **{f"{key} of {value:,}": set_config(**{key: value}) for key, value in SIZES.items()},
    **{f"shard {shard}": point_to_shard(shard) for shard in SHARDS},
    **{f"{name} as {how}": replace_file(name, how) for name in _SETTINGS for how in ("fifo", "zeros", "link")},
    **{f"large {name}": enlarge(name) for name in ("config.json", "tokenizer.json")},
    **{f"pickled {name}": pickle_instead(name) for name in ("pytorch_model.bin", "training_args.bin", "model.pkl")},
    "large header": claim_large_header,
    "an adapter of PEFT": lambda folder: write_json(
        folder / "adapter_config.json", {"base_model_name_or_path": "/", "peft_type": "LORA"}
    ),
}
"""All of them, each under its own name."""
