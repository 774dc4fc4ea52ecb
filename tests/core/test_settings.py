"""Settings: validation, reading from tables, one-line errors, digests."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from litotes.core.errors import LitotesError, UsageError
from litotes.core.settings import Fraction, PositiveInt, Seed, Settings, convert, read_toml


class SoupSettings(Settings, frozen=True, kw_only=True):
    minutes: Annotated[PositiveInt, Meta(description="Cooking time.")] = 5
    salt: Fraction = 0.1
    pepper: float = 0.0
    limit: Annotated[PositiveInt | None, Meta(description="Plates.")] = None
    heat: Literal["low", "high"] = "low"
    guests: tuple[str, ...] = ()
    seed: Seed = 0


class Spice(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    grams: int = 1


class Recipe(msgspec.Struct, forbid_unknown_fields=True):
    spices: list[str | Spice] = []


@pytest.mark.parametrize(
    ("values", "code", "message"),
    [
        ({"minutes": 0}, "L102", "minutes=0: must be an integer >= 1"),
        ({"minutes": "5"}, "L102", "minutes=5: must be an integer, not a string"),
        ({"minutes": True}, "L102", "minutes=True: must be an integer, not true or false"),
        ({"limit": 0}, "L102", "limit=0: must be an integer >= 1"),
        ({"limit": "x"}, "L102", "limit=x: must be an integer, not a string"),
        ({"salt": 1.5}, "L102", "salt=1.5: must be a number <= 1"),
        ({"salt": float("nan")}, "L102", "salt=nan: must be a number >= 0"),
        ({"pepper": float("inf")}, "L102", "pepper=inf: must be a finite number"),
        ({"heat": "hihg"}, "L101", 'unknown heat "hihg"; did you mean high?'),
        ({"guests": "Ann"}, "L102", "guests=Ann: must be a list, not a string"),
        ({"seed": -1}, "L102", "seed=-1: must be an integer >= 0"),
        ({"seed": 2**32}, "L102", "seed=4294967296: must be an integer <= 4294967295"),
    ],
)
def test_wrong_values_are_rejected_on_creation_and_in_tables(values: dict[str, Any], code: str, message: str) -> None:
    with pytest.raises(UsageError) as created:
        SoupSettings(**values)
    assert str(created.value) == f"[{code}] {message}"
    with pytest.raises(UsageError) as read:
        convert(values, SoupSettings, where="soup.toml")
    assert str(read.value) == f"[{code}] soup.toml: {message}"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"spices": [{"nam": "salt"}]}, 'recipe.toml: unknown key in spices[0] "nam"; did you mean name or grams?'),
        ({"spices": [{"grams": 2}]}, "recipe.toml: spices[0]: the key name is missing"),
        ({"spices": ["salt", {"name": 3}]}, "recipe.toml: spices[1].name=3: must be a string, not an integer"),
        ({"spices": 3}, "recipe.toml: spices=3: must be a list, not an integer"),
        ({"spice": []}, 'recipe.toml: unknown key "spice"; did you mean spices?'),
    ],
)
def test_errors_in_nested_tables_name_the_key(table: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as error:
        convert(table, Recipe, where="recipe.toml")
    assert message in str(error.value)


def test_values_are_returned_in_the_order_of_the_fields() -> None:
    assert list(SoupSettings(seed=1).to_dict()) == ["minutes", "salt", "pepper", "limit", "heat", "guests", "seed"]


def test_digest_depends_on_the_values_only() -> None:
    assert SoupSettings().digest() == SoupSettings(minutes=5).digest()
    assert SoupSettings().digest() != SoupSettings(seed=1).digest()
    assert SoupSettings().digest() == "0aa413ef59bf4e221f791035aab2008b211de4fbe39df0f46e509996642d8c0a"


def test_replace_validates_names_and_values() -> None:
    assert SoupSettings().replace(minutes=7).minutes == 7
    with pytest.raises(UsageError, match="minutes=0"):
        SoupSettings().replace(minutes=0)
    with pytest.raises(UsageError, match="did you mean minutes"):
        SoupSettings().replace(minuets=7)


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * 20_000) + " = 1",
        "[" + ".".join(["'b c'"] * 400) + "]",
        "x = { " + " . ".join(['"b"'] * 400) + " = 1 }",
        "a = 1\n" * 1000 + ".".join("a" * 17) + " = 1",
    ],
)
def test_keys_of_many_parts_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match="has a key of more than 16 parts"):
        read_toml(path)


def test_values_with_many_dots_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    text = "It rained ... " * 50
    path.write_text(f'[a.b]\nc.d = "{text}"\nword = "{"a" * 500_000}"\n')
    assert read_toml(path)["a"]["b"]["c"] == {"d": text}


def test_large_toml_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("# " + "x" * (1 << 20))
    with pytest.raises(LitotesError, match="L209"):
        read_toml(path)
