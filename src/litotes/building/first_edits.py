"""The rewrites of one parsed sentence, as builders want them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from litotes.rewrites.apply import apply_rule
from litotes.rewrites.base import Edits, Rule, Sentence
from litotes.rewrites.rules import load_rewrite


def first_edit(rule: str, sentence: Sentence, **options: Any) -> str | None:
    """The best that a rule makes of a sentence, or nothing."""
    found = first_edits(rule, sentence, 1, **options)
    return found[0].text if found else None


def first_edits(rule: str, sentence: Sentence, count: int, **options: Any) -> Edits:
    """The best few that a rule makes of a sentence."""
    return apply_rule(_rule(rule), sentence, limit=count, **options)


@lru_cache(maxsize=32)
def _rule(name: str) -> Rule:
    return load_rewrite(name)
