"""Where things are kept on the user's machine."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from litotes.core.files import expand_user


def cache_folder() -> Path:
    """Where vectors are kept: LITOTES_CACHE, else the user's cache folder."""
    named = os.environ.get("LITOTES_CACHE")
    return expand_user(named) if named else platformdirs.user_cache_path("litotes")


def data_folders() -> list[Path]:
    """Where data files are looked for, first to last: LITOTES_DATA, then the user's data folder."""
    named = os.environ.get("LITOTES_DATA")
    own = platformdirs.user_data_path("litotes")
    return [expand_user(named), own] if named else [own]
