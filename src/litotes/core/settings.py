"""TOML files: read by Python's own reader, or by its forerunner where Python has none."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from litotes.core.errors import UsageError
from litotes.core.files import check_is_file

_READER = "tomllib" if sys.version_info >= (3, 11) else "tomli"


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file."""
    check_is_file(path)
    try:
        found: dict[str, Any] = importlib.import_module(_READER).loads(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError("L207", f"{path}: is not UTF-8 text ({error.reason})", hint="save it as UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise UsageError("L203", f"{path}: is not TOML ({error})") from error
    return found
