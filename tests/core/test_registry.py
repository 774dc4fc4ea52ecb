"""Registries with built-in names and entry points."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from litotes.core.errors import UsageError
from litotes.core.registry import Registry, unknown_name

GROUP = "litotes.test_registry"


@pytest.fixture
def registry() -> Registry:
    return Registry("path tool", {"join": "posixpath:join", "never": "no_such_module:value"}, group=GROUP)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with entry points."""
    (tmp_path / "registry_toy.py").write_text("value = 'the toy'\nother_join = None\n")
    folder = tmp_path / "registry_toy-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: registry-toy\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(
        f"[{GROUP}]\ntoy = registry_toy:value\njoin = registry_toy:other_join\nalso = no_such_module:value\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


def test_built_in_objects_are_imported_when_needed(registry: Registry) -> None:
    import posixpath

    assert registry.names() == ["join", "never"]
    assert "join" in registry and "toy" not in registry
    assert registry.get("join") is posixpath.join
    assert "no_such_module" not in sys.modules


@pytest.mark.usefixtures("installed")
def test_other_packages_add_names(registry: Registry) -> None:
    assert registry.names() == ["join", "never", "also", "toy"]
    assert "toy" in registry
    assert "registry_toy" not in sys.modules
    assert registry.get("toy") == "the toy"


@pytest.mark.usefixtures("installed")
def test_built_in_names_cannot_be_replaced(registry: Registry) -> None:
    import posixpath

    assert registry.get("join") is posixpath.join


def test_unknown_name_suggests_similar_ones(registry: Registry) -> None:
    with pytest.raises(UsageError) as caught:
        registry.get("jion")
    assert str(caught.value) == '[L101] unknown path tool "jion"; did you mean join?'
    assert caught.value.exit_code == 2


def test_unknown_name_without_similar_ones_lists_all() -> None:
    assert str(unknown_name("colour", "zzz", ["red", "green"])) == '[L101] unknown colour "zzz"; known: red, green'
