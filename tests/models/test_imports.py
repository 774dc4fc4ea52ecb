"""Importing the scorers loads none of the libraries in which the models run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import litotes.models

HEAVY = ("torch", "transformers", "sentence_transformers", "onnxruntime", "tokenizers", "safetensors")

IMPORT_ALL = """
import importlib, json, sys
for name in sys.argv[2:]:
    importlib.import_module(f"litotes.scorers.{name}")
print(json.dumps([name for name in sys.argv[1].split(",") if name in sys.modules]))
"""


def test_no_model_library_is_imported(run_python: Callable[..., Any]) -> None:
    names = sorted(path.stem for path in Path(litotes.scorers.__file__).parent.glob("*.py") if path.stem != "__init__")
    assert {"sentence_transformer", "transformers_encoder", "onnx_encoder", "hub_client"} <= set(names)
    assert run_python(IMPORT_ALL, ",".join(HEAVY), *names).value == []


def test_a_wrong_name_is_told_without_them(run_python: Callable[..., Any]) -> None:
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
