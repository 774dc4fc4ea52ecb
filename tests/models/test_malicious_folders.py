"""Model folders from others cannot run code, read other files, use the network, or exhaust the memory."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import SENTENCES, add_module, change_json, copy, save_sentence_transformer, write_json

from litotes.core.errors import LitotesError
from litotes.models.base import Encoder
from litotes.models.loading import load_model
from tests.models.malicious_folders import (
    ACTIVATIONS,
    CODE,
    CODE_OF_ARGUMENTS,
    ELSEWHERE,
    MODULES,
    ROUTER,
    SHARDS,
    SIZES,
    Bomb,
    claim_large_header,
    enlarge,
    point_to_shard,
    set_arguments,
    set_tokenizer,
)

IDENTITY = "torch.nn.modules.linear.Identity"
SCHEMES = pytest.mark.parametrize("scheme", ["st", "hf"])


@pytest.fixture
def model(tiny_st: Path, tmp_path: Path) -> Path:
    return copy(tiny_st, tmp_path / "model")


def load(folder: Path, scheme: str = "st", **options: Any) -> Encoder:
    """Load a model in a thread: code that blocks fails the test instead of stopping the tests."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(load_model(f"{scheme}:{folder}", offline=True, **options))
        except LitotesError as error:
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(timeout=60)
    assert outcome, "loading does not end, or fails otherwise"
    if isinstance(outcome[0], LitotesError):
        raise outcome[0]
    assert isinstance(outcome[0], Encoder)
    return outcome[0]


def save_dense(folder: Path, place: str, *, factor: float = 1.0, activation: str = IDENTITY) -> Path:
    """Add a layer that multiplies vectors in a subfolder."""
    import torch
    from safetensors.torch import save_file

    module = add_module(
        folder, place, "Dense", in_features=16, out_features=16, bias=False, activation_function=activation
    )
    weights = torch.eye(16)
    weights[0, 0] = factor
    save_file({"linear.weight": weights}, module / "model.safetensors")
    return module


# Modules


@pytest.mark.parametrize(
    "place", ["../outside", "1_Pooling/../../outside", "{absolute}", "C:\\outside", "a\\..\\..\\b", 5]
)
def test_modules_outside_the_folder_are_refused(place: Any, model: Path, tmp_path: Path, refused: Any) -> None:
    save_dense(model, "dense")
    (model / "dense").rename(tmp_path / "outside")
    modules = json.loads((model / "modules.json").read_text())
    modules[-1]["path"] = place.format(absolute=tmp_path / "outside") if isinstance(place, str) else place
    write_json(model / "modules.json", modules)
    with refused("L311", "leaves the model's folder"):
        load(model)


@pytest.mark.parametrize("place", ["../../outside", "/etc", "q/../../../outside"])
@pytest.mark.parametrize("name", ["router_config.json", "config.json"])
def test_routes_outside_the_folder_are_refused(place: str, name: str, model: Path, refused: Any) -> None:
    router = add_module(model, "router", ROUTER)
    dense = "sentence_transformers.models.Dense"
    write_json(router / name, {"types": {place: dense}, "structure": {"query": [place]}, "parameters": {}})
    with refused("L311", "leaves the model's folder"):
        load(model)


@pytest.mark.parametrize("kind", MODULES)
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_modules_of_other_classes_are_refused(kind: Any, depth: int, model: Path, refused: Any) -> None:
    module = model
    for level in range(1, depth + 1):
        module = module / "q" if level > 1 else add_module(model, "router", ROUTER)
        types = {"q": kind if level == depth else ROUTER}
        write_json(module / "router_config.json", {"types": types, "structure": {"query": ["q"]}, "parameters": {}})
    if not depth:
        modules = json.loads((model / "modules.json").read_text())
        modules[-1]["type"] = kind
        write_json(model / "modules.json", modules)
    with refused("L306", "--trust-remote-code"):
        load(model)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("place", ["dense", "2_Dense", "deep/er"])
def test_activations_other_than_those_of_torch_are_refused(
    activation: Any, place: str, model: Path, refused: Any
) -> None:
    save_dense(model, place, activation=activation)
    with refused("L306", "activation", activation):
        load(model)


def test_tokenizers_other_than_those_of_the_library_are_refused(model: Path, refused: Any) -> None:
    module = add_module(model, "words", "WordEmbeddings")
    write_json(module / "wordembedding_config.json", {"tokenizer_class": "sentence_transformers.util.misc.importlib"})
    with refused("L306", "tokenizer"):
        load(model)


def test_layers_of_torch_are_still_loaded(model: Path) -> None:
    save_dense(model, "deep/er", activation="torch.nn.modules.activation.Tanh")
    assert load(model).encode(SENTENCES[:2]).shape == (2, 16)


# Files


@SCHEMES
@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors", "1_Pooling/config.json"])
def test_links_out_of_the_folder_are_refused(scheme: str, name: str, model: Path, tmp_path: Path, refused: Any) -> None:
    shutil.move(model / name, tmp_path / "elsewhere")
    (model / name).symlink_to(tmp_path / "elsewhere")
    with refused("L202", name, "leaves the model's folder"):
        load(model, scheme)


def test_links_of_module_folders_out_of_the_folder_are_refused(model: Path, tmp_path: Path, refused: Any) -> None:
    shutil.move(model / "1_Pooling", tmp_path / "elsewhere")
    (model / "1_Pooling").symlink_to(tmp_path / "elsewhere")
    with refused("L202", "1_Pooling", "leaves the model's folder"):
        load(model)


def test_links_within_the_folder_are_followed(model: Path) -> None:
    (model / "model.safetensors").rename(model / "weights")
    (model / "model.safetensors").symlink_to("weights")
    assert load(model).encode(SENTENCES[:2]).shape == (2, 16)


@SCHEMES
@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json", "modules.json", "1_Pooling/config.json"])
@pytest.mark.parametrize("kind", ["fifo", "zeros"])
def test_pipes_and_devices_are_refused(scheme: str, name: str, kind: str, model: Path, refused: Any) -> None:
    (model / name).unlink()
    os.mkfifo(model / name) if kind == "fifo" else (model / name).symlink_to("/dev/zero")
    with refused("L202", model / name, "is not a regular file"):
        load(model, scheme)


@SCHEMES
def test_a_huge_safetensors_header_is_refused_without_reading_it(scheme: str, model: Path, refused: Any) -> None:
    claim_large_header(model)
    with refused("L303", "not a safetensors file"):
        load(model, scheme)


@SCHEMES
@pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
def test_huge_settings_are_refused_without_reading_them(scheme: str, name: str, model: Path, refused: Any) -> None:
    enlarge(name)(model)
    with refused("L209", name):
        load(model, scheme)


@SCHEMES
@pytest.mark.parametrize(("key", "value"), SIZES.items())
def test_huge_networks_are_refused_before_they_are_built(
    scheme: str, key: str, value: int, model: Path, refused: Any
) -> None:
    change_json(model / "config.json", **{key: value})
    with refused("L311", "more than"):
        load(model, scheme)


def test_many_layers_without_weights_are_refused(model: Path, refused: Any) -> None:
    change_json(model / "config.json", num_hidden_layers=4_000)
    with refused("L311", "more than 20,000 parts"):
        load(model, "hf")


# Settings that name code, other files or other models


@SCHEMES
@pytest.mark.parametrize("attack", CODE)
def test_settings_that_run_code_are_refused(scheme: str, attack: str, model: Path, refused: Any) -> None:
    CODE[attack](model)
    with refused("L306", "--trust-remote-code"):
        load(model, scheme)


@pytest.mark.parametrize("attack", CODE_OF_ARGUMENTS)
def test_arguments_that_choose_code_are_refused(attack: str, model: Path, refused: Any) -> None:
    CODE_OF_ARGUMENTS[attack](model)
    with refused("L306", "--trust-remote-code"):
        load(model)


@SCHEMES
@pytest.mark.parametrize("attack", ELSEWHERE)
def test_settings_that_name_other_files_are_refused(
    scheme: str, attack: str, model: Path, tmp_path: Path, refused: Any
) -> None:
    ELSEWHERE[attack](model)
    shutil.copy(model / "tokenizer.json", tmp_path / "outside.json")
    path = model / "tokenizer_config.json"
    path.write_text(path.read_text().replace("{outside}", str(tmp_path / "outside.json")))
    with refused("L311", "names another file or model"):
        load(model, scheme)


def test_another_folder_of_the_tokenizer_is_refused(model: Path, tiny_bert: Path, refused: Any) -> None:
    set_arguments(tokenizer_name_or_path=str(tiny_bert))(model)
    with refused("L311", "tokenizer_name_or_path"):
        load(model)


@SCHEMES
@pytest.mark.parametrize("shard", SHARDS)
def test_shards_outside_the_folder_are_refused(scheme: str, shard: str, model: Path, refused: Any) -> None:
    point_to_shard(shard)(model)
    with refused("L311", "which is not a .safetensors file next to it"):
        load(model, scheme)


@SCHEMES
def test_adapters_of_other_models_are_refused(scheme: str, model: Path, refused: Any) -> None:
    write_json(model / "adapter_config.json", {"base_model_name_or_path": "/", "peft_type": "LORA"})
    with refused("L311", "adapter of PEFT"):
        load(model, scheme)


def test_paths_of_other_machines_in_settings_do_not_matter(model: Path) -> None:
    old = "/root/.cache/huggingface/transformers/0123.json"
    set_tokenizer(tokenizer_file=old, special_tokens_map_file=old, name_or_path="org/name")(model)
    assert load(model).encode(SENTENCES[:2]).shape == (2, 16)


@SCHEMES
def test_safetensors_that_no_library_reads_do_not_permit_pickles(
    scheme: str, model: Path, tmp_path: Path, refused: Any
) -> None:
    (model / "model.safetensors").rename(model / "other.safetensors")
    (model / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb(tmp_path / "exploded"), protocol=2))
    with refused("L305", "pytorch_model.bin"):
        load(model, scheme)
    assert not (tmp_path / "exploded").exists()


# Fingerprints


def test_weights_of_every_module_are_part_of_the_fingerprint(tiny_bert: Path, tmp_path: Path) -> None:
    prints, vectors = [], []
    for number, factor in enumerate((1.0, -5.0)):
        folder = save_sentence_transformer(tmp_path / str(number), tiny_bert)
        save_dense(folder, "dense", factor=factor)
        encoder = load(folder)
        prints.append(encoder.fingerprint)
        vectors.append(encoder.encode(SENTENCES[:2]))
    assert not np.allclose(vectors[0], vectors[1])
    assert prints[0].weights != prints[1].weights and prints[0].config == prints[1].config


@pytest.mark.parametrize(
    "name", ["dense/config.json", "router/inner/config.json", "chat_template.jinja", "sentence_roberta_config.json"]
)
def test_settings_of_every_module_are_part_of_the_fingerprint(name: str, model: Path) -> None:
    from litotes.core.model_folders.files import hash_configs
    from litotes.models.access import Access

    save_dense(model, "dense")
    types = {"inner": "sentence_transformers.models.Dense"}
    router = add_module(model, "router", ROUTER)
    write_json(router / "router_config.json", {"types": types, "structure": {"query": ["inner"]}})
    hashes = set()
    for text in ("{}", '{"a": 1}'):
        (model / name).parent.mkdir(exist_ok=True)
        (model / name).write_text(text)
        hashes.add(hash_configs(model, Access()))
    assert len(hashes) == 2


def test_a_module_in_any_folder_is_found_on_the_hub(model: Path) -> None:
    from litotes.core.model_folders.files import module_paths

    save_dense(model, "dense")
    assert module_paths(model) == ["", "1_Pooling", "2_Normalize", "dense"]


def test_many_modules_are_refused(model: Path) -> None:
    modules = json.loads((model / "modules.json").read_text())
    write_json(model / "modules.json", [*modules, *({**modules[1], "path": str(index)} for index in range(5_000))])
    with pytest.raises(LitotesError, match="more than 64 modules"):
        load(model)
