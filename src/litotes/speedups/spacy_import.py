"""spaCy imported without what it would bring along and we do not use: in less than half the time."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any, TypeVar

from litotes.core.errors import missing_package
from litotes.speedups.gc_control import without_collector

T = TypeVar("T")
R = TypeVar("R")

_TENSORS = ("torch", "tensorflow", "mxnet", "cupy")
"""Imported by spaCy's own library wherever they are installed; the small pipelines have no use for them."""

_CANNOT_BE_IMPORTED: Any = None
"""What stands for a module in sys.modules so that importing it fails."""

_preferred = threading.Event()


def prefer_spacy_alone() -> None:
    """From now on let spaCy be imported alone when it is needed; for processes of our own, as below."""
    _preferred.set()


def for_workers(function: Callable[[T], R], workers: int) -> Callable[[T], R]:
    """The function as so many worker processes run it: spaCy alone, if they are not this process itself."""
    return function if workers == 1 else partial(_alone, function)


def _alone(function: Callable[[T], R], things: T) -> R:
    prefer_spacy_alone()
    return function(things)


def import_spacy() -> None:
    """Import spaCy: as it is, or alone where that is preferred."""
    if importlib.util.find_spec("spacy") is None:
        raise missing_package("spaCy", "english")
    if _preferred.is_set():
        import_spacy_alone()
    else:
        importlib.import_module("spacy")


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
