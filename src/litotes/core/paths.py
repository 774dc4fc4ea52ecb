"""The folders of Litotes on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from litotes.core.files import expand_user


def cache_folder() -> Path:
    """Return the folder of all caches: LITOTES_CACHE, or the user's cache folder."""
    path = os.environ.get("LITOTES_CACHE")
    return expand_user(path) if path else platformdirs.user_cache_path("litotes")


def data_folders() -> list[Path]:
    """Return the folders that are searched for data files: LITOTES_DATA, then the user's data folder."""
    path = os.environ.get("LITOTES_DATA")
    user_folder = platformdirs.user_data_path("litotes")
    return [expand_user(path), user_folder] if path else [user_folder]
