"""Import spaCy without torch and without its command line, which takes most of the time of a plain import.

Half of the processor time of a small `litotes build`, and more of a single `litotes rewrite`, would be these imports.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any, TypeVar

from litotes.core.errors import missing_package

Item = TypeVar("Item")
Result = TypeVar("Result")

_TENSOR_LIBRARIES = ("torch", "tensorflow", "mxnet", "cupy")
"""Imported by thinc if they are installed; the small pipelines do not use them."""
_BLOCKED: Any = None
"""The value in sys.modules that makes an import fail."""

_is_minimal_preferred = threading.Event()


def prefer_minimal_spacy() -> None:
    """Let `import_spacy` in this process import spaCy without torch."""
    _is_minimal_preferred.set()


def with_minimal_spacy(function: Callable[[Item], Result], *, is_remote: bool) -> Callable[[Item], Result]:
    """Return a function that prefers the minimal import; unchanged unless it runs in worker processes."""
    return partial(_call_with_minimal_spacy, function) if is_remote else function


def _call_with_minimal_spacy(function: Callable[[Item], Result], item: Item) -> Result:
    prefer_minimal_spacy()
    return function(item)


def _are_speedups_enabled() -> bool:
    """Return whether the environment variable LITOTES_SPEEDUPS is not 0."""
    return os.environ.get("LITOTES_SPEEDUPS", "").strip() != "0"


def import_spacy() -> None:
    """Import spaCy, minimally if that is preferred in this process."""
    if importlib.util.find_spec("spacy") is None:
        raise missing_package("spaCy", "english")
    if _is_minimal_preferred.is_set():
        import_minimal_spacy()
    else:
        importlib.import_module("spacy")


def import_minimal_spacy() -> None:
    """Import spaCy without tensor libraries and without its command line.

    Only for processes of Litotes itself, commands and workers: spaCy cannot use torch in this process afterwards.
    """
    if importlib.util.find_spec("spacy") is None:
        raise missing_package("spaCy", "english")
    if "spacy" in sys.modules or not _are_speedups_enabled():
        importlib.import_module("spacy")
        return
    with _replaced_modules(dict.fromkeys(_TENSOR_LIBRARIES, _BLOCKED)):
        try:
            with _replaced_modules(_empty_command_line()):
                importlib.import_module("spacy")
        except ImportError:  # another version of spaCy, which needs more of its command line
            importlib.import_module("spacy")


def _empty_command_line() -> dict[str, ModuleType]:
    # `import spacy` imports all its commands, including training, for the one that shows versions.
    package, info = ModuleType("spacy.cli"), ModuleType("spacy.cli.info")
    package.__path__ = []
    info.__dict__["info"] = None
    return {package.__name__: package, info.__name__: info}


@contextmanager
def _replaced_modules(modules: dict[str, ModuleType]) -> Iterator[None]:
    """Replace modules that are not imported yet, for the duration of the block."""
    absent = {name: module for name, module in modules.items() if name not in sys.modules}
    sys.modules.update(absent)
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]
