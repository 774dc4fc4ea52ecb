"""What the tests of the report share."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def examples() -> ModuleType:
    """The module examples.py beside this file; in pytest's importlib mode it cannot be imported by name."""
    spec = importlib.util.spec_from_file_location("report_examples", Path(__file__).with_name("examples.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
