"""Loaders read any bytes: the result is a value or a LitotesError. `make fuzz` searches longer, and rewrites too."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.chaos.bad_inputs import DAMAGES, Damage
from tests.chaos.example_bytes import example_bytes
from tests.chaos.fuzz_targets import TARGETS, check

# tests/rewrites/test_properties.py applies every rule to many kinds of text.
LOADERS = [name for name in TARGETS if name != "rewrites"]


@pytest.mark.parametrize("target", LOADERS)
def test_examples_are_valid(target: str, tmp_path: Path) -> None:
    for number, example in enumerate(example_bytes(target)):
        (tmp_path / str(number)).mkdir()
        TARGETS[target](example, tmp_path / str(number))


@pytest.mark.parametrize("target", LOADERS)
def test_any_bytes_are_read_or_refused(
    target: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    monkeypatch.setenv("LITOTES_CACHE", str(folder / "cache"))

    @settings(max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(example_bytes(target)), st.lists(st.sampled_from(DAMAGES), max_size=2), st.integers())
    def any_damage(example: bytes, damages: list[Damage], seed: int) -> None:
        content = example
        for damage in damages:
            content = example[:1] + damage(content[1:], Random(seed))
        check(TARGETS[target], content, folder / "case")

    any_damage()
