"""The declarations of all rules."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from typing import get_args

import pytest

from litotes.core.errors import UsageError
from litotes.rewrites.base import COMMON_SKIPS, Effect, Need, Rule
from litotes.rewrites.options import Option, options_of
from litotes.rewrites.registry import list_rewrites, load_rewrite

EXPECTED = {
    "negation": "opposite",
    "negation_at": "opposite",
    "quantifier_negation": "opposite",
    "antonym": "opposite",
    "synonym": "same",
    "negated_antonym": "same",
    "embedded_clause": "same",
    "passive": "same",
    "active": "same",
    "contraction": "same",
    "argument_swap": "different",
    "inversion": "different",
    "typo": "same",
    "infill": "different",
}

every_name = pytest.mark.parametrize("name", list_rewrites())


def test_lists_all_rules() -> None:
    assert set(EXPECTED) <= set(list_rewrites())
    assert len(set(list_rewrites())) == len(list_rewrites())


@every_name
def test_rule_has_metadata(name: str) -> None:
    rule = load_rewrite(name)
    assert isinstance(rule, Rule) and rule.name == name
    assert rule.effect in get_args(Effect) and rule.effect == EXPECTED.get(name, rule.effect)
    assert rule.needs and set(rule.needs) <= set(get_args(Need))
    assert re.match(r"[A-Z“]", rule.summary) and rule.summary.endswith((".", "”")), rule.summary


@every_name
def test_skip_codes_are_short_and_explained(name: str) -> None:
    skips = load_rewrite(name).skips
    assert set(COMMON_SKIPS) < set(skips)
    for code, meaning in skips.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code), code
        assert " " in meaning and not meaning.endswith("."), (code, meaning)


@every_name
def test_options_have_a_type_and_a_default(name: str) -> None:
    rule = load_rewrite(name)
    for option in options_of(rule).values():
        parameter = inspect.signature(rule.apply).parameters[option.name]
        assert parameter.kind is parameter.KEYWORD_ONLY and parameter.annotation is not parameter.empty, option
        assert option.default is not parameter.empty, option
        assert re.fullmatch(r"[\w|-]+", option.values), option.values


def test_options_with_the_same_name_have_the_same_type() -> None:
    """A seed is a number in every rule."""
    kinds: dict[str, set[str]] = {}
    for name in list_rewrites():
        for option in options_of(load_rewrite(name)).values():
            kinds.setdefault(option.name, set()).add(option.values)
    assert {name: found for name, found in kinds.items() if len(found) > 1} == {}


def test_option_lists_its_values() -> None:
    assert Option("x", bool, False).values == "yes|no"
    assert Option("x", str | None, None).values == "TEXT|none"


def test_unknown_rule_is_an_error() -> None:
    with pytest.raises(UsageError, match=r'L101.*unknown rewrite "pasive"; did you mean passive'):
        load_rewrite("pasive")


def test_loading_all_rules_imports_no_heavy_package() -> None:
    program = (
        "from litotes.rewrites.registry import list_rewrites, load_rewrite\n"
        "for name in list_rewrites(): load_rewrite(name)\n"
        "import sys; print([n for n in ('spacy', 'numpy', 'torch', 'transformers', 'lemminflect') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
