"""Options of rules: declared by functions, validated, parsed from the command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import pytest

from litotes.core.errors import UsageError
from litotes.rewrites.base import Outcome, Sentence, rule
from litotes.rewrites.options import check_options, options_of, parse_options
from litotes.rewrites.registry import list_rewrites, load_rewrite


@rule("sample", effect="same", skips={})
def sample(
    sentence: Sentence,
    *,
    style: Literal["keep", "expand"] = "keep",
    word: str | None = None,
    count: int = 3,
    share: float = 0.5,
    polite: bool = False,
    limit: int | None = None,
) -> Iterator[Outcome]:
    """Do nothing."""
    yield from ()


def test_options_are_the_keyword_arguments() -> None:
    assert list(options_of(sample)) == ["style", "word", "count", "share", "polite", "limit"]
    assert options_of(sample)["count"].default == 3
    assert {name: option.values for name, option in options_of(sample).items()} == {
        "style": "keep|expand",
        "word": "TEXT|none",
        "count": "NUMBER",
        "share": "NUMBER",
        "polite": "yes|no",
        "limit": "NUMBER|none",
    }


@pytest.mark.parametrize(
    "options",
    [{}, {"style": "expand"}, {"word": None}, {"word": "good"}, {"count": 5}, {"polite": True}, {"limit": None}],
)
def test_accepts_valid_values(options: dict[str, Any]) -> None:
    assert check_options(sample, options) == options


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"style": "other"}, ["style=other", "keep|expand"]),
        ({"count": "5"}, ["count=5", "NUMBER"]),
        ({"count": True}, ["count=True", "NUMBER"]),
        ({"polite": 1}, ["polite=1", "yes|no"]),
        ({"word": 3}, ["word=3", "TEXT|none"]),
        ({"limit": "none"}, ["limit=none"]),
    ],
)
def test_rejects_invalid_values(options: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(UsageError) as raised:
        check_options(sample, options)
    assert raised.value.code == "L102"
    assert all(word in str(raised.value) for word in ("sample", *words))


@pytest.mark.parametrize("read", [check_options, parse_options])
def test_unknown_option_suggests_the_nearest(read) -> None:
    with pytest.raises(UsageError, match=r'unknown option of sample "stile"; did you mean style\?'):
        read(sample, {"stile": "keep"})


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"style": "expand"}, {"style": "expand"}),
        ({"count": "7"}, {"count": 7}),
        ({"count": "-7"}, {"count": -7}),
        ({"share": "0.25"}, {"share": 0.25}),
        ({"polite": "Yes"}, {"polite": True}),
        ({"polite": "false"}, {"polite": False}),
        ({"word": "good"}, {"word": "good"}),
        ({"word": "7"}, {"word": "7"}),
        ({"word": "none"}, {"word": None}),
        ({"limit": "none"}, {"limit": None}),
        ({"limit": "4"}, {"limit": 4}),
    ],
)
def test_parses_texts(options: dict[str, str], expected: dict[str, Any]) -> None:
    assert parse_options(sample, options) == expected


@pytest.mark.parametrize("options", [{"count": "many"}, {"polite": "maybe"}, {"style": "Keep"}, {"count": "1.5"}])
def test_rejects_invalid_texts(options: dict[str, str]) -> None:
    with pytest.raises(UsageError, match=r"L102"):
        parse_options(sample, options)


@pytest.mark.parametrize("name", list_rewrites())
def test_defaults_of_every_rule_are_valid(name: str) -> None:
    known = load_rewrite(name)
    defaults = {option.name: option.default for option in options_of(known).values()}
    assert check_options(known, defaults) == defaults
    assert all(option.values for option in options_of(known).values())
