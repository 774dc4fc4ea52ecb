"""The public API of the package."""

from __future__ import annotations

import litotes


def test_every_public_name_can_be_imported() -> None:
    for name in litotes.__all__:
        assert getattr(litotes, name) is not None
    assert set(dir(litotes)) == set(litotes.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(litotes, "no_such_thing")


def test_evaluate_by_name(tmp_path) -> None:
    result = litotes.evaluate("overlap:words", "semantoneg-mini", cache=tmp_path)
    items = len(litotes.load_suite("semantoneg-mini").items)
    assert result.metrics.items == items
    assert sum(result.choices.values()) + result.metrics.ties == items
    # Word overlap never picks the option with both changes: it shares the fewest words.
    assert result.choices["both"] == 0
    frame = result.to_frame()
    assert len(frame) == items
    assert {"input", "both", "input~both", "choice", "margin"} <= set(frame.columns)
