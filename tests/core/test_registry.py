"""Names for things that are loaded when they are asked for, ours and other packages'."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from litotes.core.errors import UsageError
from litotes.core.registry import Registry, unknown_name

GROUP = "litotes.test_registry"


@pytest.fixture
def registry() -> Registry:
    return Registry("path tool", {"join": "posixpath:join", "never": "no_such_module:thing"}, group=GROUP)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with entry points, as pip would leave it."""
    (tmp_path / "registry_toy.py").write_text("thing = 'the toy'\nourjoin = None\n")
    folder = tmp_path / "registry_toy-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: registry-toy\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(
        f"[{GROUP}]\ntoy = registry_toy:thing\njoin = registry_toy:ourjoin\nalso = no_such_module:thing\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


def test_ours_are_imported_when_asked_for(registry: Registry) -> None:
    import posixpath

    assert registry.names() == ["join", "never"]
    assert "join" in registry and "toy" not in registry
    assert registry.get("join") is posixpath.join
    assert "no_such_module" not in sys.modules


@pytest.mark.usefixtures("installed")
def test_other_packages_add_theirs(registry: Registry) -> None:
    assert registry.names() == ["join", "never", "also", "toy"]
    assert "toy" in registry
    assert "registry_toy" not in sys.modules
    assert registry.get("toy") == "the toy"


@pytest.mark.usefixtures("installed")
def test_other_packages_cannot_take_our_names(registry: Registry) -> None:
    import posixpath

    assert registry.get("join") is posixpath.join


def test_an_unknown_name_gets_the_near_ones(registry: Registry) -> None:
    with pytest.raises(UsageError) as caught:
        registry.get("jion")
    assert str(caught.value) == '[L101] unknown path tool "jion"; did you mean join?'
    assert caught.value.exit_code == 2


def test_a_name_like_no_other_gets_all() -> None:
    assert str(unknown_name("colour", "zzz", ["red", "green"])) == '[L101] unknown colour "zzz"; known: red, green'
