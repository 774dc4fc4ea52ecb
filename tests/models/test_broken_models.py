"""Errors for models that cannot or must not be loaded."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import (
    SENTENCES,
    add_module,
    change_json,
    change_weights,
    copy,
    pickle_weights,
    save_sentence_transformer,
    shard_weights,
    write_json,
)

from litotes.models.base import Encoder
from litotes.models.loading import list_models, load_model

BOTH = pytest.mark.parametrize("scheme", ["st", "hf"])


def load(scheme: str, folder: Path, **options: Any) -> Encoder:
    scorer = load_model(f"{scheme}:{folder}", offline=True, **options)
    assert isinstance(scorer, Encoder)
    return scorer


@pytest.fixture
def model(tiny_st: Path, tmp_path: Path) -> Path:
    """Return a copy of a valid model, which the tests damage."""
    return copy(tiny_st, tmp_path / "a tokenizer of a model")  # a name that does not reveal the error


def vectors_of(folder: Path, scheme: str = "st", **options: Any) -> np.ndarray:
    return load(scheme, folder, **options).encode(SENTENCES[:4])


@BOTH
class TestWeights:
    def test_none(self, scheme: str, model: Path, refused: Any) -> None:
        (model / "model.safetensors").unlink()
        with refused("L302", model, "no weights (model.safetensors)"):
            load(scheme, model)

    def test_ignores_the_state_of_training(self, scheme: str, model: Path, refused: Any) -> None:
        (model / "model.safetensors").unlink()
        (model / "training_args.bin").write_bytes(b"settings")
        with refused("L302", model):
            load(scheme, model)

    def test_reports_an_empty_folder(self, scheme: str, tmp_path: Path, refused: Any) -> None:
        with refused("L302", tmp_path, "neither config.json nor weights"):
            load(scheme, tmp_path)

    @pytest.mark.parametrize("size", [0, 5, 8, 200, -1])
    def test_reports_truncated_files(self, scheme: str, size: int, model: Path, refused: Any) -> None:
        path = model / "model.safetensors"
        path.write_bytes(path.read_bytes()[:size])
        with refused("L303", path, "fetch the model again"):
            load(scheme, model)

    @pytest.mark.parametrize(
        "content",
        [
            b"<html>please log in</html>",
            bytes(range(256)) * 9,
            (2).to_bytes(8, "little") + b"[]",
            (9).to_bytes(8, "little") + b'{"a": {}}',
            (100_000).to_bytes(8, "little") + b"[" * 100_000,
            (35).to_bytes(8, "little") + b'{"a": {"data_offsets": [0, "ten"]}}',
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
        ],
    )
    def test_reports_garbage(self, scheme: str, content: bytes, model: Path, refused: Any) -> None:
        (model / "model.safetensors").write_bytes(content)
        with refused("L303", model / "model.safetensors", "not a safetensors file"):
            load(scheme, model)

    def test_reports_several_weight_files(self, scheme: str, model: Path, tiny_st: Path) -> None:
        shard_weights(model)
        np.testing.assert_allclose(vectors_of(model, scheme), vectors_of(tiny_st, scheme), atol=1e-6)

    def test_reports_a_missing_shard(self, scheme: str, model: Path, refused: Any) -> None:
        shard_weights(model)[1].unlink()
        with refused("L302", model, "1 of 2 weight files", "model-00002-of-00002.safetensors"):
            load(scheme, model)

    @pytest.mark.parametrize("index", ["[]", "{}", '{"weight_map": []}', "{"])
    def test_reports_shards_without_an_index(self, scheme: str, index: str, model: Path, refused: Any) -> None:
        shard_weights(model)
        (model / "model.safetensors.index.json").write_text(index)
        with pytest.raises(Exception, match=r"^\[L(203|311)\] .*index.json"):
            load(scheme, model)

    def test_reports_pickled_weights(self, scheme: str, model: Path, tiny_st: Path, refused: Any) -> None:
        pickle_weights(model)
        with refused("L305", model, "pytorch_model.bin", "--allow-pickle"):
            load(scheme, model)
        allowed = load(scheme, model, allow_pickle=True)
        np.testing.assert_allclose(allowed.encode(SENTENCES[:4]), vectors_of(tiny_st, scheme), atol=1e-6)
        assert len(allowed.fingerprint.weights) == 64

    def test_ignores_pickled_weights_next_to_safetensors(self, scheme: str, model: Path) -> None:
        before = load(scheme, model).fingerprint
        (model / "pytorch_model.bin").write_bytes(b"never read")
        assert load(scheme, model).fingerprint == before

    def test_never_runs_pickled_code(self, scheme: str, model: Path, tmp_path: Path, refused: Any) -> None:
        (model / "model.safetensors").unlink()
        (model / "pytorch_model.bin").write_bytes(pickle.dumps(_Bomb(tmp_path / "exploded"), protocol=2))
        with refused("L305"):
            load(scheme, model)
        with refused("L311", model, "contain more than numbers"):
            load(scheme, model, allow_pickle=True)
        assert not (tmp_path / "exploded").exists()

    @pytest.mark.parametrize(("change", "value"), [("num_hidden_layers", 3), ("hidden_size", 32), ("vocab_size", 999)])
    def test_reports_weights_for_another_config(
        self, scheme: str, change: str, value: int, model: Path, refused: Any
    ) -> None:
        change_json(model / "config.json", **{change: value})
        with refused("L311", model, "do not fit its config", "is missing or of another size"):
            load(scheme, model)

    def test_reports_weights_of_another_model(self, scheme: str, model: Path, refused: Any) -> None:
        def rename(weights: dict[str, Any]) -> None:
            for name in list(weights):
                weights[f"other.{name}"] = weights.pop(name)

        change_weights(model, rename)
        with refused("L311", model, "do not fit its config"):
            load(scheme, model)

    def test_accepts_missing_pooler_weights(self, scheme: str, model: Path, tiny_st: Path) -> None:
        def drop(weights: dict[str, Any]) -> None:
            for name in [name for name in weights if "pooler" in name]:
                del weights[name]

        change_weights(model, drop)
        np.testing.assert_allclose(vectors_of(model, scheme), vectors_of(tiny_st, scheme), atol=1e-6)


class _Bomb:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.path,))


@BOTH
class TestTokenizer:
    def test_none(self, scheme: str, model: Path, refused: Any) -> None:
        (model / "tokenizer.json").unlink()
        with refused("L304", model, "no tokenizer"):
            load(scheme, model)

    @pytest.mark.parametrize("content", ["", "{", "[]", '{"model": 3}', "\0\0\0\0"])
    def test_reports_garbage(self, scheme: str, content: str, model: Path, refused: Any) -> None:
        (model / "tokenizer.json").write_text(content)
        with pytest.raises(Exception, match=r"^\[L(304|311)\] .*a tokenizer of a model"):
            load(scheme, model)


class TestConfig:
    @BOTH
    @pytest.mark.parametrize("content", ["", "{", "[]", '{"model_type": 5}', '{"model_type": "nonesuch"}', "\udcff"])
    def test_reports_garbage(self, scheme: str, content: str, model: Path, refused: Any) -> None:
        (model / "config.json").write_bytes(content.encode(errors="surrogateescape"))
        with refused("L311", model):
            load(scheme, model)

    @pytest.mark.parametrize(
        "content", ["", "{", "{}", "3", '[{"name": "0"}]', "[3]", '[{"type": 5, "path": ""}]', '"text"']
    )
    def test_reports_an_invalid_modules_file(self, content: str, model: Path) -> None:
        (model / "modules.json").write_text(content)
        with pytest.raises(Exception, match=r"^\[L(306|311)\] .*a tokenizer of a model"):
            load("st", model)

    def test_reports_a_missing_module_folder(self, model: Path, refused: Any) -> None:
        (model / "1_Pooling" / "config.json").unlink()
        with refused("L311", model):
            load("st", model)


class TestForeignCode:
    """Models must not run custom code, however they request it."""

    @pytest.fixture
    def trap(self, tmp_path: Path) -> Path:
        return tmp_path / "ran"

    @pytest.fixture
    def trapped(self, model: Path, trap: Path) -> Path:
        code = f"open({str(trap)!r}, 'w').close()\nclass Trap: pass\nclass TrapConfig: pass\n"
        for name in ("modeling_trap.py", "custom.py"):
            (model / name).write_text(code)
        return model

    def test_reports_a_custom_module(self, trapped: Path, trap: Path, refused: Any) -> None:
        modules = json.loads((trapped / "modules.json").read_text())
        modules[2]["type"] = "custom.Trap"
        write_json(trapped / "modules.json", modules)
        with refused("L306", trapped, "custom.Trap", "--trust-remote-code"):
            load("st", trapped)
        assert not trap.exists()

    def test_reports_a_custom_router(self, trapped: Path, trap: Path, refused: Any) -> None:
        router = "sentence_transformers.base.modules.router.Router"
        write_json(trapped / "modules.json", [{"idx": 0, "name": "0", "path": "", "type": router}])
        write_json(
            trapped / "router_config.json",
            {"types": {"q": "custom.Trap"}, "structure": {"query": ["q"]}, "parameters": {}},
        )
        with refused("L306", trapped, "custom.Trap"):
            load("st", trapped)
        assert not trap.exists()

    @BOTH
    def test_reports_a_custom_architecture(self, scheme: str, trapped: Path, trap: Path, refused: Any) -> None:
        auto_map = {"AutoConfig": "modeling_trap.TrapConfig", "AutoModel": "modeling_trap.Trap"}
        change_json(trapped / "config.json", model_type="trap", auto_map=auto_map)
        with refused("L306", trapped, "--trust-remote-code"):
            load(scheme, trapped)
        assert not trap.exists()

    @pytest.mark.parametrize("place", ["2_Dense", "dense", "a/b"])
    def test_reports_a_module_with_only_pickled_weights(self, place: str, model: Path, refused: Any) -> None:
        add_module(model, place, "Dense")
        (model / place / "pytorch_model.bin").write_bytes(b"pickle")
        (model / place / "other.safetensors").write_bytes((2).to_bytes(8, "little") + b"{}")  # no library reads it
        with refused("L305", model, f"{place}/pytorch_model.bin"):
            load("st", model)

    def test_trusted_code_is_part_of_the_fingerprint(self, tiny_bert: Path, tmp_path: Path) -> None:
        folder = save_sentence_transformer(tmp_path / "own", tiny_bert)
        prints = []
        for factor in (1, 2):
            (folder / "scaling.py").write_text(
                "from sentence_transformers.models import Normalize\n"
                "class Scaling(Normalize):\n"
                f"    factor = {factor}\n"
            )
            modules = json.loads((folder / "modules.json").read_text())
            modules[2]["type"] = "scaling.Scaling"
            write_json(folder / "modules.json", modules)
            prints.append(load("st", folder, trust_remote_code=True).fingerprint)
        assert prints[0].pooling.endswith("Scaling")
        assert prints[0].config != prints[1].config


class TestOptions:
    @BOTH
    @pytest.mark.parametrize("device", ["gpu", "cuda:99", "meta", "", "cpu cpu", "xla"])
    def test_reports_an_unavailable_device(self, scheme: str, device: str, tiny_st: Path, refused: Any) -> None:
        with refused("L102", f'device "{device}"', exit_code=2):
            load(scheme, tiny_st, device=device)

    def test_reports_a_wrong_device_before_downloading(self, hub_cache: Path, refused: Any) -> None:
        with refused("L102", "device"):
            load_model("org/not-here?device=toaster")

    @pytest.mark.parametrize(
        ("name", "wrong", "right"),
        [
            ("st:{}?max_lenght=8", "max_lenght", "max_length"),
            ("hf:{}?poling=cls", "poling", "pooling"),
            ("onnx:{}?tokeniser=x", "tokeniser", "tokenizer"),
        ],
    )
    def test_reports_an_unknown_option(self, name: str, wrong: str, right: str, tiny_st: Path, refused: Any) -> None:
        with refused("L101", wrong, f"did you mean {right}?", exit_code=2):
            load_model(name.format(tiny_st))

    @pytest.mark.parametrize(
        "name", ["hf:{}?pooling=median", "hf:{}?dtype=int8", "st:{}?dtype=double", "onnx:{}?pooling=median"]
    )
    def test_reports_a_wrong_value(self, name: str, tiny_st: Path, refused: Any) -> None:
        with refused("L102", "must be one of", exit_code=2):
            load_model(name.format(tiny_st))

    @pytest.mark.parametrize(("name", "near"), [("onx:model", "onnx"), ("overlaps:words", "overlap")])
    def test_reports_an_unknown_scheme(self, name: str, near: str, refused: Any) -> None:
        with refused("L101", "scheme", near, exit_code=2):
            load_model(name)

    def test_rejects_a_url_as_name(self, refused: Any) -> None:
        with refused("L101", "https", exit_code=2):
            load_model("https://huggingface.co/org/model")

    @pytest.mark.parametrize("name", ["overlap:letters", "overlap:", "overlap:words?n=2"])
    def test_reports_a_wrong_overlap_name(self, name: str, refused: Any) -> None:
        with refused("L102", exit_code=2):
            load_model(name)
        assert "overlap" in list_models()


def test_entry_point_must_return_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Any) -> None:
    installed = tmp_path / "litotes_wrong-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: litotes-wrong\nVersion: 1.0\n")
    (tmp_path / "litotes_wrong.py").write_text("def load(*given): return None\n")
    (installed / "entry_points.txt").write_text("[litotes.models]\nxy = litotes_wrong:load\n")
    monkeypatch.syspath_prepend(tmp_path)
    with refused("L311", "xy:", "not a model"):
        load_model("xy:z")


def test_loading_restores_logging_of_libraries(tiny_st: Path) -> None:
    import logging

    from transformers.utils import logging as transformers_logging

    names = ("transformers", "transformers.modeling_utils", "sentence_transformers")
    before = [(logging.getLogger(name).level, logging.getLogger(name).propagate) for name in names]
    transformers_logging.enable_progress_bar()
    load("st", tiny_st)
    assert [(logging.getLogger(name).level, logging.getLogger(name).propagate) for name in names] == before
    assert transformers_logging.is_progress_bar_enabled()
    assert not logging.getLogger("transformers.modeling_utils").handlers
