"""A plugin builder: semantoneg with a log of its records."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from litotes.building.semantoneg import semantoneg

LOG = Path(os.environ.get("BUILD_LOG", os.devnull))


def _log(line: str) -> None:
    with LOG.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


@functools.wraps(semantoneg.apply)
def _apply(subject: Any, **options: Any) -> Iterator[Any]:
    _log(subject.record.id)
    time.sleep(float(os.environ.get("BUILD_SECONDS", "0")))
    yield from semantoneg.apply(subject, **options)


def _items(sentences: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the items; sleeps if requested by the environment."""
    _log("writing")
    time.sleep(float(os.environ.get("WRITE_SECONDS", "0")))
    return semantoneg.items(sentences)


logged = replace(semantoneg, name="logged", apply=_apply, items=_items)
