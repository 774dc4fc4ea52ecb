"""The builders by name."""

from __future__ import annotations

from litotes.building.base import Builder
from litotes.core.errors import LitotesError
from litotes.core.registry import Registry

BUILDERS = Registry(
    "builder",
    {
        "semantoneg": "litotes.building.semantoneg:semantoneg",
        "heros": "litotes.building.heros:heros",
        "triplets": "litotes.building.triplets:triplets",
    },
    group="litotes.builders",
)


def list_builders() -> list[str]:
    """The names that `load_builder` knows.

    >>> list_builders()[:3]
    ['semantoneg', 'heros', 'triplets']
    """
    return BUILDERS.names()


def load_builder(name: str) -> Builder:
    """The builder of that name."""
    found = BUILDERS.get(name)
    if not isinstance(found, Builder):  # an entry point of another package could hold anything
        raise LitotesError("L203", f'the builder "{name}" is a {type(found).__name__}, not a Builder')
    return found
