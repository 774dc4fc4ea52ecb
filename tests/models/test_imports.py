"""Tests that importing litotes.models imports none of the libraries in which models run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import litotes.models

HEAVY = ("torch", "transformers", "sentence_transformers", "onnxruntime", "tokenizers", "safetensors")

IMPORT_ALL = """
import importlib, json, sys
for name in sys.argv[2:]:
    importlib.import_module(f"litotes.models.{name}")
print(json.dumps([name for name in sys.argv[1].split(",") if name in sys.modules]))
"""


def test_importing_models_imports_no_model_library(run_python: Callable[..., Any]) -> None:
    root = Path(litotes.models.__file__).parent
    paths = [path.relative_to(root).with_suffix("") for path in root.rglob("*.py") if path.stem != "__init__"]
    names = sorted(".".join(path.parts) for path in paths)
    assert {"transformers.sentence_transformer", "transformers.pair_model", "onnx", "hub_client"} <= set(names)
    assert run_python(IMPORT_ALL, ",".join(HEAVY), *names).value == []


def test_reports_an_unknown_name_without_model_libraries(run_python: Callable[..., Any]) -> None:
    script = (
        "import json, sys\n"
        "from litotes.core.errors import LitotesError\n"
        "from litotes.models.loading import load_model\n"
        "try:\n"
        "    load_model('no/such-model', offline=True)\n"
        "except LitotesError as error:\n"
        "    print(json.dumps([error.code, 'torch' in sys.modules, 'transformers' in sys.modules]))\n"
    )
    assert run_python(script).value == ["L309", False, False]
