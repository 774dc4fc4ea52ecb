"""Code that trades clarity for at least 20 % of the time of a whole command; LITOTES_SPEEDUPS=0 disables all of it."""

from __future__ import annotations

import os


def are_speedups_enabled() -> bool:
    """Return whether the environment variable LITOTES_SPEEDUPS is not 0."""
    return os.environ.get("LITOTES_SPEEDUPS", "").strip() != "0"
