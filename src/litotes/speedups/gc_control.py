"""Python's cyclic garbage collector, told to wait."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Let the collector wait: making thousands of small results starts it again and again, in vain.

    With torch loaded one pass over all that is alive takes longer than counting a whole suite.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def end_without_collecting() -> None:
    """Spare Python a last search for garbage when it ends: the system takes all memory back at once."""
    gc.freeze()
