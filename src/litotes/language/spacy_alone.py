"""spaCy imported without what it would bring along and we do not use: in less than half the time."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from litotes.core.collector import without_collector
from litotes.core.errors import missing_package

_TENSORS = ("torch", "tensorflow", "mxnet", "cupy")
"""Imported by spaCy's own library wherever they are installed; the small pipelines have no use for them."""

_CANNOT_BE_IMPORTED: Any = None
"""What stands for a module in sys.modules so that importing it fails."""


def import_spacy_alone() -> None:
    """Import spaCy without tensor libraries and without its own commands.

    Only for processes of our own, commands and workers: in this one, spaCy will not know of torch any more.
    """
    if "spacy" in sys.modules:
        return
    if importlib.util.find_spec("spacy") is None:
        raise missing_package("spaCy", "english")
    with without_collector(), _in_place(dict.fromkeys(_TENSORS, _CANNOT_BE_IMPORTED)):
        try:
            with _in_place(_no_commands()):
                importlib.import_module("spacy")
        except ImportError:  # another spaCy, that needs its commands for more than to have them
            importlib.import_module("spacy")


def _no_commands() -> dict[str, ModuleType]:
    # `import spacy` imports all its commands, downloads and training among them, to have the one that shows versions.
    package, info = ModuleType("spacy.cli"), ModuleType("spacy.cli.info")
    package.__path__ = []
    info.__dict__["info"] = None
    return {package.__name__: package, info.__name__: info}


@contextmanager
def _in_place(modules: dict[str, ModuleType]) -> Iterator[None]:
    """Modules that stand in for those that are not imported yet, as long as the block lasts."""
    absent = {name: module for name, module in modules.items() if name not in sys.modules}
    sys.modules.update(absent)
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]
