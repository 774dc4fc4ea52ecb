"""The versions that a result depended on."""

from __future__ import annotations

import platform
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from litotes._version import __version__

PACKAGES = ("numpy", "torch", "transformers", "sentence-transformers", "tokenizers", "onnxruntime")


def installed_version(package: str) -> str | None:
    """The version of an installed package, without importing it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


@lru_cache(maxsize=1)
def current_versions() -> dict[str, str]:
    """Litotes, Python and every installed package that can change a number."""
    found = {"litotes": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        if (number := installed_version(package)) is not None:
            found[package] = number
    return found
