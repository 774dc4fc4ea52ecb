"""Imports point down the list of packages, and importing the package loads nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "litotes"
LAYERS = [
    {"cli"},
    {"integrations"},
    {"planning"},
    {"report", "review"},
    {"repair"},
    {"training"},
    {"audit"},
    {"building"},
    {"evaluation"},
    {"suites"},
    {"models"},
    {"rewrites"},
    {"corpora"},
    {"languages"},
    {"speedups"},
    {"web"},
    {"core"},
]
LAYER = {package: number for number, packages in enumerate(LAYERS) for package in packages}


def litotes_imports(path: Path) -> set[str]:
    """Return the packages that a module imports from, at any depth."""
    result = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        result |= {name.split(".")[1] for name in names if name.startswith("litotes.")}
    return result


HEAVY = [
    "torch",
    "transformers",
    "sentence_transformers",
    "spacy",
    "numpy",
    "scipy",
    "pandas",
    "jinja2",
    "onnxruntime",
    "huggingface_hub",
    "accelerate",
    "matplotlib",
]
MODULES = sorted(path for path in SOURCE.glob("*/**/*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_downwards(path: Path) -> None:
    package = path.relative_to(SOURCE).parts[0]
    for other in litotes_imports(path) - {package, "_version"}:
        assert LAYER[other] > LAYER[package], f"{package} may not import from {other}"


def test_every_package_has_a_layer() -> None:
    assert {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()} <= set(LAYER)


@pytest.mark.parametrize("start", ["import litotes", "import litotes.cli.main"])
def test_nothing_heavy_at_import(start: str) -> None:
    program = f"{start}; import sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_pickle_and_no_stub() -> None:
    for path in MODULES:
        text = path.read_text("utf-8")
        assert "import pickle" not in text and "NotImplementedError" not in text, path


def test_modules_stay_small() -> None:
    long = {path.name: lines for path in MODULES if (lines := len(path.read_text("utf-8").splitlines())) > 450}
    assert not long
