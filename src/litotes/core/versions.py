"""Versions of the software that a result depends on."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from litotes._version import __version__

PACKAGES = ("numpy", "torch", "transformers", "sentence-transformers", "tokenizers", "onnxruntime")


def installed_version(package: str) -> str | None:
    """Return the version of an installed package without importing it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


@cache
def current_versions() -> dict[str, str]:
    """Return the versions of Litotes, Python and all installed packages that can change a number."""
    versions = {package: installed_version(package) for package in PACKAGES}
    return {
        "litotes": __version__,
        "python": platform.python_version(),
        **{package: number for package, number in versions.items() if number is not None},
    }
