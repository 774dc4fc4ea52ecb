"""Licence ids of the Hugging Face hub."""

from __future__ import annotations

_IDS = frozenset(
    """afl-3.0 apache-2.0 bsd-2-clause bsd-3-clause cc0-1.0 cc-by-2.0 cc-by-2.5 cc-by-3.0 cc-by-4.0 cc-by-sa-3.0
    cc-by-sa-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0
    cc-by-nd-4.0 gpl-2.0 gpl-3.0 lgpl-3.0 mit mpl-2.0 odbl odc-by pddl unlicense""".split()
)
"""The ids that are usual for data."""


def hub_licence(licence: str) -> str:
    """Return the hub's id of a licence: "other" if it has none, "unknown" if the licence is not stated.

    >>> [hub_licence(text) for text in ("CC BY 4.0", "Apache-2.0", "as SNLI and MultiNLI", "")]
    ['cc-by-4.0', 'apache-2.0', 'other', 'unknown']
    """
    if not licence.strip():
        return "unknown"
    name = "-".join(licence.lower().split())
    return name if name in _IDS else "other"
